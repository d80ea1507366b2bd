// SPDX-License-Identifier: Apache-2.0
// The spring pendulum against a wall (Capobianco and Eugster) with Moreau's midpoint
// rule, h = 0.002: states of an independent implementation at 0.5, 1, 2 and 10 s.
#include "physics/rig.h"

typedef struct sample {
    long step;
    double q[2], u[2], energy;
} sample;

static const sample rows[] = {
    {250,
     {1.1837272615361187, 0.12210771150469371},
     {0.5113104340911727, -1.919360038779232},
     -7.126406279499536},
    {500,
     {1.0529387522338338, 0.7219121907857596},
     {0.21211795666280953, 0.9112034030421832},
     -7.129724253295103},
    {1000,
     {1.0792476042256847, 0.5423895786389685},
     {-0.6142241121382046, 1.5709724223293473},
     -7.127936888564697},
    {5000,
     {1.0597596236952131, 0.5826500066799573},
     {-0.029902724708936863, 1.5467922219960526},
     -7.158397576919881},
};

static void midpoint_rule_gives_the_reference_states(void **state)
{
    rig r;
    long step = 0;
    (void)state;
    rig_open(
        &r, &(rig_plan){
                .model = "spring-pendulum", .scheme = "moreau_midpoint", .step = 0.002, .end = 10});
    rig_near(rig_audit(&r).energy_start, -7.130389275784036, 1e-14);
    for (int k = 0; k < 4; k++) {
        rig_step(&r, rows[k].step - step);
        step = rows[k].step;
        for (int i = 0; i < 2; i++) {
            rig_near(rig_state(&r)->q[i], rows[k].q[i], 1e-10);
            rig_near(rig_state(&r)->u[i], rows[k].u[i], 1e-8);
        }
        rig_near(rig_audit(&r).energy_end, rows[k].energy, 1e-9);
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(midpoint_rule_gives_the_reference_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
