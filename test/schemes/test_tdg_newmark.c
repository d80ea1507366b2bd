// SPDX-License-Identifier: Apache-2.0
// tdg_newmark: second order between impacts with lasting contact and friction, stable at any step
// in linear problems, the impact law, and the elastic bar without its artificial oscillation. Free
// motion, checkpoints, refusals and losses are looked at by the tests of all schemes.
#include "physics/rig.h"

static const double rhos[] = {0, 0.2, 0.5, 0.8, 1};
enum { N_RHO = sizeof rhos / sizeof *rhos };

static carom_setting setting_of(double rho, char *text, size_t room)
{
    snprintf(text, room, "%g", rho);
    return (carom_setting){{.text = "rho"}, {.text = text}};
}

static void open_text(rig *r, const rig_plan *plan, const char *text)
{
    memset(r, 0, sizeof *r);
    rig_must(r, carom_modelfile_read_text(text, strlen(text), "test.yaml", &r->file, &r->error));
    rig_build(r, plan);
}

// a bead slides along a valley, held by a contact with friction; on a wire, held by a constraint;
// on a valley that moves. The normal turns, and the force changes all the time.
#define BEAD                                                                                       \
    "carom: 1\ncoordinates:\n  x: {start: -1, rate: 2}\n  y: {start: 0.5, rate: -2 + %s}\n"        \
    "kinetic: (der(x)^2 + der(y)^2)/2\npotential: 9.81*y\n"
static const char *const beads[] = {
    BEAD "contacts: [{name: floor, gap: 'y - x^2/2', slip: x, friction: 0.1}]\n",
    BEAD "constraints: [{name: wire, equation: 'y - x^2/2'}]\n",
    BEAD "contacts: [{name: floor, gap: 'y - x^2/2 - 0.1*sin(3*t)', slip: x, friction: 0.05}]\n"};
static const char *const lifts[] = {"0", "0", "0.3"};

static double way(int kind, double step, double rho)
{
    char text[512], number[16];
    const carom_setting setting = setting_of(rho, number, sizeof number);
    const rig_plan plan = {
        .scheme = "tdg_newmark", .step = step, .end = 0.5, .setting = &setting, .n_setting = 1};
    snprintf(text, sizeof text, beads[kind], lifts[kind]);
    rig r;
    open_text(&r, &plan, text);
    rig_run(&r);
    assert_int_equal(r.n_impact, 0);
    const double x = rig_state(&r)->q[0];
    rig_close(&r);
    return x;
}

static void lasting_contact_is_of_second_order(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < 3; kind++)
        for (int k = 0; k < N_RHO; k++) {
            const double a = way(kind, 1. / 256, rhos[k]), b = way(kind, 1. / 512, rhos[k]),
                         c = way(kind, 1. / 1024, rhos[k]);
            const double order = log2(fabs((a - b) / (b - c)));
            if (!(order > 1.8 && order < 2.3))
                fail_msg("bead %d, rho = %g: order %g", kind, rhos[k], order);
        }
}

// At steps of up to 360 times what an explicit scheme could take the bar hits, stays and leaves,
// and its energy does not grow. Where a step is longer than the whole contact (3.85e-4 s), damping
// first overshoots, as it does in the generalised-alpha method after any jump of a force: it
// decays.
static void a_linear_problem_is_stable_at_any_step(void **unused)
{
    (void)unused;
    static const char *const change[] = {"elements=40", NULL};
    static const double steps[] = {1e-7, 2e-6, 5e-6, 2e-5, 1e-4, 1e-3};
    for (int k = 0; k < N_RHO; k++)
        for (int i = 0; i < 6; i++) {
            char number[16];
            const carom_setting setting = setting_of(rhos[k], number, sizeof number);
            const rig_plan plan = {.model = "elastic-bar",
                                   .scheme = "tdg_newmark",
                                   .step = steps[i],
                                   .end = fmax(1.2e-3, 400 * steps[i]),
                                   .change = change,
                                   .setting = &setting,
                                   .n_setting = 1,
                                   .allow_penetration = true};
            double most = 0;
            rig r;
            rig_open(&r, &plan);
            while (!carom_sim_is_done(r.sim)) {
                rig_step(&r, 1);
                most = fmax(most, rig_audit(&r).energy_end);
            }
            const double start = rig_audit(&r).energy_start;
            const bool overshoots = rhos[k] < 1 && steps[i] > 3.85e-4;
            if (!(most <= start * (overshoots ? 10 : 1 + 1e-6)))
                fail_msg("rho = %g, h = %g: energy %g of %g", rhos[k], steps[i], most, start);
            rig_below(rig_audit(&r).energy_end, start);
            assert_int_equal(carom_sim_counts(r.sim).unconverged, 0);
            rig_close(&r);
        }
}

// Sect. 7.1 with 1000 elements at nine times the step limit of tdg_velocity: one impulse, then the
// force E S v0/c0 = 1271.5 N until the wave is back, 2 L/c0 = 3.854e-4 s later
static void the_bar_does_not_oscillate(void **unused)
{
    (void)unused;
    static const char *const change[] = {"elements=1000", NULL};
    char number[16];
    const carom_setting setting = setting_of(0.5, number, sizeof number);
    const rig_plan plan = {.model = "elastic-bar",
                           .scheme = "tdg_newmark",
                           .step = 1e-6,
                           .end = 9.5e-4,
                           .change = change,
                           .setting = &setting,
                           .n_setting = 1};
    const double force = 2.1e11 * acos(-1) * 1e-4 * 0.1 / sqrt(2.1e11 / 7800);
    double on = 0, off = 0;
    rig r;
    rig_open(&r, &plan);
    while (!carom_sim_is_done(r.sim)) {
        rig_step(&r, 1);
        const carom_state *now = rig_state(&r);
        if (now->la[0] > 0 && on == 0) on = now->t;
        if (now->la[0] > 0) off = now->t;
        if (now->t > 5.1e-4 && now->t < 8.6e-4) rig_near(now->la[0], force, 0.01 * force);
    }
    assert_int_equal(r.n_impact, 1);
    rig_near(off - on, 3.854e-4, 4e-6);
    rig_close(&r);
}

static void impacts_obey_the_law_of_restitution(void **unused)
{
    (void)unused;
    static const char *const model[] = {"slider-crank", "bouncing-ball"};
    static const double e[] = {0.4, 0.9};
    for (int m = 0; m < 2; m++) {
        const rig_plan plan = {
            .model = model[m], .scheme = "tdg_newmark", .step = 1e-4, .end = m == 0 ? 0.2 : 2};
        rig r;
        rig_open(&r, &plan);
        rig_run(&r);
        assert_true(r.n_impact > 2);
        for (int i = 0; i < r.n_impact; i++)
            assert_true(r.impact[i].before < 0 &&
                        r.impact[i].after >= -e[m] * r.impact[i].before - 1e-12);
        rig_near(r.impact[0].after, -e[m] * r.impact[0].before, 1e-12);
        rig_close(&r);
    }
}

static double angle(const char *scheme, double step)
{
    rig_plan plan = {.model = "slider-crank", .scheme = scheme, .step = step, .end = 0.02};
    if (strcmp(scheme, "event_driven") == 0) plan.tolerance = 1e-10;
    rig r;
    rig_open(&r, &plan);
    rig_run(&r);
    const double q = rig_state(&r)->q[0];
    rig_close(&r);
    return q;
}

static void the_slider_crank_converges_to_event_driven(void **unused)
{
    (void)unused;
    const double exact = angle("event_driven", 1e-4);
    const double coarse = fabs(angle("tdg_newmark", 4e-4) - exact);
    const double fine = fabs(angle("tdg_newmark", 2.5e-6) - exact);
    rig_below(fine, coarse / 100);
}

// a block that decelerates, stops and stays, at the same bits
static void friction_stops_and_does_not_creep(void **unused)
{
    (void)unused;
    static const char *const change[] = {"mu=0.8", "v0=1", NULL};
    const double a = 9.81 * (0.8 * sqrt(0.75) - 0.5);
    const rig_plan plan = {.model = "block-on-incline",
                           .scheme = "tdg_newmark",
                           .step = 1e-3,
                           .end = 2,
                           .change = change};
    rig r;
    rig_open(&r, &plan);
    while (rig_state(&r)->t < 1) rig_step(&r, 1);
    const double stop = rig_state(&r)->q[0];
    rig_near(stop, 1 / (2 * a), 2e-3);
    rig_run(&r);
    rig_near(rig_state(&r)->q[0], stop, 1e-15);
    rig_near(rig_audit(&r).friction_loss, 0.5 + 9.81 * 0.5 * stop, 2e-3);
    rig_close(&r);
}

// Painleve: no sliding solution, the rod jams in the first step with a finite impulse, of which the
// forces that are kept from step to step must not know. It stays there.
static void a_jam_leaves_no_force_behind(void **unused)
{
    (void)unused;
    const rig_plan plan = {
        .model = "painleve-rod", .scheme = "tdg_newmark", .step = 1e-4, .end = 0.3};
    rig r;
    rig_open(&r, &plan);
    rig_step(&r, 1);
    const double jammed = rig_audit(&r).energy_end;
    rig_run(&r);
    rig_near(rig_audit(&r).energy_end, jammed, 1e-6);
    rig_near(rig_audit(&r).energy_error, 0, 2e-5);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lasting_contact_is_of_second_order),
        cmocka_unit_test(a_linear_problem_is_stable_at_any_step),
        cmocka_unit_test(the_bar_does_not_oscillate),
        cmocka_unit_test(impacts_obey_the_law_of_restitution),
        cmocka_unit_test(the_slider_crank_converges_to_event_driven),
        cmocka_unit_test(friction_stops_and_does_not_creep),
        cmocka_unit_test(a_jam_leaves_no_force_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
