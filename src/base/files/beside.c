// SPDX-License-Identifier: Apache-2.0
// Files beside their target: FILE.<process>.<ending>, or FILE.<process>-<k>.<ending> where a dead
// process of the same number has left one.
#define _DEFAULT_SOURCE // scandir
#include "base/files/beside.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TRIES = 1000 };

int carom_beside_create(const char *target, const char *ending, char **name)
{
    const size_t room = strlen(target) + strlen(ending) + 64;
    *name = malloc(room);
    if (!*name) return -1;
    int descriptor = -1;
    for (int k = 0; descriptor < 0 && k < MOST_TRIES; k++) {
        if (k == 0)
            snprintf(*name, room, "%s.%ld.%s", target, (long)getpid(), ending);
        else
            snprintf(*name, room, "%s.%ld-%d.%s", target, (long)getpid(), k, ending);
        descriptor = open(*name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST) break;
    }
    if (descriptor >= 0) return descriptor;
    const int cause = errno;
    free(*name);
    *name = NULL;
    errno = cause;
    return -1;
}

static size_t skip_digits_back(const char *name, size_t end)
{
    while (end > 0 && isdigit((unsigned char)name[end - 1])) end--;
    return end;
}

size_t carom_beside_target(const char *name, const char *ending)
{
    const size_t n = strlen(name), m = strlen(ending);
    if (n < m + 2 || strcmp(name + n - m, ending) != 0 || name[n - m - 1] != '.') return 0;
    const size_t last = n - m - 1;
    size_t at = skip_digits_back(name, last);
    if (at < last && at > 0 && name[at - 1] == '-') {
        const size_t process = skip_digits_back(name, at - 1);
        if (process < at - 1) at = process;
    }
    return at < last && at > 1 && name[at - 1] == '.' ? at - 1 : 0;
}

/// One that was found.
typedef struct {
    char *name;
    struct timespec changed;
} leftover;

static int by_age(const void *a, const void *b)
{
    const struct timespec *x = &((const leftover *)a)->changed,
                          *y = &((const leftover *)b)->changed;
    if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? 1 : -1;
    return x->tv_nsec < y->tv_nsec ? 1 : x->tv_nsec > y->tv_nsec ? -1 : 0;
}

// the folder of path, up to and with its slash ("" = here)
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

// adds a file of the folder to the list if it stands beside target; false: memory ran out
static bool consider_file(const char *target, const char *ending, const char *file, leftover **list,
                          int *n)
{
    const size_t folder = folder_length(target), length = carom_beside_target(file, ending);
    struct stat facts;
    if (length != strlen(target + folder) || memcmp(file, target + folder, length) != 0)
        return true;
    const size_t room = folder + strlen(file) + 1;
    leftover *longer = realloc(*list, sizeof **list * (size_t)(*n + 1));
    if (longer) *list = longer;
    char *name = longer ? malloc(room) : NULL;
    if (!name) return false;
    snprintf(name, room, "%.*s%s", (int)folder, target, file);
    if (lstat(name, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        free(name);
        return true;
    }
    (*list)[(*n)++] = (leftover){name, facts.st_mtim};
    return true;
}

bool carom_beside_each(const char *target, const char *ending,
                       bool (*visit)(void *self, const char *name), void *self)
{
    char *folder = strndup(target, folder_length(target));
    DIR *open_folder = folder ? opendir(*folder ? folder : ".") : NULL;
    leftover *list = NULL;
    int n = 0;
    bool is_good = folder != NULL, goes_on = true;
    for (const struct dirent *entry; open_folder && is_good && (entry = readdir(open_folder));)
        is_good = consider_file(target, ending, entry->d_name, &list, &n);
    if (open_folder) closedir(open_folder);
    free(folder);
    if (n > 1) qsort(list, (size_t)n, sizeof *list, by_age);
    for (int i = 0; i < n; i++) {
        if (is_good && goes_on) goes_on = visit(self, list[i].name);
        free(list[i].name);
    }
    free(list);
    return is_good;
}

void carom_beside_sync(const char *path)
{
    char *folder = strndup(path, folder_length(path));
    const int descriptor = folder ? open(*folder ? folder : ".", O_RDONLY | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        (void)fsync(descriptor);
        close(descriptor);
    }
    free(folder);
}
