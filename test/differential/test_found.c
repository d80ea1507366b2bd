// SPDX-License-Identifier: Apache-2.0
// label: slow
// Mechanisms on which event_driven once stopped, crept or told another motion, each under the name
// of what it shows: all schemes agree on them now.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "differential/verdict.h"

#include <dirent.h>
#include <stdlib.h>

static void read_mechanism(const char *path, mechanism *m)
{
    *m = (mechanism){.family = "found"};
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    m->n = fread(m->text, 1, sizeof m->text - 1, file);
    fclose(file);
    const char *end = strstr(m->text, "end: ");
    assert_non_null(end);
    m->end = strtod(end + 5, NULL);
}

static void what_was_found_stays_mended(void **state)
{
    (void)state;
    static mechanism m;
    const char *folder = CAROM_SOURCE_DIR "/test/differential/found";
    int n = 0, n_bad = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (const struct dirent *it; (it = readdir(list));) {
        char path[1024];
        if (!strstr(it->d_name, ".yaml")) continue;
        snprintf(path, sizeof path, "%s/%.200s", folder, it->d_name);
        read_mechanism(path, &m);
        const verdict v = verdict_of(&m);
        n++;
        if (v.kind == AGREED) continue;
        n_bad++;
        print_message("%s: %s\n", it->d_name, v.why);
    }
    closedir(list);
    assert_true(n >= 14);
    assert_int_equal(n_bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_found_stays_mended)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
