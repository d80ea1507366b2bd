// SPDX-License-Identifier: Apache-2.0
// Assembled starts against closed forms: four-bar, slider-crank, a body on a ball joint. What is
// kept stays to the last bit, what is changed is changed least in the mass metric.
#include "model/rotation_models.h"

#define FOUR_BAR(lengths, start)                                                                   \
    "carom: 1\n"                                                                                   \
    "parameters: {" lengths ", m: 1}\n"                                                            \
    "coordinates: {th1: {start: 0.8, rate: 10}, th2: {start: 0.3}, th3: {start: 1.2}}\n"           \
    "kinetic: m/6*(a^2*der(th1)^2 + b^2*der(th2)^2 + c^2*der(th3)^2)\n"                            \
    "constraints:\n"                                                                               \
    "  - {name: x, equation: a*cos(th1) + b*cos(th2) - d - c*cos(th3)}\n"                          \
    "  - {name: y, equation: a*sin(th1) + b*sin(th2) - c*sin(th3)}\n" start
#define LENGTHS "a: 0.1, b: 0.3, c: 0.25, d: 0.35"
#define ALL "start: {positions: assemble, velocities: assemble, keep: [th1]}\n"

static const double a = 0.1, b = 0.3, c = 0.25;

// the open branch: the coupler from the law of cosines at the crank's end
static void close_four_bar(double d, double th1, double *th2, double *th3)
{
    const double x = d - a * cos(th1), y = -a * sin(th1), r = hypot(x, y);
    *th2 = atan2(y, x) + acos((r * r + b * b - c * c) / (2 * r * b));
    *th3 = atan2(b * sin(*th2) - y, b * cos(*th2) - x);
}

static void a_four_bar_closes(void **state)
{
    (void)state;
    double th2, th3;
    carom_model *model = model_from_text(FOUR_BAR(LENGTHS, ALL));
    const double *q = carom_model_start_q(model), *u = carom_model_start_u(model);
    close_four_bar(0.35, 0.8, &th2, &th3);
    assert_true(q[0] == 0.8 && u[0] == 10);
    assert_true(fabs(q[1] - th2) < 1e-14 && fabs(q[2] - th3) < 1e-14);
    const double sine = sin(th3 - th2);
    assert_true(fabs(u[1] + 10 * a * sin(th3 - 0.8) / (b * sine)) < 1e-13);
    assert_true(fabs(u[2] - 10 * a * sin(0.8 - th2) / (c * sine)) < 1e-13);
    const carom_assembled done = carom_model_assembled(model);
    assert_true(done.positions && done.velocities && done.passes > 0);
    assert_string_equal(done.moved, "th3");
    assert_true(fabs(done.move - (th3 - 1.2)) < 1e-14);
    assert_string_equal(done.changed, "der(th2)");
    assert_true(fabs(done.change + u[1]) < 1e-14);
    carom_model_free(model);
}

// twice and the sum of both: the same start
static void redundant_rows_close_as_well(void **state)
{
    (void)state;
    static const char twice[] =
        FOUR_BAR(LENGTHS, "  - {name: x2, equation: 2*(a*cos(th1) + b*cos(th2) - d - "
                          "c*cos(th3))}\n"
                          "  - {name: s, equation: a*sin(th1) + b*sin(th2) - c*sin(th3) + "
                          "a*cos(th1) + b*cos(th2) - d - c*cos(th3)}\n" ALL);
    carom_model *once = model_from_text(FOUR_BAR(LENGTHS, ALL)), *more = model_from_text(twice);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(carom_model_start_q(once)[i] - carom_model_start_q(more)[i]) < 1e-13);
        assert_true(fabs(carom_model_start_u(once)[i] - carom_model_start_u(more)[i]) < 1e-11);
    }
    carom_model_free(once);
    carom_model_free(more);
}

// the change of velocities is M^-1 W' l: no work on any motion that the constraints allow
static void the_change_is_the_least(void **state)
{
    (void)state;
    carom_model *model =
        model_from_text(FOUR_BAR(LENGTHS, "start: {positions: assemble, velocities: assemble}\n"));
    const double *q = carom_model_start_q(model), *u = carom_model_start_u(model);
    const double allowed[3] = {1, -a * sin(q[2] - q[0]) / (b * sin(q[2] - q[1])),
                               a * sin(q[0] - q[1]) / (c * sin(q[2] - q[1]))};
    const double change[3] = {u[0] - 10, u[1], u[2]};
    const double work = a * a * change[0] * allowed[0] + b * b * change[1] * allowed[1] +
                        c * c * change[2] * allowed[2];
    assert_true(fabs(work) < 1e-15);
    assert_true(fabs(change[0]) > 0.1);
    carom_model_free(model);
}

static void refuses(const char *text, const char *expected)
{
    carom_error error = {0};
    carom_model *model;
    carom_modelfile *file = file_from_text(text);
    assert_int_equal(carom_builder_finish(carom_modelfile_builder(file), &model, &error),
                     CAROM_BAD_INPUT);
    if (!strstr(error.message, expected)) fail_msg("%s", error.message);
    carom_modelfile_free(file);
}

static void loops_that_cannot_close_are_refused(void **state)
{
    (void)state;
    refuses(FOUR_BAR("a: 0.1, b: 0.3, c: 0.25, d: 0.75", ALL),
            "the loops cannot be closed from the start that is given: at best 'x' is -0.1");
    refuses(FOUR_BAR(LENGTHS, "start: {positions: assemble, keep: [th1, th2, th3]}\n"),
            "keep less ('th1' and others are kept)");
    refuses(FOUR_BAR(LENGTHS, "start: {positions: assemble, velocities: assemble, keep: [th1]}\n"
                              "record: {r: sqrt(th2 - 2)}\n"),
            "not a finite number");
    refuses("carom: 1\n"
            "space: plane\n"
            "bodies:\n"
            "  base: {mass: 1, inertia: 0.1, at: [0.1, 0], points: {p: [1, 0]}}\n"
            "  arm: {mass: 2, inertia: 0.3, at: [2, 1], points: {e: [-0.5, 0]}}\n"
            "joints:\n"
            "  foot: {revolute: [ground, base], from: [0, 0], to: base}\n"
            "  pin: {revolute: [base, arm], from: base.p, to: arm.e}\n"
            "start: {positions: assemble, keep: [arm]}\n",
            "keep less ('arm.x' and others are kept)");
    refuses(FOUR_BAR(LENGTHS, "start: {velocities: assemble}\n"),
            "write start: {positions: assemble}");
}

// twice the way that is left: the four-bar that is just long enough, where the rows are dependent
static void a_stretched_loop_closes(void **state)
{
    (void)state;
    carom_model *model = model_from_text(FOUR_BAR("a: 0.1, b: 0.3, c: 0.25, d: 0.65",
                                                  "start: {positions: assemble, velocities: "
                                                  "assemble}\n"));
    for (int i = 0; i < 2; i++) assert_true(fabs(carom_model_start_q(model)[i]) < 1e-6);
    assert_true(fabs(carom_model_start_q(model)[2] - acos(-1.0)) < 1e-6);
    carom_model_free(model);
}

// the file's spins, from that of the crank alone
static void a_slider_crank_follows_its_crank(void **state)
{
    (void)state;
    static const char given[] = "carom: 1\n"
                                "space: plane\n"
                                "parameters: {l1: 0.153, l2: 0.306}\n"
                                "bodies:\n"
                                "  crank: {mass: 0.038, inertia: 7.4e-5, at: [l1/2, 0], spin: 150, "
                                "points: {tip: [l1/2, 0]}}\n"
                                "  rod: {mass: 0.038, inertia: 5.9e-4, at: [l1 + l2/2, 0]}\n"
                                "  slider: {mass: 0.076, inertia: 2.7e-6, at: [l1 + l2, 0]}\n"
                                "joints:\n"
                                "  main: {revolute: [ground, crank], at: [0, 0]}\n"
                                "  pin: {revolute: [crank, rod], at: crank.tip}\n"
                                "  wrist: {revolute: [rod, slider], at: [l1 + l2, 0]}\n"
                                "  rail: {prismatic: [ground, slider], at: slider, axis: [1, 0]}\n"
                                "start: {velocities: assemble, keep: [crank.angle]}\n";
    carom_model *model = model_from_text(given);
    const double *u = carom_model_start_u(model);
    const double expected[9] = {0, 150 * 0.153 / 2, 150, 0, 150 * 0.153 - 75 * 0.153, -75, 0, 0, 0};
    assert_int_equal(carom_model_sizes(model).nu, 9);
    for (int i = 0; i < 9; i++) assert_true(fabs(u[i] - expected[i]) < 1e-10);
    assert_true(u[2] == 150);
    carom_model_free(model);
}

// two bodies with a point each: the loop closes, what is kept stays
static void bodies_are_put_together(void **state)
{
    (void)state;
    static const char given[] =
        "carom: 1\n"
        "space: plane\n"
        "bodies:\n"
        "  base: {mass: 1, inertia: 0.1, at: [0.1, 0], points: {p: [1, 0]}}\n"
        "  arm: {mass: 2, inertia: 0.3, at: [2, 1], angle: 1, points: {e: [-0.5, 0]}}\n"
        "joints:\n"
        "  foot: {revolute: [ground, base], from: [0, 0], to: base}\n"
        "  pin: {revolute: [base, arm], from: base.p, to: arm.e}\n"
        "start: {positions: assemble, keep: [arm.angle]}\n";
    carom_model *model = model_from_text(given);
    const double *q = carom_model_start_q(model);
    assert_true(fabs(q[0]) < 1e-15 && fabs(q[1]) < 1e-15 && q[5] == 1);
    assert_true(fabs(q[3] - 0.5 * cos(1) - cos(q[2])) < 1e-14);
    assert_true(fabs(q[4] - 0.5 * sin(1) - sin(q[2])) < 1e-14);
    carom_model_free(model);
}

// a body whose point 0.1 below its centre is to be held at the origin
static carom_model *held_top(const char *keep)
{
    static const char *const name[] = {"x", "y", "z"};
    static const char *const row[] = {"x - 0.1*top.R13", "y - 0.1*top.R23", "z - 0.1*top.R33"};
    static const rotation_text leaning = {
        "top", {"cos(deg(30))", "sin(deg(30))"}, {"1", "-2", "150"}};
    carom_error error = {0};
    carom_builder *builder = carom_builder_new();
    for (int i = 0; i < 3; i++)
        must(carom_builder_coordinate(builder, text_of(name[i]), NULL,
                                      text_of(i == 2 ? "0.07" : "0.02"), text_of("0"), &error),
             &error);
    add_rotation(builder, &leaning);
    must(carom_builder_energy(builder, CAROM_KINETIC, NULL,
                              text_of("(der(x)^2 + der(y)^2 + der(z)^2 + 0.005*(top.wx^2 + "
                                      "top.wy^2) + 0.002*top.wz^2)/2"),
                              &error),
         &error);
    for (int i = 0; i < 3; i++)
        must(carom_builder_constraint(builder, text_of(name[i]), NULL, text_of(row[i]), &error),
             &error);
    must(carom_builder_assemble(builder, CAROM_ASSEMBLE_POSITIONS | CAROM_ASSEMBLE_VELOCITIES,
                                &error),
         &error);
    if (keep) must(carom_builder_keep(builder, text_of(keep), &error), &error);
    carom_model *model;
    must(carom_builder_finish(builder, &model, &error), &error);
    carom_builder_free(builder);
    return model;
}

static void a_body_in_space_is_assembled(void **state)
{
    (void)state;
    carom_model *model = held_top("top");
    const double *q = carom_model_start_q(model), *u = carom_model_start_u(model);
    assert_int_equal(carom_model_sizes(model).nq, carom_model_sizes(model).nu + 1);
    assert_true(fabs(q[3] - cos(acos(-1.0) / 6)) < 1e-15 && u[3] == 1 && u[4] == -2 && u[5] == 150);
    const double sine = sqrt(3) / 2;
    assert_true(fabs(q[0]) < 1e-15 && fabs(q[1] + 0.1 * sine) < 1e-15 && fabs(q[2] - 0.05) < 1e-15);
    // v = R (w x (0, 0, 0.1)) = R (0.1 wy, -0.1 wx, 0), R a turn by 60 degrees about x
    assert_true(fabs(u[0] + 0.2) < 1e-14 && fabs(u[1] + 0.05) < 1e-14 &&
                fabs(u[2] + 0.1 * sine) < 1e-14);
    carom_model_free(model);
    model = held_top(NULL);
    q = carom_model_start_q(model);
    const double length = hypot(hypot(q[3], q[4]), hypot(q[5], q[6]));
    assert_true(fabs(length - 1) < 1e-15);
    assert_true(fabs(hypot(hypot(q[0], q[1]), q[2]) - 0.1) < 1e-15);
    assert_true(carom_model_assembled(model).move > 0.01);
    carom_model_free(model);
}

// a rope drum that turns by itself: the rate of the constraint has a part of time
static void a_moving_constraint_gives_its_rate(void **state)
{
    (void)state;
    carom_model *model = model_from_text("carom: 1\n"
                                         "coordinates: {x: {start: 1}, y: {}}\n"
                                         "kinetic: (der(x)^2 + der(y)^2)/2\n"
                                         "constraints: [{name: lift, equation: x + y - 3*t - 2}]\n"
                                         "start: {positions: assemble, velocities: assemble}\n");
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(carom_model_start_q(model)[i] - (i ? 0.5 : 1.5)) < 1e-15);
        assert_true(fabs(carom_model_start_u(model)[i] - 1.5) < 1e-14);
    }
    carom_model_free(model);
}

// other lengths are known when they are set: the loop closes then
static void live_lengths_are_assembled_when_they_are_set(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_modelfile *file = file_from_text(FOUR_BAR(LENGTHS, ALL));
    must(carom_builder_live(carom_modelfile_builder(file), (carom_text){0}, &error), &error);
    carom_model *model = finish_file(file);
    carom_sim *sim = sim_of(model, "moreau_midpoint", 1e-3, 0.01);
    double th2, th3;
    for (double d = 0.35; d < 0.42; d += 0.03) {
        const carom_parameter value = {"d", d};
        must(carom_sim_set_parameters(sim, &value, 1, &error), &error);
        close_four_bar(d, 0.8, &th2, &th3);
        const carom_state *now = carom_sim_state(sim);
        assert_true(fabs(now->q[1] - th2) < 1e-13 && fabs(now->q[2] - th3) < 1e-13);
        assert_true(fabs(now->u[2] - 10 * a * sin(0.8 - th2) / (c * sin(th3 - th2))) < 1e-12);
        must(carom_sim_run(sim, &error), &error);
    }
    const double kept = carom_sim_state(sim)->q[1];
    const carom_parameter far = {"d", 5};
    assert_int_equal(carom_sim_set_parameters(sim, &far, 1, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "the loops cannot be closed"));
    must(carom_sim_reset(sim, &error), &error);
    assert_true(fabs(carom_sim_state(sim)->q[1] - th2) < 1e-13);
    must(carom_sim_run(sim, &error), &error);
    assert_true(carom_sim_state(sim)->q[1] == kept);
    carom_sim_free(sim);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_four_bar_closes),
        cmocka_unit_test(redundant_rows_close_as_well),
        cmocka_unit_test(the_change_is_the_least),
        cmocka_unit_test(loops_that_cannot_close_are_refused),
        cmocka_unit_test(a_stretched_loop_closes),
        cmocka_unit_test(a_slider_crank_follows_its_crank),
        cmocka_unit_test(bodies_are_put_together),
        cmocka_unit_test(a_body_in_space_is_assembled),
        cmocka_unit_test(a_moving_constraint_gives_its_rate),
        cmocka_unit_test(live_lengths_are_assembled_when_they_are_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
