// SPDX-License-Identifier: Apache-2.0
// The schemes with projection against independent reference rows (shared/reference/misc.json of the
// bouncing ball and the column of beads), and their statements: no penetration and no drift after
// any step of any shipped model, exact impact law, contacts that are redundant or contradict each
// other, and one Newton pass where nothing depends on the velocity.
#include "physics/rig.h"

#define COMBINED "moreau_combined_projection"
#define DIRECT "moreau_direct_projection"
#define SETTING(key, given)                                                                        \
    {                                                                                              \
        .name = {.text = key}, .value = {.text = given }                                           \
    }

static const double exact = 1e-10;       // of the reference rows
static const double default_tol = 1e-10; // projection_tol [m]

typedef struct ball_row {
    int step;
    double q, u, P;
} ball_row;

static const ball_row combined_rows[] = {{1, 0.999877375, -0.04905, 0},
                                         {90, 0.006737500000000538, -4.414499999999996, 0},
                                         {91, 0, 3.9730499999999953, 8.436599999999991},
                                         {92, 0.01974262499999998, 3.9239999999999955, 0},
                                         {200, 0.7084046250000002, -1.373399999999999, 0},
                                         {400, 0, 3.182854499999998, 6.768409499999995},
                                         {1000, 0, 1.5992932753845017, 3.425335803589504},
                                         {0}};
static const ball_row level_1_rows[] = {
    {91, 0.005633875000000537, 3.9730499999999953, 8.436599999999991},
    {400, 0.001059962500000372, -3.585554999999997, 0},
    {533, -0.0066347562, NAN, NAN}, // only the position is known
    {1000, 0.15880033663751097, -0.7522581257550001, 0},
    {0}};
static const ball_row level_0_rows[] = {
    {91, 0.005633875000000537, 3.9730499999999953, 8.436599999999991},
    {533, 0, NAN, NAN},
    {1000, 0.15880033663751097, -0.7522581257550001, 0},
    {0}};

static const carom_setting level_0[] = {SETTING("level", "0")};

static rig_plan ball_plan(const char *scheme, bool is_level_0)
{
    return (rig_plan){.model = "bouncing-ball",
                      .scheme = scheme,
                      .step = 0.005,
                      .end = 10,
                      .setting = level_0,
                      .n_setting = is_level_0};
}

static void check_ball(const char *scheme, bool is_level_0, const ball_row *row)
{
    rig r;
    const rig_plan plan = ball_plan(scheme, is_level_0);
    rig_open(&r, &plan);
    for (int done = 0; row->step; row++) {
        rig_step(&r, row->step - done);
        done = row->step;
        rig_near(rig_state(&r)->q[0], row->q, exact);
        if (!isnan(row->u)) rig_near(rig_state(&r)->u[0], row->u, exact);
        if (!isnan(row->P)) rig_near(rig_state(&r)->P[0], row->P, exact);
    }
    rig_close(&r);
}

static void the_ball_follows_the_reference(void **state)
{
    (void)state;
    check_ball(COMBINED, false, combined_rows);
    check_ball(DIRECT, false, level_1_rows);
    check_ball(DIRECT, true, level_0_rows);
}

// the sum of all rises of the energy from step to step
static double energy_rises(const char *scheme, bool is_level_0, double *min_gap)
{
    rig r;
    const rig_plan plan = ball_plan(scheme, is_level_0);
    rig_open(&r, &plan);
    double sum = 0, before = rig_audit(&r).energy_end;
    while (!carom_sim_is_done(r.sim)) {
        rig_step(&r, 1);
        const double now = rig_audit(&r).energy_end;
        sum += fmax(0, now - before);
        before = now;
    }
    *min_gap = rig_audit(&r).min_gap;
    rig_close(&r);
    return sum;
}

static void direct_projection_penetrates_or_adds_energy(void **state)
{
    (void)state;
    double min_gap;
    rig_below(energy_rises(DIRECT, false, &min_gap), 0.02);
    rig_near(min_gap, -0.0066347562, 1e-9);
    rig_near(energy_rises(DIRECT, true, &min_gap), 0.28, 0.005); // published to two digits
    rig_near(min_gap, 0, default_tol);
    rig_below(energy_rises(COMBINED, false, &min_gap), 0.02);
    rig_near(min_gap, 0, default_tol);
}

enum { N_BEAD = 10 };
typedef struct column_row {
    double min_gap, energy, q[N_BEAD];
} column_row;

static void check_column(const char *scheme, carom_setting setting, const column_row *row)
{
    rig r;
    const rig_plan plan = {.model = "column-of-beads",
                           .scheme = scheme,
                           .step = 5e-4,
                           .end = 2,
                           .setting = &setting,
                           .n_setting = 1};
    rig_open(&r, &plan);
    rig_run(&r);
    const carom_audit audit = rig_audit(&r);
    rig_near(audit.min_gap, row->min_gap, exact);
    rig_near(audit.energy_end, row->energy, exact);
    for (int i = 0; i < N_BEAD; i++) rig_near(rig_state(&r)->q[i], row->q[i], exact);
    rig_close(&r);
}

static void the_column_ends_as_the_reference(void **state)
{
    (void)state;
    static const column_row combined = {-9.686278945597593e-09,
                                        98.10000005074518,
                                        {0.1, 0.3, 0.5, 0.7, 0.9, 1.1, 1.3, 1.5000000000015274,
                                         1.7000000000003104, 1.9000000051709618}};
    static const column_row level1 = {-0.0016824805124966424,
                                      98.03823541785829,
                                      {0.0998295512502274, 0.29982955125022737, 0.4995073701980284,
                                       0.6995073701980283, 0.8992368207247121, 1.099236820724712,
                                       1.2990426859881377, 1.4990426859881378, 1.6989414880935416,
                                       1.8989414880935418}};
    static const column_row level0 = {-5.551115123125783e-17,
                                      98.10494679175494,
                                      {0.1, 0.3, 0.5, 0.7, 0.9, 1.1, 1.3, 1.5, 1.7, 1.9}};
    check_column(COMBINED, (carom_setting)SETTING("projection_tol", "1e-8"), &combined);
    check_column(DIRECT, (carom_setting)SETTING("level", "1"), &level1);
    check_column(DIRECT, (carom_setting)SETTING("level", "0"), &level0);
}

typedef struct shipped {
    const char *model;
    double step, end;
} shipped;

// the start may penetrate, as the woodpecker's does; no step end may
static void check_gaps(const shipped *run, const carom_setting *setting)
{
    enum { MOST = 16 };
    rig r;
    double gap[MOST];
    carom_audit audit;
    const rig_plan plan = {.model = run->model,
                           .scheme = COMBINED,
                           .step = run->step,
                           .end = run->end,
                           .setting = setting,
                           .n_setting = 1};
    rig_open(&r, &plan);
    const int n_contact = carom_model_sizes(r.model).n_contact;
    assert_true(n_contact <= MOST);
    while (!carom_sim_is_done(r.sim)) {
        rig_step(&r, 1);
        rig_must(&r, carom_sim_audit(r.sim, &audit, gap, &r.error));
        for (int c = 0; c < n_contact; c++)
            if (!(gap[c] >= -default_tol)) fail_msg("%s: gap %g", run->model, gap[c]);
    }
    rig_below(audit.max_drift, default_tol);
    if (carom_sim_counts(r.sim).unconverged) fail_msg("%s is not converged", run->model);
    rig_close(&r);
}

static void no_shipped_model_penetrates_or_drifts(void **state)
{
    (void)state;
    static const shipped all[] = {{"ball-in-box", 0.005, 5},
                                  {"ball-on-moving-plane", 1e-3, 1},
                                  {"block-on-belt", 1e-2, 2},
                                  {"block-on-incline", 1e-3, 0.1},
                                  {"bouncing-ball", 0.005, 6},
                                  {"chain-of-balls", 1e-3, 1},
                                  {"column-of-beads", 5e-4, 1.2},
                                  {"oscillator-with-stop", 1e-2, 10},
                                  {"painleve-rod", 1e-4, 0.2},
                                  {"pendulum-in-ring", 1e-3, 1},
                                  {"pendulum", 1e-3, 1},
                                  {"rocking-block", 1e-3, 2},
                                  {"slider-crank", 1e-4, 0.2},
                                  {"slider-crank", 1e-3, 0.2},
                                  {"slider-crank-bilateral", 1e-4, 0.1},
                                  {"spring-pendulum", 0.002, 5},
                                  {"woodpecker", 1e-4, 0.5}};
    static const carom_setting setting[] = {
        SETTING("metric", "identity"), SETTING("metric", "mass"), SETTING("equality", "positive")};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t k = 0; k < sizeof setting / sizeof *setting; k++)
            check_gaps(&all[i], &setting[k]);
}

static void the_impact_law_is_exact(void **state)
{
    (void)state;
    rig r;
    const rig_plan plan = {.model = "ball-in-box", .scheme = COMBINED, .step = 0.005, .end = 0.8};
    rig_open(&r, &plan);
    rig_run(&r);
    assert_true(r.n_impact >= 3);
    for (int i = 0; i < r.n_impact; i++)
        rig_near(r.impact[i].after, -0.3 * r.impact[i].before, 1e-14);
    rig_close(&r);
}

static void check_text(const char *text, const char *scheme, const char *theta)
{
    rig r = {0};
    const carom_setting setting[] = {SETTING("theta", theta)};
    const rig_plan plan = {
        .scheme = scheme, .step = 1e-3, .end = 0.5, .setting = setting, .n_setting = 1};
    rig_must(&r, carom_modelfile_read_text(text, strlen(text), "model.yaml", &r.file, &r.error));
    rig_build(&r, &plan);
    rig_run(&r);
    const carom_audit audit = rig_audit(&r);
    rig_below(audit.max_drift, default_tol);
    if (scheme[7] == COMBINED[7]) rig_below(-audit.min_gap, default_tol);
    rig_close(&r);
}

// theta = 1 leads from the ceiling through the floor in one step: both are in I,
// and cannot both be closed
static void contradicting_contacts_are_kept_open(void **state)
{
    (void)state;
    static const char slot[] = "carom: 1\n"
                               "name: slot\n"
                               "coordinates:\n"
                               "  y: {start: 0.0005, rate: 10}\n"
                               "kinetic: der(y)^2/2\n"
                               "contacts:\n"
                               "  - {name: floor, gap: y, restitution: 0.5}\n"
                               "  - {name: ceiling, gap: 0.001 - y, restitution: 0.5}\n";
    check_text(slot, COMBINED, "1");
    check_text(slot, COMBINED, "0.5");
}

// the same thing said twice in words that differ in second order
static void redundant_rows_are_projected(void **state)
{
    (void)state;
    static const char ring[] = "carom: 1\n"
                               "name: ring\n"
                               "coordinates:\n"
                               "  x: {start: cos(0.5)}\n"
                               "  y: {start: -sin(0.5)}\n"
                               "kinetic: (der(x)^2 + der(y)^2)/2\n"
                               "potential: 9.81*y\n"
                               "contacts:\n"
                               "  - {name: a, gap: 1 - sqrt(x^2 + y^2)}\n"
                               "  - {name: b, gap: (1 - x^2 - y^2)/2}\n"
                               "  - {name: c, gap: 1 - sqrt(x^2 + y^2)}\n";
    static const char rods[] = "carom: 1\n"
                               "name: rods\n"
                               "coordinates:\n"
                               "  x: {start: 1}\n"
                               "  y: {start: 0}\n"
                               "kinetic: (der(x)^2 + der(y)^2)/2\n"
                               "potential: 9.81*y\n"
                               "constraints:\n"
                               "  - {name: a, equation: (x^2 + y^2 - 1)/2}\n"
                               "  - {name: b, equation: sqrt(x^2 + y^2) - 1}\n"
                               "contacts:\n"
                               "  - {name: wall, gap: x + 0.3, restitution: 0.5}\n";
    check_text(ring, COMBINED, "0.5");
    check_text(ring, DIRECT, "0.5");
    check_text(rods, COMBINED, "0.5");
    check_text(rods, DIRECT, "0.5");
}

static void what_cannot_be_projected_is_not_converged(void **state)
{
    (void)state;
    // level 0 pushes the ball out of the floor into the ceiling
    static const char narrow[] = "carom: 1\n"
                                 "name: narrow\n"
                                 "coordinates:\n"
                                 "  y: {start: 0}\n"
                                 "kinetic: der(y)^2/2\n"
                                 "contacts:\n"
                                 "  - {name: floor, gap: y}\n"
                                 "  - {name: ceiling, gap: -0.001 - y}\n";
    rig r = {0};
    const rig_plan plan = {.scheme = DIRECT,
                           .step = 1e-3,
                           .end = 0.01,
                           .setting = level_0,
                           .n_setting = 1,
                           .allow_penetration = true};
    rig_must(&r,
             carom_modelfile_read_text(narrow, strlen(narrow), "model.yaml", &r.file, &r.error));
    rig_build(&r, &plan);
    rig_must(&r, carom_sim_run(r.sim, &r.error));
    assert_int_equal(carom_sim_counts(r.sim).unconverged, 10);
    rig_close(&r);
}

static void a_large_column_never_penetrates(void **state)
{
    (void)state;
    static const char *const change[] = {"n=200", "pitch=0.2005", "height=0.105", NULL};
    rig r;
    const rig_plan plan = {.model = "column-of-beads",
                           .scheme = COMBINED,
                           .step = 5e-4,
                           .end = 0.06,
                           .change = change};
    rig_open(&r, &plan);
    rig_run(&r);
    rig_below(-rig_audit(&r).min_gap, default_tol);
    assert_true(carom_sim_counts(r.sim).contact_steps > 0);
    rig_close(&r);
}

static void one_pass_is_enough_where_nothing_depends_on_the_velocity(void **state)
{
    (void)state;
    rig r;
    const rig_plan falling = {
        .model = "column-of-beads", .scheme = "moreau_jean", .step = 5e-4, .end = 0.1};
    rig_open(&r, &falling);
    rig_run(&r);
    assert_int_equal(carom_sim_counts(r.sim).solver_iterations, carom_sim_counts(r.sim).steps);
    rig_close(&r);
    // a gap whose rate depends on the position needs Newton's method, though its direction does not
    static const char swelling[] = "carom: 1\n"
                                   "name: swelling\n"
                                   "coordinates:\n"
                                   "  y: {start: 1, rate: -1}\n"
                                   "kinetic: der(y)^2/2\n"
                                   "contacts:\n"
                                   "  - {name: floor, gap: y*exp(-t) - 0.9999}\n";
    r = (rig){0};
    const rig_plan plan = {.scheme = "moreau_jean", .step = 1e-3, .end = 0.01};
    rig_must(
        &r, carom_modelfile_read_text(swelling, strlen(swelling), "model.yaml", &r.file, &r.error));
    rig_build(&r, &plan);
    rig_run(&r);
    assert_true(carom_sim_counts(r.sim).solver_iterations > carom_sim_counts(r.sim).steps);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ball_follows_the_reference),
        cmocka_unit_test(direct_projection_penetrates_or_adds_energy),
        cmocka_unit_test(the_column_ends_as_the_reference),
        cmocka_unit_test(no_shipped_model_penetrates_or_drifts),
        cmocka_unit_test(the_impact_law_is_exact),
        cmocka_unit_test(contradicting_contacts_are_kept_open),
        cmocka_unit_test(redundant_rows_are_projected),
        cmocka_unit_test(what_cannot_be_projected_is_not_converged),
        cmocka_unit_test(a_large_column_never_penetrates),
        cmocka_unit_test(one_pass_is_enough_where_nothing_depends_on_the_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
