// SPDX-License-Identifier: Apache-2.0
// Structures that callers fill in wrongly, patterns that are none, and models freed too early: each
// has a name, nothing crashes.
#include "sim/sim_rig.h"

#include <limits.h>

static void is_bug(carom_status status, const carom_error *error, const char *says)
{
    if (status != CAROM_BUG) fail_msg("status %d, '%s'", status, error->message);
    if (!strstr(error->message, says)) fail_msg("'%s' does not say '%s'", error->message, says);
}

// ---- models that are freed while they are used ----

static void a_model_lives_as_long_as_its_simulation(void **state)
{
    (void)state;
    carom_model *model = rig_block();
    carom_sim *sim = rig_sim(model, 1e-3, 1, 1), *other = rig_sim(model, 1e-3, 1, 1);
    carom_model_free(model);
    carom_sim_free(other);
    rig_run(sim);
    const carom_audit audit = rig_audit(sim);
    assert_string_equal(audit.min_gap_at, "floor"); // the model's own text
    carom_sim_free(sim);
}

static void a_model_lives_as_long_as_its_plan(void **state)
{
    (void)state;
    carom_error error = {0};
    const unsigned mask = CAROM_MASS | CAROM_FORCES;
    const double q[] = {0, 1}, u[] = {0, 0};
    carom_model *model = rig_block();
    carom_plan *plan = NULL;
    rig_ok(carom_plan_new(model, &mask, 1, &plan, &error), &error);
    carom_model_free(model);
    carom_eval *eval = carom_plan_eval(plan);
    const carom_point at = {.q = q, .u = u};
    rig_ok(carom_model_eval(plan, &at, mask, eval, &error), &error);
    assert_true(fabs(eval->f[1] + 9.81) < 1e-12);
    carom_plan_free(plan);
}

static void evaluations_belong_to_their_plan(void **state)
{
    (void)state;
    carom_error error = {0}, again = {0}, third = {0};
    const unsigned mask = CAROM_FORCES;
    const double x[] = {0, 1};
    carom_model *model = rig_block();
    carom_plan *plan = NULL, *other = NULL;
    rig_ok(carom_plan_new(model, &mask, 1, &plan, &error), &error);
    rig_ok(carom_plan_new(model, &mask, 1, &other, &error), &error);
    const carom_point at = {.q = x, .u = x}, nowhere = {.u = x};
    is_bug(carom_model_eval(plan, &at, mask, carom_plan_eval(other), &error), &error, "the plan's");
    is_bug(carom_model_eval(plan, &nowhere, mask, carom_plan_eval(plan), &again), &again,
           "at->q is NULL");
    is_bug(carom_model_eval(plan, &at, CAROM_GAPS, carom_plan_eval(plan), &third), &third, "mask");
    const unsigned derivatives = CAROM_D_MASS | CAROM_D_ROWS;
    carom_plan *third_plan = NULL;
    carom_error fourth = {0};
    rig_ok(carom_plan_new(model, &derivatives, 1, &third_plan, &fourth), &fourth);
    is_bug(carom_model_eval(third_plan, &at, derivatives, carom_plan_eval(third_plan), &fourth),
           &fourth, "at->P is NULL");
    carom_plan_free(third_plan);
    carom_plan_free(plan);
    carom_plan_free(other);
    carom_model_free(model);
}

// ---- patterns from callbacks: two coordinates, one contact ----

typedef struct lists {
    int start[2], index[2];
} lists;

static int give_mass(void *user, double t, const double *q, double *M)
{
    (void)user, (void)t, (void)q;
    M[0] = M[1] = M[2] = M[3] = 0;
    M[0] = M[3] = 1;
    return 0;
}

static int give_forces(void *user, double t, const double *q, const double *u, double *f)
{
    (void)user, (void)t, (void)q, (void)u;
    f[0] = 0;
    f[1] = -1;
    return 0;
}

static int give_gaps(void *user, double t, const double *q, double *constraint, double *gap)
{
    (void)user, (void)t, (void)constraint;
    gap[0] = q[1];
    return 0;
}

static int give_rows(void *user, double t, const double *q, const carom_row_lists *rows)
{
    (void)t, (void)q;
    const lists *wanted = user;
    memcpy(rows->start, wanted->start, sizeof wanted->start);
    memcpy(rows->index, wanted->index, sizeof wanted->index);
    rows->W[0] = rows->W[1] = 1;
    rows->w0[0] = 0;
    return 0;
}

static int give_dense_rows(void *user, double t, const double *q, double *W, double *w0)
{
    (void)user, (void)t, (void)q;
    W[0] = 0;
    W[1] = 1;
    w0[0] = 0;
    return 0;
}

static carom_callbacks callbacks(lists *wanted)
{
    static const double start[] = {0, 0.5};
    static const carom_contact_facts contact = {.name = "floor", .e = 0.5};
    return (carom_callbacks){.user = wanted,
                             .n = 2,
                             .n_contact = 1,
                             .contact = &contact,
                             .q0 = start,
                             .u0 = start,
                             .mass = give_mass,
                             .forces = give_forces,
                             .gaps = give_gaps,
                             .sparse_rows = give_rows,
                             .max_entries = 2};
}

static void rows_that_are_no_pattern_are_told(void **state)
{
    (void)state;
    const lists wrong[] = {{{0, 3}, {0, 1}},      {{0, -1}, {0, 1}},      {{1, 2}, {0, 1}},
                           {{0, 2}, {1, 0}},      {{0, 2}, {1, 1}},       {{0, 1}, {2, 0}},
                           {{0, 1}, {-1, 0}},     {{0, INT_MAX}, {0, 1}}, {{INT_MIN, 1}, {0, 1}},
                           {{0, 1}, {INT_MAX, 0}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        lists wanted = {{0, 1}, {1, 0}};
        carom_callbacks given = callbacks(&wanted);
        carom_error error = {0}, later = {0}, none = {0};
        carom_model *model = NULL, *refused = NULL;
        rig_ok(carom_model_from_callbacks(&given, &model, &error), &error);
        carom_sim *sim = rig_sim(model, 1e-2, 5, 1);
        rig_ok(carom_sim_step(sim, &error), &error);
        // from now on, in the middle of a run
        wanted = wrong[i];
        is_bug(carom_sim_run(sim, &later), &later, "no pattern");
        is_bug(carom_model_from_callbacks(&given, &refused, &none), &none, "no pattern");
        assert_null(refused);
        carom_sim_free(sim);
        carom_model_free(model);
    }
}

static void refuse(const carom_callbacks *given, const char *says)
{
    carom_error error = {0};
    carom_model *model = NULL;
    is_bug(carom_model_from_callbacks(given, &model, &error), &error, says);
    assert_null(model);
}

static void patterns_and_sizes_that_cannot_be_are_told(void **state)
{
    (void)state;
    lists wanted = {{0, 1}, {1, 0}};
    const carom_callbacks good = callbacks(&wanted);
    carom_callbacks given = good;
    given.sparse_rows = NULL;
    given.rows = give_dense_rows;
    const int diagonal[] = {0, 1, 2}, both[] = {0, 1}, falling[] = {0, 2, 1}, outside[] = {0, 2},
              full[] = {0, 2, 4}, mixed[] = {0, 1, 1, 0}, upper[] = {0, 2, 3}, ends[] = {0, 1, 1};
    const int many[] = {0, INT_MAX, INT_MIN};
    given.mass_start = diagonal;
    refuse(&given, "mass_start");
    given.mass_index = outside;
    refuse(&given, "mass_start");
    given.mass_start = falling;
    given.mass_index = both;
    refuse(&given, "mass_start");
    given.mass_start = many;
    refuse(&given, "mass_start");
    given.mass_start = full;
    given.mass_index = mixed;
    refuse(&given, "mass_start");
    given.mass_start = upper;
    given.mass_index = ends;
    refuse(&given, "both triangles");
    given = good;
    given.sparse_rows = NULL;
    given.rows = give_dense_rows;
    given.rows_start = outside; // one row with two entries
    given.rows_index = outside; // in columns 0 and 2
    refuse(&given, "rows_start");
    given = good;
    given.n_contact = INT_MAX;
    refuse(&given, "too many");
    given = good;
    given.n_contact = given.n_constraint = 0;
    given.n = 1000000;
    refuse(&given, "too large");
    given.n = INT_MIN;
    refuse(&given, "n >= 1");
    given = good;
    given.q0 = NULL;
    refuse(&given, "q0");
}

// ---- contact problems ----

static void wrong_problems_are_told(void **state)
{
    (void)state;
    carom_block block[] = {{.dim = 2, .mu = 0.5}};
    int start[] = {0, 1, 2}, index[] = {0, 1}, firsts[] = {0, 2}, at[] = {0};
    double value[] = {2, 1, 0, 1}, b[] = {-1, 0}, P[2] = {0, 0};
    const carom_problem good = {.n_row = 2,
                                .n_block = 1,
                                .block = block,
                                .b = b,
                                .G = {.n = 2, .start = start, .index = index, .value = value}};
    carom_contact_solver *solver = NULL;
    carom_contact_info info;
    carom_error error = {0};
    rig_ok(carom_contact_solver_new("auto", NULL, 0, 8, &solver, &error), &error);
    rig_ok(carom_contact_solve(solver, &good, P, &info, &error), &error);
    assert_true(info.is_converged);
    const int bad_start[] = {0, 2, 1}, bad_index[] = {0, 2}, one[] = {0, 1}, beyond[] = {1};
    const carom_block_rows blocks = {1, firsts, (int *)one, (int *)beyond, value, at};
    const carom_factors factors = {.n_column = 1, .start = start, .index = index, .value = value};
    carom_problem wrong[8];
    for (int i = 0; i < 8; i++) wrong[i] = good;
    wrong[0].G.start = (int *)bad_start;
    wrong[1].G.index = (int *)bad_index;
    wrong[2].G = (carom_matrix){.n = 2};
    wrong[3].G = (carom_matrix){.n = 2, .blocks = &blocks};
    wrong[4].G = (carom_matrix){.n = 2, .factors = &factors};
    wrong[5].block = NULL;
    wrong[6].b = NULL;
    wrong[7].n_row = -1;
    for (int i = 0; i < 8; i++) {
        carom_error told = {0};
        carom_problem_facts facts;
        is_bug(carom_contact_solve(solver, &wrong[i], P, &info, &told), &told, "contact problem");
        assert_int_equal(carom_problem_look(&wrong[i], &facts, NULL), CAROM_BUG);
        assert_true(isnan(carom_contact_residual(&wrong[i], P)));
    }
    carom_contact_solver_free(solver);
}

// ---- bodies, joints and elements ----

static void wrong_bodies_are_told(void **state)
{
    (void)state;
    carom_builder *builder = carom_builder_new();
    const carom_text one = rig_text("1");
    const carom_point_text nameless = {.at = {2, {one, one}}};
    const carom_body_text good = {
        .name = rig_text("a"), .mass = one, .n_inertia = 1, .inertia = {one}};
    carom_body_text wrong[8];
    for (int i = 0; i < 8; i++) wrong[i] = good;
    wrong[0].n_inertia = 7;
    wrong[1].n_inertia = 2; // the second is not there
    wrong[2].at.n = 4;
    wrong[3].velocity = (carom_vector_text){.n = 2};
    wrong[4].n_point = 1;
    wrong[5].n_point = INT_MIN;
    wrong[6].n_point = 1;
    wrong[6].point = &nameless;
    wrong[7].on.kind = rig_text("fixed");
    static const char *const says[] = {"n_inertia", "inertia[1]", "at.n is 4", "velocity.part[0]",
                                       "n_point",   "n_point",    "point[0]",  "on.parent.text"};
    for (int i = 0; i < 8; i++) {
        carom_error error = {0};
        is_bug(carom_builder_body(builder, &wrong[i], &error), &error, says[i]);
    }
    carom_error error = {0};
    rig_ok(carom_builder_body(builder, &good, &error), &error);
    carom_builder_free(builder);
}

static void wrong_shapes_are_told(void **state)
{
    (void)state;
    carom_builder *builder = carom_builder_new();
    const carom_text one = rig_text("1");
    const carom_vector_text centre = {2, {one, one}}, short_one = {.n = 2};
    const double point[6] = {0};
    const int face[3] = {0, 1, 2};
    const carom_shape_points two = {.n_point = 2, .point = point, .n_face = 1, .face = face};
    const carom_shape_text good = {.kind = rig_text("disk"), .n_value = 1, .value = &centre};
    carom_shape_text wrong[6];
    carom_body_text body = {.name = rig_text("a"), .mass = one, .n_inertia = 1, .inertia = {one}};
    for (int i = 0; i < 6; i++) wrong[i] = good;
    wrong[0].kind = (carom_text){0};
    wrong[1].value = NULL;
    wrong[2].value = &short_one;
    wrong[3].n_word = 1;
    wrong[4].turned.n_quaternion = 3;
    wrong[5].points = &two; // the third is not there
    static const char *const says[] = {"shape[0].kind", "n_value is 1", "shape.value.part[0]",
                                       "n_word is 1",   "n_quaternion", "points.face[2]"};
    body.n_shape = 1;
    for (int i = 0; i < 6; i++) {
        carom_error error = {0};
        body.shape = &wrong[i];
        is_bug(carom_builder_body(builder, &body, &error), &error, says[i]);
    }
    carom_error error = {0};
    body.shape = NULL;
    is_bug(carom_builder_body(builder, &body, &error), &error, "n_shape is 1");
    body.shape = &good;
    rig_ok(carom_builder_body(builder, &body, &error), &error);
    carom_builder_free(builder);
}

// what has no text is a bug; what a file could say too is bad input when the model is made
static carom_status fit(const carom_fitting_text *fitting, bool is_joint, carom_error *error)
{
    carom_builder *builder = carom_builder_new();
    carom_model *model = NULL;
    const carom_text one = rig_text("1");
    const carom_body_text body = {
        .name = rig_text("a"), .mass = one, .n_inertia = 1, .inertia = {one}};
    carom_status status = carom_builder_body(builder, &body, error);
    if (status == CAROM_OK)
        status = is_joint ? carom_builder_joint(builder, fitting, error)
                          : carom_builder_element(builder, fitting, error);
    if (status == CAROM_OK) status = carom_builder_finish(builder, &model, error);
    carom_model_free(model);
    carom_builder_free(builder);
    return status;
}

static void wrong_fittings_are_told(void **state)
{
    (void)state;
    const carom_text one = rig_text("1"), at[] = {one, one};
    const carom_word_text hollow[] = {{.key = rig_text("frame")},
                                      {rig_text("at"), true, 2, at},
                                      {rig_text("value"), true, 2, at}};
    carom_word_text many[40];
    for (int i = 0; i < 40; i++) many[i] = hollow[1];
    const carom_fitting_text good = {.name = rig_text("f"),
                                     .kind = rig_text("force"),
                                     .n_to = 1,
                                     .to = {rig_text("a")},
                                     .n_word = 2,
                                     .word = hollow + 1};
    carom_fitting_text wrong[7];
    for (int i = 0; i < 7; i++) wrong[i] = good;
    wrong[0].kind = rig_text("torsion"); // fitted to one joint or two bodies, not to nothing
    wrong[0].n_to = wrong[0].n_word = 0;
    wrong[1].n_word = 3; // a word without a value
    wrong[1].word = hollow;
    wrong[2].n_word = 40;
    wrong[2].word = many;
    wrong[3].n_word = 2; // a word that comes twice
    wrong[3].word = many;
    wrong[4].n_to = 3;
    wrong[5].word = NULL;
    wrong[6].kind.text = NULL;
    static const struct {
        carom_status status;
        const char *says;
    } want[] = {{CAROM_BAD_INPUT, "is fitted to 2 bodies, not to 0"},
                {CAROM_BAD_INPUT, "'frame' is one expression, not 0"},
                {CAROM_BAD_INPUT, "more than 32 words"},
                {CAROM_BAD_INPUT, "a component for each direction"},
                {CAROM_BUG, "n_to is 3"},
                {CAROM_BUG, "n_word is 2"},
                {CAROM_BUG, "kind.text is NULL"}};
    for (int i = 0; i < 7; i++) {
        carom_error error = {0};
        assert_int_equal(fit(&wrong[i], false, &error), want[i].status);
        if (!strstr(error.message, want[i].says)) fail_msg("%d: %s", i, error.message);
    }
    carom_error error = {0}, other = {0};
    rig_ok(fit(&good, false, &error), &error);
    assert_int_equal(fit(&good, true, &other), CAROM_BAD_INPUT); // a force is no joint
}

// ---- the rest ----

static void sums_of_wrong_blocks_are_told_when_factorised(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_linear *linear = NULL;
    rig_ok(carom_linear_new(2, 8, &linear, &error), &error);
    carom_linear_add_entry(linear, 0, 0, 1);
    carom_linear_add_entry(linear, 1, 1, 1);
    rig_ok(carom_linear_factor(linear, &error), &error);
    carom_linear_add_entry(linear, 2, 0, 1);
    is_bug(carom_linear_factor(linear, &error), &error, "carom_linear_add_entry");
    carom_linear_clear(linear);
    carom_error second = {0};
    carom_linear_resize(linear, 3);
    is_bug(carom_linear_factor(linear, &second), &second, "carom_linear_resize");
    carom_linear_free(linear);
}

// errors are for those who want to know: every scheme works without
static void every_scheme_runs_without_an_error_to_fill(void **state)
{
    (void)state;
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *scheme = carom_scheme_at(i);
        carom_model *model = scheme->has_friction  ? rig_block()
                             : scheme->has_contact ? rig_ball("0.5")
                                                   : rig_pendulum();
        carom_sim_options options = carom_sim_default();
        carom_sim *sim = NULL;
        carom_audit audit;
        options.scheme = scheme->name;
        options.end = 0.01;
        options.step = 1e-3;
        if (scheme->is_adaptive && !scheme->keeps_step) {
            options.step = 0;
            options.tolerance = 1e-5;
        }
        if (carom_sim_new(model, &options, &sim, NULL) != CAROM_OK ||
            carom_sim_run(sim, NULL) != CAROM_OK ||
            carom_sim_audit(sim, &audit, NULL, NULL) != CAROM_OK)
            fail_msg("%s", scheme->name);
        carom_sim_free(sim);
        carom_model_free(model);
    }
}

static bool take(void *self, const char *text, size_t length)
{
    return (void)self, (void)text, length > 0;
}

static void wrong_figures_and_options_are_told(void **state)
{
    (void)state;
    const carom_text_sink sink = {.write = take};
    const double x[] = {0, 1};
    carom_series series = {.x = x, .y = x, .n = 2};
    carom_plot panel = {.series = &series, .n_series = 1};
    carom_figure figure = {.panel = &panel, .n_panel = 1};
    carom_error error[5] = {{0}};
    rig_ok(carom_figure_svg(&figure, sink, &error[0]), &error[0]);
    series.y = NULL;
    is_bug(carom_figure_svg(&figure, sink, &error[0]), &error[0], "series[0]");
    series.y = x;
    series.n = -1;
    is_bug(carom_figure_svg(&figure, sink, &error[1]), &error[1], "series[0]");
    figure.panel = NULL;
    is_bug(carom_figure_svg(&figure, sink, &error[2]), &error[2], "panel");
    carom_model *model = rig_block();
    carom_sim *sim = NULL;
    carom_sim_options options = carom_sim_default();
    options.n_setting = 1;
    is_bug(carom_sim_new(model, &options, &sim, &error[3]), &error[3], "setting");
    const carom_scheme hollow = {.name = "hollow"};
    options = carom_sim_default();
    options.own_scheme = &hollow;
    is_bug(carom_sim_new(model, &options, &sim, &error[4]), &error[4], "own_scheme");
    assert_null(sim);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_lives_as_long_as_its_simulation),
        cmocka_unit_test(a_model_lives_as_long_as_its_plan),
        cmocka_unit_test(evaluations_belong_to_their_plan),
        cmocka_unit_test(rows_that_are_no_pattern_are_told),
        cmocka_unit_test(patterns_and_sizes_that_cannot_be_are_told),
        cmocka_unit_test(wrong_problems_are_told),
        cmocka_unit_test(wrong_bodies_are_told),
        cmocka_unit_test(wrong_shapes_are_told),
        cmocka_unit_test(wrong_fittings_are_told),
        cmocka_unit_test(sums_of_wrong_blocks_are_told_when_factorised),
        cmocka_unit_test(every_scheme_runs_without_an_error_to_fill),
        cmocka_unit_test(wrong_figures_and_options_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
