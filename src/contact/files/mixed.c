// SPDX-License-Identifier: Apache-2.0
// Any contact problem as text, Carom's own: constraints and contacts of every dimension.
//
//     carom-contact 1  n_row n_block
//     per block: "bilateral" dim | "contact" dim mu
//     <matrix G>  b (n_row)  ["guess" P (n_row)]
#include "contact/files/format.h"

static carom_status read_block(carom_tokens *t, int row, int n_row, carom_block *block)
{
    *block = (carom_block){.first = row, .is_bilateral = carom_tokens_starts(t, "bilateral")};
    CAROM_TRY(carom_tokens_word(t, block->is_bilateral ? "bilateral" : "contact"));
    const int left = n_row - row, most = block->is_bilateral || left < 3 ? left : 3;
    CAROM_TRY(carom_tokens_integer(t, "rows of the block", 1, most, &block->dim));
    if (block->is_bilateral) return CAROM_OK;
    CAROM_TRY(carom_tokens_number(t, "friction of the contact", &block->mu));
    if (block->mu >= 0) return CAROM_OK;
    return carom_tokens_fail(t, "friction %g before here is negative", block->mu);
}

static carom_status read_blocks(carom_tokens *t, int n_row, int n_block, carom_block *block)
{
    int row = 0;
    for (int k = 0; k < n_block; k++) {
        CAROM_TRY(read_block(t, row, n_row, &block[k]));
        block[k].id = k;
        row += block[k].dim;
    }
    if (row == n_row) return CAROM_OK;
    return carom_tokens_fail(t, "the blocks before here have %d rows, not %d", row, n_row);
}

static carom_status read(carom_tokens *t, carom_contact_file *file)
{
    int version, n, n_block;
    carom_file_matrix G;
    CAROM_TRY(carom_tokens_word(t, "carom-contact"));
    CAROM_TRY(carom_tokens_integer(t, "version of the format", 1, 1, &version));
    CAROM_TRY(carom_tokens_size(t, "number of rows", &n));
    CAROM_TRY(carom_tokens_integer(t, "number of blocks", 0, n, &n_block));
    CAROM_TRY(carom_tokens_need(t, (double)n + n_block, "the problem"));
    file->problem.block = CAROM_TAKE(file->memory, carom_block, n_block);
    double *b = CAROM_TAKE(file->memory, double, n);
    if (!b || !file->problem.block) return carom_file_no_memory(t->error);
    CAROM_TRY(read_blocks(t, n, n_block, file->problem.block));
    const int size[2] = {n, n};
    CAROM_TRY(carom_text_matrix(t, file->memory, "matrix G", size, &G, &file->storage));
    CAROM_TRY(carom_tokens_numbers(t, "an entry of b", n, b));
    if (carom_tokens_starts(t, "guess")) {
        CAROM_TRY(carom_tokens_word(t, "guess"));
        file->guess = CAROM_TAKE(file->memory, double, n);
        if (!file->guess) return carom_file_no_memory(t->error);
        CAROM_TRY(carom_tokens_numbers(t, "an entry of the guess", n, file->guess));
    }
    return carom_file_problem(file, &G, b, n_block, t->error);
}

static const char *refuse(const carom_problem *problem)
{
    (void)problem;
    return NULL;
}

static void write(FILE *stream, const carom_file_contents *contents)
{
    const carom_problem *problem = contents->problem;
    fprintf(stream, "carom-contact 1\n%d %d\n", problem->n_row, problem->n_block);
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        fprintf(stream, "%s %d", block->is_bilateral ? "bilateral" : "contact", block->dim);
        if (!block->is_bilateral) fputc(' ', stream);
        if (!block->is_bilateral) carom_text_write_number(stream, block->mu);
        fputc('\n', stream);
    }
    const bool is_dense = contents->storage == CAROM_STORAGE_DENSE;
    carom_text_write_matrix(stream, &contents->G,
                            is_dense ? CAROM_STORAGE_DENSE : CAROM_STORAGE_CSR, 1);
    carom_text_write_numbers(stream, problem->n_row, problem->b);
    if (!contents->guess) return;
    fputs("guess\n", stream);
    carom_text_write_numbers(stream, problem->n_row, contents->guess);
}

const carom_file_format carom_file_mixed = {CAROM_FILE_MIXED, read, refuse, write, NULL};
