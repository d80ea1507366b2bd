// SPDX-License-Identifier: Apache-2.0
// The options of step control: read beside those of the scheme, refused where the scheme cannot
// vary its step, and the memory that auto_step.c works with.
#include "base/options.h"
#include "base/text.h"
#include "model/model.h"
#include "sim/auto/auto_step.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ATOL, MIN_STEP, MAX_STEP, FIRST_STEP };
static const char each_prefix[] = "atol.";
enum { EACH_LENGTH = sizeof each_prefix - 1 };
static const double usual_tolerance = 1e-4;

static const carom_option rows[] = {
    {"atol", CAROM_REAL, 0, 0, 1e300, NULL,
     "absolute tolerance of each coordinate in its unit (atol.NAME: of one); 0 = by its size"},
    {"min_step", CAROM_REAL, 0, 0, 1e300, NULL, "shortest step [s]; 0 = 1e-12 of the end"},
    {"max_step", CAROM_REAL, 0, 0, 1e300, NULL, "longest step [s]; 0 = 1/20 of the end"},
    {"first_step", CAROM_REAL, 0, 0, 1e300, NULL,
     "first step to try [s]; 0 = as the forces allow, up to 1/1000 of the end"},
    {0}};

const carom_option *carom_auto_step_options(void)
{
    return rows;
}

bool carom_auto_step_has(const char *name)
{
    if (strncmp(name, each_prefix, EACH_LENGTH) == 0) return true;
    for (const carom_option *row = rows; row->name; row++)
        if (strcmp(row->name, name) == 0) return true;
    return false;
}

static carom_status refuse_scheme(const carom_sim *sim, carom_error *error)
{
    char able[512] = "";
    size_t used = 0;
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *scheme = carom_scheme_at(i);
        if (!scheme->can_vary_step) continue;
        const int n =
            snprintf(able + used, sizeof able - used, "%s%s", used ? ", " : "", scheme->name);
        if (n > 0 && used + (size_t)n < sizeof able) used += (size_t)n;
    }
    if (sim->scheme->is_adaptive)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "scheme %s chooses its steps itself: give it a step or a tolerance, not "
                          "step: auto",
                          sim->scheme->name);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "scheme %s cannot vary its step, which step: auto asks for (give a step, or "
                      "take one of: %s)",
                      sim->scheme->name, able);
}

// "atol.NAME = value"
static carom_status set_each(carom_sim *sim, const carom_setting *setting, carom_error *error)
{
    const char *name = setting->name.text + EACH_LENGTH;
    const char *text = setting->value.text ? setting->value.text : "";
    char hint[128];
    double value;
    int i = 0;
    carom_nearest nearest = carom_nearest_to(name);
    if (sim->model->n_plain < 0)
        return carom_fail_at(
            error, setting->name.place, CAROM_BAD_INPUT,
            "atol.%s: the positions of this model are not held one by one, as their "
            "velocities are not their rates (give atol)",
            name);
    for (; i < sim->size.nq; i++) {
        const char *known = carom_model_coordinate_name(sim->model, i);
        if (strcmp(known, name) == 0) break;
        carom_nearest_try(&nearest, known);
    }
    if (i == sim->size.nq)
        return carom_fail_at(error, setting->name.place, CAROM_BAD_INPUT,
                             "atol.%s: there is no coordinate '%s'%s", name, name,
                             carom_nearest_hint(&nearest, hint, sizeof hint));
    if (!carom_text_number(text, &value) || !isfinite(value) || value < 0)
        return carom_fail_at(error, setting->value.place, CAROM_BAD_INPUT,
                             "atol.%s must be a number from 0 on, not '%s'", name, text);
    sim->control->atol[i] = value;
    return CAROM_OK;
}

static carom_status read_settings(carom_sim *sim, const carom_sim_options *options,
                                  carom_error *error)
{
    carom_auto_step *c = sim->control;
    carom_options_default(rows, c->option);
    for (int i = 0; i < options->n_setting; i++) {
        const char *name = options->setting[i].name.text;
        if (carom_auto_step_has(name) && strncmp(name, each_prefix, EACH_LENGTH) != 0)
            CAROM_TRY(
                carom_options_set(rows, "step control", &options->setting[i], c->option, error));
    }
    for (int i = 0; i < sim->size.nq; i++) c->atol[i] = c->option[ATOL];
    for (int i = 0; i < options->n_setting; i++)
        if (strncmp(options->setting[i].name.text, each_prefix, EACH_LENGTH) == 0)
            CAROM_TRY(set_each(sim, &options->setting[i], error));
    return CAROM_OK;
}

static carom_status set_bounds(carom_sim *sim, carom_error *error)
{
    carom_auto_step *c = sim->control;
    const double *option = c->option;
    c->min_step = option[MIN_STEP] > 0 ? option[MIN_STEP] : 1e-12 * sim->choice.end;
    c->max_step =
        option[MAX_STEP] > 0 ? option[MAX_STEP] : fmax(c->min_step, 0.05 * sim->choice.end);
    c->first_step = option[FIRST_STEP] > 0 ? option[FIRST_STEP] : 1e-3 * sim->choice.end;
    CAROM_TRY(carom_sim_check_step(sim, "min_step", c->min_step, error));
    if (c->min_step > c->max_step)
        return carom_fail(error, CAROM_BAD_INPUT, "min_step %g is above max_step %g", c->min_step,
                          c->max_step);
    return CAROM_OK;
}

carom_status carom_sim_choose_control(carom_sim *sim, const carom_sim_options *options,
                                      carom_error *error)
{
    sim->is.has_free_steps = sim->scheme->is_adaptive || options->is_auto_step;
    if (!options->is_auto_step) return CAROM_OK;
    if (sim->scheme->is_adaptive || !sim->scheme->can_vary_step) return refuse_scheme(sim, error);
    if (sim->choice.step > 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a step of %g and step control do not go together", sim->choice.step);
    sim->control = CAROM_TAKE(sim->arena, carom_auto_step, 1);
    if (sim->control) sim->control->atol = CAROM_TAKE(sim->arena, double, sim->size.nq);
    if (!sim->control || !sim->control->atol)
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    if (sim->choice.tolerance == 0) sim->choice.tolerance = usual_tolerance;
    CAROM_TRY(read_settings(sim, options, error));
    return set_bounds(sim, error);
}

static bool take_looks(carom_sim *sim)
{
    carom_auto_step *c = sim->control;
    const carom_sizes *n = &sim->size;
    bool is_made = true;
    for (int k = 0; k < CAROM_LOOKS; k++) {
        is_made &= (c->look[k].gap = CAROM_TAKE(sim->arena, double, n->n_contact)) != NULL;
        is_made &= (c->look[k].inside = CAROM_TAKE(sim->arena, double, n->n_contact)) != NULL;
        is_made &= (c->look[k].rate = CAROM_TAKE(sim->arena, double, n->n_row)) != NULL;
        is_made &= (c->free[k] = CAROM_TAKE(sim->arena, double, n->nu)) != NULL;
    }
    is_made &= (c->whole = CAROM_TAKE(sim->arena, carom_mode, n->n_contact)) != NULL;
    for (int k = 0; k < 2; k++)
        is_made &= (c->half[k] = CAROM_TAKE(sim->arena, carom_mode, n->n_contact)) != NULL;
    is_made &= (c->speed = CAROM_TAKE(sim->arena, double, n->n_contact)) != NULL;
    is_made &= (c->size = CAROM_TAKE(sim->arena, double, n->n_row)) != NULL;
    is_made &= (c->effect = CAROM_TAKE(sim->arena, double, n->nu)) != NULL;
    is_made &= (c->point.q = CAROM_TAKE(sim->arena, double, n->nq)) != NULL;
    is_made &= (c->point.u = CAROM_TAKE(sim->arena, double, n->nu)) != NULL;
    is_made &= (c->way = CAROM_TAKE(sim->arena, double, n->nu)) != NULL;
    return is_made;
}

// what goes into a checkpoint lies in one piece
static bool take_memory(carom_sim *sim)
{
    carom_auto_step *c = sim->control;
    const carom_sizes *n = &sim->size;
    const int n_value = n->nq + n->nu;
    c->n_memory = n_value + n->nu + CAROM_MODE_NUMBERS * n->n_contact;
    c->memory = CAROM_TAKE(sim->arena, double, c->n_memory);
    c->read = CAROM_TAKE(sim->arena, double, c->n_memory);
    c->next_acceleration = CAROM_TAKE(sim->arena, double, n->nu);
    if (!c->memory || !c->read || !c->next_acceleration) return false;
    c->scale = c->memory;
    c->acceleration = c->memory + n_value;
    c->mode = (carom_mode *)(void *)(c->acceleration + n->nu);
    return true;
}

carom_status carom_sim_make_control(carom_sim *sim, carom_error *error)
{
    carom_auto_step *c = sim->control;
    const carom_sizes *n = &sim->size;
    bool is_made = carom_sim_make_state(sim, &c->coarse) && carom_sim_make_state(sim, &c->mid);
    is_made = is_made && take_memory(sim) && take_looks(sim);
    is_made &= (c->root_mass = CAROM_TAKE(sim->arena, double, n->nu)) != NULL;
    is_made &= (c->rate_before = CAROM_TAKE(sim->arena, double, n->n_row)) != NULL;
    is_made &= (c->rate_after = CAROM_TAKE(sim->arena, double, n->n_row)) != NULL;
    is_made &= (c->is.rests = CAROM_TAKE(sim->arena, unsigned char, n->n_contact + 1)) != NULL;
    is_made &= (c->is.closed = CAROM_TAKE(sim->arena, unsigned char, n->n_contact)) != NULL;
    is_made &= (c->is.there = CAROM_TAKE(sim->arena, unsigned char, n->n_contact)) != NULL;
    is_made &= (c->is.left = CAROM_TAKE(sim->arena, unsigned char, n->n_contact)) != NULL;
    is_made &= (c->is.pressed = CAROM_TAKE(sim->arena, unsigned char, n->n_contact)) != NULL;
    return is_made ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}

carom_status carom_sim_begin_control(carom_sim *sim, carom_error *error)
{
    carom_auto_step *c = sim->control;
    const carom_point start = {.t = sim->now.t, .q = sim->now.q, .u = sim->now.u};
    CAROM_TRY(carom_model_eval(sim->s.plan, &start, CAROM_CONTROL_FORCES, sim->eval, error));
    for (int i = 0; i < sim->size.nu; i++)
        c->root_mass[i] = sqrt(carom_mass_entry(sim->eval->mass, i, i));
    for (int i = 0; i < c->n_memory; i++) c->memory[i] = 0;
    for (int i = 0; i < sim->size.nu; i++) c->acceleration[i] = NAN;
    c->has_mid = false;
    sim->ledger->h_next = fmin(fmax(c->first_step, c->min_step), c->max_step);
    carom_sim_widen_scale(sim);
    return CAROM_OK;
}
