// SPDX-License-Identifier: Apache-2.0
// What the readers of the sections share: the file being read, and one function for each section.
#ifndef CAROM_MODELFILE_READER_H
#define CAROM_MODELFILE_READER_H

#include "carom/modelfile.h"
#include "modelfile/parts/include.h"

struct carom_modelfile {
    carom_access access; ///< while it is read
    carom_arena *arena;  ///< all texts, nodes and settings
    carom_builder *builder;
    carom_source source;        ///< the model's own
    const carom_origin *origin; ///< of the section that is being read
    carom_run_texts run;
};

typedef carom_status carom_section_reader(carom_modelfile *file, const carom_node *node,
                                          carom_error *error);
carom_section_reader carom_read_parameters, carom_read_coordinates, carom_read_define,
    carom_read_record, carom_read_kinetic, carom_read_potential, carom_read_forces,
    carom_read_constraints, carom_read_friction, carom_read_contacts, carom_read_tables,
    carom_read_run, carom_read_draw, carom_read_space, carom_read_gravity, carom_read_bodies,
    carom_read_joints, carom_read_motors, carom_read_elements, carom_read_start,
    carom_read_materials, carom_read_detection;

/// Reads one entry of a list section with the section's own function.
carom_status carom_read_each(carom_modelfile *file, const carom_node *node, const char *example,
                             carom_section_reader *read, carom_error *error);

#endif
