// SPDX-License-Identifier: Apache-2.0
// (being written)
#include "modelfile/parts/elastic.h"
carom_status carom_elastic_files_read(carom_modelfile *file, const carom_node *node,
                                      carom_elastic_matrices *matrices, carom_error *error)
{
    (void)file, (void)matrices;
    return carom_fail_at(error, node->place, CAROM_BAD_INPUT, "files: not yet");
}
