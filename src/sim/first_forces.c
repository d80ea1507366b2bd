// SPDX-License-Identifier: Apache-2.0
// Forces at the start, for the first row of schemes that know forces but only at the ends of steps.
// Contacts that are closed and stay so, and constraints, obey on acceleration level
//
//     a = M^-1 (f + W' la),   xi = W a + curvature
//     constraint  xi = 0      normal  0 <= xi _|_ la >= 0      tangents  friction against xi
//
// the contact problem of a step without restitution, with accelerations in the place of velocities.
// What slides has friction against its slip, not against xi: the offset of its tangents is chosen
// so that xi points along the slip, which takes a few passes. Where a contact is closing there is
// an impact at the start, and no force. The motion is not touched: all memory here is its own.
#include "dynamics/active.h"
#include "dynamics/assembly.h"
#include "dynamics/contact_blocks.h"
#include "dynamics/law.h"
#include "model/laws/coefficients.h"
#include "model/model.h"
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MASK = CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS | CAROM_CURVATURE,
    MOST_PASSES = 20
};
static const double SETTLED = 1e-12; // change of the accelerations of slips
static const double AHEAD = 10;      // how far the slip's direction goes before its acceleration

typedef struct start_forces {
    carom_step s;
    carom_eval *ev;
    carom_eval rate; // with its own w0
    double *a, *zero, *gamma, *offset, *slip, *la;
    unsigned char *is_active;
    bool has_impact, is_any, has_slip;
    carom_arena *arena;
} start_forces;

// what rounding leaves of row r times x, and of what is added to it
static double rounding(const carom_sparse *W, int r, const double *x, double added)
{
    double sum = fabs(added);
    for (int k = W->start[r]; k < W->start[r + 1]; k++) sum += fabs(W->value[k] * x[W->index[k]]);
    return 64 * DBL_EPSILON * sum;
}

// what rounding of the positions leaves of the gap of row r
static double rounding_of_gap(const carom_model *model, const carom_sparse *W, int r,
                              const double *q)
{
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++)
        sum += fabs(W->value[k]) * carom_model_size_along(model, q, W->index[k]);
    return 64 * DBL_EPSILON * sum;
}

static bool take_memory(carom_sim *sim, start_forces *f)
{
    const carom_sizes *n = &sim->size;
    carom_arena *arena = f->arena;
    bool is_made = (f->a = CAROM_TAKE(arena, double, n->nu)) != NULL;
    is_made &= (f->zero = CAROM_TAKE(arena, double, n->nu)) != NULL;
    is_made &= (f->gamma = CAROM_TAKE(arena, double, n->n_row)) != NULL;
    is_made &= (f->offset = CAROM_TAKE(arena, double, n->n_row)) != NULL;
    is_made &= (f->slip = CAROM_TAKE(arena, double, n->n_row)) != NULL;
    is_made &= (f->la = CAROM_TAKE(arena, double, n->n_row)) != NULL;
    is_made &= (f->is_active = CAROM_TAKE(arena, unsigned char, n->n_contact + 1)) != NULL;
    is_made &= (f->s.report.rate_before = CAROM_TAKE(arena, double, 2 * n->n_row)) != NULL;
    if (is_made) f->s.report.rate_after = f->s.report.rate_before + n->n_row;
    return is_made && (f->ev = carom_plan_eval(f->s.plan)) != NULL;
}

// the direction of a slip, 0 where the contact sticks or has no friction
static void find_slip(start_forces *f, const carom_state *now, const carom_contact_facts *facts)
{
    const carom_sparse *W = &f->ev->rows.W;
    const int r = facts->row;
    double noise = 0, length = 0;
    for (int k = 1; k <= facts->n_slip; k++) {
        length = hypot(length, f->gamma[r + k]);
        noise += rounding(W, r + k, now->u, f->ev->rows.w0[r + k]);
    }
    if (length <= noise) return;
    for (int k = 1; k <= facts->n_slip; k++) f->slip[r + k] = f->gamma[r + k] / length;
    f->has_slip = true;
}

// contacts that are closed and stay so
static void choose_contacts(start_forces *f, const carom_state *now)
{
    const carom_eval *ev = f->ev;
    carom_dynamics_rates(ev, now->u, f->gamma);
    f->is_any = carom_active_always(&f->s.size);
    for (int c = 0; c < f->s.size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(f->s.plan, c);
        const int r = facts->row;
        if (carom_law_is_disc(facts)) find_slip(f, now, facts);
        if (!(ev->gaps.value[c] <= rounding_of_gap(ev->model, &ev->rows.W, r, now->q))) continue;
        const double slow = rounding(&ev->rows.W, r, now->u, ev->rows.w0[r]);
        f->has_impact |= f->gamma[r] < -slow;
        f->is_active[c] = fabs(f->gamma[r]) <= slow;
        f->is_any |= f->is_active[c];
        if (!f->is_active[c]) continue;
        find_slip(f, now, facts);
        if (facts->varies && (facts->n_slip == 0 || f->slip[r + 1] == 0) &&
            (facts->n_slip < 2 || f->slip[r + 2] == 0))
            carom_plan_grip(f->s.plan, c);
    }
}

// acceleration of row r at constant direction, and the size of its terms
static double row_acceleration(const start_forces *f, int r, double *size)
{
    const carom_sparse *W = &f->ev->rows.W;
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++) {
        sum += W->value[k] * f->a[W->index[k]];
        *size += fabs(W->value[k] * f->a[W->index[k]]);
    }
    return sum;
}

// offsets from the accelerations last found; returns how far these have moved since, relative
static double aim_offsets(start_forces *f)
{
    double moved = 0, xi[3];
    for (int c = 0; c < f->s.size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(f->s.plan, c);
        const int r = facts->row;
        double size = 0, length = 0;
        for (int k = 1; k <= facts->n_slip; k++) {
            xi[k] = row_acceleration(f, r + k, &size);
            length += fabs(f->slip[r + k]);
        }
        if (length == 0) continue;
        if (size == 0) size = 1;
        for (int k = 1; k <= facts->n_slip; k++) {
            const double aimed = AHEAD * size * f->slip[r + k] - xi[k];
            moved = fmax(moved, fabs(aimed - f->offset[r + k]) / size);
            f->offset[r + k] = aimed;
        }
    }
    return moved;
}

static carom_status solve_start(start_forces *f)
{
    const carom_contact_terms terms = {.rate = &f->rate,
                                       .push = f->ev,
                                       .mass = f->ev,
                                       .u_minus = f->zero,
                                       .is_active = f->is_active,
                                       .without_restitution = true,
                                       .span = 1};
    const int nu = f->s.size.nu;
    for (int r = 0; r < f->s.size.n_row; r++) f->offset[r] = f->ev->rows.curvature[r];
    memcpy(f->a, f->ev->f, sizeof(double) * (size_t)nu);
    carom_mass_solve(f->ev->mass, f->a);
    double moved = f->has_slip ? aim_offsets(f) : 0;
    for (int pass = 0; pass == 0 || (pass < MOST_PASSES && moved > SETTLED); pass++) {
        memcpy(f->a, f->ev->f, sizeof(double) * (size_t)nu);
        carom_mass_solve(f->ev->mass, f->a);
        carom_dynamics_clear_report(&f->s);
        CAROM_TRY(carom_dynamics_contact(&f->s, &terms, f->la, f->a));
        moved = f->has_slip ? aim_offsets(f) : 0;
    }
    return CAROM_OK;
}

static carom_status find_forces(carom_sim *sim, start_forces *f, carom_error *error)
{
    const carom_point at = {.t = sim->now.t, .q = sim->now.q, .u = sim->now.u};
    if (!take_memory(sim, f)) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    // a row that cannot be evaluated fails by itself, with its reason
    if (carom_model_eval(f->s.plan, &at, MASK, f->ev, NULL) != CAROM_OK) return CAROM_OK;
    if (f->s.plan->coefficients) {
        carom_dynamics_rates(f->ev, sim->now.u, f->gamma);
        carom_plan_take_law_rates(f->s.plan, f->gamma);
        CAROM_TRY(carom_plan_find_coefficients(f->s.plan, at.t, at.q, error));
    }
    choose_contacts(f, &sim->now);
    if (!f->is_any || f->has_impact) return CAROM_OK;
    f->rate = *f->ev;
    f->rate.rows.w0 = f->offset;
    const carom_status status = solve_start(f);
    if (status == CAROM_NO_MEMORY) return status;
    if (status != CAROM_OK || !f->s.report.is_converged) return CAROM_OK;
    memcpy(sim->rows.first_la, f->la, sizeof(double) * (size_t)sim->size.n_row);
    sim->rows.has_first_la = true;
    return CAROM_OK;
}

carom_status carom_sim_find_first_forces(carom_sim *sim, carom_error *error)
{
    const unsigned mask = MASK;
    carom_error ignored = {0};
    start_forces f = {.s = {.model = sim->model, .size = sim->size, .error = &ignored}};
    if (!(sim->scheme->separates_impact || sim->model->felt.has_forces) || !sim->rows.needs_start ||
        sim->size.n_row == 0 || sim->rows.has_first_la)
        return CAROM_OK;
    f.arena = carom_arena_new();
    if (!f.arena) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    carom_status status = carom_plan_new(sim->model, &mask, 1, &f.s.plan, error);
    if (status == CAROM_OK) {
        carom_plan_set_like(f.s.plan, sim->s.plan);
        status = carom_contacts_new(sim->model, sim->choice.solver, NULL, 0, &f.s.contacts, error);
    }
    if (status == CAROM_OK) {
        carom_contacts_follow(f.s.contacts, f.s.plan);
        carom_contacts_limit(f.s.contacts, sim->s.contacts->entry.bytes);
        status = find_forces(sim, &f, error);
    }
    carom_contacts_free(f.s.contacts);
    carom_plan_free(f.s.plan);
    carom_arena_free(f.arena);
    return status;
}
