// SPDX-License-Identifier: Apache-2.0
// What derivatives of the motion are asked for, as texts: what to differentiate by, how often an
// orbit meets its section, and which coordinates are others after it,
//
//     th1=2*pi, y=free       by an expression of parameters, or by as much as they like
#include "studies/study_scan.h"

#include "base/text.h"
#include "model/model.h"

#include <string.h>

enum { MOST_BY = 32, MOST_TIMES = 1000, MOST_SHIFT = 256 };

static carom_status read_by(carom_scan *scan, carom_builder *builder, const carom_scan_texts *t,
                            carom_error *error)
{
    carom_scan_tangent *to = &scan->tangent;
    to->by = CAROM_TAKE(scan->arena, const char *, MOST_BY);
    to->by_live = CAROM_TAKE(scan->arena, const char *, MOST_BY);
    to->number = CAROM_TAKE(scan->arena, int, MOST_BY);
    if (!to->by || !to->by_live || !to->number) return carom_scan_no_memory(error);
    for (int i = 0; i < t->tangent.n_by; i++) {
        char *rest = carom_arena_string(scan->arena, t->tangent.by[i].text), *saved = NULL;
        if (!rest) return carom_scan_no_memory(error);
        for (char *name; (name = strtok_r(rest, ", ", &saved)); rest = NULL) {
            const carom_text text = {name, t->tangent.by[i].place};
            if (to->n_by == MOST_BY)
                return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                                     "at most %d things to differentiate by", MOST_BY);
            const char **live = &to->by_live[to->n_by];
            CAROM_TRY(
                carom_axis_choose(scan, builder, text, CAROM_SCAN_AXES + to->n_by, live, error));
            to->by[to->n_by++] = name;
        }
    }
    return CAROM_OK;
}

// what a continuation goes along stands first among what is differentiated by
static carom_status read_continuation(carom_scan *scan, const carom_scan_texts *t,
                                      carom_error *error)
{
    carom_scan_tangent *to = &scan->tangent;
    long most, turn_to;
    if (!scan->kind->continues) return CAROM_OK;
    if (to->n_by > 0)
        return carom_fail_at(error, t->tangent.by[0].place, CAROM_BAD_INPUT,
                             "a continuation goes along one thing: --vary A=0.4:2");
    to->by[0] = to->along.name;
    to->by_live[0] = to->along.live;
    to->n_by = 1;
    CAROM_TRY(carom_scan_positive(t->tangent.arc, "the step", 0.02, &to->step, error));
    CAROM_TRY(carom_scan_whole(t->tangent.most, "max", (carom_scan_bounds){2, 1000000, 500}, &most,
                               error));
    CAROM_TRY(carom_scan_whole(t->tangent.turn_to, "switch", (carom_scan_bounds){1, 1000, 0},
                               &turn_to, error));
    to->most = (int)most;
    to->turn_to = (int)turn_to;
    return CAROM_OK;
}

// exponents by exact derivatives, or of two runs side by side
static carom_status read_method(carom_scan *scan, const carom_scan_texts *t, carom_error *error)
{
    const carom_text method = t->tangent.method, distance = t->tangent.distance;
    carom_scan_tangent *to = &scan->tangent;
    if (method.text && strcmp(method.text, "pair") != 0 && strcmp(method.text, "tangent") != 0)
        return carom_fail_at(error, method.place, CAROM_BAD_INPUT,
                             "the method is tangent or pair, not '%s'", method.text);
    to->is_pair = method.text && strcmp(method.text, "pair") == 0;
    const carom_scheme *scheme = carom_scheme_find(scan->run.scheme);
    if (scan->kind->has_exponents && !to->is_pair && scheme && !scheme->finds_events)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "lyap needs scheme event_driven for all exponents; --method pair gives "
                          "the largest one with time stepping");
    if (distance.text && !to->is_pair)
        return carom_fail_at(error, distance.place, CAROM_BAD_INPUT,
                             "a distance is that of --method pair");
    if (to->is_pair && to->n_exponent > 1)
        return carom_fail_at(error, t->tangent.exponents.place, CAROM_BAD_INPUT,
                             "--method pair gives the largest exponent only");
    return carom_scan_positive(distance, "the distance", 0, &to->distance, error);
}

static carom_status read_shift(carom_scan *scan, carom_builder *builder, carom_text text,
                               carom_error *error)
{
    carom_scan_tangent *to = &scan->tangent;
    if (!text.text) return CAROM_OK;
    char *rest = carom_arena_string(scan->arena, text.text), *saved = NULL;
    to->shift = CAROM_TAKE(scan->arena, carom_scan_shift, MOST_SHIFT);
    if (!rest || !to->shift) return carom_scan_no_memory(error);
    for (char *item; (item = strtok_r(rest, ", ", &saved)); rest = NULL) {
        char *equals = strchr(item, '=');
        if (!equals || equals == item || !equals[1] || to->n_shift == MOST_SHIFT)
            return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                                 "a shift is th1=2*pi or y=free, not '%s'", item);
        carom_scan_shift *shift = &to->shift[to->n_shift++];
        shift->is_free = strcmp(equals + 1, "free") == 0;
        const carom_text number = {equals + 1, text.place};
        if (!shift->is_free) CAROM_TRY(carom_builder_number(builder, number, &shift->by, error));
    }
    return CAROM_OK;
}

carom_status carom_tangent_read(carom_scan *scan, carom_builder *builder, const carom_scan_texts *t,
                                carom_error *error)
{
    carom_scan_tangent *to = &scan->tangent;
    long times, exponents;
    if (!scan->kind->is_varied) return CAROM_OK;
    CAROM_TRY(carom_scan_whole(t->tangent.times, "times", (carom_scan_bounds){1, MOST_TIMES, 1},
                               &times, error));
    CAROM_TRY(carom_scan_whole(t->tangent.exponents, "exponents", (carom_scan_bounds){1, 10000, 0},
                               &exponents, error));
    to->times = (int)times;
    to->n_exponent = (int)exponents;
    to->is_difference = t->tangent.difference.text != NULL;
    CAROM_TRY(read_by(scan, builder, t, error));
    CAROM_TRY(read_continuation(scan, t, error));
    CAROM_TRY(read_shift(scan, builder, t->tangent.shift, error));
    CAROM_TRY(read_method(scan, t, error));
    if (to->is_difference || to->is_pair) return CAROM_OK;
    scan->run.is_varied = true;
    return carom_builder_differentiate(builder, error);
}

static carom_status find_shift(carom_scan *scan, carom_scan_shift *shift, const char *name,
                               carom_text text, carom_error *error)
{
    char hint[120];
    carom_nearest nearest = carom_nearest_to(name);
    for (int i = 0; i < scan->size.nu; i++) {
        const char *velocity = carom_model_velocity_name(scan->model, i);
        const size_t n = strlen(name);
        if (strncmp(velocity, "der(", 4) != 0) continue;
        if (strncmp(velocity + 4, name, n) == 0 && strcmp(velocity + 4 + n, ")") == 0) {
            shift->velocity = i;
            return CAROM_OK;
        }
    }
    for (int i = 0; i < scan->size.nq; i++)
        carom_nearest_try(&nearest, carom_model_coordinate_name(scan->model, i));
    return carom_fail_at(error, text.place, CAROM_BAD_INPUT, "no coordinate '%s' to shift%s", name,
                         carom_nearest_hint(&nearest, hint, sizeof hint));
}

carom_status carom_tangent_find(carom_scan *scan, const carom_scan_texts *t, carom_error *error)
{
    carom_scan_tangent *to = &scan->tangent;
    if (!scan->kind->is_varied) return CAROM_OK;
    for (int i = 0; i < to->n_by; i++)
        for (int k = 0; k < carom_model_n_live(scan->model); k++)
            if (strcmp(carom_model_live(scan->model, k).name, to->by_live[i]) == 0)
                to->number[i] = k;
    if (!t->tangent.shift.text) return CAROM_OK;
    char *rest = carom_arena_string(scan->arena, t->tangent.shift.text), *saved = NULL;
    if (!rest) return carom_scan_no_memory(error);
    for (int i = 0; i < to->n_shift; i++, rest = NULL) {
        char *name = strtok_r(rest, ", ", &saved);
        *strchr(name, '=') = 0;
        CAROM_TRY(find_shift(scan, &to->shift[i], name, t->tangent.shift, error));
    }
    return CAROM_OK;
}
