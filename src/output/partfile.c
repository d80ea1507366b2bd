// SPDX-License-Identifier: Apache-2.0
// A file that only grows; see the header. After a write that fails nothing more is written: what
// could be, stays, and whoever reads the file stops before a last record that is not whole.
#include "output/partfile.h"

#include "base/files/beside.h"
#include "sim/sim_clock.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 16 };
static const double flush_seconds = 1;

bool carom_partfile_open(carom_partfile *file, const char *target, const char *ending,
                         size_t record)
{
    // long since flushed: the head goes out at once
    *file = (carom_partfile){.descriptor = -1, .last_flush = -INFINITY};
    file->room = BUFFER_BYTES + 2 * record;
    file->buffer = malloc(file->room);
    errno = ENOMEM;
    if (file->buffer) file->descriptor = carom_beside_create(target, ending, &file->name);
    return file->descriptor >= 0;
}

// sends the first n bytes of the buffer
static void send_bytes(carom_partfile *file, size_t n)
{
    size_t done = 0;
    while (!file->failure && done < n) {
        errno = 0;
        const ssize_t put = write(file->descriptor, file->buffer + done, n - done);
        if (put > 0)
            done += (size_t)put;
        else if (errno != EINTR)
            file->failure = errno ? errno : EIO;
    }
    if (!file->failure) file->size += (off_t)n;
    memmove(file->buffer, file->buffer + n, file->n - n);
    file->n -= n;
    file->n_whole = 0;
}

void carom_partfile_put(carom_partfile *file, const void *bytes, size_t n)
{
    const unsigned char *from = bytes;
    while (n > 0) {
        if (file->n == file->room) send_bytes(file, file->n_whole > 0 ? file->n_whole : file->n);
        const size_t left = file->room - file->n, part = n < left ? n : left;
        memcpy(file->buffer + file->n, from, part);
        file->n += part;
        from += part;
        n -= part;
    }
}

bool carom_partfile_end(carom_partfile *file)
{
    file->n_whole = file->n;
    const double now = carom_clock_wall();
    if (now - file->last_flush > flush_seconds) {
        send_bytes(file, file->n_whole);
        file->last_flush = now;
    }
    return !file->failure;
}

bool carom_partfile_mark(carom_partfile *file)
{
    send_bytes(file, file->n_whole);
    file->mark = file->size;
    if (file->failure) errno = file->failure;
    return !file->failure;
}

bool carom_partfile_rewind(carom_partfile *file)
{
    file->n = file->n_whole = 0;
    file->size = file->mark;
    return !file->failure && ftruncate(file->descriptor, file->mark) == 0 &&
           lseek(file->descriptor, file->mark, SEEK_SET) == file->mark;
}

bool carom_partfile_sync(carom_partfile *file)
{
    send_bytes(file, file->n_whole);
    if (!file->failure && fsync(file->descriptor) != 0) file->failure = errno;
    if (file->failure) errno = file->failure;
    return !file->failure;
}

// a new name is made empty first: nothing else can have it
static char *new_name(const char *target, const char *ending)
{
    char *name;
    const int descriptor = carom_beside_create(target, ending, &name);
    if (descriptor >= 0) close(descriptor);
    return name;
}

bool carom_partfile_rename(carom_partfile *file, const char *older, const char *target,
                           const char *ending)
{
    if (!carom_partfile_sync(file)) return false;
    char *name = older ? strdup(older) : new_name(target, ending);
    if (!name) return false;
    if (rename(file->name, name) != 0) {
        free(name);
        return false;
    }
    free(file->name);
    file->name = name;
    carom_beside_sync(name);
    return true;
}

bool carom_partfile_close(carom_partfile *file, bool is_synced)
{
    if (file->descriptor < 0) return true;
    const bool is_put = is_synced ? carom_partfile_sync(file) : carom_partfile_mark(file);
    const int cause = errno;
    const bool is_closed = close(file->descriptor) == 0;
    file->descriptor = -1;
    if (!is_put) errno = cause;
    return is_put && is_closed;
}

void carom_partfile_forget(carom_partfile *file)
{
    if (file->descriptor >= 0) close(file->descriptor);
    free(file->buffer);
    free(file->name);
    *file = (carom_partfile){.descriptor = -1};
}
