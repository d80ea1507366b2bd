// SPDX-License-Identifier: Apache-2.0
// The bouncing ball and the column of beads: the closed form (a ball falls, leaves with e
// times its arrival speed), and states of an independent implementation to 1e-10. The closed
// form has impacts at t1 = sqrt(2 H/g) and then after 2 e^k v1/g each; time stepping finds
// each of them within one step.
#include "physics/rig.h"

typedef struct sample {
    long step;
    double y, u, P;
} sample;

static const sample jean_rows[] = {
    {1, 0.999877375, -0.04905, 0},
    {90, 0.006737500000000538, -4.414499999999996, 0},
    {91, 0.005633875000000537, 3.9730499999999953, 8.436599999999991},
    {92, 0.025376500000000517, 3.9239999999999955, 0},
    {93, 0.04487387500000049, 3.8749499999999957, 0},
    {200, 0.7140385000000009, -1.373399999999999, 0},
    {400, 0.001059962500000372, -3.585554999999997, 0},
    {1000, 0.15135368026251253, -0.7522581257550001, 0},
};

// P of the reference is the scheme's own; the library shows the impulse P/h
static const sample paoli_rows[] = {
    {1, 0.99975475, -0.024524999999997465, 0},
    {90, -0.004298749999898728, -4.389974999999615, 0},
    {91, -0.015996375000089408, -3.377012500018875, 0.010620124999807393 / 0.005},
    {92, 0.0038688749999088654, 0.8167624999807592, 0.03180812500018895 / 0.005},
    {93, 0.02348887499990714, 3.948524999999654, 0},
    {200, 0.7057743749998286, -1.2998249999998879, 0},
};

static void follow(const char *scheme, const sample *rows, int n)
{
    rig r;
    rig_open(&r, &(rig_plan){.model = "bouncing-ball", .scheme = scheme, .step = 0.005, .end = 5});
    long step = 0;
    for (int k = 0; k < n; k++) {
        rig_step(&r, rows[k].step - step);
        step = rows[k].step;
        rig_near(rig_state(&r)->q[0], rows[k].y, 1e-10);
        // central differences of q carry its rounding over h
        rig_near(rig_state(&r)->u[0], rows[k].u, 1e-10);
        rig_near(rig_state(&r)->P[0], rows[k].P, 1e-10);
    }
    rig_close(&r);
}

static void moreau_jean_gives_the_reference_states(void **state)
{
    (void)state;
    follow("moreau_jean", jean_rows, (int)(sizeof jean_rows / sizeof *jean_rows));
}

static void schatzman_paoli_gives_the_reference_states(void **state)
{
    (void)state;
    follow("schatzman_paoli", paoli_rows, (int)(sizeof paoli_rows / sizeof *paoli_rows));
}

// Height by the closed form: free flights between impacts at which the speed falls by e.
static double closed_form(double t)
{
    const double gravity = 9.81, e = 0.9;
    double speed = sqrt(2 * gravity), begin = speed / gravity;
    if (t < begin) return 1 - 0.5 * gravity * t * t;
    for (speed *= e; t > begin + 2 * speed / gravity; speed *= e) begin += 2 * speed / gravity;
    return speed * (t - begin) - 0.5 * gravity * (t - begin) * (t - begin);
}

static double distance_from_closed_form(const char *scheme, double h)
{
    rig r;
    double far = 0;
    rig_open(&r, &(rig_plan){.model = "bouncing-ball", .scheme = scheme, .step = h, .end = 2});
    for (long i = 1; i <= lround(2 / h); i++) {
        rig_step(&r, 1);
        far = fmax(far, fabs(rig_state(&r)->q[0] - closed_form((double)i * h)));
    }
    rig_close(&r);
    return far;
}

// By 2 s there are 2 impacts. Each is shifted by at most h, which moves the later path
// by at most (1 + e) v h, and speeds by at most (1 + e) g h, which grows by the time
// left: together below 30 h.
static void ball_follows_the_closed_form_to_first_order(void **state)
{
    const char *const scheme[] = {"moreau_midpoint", "moreau_jean_explicit", "moreau_jean",
                                  "schatzman_paoli"};
    (void)state;
    for (int k = 0; k < 4; k++) {
        rig_below(distance_from_closed_form(scheme[k], 1e-3), 30 * 1e-3);
        rig_below(distance_from_closed_form(scheme[k], 1e-4), 30 * 1e-4);
    }
}

static void ball_leaves_with_e_times_its_arrival_speed(void **state)
{
    const char *const scheme[] = {"moreau_midpoint", "moreau_jean_explicit", "moreau_jean"};
    const double h = 1e-4, arrival = sqrt(2 * 9.81);
    (void)state;
    for (int k = 0; k < 3; k++) {
        rig r;
        rig_open(&r,
                 &(rig_plan){.model = "bouncing-ball", .scheme = scheme[k], .step = h, .end = 1});
        rig_run(&r);
        assert_true(r.n_impact >= 1);
        rig_near(r.impact[0].after, -0.9 * r.impact[0].before, 1e-13);
        rig_near(r.impact[0].before, -arrival, 2 * 9.81 * h);
        rig_near(r.impact[0].t, arrival / 9.81, 2 * h);
        rig_close(&r);
    }
}

static void ball_without_restitution_rests(void **state)
{
    const char *const scheme[] = {"moreau_midpoint", "moreau_jean_explicit", "moreau_jean"};
    const char *const change[] = {"e=0", NULL};
    (void)state;
    for (int k = 0; k < 3; k++) {
        rig r;
        rig_open(&r, &(rig_plan){.model = "bouncing-ball",
                                 .scheme = scheme[k],
                                 .step = 0.005,
                                 .end = 3,
                                 .change = change});
        rig_step(&r, 110);
        for (int i = 0; i < 490; i++) {
            rig_step(&r, 1);
            rig_below(fabs(rig_state(&r)->u[0]), 1e-14);
            // the impulse carries the weight: m g h in each step
            rig_near(rig_state(&r)->P[0], 9.81 * 0.005, 1e-14);
        }
        rig_close(&r);
    }
}

static void column_of_beads_ends_as_the_reference(void **state)
{
    static const double q[10] = {0.09999849387805472, 0.29998889476972523, 0.4999883601271787,
                                 0.6999877332230258,  0.8999828851590386,  1.0999804227145287,
                                 1.2999790847324966,  1.4999771671195783,  1.6999750177690784,
                                 1.8999744345895206};
    rig r;
    (void)state;
    rig_open(&r, &(rig_plan){
                     .model = "column-of-beads", .scheme = "moreau_jean", .step = 5e-4, .end = 2});
    rig_run(&r);
    const carom_audit audit = rig_audit(&r);
    for (int i = 0; i < 10; i++) {
        rig_near(rig_state(&r)->q[i], q[i], 1e-10);
        rig_near(rig_state(&r)->u[i], 0, 1e-10);
    }
    rig_near(audit.min_gap, -0.0016805203919251777, 1e-10);
    // 10 beads of 1 kg: the sum of ten heights
    rig_near(audit.energy_end, 98.09835676694664, 9.81 * 10 * 1e-10);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moreau_jean_gives_the_reference_states),
        cmocka_unit_test(schatzman_paoli_gives_the_reference_states),
        cmocka_unit_test(ball_follows_the_closed_form_to_first_order),
        cmocka_unit_test(ball_leaves_with_e_times_its_arrival_speed),
        cmocka_unit_test(ball_without_restitution_rests),
        cmocka_unit_test(column_of_beads_ends_as_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
