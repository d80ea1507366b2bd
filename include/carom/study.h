// SPDX-License-Identifier: Apache-2.0
// Studies: many runs of one model. A scan is made of units; unit i is a function of the model, of
// what is asked and of i (and in a chain of the end of the unit before) and of nothing else, so
// that any number of workers finds the same numbers, in any order, today or after a kill.
//
//     texts (options, or a study file)  ->  scan  ->  run (threads, store)  ->  tables and pictures
#ifndef CAROM_STUDY_H
#define CAROM_STUDY_H

#include "carom/plot.h"
#include "carom/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is asked of derivatives of the motion: of sensitivity, orbit, lyap and continue.
typedef struct carom_tangent_texts {
    const carom_text *by; ///< (n_by) parameters, starts and start rates to differentiate by
    int n_by;
    carom_text shift;      ///< of an orbit: "th1=2*pi, y=free"
    carom_text times;      ///< points of the section that an orbit has
    carom_text exponents;  ///< how many; absent = all
    carom_text method;     ///< of exponents: tangent, or pair (two runs side by side, fixed steps)
    carom_text distance;   ///< ... of these two runs; absent = the least that is allowed
    carom_text arc, most;  ///< of a continuation: first step, and the most points
    carom_text turn_to;    ///< ... which doubling to go on from, from 1
    carom_text difference; ///< given: derivatives from differences of two runs alone
} carom_tangent_texts;

/// What is asked, as texts with their places; those that are absent have their usual values.
typedef struct carom_scan_texts {
    carom_text what; ///< sweep, poincare, bif, ... (carom_scan_kind_at)
    const carom_setting
        *vary; ///< (n_vary) a parameter, a start x or a start rate der(x), and values:
               ///< a:b:n, a:b:n:log, [1,2,5]; of samples a:b or a:b:log
    int n_vary;
    const carom_text *take; ///< (n_take) measures of a sweep: largest x, events stop, at x 2.1
    int n_take;
    const carom_text *show; ///< (n_show) columns
    int n_show;
    carom_text section;      ///< period=2*pi/w[,phase=0.25], event=stop:impact[:before|after],
                             ///< cross=x-0.1[:up|down|both]
    carom_text skip, points; ///< of the section, for each value
    carom_text within;       ///< [s] the longest time between two points of an event or a crossing
    carom_text match;        ///< how near points are the same, as a share of their size
    carom_text harmonics;    ///< of a frequency response: how many
    carom_text output_step; ///< [s] of a sweep: measures see the motion at such times, not at steps
    carom_text end, step;   ///< [s] of a run of a sweep, and its step: expressions of parameters
    carom_text random, latin, sobol; ///< how many samples, instead of a grid
    carom_text seed;                 ///< of the samples
    carom_text chains;               ///< pieces that the first axis is followed in
    carom_text direction;            ///< up, down or both
    carom_text way; ///< follow: each value starts where the one before ended; restart
    carom_tangent_texts tangent;
} carom_scan_texts;

typedef struct carom_scan carom_scan;
/// Reads the texts and makes the model, with what varies as live parameters; the builder is changed
/// and needed no more. run: how each run goes.
CAROM_API carom_status carom_scan_new(carom_builder *builder, const carom_sim_options *run,
                                      const carom_scan_texts *texts, carom_scan **scan,
                                      carom_error *error);
CAROM_API void carom_scan_free(carom_scan *scan);

/// How processes that share a study send each other bytes. All of them make the same scan and call
/// carom_scan_run; rank 0 hands out the work and has the results, the others return when all is
/// done.
typedef struct carom_scan_post {
    void *self;
    int rank, n_rank;
    /// Sends n bytes (0 too) to another rank; false where that is not possible.
    bool (*send)(void *self, int to, const void *bytes, size_t n);
    /// Waits so many seconds for a message: 1 = there is one, its bytes stay until the next call; 0
    /// = none came; -1 = none can come any more.
    int (*receive)(void *self, double seconds, int *from, const void **bytes, size_t *n);
} carom_scan_post;

/// How the units are worked on.
typedef struct carom_scan_work {
    int n_thread;         ///< 0 = one for each processor
    int part, n_part;     ///< only the chains part, part + n_part, ... from 1; n_part 0 = all
    const char *store;    ///< file that keeps what is done; NULL = memory alone
    bool is_fresh;        ///< what the store holds is thrown away; else it is gone on with
    const char *identity; ///< text of the study, kept in the store: another one is refused
    const carom_scan_post *post; ///< other processes that work; NULL = threads of this one
    carom_watch watch;           ///< tick(self, units done, units, units done); true stops
} carom_scan_work;
/// Works until all is done, or stopped (CAROM_STOPPED). A unit that fails is done: its message is
/// kept, its numbers are not-a-number.
CAROM_API carom_status carom_scan_run(carom_scan *scan, const carom_scan_work *work,
                                      carom_error *error);

/// How far it is.
typedef struct carom_scan_count {
    long units, done, failed;
} carom_scan_count;
CAROM_API carom_scan_count carom_scan_counted(const carom_scan *scan);
/// A unit that failed, from 0; what it was about, "A = 1.21: ..."; NULL where there are no more.
CAROM_API const char *carom_scan_failure(const carom_scan *scan, int i);
/// The jumps between the ways up and down of a scan in both directions, or the special points of
/// branches, one line each; "" = none.
CAROM_API const char *carom_scan_hysteresis(const carom_scan *scan);
/// What a basin has found, one line for each attractor; "" = nothing of the kind.
CAROM_API const char *carom_scan_findings(const carom_scan *scan);

/// One unit: its rows (n_row n_column), and, where units follow each other, time, positions and
/// velocities (1 + nq + nu) that it ended with, else NULL. They belong to the scan.
typedef struct carom_scan_unit {
    const double *row, *state;
    int n_row;
    bool has_failed;
} carom_scan_unit;
CAROM_API carom_status carom_scan_unit_at(const carom_scan *scan, long unit,
                                          carom_scan_unit *found);
/// How many of the columns, the first ones, are what varies.
CAROM_API int carom_scan_n_axis(const carom_scan *scan);

CAROM_API int carom_scan_n_column(const carom_scan *scan);
CAROM_API const char *carom_scan_column(const carom_scan *scan, int i);
/// How many rows all units together have, and their numbers: value (n_column), in the order of the
/// units.
CAROM_API long carom_scan_n_row(const carom_scan *scan);
CAROM_API carom_status carom_scan_row(const carom_scan *scan, long row, double *value,
                                      carom_error *error);
/// Writes all rows, or their picture, whole or not at all: .csv, .json, .h5, .svg, .png.
CAROM_API carom_status carom_scan_export(const carom_scan *scan, const char *path,
                                         carom_error *error);
/// The same table as CSV to a sink,
CAROM_API carom_status carom_scan_csv(const carom_scan *scan, carom_text_sink sink,
                                      carom_error *error);

/// ... and as JSON, to a sink or a file of any name.
CAROM_API carom_status carom_scan_json(const carom_scan *scan, carom_text_sink sink,
                                       carom_error *error);
CAROM_API carom_status carom_scan_export_json(const carom_scan *scan, const char *path,
                                              carom_error *error);

/// What a store holds, as a table that is not run: it is exported, drawn and looked at.
CAROM_API carom_status carom_scan_read(const char *store, carom_scan **scan, carom_error *error);
/// Puts the units of n stores of one study (parts of it) into a store, which may be there already.
CAROM_API carom_status carom_scan_merge(const char *store, const char *const *from, int n,
                                        carom_error *error);

/// The kinds of studies.
CAROM_API int carom_scan_kind_count(void);
CAROM_API const char *carom_scan_kind_at(int i);

/// A study file (YAML): a model, what to do with it, and the options of the command that does it.
typedef struct carom_study_file carom_study_file;
CAROM_API carom_status carom_study_file_read(const char *path, const carom_limits *limits,
                                             carom_study_file **file, carom_error *error);
CAROM_API void carom_study_file_free(carom_study_file *file);
/// What it does, a kind of study, and its model, whose path is from the folder of the study file.
CAROM_API carom_text carom_study_file_what(const carom_study_file *file);
CAROM_API carom_text carom_study_file_model(const carom_study_file *file);
/// Options with their values, in the words of the command line; a switch has the value "true".
CAROM_API int carom_study_file_n(const carom_study_file *file);
CAROM_API carom_setting carom_study_file_option(const carom_study_file *file, int i);

// ---- parameters fitted to a measurement ----

/// Something to be found: a parameter, a start x or a start rate der(x), between bounds.
typedef struct carom_fit_axis {
    carom_text name;
    double start;        ///< NAN = what the model has
    double low, high;    ///< -INFINITY, INFINITY = no bound
    double value, error; ///< found; standard error, INFINITY where the data do not determine it
    bool is_at_bound;
} carom_fit_axis;

/// What was measured: column c at time t[i] is value[i n_column + c], NAN = not measured.
typedef struct carom_fit_data {
    long n;
    int n_column;
    const double *t; ///< (n) rising, from 0
    const double *value;
    const carom_text *name; ///< (n_column) columns of the simulation
    const double *sigma; ///< (n_column) standard deviation of a measurement; 0 = not known: columns
                         ///< count by their spread, and what is left says how good they are
} carom_fit_data;

typedef struct carom_fit {
    carom_fit_axis *axis; ///< (n_axis)
    int n_axis;
    carom_fit_data data;
    const char *method; ///< NULL or lm; bobyqa, sbplx, neldermead, direct search first, by NLopt
    int most;           ///< runs of the search by NLopt; 0 = 1000
    carom_watch watch;  ///< tick(self, 0, 1, runs); true stops
    // found:
    double *fitted;        ///< (n n_column) of the model
    double *rms, *largest; ///< (n_column) of the residuals
    double *correlation;   ///< (n_axis n_axis)
    double chi2;           ///< sum of squares, each over its sigma
    long n_point, n_run;
    int passes;
    bool has_converged;
} carom_fit;
/// Finds the values with the smallest sum of squares, by Levenberg's and Marquardt's method. The
/// builder is changed and needed no more. CAROM_NOT_CONVERGED where no run at the start succeeds.
CAROM_API carom_status carom_fit_run(carom_builder *builder, const carom_sim_options *options,
                                     carom_fit *fit, carom_error *error);
/// Frees what was found.
CAROM_API void carom_fit_free(carom_fit *fit);

#ifdef __cplusplus
}
#endif
#endif
