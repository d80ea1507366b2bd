// SPDX-License-Identifier: Apache-2.0
// Every derivative that a model gives, against central differences D(h) at random states.
//
// The error of D(h/2) is a third of |D(h) - D(h/2)| plus rounding of about eps |value| / h; both
// are known, so the tolerance needs no guess. That it is also small is checked.
#include "model/model_rig.h"
#include "model/model_texts.h"
#include "model/rotation_models.h"
#include "model/space_texts.h"
#include "samples.h"

enum {
    VALUES = CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS | CAROM_MOMENTUM | CAROM_ENERGY |
             CAROM_POWER | CAROM_RECORD,
    ALL = VALUES | CAROM_CURVATURE | CAROM_D_FORCES | CAROM_D_MASS | CAROM_D_ROWS |
          CAROM_ACCELERATION | CAROM_GAP_RATES,
    MOST = 64,
    N_STATE = SAMPLES(4)
};
static const unsigned masks[] = {VALUES, ALL};

// one model, one random state
typedef struct bench {
    const char *name;
    carom_model *model;
    carom_sizes size;
    carom_plan *plan;
    carom_eval *exact, *near;
    bool is_joined;
    double t, q[MOST], u[MOST], a[MOST], P[MOST];
} bench;

static carom_point point_of(const bench *b)
{
    return (carom_point){.t = b->t, .q = b->q, .u = b->u, .a = b->a, .P = b->P};
}

static void open_bench(bench *b, const char *name, carom_model *model)
{
    carom_error error = {0};
    memset(b, 0, sizeof *b);
    b->name = name;
    b->model = model;
    b->size = carom_model_sizes(model);
    assert_true(b->size.nu <= MOST && b->size.n_row <= MOST);
    must(carom_plan_new(model, masks, 2, &b->plan, &error), &error);
    b->exact = carom_plan_eval(b->plan);
    b->near = carom_plan_eval(b->plan);
    assert_non_null(b->near);
}

static void close_bench(bench *b)
{
    carom_plan_free(b->plan);
    carom_model_free(b->model);
}

static void run_there(bench *b)
{
    carom_error error = {0};
    carom_sim *sim;
    carom_sim_options options = carom_sim_default();
    options.scheme = "event_driven";
    options.tolerance = 1e-9;
    options.end = b->t;
    must(carom_sim_new(b->model, &options, &sim, &error), &error);
    run_to_end(sim);
    memcpy(b->q, carom_sim_state(sim)->q, sizeof(double) * (size_t)b->size.nq);
    carom_sim_free(sim);
}

// a state near the start; joined: one that the start moves to, so that joints are closed
static void choose_state(bench *b, uint64_t *seed)
{
    const double *u0 = carom_model_start_u(b->model);
    b->t = 0.7 + 0.5 * random_number(seed);
    double move[MOST];
    for (int i = 0; i < b->size.nu; i++) {
        move[i] = 0.3 * random_number(seed);
        b->u[i] = u0[i] + random_number(seed);
        b->a[i] = random_number(seed);
    }
    if (b->is_joined)
        run_there(b);
    else
        carom_model_move(b->model, carom_model_start_q(b->model), move, 1, b->q);
    for (int r = 0; r < b->size.n_row; r++) b->P[r] = random_number(seed);
    carom_error error = {0};
    const carom_point at = point_of(b);
    must(carom_model_eval(b->plan, &at, ALL, b->exact, &error), &error);
}

// what is differentiated
typedef int picker(const bench *b, double *value);

static int pick_f(const bench *b, double *value)
{
    memcpy(value, b->near->f, sizeof(double) * (size_t)b->size.nu);
    return b->size.nu;
}

static int pick_p(const bench *b, double *value)
{
    memcpy(value, b->near->momentum.p, sizeof(double) * (size_t)b->size.nu);
    return b->size.nu;
}

static int pick_T_q(const bench *b, double *value)
{
    memcpy(value, b->near->momentum.T_q, sizeof(double) * (size_t)b->size.nu);
    return b->size.nu;
}

static int pick_plain(const bench *b, double *value)
{
    memcpy(value, b->near->momentum.f_plain, sizeof(double) * (size_t)b->size.nu);
    return b->size.nu;
}

static int pick_Ma(const bench *b, double *value)
{
    carom_mass_times(b->near->mass, b->a, value);
    return b->size.nu;
}

static int pick_WP(const bench *b, double *value)
{
    memset(value, 0, sizeof(double) * (size_t)b->size.nu);
    carom_dynamics_push(b->near, b->P, value);
    return b->size.nu;
}

static int pick_gamma(const bench *b, double *value)
{
    carom_dynamics_rates(b->near, b->u, value);
    return b->size.n_row;
}

static int pick_displacements(const bench *b, double *value)
{
    memcpy(value, b->near->gaps.constraint, sizeof(double) * (size_t)b->size.n_constraint);
    const int n = b->size.n_contact - b->size.n_disc; // a disc has no gap
    memcpy(value + b->size.n_constraint, b->near->gaps.value, sizeof(double) * (size_t)n);
    return b->size.n_constraint + n;
}

static int pick_records(const bench *b, double *value)
{
    memcpy(value, b->near->record, sizeof(double) * (size_t)b->size.n_record);
    return b->size.n_record;
}

static int pick_energy(const bench *b, double *value)
{
    value[0] = b->near->energy.kinetic + b->near->energy.potential - b->near->energy.rheonomic;
    return 1;
}

static int pick_kinetic(const bench *b, double *value)
{
    value[0] = b->near->energy.kinetic;
    return 1;
}

static int pick_potential(const bench *b, double *value)
{
    value[0] = b->near->energy.potential;
    return 1;
}

// a path through the state: t + s dt, q (+) (s dq + s^2/2 ddq), u + s du
typedef struct path {
    double dt;
    const double *dq, *ddq, *du; // NULL = 0
} path;

static int value_on(bench *b, picker *pick, const path *along, double s, double *value)
{
    bench there = *b;
    carom_error error = {0};
    there.t += s * along->dt;
    double move[MOST] = {0};
    for (int i = 0; i < b->size.nu; i++) {
        if (along->dq) move[i] += s * along->dq[i];
        if (along->ddq) move[i] += 0.5 * s * s * along->ddq[i];
        if (along->du) there.u[i] += s * along->du[i];
    }
    carom_model_move(b->model, b->q, move, 1, there.q);
    const carom_point at = point_of(&there);
    must(carom_model_eval(b->plan, &at, VALUES, b->near, &error), &error);
    return pick(&there, value);
}

// derivative along a path and its error bound, by D(h) and D(h/2)
static int differentiate(bench *b, picker *pick, const path *along, double *value, double *bound)
{
    // no coordinate moves by more than 2e-4
    const double h = 2e-4 / fmax(1, along->dq ? largest_of(along->dq, b->size.nu) : 0);
    double v[4][MOST];
    int n = 0;
    static const double side[] = {1, -1, 0.5, -0.5};
    for (int k = 0; k < 4; k++) n = value_on(b, pick, along, side[k] * h, v[k]);
    double size = 0;
    for (int k = 0; k < 4; k++) size = fmax(size, largest_of(v[k], n));
    for (int i = 0; i < n; i++) {
        const double coarse = (v[0][i] - v[1][i]) / (2 * h);
        value[i] = (v[2][i] - v[3][i]) / h;
        // intermediate results may be ten times the values
        bound[i] = fabs(coarse - value[i]) + 10 * 2.2e-16 * fmax(size, 1e-3) / h;
    }
    return n;
}

static void compare(const bench *b, const char *what, double exact, double value, double bound,
                    double scale)
{
    // the bound must be able to tell a wrong derivative from a right one
    if (!(bound <= 1e-4 * (1 + scale)))
        fail_msg("%s, %s: the bound %g says nothing", b->name, what, bound);
    if (!(fabs(exact - value) <= bound))
        fail_msg("%s, %s: %.12g is not %.12g, allowed %.3g", b->name, what, exact, value, bound);
}

static void check_matrix(bench *b, const char *what, const carom_sparse *matrix, picker *pick,
                         bool by_u)
{
    double direction[MOST] = {0}, value[MOST], bound[MOST];
    const double scale = largest_of(matrix->value, matrix->start[matrix->n_row]);
    for (int j = 0; j < b->size.nu; j++) {
        direction[j] = 1;
        const path along = {0, by_u ? NULL : direction, NULL, by_u ? direction : NULL};
        const int n = differentiate(b, pick, &along, value, bound);
        assert_int_equal(n, matrix->n_row);
        for (int i = 0; i < n; i++)
            compare(b, what, sparse_entry(matrix, i, j), value[i], bound[i], scale);
        direction[j] = 0;
    }
}

static void check_derivatives(bench *b)
{
    const carom_eval *ev = b->exact;
    check_matrix(b, "df_dq", &ev->derivatives.df_dq, pick_f, false);
    check_matrix(b, "df_du", &ev->derivatives.df_du, pick_f, true);
    check_matrix(b, "dMa_dq", &ev->derivatives.dMa_dq, pick_Ma, false);
    check_matrix(b, "dWP_dq", &ev->derivatives.dWP_dq, pick_WP, false);
    check_matrix(b, "dgamma_dq", &ev->derivatives.dgamma_dq, pick_gamma, false);
    check_matrix(b, "dp_dq", &ev->momentum.dp_dq, pick_p, false);
    check_matrix(b, "dTq_dq", &ev->momentum.dTq_dq, pick_T_q, false);
    check_matrix(b, "dTq_du", &ev->momentum.dTq_du, pick_T_q, true);
    check_matrix(b, "dplain_dq", &ev->momentum.dplain_dq, pick_plain, false);
    check_matrix(b, "dplain_du", &ev->momentum.dplain_du, pick_plain, true);
}

// W, w0 of gaps and constraints, and dp/du = M
static void check_rows(bench *b)
{
    const carom_eval *ev = b->exact;
    double direction[MOST] = {0}, value[MOST], bound[MOST];
    for (int j = 0; j <= b->size.nu; j++) {
        const path along = {j == b->size.nu, direction, NULL, NULL};
        if (j < b->size.nu) direction[j] = 1;
        const int n = differentiate(b, pick_displacements, &along, value, bound);
        for (int i = 0; i < n; i++) {
            const int c = i - b->size.n_constraint,
                      r = c < 0 ? i : carom_model_contact(b->model, c)->row;
            const double exact = j < b->size.nu ? sparse_entry(&ev->rows.W, r, j) : ev->rows.w0[r];
            compare(b, j < b->size.nu ? "W" : "w0", exact, value[i], bound[i], 1);
        }
        if (j < b->size.nu) direction[j] = 0;
    }
    for (int j = 0; j < b->size.nu; j++) {
        direction[j] = 1;
        const path along = {0, NULL, NULL, direction};
        const int n = differentiate(b, pick_p, &along, value, bound);
        for (int i = 0; i < n; i++)
            compare(b, "M", carom_mass_entry(ev->mass, i, j), value[i], bound[i], 1);
        direction[j] = 0;
    }
}

// the way of each slip, then the limit, are records, disc by disc: W and w0 of slips are the
// derivatives of their ways, and the limit is what its text says
static void check_discs(bench *b)
{
    const carom_eval *ev = b->exact;
    double direction[MOST] = {0}, value[MOST], bound[MOST];
    for (int j = 0; j <= b->size.nu; j++) {
        const path along = {j == b->size.nu, direction, NULL, NULL};
        if (j < b->size.nu) direction[j] = 1;
        differentiate(b, pick_records, &along, value, bound);
        int i = 0;
        for (int c = b->size.n_contact - b->size.n_disc; c < b->size.n_contact; c++, i++) {
            const carom_contact_facts *disc = carom_model_contact(b->model, c);
            for (int r = disc->row + 1; r <= disc->row + disc->n_slip; r++, i++) {
                const double exact =
                    j < b->size.nu ? sparse_entry(&ev->rows.W, r, j) : ev->rows.w0[r];
                compare(b, j < b->size.nu ? "W of a slip" : "w0 of a slip", exact, value[i],
                        bound[i], 1);
            }
            near("limit", ev->rows.limit[c], ev->record[i], 1e-14 * (1 + fabs(ev->record[i])));
        }
        assert_int_equal(i, b->size.n_record);
        if (j < b->size.nu) direction[j] = 0;
    }
}

// d/dt of the rates along the motion without acceleration
static void check_curvature(bench *b)
{
    double value[MOST], bound[MOST];
    const path along = {1, b->u, NULL, NULL};
    const int n = differentiate(b, pick_gamma, &along, value, bound);
    const double scale = largest_of(b->exact->rows.curvature, n);
    for (int i = 0; i < n; i++)
        compare(b, "curvature", b->exact->rows.curvature[i], value[i], bound[i], scale);
}

// (w x p)_i where velocity i belongs to a spin, else 0
static double turning(const bench *b, int i)
{
    const double *p = b->exact->momentum.p, *w = b->u;
    const char *name = carom_model_velocity_name(b->model, i), *end = strrchr(name, '.');
    if (!end || end[1] != 'w' || end[3]) return 0;
    const int k = end[2] - 'x', u = i - k, j = u + (k + 1) % 3, l = u + (k + 2) % 3;
    return w[j] * p[l] - w[l] * p[j];
}

// f = Q - V_q + T_q - dp/dt, with V_q and T_q from the energies (T_q with the turning of spins'
// momenta), and Q.u = power - V_t + T_t
static void check_lagrange(bench *b)
{
    const int n = b->size.nu;
    double unit[MOST] = {0}, V_q[1], T_q[1], V_t[1], T_t[1], pdot[MOST], bound[5][MOST], Qu = 0,
           allowed = 0;
    const path motion = {1, b->u, NULL, NULL}, time = {1, NULL, NULL, NULL};
    differentiate(b, pick_p, &motion, pdot, bound[0]);
    const double scale = largest_of(b->exact->f, n);
    for (int i = 0; i < n; i++) {
        unit[i] = 1;
        const path along = {0, unit, NULL, NULL};
        differentiate(b, pick_potential, &along, V_q, bound[1]);
        differentiate(b, pick_kinetic, &along, T_q, bound[2]);
        unit[i] = 0;
        T_q[0] -= turning(b, i);
        compare(b, "T_q", b->exact->momentum.T_q[i], T_q[0], bound[2][0], fabs(T_q[0]));
        const double Q = b->exact->momentum.f_plain[i] + V_q[0];
        compare(b, "f", b->exact->f[i], Q - V_q[0] + T_q[0] - pdot[i],
                bound[0][i] + bound[1][0] + bound[2][0], scale);
        Qu += Q * b->u[i];
        allowed += bound[1][0] * fabs(b->u[i]);
    }
    differentiate(b, pick_potential, &time, V_t, bound[3]);
    differentiate(b, pick_kinetic, &time, T_t, bound[4]);
    compare(b, "power", b->exact->energy.power, Qu + V_t[0] - T_t[0],
            allowed + bound[3][0] + bound[4][0] + 1e-12, scale + 100);
}

// p = dT/du
static void check_momentum(bench *b)
{
    double unit[MOST] = {0}, value[1], bound[1];
    for (int i = 0; i < b->size.nu; i++) {
        unit[i] = 1;
        const path along = {0, NULL, NULL, unit};
        differentiate(b, pick_kinetic, &along, value, bound);
        compare(b, "p", b->exact->momentum.p[i], value[0], bound[0], fabs(value[0]));
        unit[i] = 0;
    }
}

// d/dt(T + V - rheonomic) = power along the true acceleration
static void check_balance(bench *b)
{
    double a[MOST], value[1], bound[1];
    memcpy(a, b->exact->f, sizeof(double) * (size_t)b->size.nu);
    carom_mass_solve(b->exact->mass, a);
    const path motion = {1, b->u, a, a};
    differentiate(b, pick_energy, &motion, value, bound);
    const double flow = fabs(b->exact->energy.power) +
                        largest_of(b->exact->f, b->size.nu) * largest_of(b->u, b->size.nu);
    compare(b, "energy balance", b->exact->energy.power, value[0], bound[0], flow);
}

static bool is_spin(const bench *b, int i)
{
    const char *end = strrchr(carom_model_velocity_name(b->model, i), '.');
    return end && end[1] == 'w' && !end[3];
}

// turns do not commute: D_j D_i - D_i D_j = D_(e_j x e_i), so dWP_dq of constraints and gaps is not
// symmetric in the spins of a body, by W'P of the third one
static void check_order_of_turns(bench *b)
{
    carom_error error = {0};
    double WP[MOST] = {0}, kept[MOST];
    memcpy(kept, b->P, sizeof kept);
    for (int c = 0; c < b->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_model_contact(b->model, c);
        for (int k = 1; k <= facts->n_slip; k++) b->P[facts->row + k] = 0;
    }
    const carom_point at = point_of(b);
    must(carom_model_eval(b->plan, &at, ALL, b->exact, &error), &error);
    carom_dynamics_push(b->exact, b->P, WP);
    const carom_sparse *D = &b->exact->derivatives.dWP_dq;
    for (int i = 0; i + 2 < b->size.nu; i++) {
        if (!is_spin(b, i)) continue;
        for (int k = 0; k < 3; k++) { // e_y x e_x = -e_z, ...
            const int x = i + k, y = i + (k + 1) % 3, z = i + (k + 2) % 3;
            near("order of turns", sparse_entry(D, x, y) - sparse_entry(D, y, x), -WP[z],
                 1e-12 * (1 + largest_of(WP, b->size.nu)));
        }
        i += 2;
    }
    memcpy(b->P, kept, sizeof kept);
    must(carom_model_eval(b->plan, &at, ALL, b->exact, &error), &error);
}

// M a = f, and gap rates are those of the rows, to rounding
static void check_solved(const bench *b)
{
    const carom_eval *ev = b->exact;
    double Ma[MOST];
    carom_mass_times(ev->mass, ev->acceleration, Ma);
    for (int i = 0; i < b->size.nu; i++) {
        double size = fabs(ev->f[i]);
        for (int j = 0; j < b->size.nu; j++)
            size += fabs(carom_mass_entry(ev->mass, i, j) * ev->acceleration[j]);
        if (!(fabs(Ma[i] - ev->f[i]) <= 1e-12 * size))
            fail_msg("%s: M a = %.17g is not f = %.17g", b->name, Ma[i], ev->f[i]);
    }
    for (int c = 0; c < b->size.n_contact; c++) {
        const int r = carom_model_contact(b->model, c)->row;
        double rate = ev->rows.w0[r], size = fabs(rate);
        for (int k = ev->rows.W.start[r]; k < ev->rows.W.start[r + 1]; k++) {
            rate += ev->rows.W.value[k] * b->u[ev->rows.W.index[k]];
            size += fabs(ev->rows.W.value[k] * b->u[ev->rows.W.index[k]]);
        }
        if (!(fabs(rate - ev->gaps.rate[c]) <= 1e-14 * size))
            fail_msg("%s: gap rate %.17g is not %.17g", b->name, ev->gaps.rate[c], rate);
    }
}

static void check_model_at(const char *name, carom_model *model, bool is_joined)
{
    bench b;
    uint64_t seed = 20260101;
    open_bench(&b, name, model);
    b.is_joined = is_joined;
    for (int k = 0; k < N_STATE; k++) {
        choose_state(&b, &seed);
        check_derivatives(&b);
        check_rows(&b);
        if (b.size.n_disc > 0) check_discs(&b);
        check_curvature(&b);
        check_momentum(&b);
        check_lagrange(&b);
        check_balance(&b);
        check_solved(&b);
        // angles that count turns know their rate only, where joints are closed
        if (!is_joined) check_order_of_turns(&b);
    }
    close_bench(&b);
}

static void check_model(const char *name, carom_model *model)
{
    check_model_at(name, model, false);
}

static void shipped_models_have_exact_derivatives(void **state)
{
    (void)state;
    for (int i = 0; i < N_SHIPPED; i++)
        check_model(shipped_models[i], shipped_model(shipped_models[i], NULL, NULL));
}

static void rheonomic_and_other_models_have_exact_derivatives(void **state)
{
    (void)state;
    for (int i = 0; i < N_BUILT; i++)
        check_model(built_models[i]->name, model_from_text(built_models[i]->text));
}

static void models_with_rotations_have_exact_derivatives(void **state)
{
    (void)state;
    check_model("mixed rotations", mixed_model());
}

static void bodies_in_space_have_exact_derivatives(void **state)
{
    (void)state;
    for (int i = 0; i < N_SPACE; i++)
        check_model(space_models[i]->name, model_from_text(space_models[i]->text));
    // the angle of a joint that is open is not that of its row
    check_model_at(space_turns.name, model_from_text(space_turns.text), true);
}

static void dry_friction_has_exact_slips_and_limits(void **state)
{
    (void)state;
    check_model(rubbing.name, model_from_text(rubbing.text));
    check_model(space_rubbing.name, model_from_text(space_rubbing.text));
}

// Q = F_x dx/dq + F_y dy/dq by hand
static void a_force_at_a_point_acts_by_virtual_power(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model = model_from_text("carom: 1\n"
                                         "coordinates:\n"
                                         "  r: {start: 2, rate: 0.5}\n"
                                         "  a: {start: 0.3, rate: -1}\n"
                                         "kinetic: (der(r)^2 + r^2*der(a)^2)/2\n"
                                         "forces:\n"
                                         "  - at: [r*cos(a), r*sin(a)]\n"
                                         "    force: [3, -4]\n");
    static const unsigned mask = CAROM_FORCES | CAROM_POWER;
    carom_plan *plan;
    must(carom_plan_new(model, &mask, 1, &plan, &error), &error);
    carom_eval *ev = carom_plan_eval(plan);
    const carom_point at = {
        .t = 0, .q = carom_model_start_q(model), .u = carom_model_start_u(model)};
    must(carom_model_eval(plan, &at, mask, ev, &error), &error);
    const double radial = 3 * cos(0.3) - 4 * sin(0.3), around = 2 * (-3 * sin(0.3) - 4 * cos(0.3));
    near("radial force", ev->f[0], radial + 2, 1e-14 * 8);     // with the centrifugal force r a'^2
    near("moment", ev->f[1], around + 2 * 2 * 0.5, 1e-14 * 8); // with the Coriolis term -2 r r' a'
    near("power", ev->energy.power, 0.5 * radial - around, 1e-14 * 8);
    carom_plan_free(plan);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_models_have_exact_derivatives),
        cmocka_unit_test(rheonomic_and_other_models_have_exact_derivatives),
        cmocka_unit_test(models_with_rotations_have_exact_derivatives),
        cmocka_unit_test(bodies_in_space_have_exact_derivatives),
        cmocka_unit_test(dry_friction_has_exact_slips_and_limits),
        cmocka_unit_test(a_force_at_a_point_acts_by_virtual_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
