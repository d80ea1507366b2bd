// SPDX-License-Identifier: Apache-2.0
// Linear elastic bodies: small displacements d of nodes from where they are at the start,
//
//     M d'' + D d' + K d = loads + contacts
//
// with constant matrices, which are built in (a bar, a Hermite beam) or given (finite elements).
// Each displacement is a coordinate of the model: bar.u[3], shaft.v[0], part.v[12]. The matrices
// are no expressions: a body of thousands of unknowns costs what its entries cost.
#ifndef CAROM_ELASTIC_H
#define CAROM_ELASTIC_H

#include "carom/bodies.h"
#include "carom/linear.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Matrices that somebody else has made, with what each unknown is.
typedef struct carom_elastic_matrices {
    int n;                    ///< unknowns
    const int *node;          ///< (n) whose displacement it is: a number that the names bear
    const char *direction;    ///< (n) 'x', 'y' or 'z'
    const double (*place)[3]; ///< (n) where that node is at the start [m]
    const carom_sparse *mass, *stiffness;
    const carom_sparse *damping; ///< or NULL
} carom_elastic_matrices;

/// An elastic body: its words with dots in place of levels ("section.radius", "points.tip.at"), and
/// its matrices where it is none of the built-in kinds (NULL else).
typedef struct carom_elastic_text {
    carom_place place;
    carom_text name;
    int n_word;
    const carom_word_text *word; ///< (n_word)
    const carom_elastic_matrices *matrices;
} carom_elastic_text;
CAROM_API carom_status carom_builder_elastic(carom_builder *builder,
                                             const carom_elastic_text *elastic, carom_error *error);

enum { CAROM_ELASTIC_FREQUENCIES = 5, CAROM_ELASTIC_MOTIONS = 6 };

/// What the matrices of a body say of it.
typedef struct carom_elastic_facts {
    const char *name;
    int n, n_node;     ///< unknowns, nodes
    int n_mass;        ///< directions in which nodes move
    char direction[3]; ///< which
    double mass[3];    ///< that moves along each: the whole mass where no node is held
    int n_rigid;       ///< motions without a force
    int n_frequency;   ///< the lowest others [rad/s]
    double frequency[CAROM_ELASTIC_FREQUENCIES];
    int n_kept, n_before; ///< of a reduced body: modes kept, and unknowns before; else 0
    double first_dropped; ///< [rad/s] the lowest mode that was left out
} carom_elastic_facts;
CAROM_API int carom_model_n_elastic(const carom_model *model);
/// Works them out: some factorisations of the stiffness. CAROM_NO_MEMORY, CAROM_BAD_INPUT where
/// there is no such body.
CAROM_API carom_status carom_model_elastic(const carom_model *model, int i,
                                           carom_elastic_facts *facts, carom_error *error);

#ifdef __cplusplus
}
#endif
#endif
