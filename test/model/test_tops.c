// SPDX-License-Identifier: Apache-2.0
// Tops by texts against closed forms (bodies.json: Jacobi's and Weierstrass' functions): the free
// asymmetric top, and the heavy symmetric top with a fixed point, by its energies about that point
// and as a free body that a ball joint of three constraints holds.
#include "model/rotation_models.h"

static void add_energy(carom_builder *b, carom_energy which, const char *text)
{
    carom_error error = {0};
    must(carom_builder_energy(b, which, NULL, text_of(text), &error), &error);
}

static void set_parameter(carom_builder *b, const char *name, const char *value)
{
    carom_error error = {0};
    must(carom_builder_parameter(b, text_of(name), text_of(value), &error), &error);
}

static carom_model *finish(carom_builder *b)
{
    carom_error error = {0};
    carom_model *model;
    must(carom_builder_finish(b, &model, &error), &error);
    carom_builder_free(b);
    return model;
}

static carom_model *free_top(void)
{
    static const rotation_text top = {"top", {"1"}, {"0.5", "0", "2"}};
    carom_builder *b = carom_builder_new();
    add_rotation(b, &top);
    add_energy(b, CAROM_KINETIC, "(top.wx^2 + 2*top.wy^2 + 3*top.wz^2)/2");
    return finish(b);
}

// a turn about x by -theta leans the axis towards y; psi = 0 there
static const rotation_text leaning = {"top", {"cos(deg(30))", "sin(deg(30))"}, {"0", "0", "150"}};

static carom_model *heavy_top(void)
{
    carom_builder *b = carom_builder_new();
    add_rotation(b, &leaning);
    add_energy(b, CAROM_KINETIC, "(0.015*(top.wx^2 + top.wy^2) + 0.002*top.wz^2)/2");
    add_energy(b, CAROM_POTENTIAL, "9.81*0.1*top.R33");
    return finish(b);
}

// the same as a free body of mass 1 whose point 0.1 below its centre is held
static carom_model *held_top(void)
{
    static const char *const name[] = {"x", "y", "z"};
    static const char *const start[] = {"0", "-l*sin(deg(60))", "l*cos(deg(60))"};
    carom_error error = {0};
    carom_builder *b = carom_builder_new();
    set_parameter(b, "l", "0.1");
    for (int i = 0; i < 3; i++)
        must(carom_builder_coordinate(b, text_of(name[i]), NULL, text_of(start[i]), text_of(NULL),
                                      &error),
             &error);
    add_rotation(b, &leaning);
    add_energy(b, CAROM_KINETIC, "(der(x)^2 + der(y)^2 + der(z)^2)/2");
    add_energy(b, CAROM_KINETIC, "(0.005*(top.wx^2 + top.wy^2) + 0.002*top.wz^2)/2");
    add_energy(b, CAROM_POTENTIAL, "9.81*z");
    static const char *const row[] = {"x - l*top.R13", "y - l*top.R23", "z - l*top.R33"};
    for (int i = 0; i < 3; i++)
        must(carom_builder_constraint(b, text_of(name[i]), NULL, text_of(row[i]), &error), &error);
    return finish(b);
}

// the matrix of the quaternion p
static void matrix_of(const double *p, double R[9])
{
    const double w = p[0], x = p[1], y = p[2], z = p[3];
    const double own[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, own, sizeof own);
}

// Runs to end, tight; writes the matrix and the spin of the rotation, whose positions are the last
// four and velocities the last three.
static void run(const carom_model *model, const char *scheme, double step, double end, double R[9],
                double w[3])
{
    carom_error error = {0};
    carom_sim *sim;
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.step = step;
    options.end = end;
    options.tolerance = step > 0 ? 0 : 1e-12;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    must(carom_sim_run(sim, &error), &error);
    const carom_sizes n = carom_model_sizes(model);
    matrix_of(carom_sim_state(sim)->q + n.nq - 4, R);
    memcpy(w, carom_sim_state(sim)->u + n.nu - 3, 3 * sizeof *w);
    carom_sim_free(sim);
}

// rows of free_asymmetric_top at t = 5
static const double free_R[9] = {-0.7811119965027576,   0.6193778117002416,   0.07896312615959421,
                                 -0.6243515394421505,   -0.773370950391704,   -0.1099205544311402,
                                 -0.007014564540491512, -0.13516101310530534, 0.9907988173290553};
static const double free_w[3] = {-0.43264338549432785, -0.2506385863908556, 1.9947581556847096};

static void a_free_top_turns_as_jacobi_says(void **state)
{
    (void)state;
    static const char *const smooth[] = {"hem5", "event_driven"};
    carom_model *model = free_top();
    double R[9], w[3];
    assert_int_equal(carom_model_sizes(model).nq, 4);
    assert_int_equal(carom_model_sizes(model).nu, 3);
    assert_string_equal(carom_model_velocity_name(model, 2), "top.wz");
    for (int k = 0; k < 2; k++) {
        run(model, smooth[k], 0, 5, R, w);
        for (int i = 0; i < 9; i++) near(smooth[k], R[i], free_R[i], 1e-10);
        for (int i = 0; i < 3; i++) near(smooth[k], w[i], free_w[i], 1e-10);
    }
    carom_model_free(model);
}

// each time-stepping scheme converges with its order, or better
static void time_stepping_finds_the_free_top_with_its_order(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double order;
    } row[] = {{"moreau_midpoint", 2}, {"moreau_jean", 2},   {"tdg_velocity", 2},
               {"variational", 2},     {"ggl_unified", 2},   {"nonsmooth_gen_alpha", 2},
               {"schatzman_paoli", 1}, {"ggl_decoupled", 1}, {"moreau_jean_explicit", 1}};
    carom_model *model = free_top();
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        double error[2] = {0};
        for (int j = 0; j < 2; j++) {
            double R[9], w[3];
            run(model, row[k].name, j ? 0.0025 : 0.005, 5, R, w);
            for (int i = 0; i < 9; i++) error[j] = fmax(error[j], fabs(R[i] - free_R[i]));
        }
        if (!(error[1] < 0.05) || !(log2(error[0] / error[1]) > row[k].order - 0.1))
            fail_msg("%s: errors %g, %g", row[k].name, error[0], error[1]);
    }
    carom_model_free(model);
}

// lagrange_top at t = 1: tilt, precession, its rate
static void check_heavy(const char *what, const double *R, const double *w, double allowed)
{
    const double theta = 1.0834984661915839, psi = 3.4896379947579015, rate = 0.8135756634767376;
    // the axis starts at (0, -sin, cos) and precesses by psi about z
    near(what, R[8], cos(theta), allowed);
    near(what, R[2], sin(theta) * sin(psi), allowed);
    near(what, R[5], -sin(theta) * cos(psi), allowed);
    near(what, w[2], 150, 150 * allowed);
    // psi' sin^2(theta) is what the spin across the axis, in space, has about z
    const double about_z = R[6] * w[0] + R[7] * w[1];
    near(what, about_z, rate * sin(theta) * sin(theta), 10 * allowed);
}

static void a_heavy_top_nutates_as_lagrange_says(void **state)
{
    (void)state;
    double R[9], w[3];
    carom_model *model = heavy_top();
    run(model, "hem5", 0, 1, R, w);
    check_heavy("hem5", R, w, 1e-9);
    run(model, "event_driven", 0, 1, R, w);
    check_heavy("event_driven", R, w, 1e-9);
    run(model, "moreau_midpoint", 1e-5, 1, R, w);
    check_heavy("moreau_midpoint", R, w, 1e-4);
    carom_model_free(model);
}

static void a_body_held_by_three_rows_is_the_same_top(void **state)
{
    (void)state;
    double R[9], w[3];
    carom_model *model = held_top();
    run(model, "hem5", 0, 1, R, w);
    check_heavy("held, hem5", R, w, 1e-8);
    run(model, "event_driven", 0, 1, R, w);
    check_heavy("held, event_driven", R, w, 1e-8);
    run(model, "ggl_unified", 2e-5, 1, R, w);
    check_heavy("held, ggl_unified", R, w, 1e-3);
    carom_model_free(model);
}

static void a_quaternion_has_a_start_and_no_node(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model = NULL;
    carom_builder *b = carom_builder_new();
    add_rotation(b, &leaning);
    add_energy(b, CAROM_KINETIC, "(top.wx^2 + top.wy^2 + top.wz^2)/2");
    must(carom_builder_start(b, text_of("top.p0"), text_of("0"), &error), &error);
    must(carom_builder_start(b, text_of("top.wz"), text_of("7"), &error), &error);
    must(carom_builder_finish(b, &model, &error), &error);
    near("p1", carom_model_start_q(model)[1], 1, 1e-15);
    near("wz", carom_model_start_u(model)[2], 7, 0);
    carom_model_free(model);
    must(carom_builder_start(b, text_of("top.p1"), text_of("0"), &error), &error);
    assert_int_equal(carom_builder_finish(b, &model, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "'top.p0' is 0: not turned is 1, 0, 0, 0"));
    error = (carom_error){0};
    add_energy(b, CAROM_POTENTIAL, "top.p0");
    must(carom_builder_start(b, text_of("top.p1"), text_of("1"), &error), &error);
    assert_int_equal(carom_builder_finish(b, &model, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "'top.p0' is only for the start; use the matrix"));
    carom_builder_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_top_turns_as_jacobi_says),
        cmocka_unit_test(time_stepping_finds_the_free_top_with_its_order),
        cmocka_unit_test(a_heavy_top_nutates_as_lagrange_says),
        cmocka_unit_test(a_body_held_by_three_rows_is_the_same_top),
        cmocka_unit_test(a_quaternion_has_a_start_and_no_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
