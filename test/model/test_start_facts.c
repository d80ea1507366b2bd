// SPDX-License-Identifier: Apache-2.0
// What a model knows of its start: how deep its deepest contact is, how that gap moves if nothing
// holds it, and what the forces do at first.
#include "model/model_rig.h"

#include "model/model.h"

// masses 2 and 5, forces 6 and -15 N: accelerations 3 and -3; the gap y - x/2 is -1e-4 m
static const char two_masses[] =
    "carom: 1\ncoordinates: {x: {start: 0.5, rate: 4}, y: {start: 0.2499, rate: 1}, z: {start: 1}}\n"
    "kinetic: (2*der(x)^2 + 5*der(y)^2 + 4*der(z)^2)/2\n"
    "forces: [{coordinate: x, force: 6}, {coordinate: y, force: -15}, {coordinate: z, force: 8}]\n"
    "contacts: [{name: open, gap: z}, {name: deep, gap: y - x/2}]\n";

static void facts_of_the_start_are_those_of_the_model(void **state)
{
    (void)state;
    carom_model *model = model_from_text(two_masses);
    const carom_start_facts *start = &model->start;
    assert_int_equal(start->contact, 1);
    assert_true(fabs(start->depth - 1e-4) < 1e-15);
    assert_true(fabs(start->rate - (1 - 4 / 2.)) < 1e-15);
    assert_true(fabs(start->acceleration - (-3 - 3 / 2.)) < 1e-14);
    // f' M^-1 f
    assert_true(fabs(start->push - (6 * 3 + 15 * 3 + 8 * 2)) < 1e-13);
    // the largest of the gaps and of what a coordinate makes of one
    assert_true(start->size == 1);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(facts_of_the_start_are_those_of_the_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
