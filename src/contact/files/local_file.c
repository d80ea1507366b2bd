// SPDX-License-Identifier: Apache-2.0
// Local friction problems as text: u = M r + q, contacts of one dimension, normal first.
//
//     d  nc  <matrix M>  q (d nc)  mu (nc)      what follows is left out
#include "contact/files/format.h"

static carom_status read(carom_tokens *t, carom_contact_file *file)
{
    int dimension, n_contact;
    carom_file_matrix M;
    CAROM_TRY(carom_tokens_integer(t, "dimension of the contacts", 2, 3, &dimension));
    CAROM_TRY(carom_tokens_size(t, "number of contacts", &n_contact));
    const int n = dimension * n_contact, size[2] = {n, n};
    CAROM_TRY(carom_text_matrix(t, file->memory, "matrix M", size, &M, &file->storage));
    double *q = CAROM_TAKE(file->memory, double, n);
    double *mu = CAROM_TAKE(file->memory, double, n_contact);
    file->problem.block = CAROM_TAKE(file->memory, carom_block, n_contact);
    if (!q || !mu || !file->problem.block) return carom_file_no_memory(t->error);
    CAROM_TRY(carom_tokens_numbers(t, "an entry of q", n, q));
    for (int k = 0; k < n_contact; k++) {
        CAROM_TRY(carom_tokens_number(t, "a friction coefficient", &mu[k]));
        if (mu[k] < 0) return carom_tokens_fail(t, "friction %g before here is negative", mu[k]);
    }
    carom_file_contacts(file->problem.block, n_contact, dimension, 0, mu);
    CAROM_TRY(carom_file_problem(file, &M, q, n_contact, t->error));
    file->dimension = dimension;
    return CAROM_OK;
}

static const char *refuse(const carom_problem *problem)
{
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        if (block->is_bilateral) return "a local problem has no constraints";
        if (block->dim < 2 || block->dim != problem->block[0].dim)
            return "the contacts of a local problem have one dimension, 2 or 3";
    }
    return NULL;
}

static void write(FILE *stream, const carom_file_contents *contents)
{
    const carom_problem *problem = contents->problem;
    const int dimension = problem->n_block > 0 ? problem->block[0].dim : 3;
    fprintf(stream, "%d\n%d\n", dimension, problem->n_block);
    carom_text_write_matrix(stream, &contents->G, contents->storage, dimension);
    carom_text_write_numbers(stream, problem->n_row, problem->b);
    for (int k = 0; k < problem->n_block; k++)
        carom_text_write_numbers(stream, 1, &problem->block[k].mu);
}

const carom_file_format carom_file_local = {CAROM_FILE_LOCAL, read, refuse, write, NULL};
