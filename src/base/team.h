// SPDX-License-Identifier: Apache-2.0
// Threads that share loops. A loop over n things is cut into shares; who does which share, and how
// many threads there are, decides how long it takes and nothing else: each thing writes to places
// of its own, and what is summed is summed in an order of its own.
#ifndef CAROM_BASE_TEAM_H
#define CAROM_BASE_TEAM_H

typedef struct carom_team carom_team;

enum { CAROM_MOST_MEMBERS = 64 };

/// Things first .. end - 1 of a loop, done by member 0 .. size - 1: one member does one share at a
/// time, so that it may have scratch of its own.
typedef void carom_team_work(void *self, int member, int first, int end);

/// A team of so many threads, the caller's among them; NULL where not even one more could be
/// started, or n < 2.
carom_team *carom_team_new(int n);
void carom_team_free(carom_team *team);
/// 1 without a team.
int carom_team_size(const carom_team *team);
/// Does a loop over n things in shares of at least `least`; returns when all is done. Loops do not
/// lie in each other. Without a team, or where there is one share only, it is a call.
void carom_team_run(carom_team *team, int n, int least, carom_team_work *work, void *self);

#endif
