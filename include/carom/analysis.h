// SPDX-License-Identifier: Apache-2.0
// Comparing runs, and what can be said of a model without running it.
#ifndef CAROM_ANALYSIS_H
#define CAROM_ANALYSIS_H

#include "carom/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Largest difference of one column between two CSV files.
typedef struct carom_column_difference {
    char name[96];
    double largest; ///< |a - b|
    double at;      ///< value of the first column (t) there
} carom_column_difference;

typedef struct carom_comparison {
    int n_column;
    carom_column_difference *column; ///< (n_column)
    long n_row;                      ///< rows compared
    double largest;
} carom_comparison;
/// Compares column by column, by name, row by row. Different columns or numbers of
/// rows are CAROM_BAD_INPUT.
CAROM_API carom_status carom_compare_csv(const char *path_a, const char *path_b,
                                         carom_comparison *result, carom_error *error);
/// The same, within another limit of bytes (NULL = carom_limits_default()).
CAROM_API carom_status carom_compare_csv_with(const char *path_a, const char *path_b,
                                              const carom_limits *limits, carom_comparison *result,
                                              carom_error *error);
CAROM_API void carom_comparison_free(carom_comparison *result);

/// How far a run is from the reference.
typedef enum carom_norm {
    CAROM_NORM_END,   ///< largest |q - q_ref| of a coordinate at the end
    CAROM_NORM_PATH,  ///< largest |q - q_ref| of a coordinate at any step of the run
    CAROM_NORM_GRAPH, ///< distance of the curves (t, q, u), each over its largest value: jumps may
                      ///< be early or late
    /// Spectral norm of the matrix q - q_ref with one row for every step of the run.
    CAROM_NORM_TABLE
} carom_norm;

/// One run of a study of convergence.
typedef struct carom_study_run {
    carom_sim_options options; ///< in: scheme, step or tolerance, end; must outlive the call
    bool is_done;              ///< it reached the end
    carom_error failure;       ///< why it was refused or stopped; status CAROM_OK where it was not
    double error;              ///< in the study's norm; not-a-number where there is none
    double order; ///< log(error/error) over log(step/step) (or tolerances) against the run before,
                  ///< of the same scheme; in the table norm of error/sqrt(steps), as the number of
                  ///< rows grows too
    carom_counts counts;
    double seconds; ///< processor time of its steps
} carom_study_run;

/// Runs with several schemes and steps, measured against one reference.
typedef struct carom_study {
    carom_norm norm;
    /// The reference is the model's record entries exact_<coordinate>, expressions of t.
    bool is_exact;
    carom_study_run reference; ///< else this run
    carom_study_run *run;      ///< (n_run) results are filled in
    int n_run;
    carom_watch watch;    ///< asked now and then; may stop the study
    char not_native[256]; ///< filled in: why options.is_native of a run could not be had, or ""
} carom_study;
/// Runs the study; all runs must have the same end. What one run is refused or stops for is kept
/// with it; what the reference fails for is returned. Runs are kept in memory (a row for every
/// step), the reference only for the graph.
CAROM_API carom_status carom_converge(const carom_model *model, carom_study *study,
                                      carom_error *error);

/// Constraint rows that are implied by others at the start of a model.
typedef struct carom_redundancy {
    int n_row;     ///< constraints
    int rank;      ///< how many of them are independent, to 1e-10 of each row's length
    bool is_known; ///< false: there are too many rows to compare
    int n_group;   ///< n_row - rank
    int *start;    ///< (n_group+1) group g has the rows row[start[g]] .. row[start[g+1] - 1],
    int *row;      ///< one of which is implied by the others: the first was found to be
} carom_redundancy;
/// Compares the rows in the mass metric.
CAROM_API carom_status carom_redundancy_find(const carom_model *model, carom_redundancy *redundancy,
                                             carom_error *error);
CAROM_API void carom_redundancy_free(carom_redundancy *redundancy);

/// What an impact of a contact gives back, at the start of a model.
typedef struct carom_restitution {
    double e, mu; ///< of the contact, at this speed and the slip rate that goes with it
    double
        measured; ///< e as its law means it: of rates (newton), impulses (poisson, sequential; more
                  ///< where friction presses on) or work (stronge); NAN where it cannot close
} carom_restitution;
/// The speed with which each contact alone is made to close [m/s].
#define CAROM_ARRIVAL_SPEED 1.0
/// Measures all contacts but discs: found (n_contact - n_disc).
CAROM_API carom_status carom_restitution_measure(const carom_model *model, carom_restitution *found,
                                                 carom_error *error);

/// A position in which a model rests at t = 0, and the forces that hold it there.
typedef struct carom_equilibrium {
    int nq, n_row, n_contact;
    double *q;        ///< (nq)
    double *la;       ///< (n_row) forces of constraints, normals and tangents [N]
    double *gap;      ///< (n_contact) [m]
    double *friction; ///< (n_contact) coefficient of what rests
    double residual;  ///< force that is left, of the largest met, both in the metric of M^-1
    int passes;
    int n_free;     ///< directions that neither constraints nor closed or sticking contacts hold;
                    ///< -1 = not known
    double softest; ///< smallest eigenvalue of the stiffness against the mass in these directions
                    ///< [1/s2]: < 0 unstable; infinite where there are none, NAN where not known
} carom_equilibrium;
/// Looks for one from the start of the model, with contacts and friction: what can stick sticks.
/// CAROM_NOT_CONVERGED where there is none (something moves on and on), or none was found.
CAROM_API carom_status carom_equilibrium_find(const carom_model *model,
                                              carom_equilibrium *equilibrium, carom_error *error);
CAROM_API void carom_equilibrium_free(carom_equilibrium *equilibrium);

/// An eigenvalue re + i im [1/s] of small motions; of a pair the one with im > 0.
typedef struct carom_eigenmode {
    double re, im;
    double frequency; ///< |w| [rad/s] of a pair, 0 of a real eigenvalue
    double damping;   ///< -re/|w| of a pair
    bool is_rigid;    ///< a direction in which nothing pulls back: the eigenvalue 0, twice
} carom_eigenmode;

/// Small motions about a rest, with constraints, closed contacts and what sticks held.
typedef struct carom_modes {
    carom_equilibrium rest;
    unsigned char *is_held; ///< (n_row)
    int nu, n_free;         ///< n_free: velocities less independent rows that are held
    int n;
    carom_eigenmode *mode; ///< (n) from low to high |w|
    double *shape; ///< (n 2 nu) real parts, then imaginary parts of velocities; the largest is 1
    int n_basis;   ///< directions B that the rest is reduced to, mass-orthonormal:
    double *basis; ///< (n_basis nu) all that are free, or the lowest modes of a large model
    double *stiffness, *damping; ///< (n_basis n_basis) B'KB, B'DB: y'' = -B'DB y' - B'KB y, x = B y
    bool is_partial;             ///< a large model: the lowest modes alone, damping within these
} carom_modes;
/// Finds a rest and its modes; most: how many (0 = all, or 12 of a large model). Rests that slide,
/// and held rows that move, are refused.
CAROM_API carom_status carom_modes_find(const carom_model *model, int most, carom_modes *modes,
                                        carom_error *error);
CAROM_API void carom_modes_free(carom_modes *modes);

/// z' = A z + B w, y = C z + D w about the rest: w small forces on coordinates and small changes of
/// parameters, y changes of coordinates, rates and records. z are positions and velocities, or,
/// where rows are held, coordinates of the free directions.
typedef struct carom_state_space {
    int n_state, n_input, n_output;
    double *A, *B, *C, *D;           ///< by rows
    char **state, **input, **output; ///< their names
} carom_state_space;
/// input (n_input): names of velocities (a force on it) and of live parameters; n_input 0 = a force
/// on each coordinate. model: the one the modes are of.
CAROM_API carom_status carom_state_space_make(const carom_model *model, const carom_modes *modes,
                                              const carom_text *input, int n_input,
                                              carom_state_space *space, carom_error *error);
CAROM_API void carom_state_space_free(carom_state_space *space);
/// Writes NAME.npz (A, B, C, D and the names), or NAME-A.csv ... NAME-D.csv of a path NAME.csv.
CAROM_API carom_status carom_state_space_write(const carom_state_space *space, const char *path,
                                               carom_error *error);

#ifdef __cplusplus
}
#endif
#endif
