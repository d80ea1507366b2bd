// SPDX-License-Identifier: Apache-2.0
// What a kind of contact problem file is, and what its readers and writers share: sparse matrices
// of any shape and how problems are put together from them.
#ifndef CAROM_CONTACT_FILES_FORMAT_H
#define CAROM_CONTACT_FILES_FORMAT_H

#include "base/arena.h"
#include "base/limits.h"
#include "carom/contact_file.h"
#include "contact/files/tokens.h"

#include <stdio.h>

/// Entries in any order, repeated ones to be summed.
typedef struct carom_triplets {
    double most; ///< entries that are allowed; 0 = any
    int n, room;
    int *row, *column;
    double *value;
} carom_triplets;

/// Memory that an entry takes until the problem is made, room to grow included.
enum { CAROM_TRIPLET_BYTES = 64 };

/// False where memory runs out, or the entries are too many.
bool carom_triplets_add(carom_arena *arena, carom_triplets *list, int row, int column,
                        double value);
/// Sorts and sums; list is not needed afterwards. False where memory runs out.
bool carom_file_matrix_make(carom_arena *arena, int n_row, int n_column, const carom_triplets *list,
                            carom_file_matrix *sparse);
bool carom_file_matrix_transpose(carom_arena *arena, const carom_file_matrix *from,
                                 carom_file_matrix *to);

/// Makes file->problem: n_block blocks are set by the caller; rows of G from a square sparse
/// matrix; b is copied. Small or full matrices become dense.
carom_status carom_file_problem(carom_contact_file *file, const carom_file_matrix *G,
                                const double *b, int n_block, carom_error *error);
/// n_contact blocks of one dimension with the friction of each (NULL = 0), from row first on.
void carom_file_contacts(carom_block *block, int n_contact, int dimension, int first,
                         const double *mu);
carom_status carom_file_no_memory(carom_error *error);
/// file->problem from M, H, f, w and the blocks already in it.
carom_status carom_file_reduce(carom_contact_file *file, const carom_limits *limits,
                               carom_error *error);

/// Reads "storage n0 n1 matrix"; sizes that are not -1 must be met.
carom_status carom_text_matrix(carom_tokens *tokens, carom_arena *arena, const char *what,
                               const int size[2], carom_file_matrix *matrix,
                               carom_file_storage *storage);
/// Writes the same. block: the side of square blocks, for sparse block storage
/// (0: whole rows of 1).
void carom_text_write_matrix(FILE *stream, const carom_file_matrix *matrix,
                             carom_file_storage storage, int block);
void carom_text_write_numbers(FILE *stream, int n, const double *value);
/// One number with all its digits, whatever the locale.
void carom_text_write_number(FILE *stream, double value);

/// What a writer gets.
typedef struct carom_file_contents {
    const carom_problem *problem;
    const double *guess;
    const carom_contact_file *global; ///< NULL for a problem that is not global
    carom_file_matrix G;
    carom_file_storage storage;
} carom_file_contents;

/// One kind of text file.
typedef struct carom_file_format {
    carom_file_kind kind;
    /// Fills file from text; errors are at the words that are wrong.
    carom_status (*read)(carom_tokens *tokens, carom_contact_file *file);
    /// NULL where the problem can be written so, else why not.
    const char *(*refuse)(const carom_problem *problem);
    void (*write)(FILE *stream, const carom_file_contents *contents);
    /// Whether a text that is not named so may be tried as this kind; NULL = always.
    bool (*looks)(carom_tokens tokens);
} carom_file_format;

extern const carom_file_format carom_file_local, carom_file_global, carom_file_lcp, carom_file_mlcp,
    carom_file_mixed;

/// FCLIB's HDF5; both say so where the library was built without HDF5.
carom_status carom_fclib_read(const char *path, const carom_limits *limits,
                              carom_contact_file *file, carom_error *error);
carom_status carom_fclib_write(const carom_file_contents *contents, const char *path,
                               carom_error *error);

#endif
