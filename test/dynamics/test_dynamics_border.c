// SPDX-License-Identifier: Apache-2.0
// Long chains of constraints in implicit schemes, whose constraints are eliminated with the matrix
// of the step. With one rod given twice (4/3 of it, so that only rounding tells the rows apart)
// they cannot be, and all rows go into the contact problem: the motion must be the same, and both
// rods together push like the one.
#include "model/model_rig.h"

#include "dynamics/border.h"
#include "dynamics/chain_of_rods.h"

// n points with rods between them, the first to the origin, and a floor under them
static const char *const chain_text =
    "carom: 1\n"
    "parameters: {n: 45, l: 0.1, slope: 0.5, depth: 0.2, mu: 0.3, both: 0}\n" CHAIN_OF_RODS(
        "  - name: first[k]\n"
        "    for: {k: 0..both}\n"
        "    equation: (1 + k/3)*(x[1]^2 + y[1]^2 - l^2)/(2*l)\n") "contacts:\n"
                                                                   "  - name: floor[i]\n"
                                                                   "    for: {i: 1..n}\n"
                                                                   "    gap: y[i] + depth + "
                                                                   "l*n*sin(slope)\n"
                                                                   "    slip: x[i]\n"
                                                                   "    friction: mu\n"
                                                                   "    restitution: 0.2\n";

static carom_model *chain(const char *const *change)
{
    carom_error error = {0};
    carom_modelfile *file = file_from_text(chain_text);
    for (const char *const *c = change; *c; c += 2)
        must(carom_builder_set(carom_modelfile_builder(file), text_of(c[0]), text_of(c[1]), &error),
             &error);
    return finish_file(file);
}

static const char *const schemes[] = {"moreau_jean", "moreau_direct_projection",
                                      "moreau_combined_projection"};
enum { N_SCHEME = sizeof schemes / sizeof *schemes, N = 45 };

// u after some steps, in which the end of the chain has hit the floor and slides, and all impulses
static void compare(const char *scheme)
{
    static const char *const none[] = {NULL}, *const both[] = {"both", "1", NULL};
    carom_model *model[2] = {chain(none), chain(both)};
    carom_sim *sim[2];
    for (int k = 0; k < 2; k++) {
        sim[k] = sim_of(model[k], scheme, 1e-3, 0.36);
        run_to_end(sim[k]);
        assert_true(carom_sim_counts(sim[k]).contact_steps > 0);
    }
    const carom_state *a = carom_sim_state(sim[0]), *b = carom_sim_state(sim[1]);
    for (int i = 0; i < 2 * N; i++) {
        near("position", a->q[i], b->q[i], 1e-12);
        near("velocity", a->u[i], b->u[i], 1e-10);
    }
    near("rods given twice", a->P[0], b->P[0] + 4.0 / 3 * b->P[1], 1e-11 * largest_of(a->P, N));
    for (int r = 1; r < 3 * N; r++)
        near("impulse", a->P[r], b->P[r + 1], 1e-11 * largest_of(a->P, N));
    for (int k = 0; k < 2; k++) {
        carom_sim_free(sim[k]);
        carom_model_free(model[k]);
    }
}

static void chains_move_as_with_all_rows_in_the_contact_problem(void **state)
{
    (void)state;
    for (int i = 0; i < N_SCHEME; i++) compare(schemes[i]);
}

// A chain that lies straight on the floor: friction has no way to push the points that rods hold
// already, nor do they move but for rounding.
static void a_chain_on_the_floor_rests(const char *mu)
{
    const char *const change[] = {"slope", "0", "depth", "0", "mu", mu, "n", "100", NULL};
    carom_model *model = chain(change);
    for (int i = 0; i < N_SCHEME; i++) {
        carom_sim *sim = sim_of(model, schemes[i], 1e-3, 0.01);
        run_to_end(sim);
        const carom_state *at = carom_sim_state(sim);
        near("velocity", largest_of(at->u, 200), 0, 1e-12);
        for (int c = 0; c < 100; c++) {
            const int r = carom_model_contact(model, c)->row;
            near("friction", at->P[r + 1], 0, 1e-3 * at->P[r]);
        }
        carom_sim_free(sim);
    }
    carom_model_free(model);
}

static void a_chain_on_the_floor_rests_with_friction(void **state)
{
    (void)state;
    a_chain_on_the_floor_rests("0.3");
}

static void a_chain_on_the_floor_rests_without_friction(void **state)
{
    (void)state;
    a_chain_on_the_floor_rests("0");
}

// the pattern of coordinates that are coupled in groups
static bool is_bordered(const carom_model *model, int group)
{
    enum { MOST = 2 * N };
    const int nu = carom_model_sizes(model).nu;
    int start[MOST + 1], index[MOST];
    double value[MOST];
    carom_error error = {0};
    const unsigned mask = CAROM_ROWS;
    carom_plan *plan;
    must(carom_plan_new(model, &mask, 1, &plan, &error), &error);
    const carom_eval *rows = carom_plan_eval(plan);
    for (int i = 0; i < nu; i++) {
        start[i] = index[i] = i;
        if (i % group > 0) index[i]--;
        value[i] = 1;
    }
    start[nu] = nu;
    const carom_sparse part = {nu, nu, start, index, value};
    carom_border *border;
    must(carom_border_new(rows, 1, &part, &border, &error), &error);
    const bool is_there = border != NULL;
    carom_border_free(border);
    carom_plan_free(plan);
    return is_there;
}

static void only_matrices_that_couple_many_coordinates_are_bordered(void **state)
{
    (void)state;
    static const char *const none[] = {NULL}, *const few[] = {"n", "20", NULL};
    carom_model *model = chain(none), *small = chain(few);
    assert_true(is_bordered(model, 2 * N));
    assert_true(is_bordered(model, 40));
    assert_false(is_bordered(model, 30));
    assert_false(is_bordered(model, 1));
    assert_false(is_bordered(small, 40));
    carom_model_free(model);
    carom_model_free(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_move_as_with_all_rows_in_the_contact_problem),
        cmocka_unit_test(a_chain_on_the_floor_rests_with_friction),
        cmocka_unit_test(a_chain_on_the_floor_rests_without_friction),
        cmocka_unit_test(only_matrices_that_couple_many_coordinates_are_bordered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
