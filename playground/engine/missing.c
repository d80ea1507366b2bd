// SPDX-License-Identifier: Apache-2.0
// What a browser lacks: there is no compiler whose code could be loaded from memory (--native).
#include <errno.h>

int memfd_create(const char *name, unsigned flags);

int memfd_create(const char *name, unsigned flags)
{
    (void)name, (void)flags;
    errno = ENOSYS;
    return -1;
}
