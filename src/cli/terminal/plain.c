// SPDX-License-Identifier: Apache-2.0
// Names, titles and comments come from files, and files from anywhere: what is printed of them is
// cleaned as messages are.
#include "terminal/plain.h"

#include <carom/base.h>

#include <stdio.h>

const char *carom_plain(const char *text, char *buffer, size_t room)
{
    snprintf(buffer, room, "%s", text ? text : "");
    return carom_text_plain(buffer);
}
