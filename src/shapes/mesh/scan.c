// SPDX-License-Identifier: Apache-2.0
// Words of a text in memory.
#include "shapes/mesh/scan.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

carom_scan carom_scan_begin(const char *file, const char *text, size_t length)
{
    return (carom_scan){.file = file, .text = text, .length = length, .line = 1};
}

static bool is_end(char c)
{
    return c == '\n' || c == '#';
}

static bool is_blank(char c, const char *also)
{
    return c == ' ' || c == '\t' || c == '\r' || (c != 0 && strchr(also, c));
}

bool carom_scan_word(carom_scan *scan, const char *also)
{
    while (scan->at < scan->length && is_blank(scan->text[scan->at], also)) scan->at++;
    scan->place = carom_scan_here(scan);
    scan->word[0] = 0;
    if (scan->at >= scan->length || is_end(scan->text[scan->at])) return false;
    size_t n = 0;
    for (; scan->at < scan->length; scan->at++) {
        const char c = scan->text[scan->at];
        if (is_end(c) || is_blank(c, also)) break;
        if (n + 1 < sizeof scan->word) scan->word[n++] = c ? c : '?';
    }
    scan->word[n] = 0;
    return true;
}

bool carom_scan_line(carom_scan *scan)
{
    const char *end = memchr(scan->text + scan->at, '\n', scan->length - scan->at);
    if (!end) {
        scan->at = scan->length;
        return false;
    }
    scan->at = scan->line_start = (size_t)(end - scan->text) + 1;
    scan->line++;
    return scan->at < scan->length;
}

carom_status carom_scan_number(const carom_scan *scan, double *value, carom_error *error)
{
    char plain[CAROM_SCAN_WORD];
    if (carom_text_number(scan->word, value) && isfinite(*value)) return CAROM_OK;
    memcpy(plain, scan->word, sizeof plain);
    return carom_fail_at(error, scan->place, CAROM_BAD_INPUT, "'%s' is not a finite number",
                         carom_text_plain(plain));
}

carom_place carom_scan_here(const carom_scan *scan)
{
    return (carom_place){scan->file, scan->line, (int)(scan->at - scan->line_start) + 1};
}
