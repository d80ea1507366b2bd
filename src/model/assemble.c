// SPDX-License-Identifier: Apache-2.0
// The passes of assemble.h. One that brings c down is taken, one that does not is tried again with
// a larger shift. Whether a loop is closed is judged by the rounding of what its constraint is made
// of; where it cannot close, the message names what is left.
#include "model/assemble.h"

#include "math/blockmass.h"
#include "math/vector.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PASSES = 300, MOST_RATE_PASSES = 6, MOST_NAMED = 4 };
static const double LEAST_SHIFT = 1e-9, MOST_SHIFT = 1e9;
static const double SLOW = 0.25;      // of the last c: the shift grows
static const double ROUNDING = 1e-15; // of what a constraint is made of: closed, and no better

struct carom_assembler {
    carom_plan *plan;
    carom_eval *ev;
    unsigned mask;
    const unsigned char *is_kept; // (nu) or NULL
    carom_linear *linear;
    double *weight; // (n_constraint) D
    double *x;      // (nu + n_constraint) right side, then d and l
    double *tried;  // (nq)
    double *given;  // (nq + nu)
    double *c;      // (n_constraint) what is to be 0: values, or rates
};

carom_assembler *carom_assembler_new(carom_plan *plan, unsigned mask, const unsigned char *is_kept)
{
    const carom_model *model = plan->model;
    const carom_sizes *n = &model->size;
    const int rows = n->nu + n->n_constraint;
    carom_assembler *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    *a = (carom_assembler){.plan = plan, .mask = mask, .is_kept = is_kept};
    a->ev = carom_plan_eval(plan);
    a->weight = calloc((size_t)n->n_constraint + 1, sizeof(double));
    a->c = calloc((size_t)n->n_constraint + 1, sizeof(double));
    a->x = calloc((size_t)rows + 1, sizeof(double));
    a->tried = calloc((size_t)n->nq + 1, sizeof(double));
    a->given = calloc((size_t)(n->nq + n->nu) + 1, sizeof(double));
    const int entries = a->ev ? carom_mass_sparse(a->ev->mass).start[n->nu] +
                                    2 * a->ev->rows.W.start[n->n_row] + rows
                              : 0;
    if (a->ev && a->weight && a->c && a->x && a->tried && a->given &&
        carom_linear_new(rows, entries, &a->linear, NULL) == CAROM_OK)
        return a;
    carom_assembler_free(a);
    return NULL;
}

void carom_assembler_free(carom_assembler *a)
{
    if (!a) return;
    carom_linear_free(a->linear);
    free(a->weight);
    free(a->c);
    free(a->x);
    free(a->tried);
    free(a->given);
    free(a);
}

static bool is_kept(const carom_assembler *a, int i)
{
    return a->is_kept && a->is_kept[i];
}

// D, from the diagonal of M alone: it need not be exact
static void weigh_rows(carom_assembler *a)
{
    const carom_sparse *W = &a->ev->rows.W;
    for (int r = 0; r < a->plan->model->size.n_constraint; r++) {
        double sum = 0, all = 0;
        for (int k = W->start[r]; k < W->start[r + 1]; k++) {
            const int i = W->index[k];
            const double part = W->value[k] * W->value[k] / carom_mass_entry(a->ev->mass, i, i);
            all += part;
            if (!is_kept(a, i)) sum += part;
        }
        // a row of kept positions only has nothing to give, and must not spoil the matrix
        a->weight[r] = sum > 0 ? sum : all > 0 ? all : 1;
    }
}

static double sum_of_squares(const carom_assembler *a)
{
    double sum = 0;
    for (int r = 0; r < a->plan->model->size.n_constraint; r++)
        sum += a->c[r] * a->c[r] / a->weight[r];
    return isfinite(sum) ? sum : INFINITY;
}

static void put_matrix(carom_assembler *a, double shift)
{
    const int nu = a->plan->model->size.nu, m = a->plan->model->size.n_constraint;
    const carom_sparse M = carom_mass_sparse(a->ev->mass), *W = &a->ev->rows.W;
    carom_linear_clear(a->linear);
    for (int i = 0; i < nu; i++)
        for (int k = M.start[i]; k < M.start[i + 1]; k++)
            if (M.index[k] == i || (!is_kept(a, i) && !is_kept(a, M.index[k])))
                carom_linear_add_entry(a->linear, i, M.index[k], M.value[k]);
    for (int r = 0; r < m; r++) {
        for (int k = W->start[r]; k < W->start[r + 1]; k++) {
            const int i = W->index[k];
            if (is_kept(a, i)) continue;
            carom_linear_add_entry(a->linear, i, nu + r, -W->value[k]);
            carom_linear_add_entry(a->linear, nu + r, i, W->value[k]);
        }
        carom_linear_add_entry(a->linear, nu + r, nu + r, shift * a->weight[r]);
    }
}

// d into x
static bool find_step(carom_assembler *a, double shift)
{
    const int nu = a->plan->model->size.nu, m = a->plan->model->size.n_constraint;
    put_matrix(a, shift);
    if (carom_linear_factor(a->linear, NULL) != CAROM_OK) return false;
    memset(a->x, 0, sizeof(double) * (size_t)nu);
    for (int r = 0; r < m; r++) a->x[nu + r] = -a->c[r];
    carom_linear_solve(a->linear, a->x);
    for (int i = 0; i < nu; i++)
        if (!isfinite(a->x[i])) return false;
    return true;
}

static bool look_at_constraints(carom_assembler *a, const double *q, const double *u)
{
    const carom_point at = {.t = 0, .q = q, .u = u};
    if (carom_model_eval(a->plan, &at, a->mask, a->ev, NULL) != CAROM_OK) return false;
    const int m = a->plan->model->size.n_constraint;
    memcpy(a->c, a->ev->gaps.constraint, sizeof(double) * (size_t)m);
    return true;
}

// whether all constraints are 0 to a share of what they are made of
static bool are_closed(const carom_assembler *a, const double *q, double share)
{
    const carom_model *model = a->plan->model;
    const double largest = carom_vector_largest(q, model->size.nq);
    for (int r = 0; r < model->size.n_constraint; r++) {
        const double scale =
            carom_start_gap_scale(model, q, &a->ev->rows.W, r, largest > 0 ? largest : 1);
        if (!(fabs(a->c[r]) <= share * scale)) return false;
    }
    return true;
}

// one step with its shift; true where it was taken
static bool take_step(carom_assembler *a, double *q, const double *u, double *shift)
{
    const carom_model *model = a->plan->model;
    const double before = sum_of_squares(a);
    if (find_step(a, *shift)) {
        carom_model_move(model, q, a->x, 1, a->tried);
        const bool is_known = look_at_constraints(a, a->tried, u);
        const double after = is_known ? sum_of_squares(a) : INFINITY;
        if (after < before) {
            memcpy(q, a->tried, sizeof(double) * (size_t)model->size.nq);
            *shift = after > SLOW * before ? *shift * 10 : fmax(*shift / 100, LEAST_SHIFT);
            weigh_rows(a);
            return true;
        }
    }
    *shift *= 100;
    (void)look_at_constraints(a, q, u); // where it could be asked before
    return false;
}

bool carom_assembler_close(carom_assembler *a, double *q, const double *u, int *passes)
{
    double shift = LEAST_SHIFT;
    *passes = 0;
    if (!look_at_constraints(a, q, u)) return false;
    weigh_rows(a);
    while (*passes < MOST_PASSES && !are_closed(a, q, ROUNDING) && shift <= MOST_SHIFT) {
        const bool was_closed = are_closed(a, q, 1e3 * ROUNDING);
        const bool is_taken = take_step(a, q, u, &shift);
        ++*passes;
        if (was_closed && !is_taken) break;
    }
    return are_closed(a, q, CAROM_CONSISTENT);
}

static void find_rates(carom_assembler *a, const double *u)
{
    const carom_sparse *W = &a->ev->rows.W;
    for (int r = 0; r < a->plan->model->size.n_constraint; r++) {
        a->c[r] = a->ev->rows.w0[r];
        for (int k = W->start[r]; k < W->start[r + 1]; k++) a->c[r] += W->value[k] * u[W->index[k]];
    }
}

static bool rates_are_kept(const carom_assembler *a, const double *u)
{
    const carom_sparse *W = &a->ev->rows.W;
    const double typical = carom_vector_largest(u, a->plan->model->size.nu);
    for (int r = 0; r < a->plan->model->size.n_constraint; r++) {
        const double scale = fabs(a->ev->rows.w0[r]) + carom_start_rate_scale(W, r, u, typical);
        if (!(fabs(a->c[r]) <= CAROM_CONSISTENT * scale)) return false;
    }
    return true;
}

bool carom_assembler_follow(carom_assembler *a, const double *q, double *u)
{
    if (!look_at_constraints(a, q, u)) return false;
    weigh_rows(a);
    find_rates(a, u);
    double before = sum_of_squares(a);
    for (int pass = 0; pass < MOST_RATE_PASSES && before > 0; pass++) {
        if (!find_step(a, LEAST_SHIFT)) return false;
        for (int i = 0; i < a->plan->model->size.nu; i++) u[i] += a->x[i];
        find_rates(a, u);
        const double after = sum_of_squares(a);
        if (!(after < SLOW * before)) break;
        before = after;
    }
    return rates_are_kept(a, u);
}

// ---- what it came to ----

// "'pin.x' is 0.1, 'pin.y' is -0.02": the rows that are left, the largest first
static void name_rows(const carom_assembler *a, char *text, size_t room)
{
    const carom_model *model = a->plan->model;
    double last = INFINITY, first = 0;
    size_t used = 0;
    text[0] = 0;
    for (int n = 0; n < MOST_NAMED && used < room; n++) {
        int worst = -1;
        double size = 0;
        for (int r = 0; r < model->size.n_constraint; r++) {
            const double here = fabs(a->c[r]) / sqrt(a->weight[r]);
            if (here > size && here < last) worst = r, size = here;
        }
        if (n == 0) first = size;
        if (worst < 0 || size < 1e-3 * first) return;
        used += (size_t)snprintf(text + used, room - used, "%s'%s' is %.6g", n ? ", " : "",
                                 model->names.constraint[worst], a->c[worst]);
        last = size;
    }
}

static carom_status refuse_start(const carom_assembler *a, const char *what, const char *remedy,
                                 carom_error *error)
{
    const carom_model *model = a->plan->model;
    char left[400], kept[160] = "";
    int first = -1, n = 0;
    for (int i = 0; a->is_kept && i < model->size.nu; i++)
        if (a->is_kept[i] && n++ == 0) first = i;
    if (n > 0)
        snprintf(kept, sizeof kept, ", keep less ('%s'%s)", carom_model_moved_name(model, first),
                 n > 1 ? " and others are kept" : " is kept");
    name_rows(a, left, sizeof left);
    int r = 0;
    for (int k = 1; k < model->size.n_constraint; k++)
        if (fabs(a->c[k]) / sqrt(a->weight[k]) > fabs(a->c[r]) / sqrt(a->weight[r])) r = k;
    return carom_fail_at(error, model->places.constraint[r], CAROM_BAD_INPUT,
                         "%s: at best %s (%s%s)", what, left, remedy, kept);
}

// the largest entry and its name
static void note_largest(const carom_model *model, const double *x, bool is_rate, double *size,
                         const char **name)
{
    *size = 0;
    *name = "";
    for (int i = 0; i < model->size.nu; i++)
        if (fabs(x[i]) > *size) {
            *size = fabs(x[i]);
            *name = is_rate ? model->names.velocity[i] : carom_model_moved_name(model, i);
        }
}

carom_status carom_assemble(carom_assembler *a, double *q, double *u, carom_assembled *assembled,
                            carom_error *error)
{
    const carom_model *model = a->plan->model;
    const int nq = model->size.nq, nu = model->size.nu;
    const unsigned what = model->assembly.what;
    *assembled = (carom_assembled){.moved = "", .changed = ""};
    memcpy(a->given, q, sizeof(double) * (size_t)nq);
    memcpy(a->given + nq, u, sizeof(double) * (size_t)nu);
    if (what & CAROM_ASSEMBLE_POSITIONS) {
        assembled->positions = true;
        if (!carom_assembler_close(a, q, u, &assembled->passes))
            return refuse_start(a, "the loops cannot be closed from the start that is given",
                                "change lengths, or start nearer", error);
        carom_model_difference(model, a->given, q, a->x);
        note_largest(model, a->x, false, &assembled->move, &assembled->moved);
    }
    if (what & CAROM_ASSEMBLE_VELOCITIES) {
        assembled->velocities = true;
        if (!carom_assembler_follow(a, q, u))
            return refuse_start(a, "no velocities are found that keep the rates of the constraints",
                                "change the rates that are given", error);
        for (int i = 0; i < nu; i++) a->x[i] = u[i] - a->given[nq + i];
        note_largest(model, a->x, true, &assembled->change, &assembled->changed);
    }
    return CAROM_OK;
}
