// SPDX-License-Identifier: Apache-2.0
// The folder of compiled models, and its entries: a shared library followed by its own digest.
#ifndef CAROM_EXPR_NATIVE_CACHE_H
#define CAROM_EXPR_NATIVE_CACHE_H

#include "base/digest.h"
#include "carom/base.h"

enum { CAROM_NATIVE_PATH = 4096 };

/// The folder, $XDG_CACHE_HOME/carom or ~/.cache/carom, made (for the user alone) where it is
/// missing; false where there is none that can be trusted and written.
bool carom_native_cache_folder(char path[CAROM_NATIVE_PATH]);
/// Where the file is a whole entry for this key that only we can have written: a descriptor of its
/// bytes, which nobody can change any more; else -1.
int carom_native_cache_open(const char *path, const char *key);
/// Makes a file that the compiler wrote an entry: adds key and digest.
bool carom_native_cache_seal(const char *path, const char *key);

#endif
