// SPDX-License-Identifier: Apache-2.0
// Bodies that more contacts hold than they need: forces are not unique there, the motion is.
//
// A box on a floor that shakes sideways moves as a point mass as long as it does not tip: friction
// mu m g at the height h below its centre turns it over the corner at distance b only where
// mu h > b.
#include "event_driven_rig.h"

static const char box[] =
    "carom: 1\n"
    "parameters: {b: 0.3, h: 0.2, m: 1, J: m*(b^2 + h^2)/3, mu: 0.2, g: 9.81, B: 0.05, w: 8.8}\n"
    "coordinates: {x: {start: 0}, y: {start: h}, th: {start: 0}}\n"
    "kinetic: m/2*(der(x)^2 + der(y)^2) + J/2*der(th)^2\npotential: m*g*y\n"
    "contacts:\n"
    "  - {name: left, gap: y - b*sin(th) - h*cos(th), "
    "slip: x - b*cos(th) + h*sin(th) - B*sin(w*t), friction: mu}\n"
    "  - {name: right, gap: y + b*sin(th) - h*cos(th), "
    "slip: x + b*cos(th) + h*sin(th) - B*sin(w*t), friction: mu}\n";
static const char point[] =
    "carom: 1\nparameters: {mu: 0.2, g: 9.81, B: 0.05, w: 8.8}\n"
    "coordinates: {x: {start: 0}, y: {start: 0}}\n"
    "kinetic: (der(x)^2 + der(y)^2)/2\npotential: g*y\n"
    "contacts: [{name: floor, gap: y, slip: x - B*sin(w*t), friction: mu}]\n";

static void box_moves_as_the_point(const char *mu, const char *w, double tolerance)
{
    run a, b;
    char change[2][64];
    snprintf(change[0], sizeof change[0], "mu=%s", mu);
    snprintf(change[1], sizeof change[1], "w=%s", w);
    const char *const changes[] = {change[0], change[1], NULL};
    go(&a, &(plan){.text = box, .tolerance = tolerance, .end = 3, .change = changes});
    go(&b, &(plan){.text = point, .tolerance = tolerance, .end = 3, .change = changes});
    is_near(carom_sim_state(a.sim)->q[0], carom_sim_state(b.sim)->q[0], 100 * tolerance);
    is_near(carom_sim_state(a.sim)->q[2], 0, 1e-12);
    is_near(audit(&a).energy_error, 0, 100 * tolerance);
    // both corners slip and stick together, and only where the point does
    assert_int_equal(count(&a, CAROM_SLIP), 2 * count(&b, CAROM_SLIP));
    assert_int_equal(count(&a, CAROM_STICK), 2 * count(&b, CAROM_STICK));
    end(&a);
    end(&b);
}

static void a_box_on_two_corners_moves_as_a_point(void **state)
{
    (void)state;
    static const char *const mu[] = {"0.1", "0.2", "0.3", "0.5"};
    static const char *const w[] = {"5", "7.5", "8.8", "10", "12.5", "15", "20"};
    for (int i = 0; i < 28; i++)
        for (int k = 0; k < 3; k++)
            box_moves_as_the_point(mu[i / 7], w[i % 7], pow(10, -6 - 2 * k));
}

// every solver that takes friction decides alike
static void the_solver_asked_for_decides(void **state)
{
    (void)state;
    static const char *const solver[] = {"auto", "newton", "nsgs", "prox", "admm", "enumerate"};
    double x = 0;
    for (int i = 0; i < 6; i++) {
        run r;
        go(&r, &(plan){.text = box, .solver = solver[i], .tolerance = 1e-9, .end = 3});
        if (i == 0) x = carom_sim_state(r.sim)->q[0];
        is_near(carom_sim_state(r.sim)->q[0], x, 1e-9);
        assert_string_equal(carom_sim_solver(r.sim), solver[i]);
        end(&r);
    }
}

static void a_solver_without_friction_is_refused(void **state)
{
    (void)state;
    static const char *const solver[] = {"lemke", "pivot", "active_set"};
    carom_model *model = model_from_text(box);
    for (int i = 0; i < 3; i++) {
        carom_error error = {0};
        carom_sim *sim = NULL;
        carom_sim_options options = carom_sim_default();
        options.scheme = "event_driven";
        options.solver = solver[i];
        options.end = 1;
        assert_int_equal(carom_sim_new(model, &options, &sim, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, "takes no friction"));
        assert_null(sim);
    }
    carom_model_free(model);
}

// a disc rolls into a corner and stays there: four forces, three coordinates
static void a_disc_in_a_corner_stays(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nparameters: {R: 0.149, s: 0.283}\n"
        "coordinates: {x: {start: 0, rate: 0.46}, y: {start: 0.149}, a: {start: 0, rate: "
        "-18.303}}\n"
        "kinetic: (der(x)^2 + der(y)^2)/2 + R^2/4*der(a)^2\n"
        "potential: 9.81*(cos(s)*y - sin(s)*x)\n"
        "contacts:\n"
        "  - {name: floor, gap: y - R, slip_rate: der(x) - R*der(a), friction: 0.164}\n"
        "  - {name: wall, gap: 0.827 - x - R, slip_rate: der(y) - R*der(a), friction: 0.164}\n";
    run r;
    go(&r, &(plan){.text = text, .tolerance = 1e-9, .end = 1});
    const carom_state *end_state = carom_sim_state(r.sim);
    is_near(end_state->q[0], 0.827 - 0.149, 1e-12);
    is_near(end_state->q[2], -7.88917289, 1e-7); // moreau_midpoint, h -> 0: -7.889173 +- 1e-6
    for (int i = 0; i < 3; i++) is_near(end_state->u[i], 0, 1e-12);
    // the forces are some that the law allows
    const double *la = end_state->la;
    assert_true(la[0] > 0 && fabs(la[1]) <= 0.164 * la[0] * (1 + 1e-9));
    assert_true(la[2] > 0 && fabs(la[3]) <= 0.164 * la[2] * (1 + 1e-9));
    end(&r);
}

// friction of the wall acts along the normal of the floor, and both stick
static void a_mass_in_a_corner_in_space_stays(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\n"
        "coordinates: {x: {start: 0, rate: -0.558}, y: {start: 0, rate: -0.12}, z: {start: 0}}\n"
        "kinetic: (der(x)^2 + der(y)^2 + der(z)^2)/2\npotential: 9.81*z + 2.015*x - 2.305*y\n"
        "contacts:\n"
        "  - {name: floor, gap: z, slip: [x, y], friction: 0.1}\n"
        "  - {name: wall, gap: x + 0.108, slip: [y, z], friction: 0.1}\n"
        "  - {name: wall2, gap: 0.275 - y, slip: [x, z]}\n";
    static const double place[] = {-0.108, 0.275, 0};
    for (int k = 0; k < 3; k++) {
        run r;
        go(&r, &(plan){.text = text, .tolerance = pow(10, -6 - 2 * k), .end = 1});
        for (int i = 0; i < 3; i++) is_near(carom_sim_state(r.sim)->q[i], place[i], 1e-12);
        for (int i = 0; i < 3; i++) is_near(carom_sim_state(r.sim)->u[i], 0, 1e-12);
        end(&r);
    }
}

// a hill of 10 to 150 um above the path, passed between two looks at the gap: rates at both tell
static void hills_between_two_looks_are_met(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nparameters: {w: 0.05, a: 0.5, depth: 0.01}\n"
        "coordinates: {x: {start: 0, rate: 1}, y: {start: 0.1}}\n"
        "kinetic: (der(x)^2 + der(y)^2)/2\n"
        "contacts: [{name: hill, gap: \"y - (0.1 + depth)*w^2/(w^2 + (x - a)^2)\", "
        "restitution: 1}]\n";
    static const struct {
        const char *w, *a, *depth;
        double tolerance;
    } hill[] = {{"w=0.1195", "a=0.256", "depth=1.22e-5", 1e-6},
                {"w=0.2008", "a=0.218", "depth=1.19e-5", 1e-9},
                {"w=0.01204", "a=0.300", "depth=5.83e-5", 1e-4},
                {"w=0.006208", "a=0.631", "depth=3.02e-5", 1e-9},
                {"w=0.03053", "a=0.763", "depth=1.48e-4", 1e-9},
                {"w=0.05282", "a=0.685", "depth=1.89e-5", 1e-4},
                {"w=0.01636", "a=0.452", "depth=2.32e-5", 1e-4}};
    for (size_t i = 0; i < sizeof hill / sizeof *hill; i++) {
        run r;
        const char *const change[] = {hill[i].w, hill[i].a, hill[i].depth, NULL};
        go(&r, &(plan){.text = text, .change = change, .tolerance = hill[i].tolerance, .end = 1});
        assert_true(count(&r, CAROM_IMPACT) >= 1);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hills_between_two_looks_are_met),
        cmocka_unit_test(a_box_on_two_corners_moves_as_a_point),
        cmocka_unit_test(the_solver_asked_for_decides),
        cmocka_unit_test(a_solver_without_friction_is_refused),
        cmocka_unit_test(a_disc_in_a_corner_stays),
        cmocka_unit_test(a_mass_in_a_corner_in_space_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
