// SPDX-License-Identifier: Apache-2.0
// FCLIB's HDF5 files: round trips, constraints, and files that are wrong.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/contact_file.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SAMPLES CAROM_SOURCE_DIR "/test/contact/files/"

enum { MAX_ROW = 8 };

static carom_contact_file *open_file(const char *path)
{
    carom_contact_file *file = NULL;
    carom_error error = {0};
    const carom_status status = carom_contact_file_read(path, CAROM_FILE_ANY, &file, &error);
    if (status != CAROM_OK) print_message("%s\n", error.message);
    assert_int_equal(status, CAROM_OK);
    assert_true(file->problem.n_row <= MAX_ROW);
    assert_non_null(file->problem.G.dense);
    return file;
}

static void make_path(char path[64])
{
    snprintf(path, 64, "/tmp/carom-fclib-%ld.hdf5", (long)getpid());
}

static void local_and_global_files_read_back_the_same(void **state)
{
    (void)state;
    static const char *const sample[] = {SAMPLES "local-csc.dat", SAMPLES "gfc3d-oblique.dat"};
    char path[64];
    make_path(path);
    for (int i = 0; i < 2; i++) {
        carom_error error = {0};
        carom_contact_file *file = open_file(sample[i]);
        assert_int_equal(carom_contact_file_write(file, (carom_file_form){0}, path, &error),
                         CAROM_OK);
        carom_contact_file *again = open_file(path);
        const int n = file->problem.n_row;
        assert_true(again->is_hdf5);
        assert_int_equal(again->kind, file->kind);
        assert_int_equal(again->dimension, file->dimension);
        assert_int_equal(again->problem.n_row, n);
        for (int k = 0; k < n * n; k++)
            assert_true(file->problem.G.dense[k] == again->problem.G.dense[k]);
        for (int k = 0; k < n; k++) assert_true(file->problem.b[k] == again->problem.b[k]);
        for (int k = 0; k < file->n_contact; k++)
            assert_true(file->problem.block[k].mu == again->problem.block[k].mu);
        carom_contact_file_free(again);
        carom_contact_file_free(file);
    }
    remove(path);
}

// one plane contact between two bilateral rows; FCLIB puts the contacts first
static void constraints_become_a_bilateral_block(void **state)
{
    (void)state;
    double G[16] = {3, 1, 0.5, 0.25, 1, 2, 0, 0.5, 0.5, 0, 2, 0, 0.25, 0.5, 0, 1};
    double b[4] = {1, -2, 0.5, -1};
    carom_block block[3] = {{.first = 0, .dim = 1, .is_bilateral = true},
                            {.first = 1, .dim = 2, .mu = 0.5},
                            {.first = 3, .dim = 1, .is_bilateral = true}};
    const carom_problem problem = {4, 3, block, {.n = 4, .dense = G}, b};
    static const int place[4] = {2, 0, 1, 3}; // where each row goes
    char path[64];
    carom_error error = {0};
    make_path(path);
    const carom_file_form form = {0};
    assert_int_equal(carom_contact_problem_write(&problem, NULL, form, path, &error), CAROM_OK);
    carom_contact_file *file = open_file(path);
    assert_int_equal(file->problem.n_block, 2);
    assert_true(file->problem.block[0].mu == 0.5 && !file->problem.block[0].is_bilateral);
    assert_true(file->problem.block[1].dim == 2 && file->problem.block[1].is_bilateral);
    for (int i = 0; i < 4; i++) {
        assert_true(file->problem.b[place[i]] == b[i]);
        for (int j = 0; j < 4; j++)
            assert_true(file->problem.G.dense[place[j] * 4 + place[i]] == G[j * 4 + i]);
    }
    carom_contact_file_free(file);
    // a coupling that is not symmetric cannot be said in this format
    G[1] = 0.75;
    assert_int_equal(carom_contact_problem_write(&problem, NULL, form, path, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "symmetric coupling"));
    remove(path);
}

// writes a good file, then one dataset anew
static void spoil(const char *path, const char *name, int n, const int *value)
{
    carom_contact_file *file = open_file(SAMPLES "local-csc.dat");
    carom_error error = {0};
    assert_int_equal(carom_contact_file_write(file, (carom_file_form){0}, path, &error), CAROM_OK);
    carom_contact_file_free(file);
    const hid_t to = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(to, name, H5P_DEFAULT) >= 0);
    const hsize_t size = (hsize_t)n;
    if (value) {
        const hid_t space = H5Screate_simple(1, &size, NULL);
        const hid_t set =
            H5Dcreate2(to, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
        H5Dclose(set);
        H5Sclose(space);
    }
    H5Fclose(to);
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    static const int five[1] = {5}, few[2] = {0, 3}, far[3] = {0, 99, -1}, many[1] = {1000000};
    static const struct {
        const char *name;
        int n;
        const int *value;
        const char *message;
    } bad[] = {
        {"/fclib_local/W", 0, NULL, "/fclib_local/W/m is missing"},
        {"/fclib_local/vectors/mu", 0, NULL, "mu is missing"},
        {"/fclib_local/vectors/q", 2, few, "q has 2 numbers, not 6"},
        {"/fclib_local/spacedim", 1, five, "spacedim must be 2 or 3"},
        {"/fclib_local/W/p", 2, few, "not a well formed matrix"},
        {"/fclib_local/W/i", 3, far, "not a well formed matrix"},
        {"/fclib_local/W/m", 1, many, "is not square"},
        {"/fclib_local/W/nz", 1, many, "not a well formed matrix"},
        {"/fclib_local", 0, NULL, "neither /fclib_local nor /fclib_global"},
    };
    char path[64];
    make_path(path);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        carom_contact_file *file = NULL;
        carom_error error = {0};
        spoil(path, bad[i].name, bad[i].n, bad[i].value);
        assert_int_equal(carom_contact_file_read(path, CAROM_FILE_ANY, &file, &error),
                         CAROM_BAD_INPUT);
        if (!strstr(error.message, bad[i].message)) print_message("%s\n", error.message);
        assert_non_null(strstr(error.message, bad[i].message));
        assert_null(file);
    }
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_and_global_files_read_back_the_same),
        cmocka_unit_test(constraints_become_a_bilateral_block),
        cmocka_unit_test(wrong_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
