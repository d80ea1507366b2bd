// SPDX-License-Identifier: Apache-2.0
// The folder of compiled models. It belongs to the user alone, so that what is loaded from it is
// what the user compiled. An entry ends with the key it was made for and the digest of all bytes
// before: one that was cut off, damaged or renamed is found out before it is loaded. It is opened
// once. Owner, kind and mode are those of the open file, and the bytes that were checked are the
// bytes that are loaded: a copy in memory, sealed. No swap of the file can come in between.
#define _GNU_SOURCE // memfd_create, seals
#include "expr/program/native_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char mark[] = "\ncarom native 1\n";
enum { KEY = CAROM_DIGEST_TEXT - 1, TAIL = sizeof mark - 1 + 2 * KEY, LARGEST = 1 << 28 };

// a folder of the user that nobody else can enter
static bool is_private(const char *path)
{
    struct stat facts;
    if (lstat(path, &facts) != 0 || !S_ISDIR(facts.st_mode)) return false;
    if (facts.st_uid != geteuid()) return false;
    if ((facts.st_mode & 077) != 0 && chmod(path, 0700) != 0) return false;
    return access(path, R_OK | W_OK | X_OK) == 0;
}

bool carom_native_cache_folder(char path[CAROM_NATIVE_PATH])
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool has_base = base && base[0] == '/';
    // a program with other rights than its user must not trust the user's variables
    if (getuid() != geteuid() || getgid() != getegid()) return false;
    if (!has_base && (!home || home[0] != '/')) return false;
    const char *top = has_base ? base : home, *below = has_base ? "" : "/.cache";
    const int n = snprintf(path, CAROM_NATIVE_PATH, "%s%s/carom", top, below);
    if (n < 0 || n >= CAROM_NATIVE_PATH - 128) return false;
    if (is_private(path)) return true;
    char *last = path + n - strlen("/carom");
    *last = 0;
    const bool has_parent = mkdir(path, 0700) == 0 || errno == EEXIST;
    *last = '/';
    if (!has_parent || (mkdir(path, 0700) != 0 && errno != EEXIST)) return false;
    return is_private(path);
}

static void digest_of(const char *bytes, size_t n, char text[CAROM_DIGEST_TEXT])
{
    unsigned char result[CAROM_DIGEST_BYTES];
    carom_digest digest = carom_digest_start();
    carom_digest_add(&digest, bytes, n);
    carom_digest_end(&digest, result);
    carom_digest_text(result, text);
}

// all bytes of an open file, to be freed; NULL where they cannot be had
static char *read_bytes(int file, size_t n)
{
    char *bytes = malloc(n + 1);
    size_t used = 0;
    while (bytes && used < n) {
        const ssize_t part = read(file, bytes + used, n - used);
        if (part < 0 && errno == EINTR) continue;
        if (part <= 0) break;
        used += (size_t)part;
    }
    if (used == n) return bytes;
    free(bytes);
    return NULL;
}

static bool write_bytes(int file, const char *bytes, size_t n)
{
    while (n > 0) {
        const ssize_t part = write(file, bytes, n);
        if (part < 0 && errno == EINTR) continue;
        if (part <= 0) return false;
        bytes += part;
        n -= (size_t)part;
    }
    return true;
}

// an ordinary file of ours that nobody else may change
static bool is_trusted(int file, size_t *n)
{
    struct stat facts;
    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
    if (facts.st_uid != geteuid() || (facts.st_mode & 022) != 0) return false;
    *n = (size_t)facts.st_size;
    return facts.st_size > 0 && facts.st_size <= LARGEST;
}

// whether the bytes end with this key and the digest of those before
static bool is_whole(const char *bytes, size_t n, const char *key)
{
    char text[CAROM_DIGEST_TEXT];
    if (n <= TAIL) return false;
    const char *tail = bytes + n - TAIL, *of_key = tail + sizeof mark - 1;
    digest_of(bytes, n - TAIL, text);
    return memcmp(tail, mark, sizeof mark - 1) == 0 && memcmp(of_key, key, KEY) == 0 &&
           memcmp(of_key + KEY, text, KEY) == 0;
}

// the bytes as a file without a name, which nobody can exchange or change any more
static int make_nameless(const char *bytes, size_t n)
{
    const int copy = memfd_create("carom", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    const int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    if (copy < 0) return -1;
    if (write_bytes(copy, bytes, n) && fcntl(copy, F_ADD_SEALS, seals) == 0) return copy;
    close(copy);
    return -1;
}

int carom_native_cache_open(const char *path, const char *key)
{
    size_t n;
    int copy = -1;
    // a pipe under this name must not make us wait
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return -1;
    char *bytes = is_trusted(file, &n) ? read_bytes(file, n) : NULL;
    if (bytes && is_whole(bytes, n, key)) copy = make_nameless(bytes, n);
    free(bytes);
    close(file);
    return copy;
}

bool carom_native_cache_seal(const char *path, const char *key)
{
    size_t n;
    char text[CAROM_DIGEST_TEXT], tail[TAIL + 1];
    const int file = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return false;
    // whatever the umask: what others may change is not loaded
    fchmod(file, 0600);
    char *bytes = is_trusted(file, &n) ? read_bytes(file, n) : NULL;
    if (bytes) digest_of(bytes, n, text);
    if (bytes) snprintf(tail, sizeof tail, "%s%s%s", mark, key, text);
    const bool is_sealed = bytes && write_bytes(file, tail, TAIL);
    free(bytes);
    return close(file) == 0 && is_sealed;
}
