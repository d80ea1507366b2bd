// SPDX-License-Identifier: Apache-2.0
// Matrices in text files: "storage rows columns", then the entries.
//
//     0  dense         rows columns again, then column by column
//     1  sparse block  counts, cumulated sizes, row pointers, block columns, then the blocks
//     2  sparse        as CSparse prints it: compressed columns, compressed rows or triplets
#include "contact/files/format.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct source {
    carom_tokens *tokens;
    carom_arena *scratch;
    const char *what;
    int n_row, n_column;
    carom_triplets list;
} source;

static carom_status add(source *s, int row, int column, double value)
{
    if (carom_triplets_add(s->scratch, &s->list, row, column, value)) return CAROM_OK;
    return carom_file_no_memory(s->tokens->error);
}

// the rows and columns, which must be those already known (-1 = not yet)
static carom_status read_sizes(source *s, const int size[2])
{
    carom_tokens *t = s->tokens;
    const carom_tokens start = *t;
    CAROM_TRY(carom_tokens_size(t, "number of rows", &s->n_row));
    CAROM_TRY(carom_tokens_size(t, "number of columns", &s->n_column));
    const bool fits =
        (size[0] < 0 || size[0] == s->n_row) && (size[1] < 0 || size[1] == s->n_column);
    if (fits) return carom_tokens_need(t, s->n_row > s->n_column ? s->n_row : s->n_column, s->what);
    *t = start;
    return carom_tokens_fail(t, "%s is %d by %d here, but must be %d by %d (see --kind)", s->what,
                             s->n_row, s->n_column, size[0] < 0 ? s->n_row : size[0],
                             size[1] < 0 ? s->n_column : size[1]);
}

static carom_status read_dense(source *s)
{
    carom_tokens *t = s->tokens;
    const int size[2] = {s->n_row, s->n_column};
    double value;
    CAROM_TRY(read_sizes(s, size));
    CAROM_TRY(carom_tokens_need(t, (double)s->n_row * s->n_column, s->what));
    for (int j = 0; j < s->n_column; j++)
        for (int i = 0; i < s->n_row; i++) {
            CAROM_TRY(carom_tokens_number(t, s->what, &value));
            if (value != 0) CAROM_TRY(add(s, i, j, value));
        }
    return CAROM_OK;
}

// n numbers that grow from low to exactly last
static carom_status read_growing(source *s, int n, int low, int last, int **list)
{
    carom_tokens *t = s->tokens;
    CAROM_TRY(carom_tokens_need(t, n, s->what));
    *list = CAROM_TAKE(s->scratch, int, n);
    if (!*list) return carom_file_no_memory(t->error);
    for (int i = 0; i < n; i++) {
        const int from = i > 0 ? (*list)[i - 1] : low;
        CAROM_TRY(carom_tokens_integer(t, "block limit", from, last, &(*list)[i]));
    }
    if (n > 0 && (*list)[n - 1] != last)
        return carom_tokens_fail(t, "the blocks of %s end at %d, not at %d", s->what,
                                 (*list)[n - 1], last);
    return CAROM_OK;
}

typedef struct block_layout {
    int n_block, n_row, n_column;
    int *row_end, *column_end, *start, *column;
} block_layout;

static carom_status read_layout(source *s, block_layout *b)
{
    carom_tokens *t = s->tokens;
    int n_start, n_index;
    CAROM_TRY(carom_tokens_integer(t, "number of blocks", 0, INT_MAX / 8, &b->n_block));
    CAROM_TRY(carom_tokens_integer(t, "number of block rows", 0, s->n_row, &b->n_row));
    CAROM_TRY(carom_tokens_integer(t, "number of block columns", 0, s->n_column, &b->n_column));
    CAROM_TRY(read_growing(s, b->n_row, 0, s->n_row, &b->row_end));
    CAROM_TRY(read_growing(s, b->n_column, 0, s->n_column, &b->column_end));
    CAROM_TRY(
        carom_tokens_integer(t, "length of the row pointers", b->n_row + 1, INT_MAX / 8, &n_start));
    CAROM_TRY(
        carom_tokens_integer(t, "length of the block columns", b->n_block, INT_MAX / 8, &n_index));
    CAROM_TRY(read_growing(s, n_start, 0, b->n_block, &b->start));
    CAROM_TRY(carom_tokens_need(t, n_index, s->what));
    b->column = CAROM_TAKE(s->scratch, int, n_index);
    if (!b->column) return carom_file_no_memory(t->error);
    for (int k = 0; k < n_index; k++)
        CAROM_TRY(carom_tokens_integer(t, "block column", 0, b->n_column - 1, &b->column[k]));
    return CAROM_OK;
}

static carom_status read_block(source *s, const block_layout *b, int k, int block_row)
{
    carom_tokens *t = s->tokens;
    int number;
    double value;
    const int c = b->column[k];
    const int row = block_row > 0 ? b->row_end[block_row - 1] : 0;
    const int column = c > 0 ? b->column_end[c - 1] : 0;
    CAROM_TRY(carom_tokens_integer(t, "number of the block", k, k, &number));
    for (int j = column; j < b->column_end[c]; j++)
        for (int i = row; i < b->row_end[block_row]; i++) {
            CAROM_TRY(carom_tokens_number(t, s->what, &value));
            if (value != 0) CAROM_TRY(add(s, i, j, value));
        }
    return CAROM_OK;
}

static carom_status read_blocks(source *s)
{
    block_layout b = {0};
    CAROM_TRY(read_layout(s, &b));
    // block k belongs to the block row whose pointers enclose it
    for (int i = 0; i < b.n_row; i++)
        for (int k = b.start[i]; k < b.start[i + 1]; k++) CAROM_TRY(read_block(s, &b, k, i));
    return CAROM_OK;
}

// "900-by-12," or "csr: ..." or "triplet: ..."; *entries is the count after "nnz:"
static carom_status read_header(source *s, carom_file_storage *storage, int *entries)
{
    carom_tokens *t = s->tokens;
    char line[256];
    int n_row = -1, n_column = -1;
    const char *from;
    *storage = CAROM_STORAGE_CSC;
    if (carom_tokens_starts(t, "csr:")) *storage = CAROM_STORAGE_CSR;
    if (carom_tokens_starts(t, "triplet:")) *storage = CAROM_STORAGE_TRIPLET;
    carom_tokens_more(t);
    size_t n = 0;
    while (t->at + n < t->end && t->at[n] != '\n' && n + 1 < sizeof line) n++;
    memcpy(line, t->at, n);
    line[n] = 0;
    from = *storage == CAROM_STORAGE_CSC ? line : strchr(line, ':') + 1;
    char *end;
    n_row = (int)strtol(from, &end, 10);
    if (strncmp(end, "-by-", 4) == 0) n_column = (int)strtol(end + 4, &end, 10);
    const char *count = strstr(line, "nnz:");
    if (n_row != s->n_row || n_column != s->n_column || !count)
        return carom_tokens_fail(
            t, "a line '[csr: |triplet: ]%d-by-%d, nzmax: N nnz: N' should be here", s->n_row,
            s->n_column);
    const long n_entry = strtol(count + 4, NULL, 10);
    if (n_entry < 0 || n_entry > INT_MAX / 8)
        return carom_tokens_fail(t, "%ld entries (nnz) cannot be", n_entry);
    *entries = (int)n_entry;
    carom_tokens_skip_line(t);
    return carom_tokens_need(t, 2.0 * *entries, s->what);
}

static carom_status read_triplets(source *s, int n)
{
    carom_tokens *t = s->tokens;
    for (int k = 0; k < n; k++) {
        int i, j;
        double value;
        CAROM_TRY(carom_tokens_integer(t, "row", 0, s->n_row - 1, &i));
        CAROM_TRY(carom_tokens_integer(t, "column", 0, s->n_column - 1, &j));
        CAROM_TRY(carom_tokens_word(t, ":"));
        CAROM_TRY(carom_tokens_number(t, s->what, &value));
        CAROM_TRY(add(s, i, j, value));
    }
    return CAROM_OK;
}

// "col 3 : locations 5 to 9", then as many lines "i : value"
static carom_status read_line(source *s, bool is_column, int j)
{
    carom_tokens *t = s->tokens;
    int number, from, to, i;
    double value;
    CAROM_TRY(carom_tokens_word(t, is_column ? "col" : "row"));
    CAROM_TRY(carom_tokens_integer(t, is_column ? "column" : "row", j, j, &number));
    CAROM_TRY(carom_tokens_word(t, ":"));
    CAROM_TRY(carom_tokens_word(t, "locations"));
    CAROM_TRY(carom_tokens_integer(t, "first location", 0, INT_MAX / 8, &from));
    CAROM_TRY(carom_tokens_word(t, "to"));
    CAROM_TRY(carom_tokens_integer(t, "last location", from - 1, INT_MAX / 8, &to));
    for (int k = from; k <= to; k++) {
        CAROM_TRY(carom_tokens_integer(t, is_column ? "row" : "column", 0,
                                       (is_column ? s->n_row : s->n_column) - 1, &i));
        CAROM_TRY(carom_tokens_word(t, ":"));
        CAROM_TRY(carom_tokens_number(t, s->what, &value));
        CAROM_TRY(add(s, is_column ? i : j, is_column ? j : i, value));
    }
    return CAROM_OK;
}

static carom_status read_sparse(source *s, carom_file_storage *storage)
{
    carom_tokens *t = s->tokens;
    int origin, n = 0;
    CAROM_TRY(carom_tokens_integer(t, "origin of the sparse matrix (1 triplet, 2 csc, 3 csr)", 0, 3,
                                   &origin));
    if (carom_tokens_starts(t, "CSparse")) carom_tokens_skip_line(t);
    CAROM_TRY(read_header(s, storage, &n));
    if (*storage == CAROM_STORAGE_TRIPLET) return read_triplets(s, n);
    const bool is_column = *storage == CAROM_STORAGE_CSC;
    for (int j = 0; j < (is_column ? s->n_column : s->n_row); j++)
        CAROM_TRY(read_line(s, is_column, j));
    return CAROM_OK;
}

static carom_status read_entries(source *s, const int size[2], carom_file_storage *storage)
{
    int number;
    CAROM_TRY(carom_tokens_integer(s->tokens, "storage (0 dense, 1 sparse block, 2 sparse)", 0, 2,
                                   &number));
    CAROM_TRY(read_sizes(s, size));
    *storage = number == 0 ? CAROM_STORAGE_DENSE : CAROM_STORAGE_BLOCKS;
    if (number == 0) return read_dense(s);
    return number == 1 ? read_blocks(s) : read_sparse(s, storage);
}

carom_status carom_text_matrix(carom_tokens *tokens, carom_arena *arena, const char *what,
                               const int size[2], carom_file_matrix *matrix,
                               carom_file_storage *storage)
{
    source s = {.tokens = tokens,
                .scratch = carom_arena_new(),
                .what = what,
                .list = {.most = tokens->limits->bytes / CAROM_TRIPLET_BYTES}};
    if (!s.scratch) return carom_file_no_memory(tokens->error);
    carom_status status = read_entries(&s, size, storage);
    if (status == CAROM_OK && !carom_file_matrix_make(arena, s.n_row, s.n_column, &s.list, matrix))
        status = carom_file_no_memory(tokens->error);
    carom_arena_free(s.scratch);
    return status;
}
