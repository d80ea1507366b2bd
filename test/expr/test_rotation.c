// SPDX-License-Identifier: Apache-2.0
// Rotations in expressions: derivatives along spins against differences along the move of the
// quaternion, their commutator, rates, and the spelling by quaternions of any length.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/graph_nodes.h"
#include "expr/program/tape.h"
#include "expr/rotation_nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// positions x, p0..p3, y, p0..p3; velocities x, w, y, w
enum { NQ = 10, NU = 8 };
static const double Q[NQ] = {0.7, 0.5, 0.1, -0.7, 0.5, -0.4, 0.8, 0.2, 0.4, -0.4},
                    U[NU] = {0.3, 1.1, -0.7, 0.4, 0.9, -0.2, 0.6, 1.3};

static carom_graph *graph_of_two(void)
{
    carom_graph *g = carom_graph_new();
    assert_int_equal(carom_graph_rotation(g, 1, 1), 0);
    assert_int_equal(carom_graph_rotation(g, 6, 5), 1);
    assert_true(carom_graph_moves_with(g, 5, 4));
    return g;
}

static double value_of(carom_graph *g, carom_ref ref, const double *q)
{
    carom_tape *tape = NULL;
    double result = 0;
    carom_ref *list[] = {&ref};
    assert_true(carom_graph_spell_out(g, list, 1));
    assert_int_equal(carom_tape_new(g, &(carom_target){ref, 0}, 1, &tape, NULL), CAROM_OK);
    carom_tape_constants(tape, &result);
    carom_tape_run(tape, &(carom_inputs){.t = 0.5, .q = q, .u = U}, &result);
    carom_tape_free(tape);
    return result;
}

// q (+) e u
static void move(const double *u, double e, double *q)
{
    static const int first[2] = {1, 6}, spin[2] = {1, 5};
    memcpy(q, Q, sizeof Q);
    q[0] += e * u[0];
    q[5] += e * u[4];
    for (int b = 0; b < 2; b++) {
        const double *p = Q + first[b], *w = u + spin[b];
        const double a = e * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        const double s = a != 0 ? e * sin(a / 2) / a : 0, c = cos(a / 2);
        const double x = s * w[0], y = s * w[1], z = s * w[2];
        q[first[b]] = p[0] * c - p[1] * x - p[2] * y - p[3] * z;
        q[first[b] + 1] = p[0] * x + p[1] * c + p[2] * z - p[3] * y;
        q[first[b] + 2] = p[0] * y - p[1] * z + p[2] * c + p[3] * x;
        q[first[b] + 3] = p[0] * z + p[1] * y - p[2] * x + p[3] * c;
    }
}

static double difference(carom_graph *g, carom_ref ref, const double *u)
{
    const double e = 1e-4;
    double q[NQ], d[4];
    static const double at[4] = {-2, -1, 1, 2};
    for (int k = 0; k < 4; k++) {
        move(u, at[k] * e, q);
        d[k] = value_of(g, ref, q);
    }
    return (d[0] - 8 * d[1] + 8 * d[2] - d[3]) / (12 * e);
}

// something of everything: x, y, all entries of one rotation, products with the other
static carom_ref sample(carom_graph *g)
{
    carom_ref sum = carom_graph_symbol(g, CAROM_Q, 0);
    for (int i = 0; i < 9; i++) {
        const carom_ref a = carom_graph_entry(g, 0, i / 3, i % 3),
                        b = carom_graph_entry(g, 1, (i + 1) / 3 % 3, (2 * i + 1) % 3);
        const carom_ref y = carom_graph_symbol(g, CAROM_Q, 5);
        sum = carom_graph_add(g, carom_graph_mul(g, sum, carom_graph_call(g, CAROM_OP_COS, b)),
                              carom_graph_scale(g, i + 1, carom_graph_mul(g, a, y)));
    }
    return sum;
}

static void derivatives_are_along_the_move(void **state)
{
    (void)state;
    carom_graph *g = graph_of_two();
    const carom_ref f = sample(g);
    for (int i = 0; i < NU; i++) {
        double u[NU] = {0};
        u[i] = 1;
        const double is = value_of(g, carom_graph_derivative(g, f, CAROM_Q, i), Q);
        if (!(fabs(is - difference(g, f, u)) < 1e-8)) fail_msg("direction %d", i);
        // the reverse sweep gives the same
        carom_gradient gradient;
        assert_int_equal(carom_graph_gradient(g, f, CAROM_Q, &gradient), CAROM_OK);
        assert_int_equal(gradient.n, NU);
        assert_int_equal(gradient.index[i], i);
        assert_true(fabs(value_of(g, gradient.ref[i], Q) - is) < 1e-13);
    }
    const double rate = value_of(g, carom_graph_rate(g, f), Q);
    assert_true(fabs(rate - difference(g, f, U)) < 1e-7);
    carom_graph_free(g);
}

// D_i D_j - D_j D_i = D_(e_i x e_j)
static void rotations_do_not_commute(void **state)
{
    (void)state;
    carom_graph *g = graph_of_two();
    const carom_ref f = sample(g);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const carom_ref d_i = carom_graph_derivative(g, f, CAROM_Q, 1 + i),
                            d_j = carom_graph_derivative(g, f, CAROM_Q, 1 + j);
            const double bracket = value_of(g, carom_graph_derivative(g, d_j, CAROM_Q, 1 + i), Q) -
                                   value_of(g, carom_graph_derivative(g, d_i, CAROM_Q, 1 + j), Q);
            const int k = 3 - i - j, sign = i == j ? 0 : (j + 3 - i) % 3 == 1 ? 1 : -1;
            const double along =
                sign ? sign * value_of(g, carom_graph_derivative(g, f, CAROM_Q, 1 + k), Q) : 0;
            assert_true(fabs(bracket - along) < 1e-12);
        }
    carom_graph_free(g);
}

static void matrices_are_orthogonal_whatever_the_length(void **state)
{
    (void)state;
    carom_graph *g = graph_of_two();
    double q[NQ], R[9];
    for (int k = 0; k < NQ; k++) q[k] = 1.01 * Q[k];
    for (int i = 0; i < 9; i++) {
        const carom_ref entry = carom_graph_entry(g, 1, i / 3, i % 3);
        R[i] = value_of(g, entry, q);
        assert_true(fabs(R[i] - value_of(g, entry, Q)) < 4e-16);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = -(i == j);
            for (int k = 0; k < 3; k++) sum += R[3 * i + k] * R[3 * j + k];
            assert_true(fabs(sum) < 1e-15);
        }
    // a turn about z by 2 atan2(p3, p0) takes x to the left
    const double about_z[NQ] = {0, 0, 0, 0, 0, 0, cos(0.2), 0, 0, sin(0.2)};
    assert_true(fabs(value_of(g, carom_graph_entry(g, 1, 1, 0), about_z) - sin(0.4)) < 1e-15);
    carom_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_along_the_move),
        cmocka_unit_test(rotations_do_not_commute),
        cmocka_unit_test(matrices_are_orthogonal_whatever_the_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
