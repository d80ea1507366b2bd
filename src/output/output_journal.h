// SPDX-License-Identifier: Apache-2.0
// The journal of a run whose results become HDF5: rows and events one behind the other, as they
// come. A killed process can spoil an HDF5 file, but not a file that only grows.
//
//     "CAROMJ01", a word that shows the order of bytes, length of the head
//     head     texts (length, bytes): run, version, model, scheme, solver, model_path, model_text,
//              changes, options; step, end; columns (name, unit, group); names of contacts
//     records  1 and a row, 2 and an event, or 3 and a line of the table of contacts; all numbers
//              have 8 bytes
//
// The HDF5 file is made from it when the run ends, or by the run that resumes.
#ifndef CAROM_OUTPUT_JOURNAL_H
#define CAROM_OUTPUT_JOURNAL_H

#include <stdint.h>

enum { CAROM_JOURNAL_START = 24 }; ///< bytes before the head
enum { CAROM_JOURNAL_ROW = 1, CAROM_JOURNAL_EVENT = 2, CAROM_JOURNAL_LINE = 3 };
static const char carom_journal_magic[9] = "CAROMJ01";
static const uint64_t carom_journal_order = UINT64_C(0x0102030405060708);

#endif
