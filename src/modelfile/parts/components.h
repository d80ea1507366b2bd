// SPDX-License-Identifier: Apache-2.0
// Components: parts of a model that can be used several times. A component is a mapping of sections
// with parameters of its own; each use is one more file of the model, made from it:
//
//     components: {drive: {parameters: {beam: body, at: point}, bodies: {wheel: ...}, ...}}
//     use: {lf: {drive: {beam: left, at: [0.68, 0.62, 0.1]}}}
//
// Names of things in the component get the name of the use before them (lf.wheel), in their
// declarations and in every text. Parameters are replaced by what is given for them: a body or
// joint by its name, a point by its name or components, a number by its text in brackets. A
// parameter says what it is (number, point, body, joint) or has a value that counts where none is
// given. Components may use others.
#ifndef CAROM_MODELFILE_COMPONENTS_H
#define CAROM_MODELFILE_COMPONENTS_H

#include "modelfile/parts/include.h"

/// Where sections stand in carom_part.section: their keys, and the two that are read here.
typedef struct carom_sections {
    const carom_field *field;
    int n, components, use;
} carom_sections;

/// Puts a part behind each part of the list for each of its uses. All that they write out has at
/// most limits->model_bytes.
carom_status carom_components_expand(carom_arena *arena, const carom_sections *sections,
                                     const carom_limits *limits, carom_part *first,
                                     carom_error *error);

#endif
