// SPDX-License-Identifier: Apache-2.0
// counts allocations: every scheme on every shipped model that it accepts. A step takes
// no memory, a repeated run and a restart give the same bits, and what a scheme cannot do
// is refused with the reason.
#include "battery/battery_rig.h"
#include "count_allocations.h"
#include "model/model_texts.h"

#include <unistd.h>

enum { N_STEP = 120 };

// a step that meets contact within N_STEP steps
static double step_of(const char *name)
{
    static const struct {
        const char *name;
        double h;
    } step[] = {{"slider-crank", 1e-4},        {"slider-crank-bilateral", 1e-4},
                {"woodpecker", 1e-3},          {"pendulum-in-ring", 1e-2},
                {"bouncing-ball", 1e-2},       {"ball-in-box", 1e-2},
                {"column-of-beads", 1e-2},     {"rocking-block", 1e-2},
                {"oscillator-with-stop", 2e-2}};
    for (size_t i = 0; i < sizeof step / sizeof *step; i++)
        if (strcmp(step[i].name, name) == 0) return step[i].h;
    return 2e-3;
}

static void steps(carom_sim *sim, int n)
{
    carom_error error = {0};
    for (int k = 0; k < n; k++) must(carom_sim_step(sim, &error), &error);
}

static void same_bits(const carom_sim *a, const carom_sim *b, const carom_sizes *size)
{
    const carom_state *x = carom_sim_state(a), *y = carom_sim_state(b);
    assert_true(x->t == y->t);
    assert_memory_equal(x->q, y->q, sizeof(double) * (size_t)size->nq);
    assert_memory_equal(x->u, y->u, sizeof(double) * (size_t)size->nu);
    if (!size->n_row) return;
    assert_memory_equal(x->P, y->P, sizeof(double) * (size_t)size->n_row);
    assert_memory_equal(x->la, y->la, sizeof(double) * (size_t)size->n_row);
}

// run, run again, and stop in the middle and go on from a file
static void check(const carom_model *model, const carom_scheme *scheme, double h)
{
    carom_error error = {0};
    const carom_sizes size = carom_model_sizes(model);
    carom_sim *sim = accepted_sim(model, scheme, h, N_STEP * h), *again, *on;
    if (!sim) return;
    again = accepted_sim(model, scheme, h, N_STEP * h);
    on = accepted_sim(model, scheme, h, N_STEP * h);
    char path[256];
    snprintf(path, sizeof path, "/tmp/carom-battery-%ld.checkpoint", (long)getpid());

    const long before = n_allocation;
    steps(sim, N_STEP / 2);
    if (n_allocation != before)
        fail_msg("%s took memory %ld times", scheme->name, n_allocation - before);
    must(carom_sim_checkpoint(sim, path, &error), &error);
    steps(sim, N_STEP / 2);
    steps(again, N_STEP);
    same_bits(sim, again, &size);
    must(carom_sim_restart(on, path, &error), &error);
    steps(on, N_STEP / 2);
    same_bits(sim, on, &size);
    remove(path);
    if (carom_sim_counts(sim).unconverged > 0)
        fail_msg("%s: %ld problems did not converge", scheme->name,
                 carom_sim_counts(sim).unconverged);
    carom_sim_free(sim);
    carom_sim_free(again);
    carom_sim_free(on);
}

static void every_scheme_steps_through_every_shipped_model(void **state)
{
    (void)state;
    for (int m = 0; m < N_SHIPPED; m++) {
        carom_model *model = shipped_model(shipped_models[m], NULL, NULL);
        for (int k = 0; k < carom_scheme_count(); k++)
            check(model, carom_scheme_at(k), step_of(shipped_models[m]));
        carom_model_free(model);
    }
}

static void every_scheme_steps_through_rheonomic_models(void **state)
{
    (void)state;
    for (int m = 0; m < N_BUILT; m++) {
        if (built_models[m] == &zoo) continue; // more rows than it can keep: made for derivatives
        carom_model *model = model_from_text(built_models[m]->text);
        for (int k = 0; k < carom_scheme_count(); k++) check(model, carom_scheme_at(k), 1e-3);
        carom_model_free(model);
    }
}

static void the_table_holds_what_a_scheme_needs(void **state)
{
    (void)state;
    assert_true(carom_scheme_count() >= 4);
    for (int k = 0; k < carom_scheme_count(); k++) {
        const carom_scheme *scheme = carom_scheme_at(k);
        assert_ptr_equal(carom_scheme_find(scheme->name), scheme);
        assert_true(scheme->order_free >= 1 && scheme->n_eval >= 1 && scheme->n_eval <= 4);
        assert_non_null(scheme->about);
        assert_non_null(scheme->reference);
        assert_non_null(scheme->step);
        assert_true(scheme->mask && scheme->mask[0] != 0);
    }
    assert_null(carom_scheme_find("moreau"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_holds_what_a_scheme_needs),
        cmocka_unit_test(every_scheme_steps_through_every_shipped_model),
        cmocka_unit_test(every_scheme_steps_through_rheonomic_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
