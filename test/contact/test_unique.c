// SPDX-License-Identifier: Apache-2.0
// Contact problems with several answers are found: in corners, wedges and for Painleve's rod, in
// the plane and in space, with joints; those with one answer are not said to have more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/problem/unique.h"
#include "contact/random_problem.h"

#include <math.h>
#include <string.h>

enum { MOST = 12, MOST_FREEDOM = 10 };

// a body with unit mass matrix that moves with u before contact
typedef struct body {
    int n_freedom, n_row, n_block;
    double W[MOST][MOST_FREEDOM], u[MOST_FREEDOM];
    carom_block block[MOST];
    double G[MOST * MOST], b[MOST], P[MOST];
    carom_problem problem;
} body;

// false where the solver finds no answer
static bool fill_and_solve(body *it)
{
    const int n = it->n_row;
    for (int i = 0; i < n; i++) {
        it->b[i] = 0;
        for (int d = 0; d < it->n_freedom; d++) it->b[i] += it->W[i][d] * it->u[d];
        for (int j = 0; j < n; j++) {
            it->G[j * n + i] = 0;
            for (int d = 0; d < it->n_freedom; d++) it->G[j * n + i] += it->W[i][d] * it->W[j][d];
        }
    }
    it->problem = (carom_problem){n, it->n_block, it->block, {.n = n, .dense = it->G}, it->b};
    carom_contact_solver *solver;
    carom_contact_info info;
    memset(it->P, 0, sizeof it->P);
    assert_int_equal(carom_contact_solver_new("auto", NULL, 0, MOST, &solver, NULL), CAROM_OK);
    assert_int_equal(carom_contact_solve(solver, &it->problem, it->P, &info, NULL), CAROM_OK);
    carom_contact_solver_free(solver);
    return info.is_converged;
}

static bool has_other(body *it)
{
    assert_true(fill_and_solve(it));
    return carom_contact_has_other(&it->problem, it->P);
}

// floor and wall; jammed and sliding up are both answers where mu^2 > 1 and the point comes in at
// more than the friction angle
static body corner(double mu, double up)
{
    return (body){.n_freedom = 2,
                  .n_row = 4,
                  .n_block = 2,
                  .W = {{0, 1}, {1, 0}, {1, 0}, {0, 1}},
                  .u = {-1, up},
                  .block = {{.first = 0, .dim = 2, .mu = mu, .id = 0},
                            {.first = 2, .dim = 2, .mu = mu, .id = 1}}};
}

static void a_point_in_a_corner(void **unused)
{
    (void)unused;
    body it = corner(1.2, 1.5);
    assert_true(has_other(&it));
    it = corner(1.2, 1.1); // sticks at the wall: jammed as well
    assert_false(has_other(&it));
    it = corner(0.9, 1.5);
    assert_false(has_other(&it));
    it = corner(1.2, -0.3);
    assert_false(has_other(&it));
}

// pulled out of a wedge of half angle al it comes, or is held where mu > tan(al)
static void a_point_in_a_wedge(void **unused)
{
    (void)unused;
    for (int k = 0; k < 20; k++) {
        const double al = 0.05 + 0.06 * k, c = cos(al), s = sin(al);
        for (int side = 0; side < 2; side++) {
            const double mu = tan(al) * (side ? 1.1 : 0.9);
            body it = {.n_freedom = 2,
                       .n_row = 4,
                       .n_block = 2,
                       .W = {{c, s}, {-s, c}, {-c, s}, {s, c}},
                       .u = {0, 1},
                       .block = {{.first = 0, .dim = 2, .mu = mu, .id = 0},
                                 {.first = 2, .dim = 2, .mu = mu, .id = 1}}};
            if (has_other(&it) != (side == 1)) fail_msg("al %g, mu %g", al, mu);
        }
    }
}

// the tip of a rod of half length 1 at angle th, J = 1/3 (mass matrix to unit by scaling): lifting
// off and being caught are answers where friction beats the normal
static void painleves_rod(void **unused)
{
    (void)unused;
    const double th = atan(2), c = cos(th), s = sin(th), root = sqrt(3);
    for (int side = 0; side < 2; side++) {
        const double mu = side ? 1.5 : 1.2; // critical: 4/3
        body it = {.n_freedom = 3,
                   .n_row = 2,
                   .n_block = 1,
                   .W = {{0, 1, -c * root}, {1, 0, s * root}},
                   .u = {-1, 0.01, 0},
                   .block = {{.first = 0, .dim = 2, .mu = mu, .id = 0}}};
        assert_int_equal(has_other(&it), side == 1);
        it.u[1] = -0.01; // pressed down there is one answer: it is caught
        assert_false(has_other(&it));
    }
}

static void a_corner_in_space_and_one_with_a_joint(void **unused)
{
    (void)unused;
    body it = {.n_freedom = 3,
               .n_row = 6,
               .n_block = 2,
               .W = {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
               .u = {-1, 1.5, 0},
               .block = {{.first = 0, .dim = 3, .mu = 1.2, .id = 0},
                         {.first = 3, .dim = 3, .mu = 1.2, .id = 1}}};
    assert_true(has_other(&it));
    it.block[0].mu = it.block[1].mu = 0.3;
    assert_false(has_other(&it));
    // the third freedom moves with the second through a joint. On the wall 4 N s against 1.6: it
    // slides; jammed by a on the floor: 4 + a <= 1.6 (1 + 1.6 a)
    body joined = {.n_freedom = 3,
                   .n_row = 5,
                   .n_block = 3,
                   .W = {{0, 1, -1}, {0, 1, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                   .u = {-1, 2, 2},
                   .block = {{.first = 0, .dim = 1, .is_bilateral = true, .mu = 0, .id = 0},
                             {.first = 1, .dim = 2, .mu = 1.6, .id = 0},
                             {.first = 3, .dim = 2, .mu = 1.6, .id = 1}}};
    assert_true(has_other(&joined));
    joined.block[1].mu = joined.block[2].mu = 0.4;
    assert_false(has_other(&joined));
}

// The rod's centre moves up and down with another mass 1, through a joint: normals and friction
// meet at G_NN = 1/2 + 3 c^2, G_NT = 3 s c, and the critical friction falls from 4/3 to 11/12.
static void a_joint_changes_the_critical_friction(void **unused)
{
    (void)unused;
    const double th = atan(2), c = cos(th), s = sin(th), root = sqrt(3);
    for (int side = 0; side < 2; side++) {
        const double mu = 11. / 12 * (side ? 1.1 : 0.9);
        body it = {.n_freedom = 4,
                   .n_row = 3,
                   .n_block = 2,
                   .W = {{0, 1, 0, -1}, {0, 1, -c * root, 0}, {1, 0, s * root, 0}},
                   .u = {-1, 0.01, 0, 0.01},
                   .block = {{.first = 0, .dim = 1, .is_bilateral = true, .mu = 0, .id = 0},
                             {.first = 1, .dim = 2, .mu = mu, .id = 0}}};
        assert_int_equal(has_other(&it), side == 1);
        memcpy(it.W[3], it.W[0], sizeof it.W[0]); // the joint is there twice
        it.block[it.n_block++] = (carom_block){.first = it.n_row++, .dim = 1, .is_bilateral = true};
        assert_int_equal(has_other(&it), side == 1);
    }
}

// a rod in space as one more body: its plane is turned by an angle against the directions of slip
static void add_rod(body *it, double angle, double mu)
{
    const double th = atan(2), c = cos(th), s = sin(th), root = sqrt(3);
    const double cosine = cos(angle), sine = sin(angle);
    const double W[3][4] = {{0, 1, -c * root, 0},
                            {cosine, 0, cosine * s * root, sine},
                            {-sine, 0, -sine * s * root, cosine}};
    const double u[4] = {-1, 0.01, 0, 0};
    for (int i = 0; i < 3; i++) memcpy(&it->W[it->n_row + i][it->n_freedom], W[i], sizeof W[i]);
    memcpy(it->u + it->n_freedom, u, sizeof u);
    it->block[it->n_block++] = (carom_block){.first = it->n_row, .dim = 3, .mu = mu};
    it->n_row += 3;
    it->n_freedom += 4;
}

// a contact of another body, in a mode of its own
typedef struct bystander {
    int dim;
    bool is_bilateral;
    double mu, u[3]; // normal first
} bystander;

static void add_bystander(body *it, const bystander *by)
{
    it->block[it->n_block++] = (carom_block){.first = it->n_row,
                                             .dim = by->dim,
                                             .is_bilateral = by->is_bilateral,
                                             .mu = by->mu,
                                             .id = 5};
    for (int i = 0; i < by->dim; i++, it->n_row++, it->n_freedom++) {
        it->W[it->n_row][it->n_freedom] = 1;
        it->u[it->n_freedom] = by->u[i];
    }
}

static const bystander beside[] = {
    {1, true, 0, {3}},               // a joint
    {3, true, 0, {3, -1, 2}},        // a joint of three rows
    {1, false, 0, {-2}},             // hit, without friction
    {1, false, 0, {2}},              // open
    {3, false, 0, {-2, 1, 1}},       // friction is zero
    {2, false, 0.5, {-2, 5}},        // slips
    {2, false, 0.5, {-2, -5}},       // slips the other way
    {2, false, 0.5, {-2, 0.3}},      // sticks
    {3, false, 0.5, {-2, 3, -4}},    // slips obliquely
    {3, false, 0.5, {-2, 0.3, 0.4}}, // sticks
    {3, false, 0.5, {2, 3, -4}},     // open
    {2, false, 0.5, {2, 1}},         // open
};

static void what_happens_beside_a_rod_in_space_is_kept(void **unused)
{
    (void)unused;
    for (int k = 0; k < (int)(sizeof beside / sizeof *beside); k++)
        for (int turn = 0; turn < 7; turn++)
            for (int side = 0; side < 4; side++) {
                const bool is_caught = side & 1, is_last = side & 2;
                body it = {.n_row = 0};
                if (is_last) add_bystander(&it, &beside[k]);
                add_rod(&it, 0.4 + turn, is_caught ? 1.5 : 1.2);
                if (!is_last) add_bystander(&it, &beside[k]);
                if (has_other(&it) != is_caught) fail_msg("%d beside, %d, %d", k, turn, side);
            }
}

// two feet of a block at x = +-1/2, one below its centre. Feet that slipped against each other
// would make it doubtful, but they slip as one, also where one of them counts the other way.
static void add_block(body *it, double sign)
{
    const double root = sqrt(2.4);
    for (int foot = 0; foot < 2; foot++) {
        const double W[2][3] = {{0, 1, (foot - 0.5) * root}, {1, 0, root}};
        it->block[it->n_block++] = (carom_block){.first = it->n_row, .dim = 2, .mu = 0.6};
        for (int i = 0; i < 2; i++, it->n_row++)
            for (int d = 0; d < 3; d++)
                it->W[it->n_row][it->n_freedom + d] = (foot && i ? sign : 1) * W[i][d];
    }
    memcpy(it->u + it->n_freedom, (double[]){0.3, -1, 0.2}, 3 * sizeof(double));
    it->n_freedom += 3;
}

// a point in a corner that is not rough enough
static void add_smooth_corner(body *it)
{
    for (int wall = 0; wall < 2; wall++) {
        it->block[it->n_block++] = (carom_block){.first = it->n_row, .dim = 2, .mu = 0.9};
        for (int i = 0; i < 2; i++, it->n_row++) it->W[it->n_row][it->n_freedom + (wall == i)] = 1;
    }
    memcpy(it->u + it->n_freedom, (double[]){-1, 1.5}, 2 * sizeof(double));
    it->n_freedom += 2;
}

// only a few suspects are looked at: those that are none must not take their places
static void harmless_contacts_do_not_hide_others(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < 3; kind++) {
        body it = {.n_row = 0};
        for (int k = 0; k < 2; k++) {
            if (kind == 0) add_smooth_corner(&it);
            if (kind > 0) add_block(&it, kind == 1 ? 1 : -1);
        }
        assert_false(has_other(&it));
        add_rod(&it, 0.7, 1.5);
        if (!has_other(&it)) fail_msg("kind %d", kind);
    }
}

// Gauss with pivots; false where the matrix is singular
static bool solve_by_hand(int n, double A[MOST][MOST + 1])
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabs(A[i][k]) > fabs(A[best][k])) best = i;
        if (fabs(A[best][k]) < 1e-9) return false;
        for (int j = 0; j <= n; j++) {
            const double it = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = it;
        }
        for (int i = 0; i < n; i++) {
            const double factor = A[i][k] / A[k][k];
            for (int j = k; j <= n && i != k; j++) A[i][j] -= factor * A[k][j];
        }
    }
    for (int k = 0; k < n; k++) A[k][n] /= A[k][k];
    return true;
}

enum { OPEN, STICK, PULLED_UP, PULLED_DOWN, N_MODE };

// By how much the impulses of these modes (of two contacts in the plane, behind n_joint bilateral
// rows) keep the laws; rates into gamma.
static double margin_of_modes(const body *it, int n_joint, const int mode[2], double *gamma)
{
    double A[MOST][MOST + 1] = {0};
    const int n = it->n_row;
    for (int i = 0; i < n; i++) {
        const int c = (i - n_joint) / 2, d = (i - n_joint) % 2;
        const bool is_joint = i < n_joint, is_zero = !is_joint && mode[c] == OPEN;
        if (is_zero || (!is_joint && d == 1 && mode[c] != STICK)) {
            A[i][i] = 1;
            if (!is_zero) A[i][i - 1] = it->block[n_joint + c].mu * (mode[c] == PULLED_UP ? -1 : 1);
            continue;
        }
        for (int j = 0; j < n; j++) A[i][j] = it->G[j * n + i];
        A[i][n] = -it->b[i];
    }
    if (!solve_by_hand(n, A)) return -1;
    for (int i = 0; i < n; i++) {
        gamma[i] = it->b[i];
        for (int j = 0; j < n; j++) gamma[i] += it->G[j * n + i] * A[j][n];
    }
    double least = 1;
    for (int c = 0; c < 2; c++) {
        const int r = n_joint + 2 * c;
        const double P = A[r][n], T = A[r + 1][n], mu = it->block[n_joint + c].mu;
        least = fmin(least, mode[c] == OPEN ? gamma[r] : P);
        if (mode[c] == STICK) least = fmin(least, mu * P - fabs(T));
        if (mode[c] == PULLED_UP) least = fmin(least, -gamma[r + 1]);
        if (mode[c] == PULLED_DOWN) least = fmin(least, gamma[r + 1]);
    }
    return least;
}

// 0, 1, 2 (or more) answers among all modes; -1 where one is near its limits
static int count_answers(const body *it, int n_joint)
{
    double gamma[MOST], first[MOST];
    int n_answer = 0;
    for (int m = 0; m < N_MODE * N_MODE; m++) {
        const double margin = margin_of_modes(it, n_joint, (int[]){m % N_MODE, m / N_MODE}, gamma);
        if (fabs(margin) < 1e-4) return -1;
        if (margin < 0) continue;
        double far = 0;
        for (int i = 0; i < it->n_row; i++) far = fmax(far, fabs(gamma[i] - first[i]));
        if (n_answer == 0) memcpy(first, gamma, sizeof first);
        if (n_answer == 0 || far > 1e-4) n_answer++;
    }
    return n_answer;
}

// Two contacts in the plane, with and without joints, some with one direction of slip. All modes of
// both are tried here, one by one. The suspicion does not see a few where both stick or slip.
static void all_modes_of_two_contacts_tell_the_same(void **unused)
{
    (void)unused;
    random_state r = {3};
    int n_seen[3] = {0};
    for (int m = 0; m < 20000; m++) {
        const int n_joint = m % 3;
        const double scale = pow(2, m % 7 - 3);
        body it = {.n_freedom = n_joint + 3 + m / 2 % 2, .n_row = n_joint + 4, .n_block = n_joint};
        for (int i = 0; i < it.n_row; i++)
            for (int d = 0; d < it.n_freedom; d++) it.W[i][d] = scale * draw(&r);
        if (m % 5 == 0) memcpy(it.W[n_joint + 3], it.W[n_joint + 1], sizeof it.W[0]);
        for (int d = 0; d < it.n_freedom && m % 10 == 0; d++) it.W[n_joint + 3][d] *= -1;
        for (int d = 0; d < it.n_freedom; d++) it.u[d] = draw(&r);
        for (int k = 0; k < n_joint; k++)
            it.block[k] = (carom_block){.first = k, .dim = 1, .is_bilateral = true};
        for (int c = 0; c < 2; c++)
            it.block[it.n_block++] = (carom_block){.first = n_joint + 2 * c,
                                                   .dim = 2,
                                                   .mu = (m % 4 != c) * 1.8 * fabs(draw(&r)),
                                                   .id = 1};
        if (!fill_and_solve(&it)) continue;
        const int n_answer = count_answers(&it, n_joint);
        if (n_answer < 1) continue;
        const bool is_found = carom_contact_has_other(&it.problem, it.P);
        if (is_found && n_answer == 1) fail_msg("problem %d has one answer", m);
        n_seen[n_answer > 1 ? 1 + is_found : 0]++;
    }
    print_message("one answer %d, more %d, of which unseen %d\n", n_seen[0], n_seen[2], n_seen[1]);
    assert_true(n_seen[0] > 1000 && n_seen[2] > 100);
    assert_true(n_seen[1] <= 0.02 * n_seen[2]);
}

// feet of blocks of many shapes on a floor, also redundant ones
static void blocks_on_a_floor_have_one_answer(void **unused)
{
    (void)unused;
    random_state r = {1};
    for (int m = 0; m < 400; m++) {
        const double half = 0.1 + fabs(draw(&r)), height = 0.1 + fabs(draw(&r)),
                     root = sqrt(3 / (half * half + height * height)), mu = 0.3 * fabs(draw(&r));
        body it = {.n_freedom = 3, .n_row = 6, .n_block = 3, .u = {draw(&r), draw(&r), draw(&r)}};
        for (int k = 0; k < 3; k++) {
            const double x = half * (k - 1) * (m % 2 ? 1 : -1);
            it.block[k] = (carom_block){.first = 2 * k, .dim = 2, .mu = mu, .id = k};
            it.W[2 * k][1] = 1;
            it.W[2 * k][2] = x * root;
            it.W[2 * k + 1][0] = 1;
            it.W[2 * k + 1][2] = height * root;
        }
        if (has_other(&it)) fail_msg("block %d: half %g, height %g, mu %g", m, half, height, mu);
    }
}

// a_jk = G_NjNk + mu_k G_NjTk s_k, where friction pushes with all it has
static bool holds_for_all_slips(const carom_problem *p)
{
    for (int v = 0; v < 4; v++) {
        const double s[2] = {v & 1 ? 1 : -1, v & 2 ? 1 : -1};
        double a[2][2] = {{1, 0}, {0, 1}};
        for (int j = 0; j < p->n_block; j++)
            for (int k = 0; k < p->n_block; k++) {
                const double *column = p->G.dense + 2 * k * p->n_row + 2 * j;
                a[j][k] = column[0] + p->block[k].mu * s[k] * column[p->n_row];
            }
        if (!(a[0][0] > 0 && a[1][1] > 0 && a[0][0] * a[1][1] > a[0][1] * a[1][0])) return false;
    }
    return true;
}

// one and two contacts in the plane, with matrices that are not symmetric
static void what_is_told_at_once_is_so(void **unused)
{
    (void)unused;
    int n_told[2] = {0, 0}, n_not[2] = {0, 0};
    random_state r = {5};
    for (int k = 0; k < 4000; k++) {
        const int n_block = 1 + k % 2;
        body it = {.n_row = 2 * n_block, .n_block = n_block};
        for (int i = 0; i < 16; i++) it.G[i] = draw(&r);
        for (int i = 0; i < n_block; i++) {
            it.G[2 * i * (it.n_row + 1)] += 1;
            it.block[i] = (carom_block){.first = 2 * i, .dim = 2, .mu = fabs(draw(&r)), .id = i};
        }
        it.problem =
            (carom_problem){it.n_row, n_block, it.block, {.n = it.n_row, .dense = it.G}, it.b};
        const bool is_told = carom_contact_is_plainly_unique(&it.problem);
        if (is_told) assert_true(holds_for_all_slips(&it.problem));
        if (n_block == 1) assert_int_equal(is_told, holds_for_all_slips(&it.problem));
        n_told[n_block - 1] += is_told;
        n_not[n_block - 1] += !is_told;
        it.block[0].is_bilateral = true; // then other rows count
        assert_true(n_block == 1 || !carom_contact_is_plainly_unique(&it.problem));
    }
    for (int i = 0; i < 2; i++) assert_true(n_told[i] > 200 && n_not[i] > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_in_a_corner),
        cmocka_unit_test(a_point_in_a_wedge),
        cmocka_unit_test(painleves_rod),
        cmocka_unit_test(a_corner_in_space_and_one_with_a_joint),
        cmocka_unit_test(a_joint_changes_the_critical_friction),
        cmocka_unit_test(what_happens_beside_a_rod_in_space_is_kept),
        cmocka_unit_test(harmless_contacts_do_not_hide_others),
        cmocka_unit_test(all_modes_of_two_contacts_tell_the_same),
        cmocka_unit_test(blocks_on_a_floor_have_one_answer),
        cmocka_unit_test(what_is_told_at_once_is_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
