// SPDX-License-Identifier: Apache-2.0
// Model files that are right: every form of every key reaches the model, whatever the order, and
// every text keeps its exact place.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carom/carom.h"

static const char name_of_text[] = CAROM_SOURCE_DIR "/test/bad-models/text.yaml";

static const char full[] =
    "run: {scheme: moreau_jean, solver: nsgs, step: h/2, end: 2*T, theta: 0.5,\n"
    "      solver.tolerance: 1e-12}\n"
    "draw:\n"
    "  - {spring: [[0, 0], [x, y]], width: 0.1}\n"
    "  - {disc: [x, y], radius: 0.05}\n"
    "  - {polygon: [[0, 0], [1, 0], [0, 1]]}\n"
    "  - {disc: [\"z[i]\", 0], radius: 0.1, for: {i: 1..n}}\n"
    "record:\n"
    "  speed: sqrt(der(x)^2 + der(y)^2)\n"
    "  twice[i]: {for: {i: 1..n}, value: \"2*z[i]\"}\n"
    "contacts:\n"
    "  - {name: wall, gap: x + 1, restitution: e}\n"
    "  - name: pair[i]\n"
    "    for: {i: 2..n}\n"
    "    gap: z[i] - z[i-1]\n"
    "    slip: x\n"
    "    friction: 0.3\n"
    "    tangential_restitution: 0.25\n"
    "  - {name: roll, gap: y, slip_rate: der(x) - 1}\n"
    "  - {name: space, gap: y, slip: [x, x + y]}\n"
    "constraints:\n"
    "  - {name: guide, equation: y}\n"
    "forces:\n"
    "  - {coordinate: X, force: -c*der(x)}\n"
    "  - {at: [x, y], force: [0, -m]}\n"
    "potential:\n"
    "  - m*y\n"
    "  - {for: {i: 1..n}, term: \"z[i]^2\"}\n"
    "kinetic:\n"
    "  - m/2*(der(X)^2 + der(y)^2)\n"
    "  - for: {i: 1..n}\n"
    "    term: der(z[i])^2\n"
    "define:\n"
    "  x: X\n"
    "  r[i]: {for: {i: 1..n}, value: \"z[i]*cam(0.5)\"}\n"
    "coordinates:\n"
    "  X: {start: 1.5, rate: -2}\n"
    "  y: {}\n"
    "  z[i]: {for: {i: 1..n}, start: 0.2*i, rate: i}\n"
    "tables:\n"
    "  cam: {file: cam.csv, columns: [angle, lift], kind: cubic}\n"
    "  wave: {points: [[0, 0], [pi, 1], [2*pi, 0]], period: 2*pi}\n"
    "parameters: {m: 2, n: 3, c: 0.1, e: 0.5, h: 1e-3, T: 4*h}\n"
    "source: nowhere\n"
    "about: Every key\n"
    "  once.\n"
    "name: full\n"
    "carom: 1\n";

static carom_modelfile *read_ok(const char *text)
{
    carom_modelfile *file = NULL;
    carom_error error = {0};
    if (carom_modelfile_read_text(text, strlen(text), name_of_text, &file, &error) != CAROM_OK)
        fail_msg("%s", error.message);
    return file;
}

static carom_model *finish_ok(carom_modelfile *file)
{
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_builder_finish(carom_modelfile_builder(file), &model, &error) != CAROM_OK)
        fail_msg("%s", error.message);
    return model;
}

static void every_section_reaches_the_model(void **state)
{
    (void)state;
    carom_modelfile *file = read_ok(full);
    carom_model *model = finish_ok(file);
    const carom_sizes size = carom_model_sizes(model);
    assert_int_equal(size.nq, 5);
    assert_int_equal(size.n_constraint, 1);
    assert_int_equal(size.n_contact, 5);
    assert_int_equal(size.n_record, 4);
    assert_int_equal(size.n_drawing, 6);
    assert_string_equal(carom_model_name(model), "full");
    assert_string_equal(carom_model_about(model), "Every key once.");
    assert_string_equal(carom_model_source(model), "nowhere");
    assert_string_equal(carom_model_coordinate_name(model, 4), "z[3]");
    assert_string_equal(carom_model_constraint_name(model, 0), "guide");
    assert_string_equal(carom_model_record_name(model, 3), "twice[3]");
    assert_true(carom_model_start_q(model)[0] == 1.5);
    assert_true(carom_model_start_q(model)[3] == 0.2 * 2);
    assert_true(carom_model_start_u(model)[0] == -2);
    assert_true(carom_model_start_u(model)[4] == 3);
    carom_model_free(model);
    carom_modelfile_free(file);
}

static void contacts_keep_their_laws_and_slips(void **state)
{
    (void)state;
    carom_modelfile *file = read_ok(full);
    carom_model *model = finish_ok(file);
    static const carom_contact_facts wanted[] = {
        {.name = "wall", .n_slip = 0, .e = 0.5},
        {.name = "pair[2]", .n_slip = 1, .e_t = 0.25, .mu = 0.3},
        {.name = "pair[3]", .n_slip = 1, .e_t = 0.25, .mu = 0.3},
        {.name = "roll", .n_slip = 1},
        {.name = "space", .n_slip = 2},
    };
    for (int i = 0; i < 5; i++) {
        const carom_contact_facts *facts = carom_model_contact(model, i);
        assert_string_equal(facts->name, wanted[i].name);
        assert_int_equal(facts->n_slip, wanted[i].n_slip);
        assert_true(facts->e == wanted[i].e);
        assert_true(facts->e_t == wanted[i].e_t);
        assert_true(facts->mu == wanted[i].mu);
    }
    carom_model_free(model);
    carom_modelfile_free(file);
}

static void check_text(carom_text text, const char *wanted, int line, int column)
{
    assert_non_null(text.text);
    assert_string_equal(text.text, wanted);
    assert_string_equal(text.place.file, name_of_text);
    assert_int_equal(text.place.line, line);
    assert_int_equal(text.place.column, column);
}

static void run_texts_keep_their_places_and_options(void **state)
{
    (void)state;
    carom_modelfile *file = read_ok(full);
    const carom_run_texts *run = carom_modelfile_run(file);
    check_text(run->scheme, "moreau_jean", 1, 15);
    check_text(run->solver, "nsgs", 1, 36);
    check_text(run->step, "h/2", 1, 48);
    check_text(run->end, "2*T", 1, 58);
    assert_null(run->tolerance.text);
    assert_int_equal(run->n_setting, 2);
    check_text(run->setting[0].name, "theta", 1, 63);
    check_text(run->setting[1].name, "solver.tolerance", 2, 7);
    check_text(run->setting[1].value, "1e-12", 2, 25);
    double end = 0;
    assert_int_equal(carom_builder_number(carom_modelfile_builder(file), run->end, &end, NULL),
                     CAROM_OK);
    assert_true(end == 2 * (4 * 1e-3));
    carom_modelfile_free(file);
}

// energies at the start of a model with two coordinates
static void energies(const char *head, const char *terms, double *kinetic, double *potential)
{
    char text[2000];
    snprintf(text, sizeof text, "%s%s", head, terms);
    carom_modelfile *file = read_ok(text);
    carom_model *model = finish_ok(file);
    const unsigned mask = CAROM_ENERGY;
    carom_plan *plan = NULL;
    assert_int_equal(carom_plan_new(model, &mask, 1, &plan, NULL), CAROM_OK);
    carom_eval *eval = carom_plan_eval(plan);
    const carom_point at = {.q = carom_model_start_q(model), .u = carom_model_start_u(model)};
    assert_int_equal(carom_model_eval(plan, &at, mask, eval, NULL), CAROM_OK);
    *kinetic = eval->energy.kinetic;
    *potential = eval->energy.potential;
    carom_plan_free(plan);
    carom_model_free(model);
    carom_modelfile_free(file);
}

static void energies_may_be_a_text_a_list_or_a_family(void **state)
{
    (void)state;
    static const char head[] = "carom: 1\nparameters: {n: 2}\n"
                               "coordinates:\n  x[i]: {for: {i: 1..n}, start: i, rate: 2*i}\n";
    // T = sum of (2 i)^2 = 4 + 16, V = sum of i^2 = 1 + 4: whole numbers, so exact
    static const char *const terms[] = {
        "kinetic: der(x[1])^2 + der(x[2])^2\npotential: x[1]^2 + x[2]^2\n",
        "kinetic: [\"der(x[1])^2\", \"der(x[2])^2\"]\npotential:\n  - x[1]^2\n  - x[2]^2\n",
        "kinetic: {for: {i: 1..n}, term: \"der(x[i])^2\"}\npotential: sum(i, 1, n, x[i]^2)\n",
        ("kinetic:\n  - term: der(x[1])^2\n  - {for: {i: 2..2}, term: \"der(x[i])^2\"}\n"
         "potential:\n  for: {i: 1..n}\n  term: |\n    x[i]\n    ^ 2\n"),
    };
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        double kinetic, potential;
        energies(head, terms[i], &kinetic, &potential);
        assert_true(kinetic == 20);
        assert_true(potential == 5);
    }
}

static void check_place(const char *text, const char *place)
{
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    carom_error error = {0};
    char wanted[600];
    snprintf(wanted, sizeof wanted, "%s:%s: unknown name 'zz'", name_of_text, place);
    carom_status status =
        carom_modelfile_read_text(text, strlen(text), name_of_text, &file, &error);
    if (status == CAROM_OK)
        status = carom_builder_finish(carom_modelfile_builder(file), &model, &error);
    assert_int_equal(status, CAROM_BAD_INPUT);
    if (strncmp(error.message, wanted, strlen(wanted)) != 0)
        fail_msg("'%s' instead of '%s'", error.message, wanted);
    carom_model_free(model);
    carom_modelfile_free(file);
}

static void an_unknown_name_is_placed_at_its_first_letter_in_every_style(void **state)
{
    (void)state;
#define HEAD "carom: 1\ncoordinates: {x: {}}\nkinetic: der(x)^2\n"
    check_place(HEAD "potential: x*zz\n", "4:14");
    check_place(HEAD "potential: \"x*zz\"\n", "4:15");
    check_place(HEAD "potential: 'x*zz'\n", "4:15");
    check_place(HEAD "potential: [1, x*zz]\n", "4:18");
    check_place(HEAD "potential: x\n  + 2\n   *zz\n", "6:5");
    check_place(HEAD "potential: |\n  x +\n    zz\n", "6:5");
    check_place(HEAD "potential: >-\n\n    x*zz\n", "6:7");
    check_place(HEAD "potential: \"x +\n  zz\"\n", "5:3");
    check_place(HEAD "record: {\"ab\": x, c: zz}\n", "4:22");
    check_place(HEAD "about: \xc3\xa4\nrecord: {\"b\": 1, c: zz}\n", "5:21");
    check_place("\xef\xbb\xbf" HEAD "potential: zz\r\n", "4:12");
#undef HEAD
}

static void reading_the_same_text_twice_gives_the_same_model(void **state)
{
    (void)state;
    char with_returns[2 * sizeof full];
    char *to = with_returns;
    for (const char *from = full; *from; from++) {
        if (*from == '\n') *to++ = '\r';
        *to++ = *from;
    }
    *to = 0;
    carom_modelfile *file[2] = {read_ok(full), read_ok(with_returns)};
    carom_model *model[2] = {finish_ok(file[0]), finish_ok(file[1])};
    const carom_sizes a = carom_model_sizes(model[0]), b = carom_model_sizes(model[1]);
    assert_memory_equal(&a, &b, sizeof a);
    for (int i = 0; i < a.nq; i++)
        assert_string_equal(carom_model_coordinate_name(model[0], i),
                            carom_model_coordinate_name(model[1], i));
    const size_t bytes = sizeof(double) * (size_t)a.nq;
    assert_memory_equal(carom_model_start_q(model[0]), carom_model_start_q(model[1]), bytes);
    assert_memory_equal(carom_model_start_u(model[0]), carom_model_start_u(model[1]), bytes);
    for (int k = 0; k < 2; k++) {
        carom_model_free(model[k]);
        carom_modelfile_free(file[k]);
    }
}

static void empty_sections_count_as_absent_and_the_file_names_the_model(void **state)
{
    (void)state;
    carom_modelfile *file = read_ok("carom: 1\nparameters:\ncoordinates: {x: {start: 1}}\n"
                                    "kinetic: der(x)^2\ncontacts:\nrun:\ndraw: []\n");
    carom_model *model = finish_ok(file);
    assert_string_equal(carom_model_name(model), "text");
    assert_int_equal(carom_model_sizes(model).n_contact, 0);
    assert_int_equal(carom_modelfile_run(file)->n_setting, 0);
    assert_null(carom_modelfile_run(file)->scheme.text);
    carom_model_free(model);
    carom_modelfile_free(file);
}

// a long text of many pieces: libfyaml's own copy of such a text leaks
static void a_text_of_many_lines_and_quotes_is_read_whole(void **state)
{
    (void)state;
    enum { N = 500 };
    static const char tail[] = "coordinates: {x: {}}\nkinetic: der(x)^2\n";
    char text[16 * N], wanted[8 * N];
    static const char *const form[][3] = {
        {"about: 'it''s", "\n  it''s", "'\n"},
        {"about: >-\n  it's", "\n  it's", "\n"},
        {"about: it's", "\n  it's", "\n"},
        {"about: \"it's", "\\x20it\\x27s", "\"\n"},
    };
    for (size_t k = 0; k < sizeof form / sizeof form[0]; k++) {
        size_t n = (size_t)sprintf(text, "carom: 1\n%s", form[k][0]);
        size_t m = (size_t)sprintf(wanted, "it's");
        for (int i = 1; i < N; i++) {
            n += (size_t)sprintf(text + n, "%s", form[k][1]);
            m += (size_t)sprintf(wanted + m, " it's");
        }
        sprintf(text + n, "%s%s", form[k][2], tail);
        carom_modelfile *file = read_ok(text);
        carom_model *model = finish_ok(file);
        assert_string_equal(carom_model_about(model), wanted);
        carom_model_free(model);
        carom_modelfile_free(file);
    }
}

static carom_status read_path(const char *path, carom_error *error)
{
    carom_modelfile *file = NULL;
    *error = (carom_error){0};
    const carom_status status = carom_modelfile_read(path, &file, error);
    if (status != CAROM_OK) assert_null(file);
    carom_modelfile_free(file);
    return status;
}

static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    carom_error error;
    assert_int_equal(read_path("/nonexistent/model.yaml", &error), CAROM_IO);
    assert_string_equal(error.message,
                        "/nonexistent/model.yaml: cannot be opened: No such file or directory");
    assert_int_equal(read_path(CAROM_SOURCE_DIR, &error), CAROM_IO);
    assert_non_null(strstr(error.message, "is a folder, not a file"));
}

static void a_file_above_its_limit_is_refused(void **state)
{
    (void)state;
    char path[] = "/tmp/carom-large-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(ftruncate(descriptor, 4000001), 0);
    close(descriptor);
    carom_error error;
    const carom_status status = read_path(path, &error);
    unlink(path);
    assert_int_equal(status, CAROM_BAD_INPUT);
    assert_non_null(strstr(
        error.message, "the file has more than 4000000 bytes (--limit model_bytes=N allows more)"));
}

static void a_text_with_a_zero_byte_is_refused(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\0name: x\n";
    carom_modelfile *file = NULL;
    carom_error error = {0};
    assert_int_equal(carom_modelfile_read_text(text, sizeof text - 1, NULL, &file, &error),
                     CAROM_BAD_INPUT);
    assert_string_equal(error.message, "text:1:9: control character 0x00 (is this a text file?)");
}

static void texts_may_hold_any_letter_anywhere(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\nname: \"x²\"\nabout: é, z = x²\n"
                               "coordinates: {x: {start: 1}}\nkinetic: der(x)^2\n";
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    carom_error error = {0};
    assert_int_equal(carom_modelfile_read_text(text, sizeof text - 1, NULL, &file, &error),
                     CAROM_OK);
    assert_int_equal(carom_builder_finish(carom_modelfile_builder(file), &model, &error), CAROM_OK);
    assert_string_equal(carom_model_name(model), "x²");
    assert_string_equal(carom_model_about(model), "é, z = x²");
    carom_model_free(model);
    carom_modelfile_free(file);
}

static void a_missing_error_is_no_problem(void **state)
{
    (void)state;
    carom_modelfile *file = NULL;
    assert_int_equal(carom_modelfile_read_text("a: *b", 5, "x", &file, NULL), CAROM_BAD_INPUT);
    assert_null(file);
    carom_modelfile_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_section_reaches_the_model),
        cmocka_unit_test(contacts_keep_their_laws_and_slips),
        cmocka_unit_test(run_texts_keep_their_places_and_options),
        cmocka_unit_test(energies_may_be_a_text_a_list_or_a_family),
        cmocka_unit_test(an_unknown_name_is_placed_at_its_first_letter_in_every_style),
        cmocka_unit_test(reading_the_same_text_twice_gives_the_same_model),
        cmocka_unit_test(empty_sections_count_as_absent_and_the_file_names_the_model),
        cmocka_unit_test(a_text_of_many_lines_and_quotes_is_read_whole),
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(a_file_above_its_limit_is_refused),
        cmocka_unit_test(a_text_with_a_zero_byte_is_refused),
        cmocka_unit_test(texts_may_hold_any_letter_anywhere),
        cmocka_unit_test(a_missing_error_is_no_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
