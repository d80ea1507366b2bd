// SPDX-License-Identifier: Apache-2.0
// Linear complementarity problems as text: w = M z + q, 0 <= w _|_ z >= 0.
//
//     n  <matrix M>  q (n)      what follows is left out
#include "contact/files/format.h"

static carom_status read(carom_tokens *t, carom_contact_file *file)
{
    int n;
    carom_file_matrix M;
    CAROM_TRY(carom_tokens_size(t, "number of unknowns", &n));
    const int size[2] = {n, n};
    CAROM_TRY(carom_text_matrix(t, file->memory, "matrix M", size, &M, &file->storage));
    double *q = CAROM_TAKE(file->memory, double, n);
    file->problem.block = CAROM_TAKE(file->memory, carom_block, n);
    if (!q || !file->problem.block) return carom_file_no_memory(t->error);
    CAROM_TRY(carom_tokens_numbers(t, "an entry of q", n, q));
    carom_file_contacts(file->problem.block, n, 1, 0, NULL);
    CAROM_TRY(carom_file_problem(file, &M, q, n, t->error));
    file->dimension = 1;
    return CAROM_OK;
}

static const char *refuse(const carom_problem *problem)
{
    for (int k = 0; k < problem->n_block; k++)
        if (problem->block[k].is_bilateral || problem->block[k].dim != 1)
            return "an LCP has neither friction nor constraints";
    return NULL;
}

static void write(FILE *stream, const carom_file_contents *contents)
{
    fprintf(stream, "%d\n", contents->problem->n_row);
    carom_text_write_matrix(stream, &contents->G, contents->storage, 1);
    carom_text_write_numbers(stream, contents->problem->n_row, contents->problem->b);
}

const carom_file_format carom_file_lcp = {CAROM_FILE_LCP, read, refuse, write, NULL};
