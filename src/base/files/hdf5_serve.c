// SPDX-License-Identifier: Apache-2.0
// Answers questions about an HDF5 file, in the process that was made for it (hdf5_reader.c). This
// is the only place where libhdf5 sees a file that we have not just written.
#include "base/files/hdf5_serve.h"

#include "base/files/hdf5_reader.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 26, MOST_SETS = 32 }; // of texts; datasets that stay open

struct carom_hdf5_server {
    const char *path;
    hid_t file;
    int n_set;
    char set_path[MOST_SETS][128];
    hid_t set[MOST_SETS];
};

carom_hdf5_server *carom_hdf5_server_new(const char *path)
{
    carom_hdf5_server *server = calloc(1, sizeof *server);
    if (!server) return NULL;
    server->file = -1;
    server->path = path;
    return server;
}

void carom_hdf5_server_free(carom_hdf5_server *server)
{
    free(server); // the process that opened the file has its own
}

static void put_yes(carom_apart_answer *answer)
{
    carom_apart_put(answer, "", 1);
}

static void open_file(carom_hdf5_server *server, carom_apart_answer *answer)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5PLset_loading_state(0); // a file that names a filter loads no code
    if (server->file < 0) server->file = H5Fopen(server->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (server->file >= 0) put_yes(answer);
}

// whether every link on the way is there and leads to something in this file
static bool has_object(hid_t file, const char *path)
{
    char part[sizeof((carom_hdf5_question *)0)->path];
    H5L_info_t link;
    if (!*path) return true;
    for (size_t n = 1; n <= strlen(path); n++) {
        if (path[n] && path[n] != '/') continue;
        memcpy(part, path, n);
        part[n] = 0;
        if (strcmp(part, "/") == 0) continue;
        if (H5Lexists(file, part, H5P_DEFAULT) <= 0 ||
            H5Lget_info(file, part, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
            return false;
    }
    return true;
}

// whether its numbers stand in this file: others can be named as their place, of any kind
static bool is_inside(hid_t set)
{
    const hid_t how = H5Dget_create_plist(set);
    const bool is =
        how >= 0 && H5Pget_layout(how) != H5D_VIRTUAL && H5Pget_external_count(how) == 0;
    if (how >= 0) H5Pclose(how);
    return is;
}

// a dataset, which stays open; -1 where there is none
static hid_t open_set(carom_hdf5_server *server, const char *path)
{
    for (int i = 0; i < server->n_set; i++)
        if (strcmp(server->set_path[i], path) == 0) return server->set[i];
    if (server->n_set == MOST_SETS) H5Dclose(server->set[--server->n_set]);
    if (!*path || !has_object(server->file, path)) return -1;
    const hid_t object = H5Oopen(server->file, path, H5P_DEFAULT);
    if (object < 0) return -1;
    if (H5Iget_type(object) != H5I_DATASET || !is_inside(object)) {
        H5Oclose(object);
        return -1;
    }
    snprintf(server->set_path[server->n_set], sizeof server->set_path[0], "%s", path);
    server->set[server->n_set++] = object;
    return object;
}

static int shape_of(hid_t set, hsize_t size[2])
{
    const hid_t space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_ndims(space);
    size[0] = size[1] = 0;
    const bool is_known =
        rank >= 0 && rank <= 2 && H5Sget_simple_extent_dims(space, size, NULL) >= 0;
    if (rank == 1) size[1] = 1;
    H5Sclose(space);
    return is_known ? rank : -1;
}

static void tell_shape(hid_t set, carom_apart_answer *answer)
{
    hsize_t size[2];
    const int rank = shape_of(set, size);
    const int64_t told[3] = {rank, (int64_t)size[0], (int64_t)size[1]};
    if (rank >= 0) carom_apart_put(answer, told, sizeof told);
}

// ---- texts ----

// what holds texts: a dataset or an attribute
typedef struct holder {
    hid_t id, type;
    bool is_set;
    long n;
} holder;

static bool read_into(const holder *h, void *to)
{
    return (h->is_set ? H5Dread(h->id, h->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to)
                      : H5Aread(h->id, h->type, to)) >= 0;
}

static void put_fixed(const holder *h, size_t bytes, carom_apart_answer *answer)
{
    const bool fits = bytes > 0 && bytes < MOST_BYTES / (size_t)h->n;
    char *raw = fits ? calloc((size_t)h->n, bytes) : NULL;
    if (raw && read_into(h, raw))
        for (long i = 0; i < h->n; i++) {
            const char *text = raw + bytes * (size_t)i;
            carom_apart_put(answer, text, strnlen(text, bytes));
            put_yes(answer); // a 0 ends it
        }
    free(raw);
}

// files before version 0.2 have texts of variable length
static void put_variable(const holder *h, carom_apart_answer *answer)
{
    char **raw = h->n < MOST_BYTES ? calloc((size_t)h->n, sizeof *raw) : NULL;
    size_t total = 0;
    if (raw && read_into(h, raw))
        for (long i = 0; i < h->n && total < MOST_BYTES; i++) {
            const size_t n = raw[i] ? strnlen(raw[i], MOST_BYTES) : 0;
            total += n;
            carom_apart_put(answer, raw[i], n);
            put_yes(answer);
        }
    free(raw); // the texts themselves go with the process
}

static void put_texts(carom_hdf5_server *server, const carom_hdf5_question *q,
                      carom_apart_answer *answer)
{
    holder h = {.id = -1, .is_set = !q->name[0]};
    hid_t owner = -1;
    if (h.is_set) {
        h.id = open_set(server, q->path);
    } else if (has_object(server->file, q->path)) {
        owner = H5Oopen(server->file, *q->path ? q->path : "/", H5P_DEFAULT);
        if (owner >= 0 && H5Aexists(owner, q->name) > 0)
            h.id = H5Aopen(owner, q->name, H5P_DEFAULT);
    }
    if (h.id < 0) return;
    const hid_t space = h.is_set ? H5Dget_space(h.id) : H5Aget_space(h.id);
    h.type = h.is_set ? H5Dget_type(h.id) : H5Aget_type(h.id);
    h.n = (long)H5Sget_simple_extent_npoints(space);
    const bool is_text = h.n == q->n && h.n > 0 && H5Tget_class(h.type) == H5T_STRING;
    if (is_text && H5Tis_variable_str(h.type) > 0)
        put_variable(&h, answer);
    else if (is_text)
        put_fixed(&h, H5Tget_size(h.type), answer);
    H5Tclose(h.type);
    H5Sclose(space);
    if (!h.is_set) H5Aclose(h.id);
    if (owner >= 0) H5Oclose(owner);
}

// ---- numbers ----

static bool is_numeric(hid_t type)
{
    const H5T_class_t kind = H5Tget_class(type);
    return kind == H5T_INTEGER || kind == H5T_FLOAT;
}

static void put_attribute(carom_hdf5_server *server, const carom_hdf5_question *q,
                          carom_apart_answer *answer)
{
    if (!has_object(server->file, q->path)) return;
    const hid_t owner = H5Oopen(server->file, *q->path ? q->path : "/", H5P_DEFAULT);
    if (owner < 0) return;
    const hid_t id = H5Aexists(owner, q->name) > 0 ? H5Aopen(owner, q->name, H5P_DEFAULT) : -1;
    if (id >= 0) {
        const hid_t type = H5Aget_type(id), space = H5Aget_space(id);
        double real = 0;
        int64_t whole = 0;
        const bool is_one = is_numeric(type) && H5Sget_simple_extent_npoints(space) == 1;
        if (is_one && q->what == CAROM_HDF5_REAL && H5Aread(id, H5T_NATIVE_DOUBLE, &real) >= 0)
            carom_apart_put(answer, &real, sizeof real);
        if (is_one && q->what == CAROM_HDF5_WHOLE && H5Aread(id, H5T_NATIVE_INT64, &whole) >= 0)
            carom_apart_put(answer, &whole, sizeof whole);
        H5Sclose(space);
        H5Tclose(type);
        H5Aclose(id);
    }
    H5Oclose(owner);
}

// some rows of a dataset, read as numbers of this type
static void put_rows(hid_t set, const carom_hdf5_question *q, hid_t as, size_t bytes,
                     carom_apart_answer *answer)
{
    hsize_t size[2];
    const int rank = shape_of(set, size);
    if (rank < 1 || q->first < 0 || q->n < 1 || (hsize_t)q->first > size[0] ||
        (hsize_t)q->n > size[0] - (hsize_t)q->first || size[1] < 1 || size[1] > 1 << 24)
        return;
    const hsize_t start[2] = {(hsize_t)q->first, 0}, count[2] = {(hsize_t)q->n, size[1]};
    const size_t total = (size_t)q->n * (size_t)size[1];
    void *value = total < SIZE_MAX / 256 ? malloc(total * bytes) : NULL;
    if (!value) return;
    memset(value, 0, total * bytes);
    const hid_t space = H5Dget_space(set), memory = H5Screate_simple(rank, count, NULL);
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
        H5Dread(set, as, memory, space, H5P_DEFAULT, value) >= 0)
        carom_apart_put(answer, value, total * bytes);
    H5Sclose(memory);
    H5Sclose(space);
    free(value);
}

static void put_all(hid_t set, const carom_hdf5_question *q, carom_apart_answer *answer)
{
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    const bool is_int = q->what == CAROM_HDF5_INTS;
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    const size_t bytes = is_int ? sizeof(int) : sizeof(double);
    // a dataset that was never written takes no room in the file
    void *value = is_numeric(type) && n >= 0 && n <= q->n ? calloc((size_t)n + 1, bytes) : NULL;
    if (value && (n == 0 || H5Dread(set, is_int ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE, H5S_ALL,
                                    H5S_ALL, H5P_DEFAULT, value) >= 0)) {
        put_yes(answer); // also where there are none
        carom_apart_put(answer, value, (size_t)n * bytes);
    }
    free(value);
    H5Tclose(type);
    H5Sclose(space);
}

static void put_field(hid_t set, const carom_hdf5_question *q, carom_apart_answer *answer)
{
    const bool is_text = q->what == CAROM_HDF5_TEXT_FIELD;
    const size_t bytes = is_text ? CAROM_HDF5_FIELD_BYTES : sizeof(double);
    const hid_t text = H5Tcopy(H5T_C_S1), row = H5Tcreate(H5T_COMPOUND, bytes);
    H5Tset_size(text, CAROM_HDF5_FIELD_BYTES);
    const hid_t own = H5Dget_type(set);
    // numbers are not turned into texts by libhdf5, nor texts into numbers
    const int member = H5Tget_class(own) == H5T_COMPOUND ? H5Tget_member_index(own, q->name) : -1;
    const hid_t number =
        q->what == CAROM_HDF5_WORD_FIELD ? H5T_NATIVE_UINT64 : H5T_NATIVE_DOUBLE; // as long
    if (member >= 0 && H5Tinsert(row, q->name, 0, is_text ? text : number) >= 0)
        put_rows(set, q, row, bytes, answer);
    H5Tclose(own);
    H5Tclose(row);
    H5Tclose(text);
}

static void put_numbers(hid_t set, const carom_hdf5_question *q, carom_apart_answer *answer)
{
    const hid_t type = H5Dget_type(set);
    if (is_numeric(type)) put_rows(set, q, H5T_NATIVE_DOUBLE, sizeof(double), answer);
    H5Tclose(type);
}

void carom_hdf5_serve(void *self, const void *question, carom_apart_answer *answer)
{
    carom_hdf5_server *server = self;
    const carom_hdf5_question *q = question;
    if (q->what == CAROM_HDF5_OPEN) open_file(server, answer);
    if (q->what == CAROM_HDF5_OPEN || server->file < 0) return;
    if (q->what == CAROM_HDF5_HAS && has_object(server->file, q->path)) put_yes(answer);
    if (q->what == CAROM_HDF5_TEXTS) put_texts(server, q, answer);
    if (q->what == CAROM_HDF5_REAL || q->what == CAROM_HDF5_WHOLE) put_attribute(server, q, answer);
    if (q->what == CAROM_HDF5_HAS || q->what == CAROM_HDF5_TEXTS || q->what == CAROM_HDF5_REAL ||
        q->what == CAROM_HDF5_WHOLE)
        return;
    const hid_t set = open_set(server, q->path);
    if (set < 0) return;
    if (q->what == CAROM_HDF5_SHAPE) tell_shape(set, answer);
    if (q->what == CAROM_HDF5_ROWS) put_numbers(set, q, answer);
    if (q->what == CAROM_HDF5_DOUBLES || q->what == CAROM_HDF5_INTS) put_all(set, q, answer);
    if (q->what == CAROM_HDF5_FIELD || q->what == CAROM_HDF5_WORD_FIELD ||
        q->what == CAROM_HDF5_TEXT_FIELD)
        put_field(set, q, answer);
}
