// SPDX-License-Identifier: Apache-2.0
// label: slow
// Every time-stepping scheme on a row of touching balls that is hit and on a column of beads at
// rest, and the implicit ones of Moreau and Jean on a long chain of rods: a step with three times
// as many bodies takes about as many iterations and three times the time. Iterations are counted;
// processor time is the smallest of three runs, and 6 times is let pass because caches are smaller
// than the larger model. A quadratic step would take 9 times.
#include "dynamics/chain_of_rods.h"
#include "model/model_rig.h"

#include <math.h>

typedef struct cost {
    double iterations, time; // of one step
} cost;

typedef struct scene {
    const char *file;          // a shipped model, or
    const char *text;          // the name of one in this text
    const char *const *change; // name, value, ..., NULL
    double h;
    int n_step;
    const char *only; // the scheme to look at, NULL = all
} scene;

enum { N_STEP = 10, LONG = 100, N_RUN = 3, SMALL = 1000, LARGE = 3000 };

static carom_model *make(const scene *it, int n)
{
    carom_error error = {0};
    carom_modelfile *file = it->text ? file_from_text(it->text) : shipped_file(it->file);
    carom_builder *builder = carom_modelfile_builder(file);
    char count[16];
    snprintf(count, sizeof count, "%d", n);
    must(carom_builder_set(builder, text_of("n"), text_of(count), &error), &error);
    for (const char *const *c = it->change; *c; c += 2)
        must(carom_builder_set(builder, text_of(c[0]), text_of(c[1]), &error), &error);
    return finish_file(file);
}

static cost measure(const carom_model *model, const scene *it, const char *scheme)
{
    cost best = {0, INFINITY};
    carom_error error = {0};
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.step = it->h;
    options.end = it->n_step * it->h;
    for (int k = 0; k < N_RUN; k++) {
        carom_sim *sim;
        must(carom_sim_new(model, &options, &sim, &error), &error);
        must(carom_sim_run(sim, &error), &error);
        const carom_counts counts = carom_sim_counts(sim);
        assert_int_equal(counts.unconverged, 0);
        best.iterations = (double)counts.solver_iterations / (double)counts.steps;
        best.time = fmin(best.time, carom_sim_times(sim).stepping / (double)counts.steps);
        carom_sim_free(sim);
    }
    return best;
}

static cost quicker(cost a, cost b)
{
    return a.time < b.time ? a : b;
}

static void check(const scene *it)
{
    carom_model *small = make(it, SMALL), *large = make(it, LARGE);
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *scheme = carom_scheme_at(i);
        // the event-driven scheme has its own test of chains
        if (!scheme->has_contact || strcmp(scheme->name, "event_driven") == 0) continue;
        if (it->only && strcmp(scheme->name, it->only) != 0) continue;
        cost a = measure(small, it, scheme->name), b = measure(large, it, scheme->name);
        // what more iterations take is not growth; how many there may be is looked at below
        const double more = fmax(1, (1 + b.iterations) / (1 + a.iterations));
        // other work on the machine can only add time: what is too long is measured again, both
        // sides alike
        for (int again = 0; again < 4 && !(b.time <= 6 * more * a.time); again++) {
            a = quicker(a, measure(small, it, scheme->name));
            b = quicker(b, measure(large, it, scheme->name));
        }
        print_message("%-16s %-27s %6.1f %6.1f iterations %6.2f %6.2f ms\n", it->file, scheme->name,
                      a.iterations, b.iterations, 1e3 * a.time, 1e3 * b.time);
        if (!(b.iterations <= 1.5 * a.iterations + 3))
            fail_msg("%s takes %g iterations for %d bodies and %g for %d", scheme->name,
                     a.iterations, SMALL, b.iterations, LARGE);
        if (!(b.time <= 6 * more * a.time))
            fail_msg("%s takes %g s for %d bodies and %g s for %d", scheme->name, a.time, SMALL,
                     b.time, LARGE);
    }
    carom_model_free(small);
    carom_model_free(large);
}

static void a_hit_on_a_row_of_balls_costs_in_proportion_to_the_balls(void **state)
{
    (void)state;
    static const char *const change[] = {NULL};
    const scene it = {"chain-of-balls", NULL, change, 1e-3, N_STEP, NULL};
    check(&it);
}

static void a_column_at_rest_costs_in_proportion_to_the_beads(void **state)
{
    (void)state;
    static const char *const change[] = {"height", "0.1", "pitch", "0.2", "e", "0", NULL};
    const scene it = {"column-of-beads", NULL, change, 5e-4, N_STEP, NULL};
    check(&it);
}

static void a_column_that_lands_costs_in_proportion_to_the_beads(void **state)
{
    (void)state;
    static const char *const change[] = {"height", "0.10001", "pitch", "0.2", "e", "0.5", NULL};
    const scene it = {"column-of-beads", NULL, change, 5e-4, N_STEP, NULL};
    check(&it);
}

// balls that fly on together have no velocity against each other: a scheme that takes velocities
// from positions must not make one from their rounding, which would grow with every step
static void a_row_that_was_hit_stays_cheap(void **state)
{
    (void)state;
    static const char *const change[] = {NULL};
    const scene it = {"chain-of-balls", NULL, change, 1e-3, LONG, "schatzman_paoli"};
    check(&it);
}

// n points that hang on each other by rods, which fall from a slope
static const char *const rods =
    "carom: 1\n"
    "parameters: {n: 10, l: 0.1, slope: 0.5}\n" CHAIN_OF_RODS(
        "  - {name: first, equation: '(x[1]^2 + y[1]^2 - l^2)/(2*l)'}\n");

static void a_chain_of_rods_costs_in_proportion_to_the_rods(void **state)
{
    (void)state;
    static const char *const change[] = {NULL};
    static const char *const schemes[] = {"moreau_jean", "moreau_direct_projection",
                                          "moreau_combined_projection"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        const scene it = {"rods", rods, change, 1e-3, N_STEP, schemes[i]};
        check(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hit_on_a_row_of_balls_costs_in_proportion_to_the_balls),
        cmocka_unit_test(a_column_at_rest_costs_in_proportion_to_the_beads),
        cmocka_unit_test(a_column_that_lands_costs_in_proportion_to_the_beads),
        cmocka_unit_test(a_row_that_was_hit_stays_cheap),
        cmocka_unit_test(a_chain_of_rods_costs_in_proportion_to_the_rods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
