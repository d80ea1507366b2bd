// SPDX-License-Identifier: Apache-2.0
// JSON as it is read: every value with its place, escapes, and what is no JSON.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json_text.h"

#include <stdio.h>
#include <string.h>

typedef struct seen {
    char text[2000];
} seen;

// "key/key/index=value;"
static bool write_down(void *self, const carom_json_value *value)
{
    seen *s = self;
    size_t n = strlen(s->text);
    for (int i = 0; i < value->depth; i++) {
        if (*value->key[i])
            snprintf(s->text + n, sizeof s->text - n, "%s/", value->key[i]);
        else
            snprintf(s->text + n, sizeof s->text - n, "%ld/", value->index[i]);
        n = strlen(s->text);
    }
    snprintf(s->text + n, sizeof s->text - n, "%s%s;", value->is_text ? "'" : "", value->text);
    return strcmp(value->text, "stop") != 0;
}

static bool walk(const char *text, seen *s)
{
    char copy[2000];
    s->text[0] = 0;
    snprintf(copy, sizeof copy, "%s", text);
    return carom_json_walk(copy, (carom_json_visitor){.self = s, .value = write_down});
}

static void every_value_is_seen_with_its_place(void **state)
{
    (void)state;
    seen s;
    assert_true(walk(" {\"a\": 1.5e-3, \"b\": [{\"c\": \"x\", \"d\": true}, {}, [], null],\n"
                     "\"e\": {\"f\": -1}} \n",
                     &s));
    assert_string_equal(s.text, "a/1.5e-3;b/0/c/'x;b/0/d/true;b/3/null;e/f/-1;");
    assert_true(walk("[]", &s) && walk("{}", &s) && walk("\"only\"", &s));
    assert_string_equal(s.text, "'only;");
}

static void escapes_are_decoded(void **state)
{
    (void)state;
    seen s;
    assert_true(walk("[\"\\\"\\\\\\/\\n\\t\\u0041\\u00e9\\u20ac\\ud83c\\udfb1\"]", &s));
    assert_string_equal(s.text, "0/'\"\\/\n\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\xb1;");
}

static void what_is_no_json_is_refused(void **state)
{
    (void)state;
    static const char *const text[] = {"",
                                       "{",
                                       "[1",
                                       "{\"a\" 1}",
                                       "{\"a\": }",
                                       "{a: 1}",
                                       "[1,]",
                                       "[1 2]",
                                       "{\"a\": 1}}",
                                       "\"open",
                                       "\"\\q\"",
                                       "\"\\u12\"",
                                       "\"\\u0000\"",
                                       "[1] x",
                                       "[[[[[[[[[1]]]]]]]]]",
                                       "[\"stop\", 1]"};
    seen s;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        if (walk(text[i], &s)) fail_msg("taken: %s", text[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_is_seen_with_its_place),
        cmocka_unit_test(escapes_are_decoded),
        cmocka_unit_test(what_is_no_json_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
