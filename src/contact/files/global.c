// SPDX-License-Identifier: Apache-2.0
// Global friction problems as text: M v = H r + f, u = H' v + w.
//
//     d  nc  <matrix M (m x m)>  <matrix H (m x d nc)>  f (m)  w (d nc)  mu (nc)
//
// M may be unsymmetric; it is inverted to reduce the problem to its contacts, and kept.
#include "contact/files/format.h"

static carom_status read_vectors(carom_tokens *t, carom_contact_file *file, int dimension,
                                 int n_contact)
{
    const int n = dimension * n_contact, m = file->n_velocity;
    file->f = CAROM_TAKE(file->memory, double, m);
    file->w = CAROM_TAKE(file->memory, double, n);
    file->problem.block = CAROM_TAKE(file->memory, carom_block, n_contact);
    double *mu = CAROM_TAKE(file->memory, double, n_contact);
    if (!file->f || !file->w || !mu || !file->problem.block) return carom_file_no_memory(t->error);
    CAROM_TRY(carom_tokens_numbers(t, "an entry of f", m, file->f));
    CAROM_TRY(carom_tokens_numbers(t, "an entry of w", n, file->w));
    for (int k = 0; k < n_contact; k++) {
        CAROM_TRY(carom_tokens_number(t, "a friction coefficient", &mu[k]));
        if (mu[k] < 0) return carom_tokens_fail(t, "friction %g before here is negative", mu[k]);
    }
    carom_file_contacts(file->problem.block, n_contact, dimension, 0, mu);
    file->problem.n_block = n_contact;
    return CAROM_OK;
}

static carom_status read(carom_tokens *t, carom_contact_file *file)
{
    int dimension, n_contact;
    carom_file_storage ignored;
    CAROM_TRY(carom_tokens_integer(t, "dimension of the contacts", 2, 3, &dimension));
    CAROM_TRY(carom_tokens_size(t, "number of contacts", &n_contact));
    const int any[2] = {-1, -1};
    CAROM_TRY(carom_text_matrix(t, file->memory, "matrix M", any, &file->M, &file->storage));
    const int m = file->M.n_row, size[2] = {m, dimension * n_contact};
    if (file->M.n_column != m)
        return carom_tokens_fail(t, "matrix M before here is %d by %d, but must be square", m,
                                 file->M.n_column);
    file->n_velocity = m;
    CAROM_TRY(carom_text_matrix(t, file->memory, "matrix H", size, &file->H, &ignored));
    CAROM_TRY(read_vectors(t, file, dimension, n_contact));
    CAROM_TRY(carom_file_reduce(file, t->limits, t->error));
    file->dimension = dimension;
    return CAROM_OK;
}

static const char *refuse(const carom_problem *problem)
{
    (void)problem;
    return "only what was read from a global problem can be written as one";
}

static void write(FILE *stream, const carom_file_contents *contents)
{
    const carom_contact_file *file = contents->global;
    const carom_problem *problem = contents->problem;
    // blocks are those of the contacts; a mass matrix need not be made of such blocks
    const bool is_blocks = contents->storage == CAROM_STORAGE_BLOCKS;
    const carom_file_storage storage = is_blocks ? CAROM_STORAGE_CSC : contents->storage;
    fprintf(stream, "%d\n%d\n", file->dimension, file->n_contact);
    carom_text_write_matrix(stream, &file->M, storage, 1);
    carom_text_write_matrix(stream, &file->H, storage, 1);
    carom_text_write_numbers(stream, file->n_velocity, file->f);
    carom_text_write_numbers(stream, problem->n_row, file->w);
    for (int k = 0; k < problem->n_block; k++)
        carom_text_write_numbers(stream, 1, &problem->block[k].mu);
}

const carom_file_format carom_file_global = {CAROM_FILE_GLOBAL, read, refuse, write, NULL};
