// SPDX-License-Identifier: Apache-2.0
// What joints and elements add to the drawing of bodies; each says it while it is made.
#ifndef CAROM_MODEL_BODY_DRAWING_H
#define CAROM_MODEL_BODY_DRAWING_H

#include "model/bodies/bodies.h"

/// Something of this kind at n points, in the colour of a body (NULL = the ground).
carom_status carom_sketch_add(carom_making *making, const char *kind, const carom_body *body,
                              const carom_vec *point, int n);
carom_status carom_sketch_disc(carom_making *making, const carom_body *body, carom_vec centre,
                               carom_ref radius);
/// A pin at p; on the ground a support.
carom_status carom_sketch_pivot(carom_making *making, const carom_body *first,
                                const carom_body *second, carom_vec p);
/// A rail through p1 along an axis, on which p2 slides.
carom_status carom_sketch_rail(carom_making *making, const carom_body *body, carom_vec p1,
                               carom_vec p2, carom_vec axis);
/// Adds the drawings of all bodies and sketches.
carom_status carom_bodies_draw(carom_making *making, carom_drawings *all);

#endif
