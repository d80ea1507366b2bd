// SPDX-License-Identifier: Apache-2.0
// Files beside their target, while they are being made: FILE.<process>.part and the like. A name is
// never opened twice, and never through a link, so that nothing else can be emptied.
#ifndef CAROM_BASE_BESIDE_H
#define CAROM_BASE_BESIDE_H

#include "carom/base.h"

/// Makes an empty file beside target. Returns its descriptor and its name (to be freed), or -1 and
/// NULL with errno set.
int carom_beside_create(const char *target, const char *ending, char **name);

/// Calls visit for every plain file beside target that a process has left under such a name, until
/// it returns false. The newest comes first. False: memory ran out.
bool carom_beside_each(const char *target, const char *ending,
                       bool (*visit)(void *self, const char *name), void *self);

/// The length of the target's name in the name of a file beside it, or 0: "r.csv.17.part" -> 5.
size_t carom_beside_target(const char *name, const char *ending);

/// Makes a new name in a folder lasting: the folder of path is synced.
void carom_beside_sync(const char *path);

#endif
