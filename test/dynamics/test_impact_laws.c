// SPDX-License-Identifier: Apache-2.0
// Impact laws on contacts alone: closed forms, an independent integration of Routh's equations, and
// energy on random collisions of one and of several contacts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/random_problem.h"
#include "dynamics/laws/laws.h"
#include "samples.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 18 };

/// A collision with its memory.
typedef struct crash {
    carom_collision c;
    carom_block block[MOST];
    carom_contact_facts fact[MOST];
    const carom_contact_facts *facts[MOST];
    double G[MOST * MOST], rate[MOST], before[MOST], P[MOST];
    carom_error error;
} crash;

static void open_crash(crash *x, const char *solver)
{
    memset(x, 0, sizeof *x);
    assert_int_equal(carom_contact_solver_new(solver, NULL, 0, 2 * MOST, &x->c.solver, &x->error),
                     CAROM_OK);
    assert_true(carom_collision_reserve(&x->c.room, MOST));
    x->c.block = x->block;
    x->c.facts = x->facts;
    x->c.G = x->G;
    x->c.rate = x->rate;
    x->c.P = x->P;
    x->c.error = &x->error;
}

static void close_crash(crash *x)
{
    carom_contact_solver_free(x->c.solver);
    carom_collision_room_free(x->c.room);
}

static void add_contact(crash *x, int dim, int law, double e, double mu)
{
    const int k = x->c.n_block++;
    x->fact[k] = (carom_contact_facts){.name = "contact", .law = law, .e = e, .mu = mu};
    x->facts[k] = &x->fact[k];
    x->block[k] = (carom_block){.first = x->c.n_row, .dim = dim, .mu = mu, .id = k};
    x->c.n_row += dim;
}

static void collide(crash *x)
{
    memset(x->P, 0, sizeof x->P);
    memcpy(x->before, x->rate, sizeof x->rate);
    x->c.is_converged = true;
    if (carom_collide(&x->c) != CAROM_OK) fail_msg("%s", x->error.message);
    assert_true(x->c.is_converged);
}

// what the kinetic energy grows by: P.(before + after)/2
static double gain(const crash *x)
{
    double sum = 0;
    for (int i = 0; i < x->c.n_row; i++) sum += 0.5 * x->P[i] * (x->before[i] + x->rate[i]);
    return sum;
}

// G = W W' of rows of m random numbers, and rates that close
static void draw_crash(crash *x, random_state *r, int m)
{
    double W[MOST][MOST], u[MOST];
    const int n = x->c.n_row;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) W[i][k] = draw(r);
    for (int k = 0; k < m; k++) u[k] = 3 * draw(r);
    for (int i = 0; i < n; i++) {
        x->rate[i] = 0;
        for (int k = 0; k < m; k++) x->rate[i] += W[i][k] * u[k];
        for (int j = 0; j < n; j++) {
            x->G[i * n + j] = 0;
            for (int k = 0; k < m; k++) x->G[i * n + j] += W[i][k] * W[j][k];
        }
    }
}

// rows of a chain of n balls of mass 1: contact i between ball i and i + 1
static void set_chain(crash *x, int n, const double *v)
{
    const int m = n - 1;
    memset(x->G, 0, sizeof x->G);
    for (int i = 0; i < m; i++) {
        x->rate[i] = v[i + 1] - v[i];
        for (int j = 0; j < m; j++)
            x->G[i * m + j] = i == j ? 2 : i - j == 1 || j - i == 1 ? -1 : 0;
    }
}

static void velocities_of_chain(const crash *x, int n, const double *v, double *out)
{
    for (int i = 0; i < n; i++)
        out[i] = v[i] + (i > 0 ? x->P[i - 1] : 0) - (i < n - 1 ? x->P[i] : 0);
}

// k balls with velocity 1 hit n - k at rest, all touching: the last k go on
static void the_last_balls_of_a_cradle_leave(void **state)
{
    (void)state;
    static crash x;
    for (int k = 1; k < 5; k++) {
        double v[5] = {0}, after[5];
        for (int i = 0; i < k; i++) v[i] = 1;
        open_crash(&x, "auto");
        for (int i = 0; i < 4; i++) add_contact(&x, 1, CAROM_LAW_SEQUENTIAL, 1, 0);
        set_chain(&x, 5, v);
        collide(&x);
        velocities_of_chain(&x, 5, v, after);
        for (int i = 0; i < 5; i++) assert_true(fabs(after[i] - (i >= 5 - k)) < 1e-14);
        close_crash(&x);
    }
}

// the same binary collisions by hand, for any restitution
static void a_chain_collides_ball_by_ball(void **state)
{
    (void)state;
    static crash x;
    for (int i = 0; i < 40; i++) {
        const double e = 0.3 + 0.017 * i;
        double v[5] = {1, 0, 0, -0.3, 0}, by_hand[5], after[5];
        memcpy(by_hand, v, sizeof v);
        for (int turn = 0; turn < 4000; turn++) {
            int worst = -1;
            double most = 1e-13;
            for (int k = 0; k < 4; k++)
                if (by_hand[k] - by_hand[k + 1] > most * (1 + 1e-12))
                    most = by_hand[k] - by_hand[worst = k, k + 1];
            if (worst < 0) break;
            const double push = (1 + e) / 2 * most;
            by_hand[worst] -= push;
            by_hand[worst + 1] += push;
        }
        open_crash(&x, "auto");
        for (int k = 0; k < 4; k++) add_contact(&x, 1, CAROM_LAW_SEQUENTIAL, e, 0);
        set_chain(&x, 5, v);
        collide(&x);
        velocities_of_chain(&x, 5, v, after);
        for (int k = 0; k < 5; k++)
            if (!(fabs(after[k] - by_hand[k]) < 1e-11))
                fail_msg("e = %g, ball %d: %g and %g", e, k, after[k], by_hand[k]);
        assert_true(gain(&x) < 1e-14);
        close_crash(&x);
    }
}

// a ball hits balls at rest that touch, together: 1/n of what is left goes to each, the first comes
// back. With e the impulses are those of e = 0 times 1 + e
static void together_a_cradle_throws_the_first_ball_back(void **state)
{
    (void)state;
    static crash x;
    for (int n = 3; n <= 5; n += 2)
        for (int i = 0; i < 10; i++) {
            const double e = 0.1 + 0.1 * i, v[5] = {1};
            double after[5];
            open_crash(&x, "auto");
            for (int k = 0; k < n - 1; k++) add_contact(&x, 1, CAROM_LAW_POISSON, e, 0);
            set_chain(&x, n, v);
            collide(&x);
            velocities_of_chain(&x, n, v, after);
            assert_true(fabs(after[0] - (1 - (1 + e) * (n - 1) / n)) < 1e-13);
            for (int k = 1; k < n; k++) assert_true(fabs(after[k] - (1 + e) / n) < 1e-13);
            close_crash(&x);
        }
}

// ---- a slender rod hits a rough corner with its end ----

// mass 1, at an angle a to the floor, the end at half its length: with s = sin a, c = cos a
//
//     G_NN = 1 + 3 c^2     G_TT = 1 + 3 s^2     G_NT = -3 s c     det G = 4
static void set_rod(crash *x, int law, double a, double e, double mu, double slip)
{
    const double s = sin(a), c = cos(a);
    const double G[4] = {1 + 3 * c * c, -3 * s * c, -3 * s * c, 1 + 3 * s * s};
    open_crash(x, "auto");
    add_contact(x, 2, law, e, mu);
    memcpy(x->G, G, sizeof G);
    x->rate[0] = -1;
    x->rate[1] = slip;
}

// dropped without slip it sticks where 3 s c <= mu (1 + 3 s^2), else it slides off: one mode from
// begin to end, so that all laws give P_N = (1 + e)/k
static void a_rod_that_drops_is_the_same_under_all_laws(void **state)
{
    (void)state;
    static crash x;
    static const int laws[] = {CAROM_LAW_NEWTON, CAROM_LAW_POISSON, CAROM_LAW_STRONGE,
                               CAROM_LAW_SEQUENTIAL};
    for (int i = 0; i < 4; i++)
        for (int k = 1; k < 15; k++) {
            const double a = 0.1 * k, s = sin(a), c = cos(a), e = 0.6, mu = 0.35;
            const bool sticks = 3 * s * c <= mu * (1 + 3 * s * s);
            const double stiff = sticks ? 4 / (1 + 3 * s * s) : 1 + 3 * c * c - mu * 3 * s * c;
            set_rod(&x, laws[i], a, e, mu, 0);
            collide(&x);
            assert_true(fabs(x.P[0] - (1 + e) / stiff) < 1e-11);
            assert_true(fabs(x.rate[0] - e) < 1e-11);
            const double off = sticks ? 0 : -(3 * s * c - mu * (1 + 3 * s * s)) * x.P[0];
            assert_true(fabs(x.rate[1] - off) < 1e-11);
            close_crash(&x);
        }
}

// thrown so that its slip ends in compression and it sticks from then on (a = 60 degrees, mu = 0.5,
// slip 0.3 of the speed), the laws differ:
//
//     newton                 gamma_N+ = e                     P = G^-1 (1 + e, -v)
//     poisson, sequential    C = G^-1 (1, -v)                 gamma_N+ = e k C_N,  k = 4/G_TT
//     stronge                -W_c = p1 - k1 p1^2/2 + v1^2/2k  gamma_N+ = e sqrt(2 k -W_c)
static void a_rod_that_slides_is_another_under_each_law(void **state)
{
    (void)state;
    static crash x;
    const double a = acos(-1) / 3, s = sin(a), c = cos(a), e = 0.5, mu = 0.5, v = 0.3;
    const double N = 1 + 3 * c * c, T = 1 + 3 * s * s, M = -3 * s * c, k = 4 / T;
    const double k1 = N - mu * M, p1 = v / (mu * T - M), v1 = -1 + k1 * p1;
    const double work = p1 - k1 * p1 * p1 / 2 + v1 * v1 / (2 * k), C = (T + M * v) / 4;
    const double leaves[] = {e, e * k * C, e * sqrt(2 * k * work), e * k * C};
    static const int laws[] = {CAROM_LAW_NEWTON, CAROM_LAW_POISSON, CAROM_LAW_STRONGE,
                               CAROM_LAW_SEQUENTIAL};
    assert_true(v1 < 0 && fabs(leaves[0] - leaves[1]) > 0.01 && fabs(leaves[1] - leaves[2]) > 1e-3);
    for (int i = 0; i < 4; i++) {
        set_rod(&x, laws[i], a, e, mu, v);
        collide(&x);
        assert_true(fabs(x.rate[0] - leaves[i]) < 1e-11 && fabs(x.rate[1]) < 1e-11);
        assert_true(fabs(x.P[0] - (T * (1 + leaves[i]) + M * v) / 4) < 1e-11);
        assert_true(gain(&x) < 0);
        close_crash(&x);
    }
}

// without friction all laws of a contact alone are Newton's
static void alone_and_smooth_all_laws_agree(void **state)
{
    (void)state;
    static crash x;
    random_state r = {5};
    for (int law = CAROM_LAW_NEWTON; law <= CAROM_LAW_SEQUENTIAL; law++) {
        if (law == CAROM_LAW_DISC) continue;
        for (int i = 0; i < 20; i++) {
            open_crash(&x, "auto");
            add_contact(&x, 1, law, i / 19., 0);
            draw_crash(&x, &r, 3);
            x.rate[0] = -fabs(x.rate[0]);
            collide(&x);
            assert_true(fabs(x.rate[0] + i / 19. * x.before[0]) <= 1e-13 * fabs(x.before[0]));
            close_crash(&x);
        }
    }
}

// ---- Stronge's law, by Euler's steps along the normal impulse ----

typedef struct walk {
    double v[3], Q[3], W, lowest;
} walk;

static void step_along(const crash *x, walk *w, double p)
{
    const int n = x->c.n_row;
    const double mu = x->fact[0].mu, slip = n == 1   ? 0
                                            : n == 2 ? fabs(w->v[1])
                                                     : hypot(w->v[1], w->v[2]);
    double push[3] = {1, 0, 0}, v[3] = {0};
    for (int k = 1; k < n && slip > 0; k++) push[k] = -mu * w->v[k] / slip;
    for (int i = 0; i < n; i++) {
        v[i] = w->v[i];
        for (int k = 0; k < n; k++) v[i] += p * x->G[i * n + k] * push[k];
    }
    w->W += 0.5 * p * (w->v[0] + v[0]);
    for (int i = 0; i < n; i++) {
        w->v[i] = v[i];
        w->Q[i] += p * push[i];
    }
    w->lowest = fmin(w->lowest, w->W);
}

// a thousand random contacts, in the plane and in space: slips that go on, turn round, end or
// begin. Slow steps of a slip near 0 chatter by mu G p, so that the answer is good to the length of
// the step
static void stronges_law_is_rouths_path(void **state)
{
    (void)state;
    static crash x;
    random_state r = {77};
    double worst = 0;
    for (int i = 0; i < 120; i++) {
        const double e = 0.1 + 0.8 * (i % 9) / 8.;
        open_crash(&x, "auto");
        add_contact(&x, 2 + i % 2, CAROM_LAW_STRONGE, e, 0.05 + 0.9 * fabs(draw(&r)));
        draw_crash(&x, &r, 4);
        x.rate[0] = -0.2 - fabs(x.rate[0]);
        walk w = {.v = {x.rate[0], x.rate[1], i % 2 ? x.rate[2] : 0}};
        const double p = 2e-5 * -x.rate[0] / x.G[0];
        for (long k = 0; k < 10000000 && (w.v[0] < 0 || w.W < (1 - e * e) * w.lowest); k++)
            step_along(&x, &w, p);
        const double size = fabs(x.rate[0]) + fabs(x.rate[1]);
        collide(&x);
        for (int k = 0; k < x.c.n_row; k++) worst = fmax(worst, fabs(x.rate[k] - w.v[k]) / size);
        if (worst > 1e-4) fail_msg("contact %d: %g from Euler's steps", i, worst);
        close_crash(&x);
    }
    print_message("largest difference from Euler's steps of 2e-5: %.1e\n", worst);
}

// the work of the normal force in the plane, exactly: restitution gives e^2 of compression back
static void stronges_work_comes_back(void **state)
{
    (void)state;
    static crash x;
    open_crash(&x, "auto");
    // slides all the time: gamma_N' = 1.5 - 0.2*0.5, W_c = -v^2/(2 k), v+ = e v
    add_contact(&x, 2, CAROM_LAW_STRONGE, 0.6, 0.2);
    const double G[4] = {1.5, 0.5, 0.5, 2};
    memcpy(x.G, G, sizeof G);
    x.rate[0] = -1;
    x.rate[1] = 10;
    collide(&x);
    assert_true(fabs(x.rate[0] - 0.6) < 1e-15 && fabs(x.P[0] - 1.6 / 1.4) < 1e-15);
    assert_true(fabs(x.P[1] + 0.2 * x.P[0]) < 1e-15);
    // the slip ends before compression does, and sticks: k1 while it slides, k2 = 1.5 - 0.25/2 after
    x.fact[0].mu = x.block[0].mu = 0.5;
    x.rate[0] = -1;
    x.rate[1] = 0.2;
    const double k1 = 1.5 - 0.5 * 0.5, k2 = 1.5 - 0.25 / 2, p1 = 0.2 / (0.5 * 2 - 0.5),
                 v1 = -1 + k1 * p1;
    const double W1 = -p1 + k1 * p1 * p1 / 2, Wc = W1 - v1 * v1 / (2 * k2);
    collide(&x);
    assert_true(v1 < 0 && fabs(x.rate[1]) < 1e-15);
    assert_true(fabs(x.rate[0] - sqrt(2 * k2 * 0.36 * -Wc)) < 1e-14);
    close_crash(&x);
}

// ---- energy ----

// the largest gain over a thousand random collisions, of the energy before
static double largest_gain(int law, int n_contact, int dim, double e, unsigned seed)
{
    static crash x;
    random_state r = {seed};
    double worst = -INFINITY;
    for (int i = 0; i < SAMPLES(1000); i++) {
        open_crash(&x, "auto");
        for (int k = 0; k < n_contact; k++) add_contact(&x, dim, law, e, 1.2 * fabs(draw(&r)));
        draw_crash(&x, &r, dim * n_contact + 2);
        double size = 0;
        for (int k = 0; k < x.c.n_row; k++) size += x.rate[k] * x.rate[k];
        collide(&x);
        for (int k = 0; k < n_contact; k++) assert_true(x.rate[dim * k] > -1e-9 * sqrt(size));
        worst = fmax(worst, gain(&x) / size);
        close_crash(&x);
    }
    return worst;
}

static void no_law_but_newtons_makes_energy(void **state)
{
    (void)state;
    static const double e[] = {0, 0.5, 0.9, 1};
    for (int dim = 1; dim <= 3; dim++)
        for (int i = 0; i < 4; i++) {
            assert_true(largest_gain(CAROM_LAW_POISSON, 3, dim, e[i], 11) < 1e-9);
            assert_true(largest_gain(CAROM_LAW_STRONGE, 1, dim, e[i], 12) < 1e-12);
        }
    assert_true(largest_gain(CAROM_LAW_STRONGE, 3, 2, 0.7, 13) < 1e-12);
    assert_true(largest_gain(CAROM_LAW_SEQUENTIAL, 3, 3, 0.7, 14) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_balls_of_a_cradle_leave),
        cmocka_unit_test(a_chain_collides_ball_by_ball),
        cmocka_unit_test(together_a_cradle_throws_the_first_ball_back),
        cmocka_unit_test(a_rod_that_drops_is_the_same_under_all_laws),
        cmocka_unit_test(a_rod_that_slides_is_another_under_each_law),
        cmocka_unit_test(alone_and_smooth_all_laws_agree),
        cmocka_unit_test(stronges_law_is_rouths_path),
        cmocka_unit_test(stronges_work_comes_back),
        cmocka_unit_test(no_law_but_newtons_makes_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
