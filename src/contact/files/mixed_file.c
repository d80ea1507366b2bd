// SPDX-License-Identifier: Apache-2.0
// Any contact problem as text, Carom's own: constraints, discs and contacts of every dimension.
//
//     carom-contact 1  n_row n_block
//     per block: "bilateral" dim | "contact" dim mu
//     <matrix G>  b (n_row)  ["guess" P (n_row)]
//
// carom-contact 2 has two things more, and is written only where they are needed:
//
//     per block: "disc" dim radius | "contact" dim mu "lower" P_N
//
// carom-contact 3 likewise one more: discs of contacts (rolling and spinning friction), which stand
// behind their contact,
//
//     per block: "disc" dim radius "mu" mu
#include "contact/files/format.h"
#include "contact/problem/problem.h"

// before: the block before it, or NULL
static carom_status read_disc(carom_tokens *t, int version, const carom_block *before,
                              carom_block *block)
{
    CAROM_TRY(carom_tokens_number(t, "radius of the disc", &block->radius));
    if (!(block->radius >= 0))
        return carom_tokens_fail(t, "radius %g before here is negative", block->radius);
    if (version < 3 || !carom_tokens_starts(t, "mu")) return CAROM_OK;
    CAROM_TRY(carom_tokens_word(t, "mu"));
    CAROM_TRY(carom_tokens_number(t, "mu of the disc", &block->mu));
    if (!(block->mu >= 0)) return carom_tokens_fail(t, "mu %g before here is negative", block->mu);
    if (!before || (before->is_bilateral && before->of == 0))
        return carom_tokens_fail(t, "a disc with mu belongs to the contact before it, and there is "
                                    "none");
    block->of = before->dim + before->of;
    return CAROM_OK;
}

static carom_status read_friction(carom_tokens *t, int version, carom_block *block)
{
    CAROM_TRY(carom_tokens_number(t, "friction of the contact", &block->mu));
    if (!(block->mu >= 0))
        return carom_tokens_fail(t, "friction %g before here is negative", block->mu);
    if (version < 2 || !carom_tokens_starts(t, "lower")) return CAROM_OK;
    CAROM_TRY(carom_tokens_word(t, "lower"));
    return carom_tokens_number(t, "lower bound of the normal impulse", &block->lower);
}

static carom_status read_block(carom_tokens *t, int version, int row, int n_row,
                               const carom_block *before, carom_block *block)
{
    const bool is_disc = version > 1 && carom_tokens_starts(t, "disc");
    const bool is_group = carom_tokens_starts(t, "bilateral");
    *block =
        (carom_block){.first = row, .is_bilateral = is_group || is_disc, .is_limited = is_disc};
    CAROM_TRY(carom_tokens_word(t, is_group ? "bilateral" : is_disc ? "disc" : "contact"));
    const int left = n_row - row, most = is_group || left < 3 ? left : 3;
    CAROM_TRY(carom_tokens_integer(t, "rows of the block", 1, most, &block->dim));
    if (is_group) return CAROM_OK;
    return is_disc ? read_disc(t, version, before, block) : read_friction(t, version, block);
}

static carom_status read_blocks(carom_tokens *t, int version, int n_row, int n_block,
                                carom_block *block)
{
    int row = 0;
    for (int k = 0; k < n_block; k++) {
        CAROM_TRY(read_block(t, version, row, n_row, k > 0 ? block + k - 1 : NULL, block + k));
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
    CAROM_TRY(carom_tokens_integer(t, "version of the format", 1, 3, &version));
    CAROM_TRY(carom_tokens_size(t, "number of rows", &n));
    CAROM_TRY(carom_tokens_integer(t, "number of blocks", 0, n, &n_block));
    CAROM_TRY(carom_tokens_need(t, (double)n + n_block, "the problem"));
    file->problem.block = CAROM_TAKE(file->memory, carom_block, n_block);
    double *b = CAROM_TAKE(file->memory, double, n);
    if (!b || !file->problem.block) return carom_file_no_memory(t->error);
    CAROM_TRY(read_blocks(t, version, n, n_block, file->problem.block));
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

static void write_block(FILE *stream, const carom_block *block)
{
    const bool is_disc = carom_block_is_disc(block), is_group = carom_block_is_equality(block);
    fprintf(stream, "%s %d", is_disc ? "disc" : is_group ? "bilateral" : "contact", block->dim);
    if (!is_group) fputc(' ', stream);
    if (!is_group) carom_text_write_number(stream, is_disc ? block->radius : block->mu);
    if (block->of > 0) {
        fputs(" mu ", stream);
        carom_text_write_number(stream, block->mu);
    }
    if (!block->is_bilateral && block->lower != 0) {
        fputs(" lower ", stream);
        carom_text_write_number(stream, block->lower);
    }
    fputc('\n', stream);
}

static void write(FILE *stream, const carom_file_contents *contents)
{
    const carom_problem *problem = contents->problem;
    const int version = carom_problem_has_loaded(problem)   ? 3
                        : carom_problem_is_bounded(problem) ? 2
                                                            : 1;
    fprintf(stream, "carom-contact %d\n%d %d\n", version, problem->n_row, problem->n_block);
    for (int k = 0; k < problem->n_block; k++) write_block(stream, &problem->block[k]);
    const bool is_dense = contents->storage == CAROM_STORAGE_DENSE;
    carom_text_write_matrix(stream, &contents->G,
                            is_dense ? CAROM_STORAGE_DENSE : CAROM_STORAGE_CSR, 1);
    carom_text_write_numbers(stream, problem->n_row, problem->b);
    if (!contents->guess) return;
    fputs("guess\n", stream);
    carom_text_write_numbers(stream, problem->n_row, contents->guess);
}

const carom_file_format carom_file_mixed = {CAROM_FILE_MIXED, read, refuse, write, NULL};
