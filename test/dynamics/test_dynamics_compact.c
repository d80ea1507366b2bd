// SPDX-License-Identifier: Apache-2.0
// Contact problems of systems with few coordinates, for every number of them, against products of
// full matrices: G, b, the velocity after, rates and losses. What needs no problem is not built.
#include "model/model_rig.h"

#include "contact/solver.h"
#include "dynamics/assembly.h"

#include "carom/contact_file.h"

#include <unistd.h>

enum { MASK = CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS, MOST = 8, MOST_ROWS = 8 };

// contact 1 pushes along all coordinates, 2 along the first alone, 3 along the last alone and
// without friction; the masses are coupled
static const char *const tie = "constraints:\n"
                               "  - name: tie\n"
                               "    equation: x[1]*(3 + x[n]) + sin(t)*t\n";

static const char *const bodies =
    "carom: 1\n"
    "parameters: {n: 3, mu: 0.3}\n"
    "coordinates:\n"
    "  x[i]:\n"
    "    for: {i: 1..n}\n"
    "    start: 0.3*(i - 1) + 0.1*sin(i - 1)\n"
    "    rate: -sin(2*i - 2)\n"
    "kinetic:\n"
    "  - term: (2 + 0.1*sin(x[i]))/2*der(x[i])^2\n"
    "    for: {i: 1..n}\n"
    "  - term: 0.3*der(x[i])*der(x[i-1])*cos(x[i])\n"
    "    for: {i: 2..n}\n"
    "contacts:\n"
    "  - name: all\n"
    "    gap: sum(i, 1, n, x[i]*(1 + 0.2*i*x[i])) - 0.3*sin(t)\n"
    "    slip: sum(i, 1, n, i*x[i]^2) + 2*t\n"
    "    restitution: 0.3\n"
    "    tangential_restitution: 0.2\n"
    "    friction: mu\n"
    "  - {name: first, gap: \"x[1]^3 - t\", slip: \"x[1]\", friction: mu}\n"
    "  - {name: smooth, gap: \"x[n]*(1 + 0.1*x[n])\", restitution: 0.5}\n";

typedef struct rig {
    carom_model *model;
    carom_step s;
    carom_eval *ev[2];
    carom_linear *metric;
    double rate_before[MOST_ROWS], rate_after[MOST_ROWS];
    carom_error error;
} rig;

static void open_rig(rig *r, const char *text, const char *n)
{
    static const unsigned mask = MASK;
    carom_error *error = &r->error;
    *r = (rig){0};
    carom_modelfile *file = file_from_text(text);
    if (n)
        must(carom_builder_set(carom_modelfile_builder(file), text_of("n"), text_of(n), error),
             error);
    r->model = finish_file(file);
    r->s = (carom_step){.model = r->model, .size = carom_model_sizes(r->model), .error = error};
    const int nu = r->s.size.nu;
    must(carom_plan_new(r->model, &mask, 1, &r->s.plan, error), error);
    must(carom_contacts_new(r->model, NULL, NULL, 0, &r->s.contacts, error), error);
    r->s.report.rate_before = r->rate_before;
    r->s.report.rate_after = r->rate_after;
    r->s.report.is_converged = true;
    double q[MOST];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < nu; i++) q[i] = carom_model_start_q(r->model)[i] + 0.1 * k * cos(i);
        const carom_point at = {.t = 0.4 + k, .q = q, .u = carom_model_start_u(r->model)};
        r->ev[k] = carom_plan_eval(r->s.plan);
        must(carom_model_eval(r->s.plan, &at, MASK, r->ev[k], error), error);
    }
    must(carom_linear_new(nu, nu * nu, &r->metric, error), error);
    for (int i = 0; i < nu; i++)
        for (int j = 0; j < nu; j++)
            carom_linear_add_entry(r->metric, i, j, i == j ? 3 : 0.2 * sin(i + 2 * j));
    must(carom_linear_factor(r->metric, error), error);
}

static void close_rig(rig *r)
{
    carom_linear_free(r->metric);
    carom_contacts_free(r->s.contacts);
    carom_plan_free(r->s.plan);
    carom_model_free(r->model);
}

static double row_times(const carom_eval *ev, int r, const double *x)
{
    double sum = 0;
    for (int k = ev->rows.W.start[r]; k < ev->rows.W.start[r + 1]; k++)
        sum += ev->rows.W.value[k] * x[ev->rows.W.index[k]];
    return sum;
}

// x = A^-1 w for row r of push, with whatever the terms say A is
static void push_by_row(const carom_contact_terms *terms, int r, double *x, int nu)
{
    const carom_eval *push = terms->push ? terms->push : terms->rate;
    memset(x, 0, sizeof *x * (size_t)nu);
    for (int k = push->rows.W.start[r]; k < push->rows.W.start[r + 1]; k++)
        x[push->rows.W.index[k]] += push->rows.W.value[k];
    if (terms->metric)
        carom_linear_solve(terms->metric, x);
    else if (!terms->is_identity)
        carom_mass_solve((terms->mass ? terms->mass : terms->rate)->mass, x);
}

static double restitution_of(const rig *r, const carom_block *block, int d,
                             const carom_contact_terms *terms)
{
    if (block->is_bilateral || terms->without_restitution) return 0;
    const carom_contact_facts *facts = carom_model_contact(r->model, block->id);
    return d == 0 ? facts->e : facts->e_t;
}

static double rate_before(const carom_contact_terms *terms, int r)
{
    return terms->gamma_minus ? terms->gamma_minus[r]
                              : row_times(terms->rate, r, terms->u_minus) + terms->rate->rows.w0[r];
}

static void check_problem(const rig *r, const carom_contact_terms *terms, const double *u)
{
    const carom_contacts *c = r->s.contacts;
    const carom_problem *p = &c->problem;
    double x[MOST];
    for (int j = 0; j < p->n_row; j++) {
        push_by_row(terms, c->row[j], x, r->s.size.nu);
        for (int i = 0; i < p->n_row; i++)
            near("G", p->G.dense[j * p->n_row + i], row_times(terms->rate, c->row[i], x), 1e-13);
    }
    for (int k = 0; k < p->n_block; k++)
        for (int d = 0; d < p->block[k].dim; d++) {
            const int i = p->block[k].first + d, row = c->row[i];
            const double e = restitution_of(r, &p->block[k], d, terms);
            near("b", p->b[i],
                 row_times(terms->rate, row, u) + terms->rate->rows.w0[row] +
                     e * rate_before(terms, row),
                 1e-13);
        }
}

static void check_answer(const rig *r, const carom_contact_terms *terms, const double *P,
                         const double *u, const double *u_after)
{
    const carom_contacts *c = r->s.contacts;
    const carom_eval *push = terms->push ? terms->push : terms->rate;
    const int nu = r->s.size.nu;
    double x[MOST], u_wanted[MOST], loss[2] = {0, 0}, work = 0, length = 0;
    memcpy(u_wanted, u, sizeof *u * (size_t)nu);
    for (int k = 0; k < c->problem.n_block; k++) {
        const carom_block *block = &c->problem.block[k];
        for (int d = 0; d < block->dim; d++) {
            const int row = c->row[block->first + d];
            push_by_row(terms, row, x, nu);
            for (int i = 0; i < nu; i++) u_wanted[i] += x[i] * P[row];
            const double after = row_times(terms->rate, row, u_after) + terms->rate->rows.w0[row];
            near("rate before", r->rate_before[row], rate_before(terms, row), 1e-13);
            near("rate after", r->rate_after[row], after, 1e-12);
            work -= P[row] * push->rows.w0[row];
            length += fabs(P[row]);
            if (!block->is_bilateral)
                loss[d > 0] -= 0.5 * P[row] * (after + rate_before(terms, row));
        }
    }
    for (int i = 0; i < nu; i++) near("velocity", u_after[i], u_wanted[i], 1e-13 * (1 + length));
    near("impact loss", r->s.report.impact_loss, loss[0], 1e-12 * (1 + length));
    near("friction loss", r->s.report.friction_loss, loss[1], 1e-12 * (1 + length));
    near("obstacle work", r->s.report.obstacle_work, work, 1e-12 * (1 + length));
}

static void solve_and_check(rig *r, const carom_contact_terms *terms, double fall)
{
    const int nu = r->s.size.nu;
    double P[MOST_ROWS] = {0}, u[MOST], u_after[MOST];
    for (int i = 0; i < nu; i++) u_after[i] = u[i] = fall + 0.3 * sin(3 * i);
    for (int i = 0; i < r->s.size.n_row; i++) P[i] = 0.1; // a guess; 0 again where not active
    r->s.report.impact_loss = r->s.report.friction_loss = r->s.report.obstacle_work = 0;
    must(carom_dynamics_contact(&r->s, terms, P, u_after), &r->error);
    // where nothing closes G is not made
    if (!carom_contact_is_idle(r->s.contacts->solver, &r->s.contacts->problem))
        check_problem(r, terms, u);
    check_answer(r, terms, P, u, u_after);
    for (int k = 0; k < r->s.size.n_contact; k++) {
        const carom_contact_facts *facts = carom_model_contact(r->model, k);
        for (int d = 0; d <= facts->n_slip && !terms->is_active[k]; d++)
            assert_true(P[facts->row + d] == 0);
    }
}

// metric and given rates, in turn
static carom_contact_terms terms_of(const rig *r, int kind, const double *gamma_minus)
{
    carom_contact_terms terms = {.rate = r->ev[0], .u_minus = carom_model_start_u(r->model)};
    if (kind & 1) terms.push = terms.mass = r->ev[1];
    if (kind & 2) terms.gamma_minus = gamma_minus;
    terms.is_identity = kind % 3 == 1;
    terms.metric = kind % 3 == 2 ? r->metric : NULL;
    terms.without_restitution = kind % 5 == 4;
    return terms;
}

static void try_every_kind_of_terms(const char *text)
{
    static const double gamma_minus[MOST_ROWS] = {0, -1, 0.5, -2, 0.25, -3};
    static const char *const size[] = {"1", "2", "3", "4", "5", "6", "7"};
    for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
        rig r;
        open_rig(&r, text, size[k]);
        for (int kind = 0; kind < 30; kind++)
            for (unsigned set = 0; set < 8; set++) {
                const unsigned char is_active[] = {set & 1, set >> 1 & 1, set >> 2 & 1};
                carom_contact_terms terms = terms_of(&r, kind, gamma_minus);
                terms.is_active = is_active;
                solve_and_check(&r, &terms, kind % 2 ? -2 : 1.5);
            }
        close_rig(&r);
    }
}

static void every_number_of_coordinates_and_every_kind_of_terms(void **state)
{
    (void)state;
    char text[2048];
    snprintf(text, sizeof text, "%s%s", bodies, tie);
    try_every_kind_of_terms(bodies);
    try_every_kind_of_terms(text);
}

// on position level contacts may be held; the next problem must not keep that
static void a_held_contact_is_bilateral_in_one_problem_only(void **state)
{
    (void)state;
    rig r;
    char text[2048];
    snprintf(text, sizeof text, "%s%s", bodies, tie);
    open_rig(&r, text, "3");
    const unsigned char is_active[] = {1, 0, 1}, is_held[] = {0, 0, 1};
    carom_contact_terms terms = {
        .rate = r.ev[0], .is_active = is_active, .u_minus = carom_model_start_u(r.model)};
    for (int round = 0; round < 2; round++) {
        double l[MOST_ROWS] = {0}, q[3] = {0}, offset[MOST_ROWS] = {0.1, -0.2, 0, 0, 0, 0.3};
        terms.is_equality = is_held;
        must(carom_dynamics_correct(&r.s, &terms, offset, l, q), &r.error);
        assert_int_equal(r.s.contacts->problem.n_row, 3);
        assert_true(r.s.contacts->problem.block[2].is_bilateral);
        near("tie", offset[0] + row_times(r.ev[0], 0, q), 0, 1e-14);
        near("held", offset[5] + row_times(r.ev[0], 5, q), 0, 1e-14);
        terms.is_equality = NULL;
        must(carom_dynamics_correct(&r.s, &terms, offset, l, q), &r.error);
        assert_false(r.s.contacts->problem.block[2].is_bilateral);
        terms.is_equality = is_held;
        must(carom_dynamics_correct(&r.s, &terms, offset, l, q), &r.error);
        assert_true(r.s.contacts->problem.block[2].is_bilateral);
        solve_and_check(&r, &terms, -2);
        assert_int_equal(r.s.contacts->problem.n_row, 4);
    }
    close_rig(&r);
}

static int unit_mass(void *user, double t, const double *q, double *M)
{
    (void)user, (void)t, (void)q;
    M[0] = M[3] = 1;
    M[1] = M[2] = 0;
    return 0;
}

static int no_force(void *user, double t, const double *q, const double *u, double *f)
{
    (void)user, (void)t, (void)q, (void)u;
    f[0] = f[1] = 0;
    return 0;
}

static int floor_gap(void *user, double t, const double *q, double *constraint, double *gap)
{
    (void)user, (void)t, (void)constraint;
    gap[0] = q[0] + 3 * q[1];
    return 0;
}

static int floor_row(void *user, double t, const double *q, double *W, double *w0)
{
    (void)user, (void)t, (void)q;
    W[0] = 3; // of the second coordinate
    W[1] = 1;
    w0[0] = 0;
    return 0;
}

// a row with every coordinate, but not in order, is not read as one that is
static void entries_of_a_row_may_stand_in_any_order(void **state)
{
    (void)state;
    static const unsigned mask = MASK;
    static const int start[] = {0, 2}, index[] = {1, 0};
    static const double zero[2] = {0, 0};
    static const carom_contact_facts facts = {.name = "floor"};
    const carom_callbacks given = {.n = 2,
                                   .n_contact = 1,
                                   .contact = &facts,
                                   .q0 = zero,
                                   .u0 = zero,
                                   .rows_start = start,
                                   .rows_index = index,
                                   .mass = unit_mass,
                                   .forces = no_force,
                                   .gaps = floor_gap,
                                   .rows = floor_row};
    carom_error error = {0};
    double rate[2], P[1] = {0}, u[2] = {0, -1};
    carom_step s = {.error = &error};
    carom_model *model;
    must(carom_model_from_callbacks(&given, &model, &error), &error);
    s.size = carom_model_sizes(model);
    must(carom_plan_new(model, &mask, 1, &s.plan, &error), &error);
    must(carom_contacts_new(model, NULL, NULL, 0, &s.contacts, &error), &error);
    s.report.rate_before = rate;
    s.report.rate_after = rate + 1;
    carom_eval *ev = carom_plan_eval(s.plan);
    const carom_point at = {.q = zero, .u = zero};
    must(carom_model_eval(s.plan, &at, MASK, ev, &error), &error);
    const unsigned char is_active[] = {1};
    const carom_contact_terms terms = {.rate = ev, .u_minus = u, .is_active = is_active};
    must(carom_dynamics_contact(&s, &terms, P, u), &error);
    near("impulse", P[0], 0.3, 1e-15);
    near("first", u[0], 0.3, 1e-15);
    near("second", u[1], -0.1, 1e-15);
    carom_contacts_free(s.contacts);
    carom_plan_free(s.plan);
    carom_model_free(model);
}

static const char *const ball = "carom: 1\n"
                                "parameters: {mu: 0.3}\n"
                                "coordinates: {x: {start: 0}, y: {start: 0}}\n"
                                "kinetic: (der(x)^2 + der(y)^2)/2\n"
                                "contacts: [{name: floor, gap: y, slip: x, restitution: 0.5, "
                                "friction: mu}]\n";

// the ball already leaves the floor: nothing acts, but the rates are told; with a saver the
// whole problem is made, and seen
static void what_opens_is_left_alone(void **state)
{
    (void)state;
    rig r;
    open_rig(&r, ball, NULL);
    const unsigned char is_active[] = {1};
    const double u_minus[] = {1, -2};
    const carom_contact_terms terms = {.rate = r.ev[0], .u_minus = u_minus, .is_active = is_active};
    char folder[] = "/tmp/carom-save-XXXXXX", path[128];
    carom_contact_saver *saver = NULL;
    assert_non_null(mkdtemp(folder));
    carom_save_choice choice = {.every = 1};
    snprintf(choice.folder, sizeof choice.folder, "%s", folder);
    must(carom_contact_saver_new(&choice, &saver, &r.error), &r.error);
    for (int round = 0; round < 2; round++) {
        double P[2] = {3, 1}, u[2] = {1, 1.5};
        if (round == 1) carom_contact_solver_save(carom_contacts_solver(r.s.contacts), saver);
        must(carom_dynamics_contact(&r.s, &terms, P, u), &r.error);
        assert_true(P[0] == 0 && P[1] == 0 && u[0] == 1 && u[1] == 1.5);
        assert_true(r.rate_before[0] == -2 && r.rate_after[0] == 1.5 && r.rate_after[1] == 1);
        assert_true(r.s.report.is_converged && r.s.report.impact_loss == 0);
        assert_int_equal(carom_contact_saver_seen(saver), round);
    }
    assert_true(r.s.contacts->problem.G.dense[0] == 1 && r.s.contacts->problem.G.dense[3] == 1);
    snprintf(path, sizeof path, "%s/contact-00000001.dat", folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    carom_contact_saver_free(saver);
    close_rig(&r);
}

// problems are not checked one by one: what they are made of is
static void friction_that_is_not_a_number_is_refused_at_the_start(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_contacts *contacts;
    carom_modelfile *file = file_from_text(ball);
    must(carom_builder_set(carom_modelfile_builder(file), text_of("mu"), text_of("1e200"), &error),
         &error);
    carom_model *model = finish_file(file);
    assert_int_equal(carom_contacts_new(model, NULL, NULL, 0, &contacts, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "floor"));
    assert_null(contacts);
    carom_model_free(model);
}

static void a_row_that_is_not_finite_is_named(void **state)
{
    (void)state;
    rig r;
    open_rig(&r, ball, NULL);
    const unsigned char is_active[] = {1};
    const double u_minus[] = {1, NAN};
    const carom_contact_terms terms = {.rate = r.ev[0], .u_minus = u_minus, .is_active = is_active};
    double P[2] = {0}, u[2] = {1, -1};
    assert_int_equal(carom_dynamics_contact(&r.s, &terms, P, u), CAROM_NOT_FINITE);
    assert_non_null(strstr(r.error.message, "contact 'floor'"));
    close_rig(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_coordinates_and_every_kind_of_terms),
        cmocka_unit_test(a_held_contact_is_bilateral_in_one_problem_only),
        cmocka_unit_test(entries_of_a_row_may_stand_in_any_order),
        cmocka_unit_test(what_opens_is_left_alone),
        cmocka_unit_test(friction_that_is_not_a_number_is_refused_at_the_start),
        cmocka_unit_test(a_row_that_is_not_finite_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
