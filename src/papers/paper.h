// SPDX-License-Identifier: Apache-2.0
// A paper while it is read and run: setups, runs, studies, figures, claims. The texts live in the
// paper's arena, which only the reading and the judging touch; runs take memory of their own.
#ifndef CAROM_PAPERS_PAPER_H
#define CAROM_PAPERS_PAPER_H

#include "base/list.h"
#include "carom/analysis.h"
#include "carom/modelfile.h"
#include "carom/reproduce.h"
#include "modelfile/fields.h"

typedef CAROM_LIST(carom_setting) carom_settings;

/// A model and how to run it, as texts.
typedef struct carom_setup {
    carom_text model, scheme, solver, step, tolerance, end, output_step;
    carom_settings set, start, option;
} carom_setup;

/// A setup made ready.
typedef struct carom_opened {
    carom_modelfile *file;
    carom_model *model;
    carom_sim_options options;
} carom_opened;

/// A curve of a figure, filled by the run: y over x (both columns).
typedef struct carom_curve {
    const char *label;
    carom_text x, y;
    int run;
    double from, to;
    double scale_x, scale_y; ///< factors, for units
    double shift_y;          ///< added to y after that
    int column_x, column_y;  ///< in the rows of the run
    double *point;           ///< (2 n) x, y
    size_t n, room;
    carom_text claim;   ///< instead of a run: measures of this claim
    double *x_value;    ///< (n_value)
    carom_text *y_name; ///< (n_value) names of measures
    int n_value;
} carom_curve;

typedef struct carom_paper_figure {
    carom_text id;
    const char *title, *x_label, *y_label;
    double low, high; ///< of y, where low < high
    bool is_log_x, is_log_y;
    CAROM_LIST(carom_curve) curve;
} carom_paper_figure;

typedef struct carom_paper_run {
    carom_text id;
    carom_setup setup;
    int n_measure;       ///< how many values it gives
    bool is_needed;      ///< by a claim of this round
    bool is_alone;       ///< its processor time is measured
    carom_error failure; ///< why it was refused or stopped
    long unconverged;
} carom_paper_run;

enum { CAROM_STUDY_MOST = 8 };
typedef struct carom_paper_study {
    carom_text id;
    carom_setup setup;
    carom_norm norm;
    carom_text scheme[CAROM_STUDY_MOST], step[CAROM_STUDY_MOST];
    int n_scheme, n_step;
    carom_text reference_scheme, reference_step;              ///< both absent = exact
    carom_study_run run[CAROM_STUDY_MOST * CAROM_STUDY_MOST]; ///< by scheme, then step
    double step_value[CAROM_STUDY_MOST];
    bool is_needed;
    carom_error failure;
} carom_paper_study;

/// One number of a claim, and what it is held against.
typedef struct carom_paper_measure {
    carom_text name, take;
    const char *label, *unit;
    carom_measure what;
    int run, study; ///< index, -1 = none
    carom_text run_id, study_id, scheme, formula;
    double step;
    bool is_shown;
    bool has_published, has_known;
    double published, within, above, below; ///< within is absolute
    double known, known_within;
    double value;
} carom_paper_measure;

typedef struct carom_claim_plan {
    carom_claim facts;
    carom_place place;
    CAROM_LIST(carom_paper_measure) measure;
    CAROM_LIST(carom_text) decreasing; ///< names of measures, largest first
    carom_text figure;
} carom_claim_plan;

struct carom_paper {
    carom_arena *arena;
    carom_source source;
    const char *name, *title, *authors, *about;
    CAROM_LIST(carom_paper_run) run;
    CAROM_LIST(carom_paper_study) study;
    CAROM_LIST(carom_paper_figure) figure;
    CAROM_LIST(carom_claim_plan) claim;
};

// ---- reading ----
typedef carom_status carom_paper_reader(carom_paper *paper, const carom_node *node,
                                        carom_error *error);
carom_paper_reader carom_paper_read_runs, carom_paper_read_studies, carom_paper_read_figures,
    carom_paper_read_claims;

carom_status carom_paper_no_memory(carom_error *error);
/// Whether the measures that curves name are there.
carom_status carom_paper_check_figures(carom_paper *paper, carom_error *error);
/// A measure by the id of its claim and its name, or NULL.
const carom_paper_measure *carom_paper_named(const carom_paper *paper, const char *claim,
                                             const char *name);
/// A number, or an expression of numbers.
carom_status carom_paper_number(const carom_node *node, double *value, carom_error *error);
/// Prose: folded lines. NULL node gives "".
const char *carom_paper_prose(const carom_node *node);
/// Index of the run or study called id, or an error with the nearest name.
carom_status carom_paper_find_run(const carom_paper *paper, carom_text id, int *index,
                                  carom_error *error);
carom_status carom_paper_find_study(const carom_paper *paper, carom_text id, int *index,
                                    carom_error *error);

/// Reads every formula of a claim with made-up values, so that mistakes are found before the runs.
carom_status carom_paper_check_formulas(const carom_claim_plan *claim, carom_error *error);

// ---- running ----
/// Reads and makes the model of a setup; scheme and step are read where the setup has them.
carom_status carom_setup_open(const carom_paper *paper, const carom_setup *setup,
                              const carom_reproduce_options *options, carom_opened *opened,
                              carom_error *error);
void carom_setup_close(carom_opened *opened);
/// A positive number of a setup, an expression of the model's parameters; 0 where absent.
carom_status carom_setup_number(const carom_opened *opened, carom_text text, double *value,
                                carom_error *error);
/// Runs number i of the paper: fills the values of the measures and the points of the curves.
carom_status carom_paper_perform(carom_paper *paper, int i, const carom_reproduce_options *options,
                                 carom_watch watch, carom_error *error);
carom_status carom_paper_perform_study(carom_paper *paper, int i,
                                       const carom_reproduce_options *options, carom_watch watch,
                                       carom_error *error);
/// How many digits of a value say whether it lies within its tolerance.
int carom_paper_digits(const carom_paper_measure *m);
/// Formulas, verdict and text of a claim whose runs are done.
carom_status carom_paper_judge(carom_paper *paper, carom_claim_plan *claim, carom_error *error);

#endif
