// SPDX-License-Identifier: Apache-2.0
// Models given by the caller's functions at work. What the caller does not give comes from central
// differences with steps of eps^(1/3) of a coordinate's size, which is right to about ten digits:
//
//     df/dq, df/du, d(M a)/dq, d(W'P)/dq, d(W u + w0)/dq, curvature along q (+) s u
//
// What is constant is asked for once by each evaluation (carom_full_eval.has_written).
#include "model/callbacks.h"

#include "base/need.h"
#include "math/blockmass.h"
#include "math/sparse/colouring.h"
#include "math/sparse/pattern.h"
#include "math/vector.h"
#include "model/plan.h"
#include "model/slots/slots.h"

#include <math.h>
#include <string.h>

// columns of a derivative of forces that are found together
typedef struct groups {
    int n, *of; // (nu) group of each column
} groups;

// scratch of a plan
typedef struct scratch {
    void *user;           // what the caller's functions are given
    double *q, *u;        // (nq), (n) a shifted point
    double *along, *size; // (n) a direction; how large positions are along each
    double *plus, *minus; // (max(n, n_row)) values there
    double *M;            // values of the mass elsewhere
    double *W, *w0;       // rows elsewhere
    int *start, *index;   // their pattern, where it changes
    double *x;            // (n)
    bool has_M;           // M is that of a constant mass
    groups by_q, by_u;    // where the derivatives of forces have patterns and are not given
} scratch;

static int n_entry(const carom_pattern *pattern)
{
    return pattern->start[pattern->n_row];
}

static carom_status group(carom_plan *plan, const carom_pattern *pattern, groups *g,
                          carom_error *error)
{
    g->of = CAROM_TAKE(plan->arena, int, pattern->n_column);
    g->n = g->of ? carom_pattern_colour(pattern->n_row, pattern->n_column, pattern->start,
                                        pattern->index, g->of)
                 : -1;
    if (g->n < 0)
        return carom_fail(error, CAROM_NO_MEMORY, "not enough memory to evaluate the model");
    if (g->n <= CAROM_MOST_DIFFERENCES) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "finite differences of the forces would take %d evaluations, more than %d; "
                      "give d_forces",
                      2 * g->n, 2 * CAROM_MOST_DIFFERENCES);
}

// patterns of large models whose entries are not given
static carom_status group_columns(carom_plan *plan, scratch *w, carom_error *error)
{
    const carom_callbacks *call = plan->model->self;
    bool is_asked = false;
    for (int i = 0; i < plan->n_mask; i++)
        is_asked |= (plan->question[i].mask & CAROM_D_FORCES) != 0;
    if (!is_asked || call->d_forces || !call->derivatives.df_dq_start) return CAROM_OK;
    CAROM_TRY(group(plan, &plan->model->layout.df_dq, &w->by_q, error));
    return group(plan, &plan->model->layout.df_du, &w->by_u, error);
}

// what the caller has said to depend on nothing
static unsigned constant_answers(const carom_callbacks *call)
{
    return (call->mass_is_constant ? CAROM_MASS | CAROM_D_MASS : 0) |
           (call->derivatives.forces_are_constant ? CAROM_D_FORCES : 0) |
           (call->derivatives.rows_are_constant ? CAROM_ROWS | CAROM_D_ROWS | CAROM_CURVATURE : 0);
}

// whether the caller has said that forces do not depend on velocities (df/du has a pattern without
// entries), and the mask asks for nothing else that does
static bool is_of_positions(const carom_model *model, unsigned mask)
{
    const carom_callbacks *call = model->self;
    const unsigned still = CAROM_MASS | CAROM_FORCES | CAROM_ACCELERATION | CAROM_GAPS | CAROM_ROWS;
    return !(mask & ~still) && call->derivatives.df_du_start &&
           n_entry(&model->layout.df_du) == 0 && model->n_plain >= 0;
}

static carom_status prepare(carom_plan *plan, carom_error *error)
{
    const carom_model *model = plan->model;
    const int n = model->size.nu, rows = model->size.n_row, most = n > rows ? n : rows;
    carom_arena *arena = plan->arena;
    scratch *w = CAROM_TAKE(arena, scratch, 1);
    plan->self = w;
    if (w) {
        w->q = CAROM_TAKE(arena, double, model->size.nq);
        w->along = CAROM_TAKE(arena, double, n);
        w->size = CAROM_TAKE(arena, double, n);
        w->u = CAROM_TAKE(arena, double, n);
        w->plus = CAROM_TAKE(arena, double, most);
        w->minus = CAROM_TAKE(arena, double, most);
        w->M = CAROM_TAKE(arena, double, n_entry(&model->layout.mass));
        w->W = CAROM_TAKE(arena, double, n_entry(&model->layout.W));
        w->w0 = CAROM_TAKE(arena, double, rows);
        w->start = CAROM_TAKE(arena, int, rows + 1);
        w->index = CAROM_TAKE(arena, int, n_entry(&model->layout.W));
        w->x = CAROM_TAKE(arena, double, n);
    }
    if (!w || !w->q || !w->u || !w->plus || !w->minus || !w->M || !w->W || !w->w0 || !w->start ||
        !w->index || !w->x || !w->along || !w->size)
        return carom_fail(error, CAROM_NO_MEMORY, "not enough memory to evaluate the model");
    const carom_callbacks *call = model->self;
    for (int i = 0; i < plan->n_mask; i++) {
        carom_question *ask = &plan->question[i];
        ask->needs_t = ask->uses_t = true;
        ask->is_constant = !(ask->mask & ~constant_answers(call));
        ask->is_still = is_of_positions(model, ask->mask);
        ask->can_keep = ask->is_kept && ask->is_still && !call->changing.refresh;
    }
    CAROM_TRY(group_columns(plan, w, error));
    w->user = call->changing.open ? call->changing.open(call->user) : call->user;
    if (call->changing.open && !w->user)
        return carom_fail(error, CAROM_NO_MEMORY,
                          "the model has no memory for another plan (open)");
    return CAROM_OK;
}

static void release(carom_plan *plan)
{
    const carom_callbacks *call = plan->model->self;
    scratch *w = plan->self;
    if (w && w->user && call->changing.close) call->changing.close(w->user);
    if (w) w->user = NULL;
}

static void no_constants(const carom_plan *plan, carom_eval *eval)
{
    (void)plan;
    (void)eval;
}

static void no_blame(const carom_plan *plan, const carom_point *at, int i_mask, char *buffer,
                     size_t room)
{
    (void)plan;
    (void)at;
    (void)i_mask;
    (void)room;
    buffer[0] = 0;
}

static void keep(carom_model *model)
{
    (void)model; // everything is in the model's arena
}

// one evaluation at work
typedef struct work {
    const carom_callbacks *call;
    const carom_layout *layout;
    scratch *w;
    const carom_point *at;
    carom_eval *ev;
    int n, n_row;
    bool is_stopped; // a function of the caller asked for it
    bool is_wrong;   // sparse_rows has written what is no pattern
} work;

static void rows_at(work *k, const double *q, carom_sparse *W, double *w0, int *start, int *index)
{
    if (k->n_row == 0) return;
    if (!k->call->sparse_rows) {
        k->is_stopped |= k->call->rows(k->w->user, k->at->t, q, W->value, w0) != 0;
        return;
    }
    const carom_row_lists lists = {start, index, W->value, w0};
    const carom_pattern_shape shape = {k->n_row, k->n, k->call->max_entries, false};
    k->is_stopped |= k->call->sparse_rows(k->w->user, k->at->t, q, &lists) != 0;
    if (carom_pattern_fault(shape, start, index) < 0) return;
    k->is_wrong = true;
    memset(start, 0, sizeof(int) * (size_t)(k->n_row + 1)); // rows that can be walked until then
}

static void forces_at(work *k, const double *q, const double *u, double *f)
{
    k->is_stopped |= k->call->forces(k->w->user, k->at->t, q, u, f) != 0;
}

static void mass_at(work *k, const double *q, double *M)
{
    k->is_stopped |= k->call->mass(k->w->user, k->at->t, q, M) != 0;
}

// y := M x for values M in the mass's pattern
static void mass_times(const work *k, const double *M, const double *x, double *y)
{
    const carom_pattern *pattern = &k->layout->mass;
    for (int i = 0; i < k->n; i++) {
        y[i] = 0;
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++)
            y[i] += M[e] * x[pattern->index[e]];
    }
}

// what is differentiated: m values at a shifted point
typedef void shifted_values(work *k, const double *q, const double *u, double *value);

static void shifted_forces(work *k, const double *q, const double *u, double *value)
{
    forces_at(k, q, u, value);
}

static void shifted_mass_times_a(work *k, const double *q, const double *u, double *value)
{
    (void)u;
    mass_at(k, q, k->w->M);
    mass_times(k, k->w->M, k->at->a, value);
}

// rows elsewhere, into the scratch
static carom_sparse shifted_rows(work *k, const double *q)
{
    carom_sparse W = k->ev->rows.W;
    W.value = k->w->W;
    if (k->call->sparse_rows) {
        W.start = k->w->start;
        W.index = k->w->index;
    }
    rows_at(k, q, &W, k->w->w0, k->w->start, k->w->index);
    return W;
}

static void shifted_push(work *k, const double *q, const double *u, double *value)
{
    (void)u;
    const carom_sparse W = shifted_rows(k, q);
    memset(value, 0, sizeof(double) * (size_t)k->n);
    for (int r = 0; r < k->n_row; r++)
        for (int e = W.start[r]; e < W.start[r + 1]; e++)
            value[W.index[e]] += W.value[e] * k->at->P[r];
}

static void shifted_rates(work *k, const double *q, const double *u, double *value)
{
    const carom_sparse W = shifted_rows(k, q);
    for (int r = 0; r < k->n_row; r++) {
        value[r] = k->w->w0[r];
        for (int e = W.start[r]; e < W.start[r + 1]; e++) value[r] += W.value[e] * u[W.index[e]];
    }
}

// f without the gyroscopic terms that the chart knows
static void shifted_plain_forces(work *k, const double *q, const double *u, double *value)
{
    forces_at(k, q, u, value);
    carom_chart_drop_spin(&k->ev->model->chart, u, value);
}

// T = u' M u / 2
static void kinetic(work *k, const double *q, const double *u, double *value)
{
    if (!k->w->has_M) mass_at(k, q, k->w->M);
    k->w->has_M = k->call->mass_is_constant;
    mass_times(k, k->w->M, u, k->w->x);
    value[0] = 0;
    for (int i = 0; i < k->n; i++) value[0] += 0.5 * u[i] * k->w->x[i];
}

static double shift_size(double x)
{
    return 6.0554544523933429e-6 * fmax(fabs(x), 1); // eps^(1/3)
}

// likewise by q along the move
static void differences_along(work *k, shifted_values *of, int m, double *matrix)
{
    scratch *w = k->w;
    const carom_model *model = k->ev->model;
    memset(w->along, 0, sizeof(double) * (size_t)k->n);
    carom_model_measure(model, k->at->q, w->size);
    for (int j = 0; j < k->n; j++) {
        const double h = shift_size(w->size[j]);
        w->along[j] = 1;
        carom_model_move(model, k->at->q, w->along, h, w->q);
        of(k, w->q, k->at->u, w->plus);
        carom_model_move(model, k->at->q, w->along, -h, w->q);
        of(k, w->q, k->at->u, w->minus);
        w->along[j] = 0;
        for (int i = 0; i < m; i++) matrix[i * k->n + j] = (w->plus[i] - w->minus[i]) / (2 * h);
    }
}

// matrix (m x n, dense by rows) of derivatives by q (or u)
static void differences(work *k, shifted_values *of, int m, bool by_u, double *matrix)
{
    scratch *w = k->w;
    const carom_model *model = k->ev->model;
    if (!by_u && model->n_plain < 0) {
        differences_along(k, of, m, matrix);
        return;
    }
    memcpy(w->q, k->at->q, sizeof(double) * (size_t)model->size.nq);
    memcpy(w->u, k->at->u, sizeof(double) * (size_t)k->n);
    double *x = by_u ? w->u : w->q;
    for (int j = 0; j < k->n; j++) {
        const double middle = x[j], h = shift_size(middle);
        x[j] = middle + h;
        of(k, w->q, w->u, w->plus);
        x[j] = middle - h;
        of(k, w->q, w->u, w->minus);
        x[j] = middle;
        for (int i = 0; i < m; i++) matrix[i * k->n + j] = (w->plus[i] - w->minus[i]) / (2 * h);
    }
}

// entries of a derivative of forces in its pattern, a group of columns at a time
static void differences_of_groups(work *k, const carom_pattern *pattern, const groups *g, bool by_u,
                                  double *value)
{
    scratch *w = k->w;
    const carom_model *model = k->ev->model;
    const double *u = k->at->u;
    carom_model_measure(model, k->at->q, w->size);
    for (int c = 0; c < g->n; c++) {
        for (int j = 0; j < k->n; j++)
            w->along[j] = g->of[j] == c ? shift_size(by_u ? u[j] : w->size[j]) : 0;
        for (int side = 1; side >= -1; side -= 2) {
            for (int j = 0; j < k->n; j++) w->u[j] = u[j] + (by_u ? side * w->along[j] : 0);
            carom_model_move(model, k->at->q, w->along, by_u ? 0 : side, w->q);
            forces_at(k, w->q, w->u, side > 0 ? w->plus : w->minus);
        }
        for (int i = 0; i < k->n; i++)
            for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++)
                if (g->of[pattern->index[e]] == c)
                    value[e] = (w->plus[i] - w->minus[i]) / (2 * w->along[pattern->index[e]]);
    }
}

// d(gamma)/dt along q + s u, t + s
static void curvature(work *k)
{
    double speed = 0;
    for (int i = 0; i < k->n; i++) speed = fmax(speed, fabs(k->at->u[i]));
    const double h = shift_size(0) / fmax(speed, 1), t = k->at->t;
    carom_point there = *k->at;
    const carom_point *here = k->at;
    k->at = &there;
    for (int side = 0; side < 2; side++) {
        const double shift = side ? -h : h;
        carom_model_moved(k->ev->model, here->q, here->u, shift, k->w->q);
        there.t = t + shift;
        shifted_rates(k, k->w->q, here->u, side ? k->w->minus : k->w->plus);
    }
    k->at = here;
    for (int r = 0; r < k->n_row; r++)
        k->ev->rows.curvature[r] = (k->w->plus[r] - k->w->minus[r]) / (2 * h);
}

static void derive_forces(work *k)
{
    double *df_dq = k->ev->derivatives.df_dq.value, *df_du = k->ev->derivatives.df_du.value;
    if (k->call->d_forces) {
        k->is_stopped |=
            k->call->d_forces(k->w->user, k->at->t, k->at->q, k->at->u, df_dq, df_du) != 0;
    } else if (k->w->by_q.of) {
        differences_of_groups(k, &k->layout->df_dq, &k->w->by_q, false, df_dq);
        differences_of_groups(k, &k->layout->df_du, &k->w->by_u, true, df_du);
    } else {
        differences(k, shifted_forces, k->n, false, df_dq);
        differences(k, shifted_forces, k->n, true, df_du);
    }
}

static void evaluate_forces(work *k, unsigned mask)
{
    carom_eval *ev = k->ev;
    if (mask & CAROM_FORCES) forces_at(k, k->at->q, k->at->u, ev->f);
    if (mask & CAROM_D_FORCES) derive_forces(k);
    // the derivatives of a constant mass stay zero
    if (mask & CAROM_D_MASS && !k->call->mass_is_constant)
        differences(k, shifted_mass_times_a, k->n, false, ev->derivatives.dMa_dq.value);
}

static void evaluate_rows(work *k, unsigned mask)
{
    carom_eval *ev = k->ev;
    if (mask & CAROM_GAPS && k->call->gaps)
        k->is_stopped |=
            k->call->gaps(k->w->user, k->at->t, k->at->q, ev->gaps.constraint, ev->gaps.value) != 0;
    // evaluations own the pattern of rows that change
    if (mask & CAROM_ROWS)
        rows_at(k, k->at->q, &ev->rows.W, ev->rows.w0, (int *)ev->rows.W.start,
                (int *)ev->rows.W.index);
    for (int c = 0; mask & CAROM_GAP_RATES && c < ev->model->size.n_contact; c++) {
        const int row = ev->model->contact[c].row;
        ev->gaps.rate[c] = ev->rows.w0[row] + carom_sparse_row_times(&ev->rows.W, row, k->at->u);
    }
    if (mask & CAROM_CURVATURE) curvature(k);
    // likewise of constant rows
    if (mask & CAROM_D_ROWS && k->n_row > 0 && !k->call->derivatives.rows_are_constant) {
        differences(k, shifted_push, k->n, false, ev->derivatives.dWP_dq.value);
        differences(k, shifted_rates, k->n_row, false, ev->derivatives.dgamma_dq.value);
    }
}

static void evaluate_energy(work *k, unsigned mask)
{
    carom_eval *ev = k->ev;
    if (mask & CAROM_ENERGY) {
        kinetic(k, k->at->q, k->at->u, &ev->energy.kinetic);
        ev->energy.potential = 0;
        if (k->call->potential)
            k->is_stopped |=
                k->call->potential(k->w->user, k->at->t, k->at->q, &ev->energy.potential) != 0;
    }
    if (mask & CAROM_POWER && k->call->power)
        k->is_stopped |=
            k->call->power(k->w->user, k->at->t, k->at->q, k->at->u, &ev->energy.power) != 0;
}

// of a constant mass: p = M u, and T does not depend on q
static void evaluate_momentum(work *k)
{
    carom_eval *ev = k->ev;
    const double *M = carom_eval_block(ev) + k->layout->mass.offset;
    mass_at(k, k->at->q, carom_eval_block(ev) + k->layout->mass.offset);
    mass_times(k, M, k->at->u, ev->momentum.p);
    memset(ev->momentum.T_q, 0, sizeof(double) * (size_t)k->n);
    carom_chart_turning(&ev->model->chart, k->at->u, ev->momentum.T_q);
    shifted_plain_forces(k, k->at->q, k->at->u, ev->momentum.f_plain);
    differences(k, shifted_plain_forces, k->n, false, ev->momentum.dplain_dq.value);
    differences(k, shifted_plain_forces, k->n, true, ev->momentum.dplain_du.value);
}

static carom_status stop(double t, carom_error *error)
{
    return carom_fail(error, CAROM_STOPPED, "a function of the model asked to stop at t = %.9g", t);
}

// what would take too many differences, or is not known
static carom_status refuse_derivatives(const work *k, unsigned mask, carom_error *error)
{
    const char *way = NULL;
    if (mask & CAROM_MOMENTUM && !k->ev->model->energies.are_given)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "this scheme needs the energies of the model; a model from callbacks has "
                          "them only where its mass is constant (mass_is_constant) and its "
                          "orientations are parts with an inertia");
    if (k->n <= CAROM_MOST_DIFFERENCES) return CAROM_OK;
    if (mask & CAROM_D_FORCES && !k->call->derivatives.df_dq_start)
        way = "give the patterns of df/dq and df/du (carom_callbacks.derivatives)";
    if (mask & CAROM_D_MASS) way = "say mass_is_constant where it is";
    if (mask & CAROM_D_ROWS && k->n_row > 0)
        way = "say derivatives.rows_are_constant where they are";
    if (mask & CAROM_MOMENTUM) way = "use a scheme that does not need momenta";
    if (!way) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "finite differences are meant for up to %d coordinates; %s, or use an "
                      "explicit scheme",
                      CAROM_MOST_DIFFERENCES, way);
}

// where u is not known yet: what the functions are not given u for
enum { STILL = CAROM_MASS | CAROM_GAPS | CAROM_ROWS };

static carom_status evaluate(carom_plan *plan, const carom_question *ask, const carom_point *at,
                             carom_eval *eval, carom_error *error)
{
    const carom_model *model = plan->model;
    carom_full_eval *full = (carom_full_eval *)eval;
    const unsigned constant = constant_answers(model->self);
    const unsigned asked = at->u ? ask->mask : ask->mask & STILL, mask = asked & ~full->has_written;
    work k = {model->self,    &model->layout,    plan->self, at,   eval,
              model->size.nu, model->size.n_row, false,      false};
    CAROM_TRY(refuse_derivatives(&k, mask & ~(constant & ~(unsigned)CAROM_D_FORCES), error));
    if (mask & CAROM_MASS) mass_at(&k, at->q, carom_eval_block(eval) + model->layout.mass.offset);
    evaluate_forces(&k, mask);
    evaluate_rows(&k, mask);
    evaluate_energy(&k, mask);
    if (mask & CAROM_MOMENTUM) evaluate_momentum(&k);
    if (k.is_wrong)
        return carom_misuse(error, "carom_callbacks.sparse_rows",
                            "what it wrote at t = %.9g is no pattern: start must begin with 0 and "
                            "not decrease, up to max_entries, and the columns of a row must "
                            "increase, from 0 to n-1",
                            at->t);
    if (k.is_stopped) return stop(at->t, error);
    full->has_written |= asked & constant;
    return CAROM_OK;
}

static carom_status refresh(carom_plan *plan, const carom_point *from, double h, carom_error *error)
{
    const carom_callbacks *call = plan->model->self;
    const scratch *w = plan->self;
    const int is_stopped =
        call->changing.refresh(w->user, from->t, from->q, from->u, h, plan->slots);
    if (plan->slots->fault.status != CAROM_OK) return CAROM_STOPPED; // which says why
    return is_stopped ? stop(from->t, error) : CAROM_OK;
}

static carom_status places(carom_plan *plan, const carom_point *at, const carom_places *places,
                           carom_error *error)
{
    const carom_callbacks *call = plan->model->self;
    const scratch *w = plan->self;
    if (!call->changing.places) return CAROM_OK;
    const int is_stopped =
        call->changing.places(w->user, at->t, at->q, places->point, places->normal);
    return is_stopped ? stop(at->t, error) : CAROM_OK;
}

#define HOW_CALLBACKS_ANSWER                                                                       \
    .prepare = prepare, .release = release, .constants = no_constants, .eval = evaluate,           \
    .blame = no_blame, .free = keep

const carom_model_kind carom_model_of_callbacks = {HOW_CALLBACKS_ANSWER};
const carom_model_kind carom_model_of_changing_contacts = {HOW_CALLBACKS_ANSWER, .refresh = refresh,
                                                           .places = places};
