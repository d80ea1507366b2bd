// SPDX-License-Identifier: Apache-2.0
// Mixed linear complementarity problems as text: w = M z + q, w = 0 on equality rows (z free),
// 0 <= w _|_ z >= 0 on the m others. Three forms:
//
//     1 s2 n m  limits (0 ... n+m)  flags (1 = complementarity)  <matrix M>  q  [A B C D a b]
//     0 1 n m                                                     A B C D a b
//     n m rows                                                    A B C D a b
//
// with M = [A C; D B] and q = (a, b); A, B, C, D by rows. M may have more rows than columns, or
// fewer: rows or unknowns of zeros then make it square, which changes no answer. Such files print
// only as many entries of q as M has columns; the others stand in b.
#include "contact/files/format.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct mlcp {
    int n, m;            // free unknowns and complementarity rows, as the file says
    int n_row, n_column; // of M
    carom_file_matrix M;
    double *q;                  // (n_row)
    unsigned char *is_equality; // (n_row)
} mlcp;

// A (n_equality x n), B, C, D as entries of one matrix, then a and b into q
static carom_status read_parts(carom_tokens *t, mlcp *p, carom_arena *scratch, carom_triplets *list)
{
    const int e = p->n_row - p->m, n = p->n, m = p->m;
    const struct {
        int row, column, n_row, n_column;
    } part[4] = {{0, 0, e, n}, {e, n, m, m}, {0, n, e, m}, {e, 0, m, n}};
    double value;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < part[k].n_row; i++)
            for (int j = 0; j < part[k].n_column; j++) {
                CAROM_TRY(carom_tokens_number(t, "an entry of A, B, C or D", &value));
                if (value != 0 &&
                    !carom_triplets_add(scratch, list, part[k].row + i, part[k].column + j, value))
                    return carom_file_no_memory(t->error);
            }
    CAROM_TRY(carom_tokens_numbers(t, "an entry of a", e, p->q));
    return carom_tokens_numbers(t, "an entry of b", m, p->q + e);
}

static carom_status take_rows(carom_tokens *t, carom_arena *arena, mlcp *p)
{
    p->q = CAROM_TAKE(arena, double, p->n_row);
    p->is_equality = CAROM_TAKE(arena, unsigned char, p->n_row);
    if (!p->q || !p->is_equality) return carom_file_no_memory(t->error);
    for (int i = 0; i < p->n_row - p->m; i++) p->is_equality[i] = 1;
    return CAROM_OK;
}

// the form A B C D a b; n, m and n_row are known
static carom_status read_split(carom_tokens *t, carom_arena *arena, mlcp *p)
{
    carom_triplets list = {0};
    p->n_column = p->n + p->m;
    CAROM_TRY(carom_tokens_need(t, (double)p->n_row * p->n_column + p->n_row, "A, B, C, D, a, b"));
    // where there are no rows there are no numbers either, and yet an unknown takes room
    CAROM_TRY(carom_tokens_need(t, p->n_column, "so many unknowns"));
    CAROM_TRY(take_rows(t, arena, p));
    CAROM_TRY(read_parts(t, p, arena, &list));
    if (carom_file_matrix_make(arena, p->n_row, p->n_column, &list, &p->M)) return CAROM_OK;
    return carom_file_no_memory(t->error);
}

static carom_status read_plain(carom_tokens *t, carom_arena *arena, mlcp *p)
{
    CAROM_TRY(carom_tokens_size(t, "number of free unknowns", &p->n));
    CAROM_TRY(carom_tokens_size(t, "number of complementarity rows", &p->m));
    CAROM_TRY(carom_tokens_integer(t, "number of rows", p->m, INT_MAX / 32, &p->n_row));
    return read_split(t, arena, p);
}

// block limits and flags into is_equality (n_row); limits end at n + m
static carom_status read_flags(carom_tokens *t, carom_arena *arena, const mlcp *p,
                               unsigned char **flag)
{
    const int n = p->n + p->m;
    int limit = 0, n_block = 0;
    CAROM_TRY(carom_tokens_need(t, 1, "the block limits"));
    *flag = CAROM_TAKE(arena, unsigned char, n);
    carom_tokens_more(t);
    int *end = CAROM_TAKE(arena, int, (size_t)(t->end - t->at) < (size_t)n ? t->end - t->at : n);
    if (!*flag || !end) return carom_file_no_memory(t->error);
    CAROM_TRY(carom_tokens_integer(t, "first block limit", 0, 0, &limit));
    while (limit < n) {
        CAROM_TRY(carom_tokens_integer(t, "block limit", limit + 1, n, &limit));
        end[n_block++] = limit;
    }
    for (int k = 0, i = 0; k < n_block; k++) {
        int is_complementary;
        CAROM_TRY(carom_tokens_integer(t, "flag of a block (0 equality, 1 complementarity)", 0, 1,
                                       &is_complementary));
        for (; i < end[k]; i++) (*flag)[i] = !is_complementary;
    }
    return CAROM_OK;
}

// whether A, B, C, D, a, b follow here and say the same as M and the first n_given entries of q;
// the entries of q that were not printed come from b
static bool parts_agree(carom_tokens t, mlcp *p, int n_given)
{
    mlcp other = *p;
    carom_triplets list = {0};
    carom_arena *scratch = carom_arena_new();
    bool agrees = scratch != NULL;
    t.error = NULL;
    other.n_row = p->n + p->m; // the parts leave out the additional equality rows
    other.q = agrees ? CAROM_TAKE(scratch, double, other.n_row) : NULL;
    agrees = other.q && read_parts(&t, &other, scratch, &list) == CAROM_OK;
    for (int i = 0; agrees && i < p->m; i++) {
        const int at = p->n_row - p->m + i;
        if (at >= n_given) p->q[at] = other.q[p->n + i];
        agrees = p->q[at] == other.q[p->n + i];
    }
    for (int i = 0; agrees && i < p->n; i++) agrees = p->q[i] == other.q[i];
    carom_arena_free(scratch);
    return agrees;
}

static carom_status read_q(carom_tokens *t, mlcp *p, bool has_parts)
{
    const int shorter = p->n_column, e = p->n_row - p->m;
    const carom_tokens start = *t;
    if (has_parts && p->n_row > shorter && e <= shorter) {
        carom_tokens trial = start;
        trial.error = NULL;
        const bool is_long = carom_tokens_numbers(&trial, "q", p->n_row, p->q) == CAROM_OK &&
                             parts_agree(trial, p, p->n_row);
        if (is_long) return CAROM_OK;
        CAROM_TRY(carom_tokens_numbers(t, "an entry of q", shorter, p->q));
        if (parts_agree(*t, p, shorter)) return CAROM_OK;
        *t = start;
    }
    return carom_tokens_numbers(t, "an entry of q", p->n_row, p->q);
}

static carom_status read_whole(carom_tokens *t, carom_arena *arena, mlcp *p, bool has_parts,
                               carom_file_storage *storage)
{
    unsigned char *flag;
    const int any[2] = {-1, -1};
    CAROM_TRY(carom_tokens_need(t, (double)p->n + p->m, "the matrix"));
    CAROM_TRY(read_flags(t, arena, p, &flag));
    int n_equality = 0;
    for (int i = 0; i < p->n + p->m; i++) n_equality += flag[i];
    if (n_equality != p->n)
        return carom_tokens_fail(t, "the flags before here make %d equality rows, not %d",
                                 n_equality, p->n);
    CAROM_TRY(carom_text_matrix(t, arena, "matrix M", any, &p->M, storage));
    p->n_row = p->M.n_row;
    p->n_column = p->M.n_column;
    if (p->n_row < p->m || p->n_column < p->m ||
        (p->n_row != p->n + p->m && p->n_column != p->n + p->m))
        return carom_tokens_fail(t, "matrix M before here is %d by %d, but n + m = %d", p->n_row,
                                 p->n_column, p->n + p->m);
    CAROM_TRY(take_rows(t, arena, p));
    if (p->n_row == p->n_column) {
        memcpy(p->is_equality, flag, (size_t)p->n_row);
    } else if (p->n > 0 && memchr(flag, 0, (size_t)p->n)) {
        return carom_tokens_fail(t, "a matrix M of %d by %d needs its equality rows first",
                                 p->n_row, p->n_column);
    }
    return read_q(t, p, has_parts);
}

// whether the file starts with s1 s2 n m (and for s1 the block limits)
static bool has_flags(carom_tokens t)
{
    int s1, s2, n, m, zero;
    t.error = NULL;
    if (carom_tokens_integer(&t, "s1", 0, 1, &s1) || carom_tokens_integer(&t, "s2", 0, 1, &s2) ||
        carom_tokens_integer(&t, "n", 0, INT_MAX / 32, &n) ||
        carom_tokens_integer(&t, "m", 0, INT_MAX / 32, &m))
        return false;
    if (!s1) return s2;
    int limit = 0;
    if (carom_tokens_integer(&t, "limit", 0, 0, &zero)) return false;
    while (limit < n + m)
        if (carom_tokens_integer(&t, "limit", limit + 1, n + m, &limit)) return false;
    return true;
}

static carom_status read_file(carom_tokens *t, carom_arena *arena, mlcp *p,
                              carom_file_storage *storage)
{
    int s1, s2;
    *storage = CAROM_STORAGE_DENSE;
    if (!has_flags(*t)) return read_plain(t, arena, p);
    CAROM_TRY(carom_tokens_integer(t, "s1", 0, 1, &s1));
    CAROM_TRY(carom_tokens_integer(t, "s2", 0, 1, &s2));
    CAROM_TRY(carom_tokens_integer(t, "n", 0, INT_MAX / 32, &p->n));
    CAROM_TRY(carom_tokens_integer(t, "m", 0, INT_MAX / 32, &p->m));
    p->n_row = p->n + p->m;
    return s1 ? read_whole(t, arena, p, s2, storage) : read_split(t, arena, p);
}

// one block for each run of equality rows, one for each other row; returns how many
static int make_blocks(const mlcp *p, int n, int n_added, carom_block *block)
{
    int used = 0;
    for (int i = 0; i < n; i++) {
        const int row = i < n_added ? -1 : i - n_added; // additional rows come first
        const bool is_equality = row < 0 || row >= p->n_row || p->is_equality[row];
        if (is_equality && used > 0 && block[used - 1].is_bilateral) {
            block[used - 1].dim++;
            continue;
        }
        block[used] = (carom_block){.first = i, .dim = 1, .is_bilateral = is_equality, .id = used};
        used++;
    }
    return used;
}

// rows and columns of zeros stand before the others: equality rows and free unknowns come first
static carom_status make_square(const mlcp *p, carom_contact_file *file, carom_error *error)
{
    const int n = p->n_row > p->n_column ? p->n_row : p->n_column;
    const int row = n - p->n_row, column = n - p->n_column;
    carom_triplets list = {0};
    carom_file_matrix G;
    double *b = CAROM_TAKE(file->memory, double, n);
    file->problem.block = CAROM_TAKE(file->memory, carom_block, n);
    bool is_made = b && file->problem.block;
    for (int i = 0; is_made && i < p->n_row; i++) {
        b[row + i] = p->q[i];
        for (int k = p->M.start[i]; is_made && k < p->M.start[i + 1]; k++)
            is_made = carom_triplets_add(file->memory, &list, row + i, column + p->M.index[k],
                                         p->M.value[k]);
    }
    if (!is_made || !carom_file_matrix_make(file->memory, n, n, &list, &G))
        return carom_file_no_memory(error);
    const int n_block = make_blocks(p, n, row, file->problem.block);
    return carom_file_problem(file, &G, b, n_block, error);
}

static carom_status read(carom_tokens *t, carom_contact_file *file)
{
    mlcp p = {0};
    CAROM_TRY(read_file(t, file->memory, &p, &file->storage));
    CAROM_TRY(make_square(&p, file, t->error));
    file->dimension = 1;
    return CAROM_OK;
}

static const char *refuse(const carom_problem *problem)
{
    for (int k = 0; k < problem->n_block; k++)
        if (!problem->block[k].is_bilateral && problem->block[k].dim != 1)
            return "an MLCP has no friction";
    return NULL;
}

static void write(FILE *stream, const carom_file_contents *contents)
{
    const carom_problem *problem = contents->problem;
    int n = 0;
    for (int k = 0; k < problem->n_block; k++)
        n += problem->block[k].is_bilateral ? problem->block[k].dim : 0;
    fprintf(stream, "1\n0\n%d\n%d\n0", n, problem->n_row - n);
    for (int k = 0; k < problem->n_block; k++)
        fprintf(stream, " %d", problem->block[k].first + problem->block[k].dim);
    fputc('\n', stream);
    for (int k = 0; k < problem->n_block; k++)
        fprintf(stream, "%d ", !problem->block[k].is_bilateral);
    fputc('\n', stream);
    carom_text_write_matrix(stream, &contents->G, contents->storage, 1);
    carom_text_write_numbers(stream, problem->n_row, problem->b);
}

// almost any numbers pass for the plain form
const carom_file_format carom_file_mlcp = {CAROM_FILE_MLCP, read, refuse, write, has_flags};
