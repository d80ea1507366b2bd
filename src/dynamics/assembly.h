// SPDX-License-Identifier: Apache-2.0
// The memory of contact problems and the building of one.
#ifndef CAROM_DYNAMICS_ASSEMBLY_H
#define CAROM_DYNAMICS_ASSEMBLY_H

#include "base/arena.h"
#include "dynamics/columns.h"
#include "dynamics/contact_blocks.h"
#include "dynamics/law.h"

enum {
    CAROM_PROBLEM_DENSE = 32, ///< rows up to which G is dense
    CAROM_COMPACT = 6         ///< coordinates up to which looking for the coupled ones does not pay
};

/// What the rows of the last problem were chosen for.
typedef enum carom_choice {
    CAROM_NOT_CHOSEN, ///< or in a way that does not come back
    CAROM_WITH_FRICTION,
    CAROM_WITHOUT_FRICTION,
    CAROM_ONLY_CONTACTS, ///< with friction; constraints are seen to elsewhere
    CAROM_POSITIONS      ///< without friction, and without constraints of rates alone
} carom_choice;

struct carom_contacts {
    const carom_model *model;
    const carom_contact_facts *facts; ///< (n_contact)
    carom_sizes size;
    carom_arena *arena;
    carom_contact_solver *solver;
    carom_problem problem;
    carom_choice choice;
    unsigned char *chosen; ///< (n_contact) the active contacts then
    double *dense;         ///< room for a dense G
    int *row;              ///< (n_row) row of the model for each row of the problem
    int *whole;           ///< (n_row) where a row of the problem that holds every coordinate stands
                          ///< among the entries of W, else -1
    double *law;          ///< (n_row) factor of the law by rows of the problem
    double *P;            ///< (n_row) by rows of the problem
    double *gamma_minus;  ///< (n_row) by rows of the problem
    double *x;            ///< (nu + n_constraint) scratch, always 0 between uses
    int *touched;         ///< (nu + n_constraint)
    carom_columns column; ///< M^-1 w of each row of the problem
    carom_columns entry;  ///< G by columns while a sparse one is collected
    int room_sparse;      ///< entries of the sparse G
    int *start;           ///< (n_row+1) of the sparse G
    carom_factors factors; ///< in place of the sparse G: the rows and the inverse mass
    int room_factor;       ///< entries of the rows
    bool is_mapped;        ///< patterns of the sparse G and of the columns are those of these rows
    carom_links links;     ///< rows that touch a coordinate
};

/// One more row of the problem: that of the model, and the factor of its law.
void carom_contacts_add_row(carom_contacts *contacts, int row, double factor);
/// Chooses the rows: all constraints, then the active contacts, with their tangents or without, and
/// with these the discs.
/// is_equality (NULL: none) makes rows of contacts bilateral.
void carom_contacts_choose(carom_contacts *contacts, const carom_contact_terms *terms,
                           const unsigned char *is_equality, carom_choice choice);
/// Fills b for the velocity level, the rates before, and the rates without contact
/// (of the velocity u).
void carom_contacts_rates(carom_contacts *contacts, const carom_contact_terms *terms,
                          const double *u);
/// Contacts that rest are held by their rates at the end of the step, which is terms->lead later.
void carom_contacts_hold_end(carom_contacts *contacts, const carom_contact_terms *terms);
/// And these are the rates after that are reported.
void carom_contacts_report_end(const carom_contacts *contacts, const carom_contact_terms *terms,
                               carom_step_report *report);
/// In large problems entries of b that are rounding of W x (and of more, by rows of the problem, or
/// NULL) become 0: a long row of bodies that touch and move together would otherwise be a problem
/// made of noise, which has an answer but takes long to solve.
void carom_contacts_forget_rounding(carom_contacts *contacts, const carom_sparse *W,
                                    const double *x, const double *more);
/// Fills G.
carom_status carom_contacts_build(carom_contacts *contacts, const carom_contact_terms *terms,
                                  carom_error *error);
/// Rows may be undefined far from contact, but not where they are used: an error that names the
/// contact whose b is not finite.
carom_status carom_contacts_check(const carom_contacts *contacts, carom_error *error);
/// Solves the problem just built and reports residual and cone. P (n_row) holds a guess and
/// receives the answer, by rows of the model.
carom_status carom_contacts_solve(carom_step *s, double *P);
/// The problem of the rows chosen, on velocity level: built, solved, applied to u and reported. The
/// unknowns of terms->metric may be more than the velocities; u is then as long.
carom_status carom_contacts_solve_velocity(carom_step *s, const carom_contact_terms *terms,
                                           double *P, double *u);
/// The answer to a problem in which nothing closes: P = 0.
void carom_contacts_set_free(carom_contacts *contacts, double *P);
/// Notes in the report where the problem has answers with other velocities than those
/// of its own impulses.
void carom_contacts_note_ambiguity(carom_step *s);

#endif
