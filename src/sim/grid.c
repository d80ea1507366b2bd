// SPDX-License-Identifier: Apache-2.0
// When steps end. A fixed-step run that starts at base reaches
//
//     t_k = base + k step,  k = 1 .. n,   n = (end - base) / step where that is whole to 1e-9,
//
// never by adding up; else the last step is shorter. Times depend on the number of the step only,
// so that a restart meets the same ones. Adaptive schemes say where they got to; they are stopped
// at grid points of the output, at breaks of the model's laws (schedule.c) and at the end, and no
// step of theirs is longer than a step that is given. One that keeps its step is not cut: the run
// stops with the first step that ends at or after the end.
#include "base/limits.h"
#include "sim/sim.h"

#include <math.h>

// this close to a point of the grid, relative to the time itself, is on it
static const double on_point = 1e-12;
// beyond, rounding is as large as the steps
static const double most_steps = 1e15;

carom_status carom_sim_check_step(const carom_sim *sim, const char *what, double step,
                                  carom_error *error)
{
    if (step * most_steps > sim->choice.end) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "%s %g is too small for end %g: more than 1e15 steps",
                      what, step, sim->choice.end);
}

carom_status carom_sim_plan_grid(carom_sim *sim, carom_error *error)
{
    // steps stop at every point of the output, whether or not a recorder takes it
    if (sim->choice.output_step > 0)
        CAROM_TRY(carom_sim_check_step(sim, "output step", sim->choice.output_step, error));
    if (sim->choice.output_step > 0 && sim->choice.end / sim->choice.output_step > sim->rows.most)
        return carom_limit_fail(error, (carom_place){0}, "an output step so short makes", "rows",
                                sim->rows.most);
    if (sim->choice.step > 0) CAROM_TRY(carom_sim_check_step(sim, "step", sim->choice.step, error));
    if (sim->is.has_free_steps) return CAROM_OK;
    const double x = (sim->choice.end - sim->ledger->base) / sim->choice.step, n = round(x);
    sim->is.is_whole = x == 0 || (n > 0 && fabs(x - n) <= 1e-9 * n);
    sim->grid.n_step = (long)(sim->is.is_whole ? n : ceil(x));
    return CAROM_OK;
}

bool carom_sim_is_past_end(const carom_sim *sim, double t)
{
    return t >= sim->choice.end - (sim->scheme->keeps_step ? 1e-9 * sim->choice.step : 0);
}

static double grid_point(const carom_sim *sim, const carom_ledger *ledger)
{
    return (double)(ledger->grid + 1) * sim->choice.output_step;
}

double carom_sim_adaptive_h(const carom_sim *sim)
{
    if (sim->scheme->keeps_step) return sim->choice.step;
    double h = fmin(sim->choice.end, sim->until.asked.t) - sim->now.t;
    if (sim->ledger->h_next > 0) h = fmin(h, sim->ledger->h_next);
    if (sim->choice.step > 0) h = fmin(h, sim->choice.step);
    if (sim->schedule) h = carom_schedule_cut(sim->schedule, sim->now.t, h);
    return sim->choice.output_step > 0 ? fmin(h, grid_point(sim, sim->ledger) - sim->now.t) : h;
}

static void snap_to_point(double *t, double point)
{
    if (isfinite(point) && fabs(*t - point) <= on_point * fabs(point)) *t = point;
}

void carom_sim_land_freely(const carom_sim *sim, carom_state *next)
{
    if (sim->scheme->keeps_step) return;
    snap_to_point(&next->t, sim->choice.end);
    snap_to_point(&next->t, sim->until.asked.t);
    if (sim->schedule) snap_to_point(&next->t, carom_schedule_next(sim->schedule, sim->now.t).t);
    if (sim->choice.output_step > 0) snap_to_point(&next->t, grid_point(sim, sim->ledger));
}

void carom_sim_pass_points(const carom_sim *sim, double t, carom_ledger *ledger)
{
    while (t >= grid_point(sim, ledger)) ledger->grid++;
}

void carom_sim_arrive_at_end(const carom_sim *sim, carom_state *next, carom_ledger *ledger)
{
    next->t = sim->choice.end;
    // after a shorter step the grid starts anew, for a run that continues from here
    if (!sim->is.is_whole) {
        ledger->base = sim->choice.end;
        ledger->done = 0;
    }
}

bool carom_sim_row_is_due(const carom_sim *sim)
{
    if (sim->is.has_free_steps && sim->choice.output_step > 0)
        return sim->next.t >= grid_point(sim, sim->ledger);
    // dividing is slow
    return sim->choice.every == 1 || (sim->ledger->counts.steps + 1) % sim->choice.every == 0;
}
