// SPDX-License-Identifier: Apache-2.0
// Matrices of elastic bodies from files, in two forms:
//
//     Matrix Market      "%%MatrixMarket matrix coordinate real symmetric|general", comments
//                        with %, a line "rows columns entries", then lines "row column value"
//     CalculiX           .sti, .mas: lines "row column value" alone
//
// A file without a header that has entries on one side of the diagonal only is symmetric.
#include "modelfile/parts/elastic_nodes.h"
#include "modelfile/parts/elastic_section.h"
#include "modelfile/parts/scanner.h"

#include "math/sparse/sparse_sum.h"

#include <string.h>

typedef struct matrix_file {
    carom_scanner scanner;
    carom_sparse_sum sum;
    double most; // rows that are allowed
    int n;       // rows; without a header as many as the largest number
    long n_said; // entries, as the header has it; -1 = it does not say
    bool is_symmetric, has_header;
} matrix_file;

static carom_status read_header(matrix_file *f, carom_error *error)
{
    static const char *const expected[] = {"matrix", "coordinate", "real", "symmetric"};
    static const char *const other[] = {"matrix", "coordinate", "integer", "general"};
    carom_scanner *s = &f->scanner;
    int n_column;
    double n_entry;
    for (int i = 0; i < 4; i++) {
        const bool is_there = carom_scanner_word(s);
        f->is_symmetric = is_there && strcmp(s->word, "symmetric") == 0;
        if (!is_there || (strcmp(s->word, expected[i]) != 0 && strcmp(s->word, other[i]) != 0))
            return carom_fail_at(error, s->place, CAROM_BAD_INPUT,
                                 "this kind of Matrix Market file is not read: '%s' (it must be "
                                 "coordinate, real, symmetric or general)",
                                 s->word);
    }
    if (!carom_scanner_line(s, '%'))
        return carom_fail_at(error, s->place, CAROM_BAD_INPUT, "this file has no numbers");
    CAROM_TRY(carom_scanner_count(s, "the number of rows", f->most, &f->n, error));
    CAROM_TRY(carom_scanner_count(s, "the number of columns", f->most, &n_column, error));
    CAROM_TRY(carom_scanner_number(s, "the number of entries", &n_entry, error));
    if (f->n != n_column)
        return carom_fail_at(error, s->place, CAROM_BAD_INPUT,
                             "a matrix of a body is square, this one has %d rows and %d columns",
                             f->n, n_column);
    f->n_said = (long)n_entry;
    return CAROM_OK;
}

static carom_status read_entry(matrix_file *f, bool *has_lower, bool *has_upper, carom_error *error)
{
    int row, column;
    double value;
    const double most = f->has_header ? f->n : f->most;
    CAROM_TRY(carom_scanner_count(&f->scanner, "a row", most, &row, error));
    CAROM_TRY(carom_scanner_count(&f->scanner, "a column", most, &column, error));
    CAROM_TRY(carom_scanner_number(&f->scanner, "an entry", &value, error));
    if (carom_scanner_word(&f->scanner))
        return carom_fail_at(error, f->scanner.place, CAROM_BAD_INPUT,
                             "this line has more than a row, a column and a value");
    *has_lower |= row > column;
    *has_upper |= row < column;
    if (row > f->n) f->n = row;
    if (column > f->n) f->n = column;
    carom_sparse_sum_add(&f->sum, row - 1, column - 1, value);
    return CAROM_OK;
}

static void mirror(matrix_file *f)
{
    for (int k = 0, n = f->sum.entry.n; k < n; k++) {
        const carom_sparse_part part = f->sum.entry.item[k];
        if (part.row != part.column)
            carom_sparse_sum_add(&f->sum, part.column, part.row, part.value);
    }
}

static carom_status read_entries(matrix_file *f, carom_error *error)
{
    carom_scanner *s = &f->scanner;
    bool has_lower = false, has_upper = false, has_line = carom_scanner_line(s, 0);
    f->n_said = -1;
    if (has_line && strncmp(s->next, "%%MatrixMarket", 14) == 0) {
        f->has_header = true;
        carom_scanner_word(s);
        CAROM_TRY(read_header(f, error));
        has_line = carom_scanner_line(s, '%');
    }
    for (; has_line; has_line = carom_scanner_line(s, '%'))
        CAROM_TRY(read_entry(f, &has_lower, &has_upper, error));
    if (f->sum.entry.n == 0)
        return carom_fail_at(error, s->place, CAROM_BAD_INPUT, "this file has no entries");
    if (f->n_said >= 0 && f->n_said != f->sum.entry.n)
        return carom_fail_at(error, s->place, CAROM_BAD_INPUT,
                             "the file says %ld entries and has %d", f->n_said, f->sum.entry.n);
    if (!f->has_header) f->is_symmetric = !(has_lower && has_upper);
    if (f->is_symmetric) mirror(f);
    return CAROM_OK;
}

// ---- the section ----

enum { MASS, STIFFNESS, DAMPING, NODES, ORDER };
static const carom_field field[] = {
    {"mass", CAROM_FIELD_TEXT, true, "mass: part_m.mtx"},
    {"stiffness", CAROM_FIELD_TEXT, true, "stiffness: part_k.mtx"},
    {"damping", CAROM_FIELD_TEXT, false, "damping: part_d.mtx"},
    {"nodes", CAROM_FIELD_TEXT, true, "nodes: part.csv"},
    {"order", CAROM_FIELD_TEXT, false, "order: part.dof"},
    {.kind = CAROM_FIELD_END},
};

carom_status carom_elastic_file_load(carom_modelfile *file, const carom_node *node,
                                     carom_source *source, carom_error *error)
{
    carom_text path;
    carom_found found;
    CAROM_TRY(carom_fields_text(node, "mass: part_m.mtx", &path, error));
    CAROM_TRY(carom_allowed_find(file->arena, &file->access, file->origin, path, &found, error));
    CAROM_TRY(carom_allowed_load(file->arena, &found, CAROM_SOURCE_TABLE, file->access.limits,
                                 source, error));
    return carom_source_check(source, error);
}

static carom_status read_matrix(carom_modelfile *file, const carom_node *node,
                                carom_sparse **matrix, carom_error *error)
{
    carom_source source;
    carom_arena *scratch = carom_arena_new();
    const carom_limits *limits = carom_limits_or_default(file->access.limits);
    *matrix = CAROM_TAKE(file->arena, carom_sparse, 1);
    if (!scratch || !*matrix)
        return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a matrix");
    carom_status status = carom_elastic_file_load(file, node, &source, error);
    if (status == CAROM_OK) {
        matrix_file f = {.scanner = carom_scanner_of(&source),
                         .sum.arena = scratch,
                         .most = limits->members < 1e9 ? limits->members : 1e9};
        status = read_entries(&f, error);
        if (status == CAROM_OK && !carom_sparse_sum_finish(&f.sum, f.n, file->arena, *matrix))
            status = carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a matrix");
    }
    carom_arena_free(scratch);
    return status;
}

static carom_status check_sizes(const carom_node *const *value, carom_sparse *const *matrix,
                                carom_error *error)
{
    for (int k = STIFFNESS; k <= DAMPING; k++)
        if (matrix[k] && matrix[k]->n_row != matrix[MASS]->n_row)
            return carom_fail_at(error, value[k]->place, CAROM_BAD_INPUT,
                                 "the %s has %d rows, and the mass has %d", field[k].key,
                                 matrix[k]->n_row, matrix[MASS]->n_row);
    return CAROM_OK;
}

carom_status carom_elastic_files_read(carom_modelfile *file, const carom_node *node,
                                      carom_elastic_matrices *matrices, carom_error *error)
{
    const carom_node *value[CAROM_MOST_FIELDS];
    carom_sparse *matrix[3] = {0};
    CAROM_TRY(carom_fields_read(node, "'files'", field, value, error));
    for (int k = MASS; k <= DAMPING; k++)
        if (value[k]) CAROM_TRY(read_matrix(file, value[k], &matrix[k], error));
    CAROM_TRY(check_sizes(value, matrix, error));
    *matrices = (carom_elastic_matrices){.n = matrix[MASS]->n_row,
                                         .mass = matrix[MASS],
                                         .stiffness = matrix[STIFFNESS],
                                         .damping = matrix[DAMPING]};
    return carom_elastic_nodes_read(file, value[NODES], value[ORDER], matrices, error);
}
