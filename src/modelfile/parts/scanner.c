// SPDX-License-Identifier: Apache-2.0
// See scanner.h.
#include "modelfile/parts/scanner.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

carom_scanner carom_scanner_of(const carom_source *source)
{
    return (carom_scanner){.next = source->text, .place = {source->name, 0, 1}};
}

static bool is_gap(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == '\r';
}

bool carom_scanner_line(carom_scanner *s, char comment)
{
    for (;;) {
        if (s->line) {
            s->next += strcspn(s->next, "\n");
            if (!*s->next) return false;
            s->next++;
        }
        s->line = s->next;
        s->place.line++;
        const char *first = s->next;
        while (is_gap(*first)) first++;
        if (*first && *first != '\n' && *first != comment) return true;
        if (!*first) return false;
    }
}

bool carom_scanner_word(carom_scanner *s)
{
    while (is_gap(*s->next)) s->next++;
    s->place.column = (int)(s->next - s->line) + 1;
    size_t n = 0;
    while (s->next[n] && s->next[n] != '\n' && !is_gap(s->next[n])) n++;
    const size_t kept = n < CAROM_SCANNER_WORD ? n : CAROM_SCANNER_WORD - 1;
    memcpy(s->word, s->next, kept);
    s->word[kept] = 0;
    s->next += n;
    return n > 0;
}

carom_status carom_scanner_number(carom_scanner *s, const char *what, double *value,
                                  carom_error *error)
{
    if (!carom_scanner_word(s))
        return carom_fail_at(error, s->place, CAROM_BAD_INPUT, "this line ends before %s", what);
    if (carom_text_number(s->word, value) && isfinite(*value)) return CAROM_OK;
    return carom_fail_at(error, s->place, CAROM_BAD_INPUT, "%s is a number, not '%s'", what,
                         s->word);
}

carom_status carom_scanner_count(carom_scanner *s, const char *what, double most, int *value,
                                 carom_error *error)
{
    double x;
    CAROM_TRY(carom_scanner_number(s, what, &x, error));
    if (!(x >= 1 && x <= most && x == floor(x)))
        return carom_fail_at(error, s->place, CAROM_BAD_INPUT,
                             "%s is a whole number from 1 to %.15g, not %s", what, most, s->word);
    *value = (int)x;
    return CAROM_OK;
}
