// SPDX-License-Identifier: Apache-2.0
// One writer for each file. The lock of FILE is the empty file FILE.lock, locked with flock() as
// long as the writer lives: a process that is killed leaves the file, but not the lock. The file is
// removed while the lock is held, so that whoever gets a lock must look whether its file is still
// the one under that name.
#define _DEFAULT_SOURCE   // flock
#define _XOPEN_SOURCE 700 // realpath
#include "base/files/filelock.h"

#include "base/need.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TRIES = 100 };

/// What came of one try.
typedef enum {
    TAKEN,
    GONE,   // the file was removed by its last owner
    BUSY,   // somebody else has it
    FOREIGN // it is no lock of ours
} outcome;

static outcome try_lock(int descriptor, const char *path)
{
    struct stat mine, there;
    if (fstat(descriptor, &mine) != 0 || !S_ISREG(mine.st_mode) || mine.st_size != 0)
        return FOREIGN;
    // a file system that knows no locks is trusted
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return BUSY;
    if (lstat(path, &there) != 0 || there.st_ino != mine.st_ino || there.st_dev != mine.st_dev)
        return GONE;
    return TAKEN;
}

static carom_status take_lock(carom_filelock *lock, const char *target, carom_error *error)
{
    for (int i = 0; i < MOST_TRIES; i++) {
        const int descriptor =
            open(lock->path, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != ELOOP)
            return carom_fail(error, CAROM_IO, "cannot write '%s': %s", target, strerror(errno));
        const outcome found = descriptor < 0 ? FOREIGN : try_lock(descriptor, lock->path);
        if (found == TAKEN) {
            lock->descriptor = descriptor;
            return CAROM_OK;
        }
        if (descriptor >= 0) close(descriptor);
        if (found == BUSY)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "cannot write '%s': another run is writing it (give another name, or "
                              "wait for its end)",
                              target);
        if (found == FOREIGN)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "cannot write '%s': its lock would be '%s', which is another file "
                              "(move it away)",
                              target, lock->path);
    }
    return carom_fail(error, CAROM_IO, "cannot write '%s': its lock comes and goes", target);
}

carom_status carom_filelock_take(carom_filelock *lock, const char *target, carom_error *error)
{
    const size_t room = strlen(target) + sizeof ".lock";
    *lock = (carom_filelock){.path = malloc(room)};
    if (!lock->path) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    snprintf(lock->path, room, "%s.lock", target);
    const carom_status status = take_lock(lock, target, error);
    if (status != CAROM_OK) {
        free(lock->path);
        lock->path = NULL;
    }
    return status;
}

void carom_filelock_release(carom_filelock *lock)
{
    if (!lock->path) return;
    (void)unlink(lock->path);
    close(lock->descriptor);
    free(lock->path);
    lock->path = NULL;
}

struct carom_lock {
    carom_filelock lock;
};

carom_status carom_lock_new(const char *path, carom_lock **lock, carom_error *error)
{
    struct stat facts;
    CAROM_NEED(error, lock);
    *lock = NULL;
    CAROM_NEED(error, path);
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode))
        return carom_fail(error, CAROM_BAD_INPUT, "cannot write '%s': it is not a plain file",
                          path);
    *lock = calloc(1, sizeof **lock);
    if (!*lock) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    char *target = realpath(path, NULL); // whatever link it is called by
    const carom_status status = carom_filelock_take(&(*lock)->lock, target ? target : path, error);
    free(target);
    if (status != CAROM_OK) {
        free(*lock);
        *lock = NULL;
    }
    return status;
}

void carom_lock_free(carom_lock *lock)
{
    if (lock) carom_filelock_release(&lock->lock);
    free(lock);
}
