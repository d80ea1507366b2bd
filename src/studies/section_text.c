// SPDX-License-Identifier: Apache-2.0
// Where points are taken, as a text:
//
//     period=2*pi/w[,phase=0.25]            each period, the phase is a share of it
//     event=stop[:impact][:before|after]    each event of a contact; "*" = of any
//     cross=x-0.1[:up|down|both]            each zero of an expression of the state and of time
#include "studies/study_scan.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static carom_text part_of(carom_text whole, const char *start, const char *text)
{
    carom_text part = {text, whole.place};
    if (part.place.column > 0) part.place.column += (int)(start - whole.text);
    return part;
}

static carom_status read_period(carom_scan *scan, carom_text whole, const char *at,
                                carom_error *error)
{
    static const char key[] = ",phase=";
    carom_section *s = &scan->points.section;
    const char *phase = strstr(at, key);
    const size_t n = phase ? (size_t)(phase - at) : strlen(at);
    s->kind = CAROM_SECTION_PERIOD;
    s->expression = part_of(whole, at, carom_arena_copy(scan->arena, at, n));
    if (!s->expression.text) return carom_scan_no_memory(error);
    if (!phase) return CAROM_OK;
    phase += sizeof key - 1;
    if (carom_text_number(phase, &s->phase) && s->phase >= 0 && s->phase < 1) return CAROM_OK;
    return carom_fail_at(error, part_of(whole, phase, phase).place, CAROM_BAD_INPUT,
                         "the phase is a share of the period, from 0 to below 1, not '%s'", phase);
}

// cuts the last ":word" off, where it is one of the words; its number or -1
static int cut_word(char *text, const char *const *word, int n)
{
    char *colon = strrchr(text, ':');
    for (int i = 0; colon && i < n; i++)
        if (strcmp(colon + 1, word[i]) == 0) {
            *colon = 0;
            return i;
        }
    return -1;
}

static carom_status read_event(carom_scan *scan, carom_text whole, const char *at,
                               carom_error *error)
{
    static const char *const sides[] = {"before", "after"};
    carom_section *s = &scan->points.section;
    char *text = carom_arena_string(scan->arena, at);
    if (!text) return carom_scan_no_memory(error);
    s->kind = CAROM_SECTION_EVENT;
    s->is_before = cut_word(text, sides, 2) == 0;
    const char *kinds[CAROM_EDGE + 1];
    for (int i = 0; i <= CAROM_EDGE; i++) kinds[i] = carom_event_word((carom_event_kind)i);
    const int kind = cut_word(text, kinds, CAROM_EDGE + 1);
    s->event = kind < 0 ? CAROM_IMPACT : (carom_event_kind)kind;
    s->contact = strcmp(text, "*") == 0 ? NULL : text;
    if (!strchr(text, ':') && text[0]) return CAROM_OK;
    return carom_fail_at(error, part_of(whole, at, at).place, CAROM_BAD_INPUT,
                         "write event=CONTACT:KIND:before or :after with KIND impact, open, close, "
                         "stick, slip, accumulated or edge, not '%s'",
                         at);
}

static carom_status read_cross(carom_scan *scan, carom_text whole, const char *at,
                               carom_error *error)
{
    static const char *const ways[] = {"up", "down", "both"};
    static const int direction[] = {1, -1, 2};
    carom_section *s = &scan->points.section;
    char *text = carom_arena_string(scan->arena, at);
    if (!text) return carom_scan_no_memory(error);
    const int way = cut_word(text, ways, 3);
    s->kind = CAROM_SECTION_CROSS;
    s->direction = way < 0 ? 1 : direction[way];
    s->expression = part_of(whole, at, text);
    if (text[0]) return CAROM_OK;
    return carom_fail_at(error, whole.place, CAROM_BAD_INPUT, "what is to cross zero is missing");
}

carom_status carom_section_read(carom_scan *scan, carom_text text, carom_error *error)
{
    const char *equals = strchr(text.text, '=');
    const size_t n = equals ? (size_t)(equals - text.text) : 0;
    if (n == 6 && memcmp(text.text, "period", n) == 0)
        return read_period(scan, text, equals + 1, error);
    if (n == 5 && memcmp(text.text, "event", n) == 0)
        return read_event(scan, text, equals + 1, error);
    if (n == 5 && memcmp(text.text, "cross", n) == 0)
        return read_cross(scan, text, equals + 1, error);
    return carom_fail_at(
        error, text.place, CAROM_BAD_INPUT,
        "a section is period=2*pi/w[,phase=0.25], event=CONTACT:impact[:before] or "
        "cross=EXPRESSION[:up|down|both], not '%s'",
        text.text);
}

carom_status carom_section_find(carom_scan *scan, carom_text text, carom_error *error)
{
    carom_section *s = &scan->points.section;
    char hint[120];
    s->number = -1;
    if (s->kind != CAROM_SECTION_EVENT || !s->contact) return CAROM_OK;
    carom_nearest nearest = carom_nearest_to(s->contact);
    for (int c = 0; c < scan->size.n_contact; c++) {
        const char *name = carom_model_contact(scan->model, c)->name;
        if (strcmp(name, s->contact) == 0) s->number = c;
        carom_nearest_try(&nearest, name);
    }
    if (s->number >= 0) return CAROM_OK;
    return carom_fail_at(error, text.place, CAROM_BAD_INPUT, "the model has no contact '%s'%s",
                         s->contact, carom_nearest_hint(&nearest, hint, sizeof hint));
}
