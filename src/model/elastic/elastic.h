// SPDX-License-Identifier: Apache-2.0
// Linear elastic bodies of a model, from inside: constant matrices behind the programs.
#ifndef CAROM_MODEL_ELASTIC_H
#define CAROM_MODEL_ELASTIC_H

#include "base/list.h"
#include "carom/elastic.h"
#include "math/sparse/diagonals.h"
#include "model/model.h"

/// Its matrices, by rows.
typedef struct carom_elastic_matrix {
    carom_sparse A; ///< A.n_row = 0: there is none
    carom_diagonals times;
} carom_elastic_matrix;

/// A displacement without mass, which follows the others.
typedef struct carom_elastic_dropped {
    int node;
    char motion;
    carom_ref ref;
} carom_elastic_dropped;

/// One body: unknowns first .. first+n-1 of the model, positions and velocities alike.
typedef struct carom_elastic {
    const char *name;
    carom_place place;
    int first, n, n_node;
    int dim; ///< of its vectors
    carom_elastic_matrix M, K, D;
    double *load;               ///< (n) that never change [N]
    bool is_line;               ///< u, v, w are along its own axes, not those of space
    char *motion;               ///< (n) u, v, w, of lines also the slopes b, c and the twist a
    int *node;                  ///< (n) the number in its name
    double (*at)[3];            ///< (n) where the node is
    double from[3], axis[3][3]; ///< of a line: where node 0 is, and its directions u, v, w
    double magnify;             ///< displacements in drawings are so many times as large
    double size;                ///< largest distance of nodes [m]
    double frequency;           ///< no higher one is possible [rad/s]; 0 = not known
    double alpha, beta;         ///< its damping is at most alpha M + beta K
    int n_before, n_kept;       ///< see carom_elastic_facts
    double first_dropped;
    int n_dropped; ///< of nodes that meet stops
    const carom_elastic_dropped *dropped;
} carom_elastic;

/// A number of an answer that never changes.
typedef struct carom_elastic_constant {
    int offset;
    double value;
} carom_elastic_constant;

/// What a program of the model adds to an answer of an unknown: it stands at `own`, the sum of both
/// at `to`.
typedef struct carom_elastic_share {
    int own, to;
} carom_elastic_share;
typedef CAROM_LIST(carom_elastic_share) carom_elastic_shares;

typedef struct carom_elastics {
    int n;
    const carom_elastic *item;                ///< (n)
    CAROM_LIST(carom_elastic_constant) found; ///< constants of answers, while they are derived
    const double *constant;                   ///< (n_constant) a block with all of them, else 0
    int n_constant;
    carom_elastic_shares f, plain, p;
    carom_layout_energy own; ///< what the programs say of energies
    bool is_all_stiffness;   ///< forces depend on the state through the matrices alone
} carom_elastics;

/// The body of velocity i, or NULL.
const carom_elastic *carom_elastics_find(const carom_elastics *elastics, int i);
/// Row i of a matrix of the body that velocity i belongs to: 0 entries where there is none.
typedef struct carom_elastic_row {
    int n, first; ///< first: to be added to the columns
    const int *index;
    const double *value;
} carom_elastic_row;
carom_elastic_row carom_elastic_row_of(const carom_elastic *elastic,
                                       const carom_elastic_matrix *matrix, int i);

/// Constants as a block, once the layout is complete; false without memory.
bool carom_elastics_keep_constants(carom_elastics *elastics, carom_model *model);
/// Writes what never changes into a new evaluation: before the programs write theirs.
void carom_elastics_constants(const carom_elastics *elastics, double *block);
/// The highest frequency that is possible where forces depend on the state through the matrices
/// alone, and a damping ratio that is not exceeded there; false where that is not known.
bool carom_elastics_bound(const carom_model *model, carom_stiffest *bound);
/// How far the nodes of a body have moved against each other, over its size: the largest of all
/// bodies and directions.
double carom_elastics_distortion(const carom_model *model, const double *q);
/// Puts the bodies behind the programs of a plan: once they are made, and once they are compiled.
typedef struct carom_elastic_question carom_elastic_question;
carom_elastic_question *carom_elastic_questions_new(const carom_plan *plan);
void carom_elastic_join(const carom_plan *plan, carom_elastic_question *question);

#endif
