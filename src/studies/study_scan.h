// SPDX-License-Identifier: Apache-2.0
// The inside of a scan: axes and their values, chains of units, what a kind of study makes of a
// unit, results in memory and in a store.
//
// A unit gives rows of numbers, all of the same columns: the axes first, then what its kind tells.
// Units that follow each other form a chain; where nothing is followed each is a chain of its own.
#ifndef CAROM_STUDIES_SCAN_H
#define CAROM_STUDIES_SCAN_H

#include "base/arena.h"
#include "base/list.h"
#include "carom/extend.h"
#include "carom/measure.h"
#include "carom/study.h"

enum { CAROM_SCAN_AXES = 16, CAROM_MARKS = 64 };

typedef struct carom_scan_kind carom_scan_kind;
typedef struct carom_attractors carom_attractors;

/// One thing that varies.
typedef struct carom_scan_axis {
    const char *name; ///< as it was given: the column
    const char *live; ///< the live parameter that stands for it
    double *value;    ///< (n) of a grid; NULL for samples
    int n;
    double low, high; ///< of samples
    bool is_log;
} carom_scan_axis;

typedef enum carom_sampling {
    CAROM_SAMPLE_GRID,
    CAROM_SAMPLE_RANDOM,
    CAROM_SAMPLE_LATIN,
    CAROM_SAMPLE_SOBOL
} carom_sampling;

/// Which values go together.
typedef struct carom_scan_design {
    carom_scan_axis axis[CAROM_SCAN_AXES];
    int n_axis;
    carom_sampling sampling;
    long n; ///< points
    unsigned long long seed;
    long *rank;          ///< (n_axis n) of a latin hypercube: the interval of each point
    unsigned *direction; ///< (n_axis 32) of Sobol's points
} carom_scan_design;

typedef enum carom_section_kind {
    CAROM_SECTION_NONE,
    CAROM_SECTION_PERIOD,
    CAROM_SECTION_EVENT,
    CAROM_SECTION_CROSS
} carom_section_kind;
/// Where points are taken.
typedef struct carom_section {
    carom_section_kind kind;
    carom_text expression; ///< of the period or of what crosses zero
    double phase;
    const char *contact; ///< of events; NULL = any
    int number;          ///< its contact; -1 = any
    carom_event_kind event;
    bool is_before; ///< the point is the state before the event
    int direction;  ///< of a crossing, see carom_stop
} carom_section;

/// Entries of the model's records that the scan has added; their numbers, or -1.
typedef struct carom_scan_records {
    int section, period, end, step;
} carom_scan_records;

/// What became of one unit.
typedef struct carom_unit {
    bool is_done, has_failed;
    double seconds;
    int n_row;
    double *row; ///< (n_row n_column)
    double
        *state; ///< (1 + nq + nu) time and state at its end, where units follow each other; or NULL
    char *message; ///< NULL = it went well
} carom_unit;

/// Chains: units first[c] .. first[c+1] - 1 follow each other.
typedef struct carom_scan_chains {
    long *first; ///< (n + 1)
    long n, n_unit;
    int n_block; ///< pieces of the first axis
    bool is_followed;
    bool goes_up, goes_down;
} carom_scan_chains;

/// One coordinate that is another one after an orbit.
typedef struct carom_scan_shift {
    int velocity; ///< its number among the velocities
    double by;    ///< so much
    bool is_free; ///< by as much as it likes: nothing depends on it
} carom_scan_shift;

/// What derivatives of the motion are asked for.
typedef struct carom_scan_tangent {
    const char **by, **by_live; ///< (n_by) as given, and the live parameters that stand for them
    int *number;                ///< (n_by) of these in the model
    int n_by;
    carom_scan_shift *shift; ///< (n_shift)
    int n_shift;
    int times;
    int n_exponent; ///< 0 = all
    bool is_difference;
    bool is_pair;          ///< the largest exponent from two runs side by side
    double distance;       ///< ... of these; 0 = the least that is allowed
    carom_scan_axis along; ///< of a continuation: what it goes along, between two ends
    double step;           ///< its first step, as a share of the state and of the parameter
    int most;              ///< points
    int turn_to;           ///< the special point whose other branch is wanted, from 1; 0 = none
} carom_scan_tangent;

/// What points are made of.
typedef struct carom_scan_points {
    carom_section section;
    int skip, n;
    double within, match;
    int n_harmonic;
    int *show; ///< (n_show) columns of the simulation
    int n_show;
} carom_scan_points;

/// Where the row last asked for is.
typedef struct carom_scan_seek {
    long unit, first; ///< its first row
} carom_scan_seek;

/// What starts of a basin end on, counted.
typedef struct carom_scan_class {
    int label; ///< of the column; 0 = not settled, -1 = away
    long n;
    double period, impacts;
    const double *point; ///< (n_show) in a row of one of them
} carom_scan_class;

struct carom_scan {
    carom_arena *arena;
    carom_model *model;
    carom_sizes size;
    carom_sim_options run;
    const carom_scan_kind *kind;
    carom_scan_design design;
    carom_scan_chains chains;
    carom_scan_points points;
    carom_scan_records record;
    carom_scan_tangent tangent;
    carom_measure *measure; ///< (n_measure)
    int n_measure;
    const char **column;
    int n_column;
    carom_unit *unit; ///< (chains.n_unit)
    long n_done, n_failed;
    char *hysteresis; ///< or special points of branches
    char *findings;
    carom_attractors *attractors; ///< that the first look at basins has found
    carom_scan_class *class;      ///< (n_class) of basins
    int n_class;
    carom_scan_seek seek;
    char failure[1200]; ///< the text last asked for
};

/// Who works on units: a simulation of its own, and what it hands on.
typedef struct carom_worker {
    const carom_scan *scan;
    carom_sim *sim;
    carom_probe *probe;   ///< of sweeps
    carom_unit *unit;     ///< the one at hand
    int room;             ///< of rows in it
    double *axis;         ///< (n_axis) its values
    double *seen, *other; ///< (columns of the simulation)
    carom_plan *plan;     ///< of questions between steps: is the model periodic?
    carom_eval *asked[2];
    bool goes_down;
    bool has_no_more;                 ///< no point came within the time allowed
    double period;                    ///< of the section [s]
    double t0;                        ///< time of point 0, of a period
    double last;                      ///< time of the last point
    long k;                           ///< points so far
    long impacts, last_impacts;       ///< since the start, and up to the last point
    double fastest;                   ///< impact since the start [m/s]
    double first_impact, last_impact; ///< their times; first 0 = there was none
    carom_stop watch;                 ///< events that points are taken at
    carom_event event;                ///< the last of them
    unsigned long long word;          ///< of all events since the start, in their order
    long events;                      ///< how many
    unsigned short mark[CAROM_MARKS]; ///< ... the first of them: 16 contact + kind + 1
    int n_mark;
    void *self; ///< of the kind
} carom_worker;

/// A kind of study: one file, one line in kinds/kinds_table.h.
struct carom_scan_kind {
    const char *name;
    bool follows;     ///< unless it is told to start again
    bool has_section; ///< needs one
    bool has_period;  ///< ... which is a period
    bool has_measures;
    bool is_varied; ///< needs derivatives of the motion
    bool has_exponents;
    bool continues;   ///< the first thing that varies has two ends and no values
    int skip, points; ///< unless given
    double match;     ///< likewise; 0 = 1e-6
    /// Reads what only it knows; adds its columns behind those of the axes.
    carom_status (*prepare)(carom_scan *scan, const carom_scan_texts *texts, carom_sim *sim,
                            carom_error *error);
    /// Makes what a worker needs, or NULL.
    carom_status (*begin)(carom_worker *worker, carom_error *error);
    /// Frees what it points to, or NULL.
    void (*end)(carom_worker *worker);
    /// The numbers of a unit, whose simulation has just been started.
    carom_status (*work)(carom_worker *worker, carom_error *error);
    /// What must be known before units are worked on, or NULL; what follows from all rows, or NULL.
    carom_status (*survey)(carom_scan *scan, const carom_scan_work *work, carom_error *error);
    carom_status (*conclude)(carom_scan *scan, carom_error *error);
    /// The picture of all rows.
    carom_status (*draw)(const carom_scan *scan, const char *path, carom_error *error);
};

#define X(name) extern const carom_scan_kind carom_scan_kind_##name;
#include "studies/kinds/kinds_table.h"
#undef X

// study_scan.c
/// Finds scan->kind.
carom_status carom_scan_find_kind(carom_scan *scan, carom_text what, carom_error *error);
carom_status carom_scan_no_memory(carom_error *error);
/// Adds a column; its name is copied.
carom_status carom_scan_add_column(carom_scan *scan, carom_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// What a whole number may be, and is where it is not given.
typedef struct carom_scan_bounds {
    long low, high, usual;
} carom_scan_bounds;
carom_status carom_scan_whole(carom_text text, const char *what, carom_scan_bounds bounds,
                              long *value, carom_error *error);
/// A number above 0.
carom_status carom_scan_positive(carom_text text, const char *what, double fallback, double *value,
                                 carom_error *error);

// scan_axis.c
carom_status carom_axis_read(carom_scan *scan, carom_builder *builder, const carom_setting *vary,
                             carom_error *error);

/// Reads the two ends of what a continuation goes along.
carom_status carom_axis_read_ends(carom_scan *scan, carom_builder *builder,
                                  const carom_setting *vary, carom_scan_axis *axis,
                                  carom_error *error);
/// Chooses a live parameter for a parameter, a start or a start rate; number: of the axis.
carom_status carom_axis_choose(carom_scan *scan, carom_builder *builder, carom_text name,
                               int number, const char **live, carom_error *error);

// orbits/tangent_text.c
/// Reads what derivatives are asked for: before the model is made, and what is found in it.
carom_status carom_tangent_read(carom_scan *scan, carom_builder *builder,
                                const carom_scan_texts *texts, carom_error *error);
carom_status carom_tangent_find(carom_scan *scan, const carom_scan_texts *texts,
                                carom_error *error);

// design.c
carom_status carom_design_read(carom_scan *scan, const carom_scan_texts *texts, carom_error *error);
/// The values of point i, value (n_axis).
void carom_design_point(const carom_scan_design *design, long i, double *value);

// samples.c
carom_status carom_samples_prepare(carom_arena *arena, carom_scan_design *design,
                                   carom_error *error);
/// A number in 0..1 of axis k of point i.
double carom_sample(const carom_scan_design *design, long i, int k);

// chains.c
carom_status carom_chains_make(carom_scan *scan, const carom_scan_texts *texts, carom_error *error);
/// The chain of a unit.
long carom_chain_of(const carom_scan *scan, long unit);
/// The values of a unit, value (n_axis); whether it is on the way down.
bool carom_chain_values(const carom_scan *scan, long unit, double *value);

// section_text.c
carom_status carom_section_read(carom_scan *scan, carom_text text, carom_error *error);
/// Finds its contact in the model that was made.
carom_status carom_section_find(carom_scan *scan, carom_text text, carom_error *error);

// measure_text.c
carom_status carom_measures_read(carom_scan *scan, const carom_text *take, int n,
                                 carom_error *error);

// study_scan.columns.c
/// Chooses the columns that are shown; usual: their number where none is asked for.
carom_status carom_columns_read(carom_scan *scan, const carom_text *show, int n, int usual,
                                const carom_sim *sim, carom_error *error);
/// Adds them to the columns of the scan.
carom_status carom_columns_add(carom_scan *scan, const carom_sim *sim, carom_error *error);

// worker.c
carom_status carom_worker_new(const carom_scan *scan, carom_worker **worker, carom_error *error);
void carom_worker_free(carom_worker *worker);
/// Works on a unit; before (or NULL) is the one that it follows. Failures go into the unit.
/// CAROM_NO_MEMORY is returned.
carom_status carom_worker_do(carom_worker *worker, long index, const carom_unit *before,
                             carom_unit *unit, carom_error *error);
/// Starts the simulation with the values worker->axis; from: state of the unit before, or NULL.
carom_status carom_worker_begin(carom_worker *worker, const double *from, carom_error *error);
/// A new row of the unit, behind its axes; NULL where memory runs out.
double *carom_worker_row(carom_worker *worker);

// run.c
/// A unit is done.
void carom_scan_count_unit(carom_scan *scan, const carom_unit *unit);
/// Asks the watch.
bool carom_scan_is_stop_wanted(const carom_scan *scan, const carom_scan_work *work);

// section_walk.c
/// The first point is still to come.
carom_status carom_walk_begin(carom_worker *worker, carom_error *error);
/// Goes to the next point of the section; where it is to be seen worker->seen holds its columns.
carom_status carom_walk_next(carom_worker *worker, bool is_seen, carom_error *error);
/// Goes to a time: worker->seen holds the columns there.
carom_status carom_walk_to(carom_worker *worker, double t, bool is_seen, carom_error *error);

// period.c
/// Makes worker->plan.
carom_status carom_period_prepare(carom_worker *worker, carom_error *error);
/// Refuses a period that the model, with these values, does not have.
carom_status carom_period_check(carom_worker *worker, const carom_parameter *value, int n,
                                carom_error *error);

// picture.c
/// One panel for each of columns first .. first + n - 1 over column x, as points or lines; the ways
/// up and down (column branch, -1 = none) in two colours.
typedef struct carom_picture {
    int x, first, n, branch;
    bool is_line;
} carom_picture;
carom_status carom_picture_draw(const carom_scan *scan, const carom_picture *picture,
                                const char *path, carom_error *error);

// basin/survey.c
/// Frees what the first look at basins has taken from the heap; NULL is fine.
void carom_attractors_free(carom_attractors *attractors);

// hysteresis.c
/// Finds what follows from all rows: jumps, and what the kind makes of them.
carom_status carom_scan_conclude(carom_scan *scan, carom_error *error);
carom_status carom_hysteresis_find(carom_scan *scan, carom_error *error);

// store.c
typedef struct carom_store carom_store;
/// Opens the store, and reads what is done already into scan->unit.
carom_status carom_store_open(const char *path, carom_scan *scan, const carom_scan_work *work,
                              carom_store **store, carom_error *error);
/// Writes a unit; commits now and then.
carom_status carom_store_put(carom_store *store, long index, const carom_unit *unit,
                             carom_error *error);
/// Commits what has waited for a while.
carom_status carom_store_tick(carom_store *store, carom_error *error);
carom_status carom_store_close(carom_store *store, carom_error *error);

// remote.c: several processes
/// Works for rank 0 until it says that all is done.
carom_status carom_remote_work(carom_scan *scan, const carom_scan_post *post, carom_error *error);
/// Hands out the chains, takes what comes back; is_off: sends all home.
carom_status carom_remote_lead(carom_scan *scan, const carom_scan_work *work, carom_store *store,
                               bool is_off, carom_error *error);

// export_hdf5.c
carom_status carom_export_hdf5(const carom_scan *scan, const char *path, carom_error *error);

#endif
