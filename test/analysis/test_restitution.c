// SPDX-License-Identifier: Apache-2.0
// What is measured of each impact law is what was asked: Kane's pendulum with friction, a hinge
// held by constraints, a restitution of the arrival speed, a contact that cannot close.
#include "model/model_rig.h"

static carom_restitution measured_of(const char *text, const char *law, int contact)
{
    char whole[2048];
    carom_restitution found[4];
    carom_error error = {0};
    snprintf(whole, sizeof whole, "carom: 1\n%s law: %s}]\n", text, law);
    carom_model *model = model_from_text(whole);
    must(carom_restitution_measure(model, found, &error), &error);
    carom_model_free(model);
    return found[contact];
}

static void each_law_is_measured_as_it_means_it(void **state)
{
    (void)state;
    static const char *const law[] = {"newton", "poisson", "stronge", "sequential"};
    static const double allowed[] = {1e-9, 1e-9, 2e-5, 1e-9};
    static const char *const text[] = {
        "parameters: {a: 20*pi/180, b: 30*pi/180, H: cos(a) + cos(b)}\n"
        "coordinates: {p: {start: a}, q: {start: b}}\n"
        "define: {x: sin(p) + sin(q), y: H - cos(p) - cos(q)}\n"
        "kinetic: der(p)^2/6 + (der(p)^2 + der(q)^2/4 + der(p)*der(q)*cos(p - q))/2 + der(q)^2/24\n"
        "contacts: [{name: tip, gap: y, slip: x, friction: 0.5, restitution: 0.35,",
        "parameters: {J: 0.1, c: 0.3}\n"
        "coordinates: {x: {start: c*sin(0.7)}, y: {start: -c*cos(0.7)}, p: {start: 0.7}, s: {start: -0.5}}\n"
        "kinetic: (der(x)^2 + der(y)^2 + J*der(p)^2)/2 + 0.4*der(s)^2\n"
        "constraints: [{name: hx, equation: x - c*sin(p)}, {name: hy, equation: y + c*cos(p)}]\n"
        "contacts: [{name: tip, gap: s + 1.2 - x - 0.5*sin(p), slip: y - 0.5*cos(p), friction: 0.4, restitution: 0.35,",
        "coordinates: {y: {start: 1}}\n"
        "kinetic: der(y)^2/2\n"
        "contacts: [{name: floor, gap: y, restitution: 0.5 - 0.15*arrival_speed,"};
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < 4; i++) {
            const carom_restitution found = measured_of(text[m], law[i], 0);
            near("asked", found.e, 0.35, 1e-15);
            near(law[i], found.measured, 0.35, allowed[i]);
        }
}

static void what_is_locked_has_none(void **state)
{
    (void)state;
    const carom_restitution found =
        measured_of("coordinates: {x: {start: 0}, y: {start: 0}}\n"
                    "kinetic: (der(x)^2 + der(y)^2)/2\n"
                    "constraints: [{name: guide, equation: y}]\n"
                    "contacts: [{name: floor, gap: y, restitution: 0.5,",
                    "poisson", 0);
    assert_true(isnan(found.measured));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_law_is_measured_as_it_means_it),
        cmocka_unit_test(what_is_locked_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
