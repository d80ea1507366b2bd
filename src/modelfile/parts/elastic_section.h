// SPDX-License-Identifier: Apache-2.0
// Section `elastic`: linear bodies, their words flat ("section.radius"), their files read.
#ifndef CAROM_MODELFILE_ELASTIC_SECTION_H
#define CAROM_MODELFILE_ELASTIC_SECTION_H

#include "carom/elastic.h"
#include "modelfile/reader.h"

carom_section_reader carom_read_elastic;

/// Reads the matrices that `files` names.
carom_status carom_elastic_files_read(carom_modelfile *file, const carom_node *node,
                                      carom_elastic_matrices *matrices, carom_error *error);

#endif
