// SPDX-License-Identifier: Apache-2.0
// A file that only grows: records are collected in memory and go out whole, about once a second.
// What a killed process leaves ends with a whole record, or at worst in the middle of its last one.
#ifndef CAROM_OUTPUT_PARTFILE_H
#define CAROM_OUTPUT_PARTFILE_H

#include "carom/base.h"

#include <sys/types.h>

typedef struct carom_partfile {
    int descriptor; ///< -1 = closed
    char *name;     ///< to be freed
    unsigned char *buffer;
    size_t room, n, n_whole; ///< bytes: of the buffer, in it, in it that end a record
    off_t size, mark;        ///< of the file, up to the end of a record; as it was noted
    double last_flush;       ///< wall time [s]
    int failure;             ///< errno of the first write that failed, or 0
} carom_partfile;

/// Makes "<target>.<process>.<ending>"; record is the size of the largest record.
/// False: errno says why.
bool carom_partfile_open(carom_partfile *file, const char *target, const char *ending,
                         size_t record);
void carom_partfile_put(carom_partfile *file, const void *bytes, size_t n);
/// Ends a record. False: a write has failed, now or before (failure).
bool carom_partfile_end(carom_partfile *file);
/// Takes note of the present end, and goes back there.
bool carom_partfile_mark(carom_partfile *file);
bool carom_partfile_rewind(carom_partfile *file);
/// Makes all whole records lasting.
bool carom_partfile_sync(carom_partfile *file);
/// Gives the file, synced, the name of an older one in its place, or (NULL) a
/// new one with that ending.
bool carom_partfile_rename(carom_partfile *file, const char *older, const char *target,
                           const char *ending);
/// Writes what is left and closes; the name stays until carom_partfile_forget.
bool carom_partfile_close(carom_partfile *file, bool is_synced);
/// Gives memory back.
void carom_partfile_forget(carom_partfile *file);

#endif
