// SPDX-License-Identifier: Apache-2.0
// Memory and order of the variations: who follows the motion is told of each step and of both sides
// of each event (carom_witness).
#include "tangent/tangent.h"

#include "dynamics/law.h"
#include "model/model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    VARY_IMPACT =
        CAROM_MASS | CAROM_ROWS | CAROM_D_MASS | CAROM_D_ROWS | CAROM_D_PARAMETER | CAROM_D_TIME,
    VARY_FLOW = CAROM_VARY_INDEX1 | CAROM_D_TIME,
    VARY_RECORD = CAROM_RECORD | CAROM_D_RECORD,
    VARY_SWITCH = CAROM_SWITCHES | CAROM_D_RECORD
};

const unsigned *carom_tangent_masks(void)
{
    static const unsigned masks[] = {CAROM_VARY_MASKS, VARY_IMPACT,       VARY_FLOW, VARY_RECORD,
                                     VARY_SWITCH,      CAROM_D_PARAMETER, 0};
    return masks;
}

void carom_tangent_refuse(carom_tangent *t, const char *format, ...)
{
    if (t->refusal[0]) return;
    va_list list;
    va_start(list, format);
    vsnprintf(t->refusal, sizeof t->refusal, format, list);
    va_end(list);
}

static void copy(double *to, const double *from, int n)
{
    memmove(to, from, sizeof(double) * (size_t)n);
}

// ---- what happens ----

static carom_status moved(void *self, carom_hybrid *h)
{
    carom_tangent *t = self;
    if (t->v->n == 0 || t->refusal[0] || h->flow->h == 0) return CAROM_OK;
    if (t->watches_gaps) CAROM_TRY(carom_tangent_watch_gaps(t, h));
    carom_vary_take_rows(t->v, &h->flow->rows);
    CAROM_TRY(h->flow->solver->vary(t->v));
    if (t->has_trace) CAROM_TRY(carom_tangent_add_trace(t, h));
    CAROM_TRY(carom_vary_project(t->v, &h->next));
    if (t->keeps_apart) carom_tangent_part(t);
    return CAROM_OK;
}

// both sides of an event have accelerations and forces of their own
static carom_status find_flow(carom_tangent *t, carom_hybrid *h, const double *u, double *a,
                              double *la)
{
    const carom_flow_cost cost = h->flow->cost;
    carom_variation *v = t->v;
    carom_step *s = h->s;
    const carom_point at = {.t = h->next.t, .q = h->next.q, .u = u, .holds = s->holds};
    carom_vary_take_rows(v, &h->flow->rows);
    CAROM_TRY(carom_model_eval(s->plan, &at, CAROM_FLOW_INDEX1, v->ev[0], s->error));
    for (int r = 0; r < s->size.n_row; r++) v->r[r] = -v->ev[0]->rows.curvature[r];
    carom_saddle_turn_directions(s->model, &v->rows, v->ev[0], u);
    const carom_saddle_terms terms = {.mass = v->ev[0], .F = v->ev[0]->f, .weight = 1, .r = v->r};
    CAROM_TRY(carom_saddle_solve(h->flow->saddle, &v->rows, &terms, a, la, s->error));
    h->flow->cost = cost;
    return CAROM_OK;
}

static carom_status crossed(void *self, carom_hybrid *h, const carom_crossing *it)
{
    carom_tangent *t = self;
    carom_tangent_event *e = &t->event;
    const carom_sizes n = h->s->size;
    if (t->refusal[0]) return CAROM_OK;
    e->is_open = true;
    e->is_anew = !it;
    e->has_impact = false;
    e->t = h->next.t;
    copy(e->q, h->next.q, n.nq);
    copy(e->u, h->next.u, n.nu);
    for (int c = 0; c < n.n_contact; c++) e->was_closed[c] = carom_hybrid_is_closed(h, c);
    CAROM_TRY(find_flow(t, h, e->u, e->a, e->la));
    e->before = (carom_vary_point){e->t, e->q, e->u, e->a, e->la};
    memset(e->dt, 0, sizeof(double) * (size_t)t->v->room);
    if (it) CAROM_TRY(carom_tangent_cross(t, h, it));
    for (int k = 0; k < t->v->n; k++)
        for (int i = 0; i < n.nu; i++) {
            e->q_star[k * n.nu + i] = t->v->q[k * n.nu + i] + e->u[i] * e->dt[k];
            e->u_star[k * n.nu + i] = t->v->u[k * n.nu + i] + e->a[i] * e->dt[k];
        }
    return CAROM_OK;
}

static carom_status collided(void *self, carom_hybrid *h)
{
    carom_tangent *t = self;
    carom_tangent_event *e = &t->event;
    if (t->refusal[0] || !e->is_open) return CAROM_OK;
    e->has_impact = true;
    t->impacts++;
    copy(e->P, h->event.P, h->s->size.n_row);
    memcpy(e->is_in, h->event.is_in, (size_t)h->s->size.n_contact);
    return CAROM_OK;
}

static carom_status shift_back(carom_tangent *t, carom_hybrid *h)
{
    carom_tangent_event *e = &t->event;
    const int nu = h->s->size.nu;
    copy(e->u_after, h->next.u, nu);
    CAROM_TRY(find_flow(t, h, e->u_after, e->a_after, e->la_after));
    for (int k = 0; k < t->v->n; k++)
        for (int i = 0; i < nu; i++) {
            t->v->q[k * nu + i] = e->q_star[k * nu + i] - e->u_after[i] * e->dt[k];
            t->v->u[k * nu + i] = e->u_plus[k * nu + i] - e->a_after[i] * e->dt[k];
        }
    return CAROM_OK;
}

static carom_status settled(void *self, carom_hybrid *h)
{
    carom_tangent *t = self;
    carom_tangent_event *e = &t->event;
    if (t->refusal[0] || !e->is_open) return CAROM_OK;
    e->is_open = false;
    if (e->has_impact && e->is_anew)
        carom_tangent_refuse(t,
                             "modes are decided anew at t = %.9g with an impact: the motion has "
                             "no derivative there (start a little before it)",
                             e->t);
    if (t->refusal[0]) return CAROM_OK;
    copy(e->u_plus, e->u_star, t->v->n * h->s->size.nu);
    if (e->has_impact) CAROM_TRY(carom_tangent_collide(t, h));
    if (t->refusal[0]) return CAROM_OK;
    CAROM_TRY(shift_back(t, h));
    carom_vary_take_rows(t->v, &h->flow->rows);
    CAROM_TRY(carom_vary_project(t->v, &h->next));
    if (!t->has_start) return CAROM_OK;
    copy(t->start_q, t->v->q, t->v->n * h->s->size.nu);
    copy(t->start_u, t->v->u, t->v->n * h->s->size.nu);
    t->has_start = false;
    return CAROM_OK;
}

static void lost(void *self, const carom_hybrid *h, const char *what)
{
    carom_tangent_refuse(self, "no derivative through %s at t = %.9g (--difference estimates one)",
                         what, h->next.t);
}

// ---- memory ----

static bool take_event(carom_tangent *t, int room)
{
    carom_tangent_event *e = &t->event;
    const carom_sizes n = t->s->size;
    const struct {
        double **to;
        int n;
    } part[] = {{&e->q, n.nq},
                {&e->u, n.nu},
                {&e->a, n.nu},
                {&e->la, n.n_row},
                {&e->u_after, n.nu},
                {&e->a_after, n.nu},
                {&e->la_after, n.n_row},
                {&e->P, n.n_row},
                {&e->dt, room},
                {&e->q_star, room * n.nu},
                {&e->u_star, room * n.nu},
                {&e->u_plus, room * n.nu},
                {&t->start_q, room * n.nu},
                {&t->start_u, room * n.nu},
                {&t->growth, room},
                {&t->scratch, 4 * n.nu + 4 * n.n_row},
                {&t->rebound, n.n_contact}};
    bool is_taken = true;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        is_taken &= (*part[i].to = CAROM_TAKE(t->arena, double, part[i].n)) != NULL;
    is_taken &= (e->is_in = CAROM_TAKE(t->arena, unsigned char, n.n_contact)) != NULL;
    is_taken &= (e->was_closed = CAROM_TAKE(t->arena, unsigned char, n.n_contact)) != NULL;
    return is_taken;
}

static carom_status check_model(const carom_hybrid *h)
{
    const carom_step *s = h->s;
    if (!s->model->layout.variation.is_there)
        return carom_fail(s->error, CAROM_BAD_INPUT,
                          "the model was made without derivatives of its motion%s",
                          s->model->kind->refresh ? " (shapes that come near and part have none)"
                                                  : " (carom_builder_differentiate)");
    if (s->model->kind->refresh)
        return carom_fail(s->error, CAROM_BAD_INPUT,
                          "no derivatives of contacts of shapes that come and go (--difference "
                          "estimates them)");
    if (!h->flow->solver->vary)
        return carom_fail(s->error, CAROM_BAD_INPUT,
                          "no derivatives with smooth: %s (take smooth: phem56)",
                          h->flow->solver->name);
    for (int c = 0; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        if (facts->varies)
            return carom_fail(s->error, CAROM_BAD_INPUT,
                              "'%s': no derivatives of friction or restitution that are "
                              "expressions, nor of friction_static (--difference estimates them)",
                              facts->name);
        if (facts->law == CAROM_LAW_NEWTON) continue;
        return carom_fail(s->error, CAROM_BAD_INPUT,
                          "'%s': no derivatives of %s (--difference estimates them)", facts->name,
                          carom_law_is_disc(facts) ? "forces of limited strength"
                                                   : "impact laws other than Newton's");
    }
    return CAROM_OK;
}

carom_status carom_tangent_new(carom_hybrid *h, int room, carom_tangent **tangent)
{
    *tangent = NULL;
    CAROM_TRY(check_model(h));
    carom_arena *arena = carom_arena_new();
    carom_tangent *made = arena ? CAROM_TAKE(arena, carom_tangent, 1) : NULL;
    if (!made) {
        carom_arena_free(arena);
        return carom_fail(h->s->error, CAROM_NO_MEMORY, "no memory for variations");
    }
    made->s = h->s;
    made->arena = arena;
    made->witness = (carom_witness){made, moved, crossed, collided, settled, lost};
    carom_status status = CAROM_NO_MEMORY;
    if (take_event(made, room)) status = carom_variation_new(h->flow, room, &made->v);
    if (status == CAROM_OK) status = carom_variation_new(h->flow, 1, &made->own);
    if (status != CAROM_OK) {
        carom_tangent_free(made);
        return carom_fail(h->s->error, status, "no memory for variations");
    }
    made->own->n = 1;
    made->own->parameter[0] = -1;
    *tangent = made;
    return CAROM_OK;
}

void carom_tangent_free(carom_tangent *t)
{
    if (!t) return;
    carom_variation_free(t->v);
    carom_variation_free(t->own);
    carom_arena_free(t->arena);
}

// ---- from outside ----

void carom_tangent_start(carom_tangent *t, int n, const double *dq, const double *du,
                         const int *parameter)
{
    const int nu = t->s->size.nu;
    t->v->n = n;
    copy(t->v->q, dq, n * nu);
    copy(t->v->u, du, n * nu);
    memcpy(t->v->parameter, parameter, sizeof(int) * (size_t)n);
    copy(t->start_q, dq, n * nu);
    copy(t->start_u, du, n * nu);
    t->refusal[0] = 0;
    t->has_start = true;
    t->event.is_open = false;
    t->slowest = t->least_speed = t->least_gap = INFINITY;
    t->impacts = 0;
    t->log_det = t->trace = 0;
    t->grazes = 0;
    memset(t->growth, 0, sizeof(double) * (size_t)n);
    memset(t->rebound, 0, sizeof(double) * (size_t)t->s->size.n_contact);
}

// a quaternion p + dp turns by 2 Im(p* dp)/|p|^2 in axes of the body
static void turn_of(const double *p, const double *dp, double *turn)
{
    const double size = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
    turn[0] = 2 / size * (p[0] * dp[1] - p[1] * dp[0] - p[2] * dp[3] + p[3] * dp[2]);
    turn[1] = 2 / size * (p[0] * dp[2] + p[1] * dp[3] - p[2] * dp[0] - p[3] * dp[1]);
    turn[2] = 2 / size * (p[0] * dp[3] - p[1] * dp[2] + p[2] * dp[1] - p[3] * dp[0]);
}

static double given(const carom_tangent *t, int row, int p)
{
    const carom_sparse *A = &t->v->ev[0]->variation.given_p;
    for (int k = A->start[row]; k < A->start[row + 1]; k++)
        if (A->index[k] == p) return A->value[k];
    return 0;
}

carom_status carom_tangent_given(carom_tangent *t, int p, double *dq, double *du)
{
    const carom_step *s = t->s;
    const carom_model *model = s->model;
    const carom_sizes n = s->size;
    const carom_vary_point at = {0, carom_plan_start_q(s->plan), carom_plan_start_u(s->plan),
                                 t->own->a, t->own->la};
    CAROM_TRY(carom_model_eval(
        s->plan, &(carom_point){.t = 0, .q = at.q, .u = at.u, .a = at.a, .P = t->event.P},
        CAROM_D_PARAMETER, t->v->ev[0], s->error));
    const int first = 3 * n.n_contact;
    for (int i = 0; i < n.nu; i++) du[i] = given(t, first + n.nq + i, p);
    for (int i = 0; i < model->n_plain; i++) dq[i] = given(t, first + i, p);
    for (int i = 0; model->n_plain < 0 && i < model->chart.n_part; i++) {
        const carom_chart_part *part = &model->chart.part[i];
        double dp[4] = {0};
        for (int k = 0; part->kind == CAROM_CHART_PLAIN && k < part->n; k++)
            dq[part->u + k] = given(t, first + part->q + k, p);
        if (part->kind != CAROM_CHART_QUATERNION) continue;
        for (int k = 0; k < 4; k++) dp[k] = given(t, first + part->q + k, p);
        turn_of(at.q + part->q, dp, dq + part->u);
    }
    const carom_assembled assembled = carom_plan_assembled(s->plan);
    if (!(assembled.move > 0) && !(assembled.change > 0)) return CAROM_OK;
    return carom_fail(s->error, CAROM_BAD_INPUT,
                      "the start was assembled, and has no derivative (give a start that keeps the "
                      "constraints, or --difference)");
}

// row k of A times x, and column p of row k
static double along(const carom_sparse *A, int row, const double *x)
{
    double sum = 0;
    for (int k = A->start[row]; k < A->start[row + 1]; k++) sum += A->value[k] * x[A->index[k]];
    return sum;
}

static double by_column(const carom_sparse *A, int row, int column)
{
    for (int k = A->start[row]; k < A->start[row + 1]; k++)
        if (A->index[k] == column) return A->value[k];
    return 0;
}

carom_status carom_tangent_record(carom_tangent *t, const carom_state *at, const double *a,
                                  int record, double *change, double *rate)
{
    const carom_step *s = t->s;
    const int nu = s->size.nu;
    const carom_point point = {.t = at->t, .q = at->q, .u = at->u, .holds = s->holds};
    CAROM_TRY(carom_model_eval(s->plan, &point, VARY_RECORD, t->v->ev[1], s->error));
    const carom_eval_variation *by = &t->v->ev[1]->variation;
    for (int k = 0; k < t->v->n; k++) {
        change[k] = along(&by->record_q, record, t->v->q + k * nu) +
                    along(&by->record_u, record, t->v->u + k * nu);
        if (t->v->parameter[k] >= 0)
            change[k] += by_column(&by->record_p, record, t->v->parameter[k]);
    }
    *rate = along(&by->record_q, record, at->u) + along(&by->record_u, record, a) +
            by_column(&by->record_t, record, 0);
    return CAROM_OK;
}

carom_status carom_tangent_flow(carom_tangent *t, const carom_state *at, double *a)
{
    carom_variation *v = t->v;
    carom_step *s = t->s;
    const carom_point point = {.t = at->t, .q = at->q, .u = at->u, .holds = s->holds};
    CAROM_TRY(carom_model_eval(s->plan, &point, CAROM_FLOW_INDEX1, v->ev[0], s->error));
    for (int r = 0; r < s->size.n_row; r++) v->r[r] = -v->ev[0]->rows.curvature[r];
    carom_vary_take_rows(v, &v->flow->rows);
    carom_saddle_turn_directions(s->model, &v->rows, v->ev[0], at->u);
    const carom_saddle_terms terms = {.mass = v->ev[0], .F = v->ev[0]->f, .weight = 1, .r = v->r};
    return carom_saddle_solve(v->flow->saddle, &v->rows, &terms, a, v->l, s->error);
}

carom_status carom_tangent_gap_rate(carom_tangent *t, int contact, bool is_before, double *change)
{
    carom_tangent_event *e = &t->event;
    const int nu = t->s->size.nu, row = carom_plan_contact(t->s->plan, contact)->row;
    const carom_vary_point at = {e->t, e->q, is_before ? e->u : e->u_after, e->a, e->P};
    CAROM_TRY(carom_vary_eval(t->v, 0, &at, VARY_IMPACT));
    for (int k = 0; k < t->v->n; k++) {
        const double *u = is_before ? e->u_star : e->u_plus;
        carom_vary_rates(t->v, 0, k, e->q_star + k * nu, u + k * nu, t->v->r);
        change[k] = t->v->r[row] + e->dt[k] * by_column(&t->v->ev[0]->variation.rate_t, row, 0);
    }
    return CAROM_OK;
}
