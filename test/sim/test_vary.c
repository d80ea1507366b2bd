// SPDX-License-Identifier: Apache-2.0
// Derivatives of motions against central differences: shipped models by all that their start can
// change, through impacts, friction, held contacts, constraints and rotations; all solvers; what an
// impact does to volumes; a pendulum in two descriptions; and what has no derivative.
#include "sim/live_rig.h"

#include "samples.h"
#include "sim/sim.h"
#include "tangent/tangent.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 64 };

// a simulation, the tangents of its start, and what they become
typedef struct varied {
    carom_model *model;
    carom_sim *sim;
    carom_sizes n;
    int k;
    double q0[MOST], u0[MOST];
    double from[MOST][2 * MOST], to[MOST][2 * MOST]; // dq (nu), du (nu) of each column
} varied;

static varied *make(const char *text, const char *name, const char *smooth, carom_error *error)
{
    varied *v = calloc(1, sizeof *v);
    carom_modelfile *file = NULL;
    if (text)
        assert_int_equal(carom_modelfile_read_text(text, strlen(text), "test.yaml", &file, error),
                         CAROM_OK);
    else
        file = live_read(name);
    carom_builder *builder = carom_modelfile_builder(file);
    assert_int_equal(carom_builder_differentiate(builder, error), CAROM_OK);
    const carom_setting setting = {live_text("smooth"), live_text(smooth)};
    carom_sim_options options = carom_sim_default();
    options.scheme = "event_driven";
    options.tolerance = 1e-11;
    options.end = 10;
    options.is_varied = true;
    options.setting = &setting;
    options.n_setting = 1;
    if (carom_builder_finish(builder, &v->model, error) == CAROM_OK)
        (void)carom_sim_new(v->model, &options, &v->sim, error);
    carom_modelfile_free(file);
    v->n = carom_model_sizes(v->model);
    return v;
}

static void drop(varied *v)
{
    carom_sim_free(v->sim);
    carom_model_free(v->model);
    free(v);
}

static carom_status run_to(varied *v, double t, carom_error *error)
{
    carom_stop stop = carom_stop_default();
    carom_reached reached;
    stop.t = t;
    return carom_sim_run_until(v->sim, &stop, &reached, error);
}

// follows all changes of the start, brought onto its tangents
static carom_status follow(varied *v, double t, carom_error *error)
{
    carom_change change[MOST];
    const int nu = v->n.nu;
    v->k = 2 * nu;
    memcpy(v->q0, carom_sim_state(v->sim)->q, sizeof *v->q0 * (size_t)v->n.nq);
    memcpy(v->u0, carom_sim_state(v->sim)->u, sizeof *v->u0 * (size_t)nu);
    for (int i = 0; i < v->k; i++) {
        memset(v->from[i], 0, sizeof v->from[i]);
        v->from[i][i] = 1;
        change[i] = (carom_change){v->from[i], v->from[i] + nu, -1};
    }
    carom_status status = carom_sim_vary(v->sim, change, v->k, error);
    if (status == CAROM_OK) status = run_to(v, t, error);
    const carom_tangent *tangent = v->sim->until.tangent;
    for (int i = 0; i < v->k && status == CAROM_OK; i++) {
        memcpy(v->from[i], tangent->start_q + i * nu, sizeof(double) * (size_t)nu);
        memcpy(v->from[i] + nu, tangent->start_u + i * nu, sizeof(double) * (size_t)nu);
        status = carom_sim_varied(v->sim, i, v->to[i], v->to[i] + nu, error);
    }
    return status;
}

// what a column becomes, from runs beside the motion
static void differ(varied *v, int i, double t, double step, double *x)
{
    const int nu = v->n.nu;
    double q[2][MOST], u[2][MOST];
    for (int side = 0; side < 2; side++) {
        carom_error error = {0};
        const double h = side ? step : -step;
        carom_model_move(v->model, v->q0, v->from[i], h, q[side]);
        for (int k = 0; k < nu; k++) u[side][k] = v->u0[k] + h * v->from[i][nu + k];
        const carom_moment from = {0, q[side], u[side]};
        if (carom_sim_start_from(v->sim, &from, NULL, 0, &error) != CAROM_OK ||
            carom_sim_vary(v->sim, NULL, 0, &error) != CAROM_OK || run_to(v, t, &error) != CAROM_OK)
            fail_msg("%s", error.message);
        memcpy(q[side], carom_sim_state(v->sim)->q, sizeof(double) * (size_t)v->n.nq);
        memcpy(u[side], carom_sim_state(v->sim)->u, sizeof(double) * (size_t)nu);
    }
    carom_model_difference(v->model, q[0], q[1], x);
    for (int k = 0; k < nu; k++) {
        x[k] /= 2 * step;
        x[nu + k] = (u[1][k] - u[0][k]) / (2 * step);
    }
}

// the worst difference, relative to the column: of the best of some steps
static double worst_of(varied *v, double t, double good)
{
    static const double step[] = {1e-6, 1e-5, 1e-7, 1e-4};
    const int n = 2 * v->n.nu;
    double worst = 0;
    for (int i = 0; i < v->k; i++) {
        double best = INFINITY, length = 0, x[2 * MOST] = {0};
        for (int k = 0; k < n; k++) length = fmax(length, fabs(v->from[i][k]));
        if (length < 1e-9) continue;
        for (int s = 0; s < 4 && !(best <= good); s++) {
            double size = 0, error = 0;
            differ(v, i, t, step[s], x);
            for (int k = 0; k < n; k++) {
                size = fmax(size, fabs(x[k]));
                error = fmax(error, fabs(x[k] - v->to[i][k]));
            }
            best = fmin(best, error / fmax(size, 1e-3));
        }
        worst = fmax(worst, best);
    }
    return worst;
}

static void derivatives_are_those_of_differences(void **state)
{
    static const struct {
        const char *name;
        double t;
        const char *smooth;
    } run[] = {
        {"bouncing-ball", 1, "phem56"},
        {"ball-in-box", 0.6, "phem56"},
        {"block-on-belt", 1, "phem56"},
        {"ball-on-moving-plane", 0.6, "phem56"},
        {"housner-block", 0.8, "phem56"},
        {"woodpecker", 0.3, "phem56"},
        {"woodpecker", 0.2, "hem5"},
        {"car-axis", 0.3, "phem56"},
        {"car-axis", 0.2, "rkf45"},
        {"car-axis", 0.2, "hem5"},
        {"column-of-beads", 0.5, "phem56"},
        {"double-pendulum-spatial", 0.3, "phem56"},
        {"pendulum-in-ring", 0.5, "phem56"},
        {"robot-arm", 0.5, "phem56"},
        {"rolling-coin", 0.1, "phem56"},
        {"slider-crank-bilateral", 0.05, "phem56"},
        {"spinning-top", 0.1, "phem56"},
        {"spring-pendulum", 1, "rkf45"},
        {"two-contact-ball", 1, "phem56"},
        {"bowled-wheel", 0.3, "phem56"},
        {"newtons-cradle", 0.2, "phem56"},
        {"dome", 0.5, "phem56"},
        {"slider-crank-004", 0.02, "phem56"},
        {"gear-train", 0.5, "phem56"},
        {"rocking-block", 0.6, "phem56"},
        {"woodpecker", 0.2, "mexx"},
        {"car-axis", 0.3, "mexx"},
        {"double-pendulum-spatial", 0.3, "mexx"},
        {"slider-crank-004", 0.02, "mexx"},
    };
    (void)state;
    for (int i = 0; i < SAMPLES((int)(sizeof run / sizeof *run)); i++) {
        carom_error error = {0};
        varied *v = make(NULL, run[i].name, run[i].smooth, &error);
        if (!v->sim || follow(v, run[i].t, &error) != CAROM_OK)
            fail_msg("%s: %s", run[i].name, error.message);
        const double worst = worst_of(v, run[i].t, 3e-7);
        if (!(worst <= 3e-7)) fail_msg("%s (%s): %.3g", run[i].name, run[i].smooth, worst);
        drop(v);
    }
}

// parameters: of energies, forces, gaps, friction, restitution, equations, starts
static const char machine[] =
    "carom: 1\n"
    "parameters: {m: 1.3, l: 0.8, k: 3, g: 9.81, e: 0.6, mu: 0.15, wall: 0.15, v: 1.1, b: 0.2, a: 0.4}\n"
    "coordinates: {x: {start: 0.1*l, rate: v}, y: {start: -sqrt(l^2 - 0.01*l^2), rate: "
    "v*0.1/sqrt(0.99)}, s: {start: 0, rate: 2*v}, h: {start: 0}}\n"
    "kinetic: m/2*(der(x)^2 + der(y)^2) + m*(der(s)^2 + der(h)^2)\n"
    "potential: m*g*y + m*g*h*2 + k/2*(x - s)^2\n"
    "forces: [{coordinate: x, force: -b*der(x) + a*sin(3*t)}]\n"
    "constraints: [{name: rod, equation: x^2 + y^2 - l^2}]\n"
    "contacts: [{name: stop, gap: wall + 0.1*a*sin(t) - x, restitution: e},\n"
    "           {name: floor, gap: h, slip: s, friction: mu}]\n";

static void derivatives_by_parameters_are_those_of_differences(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    carom_sim *sim = NULL;
    assert_int_equal(
        carom_modelfile_read_text(machine, strlen(machine), "machine.yaml", &file, &error),
        CAROM_OK);
    carom_builder *builder = carom_modelfile_builder(file);
    assert_int_equal(carom_builder_differentiate(builder, &error), CAROM_OK);
    assert_int_equal(carom_builder_live(builder, (carom_text){0}, &error), CAROM_OK);
    if (carom_builder_finish(builder, &model, &error) != CAROM_OK) fail_msg("%s", error.message);
    carom_sim_options options = carom_sim_default();
    options.scheme = "event_driven";
    options.tolerance = 1e-12;
    options.end = 2;
    options.is_varied = true;
    if (carom_sim_new(model, &options, &sim, &error) != CAROM_OK) fail_msg("%s", error.message);
    const int n = carom_model_n_live(model);
    const carom_sizes size = carom_model_sizes(model);
    carom_change change[MOST] = {{0}};
    double to[MOST][8];
    assert_int_equal(n, 10);
    for (int k = 0; k < n; k++) change[k].parameter = k;
    carom_stop stop = carom_stop_default();
    carom_reached reached;
    stop.t = 1.7;
    assert_int_equal(carom_sim_vary(sim, change, n, &error), CAROM_OK);
    assert_int_equal(carom_sim_run_until(sim, &stop, &reached, &error), CAROM_OK);
    assert_true(sim->until.tangent->impacts > 1);
    for (int k = 0; k < n; k++)
        if (carom_sim_varied(sim, k, to[k], to[k] + size.nu, &error) != CAROM_OK)
            fail_msg("%s", error.message);
    for (int k = 0; k < n; k++) {
        const carom_parameter base = carom_model_live(model, k);
        double x[2][8], worst = 0, most = 0;
        for (int side = 0; side < 2; side++) {
            const carom_parameter value = {base.name, base.value * (1 + (side ? 1e-6 : -1e-6))};
            assert_int_equal(carom_sim_set_parameters(sim, &value, 1, &error), CAROM_OK);
            assert_int_equal(carom_sim_vary(sim, NULL, 0, &error), CAROM_OK);
            assert_int_equal(carom_sim_run_until(sim, &stop, &reached, &error), CAROM_OK);
            memcpy(x[side], carom_sim_state(sim)->q, sizeof(double) * 4);
            memcpy(x[side] + 4, carom_sim_state(sim)->u, sizeof(double) * 4);
        }
        assert_int_equal(carom_sim_set_parameters(sim, &base, 1, &error), CAROM_OK);
        for (int i = 0; i < 8; i++) {
            const double difference = (x[1][i] - x[0][i]) / (2e-6 * base.value);
            worst = fmax(worst, fabs(difference - to[k][i]));
            most = fmax(most, fabs(difference));
        }
        if (!(worst <= 3e-7 * fmax(most, 0.1)))
            fail_msg("by %s: %.3g of %.3g", base.name, worst, most);
    }
    carom_sim_free(sim);
    carom_model_free(model);
    carom_modelfile_free(file);
}

static double determinant(const varied *v)
{
    const int n = v->k;
    double A[2 * MOST][2 * MOST], det = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i][j] = v->to[j][i];
    for (int j = 0; j < n; j++)
        for (int i = j + 1, pass = (det *= A[j][j], 0); i < n && !pass; i++) {
            const double factor = A[i][j] / A[j][j];
            for (int k = j; k < n; k++) A[i][k] -= factor * A[j][k];
        }
    return det;
}

// an impact without friction shrinks volumes by e^2, whatever the masses; flight does not
static void an_impact_shrinks_volumes_by_e_squared(void **state)
{
    static const char text[] =
        "carom: 1\ncoordinates: {x: {start: 0, rate: 1}, y: {start: 1.5, rate: -0.5}, a: {start: "
        "0.3, rate: 2}}\n"
        "kinetic: 0.7*der(x)^2 + (0.5 + 0.1*cos(a))*der(y)^2 + 0.4*der(a)^2 + 0.1*der(x)*der(a)\n"
        "potential: 3*y + x^2 + 0.5*a^2\n"
        "contacts: [{name: floor, gap: y - 0.3*sin(a), restitution: 0.7}]\n";
    (void)state;
    carom_error error = {0};
    varied *v = make(text, NULL, "phem56", &error);
    if (!v->sim || follow(v, 1.2, &error) != CAROM_OK) fail_msg("%s", error.message);
    assert_int_equal(v->sim->until.tangent->impacts, 1);
    // volumes of (q, p) are kept: p = M u, so those of (q, u) change with det M
    const double *q = carom_sim_state(v->sim)->q;
    const double before = (1 + 0.2 * cos(0.3)) * (1.4 * 0.8 - 0.01),
                 after = (1 + 0.2 * cos(q[2])) * (1.4 * 0.8 - 0.01);
    assert_true(fabs(determinant(v) * after / before - 0.49) < 1e-7);
    drop(v);
}

// a pendulum that hits a wall, by its angle, and by two coordinates and a rod
static void constraints_do_not_matter(void **state)
{
    static const char angle[] =
        "carom: 1\ncoordinates: {th: {start: 0.5, rate: 0.2}}\nkinetic: 0.5*der(th)^2\n"
        "potential: -9.81*cos(th)\n"
        "contacts: [{name: wall, gap: sin(th) + 0.2, restitution: 0.8}]\n";
    static const char rod[] =
        "carom: 1\ncoordinates: {x: {start: sin(0.5), rate: 0.2*cos(0.5)}, y: {start: -cos(0.5), "
        "rate: 0.2*sin(0.5)}}\nkinetic: 0.5*(der(x)^2 + der(y)^2)\npotential: 9.81*y\n"
        "constraints: [{name: rod, equation: x^2 + y^2 - 1}]\n"
        "contacts: [{name: wall, gap: x + 0.2, restitution: 0.8}]\n";
    (void)state;
    carom_error error = {0};
    varied *a = make(angle, NULL, "phem56", &error), *r = make(rod, NULL, "phem56", &error);
    if (follow(a, 1.5, &error) != CAROM_OK || follow(r, 1.5, &error) != CAROM_OK)
        fail_msg("%s", error.message);
    assert_true(a->sim->until.tangent->impacts == r->sim->until.tangent->impacts);
    assert_true(a->sim->until.tangent->impacts >= 1);
    // th moves x by cos(th) and x' by -sin(th) th'; columns 0 and 2 of the rod are those of x
    const double c0 = cos(0.5), s0 = sin(0.5), u0 = 0.2;
    const double th = carom_sim_state(a->sim)->q[0], u = carom_sim_state(a->sim)->u[0];
    double from[2][4] = {{c0, s0, -s0 * u0, c0 * u0}, {0, 0, c0, s0}};
    for (int j = 0; j < 2; j++) {
        double x = 0, v = 0;
        for (int k = 0; k < 4; k++) {
            x += r->to[k][0] * from[j][k];
            v += r->to[k][2] * from[j][k];
        }
        const double dth = a->to[j][0], du = a->to[j][1];
        assert_true(fabs(x - cos(th) * dth) < 1e-7);
        assert_true(fabs(v - (cos(th) * du - sin(th) * u * dth)) < 1e-7);
    }
    drop(a);
    drop(r);
}

static void what_has_no_derivative_is_refused(void **state)
{
    static const struct {
        const char *text, *smooth, *why;
    } wrong[] = {
        // the floor leaves a ball just the speed that brings it to the ceiling again
        {"carom: 1\ncoordinates: {y: {start: 0.5, rate: sqrt(1.5)}}\nkinetic: 0.5*der(y)^2\n"
         "potential: 0.5*y\ncontacts: [{name: ceiling, gap: 1 - y, restitution: 1}, {name: floor, "
         "gap: y, restitution: 0.7071067811865511}]\n",
         "phem56", "it grazes"},
        {"carom: 1\ncoordinates: {x: {start: 1}, y: {start: 1}}\n"
         "kinetic: 0.5*(der(x)^2 + der(y)^2 + der(x)*der(y))\npotential: 3*(x + y)\n"
         "contacts: [{name: a, gap: x}, {name: b, gap: y}]\n",
         "phem56", "'a' and 'b' hit together"},
        {"carom: 1\ncoordinates: {x: {start: 1}}\nkinetic: 0.5*der(x)^2\npotential: 3*x\n"
         "contacts: [{name: a, gap: x}]\n",
         "gen_alpha", "take smooth: phem56"},
        {"carom: 1\ncoordinates: {x: {start: 0, rate: -1}}\nkinetic: 0.5*der(x)^2\n"
         "contacts: [{name: a, gap: x, restitution: 0.5}]\n",
         "phem56", "modes are decided anew at t = 0 with an impact"},
        {"carom: 1\ncoordinates: {x: {start: 0, rate: 1}, y: {start: 0, rate: 1}, h: {start: 0}}\n"
         "kinetic: 0.5*(der(x)^2 + der(y)^2 + der(h)^2)\npotential: 9*h\n"
         "contacts: [{name: floor, gap: h, slip: [x, y], friction: 0.5}]\n",
         "phem56", "slip in space"},
        {"carom: 1\ncoordinates: {x: {start: 0, rate: 0.7}, h: {start: 1}}\n"
         "kinetic: 0.5*(der(x)^2 + der(h)^2)\npotential: 9*h\n"
         "contacts: [{name: floor, surface: [{gap: h, where: x < 1.2}, {gap: h + 0.1*(x - 1.2), "
         "where: x >= 1.2}]}]\n",
         "phem56", "the edge of a patch"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        carom_error error = {0};
        varied *v = make(wrong[i].text, NULL, wrong[i].smooth, &error);
        if (v->sim) (void)follow(v, 6, &error);
        if (!strstr(error.message, wrong[i].why)) fail_msg("%zu: '%s'", i, error.message);
        drop(v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(derivatives_by_parameters_are_those_of_differences),
        cmocka_unit_test(an_impact_shrinks_volumes_by_e_squared),
        cmocka_unit_test(constraints_do_not_matter),
        cmocka_unit_test(what_has_no_derivative_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
