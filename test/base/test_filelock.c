// SPDX-License-Identifier: Apache-2.0
// Locks of files, and names beside a target: one holder at a time, freed by death,
// nothing foreign touched.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/files/beside.h"
#include "base/files/filelock.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/carom-lock-XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : 1;
}

static int remove_folder(void **state)
{
    (void)state;
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : 1; // not empty: something was left
}

static void one_holder_at_a_time(void **state)
{
    (void)state;
    carom_lock *a = NULL, *b = NULL;
    carom_error error = {0};
    assert_int_equal(carom_lock_new("f", &a, &error), CAROM_OK);
    assert_int_equal(carom_lock_new("./f", &b, &error), CAROM_BAD_INPUT);
    assert_null(b);
    assert_non_null(strstr(error.message, "another run is writing it"));
    carom_lock_free(a);
    assert_int_equal(access("f.lock", F_OK), -1);
    assert_int_equal(carom_lock_new("f", &b, &error), CAROM_OK);
    carom_lock_free(b);
    carom_lock_free(NULL);
}

static void a_dead_process_holds_nothing(void **state)
{
    (void)state;
    int ends[2], status;
    char byte = 0;
    carom_lock *lock;
    carom_error error = {0};
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        if (carom_lock_new("f", &lock, NULL) != CAROM_OK || write(ends[1], &byte, 1) != 1) _exit(1);
        for (;;) pause();
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_int_equal(carom_lock_new("f", &lock, &error), CAROM_BAD_INPUT);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(access("f.lock", F_OK), 0);
    error = (carom_error){0};
    assert_int_equal(carom_lock_new("f", &lock, &error), CAROM_OK);
    carom_lock_free(lock);
    close(ends[0]);
    close(ends[1]);
}

// each of many processes adds one to a number that it reads and writes under the lock
static void many_processes_do_not_meet(void **state)
{
    (void)state;
    enum { PROCESSES = 4, ROUNDS = 50 };
    FILE *file = fopen("n", "w");
    fputs("0", file);
    fclose(file);
    for (int p = 0; p < PROCESSES; p++) {
        if (fork() != 0) continue;
        for (int i = 0; i < ROUNDS;) {
            carom_lock *lock;
            int n = -1;
            if (carom_lock_new("n", &lock, NULL) != CAROM_OK) continue;
            FILE *in = fopen("n", "r");
            if (!in || fscanf(in, "%d", &n) != 1) _exit(1);
            fclose(in);
            FILE *out = fopen("n", "w");
            fprintf(out, "%d", n + 1);
            fclose(out);
            carom_lock_free(lock);
            i++;
        }
        _exit(0);
    }
    for (int p = 0, status; p < PROCESSES; p++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    int n = 0;
    file = fopen("n", "r");
    assert_int_equal(fscanf(file, "%d", &n), 1);
    fclose(file);
    assert_int_equal(n, PROCESSES * ROUNDS);
    unlink("n");
}

static void names_tell_their_target(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t length;
    } row[] = {{"r.csv.17.part", 5}, {"r.csv.17-3.part", 5}, {"a/r.17.part", 3},
               {"r.csv.part", 0},    {"r.csv.x.part", 0},    {"17.part", 0},
               {".17.part", 0},      {"r.csv.17.copy", 0},   {"r.csv.-3.part", 0},
               {"r.csv17.part", 0},  {"r.1-.part", 0},       {"", 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        assert_int_equal(carom_beside_target(row[i].name, "part"), row[i].length);
}

static bool count_one(void *self, const char *name)
{
    (void)name;
    ++*(int *)self;
    return true;
}

static void a_new_name_is_never_an_old_one(void **state)
{
    (void)state;
    char *name[3], link[64];
    int n = 0;
    snprintf(link, sizeof link, "t.%ld.part", (long)getpid());
    assert_int_equal(symlink("/etc/passwd", link), 0);
    for (int i = 0; i < 3; i++) {
        const int descriptor = carom_beside_create("t", "part", &name[i]);
        assert_true(descriptor >= 0);
        close(descriptor);
    }
    assert_true(strcmp(name[0], name[1]) != 0 && strcmp(name[1], name[2]) != 0);
    // the link is not one of ours
    assert_true(carom_beside_each("t", "part", count_one, &n));
    assert_int_equal(n, 3);
    assert_true(carom_beside_each("./t", "part", count_one, &n));
    assert_int_equal(n, 6);
    assert_true(carom_beside_each("u", "part", count_one, &n));
    assert_int_equal(n, 6);
    for (int i = 0; i < 3; i++) {
        unlink(name[i]);
        free(name[i]);
    }
    unlink(link);
    assert_true(carom_beside_create("none/t", "part", &name[0]) < 0);
    assert_null(name[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_holder_at_a_time),
        cmocka_unit_test(a_dead_process_holds_nothing),
        cmocka_unit_test(many_processes_do_not_meet),
        cmocka_unit_test(names_tell_their_target),
        cmocka_unit_test(a_new_name_is_never_an_old_one),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
