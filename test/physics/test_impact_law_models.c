// SPDX-License-Identifier: Apache-2.0
// Impact laws in models: Kane's pendulum, the same body with a constraint and without, cradles of
// equations and of shapes, and who refuses what.
#include "sim/sim_rig.h"

static carom_model *model_of(const char *text)
{
    carom_error error = {0};
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    rig_ok(carom_modelfile_read_text(text, strlen(text), "text.yaml", &file, &error), &error);
    rig_ok(carom_builder_finish(carom_modelfile_builder(file), &model, &error), &error);
    carom_modelfile_free(file);
    return model;
}

// runs a text in which every LAW is a law's name
static carom_sim *run_with(const char *text, const char *law, double end)
{
    char whole[4096];
    size_t used = 0;
    for (const char *at = text; *at; used += strlen(whole + used)) {
        const char *next = strstr(at, "LAW");
        const int n = next ? (int)(next - at) : (int)strlen(at);
        snprintf(whole + used, sizeof whole - used, "%.*s%s", n, at, next ? law : "");
        at += n + (next ? 3 : 0);
    }
    carom_error error = {0};
    carom_model *model = model_of(whole);
    carom_sim_options options = carom_sim_default();
    carom_sim *sim;
    options.scheme = "event_driven";
    options.tolerance = 1e-10;
    options.end = end;
    rig_ok(carom_sim_new(model, &options, &sim, &error), &error);
    carom_model_free(model);
    rig_ok(carom_sim_run(sim, &error), &error);
    return sim;
}

// T. R. Kane and D. A. Levinson, Dynamics: theory and applications, 1985: a double pendulum hits a
// rough table; Newton's law makes energy
static const char *const kane =
    "carom: 1\n"
    "parameters: {a: 20*pi/180, b: 30*pi/180, mu: 0.5, e: 0.5, H: cos(a) + cos(b)}\n"
    "coordinates: {p: {start: a, rate: -0.1}, q: {start: b, rate: -0.2}}\n"
    "define: {x: sin(p) + sin(q), y: H - cos(p) - cos(q)}\n"
    "kinetic: der(p)^2/6 + (der(p)^2 + der(q)^2/4 + der(p)*der(q)*cos(p - q))/2 + der(q)^2/24\n"
    "contacts: [{name: tip, gap: y, slip: x, friction: mu, restitution: e, law: LAW}]\n";

static double energy_lost(const char *law)
{
    carom_sim *sim = run_with(kane, law, 1e-3);
    carom_audit audit;
    rig_ok(carom_sim_audit(sim, &audit, NULL, NULL), NULL);
    carom_sim_free(sim);
    assert_true(fabs(audit.energy_error) < 1e-9);
    return audit.impact_loss + audit.friction_loss;
}

static void kanes_pendulum_gains_by_newtons_law_alone(void **state)
{
    (void)state;
    assert_true(energy_lost("newton") < -1e-2);
    assert_true(energy_lost("poisson") > 1e-3);
    assert_true(energy_lost("stronge") > 1e-3);
    assert_true(energy_lost("sequential") > 1e-3);
}

// five balls that touch, e = 0.9: together each gets (1 + e)/5 of what the first loses
static void a_cradle_shares_where_all_collide_together(void **state)
{
    (void)state;
    static const char *const law[] = {"newton", "poisson"};
    for (int i = 0; i < 2; i++) {
        carom_sim *sim = run_with(
            "carom: 1\n"
            "coordinates: {a: {start: 0, rate: 1}, b: {start: 0}, c: {start: 0}, d: {start: 0}, e: {start: 0}}\n"
            "kinetic: (der(a)^2 + der(b)^2 + der(c)^2 + der(d)^2 + der(e)^2)/2\n"
            "contacts:\n"
            "  - {name: ab, gap: b - a, restitution: 0.9, law: LAW}\n"
            "  - {name: bc, gap: c - b, restitution: 0.9, law: LAW}\n"
            "  - {name: cd, gap: d - c, restitution: 0.9, law: LAW}\n"
            "  - {name: de, gap: e - d, restitution: 0.9, law: LAW}\n",
            law[i], 0.1);
        const double *u = carom_sim_state(sim)->u;
        assert_true(fabs(u[0] - (1 - 1.9 * 4 / 5)) < 1e-12);
        for (int k = 1; k < 5; k++) assert_true(fabs(u[k] - 1.9 / 5) < 1e-12);
        carom_sim_free(sim);
    }
}

// a rod whose end hits a rough wall, its hinge as a constraint and in its angle alone
static void constraints_hold_through_an_impact(void **state)
{
    (void)state;
    static const char *const law[] = {"newton", "poisson", "stronge", "sequential"};
    static const char *const by_constraint =
        "carom: 1\n"
        "parameters: {J: 0.1, c: 0.3}\n"
        "coordinates: {x: {start: c*sin(0.7), rate: 2*c*cos(0.7)}, y: {start: -c*cos(0.7), rate: 2*c*sin(0.7)}, p: {start: 0.7, rate: 2}, "
        "s: {start: -0.5, rate: -1}}\n"
        "kinetic: (der(x)^2 + der(y)^2 + J*der(p)^2)/2 + 0.4*der(s)^2\n"
        "constraints: [{name: hx, equation: x - c*sin(p)}, {name: hy, equation: y + c*cos(p)}]\n"
        "contacts: [{name: tip, gap: s + 1.2 - x - 0.5*sin(p), slip: y - 0.5*cos(p), friction: 0.4, restitution: 0.7, law: LAW}]\n";
    static const char *const by_angle =
        "carom: 1\n"
        "parameters: {J: 0.1, c: 0.3}\n"
        "coordinates: {p: {start: 0.7, rate: 2}, s: {start: -0.5, rate: -1}}\n"
        "kinetic: (c^2 + J)*der(p)^2/2 + 0.4*der(s)^2\n"
        "contacts: [{name: tip, gap: s + 1.2 - (c + 0.5)*sin(p), slip: -(c + 0.5)*cos(p), friction: 0.4, restitution: 0.7, law: LAW}]\n";
    for (int i = 0; i < 4; i++) {
        carom_sim *one = run_with(by_constraint, law[i], 0.3),
                  *two = run_with(by_angle, law[i], 0.3);
        const carom_state *a = carom_sim_state(one), *b = carom_sim_state(two);
        assert_true(carom_sim_counts(two).events > 0);
        assert_true(fabs(a->q[2] - b->q[0]) < 1e-8 && fabs(a->q[3] - b->q[1]) < 1e-8);
        assert_true(fabs(a->u[2] - b->u[0]) < 1e-7 && fabs(a->u[3] - b->u[1]) < 1e-7);
        carom_sim_free(one);
        carom_sim_free(two);
    }
}

// three disks in a row, touching; the law stands with their material
static void materials_have_laws(void **state)
{
    (void)state;
    static const char *const disks =
        "carom: 1\n"
        "space: plane\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 0], shape: {disk: [0, 0], radius: 0.5}, material: steel}\n"
        "  b: {mass: 1, inertia: 1, at: [1, 0], shape: {disk: [0, 0], radius: 0.5}, material: steel}\n"
        "  c: {mass: 1, inertia: 1, at: [2, 0], shape: {disk: [0, 0], radius: 0.5}, material: steel}\n"
        "materials: [{between: [steel, steel], restitution: 1, law: LAW}]\n";
    carom_sim *sim = run_with(disks, "sequential", 0.1);
    const double *u = carom_sim_state(sim)->u;
    assert_true(fabs(u[0]) < 1e-12 && fabs(u[3]) < 1e-12 && fabs(u[6] - 1) < 1e-12);
    carom_sim_free(sim);
    sim = run_with(disks, "newton", 0.1); // together: both ends share
    assert_true(fabs(carom_sim_state(sim)->u[0]) > 0.1);
    carom_sim_free(sim);
}

// a block dropped flat on a rough floor bounces and comes to rest under every law
static void laws_come_to_rest(void **state)
{
    (void)state;
    static const char *const law[] = {"poisson", "stronge", "sequential"};
    static const char *const block =
        "carom: 1\n"
        "coordinates: {x: {rate: 0.5}, y: {start: 0.3}, p: {start: 0.1}}\n"
        "define: {l: y - 0.2*sin(p) - 0.1*cos(p), r: y + 0.2*sin(p) - 0.1*cos(p)}\n"
        "kinetic: (der(x)^2 + der(y)^2)/2 + 0.01*der(p)^2\n"
        "potential: 9.81*y\n"
        "contacts:\n"
        "  - {name: left, gap: l, slip: x - 0.2*cos(p) + 0.1*sin(p), friction: 0.4, restitution: 0.4, law: LAW}\n"
        "  - {name: right, gap: r, slip: x + 0.2*cos(p) + 0.1*sin(p), friction: 0.4, restitution: 0.4, law: LAW}\n";
    for (int i = 0; i < 3; i++) {
        carom_sim *sim = run_with(block, law[i], 3);
        const carom_state *s = carom_sim_state(sim);
        carom_audit audit;
        rig_ok(carom_sim_audit(sim, &audit, NULL, NULL), NULL);
        assert_true(fabs(s->q[1] - 0.1) < 1e-8 && fabs(s->q[2]) < 1e-8 && fabs(s->u[0]) < 1e-9);
        assert_true(audit.largest_rise < 1e-9 && fabs(audit.energy_error) < 1e-6);
        carom_sim_free(sim);
    }
}

// time stepping takes the forces of a step for an impact, and knows Newton's law only
static void schemes_that_do_not_see_impacts_refuse(void **state)
{
    (void)state;
    carom_model *model =
        model_of("carom: 1\n"
                 "coordinates: {y: {start: 1}}\n"
                 "kinetic: der(y)^2/2\n"
                 "contacts: [{name: floor, gap: y, restitution: 0.5, law: stronge}]\n");
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *scheme = carom_scheme_at(i);
        carom_sim_options options = carom_sim_default();
        carom_error error = {0};
        carom_sim *sim = NULL;
        options.scheme = scheme->name;
        options.step = scheme->is_adaptive ? 0 : 1e-3;
        options.end = 1;
        const carom_status status = carom_sim_new(model, &options, &sim, &error);
        const bool takes = strcmp(scheme->name, "event_driven") == 0;
        assert_int_equal(status == CAROM_OK, takes);
        if (!takes && scheme->has_contact)
            assert_non_null(strstr(error.message, "impact law stronge"));
        carom_sim_free(sim);
    }
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kanes_pendulum_gains_by_newtons_law_alone),
        cmocka_unit_test(a_cradle_shares_where_all_collide_together),
        cmocka_unit_test(constraints_hold_through_an_impact),
        cmocka_unit_test(materials_have_laws),
        cmocka_unit_test(laws_come_to_rest),
        cmocka_unit_test(schemes_that_do_not_see_impacts_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
