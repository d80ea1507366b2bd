// SPDX-License-Identifier: Apache-2.0
// What a model asks for is counted before it is made, or while it grows: members of families, terms
// of sums, nodes of derivatives, time. A model within the limits is the same model.
#include "model/model_rig.h"

#include <time.h>

static const char form[] = "carom: 1\ncoordinates:\n%s\nkinetic: %s\npotential: %s\n";

// makes a model from its coordinates, kinetic and potential energy; the message where it fails
static carom_status make(const char *coordinates, const char *kinetic, const char *potential,
                         const carom_limits *limits, carom_error *error)
{
    char text[4096];
    const carom_access access = {.limits = limits};
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    snprintf(text, sizeof text, form, coordinates, kinetic, potential);
    *error = (carom_error){0};
    must(carom_modelfile_read_text_with(text, strlen(text), "model.yaml", &access, &file, error),
         error);
    const carom_status status = carom_builder_finish(carom_modelfile_builder(file), &model, error);
    carom_model_free(model);
    carom_modelfile_free(file);
    return status;
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void members_are_counted_before_one_is_made(void **state)
{
    (void)state;
    static const char *const huge[] = {
        "  x[i]: {for: {i: 1..1000000000}}",
        "  x[i,j,k]: {for: {i: 1..1000, j: 1..1000, k: 1..1000}}",
        // no members, and yet a loop without end
        "  x[i,j,k]: {for: {i: 1..1000000, j: 1..1000000, k: 1..0}}",
        "  x[i,j]: {for: {i: 1..1000000000, j: i..i-1}}",
    };
    for (size_t i = 0; i < sizeof huge / sizeof huge[0]; i++) {
        carom_error error;
        const double start = seconds();
        assert_int_equal(make(huge[i], "1", "0", NULL, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, "model.yaml:3:"));
        assert_non_null(strstr(error.message, "more than 1000000 members (--limit members=N"));
        assert_true(seconds() - start < 5);
    }
}

// a name of any length is looked up and shown, cut where it is too long for a message
static void a_name_too_long_to_exist_is_unknown(void **state)
{
    (void)state;
    static const char *const shape[] = {"%.*s", "%.*s[1]", "%.*s[1,2]", "a[1].%.*s"};
    char letters[301], text[400];
    memset(letters, 'g', sizeof letters);
    for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++)
        for (int length = 100; length <= 300; length++) {
            carom_error error;
            snprintf(text, sizeof text, shape[i], length, letters);
            assert_int_equal(make("  x: {start: 0}", "der(x)^2", text, NULL, &error),
                             CAROM_BAD_INPUT);
            assert_non_null(strstr(error.message, "ggg"));
        }
}

// exactly the limit is allowed, and all families count together
static void members_add_up(void **state)
{
    (void)state;
    carom_error error;
    carom_limits limits = carom_limits_default();
    const char *two = "  x[i]: {for: {i: 1..10}}\n  y[i,j]: {for: {i: 1..4, j: i..4}}";
    const char *kinetic = "sum(i, 1, 10, der(x[i])^2) + sum(i, 1, 4, sum(j, i, 4, der(y[i,j])^2))";
    limits.members = 20;
    must(make(two, kinetic, "0", &limits, &error), &error);
    limits.members = 19;
    assert_int_equal(make(two, kinetic, "0", &limits, &error), CAROM_BAD_INPUT);
}

static void terms_add_up_over_the_model(void **state)
{
    (void)state;
    carom_error error;
    carom_limits limits = carom_limits_default();
    limits.terms = 30;
    must(make("  x: {start: 1}", "der(x)^2", "sum(i,1,10,x*i) + sum(i,1,20,x*i)", &limits, &error),
         &error);
    assert_int_equal(
        make("  x: {start: 1}", "der(x)^2", "sum(i,1,11,x*i) + sum(i,1,20,x*i)", &limits, &error),
        CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "more than 30 terms (--limit terms=N allows more)"));
    // a sum in a sum is written out as often as it stands there; in other expressions too
    assert_int_equal(
        make("  x: {start: 1}", "der(x)^2", "sum(i,1,5,sum(j,1,6,x*i*j))", &limits, &error),
        CAROM_BAD_INPUT);
    assert_int_equal(
        make("  x: {start: \"sum(i,1,20,i)\"}", "der(x)^2", "sum(i,1,20,x*i)", &limits, &error),
        CAROM_BAD_INPUT);
    const double start = seconds();
    assert_int_equal(make("  x: {start: 1}", "der(x)^2", "sum(i,1,1000000000,x*i)", NULL, &error),
                     CAROM_BAD_INPUT);
    assert_true(seconds() - start < 1);
}

// a text of one line whose second derivatives are a full matrix
static void derivatives_stop_while_they_grow(void **state)
{
    (void)state;
    carom_error error;
    carom_limits limits = carom_limits_default();
    const char *n = "  x[i]: {for: {i: 1..40}, start: i/100}";
    const char *kinetic = "sum(i,1,40,der(x[i])^2)";
    const char *potential = "cos(sum(i,1,40,x[i]*i))*sum(i,1,40,sum(j,1,40,sin(x[i]*x[j])))";
    must(make(n, kinetic, potential, &limits, &error), &error);
    for (limits.nodes = 10; limits.nodes < 20000; limits.nodes *= 3) {
        assert_int_equal(make(n, kinetic, potential, &limits, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, "nodes (--limit nodes=N allows more)"));
    }
    limits = carom_limits_default();
    limits.seconds = 0;
    assert_int_equal(make(n, kinetic, potential, &limits, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "more than 0 seconds (--limit seconds=N"));
}

// the texts of a family are read for every member; what they need is given back each time
static void a_builder_keeps_its_limits(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_modelfile *file = file_from_text(
        "carom: 1\ncoordinates: {x: {start: 1}}\nkinetic: der(x)^2\npotential: sin(x)\n");
    carom_builder *builder = carom_modelfile_builder(file);
    carom_limits limits = carom_limits_default();
    carom_model *model = NULL;
    limits.nodes = 3;
    carom_builder_limit(builder, &limits);
    assert_int_equal(carom_builder_finish(builder, &model, &error), CAROM_BAD_INPUT);
    assert_null(model);
    carom_builder_limit(builder, NULL);
    error = (carom_error){0};
    must(carom_builder_finish(builder, &model, &error), &error);
    carom_model_free(model);
    carom_modelfile_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_counted_before_one_is_made),
        cmocka_unit_test(members_add_up),
        cmocka_unit_test(a_name_too_long_to_exist_is_unknown),
        cmocka_unit_test(terms_add_up_over_the_model),
        cmocka_unit_test(derivatives_stop_while_they_grow),
        cmocka_unit_test(a_builder_keeps_its_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
