// SPDX-License-Identifier: Apache-2.0
// Saving contact problems while they are solved: what is saved solves to the same answer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/random_problem.h"

#include "carom/contact_file.h"

#include <stdio.h>
#include <unistd.h>

static carom_contact_solver *make_solver(const char *name)
{
    carom_contact_solver *solver = NULL;
    carom_error error = {0};
    assert_int_equal(carom_contact_solver_new(name, NULL, 0, MAX_ROWS, &solver, &error), CAROM_OK);
    return solver;
}

static carom_contact_saver *make_saver(const char *folder, const char *how)
{
    char text[128];
    carom_contact_saver *saver = NULL;
    carom_save_choice choice;
    carom_error error = {0};
    snprintf(text, sizeof text, "%s%s", folder, how);
    assert_int_equal(carom_save_choice_read(text, &choice, &error), CAROM_OK);
    assert_string_equal(choice.folder, folder);
    assert_int_equal(carom_contact_saver_new(&choice, &saver, &error), CAROM_OK);
    return saver;
}

static void path_of(const char *folder, long number, char path[128])
{
    snprintf(path, 128, "%s/contact-%08ld.dat", folder, number);
}

static void a_saved_problem_solves_to_the_same_bits(void **state)
{
    (void)state;
    static known_problem k;
    char folder[] = "/tmp/carom-save-XXXXXX", path[128];
    assert_non_null(mkdtemp(folder));
    carom_contact_saver *saver = make_saver(folder, "");
    carom_contact_solver *solver = make_solver("auto"), *other = make_solver("auto");
    carom_contact_solver_save(solver, saver);
    random_state r = {5};
    for (int i = 0; i < 60; i++) {
        double P[MAX_ROWS] = {0}, again[MAX_ROWS] = {0};
        const recipe c = {.n_contact = 1 + i % 8,
                          .n_bilateral = i % 4,
                          .dim = 1 + i % 3,
                          .n_freedom = 6 + i % 20,
                          .mu = 0.4,
                          .mass_ratio = 100};
        carom_contact_info info;
        carom_error error = {0};
        carom_contact_file *file = NULL;
        make_known(&r, &c, &k);
        // half of them start from a guess, which is saved too
        for (int j = 0; i % 2 && j < k.problem.n_row; j++) P[j] = 0.9 * k.P[j];
        assert_int_equal(carom_contact_solve(solver, &k.problem, P, &info, &error), CAROM_OK);
        path_of(folder, i + 1, path);
        assert_int_equal(carom_contact_file_read(path, CAROM_FILE_ANY, &file, &error), CAROM_OK);
        memcpy(again, file->guess, sizeof *again * (size_t)file->problem.n_row);
        assert_int_equal(carom_contact_solve(other, &file->problem, again, &info, &error),
                         CAROM_OK);
        assert_memory_equal(P, again, sizeof P);
        carom_contact_file_free(file);
        remove(path);
    }
    assert_int_equal(carom_contact_saver_seen(saver), 60);
    assert_int_equal(carom_contact_saver_written(saver), 60);
    carom_contact_solver_free(solver);
    carom_contact_solver_free(other);
    carom_contact_saver_free(saver);
    assert_int_equal(rmdir(folder), 0); // nothing else was left there
}

static void only_problems_that_were_hard_are_saved(void **state)
{
    (void)state;
    static known_problem k;
    char folder[] = "/tmp/carom-save-XXXXXX", path[128];
    assert_non_null(mkdtemp(folder));
    carom_contact_saver *saver = make_saver(folder, ":struggled=30");
    carom_contact_solver *solver = make_solver("nsgs");
    carom_contact_solver_save(solver, saver);
    random_state r = {6};
    int n_hard = 0;
    for (int i = 0; i < 40; i++) {
        double P[MAX_ROWS] = {0};
        const recipe c = {
            .n_contact = 1 + i % 6, .dim = 2, .n_freedom = 12, .mu = 0.3, .mass_ratio = 10};
        carom_contact_info info;
        carom_error error = {0};
        make_known(&r, &c, &k);
        assert_int_equal(carom_contact_solve(solver, &k.problem, P, &info, &error), CAROM_OK);
        const bool is_hard = !info.is_converged || info.iterations > 30;
        n_hard += is_hard;
        path_of(folder, i + 1, path);
        assert_int_equal(access(path, F_OK) == 0, is_hard);
        remove(path);
    }
    assert_true(n_hard > 0 && n_hard < 40);
    assert_int_equal(carom_contact_saver_written(saver), n_hard);
    carom_contact_solver_free(solver);
    carom_contact_saver_free(saver);
    assert_int_equal(rmdir(folder), 0);
}

static void a_folder_that_went_away_is_an_error_of_the_solve(void **state)
{
    (void)state;
    static known_problem k;
    char folder[] = "/tmp/carom-save-XXXXXX";
    double P[MAX_ROWS] = {0};
    carom_contact_info info;
    carom_error error = {0};
    random_state r = {7};
    const recipe c = {.n_contact = 2, .dim = 2, .n_freedom = 5, .mu = 0.3, .mass_ratio = 1};
    assert_non_null(mkdtemp(folder));
    carom_contact_saver *saver = make_saver(folder, ":every=2");
    carom_contact_solver *solver = make_solver("auto");
    carom_contact_solver_save(solver, saver);
    assert_int_equal(rmdir(folder), 0);
    make_known(&r, &c, &k);
    assert_int_equal(carom_contact_solve(solver, &k.problem, P, &info, &error), CAROM_OK);
    assert_int_equal(carom_contact_solve(solver, &k.problem, P, &info, &error), CAROM_IO);
    assert_non_null(strstr(error.message, "cannot be written"));
    carom_contact_solver_free(solver);
    carom_contact_saver_free(saver);
}

static void choices_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",          ":every=3",       "a:every=0",
                                      "a:every=x", "a:struggled=-1", "a:strugled"};
    carom_save_choice choice;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        carom_error error = {0};
        assert_int_equal(carom_save_choice_read(bad[i], &choice, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, "FOLDER:every=N"));
    }
    // a colon before a slash belongs to the folder
    assert_int_equal(carom_save_choice_read("a:b/", &choice, NULL), CAROM_OK);
    assert_string_equal(choice.folder, "a:b/");
}

// a run that was killed while it wrote a problem goes on: what it was writing is removed, no more
static void what_a_killed_run_was_writing_goes(void **state)
{
    (void)state;
    static const char *const name[] = {"contact-00001000.dat.31232.part",
                                       "contact-00001000.dat.31232-2.part",
                                       "mine.dat.31.part",
                                       "contact-x.dat.3.part",
                                       "contact-00000500.dat",
                                       "contact-7.dat.part"};
    enum { N_NAME = sizeof name / sizeof *name, N_GONE = 2 };
    char folder[] = "/tmp/carom-save-XXXXXX", path[128];
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < N_NAME; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, name[i]);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fclose(file);
    }
    carom_contact_saver_free(make_saver(folder, ""));
    for (int i = 0; i < N_NAME; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, name[i]);
        assert_int_equal(access(path, F_OK) == 0, i >= N_GONE);
        unlink(path);
    }
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saved_problem_solves_to_the_same_bits),
        cmocka_unit_test(only_problems_that_were_hard_are_saved),
        cmocka_unit_test(a_folder_that_went_away_is_an_error_of_the_solve),
        cmocka_unit_test(choices_that_make_no_sense_are_refused),
        cmocka_unit_test(what_a_killed_run_was_writing_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
