// SPDX-License-Identifier: Apache-2.0
// A contact problem given as factors, in the velocities of its bodies: what each contact does to
// the few bodies that it touches. Nothing is multiplied out.
#ifndef CAROM_CONTACT_BODY_FORM_H
#define CAROM_CONTACT_BODY_FORM_H

#include "base/team.h"
#include "contact/problem/problem.h"

typedef enum carom_piece_kind {
    CAROM_PIECE_CONTACT,
    CAROM_PIECE_EQUALITY,
    CAROM_PIECE_DISC
} carom_piece_kind;

/// Up to three rows of one block, scaled.
typedef struct carom_piece {
    int first, dim; ///< its rows in the problem
    int part;       ///< its first part; those of the next piece follow
    int block;      ///< of the problem
    carom_piece_kind kind;
    double mu, radius;
    double rate;               ///< of slip: 1 / (largest slope of the rows that slip)
    double own[6], inverse[6]; ///< its diagonal block of G, and the inverse: 00 01 02 11 12 22
} carom_piece;

/// The working copy, with memory from the heap that grows to the largest problem met and is kept.
/// Vectors by pieces have `dim` numbers for each, vectors by bodies `width`.
typedef struct carom_body_form {
    int n_piece, n_part, n_body, n_row;
    int dim, width;     ///< 3 and 6, or 2 and 3 where all is in the plane
    carom_piece *piece; ///< (n_piece + 1) colour by colour
    int n_colour;
    int *colour;        ///< (n_colour + 1) the first piece of each; its pieces share no body
    bool last_is_mixed; ///< the last colour holds all that found none: one after the other
    int *body;          ///< (n_part)
    double *J;          ///< (n_part, dim, width) rows of S W C, M^-1 = C C'
    double *b, *s, *P;  ///< (n_piece, dim) S b, S, and S^-1 P
    double *d;          ///< (n_piece, dim) S diag(d) S
    double *v;          ///< (n_body, width) scaled velocities J' P
    carom_team *team;   ///< shares loops; NULL = one thread
    struct carom_body_scratch *scratch;
    int room_piece, room_part, room_body;
} carom_body_form;

/// Copies and scales a problem. NULL, or why it has no such form (a text).
const char *carom_body_form_fill(carom_body_form *form, const carom_problem *problem);
/// form->P from a guess, and back.
void carom_body_form_guess(carom_body_form *form, const double *P);
void carom_body_form_answer(const carom_body_form *form, double *P);
/// v = J' P.
void carom_body_form_push(const carom_body_form *form, const double *P, double *v);
/// xi = J v + d P (+ b): rates by pieces.
void carom_body_form_rates(const carom_body_form *form, const double *v, const double *P,
                           bool with_b, double *xi);
/// carom_contact_residual at (P, xi), by pieces.
double carom_body_form_residual(const carom_body_form *form, const double *P, const double *xi);
void carom_body_form_free(carom_body_form *form);

#endif
