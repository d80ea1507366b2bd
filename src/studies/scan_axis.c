// SPDX-License-Identifier: Apache-2.0
// What varies, and its values. A parameter becomes live; a start or a start rate becomes a live
// parameter of its own that the start is set to.
//
//     a:b:n        n values from a to b, both included
//     a:b:n:log    likewise on a logarithmic scale
//     [1, 2, 5]    these
//     a:b, a:b:log samples lie between
#include "studies/study_scan.h"

#include "base/text.h"
#include "model/making/builder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = 10000000, MOST_PIECES = 4 };

static carom_status read_number(carom_builder *builder, carom_text whole, const char *text,
                                size_t length, double *value, carom_error *error)
{
    char piece[256];
    snprintf(piece, sizeof piece, "%.*s", (int)length, text);
    carom_text part = {piece, whole.place};
    if (whole.place.column > 0) part.place.column += (int)(text - whole.text);
    CAROM_TRY(carom_builder_number(builder, part, value, error));
    if (isfinite(*value)) return CAROM_OK;
    return carom_fail_at(error, part.place, CAROM_BAD_INPUT, "'%s' is not a finite number", piece);
}

static carom_status take_values(carom_scan *scan, carom_scan_axis *axis, long n, carom_error *error)
{
    axis->n = (int)n;
    axis->value = CAROM_TAKE(scan->arena, double, n);
    return axis->value ? CAROM_OK : carom_scan_no_memory(error);
}

static carom_status read_list(carom_scan *scan, carom_builder *builder, carom_text text,
                              carom_scan_axis *axis, carom_error *error)
{
    const char *at = text.text + 1, *end = strrchr(text.text, ']');
    long n = 1;
    if (!end || end[1] || end == at)
        return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                             "write a list of values as [1, 2, 5], not '%s'", text.text);
    for (const char *c = at; c < end; c++) n += *c == ',';
    CAROM_TRY(take_values(scan, axis, n, error));
    for (int i = 0; i < axis->n; i++) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        CAROM_TRY(read_number(builder, text, at, (size_t)(stop - at), &axis->value[i], error));
        at = stop + 1;
    }
    return CAROM_OK;
}

static carom_status refuse_values(carom_text text, carom_error *error)
{
    return carom_fail_at(
        error, text.place, CAROM_BAD_INPUT,
        "values are a:b:n, a:b:n:log or [1, 2, 5] (of samples a:b or a:b:log), not "
        "'%s'",
        text.text);
}

// the values between low and high
static carom_status spread_values(carom_scan *scan, carom_scan_axis *axis, double n,
                                  carom_text text, carom_error *error)
{
    if (!(n == floor(n) && n >= 1 && n <= MOST_VALUES))
        return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                             "'%s': the number of values must be whole, from 1 to %d", text.text,
                             MOST_VALUES);
    CAROM_TRY(take_values(scan, axis, (long)n, error));
    for (int i = 0; i < axis->n; i++) {
        const double x = axis->n > 1 ? i / (n - 1) : 0;
        axis->value[i] = axis->is_log ? axis->low * pow(axis->high / axis->low, x)
                                      : axis->low + x * (axis->high - axis->low);
    }
    if (axis->n > 1) axis->value[axis->n - 1] = axis->high; // not only to rounding
    return CAROM_OK;
}

static carom_status read_range(carom_scan *scan, carom_builder *builder, carom_text text,
                               carom_scan_axis *axis, carom_error *error)
{
    const char *piece[MOST_PIECES + 1];
    size_t length[MOST_PIECES + 1];
    int n_piece = 0;
    double number[MOST_PIECES] = {0};
    for (const char *at = text.text; at && n_piece <= MOST_PIECES; n_piece++) {
        const char *colon = strchr(at, ':');
        piece[n_piece] = at;
        length[n_piece] = colon ? (size_t)(colon - at) : strlen(at);
        at = colon ? colon + 1 : NULL;
    }
    if (n_piece > MOST_PIECES) return refuse_values(text, error);
    axis->is_log = n_piece > 2 && strcmp(piece[n_piece - 1], "log") == 0;
    if (axis->is_log || (n_piece > 3 && strcmp(piece[n_piece - 1], "lin") == 0)) n_piece--;
    if (n_piece < 2 || n_piece > 3) return refuse_values(text, error);
    for (int i = 0; i < n_piece; i++)
        CAROM_TRY(read_number(builder, text, piece[i], length[i], &number[i], error));
    axis->low = number[0];
    axis->high = number[1];
    if (axis->is_log && !(axis->low > 0 && axis->high > 0))
        return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                             "'%s': both ends of a logarithmic scale must be above 0", text.text);
    return n_piece == 3 ? spread_values(scan, axis, number[2], text, error) : CAROM_OK;
}

// a start or a start rate, whose spelling may be that of a CSV file
static carom_status read_start(carom_scan *scan, carom_builder *builder, carom_text name,
                               int number, const char **made, carom_error *error)
{
    char live[40];
    snprintf(live, sizeof live, "study_start_%d", number);
    *made = carom_arena_string(scan->arena, live);
    if (!*made) return carom_scan_no_memory(error);
    const carom_text parameter = {*made, name.place};
    const carom_text usual = {"0", name.place};
    CAROM_TRY(carom_builder_parameter(builder, parameter, usual, error));
    CAROM_TRY(carom_builder_live(builder, parameter, error));
    return carom_builder_start(builder, name, parameter, error);
}

static carom_status check_name(const carom_builder *builder, carom_text name, carom_error *error)
{
    char hint[120];
    carom_nearest nearest = carom_nearest_to(name.text);
    if (carom_builder_may_start(builder, name.text, &nearest)) return CAROM_OK;
    return carom_fail_at(error, name.place, CAROM_BAD_INPUT,
                         "'%s' is no parameter, start or rate%s", name.text,
                         carom_nearest_hint(&nearest, hint, sizeof hint));
}

carom_status carom_axis_choose(carom_scan *scan, carom_builder *builder, carom_text name,
                               int number, const char **live, carom_error *error)
{
    *live = carom_arena_string(scan->arena, name.text);
    if (!*live) return carom_scan_no_memory(error);
    if (carom_builder_has_parameter(builder, *live))
        return carom_builder_live(builder, name, error);
    CAROM_TRY(check_name(builder, name, error));
    return read_start(scan, builder, name, number, live, error);
}

carom_status carom_axis_read_ends(carom_scan *scan, carom_builder *builder,
                                  const carom_setting *vary, carom_scan_axis *axis,
                                  carom_error *error)
{
    *axis = (carom_scan_axis){.name = carom_arena_string(scan->arena, vary->name.text)};
    if (!axis->name) return carom_scan_no_memory(error);
    CAROM_TRY(
        carom_axis_choose(scan, builder, vary->name, CAROM_SCAN_AXES - 1, &axis->live, error));
    CAROM_TRY(read_range(scan, builder, vary->value, axis, error));
    if (!axis->value && axis->low < axis->high) return CAROM_OK;
    return carom_fail_at(error, vary->value.place, CAROM_BAD_INPUT,
                         "a continuation goes between two ends, the smaller first: %s=0.4:2, not "
                         "'%s'",
                         axis->name, vary->value.text);
}

carom_status carom_axis_read(carom_scan *scan, carom_builder *builder, const carom_setting *vary,
                             carom_error *error)
{
    carom_scan_design *design = &scan->design;
    const carom_text value = vary->value;
    if (design->n_axis == CAROM_SCAN_AXES)
        return carom_fail_at(error, vary->name.place, CAROM_BAD_INPUT,
                             "at most %d things may vary at once", CAROM_SCAN_AXES);
    carom_scan_axis *axis = &design->axis[design->n_axis];
    *axis = (carom_scan_axis){.name = carom_arena_string(scan->arena, vary->name.text)};
    if (!axis->name) return carom_scan_no_memory(error);
    for (int k = 0; k < design->n_axis; k++)
        if (strcmp(design->axis[k].name, axis->name) == 0)
            return carom_fail_at(error, vary->name.place, CAROM_BAD_INPUT, "'%s' varies already",
                                 axis->name);
    CAROM_TRY(carom_axis_choose(scan, builder, vary->name, design->n_axis, &axis->live, error));
    CAROM_TRY(value.text[0] == '[' ? read_list(scan, builder, value, axis, error)
                                   : read_range(scan, builder, value, axis, error));
    design->n_axis++;
    return CAROM_OK;
}
