// SPDX-License-Identifier: Apache-2.0
// Models with a thousand coordinates: made in less than 2 s of processor time, memory in proportion
// to n, and steps that keep the energy. A bar of finite elements has one sparse mass block.
#include "model/model_rig.h"

#include "math/blockmass.h"
#include "model/model.h"

#include <sys/resource.h>
#include <time.h>

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

// sanitizers make everything slower and larger
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(HAS_SANITIZER)
enum { SLOWER = 10 };
#else
enum { SLOWER = 1 };
#endif

static carom_model *make_in_time(const char *name, const char *n)
{
    const double before = seconds();
    carom_model *model = shipped_model(name, "n", n);
    const double taken = seconds() - before;
    if (taken > 2 * SLOWER) fail_msg("%s with n = %s took %.2f s to make", name, n, taken);
    return model;
}

// the answers of a model with n coordinates take a multiple of n numbers, not n^2
static void answers_grow_in_proportion(const char *name)
{
    carom_model *small = make_in_time(name, "100"), *large = make_in_time(name, "1000");
    assert_true(large->layout.size <= 11 * small->layout.size);
    carom_model_free(small);
    carom_model_free(large);
}

static void a_thousand_balls_are_made_in_time_and_memory(void **state)
{
    (void)state;
    answers_grow_in_proportion("chain-of-balls");
    answers_grow_in_proportion("column-of-beads");
}

// all 999 contacts closed at the start: one sparse problem of 999 rows
static void a_chain_of_a_thousand_touching_balls_keeps_energy_and_momentum(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_midpoint", "moreau_jean"};
    carom_model *model = make_in_time("chain-of-balls", "1000");
    for (int k = 0; k < 2; k++) {
        carom_sim *sim = sim_of(model, schemes[k], 1e-3, 3e-3);
        const double before = seconds();
        run_to_end(sim);
        const double taken = seconds() - before;
        if (taken > 1 * SLOWER) fail_msg("3 steps of %s took %.2f s", schemes[k], taken);
        carom_audit audit;
        carom_error error = {0};
        must(carom_sim_audit(sim, &audit, NULL, &error), &error);
        near("energy", audit.energy_end, 0.5, 1e-9);
        double momentum = 0;
        for (int i = 0; i < 1000; i++) momentum += carom_sim_state(sim)->u[i];
        near("momentum", momentum, 1, 1e-9);
        carom_sim_free(sim);
    }
    carom_model_free(model);
}

static void a_column_of_a_thousand_beads_falls_and_hits(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_midpoint", "moreau_jean", "moreau_jean_explicit",
                                          "schatzman_paoli"};
    carom_error error = {0};
    carom_modelfile *file = shipped_file("column-of-beads");
    carom_builder *builder = carom_modelfile_builder(file);
    must(carom_builder_set(builder, text_of("n"), text_of("1000"), &error), &error);
    must(carom_builder_set(builder, text_of("height"), text_of("R"), &error), &error);
    must(carom_builder_set(builder, text_of("pitch"), text_of("2*R + 1e-7"), &error), &error);
    carom_model *model = finish_file(file);
    for (int k = 0; k < 4; k++) {
        carom_sim *sim = sim_of(model, schemes[k], 1e-3, k < 3 ? 1e-2 : 2e-3);
        const double before = seconds();
        run_to_end(sim);
        const double taken = seconds() - before;
        if (taken > 4 * SLOWER) fail_msg("the steps of %s took %.2f s", schemes[k], taken);
        carom_audit audit;
        must(carom_sim_audit(sim, &audit, NULL, &error), &error);
        assert_true(carom_sim_counts(sim).contact_steps > 0);
        // V is about m g n L/2 = 1e6 J, so rounding is 1e-9 J; a step q + h u gains m g^2 h^2/2 of
        // each bead in fall
        const double gain = k < 2 ? 1e-8 : 1000 * 9.81 * 9.81 * 1e-3 * 1e-2;
        assert_true(audit.energy_end <= audit.energy_start + gain);
        carom_sim_free(sim);
    }
    carom_model_free(model);
}

// consistent mass of a bar, element by element: m/6 (2 u_i^2 + 2 u_i u_i+1 + 2 u_i+1^2)/2
static const char *const bar =
    "carom: 1\n"
    "parameters: {n: 10, rho: 1, k: 1000}\n"
    "coordinates:\n"
    "  w[i]:\n"
    "    for: {i: 0..n-1}\n"
    "    start: 0.01*sin(pi*i/(n - 1)) + 0.02\n"
    "    rate: -1\n"
    "kinetic:\n"
    "  - term: rho/(6*n)*(der(w[i])^2 + der(w[i])*der(w[i+1]) + der(w[i+1])^2)\n"
    "    for: {i: 0..n-2}\n"
    "potential:\n"
    "  - term: k*n/2*(w[i+1] - w[i])^2\n"
    "    for: {i: 0..n-2}\n"
    "contacts:\n"
    "  - name: wall\n"
    "    gap: w[0]\n"
    "    restitution: 0.5\n";

static carom_model *make_bar(const char *n)
{
    carom_error error = {0};
    carom_modelfile *file = file_from_text(bar);
    must(carom_builder_set(carom_modelfile_builder(file), text_of("n"), text_of(n), &error),
         &error);
    return finish_file(file);
}

enum { MASS = CAROM_MASS | CAROM_FORCES };

static void a_bar_of_finite_elements_has_the_mass_of_its_formula(void **state)
{
    (void)state;
    static const unsigned mask = MASS;
    carom_error error = {0};
    for (int large = 0; large < 2; large++) {
        const int n = large ? 1000 : 10;
        const double before = seconds();
        carom_model *model = make_bar(large ? "1000" : "10");
        if (seconds() - before > 2 * SLOWER)
            fail_msg("the bar took %.2f s to make", seconds() - before);
        carom_plan *plan;
        must(carom_plan_new(model, &mask, 1, &plan, &error), &error);
        carom_eval *ev = carom_plan_eval(plan);
        const carom_point at = {.q = carom_model_start_q(model), .u = carom_model_start_u(model)};
        must(carom_model_eval(plan, &at, MASS, ev, &error), &error);
        assert_int_equal(carom_mass_n_entry(ev->mass), 3 * n - 2);
        const int *member;
        assert_int_equal(carom_mass_block_of(ev->mass, 0, &member), n);
        double *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y);
        for (int i = 0; i < n; i++) {
            const double ends = i == 0 || i == n - 1 ? 1 : 2;
            near("diagonal", carom_mass_entry(ev->mass, i, i), ends / 3 / n, 1e-15 / n);
            if (i) near("next to it", carom_mass_entry(ev->mass, i, i - 1), 1. / 6 / n, 1e-15 / n);
            x[i] = y[i] = sin(i);
        }
        // M M^-1 x = x; the condition number of this mass is below 12
        carom_mass_solve(ev->mass, x);
        double *back = calloc((size_t)n, sizeof *back);
        carom_mass_times(ev->mass, x, back);
        for (int i = 0; i < n; i++) near("M M^-1 x", back[i], y[i], 12 * 2.2e-16 * 8);
        free(x);
        free(y);
        free(back);
        carom_plan_free(plan);
        carom_model_free(model);
    }
}

// no energy comes or goes but through the impact and the scheme's error, which is of order h
static void a_bar_of_a_thousand_elements_hits_the_wall(void **state)
{
    (void)state;
    carom_model *model = make_bar("1000");
    static const char *const schemes[] = {"moreau_midpoint", "moreau_jean"};
    double end[2];
    for (int k = 0; k < 2; k++) {
        // the largest frequency is sqrt(12 k n^2): h = 1/4 of its inverse
        const double h = 0.25 / (1000 * sqrt(12 * 1000.));
        carom_sim *sim = sim_of(model, schemes[k], h, 150 * h);
        carom_error error = {0};
        run_to_end(sim);
        carom_audit audit;
        must(carom_sim_audit(sim, &audit, NULL, &error), &error);
        assert_true(fabs(audit.energy_error) <= 1e-3 * audit.energy_start);
        end[k] = carom_sim_state(sim)->q[0];
        carom_sim_free(sim);
    }
    near("both schemes", end[0], end[1], 1e-6);
    carom_model_free(model);
}

static void memory_stays_far_below_a_full_matrix_for_each_answer(void **state)
{
    (void)state;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    // 13 matrices of 1000 x 1000 doubles for 4 evaluations would take 400 MB; maxrss is in kB
    if (SLOWER == 1 && usage.ru_maxrss > 200 * 1024) fail_msg("%ld kB were used", usage.ru_maxrss);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_balls_are_made_in_time_and_memory),
        cmocka_unit_test(a_chain_of_a_thousand_touching_balls_keeps_energy_and_momentum),
        cmocka_unit_test(a_column_of_a_thousand_beads_falls_and_hits),
        cmocka_unit_test(a_bar_of_finite_elements_has_the_mass_of_its_formula),
        cmocka_unit_test(a_bar_of_a_thousand_elements_hits_the_wall),
        cmocka_unit_test(memory_stays_far_below_a_full_matrix_for_each_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
