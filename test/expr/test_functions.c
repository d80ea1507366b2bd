// SPDX-License-Identifier: Apache-2.0
// Every function that equation text knows, against the same function of the C library in
// extended precision, found by name: its value, and its first and second derivatives against
// differences of that. Derivatives come from the reverse sweep, the forward sweep and the time
// derivative, each run on the tape and, where there is a compiler, as machine code. A function
// without a row here fails.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/names.h"
#include "expr/program/native.h"
#include "expr/program/tape.h"
#include "expr/text/functions.h"

#include <math.h>
#include <stdlib.h>

typedef long double real;
typedef real reference(const real *x);

// clang-format off
static real ref_sin(const real *x) { return sinl(x[0]); }
static real ref_cos(const real *x) { return cosl(x[0]); }
static real ref_tan(const real *x) { return tanl(x[0]); }
static real ref_asin(const real *x) { return asinl(x[0]); }
static real ref_acos(const real *x) { return acosl(x[0]); }
static real ref_atan(const real *x) { return atanl(x[0]); }
static real ref_atan2(const real *x) { return atan2l(x[0], x[1]); }
static real ref_sinh(const real *x) { return sinhl(x[0]); }
static real ref_cosh(const real *x) { return coshl(x[0]); }
static real ref_tanh(const real *x) { return tanhl(x[0]); }
static real ref_exp(const real *x) { return expl(x[0]); }
static real ref_log(const real *x) { return logl(x[0]); }
static real ref_sqrt(const real *x) { return sqrtl(x[0]); }
static real ref_abs(const real *x) { return fabsl(x[0]); }
static real ref_sign(const real *x) { return x[0] > 0 ? 1 : -1; }
static real ref_min(const real *x) { return fminl(fminl(x[0], x[1]), x[2]); }
static real ref_max(const real *x) { return fmaxl(fmaxl(x[0], x[1]), x[2]); }
static real ref_step(const real *x) { return x[0] >= 0; }
static real ref_deg(const real *x) { return x[0] * acosl(-1) / 180; }
static real ref_hypot(const real *x) { return sqrtl(x[0] * x[0] + x[1] * x[1]); }
static real ref_floor(const real *x) { return floorl(x[0]); }
static real ref_mod(const real *x) { return x[0] - x[1] * floorl(x[0] / x[1]); }
static real ref_clamp(const real *x) { return x[0] < x[1] ? x[1] : x[0] > x[2] ? x[2] : x[0]; }
// clang-format on

enum { MOST_ARGUMENTS = 3, N_Q = 3, N_POINT = 5 };

// arguments away from the places where the function jumps or ends
typedef struct row {
    const char *name;
    reference *value;
    int n;
    double at[N_POINT][MOST_ARGUMENTS];
} row;

static const row rows[] = {
    {"sin", ref_sin, 1, {{0.3}, {-2}, {0}, {5}, {-0.7}}},
    {"cos", ref_cos, 1, {{0.3}, {-2}, {0}, {5}, {-0.7}}},
    {"tan", ref_tan, 1, {{0.3}, {-1.2}, {0}, {2.5}, {-0.7}}},
    {"asin", ref_asin, 1, {{0.3}, {-0.8}, {0}, {0.85}, {-0.5}}},
    {"acos", ref_acos, 1, {{0.3}, {-0.8}, {0}, {0.85}, {-0.5}}},
    {"atan", ref_atan, 1, {{0.3}, {-8}, {0}, {40}, {-0.5}}},
    {"atan2", ref_atan2, 2, {{0.3, 2}, {-2, -1}, {3, -2}, {0, 1}, {-4, 0.5}}},
    {"sinh", ref_sinh, 1, {{0.3}, {-2}, {0}, {3}, {-0.7}}},
    {"cosh", ref_cosh, 1, {{0.3}, {-2}, {0}, {3}, {-0.7}}},
    {"tanh", ref_tanh, 1, {{0.3}, {-2}, {0}, {3}, {-0.7}}},
    {"exp", ref_exp, 1, {{0.3}, {-2}, {0}, {3}, {-0.7}}},
    {"log", ref_log, 1, {{0.3}, {1}, {2}, {30}, {0.7}}},
    {"sqrt", ref_sqrt, 1, {{0.3}, {1}, {2}, {30}, {0.7}}},
    {"abs", ref_abs, 1, {{0.3}, {-1}, {2}, {-30}, {0.7}}},
    {"sign", ref_sign, 1, {{0.3}, {-1}, {2}, {-30}, {0.7}}},
    {"min", ref_min, 3, {{0.3, 2, 1}, {2, -1, 1}, {2, 1, -1}, {-3, 1, 2}, {4, 3, 2}}},
    {"max", ref_max, 3, {{0.3, 2, 1}, {2, -1, 1}, {2, 1, 4}, {-3, 1, 2}, {4, 3, 2}}},
    {"step", ref_step, 1, {{0.3}, {-1}, {2}, {-30}, {0.7}}},
    {"deg", ref_deg, 1, {{30}, {-1}, {180}, {-30}, {0.7}}},
    {"hypot", ref_hypot, 2, {{3, 4}, {-2, -1}, {3, -2}, {0, 1}, {-4, 0}}},
    {"floor", ref_floor, 1, {{0.3}, {-0.3}, {2.5}, {-30.25}, {7.5}}},
    {"mod", ref_mod, 2, {{7.3, 2}, {-0.3, 2}, {2.5, -1}, {-30.25, -4}, {0.5, 3}}},
    {"clamp", ref_clamp, 3, {{0.3, 0, 1}, {-0.3, 0, 1}, {7, 0, 1}, {2, 1.5, 2.5}, {-9, -3, -2}}},
};
enum { N_ROW = sizeof rows / sizeof *rows };

static const row *row_of(const char *name)
{
    for (int i = 0; i < N_ROW; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    fail_msg("no row for the function %s", name);
    return NULL;
}

// The arguments are functions of x, y, z and t, so that every rule of composition takes part:
// argument k = at[k] + a_k . (x, y, z, t) + b_k (x y + z t), all 0 at the centre.
typedef struct point {
    real at[N_Q + 1];
} point;

static const double linear[MOST_ARGUMENTS][N_Q + 1] = {
    {1, 0.5, -0.25, 0.75}, {-0.5, 1, 0.5, -1.25}, {0.25, -0.75, 1, 0.5}};
static const double bilinear[MOST_ARGUMENTS] = {0.5, -0.25, 0.75};

static real value_at(const row *r, const double *centre, point p)
{
    real x[MOST_ARGUMENTS];
    for (int k = 0; k < r->n; k++) {
        x[k] = centre[k] + bilinear[k] * (p.at[0] * p.at[1] + p.at[2] * p.at[3]);
        for (int i = 0; i <= N_Q; i++) x[k] += linear[k][i] * p.at[i];
    }
    return r->value(x);
}

static void write_text(const row *r, const double *centre, char *buffer, size_t room)
{
    size_t n = (size_t)snprintf(buffer, room, "%s(", r->name);
    for (int k = 0; k < r->n; k++)
        n += (size_t)snprintf(buffer + n, room - n,
                              "%s(%.17g) + (%g)*x + (%g)*y + (%g)*z + (%g)*t + (%g)*(x*y + z*t)",
                              k ? ", " : "", centre[k], linear[k][0], linear[k][1], linear[k][2],
                              linear[k][3], bilinear[k]);
    snprintf(buffer + n, room - n, ")");
}

// differences of order 4: the error is far below the tolerances
static const real H = 1e-3L;

static real first(const row *r, const double *centre, point p, int i)
{
    static const int step[] = {-2, -1, 1, 2};
    static const real weight[] = {1.0L / 12, -2.0L / 3, 2.0L / 3, -1.0L / 12};
    real sum = 0;
    for (int k = 0; k < 4; k++) {
        point q = p;
        q.at[i] += step[k] * H;
        sum += weight[k] * value_at(r, centre, q);
    }
    return sum / H;
}

static real second(const row *r, const double *centre, int i, int j)
{
    static const int step[] = {-2, -1, 1, 2};
    static const real weight[] = {1.0L / 12, -2.0L / 3, 2.0L / 3, -1.0L / 12};
    real sum = 0;
    for (int k = 0; k < 4; k++) {
        point q = {{0}};
        q.at[j] += step[k] * H;
        sum += weight[k] * first(r, centre, q, i);
    }
    return sum / H;
}

// what is asked of the engine: the value, derivatives by both sweeps, the rate and its derivative
enum {
    N_FIRST = N_Q + 1,
    AT_REVERSE = 1,
    AT_FORWARD = AT_REVERSE + N_FIRST,
    AT_SECOND = AT_FORWARD + N_FIRST,
    AT_RATE = AT_SECOND + N_FIRST * N_FIRST,
    N_ANSWER = AT_RATE + 1 + N_Q
};

static const double rate_of[N_Q] = {0.7, -1.1, 0.4};

static carom_symbol kind_of(int i)
{
    return i < N_Q ? CAROM_Q : CAROM_TIME;
}

static carom_ref reverse(carom_graph *graph, carom_ref ref, int i)
{
    carom_gradient gradient;
    assert_int_equal(carom_graph_gradient(graph, ref, kind_of(i), &gradient), CAROM_OK);
    for (int k = 0; k < gradient.n; k++)
        if (gradient.index[k] == (i < N_Q ? i : 0)) return gradient.ref[k];
    return carom_graph_number(graph, 0);
}

static void ask(carom_graph *graph, carom_ref ref, carom_target *target)
{
    carom_ref wanted[N_ANSWER] = {ref};
    for (int i = 0; i < N_FIRST; i++) {
        wanted[AT_REVERSE + i] = reverse(graph, ref, i);
        wanted[AT_FORWARD + i] = carom_graph_derivative(graph, ref, kind_of(i), i < N_Q ? i : 0);
    }
    for (int i = 0; i < N_FIRST; i++)
        for (int j = 0; j < N_FIRST; j++)
            wanted[AT_SECOND + N_FIRST * i + j] = reverse(graph, wanted[AT_REVERSE + i], j);
    wanted[AT_RATE] = carom_graph_rate(graph, ref);
    for (int i = 0; i < N_Q; i++) wanted[AT_RATE + 1 + i] = reverse(graph, wanted[AT_RATE], i);
    for (int i = 0; i < N_ANSWER; i++) target[i] = (carom_target){wanted[i], i};
}

static void expect_near(const char *what, const char *text, double got, real wanted, real tolerance)
{
    if (!(fabsl(got - wanted) <= tolerance * (1 + fabsl(wanted))))
        fail_msg("%s is %.15g, not %.15Lg\nof %s", what, got, wanted, text);
}

static void check_answers(const row *r, const double *centre, const char *text, const double *got)
{
    const point zero = {{0}};
    real d[N_FIRST], rate = 0;
    expect_near("value", text, got[0], value_at(r, centre, zero), 1e-15L);
    for (int i = 0; i < N_FIRST; i++) {
        d[i] = first(r, centre, zero, i);
        expect_near("reverse derivative", text, got[AT_REVERSE + i], d[i], 1e-9L);
        expect_near("forward derivative", text, got[AT_FORWARD + i], d[i], 1e-9L);
        rate += d[i] * (i < N_Q ? (real)rate_of[i] : 1);
    }
    expect_near("rate", text, got[AT_RATE], rate, 1e-9L);
    for (int i = 0; i < N_FIRST; i++) {
        real slope = 0;
        for (int j = 0; j < N_FIRST; j++) {
            const real dd = second(r, centre, i, j);
            expect_near("second derivative", text, got[AT_SECOND + N_FIRST * i + j], dd, 1e-8L);
            slope += dd * (j < N_Q ? (real)rate_of[j] : 1);
        }
        if (i < N_Q)
            expect_near("derivative of the rate", text, got[AT_RATE + 1 + i], slope, 1e-8L);
    }
}

// all functions at all their points in one graph, so that the compiler runs once
typedef struct bench {
    carom_graph *graph;
    carom_target target[N_ROW * N_POINT][N_ANSWER];
    char text[N_ROW * N_POINT][1000];
} bench;

static bench *make_bench(void)
{
    bench *b = calloc(1, sizeof *b);
    b->graph = test_graph();
    for (int k = 0; k < N_ROW * N_POINT; k++) {
        carom_error error = {0};
        const row *r = &rows[k / N_POINT];
        write_text(r, r->at[k % N_POINT], b->text[k], sizeof b->text[k]);
        const carom_ref ref = test_read(b->graph, b->text[k], &error);
        if (ref < 0) fail_msg("%s: %s", b->text[k], error.message);
        ask(b->graph, ref, b->target[k]);
    }
    return b;
}

static void free_bench(bench *b)
{
    carom_graph_free(b->graph);
    free(b);
}

static const double nowhere[N_Q] = {0};

static void every_function_has_a_row_here(void **state)
{
    (void)state;
    int n = 0, n_other = 0;
    for (; carom_function_at(n); n++) {
        const carom_function *f = carom_function_at(n);
        if (f->measure || f->join || f->is_by_component) { // of vectors: test_vectors.c
            n_other++;
            continue;
        }
        const row *r = row_of(f->name);
        assert_true(r->n >= f->least && (f->most < 0 || r->n <= f->most));
    }
    assert_int_equal(n, N_ROW + n_other);
    assert_int_equal(n_other, 5);
}

static void values_and_derivatives_on_the_tape(void **state)
{
    (void)state;
    bench *b = make_bench();
    for (int k = 0; k < N_ROW * N_POINT; k++) {
        double answer[N_ANSWER];
        carom_tape *tape = NULL;
        assert_int_equal(carom_tape_new(b->graph, b->target[k], N_ANSWER, &tape, NULL), CAROM_OK);
        carom_tape_constants(tape, answer);
        carom_tape_run(tape, &(carom_inputs){.t = 0, .q = nowhere, .u = rate_of}, answer);
        carom_tape_free(tape);
        check_answers(&rows[k / N_POINT], rows[k / N_POINT].at[k % N_POINT], b->text[k], answer);
    }
    free_bench(b);
}

static void values_and_derivatives_as_machine_code(void **state)
{
    (void)state;
    bench *b = make_bench();
    enum { N = N_ROW * N_POINT };
    static carom_c_function function[N];
    static char name[N][16];
    for (int k = 0; k < N; k++) {
        snprintf(name[k], sizeof name[k], "f%d", k);
        function[k] = (carom_c_function){
            .name = name[k], .target = b->target[k], .n_target = N_ANSWER, .is_apart = true};
    }
    carom_native *native = NULL;
    carom_error error = {0};
    if (carom_native_new(b->graph, function, N, &native, &error) != CAROM_OK) {
        free_bench(b);
        print_message("%s\n", error.message);
        skip();
    }
    for (int k = 0; k < N; k++) {
        double answer[N_ANSWER];
        const carom_native_code *code = carom_native_at(native, k);
        code->whole(0, nowhere, rate_of, NULL, NULL, answer, code->v);
        check_answers(&rows[k / N_POINT], rows[k / N_POINT].at[k % N_POINT], b->text[k], answer);
    }
    carom_native_free(native);
    free_bench(b);
}

static double number_of(const char *text)
{
    carom_error error = {0};
    carom_graph *graph = test_graph();
    double value = NAN;
    const carom_ref ref = test_read(graph, text, &error);
    if (ref < 0) fail_msg("%s: %s", text, error.message);
    assert_true(carom_graph_is_number(graph, ref, &value));
    carom_graph_free(graph);
    return value;
}

static void hypot_neither_overflows_nor_vanishes(void **state)
{
    (void)state;
    assert_true(fabs(number_of("hypot(3e200, -4e200)/5e200") - 1) < 1e-15);
    assert_true(fabs(number_of("hypot(3e-200, 4e-200)/5e-200") - 1) < 1e-15);
}

// the rest of a division lies between 0 and the divisor, also where the quotient rounds up to a
// whole number: a table of one period takes it
static void mod_stays_within_its_divisor(void **state)
{
    (void)state;
    assert_true(number_of("mod(-1, 3)") == 2);
    assert_true(number_of("mod(7, -3)") == -2);
    assert_true(number_of("mod(6, 3)") == 0);
    for (int k = 1; k < 2000; k++) {
        char text[80];
        const double b = 0.1 * k, a = nextafter(b * 7, 0);
        snprintf(text, sizeof text, "mod(%.17g, %.17g)", a, b);
        const double rest = number_of(text);
        assert_true(rest >= 0 && rest <= b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_has_a_row_here),
        cmocka_unit_test(values_and_derivatives_on_the_tape),
        cmocka_unit_test(values_and_derivatives_as_machine_code),
        cmocka_unit_test(hypot_neither_overflows_nor_vanishes),
        cmocka_unit_test(mod_stays_within_its_divisor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
