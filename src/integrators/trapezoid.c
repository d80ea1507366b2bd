// SPDX-License-Identifier: Apache-2.0
// The forecasting trapezoidal rule; its equations are in trapezoid.h. A step is a forecast, then a
// correction or an impact. The evaluation of the end is that of the next start, so that a step
// costs one.
#include "integrators/trapezoid.h"
#include "dynamics/active.h"
#include "dynamics/law.h"

#include "math/vector.h"
#include "model/plan.h"

#include <string.h>

// scratch, cut from s->work
typedef struct scratch {
    double *u1, *du, *mean, *u_free; // (nu) mean: of u and u1
    double *h_la;                    // (n_row)
    bool has_forces;                 // h_la and du hold those of the start
    const double *a0, *a1;           // (nu) accelerations at both ends, of the evaluations there
} scratch;

int carom_trapezoid_n_work(const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    return 4 * size.nu + size.n_row;
}

static scratch cut(const carom_step *s)
{
    const int n = s->size.nu;
    double *w = s->work;
    return (scratch){
        .u1 = w, .du = w + n, .mean = w + 2 * n, .u_free = w + 3 * n, .h_la = w + 4 * n};
}

// what the report has counted so far
typedef struct losses {
    double impact, friction, obstacle;
} losses;

static losses report_losses(const carom_step *s)
{
    return (losses){s->report.impact_loss, s->report.friction_loss, s->report.obstacle_work};
}

static void scale_losses(carom_step *s, losses before, double share)
{
    s->report.impact_loss = before.impact + share * (s->report.impact_loss - before.impact);
    s->report.friction_loss = before.friction + share * (s->report.friction_loss - before.friction);
    s->report.obstacle_work = before.obstacle + share * (s->report.obstacle_work - before.obstacle);
}

// Work of the forces of one stage, which act over half the step: la+ takes u to the mean of u and
// u1, la- from there to u+. The report has counted the impulse P = h share la on the rates of the
// law, which may be those of another place and time than the push. Half of the forecast's acts, at
// the mean of u and (u + u1)/2,
//
//     loss  -P/2 (W (3 u + u1)/4 + w0)          obstacle  -P/2 w0          W, w0: of the push
//
// One w0 in both: what the obstacle gives and friction takes is then in balance for any step.
static void share_losses(carom_step *s, const carom_stage *stage, losses before, const double *P,
                         const double *u1)
{
    carom_step_report *report = &s->report;
    const carom_eval_rows *rows = &stage->at->rows;
    const double *u = stage->u_base;
    if (stage->share < 1) return; // the impulse of half a step, from the mean on
    const double given = report->obstacle_work - before.obstacle;
    scale_losses(s, before, 0);
    report->obstacle_work += 0.5 * given;
    for (int c = 0; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = &s->plan->contact[c];
        const bool is_in = stage->is_active[c] || carom_law_is_disc(facts);
        for (int r = facts->row; is_in && r <= facts->row + facts->n_slip; r++) {
            double rate = rows->w0[r];
            for (int k = rows->W.start[r]; k < rows->W.start[r + 1]; k++) {
                const int i = rows->W.index[k];
                rate += rows->W.value[k] * (0.75 * u[i] + 0.25 * u1[i]);
            }
            *(r == facts->row ? &report->impact_loss : &report->friction_loss) -= 0.5 * P[r] * rate;
        }
    }
}

void carom_trapezoid_note_contact(carom_step *s, const double *h_la)
{
    for (int c = 0, n = s->size.n_contact - s->size.n_disc; c < n && !s->report.has_contact; c++)
        s->report.has_contact = h_la[s->plan->contact[c].row] > 0;
}

carom_status carom_trapezoid_velocity_law(carom_step *s, const carom_stage *stage,
                                          const carom_eval *rate, double forecast, double *h_la,
                                          double *du)
{
    const int n = s->size.nu;
    const double share = stage->share, reach = share * forecast * s->h;
    const double *u_base = stage->u_base, *a_free = stage->a_free;
    double *u = cut(s).u_free;
    CAROM_EACH_SHORT(i, n, u[i] = du[i] = u_base[i] + reach * a_free[i])
    if (share < 1) CAROM_EACH_SHORT(r, s->size.n_row, h_la[r] *= share)
    const carom_contact_terms terms = {.rate = rate,
                                       .push = stage->at,
                                       .mass = stage->at,
                                       .u_minus = stage->u_base,
                                       .is_active = stage->is_active,
                                       .without_restitution = true,
                                       .span = share * s->h};
    const losses before = report_losses(s);
    CAROM_TRY(carom_dynamics_contact(s, &terms, h_la, du));
    share_losses(s, stage, before, h_la, du);
    carom_trapezoid_note_contact(s, h_la);
    CAROM_EACH_SHORT(i, n, du[i] = (du[i] - u[i]) / share)
    if (share < 1) CAROM_EACH_SHORT(r, s->size.n_row, h_la[r] /= share)
    return CAROM_OK;
}

bool carom_trapezoid_starts_closing(const carom_eval *at, const carom_state *now, double level)
{
    if (now->t != 0) return false;
    for (int c = 0; c < at->model->size.n_contact; c++) {
        const int r = at->model->contact[c].row;
        double rate = at->rows.w0[r];
        for (int k = at->rows.W.start[r]; k < at->rows.W.start[r + 1]; k++)
            rate += at->rows.W.value[k] * now->u[at->rows.W.index[k]];
        if (at->gaps.value[c] <= level && rate < 0) return true;
    }
    return false;
}

static bool any_contact_closes(const carom_step *s, const carom_state *now)
{
    const double *before = s->ev[0]->gaps.value, *after = s->ev[1]->gaps.value;
    for (int c = 0, n = s->size.n_contact; c < n; c++)
        if (after[c] <= 0 && before[c] > 0) return true;
    return carom_trapezoid_starts_closing(s->ev[0], now, 0);
}

carom_status carom_trapezoid_impact(carom_step *s, const carom_eval *at, double level,
                                    carom_state *next)
{
    carom_vector_clear(s->size.n_row, next->la);
    carom_vector_clear(s->size.n_row, next->P);
    if (!carom_active_closed(at, level, next->is_active)) return CAROM_OK;
    double *u_minus = s->work; // a copy, because u changes; what the forecast left is used up
    memcpy(u_minus, next->u, sizeof(double) * (size_t)s->size.nu);
    const carom_contact_terms terms = {
        .rate = at, .u_minus = u_minus, .is_active = next->is_active, .span = s->report.h_used};
    CAROM_TRY(carom_dynamics_contact(s, &terms, next->P, next->u));
    for (int c = 0; c < s->size.n_contact - s->size.n_disc; c++)
        s->report.has_impact |= next->P[s->plan->contact[c].row] > 0;
    return CAROM_OK;
}

// whether a stage in which contacts are closed, or which has constraints, has forces
static bool has_rows(const carom_step *s, const carom_trapezoid *how, const carom_stage *stage)
{
    return !how->narrow || how->narrow(s, stage);
}

// u1; what is closed at the start is held by la+
static carom_status push_at_start(carom_step *s, const carom_trapezoid *how, const carom_state *now,
                                  carom_state *next, scratch *w)
{
    const double h = s->h, *u = now->u, *la = now->la, *a = w->a0, *du = w->du;
    double *u1 = w->u1, *h_la = w->h_la;
    carom_vector_move(s->size.nu, u, h, a, u1);
    w->has_forces = carom_active_closed(s->ev[0], 0, next->is_active);
    if (!w->has_forces) return CAROM_OK;
    const carom_stage stage = {s->ev[0], now->t, now->q, now->u, w->a0, now->u, 1, next->is_active};
    w->has_forces = has_rows(s, how, &stage);
    if (!w->has_forces) return CAROM_OK;
    CAROM_EACH_SHORT(r, s->size.n_row, h_la[r] = h * la[r])
    CAROM_TRY(how->at_start(s, &stage, w->h_la, w->du));
    CAROM_EACH_SHORT(i, s->size.nu, u1[i] += du[i])
    return CAROM_OK;
}

static void mean_of(int n, const double *u, const double *u1, double *mean)
{
    for (int i = 0; i < n; i++) mean[i] = 0.5 * (u[i] + u1[i]);
}

// the mean of u and u1, and q moved by it
static inline void move_by_mean(const carom_step *s, const carom_state *now, const scratch *w,
                                double *q_out)
{
    const double h = s->h, *q = now->q, *u = now->u, *u1 = w->u1;
    double *mean = w->mean;
    CAROM_EACH_SHORT_BUT(i, s->model->n_plain, mean_of(s->size.nu, u, u1, mean);
                         carom_chart_move(&s->model->chart, q, mean, h, q_out), {
                             mean[i] = 0.5 * (u[i] + u1[i]);
                             q_out[i] = q[i] + h * mean[i];
                         })
}

static carom_status forecast_end(carom_step *s, const carom_trapezoid *how, const carom_state *now,
                                 carom_state *next, scratch *w)
{
    const carom_point start = {.t = now->t, .q = now->q, .u = now->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &start, CAROM_TRAPEZOID_MASK, s->ev[0], s->error));
    w->a0 = s->ev[0]->acceleration;
    CAROM_TRY(push_at_start(s, how, now, next, w));
    move_by_mean(s, now, w, next->q);
    const carom_point end = {.t = next->t, .q = next->q, .u = w->u1, .holds = s->holds};
    carom_eval_drop(s->ev[1]); // what it holds is of two steps ago: not worth comparing
    CAROM_TRY(carom_plan_ask(s->plan, &end, CAROM_TRAPEZOID_MASK, s->ev[1], s->error));
    w->a1 = s->ev[1]->acceleration;
    return CAROM_OK;
}

// la-, and what it does to the velocity
static carom_status push_at_end(carom_step *s, const carom_trapezoid *how, const carom_stage *stage,
                                carom_state *next, const scratch *w)
{
    const double h = s->h, *mean = w->mean, *a = w->a1, *du = w->du, *h_la = w->h_la;
    double *u = next->u, *la = next->la;
    if (!w->has_forces) memset(w->h_la, 0, sizeof(double) * (size_t)s->size.n_row);
    CAROM_TRY(how->at_end(s, stage, w->h_la, w->du));
    CAROM_EACH_SHORT(i, s->size.nu, u[i] = mean[i] + 0.5 * (h * a[i] + du[i]))
    CAROM_EACH_SHORT(r, s->size.n_row, la[r] = h_la[r] == 0 ? 0 : h_la[r] / h) // dividing is slow
    return CAROM_OK;
}

static carom_status correct_velocity(carom_step *s, const carom_trapezoid *how, carom_state *next,
                                     const scratch *w, bool is_touching)
{
    carom_vector_clear(s->size.n_row, next->P);
    if (is_touching) {
        const carom_stage stage = {s->ev[1], next->t, next->q, w->u1,
                                   w->a1,    w->mean, 0.5,     next->is_active};
        if (has_rows(s, how, &stage)) return push_at_end(s, how, &stage, next, w);
    }
    const double h = s->h, *mean = w->mean, *a = w->a1;
    double *u = next->u;
    CAROM_EACH_SHORT(i, s->size.nu, u[i] = mean[i] + 0.5 * (h * a[i]))
    carom_vector_clear(s->size.n_row, next->la);
    return CAROM_OK;
}

// the end of this step is the start of the next
static void hand_on_end(carom_step *s)
{
    carom_eval *end = s->ev[1];
    s->ev[1] = s->ev[0];
    s->ev[0] = end;
}

static carom_status take_step(carom_step *s, const carom_trapezoid *how, const carom_state *now,
                              carom_state *next)
{
    scratch w = cut(s);
    const losses none = report_losses(s);
    next->t = now->t + s->h;
    CAROM_TRY(forecast_end(s, how, now, next, &w));
    const bool is_touching = carom_active_closed(s->ev[1], 0, next->is_active);
    if ((is_touching || now->t == 0) && any_contact_closes(s, now)) {
        scale_losses(s, none, 0);
        for (int i = 0; i < s->size.nu; i++)
            next->u[i] = now->u[i] + 0.5 * s->h * (w.a0[i] + w.a1[i]);
        return carom_trapezoid_impact(s, s->ev[1], 0, next);
    }
    return correct_velocity(s, how, next, &w, is_touching);
}

carom_status carom_trapezoid_step(carom_step *s, const carom_trapezoid *how, const carom_state *now,
                                  carom_state *next)
{
    CAROM_TRY(take_step(s, how, now, next));
    hand_on_end(s);
    return CAROM_OK;
}
