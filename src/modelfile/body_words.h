// SPDX-License-Identifier: Apache-2.0
// Values that sections of bodies and of shapes read alike.
#ifndef CAROM_MODELFILE_BODY_WORDS_H
#define CAROM_MODELFILE_BODY_WORDS_H

#include "carom/shapes.h"
#include "modelfile/reader.h"

/// A point's name, or two or three components; NULL gives an absent vector.
carom_status carom_read_vector(const carom_node *node, carom_vector_text *vector,
                               carom_error *error);
/// How something is turned in space.
carom_status carom_read_turned(const carom_node *node, carom_turned_text *turned,
                               carom_error *error);
/// A word with all its values.
carom_status carom_read_word(carom_modelfile *file, const carom_node *node, carom_word_text *word,
                             carom_error *error);
/// yes or no, and whether it is what `on` says; unchanged where the node is NULL.
carom_status carom_read_switch(const carom_node *node, const char *on, bool *is_on,
                               carom_error *error);
/// The value of `shape`: one or a list.
carom_status carom_read_shapes(carom_modelfile *file, const carom_node *node, carom_body_text *body,
                               carom_error *error);

#endif
