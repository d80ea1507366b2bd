// SPDX-License-Identifier: Apache-2.0
// Every scheme of the papers on the slider-crank with play (e = 0.4, h = 1e-4) against states of an
// independent implementation: positions to 1e-10, velocities to 1e-8, energy to 1e-9, smallest gap
// to 1e-10, counts exactly.
#include "physics/rig.h"

enum { MOST_ROWS = 7 };

typedef struct row {
    double t, q[3], u[3], energy, min_gap;
    long impact_steps, contact_steps, steps;
} row;

typedef struct series {
    const char *scheme, *option, *value, *friction;
    int n_row;
    row row[MOST_ROWS];
} series;

static const series all[] = {
#include "schemes/slider_crank_rows.h"
};

static void compare(rig *r, const series *s, const row *want)
{
    const carom_state *state = carom_sim_state(r->sim);
    const carom_counts counts = carom_sim_counts(r->sim);
    carom_audit audit;
    rig_must(r, carom_sim_audit(r->sim, &audit, NULL, &r->error));
    double dq = 0, du = 0;
    for (int i = 0; i < 3; i++) {
        dq = fmax(dq, fabs(state->q[i] - want->q[i]));
        du = fmax(du, fabs(state->u[i] - want->u[i]));
    }
    if (!(dq <= 1e-10) || !(du <= 1e-8) || !(fabs(audit.energy_end - want->energy) <= 1e-9) ||
        !(fabs(audit.min_gap - want->min_gap) <= 1e-10))
        fail_msg("%s at t = %g: dq %g, du %g, dE %g, dgap %g", s->scheme, want->t, dq, du,
                 audit.energy_end - want->energy, audit.min_gap - want->min_gap);
    assert_int_equal(counts.impact_steps, want->impact_steps);
    assert_int_equal(counts.contact_steps, want->contact_steps);
    if (want->steps) assert_int_equal(counts.steps, want->steps);
    assert_int_equal(counts.unconverged, 0);
}

static void run(const series *s)
{
    static rig r;
    const char *const change[] = {"e=0.4", s->friction, NULL};
    const carom_setting setting = {{.text = s->option}, {.text = s->value}};
    const rig_plan plan = {.model = "slider-crank",
                           .scheme = s->scheme,
                           .step = 1e-4,
                           .end = 0.21,
                           .change = change,
                           .setting = &setting,
                           .n_setting = s->option ? 1 : 0};
    rig_open(&r, &plan);
    int next = 0;
    while (next < s->n_row) {
        rig_step(&r, 1);
        const double t = carom_sim_state(r.sim)->t;
        if (t > s->row[next].t + 1e-9) fail_msg("%s passed t = %g", s->scheme, s->row[next].t);
        if (fabs(t - s->row[next].t) <= 1e-9) compare(&r, s, &s->row[next++]);
    }
    rig_close(&r);
}

static void every_scheme_of_the_papers_follows_its_reference_rows(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) run(&all[i]);
}

// no step sees such a contact close; the law of the impact must hold all the same
static void a_contact_that_is_closing_when_the_run_starts_has_its_impact(void **unused)
{
    (void)unused;
    static const char *const schemes[] = {"tdg_acceleration", "tdg_velocity_explicit",
                                          "tdg_velocity", "tdg_velocity_adaptive"};
    for (int k = 0; k < 4; k++) {
        static rig r;
        const rig_plan plan = {
            .model = "chain-of-balls", .scheme = schemes[k], .step = 1e-3, .end = 0.1};
        rig_open(&r, &plan);
        rig_run(&r);
        const double *u = carom_sim_state(r.sim)->u;
        const double expected[] = {-1. / 3, 2. / 3, 2. / 3};
        for (int i = 0; i < 3; i++) assert_true(fabs(u[i] - expected[i]) <= 1e-14);
        assert_int_equal(carom_sim_counts(r.sim).impact_steps, 1);
        rig_close(&r);
    }
}

// 001 Sect. 6.2: gravity along -(cos 30, sin 30) degrees, h = 5e-3
static void the_ball_in_the_box_ends_in_its_corner_as_computed_independently(void **unused)
{
    (void)unused;
    static const struct {
        int step;
        double q[2], v[2];
    } sample[] = {
        {100, {0.9921540162842023, 1.3868749999999996}, {1.1639121619241681, -2.4524999999999983}},
        {150, {1.0176411439175777, 1.0693743500000001}, {-0.9600151408571675, 0.4022099999999984}},
        {200, {0.9999268574574617, 1.0166455999999995}, {0.0, -0.8240400000000008}},
        {300, {0.9998849098932316, 0.9997974792649993}, {0.0, 0.0}},
        {500, {0.9998849098932316, 0.9997974792649993}, {0.0, 0.0}}};
    static rig r;
    const rig_plan plan = {
        .model = "ball-in-box", .scheme = "tdg_velocity", .step = 5e-3, .end = 5};
    rig_open(&r, &plan);
    int at = 0;
    for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
        rig_step(&r, sample[i].step - at);
        at = sample[i].step;
        const carom_state *state = carom_sim_state(r.sim);
        for (int k = 0; k < 2; k++) {
            assert_true(fabs(state->q[k] - sample[i].q[k]) <= 1e-10);
            assert_true(fabs(state->u[k] - sample[i].v[k]) <= 1e-10);
        }
    }
    rig_close(&r);
}

// 003: spring pendulum, h = 2e-3, e = 1; the energy is that of the interval's midpoint
static void the_variational_spring_pendulum_is_the_independent_one(void **unused)
{
    (void)unused;
    static const struct {
        int step;
        double q[2], u[2], energy;
        long impacts;
    } sample[] = {{1,
                   {1.0999938735225354, 0.785385551113525},
                   {-0.0030632387323908925, -0.006306141961608236},
                   NAN,
                   0},
                  {250,
                   {1.1836543352118776, 0.12256160337788471},
                   {0.511987506806315, -1.9193084468760153},
                   -7.130395072800381,
                   0},
                  {500,
                   {1.0536866004766827, 0.7213890184911449},
                   {0.2027508548927101, 0.9250917295045803},
                   -7.1280341501905875,
                   1},
                  {1000,
                   {1.0806501714916756, 0.5383966218806808},
                   {-0.6032640950864456, 1.5918233747686599},
                   -7.121903596269194,
                   2},
                  {5000,
                   {1.0652947320469244, 0.5687685857503426},
                   {-0.07415510355879501, 1.6083582099164857},
                   -7.130477472596855,
                   9}};
    static rig r;
    const rig_plan plan = {
        .model = "spring-pendulum", .scheme = "variational", .step = 2e-3, .end = 10};
    rig_open(&r, &plan);
    int at = 0;
    for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
        rig_step(&r, sample[i].step - at);
        at = sample[i].step;
        const carom_state *state = carom_sim_state(r.sim);
        carom_audit audit;
        rig_must(&r, carom_sim_audit(r.sim, &audit, NULL, &r.error));
        for (int k = 0; k < 2; k++) {
            assert_true(fabs(state->q[k] - sample[i].q[k]) <= 1e-10);
            assert_true(fabs(state->u[k] - sample[i].u[k]) <= 1e-10);
        }
        if (!isnan(sample[i].energy))
            assert_true(fabs(audit.energy_end - sample[i].energy) <= 1e-10);
        assert_int_equal(carom_sim_counts(r.sim).impact_steps, sample[i].impacts);
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_of_the_papers_follows_its_reference_rows),
        cmocka_unit_test(a_contact_that_is_closing_when_the_run_starts_has_its_impact),
        cmocka_unit_test(the_ball_in_the_box_ends_in_its_corner_as_computed_independently),
        cmocka_unit_test(the_variational_spring_pendulum_is_the_independent_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
