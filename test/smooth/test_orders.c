// SPDX-License-Identifier: Apache-2.0
// Orders of convergence in q, u and la by halving the step, on both models of Haddouni et al.,
// against hem5 with a step so short that only rounding is left.
#include "bench.h"

typedef struct answer {
    double q[3], u[3], la[2];
} answer;

static answer run(const char *model, const char *solver, double end, int n)
{
    bench b;
    answer found = {0};
    bench_open(&b, model, solver, NULL);
    bench_run(&b, end, n);
    memcpy(found.q, b.now.q, sizeof found.q);
    memcpy(found.u, b.now.u, sizeof found.u);
    memcpy(found.la, b.now.la, sizeof(double) * (size_t)b.s.size.n_row);
    bench_close(&b);
    return found;
}

static double distance(const double *x, const double *y, int n)
{
    double worst = 0;
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(x[i] - y[i]));
    return worst;
}

// with an error c h^p (1 + O(h)) halving divides it by 2^p (1 + O(h)); 1/4 covers O(h) here
static void has_order(const char *solver, double order, double end, int n, const char *model)
{
    const answer exact = run(model, "hem5", end, 1500);
    const answer coarse = run(model, solver, end, n), fine = run(model, solver, end, 2 * n);
    const double seen[] = {
        log2(distance(coarse.q, exact.q, 3) / distance(fine.q, exact.q, 3)),
        log2(distance(coarse.u, exact.u, 3) / distance(fine.u, exact.u, 3)),
        log2(distance(coarse.la, exact.la, 2) / distance(fine.la, exact.la, 2)),
    };
    static const char *const name[] = {"q", "u", "la"};
    for (int i = 0; i < 3; i++)
        if (!(seen[i] >= order - 0.25))
            fail_msg("%s on %s: order %.2f in %s", solver, model, seen[i], name[i]);
}

static void hem5_has_order_five(void **unused)
{
    (void)unused;
    has_order("hem5", 5, 1, 160, "slider-crank-004");
    has_order("hem5", 5, 0.5, 40, "rocking-block-004");
}

static void phem56_has_order_five(void **unused)
{
    (void)unused;
    has_order("phem56", 5, 1, 160, "slider-crank-004");
    has_order("phem56", 5, 0.5, 40, "rocking-block-004");
}

static void rkf45_has_order_four(void **unused)
{
    (void)unused;
    has_order("rkf45", 4, 1, 160, "slider-crank-004");
    has_order("rkf45", 4, 0.5, 40, "rocking-block-004");
}

static void gen_alpha_has_order_two(void **unused)
{
    (void)unused;
    has_order("gen_alpha", 2, 1, 400, "slider-crank-004");
    has_order("gen_alpha", 2, 0.5, 100, "rocking-block-004");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hem5_has_order_five), cmocka_unit_test(phem56_has_order_five),
        cmocka_unit_test(rkf45_has_order_four), cmocka_unit_test(gen_alpha_has_order_two)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
