// SPDX-License-Identifier: Apache-2.0
// Linear elastic bodies against the same bodies written as equations, closed forms (impulse of the
// first node, frequencies, statics of beams), and numbers of an independent program.
#include "physics/last_row.h"
#include "physics/rig.h"

#include "carom/analysis.h"

#define TWIN(name) "../test/physics/twins/" name "-equations"

static double pi(void)
{
    return acos(-1);
}

// ---- the bar of paper 001 ----

typedef struct bar_end {
    double tip, first, rate, energy, loss;
    long impacts;
} bar_end;

static bar_end run_bar(const char *model, const rig_plan *given, const char *tip_name)
{
    rig r;
    rig_plan plan = *given;
    plan.model = model;
    rig_open(&r, &plan);
    rig_run(&r);
    const carom_audit audit = rig_audit(&r);
    int tip = carom_model_sizes(r.model).nq - 1;
    assert_string_equal(carom_model_coordinate_name(r.model, tip), tip_name);
    const bar_end end = {rig_state(&r)->q[tip], rig_state(&r)->q[0], rig_state(&r)->u[0],
                         audit.energy_end,      audit.impact_loss,   r.n_impact};
    rig_close(&r);
    return end;
}

static void a_bar_equals_its_equations_in_every_scheme(void **state)
{
    (void)state;
    static const char *const scheme[] = {
        "tdg_velocity",    "tdg_velocity_adaptive", "moreau_jean",   "nonsmooth_gen_alpha",
        "moreau_midpoint", "variational",           "ggl_reference", "ggl_unified",
        "schatzman_paoli", "event_driven"};
    static const char *const damped[] = {"delta=1e3/2.1e11", "N=12", NULL};
    static const char *const plain[] = {"N=12", NULL};
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 2; k++) {
            const rig_plan asked = {
                .scheme = scheme[i], .step = 1e-6, .end = 1.1e-3, .change = k ? damped : plain};
            const bar_end a = run_bar("elastic-bar", &asked, "bar.u[12]");
            const bar_end b = run_bar(TWIN("elastic-bar"), &asked, "w[12]");
            rig_near(a.tip, b.tip, 1e-10 * 1e-4);
            rig_near(a.first, b.first, 1e-10 * 1e-4);
            rig_near(a.rate, b.rate, 1e-9 * 0.1);
            rig_near(a.energy, b.energy, 1e-10 * 0.0123);
            assert_int_equal(a.impacts, b.impacts);
        }
}

// numbers of an independent program (C by hand), h = 1e-7
static void a_bar_ends_where_it_is_known_to_end(void **state)
{
    (void)state;
    static const struct {
        const char *const change[3];
        const char *tip;
        double at, rate;
    } row[] = {{{"elements=50", NULL}, "bar.u[50]", -1.938377627733e-05, 0.07711046787434},
               {{"elements=1000", NULL}, "bar.u[1000]", -1.866222447051e-05, 0.09500055949378},
               {{"elements=1000", "delta=1e3/2.1e11", NULL},
                "bar.u[1000]",
                -1.877112514667e-05,
                0.1000000000001}};
    for (int i = 0; i < 3; i++) {
        const rig_plan asked = {
            .scheme = "tdg_velocity", .step = 1e-7, .end = 1.2e-3, .change = row[i].change};
        const bar_end end = run_bar("elastic-bar", &asked, row[i].tip);
        rig_near(end.tip, row[i].at, 1e-9 * 2e-5);
        rig_near(end.rate, row[i].rate, 1e-9 * 0.1);
        assert_int_equal(end.impacts, 1);
    }
}

// one impulse stops the first node: v0 rho S l / (2 sqrt 3) with consistent mass, v0 rho S l / 2
// with lumped mass; the loss is half of it times v0
static void the_first_impulse_is_that_of_the_node(void **state)
{
    (void)state;
    static const int elements[] = {20, 50, 1000, 5000};
    for (int i = 0; i < 4; i++) {
        char n[40];
        rig r;
        snprintf(n, sizeof n, "elements=%d", elements[i]);
        const char *const change[] = {n, "gap0=1.999e-8", NULL};
        const rig_plan plan = {.model = "elastic-bar",
                               .scheme = "tdg_velocity",
                               .step = 2e-8,
                               .end = 4e-7,
                               .change = change};
        rig_open(&r, &plan);
        rig_run(&r);
        const double expected = 0.1 * 7800 * pi() * 1e-4 / elements[i] / (2 * sqrt(3));
        rig_near(rig_audit(&r).impact_loss, 0.05 * expected, 1e-12 * expected);
        rig_close(&r);
        if (elements[i] == 5000) rig_near(expected, 1.414763504e-5, 1e-14);
    }
}

// ---- the rotor of paper 001 ----

static void the_rotor_equals_its_equations(void **state)
{
    (void)state;
    static const char to[] = "vbwca", from[] = "ybzga";
    rig r[2];
    for (int k = 0; k < 2; k++) {
        const rig_plan plan = {.model = k ? TWIN("rotor") : "rotor",
                               .scheme = "tdg_velocity_adaptive",
                               .step = 5e-6,
                               .end = 0.01};
        rig_open(&r[k], &plan);
        rig_run(&r[k]);
    }
    assert_true(r[0].n_impact > 10);
    assert_int_equal(r[0].n_impact, r[1].n_impact);
    for (int i = 0; i < carom_model_sizes(r[0].model).nq; i++) {
        const char *name = carom_model_coordinate_name(r[0].model, i);
        char twin[40];
        int other = 0;
        snprintf(twin, sizeof twin, "%s", name);
        if (strncmp(name, "shaft.", 6) == 0)
            snprintf(twin, sizeof twin, "%c%s", from[strchr(to, name[6]) - to], name + 7);
        while (strcmp(carom_model_coordinate_name(r[1].model, other), twin) != 0) other++;
        const double value = rig_state(&r[1])->q[other];
        rig_near(rig_state(&r[0])->q[i], value, 1e-8 * (fabs(value) + 1e-6));
    }
    for (int k = 0; k < 2; k++) rig_close(&r[k]);
}

static double last_mean(rig *r, double from, const char *record)
{
    const carom_measure measure = {
        .take = "mean", .column = record, .from = from, .to = INFINITY, .number = 1};
    carom_probe *probe;
    rig_must(r, carom_probe_new(r->sim, &measure, 1, &probe, NULL, &r->error));
    rig_run(r);
    carom_probe_finish(probe, true);
    const double mean = carom_probe_value(probe, 0);
    carom_probe_free(probe);
    return mean;
}

// the torque fixed in space: the journal rests beside the lowest point
static void a_rotor_comes_to_rest_where_statics_says(void **state)
{
    (void)state;
    static const char *const change[] = {"turns=0", NULL};
    const rig_plan plan = {.model = "rotor",
                           .scheme = "tdg_velocity_adaptive",
                           .step = 5e-6,
                           .end = 0.2,
                           .change = change};
    rig r;
    rig_open(&r, &plan);
    rig_near(last_mean(&r, 0.12, "angle") * 180 / pi(), -111.26, 0.1);
    rig_below(-rig_audit(&r).min_gap, 1e-7);
    rig_close(&r);
}

// ---- bending waves against a stop, a cord around a peg ----

typedef struct touches {
    int n;
    double closed[4], opened[4];
} touches;

static carom_status note_touch(void *self, const carom_event *event, carom_error *error)
{
    touches *t = self;
    (void)error;
    if (event->kind == CAROM_OPEN && t->n > 0 && t->n <= 4) t->opened[t->n - 1] = event->t;
    if (event->kind != CAROM_CLOSE) return CAROM_OK;
    if (t->n < 4) t->closed[t->n] = event->t;
    t->n++;
    return CAROM_OK;
}

static touches touch(rig *r, const rig_plan *plan)
{
    touches t = {0};
    rig_open(r, plan);
    rig_must(r, carom_sim_add_recorder(r->sim, (carom_recorder){.self = &t, .event = note_touch},
                                       &r->error));
    rig_run(r);
    return t;
}

// numbers of an independent program: with damping two contacts for each mesh, without it a number
// that grows with the mesh
static void a_beam_chatters_unless_it_is_damped(void **state)
{
    (void)state;
    static const struct {
        const char *const change[3];
        int n_contact;
        double closed, opened, tip, energy;
    } row[] = {{{"elements=10", NULL}, 2, 2.584e-3, 3.269e-3, 6.858456937856e-4, 0.0809874137853},
               {{"elements=40", NULL}, 2, 2.584e-3, 3.280e-3, 6.2086791088e-4, 0.08297515222064},
               {{"elements=10", "beta=0", NULL},
                29,
                2.585e-3,
                2.623e-3,
                -8.7084375346e-4,
                0.1665684095671}};
    for (int i = 0; i < 3; i++) {
        rig r;
        const rig_plan plan = {.model = "cantilever-stop-linear",
                               .scheme = "moreau_jean",
                               .step = 1e-6,
                               .end = 0.05,
                               .change = row[i].change};
        const touches t = touch(&r, &plan);
        assert_int_equal(t.n, row[i].n_contact);
        rig_near(t.closed[0], row[i].closed, 1.5e-6);
        rig_near(t.closed[0], 2.583073e-3, 2e-6 + (i == 2) * 2e-6); // of the continuum
        rig_near(t.opened[0], row[i].opened, 1.5e-6);
        rig_near(rig_state(&r)->q[carom_model_sizes(r.model).nq - 2], row[i].tip, 1e-8 * 1e-3);
        rig_near(rig_audit(&r).energy_end, row[i].energy, 1e-8 * 0.1);
        rig_close(&r);
    }
}

// the same cord as equations: its tenth node meets the peg first, within one step
static void a_cord_meets_the_peg_as_its_equations_say(void **state)
{
    (void)state;
    static const double step[] = {1e-4, 2.5e-5}, first[] = {0.4642, 0.464125};
    for (int i = 0; i < 2; i++) {
        rig r;
        const rig_plan plan = {
            .model = "cable-on-peg", .scheme = "moreau_jean", .step = step[i], .end = 0.4645};
        const touches t = touch(&r, &plan);
        assert_int_equal(t.n, 1);
        rig_near(t.closed[0], first[i], 1.01 * step[i]);
        rig_close(&r);
    }
}

// ---- what matrices say ----

static carom_elastic_facts facts_of(const char *text)
{
    carom_error error = {0};
    carom_elastic_facts facts;
    carom_model *model = model_from_text(text);
    assert_int_equal(carom_model_n_elastic(model), 1);
    must(carom_model_elastic(model, 0, &facts, &error), &error);
    facts.name = NULL; // it goes with the model
    carom_model_free(model);
    return facts;
}

#define UNIT "section: {area: 1, inertia: 1}, elasticity: {E: 1, density: 1}"

static void a_cantilever_has_the_frequencies_of_its_element(void **state)
{
    (void)state;
    static const struct {
        int n;
        double w[3];
    } row[] = {{2, {3.517715041626558, 22.22147447408263, 75.15708305881647}},
               {4, {3.516130270589818, 22.060166307933518, 62.17489252586873}},
               {8, {3.516022592386818, 22.03625341832793, 61.73474119194371}},
               {16, {3.5160157285754314, 22.03460411396101, 61.69966711098603}},
               {300, {3.5160152685001513, 22.03449156466677, 61.697214413549105}}};
    for (int i = 0; i < 5; i++) {
        char text[400];
        snprintf(
            text, sizeof text,
            "carom: 1\nelastic: {c: {kind: beam, motions: [bending], from: [0, 0], to: [1, 0], "
            "elements: %d, ends: [fixed, free], " UNIT "}}\n",
            row[i].n);
        const carom_elastic_facts facts = facts_of(text);
        assert_int_equal(facts.n_rigid, 0);
        for (int k = 0; k < 3 && k < facts.n_frequency; k++)
            near("frequency", facts.frequency[k], row[i].w[k], (i < 4 ? 1e-9 : 1e-5) * row[i].w[k]);
    }
}

// a bar that flies: w = k pi c0/L, and the numbers of rigid motions of all kinds
static void free_bodies_have_their_rigid_motions(void **state)
{
    (void)state;
    const carom_elastic_facts bar =
        facts_of("carom: 1\nelastic: {b: {kind: bar, from: [1, 2], to: [4, 6], elements: 400, "
                 "section: {radius: 0.01}, elasticity: {E: 4e6, density: 1000}}}\n");
    assert_int_equal(bar.n_rigid, 1);
    near("mass", bar.mass[0], 1000 * pi() * 1e-4 * 5, 1e-12);
    for (int k = 0; k < 5; k++)
        near("overtone", bar.frequency[k], (k + 1) * pi() * sqrt(4000) / 5, 1e-3 * 40 * (k + 1));
    const carom_elastic_facts plane = facts_of(
        "carom: 1\nelastic: {b: {kind: beam, from: [1, 2], to: [4, 6], elements: 9, " UNIT "}}\n");
    assert_int_equal(plane.n_rigid, 3);
    const carom_elastic_facts space =
        facts_of("carom: 1\nelastic: {b: {kind: beam, from: [0, 0, 0], to: [1, 2, 2], elements: 9, "
                 "section: {box: [0.2, 0.1]}, elasticity: {E: 1, density: 1}}}\n");
    assert_int_equal(space.n_rigid, 6);
    near("mass along u", space.mass[0], 0.06, 1e-14);
    near("mass along w", space.mass[2], 0.06, 1e-14);
    // lumped and average masses keep the mass; the average one is of fourth order
    static const char *const lumping[] = {"consistent", "lumped", "average"};
    double error[3];
    for (int i = 0; i < 3; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "carom: 1\nelastic: {b: {kind: bar, from: [0, 0], to: [1, 0], elements: 10, "
                 "lumping: %s, " UNIT "}}\n",
                 lumping[i]);
        const carom_elastic_facts facts = facts_of(text);
        near("mass", facts.mass[0], 1, 1e-14);
        error[i] = facts.frequency[0] / pi() - 1;
    }
    near("consistent", error[0], pi() * pi() / 24 / 100, 1e-5);
    near("lumped", error[1], -pi() * pi() / 24 / 100, 1e-5);
    near("average", error[2], 0, 3e-5);
}

// ---- pictures ----

static void a_line_is_drawn_through_its_nodes(void **state)
{
    (void)state;
    static const int elements[] = {9, 4000}, points[] = {10, 41};
    for (int i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "carom: 1\nelastic: {b: {kind: bar, from: [1, 2], to: [4, 6], elements: %d, " UNIT
                 "}}\n",
                 elements[i]);
        carom_model *model = model_from_text(text);
        const carom_drawing *drawing = carom_model_drawing(model, 0);
        assert_non_null(drawing);
        assert_string_equal(drawing->kind, "polyline");
        assert_int_equal(drawing->n_point, points[i]);
        assert_int_equal(carom_model_n_draw(model), 2 * points[i]);
        carom_model_free(model);
    }
}

// ---- statics ----

// the rest of the one beam of a text, by the names of coordinates
static double rest_at(const char *text, const char *name)
{
    carom_error error = {0};
    carom_equilibrium rest;
    carom_model *model = model_from_text(text);
    must(carom_equilibrium_find(model, &rest, &error), &error);
    int i = 0;
    while (strcmp(carom_model_coordinate_name(model, i), name) != 0) i++;
    const double value = rest.q[i];
    carom_equilibrium_free(&rest);
    carom_model_free(model);
    return value;
}

// cubic elements are exact at their nodes: P L^3/3EI + P L/(k G A), g rho A L^4/8EI; a load at a
// point inside an element
static void beams_bend_as_statics_says(void **state)
{
    (void)state;
#define BEAM(n, more)                                                                                \
    "carom: 1\nelastic: {c: {kind: beam, motions: [bending], from: [0, 0], to: [2, 0], elements: " n \
    ", ends: [fixed, free], elasticity: {E: 2000, G: 300, density: 5}, " more "}}\n"
    near(
        "tip",
        rest_at(
            BEAM(
                "1",
                "section: {area: 0.5, inertia: 0.01}") "forces: [{coordinate: 'c.v[1]', force: 0.3}]\n",
            "c.v[1]"),
        0.3 * 8 / (3 * 20), 1e-12);
    near(
        "tip, with shear",
        rest_at(
            BEAM(
                "3",
                "section: {area: 0.5, inertia: 0.01, shear: 5/6}") "forces: [{coordinate: 'c.v[3]', force: 0.3}]\n",
            "c.v[3]"),
        0.3 * 8 / (3 * 20) + 0.3 * 2 / (5.0 / 6 * 300 * 0.5), 1e-12);
    near(
        "own weight",
        rest_at(BEAM("2", "section: {area: 0.5, inertia: 0.01}") "gravity: [0, -9.81]\n", "c.v[2]"),
        -9.81 * 5 * 0.5 * 16 / (8 * 20), 1e-11);
    // at x = 1.3: P x^2 (3L - x)/6EI at the tip by Maxwell
    near(
        "a load inside",
        rest_at(
            BEAM(
                "2",
                "section: {area: 0.5, inertia: 0.01}, points: {p: {at: 1.3}}") "forces: [{at: [c.p.v], force: [0.3]}]\n",
            "c.v[2]"),
        0.3 * 1.3 * 1.3 * (6 - 1.3) / (6 * 20), 1e-12);
    // a mass there hangs as the load does
    near("a mass inside",
         rest_at("carom: 1\ngravity: [0, -10]\nelastic: {c: {kind: beam, motions: [bending], from: "
                 "[0, 0], to: [2, 0], elements: 2, ends: [fixed, free], elasticity: {E: 2000, "
                 "density: 1e-9}, section: {area: 0.5, inertia: 0.01},\n"
                 "  points: {p: {at: 1.3, mass: 0.03, inertia: 0.01}}}}\n",
                 "c.v[2]"),
         -0.3 * 1.3 * 1.3 * (6 - 1.3) / (6 * 20), 1e-9);
}

// a body that constraints fasten to a point, and the same as a mass of that point
static void a_body_fastened_to_a_point_moves_with_it(void **state)
{
    (void)state;
#define TIP(mass)                                                                                  \
    "carom: 1\ngravity: [0, -9.81]\nelastic: {b: {kind: beam, from: [0, 0], to: [1, 0], "          \
    "elements: 3, section: {radius: 0.02}, elasticity: {E: 2e10, density: 1000}, ends: [fixed, "   \
    "free], points: {tip: {at: 1" mass "}}}}\nrecord: {tip: b.tip.y}\n"
    static const char *const text[] = {
        TIP(", mass: 2, inertia: 0.1"),
        TIP("") "bodies: {a: {mass: 2, inertia: 0.1, at: [1, 0]}}\n"
                "constraints: [{name: x, equation: a.x - b.tip.x}, {name: y, equation: a.y - "
                "b.tip.y}, {name: turn, equation: a.angle - b.tip.b}]\n"};
    last_row last[2];
    for (int k = 0; k < 2; k++) run_text(&last[k], text[k], (how){"moreau_jean", 0.05, 1e-4, 0});
    near("tip", column(&last[1], "tip"), column(&last[0], "tip"), 1e-12);
    assert_true(column(&last[0], "tip") < -1e-3);
    for (int k = 0; k < 2; k++) free_row(&last[k]);
}

// ---- the guard ----

static void steps_above_the_limit_are_refused_with_it(void **state)
{
    (void)state;
    static const char *const change[] = {"elements=5000", NULL};
    rig r = {0};
    carom_sim_options options = carom_sim_default();
    const carom_access access = {0};
    rig_must(&r, carom_modelfile_read_with(CAROM_SOURCE_DIR "/models/elastic-bar.yaml", &access,
                                           &r.file, &r.error));
    rig_change(&r, change);
    rig_must(&r, carom_builder_finish(carom_modelfile_builder(r.file), &r.model, &r.error));
    options.scheme = "tdg_velocity";
    options.end = 1e-3;
    // 2/w, w = 2 sqrt(3) c0/l
    const double limit = 1 / (sqrt(3) * sqrt(2.1e11 / 7800) * 5000);
    options.step = 1.01 * limit;
    assert_int_equal(carom_sim_new(r.model, &options, &r.sim, &r.error), CAROM_BAD_INPUT);
    assert_non_null(strstr(r.error.message, "is too long for tdg_velocity"));
    options.step = 0.99 * limit;
    rig_must(&r, carom_sim_new(r.model, &options, &r.sim, &r.error));
    rig_close(&r);
}

// a beam that falls about its pinned end, by as much as the time allows
static void bodies_that_turn_far_are_warned_of(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ngravity: [0, -9.81]\nelastic: {c: {kind: beam, motions: [bending], from: [0, 0], "
        "to: [1, 0], elements: 4, section: {radius: 0.01}, elasticity: {E: 2e9, density: 1000}, "
        "ends: [pinned, free]}}\n";
    for (int i = 0; i < 2; i++) {
        last_row last;
        carom_audit audit;
        carom_error error = {0};
        run_text(&last, text, (how){"moreau_jean", i ? 0.3 : 0.1, 1e-3, 0});
        must(carom_sim_audit(last.sim, &audit, NULL, &error), &error);
        assert_int_equal(strstr(audit.warnings, "turned or stretched by") != NULL, i);
        free_row(&last);
    }
}

static void undamped_beams_that_touch_are_warned_of(void **state)
{
    (void)state;
    static const char *const beta[] = {"beta=0", "beta=1e-6"};
    for (int i = 0; i < 2; i++) {
        rig r;
        const char *const change[] = {beta[i], NULL};
        const rig_plan plan = {.model = "cantilever-stop-linear",
                               .scheme = "moreau_jean",
                               .step = 1e-5,
                               .end = 1e-4,
                               .change = change};
        rig_open(&r, &plan);
        assert_int_equal(carom_model_n_warning(r.model), i == 0);
        if (i == 0) assert_non_null(strstr(carom_model_warning(r.model, 0), "without damping"));
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_equals_its_equations_in_every_scheme),
        cmocka_unit_test(a_bar_ends_where_it_is_known_to_end),
        cmocka_unit_test(the_first_impulse_is_that_of_the_node),
        cmocka_unit_test(the_rotor_equals_its_equations),
        cmocka_unit_test(a_rotor_comes_to_rest_where_statics_says),
        cmocka_unit_test(a_beam_chatters_unless_it_is_damped),
        cmocka_unit_test(a_cord_meets_the_peg_as_its_equations_say),
        cmocka_unit_test(a_cantilever_has_the_frequencies_of_its_element),
        cmocka_unit_test(free_bodies_have_their_rigid_motions),
        cmocka_unit_test(a_line_is_drawn_through_its_nodes),
        cmocka_unit_test(beams_bend_as_statics_says),
        cmocka_unit_test(a_body_fastened_to_a_point_moves_with_it),
        cmocka_unit_test(steps_above_the_limit_are_refused_with_it),
        cmocka_unit_test(bodies_that_turn_far_are_warned_of),
        cmocka_unit_test(undamped_beams_that_touch_are_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
