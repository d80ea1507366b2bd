// SPDX-License-Identifier: Apache-2.0
// Section `beams`: chains of beam elements, written out as bodies and force elements.
#ifndef CAROM_MODELFILE_BEAMS_H
#define CAROM_MODELFILE_BEAMS_H

#include "modelfile/body_words.h"
#include "modelfile/reader.h"

enum { CAROM_BEAM_FREE, CAROM_BEAM_PINNED, CAROM_BEAM_FIXED };

typedef struct carom_beam_end {
    int how;
    carom_text body, rate;
    carom_vector_text at;
} carom_beam_end;

/// What the file says of a beam, and the texts that follow.
typedef struct carom_beam {
    carom_modelfile *file;
    const carom_node *node;
    carom_error *error;
    const char *name;
    carom_place place;
    int dim;
    carom_beam_end end[2];
    carom_text elements, length, beta, alpha;
    carom_vector_text nodes, along, velocity, spin, section_y;
    const char *n;                                // (N)
    const char *x[3];                             // of node i
    const char *A, *Iy, *Iz, *turning, *GA;       // of the section; GA may be NULL
    const char *E, *G, *rho;                      // of the material
    const carom_node *radius, *material, *colour; // of what touches
} carom_beam;

#define CAROM_BEAM_FORMAT(beam, ...) carom_arena_format((beam)->file->arena, __VA_ARGS__)

carom_section_reader carom_read_beams;

/// "the beam 'x' needs ...".
carom_status carom_beam_lacks(const carom_beam *beam, carom_place place, const char *what);
carom_status carom_beam_no_memory(const carom_beam *beam);
/// Gives the bodies and elements of a beam that was read to the builder.
carom_status carom_beam_write(carom_beam *beam);

#endif
