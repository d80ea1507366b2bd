// SPDX-License-Identifier: Apache-2.0
// Matrices of straight bars and beams of equal elements (the head of line.c).
#ifndef CAROM_MODEL_LINE_H
#define CAROM_MODEL_LINE_H

#include "math/sparse/sparse_sum.h"

/// Motions of a node: displacements along the line and across, slopes v' and w', twist.
typedef enum carom_line_motion {
    CAROM_LINE_U,
    CAROM_LINE_V,
    CAROM_LINE_B,
    CAROM_LINE_W,
    CAROM_LINE_C,
    CAROM_LINE_A,
    CAROM_LINE_MOTIONS
} carom_line_motion;
#define CAROM_LINE_LETTERS "uvbwca"

typedef enum carom_lumping {
    CAROM_MASS_CONSISTENT,
    CAROM_MASS_LUMPED,
    CAROM_MASS_AVERAGE
} carom_lumping;

typedef struct carom_line {
    int n_element;
    double length;        ///< of an element
    double EA, GJ, EI[2]; ///< EI[0] against v, EI[1] against w
    double shear[2];      ///< 12 EI/(GA l^2) of each; 0 = stiff against shear
    double mass, polar;   ///< rho A and rho (Iy + Iz), for a unit of length
    carom_lumping lumping;
    bool has[CAROM_LINE_MOTIONS];
    int *unknown; ///< ((n_element+1) CAROM_LINE_MOTIONS) -1 = held, or not there
    int n;        ///< unknowns
} carom_line;

/// The matrices while they are put together.
typedef struct carom_line_matrices {
    carom_sparse_sum M, K, D;
} carom_line_matrices;

/// Numbers the unknowns node by node; held[k] (k = 0 the first node, 1 the last) says which motions
/// do not move. False without memory.
bool carom_line_number(carom_line *line, bool held[2][CAROM_LINE_MOTIONS], carom_arena *arena);
/// Adds the elements; D gets alpha M + beta K, for the twist with a beta of its own.
void carom_line_assemble(const carom_line *line, double alpha, double beta, double beta_twist,
                         carom_line_matrices *to);
/// The load of a uniform force g[0..2] rho A on u, v, w, added to load (n).
void carom_line_weigh(const carom_line *line, const double g[3], double *load);
/// What no frequency of the line exceeds, from its elements.
double carom_line_frequency(const carom_line *line);

/// A motion at a distance x from the start: a sum of few unknowns.
typedef struct carom_line_point {
    int n, unknown[4];
    double share[4];
} carom_line_point;
carom_line_point carom_line_at(const carom_line *line, double x, carom_line_motion motion);

#endif
