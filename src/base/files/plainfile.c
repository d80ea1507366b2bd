// SPDX-License-Identifier: Apache-2.0
// Looks at what was opened, not at a name: between the two looks a name could come to mean another
// file. Opening a pipe without O_NONBLOCK would already wait.
#define _GNU_SOURCE // O_CLOEXEC, fdopen
#include "base/files/plainfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static carom_status check(int descriptor, const char *path, const carom_limits *limits,
                          carom_error *error)
{
    struct stat facts;
    const carom_place place = {.file = path};
    if (fstat(descriptor, &facts) != 0)
        return carom_fail_at(error, place, CAROM_IO, "cannot be read: %s", strerror(errno));
    if (S_ISDIR(facts.st_mode))
        return carom_fail_at(error, place, CAROM_IO, "is a folder, not a file");
    if (!S_ISREG(facts.st_mode))
        return carom_fail_at(error, place, CAROM_IO, "is not an ordinary file");
    if (limits && (double)facts.st_size > limits->result_bytes)
        return carom_limit_fail(error, place, "the file has", "result_bytes", limits->result_bytes);
    return CAROM_OK;
}

carom_status carom_plainfile_open(const char *path, const carom_limits *limits, FILE **file,
                                  carom_error *error)
{
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    *file = NULL;
    if (descriptor < 0)
        return carom_fail(error, CAROM_IO, "%s: cannot be read: %s", path, strerror(errno));
    carom_status status = check(descriptor, path, limits, error);
    if (status == CAROM_OK) *file = fdopen(descriptor, "rb");
    if (status == CAROM_OK && !*file) status = carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    if (!*file) close(descriptor);
    return status;
}
