// SPDX-License-Identifier: Apache-2.0
// Rows and events as HDF5. Every group of columns (t, q, u, energy, gap, rate, P, la, slip, PT,
// laT, drift, PC, laC, record) is one dataset (rows x columns) with its names and units; events are
// a table; audit and counts are attributes. The texts that make the model again (model_path,
// model_text, changes, options) are datasets. docs/output.md says it in full.
//
// A file is made in one go from the journal of its run, by whole chunks, which are compressed and
// carry a checksum. It holds no times and no variable-length texts: the same run gives the same
// bytes. Room on the disk is reserved before each chunk, because libhdf5 does not survive a write
// that fails: it crashes at exit. Its error printer is off while we are in it.
#include "output/hdf5/hdf5.h"

#include "output/hdf5/hdf5_bodies.h"
#include "output/hdf5/hdf5_shared.h"
#include "output/results.h"
#include "output/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_CHUNK = 1024, MIN_CHUNK = 16, CHUNK_NUMBERS = 1 << 16, EVENT_CHUNK = 1024 };
enum { DEFLATE_LEVEL = 1 }; // 2 and up gain little on numbers and cost twice the time
enum { METADATA_BYTES = 1 << 20, NAME_BYTES = 256, ATTRIBUTE_BYTES = 60000 };
enum { KIND_BYTES = 12 };

/// One dataset of rows, with a chunk of rows not yet written.
typedef struct {
    hid_t set;
    int n;       ///< columns; 0 = not in this file
    int *column; ///< (n) where they stand in a row
    double *buffer;
} row_set;

typedef struct {
    carom_arena *arena;
    carom_results *from;
    hid_t file;
    size_t row_bytes, other_bytes; ///< what a row, and all else, adds to the file at most
    off_t reserved;                ///< bytes of disk that are ours
    row_set group[CAROM_N_GROUP];
    int n_buffered, chunk; ///< rows
    hsize_t n_row;         ///< written
    size_t contact_bytes, event_bytes;
} hdf5_file;

static bool write_attribute(hid_t owner, const char *name, hid_t type, const void *value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool is_good = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    H5Sclose(space);
    return is_good;
}

static bool write_number(hid_t owner, const char *name, double value)
{
    return write_attribute(owner, name, H5T_NATIVE_DOUBLE, &value);
}

static bool write_text(hid_t owner, const char *name, const char *text)
{
    const hid_t type = carom_hdf5_text_type(strlen(text ? text : "") + 1);
    const bool is_good = write_attribute(owner, name, type, text ? text : "");
    H5Tclose(type);
    return is_good;
}

static size_t longest(const char *const *text, int n)
{
    size_t bytes = 1;
    for (int i = 0; i < n; i++)
        if (strlen(text[i]) + 1 > bytes) bytes = strlen(text[i]) + 1;
    return bytes;
}

// a list of texts as an attribute of the set, or where it is too long for that as a dataset beside
// it; each text has the room of the longest
static bool write_texts(const hdf5_file *file, const char *group, hid_t owner, const char *name,
                        const char *const *text, int n)
{
    const size_t bytes = longest(text, n);
    const hid_t type = carom_hdf5_utf8_type(bytes);
    const hsize_t count = (hsize_t)n;
    const hid_t space = H5Screate_simple(1, &count, NULL);
    char path[64], *all = calloc((size_t)n, bytes);
    bool is_good = all != NULL;
    for (int i = 0; is_good && i < n; i++)
        memcpy(all + bytes * (size_t)i, text[i], strlen(text[i]));
    snprintf(path, sizeof path, "%s_%s", group, name);
    if (is_good && bytes * (size_t)n <= ATTRIBUTE_BYTES) {
        const hid_t attribute = H5Acreate2(owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
        is_good = attribute >= 0 && H5Awrite(attribute, type, all) >= 0;
        if (attribute >= 0) H5Aclose(attribute);
    } else if (is_good) {
        const hid_t form = carom_hdf5_timeless();
        const hid_t set = H5Dcreate2(file->file, path, type, space, H5P_DEFAULT, form, H5P_DEFAULT);
        is_good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0;
        if (set >= 0) H5Dclose(set);
        H5Pclose(form);
    }
    free(all);
    H5Sclose(space);
    H5Tclose(type);
    return is_good;
}

// an empty dataset that grows in its first dimension; columns = 0 makes a list
static hid_t make_set(hid_t file, const char *name, hid_t type, int rows, int columns)
{
    const int rank = columns > 0 ? 2 : 1;
    const hsize_t size[2] = {0, (hsize_t)columns}, most[2] = {H5S_UNLIMITED, (hsize_t)columns};
    const hsize_t chunk[2] = {(hsize_t)rows, (hsize_t)columns};
    const hid_t space = H5Screate_simple(rank, size, most), form = carom_hdf5_timeless();
    H5Pset_chunk(form, rank, chunk);
    H5Pset_shuffle(form);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) H5Pset_deflate(form, DEFLATE_LEVEL);
    H5Pset_fletcher32(form);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, form, H5P_DEFAULT);
    H5Pclose(form);
    H5Sclose(space);
    return set;
}

// appends n rows (of the given number of columns, 0 = a list) behind the first `done`
static bool append(hid_t set, hid_t type, hsize_t done, int n, int columns, const void *data)
{
    const int rank = columns > 0 ? 2 : 1;
    const hsize_t start[2] = {done, 0}, count[2] = {(hsize_t)n, (hsize_t)columns};
    const hsize_t size[2] = {done + (hsize_t)n, (hsize_t)columns};
    if (H5Dset_extent(set, size) < 0) return false;
    const hid_t space = H5Dget_space(set), memory = H5Screate_simple(rank, count, NULL);
    bool is_good = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0;
    is_good = is_good && H5Dwrite(set, type, memory, space, H5P_DEFAULT, data) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return is_good;
}

// takes disk space up to size; a system that cannot do that is trusted
static bool take_disk(int descriptor, off_t size)
{
    const int cause = posix_fallocate(descriptor, 0, size);
    errno = cause;
    return cause == 0 || cause == EINVAL || cause == EOPNOTSUPP;
}

// room for so many more bytes of data
static bool reserve(hdf5_file *file, size_t bytes)
{
    hsize_t size = 0;
    void *handle = NULL;
    if (H5Fget_filesize(file->file, &size) < 0) return false;
    // a chunk that does not shrink gets a little longer
    const off_t wanted = (off_t)(size + bytes + bytes / 64 + file->other_bytes);
    if (wanted <= file->reserved) return true;
    if (H5Fget_vfd_handle(file->file, H5P_DEFAULT, &handle) < 0 || !handle) return false;
    if (!take_disk(*(const int *)handle, wanted)) return false;
    file->reserved = wanted;
    return true;
}

static bool reserve_for(void *self, size_t bytes)
{
    return reserve(self, bytes);
}

static bool write_chunk(hdf5_file *file)
{
    const int n = file->n_buffered;
    if (n == 0) return true;
    bool is_good = reserve(file, (size_t)file->chunk * file->row_bytes);
    for (int g = 0; is_good && g < CAROM_N_GROUP; g++) {
        const row_set *set = &file->group[g];
        if (set->n > 0)
            is_good = append(set->set, H5T_NATIVE_DOUBLE, file->n_row, n, g == 0 ? 0 : set->n,
                             set->buffer);
    }
    file->n_row += (hsize_t)n;
    file->n_buffered = 0;
    return is_good;
}

static carom_status take_rows(void *self, const double *value, long n, carom_error *error)
{
    hdf5_file *file = self;
    for (long r = 0; r < n; r++, value += file->from->n_column) {
        for (int g = 0; g < CAROM_N_GROUP; g++) {
            const row_set *set = &file->group[g];
            double *to =
                set->n > 0 ? set->buffer + (size_t)set->n * (size_t)file->n_buffered : NULL;
            for (int i = 0; i < set->n; i++) to[i] = value[set->column[i]];
        }
        if (++file->n_buffered == file->chunk && !write_chunk(file))
            return carom_fail(error, CAROM_IO, "%s", errno ? strerror(errno) : "the write failed");
    }
    return CAROM_OK;
}

static hid_t event_type(const hdf5_file *file)
{
    static const char *const number[4] = {"rate_before", "rate_after", "P", "energy_lost"};
    const hid_t contact = carom_hdf5_text_type(file->contact_bytes),
                kind = carom_hdf5_text_type(KIND_BYTES);
    const size_t first = sizeof(double) + file->contact_bytes + KIND_BYTES;
    const hid_t type = H5Tcreate(H5T_COMPOUND, file->event_bytes);
    H5Tinsert(type, "t", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "contact", sizeof(double), contact);
    H5Tinsert(type, "kind", sizeof(double) + file->contact_bytes, kind);
    for (size_t i = 0; i < 4; i++)
        H5Tinsert(type, number[i], first + i * sizeof(double), H5T_NATIVE_DOUBLE);
    H5Tclose(contact);
    H5Tclose(kind);
    return type;
}

static void pack_event(const hdf5_file *file, const carom_logged_event *event, unsigned char *to)
{
    const double after[4] = {event->rate_before, event->rate_after, event->P, event->energy_lost};
    memset(to, 0, file->event_bytes);
    memcpy(to, &event->t, sizeof event->t);
    to += sizeof event->t;
    memcpy(to, event->contact, strlen(event->contact));
    to += file->contact_bytes;
    memcpy(to, event->kind, strlen(event->kind));
    memcpy(to + KIND_BYTES, after, sizeof after);
}

static bool write_events(hdf5_file *file, const carom_logged_event *event, long n)
{
    file->contact_bytes = sizeof(double);
    for (long i = 0; i < n; i++)
        if (strlen(event[i].contact) + 1 > file->contact_bytes)
            file->contact_bytes = strlen(event[i].contact) + 1;
    file->event_bytes = 5 * sizeof(double) + file->contact_bytes + KIND_BYTES;
    unsigned char *block = calloc(EVENT_CHUNK, file->event_bytes);
    const hid_t type = event_type(file);
    const hid_t set = make_set(file->file, "events", type, EVENT_CHUNK, 0);
    bool is_good = block && set >= 0;
    for (long done = 0; is_good && done < n; done += EVENT_CHUNK) {
        const long left = n - done, some = left < EVENT_CHUNK ? left : EVENT_CHUNK;
        for (long i = 0; i < some; i++)
            pack_event(file, &event[done + i], block + file->event_bytes * (size_t)i);
        is_good = reserve(file, file->event_bytes * EVENT_CHUNK) &&
                  append(set, type, (hsize_t)done, (int)some, 0, block);
    }
    if (set >= 0) H5Dclose(set);
    H5Tclose(type);
    free(block);
    return is_good;
}

/// Lines of the table of contacts on their way into the file.
typedef struct {
    hdf5_file *file;
    hid_t set, type;
    carom_contact_line *block; ///< (EVENT_CHUNK)
    int n;
    hsize_t done;
} line_writer;

static hid_t line_type(void)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(carom_contact_line));
    H5Tinsert(type, "step", offsetof(carom_contact_line, step), H5T_NATIVE_LONG);
    H5Tinsert(type, "key", offsetof(carom_contact_line, key), H5T_NATIVE_ULLONG);
    for (const carom_hdf5_entry *e = carom_hdf5_line; e->name; e++)
        H5Tinsert(type, e->name, e->offset, H5T_NATIVE_DOUBLE);
    for (const carom_hdf5_entry *e = carom_hdf5_line_body; e->name; e++)
        H5Tinsert(type, e->name, e->offset, H5T_NATIVE_LONG);
    return type;
}

static bool write_line_block(line_writer *w)
{
    const bool is_good = reserve(w->file, sizeof *w->block * EVENT_CHUNK) &&
                         append(w->set, w->type, w->done, w->n, 0, w->block);
    w->done += (hsize_t)w->n;
    w->n = 0;
    return is_good;
}

static carom_status take_lines(void *self, const carom_contact_line *line, long n,
                               carom_error *error)
{
    line_writer *w = self;
    for (long i = 0; i < n; i++) {
        w->block[w->n++] = line[i];
        if (w->n == EVENT_CHUNK && !write_line_block(w))
            return carom_fail(error, CAROM_IO, "%s", errno ? strerror(errno) : "the write failed");
    }
    return CAROM_OK;
}

// only where contacts come and go
static bool write_lines(hdf5_file *file, carom_error *error)
{
    if (carom_results_n_contact_line(file->from) == 0) return true;
    line_writer w = {.file = file, .type = line_type()};
    w.set = make_set(file->file, carom_hdf5_lines, w.type, EVENT_CHUNK, 0);
    w.block = calloc(EVENT_CHUNK, sizeof *w.block);
    const carom_lines_visitor visitor = {&w, take_lines};
    bool is_good = w.set >= 0 && w.block;
    is_good = is_good && carom_results_visit_contacts(file->from, visitor, error) == CAROM_OK;
    is_good = is_good && (w.n == 0 || write_line_block(&w));
    if (w.set >= 0) H5Dclose(w.set);
    H5Tclose(w.type);
    free(w.block);
    return is_good;
}

// a group with one attribute for each number of a struct
static bool write_numbers(hid_t file, const char *name, const carom_hdf5_entry *entry, hid_t type,
                          const void *numbers)
{
    const hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool is_good = group >= 0;
    for (; is_good && entry->name; entry++)
        is_good = write_attribute(group, entry->name, type, (const char *)numbers + entry->offset);
    if (group >= 0) H5Gclose(group);
    return is_good;
}

static bool write_audit(hid_t file, const carom_audit *audit)
{
    if (!write_numbers(file, "audit", carom_hdf5_audit, H5T_NATIVE_DOUBLE, audit)) return false;
    const hid_t group = H5Gopen2(file, "audit", H5P_DEFAULT);
    bool is_good = group >= 0;
    for (const carom_hdf5_entry *entry = carom_hdf5_audit_text; is_good && entry->name; entry++) {
        const char *text;
        memcpy(&text, (const char *)audit + entry->offset, sizeof text);
        is_good = write_text(group, entry->name, text);
    }
    if (group >= 0) H5Gclose(group);
    return is_good;
}

static bool make_group(hdf5_file *file, int g, const char **scratch)
{
    row_set *set = &file->group[g];
    const carom_column *column = file->from->column;
    set->set = make_set(file->file, carom_hdf5_group[g], H5T_NATIVE_DOUBLE, file->chunk,
                        g == 0 ? 0 : set->n);
    if (set->set < 0) return false;
    for (int i = 0; i < set->n; i++) scratch[i] = column[set->column[i]].name;
    const bool is_good = write_texts(file, carom_hdf5_group[g], set->set, "names", scratch, set->n);
    for (int i = 0; i < set->n; i++) scratch[i] = column[set->column[i]].unit;
    return is_good && write_texts(file, carom_hdf5_group[g], set->set, "units", scratch, set->n);
}

// a long text, beside the attributes: those have at most 64 kB
static bool write_long_text(hid_t file, const char *name, const char *text)
{
    if (!text || !*text) return true;
    const hid_t type = carom_hdf5_utf8_type(strlen(text) + 1), space = H5Screate(H5S_SCALAR);
    const hid_t form = carom_hdf5_timeless();
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, form, H5P_DEFAULT);
    const bool is_good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    if (set >= 0) H5Dclose(set);
    H5Pclose(form);
    H5Sclose(space);
    H5Tclose(type);
    return is_good;
}

static bool write_head(hdf5_file *file, const char **scratch)
{
    const carom_output_head *head = &file->from->head;
    const hid_t to = file->file;
    bool is_good =
        write_text(to, "model", head->model) && write_text(to, "scheme", head->scheme) &&
        write_text(to, "solver", head->solver) && write_text(to, "version", head->version) &&
        write_text(to, "run", file->from->run) && write_number(to, "step", head->step) &&
        write_number(to, "end", head->end) && write_long_text(to, "model_path", head->model_path) &&
        write_long_text(to, "model_text", head->model_text) &&
        write_long_text(to, "changes", head->changes) &&
        write_long_text(to, "options", head->options);
    for (int g = 0; is_good && g < CAROM_N_GROUP; g++)
        if (file->group[g].n > 0) is_good = make_group(file, g, scratch);
    return is_good;
}

static bool write_tail(const hdf5_file *file, const carom_closing *closing, const char *cut_off)
{
    bool is_good = write_text(file->file, "status", closing->is_whole ? "whole" : "partial");
    if (!closing->is_whole) is_good = is_good && write_text(file->file, "cut_off", cut_off);
    if (closing->audit) is_good = is_good && write_audit(file->file, closing->audit);
    if (closing->counts)
        is_good = is_good && write_numbers(file->file, "counts", carom_hdf5_counts, H5T_NATIVE_LONG,
                                           closing->counts);
    return is_good && H5Fflush(file->file, H5F_SCOPE_GLOBAL) >= 0;
}

static bool create_file(hdf5_file *file, const char *path)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    H5Pset_cache(access, 0, 521, 1 << 16, 0.75); // rows are written once and not read again
    file->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return file->file >= 0 && reserve(file, 0);
}

// what was reserved and not used is given back, and all made lasting
static bool shut_file(const hdf5_file *file, const char *path)
{
    hsize_t size = 0;
    bool is_good = H5Fget_filesize(file->file, &size) >= 0;
    is_good &= H5Fclose(file->file) >= 0;
    const int descriptor = is_good ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (descriptor < 0) return false;
    is_good = ftruncate(descriptor, (off_t)size) == 0 && carom_seal_put(descriptor) &&
              fsync(descriptor) == 0;
    close(descriptor);
    return is_good;
}

// the columns of a group and room for their rows
static bool take_group(hdf5_file *file, int g)
{
    row_set *set = &file->group[g];
    const int n = file->from->n_column;
    set->set = -1;
    set->column = CAROM_TAKE(file->arena, int, n);
    if (!set->column) return false;
    for (int i = 0; i < n; i++)
        if (strcmp(file->from->column[i].group, carom_hdf5_group[g]) == 0)
            set->column[set->n++] = i;
    if (set->n == 0) return true;
    set->buffer =
        carom_arena_take(file->arena, sizeof(double) * (size_t)set->n * (size_t)file->chunk);
    return set->buffer != NULL;
}

static bool take_memory(hdf5_file *file, const char ***scratch)
{
    const int n = file->from->n_column, rows = CHUNK_NUMBERS / (n > 0 ? n : 1);
    const carom_output_head *head = &file->from->head;
    file->chunk = rows > MAX_CHUNK ? MAX_CHUNK : rows < MIN_CHUNK ? MIN_CHUNK : rows;
    file->row_bytes = sizeof(double) * (size_t)n;
    file->other_bytes = METADATA_BYTES + NAME_BYTES * (size_t)n + strlen(head->model_path) +
                        strlen(head->model_text) + strlen(head->changes) + strlen(head->options);
    *scratch = CAROM_TAKE(file->arena, const char *, n);
    bool is_made = *scratch != NULL;
    for (int g = 0; is_made && g < CAROM_N_GROUP; g++) is_made = take_group(file, g);
    return is_made;
}

// all rows, in the order of the journal's columns
static bool write_rows(hdf5_file *file, carom_error *error)
{
    const int n = file->from->n_column;
    int *all = CAROM_TAKE(file->arena, int, n);
    if (!all) return false;
    for (int i = 0; i < n; i++) all[i] = i;
    const carom_rows_visitor visitor = {.self = file, .rows = take_rows};
    return carom_results_visit(file->from, all, n, visitor, error) == CAROM_OK && write_chunk(file);
}

static bool write_all(hdf5_file *file, const carom_closing *closing, const carom_output *output,
                      const char *path, carom_error *error)
{
    const char **scratch;
    const carom_logged_event *event;
    long n;
    if (!take_memory(file, &scratch) || !create_file(file, path)) return false;
    const carom_hdf5_target target = {file->file, file, reserve_for};
    return write_head(file, scratch) && write_rows(file, error) &&
           carom_results_events(file->from, &event, &n, error) == CAROM_OK &&
           write_events(file, event, n) && write_lines(file, error) &&
           carom_hdf5_write_bodies(&target, file->from, output->poses, error) && reserve(file, 0) &&
           write_tail(file, closing, output->reason);
}

carom_status carom_hdf5_make(const carom_output *output, const carom_closing *closing,
                             const char *path, carom_error *error)
{
    hdf5_file file = {.file = -1};
    carom_error trouble = {0};
    CAROM_TRY(carom_results_open_own(output->part.name, &file.from, error));
    file.arena = file.from->arena;
    const carom_hdf5_printer was = carom_hdf5_silence();
    errno = 0;
    bool is_made = write_all(&file, closing, output, path, &trouble);
    int cause = errno;
    if (file.file >= 0 && !shut_file(&file, path)) {
        if (is_made) cause = errno;
        is_made = false;
    }
    carom_hdf5_restore(was);
    carom_results_free(file.from);
    errno = cause;
    return is_made ? CAROM_OK : carom_output_fail(output, error);
}
