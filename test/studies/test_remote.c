// SPDX-License-Identifier: Apache-2.0
// Studies shared by processes that send each other bytes: the same rows as by threads, whoever
// works; what was done when a process died is gone on with.
#include "carom/carom.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_RANKS = 4 };

// pairs of sockets between rank 0 and each of the others
typedef struct wires {
    int rank, n_rank, end[MOST_RANKS];
    void *bytes;
    int n_sent, dies_after;     // messages; 0 = never
    bool may_leave[MOST_RANKS]; // was sent home
} wires;

static bool put_all(int to, const void *bytes, size_t n)
{
    for (const char *at = bytes; n > 0;) {
        const ssize_t done = send(to, at, n, MSG_NOSIGNAL);
        if (done <= 0) return false;
        at += done;
        n -= (size_t)done;
    }
    return true;
}

static bool get_all(int from, void *bytes, size_t n)
{
    for (char *at = bytes; n > 0;) {
        const ssize_t done = read(from, at, n);
        if (done <= 0) return false;
        at += done;
        n -= (size_t)done;
    }
    return true;
}

static bool wire_send(void *self, int to, const void *bytes, size_t n)
{
    wires *w = self;
    const uint64_t size = n;
    if (w->rank == 0) w->may_leave[to] = n == 4 * sizeof(long) && ((const long *)bytes)[1] == 0;
    if (w->dies_after > 0 && ++w->n_sent > w->dies_after) _exit(9);
    return put_all(w->end[to], &size, sizeof size) && put_all(w->end[to], bytes, n);
}

static int wire_receive(void *self, double seconds, int *from, const void **bytes, size_t *n)
{
    wires *w = self;
    struct pollfd look[MOST_RANKS];
    for (int i = 0; i < MOST_RANKS; i++)
        look[i] =
            (struct pollfd){.fd = i < w->n_rank && i != w->rank ? w->end[i] : -1, .events = POLLIN};
    if (poll(look, MOST_RANKS, (int)(1000 * seconds)) <= 0) return 0;
    for (int i = 0; i < MOST_RANKS; i++) {
        uint64_t size;
        if (!look[i].revents) continue;
        if (!get_all(w->end[i], &size, sizeof size)) {
            if (!w->may_leave[i]) return -1;
            close(w->end[i]);
            w->end[i] = -1;
            continue;
        }
        free(w->bytes);
        w->bytes = malloc(size + 1);
        if (!w->bytes || !get_all(w->end[i], w->bytes, size)) return -1;
        *from = i;
        *bytes = w->bytes;
        *n = size;
        return 1;
    }
    return 0;
}

static const char model[] = "carom: 1\nname: ball\nparameters: {e: 0.5, h: 1}\n"
                            "coordinates: {y: {start: h}}\nkinetic: der(y)^2/2\n"
                            "potential: 10*y\ncontacts: [{name: floor, gap: y, restitution: e}]\n"
                            "run: {scheme: event_driven, tolerance: 1e-8, end: 3}\n";

static carom_text text(const char *what)
{
    return (carom_text){.text = what};
}

// a sweep with a run that fails, or a diagram whose values follow each other
static carom_scan *make(bool is_followed)
{
    carom_error error = {0};
    carom_modelfile *file = NULL;
    carom_scan *scan = NULL;
    const carom_setting vary[] = {{text("h"), text(is_followed ? "1:2:40" : "-0.5:2:200")},
                                  {text("e"), text("[0.3, 0.6]")}};
    const carom_text take[] = {text("events floor"), text("event_time floor 2")}, show = text("y");
    carom_scan_texts texts = {.what = text("sweep"), .vary = vary, .n_vary = 2};
    carom_sim_options run = carom_sim_default();
    run.scheme = "event_driven";
    run.tolerance = 1e-8;
    run.end = 3;
    texts.take = take;
    texts.n_take = 2;
    if (is_followed)
        texts = (carom_scan_texts){.what = text("bif"),
                                   .vary = vary,
                                   .n_vary = 2,
                                   .section = text("period=0.5"),
                                   .skip = text("2"),
                                   .points = text("3"),
                                   .show = &show,
                                   .n_show = 1,
                                   .direction = text("both")};
    assert_int_equal(carom_modelfile_read_text(model, strlen(model), "m", &file, &error), CAROM_OK);
    if (carom_scan_new(carom_modelfile_builder(file), &run, &texts, &scan, &error) != CAROM_OK)
        fail_msg("%s", error.message);
    carom_modelfile_free(file);
    return scan;
}

// rank 0 stays, the others are children that work and end
static carom_status run_shared(carom_scan *scan, int n_rank, int dies_after, const char *store)
{
    int pair[MOST_RANKS][2];
    wires w = {.n_rank = n_rank};
    const carom_scan_post post = {&w, 0, n_rank, wire_send, wire_receive};
    carom_scan_work work = {.post = &post, .store = store};
    carom_error error = {0};
    pid_t child[MOST_RANKS] = {0};
    for (int i = 1; i < n_rank; i++)
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair[i]), 0);
    for (int i = 1; i < n_rank; i++) {
        child[i] = fork();
        if (child[i] != 0) continue;
        wires own = {.rank = i, .n_rank = 1, .dies_after = i == 1 ? dies_after : 0};
        const carom_scan_post other = {&own, i, n_rank, wire_send, wire_receive};
        for (int k = 1; k < n_rank; k++) {
            close(pair[k][0]);
            if (k != i) close(pair[k][1]);
        }
        own.end[0] = pair[i][1];
        work.post = &other;
        const carom_status status = carom_scan_run(scan, &work, &error);
        _exit(status == CAROM_OK ? 0 : 1);
    }
    for (int i = 1; i < n_rank; i++) {
        close(pair[i][1]);
        w.end[i] = pair[i][0];
    }
    const carom_status status = carom_scan_run(scan, &work, &error);
    for (int i = 1; i < n_rank; i++)
        if (w.end[i] >= 0) close(w.end[i]);
    for (int i = 1; i < n_rank; i++) waitpid(child[i], NULL, 0);
    free(w.bytes);
    return status;
}

static void expect_same_rows(const carom_scan *a, const carom_scan *b)
{
    double one[8], other[8];
    const int n = carom_scan_n_column(a);
    assert_true(n <= 8 && n == carom_scan_n_column(b));
    assert_int_equal(carom_scan_n_row(a), carom_scan_n_row(b));
    for (long i = 0; i < carom_scan_n_row(a); i++) {
        assert_int_equal(carom_scan_row(a, i, one, NULL), CAROM_OK);
        assert_int_equal(carom_scan_row(b, i, other, NULL), CAROM_OK);
        assert_memory_equal(one, other, sizeof *one * (size_t)n);
    }
    for (int i = 0; carom_scan_failure(a, i); i++)
        assert_string_equal(carom_scan_failure(a, i), carom_scan_failure(b, i));
}

static void processes_find_what_threads_find(void **state)
{
    (void)state;
    for (int is_followed = 0; is_followed < 2; is_followed++) {
        carom_error error = {0};
        const carom_scan_work work = {.n_thread = 2};
        carom_scan *alone = make(is_followed);
        assert_int_equal(carom_scan_run(alone, &work, &error), CAROM_OK);
        assert_true(is_followed || carom_scan_counted(alone).failed > 0);
        for (int n = 1; n <= MOST_RANKS; n++) {
            carom_scan *shared = make(is_followed);
            assert_int_equal(run_shared(shared, n, 0, NULL), CAROM_OK);
            assert_int_equal(carom_scan_counted(shared).done, carom_scan_counted(alone).units);
            assert_int_equal(carom_scan_counted(shared).failed, carom_scan_counted(alone).failed);
            expect_same_rows(alone, shared);
            carom_scan_free(shared);
        }
        carom_scan_free(alone);
    }
}

static void a_process_that_dies_costs_what_it_had_in_hand(void **state)
{
    (void)state;
    char folder[] = "/tmp/carom-remote-XXXXXX", store[64];
    carom_error error = {0};
    const carom_scan_work work = {.n_thread = 1};
    assert_non_null(mkdtemp(folder));
    snprintf(store, sizeof store, "%s/a.caromdb", folder);
    carom_scan *alone = make(true), *shared = make(true);
    assert_int_equal(carom_scan_run(alone, &work, &error), CAROM_OK);
    assert_int_equal(run_shared(shared, 3, 2, store), CAROM_IO);
    carom_scan_free(shared);
    shared = make(true);
    assert_int_equal(run_shared(shared, 3, 0, store), CAROM_OK);
    expect_same_rows(alone, shared);
    carom_scan_free(shared);
    carom_scan_free(alone);
    unlink(store);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_find_what_threads_find),
        cmocka_unit_test(a_process_that_dies_costs_what_it_had_in_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
