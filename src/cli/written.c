// SPDX-License-Identifier: Apache-2.0
// Files are written beside their place first, then moved there: what was there is lost only to
// something whole.
#define _XOPEN_SOURCE 700 // realpath
#include "written.h"

#include "terminal/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool complain(const char *path)
{
    carom_message_error("cannot write '%s': %s", path, errno ? strerror(errno) : "write error");
    return false;
}

// the file behind links; the path itself where there is none yet, or no plain one
static bool find_target(carom_written *written)
{
    struct stat facts;
    char *real = realpath(written->path, NULL);
    const bool is_plain = real && stat(real, &facts) == 0 && S_ISREG(facts.st_mode);
    const char *target = is_plain ? real : written->path;
    const size_t length = strlen(target);
    if (length < sizeof written->target) memcpy(written->target, target, length + 1);
    free(real);
    written->is_in_place = !is_plain && lstat(written->path, &facts) == 0;
    errno = ENAMETOOLONG;
    return length < sizeof written->target;
}

bool carom_written_open(carom_written *written, const char *path)
{
    *written = (carom_written){.path = path};
    if (!find_target(written)) return complain(path);
    snprintf(written->beside, sizeof written->beside, "%s.%ld.part", written->target,
             (long)getpid());
    written->file = written->is_in_place ? fopen(path, "w") : carom_paths_create(written->beside);
    return written->file || complain(path);
}

bool carom_written_close(carom_written *written)
{
    bool is_good = !ferror(written->file);
    if (is_good) errno = 0; // else it says what went wrong before
    if (fclose(written->file) != 0) is_good = false;
    if (written->is_in_place) return is_good || complain(written->path);
    if (is_good && rename(written->beside, written->target) == 0) return true;
    complain(written->path);
    remove(written->beside);
    return false;
}

bool carom_written_whole(const char *path, const char *text)
{
    carom_written written;
    if (!carom_written_open(&written, path)) return false;
    fputs(text, written.file); // closing tells
    return carom_written_close(&written);
}
