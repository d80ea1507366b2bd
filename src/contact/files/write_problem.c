// SPDX-License-Identifier: Apache-2.0
// Writes contact problems: the kind and storage are chosen where they are not given, and the file
// is written beside its target and moved there when whole.
#include "base/files/beside.h"
#include "base/need.h"
#include "contact/files/format.h"
#include "contact/problem/problem.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const carom_file_format *const formats[] = {
    &carom_file_local, &carom_file_lcp, &carom_file_mlcp, &carom_file_mixed, &carom_file_global,
};
enum { N_FORMAT = sizeof formats / sizeof *formats };

static bool has_ending(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcmp(path + n - m, ending) == 0;
}

// G column by column, for every form of matrix
static bool collect_columns(carom_arena *arena, const carom_matrix *G, carom_triplets *list)
{
    double *unit = CAROM_TAKE(arena, double, G->n), *column = CAROM_TAKE(arena, double, G->n);
    bool is_made = unit && column;
    for (int j = 0; is_made && j < G->n; j++) {
        unit[j] = 1;
        carom_matrix_product(G, unit, column);
        unit[j] = 0;
        for (int i = 0; is_made && i < G->n; i++)
            if (column[i] != 0) is_made = carom_triplets_add(arena, list, i, j, column[i]);
    }
    return is_made;
}

static bool collect_rows(carom_arena *arena, const carom_matrix *G, carom_triplets *list)
{
    for (int i = 0; i < G->n; i++)
        for (int k = G->start[i]; k < G->start[i + 1]; k++)
            if (G->value[k] != 0 && !carom_triplets_add(arena, list, i, G->index[k], G->value[k]))
                return false;
    return true;
}

// the sparse form of G, without stored zeros
static bool make_sparse(carom_arena *arena, const carom_problem *problem, carom_file_matrix *G)
{
    carom_triplets list = {0};
    const carom_matrix *from = &problem->G;
    const int n = problem->n_row;
    const bool is_made =
        n == 0 || (carom_matrix_is_sparse(from) ? collect_rows(arena, from, &list)
                                                : collect_columns(arena, from, &list));
    return is_made && carom_file_matrix_make(arena, n, n, &list, G);
}

static carom_status choose_format(const carom_file_contents *contents, carom_file_kind kind,
                                  const char *path, const carom_file_format **format,
                                  carom_error *error)
{
    const char *why = "there is no such kind of file";
    if (contents->global) kind = CAROM_FILE_GLOBAL;
    for (int i = 0; i < N_FORMAT; i++) {
        if (kind != CAROM_FILE_ANY && formats[i]->kind != kind) continue;
        why = contents->global ? NULL : formats[i]->refuse(contents->problem);
        if (formats[i]->kind != CAROM_FILE_MIXED && carom_problem_is_bounded(contents->problem))
            why = "no kind but mixed holds discs and lower bounds of impulses";
        *format = formats[i];
        if (!why) return CAROM_OK;
    }
    return carom_fail(error, CAROM_BAD_INPUT, "%s: %s (choose another kind, mixed takes all)", path,
                      why);
}

// dense where that is not much longer; contacts of one dimension as blocks, else by rows
static carom_file_storage choose_storage(const carom_file_contents *contents,
                                         const carom_file_format *format)
{
    const carom_file_matrix *G = &contents->G;
    const double n = G->n_row;
    if (contents->storage != CAROM_STORAGE_ANY) return contents->storage;
    if (n <= 12 || 0.5 * n * n < (double)G->start[G->n_row]) return CAROM_STORAGE_DENSE;
    return format->kind == CAROM_FILE_LOCAL ? CAROM_STORAGE_BLOCKS : CAROM_STORAGE_CSR;
}

static carom_status write_text(carom_file_contents *contents, carom_file_kind kind,
                               const char *path, const char *beside, carom_error *error)
{
    const carom_file_format *format = NULL;
    CAROM_TRY(choose_format(contents, kind, path, &format, error));
    contents->storage = choose_storage(contents, format);
    errno = 0;
    FILE *stream = fopen(beside, "w");
    if (stream) {
        format->write(stream, contents);
        const bool is_bad = ferror(stream) != 0;
        if (fclose(stream) == 0 && !is_bad) return CAROM_OK;
    }
    return carom_fail(error, CAROM_IO, "%s: cannot be written: %s", path,
                      errno ? strerror(errno) : "write error");
}

static carom_status write_beside(carom_file_contents *contents, carom_file_kind kind,
                                 const char *path, carom_error *error)
{
    char *made = NULL;
    struct stat facts;
    // links and devices are written in place, so that they stay what they are
    const bool is_plain = lstat(path, &facts) != 0 || S_ISREG(facts.st_mode);
    errno = 0;
    const int descriptor = is_plain ? carom_beside_create(path, "part", &made) : -1;
    if (is_plain && descriptor < 0)
        return carom_fail(error, CAROM_IO, "%s: cannot be written: %s", path, strerror(errno));
    if (is_plain) close(descriptor);
    const char *beside = is_plain ? made : path;
    const bool is_hdf5 = has_ending(path, ".hdf5") || has_ending(path, ".h5");
    carom_status status = is_hdf5 ? carom_fclib_write(contents, beside, error)
                                  : write_text(contents, kind, path, beside, error);
    if (!is_plain) return status;
    if (status == CAROM_OK && rename(beside, path) != 0)
        status = carom_fail(error, CAROM_IO, "%s: cannot be written: %s", path, strerror(errno));
    if (status != CAROM_OK) remove(beside);
    free(made);
    return status;
}

static carom_status write_contents(carom_file_contents *contents, carom_file_kind kind,
                                   const char *path, carom_error *error)
{
    carom_arena *arena = carom_arena_new();
    if (!arena || !make_sparse(arena, contents->problem, &contents->G)) {
        carom_arena_free(arena);
        return carom_file_no_memory(error);
    }
    const carom_status status = write_beside(contents, kind, path, error);
    carom_arena_free(arena);
    return status;
}

static carom_status check_form(carom_file_form form, const char *function, carom_error *error)
{
    if ((unsigned)form.kind < CAROM_N_FILE_KIND && (unsigned)form.storage < CAROM_N_FILE_STORAGE)
        return CAROM_OK;
    return carom_misuse(error, function, "form is (%d, %d)", (int)form.kind, (int)form.storage);
}

carom_status carom_contact_problem_write(const carom_problem *problem, const double *guess,
                                         carom_file_form form, const char *path, carom_error *error)
{
    CAROM_NEED(error, problem);
    CAROM_NEED(error, path);
    CAROM_TRY(check_form(form, __func__, error));
    CAROM_TRY(carom_problem_check(problem, INT_MAX, error));
    carom_file_contents contents = {.problem = problem, .guess = guess, .storage = form.storage};
    return write_contents(&contents, form.kind, path, error);
}

carom_status carom_contact_file_write(const carom_contact_file *file, carom_file_form form,
                                      const char *path, carom_error *error)
{
    CAROM_NEED(error, file);
    CAROM_NEED(error, path);
    CAROM_TRY(check_form(form, __func__, error));
    const bool is_global = file->kind == CAROM_FILE_GLOBAL &&
                           (form.kind == CAROM_FILE_ANY || form.kind == CAROM_FILE_GLOBAL);
    const bool is_same = form.kind == CAROM_FILE_ANY || form.kind == file->kind;
    carom_file_contents contents = {.problem = &file->problem,
                                    .guess = file->guess,
                                    .global = is_global ? file : NULL,
                                    .storage = form.storage};
    if (form.storage == CAROM_STORAGE_ANY && is_same) contents.storage = file->storage;
    carom_file_kind kind = form.kind;
    if (kind == CAROM_FILE_ANY && file->kind == CAROM_FILE_MIXED) kind = CAROM_FILE_MIXED;
    return write_contents(&contents, kind, path, error);
}
