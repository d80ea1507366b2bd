// SPDX-License-Identifier: Apache-2.0
// The interface for schemes carries an implicit method with contact inside Newton: ggl_unified
// (end-point rows), written here with the public headers only and given to the simulation as a
// scheme of the caller's.
//
//     q+ = q + h u_m + W(q_m)' psi                        u_m, q_m: means of both ends
//     M(q_e) (u+ - u) = h f(q_m, u_m) + W(q_m)' P         q_e = q + h/2 u
//     0 <= W(q+) u+ + e W(q) u _|_ P >= 0                 on the contacts with g(q_e) <= 0
//     0 <= g(q+) _|_ psi >= 0                             or g(q+) < 0
//
// Compared with the rows of an independent implementation (e = 0.4, h = 1e-4).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/carom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = CAROM_MASS | CAROM_GAPS, START = CAROM_ROWS };
enum { MIDDLE = CAROM_FORCES | CAROM_ROWS | CAROM_D_FORCES | CAROM_D_ROWS, PSI = CAROM_D_ROWS };
enum { END = CAROM_GAPS | CAROM_ROWS | CAROM_D_ROWS, MOST_PASSES = 60 };

typedef struct ggl {
    carom_linear *J;
    double *q_m, *u_m, *gamma_minus, *P, *psi, *x;
    int *active;
    int n_active;
} ggl;

static int n_memory(const carom_model *model)
{
    (void)model;
    return 0;
}

static carom_status prepare(carom_step *s)
{
    ggl *g = calloc(1, sizeof *g);
    const int n = s->size.nu, rows = s->size.n_row, all = 2 * n + 2 * s->size.n_contact;
    g->q_m = calloc((size_t)n, sizeof(double));
    g->u_m = calloc((size_t)n, sizeof(double));
    g->gamma_minus = calloc((size_t)rows, sizeof(double));
    g->P = calloc((size_t)rows, sizeof(double));
    g->psi = calloc((size_t)rows, sizeof(double));
    g->x = calloc((size_t)all, sizeof(double));
    g->active = calloc((size_t)s->size.n_contact, sizeof(int));
    s->self = g;
    return CAROM_OK;
}

static void release(carom_step *s)
{
    ggl *g = s->self;
    free(g->q_m);
    free(g->u_m);
    free(g->gamma_minus);
    free(g->P);
    free(g->psi);
    free(g->x);
    free(g->active);
    free(g);
}

static double row_times(const carom_sparse *W, int r, const double *x)
{
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++) sum += W->value[k] * x[W->index[k]];
    return sum;
}

static carom_status evaluate(carom_step *s, const carom_state *now, const carom_state *next)
{
    ggl *g = s->self;
    for (int i = 0; i < s->size.nu; i++) {
        g->q_m[i] = 0.5 * (now->q[i] + next->q[i]);
        g->u_m[i] = 0.5 * (now->u[i] + next->u[i]);
    }
    const double t_m = now->t + 0.5 * s->h;
    const carom_point mid = {.t = t_m, .q = g->q_m, .u = g->u_m, .P = g->P};
    const carom_point mid_psi = {.t = t_m, .q = g->q_m, .u = g->u_m, .P = g->psi};
    const carom_point end = {.t = now->t + s->h, .q = next->q, .u = next->u, .P = g->P};
    CAROM_TRY(carom_model_eval(s->plan, &mid, MIDDLE, s->ev[1], s->error));
    CAROM_TRY(carom_model_eval(s->plan, &mid_psi, PSI, s->ev[2], s->error));
    return carom_model_eval(s->plan, &end, END, s->ev[3], s->error);
}

// row r of W into row or column `line` of the matrix, from `first` on
static void put_row(carom_linear *J, int line, int first, const carom_sparse *W, int r)
{
    for (int k = W->start[r]; k < W->start[r + 1]; k++)
        carom_linear_add_entry(J, line, first + W->index[k], W->value[k]);
}

static void put_push(carom_linear *J, int first, int line, const carom_sparse *W, int r)
{
    for (int k = W->start[r]; k < W->start[r + 1]; k++)
        carom_linear_add_entry(J, first + W->index[k], line, -W->value[k]);
}

// the contact rows: equality where the prox argument is positive, else the multiplier is zero
static void put_contacts(carom_step *s, const ggl *g, carom_linear *J, double *x)
{
    const int n = s->size.nu;
    const carom_eval *end = s->ev[3];
    for (int k = 0; k < g->n_active; k++) {
        const carom_contact_facts *facts = carom_model_contact(s->model, g->active[k]);
        const int r = facts->row, row_P = 2 * n + k, row_psi = 2 * n + g->n_active + k;
        put_push(J, n, row_P, &s->ev[1]->rows.W, r);
        put_push(J, 0, row_psi, &s->ev[1]->rows.W, r);
        const double xi = x[row_P], gap = end->gaps.value[g->active[k]];
        // r = 1 kg and 1: only the sign of the prox argument matters
        if (g->P[r] - 0.1 * xi > 0) {
            put_row(J, row_P, n, &end->rows.W, r);
            const carom_sparse *d = &end->derivatives.dgamma_dq;
            for (int e = d->start[r]; e < d->start[r + 1]; e++)
                carom_linear_add_entry(J, row_P, d->index[e], d->value[e]);
        } else {
            carom_linear_add_entry(J, row_P, row_P, 1);
            x[row_P] = g->P[r];
        }
        if (g->psi[r] - gap > 0) {
            put_row(J, row_psi, 0, &end->rows.W, r);
            x[row_psi] = gap;
        } else {
            carom_linear_add_entry(J, row_psi, row_psi, 1);
            x[row_psi] = g->psi[r];
        }
    }
}

static void residual(carom_step *s, const ggl *g, const carom_state *now, const carom_state *next,
                     double *x)
{
    const int n = s->size.nu;
    for (int i = 0; i < n; i++) g->u_m[i] = next->u[i] - now->u[i];
    carom_mass_times(s->ev[0]->mass, g->u_m, x + n);
    for (int i = 0; i < n; i++) {
        g->u_m[i] = 0.5 * (now->u[i] + next->u[i]);
        x[i] = -(next->q[i] - now->q[i] - s->h * g->u_m[i]);
        x[n + i] = -(x[n + i] - s->h * s->ev[1]->f[i]);
    }
    carom_dynamics_push(s->ev[1], g->psi, x);
    carom_dynamics_push(s->ev[1], g->P, x + n);
    for (int i = 0; i < 2 * n; i++) x[i] = -x[i];
    for (int k = 0; k < g->n_active; k++) {
        const carom_contact_facts *facts = carom_model_contact(s->model, g->active[k]);
        x[2 * n + k] = row_times(&s->ev[3]->rows.W, facts->row, next->u) +
                       facts->e * g->gamma_minus[facts->row];
    }
}

static carom_status newton_pass(carom_step *s, const carom_state *now, carom_state *next,
                                double *change)
{
    ggl *g = s->self;
    const int n = s->size.nu, all = 2 * n + 2 * g->n_active;
    CAROM_TRY(evaluate(s, now, next));
    residual(s, g, now, next, g->x);
    carom_linear *J;
    CAROM_TRY(carom_linear_new(all, all * all, &J, s->error));
    for (int i = 0; i < n; i++) {
        carom_linear_add_entry(J, i, i, 1);
        carom_linear_add_entry(J, i, n + i, -0.5 * s->h);
    }
    carom_linear_add(J, 0, 0, &s->ev[2]->derivatives.dWP_dq, -0.5, false);
    carom_linear_add(J, n, 0, &s->ev[1]->derivatives.df_dq, -0.5 * s->h, false);
    carom_linear_add(J, n, 0, &s->ev[1]->derivatives.dWP_dq, -0.5, false);
    carom_linear_add_mass(J, n, n, s->ev[0]->mass, 1);
    carom_linear_add(J, n, n, &s->ev[1]->derivatives.df_du, -0.5 * s->h, false);
    put_contacts(s, g, J, g->x);
    const carom_status status = carom_linear_factor(J, s->error);
    if (status == CAROM_OK) carom_linear_solve(J, g->x);
    carom_linear_free(J);
    CAROM_TRY(status);
    *change = 0;
    for (int i = 0; i < n; i++) {
        next->q[i] -= g->x[i];
        next->u[i] -= g->x[n + i];
        *change = fmax(*change, fmax(fabs(g->x[i]), 0.01 * fabs(g->x[n + i])));
    }
    for (int k = 0; k < g->n_active; k++) {
        const int r = carom_model_contact(s->model, g->active[k])->row;
        g->P[r] -= g->x[2 * n + k];
        g->psi[r] -= g->x[2 * n + g->n_active + k];
    }
    return CAROM_OK;
}

static carom_status solve(carom_step *s, const carom_state *now, carom_state *next)
{
    ggl *g = s->self;
    const size_t rows = sizeof(double) * (size_t)s->size.n_row;
    carom_model_move(s->model, now->q, now->u, s->h, next->q);
    memcpy(next->u, now->u, sizeof(double) * (size_t)s->size.nu);
    memset(g->P, 0, rows);
    memset(g->psi, 0, rows);
    double change = INFINITY;
    for (int k = 0; k < MOST_PASSES && change > 1e-12; k++)
        CAROM_TRY(newton_pass(s, now, next, &change));
    s->report.is_converged = change <= 1e-12;
    const carom_point end = {.t = now->t + s->h, .q = next->q, .u = next->u, .P = g->P};
    return carom_model_eval(s->plan, &end, END, s->ev[3], s->error);
}

static carom_status step(carom_step *s, const carom_state *now, carom_state *next)
{
    ggl *g = s->self;
    const carom_point start = {.t = now->t, .q = now->q, .u = now->u};
    CAROM_TRY(carom_model_eval(s->plan, &start, START, s->ev[1], s->error));
    carom_dynamics_rates(s->ev[1], now->u, g->gamma_minus);
    carom_model_move(s->model, now->q, now->u, 0.5 * s->h, g->q_m);
    const carom_point predicted = {.t = now->t + 0.5 * s->h, .q = g->q_m, .u = now->u};
    CAROM_TRY(carom_model_eval(s->plan, &predicted, FIRST, s->ev[0], s->error));
    for (int c = 0; c < s->size.n_contact; c++) next->is_active[c] = s->ev[0]->gaps.value[c] <= 0;
    bool is_settled = false;
    while (!is_settled) {
        g->n_active = 0;
        for (int c = 0; c < s->size.n_contact; c++)
            if (next->is_active[c]) g->active[g->n_active++] = c;
        CAROM_TRY(solve(s, now, next));
        is_settled = true;
        for (int c = 0; c < s->size.n_contact; c++)
            if (!next->is_active[c] && s->ev[3]->gaps.value[c] < 0) {
                next->is_active[c] = 1;
                is_settled = false;
            }
    }
    memcpy(next->P, g->P, sizeof(double) * (size_t)s->size.n_row);
    next->t = now->t + s->h;
    return CAROM_OK;
}

static const unsigned masks[] = {FIRST, START, MIDDLE, PSI, END, 0};
static const carom_scheme ggl_unified = {.name = "ggl_unified_outside",
                                         .about = "spike",
                                         .order_free = 2,
                                         .order_contact = 1,
                                         .has_contact = true,
                                         .is_implicit = true,
                                         .mask = masks,
                                         .n_eval = 4,
                                         .memory = {.n = n_memory},
                                         .prepare = prepare,
                                         .release = release,
                                         .step = step};

typedef struct reference {
    double t, q[2], u[2], energy;
    int impacts;
} reference;
static const reference rows[] = {
#include "ggl_unified_rows.h"
};

static void an_implicit_scheme_from_outside_matches_an_independent_implementation(void **unused)
{
    (void)unused;
    carom_error error = {0};
    carom_modelfile *file;
    carom_model *model;
    carom_sim *sim;
    assert_int_equal(
        carom_modelfile_read(CAROM_SOURCE_DIR "/models/slider-crank.yaml", &file, &error),
        CAROM_OK);
    carom_builder *builder = carom_modelfile_builder(file);
    assert_int_equal(
        carom_builder_set(builder, (carom_text){.text = "mu"}, (carom_text){.text = "0"}, &error),
        CAROM_OK);
    assert_int_equal(carom_builder_finish(builder, &model, &error), CAROM_OK);
    carom_sim_options options = carom_sim_default();
    options.own_scheme = &ggl_unified;
    options.step = 1e-4;
    options.end = 0.2;
    assert_int_equal(carom_sim_new(model, &options, &sim, &error), CAROM_OK);
    size_t next = 0;
    while (!carom_sim_is_done(sim)) {
        if (carom_sim_step(sim, &error) != CAROM_OK) fail_msg("%s", error.message);
        const carom_state *state = carom_sim_state(sim);
        if (next == sizeof rows / sizeof *rows || fabs(state->t - rows[next].t) > 1e-9) continue;
        for (int i = 0; i < 2; i++) {
            assert_true(fabs(state->q[i] - rows[next].q[i]) <= 1e-10);
            assert_true(fabs(state->u[i] - rows[next].u[i]) <= 1e-8);
        }
        assert_int_equal(carom_sim_counts(sim).impact_steps, rows[next].impacts);
        next++;
    }
    assert_int_equal(next, sizeof rows / sizeof *rows);
    carom_audit audit;
    assert_int_equal(carom_sim_audit(sim, &audit, NULL, &error), CAROM_OK);
    assert_true(audit.min_gap >= -5e-15);
    assert_int_equal(carom_sim_counts(sim).unconverged, 0);
    carom_sim_free(sim);
    carom_model_free(model);
    carom_modelfile_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_implicit_scheme_from_outside_matches_an_independent_implementation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
