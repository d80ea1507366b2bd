// SPDX-License-Identifier: Apache-2.0
// Teams: each thing of a loop is done once, by a member that does nothing else meanwhile, and the
// caller sees all that was written; with any number of threads, thousands of short loops long.
#include "base/team.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { N = 1000, N_LOOP = 3000 };

typedef struct ledger {
    int times[N]; // each thing was done
    int offset;
    atomic_int busy[CAROM_MOST_MEMBERS];
    atomic_int n_clash;
    int n_member, least;
    atomic_int n_short; // shares below `least`
} ledger;

static void count_things(void *self, int member, int first, int end)
{
    ledger *l = self;
    if (member < 0 || member >= l->n_member || atomic_fetch_add(&l->busy[member], 1) != 0)
        atomic_fetch_add(&l->n_clash, 1);
    if (end - first < l->least) atomic_fetch_add(&l->n_short, 1);
    for (int i = first; i < end; i++) l->times[i] += l->offset;
    atomic_fetch_sub(&l->busy[member], 1);
}

static void each_thing_is_done_once(void **state)
{
    (void)state;
    static const int sizes[] = {0, 1, 2, 3, 7, 16};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        carom_team *team = carom_team_new(sizes[k]);
        assert_int_equal(carom_team_size(team), sizes[k] > 1 ? sizes[k] : 1);
        for (int loop = 0; loop < N_LOOP; loop++) {
            static ledger l;
            const int n = loop % 5 == 0 ? N : loop % 97;
            memset(l.times, 0, sizeof l.times);
            l.offset = loop + 1;
            l.n_member = carom_team_size(team);
            l.least = loop % 3 == 0 ? 10 : 1;
            atomic_store(&l.n_short, 0);
            carom_team_run(team, n, l.least, count_things, &l);
            for (int i = 0; i < N; i++) assert_int_equal(l.times[i], i < n ? loop + 1 : 0);
            if (n >= l.least) assert_int_equal(atomic_load(&l.n_short), 0);
            assert_int_equal(atomic_load(&l.n_clash), 0);
        }
        carom_team_free(team);
    }
}

// members that have gone to sleep between two loops
static void sleepers_are_woken(void **state)
{
    (void)state;
    static ledger l;
    carom_team *team = carom_team_new(3);
    assert_non_null(team);
    l.n_member = 3;
    for (int loop = 0; loop < 20; loop++) {
        const struct timespec pause = {.tv_nsec = 2000000};
        nanosleep(&pause, NULL);
        memset(l.times, 0, sizeof l.times);
        l.offset = 1;
        carom_team_run(team, N, 1, count_things, &l);
        for (int i = 0; i < N; i++) assert_int_equal(l.times[i], 1);
    }
    carom_team_free(team);
}

static void nobody_is_a_team(void **state)
{
    (void)state;
    static ledger l = {.offset = 1, .n_member = 1};
    carom_team_run(NULL, N, 7, count_things, &l);
    for (int i = 0; i < N; i++) assert_int_equal(l.times[i], 1);
    carom_team_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_thing_is_done_once),
        cmocka_unit_test(sleepers_are_woken),
        cmocka_unit_test(nobody_is_a_team),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
