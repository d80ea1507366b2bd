// SPDX-License-Identifier: Apache-2.0
// Rows and events as HDF5. Every group of columns (t, q, u, energy, gap, rate, P, la, slip, PT,
// laT, drift, PC, laC, record) is one dataset (rows x columns) with its names and units; events are
// a table; audit and counts are attributes. The texts that make the model again (model_path,
// model_text, changes, options) are datasets.
//
// Rows are collected in memory and go out in bursts, about one a second, that end with a flush.
// Between bursts the file is not touched, so that what a killed process leaves can be read up to
// the last burst by any HDF5 program (unless it is killed in the millisecond in which a burst
// updates the file's indices). Room on the disk is reserved before each burst, because libhdf5 does
// not survive a write that fails: it crashes at exit. Its error printer is off while we are in it.
#include "output/hdf5_shared.h"
#include "output/output.h"

#include "sim/clock.h"
#include "sim/sim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_CHUNK = 1024,
    MIN_CHUNK = 16,
    CHUNK_NUMBERS = 1 << 16,
    BURST_NUMBERS = 1 << 21,
    EVENT_CHUNK = 64,
    MAX_EVENTS = 4096
};
enum { METADATA_BYTES = 1 << 20, NAME_BYTES = 256 };
enum { DEFLATE_LEVEL = 1 }; // 2 and up gain little on numbers and cost twice the time
enum { KIND_BYTES = 12, STATUS_BYTES = 8, ATTRIBUTE_NAMES = 2000 };
static const double burst_seconds = 1;

/// One dataset of rows, with the rows not yet written.
typedef struct {
    hid_t set;
    int n;       ///< columns; 0 = not in this file
    int *column; ///< (n) where they stand in a row
    double *buffer;
} row_set;

typedef struct {
    hid_t file;
    size_t row_bytes,
        other_bytes; ///< what a row, and all else in a burst, adds to the file at most
    off_t reserved;  ///< bytes of disk that are ours
    row_set group[CAROM_N_GROUP];
    int n_buffered, room, chunk; ///< rows
    hsize_t n_row;               ///< written
    double last_burst;           ///< wall time [s]

    const carom_model *model;
    hid_t events, event_type;
    unsigned char *event_buffer;
    size_t event_bytes, contact_bytes;
    int n_event_buffered;
    hsize_t n_event;
    int failure; ///< errno of the first write that failed, or 0
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

// a list of texts as an attribute of the set, or where it is too long for that as a dataset beside
// it
static bool write_texts(const hdf5_file *file, const char *group, hid_t owner, const char *name,
                        const char *const *text, int n)
{
    const hid_t type = carom_hdf5_text_type(H5T_VARIABLE);
    const hsize_t count = (hsize_t)n;
    const hid_t space = H5Screate_simple(1, &count, NULL);
    bool is_good;
    if (n <= ATTRIBUTE_NAMES) {
        const hid_t attribute = H5Acreate2(owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
        is_good = attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
        if (attribute >= 0) H5Aclose(attribute);
    } else {
        char path[64];
        snprintf(path, sizeof path, "%s_%s", group, name);
        const hid_t set =
            H5Dcreate2(file->file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        is_good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
        if (set >= 0) H5Dclose(set);
    }
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
    const hid_t space = H5Screate_simple(rank, size, most), form = H5Pcreate(H5P_DATASET_CREATE);
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

static bool reserve(hdf5_file *file)
{
    hsize_t size = 0;
    void *handle = NULL;
    if (H5Fget_filesize(file->file, &size) < 0) return false;
    // the last chunk may be new and nearly empty
    const size_t rows = (size_t)(file->n_buffered + 2 * file->chunk);
    const off_t wanted = (off_t)(size + rows * file->row_bytes + file->other_bytes);
    if (wanted <= file->reserved) return true;
    if (H5Fget_vfd_handle(file->file, H5P_DEFAULT, &handle) < 0 || !handle) return false;
    if (!take_disk(*(const int *)handle, wanted)) return false;
    file->reserved = wanted;
    return true;
}

static bool send_burst(hdf5_file *file)
{
    bool is_good = !file->failure && reserve(file);
    if (!is_good) {
        if (!file->failure) file->failure = errno ? errno : EIO;
        file->n_buffered = file->n_event_buffered = 0;
        return false;
    }
    for (int g = 0; file->n_buffered > 0 && g < CAROM_N_GROUP; g++) {
        const row_set *set = &file->group[g];
        if (set->n > 0)
            is_good &= append(set->set, H5T_NATIVE_DOUBLE, file->n_row, file->n_buffered,
                              g == 0 ? 0 : set->n, set->buffer);
    }
    if (file->n_event_buffered > 0)
        is_good &= append(file->events, file->event_type, file->n_event, file->n_event_buffered, 0,
                          file->event_buffer);
    file->n_row += (hsize_t)file->n_buffered;
    file->n_event += (hsize_t)file->n_event_buffered;
    file->n_buffered = file->n_event_buffered = 0;
    is_good &= H5Fflush(file->file, H5F_SCOPE_GLOBAL) >= 0;
    file->last_burst = carom_clock_wall();
    if (!is_good) file->failure = errno ? errno : EIO;
    return is_good;
}

static carom_status burst(carom_output *output, carom_error *error)
{
    const carom_hdf5_printer was = carom_hdf5_silence();
    errno = 0;
    hdf5_file *file = output->self;
    const bool is_good = send_burst(file);
    carom_hdf5_restore(was);
    errno = file->failure;
    return is_good ? CAROM_OK : carom_output_fail(output, error);
}

static carom_status write_row(void *self, const double *value, int n, carom_error *error)
{
    carom_output *output = self;
    hdf5_file *file = output->self;
    (void)n;
    for (int g = 0; g < CAROM_N_GROUP; g++) {
        const row_set *set = &file->group[g];
        double *to = set->n > 0 ? set->buffer + (size_t)set->n * (size_t)file->n_buffered : NULL;
        for (int i = 0; i < set->n; i++) to[i] = value[set->column[i]];
    }
    const bool is_full = ++file->n_buffered == file->room;
    if (is_full || carom_clock_wall() - file->last_burst > burst_seconds)
        return burst(output, error);
    return CAROM_OK;
}

static carom_status write_event(void *self, const carom_event *event, carom_error *error)
{
    carom_output *output = self;
    hdf5_file *file = output->self;
    const double after[4] = {event->rate_before, event->rate_after, event->P, event->energy_lost};
    unsigned char *to = file->event_buffer + file->event_bytes * (size_t)file->n_event_buffered;
    memset(to, 0, file->event_bytes);
    memcpy(to, &event->t, sizeof event->t);
    to += sizeof event->t;
    const char *name = carom_model_contact(file->model, event->contact)->name;
    memcpy(to, name, strlen(name));
    to += file->contact_bytes;
    const char *word = carom_event_word(event->kind);
    memcpy(to, word, strlen(word));
    memcpy(to + KIND_BYTES, after, sizeof after);
    return ++file->n_event_buffered == MAX_EVENTS ? burst(output, error) : CAROM_OK;
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

static bool write_status(hid_t file, const char *word)
{
    char text[STATUS_BYTES] = "";
    const hid_t type = carom_hdf5_text_type(STATUS_BYTES);
    snprintf(text, sizeof text, "%s", word);
    if (H5Aexists(file, "status") > 0) H5Adelete(file, "status");
    const bool is_good = write_attribute(file, "status", type, text);
    H5Tclose(type);
    return is_good;
}

// what was reserved and not used is given back
static bool shut(hdf5_file *file, const char *part)
{
    hsize_t size = 0;
    bool is_good = H5Fget_filesize(file->file, &size) >= 0;
    if (file->event_type > 0) H5Tclose(file->event_type);
    is_good &= H5Fclose(file->file) >= 0;
    return is_good && truncate(part, (off_t)size) == 0;
}

static carom_status finish(carom_output *output, const carom_closing *closing, carom_error *error)
{
    hdf5_file *file = output->self;
    const carom_hdf5_printer was = carom_hdf5_silence();
    errno = 0;
    bool is_good = send_burst(file) && reserve(file);
    if (closing->audit) is_good = is_good && write_audit(file->file, closing->audit);
    if (closing->counts)
        is_good = is_good && write_numbers(file->file, "counts", carom_hdf5_counts, H5T_NATIVE_LONG,
                                           closing->counts);
    if (closing->is_whole) is_good = is_good && write_status(file->file, "whole");
    is_good = is_good && H5Fflush(file->file, H5F_SCOPE_GLOBAL) >= 0;
    is_good &= shut(file, output->part);
    const int cause = file->failure ? file->failure : errno;
    carom_hdf5_restore(was);
    errno = cause;
    return is_good ? CAROM_OK : carom_output_fail(output, error);
}

static bool make_event_table(hdf5_file *file)
{
    static const char *const number[4] = {"rate_before", "rate_after", "P", "energy_lost"};
    const hid_t contact = carom_hdf5_text_type(file->contact_bytes),
                kind = carom_hdf5_text_type(KIND_BYTES);
    const size_t first = sizeof(double) + file->contact_bytes + KIND_BYTES;
    file->event_type = H5Tcreate(H5T_COMPOUND, file->event_bytes);
    bool is_good = H5Tinsert(file->event_type, "t", 0, H5T_NATIVE_DOUBLE) >= 0;
    is_good &= H5Tinsert(file->event_type, "contact", sizeof(double), contact) >= 0;
    is_good &= H5Tinsert(file->event_type, "kind", sizeof(double) + file->contact_bytes, kind) >= 0;
    for (size_t i = 0; i < 4; i++)
        is_good &= H5Tinsert(file->event_type, number[i], first + i * sizeof(double),
                             H5T_NATIVE_DOUBLE) >= 0;
    H5Tclose(contact);
    H5Tclose(kind);
    file->events = make_set(file->file, "events", file->event_type, EVENT_CHUNK, 0);
    return is_good && file->events >= 0;
}

static bool make_group(hdf5_file *file, const carom_sim *sim, int g, const char **scratch)
{
    row_set *set = &file->group[g];
    set->set = make_set(file->file, carom_hdf5_group[g], H5T_NATIVE_DOUBLE, file->chunk,
                        g == 0 ? 0 : set->n);
    if (set->set < 0) return false;
    for (int i = 0; i < set->n; i++) scratch[i] = carom_sim_column(sim, set->column[i])->name;
    bool is_good = write_texts(file, carom_hdf5_group[g], set->set, "names", scratch, set->n);
    for (int i = 0; i < set->n; i++) scratch[i] = carom_sim_column(sim, set->column[i])->unit;
    return is_good & write_texts(file, carom_hdf5_group[g], set->set, "units", scratch, set->n);
}

// whether there is a place with enough room for the file
static bool try_disk(const char *part, off_t size)
{
    const int descriptor = open(part, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (descriptor < 0) return false;
    const bool is_good = take_disk(descriptor, size);
    const int cause = errno;
    close(descriptor);
    errno = cause;
    return is_good;
}

static bool create_file(hdf5_file *file, const char *part)
{
    file->file = -1;
    const size_t room = 2 * ((size_t)file->chunk * file->row_bytes + file->other_bytes);
    if (!try_disk(part, (off_t)room)) return false;
    errno = 0;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    H5Pset_cache(access, 0, 521, 1 << 16, 0.75); // rows are written once and not read again
    file->file = H5Fcreate(part, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return file->file >= 0 && reserve(file);
}

// a long text, beside the attributes: those have at most 64 kB
static bool write_long_text(hid_t file, const char *name, const char *text)
{
    if (!text) return true;
    const hid_t type = carom_hdf5_text_type(H5T_VARIABLE), space = H5Screate(H5S_SCALAR);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool is_good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) >= 0;
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
    return is_good;
}

static size_t text_bytes(const carom_output_head *head)
{
    const char *const text[] = {head->model_path, head->model_text, head->changes, head->options};
    size_t bytes = 0;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) bytes += text[i] ? strlen(text[i]) : 0;
    return bytes;
}

static bool write_head(hdf5_file *file, const carom_sim *sim, const carom_output_head *head,
                       const char **scratch)
{
    bool is_good = write_text(file->file, "model", head->model);
    is_good &= write_text(file->file, "scheme", head->scheme);
    is_good &= write_text(file->file, "solver", head->solver);
    is_good &= write_text(file->file, "version", head->version);
    is_good &= write_number(file->file, "step", head->step);
    is_good &= write_number(file->file, "end", head->end);
    is_good &= write_long_text(file->file, "model_path", head->model_path);
    is_good &= write_long_text(file->file, "model_text", head->model_text);
    is_good &= write_long_text(file->file, "changes", head->changes);
    is_good &= write_long_text(file->file, "options", head->options);
    is_good &= write_status(file->file, "partial");
    for (int g = 0; is_good && g < CAROM_N_GROUP; g++)
        if (file->group[g].n > 0) is_good = make_group(file, sim, g, scratch);
    return is_good && make_event_table(file) && send_burst(file);
}

// the columns of a group and room for their rows
static bool take_group(carom_arena *arena, hdf5_file *file, const carom_sim *sim, int g)
{
    row_set *set = &file->group[g];
    const int n = carom_sim_n_column(sim);
    set->set = -1;
    set->column = CAROM_TAKE(arena, int, n);
    if (!set->column) return false;
    for (int i = 0; i < n; i++)
        if (strcmp(carom_sim_column(sim, i)->group, carom_hdf5_group[g]) == 0)
            set->column[set->n++] = i;
    if (set->n == 0) return true;
    set->buffer = carom_arena_take(arena, sizeof(double) * (size_t)set->n * (size_t)file->room);
    return set->buffer != NULL;
}

static bool take_memory(carom_arena *arena, hdf5_file *file, const carom_sim *sim)
{
    const int n_column = carom_sim_n_column(sim), rows = CHUNK_NUMBERS / n_column;
    file->chunk = rows > MAX_CHUNK ? MAX_CHUNK : rows < MIN_CHUNK ? MIN_CHUNK : rows;
    file->room = file->chunk * (BURST_NUMBERS / CHUNK_NUMBERS);
    file->contact_bytes = sizeof(double);
    for (int i = 0; i < sim->size.n_contact; i++) {
        const size_t n = strlen(carom_model_contact(sim->model, i)->name) + 1;
        if (n > file->contact_bytes) file->contact_bytes = n;
    }
    file->event_bytes = 5 * sizeof(double) + file->contact_bytes + KIND_BYTES;
    file->event_buffer = carom_arena_take(arena, file->event_bytes * MAX_EVENTS);
    file->row_bytes = sizeof(double) * (size_t)n_column;
    file->other_bytes = METADATA_BYTES + NAME_BYTES * (size_t)n_column +
                        file->event_bytes * (MAX_EVENTS + 2 * EVENT_CHUNK);
    bool is_made = file->event_buffer != NULL;
    for (int g = 0; is_made && g < CAROM_N_GROUP; g++) is_made = take_group(arena, file, sim, g);
    return is_made;
}

carom_status carom_hdf5_open(carom_output *output, const carom_sim *sim,
                             const carom_output_head *head, carom_error *error)
{
    hdf5_file *file = CAROM_TAKE(output->arena, hdf5_file, 1);
    const char **scratch = CAROM_TAKE(output->arena, const char *, carom_sim_n_column(sim));
    if (!file || !scratch || !take_memory(output->arena, file, sim))
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    file->model = sim->model;
    file->other_bytes += 2 * text_bytes(head);
    output->self = file;
    output->recorder = (carom_recorder){.self = output, .row = write_row, .event = write_event};
    output->finish = finish;

    const carom_hdf5_printer was = carom_hdf5_silence();
    errno = 0;
    const bool is_made = create_file(file, output->part) && write_head(file, sim, head, scratch);
    const int cause = errno;
    if (!is_made && file->file >= 0) shut(file, output->part);
    carom_hdf5_restore(was);
    errno = cause;
    return is_made ? CAROM_OK : carom_output_fail(output, error);
}
