// SPDX-License-Identifier: Apache-2.0
// FCLIB's HDF5 files, read.
//
//     /fclib_local   W, vectors/{q, mu}; with constraints also V, R, vectors/s:
//                    u = W r + V la + q,   0 = V' r + R la + s
//     /fclib_global  M, H, vectors/{f, w, mu}; with constraints also G, vectors/b:
//                    M v = H r + G la + f,   u = H' v + w,   0 = G' v + b
//
// A matrix is m, n, nz, nzmax, p, i, x with nz >= 0: triplets (i row, p column), -1: compressed
// columns, -2: compressed rows. V. Acary and others, FCLIB, 2014.
#include "contact/files/format.h"

#ifdef CAROM_HAS_HDF5
#include "base/files/hdf5_reader.h"

#include <limits.h>
#include <string.h>

typedef struct reader {
    carom_hdf5_reader *file;
    const char *path;
    carom_contact_file *to;
    const carom_limits *limits;
    carom_error *error;
} reader;

static carom_status fail(const reader *r, const char *name, const char *what)
{
    return carom_fail(r->error, CAROM_BAD_INPUT, "%s: %s %s", r->path, name, what);
}

// a whole dataset as ints or doubles; *n is its length
static carom_status read_set(const reader *r, const char *name, bool is_int, void **data, int *n)
{
    const double room = r->limits->bytes / CAROM_TRIPLET_BYTES;
    const long most = room < INT_MAX / 8 ? (long)room : INT_MAX / 8;
    long size = 0;
    *data = is_int ? (void *)carom_hdf5_ints(r->file, name, most, r->to->memory, &size)
                   : (void *)carom_hdf5_doubles(r->file, name, most, r->to->memory, &size);
    *n = (int)size;
    if (*data) return CAROM_OK;
    const bool is_there = carom_hdf5_has(r->file, name);
    CAROM_TRY(carom_hdf5_reader_status(r->file, r->error));
    if (!is_there) return fail(r, name, "is missing (not a whole FCLIB file?)");
    return fail(r, name, "cannot be read as numbers, or has too many (--limit bytes=N)");
}

static carom_status read_vector(const reader *r, const char *name, int n, double **value)
{
    void *data;
    int size;
    CAROM_TRY(read_set(r, name, false, &data, &size));
    *value = data;
    if (size < n)
        return carom_fail(r->error, CAROM_BAD_INPUT, "%s: %s has %d numbers, not %d", r->path, name,
                          size, n);
    for (int i = 0; i < n; i++)
        if (!((*value)[i] - (*value)[i] == 0))
            return fail(r, name, "has a number that is not finite");
    return CAROM_OK;
}

static carom_status read_count(const reader *r, const char *name, int low, int *value)
{
    void *data;
    int size;
    CAROM_TRY(read_set(r, name, true, &data, &size));
    if (size < 1) return fail(r, name, "is empty");
    *value = *(const int *)data;
    if (*value < low || *value > INT_MAX / 32) return fail(r, name, "is out of range");
    return CAROM_OK;
}

// of rows or unknowns
static carom_status read_size(const reader *r, const char *name, int *value)
{
    CAROM_TRY(read_count(r, name, 0, value));
    if (*value <= r->limits->problem_rows) return CAROM_OK;
    return carom_fail(r->error, CAROM_BAD_INPUT,
                      "%s: %s is %d, more than %.15g (--limit problem_rows=N allows more)", r->path,
                      name, *value, r->limits->problem_rows);
}

// what an FCLIB matrix holds
typedef struct stored {
    int m, n, nz, n_p, n_i, n_x;
    int *p, *i;
    double *x;
} stored;

static carom_status read_stored(const reader *r, const char *name, stored *s)
{
    char part[5][96];
    static const char *const field[5] = {"m", "n", "nz", "p", "i"};
    char values[96];
    void *p, *i, *x;
    for (int k = 0; k < 5; k++) snprintf(part[k], sizeof part[k], "%s/%s", name, field[k]);
    snprintf(values, sizeof values, "%s/x", name);
    CAROM_TRY(read_size(r, part[0], &s->m));
    CAROM_TRY(read_size(r, part[1], &s->n));
    CAROM_TRY(read_count(r, part[2], -2, &s->nz));
    CAROM_TRY(read_set(r, part[3], true, &p, &s->n_p));
    CAROM_TRY(read_set(r, part[4], true, &i, &s->n_i));
    CAROM_TRY(read_set(r, values, false, &x, &s->n_x));
    *s = (stored){s->m, s->n, s->nz, s->n_p, s->n_i, s->n_x, p, i, x};
    return CAROM_OK;
}

// entry k, in line `line` of a compressed matrix
static bool add_entry(carom_arena *arena, const stored *s, int k, int line, carom_triplets *list)
{
    const int row = s->nz == -2 ? line : s->i[k];
    const int column = s->nz == -2 ? s->i[k] : s->nz == -1 ? line : s->p[k];
    const double x = s->x[k];
    if (row < 0 || row >= s->m || column < 0 || column >= s->n || !(x - x == 0)) return false;
    return carom_triplets_add(arena, list, row, column, x);
}

static bool collect(carom_arena *arena, const stored *s, carom_triplets *list)
{
    if (s->nz >= 0) {
        bool is_good = s->nz <= s->n_p && s->nz <= s->n_i && s->nz <= s->n_x;
        for (int k = 0; is_good && k < s->nz; k++) is_good = add_entry(arena, s, k, 0, list);
        return is_good;
    }
    const int n_line = s->nz == -1 ? s->n : s->m;
    if (s->n_p < n_line + 1 || s->p[0] != 0) return false;
    for (int j = 0; j < n_line; j++) {
        const int end = s->p[j + 1];
        if (end < s->p[j] || end > s->n_i || end > s->n_x) return false;
        for (int k = s->p[j]; k < end; k++)
            if (!add_entry(arena, s, k, j, list)) return false;
    }
    return true;
}

static carom_status read_matrix(const reader *r, const char *name, carom_file_matrix *matrix)
{
    stored s = {0};
    carom_triplets list = {0};
    CAROM_TRY(read_stored(r, name, &s));
    carom_arena *scratch = carom_arena_new();
    const bool is_good = scratch && collect(scratch, &s, &list);
    const bool is_made = is_good && carom_file_matrix_make(r->to->memory, s.m, s.n, &list, matrix);
    carom_arena_free(scratch);
    r->to->storage = s.nz >= 0    ? CAROM_STORAGE_TRIPLET
                     : s.nz == -1 ? CAROM_STORAGE_CSC
                                  : CAROM_STORAGE_CSR;
    if (!is_good) return fail(r, name, "is not a well formed matrix (m, n, nz, p, i, x disagree)");
    return is_made ? CAROM_OK : carom_file_no_memory(r->error);
}

// n_contact contacts, then one bilateral block of n_equality rows
static carom_status make_blocks(const reader *r, int n_row, int n_equality, const char *root)
{
    char name[64];
    int dimension;
    double *mu;
    snprintf(name, sizeof name, "%s/spacedim", root);
    CAROM_TRY(read_count(r, name, 0, &dimension));
    if (dimension < 2 || dimension > 3) return fail(r, name, "must be 2 or 3");
    if (n_row % dimension) return fail(r, root, "has rows that are no multiple of its spacedim");
    const int n_contact = n_row / dimension;
    snprintf(name, sizeof name, "%s/vectors/mu", root);
    CAROM_TRY(read_vector(r, name, n_contact, &mu));
    for (int k = 0; k < n_contact; k++)
        if (mu[k] < 0) return fail(r, name, "has a negative number");
    carom_problem *problem = &r->to->problem;
    problem->block = CAROM_TAKE(r->to->memory, carom_block, n_contact + 1);
    if (!problem->block) return carom_file_no_memory(r->error);
    carom_file_contacts(problem->block, n_contact, dimension, 0, mu);
    problem->n_block = n_contact + (n_equality > 0);
    if (n_equality > 0)
        problem->block[n_contact] =
            (carom_block){.first = n_row, .dim = n_equality, .is_bilateral = true, .id = n_contact};
    r->to->dimension = dimension;
    return CAROM_OK;
}

static bool add_part(carom_arena *arena, carom_triplets *list, const carom_file_matrix *part,
                     const int corner[2], bool is_transposed)
{
    for (int i = 0; i < part->n_row; i++)
        for (int k = part->start[i]; k < part->start[i + 1]; k++) {
            const int row = is_transposed ? part->index[k] : i;
            const int column = is_transposed ? i : part->index[k];
            if (!carom_triplets_add(arena, list, corner[0] + row, corner[1] + column,
                                    part->value[k]))
                return false;
        }
    return true;
}

// [W V; V' R] and (q, s)
static carom_status read_constraints(const reader *r, carom_file_matrix *W, double **q)
{
    carom_file_matrix V, R;
    double *s;
    const int n = W->n_row;
    CAROM_TRY(read_matrix(r, "/fclib_local/V", &V));
    CAROM_TRY(read_matrix(r, "/fclib_local/R", &R));
    const int m = R.n_row;
    if (V.n_row != n || V.n_column != m || R.n_column != m)
        return fail(r, "/fclib_local/V", "and R do not fit to W");
    CAROM_TRY(read_vector(r, "/fclib_local/vectors/s", m, &s));
    carom_arena *arena = r->to->memory;
    carom_triplets list = {0};
    const int corner[4][2] = {{0, 0}, {0, n}, {n, 0}, {n, n}};
    double *b = CAROM_TAKE(arena, double, n + m);
    const bool is_made = b && add_part(arena, &list, W, corner[0], false) &&
                         add_part(arena, &list, &V, corner[1], false) &&
                         add_part(arena, &list, &V, corner[2], true) &&
                         add_part(arena, &list, &R, corner[3], false) &&
                         carom_file_matrix_make(arena, n + m, n + m, &list, W);
    if (!is_made) return carom_file_no_memory(r->error);
    for (int i = 0; i < n + m; i++) b[i] = i < n ? (*q)[i] : s[i - n];
    *q = b;
    return CAROM_OK;
}

static carom_status read_local(const reader *r)
{
    carom_file_matrix W;
    double *q;
    CAROM_TRY(read_matrix(r, "/fclib_local/W", &W));
    const int n = W.n_row;
    if (W.n_column != n) return fail(r, "/fclib_local/W", "is not square");
    CAROM_TRY(read_vector(r, "/fclib_local/vectors/q", n, &q));
    if (carom_hdf5_has(r->file, "/fclib_local/V/m")) CAROM_TRY(read_constraints(r, &W, &q));
    CAROM_TRY(make_blocks(r, n, W.n_row - n, "/fclib_local"));
    const int dimension = r->to->dimension;
    CAROM_TRY(carom_file_problem(r->to, &W, q, r->to->problem.n_block, r->error));
    r->to->kind = CAROM_FILE_LOCAL;
    r->to->dimension = dimension;
    return CAROM_OK;
}

// H becomes [H G], w becomes (w, b)
static carom_status read_global_constraints(const reader *r)
{
    carom_contact_file *to = r->to;
    carom_file_matrix G;
    double *b;
    CAROM_TRY(read_matrix(r, "/fclib_global/G", &G));
    const int n = to->H.n_column, m = G.n_column;
    if (G.n_row != to->n_velocity) return fail(r, "/fclib_global/G", "does not fit to M");
    CAROM_TRY(read_vector(r, "/fclib_global/vectors/b", m, &b));
    carom_triplets list = {0};
    const int corner[2][2] = {{0, 0}, {0, n}};
    double *w = CAROM_TAKE(to->memory, double, n + m);
    const bool is_made = w && add_part(to->memory, &list, &to->H, corner[0], false) &&
                         add_part(to->memory, &list, &G, corner[1], false) &&
                         carom_file_matrix_make(to->memory, to->n_velocity, n + m, &list, &to->H);
    if (!is_made) return carom_file_no_memory(r->error);
    for (int i = 0; i < n + m; i++) w[i] = i < n ? to->w[i] : b[i - n];
    to->w = w;
    return CAROM_OK;
}

static carom_status read_global(const reader *r)
{
    carom_contact_file *to = r->to;
    CAROM_TRY(read_matrix(r, "/fclib_global/M", &to->M));
    CAROM_TRY(read_matrix(r, "/fclib_global/H", &to->H));
    const int m = to->n_velocity = to->M.n_row, n = to->H.n_column;
    if (to->M.n_column != m || to->H.n_row != m)
        return fail(r, "/fclib_global/H", "does not fit to M");
    CAROM_TRY(read_vector(r, "/fclib_global/vectors/f", m, &to->f));
    CAROM_TRY(read_vector(r, "/fclib_global/vectors/w", n, &to->w));
    if (carom_hdf5_has(r->file, "/fclib_global/G/m")) CAROM_TRY(read_global_constraints(r));
    CAROM_TRY(make_blocks(r, n, to->H.n_column - n, "/fclib_global"));
    const int dimension = to->dimension;
    CAROM_TRY(carom_file_reduce(to, r->limits, r->error));
    to->kind = CAROM_FILE_GLOBAL;
    to->dimension = dimension;
    return CAROM_OK;
}

static carom_status read_open(const reader *r)
{
    r->to->is_hdf5 = true;
    if (carom_hdf5_has(r->file, "/fclib_local")) return read_local(r);
    if (carom_hdf5_has(r->file, "/fclib_global")) return read_global(r);
    CAROM_TRY(carom_hdf5_reader_status(r->file, r->error));
    return carom_fail(r->error, CAROM_BAD_INPUT,
                      "%s: an HDF5 file, but neither /fclib_local nor /fclib_global is in it",
                      r->path);
}

carom_status carom_fclib_read(const char *path, const carom_limits *limits,
                              carom_contact_file *file, carom_error *error)
{
    carom_hdf5_reader *from;
    CAROM_TRY(carom_hdf5_reader_new(path, 2 * limits->bytes, &from, error));
    const struct reader r = {from, path, file, limits, error};
    const carom_status status = read_open(&r);
    carom_hdf5_reader_free(from);
    return status;
}

#else

carom_status carom_fclib_read(const char *path, const carom_limits *limits,
                              carom_contact_file *file, carom_error *error)
{
    (void)file, (void)limits;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "%s: an HDF5 file, but this library was built without HDF5 (build it with "
                      "-DCAROM_HDF5=ON)",
                      path);
}

#endif
