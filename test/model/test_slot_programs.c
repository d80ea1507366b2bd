// SPDX-License-Identifier: Apache-2.0
// Programs of contacts that come and go, for every primitive of the plane and of space: each answer
// against differences of those it is the derivative of, along the moves of both bodies.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/rotation.h"
#include "model/touch/primitive.h"
#include "model/touch/slot_program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = CAROM_SLOT_WIDTH, ROWS = CAROM_SLOT_ROWS };
enum { ALL = CAROM_SLOT_GAP | CAROM_SLOT_W | CAROM_SLOT_CURVATURE | CAROM_SLOT_D_ROWS };

static unsigned long long seed = 1;

static double chance(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

typedef struct scene {
    int dim, n; // n: velocities of one body
    double q[CAROM_SLOT_POSE], u[WIDTH], P[ROWS];
    carom_slot_numbers numbers;
} scene;

static void unit(double *v, int dim)
{
    double square = 0;
    for (int i = 0; i < dim; i++) {
        v[i] = chance();
        square += v[i] * v[i];
    }
    for (int i = 0; i < dim; i++) v[i] /= sqrt(square);
}

static scene make_scene(int dim)
{
    scene s = {.dim = dim, .n = dim == 2 ? 3 : 6};
    carom_slot_numbers *k = &s.numbers;
    const int n_pose = dim == 2 ? 3 : 7;
    for (int i = 0; i < 2 * n_pose; i++) s.q[i] = 2 * chance();
    s.q[n_pose] += 6; // apart, so that differences are good
    for (int b = 0; b < 2 && dim == 3; b++) carom_rotation_normalise(s.q + 7 * b + 3);
    for (int i = 0; i < 2 * s.n; i++) s.u[i] = chance();
    for (int r = 0; r < dim; r++) s.P[r] = chance();
    for (int i = 0; i < dim; i++) {
        k->p1[i] = chance();
        k->p2[i] = chance();
    }
    unit(k->d1, dim);
    unit(k->d2, dim);
    unit(k->t2, dim);
    k->rim = 0.3;
    k->radius = 0.2;
    k->first = 0.05;
    k->side = 1;
    return s;
}

// q (+) h u
static void move(const scene *s, const double *u, double h, double *q)
{
    const int n_pose = s->dim == 2 ? 3 : 7;
    memcpy(q, s->q, sizeof s->q);
    for (int b = 0; b < 2; b++) {
        const int n_plain = 3;
        for (int i = 0; i < n_plain; i++) q[n_pose * b + i] += h * u[s->n * b + i];
        if (s->dim == 2) continue;
        const double *w = u + 6 * b + 3, th[3] = {h * w[0], h * w[1], h * w[2]};
        carom_rotation_turn(s->q + 7 * b + 3, th, q + 7 * b + 3);
    }
}

static carom_slot_answers ask(carom_slot_program *program, const scene *s, const double *q)
{
    const carom_point at = {.q = q, .u = s->u, .a = s->numbers.p1, .P = s->P};
    return *carom_slot_program_run(program, &at);
}

// rates of all rows
static void rates_of(const scene *s, const carom_slot_answers *ans, double *gamma)
{
    for (int r = 0; r < s->dim; r++) {
        gamma[r] = 0;
        for (int i = 0; i < 2 * s->n; i++) gamma[r] += ans->W[r * WIDTH + i] * s->u[i];
    }
}

static void push_of(const scene *s, const carom_slot_answers *ans, double *push)
{
    for (int i = 0; i < 2 * s->n; i++) {
        push[i] = 0;
        for (int r = 0; r < s->dim; r++) push[i] += ans->W[r * WIDTH + i] * s->P[r];
    }
}

// gap, rates and pushes along a direction, differentiated to the fourth order
enum { N_VALUE = 1 + ROWS + WIDTH };

static void differentiate(carom_slot_program *program, const scene *s, const double *along,
                          double *d)
{
    static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
    const double h = 3e-4;
    memset(d, 0, sizeof(double) * N_VALUE);
    for (int k = 0; k < 4; k++) {
        double q[CAROM_SLOT_POSE], value[N_VALUE] = {0};
        move(s, along, at[k] * h, q);
        const carom_slot_answers ans = ask(program, s, q);
        value[0] = ans.gap;
        rates_of(s, &ans, value + 1);
        push_of(s, &ans, value + 1 + ROWS);
        for (int i = 0; i < N_VALUE; i++) d[i] += weight[k] * value[i] / (12 * h);
    }
}

static void expect(double value, double wanted, const char *what, int primitive, int dim)
{
    if (!(fabs(value - wanted) < 2e-9 * (1 + fabs(wanted))))
        fail_msg("%s of primitive %d in %d dimensions: %.12g, by differences %.12g", what,
                 primitive, dim, value, wanted);
}

static void check_scene(carom_slot_program *program, const scene *s, int primitive)
{
    double d[N_VALUE], along[WIDTH] = {0};
    const carom_slot_answers ans = ask(program, s, s->q);
    for (int j = 0; j < 2 * s->n; j++) {
        memset(along, 0, sizeof along);
        along[j] = 1;
        differentiate(program, s, along, d);
        expect(ans.W[j], d[0], "the row", primitive, s->dim);
        for (int r = 0; r < s->dim; r++)
            expect(ans.dgamma_dq[r * WIDTH + j], d[1 + r], "d(gamma)/dq", primitive, s->dim);
        for (int i = 0; i < 2 * s->n; i++)
            expect(ans.dWP_dq[i * WIDTH + j], d[1 + ROWS + i], "d(W'P)/dq", primitive, s->dim);
    }
    differentiate(program, s, s->u, d);
    for (int r = 0; r < s->dim; r++)
        expect(ans.curvature[r], d[1 + r], "the curvature", primitive, s->dim);
}

static void check_dimension(int dim)
{
    carom_slot_code *code = carom_slot_code_new(dim, true);
    assert_non_null(code);
    for (int k = 0; k < CAROM_N_PRIMITIVE; k++) {
        const carom_primitive_kind *kind = carom_primitive_at(k);
        if (!(dim == 2 ? kind->is_for_plane : kind->is_for_space)) continue;
        carom_arena *arena = carom_arena_new();
        carom_slot_program *program;
        assert_int_equal(
            carom_slot_program_new(code, (carom_primitive)k, ALL, arena, &program, NULL), CAROM_OK);
        for (int trial = 0; trial < 10; trial++) {
            const scene s = make_scene(dim);
            check_scene(program, &s, k);
        }
        printf("primitive %s in %d dimensions: %d operations\n", kind->name, dim,
               carom_tape_length(program->tape));
        carom_slot_program_free(program);
        carom_arena_free(arena);
    }
    carom_slot_code_free(code);
}

static void answers_in_the_plane_are_derivatives(void **state)
{
    (void)state;
    check_dimension(2);
}

static void answers_in_space_are_derivatives(void **state)
{
    (void)state;
    check_dimension(3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_in_the_plane_are_derivatives),
        cmocka_unit_test(answers_in_space_are_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
