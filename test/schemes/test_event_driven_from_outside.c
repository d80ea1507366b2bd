// SPDX-License-Identifier: Apache-2.0
// The interface for schemes carries an event-driven method: adaptive steps, root finding, events
// and the states on both sides through the sink, contact forces on acceleration level. Written with
// the public headers only.
//
// Between events Runge-Kutta's classical method (exact for a ball under gravity); impacts are
// located by bisection on the true step; a contact whose rebound is slower than 1e-6 m/s is closed,
// and then held by its force la.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/carom.h"

#include <math.h>
#include <string.h>

enum { MOTION = CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS | CAROM_CURVATURE };
static const double CLOSED_RATE = 1e-6;

static int n_work(const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    return 10 * size.nu + 2 * size.n_row;
}

// acceleration with the closed contacts held: 0 <= gamma_dot _|_ la >= 0
static carom_status accelerate(carom_step *s, double t, const double *q, const double *u,
                               carom_state *next, double *a)
{
    const carom_point at = {.t = t, .q = q, .u = u};
    CAROM_TRY(carom_model_eval(s->plan, &at, MOTION, s->ev[0], s->error));
    memcpy(a, s->ev[0]->f, sizeof(double) * (size_t)s->size.nu);
    carom_mass_solve(s->ev[0]->mass, a);
    double *offset = s->work + 10 * s->size.nu;
    carom_dynamics_rates(s->ev[0], a, offset);
    for (int r = 0; r < s->size.n_row; r++)
        offset[r] += s->ev[0]->rows.curvature[r] - s->ev[0]->rows.w0[r];
    const carom_contact_terms terms = {.rate = s->ev[0], .is_active = next->is_active};
    return carom_dynamics_correct(s, &terms, offset, next->la, a);
}

// one classical Runge-Kutta step of length h
static carom_status flow(carom_step *s, const carom_state *now, double h, carom_state *next)
{
    static const double node[] = {0, 0.5, 0.5, 1}, weight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    const int n = s->size.nu;
    double *q = s->work, *u = q + n, *v = u + n, *a = v + n;
    memcpy(v, now->u, sizeof(double) * (size_t)n);
    memcpy(next->q, now->q, sizeof(double) * (size_t)n);
    memcpy(next->u, now->u, sizeof(double) * (size_t)n);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < n; i++) {
            q[i] = now->q[i] + h * node[k] * v[i];
            u[i] = now->u[i] + (k ? h * node[k] * a[i] : 0);
        }
        CAROM_TRY(accelerate(s, now->t + h * node[k], q, u, next, a));
        memcpy(v, u, sizeof(double) * (size_t)n);
        for (int i = 0; i < n; i++) {
            next->q[i] += h * weight[k] * u[i];
            next->u[i] += h * weight[k] * a[i];
        }
    }
    next->t = now->t + h;
    const carom_point end = {.t = next->t, .q = next->q, .u = next->u};
    return carom_model_eval(s->plan, &end, MOTION, s->ev[0], s->error);
}

// the open contact that has closed at the end of the step, or -1
static int closed_contact(const carom_step *s, const carom_state *now)
{
    for (int c = 0; c < s->size.n_contact; c++)
        if (!now->is_active[c] && s->ev[0]->gaps.value[c] < 0) return c;
    return -1;
}

static carom_status impact(carom_step *s, int c, carom_state *next)
{
    const int r = carom_model_contact(s->model, c)->row;
    double gamma[8];
    carom_dynamics_rates(s->ev[0], next->u, gamma);
    if (s->sink.state) s->sink.state(s->sink.self, next);
    const double before = gamma[r];
    next->is_active[c] = 1;
    double u_minus[8];
    memcpy(u_minus, next->u, sizeof(double) * (size_t)s->size.nu);
    const carom_contact_terms terms = {
        .rate = s->ev[0], .u_minus = u_minus, .is_active = next->is_active};
    CAROM_TRY(carom_dynamics_contact(s, &terms, next->P, next->u));
    const double after = s->report.rate_after[r];
    next->is_active[c] = after < CLOSED_RATE;
    s->sink.event(s->sink.self,
                  &(carom_event){.t = next->t,
                                 .contact = c,
                                 .kind = next->is_active[c] ? CAROM_ACCUMULATED : CAROM_IMPACT,
                                 .rate_before = before,
                                 .rate_after = after,
                                 .P = next->P[r],
                                 .energy_lost = s->report.impact_loss});
    if (!next->is_active[c]) return CAROM_OK;
    for (int i = 0; i < s->size.nu; i++) next->u[i] = 0;
    return CAROM_OK;
}

static carom_status step(carom_step *s, const carom_state *now, carom_state *next)
{
    memcpy(next->is_active, now->is_active, (size_t)s->size.n_contact);
    memset(next->P, 0, sizeof(double) * (size_t)s->size.n_row);
    CAROM_TRY(flow(s, now, s->h, next));
    const int c = closed_contact(s, now);
    if (c < 0) return CAROM_OK;
    double low = 0, high = s->h;
    for (int k = 0; k < 200 && high - low > 0; k++) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        CAROM_TRY(flow(s, now, middle, next));
        // a contact that starts the step at zero opens first
        if (s->ev[0]->gaps.value[c] < 0)
            high = middle;
        else
            low = middle;
    }
    CAROM_TRY(flow(s, now, low, next));
    s->report.h_used = low;
    return impact(s, c, next);
}

static const unsigned masks[] = {MOTION, 0};
static const carom_scheme event_driven = {.name = "event_driven_outside",
                                          .about = "spike",
                                          .order_free = 4,
                                          .order_contact = 4,
                                          .has_contact = true,
                                          .is_adaptive = true,
                                          .separates_impact = true,
                                          .finds_events = true,
                                          .mask = masks,
                                          .n_eval = 1,
                                          .n_work = n_work,
                                          .step = step};

typedef struct log {
    int n, n_accumulated;
    double t[512];
    long rows;
} log_book;

static carom_status note(void *self, const carom_event *event, carom_error *error)
{
    (void)error;
    log_book *log = self;
    if (event->kind == CAROM_ACCUMULATED) log->n_accumulated++;
    if (log->n < 512) log->t[log->n++] = event->t;
    return CAROM_OK;
}

static carom_status count(void *self, const double *value, int n, carom_error *error)
{
    (void)value;
    (void)n;
    (void)error;
    ((log_book *)self)->rows++;
    return CAROM_OK;
}

static void an_event_driven_scheme_from_outside_hits_the_ball_on_time(void **unused)
{
    (void)unused;
    carom_error error = {0};
    carom_modelfile *file;
    carom_model *model;
    carom_sim *sim;
    assert_int_equal(
        carom_modelfile_read(CAROM_SOURCE_DIR "/models/bouncing-ball.yaml", &file, &error),
        CAROM_OK);
    assert_int_equal(carom_builder_finish(carom_modelfile_builder(file), &model, &error), CAROM_OK);
    carom_sim_options options = carom_sim_default();
    options.own_scheme = &event_driven;
    options.step = 0.05;
    options.end = 10;
    assert_int_equal(carom_sim_new(model, &options, &sim, &error), CAROM_OK);
    static log_book log;
    const carom_recorder recorder = {.self = &log, .row = count, .event = note};
    assert_int_equal(carom_sim_add_recorder(sim, recorder, &error), CAROM_OK);
    if (carom_sim_run(sim, &error) != CAROM_OK) fail_msg("%s", error.message);

    // t_1 = sqrt(2 z / g), then flights of 2 e^k t_1; bisection on the gap is good to eps z / v
    const double e = 0.9, t1 = sqrt(2 / 9.81);
    double t = t1;
    for (int k = 0; k < 44; k++) {
        assert_true(fabs(log.t[k] - t) <= 1e-12 * t);
        t += 2 * pow(e, k + 1) * t1;
    }
    // it rests from about t1 (1 + 2e/(1 - e)) = 8.58 s on, held by its weight
    const carom_state *state = carom_sim_state(sim);
    assert_int_equal(log.n_accumulated, 1);
    assert_true(fabs(log.t[log.n - 1] - t1 * (1 + 2 * e / (1 - e))) <= 1e-4);
    assert_true(state->t == 10);
    assert_true(fabs(state->q[0]) <= 1e-12 && fabs(state->u[0]) <= 1e-12);
    assert_true(fabs(state->la[carom_model_contact(model, 0)->row] - 9.81) <= 1e-12);
    assert_int_equal(carom_sim_counts(sim).events, log.n);
    assert_true(log.rows > log.n); // accepted steps and both sides of each event
    carom_sim_free(sim);
    carom_model_free(model);
    carom_modelfile_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_driven_scheme_from_outside_hits_the_ball_on_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
