// SPDX-License-Identifier: Apache-2.0
// Work in a process of its own: answers of any length, and a process that crashes, hangs, takes all
// memory or ends. The caller is told, and its own things stay as they are.
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/files/apart.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// a sanitizer's allocator does not return NULL: its builds have no limit of memory (apart.c)
#if defined(__SANITIZE_ADDRESS__)
#define HAS_OWN_MALLOC
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_OWN_MALLOC
#endif
#endif

typedef enum kind { COUNT, CRASH, HANG, WAIT, EAT, END } kind;
typedef struct question {
    kind what;
    int n;
} question;

static void answer(void *self, const void *asked, carom_apart_answer *to)
{
    const question *q = asked;
    int *calls = self;
    ++*calls; // of the copy
    if (q->what == CRASH) raise(SIGSEGV);
    while (q->what == WAIT) pause();
    for (volatile int x = 0; q->what == HANG; x++) continue;
    while (q->what == EAT) {
        void *room = malloc(1 << 24);
        if (!room) _exit(1);
        memset(room, 1, 1 << 24);
    }
    if (q->what == END) _exit(3);
    for (int i = 0; i < q->n; i++) carom_apart_put(to, &i, sizeof i);
}

static carom_apart *start(int *calls, double seconds)
{
    const carom_apart_work work = {.self = calls,
                                   .question_bytes = sizeof(question),
                                   .answer = answer,
                                   .seconds = seconds,
                                   .bytes = 1e8};
    carom_apart *apart = carom_apart_new(&work);
    assert_non_null(apart);
    return apart;
}

static void answers_come_whole(void **state)
{
    (void)state;
    int calls = 0;
    carom_apart *apart = start(&calls, 60);
    const int sizes[] = {0, 1, 1000, 3000000};
    for (int k = 0; k < 4; k++) {
        void *got;
        size_t n;
        const question q = {COUNT, sizes[k]};
        assert_true(carom_apart_ask(apart, &q, &got, &n));
        assert_int_equal(n, sizeof(int) * (size_t)sizes[k]);
        for (int i = 0; i < sizes[k]; i++) assert_int_equal(((int *)got)[i], i);
        free(got);
    }
    assert_int_equal(calls, 0);
    assert_string_equal(carom_apart_trouble(apart), "");
    carom_apart_free(apart);
}

static void fails(kind what, int n, const char *trouble)
{
    int calls = 0;
    carom_apart *apart = start(&calls, what == HANG || what == WAIT ? 0.5 : 60);
    void *got;
    size_t bytes;
    const question q = {what, n}, good = {COUNT, 1};
    assert_false(carom_apart_ask(apart, &q, &got, &bytes));
    assert_null(got);
    if (!strstr(carom_apart_trouble(apart), trouble))
        fail_msg("'%s' does not say '%s'", carom_apart_trouble(apart), trouble);
    // it stays so
    assert_false(carom_apart_ask(apart, &good, &got, &bytes));
    carom_apart_free(apart);
}

static void a_crash_is_told(void **state)
{
    (void)state;
    fails(CRASH, 0, "crash");
}

static void a_hang_is_ended(void **state)
{
    (void)state;
    const time_t before = time(NULL);
    fails(HANG, 0, "longer than 0.5 s");
    assert_true(time(NULL) - before < 60);
}

// not busy, not dead: as one that reads a pipe nobody writes
static void one_that_waits_for_ever_is_ended(void **state)
{
    (void)state;
    fails(WAIT, 0, "longer than 3 s");
}

static void memory_has_an_end(void **state)
{
    (void)state;
#ifndef HAS_OWN_MALLOC
    fails(EAT, 0, "memory");
#endif
    fails(COUNT, 30000000, "memory"); // an answer of 120 MB
}

static void an_end_without_answer_is_told(void **state)
{
    (void)state;
    fails(END, 0, "reader");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_come_whole), cmocka_unit_test(a_crash_is_told),
        cmocka_unit_test(a_hang_is_ended),    cmocka_unit_test(one_that_waits_for_ever_is_ended),
        cmocka_unit_test(memory_has_an_end),  cmocka_unit_test(an_end_without_answer_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
