// SPDX-License-Identifier: Apache-2.0
// The slider-crank with play against states computed by an independent implementation, e = 0.4,
// h = 1e-4: positions to 1e-10, velocities to 1e-8, energy to 1e-9, smallest gap to 1e-10, counts
// exactly. The first impact, which is known from an event-driven run. A slider that starts tilted.
#include "physics/rig.h"

typedef struct row {
    long step;
    double q[3], u[3], energy, min_gap;
    long impact_steps, contact_steps;
} row;

// moreau_midpoint|e=0.4|mu=0.0|h=0.0001
static const row midpoint_rows[] = {
    {20,
     {0.2755190353246392, -0.13477945125836915, 0.0},
     {120.12677651369786, -56.26540694827399, 0.0},
     7.448698723410772,
     0.0004946560485684023,
     0,
     0},
    {50,
     {0.5744517276735177, -0.2722420844315619, 0.0},
     {85.10461251224037, -36.67533249317139, 0.0},
     7.353783734963835,
     -5.478636166289519e-05,
     1,
     1},
    {100,
     {0.9440142294217599, -0.41338243516584855, -4.476419235288633e-17},
     {66.93804508943064, -21.516566046864018, 1.4210854715202004e-14},
     7.322900201011177,
     -5.478636166289519e-05,
     4,
     4},
    {200,
     {1.6023795316250677, -0.520604421517555, 1.5987211554602204e-17},
     {70.60679132404125, 0.8242653608276236, 7.105427357601002e-15},
     7.315579482811948,
     -5.478636166289519e-05,
     6,
     6},
    {500,
     {4.766492509783281, 0.5268018293944929, -7.50957629414019e-16},
     {68.6861914395351, -2.090448165822146, 5.551115123125783e-17},
     7.247743446896748,
     -0.00011210712804951908,
     13,
     113},
    {1000,
     {8.829847030624165, -0.28773312874242674, -2.8727992207322844e-16},
     {122.99196370688838, 53.03664565644021, 1.8041124150158794e-15},
     6.891931702748536,
     -0.00011210712804951908,
     25,
     178},
    {2000,
     {17.7829805836273, 0.4563114407945438, -4.110738225510235e-16},
     {61.039462784512594, -16.84867744550377, 2.862293735361732e-17},
     6.47545027338247,
     -0.0001457095659795904,
     48,
     421},
};
// moreau_jean_explicit|e=0.4|mu=0.0|h=0.0001
static const row jean_rows[] = {
    {20,
     {0.2784100219477781, -0.13659304926374397, 0.0},
     {120.94040231172063, -56.786325024257344, 0.0},
     7.606596221523712,
     0.0006190522693240441,
     0,
     0},
    {50,
     {0.58087460429765, -0.27529706425972544, 0.0},
     {85.47496374019549, -36.894355213854425, 0.0},
     7.521746954392374,
     -8.577590819810327e-05,
     1,
     1},
    {100,
     {0.9538641724904516, -0.4165633175594019, -1.8758328224066635e-16},
     {67.68063093915215, -21.035205830569172, -5.684341886080802e-14},
     7.479771647585426,
     -8.577590819810327e-05,
     2,
     2},
    {200,
     {1.6206206686332323, -0.5201415371420406, -2.0463630789890872e-16},
     {71.99303172393032, 1.7724010983926906, 0.0},
     7.4487250014966255,
     -8.577590819810327e-05,
     3,
     3},
    {500,
     {4.805082506096848, 0.5260958362860197, -2.2506441155201165e-16},
     {68.38458545375649, -3.6597617882666595, 0.0},
     7.402343036725214,
     -0.000318077185708681,
     9,
     135},
    {1000,
     {9.038205105114725, -0.19423093128701066, -1.044798275673386e-15},
     {138.19234049938532, 65.22376969633731, 2.2898349882893854e-16},
     7.26601918452074,
     -0.0003967992823509896,
     23,
     222},
    {2000,
     {18.15069567774236, 0.326587080171103, 2.917471819685611e-16},
     {74.41569231394631, -31.89180955860633, -1.3877787807814457e-17},
     7.068777449257513,
     -0.00043954322109684973,
     41,
     487},
};
// moreau_jean_explicit|e=0.4|mu=0.01|h=0.0001
static const row jean_friction_rows[] = {
    {20,
     {0.2784100219477781, -0.13659304926374397, 0.0},
     {120.94040231172063, -56.786325024257344, 0.0},
     7.606596221523712,
     0.0006190522693240441,
     0,
     0},
    {50,
     {0.5807530144888486, -0.27524600517301767, -4.085620730620575e-17},
     {85.42405807758485, -36.87647907394986, -2.042810365310288e-14},
     7.511273630475668,
     -8.577590819810327e-05,
     1,
     1},
    {100,
     {0.953472750606847, -0.41644276470497565, 4.1655567883935994e-17},
     {67.62495690252757, -21.028156877289312, 3.552713678800501e-14},
     7.465601302931976,
     -8.577590819810327e-05,
     2,
     2},
    {200,
     {1.61943742410871, -0.5201694465489888, -8.983924715266746e-17},
     {71.87792798574735, 1.7232383694955233, -1.4654943925052066e-14},
     7.432947275223093,
     -8.577590819810327e-05,
     3,
     3},
    {500,
     {4.799599118239542, 0.5263102461716885, -6.719398908811017e-16},
     {68.3074746359028, -3.4403761503266517, 5.334274688628682e-17},
     7.356855920721038,
     -0.0002994827788122545,
     9,
     134},
    {1000,
     {8.995664537158149, -0.2140455668036748, 1.6522861637919247e-16},
     {135.1749451992072, 62.89494237001629, 1.2333883914195098e-15},
     7.1704162304277625,
     -0.00038046908922135386,
     20,
     215},
    {2000,
     {18.06043633053227, 0.3636790878138851, -2.9070439265987813e-15},
     {69.39981925916138, -27.54416410052926, 2.6156377411212794e-18},
     6.90951660628707,
     -0.0004172839229929261,
     38,
     484},
};

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

static const char *const frictionless[] = {"e=0.4", "mu=0", NULL};
static const char *const rough[] = {"e=0.4", "mu=0.01", NULL};
static const char *const tilted[] = {"e=0.4", "mu=0.3", "start th3=-0.017", NULL};

static void midpoint_rule_gives_the_reference_states(void **state)
{
    (void)state;
    FOLLOW("moreau_midpoint", frictionless, midpoint_rows);
}

static void explicit_moreau_jean_gives_the_reference_states(void **state)
{
    (void)state;
    FOLLOW("moreau_jean_explicit", frictionless, jean_rows);
}

static void explicit_moreau_jean_with_friction_gives_the_reference_states(void **state)
{
    (void)state;
    FOLLOW("moreau_jean_explicit", rough, jean_friction_rows);
}

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
        cmocka_unit_test(midpoint_rule_gives_the_reference_states),
        cmocka_unit_test(explicit_moreau_jean_gives_the_reference_states),
        cmocka_unit_test(explicit_moreau_jean_with_friction_gives_the_reference_states),
        cmocka_unit_test(first_impact_is_where_the_event_driven_run_finds_it),
        cmocka_unit_test(tilted_slider_moves_as_in_the_hand_written_program),
        cmocka_unit_test(tilted_slider_obeys_the_laws_in_every_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
