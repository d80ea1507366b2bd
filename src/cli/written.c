// SPDX-License-Identifier: Apache-2.0
// Texts into files: beside their place first, then moved there.
#include "written.h"

#include "paths.h"
#include "terminal/message.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool complain(const char *path)
{
    carom_message_error("cannot write '%s': %s", path, errno ? strerror(errno) : "write error");
    return false;
}

bool carom_written_whole(const char *path, const char *text)
{
    char part[CAROM_PATH_ROOM + 32];
    struct stat facts;
    if (strlen(path) >= CAROM_PATH_ROOM) {
        errno = ENAMETOOLONG;
        return complain(path);
    }
    const bool is_plain = lstat(path, &facts) != 0 || S_ISREG(facts.st_mode);
    snprintf(part, sizeof part, "%s.%ld.part", path, (long)getpid());
    errno = 0;
    FILE *file = is_plain ? carom_paths_create(part) : fopen(path, "w");
    if (!file) return complain(path);
    const bool is_put = fputs(text, file) >= 0, is_closed = fclose(file) == 0;
    if (is_put && is_closed && (!is_plain || rename(part, path) == 0)) return true;
    complain(path);
    if (is_plain) remove(part);
    return false;
}
