// SPDX-License-Identifier: Apache-2.0
// All texts and numbers given to a builder are copied: here every one of them is spoiled as soon as
// the builder has it. What comes out is known.
#include "model/model_rig.h"

enum { MOST_TEXTS = 40, ROOM = 64 };

static char pool[MOST_TEXTS][ROOM];
static int n_text;

static carom_text say(const char *text)
{
    assert_true(n_text < MOST_TEXTS - 1);
    char *copy = pool[n_text++], *file = pool[n_text++];
    snprintf(copy, ROOM, "%s", text);
    snprintf(file, ROOM, "%s", "kept.yaml");
    return (carom_text){copy, {file, 7, n_text}};
}

static carom_place place(void)
{
    return say("").place;
}

// after each call of the builder: what it was given is gone
static void spoil(carom_status status, const carom_error *error)
{
    must(status, error);
    memset(pool, '?', sizeof pool);
    for (int i = 0; i < MOST_TEXTS; i++) pool[i][ROOM - 1] = '\0';
    n_text = 0;
}

static carom_family family(const char *first, const char *last)
{
    return (carom_family){.n = 1, .range = {{say("i"), say(first), say(last)}}};
}

static void add_motion(carom_builder *b, carom_error *error)
{
    const carom_text none = {0};
    spoil(carom_builder_parameter(b, say("a"), say("3"), error), error);
    carom_family all = family("1", "2");
    spoil(carom_builder_coordinate(b, say("x[i]"), &all, say("a*i"), say("i"), error), error);
    spoil(carom_builder_coordinate(b, say("y"), NULL, say("2"), none, error), error);
    spoil(carom_builder_unit(b, say("y"), say("furlong"), error), error);
    all = family("1", "2");
    spoil(carom_builder_define(b, say("twice[i]"), &all, say("2*x[i]"), error), error);
    all = family("1", "2");
    spoil(carom_builder_energy(b, CAROM_KINETIC, &all, say("der(x[i])^2/2"), error), error);
    spoil(carom_builder_energy(b, CAROM_KINETIC, NULL, say("der(y)^2/2"), error), error);
    spoil(carom_builder_energy(b, CAROM_POTENTIAL, NULL, say("5*y"), error), error);
    double at[3] = {0, 1, 4}, value[3] = {0, 10, 16};
    const carom_table_points points = {.n = 3, .x = at, .y = value};
    spoil(carom_builder_table(b, say("lift"), &points, error), error);
    for (int i = 0; i < 3; i++) at[i] = value[i] = NAN;
    carom_force_text force = {
        .place = place(), .coordinate = say("y"), .n = 1, .force = {say("lift(y)")}};
    spoil(carom_builder_force(b, &force, error), error);
    force = (carom_force_text){.place = place(),
                               .family = family("1", "2"),
                               .n = 2,
                               .at = {say("x[i]"), say("3*x[i]")},
                               .force = {say("100"), say("7")}};
    spoil(carom_builder_force(b, &force, error), error);
}

static void add_rows(carom_builder *b, carom_error *error)
{
    carom_family one = family("2", "2");
    spoil(carom_builder_constraint(b, say("rod[i]"), &one, say("twice[i] - 12"), error), error);
    const carom_contact_text contact = {.place = place(),
                                        .name = say("floor[i]"),
                                        .family = family("1", "1"),
                                        .gap = say("y + x[i]"),
                                        .n_slip = 2,
                                        .slip = {say("4*y"), say("8*x[i]")},
                                        .restitution = say("a/10"),
                                        .tangential_restitution = say("a/20"),
                                        .friction = say("a/30")};
    spoil(carom_builder_contact(b, &contact, error), error);
    carom_contact_text patch[2];
    for (int k = 0; k < 2; k++)
        patch[k] = (carom_contact_text){.place = place(),
                                        .name = say("hill"),
                                        .gap = say(k ? "y + 2" : "y + 1"),
                                        .where = say(k ? "x[1] >= 0" : "x[1] < 0")};
    spoil(carom_builder_surface(b, patch, 2, error), error);
    spoil(carom_builder_record(b, say("both"), NULL, say("y + x[1]"), error), error);
    const carom_text xy[4] = {say("0"), say("y"), say("x[1]"), say("1")};
    const carom_drawing_text drawing = {
        .place = place(), .kind = say("line"), .n_point = 2, .xy = xy};
    spoil(carom_builder_drawing(b, &drawing, error), error);
    const carom_text centre[2] = {say("y"), say("1")};
    const carom_drawing_text disc = {
        .place = place(), .kind = say("disc"), .n_point = 1, .xy = centre, .size = say("a*y")};
    spoil(carom_builder_drawing(b, &disc, error), error);
}

static void check_names(const carom_model *model)
{
    assert_string_equal(carom_model_name(model), "copied");
    assert_string_equal(carom_model_coordinate_name(model, 0), "x[1]");
    assert_string_equal(carom_model_coordinate_name(model, 1), "x[2]");
    assert_string_equal(carom_model_coordinate_name(model, 2), "y");
    assert_string_equal(carom_model_coordinate_unit(model, 2), "furlong");
    assert_string_equal(carom_model_constraint_name(model, 0), "rod[2]");
    assert_string_equal(carom_model_record_name(model, 0), "both");
    static const char *const name[] = {"floor[1]", "hill.1", "hill.2"};
    for (int c = 0; c < 3; c++) assert_string_equal(carom_model_contact(model, c)->name, name[c]);
    const carom_contact_facts *floor = carom_model_contact(model, 0);
    assert_int_equal(floor->n_slip, 2);
    assert_true(fabs(floor->e - 0.3) < 1e-15 && fabs(floor->e_t - 0.15) < 1e-15);
    assert_true(fabs(floor->mu - 0.1) < 1e-15);
}

// q = (3, 6, 2), u = (1, 0, 0)
static void check_answers(const carom_model *model)
{
    const unsigned mask =
        CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS | CAROM_RECORD | CAROM_DRAW;
    const double q[3] = {3, 6, 2}, u[3] = {1, 0, 0};
    carom_error error = {0};
    carom_plan *plan;
    must(carom_plan_new(model, &mask, 1, &plan, &error), &error);
    carom_eval *ev = carom_plan_eval(plan);
    const carom_point at = {.q = q, .u = u};
    must(carom_model_eval(plan, &at, mask, ev, &error), &error);
    // 100 dx + 7 d(3x); the table at 2 is 12, less 5 of the potential
    static const double f[3] = {121, 121, 7}, draw[7] = {0, 2, 3, 1, 2, 1, 6};
    for (int i = 0; i < 3; i++) assert_true(fabs(ev->f[i] - f[i]) < 1e-12);
    assert_true(ev->gaps.constraint[0] == 0 && ev->record[0] == 5);
    assert_true(ev->gaps.value[0] == 5 && ev->gaps.value[1] == INFINITY && ev->gaps.value[2] == 4);
    for (int i = 0; i < 7; i++) assert_true(ev->draw[i] == draw[i]);
    const int row = carom_model_contact(model, 0)->row;
    assert_true(ev->rows.W.value[ev->rows.W.start[row + 1]] == 4 &&
                ev->rows.W.value[ev->rows.W.start[row + 2]] == 8);
    carom_plan_free(plan);
}

static void all_texts_are_copied(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model = NULL;
    carom_builder *b = carom_builder_new();
    spoil(carom_builder_describe(b, say("copied").text, say("of").text, say("here").text, &error),
          &error);
    add_motion(b, &error);
    add_rows(b, &error);
    spoil(carom_builder_start(b, say("der(x[2])"), say("0"), &error), &error);
    must(carom_builder_finish(b, &model, &error), &error);
    check_names(model);
    check_answers(model);
    carom_model_free(model);
    // the place of a text is its own: x[2] = 8 does not keep the constraint
    spoil(carom_builder_set(b, say("a"), say("4"), &error), &error);
    assert_int_equal(carom_builder_finish(b, &model, &error), CAROM_BAD_INPUT);
    assert_int_equal(strncmp(error.message, "kept.yaml:7:", 12), 0);
    carom_builder_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_texts_are_copied)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
