// SPDX-License-Identifier: Apache-2.0
// A text file as words between white space. Numbers are read by strtod from a copy of the word, so
// that nothing is read beyond the end; a caller's locale with a decimal comma is allowed for.
#include "contact/files/tokens.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_ROOM = 64 };

carom_tokens carom_tokens_of(const char *name, const char *text, size_t size,
                             const carom_limits *limits, carom_error *error)
{
    return (carom_tokens){name, text, text + size, text, 1, limits, error};
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool carom_tokens_more(carom_tokens *t)
{
    for (; t->at < t->end && is_space(*t->at); t->at++) {
        if (*t->at != '\n') continue;
        t->line++;
        t->line_start = t->at + 1;
    }
    return t->at < t->end;
}

static size_t word_length(const carom_tokens *t)
{
    size_t n = 0;
    while (t->at + n < t->end && !is_space(t->at[n])) n++;
    return n;
}

carom_status carom_tokens_fail(carom_tokens *t, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    carom_tokens_more(t);
    const carom_place place = {t->name, t->line, (int)(t->at - t->line_start) + 1};
    return carom_fail_at(t->error, place, CAROM_BAD_INPUT, "%s", text);
}

// copies the next word; a word that does not fit is no number anyhow. False at the end.
static bool copy_word(carom_tokens *t, char word[WORD_ROOM])
{
    if (!carom_tokens_more(t)) return false;
    const size_t n = word_length(t), kept = n < WORD_ROOM ? n : WORD_ROOM - 1;
    memcpy(word, t->at, kept);
    word[kept] = 0;
    // nothing that is printed in an error may break its line
    for (size_t i = 0; i < kept; i++)
        if ((unsigned char)word[i] < ' ' || (unsigned char)word[i] > '~') word[i] = '?';
    return true;
}

static carom_status fail_short(carom_tokens *t, const char *what)
{
    return carom_tokens_fail(t, "the file ends where %s should be (is it cut off?)", what);
}

carom_status carom_tokens_need(carom_tokens *t, double count, const char *what)
{
    carom_tokens_more(t);
    const double most = ((double)(t->end - t->at) + 1) / 2;
    if (count <= most) return CAROM_OK;
    return carom_tokens_fail(
        t, "%s needs %.0f numbers, but at most %.0f are left (a wrong size, or a file cut off?)",
        what, count, most);
}

static bool read_number(char *word, double *value)
{
    const char *digit = *word == '-' || *word == '+' ? word + 1 : word;
    if (!(*digit >= '0' && *digit <= '9') && *digit != '.') return false;
    if (strpbrk(word, "xXpP,")) return false;
    const char *comma = localeconv()->decimal_point;
    char *dot = strchr(word, '.'), *end;
    if (dot && comma && comma[0] && !comma[1]) *dot = comma[0];
    *value = strtod(word, &end);
    const bool is_whole = end != word && !*end;
    if (dot) *dot = '.';
    return is_whole;
}

carom_status carom_tokens_number(carom_tokens *t, const char *what, double *value)
{
    char word[WORD_ROOM];
    if (!copy_word(t, word)) return fail_short(t, what);
    if (!read_number(word, value))
        return carom_tokens_fail(t, "'%s' is no number, but %s should be here", word, what);
    if (!isfinite(*value))
        return carom_tokens_fail(t, "'%s' (%s) is not a finite number", word, what);
    t->at += word_length(t);
    return CAROM_OK;
}

carom_status carom_tokens_numbers(carom_tokens *t, const char *what, int n, double *value)
{
    for (int i = 0; i < n; i++) CAROM_TRY(carom_tokens_number(t, what, &value[i]));
    return CAROM_OK;
}

carom_status carom_tokens_integer(carom_tokens *t, const char *what, int low, int high, int *value)
{
    const carom_tokens start = *t;
    double x = 0;
    CAROM_TRY(carom_tokens_number(t, what, &x));
    if (x == floor(x) && x >= low && x <= high) {
        *value = (int)x;
        return CAROM_OK;
    }
    *t = start;
    return carom_tokens_fail(t, "%s must be a whole number from %d to %d, not %g", what, low, high,
                             x);
}

carom_status carom_tokens_size(carom_tokens *t, const char *what, int *value)
{
    carom_tokens start = *t;
    CAROM_TRY(carom_tokens_integer(t, what, 0, INT_MAX / 32, value));
    if (*value <= t->limits->problem_rows) return CAROM_OK;
    *t = start;
    return carom_tokens_fail(t, "%s: %d is more than %.15g (--limit problem_rows=N allows more)",
                             what, *value, t->limits->problem_rows);
}

carom_status carom_tokens_word(carom_tokens *t, const char *word)
{
    char found[WORD_ROOM];
    if (!copy_word(t, found)) return fail_short(t, word);
    if (strcmp(found, word) != 0)
        return carom_tokens_fail(t, "'%s' where '%s' should be", found, word);
    t->at += word_length(t);
    return CAROM_OK;
}

bool carom_tokens_starts(carom_tokens *t, const char *start)
{
    const size_t n = strlen(start);
    return carom_tokens_more(t) && (size_t)(t->end - t->at) >= n && memcmp(t->at, start, n) == 0;
}

void carom_tokens_skip_line(carom_tokens *t)
{
    while (t->at < t->end && *t->at != '\n') t->at++;
}
