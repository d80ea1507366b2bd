// SPDX-License-Identifier: Apache-2.0
// What the derivation of a model works on (model/making/lagrange.c), and how an answer is asked
// for.
#ifndef CAROM_MODEL_DERIVING_H
#define CAROM_MODEL_DERIVING_H

#include "model/making/lagrange.h"

typedef struct carom_deriving {
    carom_model *model;
    carom_lagrange *l;
    carom_graph *g;
    carom_arena *scratch;
    carom_error *error;
    struct carom_elastics *elastics; ///< NULL = there are none
    int n;                           ///< coordinates
    carom_ref T, V;
    carom_ref *p, *T_q, *plain, *f; ///< (n)
    carom_ref *Ma, *WP;             ///< (n) with symbols for a and P
    carom_ref *gamma, *curvature;   ///< (n_row)
    bool is_quadratic;              ///< T = 1/2 u'Mu
    bool is_out;                    ///< memory ran out
} carom_deriving;

/// The value of ref goes to offset whenever flag is asked for; the block of answers starts as
/// zeros.
void carom_want_answer(carom_deriving *d, int flag, carom_ref ref, int offset);
/// Takes a place in the layout and asks for all entries; returns the place.
int carom_want_vector(carom_deriving *d, int flag, const carom_ref *ref, int n);
int carom_want_number(carom_deriving *d, int flag, carom_ref ref);
carom_gradient carom_want_gradient(carom_deriving *d, carom_ref root, carom_symbol kind);
/// Room for n nodes, all zero.
carom_ref *carom_want_zeros(carom_deriving *d, int n);

/// A sparse matrix while its rows are collected.
typedef struct carom_collected {
    CAROM_LIST(int) index;
    CAROM_LIST(carom_ref) ref;
    int *start;
    int n_row, n_column;
} carom_collected;
carom_collected carom_collect_rows(carom_deriving *d, int n_row, int n_column);
void carom_collect_entry(carom_deriving *d, carom_collected *m, int column, carom_ref ref);
/// Takes a place in the layout and asks for all entries.
carom_pattern carom_want_matrix(carom_deriving *d, const carom_collected *m, int flag);
/// d(value)/d(symbols), one row for each value.
carom_pattern carom_want_jacobian(carom_deriving *d, int flag, const carom_ref *value, int n_row,
                                  carom_symbol kind);

// derive_coefficients.c
/// Coefficients of contacts that are expressions, and what friction's derivatives are.
void carom_derive_coefficients(carom_deriving *d);

// variations.c
/// What variations of the motion need beyond the answers of implicit schemes.
void carom_derive_variations(carom_deriving *d);
/// The same of the switches, which are found last.
void carom_derive_switches(carom_deriving *d);

#endif
