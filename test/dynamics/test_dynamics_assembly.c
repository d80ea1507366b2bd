// SPDX-License-Identifier: Apache-2.0
// Building contact problems: G and b of the dense and the sparse path against the naive product of
// full matrices, and the correction on position level.
#include "model/model_rig.h"

#include "dynamics/assembly.h"

// a chain with coupled masses in groups of three, so that G has more than its neighbours; n
// contacts and a constraint
static const char *const chain =
    "carom: 1\n"
    "parameters: {n: 12, e: 0.3, mu: 0.2}\n"
    "coordinates:\n"
    "  x[i]:\n"
    "    for: {i: 1..3*n}\n"
    "    start: 0.2*i + 0.01*sin(i)\n"
    "    rate: cos(3*i)\n"
    "  y: {start: 1}\n"
    "kinetic:\n"
    "  - term: (1 + 0.1*sin(x[i]))/2*der(x[i])^2\n"
    "    for: {i: 1..3*n}\n"
    "  - term: 0.2*der(x[3*k])*der(x[3*k-1])*cos(x[3*k]) + 0.1*der(x[3*k-1])*der(x[3*k-2])\n"
    "    for: {k: 1..n}\n"
    "  - term: der(y)^2\n"
    "constraints:\n"
    "  - name: lift\n"
    "    equation: (y - 1)*(2 + x[1]) + sin(t)*t\n"
    "contacts:\n"
    "  - name: pair[i]\n"
    "    for: {i: 2..3*n}\n"
    "    gap: x[i] - x[i-1] - 0.3*sin(t) - 1\n"
    "    slip: x[i]*x[i-1] + t\n"
    "    restitution: e\n"
    "    tangential_restitution: e/2\n"
    "    friction: mu\n";

enum { MASK = CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS };

typedef struct bench {
    carom_model *model;
    carom_sizes size;
    carom_plan *plan;
    carom_eval *rate, *push;
    carom_contacts *contacts;
    unsigned char *is_active;
    double *u_free, *full_rate, *full_push; // (nu), (n_row x nu)
} bench;

static double *full_rows(const carom_eval *ev, int n_row, int nu)
{
    double *full = calloc((size_t)(n_row * nu), sizeof *full);
    for (int r = 0; r < n_row; r++)
        for (int k = ev->rows.W.start[r]; k < ev->rows.W.start[r + 1]; k++)
            full[r * nu + ev->rows.W.index[k]] = ev->rows.W.value[k];
    return full;
}

// two points, so that rates and directions differ
static void open_bench(bench *b, const char *n)
{
    static const unsigned mask = MASK;
    carom_error error = {0};
    carom_modelfile *file = file_from_text(chain);
    must(carom_builder_set(carom_modelfile_builder(file), text_of("n"), text_of(n), &error),
         &error);
    b->model = finish_file(file);
    b->size = carom_model_sizes(b->model);
    const int nu = b->size.nu;
    must(carom_plan_new(b->model, &mask, 1, &b->plan, &error), &error);
    b->rate = carom_plan_eval(b->plan);
    b->push = carom_plan_eval(b->plan);
    carom_point at = {
        .t = 0.4, .q = carom_model_start_q(b->model), .u = carom_model_start_u(b->model)};
    must(carom_model_eval(b->plan, &at, MASK, b->rate, &error), &error);
    double *q = calloc((size_t)nu, sizeof *q);
    for (int i = 0; i < nu; i++) q[i] = at.q[i] + 0.1 * cos(i);
    at.q = q;
    must(carom_model_eval(b->plan, &at, MASK, b->push, &error), &error);
    free(q);
    // a solver that wants G, not its factors
    must(carom_contacts_new(b->model, "nsgs", NULL, 0, &b->contacts, &error), &error);
    b->is_active = calloc((size_t)b->size.n_contact, 1);
    for (int c = 0; c < b->size.n_contact; c++) b->is_active[c] = c % 5 != 3;
    b->u_free = calloc((size_t)nu, sizeof *b->u_free);
    for (int i = 0; i < nu; i++) b->u_free[i] = sin(2 * i);
    b->full_rate = full_rows(b->rate, b->size.n_row, nu);
    b->full_push = full_rows(b->push, b->size.n_row, nu);
}

static void close_bench(bench *b)
{
    carom_contacts_free(b->contacts);
    carom_plan_free(b->plan);
    carom_model_free(b->model);
    free(b->is_active);
    free(b->u_free);
    free(b->full_rate);
    free(b->full_push);
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static double entry_of_G(const carom_matrix *G, int i, int j)
{
    if (G->dense) return G->dense[j * G->n + i];
    for (int k = G->start[i]; k < G->start[i + 1]; k++)
        if (G->index[k] == j) return G->value[k];
    return 0;
}

static void sorted_with_diagonal(const carom_matrix *G)
{
    for (int i = 0; i < G->n; i++) {
        bool has_diagonal = false;
        for (int k = G->start[i]; k < G->start[i + 1]; k++) {
            has_diagonal |= G->index[k] == i;
            assert_true(k == G->start[i] || G->index[k - 1] < G->index[k]);
        }
        assert_true(has_diagonal);
    }
}

static void compare_with_full_matrices(const char *n, bool is_sparse)
{
    bench b;
    carom_error error = {0};
    open_bench(&b, n);
    const int nu = b.size.nu;
    const double *u_minus = carom_model_start_u(b.model);
    const carom_contact_terms terms = {.rate = b.rate,
                                       .push = b.push,
                                       .mass = b.push,
                                       .u_minus = u_minus,
                                       .is_active = b.is_active};
    const carom_contact_terms chosen = {.is_active = b.is_active};
    carom_contacts_choose(b.contacts, &chosen, NULL, true);
    carom_contacts_rates(b.contacts, &terms, b.u_free);
    must(carom_contacts_build(b.contacts, &terms, &error), &error);
    const carom_problem *p = &b.contacts->problem;
    assert_int_equal(p->G.dense == NULL, is_sparse);
    assert_int_equal(p->n_row > CAROM_PROBLEM_DENSE, is_sparse);
    if (is_sparse) sorted_with_diagonal(&p->G);
    double *x = calloc((size_t)nu, sizeof *x);
    for (int j = 0; j < p->n_row; j++) {
        memcpy(x, b.full_push + b.contacts->row[j] * nu, sizeof(double) * (size_t)nu);
        carom_mass_solve(b.push->mass, x);
        for (int i = 0; i < p->n_row; i++)
            near("G", entry_of_G(&p->G, i, j), dot(b.full_rate + b.contacts->row[i] * nu, x, nu),
                 1e-12);
    }
    for (int k = 0; k < p->n_block; k++)
        for (int d = 0; d < p->block[k].dim; d++) {
            const int i = p->block[k].first + d, r = b.contacts->row[i];
            const double e = p->block[k].is_bilateral ? 0 : d == 0 ? 0.3 : 0.15;
            const double *W = b.full_rate + r * nu;
            const double free_rate = dot(W, b.u_free, nu) + b.rate->rows.w0[r],
                         before = dot(W, u_minus, nu) + b.rate->rows.w0[r];
            near("b", p->b[i], free_rate + e * before, 1e-12 * (1 + fabs(free_rate)));
        }
    free(x);
    close_bench(&b);
}

static void few_rows_are_built_densely(void **state)
{
    (void)state;
    compare_with_full_matrices("6", false);
}

static void many_rows_are_built_sparsely_with_the_same_entries(void **state)
{
    (void)state;
    compare_with_full_matrices("40", true);
}

// the sparse G of a chain has a few entries in each row, whatever n is
static void the_sparse_matrix_stays_sparse(void **state)
{
    (void)state;
    bench b;
    carom_error error = {0};
    open_bench(&b, "200");
    const carom_contact_terms terms = {
        .rate = b.rate, .u_minus = carom_model_start_u(b.model), .is_active = b.is_active};
    const carom_contact_terms chosen = {.is_active = b.is_active};
    carom_contacts_choose(b.contacts, &chosen, NULL, true);
    carom_contacts_rates(b.contacts, &terms, b.u_free);
    must(carom_contacts_build(b.contacts, &terms, &error), &error);
    const carom_problem *p = &b.contacts->problem;
    assert_null(p->G.dense);
    // a row touches 2 coordinates in at most 2 groups of 3, which at most 2 * 4 contacts of 2 rows
    // share, plus one constraint
    assert_true(p->G.start[p->n_row] <= 17 * p->n_row);
    close_bench(&b);
}

// q moves to the nearest point, in the metric of the mass, where no gap is negative: a ball of mass
// 1 and one of mass 3
static void a_correction_moves_by_the_inverse_masses(void **state)
{
    (void)state;
    static const unsigned mask = MASK;
    carom_error error = {0};
    carom_model *model =
        model_from_text("carom: 1\n"
                        "coordinates: {a: {start: 0}, b: {start: 0.6}, c: {start: 5}}\n"
                        "kinetic: (der(a)^2 + 3*der(b)^2 + der(c)^2)/2\n"
                        "contacts:\n"
                        "  - {name: pair, gap: b - a - 1, slip: a, friction: 0.5}\n"
                        "  - {name: far, gap: c - b - 1}\n");
    carom_plan *plan;
    must(carom_plan_new(model, &mask, 1, &plan, &error), &error);
    carom_step s = {
        .model = model, .size = carom_model_sizes(model), .plan = plan, .error = &error};
    s.report.is_converged = true;
    must(carom_contacts_new(model, NULL, NULL, 0, &s.contacts, &error), &error);
    carom_eval *ev = carom_plan_eval(plan);
    double q[3] = {0, 0.6, 5}, l[3] = {0}, offset[3];
    const carom_point at = {.q = q, .u = carom_model_start_u(model)};
    must(carom_model_eval(plan, &at, mask, ev, &error), &error);
    const unsigned char is_active[] = {1, 1};
    const carom_contact_terms terms = {.rate = ev, .is_active = is_active};
    offset[0] = ev->gaps.value[0];
    offset[1] = 99; // the tangent takes no part
    offset[2] = ev->gaps.value[1];
    must(carom_dynamics_correct(&s, &terms, offset, l, q), &error);
    assert_true(s.report.is_converged);
    near("light ball", q[0], -0.3, 1e-15);
    near("heavy ball", q[1], 0.7, 1e-15);
    near("far ball", q[2], 5, 0);
    near("normal", l[0], 0.3, 1e-15);
    near("tangent", l[1], 0, 0);
    near("far", l[2], 0, 0);
    carom_contacts_free(s.contacts);
    carom_plan_free(plan);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_rows_are_built_densely),
        cmocka_unit_test(many_rows_are_built_sparsely_with_the_same_entries),
        cmocka_unit_test(the_sparse_matrix_stays_sparse),
        cmocka_unit_test(a_correction_moves_by_the_inverse_masses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
