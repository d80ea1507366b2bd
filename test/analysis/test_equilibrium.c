// SPDX-License-Identifier: Apache-2.0
// Rests against closed forms.
#include "model/model_rig.h"

static carom_equilibrium rest_of(const char *text)
{
    carom_error error = {0};
    carom_equilibrium rest;
    carom_model *model = model_from_text(text);
    must(carom_equilibrium_find(model, &rest, &error), &error);
    carom_model_free(model);
    printf("passes %d residual %g softest %g free %d q", rest.passes, rest.residual, rest.softest,
           rest.n_free);
    for (int i = 0; i < rest.nq && i < 6; i++) printf(" %.15g", rest.q[i]);
    printf(" la");
    for (int i = 0; i < rest.n_row && i < 6; i++) printf(" %.15g", rest.la[i]);
    puts("");
    return rest;
}

static void a_mass_on_a_spring_and_a_floor(void **state)
{
    (void)state;
    carom_equilibrium rest = rest_of("carom: 1\ncoordinates: {y: {start: 1}}\n"
                                     "kinetic: der(y)^2\n"
                                     "potential: 2*9.81*y + 50/2*(y - 1)^2\n"
                                     "contacts: [{name: floor, gap: y}]\n");
    carom_equilibrium_free(&rest);
    rest = rest_of("carom: 1\ncoordinates: {y: {start: 1}}\n"
                   "kinetic: der(y)^2\n"
                   "potential: 2*9.81*y + 10/2*(y - 1)^2\n"
                   "contacts: [{name: floor, gap: y}]\n");
    carom_equilibrium_free(&rest);
    rest = rest_of("carom: 1\ncoordinates: {x: {start: 0.1}}\n"
                   "kinetic: der(x)^2/2\n"
                   "potential: x^4/4 - x^2/2\n");
    carom_equilibrium_free(&rest);
    rest = rest_of("carom: 1\ncoordinates: {x: {start: 3}}\n"
                   "kinetic: der(x)^2/2\n"
                   "potential: x^4/4 - x^2/2\n");
    carom_equilibrium_free(&rest);
    rest = rest_of("carom: 1\ncoordinates: {x: {start: 0}}\n"
                   "kinetic: der(x)^2/2\n"
                   "potential: x^4/4 - x^2/2\n");
    carom_equilibrium_free(&rest);
    rest = rest_of("carom: 1\ncoordinates: {x: {start: 1}, y: {start: 0.1}}\n"
                   "kinetic: (der(x)^2 + der(y)^2)/2\n"
                   "potential: 9.81*(x*sin(0.3) + y*cos(0.3))\n"
                   "contacts: [{name: floor, gap: y, slip: x, friction: 0.35}]\n");
    carom_equilibrium_free(&rest);
    rest = rest_of("carom: 1\ncoordinates: {a: {start: 2}}\n"
                   "kinetic: der(a)^2/2\n"
                   "potential: -9.81*cos(a)\n");
    carom_equilibrium_free(&rest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mass_on_a_spring_and_a_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
