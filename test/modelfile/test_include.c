// SPDX-License-Identifier: Apache-2.0
// Models of several files: what is merged and in which order, once only; what is refused, and at
// which place it is said.
#include "carom/carom.h"
#include "model/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char top[64], parts[96], elsewhere[96];

static const char *in_top(const char *name)
{
    static char path[4][256];
    static int next;
    char *to = path[next++ % 4];
    snprintf(to, sizeof path[0], "%s/%s", top, name);
    return to;
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(in_top(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int start(void **state)
{
    static const char *const folder[] = {"own", "own/sub", "own/sub/deep", "other", "parts"};
    (void)state;
    strcpy(top, "/tmp/carom-include-XXXXXX");
    if (!mkdtemp(top)) return -1;
    for (size_t i = 0; i < sizeof folder / sizeof folder[0]; i++)
        if (mkdir(in_top(folder[i]), 0700) != 0) return -1;
    snprintf(parts, sizeof parts, "%s/parts", top);
    snprintf(elsewhere, sizeof elsewhere, "%s/other", top);
    return 0;
}

static int end(void **state)
{
    char line[128];
    (void)state;
    snprintf(line, sizeof line, "rm -rf %s", top);
    return system(line);
}

// the model of a text that stands in own/model.yaml, or NULL
static carom_model *make(const char *text, const carom_access *access, carom_error *error)
{
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    *error = (carom_error){0};
    put("own/model.yaml", text);
    if (carom_modelfile_read_with(in_top("own/model.yaml"), access, &file, error) == CAROM_OK)
        (void)carom_builder_finish(carom_modelfile_builder(file), &model, error);
    carom_modelfile_free(file);
    return model;
}

static carom_model *must_make(const char *text, const carom_access *access)
{
    carom_error error;
    carom_model *model = make(text, access, &error);
    if (!model) fail_msg("%s", error.message);
    return model;
}

// it is refused as bad input, at the place given below the top folder, with these words
static void refused(const char *text, const carom_access *access, const char *place,
                    const char *words)
{
    carom_error error;
    carom_model *model = make(text, access, &error);
    carom_model_free(model);
    const char *lead = strncmp(place, "carom:", 6) == 0 ? place : in_top(place);
    if (model || error.status != CAROM_BAD_INPUT || strchr(error.message, '\n') ||
        strncmp(error.message, lead, strlen(lead)) != 0 || !strstr(error.message, words))
        fail_msg("'%s' is not at %s with '%s'", error.message, lead, words);
}

static const char ball[] = "carom: 1\n"
                           "name: ball\n"
                           "about: a part\n"
                           "parameters: {m: 2, weight: 9.81*m}\n"
                           "coordinates: {y: {start: height, rate: -1}}\n"
                           "define: {top: y + r}\n"
                           "kinetic: m/2*der(y)^2\n"
                           "potential: weight*y\n"
                           "forces: [{coordinate: y, force: -c*der(y)}]\n"
                           "contacts: [{name: floor, gap: y - r, restitution: e}]\n"
                           "record: {crown: top}\n"
                           "draw: [{disc: [0, y], radius: r}]\n";
static const char user[] = "carom: 1\n"
                           "include: [sub/ball.yaml]\n"
                           "parameters: {height: 3, r: 0.5, c: 0.1, e: 0.25, m2: m/2}\n"
                           "coordinates: {x: {}}\n"
                           "define: {apart: x - top}\n"
                           "kinetic: m2/2*der(x)^2\n"
                           "constraints: [{name: tie, equation: x}]\n"
                           "contacts: [{name: wall, gap: 9 - y}]\n"
                           "record: {apart_now: apart}\n"
                           "draw: [{line: [[0, 0], [x, y]]}]\n";
static const char whole[] =
    "carom: 1\n"
    "parameters: {m: 2, weight: 9.81*m, height: 3, r: 0.5, c: 0.1, e: 0.25, m2: m/2}\n"
    "coordinates: {y: {start: height, rate: -1}, x: {}}\n"
    "define: {top: y + r, apart: x - top}\n"
    "kinetic: [m/2*der(y)^2, m2/2*der(x)^2]\n"
    "potential: weight*y\n"
    "forces: [{coordinate: y, force: -c*der(y)}]\n"
    "constraints: [{name: tie, equation: x}]\n"
    "contacts: [{name: floor, gap: y - r, restitution: e}, {name: wall, gap: 9 - y}]\n"
    "record: {crown: top, apart_now: apart}\n"
    "draw: [{disc: [0, y], radius: r}, {line: [[0, 0], [x, y]]}]\n";

static void a_model_of_two_files_is_the_model_of_one(void **state)
{
    (void)state;
    put("own/sub/ball.yaml", ball);
    carom_model *model = must_make(user, NULL), *same = must_make(whole, NULL);
    assert_true(carom_model_fingerprint(model) == carom_model_fingerprint(same));
    assert_string_equal(carom_model_name(model), "model"); // not that of the part
    assert_string_equal(carom_model_about(model), "");
    assert_string_equal(carom_model_coordinate_name(model, 0), "y");
    const carom_sizes n = carom_model_sizes(model), m = carom_model_sizes(same);
    assert_int_equal(n.n_contact, 2);
    assert_int_equal(n.n_constraint, 1);
    assert_int_equal(n.n_drawing, m.n_drawing);
    assert_int_equal(n.n_record, 2);
    carom_model_free(model);
    carom_model_free(same);
    // a number of the part is a number of the model
    put("own/sub/ball.yaml", "carom: 1\nparameters: {m: 2.5}\ncoordinates: {y: {}}\n");
    model = must_make("carom: 1\ninclude: [sub/ball.yaml]\nkinetic: m*der(y)^2\n", NULL);
    put("own/sub/ball.yaml", "carom: 1\nparameters: {m: 2.6}\ncoordinates: {y: {}}\n");
    same = must_make("carom: 1\ninclude: [sub/ball.yaml]\nkinetic: m*der(y)^2\n", NULL);
    assert_true(carom_model_fingerprint(model) != carom_model_fingerprint(same));
    carom_model_free(model);
    carom_model_free(same);
}

static void parameters_of_a_part_are_set_like_others(void **state)
{
    (void)state;
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    carom_error error = {0};
    const carom_text name = {"m", {0}}, value = {"8", {0}}, height = {"height", {0}};
    put("own/sub/ball.yaml", ball);
    put("own/model.yaml", user);
    assert_int_equal(carom_modelfile_read(in_top("own/model.yaml"), &file, &error), CAROM_OK);
    carom_builder *builder = carom_modelfile_builder(file);
    assert_int_equal(carom_builder_set(builder, name, value, &error), CAROM_OK);
    assert_int_equal(carom_builder_set(builder, height, (carom_text){"4", {0}}, &error), CAROM_OK);
    double weight = 0;
    const carom_text text = {"weight + height", {0}};
    assert_int_equal(carom_builder_number(builder, text, &weight, &error), CAROM_OK);
    assert_true(weight == 9.81 * 8 + 4);
    assert_int_equal(carom_builder_finish(builder, &model, &error), CAROM_OK);
    carom_model_free(model);
    carom_modelfile_free(file);
}

// a and b both need c; tables and includes are seen from the file that names them
static void nested_files_are_read_once_and_from_where_they_stand(void **state)
{
    (void)state;
    put("own/sub/a.yaml", "carom: 1\ninclude: [deep/c.yaml]\nparameters: {a: 2*c}\n");
    put("own/b.yaml", "carom: 1\ninclude: [sub/../sub/deep/c.yaml]\nparameters: {b: c + a}\n");
    put("own/sub/deep/c.yaml",
        "carom: 1\nparameters: {c: 3}\ntables: {f: {file: ../t.csv}}\ncoordinates: {x: {}}\n");
    put("own/sub/t.csv", "u,v\n-1,0\n1,2\n");
    carom_model *model = must_make("carom: 1\ninclude: [sub/a.yaml, b.yaml, sub/a.yaml]\n"
                                   "kinetic: (a + b + c)*der(x)^2\npotential: f(x)\n",
                                   NULL),
                *same = must_make("carom: 1\ncoordinates: {x: {}}\nkinetic: 18*der(x)^2\n"
                                  "tables: {f: {points: [[-1, 0], [1, 2]]}}\npotential: f(x)\n",
                                  NULL);
    assert_true(carom_model_fingerprint(model) == carom_model_fingerprint(same));
    carom_model_free(model);
    carom_model_free(same);
}

static void a_name_is_defined_once_and_both_places_are_named(void **state)
{
    (void)state;
    char other[300];
    put("own/p.yaml", "carom: 1\nparameters: {m: 1}\ncoordinates:\n  x: {}\nkinetic: der(x)^2\n"
                      "contacts:\n  - {name: wall, gap: x}\nrecord: {now: x}\n");
    static const struct {
        const char *text, *place, *other;
    } twice[] = {
        {"parameters: {m: 2}", "own/model.yaml:3:14: the name 'm' is already taken by a parameter ",
         "own/p.yaml:2:14; rename"},
        {"define: {x: m}", "own/model.yaml:3:10: the name 'x' is already taken by a coordinate ",
         "own/p.yaml:4:3; rename"},
        {"contacts: [{name: wall, gap: 1 - x}]", "own/model.yaml:3:19: there are two called 'wall'",
         "own/p.yaml:7:12)"},
        {"contacts: [{name: wall, surface: [{gap: 1 - x, where: x > 0}]}]",
         "own/model.yaml:3:19: there are two called 'wall'", "own/p.yaml:7:12)"},
        {"record: {now: 2*x}", "own/model.yaml:3:10: there are two called 'now'",
         "own/p.yaml:8:10)"},
    };
    for (size_t i = 0; i < sizeof twice / sizeof twice[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "carom: 1\ninclude: [p.yaml]\n%s\n", twice[i].text);
        snprintf(other, sizeof other, "in %s", in_top(twice[i].other));
        refused(text, NULL, twice[i].place, other);
    }
}

static void errors_stand_where_the_text_stands(void **state)
{
    (void)state;
    static const struct {
        const char *part, *place, *words;
    } bad[] = {
        {"carom: 1\nkinetic: m*der(xx)^2\n", "own/sub/p.yaml:2:16: ", "unknown name 'xx'"},
        {"carom: 1\nkinetik: 1\n", "own/sub/p.yaml:2:1: ", "unknown key 'kinetik' in an included"},
        {"carom: 1\nkinetic: [1\n", "own/sub/p.yaml:", ""},
        {"carom: 2\n", "own/sub/p.yaml:1:8: ", "version '2'"},
        {"parameters: {a: 1}\n", "own/sub/p.yaml:1:1: ", "an included file needs 'carom'"},
        {"", "own/sub/p.yaml:1:1: ", "the file holds nothing"},
        {"- 1\n", "own/sub/p.yaml:1:1: ", "not of a list"},
        {"carom: 1\nrun: {step: 1}\n", "own/sub/p.yaml:2:1: ", "(move 'run' to the model itself)"},
        {"carom: 1\ninclude: x.yaml\n", "own/sub/p.yaml:2:10: ", "must be a list, not a text"},
        {"carom: 1\ninclude: [[x.yaml]]\n", "own/sub/p.yaml:2:11: ", "must be a text"},
        {"carom: 1\ninclude: [none.yaml]\n", "own/sub/p.yaml:2:11: ", "sub/none.yaml: cannot be"},
        {"carom: 1\ninclude: [deep]\n", "own/sub/p.yaml:2:11: ", "is a folder"},
        {"carom: 1\ntables: {f: {file: none.csv}}\n", "own/sub/p.yaml:2:20: ", "sub/none.csv: "},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        put("own/sub/p.yaml", bad[i].part);
        refused("carom: 1\ninclude: [sub/p.yaml]\nparameters: {m: 1}\ncoordinates: {x: {}}\n"
                "kinetic: der(x)^2\n",
                NULL, bad[i].place, bad[i].words);
    }
    put("own/sub/p.yaml", "carom: 1\n");
    refused("carom: 1\ninclude: [sub/p.yaml]\nkinetic: 1\n", NULL,
            "own/model.yaml:1:1: ", "a model needs 'coordinates'");
}

static void a_file_does_not_include_itself(void **state)
{
    (void)state;
    refused("carom: 1\ninclude: [model.yaml]\n", NULL,
            "own/model.yaml:2:11: ", "'model.yaml' is included by itself: ");
    put("own/sub/a.yaml", "carom: 1\ninclude: [../b.yaml]\n");
    put("own/b.yaml", "carom: 1\ninclude: [sub/a.yaml]\n");
    char chain[600];
    snprintf(chain, sizeof chain, "itself: %s/own/b.yaml -> %s/own/sub/a.yaml -> %s/own/sub/../b",
             top, top, top);
    refused("carom: 1\ninclude: [b.yaml]\n", NULL, "own/sub/a.yaml:2:11: ", chain);
    // by another name
    assert_int_equal(symlink("model.yaml", in_top("own/alias.yaml")), 0);
    refused("carom: 1\ninclude: [alias.yaml]\n", NULL, "own/model.yaml:2:11: ", "by itself");
}

static void what_lies_elsewhere_is_not_read(void **state)
{
    (void)state;
    put("other/x.yaml", "carom: 1\ncoordinates: {x: {}}\n");
    put("own/sub/out.yaml", "carom: 1\ninclude: [../../other/x.yaml]\n");
    put("own/sub/below.yaml", "carom: 1\ninclude: [../in.yaml]\n");
    put("own/in.yaml", "carom: 1\ncoordinates: {x: {}}\n");
    assert_int_equal(symlink("../other/x.yaml", in_top("own/link.yaml")), 0);
    assert_int_equal(symlink("../other", in_top("own/folder")), 0);
    assert_int_equal(mkfifo(in_top("own/pipe.yaml"), 0600), 0);
    const char *const other[] = {elsewhere}, *const device[] = {"/dev"};
    const carom_access allowed = {.folder = other, .n_folder = 1},
                       devices = {.folder = device, .n_folder = 1}, none = {.no_files = true};
    static const char *const outside[] = {"../other/x.yaml", "link.yaml", "folder/x.yaml",
                                          "/etc/passwd", "sub/out.yaml"};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "carom: 1\ninclude: [%s]\nkinetic: der(x)^2\n", outside[i]);
        refused(text, NULL, i == 4 ? "own/sub/out.yaml:2:11: " : "own/model.yaml:2:11: ",
                "a model reads no files from elsewhere");
        if (i != 3) carom_model_free(must_make(text, &allowed));
        refused(text, &none, "own/model.yaml:2:11: ", "is gone, or no longer the file it was");
    }
    // above the part that names it, but below the model
    carom_model_free(must_make("carom: 1\ninclude: [sub/below.yaml]\nkinetic: der(x)^2\n", NULL));
    refused("carom: 1\ninclude: [pipe.yaml]\n", NULL,
            "own/model.yaml:2:11: ", "is not an ordinary file");
    refused("carom: 1\ninclude: [/dev/zero]\n", &devices,
            "own/model.yaml:2:11: ", "is not an ordinary file");
}

static void installed_parts_name_installed_parts(void **state)
{
    (void)state;
    const char *const other[] = {elsewhere};
    const carom_access access = {.parts = parts, .folder = other, .n_folder = 1};
    put("other/x.yaml", "carom: 1\ncoordinates: {x: {}}\n");
    put("parts/a.yaml", "carom: 1\ninclude: [b.yaml]\ntables: {f: {file: t.csv}}\n");
    put("parts/b.yaml", "carom: 1\ncoordinates: {x: {}}\n");
    put("parts/t.csv", "u,v\n-1,0\n1,2\n");
    put("parts/out.yaml", "carom: 1\ninclude: [../other/x.yaml]\n");
    put("parts/far.yaml", "carom: 1\n\ntables: {f: {file: /etc/passwd}}\n");
    put("parts/bad.yaml", "carom: 1\nparameters: {p: q}\n");
    carom_model_free(must_make(
        "carom: 1\ninclude: [carom:a.yaml, carom:b.yaml]\nkinetic: f(0)*der(x)^2\n", &access));
    refused("carom: 1\ninclude: [carom:out.yaml]\n", &access,
            "carom:out.yaml:2:11: ", "lies outside the folder of installed parts");
    refused("carom: 1\ninclude: [carom:far.yaml]\ncoordinates: {x: {}}\nkinetic: der(x)^2\n",
            &access, "carom:far.yaml:3:20: ", "lies outside the folder of installed parts");
    refused("carom: 1\ninclude: [carom:../other/x.yaml]\n", &access,
            "own/model.yaml:2:11: ", "lies outside the folder of installed parts");
    refused("carom: 1\ninclude: [carom:bad.yaml]\ncoordinates: {x: {}}\nkinetic: der(x)^2\n",
            &access, "carom:bad.yaml:2:17: ", "unknown name 'q'");
    refused("carom: 1\ninclude: [carom:a.yaml]\n", NULL,
            "own/model.yaml:2:11: ", "no folder of parts is installed");
}

static void files_levels_and_bytes_are_limited(void **state)
{
    (void)state;
    carom_limits limits = carom_limits_default();
    const carom_access access = {.limits = &limits};
    static const char text[] = "carom: 1\ninclude: [f0.yaml]\nkinetic: der(x)^2\n";
    for (int i = 0; i < 40; i++) {
        char name[32], part[64];
        snprintf(name, sizeof name, "own/f%d.yaml", i);
        snprintf(part, sizeof part, "carom: 1\ninclude: [f%d.yaml]\n", i + 1);
        put(name, i < 39 ? part : "carom: 1\ncoordinates: {x: {}}\n");
    }
    refused(text, &access,
            "own/f15.yaml:2:11: ", "through more than 16 levels (--limit include_levels=N");
    limits.include_levels = 40;
    carom_model_free(must_make(text, &access));
    limits.included_files = 39;
    refused(text, &access, "own/f38.yaml:2:11: ", "more than 39 files (--limit included_files=N");
    limits.included_files = 40;
    carom_model_free(must_make(text, &access));
    limits.model_bytes = 600; // each is far below
    refused(text, &access, "own/f", "have more than 600 bytes (--limit model_bytes=N");
    limits.model_bytes = INFINITY;
    carom_model_free(must_make(text, &access));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_of_two_files_is_the_model_of_one),
        cmocka_unit_test(parameters_of_a_part_are_set_like_others),
        cmocka_unit_test(nested_files_are_read_once_and_from_where_they_stand),
        cmocka_unit_test(a_name_is_defined_once_and_both_places_are_named),
        cmocka_unit_test(errors_stand_where_the_text_stands),
        cmocka_unit_test(a_file_does_not_include_itself),
        cmocka_unit_test(what_lies_elsewhere_is_not_read),
        cmocka_unit_test(installed_parts_name_installed_parts),
        cmocka_unit_test(files_levels_and_bytes_are_limited),
    };
    return cmocka_run_group_tests(tests, start, end);
}
