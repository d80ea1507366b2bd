// SPDX-License-Identifier: Apache-2.0
// Elastic bodies while a model is made: words to numbers, numbers to matrices and coordinates.
#ifndef CAROM_MODEL_ELASTIC_MAKING_H
#define CAROM_MODEL_ELASTIC_MAKING_H

#include "model/bodies/bodies.h"
#include "model/elastic/elastic.h"
#include "model/elastic/line.h"
#include "model/making/making.h"

/// A row of matrices, by its node.
typedef struct carom_elastic_node {
    int node, row;
} carom_elastic_node;

/// A node without mass, and an obstacle that it meets (elastic_stops.c).
typedef struct carom_elastic_massless carom_elastic_massless;
typedef struct carom_elastic_stop carom_elastic_stop;

/// One body while it is made.
typedef struct carom_elastic_making {
    carom_making *making;
    const carom_elastic_text *text;
    carom_elastic *body;          ///< what it becomes
    carom_line_matrices matrices; ///< put together
    carom_line line;              ///< where it is one
    int dim;                      ///< of its vectors
    double from[3], axis[3][3];   ///< a line's start and its directions u, v, w
    double length;
    double g[3];                 ///< gravity, in axes of space
    carom_elastic_node *by_node; ///< of matrices that were given: rows, sorted by nodes
    int *unknown;                ///< of each row of matrices that were given; -1 = held
    carom_ref *symbol;           ///< (n) its coordinates, and behind them what has no mass
    carom_elastic_stop *stop;
    carom_elastic_massless *massless; ///< their nodes
    int n_stop, n_massless;
} carom_elastic_making;

/// Coordinates and names of all bodies.
carom_status carom_elastics_declare(carom_making *making);
/// Forces that are expressions: those of wheels that spin.
carom_status carom_elastics_load(carom_making *making);
/// Bodies as what is drawn, where the file has no `draw:`.
carom_status carom_elastics_draw(carom_making *making, carom_drawings *all);

/// The word of this key, or NULL; a number of it, `fallback` where it is absent (NAN: it must be
/// there).
const carom_word_text *carom_elastic_word(const carom_elastic_making *m, const char *key);
carom_status carom_elastic_number(const carom_elastic_making *m, const char *key, double fallback,
                                  double *value);
/// The same, above 0 (or 0 where that is allowed).
carom_status carom_elastic_size(const carom_elastic_making *m, const char *key, bool may_be_zero,
                                double fallback, double *value);
/// A vector of dim numbers; 0 where it is absent.
carom_status carom_elastic_vector(const carom_elastic_making *m, const char *key, double value[3]);
/// Refuses what the word says.
carom_status carom_elastic_refuse(const carom_elastic_making *m, const char *key,
                                  const char *format, ...) __attribute__((format(printf, 3, 4)));
/// Reads the words of a line: its elements, directions and unknowns.
carom_status carom_elastic_line(carom_elastic_making *m);
/// Its matrices, loads, and bodies fastened to it.
carom_status carom_elastic_line_matrices(carom_elastic_making *m);
/// Names of its points in the scope.
carom_status carom_elastic_points(carom_elastic_making *m);
/// The same three for matrices that were given, which are checked first.
carom_status carom_elastic_given(carom_elastic_making *m);
carom_status carom_elastic_given_matrices(carom_elastic_making *m);
carom_status carom_elastic_given_points(carom_elastic_making *m);
/// Reduces what is put together to kept nodes and modes, where that is asked for.
carom_status carom_elastic_reduce(carom_elastic_making *m);
/// Takes mass and coordinates from nodes that meet stops; then what they are as expressions.
carom_status carom_elastic_stops(carom_elastic_making *m);
carom_status carom_elastic_stop_names(carom_elastic_making *m);
/// In place of an unknown: its node was reduced away.
enum { CAROM_ELASTIC_DROPPED = -2 };

#endif
