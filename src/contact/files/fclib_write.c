// SPDX-License-Identifier: Apache-2.0
// FCLIB's HDF5 files, written: compressed columns, contacts first, constraints as V, R, s (local)
// or G, b (global); see fclib.c. FCLIB couples contacts and constraints by V and its transpose, so
// that a problem whose coupling is unsymmetric is refused.
#include "contact/files/format.h"
#include "contact/problem/problem.h"

#ifdef CAROM_HAS_HDF5
#include <hdf5.h>
#include <string.h>

static bool write_set(hid_t owner, const char *name, hid_t type, int n, const void *data)
{
    const hsize_t size = (hsize_t)n;
    const hid_t space = H5Screate_simple(1, &size, NULL);
    const hid_t set = H5Dcreate2(owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool is_good =
        set >= 0 && (n == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    return is_good;
}

static bool write_count(hid_t owner, const char *name, int value)
{
    return write_set(owner, name, H5T_NATIVE_INT, 1, &value);
}

static bool write_text(hid_t owner, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    const hid_t set = H5Dcreate2(owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool is_good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
    return is_good;
}

static hid_t make_group(hid_t owner, const char *name)
{
    return H5Gcreate2(owner, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

static bool write_matrix(hid_t owner, const char *name, const carom_file_matrix *matrix)
{
    carom_arena *arena = carom_arena_new();
    carom_file_matrix c;
    const hid_t group = make_group(owner, name);
    bool is_good = group >= 0 && arena && carom_file_matrix_transpose(arena, matrix, &c);
    if (is_good) {
        const int n = c.start[c.n_row];
        is_good = write_count(group, "m", matrix->n_row) &&
                  write_count(group, "n", matrix->n_column) && write_count(group, "nz", -1) &&
                  write_count(group, "nzmax", n) &&
                  write_set(group, "p", H5T_NATIVE_INT, c.n_row + 1, c.start) &&
                  write_set(group, "i", H5T_NATIVE_INT, n, c.index) &&
                  write_set(group, "x", H5T_NATIVE_DOUBLE, n, c.value);
    }
    if (group >= 0) H5Gclose(group);
    carom_arena_free(arena);
    return is_good;
}

static bool write_info(hid_t root)
{
    const hid_t info = make_group(root, "info");
    const bool is_good = info >= 0 && write_text(info, "title", "contact problem") &&
                         write_text(info, "description", "written by Carom " CAROM_VERSION) &&
                         write_text(info, "math_info", "normal component first");
    if (info >= 0) H5Gclose(info);
    return is_good;
}

// the rows and columns of a problem sorted: contacts first
typedef struct parts {
    carom_arena *arena;
    int n, m, dimension;           // contact rows, bilateral rows
    int *place;                    // (n + m) where a row of the problem goes
    carom_file_matrix W, V, Vt, R; // Vt: the other coupling, as written by rows of the constraints
    double *q, *s, *mu;
} parts;

static bool sort_rows(const carom_problem *problem, parts *p)
{
    p->m = carom_problem_bilateral(problem);
    p->n = problem->n_row - p->m;
    p->place = CAROM_TAKE(p->arena, int, problem->n_row);
    p->q = CAROM_TAKE(p->arena, double, problem->n_row);
    p->mu = CAROM_TAKE(p->arena, double, problem->n_block);
    if (!p->place || !p->q || !p->mu) return false;
    p->s = p->q + p->n;
    int contact = 0, constraint = p->n, n_contact = 0;
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        if (!block->is_bilateral) p->mu[n_contact++] = block->mu;
        for (int i = block->first; i < block->first + block->dim; i++) {
            p->place[i] = block->is_bilateral ? constraint++ : contact++;
            p->q[p->place[i]] = problem->b[i];
        }
    }
    return true;
}

static bool split(const carom_file_matrix *G, parts *p)
{
    carom_triplets list[4] = {{0}};
    for (int i = 0; i < G->n_row; i++)
        for (int k = G->start[i]; k < G->start[i + 1]; k++) {
            const int row = p->place[i], column = p->place[G->index[k]];
            const bool low = row >= p->n, right = column >= p->n;
            if (!carom_triplets_add(p->arena, &list[2 * low + right], low ? row - p->n : row,
                                    right ? column - p->n : column, G->value[k]))
                return false;
        }
    return carom_file_matrix_make(p->arena, p->n, p->n, &list[0], &p->W) &&
           carom_file_matrix_make(p->arena, p->n, p->m, &list[1], &p->V) &&
           carom_file_matrix_make(p->arena, p->m, p->n, &list[2], &p->Vt) &&
           carom_file_matrix_make(p->arena, p->m, p->m, &list[3], &p->R);
}

// whether V and Vt are transposed to each other, up to rounding
static bool is_symmetric(const parts *p)
{
    carom_file_matrix other;
    if (!carom_file_matrix_transpose(p->arena, &p->Vt, &other)) return false;
    double largest = 0, far = 0;
    for (int k = 0; k < p->V.start[p->n]; k++) largest = carom_larger(largest, fabs(p->V.value[k]));
    for (int i = 0; i < p->n; i++) {
        int a = p->V.start[i], b = other.start[i];
        while (a < p->V.start[i + 1] || b < other.start[i + 1]) {
            const int ca = a < p->V.start[i + 1] ? p->V.index[a] : p->m;
            const int cb = b < other.start[i + 1] ? other.index[b] : p->m;
            const double x = ca <= cb ? p->V.value[a] : 0, y = cb <= ca ? other.value[b] : 0;
            far = carom_larger(far, fabs(x - y));
            a += ca <= cb;
            b += cb <= ca;
        }
    }
    return far <= 1e-14 * largest;
}

static bool write_local(hid_t file, const parts *p)
{
    const hid_t root = make_group(file, "fclib_local");
    const hid_t vectors = root >= 0 ? make_group(root, "vectors") : -1;
    bool is_good =
        vectors >= 0 && write_count(root, "spacedim", p->dimension) &&
        write_matrix(root, "W", &p->W) && write_set(vectors, "q", H5T_NATIVE_DOUBLE, p->n, p->q) &&
        write_set(vectors, "mu", H5T_NATIVE_DOUBLE, p->n / p->dimension, p->mu) && write_info(root);
    if (is_good && p->m > 0)
        is_good = write_matrix(root, "V", &p->V) && write_matrix(root, "R", &p->R) &&
                  write_set(vectors, "s", H5T_NATIVE_DOUBLE, p->m, p->s);
    if (vectors >= 0) H5Gclose(vectors);
    if (root >= 0) H5Gclose(root);
    return is_good;
}

// the columns of H from first on, n of them
static bool cut_columns(carom_arena *arena, const carom_file_matrix *H, int first, int n,
                        carom_file_matrix *part)
{
    carom_triplets list = {0};
    for (int i = 0; i < H->n_row; i++)
        for (int k = H->start[i]; k < H->start[i + 1]; k++) {
            const int column = H->index[k] - first;
            if (column < 0 || column >= n) continue;
            if (!carom_triplets_add(arena, &list, i, column, H->value[k])) return false;
        }
    return carom_file_matrix_make(arena, H->n_row, n, &list, part);
}

static bool write_global(hid_t file, const carom_contact_file *from, const parts *p)
{
    const hid_t root = make_group(file, "fclib_global");
    const hid_t vectors = root >= 0 ? make_group(root, "vectors") : -1;
    carom_file_matrix H, G;
    bool is_good = vectors >= 0 && cut_columns(p->arena, &from->H, 0, p->n, &H) &&
                   cut_columns(p->arena, &from->H, p->n, p->m, &G) &&
                   write_count(root, "spacedim", p->dimension) &&
                   write_matrix(root, "M", &from->M) && write_matrix(root, "H", &H) &&
                   write_set(vectors, "f", H5T_NATIVE_DOUBLE, from->n_velocity, from->f) &&
                   write_set(vectors, "w", H5T_NATIVE_DOUBLE, p->n, from->w) &&
                   write_set(vectors, "mu", H5T_NATIVE_DOUBLE, p->n / p->dimension, p->mu) &&
                   write_info(root);
    if (is_good && p->m > 0)
        is_good = write_matrix(root, "G", &G) &&
                  write_set(vectors, "b", H5T_NATIVE_DOUBLE, p->m, from->w + p->n);
    if (vectors >= 0) H5Gclose(vectors);
    if (root >= 0) H5Gclose(root);
    return is_good;
}

static carom_status write_file(const carom_file_contents *contents, parts *p, const char *path,
                               carom_error *error)
{
    if (!sort_rows(contents->problem, p) || !split(&contents->G, p))
        return carom_file_no_memory(error);
    if (!contents->global && !is_symmetric(p))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s: FCLIB needs a symmetric coupling of contacts and constraints, which "
                          "this problem has not (write it as text, kind mixed)",
                          path);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    bool is_good = file >= 0 && (contents->global ? write_global(file, contents->global, p)
                                                  : write_local(file, p));
    if (file >= 0 && H5Fclose(file) < 0) is_good = false;
    return is_good ? CAROM_OK : carom_fail(error, CAROM_IO, "%s: cannot be written as HDF5", path);
}

static const char *refuse(const carom_problem *problem, int *dimension)
{
    *dimension = 0;
    if (carom_problem_is_bounded(problem))
        return "FCLIB has no discs and no lower bounds of impulses (text of kind mixed has)";
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        if (block->is_bilateral) continue;
        if (block->dim < 2 || (*dimension && *dimension != block->dim))
            return "the contacts of an FCLIB file have one dimension, 2 or 3";
        *dimension = block->dim;
    }
    if (*dimension == 0) *dimension = 3;
    return NULL;
}

carom_status carom_fclib_write(const carom_file_contents *contents, const char *path,
                               carom_error *error)
{
    H5E_auto2_t print;
    void *data;
    parts p = {.arena = carom_arena_new()};
    if (!p.arena) return carom_file_no_memory(error);
    const char *why = refuse(contents->problem, &p.dimension);
    H5Eget_auto2(H5E_DEFAULT, &print, &data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const carom_status status = why ? carom_fail(error, CAROM_BAD_INPUT, "%s: %s", path, why)
                                    : write_file(contents, &p, path, error);
    H5Eset_auto2(H5E_DEFAULT, print, data);
    carom_arena_free(p.arena);
    return status;
}

#else

carom_status carom_fclib_write(const carom_file_contents *contents, const char *path,
                               carom_error *error)
{
    (void)contents;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "%s: HDF5 cannot be written, this library was built without it (build it "
                      "with -DCAROM_HDF5=ON, or write text)",
                      path);
}

#endif
