// SPDX-License-Identifier: Apache-2.0
// Rests against closed forms: springs, floors, friction that holds and friction that does not, a
// chain of rods, a four-bar with a spring, a body that hangs from a ball joint; and models that
// have no rest.
#include "model/rotation_models.h"

static carom_equilibrium rest_of_model(carom_model *model)
{
    carom_error error = {0};
    carom_equilibrium rest;
    must(carom_equilibrium_find(model, &rest, &error), &error);
    carom_model_free(model);
    assert_true(rest.residual < 1e-10);
    return rest;
}

static carom_equilibrium rest_of(const char *text)
{
    return rest_of_model(model_from_text(text));
}

static void expect(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.17g, not %.17g", value, expected);
}

static void has_no_rest(const char *text, const char *expected)
{
    carom_error error = {0};
    carom_equilibrium rest;
    carom_model *model = model_from_text(text);
    assert_int_equal(carom_equilibrium_find(model, &rest, &error), CAROM_NOT_CONVERGED);
    if (!strstr(error.message, expected)) fail_msg("%s", error.message);
    assert_null(rest.q);
    carom_model_free(model);
}

#define SPRING_AND_FLOOR(k)                                                                        \
    "carom: 1\ncoordinates: {y: {start: 1, rate: 3}}\nkinetic: der(y)^2\n"                         \
    "potential: 2*9.81*y + " k "/2*(y - 1)^2\ncontacts: [{name: floor, gap: y}]\n"

static void a_mass_hangs_on_a_spring_or_lies_on_the_floor(void **state)
{
    (void)state;
    carom_equilibrium rest = rest_of(SPRING_AND_FLOOR("50"));
    expect(rest.q[0], 1 - 2 * 9.81 / 50, 1e-14);
    expect(rest.softest, 50.0 / 2, 1e-12);
    assert_true(rest.la[0] == 0 && rest.n_free == 1);
    carom_equilibrium_free(&rest);
    rest = rest_of(SPRING_AND_FLOOR("10"));
    expect(rest.q[0], 0, 1e-14);
    expect(rest.la[0], 2 * 9.81 - 10, 1e-12);
    assert_true(rest.n_free == 0 && isinf(rest.softest));
    carom_equilibrium_free(&rest);
}

#define DUFFING(start)                                                                             \
    "carom: 1\ncoordinates: {x: {start: " start "}}\nkinetic: der(x)^2/2\n"                        \
    "potential: x^4/4 - x^2/2\n"

static void duffing_rests_in_the_valley_of_its_start(void **state)
{
    (void)state;
    static const char *const text[] = {DUFFING("0.01"), DUFFING("-0.01"), DUFFING("30"),
                                       DUFFING("-2")};
    static const double expected[] = {1, -1, 1, -1};
    for (int k = 0; k < 4; k++) {
        carom_equilibrium rest = rest_of(text[k]);
        expect(rest.q[0], expected[k], 1e-12);
        expect(rest.softest, 2, 1e-10);
        carom_equilibrium_free(&rest);
    }
    carom_equilibrium rest = rest_of(DUFFING("0"));
    assert_true(rest.q[0] == 0);
    expect(rest.softest, -1, 1e-12); // on the summit
    carom_equilibrium_free(&rest);
}

#define INCLINE(mu)                                                                                \
    "carom: 1\ncoordinates: {x: {start: 1}, y: {start: 0}}\n"                                      \
    "kinetic: (der(x)^2 + der(y)^2)/2\npotential: 9.81*(x*sin(0.3) + y*cos(0.3))\n"                \
    "contacts: [{name: floor, gap: y, slip: x, friction: " mu "}]\n"

static void a_block_sticks_on_an_incline_or_slides_for_ever(void **state)
{
    (void)state;
    carom_equilibrium rest = rest_of(INCLINE("0.31")); // tan(0.3) = 0.3093
    expect(rest.q[0], 1, 1e-14);
    expect(rest.la[0], 9.81 * cos(0.3), 1e-12);
    expect(rest.la[1], 9.81 * sin(0.3), 1e-12);
    carom_equilibrium_free(&rest);
    has_no_rest(INCLINE("0.308"), "'x' moves on and on");
    has_no_rest("carom: 1\ncoordinates: {y: {start: 1}}\nkinetic: der(y)^2\npotential: 9.81*y\n",
                "'y' moves on and on");
}

// four feet on a table, three would do: the sum is the weight, each takes a quarter
static void feet_share_the_weight(void **state)
{
    (void)state;
    carom_equilibrium rest =
        rest_of("carom: 1\ncoordinates: {z: {start: 0.3}, a: {start: 0.1}, b: {start: -0.05}}\n"
                "kinetic: (der(z)^2 + der(a)^2 + der(b)^2)/2\npotential: 8*z\n"
                "contacts:\n"
                "  - {name: f1, gap: z + a + b}\n  - {name: f2, gap: z + a - b}\n"
                "  - {name: f3, gap: z - a + b}\n  - {name: f4, gap: z - a - b}\n");
    expect(rest.la[0] + rest.la[1] + rest.la[2] + rest.la[3], 8, 1e-10);
    expect(rest.la[0] + rest.la[1], rest.la[2] + rest.la[3], 1e-10);
    for (int i = 0; i < 3; i++) expect(rest.q[i], 0, 1e-12);
    carom_equilibrium_free(&rest);
}

// rods of mass m between supports at one height: hinge forces give
// tan(phi[i+1]) - tan(phi[i]) = m g/H, H the horizontal force everywhere
static void a_chain_of_rods_hangs_as_the_recurrence_says(void **state)
{
    (void)state;
    enum { N = 20 };
    carom_equilibrium rest =
        rest_of("carom: 1\nparameters: {n: 20, l: 0.1, m: 0.3, d: 1.5}\n"
                "coordinates:\n  p[i]: {for: {i: 1..n}, start: 'acos(d/(n*l))*(1 - 2*mod(i, 2))'}\n"
                "kinetic:\n  - {for: {i: 1..n}, term: 'm*l^2/6*der(p[i])^2'}\n"
                "potential:\n  - {for: {i: 1..n}, term: 'm*9.81*l*(n - i + 0.5)*sin(p[i])'}\n"
                "constraints:\n  - {name: x, equation: 'sum(i, 1, n, l*cos(p[i])) - d'}\n"
                "  - {name: y, equation: 'sum(i, 1, n, l*sin(p[i]))'}\n");
    const double slope = 0.3 * 9.81 / fabs(rest.la[0]);
    double x = 0, y = 0;
    for (int i = 0; i < N; i++) {
        x += 0.1 * cos(rest.q[i]);
        y += 0.1 * sin(rest.q[i]);
        if (i > 0) expect(tan(rest.q[i]) - tan(rest.q[i - 1]), slope, 1e-9);
    }
    expect(x, 1.5, 1e-13);
    expect(y, 0, 1e-13);
    assert_true(rest.q[0] < 0 && rest.q[N - 1] > 0 && rest.softest > 0);
    assert_int_equal(rest.n_free, N - 2);
    carom_equilibrium_free(&rest);
}

// the energy of the four-bar as a function of its crank is stationary there, and least
static double four_bar_energy(double th1)
{
    const double a = 0.1, b = 0.3, c = 0.25, d = 0.35;
    const double x = d - a * cos(th1), y = -a * sin(th1), r = hypot(x, y);
    const double th2 = atan2(y, x) + acos((r * r + b * b - c * c) / (2 * r * b));
    const double th3 = atan2(b * sin(th2) - y, b * cos(th2) - x);
    return 9.81 * (a * sin(th1) / 2 + a * sin(th1) + b * sin(th2) / 2 + c * sin(th3) / 2) +
           10 * (th1 - 1) * (th1 - 1);
}

static void a_four_bar_rests_on_its_spring(void **state)
{
    (void)state;
    carom_equilibrium rest =
        rest_of("carom: 1\nparameters: {a: 0.1, b: 0.3, c: 0.25, d: 0.35}\n"
                "coordinates: {th1: {start: 0.8}, th2: {start: 0.6}, th3: {start: 1.7}}\n"
                "kinetic: (a^2*der(th1)^2 + b^2*der(th2)^2 + c^2*der(th3)^2)/6\n"
                "potential: 9.81*(a*sin(th1)/2 + a*sin(th1) + b*sin(th2)/2 + c*sin(th3)/2) + "
                "10*(th1 - 1)^2\n"
                "constraints:\n"
                "  - {name: x, equation: a*cos(th1) + b*cos(th2) - d - c*cos(th3)}\n"
                "  - {name: y, equation: a*sin(th1) + b*sin(th2) - c*sin(th3)}\n"
                "start: {positions: assemble}\n");
    const double th1 = rest.q[0], h = 1e-4;
    expect((four_bar_energy(th1 + h) - four_bar_energy(th1 - h)) / (2 * h), 0, 1e-7);
    assert_true(four_bar_energy(th1 + 0.01) > four_bar_energy(th1));
    assert_true(four_bar_energy(th1 - 0.01) > four_bar_energy(th1));
    assert_true(rest.softest > 0 && rest.n_free == 1);
    carom_equilibrium_free(&rest);
}

// a body in space whose point is held: it hangs below, however it was turned
static void a_body_hangs_from_a_ball_joint(void **state)
{
    (void)state;
    static const rotation_text turned = {"top", {"0.5", "0.8", "0.1", "0.4"}, {NULL}};
    carom_modelfile *file = file_from_text("carom: 1\n"
                                           "coordinates: {x: {}, y: {}, z: {start: 0.1}}\n"
                                           "kinetic: (der(x)^2 + der(y)^2 + der(z)^2)/2 + "
                                           "(0.005*(top.wx^2 + top.wy^2) + 0.002*top.wz^2)/2\n"
                                           "potential: 9.81*z\n"
                                           "constraints:\n"
                                           "  - {name: x, equation: x - 0.1*top.R13}\n"
                                           "  - {name: y, equation: y - 0.1*top.R23}\n"
                                           "  - {name: z, equation: z - 0.1*top.R33}\n"
                                           "start: {positions: assemble}\n");
    add_rotation(carom_modelfile_builder(file), &turned);
    carom_equilibrium rest = rest_of_model(finish_file(file));
    expect(rest.q[0], 0, 1e-10);
    expect(rest.q[1], 0, 1e-10);
    expect(rest.q[2], -0.1, 1e-12);
    expect(rest.la[2], 9.81, 1e-10);
    assert_int_equal(rest.n_free, 3);
    expect(rest.softest, 0, 1e-9); // it may turn about the vertical
    carom_equilibrium_free(&rest);
}

// a ladder against a smooth wall: the floor's friction is m g/(2 tan(angle))
static void a_ladder_leans_as_long_as_the_floor_holds(void **state)
{
    (void)state;
#define LADDER(mu)                                                                                 \
    "carom: 1\ncoordinates: {x: {start: 0.5*cos(1)}, y: {start: 0.5*sin(1)}, a: {start: pi - "     \
    "1}}\nkinetic: (der(x)^2 + der(y)^2)/2 + der(a)^2/24\npotential: 9.81*y\n"                     \
    "contacts:\n"                                                                                  \
    "  - {name: floor, gap: y - 0.5*sin(a), slip: x - 0.5*cos(a), friction: " mu "}\n"             \
    "  - {name: wall, gap: x + 0.5*cos(a)}\n  - {name: head, gap: y + 0.5*sin(a)}\n"
    carom_equilibrium rest = rest_of(LADDER("0.33")); // 1/(2 tan 1) = 0.321
    expect(rest.la[0], 9.81, 1e-10);
    expect(fabs(rest.la[1]), 9.81 / (2 * tan(1)), 1e-10);
    expect(rest.la[2], 9.81 / (2 * tan(1)), 1e-10);
    carom_equilibrium_free(&rest);
    // without it slides down, and lies on the floor
    rest = rest_of(LADDER("0"));
    expect(rest.q[1], 0, 1e-9);
    carom_equilibrium_free(&rest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mass_hangs_on_a_spring_or_lies_on_the_floor),
        cmocka_unit_test(duffing_rests_in_the_valley_of_its_start),
        cmocka_unit_test(a_block_sticks_on_an_incline_or_slides_for_ever),
        cmocka_unit_test(feet_share_the_weight),
        cmocka_unit_test(a_chain_of_rods_hangs_as_the_recurrence_says),
        cmocka_unit_test(a_four_bar_rests_on_its_spring),
        cmocka_unit_test(a_body_hangs_from_a_ball_joint),
        cmocka_unit_test(a_ladder_leans_as_long_as_the_floor_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
