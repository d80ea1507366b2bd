// SPDX-License-Identifier: Apache-2.0
// An HDF5 file can say that its numbers stand in other files: by links, by external storage, by a
// virtual dataset. Whoever shows or passes on such a "result" would show or pass on the other file.
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/files/hdf5_reader.h"

#include <hdf5.h>
#include <stdio.h>
#include <unistd.h>

static const char path[] = "elsewhere.h5", other[] = "elsewhere-other.h5";
static const char secret[] = "elsewhere-secret.txt";
static const hsize_t size[1] = {4};
static const double number[4] = {1, 2, 3, 4};

static void put_set(hid_t file, const char *name, hid_t how)
{
    const hid_t space = H5Screate_simple(1, size, NULL);
    const hid_t set =
        H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT);
    assert_true(set >= 0);
    if (how == H5P_DEFAULT)
        assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, number) >= 0);
    H5Dclose(set);
    H5Sclose(space);
}

static void put_others(hid_t file)
{
    const hid_t space = H5Screate_simple(1, size, NULL);
    const hid_t external = H5Pcreate(H5P_DATASET_CREATE), virtual = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_external(external, secret, 0, 32) >= 0);
    assert_true(H5Pset_virtual(virtual, space, other, "/set", space) >= 0);
    put_set(file, "/external", external);
    put_set(file, "/virtual", virtual);
    assert_true(H5Lcreate_external(other, "/set", file, "/link", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    assert_true(H5Lcreate_external(other, "/", file, "/folder", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    assert_true(H5Lcreate_soft("/link", file, "/soft", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    H5Pclose(external);
    H5Pclose(virtual);
    H5Sclose(space);
}

static void make_files(void)
{
    const hid_t from = H5Fcreate(other, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_set(from, "/set", H5P_DEFAULT);
    H5Fclose(from);
    FILE *text = fopen(secret, "w");
    assert_non_null(text);
    fputs("0123456789abcdef0123456789abcdef", text);
    fclose(text);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_set(file, "/own", H5P_DEFAULT);
    put_others(file);
    H5Fclose(file);
}

static void numbers_elsewhere_are_not_read(void **state)
{
    (void)state;
    static const char *const name[] = {"/external", "/virtual", "/link", "/soft", "/folder/set"};
    carom_error error = {0};
    carom_hdf5_reader *reader;
    long n_row, n_column;
    make_files();
    assert_int_equal(carom_hdf5_reader_new(path, 1e8, &reader, &error), CAROM_OK);
    assert_int_equal(carom_hdf5_shape(reader, "/own", &n_row, &n_column), 1);
    assert_int_equal(n_row, 4);
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        if (carom_hdf5_shape(reader, name[i], &n_row, &n_column) >= 0)
            fail_msg("%s was opened", name[i]);
        assert_int_equal(carom_hdf5_reader_status(reader, &error), CAROM_OK);
    }
    carom_hdf5_reader_free(reader);
    unlink(path);
    unlink(other);
    unlink(secret);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_elsewhere_are_not_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
