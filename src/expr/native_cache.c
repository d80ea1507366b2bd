// SPDX-License-Identifier: Apache-2.0
// The folder of compiled models. It belongs to the user alone, so that what is loaded from it is
// what the user compiled. An entry ends with the key it was made for and the digest of all bytes
// before: one that was cut off, damaged or renamed is found out before it is loaded.
#include "expr/native_cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char mark[] = "\ncarom native 1\n";
enum { KEY = CAROM_DIGEST_TEXT - 1, TAIL = sizeof mark - 1 + 2 * KEY };

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

// the digest of the first n bytes of a stream; false where it has fewer
static bool digest_bytes(FILE *file, long n, char text[CAROM_DIGEST_TEXT])
{
    carom_digest digest = carom_digest_start();
    unsigned char block[4096], result[CAROM_DIGEST_BYTES];
    while (n > 0) {
        const size_t part = n < (long)sizeof block ? (size_t)n : sizeof block;
        if (fread(block, 1, part, file) != part) return false;
        carom_digest_add(&digest, block, part);
        n -= (long)part;
    }
    carom_digest_end(&digest, result);
    carom_digest_text(result, text);
    return true;
}

static long length_of(FILE *file)
{
    if (fseek(file, 0, SEEK_END) != 0) return -1;
    const long n = ftell(file);
    return fseek(file, 0, SEEK_SET) == 0 ? n : -1;
}

bool carom_native_cache_is_whole(const char *path, const char *key)
{
    struct stat facts;
    if (lstat(path, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_uid != geteuid())
        return false;
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    char text[CAROM_DIGEST_TEXT], tail[TAIL + 1] = "";
    const long n = length_of(file) - TAIL;
    bool is_whole = n > 0 && digest_bytes(file, n, text) && fread(tail, 1, TAIL, file) == TAIL;
    fclose(file);
    const char *of_key = tail + sizeof mark - 1;
    is_whole = is_whole && memcmp(tail, mark, sizeof mark - 1) == 0;
    return is_whole && memcmp(of_key, key, KEY) == 0 && memcmp(of_key + KEY, text, KEY) == 0;
}

bool carom_native_cache_seal(const char *path, const char *key)
{
    FILE *file = fopen(path, "r+b");
    if (!file) return false;
    char text[CAROM_DIGEST_TEXT];
    const long n = length_of(file);
    bool is_sealed = n > 0 && digest_bytes(file, n, text) && fseek(file, 0, SEEK_END) == 0;
    is_sealed = is_sealed && fprintf(file, "%s%s%s", mark, key, text) == TAIL;
    return fclose(file) == 0 && is_sealed;
}
