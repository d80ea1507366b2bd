// SPDX-License-Identifier: Apache-2.0
// Option rows: declared once by a method, drawn on by everything that reads or shows options.
#include "base/options.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int carom_options_count(const carom_option *option)
{
    int n = 0;
    while (option && option[n].name) n++;
    return n;
}

void carom_options_default(const carom_option *option, double *value)
{
    for (int i = 0; i < carom_options_count(option); i++) value[i] = option[i].fallback;
}

// the index of word in "a|b|c", or -1
static int choice_index(const char *choices, const char *word)
{
    const size_t length = strlen(word);
    int index = 0;
    for (const char *c = choices; c; index++) {
        const char *bar = strchr(c, '|');
        const size_t size = bar ? (size_t)(bar - c) : strlen(c);
        if (size == length && memcmp(c, word, size) == 0) return index;
        c = bar ? bar + 1 : NULL;
    }
    return -1;
}

static carom_status refuse_unknown(const carom_option *option, const char *owner,
                                   const carom_setting *setting, carom_error *error)
{
    carom_nearest nearest = carom_nearest_to(setting->name.text);
    char hint[128], known[512] = "";
    size_t used = 0;
    for (int i = 0; i < carom_options_count(option); i++) {
        carom_nearest_try(&nearest, option[i].name);
        const int n =
            snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", option[i].name);
        if (n > 0 && used + (size_t)n < sizeof known) used += (size_t)n;
    }
    if (!used) snprintf(known, sizeof known, "none");
    return carom_fail_at(error, setting->name.place, CAROM_BAD_INPUT,
                         "%s has no option '%s'%s; it has: %s", owner, setting->name.text,
                         carom_nearest_hint(&nearest, hint, sizeof hint), known);
}

static carom_status read_switch(const char *text, double *value)
{
    static const char *const yes[] = {"true", "yes", "on", "1"}, *const no[] = {"false", "no",
                                                                                "off", "0"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(text, yes[i]) == 0) return *value = 1, CAROM_OK;
        if (strcmp(text, no[i]) == 0) return *value = 0, CAROM_OK;
    }
    return CAROM_BAD_INPUT;
}

carom_status carom_options_set(const carom_option *option, const char *owner,
                               const carom_setting *setting, double *value, carom_error *error)
{
    int i = 0;
    const int n = carom_options_count(option);
    while (i < n && strcmp(option[i].name, setting->name.text) != 0) i++;
    if (i == n) return refuse_unknown(option, owner, setting, error);
    const carom_option *row = &option[i];
    const char *text = setting->value.text ? setting->value.text : "";
    if (row->kind == CAROM_CHOICE) {
        const int index = choice_index(row->choices, text);
        if (index < 0)
            return carom_fail_at(error, setting->value.place, CAROM_BAD_INPUT,
                                 "%s: option %s must be one of %s, not '%s'", owner, row->name,
                                 row->choices, text);
        value[i] = index;
        return CAROM_OK;
    }
    if (row->kind == CAROM_SWITCH) {
        if (read_switch(text, &value[i]) == CAROM_OK) return CAROM_OK;
        return carom_fail_at(error, setting->value.place, CAROM_BAD_INPUT,
                             "%s: option %s must be true or false, not '%s'", owner, row->name,
                             text);
    }
    double x;
    const bool is_number = carom_text_number(text, &x) && isfinite(x);
    if (!is_number || x < row->low || x > row->high ||
        (row->kind == CAROM_INTEGER && x != floor(x)))
        return carom_fail_at(error, setting->value.place, CAROM_BAD_INPUT,
                             "%s: option %s must be a %s from %g to %g, not '%s'", owner, row->name,
                             row->kind == CAROM_INTEGER ? "whole number" : "number", row->low,
                             row->high, text);
    value[i] = x;
    return CAROM_OK;
}
