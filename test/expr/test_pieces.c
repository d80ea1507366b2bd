// SPDX-License-Identifier: Apache-2.0
// Gaps with kinks cut into pieces: at every point the smallest of the pieces that count
// there is the gap, each piece is smooth across the places where the gap is not, and
// what cannot be cut is told.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/names.h"
#include "expr/pieces/pieces.h"
#include "expr/program/tape.h"

#include <math.h>
#include <stdlib.h>

enum { N_POINT = 4000, N_TABLE = 3 };

static const char *const table_name[N_TABLE] = {"f", "saw", "smooth"};

static int find_table(void *self, const char *name)
{
    (void)self;
    for (int i = 0; i < N_TABLE; i++)
        if (strcmp(name, table_name[i]) == 0) return i;
    return -1;
}

// f: a linear table with inner and outer corners; saw: a periodic one; smooth: a cubic one
static carom_graph *make_graph(void)
{
    static const double x[] = {-10, -1, 0, 0.5, 2, 10}, y[] = {4, 0.5, 0, 0.75, 0.5, 3},
                        sx[] = {0, 0.25, 1, 1.5}, sy[] = {0, 1, 0.5, 0};
    const carom_table_points points[N_TABLE] = {
        {6, x, y, false, 0}, {4, sx, sy, false, 1.5}, {6, x, y, true, 0}};
    carom_graph *graph = carom_graph_new();
    for (int i = 0; i < N_TABLE; i++) {
        carom_spline *spline = NULL;
        assert_int_equal(carom_spline_new(&points[i], &spline, NULL), CAROM_OK);
        assert_int_equal(carom_graph_add_table(graph, table_name[i], spline), i);
        carom_spline_free(spline);
    }
    return graph;
}

typedef struct fixture {
    carom_graph *graph;
    carom_arena *arena;
    carom_ref gap;
    carom_pieces pieces;
} fixture;

static fixture cut(const char *text)
{
    carom_error error = {0};
    fixture f = {make_graph(), carom_arena_new(), -1, {0}};
    carom_names names = test_names(f.graph);
    names.find_table = find_table;
    const carom_syntax *syntax;
    if (carom_syntax_parse(f.arena, (carom_text){text, {"f", 1, 1}}, &syntax, &error) != CAROM_OK ||
        carom_syntax_elaborate(f.graph, syntax, &names, &f.gap, &error) != CAROM_OK)
        fail_msg("%s: %s", text, error.message);
    assert_int_equal(carom_pieces_cut(f.graph, &f.gap, 1, f.arena, &f.pieces), CAROM_OK);
    return f;
}

static void leave(const fixture *f)
{
    carom_graph_free(f->graph);
    carom_arena_free(f->arena);
}

static double value(const fixture *f, carom_ref ref, const double *q, double t)
{
    carom_tape *tape = NULL;
    double result = NAN;
    assert_int_equal(carom_tape_new(f->graph, &(carom_target){ref, 0}, 1, &tape, NULL), CAROM_OK);
    carom_tape_constants(tape, &result);
    carom_tape_run(tape, &(carom_inputs){.t = t, .q = q}, &result);
    carom_tape_free(tape);
    return result;
}

// gaps y - (a function of x, z and t), with their number of pieces and places of kinks in x
static const struct row {
    const char *text;
    int n;
    double place[3];
    int n_place;
} rows[] = {
    {"y - x^2", 1, {0}, 0},
    {"y - smooth(x)", 1, {0}, 0},
    {"y - abs(x)", 2, {0}, 1},
    {"y + abs(x - 1)", 2, {1}, 1},
    {"min(y - x, y + 2*x)", 2, {0}, 1},
    {"max(y - x, y + 2*x)", 2, {0}, 1},
    {"min(y, x + 1, 1 - x, 3 - y)", 4, {0}, 1},
    {"y - clamp(x, 0, 1)", 3, {0, 1}, 2},
    {"y - if(x < 0, 0, 0.5*x)", 2, {0}, 1},
    {"y - if(x < 0, 0, -0.5*x)", 2, {0}, 1},
    {"y - if(x < 0, 0, x^2)", 2, {0}, 1},
    {"y - if(x < 0, -x, x + x^2)", 2, {0}, 1},
    {"y - if(x < 0 or x > 1, 0, x*(1 - x))", 3, {0, 1}, 2},
    {"y - x*step(x)", 2, {0}, 1},
    {"y - x*sign(x)", 2, {0}, 1},
    {"y - sqrt(x^2)", 2, {0}, 1},
    {"y - f(x)", 5, {0, 0.5, 2}, 3},
    {"f(x) - y", 5, {0, 0.5, 2}, 3},
    {"y - 2*f(x/2)", 5, {0, 1, 4}, 3},
    {"(y - f(x))*cos(z)", 5, {0, 0.5, 2}, 3},
    {"y - saw(x)", 3, {0, 0.25, 1}, 3},
    {"y + saw(x + 0.25)", 3, {0, 0.75, -0.25}, 3},
    {"y - f(abs(x))", 10, {0, 0.5, 2}, 3},
    {"y - max(f(x), 0.6)", 6, {0.5}, 1},
    {"y - abs(x) - abs(z)", 4, {0}, 1},
    {"y - max(x - t, 0)", 2, {0}, 0},
    {"y - f(t)", 5, {0}, 0},
    {"y - abs(abs(x) - 1)", 4, {-1, 0, 1}, 3},
};
enum { N_ROW = sizeof rows / sizeof *rows };

static double draw(uint64_t *seed, double size)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return size * (2 * (double)(*seed >> 11) / 9007199254740992.0 - 1);
}

// all pieces with one tape: their conditions and values
static void expect_smallest(const fixture *f, const char *text, uint64_t *seed)
{
    const int n = f->pieces.n;
    carom_target *target = calloc((size_t)(2 * n + 1), sizeof *target);
    double *result = calloc((size_t)(2 * n + 1), sizeof *result);
    carom_tape *tape = NULL;
    target[0] = (carom_target){f->gap, 0};
    for (int i = 0; i < n; i++) {
        target[1 + 2 * i] = (carom_target){f->pieces.item[i].where, 1 + 2 * i};
        target[2 + 2 * i] = (carom_target){f->pieces.item[i].root[0], 2 + 2 * i};
    }
    assert_int_equal(carom_tape_new(f->graph, target, 2 * n + 1, &tape, NULL), CAROM_OK);
    carom_tape_constants(tape, result);
    for (int k = 0; k < N_POINT; k++) {
        const double q[3] = {draw(seed, 4), draw(seed, 4), draw(seed, 1.5)}, t = draw(seed, 4);
        double least = INFINITY;
        carom_tape_run(tape, &(carom_inputs){.t = t, .q = q}, result);
        for (int i = 0; i < n; i++)
            if (result[1 + 2 * i] != 0) least = fmin(least, result[2 + 2 * i]);
        if (!(fabs(least - result[0]) <= 1e-13 * (1 + fabs(result[0]))))
            fail_msg("%s at x = %g, y = %g, z = %g, t = %g: %g, by pieces %g", text, q[0], q[1],
                     q[2], t, result[0], least);
    }
    carom_tape_free(tape);
    free(target);
    free(result);
}

static void the_smallest_piece_that_counts_is_the_gap(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < N_ROW; i++) {
        const fixture f = cut(rows[i].text);
        assert_int_equal(f.pieces.verdict, CAROM_PIECES_FOUND);
        if (f.pieces.n != rows[i].n)
            fail_msg("%s: %d pieces, not %d", rows[i].text, f.pieces.n, rows[i].n);
        expect_smallest(&f, rows[i].text, &seed);
        leave(&f);
    }
}

// a piece that counts on one side of a place has no kink there
static void pieces_are_smooth_across_the_places(void **state)
{
    (void)state;
    const double d = 1e-7;
    for (int i = 0; i < N_ROW; i++) {
        const fixture f = cut(rows[i].text);
        for (int k = 0; k < rows[i].n_place * f.pieces.n; k++) {
            const carom_piece *piece = &f.pieces.item[k % f.pieces.n];
            const double place = rows[i].place[k / f.pieces.n];
            const carom_ref slope = carom_graph_derivative(f.graph, piece->root[0], CAROM_Q, 0);
            const double below[3] = {place - d, 2, 0.3}, above[3] = {place + d, 2, 0.3};
            if (value(&f, piece->where, below, 0.1) == 0 &&
                value(&f, piece->where, above, 0.1) == 0)
                continue;
            const double a = value(&f, slope, below, 0.1), b = value(&f, slope, above, 0.1);
            if (!(fabs(a - b) <= 10 * d))
                fail_msg("%s: piece %d has slope %g below x = %g, %g above", rows[i].text,
                         k % f.pieces.n + 1, a, place, b);
        }
        leave(&f);
    }
}

// at an inner corner both sides count; at an outer one each ends there
static void inner_corners_overlap_and_outer_ones_do_not(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double x;
        int n;
    } row[] = {
        {"y - abs(x)", 0.1, 2},
        {"y + abs(x)", 0.1, 1},
        {"y - abs(x)", -0.1, 2},
        {"min(y, x)", 5, 2},
        {"max(y, x)", 5, 1},
        {"y - if(x < 0, 0, 0.5*x)", 1, 2},
        {"y - if(x < 0, 0, -0.5*x)", 1, 1},
        {"y - if(x < 0, 0, x^2)", 1e-3, 1},
        {"y - if(x < 0, -x, x + x^2)", 1e-3, 2},
        {"y - max(x, 0)^2", 1e-3, 1},
        {"y - f(x)", 0.1, 2},
        {"y - f(x)", 0.6, 1},
        {"y - f(x)", 1.5, 2},
        {"f(x) - y", 0.6, 2},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const fixture f = cut(row[i].text);
        const double q[3] = {row[i].x, 2, 0};
        int n = 0;
        for (int k = 0; k < f.pieces.n; k++) n += value(&f, f.pieces.item[k].where, q, 0) != 0;
        if (n != row[i].n)
            fail_msg("%s at x = %g: %d count, not %d", row[i].text, row[i].x, n, row[i].n);
        leave(&f);
    }
}

static void a_gap_outside_its_table_stays_undefined(void **state)
{
    (void)state;
    const fixture f = cut("y - f(x)");
    const double outside[2][3] = {{-10.1, 0, 0}, {10.1, 0, 0}};
    for (int k = 0; k < 2; k++) {
        int n = 0;
        for (int i = 0; i < f.pieces.n; i++)
            n += value(&f, f.pieces.item[i].where, outside[k], 0) != 0 &&
                 isnan(value(&f, f.pieces.item[i].root[0], outside[k], 0));
        assert_int_equal(n, 1);
    }
    leave(&f);
}

static void what_cannot_be_cut_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        carom_pieces_verdict verdict;
    } row[] = {
        {"y - floor(x)", CAROM_PIECES_ENDLESS},
        {"y - mod(x, 2)", CAROM_PIECES_ENDLESS},
        {"y - mod(t, 2)", CAROM_PIECES_ENDLESS},
        {"y - step(x)", CAROM_PIECES_JUMP},
        {"y - if(x < 0, 0, x - 0.1)", CAROM_PIECES_JUMP},
        {"y - if(t < 1, 0, 0.1)", CAROM_PIECES_JUMP},
        {"y - if(x < 2, 0, x^2 - 3.9)", CAROM_PIECES_JUMP},
        {"y - if(x < 2, 0, x^2 - 4)", CAROM_PIECES_FOUND},
        {"y - f(x)*f(x + 1)*f(x + 2)*f(x + 3)", CAROM_PIECES_MANY},
        {"y - x*floor(3.5)", CAROM_PIECES_FOUND},
        {"y - if(x == 0, 1, 2)", CAROM_PIECES_FOUND},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const fixture f = cut(row[i].text);
        if (f.pieces.verdict != row[i].verdict) fail_msg("%s: %d", row[i].text, f.pieces.verdict);
        leave(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_piece_that_counts_is_the_gap),
        cmocka_unit_test(pieces_are_smooth_across_the_places),
        cmocka_unit_test(inner_corners_overlap_and_outer_ones_do_not),
        cmocka_unit_test(a_gap_outside_its_table_stays_undefined),
        cmocka_unit_test(what_cannot_be_cut_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
