// SPDX-License-Identifier: Apache-2.0
// Papers as data: runs, studies, figures and claims with what was published and what a correct
// implementation obtains (papers/*.yaml, docs/reproduce.md). Running a paper gives a verdict for
// each claim.
#ifndef CAROM_REPRODUCE_H
#define CAROM_REPRODUCE_H

#include "carom/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_verdict {
    CAROM_REPRODUCED, ///< what was published holds
    /// It does not; the numbers are those that a correct implementation obtains.
    CAROM_DIFFERS_KNOWN,
    CAROM_DIFFERS,        ///< neither
    CAROM_VERDICT_MISSING ///< not run
} carom_verdict;
/// "reproduced", "differs, with the known reason", "differs" or "not run".
CAROM_API const char *carom_verdict_text(carom_verdict verdict);

/// One claim of a paper; texts belong to the paper.
typedef struct carom_claim {
    const char *id, *claim, *published;
    const char *reason;   ///< why it differs, or what to know; "" = nothing to add
    const char *obtained; ///< numbers with names and units; "" before it is run
    carom_verdict expected, verdict;
    bool is_slow; ///< left out of quick runs
    /// About processor time, which varies: both what was published and the known reason will do.
    bool is_timing;
} carom_claim;

/// Whether the verdict is the one expected (or there is none: a claim that was left out).
CAROM_API bool carom_claim_is_expected(const carom_claim *claim);

typedef struct carom_paper carom_paper;
/// Reads a file of claims. All that is wrong has file, line and column.
CAROM_API carom_status carom_paper_read(const char *path, carom_paper **paper, carom_error *error);
/// The same from a text; name stands in messages, and models are looked for from its folder.
CAROM_API carom_status carom_paper_read_text(const char *text, size_t length, const char *name,
                                             carom_paper **paper, carom_error *error);
CAROM_API void carom_paper_free(carom_paper *paper);
CAROM_API const char *carom_paper_name(const carom_paper *paper);
CAROM_API const char *carom_paper_title(const carom_paper *paper);
CAROM_API int carom_paper_n_claim(const carom_paper *paper);
CAROM_API const carom_claim *carom_paper_claim(const carom_paper *paper, int i);

/// How to run.
typedef struct carom_reproduce_options {
    bool is_quick; ///< without the slow claims
    int n_thread;  ///< runs at a time; 0 = one for each core
    /// Writes the path of a model that is given by its name (up to room letters), false: unknown.
    /// NULL, or unknown: FOLDER/../models/NAME.yaml, FOLDER being that of the paper.
    bool (*find_model)(void *self, const char *name, char *path, size_t room);
    void *self;
    const carom_access *access; ///< limits and folders for the models; NULL = the defaults
    /// Asked now and then by the calling thread with t = share of the work done (end = 1)
    /// and steps = runs done.
    carom_watch watch;
} carom_reproduce_options;
/// How many runs and studies carom_reproduce makes.
CAROM_API int carom_reproduce_count(carom_paper *const *paper, int n, bool is_quick);
/// Runs all that the claims need, several at a time, and gives each its verdict. What goes wrong in
/// a run is the verdict of its claims; a model that cannot be read is an error. Same input, same
/// result, on any number of threads (except processor times).
CAROM_API carom_status carom_reproduce(carom_paper *const *paper, int n,
                                       const carom_reproduce_options *options, carom_error *error);

/// Writes one self-contained page: claims, verdicts and the figures redrawn. Whole or not at all.
CAROM_API carom_status carom_paper_write_page(const carom_paper *paper, const char *path,
                                              carom_error *error);

#ifdef __cplusplus
}
#endif
#endif
