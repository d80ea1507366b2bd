// SPDX-License-Identifier: Apache-2.0
// The rows as HDF5: the dataset "rows" (rows x columns) with the names of its columns as attribute.
// The file is made in memory and written in one go, so that what libhdf5 does with a disk that is
// full cannot harm anything. It holds no times: the same study gives the same bytes.
#include "studies/study_scan.h"

#ifdef CAROM_HAS_HDF5

#include "base/files/wholefile.h"
#include "output/hdf5/hdf5_shared.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1024, DEFLATE_LEVEL = 1 };

static bool write_names(const carom_scan *scan, hid_t set)
{
    size_t bytes = 1;
    for (int k = 0; k < scan->n_column; k++)
        if (strlen(scan->column[k]) + 1 > bytes) bytes = strlen(scan->column[k]) + 1;
    char *all = calloc((size_t)scan->n_column, bytes);
    if (!all) return false;
    for (int k = 0; k < scan->n_column; k++)
        memcpy(all + bytes * (size_t)k, scan->column[k], strlen(scan->column[k]));
    const hsize_t n = (hsize_t)scan->n_column;
    const hid_t type = carom_hdf5_utf8_type(bytes), space = H5Screate_simple(1, &n, NULL);
    const hid_t names = H5Acreate2(set, "columns", type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool is_good = names >= 0 && H5Awrite(names, type, all) >= 0;
    if (names >= 0) H5Aclose(names);
    H5Sclose(space);
    H5Tclose(type);
    free(all);
    return is_good;
}

static bool write_rows(const carom_scan *scan, hid_t file)
{
    const hsize_t n = (hsize_t)carom_scan_n_row(scan), n_column = (hsize_t)scan->n_column;
    const hsize_t size[2] = {n, n_column}, chunk[2] = {n < CHUNK ? (n ? n : 1) : CHUNK, n_column};
    double *all = malloc(sizeof *all * (size_t)(n * n_column + 1)), *to = all;
    if (!all) return false;
    for (long u = 0; u < scan->chains.n_unit; u++) {
        const size_t many = (size_t)scan->unit[u].n_row * (size_t)scan->n_column;
        if (many > 0) memcpy(to, scan->unit[u].row, sizeof *to * many);
        to += many;
    }
    const hid_t space = H5Screate_simple(2, size, NULL), form = carom_hdf5_timeless();
    if (n > 0) {
        H5Pset_chunk(form, 2, chunk);
        H5Pset_shuffle(form);
        if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) H5Pset_deflate(form, DEFLATE_LEVEL);
    }
    const hid_t set =
        H5Dcreate2(file, "rows", H5T_IEEE_F64LE, space, H5P_DEFAULT, form, H5P_DEFAULT);
    bool is_good = set >= 0;
    if (is_good && n > 0)
        is_good = H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0;
    is_good = is_good && write_names(scan, set);
    if (set >= 0) H5Dclose(set);
    H5Pclose(form);
    H5Sclose(space);
    free(all);
    return is_good;
}

// the file as bytes; NULL where it could not be made
static void *make_image(const carom_scan *scan, size_t *n)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 20, 0);
    const hid_t file = H5Fcreate("study", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    void *image = NULL;
    H5Pclose(access);
    if (file < 0) return NULL;
    if (write_rows(scan, file) && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0) {
        const ssize_t size = H5Fget_file_image(file, NULL, 0);
        image = size > 0 ? malloc((size_t)size) : NULL;
        *n = size > 0 ? (size_t)size : 0;
        if (image && H5Fget_file_image(file, image, *n) != size) {
            free(image);
            image = NULL;
        }
    }
    H5Fclose(file);
    return image;
}

carom_status carom_export_hdf5(const carom_scan *scan, const char *path, carom_error *error)
{
    carom_wholefile file;
    size_t n = 0;
    CAROM_TRY(carom_wholefile_open(&file, path, error));
    const carom_hdf5_printer was = carom_hdf5_silence();
    void *image = make_image(scan, &n);
    carom_hdf5_restore(was);
    carom_status status =
        image ? CAROM_OK
              : carom_fail(error, CAROM_NO_MEMORY, "'%s' could not be made in memory", path);
    if (image) carom_wholefile_write(&file, image, n); // what fails is said when it is closed
    free(image);
    return carom_wholefile_close(&file, status, error);
}

#else

carom_status carom_export_hdf5(const carom_scan *scan, const char *path, carom_error *error)
{
    (void)scan;
    return carom_fail(error, CAROM_BAD_INPUT, "'%s': this carom was built without HDF5", path);
}

#endif
