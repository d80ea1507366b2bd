// SPDX-License-Identifier: Apache-2.0
// Surfaces made of patches as models: where a patch counts, how far its edge is, derivatives beyond
// it, the builder's own function, and the singular system at an edge that makes edges events.
#include "model/model_rig.h"

enum { ALL = CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS, SLOPES = ALL | CAROM_D_ROWS };

typedef struct asked {
    const unsigned char *holds;
    carom_model *model;
    carom_plan *plan;
    carom_eval *ev;
} asked;

static asked ask(carom_model *model)
{
    static const unsigned mask[] = {ALL, SLOPES};
    carom_error error = {0};
    asked a = {.model = model};
    must(carom_plan_new(model, mask, 2, &a.plan, &error), &error);
    a.ev = carom_plan_eval(a.plan);
    assert_non_null(a.ev);
    return a;
}

static void look(asked *a, double x, double z, unsigned mask, const double *P)
{
    carom_error error = {0};
    const double q[] = {x, z}, u[] = {1, 0}, zero[] = {0, 0};
    const carom_point at = {.t = 0, .q = q, .u = u, .a = zero, .P = P, .holds = a->holds};
    must(carom_model_eval(a->plan, &at, mask, a->ev, &error), &error);
}

static void done(asked *a)
{
    carom_plan_free(a->plan);
    carom_model_free(a->model);
}

static carom_model *mass_above(const char *patches)
{
    char text[800];
    snprintf(text, sizeof text,
             "carom: 1\ncoordinates: {x: {start: 0.5}, z: {start: 1}}\n"
             "kinetic: 1/2*(der(x)^2 + der(z)^2)\npotential: 9.81*z\n"
             "contacts:\n  - name: ground\n    surface:\n%s",
             patches);
    return finish_file(file_from_text(text));
}

static void patch_counts_where_its_condition_holds(void **state)
{
    (void)state;
    asked a = ask(mass_above("      - {gap: z, where: x < 0}\n"
                             "      - {gap: z - x^2, where: x >= 0 and not x > 2}\n"));
    assert_int_equal(carom_model_sizes(a.model).n_surface, 1);
    assert_int_equal(carom_model_sizes(a.model).n_contact, 2);
    assert_string_equal(carom_model_contact(a.model, 1)->name, "ground.2");
    assert_int_equal(carom_model_contact(a.model, 1)->surface, 1);
    const struct {
        double x, gap[2], margin[2];
    } row[] = {
        {-1, {3, INFINITY}, {1, -1}},         {0, {INFINITY, 3}, {0, 0}},
        {0.5, {INFINITY, 2.75}, {-0.5, 0.5}}, {1.75, {INFINITY, 3 - 1.75 * 1.75}, {-1.75, 0.25}},
        {2, {INFINITY, -1}, {-2, 0}},         {3, {INFINITY, INFINITY}, {-3, -1}}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        look(&a, row[i].x, 3, ALL, NULL);
        for (int c = 0; c < 2; c++) {
            assert_true(a.ev->gaps.value[c] == row[i].gap[c]);
            assert_true(a.ev->gaps.margin[c] == row[i].margin[c]);
            assert_true((a.ev->gaps.inside[c] != 0) == isfinite(row[i].gap[c]));
        }
    }
    // whoever holds a patch sees it beyond its edge
    const unsigned char holds[] = {1, 0};
    a.holds = holds;
    look(&a, 3, 3, ALL, NULL);
    assert_true(a.ev->gaps.value[0] == 3 && isinf(a.ev->gaps.value[1]));
    done(&a);
}

static void margins_follow_or_equal_and_unequal(void **state)
{
    (void)state;
    asked a = ask(mass_above("      - {gap: z, where: x < -1 or x > 1}\n"
                             "      - {gap: z, where: x != 2}\n"
                             "      - {gap: z, where: x == 2}\n"
                             "      - {gap: z, where: 1 < 2}\n"
                             "      - {gap: z, where: 1 > 2}\n"));
    look(&a, 1.5, 1, ALL, NULL);
    const double margin[] = {0.5, 0.5, -0.5, 0.5, -0.5};
    for (int c = 0; c < 5; c++) assert_true(a.ev->gaps.margin[c] == margin[c]);
    look(&a, 0.25, 1, ALL, NULL);
    assert_true(a.ev->gaps.margin[0] == -0.75);
    done(&a);
}

// sqrt(x) has no value left of the edge: neither the gap nor d(W'P)/dq may suffer
static void patch_that_is_undefined_elsewhere_does_no_harm(void **state)
{
    (void)state;
    asked a = ask(mass_above("      - {gap: z - x^2, where: x < 0.1}\n"
                             "      - {gap: z - sqrt(x), where: x >= 0.1}\n"));
    const double P[] = {2, 0}, push[] = {0, 3};
    look(&a, -0.5, 1, SLOPES, P);
    assert_true(isinf(a.ev->gaps.value[1]) && a.ev->gaps.value[0] == 0.75);
    const carom_sparse *D = &a.ev->derivatives.dWP_dq;
    assert_int_equal(D->index[0], 0);
    assert_true(D->value[0] == -2 * 2);
    look(&a, 0.25, 1, SLOPES, push);
    // d/dx of -1/(2 sqrt x) 3
    assert_true(fabs(D->value[0] - 3 * 0.25 * pow(0.25, -1.5)) < 1e-14);
    done(&a);
}

static void builder_makes_the_same_surface(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_builder *b = carom_builder_new();
    carom_model *model;
    const carom_text none = {0};
    must(carom_builder_coordinate(b, text_of("x"), NULL, text_of("0.5"), none, &error), &error);
    must(carom_builder_coordinate(b, text_of("z"), NULL, text_of("1"), none, &error), &error);
    must(carom_builder_energy(b, CAROM_KINETIC, NULL, text_of("(der(x)^2 + der(z)^2)/2"), &error),
         &error);
    const carom_contact_text patch[] = {
        {.name = text_of("ground"), .gap = text_of("z"), .where = text_of("x < 0")},
        {.gap = text_of("z - x^2"), .where = text_of("x >= 0")}};
    must(carom_builder_surface(b, patch, 2, &error), &error);
    must(carom_builder_finish(b, &model, &error), &error);
    assert_string_equal(carom_model_contact(model, 0)->name, "ground.1");
    asked a = ask(model);
    look(&a, 0.5, 1, ALL, NULL);
    assert_true(isinf(a.ev->gaps.value[0]) && a.ev->gaps.value[1] == 0.75);
    done(&a);
    // what does not go
    const carom_contact_text bare = {.name = text_of("wall"), .gap = text_of("x")};
    assert_int_equal(carom_builder_surface(b, &bare, 1, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "patch 1 of the surface 'wall' needs 'where'"));
    error = (carom_error){0};
    assert_int_equal(carom_builder_contact(b, &patch[0], &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "carom_builder_surface"));
    carom_builder_free(b);
}

// rank of A (n x m by rows), by elimination with full pivoting; A is overwritten
static int rank_of(double *A, int n, int m)
{
    int rank = 0;
    double first = 0;
    while (rank < n && rank < m) {
        int pr = rank, pc = rank;
        for (int i = rank; i < n; i++)
            for (int j = rank; j < m; j++)
                if (fabs(A[i * m + j]) > fabs(A[pr * m + pc])) {
                    pr = i;
                    pc = j;
                }
        const double pivot = A[pr * m + pc];
        if (rank == 0) first = fabs(pivot);
        if (fabs(pivot) <= 1e-12 * first) break;
        for (int j = 0; j < m; j++) {
            const double swap = A[rank * m + j];
            A[rank * m + j] = A[pr * m + j];
            A[pr * m + j] = swap;
        }
        for (int i = 0; i < n; i++) {
            const double swap = A[i * m + rank];
            A[i * m + rank] = A[i * m + pc];
            A[i * m + pc] = swap;
        }
        for (int i = rank + 1; i < n; i++) {
            const double factor = A[i * m + rank] / pivot;
            for (int j = rank; j < m; j++) A[i * m + j] -= factor * A[rank * m + j];
        }
        rank++;
    }
    return rank;
}

// Haddouni et al. Sect. 4.1: [M -G(Q1)'; G(Q2) 0] with both patches, q = (z, x), at Q1 = 0 and
// x = -3.325155e-5 of Q2, and their right-hand side
static void both_patches_at_an_edge_are_singular_and_contradict_each_other(void **state)
{
    (void)state;
    const double printed[4][4] = {
        {1, 0, -1, -1}, {0, 1, 0, 0}, {1, 0, 0, 0}, {1, 6.65031e-5, 0, 0}};
    const double right[] = {-9.81, 0, -3.62238e-2, 4.41971e1};
    const unsigned char holds[] = {1, 1};
    asked a = ask(mass_above("      - {gap: z, where: x < 0}\n"
                             "      - {gap: z - x^2, where: x >= 0}\n"));
    double A[16] = {0}, B[20];
    a.holds = holds;
    for (int i = 0; i < 2; i++) A[5 * i] = 1;
    for (int k = 0; k < 2; k++) {
        look(&a, k == 0 ? 0 : -0.5 * 6.65031e-5, 0, ALL, NULL);
        const carom_sparse *W = &a.ev->rows.W;
        for (int r = 0; r < 2; r++)
            for (int e = W->start[r]; e < W->start[r + 1]; e++) {
                const int j = 1 - W->index[e]; // z first
                if (k == 0) A[4 * j + 2 + r] = -W->value[e];
                if (k == 1) A[4 * (2 + r) + j] = W->value[e];
            }
        assert_true(carom_mass_entry(a.ev->mass, 0, 0) == 1);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) assert_true(fabs(A[4 * i + j] - printed[i][j]) < 1e-19);
    for (int i = 0; i < 4; i++) {
        memcpy(B + 5 * i, A + 4 * i, 4 * sizeof *A);
        B[5 * i + 4] = right[i];
    }
    assert_int_equal(rank_of(A, 4, 4), 3);
    assert_int_equal(rank_of(B, 4, 5), 4);
    done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patch_counts_where_its_condition_holds),
        cmocka_unit_test(margins_follow_or_equal_and_unequal),
        cmocka_unit_test(patch_that_is_undefined_elsewhere_does_no_harm),
        cmocka_unit_test(builder_makes_the_same_surface),
        cmocka_unit_test(both_patches_at_an_edge_are_singular_and_contradict_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
