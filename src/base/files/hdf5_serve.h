// SPDX-License-Identifier: Apache-2.0
// What the process that reads an HDF5 file is asked. An answer without bytes means: not there, or
// of another form.
#ifndef CAROM_BASE_HDF5_SERVE_H
#define CAROM_BASE_HDF5_SERVE_H

#include "base/files/apart.h"

typedef enum carom_hdf5_what {
    CAROM_HDF5_OPEN,    ///< one byte where the file could be opened
    CAROM_HDF5_HAS,     ///< one byte where all links of the path are there
    CAROM_HDF5_SHAPE,   ///< rank, rows, columns as int64
    CAROM_HDF5_TEXTS,   ///< n texts, each ended by 0
    CAROM_HDF5_REAL,    ///< an attribute as double
    CAROM_HDF5_WHOLE,   ///< an attribute as int64
    CAROM_HDF5_ROWS,    ///< rows of a dataset, doubles
    CAROM_HDF5_DOUBLES, ///< a whole dataset
    CAROM_HDF5_INTS,
    CAROM_HDF5_FIELD,      ///< of a table, doubles
    CAROM_HDF5_WORD_FIELD, ///< likewise, uint64
    CAROM_HDF5_TEXT_FIELD  ///< texts of CAROM_HDF5_FIELD_BYTES
} carom_hdf5_what;

typedef struct carom_hdf5_question {
    carom_hdf5_what what;
    char path[128], name[64]; ///< name of an attribute or field; "" = none
    long first, n;            ///< rows; most numbers of a whole dataset
} carom_hdf5_question;

/// The answer, by libhdf5; self is the path of the file. Only for the process apart.
void carom_hdf5_serve(void *self, const void *question, carom_apart_answer *answer);
/// What carom_hdf5_serve keeps between questions.
typedef struct carom_hdf5_server carom_hdf5_server;
carom_hdf5_server *carom_hdf5_server_new(const char *path);
void carom_hdf5_server_free(carom_hdf5_server *server);

#endif
