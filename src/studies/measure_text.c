// SPDX-License-Identifier: Apache-2.0
// Measures as texts of words:
//
//     largest x          at x 2.1            when_above x 0.5        events stop
//     event_time stop 5  mean energy from=10 to=20                   events floor event=slip
//
// The kind, then its column or contact, then its number: the time of "at", the limit of those that
// pass one, which event. Names in the table of measures (`carom list measures`).
#include "studies/study_scan.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

enum { MOST_WORDS = 8 };

static carom_status read_option(carom_measure *m, const char *word, bool *is_one)
{
    static const char *const key[] = {"from=", "to=", "event=", "number="};
    double number = 0;
    *is_one = true;
    for (int i = 0; i < 4; i++) {
        const size_t n = strlen(key[i]);
        if (strncmp(word, key[i], n) != 0) continue;
        if (i == 2) {
            m->event = word + n;
            return CAROM_OK;
        }
        if (!carom_text_number(word + n, &number)) return CAROM_BAD_INPUT;
        if (i == 0) m->from = number;
        if (i == 1) m->to = number;
        if (i == 3) m->number = (int)number;
        return i < 3 || (number >= 1 && number == floor(number)) ? CAROM_OK : CAROM_BAD_INPUT;
    }
    *is_one = false;
    return CAROM_OK;
}

// a word that stands by itself: the column or contact, or the number
static bool take_word(carom_measure *m, const carom_measure_facts *facts, const char *word,
                      int place)
{
    double number;
    const bool is_event = strncmp(facts->name, "event", 5) == 0;
    const bool is_number = carom_text_number(word, &number);
    if (facts->needs_column && place == 0) {
        m->column = word;
        return true;
    }
    if (is_event && place == 0 && !is_number) {
        m->contact = strcmp(word, "*") == 0 ? NULL : word;
        return true;
    }
    if (!is_number || place > 1) return false;
    if (facts->needs_time) {
        m->time = number;
    } else if (facts->needs_limit) {
        m->limit = number;
    } else if (is_event && number >= 1 && number == floor(number) && number < 1e9) {
        m->number = (int)number;
    } else {
        return false;
    }
    return true;
}

static carom_status refuse(carom_text text, const char *word, carom_error *error)
{
    return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                         "'%s' is not understood in the measure '%s' (write: largest x, at x 2.1, "
                         "when_above x 0.5, events stop, event_time stop 5; from=T and to=T say in "
                         "which part of the run)",
                         word, text.text);
}

static carom_status check_given(const carom_measure *m, const carom_measure_facts *facts,
                                carom_text text, carom_error *error)
{
    const char *lack = facts->needs_column && !m->column       ? "a column"
                       : facts->needs_time && isnan(m->time)   ? "a time"
                       : facts->needs_limit && isnan(m->limit) ? "a limit (or a frequency)"
                                                               : NULL;
    if (!lack) return CAROM_OK;
    return carom_fail_at(error, text.place, CAROM_BAD_INPUT, "the measure '%s' lacks %s", text.text,
                         lack);
}

static carom_status read_one(carom_scan *scan, carom_text text, carom_measure *m,
                             carom_error *error)
{
    char *rest = carom_arena_string(scan->arena, text.text), *saved = NULL;
    if (!rest) return carom_scan_no_memory(error);
    *m = carom_measure_default();
    m->time = m->limit = NAN;
    m->take = strtok_r(rest, " \t", &saved);
    const carom_measure_facts *facts = carom_measure_find(m->take ? m->take : "");
    if (!facts || facts->is_cost) {
        char hint[120];
        carom_nearest nearest = carom_nearest_to(m->take ? m->take : "");
        for (int i = 0; i < carom_measure_count(); i++)
            if (!carom_measure_at(i)->is_cost)
                carom_nearest_try(&nearest, carom_measure_at(i)->name);
        return carom_fail_at(error, text.place, CAROM_BAD_INPUT, "unknown measure '%s'%s%s",
                             text.text, carom_nearest_hint(&nearest, hint, sizeof hint),
                             facts ? ": times differ from run to run" : "");
    }
    int place = 0;
    for (const char *word; (word = strtok_r(NULL, " \t", &saved));) {
        bool is_option;
        if (read_option(m, word, &is_option) != CAROM_OK) return refuse(text, word, error);
        if (!is_option && !take_word(m, facts, word, place++)) return refuse(text, word, error);
    }
    return check_given(m, facts, text, error);
}

carom_status carom_measures_read(carom_scan *scan, const carom_text *take, int n,
                                 carom_error *error)
{
    scan->measure = CAROM_TAKE(scan->arena, carom_measure, n);
    if (!scan->measure) return carom_scan_no_memory(error);
    for (int i = 0; i < n; i++) CAROM_TRY(read_one(scan, take[i], &scan->measure[i], error));
    scan->n_measure = n;
    if (n > 0) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "a sweep needs something to take: --take 'largest x' ('carom list measures' "
                      "shows all)");
}
