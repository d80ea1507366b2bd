// SPDX-License-Identifier: Apache-2.0
// What a run warns of, without being asked: each line names where, when, how much and what to do.
// The advice follows the evidence. A gap that is as deep as the contact's speed times the step is
// due to the step; a deeper one is not, and a smaller step would not mend it.
//
// Energies that are nothing but rounding cause no alarm. A body held at rest for n steps of h, with
// an error of r (rounding, the contact residual, the tolerance of an adaptive scheme) in the
// velocity h M^-1 f that the forces would give it in a step, has gained
//
//     noise = n r h^2 f' M^-1 f
//
// at most; its own kinetic energy is no scale at all.
#include "contact/solver.h"
#include "dynamics/contact_blocks.h"
#include "model/model.h"
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double DEEP_IN_RUN = 5e-2;    // of the model's size
static const double PER_STEP = 4;          // depth over what a contact moves in a step
static const double LATE = 1;              // tolerances of a velocity
static const double MOST_DISTORTION = 0.1; // of a linear body
static const double FIRST_SHARE = 1e-4; // of the run: the step of an adaptive scheme, to begin with

static double step_at_start(const carom_sim *sim)
{
    return sim->choice.step > 0 ? sim->choice.step : FIRST_SHARE * sim->choice.end;
}

carom_status carom_sim_check_start(const carom_sim *sim, carom_error *error)
{
    const carom_start_facts *start = &sim->start.facts;
    const double h = step_at_start(sim);
    const double moved = h * fabs(start->rate) + 0.5 * h * h * fabs(start->acceleration);
    if (sim->start.allows_penetration || start->depth <= fmax(CAROM_DEEP * start->size, moved))
        return CAROM_OK;
    const carom_place place =
        sim->model->places.contact ? sim->model->places.contact[start->contact] : (carom_place){0};
    const carom_contact_facts *contact = &sim->s.plan->contact[start->contact];
    if (contact->is_of_shapes)
        return carom_fail_at(
            error, place, CAROM_BAD_INPUT,
            "the shapes of contact '%s' overlap by %.6g m at the start, in a model of size %.3g m: "
            "change the start (--start NAME=VALUE), or allow it with --allow-penetration "
            "(allow_penetration: yes in the run section)",
            contact->name, start->depth, start->size);
    return carom_fail_at(
        error, place, CAROM_BAD_INPUT,
        "contact '%s' starts %.6g m deep in a model of size %.3g m: change the start (--start "
        "NAME=VALUE), or the sign of the gap if it is written the wrong way round, or allow it "
        "with --allow-penetration (allow_penetration: yes in the run section)",
        contact->name, start->depth, start->size);
}

// appends a line; one that does not fit is left out
static void __attribute__((format(printf, 2, 3))) warn(carom_sim *sim, const char *format, ...)
{
    const size_t used = strlen(sim->warnings), room = CAROM_WARNING_ROOM - used;
    va_list list;
    va_start(list, format);
    const int n = snprintf(sim->warnings + used, room, "%s", used > 0 ? "\n" : "");
    const int m = vsnprintf(sim->warnings + used + n, room - (size_t)n, format, list);
    if (m < 0 || (size_t)n + (size_t)m >= room) sim->warnings[used] = 0;
    va_end(list);
}

// f' M^-1 f at the present state; 0 where it cannot be evaluated
static carom_status find_push(const carom_sim *sim, double *push, carom_error *error)
{
    const unsigned mask = CAROM_MASS | CAROM_FORCES;
    const carom_point at = {.t = sim->now.t, .q = sim->now.q, .u = sim->now.u};
    carom_plan *plan;
    *push = 0;
    CAROM_TRY(carom_plan_new(sim->model, &mask, 1, &plan, error));
    carom_plan_set_like(plan, sim->s.plan);
    carom_eval *ev = carom_plan_eval(plan);
    double *a = sim->energy.mid_u; // scratch between steps
    if (ev && carom_model_eval(plan, &at, mask, ev, NULL) == CAROM_OK) {
        memcpy(a, ev->f, sizeof(double) * (size_t)sim->size.nu);
        carom_mass_solve(ev->mass, a);
        for (int i = 0; i < sim->size.nu; i++) *push += a[i] * ev->f[i];
    }
    carom_plan_free(plan);
    return ev ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}

// what rounding, the residual or the tolerance may make of the energy of what is at rest
static carom_status find_noise(const carom_sim *sim, double *noise, carom_error *error)
{
    const double n = (double)sim->ledger->counts.steps, t = sim->now.t;
    double share = fmax(1e3 * DBL_EPSILON, sim->ledger->worst.residual), push;
    if (sim->is.has_free_steps) share = fmax(share, sim->choice.tolerance);
    CAROM_TRY(find_push(sim, &push, error));
    *noise = n > 0 ? share * fmax(push, sim->start.facts.push) * t * t / n : 0;
    return CAROM_OK;
}

static const char *smaller(const carom_sim *sim)
{
    return sim->is.has_free_steps && sim->choice.tolerance > 0 ? "--tolerance" : "--step";
}

// impacts that made energy; among things at rest that may be rounding
static void warn_of_rises(carom_sim *sim, const carom_audit *a, double noise)
{
    const long n = sim->ledger->counts.energy_rises;
    if (n > 0 && a->largest_rise > noise)
        warn(sim,
             "impacts made energy %ld times, up to %.6g J at once (Newton's law of impact does so "
             "with friction or unequal restitution)",
             n, a->largest_rise);
}

static void warn_of_runaway(carom_sim *sim, carom_audit *a)
{
    const carom_ledger *ledger = sim->ledger;
    a->is_unstable = true;
    if (isinf(ledger->runaway_energy))
        warn(sim,
             "the energy cannot be evaluated at t = %.6g: the motion has left the place where the "
             "model holds (a smaller %s, or a potential that is defined there)",
             ledger->runaway_time, smaller(sim));
    else
        warn(sim,
             "the energy rose from %.6g J to %.6g J at t = %.6g, above 1e3 times what the start "
             "and the work of %.3g J explain: the motion is unstable (a smaller %s%s)",
             a->energy_start, ledger->runaway_energy, ledger->runaway_time, a->work, smaller(sim),
             sim->scheme->is_implicit ? "" : ", or an implicit scheme such as moreau_jean");
}

static carom_status warn_of_energy(carom_sim *sim, carom_audit *a, carom_error *error)
{
    const carom_ledger *ledger = sim->ledger;
    carom_balance b = {.error = a->energy_error,
                       .scale = a->largest_kinetic + fabs(a->work) + fabs(a->impact_loss) +
                                fabs(a->friction_loss)};
    const bool has_run_away = ledger->runaway_time >= 0, is_off = carom_balance_is_off(&b);
    double noise;
    if (!has_run_away && !is_off && ledger->counts.energy_rises == 0) return CAROM_OK;
    CAROM_TRY(find_noise(sim, &noise, error));
    warn_of_rises(sim, a, noise);
    if (!sim->model->energies.has_balance) return CAROM_OK;
    // noise goes with the forces, which may have run away, too
    if (has_run_away && fmax(ledger->runaway_energy, a->energy_end) - a->energy_start > noise) {
        warn_of_runaway(sim, a);
        return CAROM_OK;
    }
    if (!is_off || fabs(a->energy_error) <= noise) return CAROM_OK;
    const double since = ledger->off_since >= 0 ? ledger->off_since : sim->now.t;
    warn(sim,
         "the energy error of %.3g J is %.2g %% of the largest kinetic energy, work and losses "
         "(%.3g J together), above 1 %% since t = %.6g (a smaller %s should lower it; if it does "
         "not, a force or potential jumps)",
         a->energy_error, 100 * fabs(a->energy_error) / b.scale, b.scale, since, smaller(sim));
    return CAROM_OK;
}

static double usual_step(const carom_sim *sim)
{
    return sim->is.has_free_steps ? sim->now.t / (double)sim->ledger->counts.steps
                                  : sim->choice.step;
}

// How a contact got deep: at once, as fast as it moves (the step) or not (the model), or little by
// little (the scheme). Time stepping sees a contact after a step at most, event_driven in time.
static void warn_of_depth(carom_sim *sim, const carom_audit *a)
{
    const double depth = -a->min_gap;
    const long c = sim->ledger->worst.min_gap_contact;
    if (c < 0 || !(a->model_size > 0) || !(depth > DEEP_IN_RUN * a->model_size)) return;
    if (depth <= PER_STEP * sim->start.facts.depth) return; // deep from the start: said already
    const double h = sim->scheme->finds_events ? 0 : usual_step(sim);
    const double rate = sim->contacts.track[c].rate_scale, moved = h * rate;
    char cause[300];
    if (PER_STEP * sim->ledger->deepest_fall < depth)
        snprintf(cause, sizeof cause,
                 "it sank little by little, scheme %s lets gaps drift (a smaller %s, or a scheme "
                 "that keeps positions such as moreau_combined_projection)",
                 sim->scheme->name, smaller(sim));
    else if (depth <= PER_STEP * moved)
        snprintf(cause, sizeof cause, "at %.3g m/s it moves %.3g m in a step (a smaller %s)", rate,
                 moved, smaller(sim));
    else
        snprintf(cause, sizeof cause,
                 "at %.3g m/s it moves %.3g m in a step, so it is the gap that jumps: the model is "
                 "wrong there (a gap of the wrong sign, or one that counts where there is no "
                 "surface: see surface: and where:)",
                 rate, moved);
    warn(sim, "contact '%s' is %.3g m deep at t = %.6g, in a model of size %.3g m: %s",
         a->min_gap_at, depth, a->min_gap_time, a->model_size, cause);
}

// A contact that has just closed is kept by its rate in the middle of steps, by some schemes. Where
// it leaves with what this is off, a smaller step at the end would not mend it
static void warn_of_lag(carom_sim *sim)
{
    const carom_worst *worst = &sim->ledger->worst;
    if (!(worst->lag > LATE) || worst->lag_contact < 0) return;
    warn(sim,
         "contact '%s' lets go at t = %.6g with a velocity that is known to %.3g m/s only, %.2g "
         "tolerances: scheme %s looks at contacts in the middle of its steps (take tdg_velocity or "
         "ggl_unified)",
         sim->s.plan->contact[worst->lag_contact].name, worst->lag_time, worst->lag_rate,
         worst->lag, sim->scheme->name);
}

// the worst residual is that of joint friction whose load does not settle
static void warn_of_locking(carom_sim *sim)
{
    const carom_sizes n = sim->size;
    for (int c = n.n_contact - n.n_disc; c < n.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(sim->s.plan, c);
        const bool is_it = sim->ledger->worst.residual_row == facts->row && facts->n_load > 0;
        if (is_it && sim->ledger->counts.unconverged > 0)
            warn(sim,
                 "joint friction '%s' locks itself, first or worst at t = %.6g: the load that it "
                 "rubs under grows with it (less friction, or a longer lever)",
                 facts->name, sim->ledger->worst.residual_time);
    }
}

static void warn_of_factors(carom_sim *sim)
{
    carom_contact_solver *solver = carom_contacts_solver(sim->s.contacts);
    const double bytes = carom_contact_solver_bodies(solver)->lu.refused;
    if (bytes > 0)
        warn(sim,
             "factors of a contact problem would take %.3g bytes, more than the limit 'bytes': it "
             "was solved without, to fewer digits (--limit bytes=%.2g, or ask for fewer digits: "
             "--option solver.tolerance=1e-3)",
             bytes, 1.2 * bytes);
}

static void warn_of_distortion(carom_sim *sim)
{
    const carom_ledger *ledger = sim->ledger;
    if (!(ledger->distortion > MOST_DISTORTION)) return;
    warn(
        sim,
        "an elastic body turned or stretched by %.2g of its size at t = %.6g: its matrices hold for "
        "small motions, up to 0.1 rad (take beams, which turn as far as they like)",
        ledger->distortion, ledger->distortion_time);
}

carom_status carom_sim_write_warnings(carom_sim *sim, carom_audit *audit, carom_error *error)
{
    sim->warnings[0] = 0;
    if (sim->start.look && sim->start.look->warnings[0]) warn(sim, "%s", sim->start.look->warnings);
    for (int i = 0; !sim->start.look && i < carom_model_n_warning(sim->model); i++)
        warn(sim, "%s", carom_model_warning(sim->model, i));
    CAROM_TRY(warn_of_energy(sim, audit, error));
    warn_of_depth(sim, audit);
    warn_of_distortion(sim);
    warn_of_locking(sim);
    warn_of_lag(sim);
    warn_of_factors(sim);
    return CAROM_OK;
}
