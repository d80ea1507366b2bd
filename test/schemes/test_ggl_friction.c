// SPDX-License-Identifier: Apache-2.0
// ggl_unified with Coulomb friction: closed forms in the plane and in space, sticking without
// creep, no penetration, energy, convergence to event_driven, and the metric of its corrections.
#include "physics/rig.h"

static const carom_setting mass_metric = {{.text = "metric"}, {.text = "mass"}};

static rig_plan plan_of(const char *model, double step, double end, const char *const *change)
{
    return (rig_plan){
        .model = model, .scheme = "ggl_unified", .step = step, .end = end, .change = change};
}

static void open_text(rig *r, const rig_plan *plan, const char *text)
{
    memset(r, 0, sizeof *r);
    rig_must(r, carom_modelfile_read_text(text, strlen(text), "test.yaml", &r->file, &r->error));
    rig_build(r, plan);
}

// mu = 0.6 > tan 30 deg: the same bits for two seconds
static void a_block_that_sticks_does_not_creep(void **unused)
{
    (void)unused;
    const rig_plan plan = plan_of("block-on-incline", 1e-3, 2, NULL);
    rig r;
    rig_open(&r, &plan);
    rig_run(&r);
    rig_near(rig_state(&r)->q[0], 0, 0);
    rig_near(rig_state(&r)->q[1], 0, 0);
    rig_near(rig_audit(&r).friction_loss, 0, 0);
    rig_close(&r);
}

// constant forces: the midpoint rule is exact
static void a_block_that_slides_is_exact(void **unused)
{
    (void)unused;
    static const char *const change[] = {"mu=0.3", "v0=0.5", NULL};
    const rig_plan plan = plan_of("block-on-incline", 1e-2, 2, change);
    const double a = 9.81 * (0.5 - 0.3 * sqrt(0.75)), way = 0.5 * 2 + a * 2;
    rig r;
    rig_open(&r, &plan);
    rig_run(&r);
    rig_near(rig_state(&r)->q[0], way, 1e-13);
    rig_near(rig_state(&r)->u[0], 0.5 + 2 * a, 1e-13);
    rig_near(rig_audit(&r).friction_loss, 0.3 * sqrt(0.75) * 9.81 * way, 1e-12);
    rig_near(rig_audit(&r).energy_error, 0, 1e-12);
    rig_close(&r);
}

// A ball without gravity hits a floor askew: it keeps sliding, loses mu (1 + e) v_N of its slip in
// the direction of this slip, or sticks where it has less.
static void an_oblique_impact_in_space_is_coulombs(void **unused)
{
    (void)unused;
    static const char *const text =
        "carom: 1\nparameters: {e: 0, mu: 0.25}\ncoordinates:\n"
        "  x: {rate: 3}\n  y: {rate: -4}\n  z: {start: 0.1, rate: -2}\n"
        "kinetic: (der(x)^2 + der(y)^2 + der(z)^2)/2\n"
        "contacts:\n  - {name: floor, gap: z, slip: [x, y], restitution: e, friction: mu}\n";
    static const char *const changes[][3] = {{"e=0", NULL}, {"e=0.5", NULL}, {"e=1", "mu=2", NULL}};
    static const double e[] = {0, 0.5, 1}, mu[] = {0.25, 0.25, 2};
    for (int k = 0; k < 3; k++) {
        const rig_plan plan = plan_of(NULL, 1e-2, 0.2, changes[k]);
        const double left = fmax(0, 1 - mu[k] * (1 + e[k]) * 2 / 5);
        rig r;
        open_text(&r, &plan, text);
        rig_run(&r);
        rig_near(rig_state(&r)->u[0], 3 * left, 1e-13);
        rig_near(rig_state(&r)->u[1], -4 * left, 1e-13);
        rig_near(rig_state(&r)->u[2], 2 * e[k], 1e-13);
        assert_true(rig_state(&r)->q[2] >= -1e-15);
        rig_near(rig_audit(&r).friction_loss, 12.5 * (1 - left * left), 1e-12);
        rig_near(rig_audit(&r).energy_error, 0, 1e-12);
        rig_close(&r);
    }
}

// long contact on the walls, which psi alone keeps from being entered
static void the_slider_crank_with_friction_does_not_penetrate(void **unused)
{
    (void)unused;
    static const char *const changes[][3] = {{"mu=0.01", "e=0.1", NULL}, {"mu=0.01", "e=0", NULL}};
    for (int k = 0; k < 4; k++) {
        rig_plan plan = plan_of("slider-crank", 1e-4, 0.5, changes[k % 2]);
        plan.setting = &mass_metric;
        plan.n_setting = k / 2;
        double lost = 0, given = 0, top = INFINITY, rise = 0;
        rig r;
        rig_open(&r, &plan);
        while (!carom_sim_is_done(r.sim)) {
            rig_step(&r, 1);
            const carom_audit audit = rig_audit(&r);
            given += fmax(0, lost - audit.friction_loss);
            rise = fmax(rise, audit.energy_end - top);
            lost = audit.friction_loss;
            top = audit.energy_end;
        }
        const carom_audit audit = rig_audit(&r);
        assert_int_equal(carom_sim_counts(r.sim).unconverged, 0);
        assert_true(audit.min_gap >= -1e-13);
        assert_true(audit.cone_violation <= 1e-15);
        assert_true(carom_sim_counts(r.sim).contact_steps > 2000);
        assert_true(lost > 0.3 && audit.energy_end < audit.energy_start - lost);
        // of order h^2, where a slip turns inside of a step
        rig_below(given, 1e-4 * lost);
        rig_below(rise, 1e-3);
        rig_close(&r);
    }
}

static double end_angle(const char *scheme, double step)
{
    static const char *const change[] = {"mu=0.01", "e=0.1", NULL};
    rig_plan plan = plan_of("slider-crank", step, 0.02, change);
    plan.scheme = scheme;
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
    const double exact = end_angle("event_driven", 1e-4);
    const double coarse = fabs(end_angle("ggl_unified", 4e-5) - exact);
    const double fine = fabs(end_angle("ggl_unified", 2.5e-6) - exact);
    const double other = fabs(end_angle("moreau_midpoint", 2.5e-6) - exact);
    rig_below(fine, coarse / 6);
    rig_below(fine, 2e-4);
    rig_below(other, 2e-3);
}

// A body on a slope; its second coordinate in another unit. The correction of the position that is
// the least for the mass does not know the units.
static double reached(const char *unit, bool with_mass)
{
    static const char *const text =
        "carom: 1\nparameters: {k: 1}\ncoordinates:\n  x: {rate: 1}\n  y: {start: 1/k}\n"
        "kinetic: (der(x)^2 + (k*der(y))^2)/2\npotential: 9.81*k*y\n"
        "contacts:\n"
        "  - {name: floor, gap: k*y - x/2 + x^2/8, slip: x, restitution: 0.3, friction: 0.2}\n";
    const char *const change[] = {unit, NULL};
    rig_plan plan = plan_of(NULL, 1e-2, 1, change);
    plan.setting = &mass_metric;
    plan.n_setting = with_mass;
    rig r;
    open_text(&r, &plan, text);
    rig_run(&r);
    const double x = rig_state(&r)->q[0];
    assert_true(rig_audit(&r).min_gap >= -1e-13);
    rig_close(&r);
    return x;
}

static void the_metric_of_the_mass_knows_no_units(void **unused)
{
    (void)unused;
    rig_near(reached("k=8", true), reached("k=1", true), 1e-11);
    assert_true(fabs(reached("k=8", false) - reached("k=1", false)) > 1e-6);
    // with masses of 1 both metrics are one
    rig_near(reached("k=1", true), reached("k=1", false), 1e-11);
}

// forty bodies side by side make a sparse problem: each does what one does alone
static void many_contacts_do_what_one_does(void **unused)
{
    (void)unused;
    static const char *const text =
        "carom: 1\nparameters: {n: 40}\ncoordinates:\n"
        "  'x[i]': {for: {i: 1..n}, rate: 1 + i/10}\n  'z[i]': {for: {i: 1..n}, start: 0.01*i}\n"
        "kinetic: sum(i, 1, n, der(x[i])^2 + der(z[i])^2)/2\n"
        "potential: 9.81*sum(i, 1, n, z[i])\n"
        "contacts:\n"
        "  - {name: 'floor[i]', for: {i: 1..n}, gap: 'z[i]', slip: 'x[i]', restitution: 0.2, "
        "friction: 0.1}\n";
    static const char *const one[] = {"n=1", NULL};
    double alone = 0;
    for (int k = 0; k < 2; k++) {
        const rig_plan plan = plan_of(NULL, 2e-3, 0.3, k == 0 ? one : NULL);
        rig r;
        open_text(&r, &plan, text);
        rig_run(&r);
        if (k == 0) alone = rig_state(&r)->q[0];
        rig_near(rig_state(&r)->q[0], alone, 1e-12);
        assert_true(rig_audit(&r).min_gap >= -1e-14);
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_that_sticks_does_not_creep),
        cmocka_unit_test(a_block_that_slides_is_exact),
        cmocka_unit_test(an_oblique_impact_in_space_is_coulombs),
        cmocka_unit_test(the_slider_crank_with_friction_does_not_penetrate),
        cmocka_unit_test(the_slider_crank_converges_to_event_driven),
        cmocka_unit_test(the_metric_of_the_mass_knows_no_units),
        cmocka_unit_test(many_contacts_do_what_one_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
