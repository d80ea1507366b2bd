// SPDX-License-Identifier: Apache-2.0
// What a file may ask for. Every file is taken for hostile: a few bytes can ask for 1e9 members of
// a family, for derivatives that grow without end, for a table that fills the disk. What is asked
// for is counted against these limits before the work is done, or while it grows.
#ifndef CAROM_LIMITS_H
#define CAROM_LIMITS_H

#include "carom/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Take carom_limits_default() and change what is needed; infinity = no limit.
typedef struct carom_limits {
    double members;         ///< of all families of a model together
    double terms;           ///< of all sums of a model together, written out
    double nodes;           ///< distinct expressions of a model, with all derivatives
    double seconds;         ///< of processor time to make a model, or to reduce a contact problem
    double model_bytes;     ///< of a model file with all that it includes, or of a paper
    double included_files;  ///< by a model
    double include_levels;  ///< of files that include others
    double table_bytes;     ///< of a table
    double operations;      ///< of a model that is compiled; one with more runs as it is
    double compile_seconds; ///< that the compiler may take
    double rows;            ///< recorded by a run, or in a file of results; its events likewise
    double result_bytes;    ///< of a file of results
    double problem_bytes;   ///< of the file of a contact problem
    double problem_rows;    ///< of a contact problem, or its unknowns
    double bytes;           ///< of memory for a contact problem, also of a run, or for the compiler
} carom_limits;

CAROM_API carom_limits carom_limits_default(void);
/// Sets the limit called name to the number (or "none") in value.
CAROM_API carom_status carom_limits_set(carom_limits *limits, const char *name, const char *value,
                                        carom_error *error);

/// One limit, to be shown.
typedef struct carom_limit_facts {
    const char *name;
    double fallback; ///< value unless set
    const char *about;
} carom_limit_facts;
CAROM_API int carom_limit_count(void);
CAROM_API carom_limit_facts carom_limit_at(int i);

/// What reading a model may do; zeroed = as little as possible. Files that a model names (tables,
/// includes) must lie below the model's own folder, or below one of these. Links are followed
/// first.
typedef struct carom_access {
    const carom_limits *limits; ///< NULL = carom_limits_default()
    const char *const *folder;  ///< (n_folder) read below these too
    int n_folder;
    const char *parts; ///< the folder of "carom:NAME"; NULL = none
    bool no_files;     ///< a model may name no files at all
} carom_access;

#ifdef __cplusplus
}
#endif
#endif
