// SPDX-License-Identifier: Apache-2.0
// The slider-crank with play: its start, the first impact, which is known from an event-driven run,
// and a slider that starts tilted, against the hand-written program. The reference states of all
// schemes are in test/schemes/test_reference_rows.c.
#include "physics/rig.h"

typedef struct row {
    long step;
    double q[3], u[3], energy, min_gap;
    long impact_steps, contact_steps;
} row;

// moreau_midpoint, mu = 0.3, start th3 = -0.017: single corners hit and the slider turns, so that
// every entry of the slip rows matters. By the hand-written program bench/hand/slider_crank.c.
static const row tilted_rows[] = {
    {50,
     {0.57031766478953883, -0.27037530132345222, 0.003093836305882666},
     {83.4554316614432, -36.211016266306629, -1.5967452142970431},
     7.0281664227290488,
     -0.00019219324073106725,
     6,
     24},
    {500,
     {4.5975518677465645, 0.52381943091208338, -0.0022315387590076986},
     {67.681657182613506, 4.6866338901054281, 0.81084276982897252},
     5.9888012360215832,
     -0.0002390687159141841,
     22,
     250},
    {1000,
     {8.0207759012724846, -0.5166566315545229, 0.0090139641499422853},
     {61.700051021428116, 4.9199059012526396, 0.80453143994595666},
     4.9511866996609415,
     -0.00024039714469954038,
     34,
     336},
};

static void follow(const char *scheme, const char *const *change, const row *rows, int n)
{
    rig r;
    rig_open(
        &r,
        &(rig_plan){
            .model = "slider-crank", .scheme = scheme, .step = 1e-4, .end = 0.2, .change = change});
    long step = 0;
    for (int k = 0; k < n; k++) {
        rig_step(&r, rows[k].step - step);
        step = rows[k].step;
        const carom_state *now = rig_state(&r);
        const carom_audit audit = rig_audit(&r);
        const carom_counts counts = carom_sim_counts(r.sim);
        for (int i = 0; i < 3; i++) {
            rig_near(now->q[i], rows[k].q[i], 1e-10);
            rig_near(now->u[i], rows[k].u[i], 1e-8);
        }
        rig_near(audit.energy_end, rows[k].energy, 1e-9);
        rig_near(audit.min_gap, rows[k].min_gap, 1e-10);
        assert_int_equal(counts.impact_steps, rows[k].impact_steps);
        assert_int_equal(counts.contact_steps, rows[k].contact_steps);
        assert_int_equal(counts.unconverged, 0);
    }
    rig_close(&r);
}

#define FOLLOW(scheme, change, rows)                                                               \
    follow(scheme, change, rows, (int)(sizeof(rows) / sizeof *(rows)))

static const char *const tilted[] = {"e=0.4", "mu=0.3", "start th3=-0.017", NULL};

static void tilted_slider_moves_as_in_the_hand_written_program(void **state)
{
    (void)state;
    FOLLOW("moreau_midpoint", tilted, tilted_rows);
}

static void start_has_the_published_energy_and_gaps(void **state)
{
    rig r;
    (void)state;
    rig_open(&r, &(rig_plan){.model = "slider-crank", .step = 1e-5, .end = 1e-5});
    const carom_audit audit = rig_audit(&r);
    rig_near(audit.energy_start, 7.49554875, 1e-13);
    rig_near(audit.min_gap, 0.001, 1e-16);
    rig_close(&r);
}

// The impact is seen in the step that holds it, or the next one where the midpoint is still open:
// within 2 h. Until then the gap rate changes by at most 400 m/s2.
static void first_impact_is_where_the_event_driven_run_finds_it(void **state)
{
    const double h[3] = {2e-6, 1e-6, 5e-7}, t = 0.002692502752, rate = -0.841612322;
    (void)state;
    for (int k = 0; k < 3; k++) {
        rig r;
        rig_open(&r, &(rig_plan){.model = "slider-crank",
                                 .scheme = "moreau_midpoint",
                                 .step = h[k],
                                 .end = 0.003});
        rig_run(&r);
        assert_true(r.n_impact >= 2);
        rig_near(r.impact[0].t, t, 2 * h[k]);
        rig_near(r.impact[0].before, rate, 2 * 400 * h[k]);
        rig_near(r.impact[0].after, -0.4 * r.impact[0].before, 1e-12);
        rig_close(&r);
    }
}

// A tilted slider uses all corners, and the sign of every slip row: the laws must hold and friction
// must only take.
static void tilted_slider_obeys_the_laws_in_every_step(void **state)
{
    rig r;
    const char *const change[] = {"mu=0.3", "start th3=0.017", NULL};
    (void)state;
    rig_open(&r, &(rig_plan){.model = "slider-crank",
                             .scheme = "moreau_midpoint",
                             .step = 1e-5,
                             .end = 0.2,
                             .change = change});
    rig_run(&r);
    const carom_audit audit = rig_audit(&r);
    rig_below(audit.residual, 1e-9);
    rig_below(audit.cone_violation, 1e-15);
    assert_true(audit.friction_loss > 0);
    assert_true(audit.impact_loss > 0);
    assert_true(audit.energy_end < audit.energy_start);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_has_the_published_energy_and_gaps),
        cmocka_unit_test(first_impact_is_where_the_event_driven_run_finds_it),
        cmocka_unit_test(tilted_slider_moves_as_in_the_hand_written_program),
        cmocka_unit_test(tilted_slider_obeys_the_laws_in_every_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
