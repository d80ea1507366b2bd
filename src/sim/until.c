// SPDX-License-Identifier: Apache-2.0
// A run that is stopped on its way: at a time, at an event of a contact, where a record entry goes
// through zero (the section). Sections are events of schemes that find events: a step ends there.
// Of other schemes the signs at both ends of a step tell; a start on the section is no crossing.
#include "base/need.h"
#include "base/text.h"
#include "model/model.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

carom_stop carom_stop_default(void)
{
    return (carom_stop){.t = INFINITY, .contact = -1};
}

static carom_status refuse_section(const carom_sim *sim, const char *name, carom_error *error)
{
    char hint[120];
    carom_nearest nearest = carom_nearest_to(name);
    for (int i = 0; i < sim->size.n_record; i++)
        carom_nearest_try(&nearest, carom_model_record_name(sim->model, i));
    return carom_fail(error, CAROM_BAD_INPUT, "the model has no record entry '%s' for a section%s",
                      name, carom_nearest_hint(&nearest, hint, sizeof hint));
}

carom_status carom_sim_choose_section(carom_sim *sim, const carom_sim_options *options,
                                      carom_error *error)
{
    const char *name = options->section;
    sim->until.asked = carom_stop_default();
    if (!name) return CAROM_OK;
    for (int i = 0; i < sim->size.n_record; i++)
        if (strcmp(carom_model_record_name(sim->model, i), name) == 0) sim->until.section = i + 1;
    if (sim->until.section == 0) return refuse_section(sim, name, error);
    const unsigned char *is_felt = sim->model->felt.record_is_felt;
    if (is_felt && is_felt[sim->until.section - 1])
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the section '%s' is made of forces or accelerations, which jump: take "
                          "positions, velocities and time",
                          name);
    return CAROM_OK;
}

void carom_sim_forget_crossing(carom_sim *sim)
{
    sim->until.value = NAN;
    sim->until.crossed = 0;
    if (sim->until.before.q) memset(sim->until.before.q, 0, sim->bytes.state);
    sim->until.before.t = 0;
}

void carom_sim_note_event(carom_sim *sim, const carom_event *event)
{
    const carom_stop *asked = &sim->until.asked;
    const bool is_asked = asked->contact < 0 || asked->contact == event->contact;
    if (is_asked && asked->events >> event->kind & 1) sim->until.came = CAROM_REACHED_EVENT;
}

// the sign of the section at the end of the last step, of a scheme that does not find it
static carom_status look_at_section(carom_sim *sim, carom_error *error)
{
    const carom_point at = {.t = sim->now.t, .q = sim->now.q, .u = sim->now.u};
    const double was = sim->until.value;
    CAROM_TRY(carom_model_eval(sim->s.plan, &at, CAROM_RECORD, sim->eval, error));
    const double is = sim->eval->record[sim->until.section - 1];
    sim->until.crossed = was < 0 && is >= 0 ? 1 : was > 0 && is <= 0 ? -1 : 0;
    sim->until.value = is == 0 ? sim->until.crossed : is; // behind it, where it is met exactly
    return CAROM_OK;
}

static carom_status find_crossing(carom_sim *sim, carom_error *error)
{
    sim->until.crossed = sim->s.report.crossed;
    if (sim->scheme->finds_events || sim->until.section == 0) return CAROM_OK;
    return look_at_section(sim, error);
}

static carom_status take_step(carom_sim *sim, carom_error *error)
{
    const carom_stop *asked = &sim->until.asked;
    CAROM_TRY(carom_sim_step(sim, error));
    CAROM_TRY(find_crossing(sim, error));
    const int crossed = sim->until.crossed;
    const bool is_wanted = crossed != 0 && (asked->crossing == 2 || asked->crossing == crossed);
    if (is_wanted && sim->until.came == CAROM_REACHED_END) sim->until.came = CAROM_REACHED_CROSSING;
    if (sim->until.came == CAROM_REACHED_END && sim->now.t >= asked->t)
        sim->until.came = CAROM_REACHED_TIME;
    return CAROM_OK;
}

carom_status carom_sim_run_until(carom_sim *sim, const carom_stop *stop, carom_reached *reached,
                                 carom_error *error)
{
    carom_status status = CAROM_OK;
    CAROM_NEED(error, sim);
    CAROM_NEED(error, stop);
    CAROM_NEED(error, reached);
    if (stop->crossing != 0 && sim->until.section == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "the simulation was made without a section");
    sim->until.asked = *stop;
    sim->until.came = sim->now.t >= stop->t ? CAROM_REACHED_TIME : CAROM_REACHED_END;
    if (sim->until.section > 0 && isnan(sim->until.value) && !sim->scheme->finds_events)
        status = look_at_section(sim, error);
    while (status == CAROM_OK && sim->until.came == CAROM_REACHED_END && !carom_sim_is_done(sim))
        status = take_step(sim, error);
    *reached = sim->until.came;
    sim->until.asked = carom_stop_default();
    return status;
}

const carom_state *carom_sim_before(const carom_sim *sim)
{
    if (!sim) return NULL;
    return sim->scheme->finds_events ? &sim->until.before : &sim->next;
}

int carom_sim_crossing(const carom_sim *sim)
{
    return sim ? sim->until.crossed : 0;
}

void carom_sim_set_step(carom_sim *sim, double step)
{
    sim->choice.step = step;
}

carom_status carom_sim_set_end(carom_sim *sim, double end, carom_error *error)
{
    CAROM_NEED(error, sim);
    const double was = sim->choice.end;
    if (!isfinite(end) || !(end > sim->now.t))
        return carom_fail(error, CAROM_BAD_INPUT, "the end must be after t = %g, not %g",
                          sim->now.t, end);
    carom_ledger *ledger = sim->ledger;
    const double base = ledger->base;
    const long done = ledger->done;
    sim->choice.end = end;
    if (!sim->is.has_free_steps) {
        ledger->base = sim->now.t;
        ledger->done = 0;
    }
    carom_status status = carom_sim_plan_grid(sim, error);
    if (status == CAROM_OK) status = carom_sim_foresee_again(sim, sim->now.t, error);
    if (status != CAROM_OK) {
        sim->choice.end = was;
        ledger->base = base;
        ledger->done = done;
        return status;
    }
    sim->s.end = end;
    carom_sim_plan_quiet(sim);
    return CAROM_OK;
}
