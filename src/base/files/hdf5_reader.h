// SPDX-License-Identifier: Apache-2.0
// HDF5 files, read in a process of their own (apart.h): libhdf5 trusts what stands in a file, and
// crashes or hangs on one that lies. What is asked here has an answer, or a reason why not. Paths
// name objects from the root of the file; "" is the root.
#ifndef CAROM_BASE_HDF5_READER_H
#define CAROM_BASE_HDF5_READER_H

#include "base/arena.h"
#include "carom/base.h"

#include <stdint.h>

typedef struct carom_hdf5_reader carom_hdf5_reader;

/// Opens path, which errors call it. CAROM_IO where it cannot be read, CAROM_BAD_INPUT where it is
/// no HDF5 file. bytes: of memory that reading it may take.
carom_status carom_hdf5_reader_new(const char *path, double bytes, carom_hdf5_reader **reader,
                                   carom_error *error);
void carom_hdf5_reader_free(carom_hdf5_reader *reader);
/// CAROM_OK as long as the file could be read; else says why it cannot be.
carom_status carom_hdf5_reader_status(const carom_hdf5_reader *reader, carom_error *error);

/// Whether every link of the path is there.
bool carom_hdf5_has(carom_hdf5_reader *reader, const char *path);
/// Rows and columns of a dataset (columns = 1 for a list, 0 rows and columns for a single value);
/// its rank, or -1 where there is none.
int carom_hdf5_shape(carom_hdf5_reader *reader, const char *path, long *n_row, long *n_column);

/// A text: an attribute of the object, or the dataset itself where attribute is NULL. In the
/// arena; NULL where there is none.
const char *carom_hdf5_text(carom_hdf5_reader *reader, const char *path, const char *attribute,
                            carom_arena *arena);
/// n texts likewise; false where there are not so many.
bool carom_hdf5_texts(carom_hdf5_reader *reader, const char *path, const char *attribute, long n,
                      carom_arena *arena, const char **text);
/// An attribute that is one number; false where there is none.
bool carom_hdf5_number(carom_hdf5_reader *reader, const char *path, const char *attribute,
                       double *value);
bool carom_hdf5_count(carom_hdf5_reader *reader, const char *path, const char *attribute,
                      long *value);

/// Rows first .. first+n-1 of a dataset of numbers with so many columns, by rows.
bool carom_hdf5_rows(carom_hdf5_reader *reader, const char *path, long first, long n, long n_column,
                     double *value);
/// All numbers of a dataset, in the arena; *n is their count. NULL where it is none of numbers, or
/// has more than most.
double *carom_hdf5_doubles(carom_hdf5_reader *reader, const char *path, long most,
                           carom_arena *arena, long *n);
int *carom_hdf5_ints(carom_hdf5_reader *reader, const char *path, long most, carom_arena *arena,
                     long *n);

/// One field of n lines of a table: numbers, or texts of so many bytes, one behind the other.
bool carom_hdf5_field(carom_hdf5_reader *reader, const char *path, const char *field, long first,
                      long n, double *value);
enum { CAROM_HDF5_FIELD_BYTES = 128 }; ///< longer texts are cut
bool carom_hdf5_word_field(carom_hdf5_reader *reader, const char *path, const char *field,
                           long first, long n, uint64_t *value);
bool carom_hdf5_text_field(carom_hdf5_reader *reader, const char *path, const char *field,
                           long first, long n, char (*text)[CAROM_HDF5_FIELD_BYTES]);

#endif
