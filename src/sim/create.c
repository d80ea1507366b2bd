// SPDX-License-Identifier: Apache-2.0
// Making a simulation: everything that steps, rows and the audit need is allocated here and nowhere
// else.
#include "base/limits.h"
#include "base/need.h"
#include "contact/solver.h"
#include "dynamics/active.h"
#include "dynamics/contact_blocks.h"
#include "model/laws/coefficients.h"
#include "model/model.h"
#include "sim/contacts/start_coefficients.h"
#include "sim/sim_clock.h"
#include "tangent/tangent.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

carom_sim_options carom_sim_default(void)
{
    return (carom_sim_options){.every = 1};
}

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}

static void add_mask(unsigned *mask, int *n, unsigned wanted)
{
    for (int i = 0; i < *n; i++)
        if (mask[i] == wanted) return;
    mask[(*n)++] = wanted;
}

// the scheme's masks and those of audit and rows
static carom_status make_plan(carom_sim *sim, bool is_varied, carom_error *error)
{
    const unsigned *varied = carom_tangent_masks();
    int n = 0, n_scheme = 0;
    while (sim->scheme->mask && sim->scheme->mask[n_scheme]) n_scheme++;
    unsigned *mask = CAROM_TAKE(sim->arena, unsigned, n_scheme + 20);
    if (!mask) return no_memory(error);
    for (int i = 0; i < n_scheme; i++) {
        const unsigned wanted = sim->scheme->mask[i];
        add_mask(mask, &n, wanted);
        if (wanted & CAROM_KEEP && wanted & CAROM_GAPS) sim->is.n_keeping = sim->scheme->n_eval;
    }
    // those of every step first, where they are found soon
    if (sim->until.section > 0) add_mask(mask, &n, CAROM_RECORD);
    if (sim->size.n_row > 0) add_mask(mask, &n, CAROM_GAPS);
    if (sim->is.has_power) add_mask(mask, &n, CAROM_POWER);
    add_mask(mask, &n, CAROM_AUDIT_MASK);
    add_mask(mask, &n, CAROM_ROW_MASK);
    if (sim->size.n_reaction > 0) add_mask(mask, &n, CAROM_REACTIONS);
    if (sim->model->felt.has_accelerations) add_mask(mask, &n, CAROM_FEEL_MASK);
    if (sim->control) add_mask(mask, &n, CAROM_CONTROL_FORCES);
    if (sim->control && sim->size.n_contact > 0) {
        add_mask(mask, &n, CAROM_CONTROL_CONTACTS);
        add_mask(mask, &n, CAROM_CURVATURE); // of contacts that rest (carom_contact_terms.lead)
    }
    if (carom_coefficients_vary(sim->model)) add_mask(mask, &n, CAROM_ROWS);
    if (carom_model_n_live(sim->model) > 0) add_mask(mask, &n, CAROM_START_MASK);
    for (int i = 0; is_varied && varied[i]; i++) add_mask(mask, &n, varied[i]);
    CAROM_TRY(carom_plan_new(sim->model, mask, n, &sim->s.plan, error));
    CAROM_TRY(carom_plan_share(sim->s.plan, sim->choice.team, error));
    if (sim->scheme->holds_sides) CAROM_TRY(carom_plan_hold(sim->s.plan, error));
    return CAROM_OK;
}

// without a compiler the run goes on with the tape
static carom_status compile(carom_sim *sim, carom_error *error)
{
    const double wall = carom_clock_wall(), processor = carom_clock_processor();
    const carom_status status = carom_plan_compile(sim->s.plan, &sim->native.refusal);
    sim->clock.times.compiling = carom_clock_wall() - wall;
    sim->native.compile_seconds = carom_clock_processor() - processor;
    if (status == CAROM_NO_MEMORY) return no_memory(error);
    sim->native.is_used = status == CAROM_OK;
    return CAROM_OK;
}

static carom_status make_evals(carom_sim *sim, carom_error *error)
{
    const int room = (int)(sizeof sim->s.ev / sizeof sim->s.ev[0]);
    if (sim->scheme->n_eval > room)
        return carom_fail(error, CAROM_BUG, "scheme %s asks for %d evaluations, there are %d",
                          sim->scheme->name, sim->scheme->n_eval, room);
    bool is_made = (sim->eval = carom_plan_eval(sim->s.plan)) != NULL;
    for (int i = 0; i < sim->scheme->n_eval; i++)
        is_made &= (sim->s.ev[i] = carom_plan_eval(sim->s.plan)) != NULL;
    if (is_made && sim->size.n_surface > 0 && !sim->scheme->finds_events)
        is_made &= carom_sim_make_patches(sim);
    return is_made ? CAROM_OK : no_memory(error);
}

// the settings with the prefix go to the solver, without it
static carom_status make_contacts(carom_sim *sim, const carom_sim_options *options,
                                  carom_error *error)
{
    carom_setting *setting = CAROM_TAKE(sim->arena, carom_setting, options->n_setting);
    int n = 0;
    if (!setting) return no_memory(error);
    for (int i = 0; i < options->n_setting; i++) {
        carom_setting one = options->setting[i];
        if (strncmp(one.name.text, "solver.", 7) != 0) continue;
        one.name.text += 7;
        if (one.name.place.column > 0) one.name.place.column += 7;
        setting[n++] = one;
    }
    CAROM_TRY(
        carom_contacts_new(sim->model, sim->choice.solver, setting, n, &sim->s.contacts, error));
    carom_contacts_follow(sim->s.contacts, sim->s.plan);
    carom_contact_solver_bodies(carom_contacts_solver(sim->s.contacts))->form.team =
        sim->choice.team;
    carom_contacts_limit(sim->s.contacts, carom_limits_or_default(options->limits)->bytes);
    return CAROM_OK;
}

// before the scheme prepares, because its own solvers send their problems where this one does
static carom_status make_saver(carom_sim *sim, const char *text, carom_error *error)
{
    carom_save_choice choice;
    if (!text) return CAROM_OK;
    CAROM_TRY(carom_save_choice_read(text, &choice, error));
    CAROM_TRY(carom_contact_saver_new(&choice, &sim->choice.saver, error));
    carom_contact_solver_save(carom_contacts_solver(sim->s.contacts), sim->choice.saver);
    return CAROM_OK;
}

long carom_sim_saved(const carom_sim *sim)
{
    return sim && sim->choice.saver ? carom_contact_saver_written(sim->choice.saver) : 0;
}

// a state lies in one piece, so that one copy takes it all, with u right behind q, so that one
// compare takes both (carom_plan_ask_again)
bool carom_sim_make_state(carom_sim *sim, carom_state *state)
{
    const carom_sizes *n = &sim->size;
    const int n_slot = sim->model->kind->refresh ? n->n_contact : 0;
    const int slot_numbers = n_slot * (int)(sizeof(carom_slot) / sizeof(double));
    const int n_number = n->nq + n->nu + 2 * n->n_row + sim->n_memory + slot_numbers;
    const int n_word = (n->n_contact + (int)sizeof(double) - 1) / (int)sizeof(double);
    sim->bytes.n_mark_word = n_word > 0 ? n_word : 1; // nobody needs to ask whether there is one
    const int total = n_number + sim->bytes.n_mark_word;
    const int room = total <= CAROM_TINY_STATE    ? CAROM_TINY_STATE
                     : total <= CAROM_SHORT_STATE ? CAROM_SHORT_STATE
                                                  : total;
    double *numbers = CAROM_TAKE(sim->arena, double, room);
    sim->bytes.state = sizeof(double) * (size_t)total;
    if (!numbers) return false;
    state->q = numbers;
    state->u = state->q + n->nq;
    state->P = state->u + n->nu;
    state->la = state->P + n->n_row;
    state->memory = state->la + n->n_row;
    if (n_slot > 0) state->slot = (carom_slot *)(void *)(state->memory + sim->n_memory);
    state->is_active = (unsigned char *)(numbers + n_number);
    return true;
}

static carom_status make_memory(carom_sim *sim, carom_error *error)
{
    const carom_sizes *n = &sim->size;
    const int n_work = sim->scheme->n_work ? sim->scheme->n_work(sim->model) : 0;
    const int n_pending = carom_sim_n_pending(sim);
    bool is_made = carom_sim_make_state(sim, &sim->now) && carom_sim_make_state(sim, &sim->next) &&
                   carom_sim_make_state(sim, &sim->until.before);
    is_made &= (sim->next_ledger = CAROM_TAKE(sim->arena, carom_ledger, 1)) != NULL;
    is_made &= (sim->s.work = CAROM_TAKE(sim->arena, double, n_work)) != NULL;
    // in one piece as well: both are cleared at once
    is_made &= (sim->s.report.rate_before = CAROM_TAKE(sim->arena, double, 2 * n->n_row)) != NULL;
    if (is_made) sim->s.report.rate_after = sim->s.report.rate_before + n->n_row;
    is_made &= (sim->contacts.normal = CAROM_TAKE(sim->arena, int, n->n_contact)) != NULL;
    is_made &= (sim->contacts.track = CAROM_TAKE(sim->arena, carom_track, n->n_contact)) != NULL;
    is_made &= (sim->contacts.next = CAROM_TAKE(sim->arena, carom_track, n->n_contact)) != NULL;
    is_made &= (sim->contacts.changing = CAROM_TAKE(sim->arena, int, n->n_contact + 1)) != NULL;
    is_made &= (sim->contacts.last_gap = CAROM_TAKE(sim->arena, double, n->n_contact)) != NULL;
    is_made &= carom_sim_make_coefficients(sim);
    is_made &= (sim->energy.mid_q = CAROM_TAKE(sim->arena, double, n->nq)) != NULL;
    is_made &= (sim->energy.mid_u = CAROM_TAKE(sim->arena, double, n->nu)) != NULL;
    is_made &= (sim->rows.gamma = CAROM_TAKE(sim->arena, double, n->n_row)) != NULL;
    is_made &= (sim->rows.pending = CAROM_TAKE(sim->arena, double, n_pending)) != NULL;
    is_made &= (sim->rows.P = CAROM_TAKE(sim->arena, double, n_pending)) != NULL;
    is_made &= (sim->rows.force = CAROM_TAKE(sim->arena, double, n->n_row)) != NULL;
    is_made &= (sim->rows.a = CAROM_TAKE(sim->arena, double, n->nu)) != NULL;
    is_made &= (sim->rows.first_la = CAROM_TAKE(sim->arena, double, n->n_row)) != NULL;
    if (sim->now.slot) {
        is_made &= carom_sim_make_slots(sim);
        is_made &= (sim->rows.place = CAROM_TAKE(sim->arena, double, 6 * n->n_contact)) != NULL &&
                   (sim->rows.touching = CAROM_TAKE(sim->arena, int, 2 * n->n_contact)) != NULL;
    }
    is_made &= (sim->warnings = CAROM_TAKE(sim->arena, char, CAROM_WARNING_ROOM)) != NULL;
    if (!is_made) return no_memory(error);
    for (int i = 0; i < n->n_contact; i++)
        sim->contacts.normal[i] = carom_model_contact(sim->model, i)->row;
    return CAROM_OK;
}

// what is live is looked at again for each set of values
static carom_status make_start_look(carom_sim *sim, carom_error *error)
{
    sim->start.facts = sim->model->start;
    if (carom_model_n_live(sim->model) == 0) return CAROM_OK;
    carom_start_look *look = sim->start.look = CAROM_TAKE(sim->arena, carom_start_look, 1);
    if (!look) return no_memory(error);
    look->plan = sim->s.plan;
    look->ev = sim->eval;
    look->scratch = sim->energy.mid_u;
    return CAROM_OK;
}

// what the scheme, the solver and the output of a run work with
static carom_status make_parts(carom_sim *sim, const carom_sim_options *options, carom_error *error)
{
    CAROM_TRY(carom_sim_make_columns(sim, error));
    CAROM_TRY(carom_sim_identify(sim, options, error));
    CAROM_TRY(make_memory(sim, error));
    if (sim->control) CAROM_TRY(carom_sim_make_control(sim, error));
    CAROM_TRY(make_plan(sim, options->is_varied, error));
    if (sim->is.has_free_steps) CAROM_TRY(carom_sim_foresee_breaks(sim, error));
    if (options->is_native) CAROM_TRY(compile(sim, error));
    CAROM_TRY(make_evals(sim, error));
    CAROM_TRY(make_start_look(sim, error));
    sim->is.chooses_contacts = sim->contacts.holds || sim->now.slot || sim->contacts.slip;
    CAROM_TRY(make_contacts(sim, options, error));
    return make_saver(sim, options->save_contact, error);
}

static carom_status make_all(carom_sim *sim, const carom_sim_options *options, carom_error *error)
{
    CAROM_TRY(carom_sim_choose(sim, options, error));
    sim->choice.team = carom_team_new(options->n_thread);
    sim->rows.most = options->limits ? options->limits->rows : INFINITY;
    sim->start.allows_penetration = options->allow_penetration;
    CAROM_TRY(carom_sim_plan_grid(sim, error));
    CAROM_TRY(carom_sim_choose_section(sim, options, error));
    sim->is.has_power = carom_model_has_power(sim->model);
    sim->is.on_its_own = sim->is.has_free_steps || sim->scheme->finds_events;
    const char *level = sim->scheme->level;
    sim->is.judges_impacts = !level || strcmp(level, "position") != 0;
    sim->is.can_be_quiet = !sim->is.has_free_steps && !sim->scheme->finds_events && !sim->control &&
                           !carom_active_always(&sim->size) && !(sim->choice.output_step > 0) &&
                           !sim->model->kind->refresh;
    sim->n_memory = sim->scheme->memory.n ? sim->scheme->memory.n(sim->model) : 0;
    sim->n_memory += carom_sim_n_stuck(sim);
    CAROM_TRY(make_parts(sim, options, error));

    carom_step *s = &sim->s;
    s->option = sim->choice.option;
    s->h = sim->choice.step;
    s->tolerance = sim->choice.tolerance;
    s->end = sim->choice.end;
    s->section = sim->until.section;
    s->sink = carom_sim_sink(sim);
    s->error = error;
    if (sim->scheme->prepare) CAROM_TRY(sim->scheme->prepare(s));
    CAROM_TRY(carom_sim_make_tangent(sim, options->is_varied, error));
    CAROM_TRY(carom_sim_check_stiffest(sim, options->allow_unstable, error));
    return carom_sim_begin(sim, error);
}

static carom_status check_options(const carom_sim_options *options, carom_error *error)
{
    const char *function = "carom_sim_new";
    const carom_scheme *own = options->own_scheme;
    if (options->n_setting < 0 || (options->n_setting > 0 && !options->setting))
        return carom_misuse(error, function, "options->setting is NULL, or n_setting %d",
                            options->n_setting);
    for (int i = 0; i < options->n_setting; i++)
        if (!options->setting[i].name.text || !options->setting[i].value.text)
            return carom_misuse(error, function, "options->setting[%d] lacks a text", i);
    if (options->n_thread < 0 || options->n_thread > CAROM_MOST_THREADS)
        return carom_misuse(error, function, "options->n_thread is %d, it must be 0 .. %d",
                            options->n_thread, CAROM_MOST_THREADS);
    if (own && (!own->name || !own->step || own->n_eval < 0))
        return carom_misuse(error, function,
                            "options->own_scheme needs a name, a step and n_eval >= 0");
    return CAROM_OK;
}

carom_status carom_sim_new(const carom_model *model, const carom_sim_options *options,
                           carom_sim **sim, carom_error *error)
{
    const double start = carom_clock_processor();
    CAROM_NEED(error, sim);
    *sim = NULL;
    CAROM_NEED(error, model);
    CAROM_NEED(error, options);
    CAROM_TRY(check_options(options, error));
    carom_arena *arena = carom_arena_new();
    carom_sim *made = arena ? CAROM_TAKE(arena, carom_sim, 1) : NULL;
    carom_ledger *ledger = arena ? CAROM_TAKE(arena, carom_ledger, 1) : NULL;
    if (!made || !ledger) {
        carom_arena_free(arena);
        return no_memory(error);
    }
    made->arena = arena;
    made->ledger = ledger;
    made->bytes.ledger = sizeof *ledger;
    made->model = made->s.model = carom_model_hold(model);
    made->size = made->s.size = carom_model_sizes(model);
    const carom_status status = make_all(made, options, error);
    if (status != CAROM_OK) {
        carom_sim_free(made);
        return status;
    }
    // a compiler is a process of its own: its time is not in ours
    const double waited = made->clock.times.compiling - made->native.compile_seconds;
    made->clock.times.setup = carom_clock_processor() - start + (waited > 0 ? waited : 0);
    *sim = made;
    return CAROM_OK;
}

void carom_sim_free(carom_sim *sim)
{
    if (!sim) return;
    carom_tangent_free(sim->until.tangent);
    // a scheme that was not prepared has nothing to release
    if (sim->scheme && sim->scheme->release && sim->s.self) sim->scheme->release(&sim->s);
    carom_contacts_free(sim->s.contacts);
    carom_contact_saver_free(sim->choice.saver);
    carom_plan_free(sim->s.plan);
    carom_team_free(sim->choice.team);
    carom_model_free((carom_model *)(uintptr_t)sim->model);
    carom_arena_free(sim->arena);
}
