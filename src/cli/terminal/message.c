// SPDX-License-Identifier: Apache-2.0
// Errors and warnings: one line each on stderr, in colour on a terminal unless NO_COLOR is set.
// Whatever stands in a message, it cannot break the line or steer the terminal.
#include "terminal/message.h"

#include <carom/base.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool has_colour(void)
{
    const char *no = getenv("NO_COLOR");
    return isatty(STDERR_FILENO) && !(no && *no);
}

static void print(const char *word, const char *colour, const char *format, va_list list)
{
    char text[2048];
    vsnprintf(text, sizeof text, format, list);
    carom_text_plain(text);
    fflush(stdout);
    if (word && has_colour())
        fprintf(stderr, "\033[%sm%s\033[0m %s\n", colour, word, text);
    else
        fprintf(stderr, "%s%s%s\n", word ? word : "", word ? " " : "", text);
}

void carom_message_error(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    // off a terminal a line starts with the place, for editors and scripts
    print(isatty(STDERR_FILENO) ? "error:" : NULL, "1;31", format, list);
    va_end(list);
}

void carom_message_note(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print("note:", "1;36", format, list);
    va_end(list);
}

void carom_message_warning(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print("warning:", "1;33", format, list);
    va_end(list);
}

void carom_message_cut_off(const char *path, const char *why)
{
    if (*why) carom_message_warning("%s: not whole: %s", path, why);
}
