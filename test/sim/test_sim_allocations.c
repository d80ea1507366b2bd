// SPDX-License-Identifier: Apache-2.0
// counts allocations: a step takes no memory, with and without rows, events
// and checkpoints around it.
#include "count_allocations.h"
#include "sim/sim_rig.h"

static carom_status ignore_row(void *self, const double *value, int n, carom_error *error)
{
    (void)value, (void)n, (void)error;
    ++*(long *)self;
    return CAROM_OK;
}

static carom_status ignore_event(void *self, const carom_event *event, carom_error *error)
{
    (void)self, (void)event, (void)error;
    return CAROM_OK;
}

static void expect_none(carom_model *model)
{
    carom_sim *sim = rig_sim(model, 1e-3, 1, 3);
    carom_error error = {0};
    long n_row = 0;
    const carom_recorder recorder = {.self = &n_row, .row = ignore_row, .event = ignore_event};
    rig_ok(carom_sim_add_recorder(sim, recorder, &error), &error);
    const long before = n_allocation;
    assert_true(before > 0);
    rig_ok(carom_sim_run(sim, &error), &error);
    assert_int_equal(n_allocation, before);
    assert_int_equal(n_row, 1 + 333 + 1);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void a_step_allocates_nothing(void **state)
{
    (void)state;
    expect_none(rig_ball("0.5"));
    expect_none(rig_block());
    expect_none(rig_pendulum());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_step_allocates_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
