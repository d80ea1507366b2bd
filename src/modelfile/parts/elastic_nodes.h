// SPDX-License-Identifier: Apache-2.0
// What the unknowns of matrices are: node, direction and place of each.
#ifndef CAROM_MODELFILE_ELASTIC_NODES_H
#define CAROM_MODELFILE_ELASTIC_NODES_H

#include "carom/elastic.h"
#include "modelfile/reader.h"

/// A file that a model names, as text.
carom_status carom_elastic_file_load(carom_modelfile *file, const carom_node *node,
                                     carom_source *source, carom_error *error);
/// Reads the table of nodes and, where it is given, the order of the unknowns; matrices->n is
/// known.
carom_status carom_elastic_nodes_read(carom_modelfile *file, const carom_node *nodes,
                                      const carom_node *order, carom_elastic_matrices *matrices,
                                      carom_error *error);

#endif
