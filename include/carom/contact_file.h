// SPDX-License-Identifier: Apache-2.0
// Contact problems as files: the text files of the field (local and global friction problems,
// LCP, MLCP; dense, sparse block and sparse matrices), FCLIB's HDF5, and Carom's own text
// for problems with constraints or contacts of several dimensions. Whatever the file, what is
// read is one carom_problem.
//
//     local    u = M r + q                           contacts of one dimension
//     global   M v = H r + f,  u = H' v + w          reduced to G = H' M^-1 H, b = w + H' M^-1 f
//     lcp      0 <= w = M z + q  _|_  z >= 0
//     mlcp     the same, with rows w = 0 whose z is free; more rows than columns are allowed
//     mixed    any carom_problem
#ifndef CAROM_CONTACT_FILE_H
#define CAROM_CONTACT_FILE_H

#include "carom/contact.h"
#include "carom/limits.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_file_kind {
    CAROM_FILE_ANY, ///< found out from the name and the content
    CAROM_FILE_LOCAL,
    CAROM_FILE_GLOBAL,
    CAROM_FILE_LCP,
    CAROM_FILE_MLCP,
    CAROM_FILE_MIXED,
    CAROM_N_FILE_KIND
} carom_file_kind;

/// How the matrix of a text file is stored.
typedef enum carom_file_storage {
    CAROM_STORAGE_ANY, ///< writing: as it was read, or whatever is shortest
    CAROM_STORAGE_DENSE,
    CAROM_STORAGE_BLOCKS,
    CAROM_STORAGE_CSC,
    CAROM_STORAGE_CSR,
    CAROM_STORAGE_TRIPLET,
    CAROM_N_FILE_STORAGE
} carom_file_storage;

/// The word for a kind or storage ("local", "dense", ...), or NULL.
CAROM_API const char *carom_file_kind_name(carom_file_kind kind);
CAROM_API const char *carom_file_storage_name(carom_file_storage storage);
/// The kind or storage of a word; false where there is none.
CAROM_API bool carom_file_kind_find(const char *name, carom_file_kind *kind);
CAROM_API bool carom_file_storage_find(const char *name, carom_file_storage *storage);

/// A sparse matrix of any shape, by rows, columns increasing within a row.
typedef struct carom_file_matrix {
    int n_row, n_column;
    int *start; ///< (n_row+1)
    int *index;
    double *value;
} carom_file_matrix;

/// What a file held. problem is what solvers take; the rest is kept to tell and to write it again.
typedef struct carom_contact_file {
    carom_file_kind kind;
    carom_file_storage storage;
    bool is_hdf5;
    int dimension;          ///< of the contacts: 1, 2 or 3; 0 where they differ or there are none
    int n_contact;          ///< blocks that are not bilateral
    carom_problem problem;  ///< blocks in the order of the file, bilateral ones of FCLIB last
    double *guess;          ///< (n_row) where the file has one, else NULL
    int n_velocity;         ///< global problems: velocities v, else 0
    carom_file_matrix M, H; ///< global: M (n_velocity square), H (n_velocity x n_row)
    double *f, *w;          ///< global: (n_velocity), (n_row)
    void *memory;           ///< owns all arrays
} carom_contact_file;

/// Reads a file of the kind given, or finds the kind out: HDF5 by its first bytes; text by its name
/// (lcp*, *mlcp*, gfc*) where the content agrees, else by its content. *file is made, and freed by
/// carom_contact_file_free. Errors say "file:line:column: what (way out)".
CAROM_API carom_status carom_contact_file_read(const char *path, carom_file_kind kind,
                                               carom_contact_file **file, carom_error *error);
/// The same from text in memory; name is what errors call it, and a hint for the kind.
CAROM_API carom_status carom_contact_file_parse(const char *name, const char *text, size_t size,
                                                carom_file_kind kind, carom_contact_file **file,
                                                carom_error *error);
/// How to read: the kind, and the limits problem_bytes, problem_rows, bytes and seconds
/// (NULL = the defaults).
typedef struct carom_file_reading {
    carom_file_kind kind;
    const carom_limits *limits;
} carom_file_reading;
CAROM_API carom_status carom_contact_file_read_with(const char *path, carom_file_reading how,
                                                    carom_contact_file **file, carom_error *error);
CAROM_API carom_status carom_contact_file_parse_with(const char *name, const char *text,
                                                     size_t size, carom_file_reading how,
                                                     carom_contact_file **file, carom_error *error);
CAROM_API void carom_contact_file_free(carom_contact_file *file);

/// What can be said of a problem without solving it.
typedef struct carom_problem_facts {
    long n_entry;     ///< entries of G that are not 0
    double asymmetry; ///< largest |G_ij - G_ji| relative to the largest |G_ij|
    /// Friction of the contacts with tangential rows; 0 where there are none.
    double mu_low, mu_high;
    double largest;   ///< largest |G_ij|
    double norm_b;    ///< |b|
    int n_disc;       ///< discs of given radius
    int n_lower;      ///< contacts with a part of their impulse given
    int n_dead;       ///< rows of G without an entry
    int rank;         ///< of G; -1 where the problem is too large to look
    double condition; ///< largest over smallest singular value within the rank, NAN as above
} carom_problem_facts;
CAROM_API carom_status carom_problem_look(const carom_problem *problem, carom_problem_facts *facts,
                                          carom_error *error);

/// How to write. Zeros choose: the kind the problem fits, the storage it was read with.
typedef struct carom_file_form {
    carom_file_kind kind;
    carom_file_storage storage;
} carom_file_form;

/// Writes a problem with all digits: FCLIB HDF5 where path ends with .hdf5 or .h5, else text. The
/// file appears whole or not at all. What the form cannot hold (constraints in a local problem,
/// say) is refused. guess (n_row, may be NULL) goes into mixed files only.
CAROM_API carom_status carom_contact_problem_write(const carom_problem *problem,
                                                   const double *guess, carom_file_form form,
                                                   const char *path, carom_error *error);
/// Writes what was read; a global problem stays one unless the form says local.
CAROM_API carom_status carom_contact_file_write(const carom_contact_file *file,
                                                carom_file_form form, const char *path,
                                                carom_error *error);

/// Which contact problems of a simulation become files.
typedef struct carom_save_choice {
    char folder[1024]; ///< where they go; made if it is not there
    int every;         ///< every n-th problem, >= 1
    int iterations;    ///< > 0: only those not converged, or solved with more iterations than this
} carom_save_choice;

/// Reads "FOLDER", "FOLDER:every=N", "FOLDER:struggled" or "FOLDER:struggled=ITERATIONS"
/// (50 if not given).
CAROM_API carom_status carom_save_choice_read(const char *text, carom_save_choice *choice,
                                              carom_error *error);

/// Writes the problems that solvers send it as FOLDER/contact-00000001.dat ..., numbered in the
/// order in which they were solved, whole, of kind mixed, each with the guess its solve began with.
typedef struct carom_contact_saver carom_contact_saver;
CAROM_API carom_status carom_contact_saver_new(const carom_save_choice *choice,
                                               carom_contact_saver **saver, carom_error *error);
CAROM_API void carom_contact_saver_free(carom_contact_saver *saver);
/// How many problems it saw, and how many it wrote.
CAROM_API long carom_contact_saver_seen(const carom_contact_saver *saver);
CAROM_API long carom_contact_saver_written(const carom_contact_saver *saver);
/// From now on every problem that solver solves goes to saver too (NULL: to none), which must
/// outlive it. A file that cannot be written fails the solve with CAROM_IO.
CAROM_API void carom_contact_solver_save(carom_contact_solver *solver, carom_contact_saver *saver);

/// v (n_velocity) of a global problem from its impulses P: M v = H P + f.
CAROM_API carom_status carom_contact_file_velocity(const carom_contact_file *file, const double *P,
                                                   double *v, carom_error *error);

#ifdef __cplusplus
}
#endif
#endif
