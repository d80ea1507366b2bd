// SPDX-License-Identifier: Apache-2.0
// Accelerations and contact forces as records: a block that slides on two feet and comes to rest,
// against closed forms, in schemes with forces and in time stepping; a ball in flight and at its
// impact; and names that a model has taken itself.
#include "sim/alarm_rig.h"

static double at(const carom_sim *sim, const rig_rows *rows, int row, const char *column)
{
    return rig_at(rows, row, rig_column(sim, column));
}

// m = 2, mu = 0.3, on feet at (-+0.2, -0.1) of its centre of mass
static const char block[] =
    "carom: 1\nspace: plane\ngravity: [0, -9.81]\n"
    "bodies: {b: {mass: 2, inertia: 0.1, at: [0, 0.1], velocity: [1, 0], "
    "points: {l: [-0.2, -0.1], r: [0.2, -0.1]}}}\n"
    "contacts:\n  - {name: left, gap: b.l.y, slip: b.l.x, friction: 0.3}\n"
    "  - {name: right, gap: b.r.y, slip: b.r.x, friction: 0.3}\n"
    "record: {ax: acc(b.x), ay: acc(b.y), turn: acc(b.angle), foot: norm(acc(b.l)), "
    "x: b.contact.x, y: b.contact.y, n1: left.normal, n2: right.normal, f1: left.friction, "
    "f2: right.friction}\n";

static void expect_block(const char *scheme, double noise)
{
    const double g = 9.81, mu = 0.3, m = 2, stop = 1 / (mu * g), h = 1e-3;
    const carom_sim_options options = trial_options(scheme, h, 0.6);
    trial t;
    rig_rows rows = {0};
    rig_ok(trial_make(&t, block, &options), &t.error);
    rig_listen(t.sim, &rows);
    rig_ok(carom_sim_run(t.sim, &t.error), &t.error);
    int n_sliding = 0, n_resting = 0;
    for (int i = 0; i < rows.n_row; i++) {
        const double time = at(t.sim, &rows, i, "t");
        if (fabs(time - stop) < 2 * h) continue;
        const double slides = time < stop ? 1 : 0;
        const double shift = 0.25 * slides * mu * m * g; // of the load, to the right foot
        const struct {
            const char *name;
            double value;
        } expected[] = {{"ax", -slides * mu * g},
                        {"ay", 0},
                        {"turn", 0},
                        {"foot", slides * mu * g},
                        {"x", -slides * mu * m * g},
                        {"y", m * g},
                        {"n1", slides * (m * g / 2 - shift)},
                        {"n2", slides * (m * g / 2 + shift)},
                        {"f1", -slides * mu * (m * g / 2 - shift)}};
        // at rest friction may be shared in many ways, and the loads with it: their sums are known
        for (int k = 0; k < (slides > 0 ? 9 : 6); k++)
            if (!(fabs(at(t.sim, &rows, i, expected[k].name) - expected[k].value) < noise))
                fail_msg("%s: %s is %.15g at t = %g, not %.15g", scheme, expected[k].name,
                         at(t.sim, &rows, i, expected[k].name), time, expected[k].value);
        *(slides > 0 ? &n_sliding : &n_resting) += 1;
    }
    assert_true(n_sliding > 0 && n_resting > 0);
    free(rows.value);
    trial_end(&t);
}

static void a_block_slides_and_rests(void **state)
{
    (void)state;
    expect_block("event_driven", 1e-8);
    expect_block("moreau_midpoint", 1e-8);
    expect_block("tdg_velocity", 1e-8);
    expect_block("nonsmooth_gen_alpha", 1e-6);
}

// in flight -g; in time stepping the step of an impact shows its jump over h
static void a_ball(void **state)
{
    (void)state;
    static const char ball[] =
        "carom: 1\ncoordinates: {y: {start: 0.3}}\nkinetic: der(y)^2\npotential: 2*9.81*y\n"
        "contacts: [{name: floor, gap: y, restitution: 0.5}]\n"
        "record: {a: acc(y), n: floor.normal, square: acc(y^2)}\n";
    static const char *const scheme[] = {"event_driven", "moreau_midpoint"};
    for (int k = 0; k < 2; k++) {
        carom_sim_options options = trial_options(scheme[k], 1e-3, 0.3);
        trial t;
        rig_rows rows = {0};
        rig_ok(trial_make(&t, ball, &options), &t.error);
        rig_listen(t.sim, &rows);
        rig_ok(carom_sim_run(t.sim, &t.error), &t.error);
        int n_jump = 0;
        for (int i = 0; i < rows.n_row; i++) {
            const double a = at(t.sim, &rows, i, "a"), y = at(t.sim, &rows, i, "y"),
                         v = at(t.sim, &rows, i, "der_y");
            assert_true(fabs(at(t.sim, &rows, i, "square") - 2 * (v * v + y * a)) <
                        1e-12 * (1 + fabs(a)));
            if (fabs(a + 9.81) < 1e-10) continue;
            n_jump++;
            const double before = at(t.sim, &rows, i - 1, "der_y");
            assert_true(fabs(a - (v - before) / 1e-3) < 1e-9 * fabs(a));
            assert_true(fabs(at(t.sim, &rows, i, "n") - 2 * (a + 9.81)) < 1e-9 * a);
        }
        assert_int_equal(n_jump, k);
        free(rows.value);
        trial_end(&t);
    }
}

// what cannot be told is refused or not a number, and names of the model come first
static void names_and_unknown_forces(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nspace: plane\n"
        "bodies: {floor: {mass: 1, inertia: 1, at: [0, 1], points: {normal: [0, 0]}}}\n"
        "coordinates: {x: {}}\nkinetic: der(x)^2/2\n"
        "contacts: [{name: floor, gap: x}]\nrecord: {p: floor.normal.y, q: floor.normal}\n";
    carom_error error = {0};
    carom_modelfile *file;
    carom_model *model = NULL;
    rig_ok(carom_modelfile_read_text(text, strlen(text), "rig.yaml", &file, &error), &error);
    rig_ok(carom_builder_finish(carom_modelfile_builder(file), &model, &error), &error);
    const unsigned mask = CAROM_RECORD;
    carom_plan *plan;
    rig_ok(carom_plan_new(model, &mask, 1, &plan, &error), &error);
    carom_eval *eval = carom_plan_eval(plan);
    double P[] = {7};
    carom_point here = {.q = carom_model_start_q(model), .u = carom_model_start_u(model)};
    rig_ok(carom_model_eval(plan, &here, mask, eval, &error), &error);
    assert_true(eval->record[0] == 1 && isnan(eval->record[1]));
    here.P = P;
    rig_ok(carom_model_eval(plan, &here, mask, eval, &error), &error);
    assert_true(eval->record[0] == 1 && eval->record[1] == 7);
    carom_plan_free(plan);
    carom_model_free(model);
    carom_modelfile_free(file);
}

// the sum of contacts on a body: la_N n + la_T t of each, and nothing of those that are open and
// whose direction is undefined
static void contact_forces_on_a_body(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nspace: plane\n"
        "bodies:\n  a: {mass: 1, inertia: 1, at: [0, 1], centre: [0.1, 0], points: {p: [1, 2]}}\n"
        "  b: {mass: 1, inertia: 1, at: [5, 5]}\n"
        "contacts:\n  - {name: c, gap: 0.6*a.p.x + 0.8*a.p.y, slip: 0.8*a.p.x - 0.6*a.p.y}\n"
        "  - {name: d, gap: a.x - 2*b.y + 20}\n  - {name: e, gap: sqrt(b.x - 5) + 1}\n"
        "record: {ax: a.contact.x, ay: a.contact.y, bx: b.contact.x, by: b.contact.y, "
        "n: norm(a.contact)}\n";
    carom_error error = {0};
    carom_modelfile *file;
    carom_model *model = NULL;
    rig_ok(carom_modelfile_read_text(text, strlen(text), "rig.yaml", &file, &error), &error);
    rig_ok(carom_builder_finish(carom_modelfile_builder(file), &model, &error), &error);
    const unsigned mask = CAROM_RECORD;
    carom_plan *plan;
    rig_ok(carom_plan_new(model, &mask, 1, &plan, &error), &error);
    carom_eval *eval = carom_plan_eval(plan);
    const double P[] = {10, 3, 7, 0};
    const carom_point here = {
        .q = carom_model_start_q(model), .u = carom_model_start_u(model), .P = P};
    rig_ok(carom_model_eval(plan, &here, mask, eval, &error), &error);
    const double x = 6 + 2.4 + 7, y = 8 - 1.8, expected[] = {x, y, 0, -14, hypot(x, y)};
    for (int i = 0; i < 5; i++) assert_true(fabs(eval->record[i] - expected[i]) < 1e-13);
    carom_plan_free(plan);
    carom_model_free(model);
    carom_modelfile_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_slides_and_rests),
        cmocka_unit_test(a_ball),
        cmocka_unit_test(names_and_unknown_forces),
        cmocka_unit_test(contact_forces_on_a_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
