// SPDX-License-Identifier: Apache-2.0
// From texts to a model: overrides, the order of definitions, families, and
// messages with their place.
#include "model/model_rig.h"

static const char *const chain = "carom: 1\n"
                                 "name: chain\n"
                                 "parameters: {a: 2, b: 3*a, n: 3}\n"
                                 "coordinates:\n"
                                 "  x[i]:\n"
                                 "    for: {i: 1..n}\n"
                                 "    start: b*i\n"
                                 "    rate: a\n"
                                 "define:\n"
                                 "  first: 2*x[1]\n"
                                 "  second: first + 1\n"
                                 "kinetic:\n"
                                 "  - term: b/2*der(x[i])^2\n"
                                 "    for: {i: 1..n}\n"
                                 "contacts:\n"
                                 "  - name: pair[i]\n"
                                 "    for: {i: 2..n}\n"
                                 "    gap: x[i] - x[i-1]\n"
                                 "    restitution: a/10\n"
                                 "record:\n"
                                 "  double: second\n";

static carom_status set(carom_modelfile *file, const char *name, const char *value,
                        carom_error *error)
{
    return carom_builder_set(carom_modelfile_builder(file), text_of(name), text_of(value), error);
}

static carom_status start(carom_modelfile *file, const char *name, const char *value,
                          carom_error *error)
{
    return carom_builder_start(carom_modelfile_builder(file), text_of(name), text_of(value), error);
}

static void a_changed_parameter_changes_all_that_depends_on_it(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_modelfile *file = file_from_text(chain);
    must(set(file, "a", "4", &error), &error);
    must(set(file, "a", "2.5*2", &error), &error); // the last one counts
    double b;
    must(carom_builder_number(carom_modelfile_builder(file), text_of("b + 1"), &b, &error), &error);
    assert_true(b == 16);
    carom_model *model = finish_file(file);
    assert_int_equal(carom_model_sizes(model).nq, 3);
    for (int i = 0; i < 3; i++) {
        assert_true(carom_model_start_q(model)[i] == 15 * (i + 1));
        assert_true(carom_model_start_u(model)[i] == 5);
    }
    assert_true(carom_model_contact(model, 1)->e == 0.5);
    assert_string_equal(carom_model_contact(model, 1)->name, "pair[3]");
    carom_model_free(model);
}

static void a_builder_can_be_changed_and_finished_again(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_modelfile *file = file_from_text(chain);
    carom_model *model[3];
    must(carom_builder_finish(carom_modelfile_builder(file), &model[0], &error), &error);
    must(set(file, "n", "5", &error), &error);
    must(carom_builder_finish(carom_modelfile_builder(file), &model[1], &error), &error);
    must(set(file, "n", "1", &error), &error);
    must(carom_builder_finish(carom_modelfile_builder(file), &model[2], &error), &error);
    carom_modelfile_free(file);
    static const int n[] = {3, 5, 1};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(carom_model_sizes(model[k]).nq, n[k]);
        // an empty family is no family
        assert_int_equal(carom_model_sizes(model[k]).n_contact, n[k] - 1);
        carom_sim *sim = sim_of(model[k], NULL, 0.1, 1);
        run_to_end(sim);
        carom_sim_free(sim);
        carom_model_free(model[k]);
    }
}

static void starts_of_coordinates_and_rates_are_overridden_by_name(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_modelfile *file = file_from_text(chain);
    must(start(file, "x[2]", "a/4", &error), &error);
    must(start(file, " der( x[3] )", "-1", &error), &error);
    carom_model *model = finish_file(file);
    assert_true(carom_model_start_q(model)[1] == 0.5);
    assert_true(carom_model_start_u(model)[2] == -1);
    assert_true(carom_model_start_u(model)[1] == 2);
    // x[2] < x[1] is penetration: allowed, but said
    assert_int_equal(carom_model_n_warning(model), 1);
    assert_non_null(strstr(carom_model_warning(model, 0), "pair[2]"));
    assert_non_null(strstr(carom_model_warning(model, 0), "-5.5"));
    carom_model_free(model);
}

// finish must fail and say these words
static void refuse(carom_modelfile *file, carom_status status, const char *const *words)
{
    carom_error error = {0};
    carom_model *model = NULL;
    assert_int_equal(carom_builder_finish(carom_modelfile_builder(file), &model, &error), status);
    assert_null(model);
    for (; *words; words++)
        if (!strstr(error.message, *words))
            fail_msg("'%s' does not say '%s'", error.message, *words);
    carom_modelfile_free(file);
}

#define WORDS(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

// definitions with dotted names, in families too, and what is said where there is none
static void dotted_names_are_one_name(void **state)
{
    (void)state;
    static const char dotted[] = "carom: 1\n"
                                 "parameters: {n: 3, part.mass: 2}\n"
                                 "coordinates:\n"
                                 "  b[i].x: {for: {i: 1..n}, start: 1.5*i, rate: i}\n"
                                 "define:\n"
                                 "  b[i].tip.x: {for: {i: 1..n}, value: 'b[i].x + 0.5'}\n"
                                 "kinetic: part.mass/2*sum(i, 1, n, der(b[i].tip.x)^2)\n"
                                 "record: {far: 'b[3].tip.x*1.5', %s}\n";
    char text[1024];
    snprintf(text, sizeof text, dotted, "near: 'b[1].tip.x'");
    carom_model *model = finish_file(file_from_text(text));
    assert_string_equal(carom_model_coordinate_name(model, 1), "b[2].x");
    assert_true(carom_model_start_q(model)[1] == 3);
    carom_model_free(model);
    snprintf(text, sizeof text, dotted, "wrong: 'b[4].tip.x'");
    refuse(file_from_text(text), CAROM_BAD_INPUT,
           WORDS("there is no 'b[4].tip.x': the family goes from b[1].tip.x to b[3].tip.x"));
    snprintf(text, sizeof text, dotted, "wrong: 'b[1].tip.xx'");
    refuse(file_from_text(text), CAROM_BAD_INPUT,
           WORDS("unknown name 'b[1].tip.xx' (did you mean 'b[1].tip.x'?)"));
}

static void overrides_of_unknown_names_are_refused_with_a_suggestion(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_modelfile *file = file_from_text(chain);
    assert_int_equal(set(file, "bb", "1", &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "unknown parameter 'bb'"));
    assert_non_null(strstr(error.message, "'b'"));
    assert_int_equal(set(file, "x", "1", &error), CAROM_BAD_INPUT);
    carom_modelfile_free(file);

    file = file_from_text(chain);
    must(start(file, "x[9]", "1", &error), &error);
    refuse(file, CAROM_BAD_INPUT, WORDS("x[9]", "x[1] to x[3]"));
    file = file_from_text(chain);
    must(start(file, "a", "1", &error), &error);
    refuse(file, CAROM_BAD_INPUT, WORDS("'a' is not a coordinate", "--set"));
    file = file_from_text(chain);
    must(start(file, "y", "1", &error), &error);
    refuse(file, CAROM_BAD_INPUT, WORDS("'y'", "der(x)=1"));
    file = file_from_text(chain);
    must(start(file, "x[1]", "x[2]", &error), &error);
    refuse(file, CAROM_BAD_INPUT, WORDS("x[2]"));
}

static void overrides_that_break_the_model_are_refused(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_modelfile *file = file_from_text(chain);
    must(set(file, "a", "-2", &error), &error);
    refuse(file, CAROM_BAD_INPUT, WORDS("model.yaml:19:18:", "restitution", "-0.2"));
    file = file_from_text(chain);
    must(set(file, "n", "2.5", &error), &error);
    refuse(file, CAROM_BAD_INPUT, WORDS("whole number"));
    file = file_from_text(chain);
    must(set(file, "n", "0", &error), &error);
    refuse(file, CAROM_BAD_INPUT, WORDS("no coordinates"));
    file = file_from_text(chain);
    must(set(file, "a", "1/0", &error), &error);
    refuse(file, CAROM_BAD_INPUT, WORDS("zero"));
    file = file_from_text(chain);
    must(set(file, "a", "2*b", &error), &error); // b comes later
    refuse(file, CAROM_BAD_INPUT, WORDS("b"));
}

// off by 1e-10 of the length is rounding, by 1e-8 a wrong start; the same of the rate
static void starts_keep_constraints_to_1e9_of_their_scale(void **state)
{
    (void)state;
    static const char *const rod = "carom: 1\nparameters: {dx: 0, du: 0}\n"
                                   "coordinates: {x: {start: 1 + dx, rate: du}, y: {start: 0, "
                                   "rate: 1}}\nkinetic: (der(x)^2 + der(y)^2)/2\n"
                                   "constraints: [{name: rod, equation: x^2 + y^2 - 1}]\n";
    static const char *const name[] = {"dx", "du"};
    for (int i = 0; i < 2; i++) {
        carom_error error = {0};
        carom_model *model = NULL;
        carom_modelfile *file = file_from_text(rod);
        must(set(file, name[i], "1e-10", &error), &error);
        must(carom_builder_finish(carom_modelfile_builder(file), &model, &error), &error);
        carom_model_free(model);
        must(set(file, name[i], "1e-8", &error), &error);
        refuse(file, CAROM_BAD_INPUT, WORDS("'rod'", "2e-08"));
    }
}

// the start that is offered for x, y, z at (x, y, z); false where none is
static bool offered_start(const char *start, const char *constraints, double *q)
{
    carom_error error = {0};
    carom_model *model = NULL;
    char text[512];
    snprintf(text, sizeof text,
             "carom: 1\ncoordinates: {%s}\nkinetic: (der(x)^2 + der(y)^2 + der(z)^2)/2\n"
             "constraints:\n%s",
             start, constraints);
    carom_modelfile *file = file_from_text(text);
    assert_int_equal(carom_builder_finish(carom_modelfile_builder(file), &model, &error),
                     CAROM_BAD_INPUT);
    carom_modelfile_free(file);
    const char *offer = strstr(error.message, "the nearest start that does:");
    return offer && sscanf(offer,
                           "the nearest start that does: --start 'x=%lf' --start 'y=%lf' "
                           "--start 'z=%lf'",
                           &q[0], &q[1], &q[2]) == 3;
}

// onto planes the nearest point is W'(W W')^-1 g away, onto a circle it is along the radius
static void the_nearest_start_is_offered(void **state)
{
    (void)state;
    static const struct {
        const char *start, *constraints;
        double q[3];
    } known[] = {
        {"x: {}, y: {}, z: {start: 7}", " - {name: plane, equation: x + 2*y - 5}\n", {1, 2, 7}},
        {"x: {}, y: {}, z: {}",
         " - {name: one, equation: x + y - 2}\n - {name: other, equation: y + z - 3}\n",
         {1. / 3, 5. / 3, 4. / 3}},
        {"x: {start: 3}, y: {start: 4}, z: {start: -1}",
         " - {name: circle, equation: x^2 + y^2 - 4}\n",
         {1.2, 1.6, -1}},
        {"x: {}, y: {start: 1}, z: {}",
         " - {name: one, equation: x - 1}\n - {name: again, equation: 2*x - 2}\n",
         {1, 1, 0}},
        {"x: {start: 1e-9}, y: {start: 2e-9}, z: {}",
         " - {name: small, equation: x - 2*y}\n - {name: none, equation: z}\n",
         {1.6e-9, 0.8e-9, 0}},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        double q[3] = {NAN, NAN, NAN}, size = 0;
        if (!offered_start(known[k].start, known[k].constraints, q)) fail_msg("no offer %zu", k);
        for (int i = 0; i < 3; i++) size = fmax(size, fabs(known[k].q[i]));
        for (int i = 0; i < 3; i++)
            if (!(fabs(q[i] - known[k].q[i]) <= 1e-14 * size))
                fail_msg("offer %zu: q[%d] = %.16g", k, i, q[i]);
    }
    double q[3];
    assert_false(offered_start("x: {}, y: {}, z: {}", " - {name: none, equation: x^2 + 1}\n", q));
    assert_false(offered_start("x: {}, y: {}, z: {}", " - {name: flat, equation: x^2 - 1}\n", q));
}

static void refuse_text(const char *text, const char *const *words)
{
    refuse(file_from_text(text), CAROM_BAD_INPUT, words);
}

static void errors_in_definitions_and_families_have_their_place(void **state)
{
    (void)state;
    refuse_text("carom: 1\n"
                "coordinates: {x: {start: 1}}\n"
                "define:\n"
                "  late: early + x\n"
                "  early: x^2\n"
                "kinetic: der(x)^2\n",
                WORDS("model.yaml:4:9:", "early"));
    refuse_text("carom: 1\n"
                "coordinates: {x: {start: 1}}\n"
                "kinetic:\n"
                "  - term: der(x[i])^2\n"
                "    for: {i: 1..2}\n",
                WORDS("model.yaml:4:", "'x' is not a family"));
    refuse_text("carom: 1\n"
                "coordinates:\n"
                "  x[i]:\n"
                "    for: {i: 1..3}\n"
                "kinetic:\n"
                "  - term: der(x[i])^2 + der(x[i+1])^2\n"
                "    for: {i: 1..3}\n",
                WORDS("model.yaml:6:", "x[4]", "x[1] to x[3]"));
    refuse_text("carom: 1\n"
                "coordinates:\n"
                "  x[i]:\n"
                "    for: {i: 1..3}\n"
                "  y: {start: 1}\n"
                "kinetic:\n"
                "  - term: der(x[i])^2\n"
                "    for: {i: 1..3}\n",
                WORDS("model.yaml:7:", "'y' has no inertia"));
}

static void families_with_two_indices_have_all_their_members(void **state)
{
    (void)state;
    carom_model *model = model_from_text("carom: 1\n"
                                         "parameters: {n: 3}\n"
                                         "coordinates:\n"
                                         "  z[i,j]:\n"
                                         "    for: {i: 1..n, j: i..n}\n"
                                         "    start: 10*i + j\n"
                                         "kinetic:\n"
                                         "  - term: der(z[i,j])^2/2\n"
                                         "    for: {i: 1..n, j: i..n}\n");
    static const char *const names[] = {"z[1,1]", "z[1,2]", "z[1,3]", "z[2,2]", "z[2,3]", "z[3,3]"};
    static const double starts[] = {11, 12, 13, 22, 23, 33};
    assert_int_equal(carom_model_sizes(model).nq, 6);
    for (int i = 0; i < 6; i++) {
        assert_string_equal(carom_model_coordinate_name(model, i), names[i]);
        assert_true(carom_model_start_q(model)[i] == starts[i]);
    }
    carom_model_free(model);
}

// callers of the C interface may break its contract; nothing must be read out of bounds
static void a_family_with_too_many_indices_is_a_bug_of_the_caller(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_builder *builder = carom_builder_new();
    carom_family family = {.n = 4};
    for (int i = 0; i < CAROM_MAX_INDEX; i++)
        family.range[i] = (carom_range){text_of(i == 0   ? "i"
                                                : i == 1 ? "j"
                                                         : "k"),
                                        text_of("1"), text_of("2")};
    assert_int_equal(carom_builder_coordinate(builder, text_of("x[i,j,k]"), &family, text_of("0"),
                                              text_of("0"), &error),
                     CAROM_BUG);
    assert_non_null(strstr(error.message, "carom_builder_coordinate: family"));
    carom_builder_free(builder);
}

// gaps are lengths, arguments of sines angles, members of a family alike; what is stated holds
static void units_are_given_or_guessed(void **state)
{
    (void)state;
    static const char *const text =
        "carom: 1\ncoordinates:\n  x: {}\n  y: {}\n  th: {}\n  s: {unit: mm}\n  w: {}\n"
        "  b[i]: {for: {i: 1..3}}\n"
        "kinetic: der(x)^2 + der(y)^2 + der(th)^2 + der(s)^2 + der(w)^2 + der(b[1])^2 + "
        "der(b[2])^2 + der(b[3])^2\n"
        "potential: cos(2 - th) + sin(3*w)\n"
        "contacts:\n  - {name: ring, gap: 1 - sqrt((x - 1)^2 + y^2)}\n"
        "  - {name: floor, gap: \"s + b[2]\"}\n";
    static const char *const unit[] = {"m", "m", "rad", "mm", "", "m", "m", "m"};
    carom_model *model = finish_file(file_from_text(text));
    for (int i = 0; i < 8; i++) assert_string_equal(carom_model_coordinate_unit(model, i), unit[i]);
    carom_model_free(model);
}

static void a_builder_without_anything_says_what_is_missing(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model = NULL;
    carom_builder *builder = carom_builder_new();
    assert_int_equal(carom_builder_finish(builder, &model, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "the model has no coordinates"));
    carom_builder_free(builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_changed_parameter_changes_all_that_depends_on_it),
        cmocka_unit_test(a_builder_can_be_changed_and_finished_again),
        cmocka_unit_test(starts_of_coordinates_and_rates_are_overridden_by_name),
        cmocka_unit_test(dotted_names_are_one_name),
        cmocka_unit_test(overrides_of_unknown_names_are_refused_with_a_suggestion),
        cmocka_unit_test(overrides_that_break_the_model_are_refused),
        cmocka_unit_test(starts_keep_constraints_to_1e9_of_their_scale),
        cmocka_unit_test(the_nearest_start_is_offered),
        cmocka_unit_test(errors_in_definitions_and_families_have_their_place),
        cmocka_unit_test(families_with_two_indices_have_all_their_members),
        cmocka_unit_test(a_family_with_too_many_indices_is_a_bug_of_the_caller),
        cmocka_unit_test(units_are_given_or_guessed),
        cmocka_unit_test(a_builder_without_anything_says_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
