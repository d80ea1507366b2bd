// SPDX-License-Identifier: Apache-2.0
// A frictionless problem as a tableau for pivoting methods, w - G z = b:
//
//     contacts         0 <= w  _|_  z >= 0
//     equality rows    w = 0,  z free
#ifndef CAROM_CONTACT_TABLEAU_H
#define CAROM_CONTACT_TABLEAU_H

#include "contact/problem/problem.h"

/// Rows of 2 n + 2: the coefficients of w (n), z (n), one more variable, and the right-hand side.
typedef struct carom_tableau {
    const carom_problem *problem; ///< dense
    int n, width;
    int *row;                   ///< (n) row of the problem; tangential rows and discs are not in
    unsigned char *is_equality; ///< (n)
    double *value;              ///< (n * width)
    int *basic;                 ///< (n) the column that is basic in each row
    double size;                ///< largest |b|, or 1
} carom_tableau;

size_t carom_tableau_work(int n);  ///< doubles
size_t carom_tableau_index(int n); ///< ints
/// Lists the rows and cuts the memory; carom_tableau_fill sets the numbers.
carom_tableau carom_tableau_cut(const carom_problem *problem, double *work, int *index);
/// w basic, right-hand side b / size.
void carom_tableau_fill(carom_tableau *t);
/// Column enters the basis in row r.
void carom_tableau_pivot(carom_tableau *t, int r, int column);
static inline double carom_tableau_at(const carom_tableau *t, int i, int column)
{
    return t->value[(size_t)i * (size_t)t->width + (size_t)column];
}
/// Right-hand side of row i: the value of its basic variable.
static inline double carom_tableau_level(const carom_tableau *t, int i)
{
    return carom_tableau_at(t, i, t->width - 1);
}
/// The complementary variable: w_i for z_i, z_i for w_i.
static inline int carom_tableau_partner(const carom_tableau *t, int column)
{
    return column < t->n ? column + t->n : column - t->n;
}
/// Whether column is the z of an equality row: it may have any sign.
static inline bool carom_tableau_is_free(const carom_tableau *t, int column)
{
    return column >= t->n && column < 2 * t->n && t->is_equality[column - t->n];
}
/// P (rows of the problem) of the basis: basic z at their level, not below 0 unless free.
void carom_tableau_answer(const carom_tableau *t, double *P);

/// What a search came to.
typedef enum carom_search {
    CAROM_SEARCH_FOUND, ///< P holds complementary w, z >= 0
    CAROM_SEARCH_NONE,  ///< there is no solution: every branch has a certificate
    CAROM_SEARCH_OPEN   ///< gave up, or numbers too close to tell
} carom_search;
/// Looks through all choices w_i = 0 or z_i = 0, at most max_node of them. scratch: 2 n ints,
/// trial: n_row + n doubles. nodes counts up.
carom_search carom_tableau_search(carom_tableau *t, int max_node, double *trial, int *scratch,
                                  int *nodes);

#endif
