// SPDX-License-Identifier: Apache-2.0
// Vectors in texts: each expression against the same one written out by components, at random
// states; points given by vectors; and what is said where a vector stands for a number, or the
// other way round.
#include "model/model_rig.h"

#define BODIES                                                                                     \
    "carom: 1\nspace: plane\nparameters: {k: 0.7}\n"                                               \
    "bodies:\n"                                                                                    \
    "  a: {mass: 1, inertia: 0.1, at: [1, 0.5], spin: 2, points: {tip: [0.3, 0.4]}}\n"             \
    "  b: {mass: 2, inertia: 0.2, at: [-1, 2], velocity: [3, 1], points: {foot: [0, -1]}}\n"       \
    "  c[i]: {for: {i: 1..2}, mass: 1, inertia: 1, at: [i, -i], points: {eye: [0.1, 0.2]}}\n"

// the vector, and the same by components
static const char *const pair[][2] = {
    {"norm(a.tip - b.foot)", "hypot(a.tip.x - b.foot.x, a.tip.y - b.foot.y)"},
    {"dot(a.tip, b)", "a.tip.x*b.x + a.tip.y*b.y"},
    {"dot([0, 0, 1], cross(a.tip, b.foot))", "a.tip.x*b.foot.y - a.tip.y*b.foot.x"},
    {"dot(cross([1, 2, 3], [a.x, a.y, k]), [4, 5, 6])",
     "4*(2*k - 3*a.y) + 5*(3*a.x - k) + 6*(a.y - 2*a.x)"},
    {"norm([a.x, a.y, 2])", "sqrt(a.x^2 + a.y^2 + 4)"},
    {"dot(unit(a.tip), b)", "(a.tip.x*b.x + a.tip.y*b.y)/hypot(a.tip.x, a.tip.y)"},
    {"dot(k*a.tip*2/a.x - -b, [1, 1])", "2*k*a.tip.x/a.x + b.x + 2*k*a.tip.y/a.x + b.y"},
    {"norm(der(a.tip))", "hypot(der(a.tip.x), der(a.tip.y))"},
    {"dot(if(a.x > 1, a, b.foot), [1, 2])", "if(a.x > 1, a.x + 2*a.y, b.foot.x + 2*b.foot.y)"},
    {"sum(i, 1, 2, norm(c[i].eye - a))",
     "hypot(c[1].eye.x - a.x, c[1].eye.y - a.y) + hypot(c[2].eye.x - a.x, c[2].eye.y - a.y)"},
    {"dot(b.momentum, a)", "b.momentum.x*a.x + b.momentum.y*a.y"},
    {"der(norm(a - b))", "der(hypot(a.x - b.x, a.y - b.y))"},
    {"norm((a + b) - 2*(a - b))", "hypot(3*b.x - a.x, 3*b.y - a.y)"},
};
enum { N_PAIR = sizeof pair / sizeof pair[0] };

static void vectors_are_their_components(void **state)
{
    (void)state;
    char text[6000];
    size_t used = (size_t)snprintf(text, sizeof text, "%srecord:\n", BODIES);
    for (int i = 0; i < N_PAIR; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "  r%d: \"%s\"\n  s%d: \"%s\"\n",
                                 i, pair[i][0], i, pair[i][1]);
    carom_model *model = finish_file(file_from_text(text));
    carom_error error = {0};
    const unsigned mask = CAROM_RECORD;
    carom_plan *plan;
    must(carom_plan_new(model, &mask, 1, &plan, &error), &error);
    carom_eval *eval = carom_plan_eval(plan);
    double q[12], u[12];
    for (int trial = 0; trial < 20; trial++) {
        for (int i = 0; i < 12; i++) {
            q[i] = 2 * sin(17.3 * trial + 3.1 * i + 0.5);
            u[i] = 3 * cos(11.7 * trial + 2.3 * i);
        }
        const carom_point at = {.q = q, .u = u};
        must(carom_model_eval(plan, &at, mask, eval, &error), &error);
        for (int i = 0; i < N_PAIR; i++) {
            const double *r = eval->record + 2 * (size_t)i;
            if (!(fabs(r[0] - r[1]) <= 1e-13 * (1 + fabs(r[1]))))
                fail_msg("%s is %.17g, not %.17g", pair[i][0], r[0], r[1]);
        }
    }
    carom_plan_free(plan);
    carom_model_free(model);
}

// the text of a record, and where and how it is refused
static const struct {
    const char *text;
    int column;
    const char *message;
} wrong[] = {
    {"a.tip", 1, "'a.tip' is a vector, and a number is wanted; take a component (a.tip.x)"},
    {"1 + sin(b)", 9, "'b' is a vector, and a number is wanted"},
    {"norm(a.angle)", 6, "'a.angle' is a number, and a vector is wanted"},
    {"norm(k)", 6, "'k' is a number, and a vector is wanted"},
    {"dot(a, 3)", 8, "this is a number, and a vector is wanted"},
    {"norm(a + k*2)", 10, "this is a number, and a vector is wanted"},
    {"norm(a*b)", 8, "two vectors cannot be multiplied so; write dot(a, b) or cross(a, b)"},
    {"norm(k/a)", 8, "nothing can be divided by a vector"},
    {"2*cross(a, b)", 3, "this is a vector, and a number is wanted"},
    {"[1, 2]", 1, "this is a vector, and a number is wanted"},
    {"norm([1])", 6, "a vector has two or three components"},
    {"norm([1, 2, 3, 4])", 6, "a vector has two or three components"},
    {"norm([a, 2])", 7, "'a' is a vector, and a number is wanted"},
    {"norm(a, b)", 1, "norm needs 1 argument, not 2; of numbers write norm([a, b])"},
    {"dot(a)", 1, "dot needs 2 arguments, not 1; the time derivative of x is der(x)"},
    {"norm(a.top)", 6, "unknown name 'a.top'"},
    {"norm(sin(a))", 6, "this is a number, and a vector is wanted"},
    {"norm(c[3].eye)", 6, "c[3].eye"},
    {"norm(der(der(a)))", 6, "der() of an expression that already contains rates"},
    {"acc(a.vx)", 1, "acc() of an expression that contains rates"},
    {"norm(acc(k))", 10, "'k' is a number, and a vector is wanted"},
    {"unit([0, 0]) + 1", 1, "this is a vector, and a number is wanted"},
    {"norm(unit([0, 0]))", 6, "this is not a finite number"},
};

static void what_is_wrong_is_told_with_its_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[2000];
        snprintf(text, sizeof text, "%srecord:\n  r: \"%s\"\n", BODIES, wrong[i].text);
        carom_error error = {0};
        carom_model *model = NULL;
        carom_modelfile *file = file_from_text(text);
        const carom_status status =
            carom_builder_finish(carom_modelfile_builder(file), &model, &error);
        int line = 0, column = 0;
        sscanf(error.message, "model.yaml:%d:%d:", &line, &column);
        if (status != CAROM_BAD_INPUT || !strstr(error.message, wrong[i].message) || line != 9 ||
            column != wrong[i].column + 6)
            fail_msg("%s: column %d, %s", wrong[i].text, column - 6, error.message);
        carom_modelfile_free(file);
    }
}

// forces and accelerations are for records only, also as vectors
static void forces_are_not_known_before_a_step(void **state)
{
    (void)state;
    static const char *const section[] = {
        "potential: acc(a.x)\n", "forces: [{at: a.tip, force: [\"norm(acc(a))\", 0]}]\n",
        "forces: [{at: acc(a), force: [1, 0]}]\n", "draw: [{disc: [acc(a.x), 0], radius: 1}]\n"};
    for (int i = 0; i < 4; i++) {
        char text[2000];
        snprintf(text, sizeof text, "%s%s", BODIES, section[i]);
        carom_error error = {0};
        carom_model *model = NULL;
        carom_modelfile *file = file_from_text(text);
        assert_int_equal(carom_builder_finish(carom_modelfile_builder(file), &model, &error),
                         CAROM_BAD_INPUT);
        if (!strstr(error.message, "after a step, in 'record' only")) fail_msg("%s", error.message);
        carom_modelfile_free(file);
    }
}

// a point by a vector: of a force, and of a joint
static void points_by_vectors(void **state)
{
    (void)state;
    static const char *const end[2] = {
        "forces: [{at: \"a.tip + [0.5, 0]*a.x\", force: [k, 2]}]\n"
        "joints: {pin: {revolute: [a, b], at: \"(a.tip + b.foot)/2\"}}\n",
        "forces: [{at: [a.tip.x + 0.5*a.x, a.tip.y], force: [k, 2]}]\n"
        "joints: {pin: {revolute: [a, b], at: [0.15, 0.95]}}\n"};
    carom_error error = {0};
    const unsigned mask = CAROM_FORCES | CAROM_GAPS;
    double f[2][12], gap[2][2];
    for (int k = 0; k < 2; k++) {
        char text[2000];
        snprintf(text, sizeof text, "%s%s",
                 "carom: 1\nspace: plane\nparameters: {k: 0.7}\nbodies:\n"
                 "  a: {mass: 1, inertia: 0.1, at: [1, 0.5], points: {tip: [0.3, 0.4]}}\n"
                 "  b: {mass: 2, inertia: 0.2, at: [-1, 2], points: {foot: [0, -1]}}\n",
                 end[k]);
        carom_model *model = finish_file(file_from_text(text));
        carom_plan *plan;
        must(carom_plan_new(model, &mask, 1, &plan, &error), &error);
        carom_eval *eval = carom_plan_eval(plan);
        const double q[6] = {0.3, -0.2, 0.7, 1.1, 0.4, -0.6}, u[6] = {0};
        const carom_point at = {.q = q, .u = u};
        must(carom_model_eval(plan, &at, mask, eval, &error), &error);
        memcpy(f[k], eval->f, 6 * sizeof(double));
        memcpy(gap[k], eval->gaps.constraint, sizeof gap[k]);
        carom_plan_free(plan);
        carom_model_free(model);
    }
    for (int i = 0; i < 6; i++) assert_true(fabs(f[0][i] - f[1][i]) < 1e-14);
    assert_true(fabs(f[0][0] - 1.5 * 0.7) < 1e-14 && f[0][1] == 2);
    for (int i = 0; i < 2; i++)
        assert_true(fabs(gap[0][i] - gap[1][i]) < 1e-14 && fabs(gap[0][i]) > 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_their_components),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(forces_are_not_known_before_a_step),
        cmocka_unit_test(points_by_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
