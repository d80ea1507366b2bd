// SPDX-License-Identifier: Apache-2.0
// Names that are nearly right (edit distance with swaps of neighbours), and numbers as text.
#include "base/text.h"

#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST = 63,
    SHORTEST_PART = 3 // of a name, to be taken for it
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

// letters changed, left out, added or swapped, to come from a to b; case counts for nothing
static int distance(const char *a, const char *b)
{
    const int n = (int)strlen(a), m = (int)strlen(b);
    if (n > LONGEST || m > LONGEST) return LONGEST;
    int row[3][LONGEST + 2];
    for (int j = 0; j <= m; j++) row[1][j] = j;
    for (int i = 1; i <= n; i++) {
        const int *older = row[(i - 1) % 3], *last = row[i % 3];
        int *now = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            const int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            now[j] = least(least(last[j] + 1, now[j - 1] + 1), last[j - 1] + !same);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], older[j - 2] + 1);
        }
    }
    return row[(n + 1) % 3][m];
}

carom_nearest carom_nearest_to(const char *wanted)
{
    return (carom_nearest){.wanted = wanted, .distance = LONGEST};
}

void carom_nearest_try(carom_nearest *nearest, const char *name)
{
    const int d = distance(nearest->wanted, name);
    if (strlen(nearest->wanted) >= SHORTEST_PART && strstr(name, nearest->wanted) &&
        (!nearest->longer || strlen(name) < strlen(nearest->longer)))
        nearest->longer = name;
    if (d < nearest->distance) {
        nearest->distance = d;
        nearest->name = name;
    }
}

const char *carom_nearest_name(const carom_nearest *nearest)
{
    const int length = (int)strlen(nearest->wanted);
    return nearest->name && nearest->distance <= 1 + length / 4 && nearest->distance < length
               ? nearest->name
               : nearest->longer;
}

const char *carom_nearest_hint(const carom_nearest *nearest, char *buffer, size_t room)
{
    const char *name = carom_nearest_name(nearest);
    buffer[0] = 0;
    if (name) snprintf(buffer, room, " (did you mean '%s'?)", name);
    return buffer;
}

bool carom_text_ends(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n > m && strcmp(text + n - m, ending) == 0;
}

int carom_text_character(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    const int n = *c < 0x80                  ? 1
                  : *c >= 0xc2 && *c <= 0xdf ? 2
                  : *c >= 0xe0 && *c <= 0xef ? 3
                  : *c >= 0xf0 && *c <= 0xf4 ? 4
                                             : 0;
    for (int i = 1; i < n; i++)
        if ((c[i] & 0xc0) != 0x80) return 0;
    // surrogates and characters written too long
    if (n == 3 && ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f))) return 0;
    if (n == 4 && ((c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f))) return 0;
    return n;
}

// whether the character of n bytes at c steers a terminal: C0, DEL, C1, line and paragraph
// separators, marks of direction
static bool is_control(const unsigned char *c, int n)
{
    if (n == 1) return *c < 0x20 || *c == 0x7f;
    if (n == 2) return (c[0] == 0xc2 && c[1] < 0xa0) || (c[0] == 0xd8 && c[1] == 0x9c);
    if (n != 3 || c[0] != 0xe2) return false;
    const bool is_mark = c[1] == 0x80 && (c[2] == 0x8e || c[2] == 0x8f);         // U+200E, U+200F
    const bool is_turn = c[1] == 0x80 && c[2] >= 0xa8 && c[2] <= 0xae;           // U+2028 .. U+202E
    return is_mark || is_turn || (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9); // U+2066 ..
}

char *carom_text_plain(char *text)
{
    char *to = text;
    if (!text) return NULL;
    for (const char *from = text; *from;) {
        const int n = carom_text_character(from);
        const bool is_kept = n > 0 && !is_control((const unsigned char *)from, n);
        if (is_kept) memmove(to, from, (size_t)n);
        if (!is_kept) *to = n > 0 ? ' ' : '?';
        to += is_kept ? n : 1;
        from += n > 0 ? n : 1;
    }
    *to = 0;
    return text;
}

double carom_text_strtod(const char *text, char **end)
{
    char copy[64], *stop;
    const char *const comma = localeconv()->decimal_point;
    const size_t length = strspn(text, " \t\n\v\f\r+-.0123456789abcdefinptyxABCDEFINPTYX");
    if (comma[0] == '.' || comma[1] || length >= sizeof copy) return strtod(text, end);
    memcpy(copy, text, length);
    copy[length] = 0;
    char *point = strchr(copy, '.');
    if (point) *point = comma[0];
    const double value = strtod(copy, &stop);
    if (end) *end = (char *)text + (stop - copy); // as strtod: the caller's text, not const
    return value;
}

bool carom_text_number(const char *text, double *value)
{
    while (isspace((unsigned char)*text)) text++;
    const char *digit = *text == '-' || *text == '+' ? text + 1 : text;
    if (!isdigit((unsigned char)*digit) && *digit != '.') return false;
    char *end;
    const double x = carom_text_strtod(text, &end);
    while (isspace((unsigned char)*end)) end++;
    if (end == text || *end || strpbrk(text, "xXpP")) return false;
    *value = x;
    return true;
}

const char *carom_number_text(double value, char *buffer, size_t room)
{
    if (!buffer) return "";
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, room, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value) break;
    }
    char *comma = strchr(buffer, ','); // the caller's locale may have a decimal comma
    if (comma) *comma = '.';
    return buffer;
}
