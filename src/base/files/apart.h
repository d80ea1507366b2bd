// SPDX-License-Identifier: Apache-2.0
// Work that is done in a process of its own, because it may crash, hang or take all memory: reading
// files with a library that trusts them. The process answers questions one by one; what it does
// with them is a function of the caller. Its death is an answer too, and harms nobody.
#ifndef CAROM_BASE_APART_H
#define CAROM_BASE_APART_H

#include "carom/base.h"

/// An answer on its way: bytes that are put one behind the other.
typedef struct carom_apart_answer {
    unsigned char *bytes;
    size_t n, room, most;
    bool is_short; ///< memory ran out, or it got longer than most
} carom_apart_answer;
void carom_apart_put(carom_apart_answer *answer, const void *bytes, size_t n);

/// What the process does. Questions are structs of the caller, which may hold no pointers.
typedef struct carom_apart_work {
    void *self;
    size_t question_bytes;
    void (*answer)(void *self, const void *question, carom_apart_answer *answer);
    double seconds; ///< of processor time for one answer (or six times that without any work)
    double bytes;   ///< of memory, besides what the caller has already; and of one answer
} carom_apart_work;

typedef struct carom_apart carom_apart;
/// Starts the process: a copy of this one, in which work->answer is called. NULL where that is not
/// possible (errno).
carom_apart *carom_apart_new(const carom_apart_work *work);
/// Ends the process.
void carom_apart_free(carom_apart *apart);
/// Asks. The answer is n bytes from the heap (never NULL); false where none came, now or before.
bool carom_apart_ask(carom_apart *apart, const void *question, void **answer, size_t *n);
/// Why no answer came: "crashed", "took longer than 10 s", ...; "" where all came.
const char *carom_apart_trouble(const carom_apart *apart);

#endif
