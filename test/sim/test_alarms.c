// SPDX-License-Identifier: Apache-2.0
// Alarms: what is wrong is said, with the reason that the evidence shows, and what is right is not.
#include "sim/alarm_rig.h"

static bool warns(const char *text, const carom_sim_options *options, const char *of)
{
    trial t;
    const carom_audit audit = trial_run(&t, text, options);
    const bool is_said = of ? strstr(audit.warnings, of) != NULL : audit.warnings[0] != 0;
    if (!of && is_said) print_message("%s: %s\n", options->scheme, audit.warnings);
    trial_end(&t);
    return is_said;
}

// omega = 1000/s: stable below h = 2e-3, and 1 % of energy error needs a step far below
#define SPRING(zero)                                                                               \
    "carom: 1\ncoordinates: {x: {start: 1}}\nkinetic: der(x)^2/2\npotential: 1e6*x^2/2 + (" zero   \
    ")\n"

static void an_unstable_step_is_said_whatever_the_zero_of_the_potential(void **state)
{
    (void)state;
    const char *const text[] = {SPRING("0"), SPRING("-1e5"), SPRING("1e7")};
    const carom_sim_options unstable = trial_options("moreau_midpoint", 2.1e-3, 0.1),
                            at_limit = trial_options("moreau_midpoint", 2e-3, 0.1),
                            stable = trial_options("moreau_midpoint", 1e-5, 0.05);
    for (int i = 0; i < 3; i++) {
        assert_true(warns(text[i], &unstable, "the energy rose from"));
        assert_true(warns(text[i], &unstable, "the motion is unstable (a smaller --step"));
        assert_false(warns(text[i], &stable, NULL));
    }
    // what forces give in a step is no part of what there was: 8 times E0 here, in every step
    assert_true(warns(text[0], &at_limit, "the energy rose from 500000 J to 5."));
}

// A table throws a ball off, with its velocity. Where the projection of positions keeps it from
// resting before, a scheme that keeps rates in the middle of steps says how well that is known
static void a_contact_that_lets_go_with_a_lag_is_said(void **state)
{
    (void)state;
    static const char table[] =
        "carom: 1\nparameters: {A: 2*9.81/400}\ncoordinates: {y: {start: 0, rate: A*20}}\n"
        "kinetic: der(y)^2/2\npotential: 9.81*y\n"
        "contacts: [{name: table, gap: y - A*sin(20*t), restitution: 0.3}]\n";
    static const char *const of[] = {
        "moreau_midpoint", "moreau_jean",   "moreau_direct_projection", "tdg_velocity",
        "ggl_unified",     "ggl_reference", "moreau_jean_explicit"};
    for (int k = 0; k < 7; k++) {
        carom_sim_options options = carom_sim_default();
        options.scheme = of[k];
        options.is_auto_step = true;
        options.tolerance = 1e-5;
        options.end = 0.1;
        assert_false(warns(table, &options, NULL));
    }
    static const char quick[] =
        "carom: 1\nparameters: {A: 3*9.81/2500}\ncoordinates: {y: {start: 0, rate: A*50}}\n"
        "kinetic: der(y)^2/2\npotential: 9.81*y\n"
        "contacts: [{name: table, gap: y - A*sin(50*t), restitution: 0.1}]\n";
    carom_sim_options options = carom_sim_default();
    options.scheme = "moreau_combined_projection";
    options.is_auto_step = true;
    options.tolerance = 1e-4;
    options.end = 0.5;
    assert_true(warns(quick, &options, "contact 'table' lets go at t = 0.0064"));
}

// the explicit rule gains energy slowly: no runaway, but an error
static void an_energy_error_says_since_when(void **state)
{
    (void)state;
    const carom_sim_options coarse = trial_options("moreau_jean_explicit", 5e-5, 0.05);
    trial t;
    const carom_audit a = trial_run(&t, SPRING("0"), &coarse);
    assert_true(fabs(a.energy_error) > 1e-2 * a.largest_kinetic);
    assert_non_null(strstr(a.warnings, "the energy error of"));
    assert_non_null(strstr(a.warnings, "since t = "));
    assert_null(strstr(a.warnings, "rose"));
    assert_null(strchr(a.warnings, '\n'));
    trial_end(&t);
}

static const char *const scheme[] = {"moreau_midpoint",     "moreau_jean",
                                     "tdg_velocity",        "moreau_combined_projection",
                                     "nonsmooth_gen_alpha", "event_driven"};
enum { N_SCHEME = sizeof scheme / sizeof *scheme };

// bodies at rest have no kinetic energy to measure rounding against
static void rest_is_no_alarm(void **state)
{
    (void)state;
    static const char *const text[] = {
        // on the floor, at the zero of the potential
        "carom: 1\ncoordinates: {y: {start: 0}}\nkinetic: der(y)^2/2\npotential: 9.81*y\n"
        "contacts: [{name: floor, gap: y}]\n",
        // held by friction on a slope, with a potential that starts negative
        "carom: 1\ncoordinates: {x: {start: 3}, y: {start: 0}}\n"
        "kinetic: (der(x)^2 + der(y)^2)/2\npotential: 9.81*(0.9*y - 0.3*x)\n"
        "contacts: [{name: floor, gap: y, slip: x, friction: 0.6}]\n",
        // pressed down by a force that comes later
        "carom: 1\ncoordinates: {y: {start: 0.1}}\nkinetic: der(y)^2/2\n"
        "forces: [{coordinate: y, force: -t}]\ncontacts: [{name: floor, gap: y - 0.1}]\n",
        // on two feet
        "carom: 1\ncoordinates: {y: {start: 0.3}, a: {start: 0}}\n"
        "kinetic: (der(y)^2 + 0.1*der(a)^2)/2\npotential: 9.81*y\n"
        "contacts:\n  - {name: left, gap: y - 0.3 - 0.2*sin(a)}\n"
        "  - {name: right, gap: y - 0.3 + 0.2*sin(a)}\n"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        for (int k = 0; k < N_SCHEME; k++) {
            const carom_sim_options options = trial_options(scheme[k], 1e-3, 10);
            assert_false(warns(text[i], &options, NULL));
        }
}

// energy that is brought in is work, not an error: resonance, a floor that lifts, a motor
static void energy_that_is_brought_in_is_no_alarm(void **state)
{
    (void)state;
    static const char *const text[] = {
        "carom: 1\ncoordinates: {x: {start: 0}}\nkinetic: der(x)^2/2\npotential: 50*x^2\n"
        "forces: [{coordinate: x, force: sin(10*t)}]\n",
        "carom: 1\ncoordinates: {y: {start: 0}}\nkinetic: der(y)^2/2\npotential: 9.81*y\n"
        "contacts: [{name: floor, gap: y - 2*(1 - cos(t))}]\n",
        "carom: 1\ncoordinates: {x: {start: 0}}\nkinetic: der(x)^2/2\n"
        "forces: [{coordinate: x, force: 10}]\n"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        for (int k = 0; k < N_SCHEME; k++) {
            const carom_sim_options options = trial_options(scheme[k], 1e-4, 10);
            assert_false(warns(text[i], &options, NULL));
        }
}

// long steps of the step control: the floor turns within them, the block's acceleration does not
static void a_shaken_block_is_no_alarm(void **state)
{
    (void)state;
    static const double shaker[][3] = {{0.3, 0.0897, 9.0779}, {0.1, 0.1, 20}, {0.2, 0.05, 12.5}};
    static const double tolerance[] = {1e-4, 1e-6, 1e-8};
    for (int i = 0; i < 9; i++) {
        const double *s = shaker[i / 3];
        char text[400];
        snprintf(text, sizeof text,
                 "carom: 1\nparameters: {mu: %g, B: %g, w: %g}\n"
                 "coordinates: {x: {start: 0}, y: {start: 0}}\n"
                 "kinetic: (der(x)^2 + der(y)^2)/2\npotential: 9.81*y\n"
                 "contacts: [{name: floor, gap: y, slip: x - B*sin(w*t), friction: mu}]\n",
                 s[0], s[1], s[2]);
        carom_sim_options options = trial_options("tdg_velocity", 0, 2);
        options.is_auto_step = true;
        options.tolerance = tolerance[i % 3];
        trial t;
        const carom_audit audit = trial_run(&t, text, &options);
        assert_string_equal(audit.warnings, "");
        assert_in_range((int)(1e12 * fabs(audit.energy_error)), 0, 1); // forces are constant
        trial_end(&t);
    }
}

#define BALL(start)                                                                                \
    "carom: 1\ncoordinates: {y: {start: " start "}}\nkinetic: der(y)^2/2\npotential: 9.81*y\n"     \
    "contacts: [{name: floor, gap: y, restitution: 0.5}, {name: lid, gap: 4 - y}]\n"

static void a_deep_start_is_refused_with_contact_depth_and_size(void **state)
{
    (void)state;
    carom_sim_options options = trial_options("moreau_midpoint", 1e-3, 1);
    trial t;
    assert_int_equal(trial_make(&t, BALL("-0.118"), &options), CAROM_BAD_INPUT);
    assert_non_null(strstr(t.error.message, "rig.yaml:5:19: contact 'floor' starts 0.118 m deep"));
    assert_non_null(strstr(t.error.message, "size 4.12 m"));
    assert_non_null(strstr(t.error.message, "--start"));
    assert_non_null(strstr(t.error.message, "sign of the gap"));
    trial_end(&t);
    options.allow_penetration = true;
    assert_true(warns(BALL("-0.118"), &options, "with the other sign it would start open"));
    // a thousandth of the size, in any unit of length
    options.allow_penetration = false;
    assert_int_equal(trial_make(&t, BALL("-0.0039"), &options), CAROM_OK);
    assert_int_equal(carom_model_n_warning(t.model), 1);
    trial_end(&t);
    assert_int_equal(trial_make(&t, BALL("-0.0041"), &options), CAROM_BAD_INPUT);
    trial_end(&t);
}

// the size is that of the drawing, where there is one
static void the_size_of_a_model_is_that_of_its_drawing(void **state)
{
    (void)state;
    static const char text[] = BALL("-0.0039") "draw: [{line: [[0, 0], [0.3, 0.4]]}]\n",
                      disc[] = BALL("1") "draw: [{disc: [0, 0], radius: 1}]\n";
    const carom_sim_options options = trial_options("moreau_midpoint", 1e-3, 1);
    trial t;
    assert_int_equal(trial_make(&t, text, &options), CAROM_BAD_INPUT);
    assert_non_null(strstr(t.error.message, "size 0.5 m"));
    trial_end(&t);
    rig_ok(trial_make(&t, disc, &options), &t.error);
    assert_true(fabs(rig_audit(t.sim).model_size - sqrt(8)) < 1e-15);
    trial_end(&t);
}

// A scheme that only says what it is told to: a loss, and a velocity to end with. The mass has
// T = 1/2 to begin with; nothing else has energy.
enum { LOSS, VELOCITY };
static carom_status tell(carom_step *s, const carom_state *now, carom_state *next)
{
    next->q[0] = now->q[0];
    next->u[0] = s->option[VELOCITY];
    s->report.impact_loss = s->option[LOSS];
    return CAROM_OK;
}
static const carom_option told[] = {{"loss", CAROM_REAL, 0, 0, 1e9, NULL, "[J]"},
                                    {"velocity", CAROM_REAL, 1, 0, 1e9, NULL, "[m/s]"},
                                    {0}};
static const unsigned no_mask[] = {0};
static const carom_scheme teller = {.name = "teller",
                                    .has_contact = true,
                                    .has_friction = true,
                                    .option = told,
                                    .mask = no_mask,
                                    .step = tell};

static bool teller_warns(const char *loss, const char *velocity, const char *of)
{
    const carom_setting setting[] = {{rig_text("loss"), rig_text(loss)},
                                     {rig_text("velocity"), rig_text(velocity)}};
    carom_sim_options options = carom_sim_default();
    options.own_scheme = &teller;
    options.step = options.end = 1;
    options.setting = setting;
    options.n_setting = 2;
    return warns("carom: 1\ncoordinates: {x: {rate: 1}}\nkinetic: der(x)^2/2\n"
                 "contacts: [{name: far, gap: 10 + x}]\n",
                 &options, of);
}

static void the_limits_of_energy_are_a_hundredth_and_a_thousand(void **state)
{
    (void)state;
    // error = loss, scale = 1/2 + loss
    assert_false(teller_warns("0.00504", "1", "energy"));
    assert_true(teller_warns("0.00506", "1", "the energy error of 0.00506 J is 1 %"));
    // a rise of T by 1000 times (1/2 + 1/2): v^2/2 = 1000.5
    assert_false(teller_warns("0", "44.72", "rose"));
    assert_true(teller_warns("0", "44.72", "the energy error of"));
    assert_true(teller_warns("0", "44.74", "the energy rose from 0.5 J to 1000.8"));
}

static void the_limit_of_depth_is_a_twentieth(void **state)
{
    (void)state;
    const carom_sim_options options = trial_options("moreau_midpoint", 1e-3, 1);
    static const char jump[] =
        "carom: 1\nparameters: {depth: %g}\n"
        "coordinates: {x: {start: 0, rate: 1}, y: {start: 0.3}}\n"
        "kinetic: (der(x)^2 + der(y)^2)/2\n"
        "contacts:\n  - name: side\n    surface:\n      - {gap: y, where: x < 0.5}\n"
        "      - {gap: y - 0.3 - depth, where: x >= 0.5}\n"
        "draw: [{line: [[0, 0], [0.2, 0]]}]\n";
    char text[512];
    snprintf(text, sizeof text, jump, 0.0099);
    assert_false(warns(text, &options, "deep"));
    snprintf(text, sizeof text, jump, 0.0101);
    assert_true(warns(text, &options, "deep"));
}

// how a contact got deep: too large a step, a gap that jumps, a scheme that drifts
static void the_advice_on_depth_follows_the_evidence(void **state)
{
    (void)state;
    static const char fast[] =
        "carom: 1\ncoordinates: {y: {start: 1.11, rate: -20}}\nkinetic: der(y)^2/2\n"
        "contacts: [{name: floor, gap: y, restitution: 1}]\n";
    static const char jump[] =
        "carom: 1\ncoordinates: {x: {start: 0, rate: 1}, y: {start: 0.051}}\n"
        "kinetic: (der(x)^2 + der(y)^2)/2\n"
        "contacts:\n  - name: side\n    surface:\n      - {gap: y, where: x < 0.5}\n"
        "      - {gap: y - 0.2, where: x >= 0.5}\n"
        "draw: [{line: [[0, 0], [0.2, 0]]}]\n";
    static const char rest[] =
        "carom: 1\ncoordinates: {y: {start: 0}}\nkinetic: der(y)^2/2\npotential: 9.81*y\n"
        "contacts: [{name: floor, gap: y}]\ndraw: [{line: [[0, 0], [0.2, 0]]}]\n";
    carom_sim_options options = trial_options("moreau_midpoint", 1e-2, 0.2);
    assert_true(warns(fast, &options, "m in a step (a smaller --step)"));
    options.step = 1e-3;
    assert_false(warns(fast, &options, NULL));
    options.end = 1;
    assert_true(warns(jump, &options, "contact 'side.2' is 0.149 m deep at t = 0.5"));
    assert_true(warns(jump, &options, "the model is wrong there"));
    options = trial_options("tdg_velocity_explicit", 1e-3, 5);
    assert_true(warns(rest, &options, "it sank little by little"));
}

// the audit's places and times against all step ends, looked at one by one
static void the_worst_has_a_name_and_a_time(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ncoordinates: {x: {start: 0.6}, y: {start: 0.8}, z: {start: 0.3}}\n"
        "kinetic: (der(x)^2 + der(y)^2 + der(z)^2)/2\npotential: 9.81*(y + z)\n"
        "constraints:\n  - {name: rod, equation: x^2 + y^2 - 1}\n"
        "  - {name: slow, equation: 1e-9*(x^2 + y^2 - 1)}\n"
        "contacts:\n  - {name: high, gap: z + 0.01, restitution: 0.9}\n"
        "  - {name: low, gap: z, restitution: 0.9}\n";
    carom_sim_options options = trial_options("moreau_midpoint", 1e-3, 1.5);
    trial t;
    double gap[2], deepest = INFINITY, at = 0, drift = 0, drift_at = 0;
    rig_ok(trial_make(&t, text, &options), &t.error);
    while (!carom_sim_is_done(t.sim)) {
        carom_audit audit;
        rig_ok(carom_sim_step(t.sim, &t.error), &t.error);
        rig_ok(carom_sim_audit(t.sim, &audit, gap, &t.error), &t.error);
        const carom_state *now = carom_sim_state(t.sim);
        const double left = fabs(now->q[0] * now->q[0] + now->q[1] * now->q[1] - 1);
        if (gap[1] < deepest) {
            deepest = gap[1];
            at = now->t;
        }
        if (left > drift) {
            drift = left;
            drift_at = now->t;
        }
    }
    const carom_audit a = rig_audit(t.sim);
    assert_string_equal(a.min_gap_at, "low");
    assert_true(a.min_gap == deepest && a.min_gap_time == at && at > 0);
    assert_string_equal(a.max_drift_at, "rod");
    assert_true(fabs(a.max_drift - drift) <= 1e-15 && fabs(a.max_drift_time - drift_at) < 2e-3);
    trial_end(&t);
}

// a solver that may not iterate leaves a residual, and its place is known
static void the_residual_has_a_name_too(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ncoordinates: {x: {start: 0}, y: {start: 0}, z: {start: 1}}\n"
        "kinetic: (der(x)^2 + der(y)^2 + der(z)^2 + der(x)*der(y))/2\n"
        "potential: 9.81*(x + y + z)\n"
        "contacts: [{name: far, gap: z}, {name: a, gap: x}, {name: b, gap: y}]\n";
    const carom_setting few[] = {{rig_text("solver.iterations"), rig_text("1")}};
    carom_sim_options options = trial_options("moreau_midpoint", 1e-3, 0.1);
    options.solver = "nsgs";
    options.setting = few;
    options.n_setting = 1;
    trial t;
    const carom_audit audit = trial_run(&t, text, &options);
    assert_true(audit.residual > 0);
    assert_true(strcmp(audit.residual_at, "a") == 0 || strcmp(audit.residual_at, "b") == 0);
    assert_true(audit.residual_time > 0 && audit.residual_time <= 0.1);
    trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unstable_step_is_said_whatever_the_zero_of_the_potential),
        cmocka_unit_test(a_contact_that_lets_go_with_a_lag_is_said),
        cmocka_unit_test(an_energy_error_says_since_when),
        cmocka_unit_test(rest_is_no_alarm),
        cmocka_unit_test(energy_that_is_brought_in_is_no_alarm),
        cmocka_unit_test(a_shaken_block_is_no_alarm),
        cmocka_unit_test(a_deep_start_is_refused_with_contact_depth_and_size),
        cmocka_unit_test(the_size_of_a_model_is_that_of_its_drawing),
        cmocka_unit_test(the_limits_of_energy_are_a_hundredth_and_a_thousand),
        cmocka_unit_test(the_limit_of_depth_is_a_twentieth),
        cmocka_unit_test(the_advice_on_depth_follows_the_evidence),
        cmocka_unit_test(the_worst_has_a_name_and_a_time),
        cmocka_unit_test(the_residual_has_a_name_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
