// SPDX-License-Identifier: Apache-2.0
// Which files a model may name: those below its own folder, below folders that the caller allows,
// and installed parts; links count as what they lead to.
#include "modelfile/allowed.h"

#include "carom/modelfile.h"

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

static char top[64];

static void put(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", top, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int start(void **state)
{
    static const char *const folder[] = {"own",        "own/sub", "other",
                                         "other/deep", "ownmore", "parts"};
    static const char *const table[] = {"own/t.csv",        "own/sub/t.csv", "other/t.csv",
                                        "other/deep/t.csv", "ownmore/t.csv", "parts/t.csv"};
    char path[256], to[256];
    (void)state;
    strcpy(top, "/tmp/carom-allowed-XXXXXX");
    if (!mkdtemp(top)) return -1;
    for (size_t i = 0; i < sizeof folder / sizeof folder[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", top, folder[i]);
        if (mkdir(path, 0700) != 0) return -1;
    }
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) put(table[i], "x,y\n0,0\n1,1\n");
    snprintf(to, sizeof to, "%s/other/t.csv", top);
    snprintf(path, sizeof path, "%s/own/link.csv", top);
    if (symlink(to, path) != 0) return -1;
    snprintf(path, sizeof path, "%s/own/folder", top);
    if (symlink("../other", path) != 0) return -1;
    snprintf(path, sizeof path, "%s/own/inside.csv", top);
    if (symlink("sub/t.csv", path) != 0) return -1;
    snprintf(path, sizeof path, "%s/parts/out.csv", top);
    if (symlink(to, path) != 0) return -1;
    snprintf(path, sizeof path, "%s/own/pipe.csv", top);
    return mkfifo(path, 0600);
}

static int end(void **state)
{
    char line[128];
    (void)state;
    snprintf(line, sizeof line, "rm -rf %s", top);
    return system(line);
}

// reads a model in own/ that names a table; $ stands for the top folder
static carom_status read_table(const char *named, const carom_access *access, carom_error *error)
{
    char text[1024], path[256], name[256];
    const char *dollar = strchr(named, '$');
    snprintf(name, sizeof name, "%s%s", dollar ? top : "", dollar ? dollar + 1 : named);
    snprintf(text, sizeof text,
             "carom: 1\ntables:\n  f: {file: \"%s\"}\ncoordinates: {x: {start: 0}}\n"
             "kinetic: der(x)^2\n",
             name);
    snprintf(path, sizeof path, "%s/own/model.yaml", top);
    carom_modelfile *file = NULL;
    *error = (carom_error){0};
    const carom_status status =
        carom_modelfile_read_text_with(text, strlen(text), path, access, &file, error);
    carom_modelfile_free(file);
    return status;
}

static void tables_lie_below_the_model(void **state)
{
    (void)state;
    carom_error error;
    static const char *const inside[] = {"t.csv", "sub/t.csv", "./sub/../t.csv", "inside.csv",
                                         "$/own/t.csv"};
    static const char *const outside[] = {
        "../other/t.csv",   "link.csv",    "folder/t.csv",         "$/other/t.csv",
        "../ownmore/t.csv", "/etc/passwd", "sub/../../other/t.csv"};
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++)
        if (read_table(inside[i], NULL, &error) != CAROM_OK)
            fail_msg("%s: %s", inside[i], error.message);
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        assert_int_equal(read_table(outside[i], NULL, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, "own/model.yaml:3:"));
        assert_non_null(strstr(error.message, "a model reads no files from elsewhere"));
        assert_non_null(strstr(error.message, "(allow it with --allow-path /"));
    }
}

static void the_way_out_that_is_named_is_one(void **state)
{
    (void)state;
    carom_error error;
    assert_int_equal(read_table("link.csv", NULL, &error), CAROM_BAD_INPUT);
    char folder[256] = "";
    assert_int_equal(
        sscanf(strstr(error.message, "--allow-path "), "--allow-path %255[^)]", folder), 1);
    const char *const list[] = {"/no/such/folder", folder};
    const carom_access access = {.folder = list, .n_folder = 2};
    assert_int_equal(read_table("link.csv", &access, &error), CAROM_OK);
    assert_int_equal(read_table("../other/deep/t.csv", &access, &error), CAROM_OK);
    assert_int_equal(read_table("../ownmore/t.csv", &access, &error), CAROM_BAD_INPUT);
}

static void parts_are_named_by_a_prefix(void **state)
{
    (void)state;
    carom_error error;
    char parts[256];
    snprintf(parts, sizeof parts, "%s/parts", top);
    const carom_access access = {.parts = parts};
    assert_int_equal(read_table("carom:t.csv", &access, &error), CAROM_OK);
    assert_int_equal(read_table("carom:../own/t.csv", &access, &error), CAROM_BAD_INPUT);
    assert_int_equal(read_table("carom:out.csv", &access, &error), CAROM_BAD_INPUT);
    assert_int_equal(read_table("carom:none.csv", &access, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "cannot be opened"));
    assert_int_equal(read_table("carom:t.csv", NULL, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "no folder of parts is installed"));
}

static void what_is_no_ordinary_file_is_not_waited_for(void **state)
{
    (void)state;
    carom_error error;
    const char *const list[] = {"/dev"};
    const carom_access access = {.folder = list, .n_folder = 1}, none = {.no_files = true};
    assert_int_equal(read_table("pipe.csv", NULL, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "is not an ordinary file"));
    assert_int_equal(read_table("/dev/zero", &access, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "is not an ordinary file"));
    assert_int_equal(read_table("t.csv", &none, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "is gone, or no longer the file it was"));
}

static void sizes_of_files_are_limited(void **state)
{
    (void)state;
    carom_error error;
    carom_limits limits = carom_limits_default();
    const carom_access access = {.limits = &limits};
    limits.table_bytes = 11;
    assert_int_equal(read_table("t.csv", &access, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "more than 11 bytes (--limit table_bytes=N"));
    limits.table_bytes = 12;
    assert_int_equal(read_table("t.csv", &access, &error), CAROM_OK);
    limits.model_bytes = 50;
    assert_int_equal(read_table("t.csv", &access, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "more than 50 bytes (--limit model_bytes=N"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_lie_below_the_model),
        cmocka_unit_test(the_way_out_that_is_named_is_one),
        cmocka_unit_test(parts_are_named_by_a_prefix),
        cmocka_unit_test(what_is_no_ordinary_file_is_not_waited_for),
        cmocka_unit_test(sizes_of_files_are_limited),
    };
    return cmocka_run_group_tests(tests, start, end);
}
