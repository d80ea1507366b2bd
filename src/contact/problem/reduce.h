// SPDX-License-Identifier: Apache-2.0
// A small dense problem in the form solvers like: unit diagonal, bilateral rows eliminated.
#ifndef CAROM_CONTACT_REDUCE_H
#define CAROM_CONTACT_REDUCE_H

#include "base/arena.h"
#include "contact/problem/problem.h"

/// A dense problem p = P / s with its memory.
typedef struct carom_scaled {
    carom_problem problem;
    double *s; ///< (n_row) P = s p
    double *P; ///< (n_row) p
} carom_scaled;

/// The contacts and discs of a problem whose bilateral rows are eliminated: P_B = -(x + X P_C).
/// Tangential rows of contacts without friction are left out: P_T = 0.
typedef struct carom_reduced {
    carom_scaled contact;
    int n_bilateral;
    /// Row of the whole problem: the bilateral ones, those of the contacts, those left out.
    int *row;
    double *X;    ///< (n_bilateral * (n_contact_row + 1)) G_BB^+ [G_BC, b_B], column-major
    double *work; ///< scratch
    int *pivot;
} carom_reduced;

/// Memory for up to n rows; false where it runs out.
bool carom_scaled_take(carom_arena *arena, int n, carom_scaled *scaled);
bool carom_reduced_take(carom_arena *arena, int n, carom_reduced *reduced);
/// The scale 1/sqrt|G_ii| of each row, alike for the tangential rows of a contact.
void carom_choose_scales(const carom_problem *problem, double *s);
/// Copies a problem and the guess P and scales them so that |G_ii| = 1.
void carom_scaled_fill(const carom_problem *problem, const double *P, carom_scaled *scaled);
/// P = s p.
void carom_scaled_answer(const carom_scaled *scaled, double *P);
/// Whether there is anything to eliminate.
bool carom_reduced_is_needed(const carom_problem *problem);
/// Eliminates the bilateral rows of a scaled problem and scales what remains.
void carom_reduced_fill(const carom_scaled *whole, carom_reduced *reduced);
/// Puts the contacts' answer and the bilateral impulses that follow into whole->P.
void carom_reduced_answer(const carom_reduced *reduced, carom_scaled *whole);

#endif
