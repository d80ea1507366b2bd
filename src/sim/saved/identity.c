// SPDX-License-Identifier: Apache-2.0
// What a checkpoint and the run that continues it must agree on, as pairs of a label and a text:
// model, its sizes, names, equations and numbers, scheme, options, solver, step, tolerance. Kept as
// text so that a difference can be shown.
#include "base/options.h"
#include "base/text.h"
#include "model/model.h"
#include "sim/auto/auto_step.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool add(carom_sim *sim, const char *label, const char *text)
{
    sim->identity.item[sim->identity.n++] = (carom_identity){.label = label, .text = text};
    return text != NULL;
}

static bool add_number(carom_sim *sim, const char *label, double value)
{
    char buffer[40];
    return add(sim, label,
               carom_arena_string(sim->arena, carom_number_text(value, buffer, sizeof buffer)));
}

// FNV-1a over a text and its end
static uint64_t mix(uint64_t hash, const char *text)
{
    const char *c = text ? text : "";
    do {
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    } while (*c++);
    return hash;
}

// one number for all names of the model, in order
static const char *hash_names(const carom_sim *sim)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < sim->size.nq; i++)
        hash = mix(hash, carom_model_coordinate_name(sim->model, i));
    for (int i = 0; i < sim->size.n_constraint; i++)
        hash = mix(hash, carom_model_constraint_name(sim->model, i));
    for (int i = 0; i < sim->size.n_contact; i++)
        hash = mix(hash, carom_model_contact(sim->model, i)->name);
    return carom_arena_format(sim->arena, "%016llx", (unsigned long long)hash);
}

static const char *list_options(const carom_sim *sim)
{
    const char *text = carom_arena_string(sim->arena, "");
    for (int i = 0; text && i < carom_options_count(sim->scheme->option); i++) {
        char buffer[40];
        text = carom_arena_format(sim->arena, "%s%s%s=%s", text, *text ? " " : "",
                                  sim->scheme->option[i].name,
                                  carom_number_text(sim->choice.option[i], buffer, sizeof buffer));
    }
    return text;
}

static const char *list_settings(const carom_sim *sim, const carom_sim_options *options)
{
    const char *text = carom_arena_string(sim->arena, "");
    for (int i = 0; text && i < options->n_setting; i++) {
        const carom_setting *setting = &options->setting[i];
        if (strncmp(setting->name.text, "solver.", 7) != 0) continue;
        text =
            carom_arena_format(sim->arena, "%s%s%s=%s", text, *text ? " " : "", setting->name.text,
                               setting->value.text ? setting->value.text : "");
    }
    return text;
}

static const char *list_control(const carom_sim *sim)
{
    const char *text = carom_arena_string(sim->arena, sim->control ? "auto" : "none");
    char buffer[40];
    const carom_option *row = carom_auto_step_options();
    for (int i = 0; text && sim->control && row[i].name; i++)
        text =
            carom_arena_format(sim->arena, "%s %s=%s", text, row[i].name,
                               carom_number_text(sim->control->option[i], buffer, sizeof buffer));
    for (int i = 0; text && sim->control && i < sim->size.nq; i++) {
        const double atol = sim->control->atol[i];
        if (atol == sim->control->option[0]) continue;
        text = carom_arena_format(sim->arena, "%s atol.%s=%s", text,
                                  carom_model_coordinate_name(sim->model, i),
                                  carom_number_text(atol, buffer, sizeof buffer));
    }
    return text;
}

enum { RUN_NAME = 16 + 1 + 16 + 1, FINGERPRINT = 16 + 1 };

// what the model is, then all of the identity and which steps become rows: a short text for output
// files
void carom_sim_rename(carom_sim *sim)
{
    const unsigned long long model =
        sim->s.plan ? carom_plan_fingerprint(sim->s.plan) : carom_model_fingerprint(sim->model);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    char number[40];
    snprintf(sim->identity.fingerprint, FINGERPRINT, "%016llx", model);
    for (int i = 0; i < sim->identity.n; i++) hash = mix(hash, sim->identity.item[i].text);
    hash = mix(hash, carom_number_text(sim->choice.every, number, sizeof number));
    hash = mix(hash, carom_number_text(sim->choice.output_step, number, sizeof number));
    snprintf(sim->identity.run_name, RUN_NAME, "%016llx-%016llx", model, (unsigned long long)hash);
}

carom_status carom_sim_identify(carom_sim *sim, const carom_sim_options *options,
                                carom_error *error)
{
    const carom_sizes *n = &sim->size;
    const char *name = carom_model_name(sim->model);
    sim->identity.fingerprint = carom_arena_take(sim->arena, FINGERPRINT);
    sim->identity.run_name = carom_arena_take(sim->arena, RUN_NAME);
    bool is_kept = add(sim, "model", carom_arena_string(sim->arena, name ? name : ""));
    is_kept &= add(sim, "sizes (positions velocities constraints contacts rows memory)",
                   carom_arena_format(sim->arena, "%d %d %d %d %d %d", n->nq, n->nu,
                                      n->n_constraint, n->n_contact, n->n_row, sim->n_memory));
    is_kept &= add(sim, "names of coordinates, constraints and contacts", hash_names(sim));
    is_kept &=
        add(sim, "fingerprint of equations, parameters and start", sim->identity.fingerprint);
    is_kept &= add(sim, "scheme", carom_arena_string(sim->arena, sim->scheme->name));
    is_kept &= add(sim, "scheme options", list_options(sim));
    is_kept &= add(sim, "solver", sim->choice.solver);
    is_kept &= add(sim, "solver options", list_settings(sim, options));
    is_kept &= add_number(sim, "step", sim->choice.step);
    is_kept &= add_number(sim, "tolerance", sim->choice.tolerance);
    is_kept &= add(sim, "step control", list_control(sim));
    is_kept = is_kept && sim->identity.run_name;
    if (is_kept) carom_sim_rename(sim);
    return is_kept ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}
