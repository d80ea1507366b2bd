// SPDX-License-Identifier: Apache-2.0
// Matrices into text files, in the storages that matrix_file.c reads, with all digits.
#include "contact/files/format.h"

#include <string.h>

void carom_text_write_number(FILE *stream, double value)
{
    char text[40];
    const int n = snprintf(text, sizeof text, "%.17g", value);
    // the caller's locale may have a decimal comma
    char *comma = n > 0 ? memchr(text, ',', (size_t)n) : NULL;
    if (comma) *comma = '.';
    fputs(text, stream);
}

void carom_text_write_numbers(FILE *stream, int n, const double *value)
{
    for (int i = 0; i < n; i++) {
        carom_text_write_number(stream, value[i]);
        fputc(i + 1 < n ? ' ' : '\n', stream);
    }
}

static double entry(const carom_file_matrix *matrix, int i, int j)
{
    int low = matrix->start[i], high = matrix->start[i + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (matrix->index[middle] == j) return matrix->value[middle];
        if (matrix->index[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

static void write_dense(FILE *stream, const carom_file_matrix *matrix)
{
    fprintf(stream, "%d %d\n", matrix->n_row, matrix->n_column);
    for (int j = 0; j < matrix->n_column; j++)
        for (int i = 0; i < matrix->n_row; i++) {
            carom_text_write_number(stream, entry(matrix, i, j));
            fputc(i + 1 < matrix->n_row ? ' ' : '\n', stream);
        }
}

// the next block column after `after` with an entry in block row k, or -1
static int next_filled(const carom_file_matrix *matrix, int block, int k, int after)
{
    int next = -1;
    for (int i = k * block; i < (k + 1) * block; i++)
        for (int e = matrix->start[i]; e < matrix->start[i + 1]; e++) {
            const int l = matrix->index[e] / block;
            if (l <= after) continue;
            if (next < 0 || l < next) next = l;
            break;
        }
    return next;
}

static int count_blocks(const carom_file_matrix *matrix, int block, int k)
{
    int n = 0;
    for (int l = next_filled(matrix, block, k, -1); l >= 0; n++)
        l = next_filled(matrix, block, k, l);
    return n;
}

static void write_block(FILE *stream, const carom_file_matrix *matrix, int block, int k, int l)
{
    for (int j = 0; j < block; j++)
        for (int i = 0; i < block; i++) {
            carom_text_write_number(stream, entry(matrix, k * block + i, l * block + j));
            fputc('\n', stream);
        }
}

static void write_limits(FILE *stream, int n, int block)
{
    for (int k = 1; k <= n; k++) fprintf(stream, "%d%c", k * block, k < n ? ' ' : '\n');
}

static void write_blocks(FILE *stream, const carom_file_matrix *matrix, int block)
{
    const int n_row = matrix->n_row / block, n_column = matrix->n_column / block;
    int n = 0, number = 0;
    for (int k = 0; k < n_row; k++) n += count_blocks(matrix, block, k);
    fprintf(stream, "%d\n%d\n%d\n", n, n_row, n_column);
    write_limits(stream, n_row, block);
    write_limits(stream, n_column, block);
    fprintf(stream, "%d\n%d\n0", n_row + 1, n);
    for (int k = 0, used = 0; k < n_row; k++) {
        used += count_blocks(matrix, block, k);
        fprintf(stream, " %d", used);
    }
    fputc('\n', stream);
    for (int k = 0; k < n_row; k++)
        for (int l = next_filled(matrix, block, k, -1); l >= 0;
             l = next_filled(matrix, block, k, l))
            fprintf(stream, "%d ", l);
    fputc('\n', stream);
    for (int k = 0; k < n_row; k++)
        for (int l = next_filled(matrix, block, k, -1); l >= 0;
             l = next_filled(matrix, block, k, l)) {
            fprintf(stream, "%d\n", number++);
            write_block(stream, matrix, block, k, l);
        }
}

// compressed rows of the matrix given, called word ("row", or "col" where it is the transposed one)
static void write_lines(FILE *stream, const carom_file_matrix *matrix, const char *word)
{
    for (int i = 0; i < matrix->n_row; i++) {
        const int from = matrix->start[i], end = matrix->start[i + 1];
        fprintf(stream, "    %s %d : locations %d to %d\n", word, i, from, end - 1);
        for (int k = from; k < end; k++) {
            fprintf(stream, "      %d : ", matrix->index[k]);
            carom_text_write_number(stream, matrix->value[k]);
            fputc('\n', stream);
        }
    }
}

static void write_triplets(FILE *stream, const carom_file_matrix *matrix)
{
    for (int i = 0; i < matrix->n_row; i++)
        for (int k = matrix->start[i]; k < matrix->start[i + 1]; k++) {
            fprintf(stream, "    %d %d : ", i, matrix->index[k]);
            carom_text_write_number(stream, matrix->value[k]);
            fputc('\n', stream);
        }
}

static void write_columns(FILE *stream, const carom_file_matrix *matrix)
{
    carom_arena *arena = carom_arena_new();
    carom_file_matrix columns;
    if (arena && carom_file_matrix_transpose(arena, matrix, &columns))
        write_lines(stream, &columns, "col");
    carom_arena_free(arena);
}

static void write_sparse(FILE *stream, const carom_file_matrix *matrix, carom_file_storage storage)
{
    const int n = matrix->start[matrix->n_row];
    const bool is_triplet = storage == CAROM_STORAGE_TRIPLET, is_csr = storage == CAROM_STORAGE_CSR;
    fprintf(stream, "%d\nCSparse layout, written by Carom %s\n",
            is_triplet ? 1
            : is_csr   ? 3
                       : 2,
            carom_version());
    fprintf(stream, "%s%d-by-%d, nzmax: %d nnz: %d%s\n",
            is_triplet ? "triplet: "
            : is_csr   ? "csr: "
                       : "",
            matrix->n_row, matrix->n_column, n, n, is_triplet ? "" : ", 1-norm: 0");
    if (is_triplet)
        write_triplets(stream, matrix);
    else if (is_csr)
        write_lines(stream, matrix, "row");
    else
        write_columns(stream, matrix);
}

void carom_text_write_matrix(FILE *stream, const carom_file_matrix *matrix,
                             carom_file_storage storage, int block)
{
    const int number = storage == CAROM_STORAGE_DENSE ? 0 : storage == CAROM_STORAGE_BLOCKS ? 1 : 2;
    fprintf(stream, "%d\n%d\n%d\n", number, matrix->n_row, matrix->n_column);
    if (number == 0)
        write_dense(stream, matrix);
    else if (number == 1)
        write_blocks(stream, matrix, block);
    else
        write_sparse(stream, matrix, storage);
}
