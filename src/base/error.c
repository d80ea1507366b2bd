// SPDX-License-Identifier: Apache-2.0
// Errors with a place. The first error of a call is kept; later ones do not overwrite it.
#include "carom/base.h"

#include <stdarg.h>
#include <stdio.h>

// tools/analyser.h is for those who call them
#undef carom_fail
#undef carom_fail_at

// "file:line:column: " as far as it is known; returns its length, be there room for it or not
static int write_place(carom_error *error, carom_place place)
{
    const size_t room = sizeof error->message;
    int used = 0;
    *error = (carom_error){.status = error->status};
    if (place.file) used = snprintf(error->message, room, "%s:", place.file);
    if (used >= 0 && (size_t)used < room) {
        if (used > 0) error->n_file = used - 1;
        if (place.line > 0) {
            error->line = place.line;
            error->column = place.column;
            used += snprintf(error->message + used, room - (size_t)used, "%d:%d:", place.line,
                             place.column);
        }
    }
    if (used > 0 && (size_t)used < room)
        used += snprintf(error->message + used, room - (size_t)used, " ");
    if (used > 0 && (size_t)used < room) error->n_place = used;
    return used;
}

static carom_status fill_error(carom_error *error, carom_place place, carom_status status,
                               const char *format, va_list arguments)
{
    if (!error || error->status != CAROM_OK) return status;
    if (!format) format = "";
    error->status = status;
    const size_t room = sizeof error->message;
    const int used = write_place(error, place);
    if (used >= 0 && (size_t)used < room)
        vsnprintf(error->message + used, room - (size_t)used, format, arguments);
    // one error, one line
    for (char *c = error->message; *c; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
    return status;
}

carom_status carom_fail(carom_error *error, carom_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, (carom_place){0}, status, format, arguments);
    va_end(arguments);
    return status;
}

carom_status carom_fail_at(carom_error *error, carom_place place, carom_status status,
                           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, place, status, format, arguments);
    va_end(arguments);
    return status;
}

const char *carom_version(void)
{
    return CAROM_VERSION;
}
