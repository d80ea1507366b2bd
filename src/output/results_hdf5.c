// SPDX-License-Identifier: Apache-2.0
// HDF5 files of rows, read back (hdf5.c says what stands where). Nothing in the file is trusted:
// what is missing or of another shape is an error with the file's name, or left out.
#include "output/hdf5_shared.h"
#include "output/results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 26 }; // of a text

/// One dataset of rows.
typedef struct row_set {
    hid_t set;
    int first, n; ///< its columns
} row_set;

typedef struct hdf5_reader {
    hid_t file;
    row_set group[CAROM_N_GROUP];
} hdf5_reader;

static carom_status refuse(const carom_results *results, const char *what, carom_error *error)
{
    return carom_fail(error, CAROM_BAD_INPUT, "%s: not results of 'carom run': %s", results->path,
                      what);
}

static const char *read_attribute_text(carom_arena *arena, hid_t file, const char *name)
{
    if (H5Aexists(file, name) <= 0) return NULL;
    const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT), type = H5Aget_type(attribute);
    const char *text = NULL;
    const size_t bytes = H5Tget_class(type) == H5T_STRING ? H5Tget_size(type) : 0;
    char *raw = bytes > 0 && bytes < MOST_BYTES ? calloc(1, bytes + 1) : NULL;
    if (raw && H5Tis_variable_str(type) == 0 && H5Aread(attribute, type, raw) >= 0)
        text = carom_arena_copy(arena, raw, strnlen(raw, bytes));
    free(raw);
    H5Tclose(type);
    H5Aclose(attribute);
    return text;
}

static double read_number(hid_t owner, const char *name)
{
    double value = 0;
    if (H5Aexists(owner, name) <= 0) return 0;
    const hid_t attribute = H5Aopen(owner, name, H5P_DEFAULT);
    H5Aread(attribute, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(attribute);
    return value;
}

// the bytes of one text of a type of fixed length, or 0
static size_t fixed_bytes(hid_t type)
{
    const bool is_fixed = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
    const size_t bytes = is_fixed ? H5Tget_size(type) : 0;
    return bytes < MOST_BYTES ? bytes : 0;
}

static char *read_fixed_text(carom_arena *arena, hid_t set, hid_t type)
{
    const size_t bytes = fixed_bytes(type);
    char *raw = bytes > 0 ? calloc(1, bytes + 1) : NULL, *text = NULL;
    if (raw && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw) >= 0)
        text = carom_arena_copy(arena, raw, strnlen(raw, bytes));
    free(raw);
    return text;
}

static const char *read_long_text(carom_arena *arena, hid_t file, const char *name)
{
    char *raw = NULL, *text = NULL;
    if (H5Lexists(file, name, H5P_DEFAULT) <= 0) return NULL;
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return NULL;
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const bool is_one = H5Sget_simple_extent_npoints(space) == 1;
    const bool is_text = is_one && H5Tis_variable_str(type) > 0; // before version 0.2
    if (is_one && fixed_bytes(type) > 0) text = read_fixed_text(arena, set, type);
    if (is_text && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &raw) >= 0 && raw) {
        text = carom_arena_string(arena, raw);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, &raw);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return text;
}

// the same for texts of fixed length, which become one text each in the arena
static bool read_fixed_list(carom_arena *arena, hid_t owner, bool is_set, int n, const char **text)
{
    const hid_t type = is_set ? H5Dget_type(owner) : H5Aget_type(owner);
    const hid_t space = is_set ? H5Dget_space(owner) : H5Aget_space(owner);
    const size_t bytes = fixed_bytes(type);
    const bool has_shape = bytes > 0 && H5Sget_simple_extent_npoints(space) == n &&
                           bytes < MOST_BYTES / (size_t)(n > 0 ? n : 1);
    char *raw = has_shape ? calloc((size_t)n + 1, bytes) : NULL;
    bool is_good = raw != NULL;
    if (is_good && is_set)
        is_good = H5Dread(owner, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw) >= 0;
    else if (is_good)
        is_good = H5Aread(owner, type, raw) >= 0;
    for (int i = 0; is_good && i < n; i++) {
        const char *from = raw + bytes * (size_t)i;
        text[i] = carom_arena_copy(arena, from, strnlen(from, bytes));
        is_good = text[i] != NULL;
    }
    free(raw);
    H5Sclose(space);
    H5Tclose(type);
    return is_good;
}

// reads the n texts of an attribute or dataset of variable texts into raw
static bool read_list(hid_t owner, bool is_set, hid_t type, int n, char **raw)
{
    const hid_t its_type = is_set ? H5Dget_type(owner) : H5Aget_type(owner);
    const hid_t space = is_set ? H5Dget_space(owner) : H5Aget_space(owner);
    bool is_good = H5Tis_variable_str(its_type) > 0 && H5Sget_simple_extent_npoints(space) == n;
    if (is_good && is_set)
        is_good = H5Dread(owner, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw) >= 0;
    else if (is_good)
        is_good = H5Aread(owner, type, raw) >= 0;
    H5Sclose(space);
    H5Tclose(its_type);
    return is_good;
}

// files before version 0.2
static bool read_old_list(carom_arena *arena, hid_t owner, bool is_set, int n, const char **text)
{
    char **raw = calloc((size_t)n + 1, sizeof *raw);
    const hid_t type = carom_hdf5_text_type(H5T_VARIABLE);
    bool is_good = raw && read_list(owner, is_set, type, n, raw);
    for (int i = 0; is_good && i < n; i++) {
        text[i] = carom_arena_string(arena, raw[i] ? raw[i] : "");
        is_good = text[i] != NULL;
        H5free_memory(raw[i]);
    }
    free(raw);
    H5Tclose(type);
    return is_good;
}

// the names or units of a group: an attribute, or where there are many a dataset beside it
static bool read_texts(const carom_results *results, int g, const char *what, const char **text)
{
    const hdf5_reader *reader = results->self;
    const row_set *group = &reader->group[g];
    char path[64];
    snprintf(path, sizeof path, "%s_%s", carom_hdf5_group[g], what);
    const bool is_set = H5Aexists(group->set, what) <= 0;
    if (is_set && H5Lexists(reader->file, path, H5P_DEFAULT) <= 0) return false;
    const hid_t owner =
        is_set ? H5Dopen2(reader->file, path, H5P_DEFAULT) : H5Aopen(group->set, what, H5P_DEFAULT);
    bool is_good = owner >= 0 && (read_fixed_list(results->arena, owner, is_set, group->n, text) ||
                                  read_old_list(results->arena, owner, is_set, group->n, text));
    if (owner >= 0 && is_set) H5Dclose(owner);
    if (owner >= 0 && !is_set) H5Aclose(owner);
    return is_good;
}

static bool read_columns(carom_results *results, int g)
{
    const row_set *group = &((hdf5_reader *)results->self)->group[g];
    const char **text = CAROM_TAKE(results->arena, const char *, 2 * group->n);
    if (!text || !read_texts(results, g, "names", text)) return false;
    if (!read_texts(results, g, "units", text + group->n)) return false;
    for (int i = 0; i < group->n; i++)
        results->column[group->first + i] =
            (carom_column){text[i], text[group->n + i], carom_hdf5_group[g]};
    return true;
}

// opens the dataset of a group, if there is one, and counts its rows and columns
static bool open_group(carom_results *results, int g)
{
    hdf5_reader *reader = results->self;
    row_set *group = &reader->group[g];
    const char *name = carom_hdf5_group[g];
    hsize_t size[2] = {0, 1};
    if (H5Lexists(reader->file, name, H5P_DEFAULT) <= 0) return true;
    group->set = H5Dopen2(reader->file, name, H5P_DEFAULT);
    if (group->set < 0) return false;
    const hid_t space = H5Dget_space(group->set);
    const bool has_shape = H5Sget_simple_extent_ndims(space) == (g == 0 ? 1 : 2) &&
                           H5Sget_simple_extent_dims(space, size, NULL) >= 0;
    H5Sclose(space);
    if (!has_shape || size[1] < 1 || size[1] > 1 << 24) return false;
    group->first = results->n_column;
    group->n = (int)size[1];
    results->n_column += group->n;
    if (g == 0 || (long)size[0] < results->n_row) results->n_row = (long)size[0];
    return true;
}

static carom_status open_groups(carom_results *results, carom_error *error)
{
    const hdf5_reader *reader = results->self;
    for (int g = 0; g < CAROM_N_GROUP; g++)
        if (!open_group(results, g))
            return refuse(results, "a dataset of rows has another shape", error);
    if (reader->group[0].n != 1) return refuse(results, "there is no dataset 't'", error);
    results->column = CAROM_TAKE(results->arena, carom_column, results->n_column);
    if (!results->column) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int g = 0; g < CAROM_N_GROUP; g++)
        if (reader->group[g].n > 0 && !read_columns(results, g))
            return refuse(results, "a dataset of rows has no names and units", error);
    return CAROM_OK;
}

static bool read_numbers(hid_t file, const char *name, const carom_hdf5_entry *entry, hid_t type,
                         void *numbers)
{
    if (H5Lexists(file, name, H5P_DEFAULT) <= 0) return false;
    const hid_t group = H5Gopen2(file, name, H5P_DEFAULT);
    for (; group >= 0 && entry->name; entry++) {
        const hid_t attribute =
            H5Aexists(group, entry->name) > 0 ? H5Aopen(group, entry->name, H5P_DEFAULT) : -1;
        if (attribute < 0) continue;
        H5Aread(attribute, type, (char *)numbers + entry->offset);
        H5Aclose(attribute);
    }
    if (group >= 0) H5Gclose(group);
    return group >= 0;
}

// texts of the audit; "" where the file has none
static void read_audit_texts(carom_results *results, hid_t file)
{
    const hid_t group = results->has_audit ? H5Gopen2(file, "audit", H5P_DEFAULT) : -1;
    for (const carom_hdf5_entry *entry = carom_hdf5_audit_text; entry->name; entry++) {
        const char *text =
            group >= 0 ? read_attribute_text(results->arena, group, entry->name) : NULL;
        if (!text) text = "";
        memcpy((char *)&results->audit + entry->offset, &text, sizeof text);
    }
    if (group >= 0) H5Gclose(group);
}

static void read_head(carom_results *results, hid_t file)
{
    carom_output_head *head = &results->head;
    head->model = read_attribute_text(results->arena, file, "model");
    head->scheme = read_attribute_text(results->arena, file, "scheme");
    head->solver = read_attribute_text(results->arena, file, "solver");
    head->version = read_attribute_text(results->arena, file, "version");
    head->step = read_number(file, "step");
    head->end = read_number(file, "end");
    head->model_path = read_long_text(results->arena, file, "model_path");
    head->model_text = read_long_text(results->arena, file, "model_text");
    head->changes = read_long_text(results->arena, file, "changes");
    head->options = read_long_text(results->arena, file, "options");
    const char *status = read_attribute_text(results->arena, file, "status");
    results->is_whole = status && strcmp(status, "whole") == 0;
    const char *run = read_attribute_text(results->arena, file, "run");
    const char *why = read_attribute_text(results->arena, file, "cut_off");
    if (run) results->run = run;
    if (why && !results->is_whole) results->cut_off = why;
    results->has_audit =
        read_numbers(file, "audit", carom_hdf5_audit, H5T_NATIVE_DOUBLE, &results->audit);
    read_audit_texts(results, file);
    results->has_counts =
        read_numbers(file, "counts", carom_hdf5_counts, H5T_NATIVE_LONG, &results->counts);
}

// n rows of a group from row `first` on
static bool read_block(const row_set *group, bool is_list, long first, long n, double *value)
{
    const int rank = is_list ? 1 : 2;
    const hsize_t start[2] = {(hsize_t)first, 0}, count[2] = {(hsize_t)n, (hsize_t)group->n};
    const hid_t space = H5Dget_space(group->set), memory = H5Screate_simple(rank, count, NULL);
    const bool is_good =
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
        H5Dread(group->set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, value) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return is_good;
}

// fills the selected columns of n rows, group by group
static bool read_rows(const hdf5_reader *reader, carom_selection s, const long range[2],
                      double *scratch, double *block)
{
    for (int g = 0; g < CAROM_N_GROUP; g++) {
        const row_set *group = &reader->group[g];
        bool is_read = false;
        for (int i = 0; i < s.n; i++) {
            const int k = s.column[i] - group->first;
            if (k < 0 || k >= group->n) continue;
            if (!is_read && !read_block(group, g == 0, range[0], range[1], scratch)) return false;
            is_read = true;
            for (long r = 0; r < range[1]; r++) block[r * s.n + i] = scratch[r * group->n + k];
        }
    }
    return true;
}

static carom_status visit(carom_results *results, carom_selection selection,
                          carom_rows_visitor visitor, carom_error *error)
{
    const hdf5_reader *reader = results->self;
    const long most = carom_results_block(results->n_column);
    const size_t room = sizeof(double) * (size_t)most * (size_t)results->n_column;
    double *scratch = malloc(room), *block = malloc(sizeof(double) * (size_t)most *
                                                    (size_t)(selection.n > 0 ? selection.n : 1));
    carom_status status =
        scratch && block ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (long first = 0; status == CAROM_OK && first < results->n_row; first += most) {
        const long left = results->n_row - first, range[2] = {first, left < most ? left : most};
        const carom_hdf5_printer was = carom_hdf5_silence();
        const bool is_good = read_rows(reader, selection, range, scratch, block);
        carom_hdf5_restore(was);
        status = is_good ? visitor.rows(visitor.self, block, range[1], error)
                         : carom_fail(error, CAROM_BAD_INPUT, "%s: rows from %ld on cannot be read",
                                      results->path, first);
    }
    free(block);
    free(scratch);
    return status;
}

// how an event is read: with texts of a fixed length, whatever the file has
enum { CONTACT_BYTES = 128, KIND_BYTES = 16 };
typedef struct raw_event {
    double t;
    char contact[CONTACT_BYTES], kind[KIND_BYTES];
    double rate_before, rate_after, P, energy_lost;
} raw_event;

static hid_t event_type(void)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(raw_event));
    const hid_t contact = carom_hdf5_text_type(CONTACT_BYTES);
    const hid_t kind = carom_hdf5_text_type(KIND_BYTES);
    H5Tinsert(type, "t", offsetof(raw_event, t), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "contact", offsetof(raw_event, contact), contact);
    H5Tinsert(type, "kind", offsetof(raw_event, kind), kind);
    H5Tinsert(type, "rate_before", offsetof(raw_event, rate_before), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "rate_after", offsetof(raw_event, rate_after), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "P", offsetof(raw_event, P), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "energy_lost", offsetof(raw_event, energy_lost), H5T_NATIVE_DOUBLE);
    H5Tclose(contact);
    H5Tclose(kind);
    return type;
}

// the same few names again and again: each is kept once
static const char *keep_name(carom_arena *arena, const char *name, const char *last)
{
    return last && strcmp(last, name) == 0 ? last : carom_arena_string(arena, name);
}

static bool copy_events(carom_results *results, raw_event *raw, long n)
{
    carom_logged_event *event = CAROM_TAKE(results->arena, carom_logged_event, n);
    const char *contact = NULL, *kind = NULL;
    for (long i = 0; event && i < n; i++) {
        raw[i].contact[CONTACT_BYTES - 1] = raw[i].kind[KIND_BYTES - 1] = 0;
        contact = keep_name(results->arena, raw[i].contact, contact);
        kind = keep_name(results->arena, raw[i].kind, kind);
        if (!contact || !kind) return false;
        event[i] = (carom_logged_event){raw[i].t,           contact,           kind,
                                        raw[i].rate_before, raw[i].rate_after, raw[i].P,
                                        raw[i].energy_lost};
    }
    results->event = event;
    results->n_event = n;
    return event != NULL;
}

static carom_status read_events(carom_results *results, hid_t set, carom_error *error)
{
    const hid_t space = H5Dget_space(set), type = event_type();
    const long n = (long)H5Sget_simple_extent_npoints(space);
    raw_event *raw = n >= 0 ? calloc((size_t)n + 1, sizeof *raw) : NULL;
    carom_status status = raw ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    if (raw && n > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw) < 0)
        status = refuse(results, "the events have another form", error);
    if (status == CAROM_OK && !copy_events(results, raw, n))
        status = carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    free(raw);
    H5Tclose(type);
    H5Sclose(space);
    return status;
}

static carom_status events(carom_results *results, carom_error *error)
{
    const hdf5_reader *reader = results->self;
    const carom_hdf5_printer was = carom_hdf5_silence();
    carom_status status = CAROM_OK;
    const bool is_there = H5Lexists(reader->file, "events", H5P_DEFAULT) > 0;
    const hid_t set = is_there ? H5Dopen2(reader->file, "events", H5P_DEFAULT) : -1;
    if (set >= 0) {
        status = read_events(results, set, error);
        H5Dclose(set);
    }
    carom_hdf5_restore(was);
    return status;
}

static void close_file(carom_results *results)
{
    const hdf5_reader *reader = results->self;
    const carom_hdf5_printer was = carom_hdf5_silence();
    if (reader && reader->file >= 0) H5Fclose(reader->file);
    carom_hdf5_restore(was);
}

static carom_status open_file(carom_results *results, hdf5_reader *reader, carom_error *error)
{
    errno = 0;
    if (access(results->path, R_OK) != 0)
        return carom_fail(error, CAROM_IO, "%s: cannot be read: %s", results->path,
                          strerror(errno));
    const hid_t form = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(form, H5F_CLOSE_STRONG);
    reader->file = H5Fopen(results->path, H5F_ACC_RDONLY, form);
    H5Pclose(form);
    if (reader->file < 0) return refuse(results, "it is no HDF5 file, or damaged", error);
    read_head(results, reader->file);
    return open_groups(results, error);
}

carom_status carom_results_open_hdf5(carom_results *results, carom_error *error)
{
    hdf5_reader *reader = CAROM_TAKE(results->arena, hdf5_reader, 1);
    if (!reader) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    reader->file = -1;
    results->self = reader;
    results->visit = visit;
    results->events = events;
    results->close = close_file;
    const carom_hdf5_printer was = carom_hdf5_silence();
    const carom_status status = open_file(results, reader, error);
    carom_hdf5_restore(was);
    return status;
}
