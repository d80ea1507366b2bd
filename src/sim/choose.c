// SPDX-License-Identifier: Apache-2.0
// What is to be run and how: finds the scheme, reads its options, and refuses what does not go
// together (a scheme without friction on a model with friction, a fixed step that is not given)
// with the reason and a way out.
#include "base/options.h"
#include "base/text.h"
#include "dynamics/law.h"
#include "model/elastic/elastic.h"
#include "model/model.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double least_tolerance = 1e-15; // a few units of the last place

// names of the schemes in the table that have a property (NULL: all), "a, b, c"
static const char *list_schemes(bool (*has)(const carom_scheme *), char *buffer, size_t room)
{
    size_t used = 0;
    buffer[0] = 0;
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *scheme = carom_scheme_at(i);
        if (has && !has(scheme)) continue;
        const int n = snprintf(buffer + used, room - used, "%s%s", used ? ", " : "", scheme->name);
        if (n < 0 || used + (size_t)n >= room) break;
        used += (size_t)n;
    }
    return buffer;
}

static carom_status refuse_law(const carom_scheme *scheme, const carom_contact_facts *contact,
                               carom_error *error)
{
    char able[512] = "", number[16];
    size_t used = 0;
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *other = carom_scheme_at(i);
        if (!other->has_contact || !carom_law_is_among(other->takes.laws, contact->law)) continue;
        const int n =
            snprintf(able + used, sizeof able - used, "%s%s", used ? ", " : "", other->name);
        if (n < 0 || used + (size_t)n >= sizeof able) break;
        used += (size_t)n;
    }
    if (carom_law_is_disc(contact))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "scheme %s has no forces of limited strength such as '%s' (dry friction "
                          "of a given load, a limited motor; schemes that do: %s)",
                          scheme->name, contact->name, used ? able : "none");
    return carom_fail(error, CAROM_BAD_INPUT,
                      "scheme %s takes no impact law %s at contact '%s' (schemes that do: %s)",
                      scheme->name, carom_law_word(contact->law, number, sizeof number),
                      contact->name, used ? able : "none");
}

carom_status carom_sim_check_law(const carom_sim *sim, const carom_contact_facts *contact,
                                 carom_error *error)
{
    const carom_scheme *scheme = sim->scheme;
    return carom_law_is_among(scheme->takes.laws, contact->law)
               ? CAROM_OK
               : refuse_law(scheme, contact, error);
}

static carom_status find_scheme(carom_sim *sim, const carom_sim_options *options,
                                carom_error *error)
{
    const char *name = options->scheme ? options->scheme : "moreau_midpoint";
    sim->scheme = options->own_scheme ? options->own_scheme : carom_scheme_find(name);
    if (sim->scheme) return CAROM_OK;
    char hint[128], known[512];
    carom_nearest nearest = carom_nearest_to(name);
    for (int i = 0; i < carom_scheme_count(); i++)
        carom_nearest_try(&nearest, carom_scheme_at(i)->name);
    return carom_fail(error, CAROM_BAD_INPUT, "unknown scheme '%s'%s; there are: %s", name,
                      carom_nearest_hint(&nearest, hint, sizeof hint),
                      list_schemes(NULL, known, sizeof known));
}

static carom_status read_options(carom_sim *sim, const carom_sim_options *options,
                                 carom_error *error)
{
    char owner[128];
    snprintf(owner, sizeof owner, "scheme %s", sim->scheme->name);
    sim->choice.option = CAROM_TAKE(sim->arena, double, carom_options_count(sim->scheme->option));
    if (!sim->choice.option) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    carom_options_default(sim->scheme->option, sim->choice.option);
    for (int i = 0; i < options->n_setting; i++) {
        const carom_setting *setting = &options->setting[i];
        if (strncmp(setting->name.text, "solver.", 7) == 0) continue;
        if (options->is_auto_step && carom_auto_step_has(setting->name.text)) continue;
        CAROM_TRY(
            carom_options_set(sim->scheme->option, owner, setting, sim->choice.option, error));
    }
    return CAROM_OK;
}

static bool does_friction(const carom_scheme *scheme)
{
    return scheme->has_friction;
}

static bool does_bilateral(const carom_scheme *scheme)
{
    return scheme->has_bilateral;
}

static bool does_contact(const carom_scheme *scheme)
{
    return scheme->has_contact;
}

static bool does_without_energies(const carom_scheme *scheme)
{
    unsigned all = 0;
    for (const unsigned *mask = scheme->mask; mask && *mask; mask++) all |= *mask;
    return !(all & CAROM_MOMENTUM);
}

// before there is a plan, the model's values count
static carom_status refuse_friction(const carom_sim *sim, carom_error *error)
{
    char able[512];
    for (int i = 0; i < sim->size.n_contact; i++) {
        const carom_contact_facts *contact =
            sim->s.plan ? carom_plan_contact(sim->s.plan, i) : carom_model_contact(sim->model, i);
        if (contact->varies & (CAROM_VARIES_FRICTION | CAROM_VARIES_GRIP))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "scheme %s cannot do friction, but contact '%s' has friction that "
                              "is an expression (leave it out, or take one of: %s)",
                              sim->scheme->name, contact->name,
                              list_schemes(does_friction, able, sizeof able));
        if (carom_law_is_rough(contact))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "scheme %s cannot do friction, but contact '%s' has friction %g (set "
                              "it to 0, or take one of: %s)",
                              sim->scheme->name, contact->name, carom_law_friction(contact),
                              list_schemes(does_friction, able, sizeof able));
    }
    return CAROM_OK;
}

// what a scheme that evaluates coefficients itself, or not at all, does not take as expressions
static carom_status check_varying(const carom_sim *sim, const carom_contact_facts *contact,
                                  carom_error *error)
{
    char able[512];
    size_t used = 0;
    const unsigned missing = contact->varies & ~sim->scheme->takes.varies;
    if (!missing) return CAROM_OK;
    able[0] = 0;
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *other = carom_scheme_at(i);
        if (contact->varies & ~other->takes.varies) continue;
        const int n =
            snprintf(able + used, sizeof able - used, "%s%s", used ? ", " : "", other->name);
        if (n < 0 || used + (size_t)n >= sizeof able) break;
        used += (size_t)n;
    }
    return carom_fail(error, CAROM_BAD_INPUT,
                      "scheme %s takes no %s, as contact '%s' has it (schemes that do: %s)",
                      sim->scheme->name,
                      missing & CAROM_VARIES_RESTITUTION ? "restitution that is an expression"
                      : missing & CAROM_VARIES_FRICTION  ? "friction that is an expression"
                                                         : "friction_static",
                      contact->name, used ? able : "none");
}

carom_status carom_sim_check_laws(const carom_sim *sim, carom_error *error)
{
    return sim->scheme->has_friction ? CAROM_OK : refuse_friction(sim, error);
}

static bool does_rates(const carom_scheme *scheme)
{
    return scheme->takes.rates;
}

static carom_status check_rates(const carom_sim *sim, carom_error *error)
{
    char able[512];
    for (int k = 0; k < sim->size.n_constraint && !sim->scheme->takes.rates; k++)
        if (carom_model_is_rate(sim->model, k))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "scheme %s holds constraints by their positions, but '%s' is one of "
                              "rates alone (take one of: %s)",
                              sim->scheme->name, carom_model_constraint_name(sim->model, k),
                              list_schemes(does_rates, able, sizeof able));
    return CAROM_OK;
}

static bool does_passing(const carom_scheme *scheme)
{
    return scheme->has_contact && !scheme->takes.only_lasting;
}

static carom_status check_lasting(const carom_sim *sim, carom_error *error)
{
    char able[512];
    for (int i = 0; i < sim->size.n_contact && sim->scheme->takes.only_lasting; i++) {
        const carom_contact_facts *contact = carom_model_contact(sim->model, i);
        if (contact->is_near || contact->surface > 0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "scheme %s has no contacts that come and go, but '%s' is one%s (take "
                              "one of: %s)",
                              sim->scheme->name, contact->name,
                              contact->is_near ? " of shapes" : ": a patch of a surface",
                              list_schemes(does_passing, able, sizeof able));
    }
    return CAROM_OK;
}

static carom_status check_scheme(const carom_sim *sim, carom_error *error)
{
    const carom_scheme *scheme = sim->scheme;
    char able[512];
    if (!scheme->has_contact && sim->size.n_contact > sim->size.n_disc)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "scheme %s cannot do contacts, but the model has %d (take one of: %s)",
                          scheme->name, sim->size.n_contact,
                          list_schemes(does_contact, able, sizeof able));
    if (!scheme->has_bilateral && sim->size.n_constraint > 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "scheme %s cannot do constraints, but the model has %d (take one of: %s)",
                          scheme->name, sim->size.n_constraint,
                          list_schemes(does_bilateral, able, sizeof able));
    if (!does_without_energies(scheme) && !carom_model_has_energies(sim->model))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "scheme %s needs the energies of a model, and a model from callbacks has "
                          "only its forces (take one of: %s)",
                          scheme->name, list_schemes(does_without_energies, able, sizeof able));
    for (int i = 0; i < sim->size.n_contact; i++)
        CAROM_TRY(carom_sim_check_law(sim, carom_model_contact(sim->model, i), error));
    CAROM_TRY(carom_sim_check_laws(sim, error));
    for (int i = 0; i < sim->size.n_contact; i++)
        CAROM_TRY(check_varying(sim, carom_model_contact(sim->model, i), error));
    CAROM_TRY(check_lasting(sim, error));
    return check_rates(sim, error);
}

static carom_status check_step(const carom_sim *sim, carom_error *error)
{
    const char *name = sim->scheme->name;
    if (!isfinite(sim->choice.step) || sim->choice.step < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "step must be a positive number, not %g",
                          sim->choice.step);
    if (!isfinite(sim->choice.tolerance) || sim->choice.tolerance < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "tolerance must be a positive number, not %g",
                          sim->choice.tolerance);
    if (sim->choice.tolerance > 0 && sim->choice.tolerance < least_tolerance)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "tolerance %g is below what rounding lets any step reach (give %g or "
                          "more)",
                          sim->choice.tolerance, least_tolerance);
    if (!isfinite(sim->choice.end) || sim->choice.end < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "end must be a time from 0 on, not %g",
                          sim->choice.end);
    if (sim->control || (sim->scheme->is_adaptive && !sim->scheme->keeps_step)) return CAROM_OK;
    if (sim->choice.step == 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "scheme %s needs a step: give --step or run: {step: ...}", name);
    if (sim->choice.tolerance > 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "scheme %s has a fixed step and no tolerance: give a step instead", name);
    return CAROM_OK;
}

// with a fixed step a uniform grid must be a whole number of steps, which is "every"
static carom_status check_rows(carom_sim *sim, carom_error *error)
{
    if (sim->choice.every < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "every must be 1 or more, not %d",
                          sim->choice.every);
    if (!isfinite(sim->choice.output_step) || sim->choice.output_step < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "output step must be a positive number, not %g",
                          sim->choice.output_step);
    if (sim->choice.output_step == 0 || sim->is.has_free_steps) return CAROM_OK;
    const double x = sim->choice.output_step / sim->choice.step, n = round(x);
    if (n < 1 || n > 2e9 || fabs(x - n) > 1e-9 * n)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "output step %g is not a whole number of steps of %g (scheme %s has a "
                          "fixed step)",
                          sim->choice.output_step, sim->choice.step, sim->scheme->name);
    sim->choice.every = (int)n;
    sim->choice.output_step = 0;
    return CAROM_OK;
}

carom_status carom_sim_choose(carom_sim *sim, const carom_sim_options *options, carom_error *error)
{
    sim->choice.step = options->step;
    sim->choice.tolerance = options->tolerance;
    sim->choice.end = options->end;
    sim->choice.every = options->every;
    sim->choice.output_step = options->output_step;
    sim->choice.solver = carom_arena_string(sim->arena, options->solver ? options->solver : "auto");
    if (!sim->choice.solver) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    CAROM_TRY(find_scheme(sim, options, error));
    CAROM_TRY(read_options(sim, options, error));
    CAROM_TRY(check_scheme(sim, error));
    CAROM_TRY(carom_sim_choose_control(sim, options, error));
    CAROM_TRY(check_step(sim, error));
    return check_rows(sim, error);
}

// ---- elastic parts and explicit schemes ----

// A step that is too long for the stiffest vibration would make it grow without bound: it is
// refused, with the step that will do.
static const double SLACK = 1e-3; // to which the highest frequency is known

carom_status carom_sim_check_stiffest(carom_sim *sim, bool is_allowed, carom_error *error)
{
    const double bound = sim->scheme->takes.wh, h = sim->choice.step;
    carom_stiffest stiffest;
    if (is_allowed || !(bound > 0) || sim->is.has_free_steps || !carom_model_is_elastic(sim->model))
        return CAROM_OK;
    if (carom_elastics_bound(sim->model, &stiffest) && h <= carom_stiffest_step(&stiffest, bound))
        return CAROM_OK;
    CAROM_TRY(carom_model_stiffest(sim->model, &stiffest, error));
    const double longest = carom_stiffest_step(&stiffest, bound);
    if (h <= longest * (1 + SLACK)) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "a step of %g s is too long for %s: the stiffest vibration of the model has "
                      "%.4g rad/s, and the scheme needs steps up to %.3g s (write --step %.2g, "
                      "take an implicit scheme such as moreau_jean, or allow it with "
                      "--allow-unstable)",
                      h, sim->scheme->name, stiffest.frequency, longest, 0.9 * longest);
}
