// SPDX-License-Identifier: Apache-2.0
// A file that is written whole or not at all: beside its target, renamed when all of it is there.
#define _XOPEN_SOURCE 700 // realpath
#include "base/files/wholefile.h"

#include "base/files/beside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static carom_status fail(const carom_wholefile *file, carom_error *error)
{
    const char *reason = errno ? strerror(errno) : "the write failed";
    return carom_fail(error, CAROM_IO, "cannot write '%s': %s", file->target, reason);
}

static void forget_file(carom_wholefile *file)
{
    carom_filelock_release(&file->lock);
    free(file->target);
    free(file->beside);
    *file = (carom_wholefile){0};
}

static carom_status open_stream(carom_wholefile *file, bool is_plain, carom_error *error)
{
    errno = 0;
    if (!is_plain) {
        file->stream = fopen(file->target, "wb");
        return file->stream ? CAROM_OK : fail(file, error);
    }
    const int descriptor = carom_beside_create(file->target, "part", &file->beside);
    if (descriptor >= 0) file->stream = fdopen(descriptor, "wb");
    if (file->stream) return CAROM_OK;
    const carom_status status = fail(file, error);
    if (descriptor >= 0) {
        close(descriptor);
        remove(file->beside);
    }
    return status;
}

static carom_status open_unlocked(carom_wholefile *file, const char *path, carom_error *error)
{
    struct stat facts;
    const bool is_there = stat(path, &facts) == 0;
    const bool is_plain = !is_there || S_ISREG(facts.st_mode);
    *file = (carom_wholefile){0};
    if (is_there && S_ISDIR(facts.st_mode))
        return carom_fail(error, CAROM_IO, "cannot write '%s': it is a folder", path);
    char *target = realpath(path, NULL); // a link stays, and what it points to is written
    file->target = target ? target : strdup(path);
    if (!file->target) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    const carom_status status = open_stream(file, is_plain, error);
    if (status != CAROM_OK) forget_file(file);
    return status;
}

carom_status carom_wholefile_open(carom_wholefile *file, const char *path, carom_error *error)
{
    carom_filelock lock = {0};
    CAROM_TRY(open_unlocked(file, path, error));
    if (!file->beside) return CAROM_OK; // a device may have several writers
    const carom_status status = carom_filelock_take(&lock, file->target, error);
    if (status != CAROM_OK) {
        fclose(file->stream);
        remove(file->beside);
        forget_file(file);
        return status;
    }
    file->lock = lock;
    return CAROM_OK;
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
        status = fail(file, error);
    }
    if (status != CAROM_OK && file->beside) remove(file->beside);
    if (status == CAROM_OK && file->beside && rename(file->beside, file->target) != 0)
        status = fail(file, error);
    forget_file(file);
    return status;
}
