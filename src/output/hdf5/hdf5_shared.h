// SPDX-License-Identifier: Apache-2.0
// What writing and reading HDF5 share: no printing, texts, names in the files.
#ifndef CAROM_OUTPUT_HDF5_SHARED_H
#define CAROM_OUTPUT_HDF5_SHARED_H

#include "carom/sim.h"

#include <hdf5.h>

enum { CAROM_N_GROUP = 17 };

typedef struct carom_hdf5_printer {
    H5E_auto2_t print;
    void *data;
} carom_hdf5_printer;

carom_hdf5_printer carom_hdf5_silence(void);
void carom_hdf5_restore(carom_hdf5_printer was);
/// A type for texts of so many bytes, or H5T_VARIABLE; to be closed.
hid_t carom_hdf5_text_type(size_t bytes);
/// The same for texts that hold more than ASCII.
hid_t carom_hdf5_utf8_type(size_t bytes);
/// How datasets are made: without the time, so that the same run gives the same
/// bytes; to be closed.
hid_t carom_hdf5_timeless(void);
/// The names of the datasets of rows, in the order of the columns.
extern const char *const carom_hdf5_group[CAROM_N_GROUP];

/// One number of a struct: its name in files, and where it stands. A list ends with name = NULL.
typedef struct carom_hdf5_entry {
    const char *name;
    size_t offset;
} carom_hdf5_entry;
extern const carom_hdf5_entry carom_hdf5_audit[];      ///< doubles of carom_audit
extern const carom_hdf5_entry carom_hdf5_audit_text[]; ///< its texts
extern const carom_hdf5_entry carom_hdf5_counts[];     ///< longs of carom_counts
extern const carom_hdf5_entry carom_hdf5_line[];       ///< doubles of carom_contact_line
extern const carom_hdf5_entry carom_hdf5_line_body[];  ///< its numbers of bodies
extern const char carom_hdf5_lines[];                  ///< the table of contacts that come and go

#endif
