// SPDX-License-Identifier: Apache-2.0
// A file that is written whole or not at all: as "<path>.part", renamed when all of it is there.
#define _XOPEN_SOURCE 700 // realpath
#include "base/wholefile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static carom_status fail(const carom_wholefile *file, const char *path, carom_error *error)
{
    const char *reason = errno ? strerror(errno) : "the write failed";
    return carom_fail(error, CAROM_IO, "cannot write '%s': %s", path ? path : file->target, reason);
}

static void forget(carom_wholefile *file)
{
    free(file->target);
    free(file->beside);
    *file = (carom_wholefile){0};
}

carom_status carom_wholefile_open(carom_wholefile *file, const char *path, carom_error *error)
{
    struct stat facts;
    const bool is_there = stat(path, &facts) == 0;
    *file = (carom_wholefile){0};
    if (is_there && S_ISDIR(facts.st_mode))
        return carom_fail(error, CAROM_IO, "cannot write '%s': it is a folder", path);
    char *target = realpath(path, NULL); // a link stays, and what it points to is written
    file->target = target ? target : strdup(path);
    const size_t room = (file->target ? strlen(file->target) : 0) + sizeof ".part";
    const bool is_plain = !is_there || S_ISREG(facts.st_mode);
    if (is_plain) file->beside = malloc(room);
    if (!file->target || (is_plain && !file->beside)) {
        forget(file);
        return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    }
    if (is_plain) snprintf(file->beside, room, "%s.part", file->target);
    errno = 0;
    file->stream = fopen(is_plain ? file->beside : file->target, "wb");
    if (file->stream) return CAROM_OK;
    const carom_status status = fail(file, path, error);
    forget(file);
    return status;
}

bool carom_wholefile_write(void *self, const char *text, size_t length)
{
    carom_wholefile *file = self;
    return fwrite(text, 1, length, file->stream) == length;
}

carom_status carom_wholefile_close(carom_wholefile *file, carom_status status, carom_error *error)
{
    // what a failed write said is still in errno
    const bool had_failed = ferror(file->stream) != 0;
    const bool is_closed = fclose(file->stream) == 0;
    const bool is_good = !had_failed && is_closed;
    if (!is_good) {
        if (error) *error = (carom_error){0};
        status = fail(file, NULL, error);
    }
    if (status != CAROM_OK && file->beside) remove(file->beside);
    if (status == CAROM_OK && file->beside && rename(file->beside, file->target) != 0)
        status = fail(file, NULL, error);
    forget(file);
    return status;
}
