// SPDX-License-Identifier: Apache-2.0
// Inertia forces from the derivatives of a mass matrix, dT/dq - d/dt(dT/du) at constant u, against
// what they are on paper. Masses that depend on time are refused: models have them from the energy
// itself.
#include "model/model_rig.h"

#include "expr/graph_nodes.h"
#include "expr/program/tape.h"
#include "model/making/inertia.h"

enum { N = 3 };

static double value_of(carom_graph *graph, carom_ref ref, const double *q, const double *u,
                       double t)
{
    carom_tape *tape = NULL;
    double result = NAN;
    const carom_inputs inputs = {.t = t, .q = q, .u = u};
    assert_int_equal(carom_tape_new(graph, &(carom_target){ref, 0}, 1, &tape, NULL), CAROM_OK);
    carom_tape_constants(tape, &result);
    carom_tape_run(tape, &inputs, &result);
    carom_tape_free(tape);
    return result;
}

// p = M u with M = [2 + q1^2, sin(q0), 0; sin(q0), 3, q0 q1; 0, q0 q1, 4 + cos(q2)]
static carom_ref entry(carom_graph *g, int i, int j)
{
    const carom_ref q0 = carom_graph_symbol(g, CAROM_Q, 0), q1 = carom_graph_symbol(g, CAROM_Q, 1),
                    q2 = carom_graph_symbol(g, CAROM_Q, 2);
    switch (i + j) {
    case 0:
        return carom_graph_add(g, carom_graph_number(g, 2), carom_graph_mul(g, q1, q1));
    case 1:
        return carom_graph_call(g, CAROM_OP_SIN, q0);
    case 2:
        return i == 1 ? carom_graph_number(g, 3) : carom_graph_number(g, 0);
    case 3:
        return carom_graph_mul(g, q0, q1);
    default:
        return carom_graph_add(g, carom_graph_number(g, 4), carom_graph_call(g, CAROM_OP_COS, q2));
    }
}

// factor: of M, a number or something that depends on time
static void make_momenta(carom_graph *g, carom_ref factor, carom_ref *p, carom_ref *force)
{
    for (int i = 0; i < N; i++) {
        p[i] = force[i] = carom_graph_number(g, 0);
        for (int j = 0; j < N; j++) {
            const carom_ref u = carom_graph_symbol(g, CAROM_U, j);
            const carom_ref term =
                carom_graph_mul(g, carom_graph_mul(g, factor, entry(g, i, j)), u);
            p[i] = carom_graph_add(g, p[i], term);
        }
    }
}

static void forces_are_those_on_paper(void **state)
{
    (void)state;
    carom_graph *g = carom_graph_new();
    carom_arena *arena = carom_arena_new();
    carom_ref p[N], force[N];
    const double q[N] = {0.4, -0.7, 1.1}, u[N] = {1.3, -0.6, 0.9};
    const double expected[N] = {cos(q[0]) * u[0] * u[1] + q[1] * u[1] * u[2] -
                                    2 * q[1] * u[1] * u[0] - cos(q[0]) * u[0] * u[1],
                                q[1] * u[0] * u[0] + q[0] * u[1] * u[2] - cos(q[0]) * u[0] * u[0] -
                                    (q[1] * u[0] + q[0] * u[1]) * u[2],
                                -0.5 * sin(q[2]) * u[2] * u[2] -
                                    (q[1] * u[0] + q[0] * u[1]) * u[1] + sin(q[2]) * u[2] * u[2]};
    make_momenta(g, carom_graph_number(g, 1), p, force);
    assert_true(carom_inertia_forces(g, p, N, arena, force));
    for (int i = 0; i < N; i++)
        assert_true(fabs(value_of(g, force[i], q, u, 0) - expected[i]) < 1e-14);
    assert_true(carom_inertia_cost(g, force, N, arena) > 10);
    carom_arena_free(arena);
    carom_graph_free(g);
}

static void a_mass_that_depends_on_time_is_refused(void **state)
{
    (void)state;
    carom_graph *g = carom_graph_new();
    carom_arena *arena = carom_arena_new();
    carom_ref p[N], force[N];
    make_momenta(g, carom_graph_symbol(g, CAROM_TIME, 0), p, force);
    assert_false(carom_inertia_forces(g, p, N, arena, force));
    carom_arena_free(arena);
    carom_graph_free(g);
}

// (1 + t) u and (1 + t)(2 + cos x) v^2 keep their momenta
static void models_with_such_a_mass_lose_speed(void **state)
{
    (void)state;
    carom_model *model =
        model_from_text("carom: 1\ncoordinates: {x: {start: 0, rate: 3}, y: {start: 0, rate: 1}}\n"
                        "kinetic: (1 + t)*(der(x)^2 + (2 + cos(x))*der(y)^2)/2\n");
    const unsigned mask = CAROM_MASS | CAROM_FORCES | CAROM_ACCELERATION;
    const double q[] = {0.7, 0.2}, u[] = {3, 1}, t = 0.5, M = 1 + t;
    const carom_point at = {.t = t, .q = q, .u = u};
    carom_error error = {0};
    carom_plan *plan;
    must(carom_plan_new(model, &mask, 1, &plan, &error), &error);
    carom_eval *ev = carom_plan_eval(plan);
    must(carom_model_eval(plan, &at, mask, ev, &error), &error);
    const double x = (-u[0] - M * sin(q[0]) * u[1] * u[1] / 2) / M;
    const double y =
        (-(2 + cos(q[0])) * u[1] + M * sin(q[0]) * u[0] * u[1]) / (M * (2 + cos(q[0])));
    assert_true(fabs(ev->acceleration[0] - x) < 1e-14);
    assert_true(fabs(ev->acceleration[1] - y) < 1e-14);
    carom_plan_free(plan);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_those_on_paper),
        cmocka_unit_test(a_mass_that_depends_on_time_is_refused),
        cmocka_unit_test(models_with_such_a_mass_lose_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
