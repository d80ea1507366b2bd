// SPDX-License-Identifier: Apache-2.0
// Shapes whose contacts come and go, while a model is made: what is handed over by those who read
// shapes, materials and detection.
#ifndef CAROM_MODEL_MAKING_NEAR_H
#define CAROM_MODEL_MAKING_NEAR_H

#include "model/making/making.h"
#include "model/touch/near.h"

/// A shape on a body (number among carom_bodies.body), in the model's arena.
typedef struct carom_near_shape_given {
    const carom_shape *shape;
    const char *name; ///< of the body, or of the shape where it has one
    int body, material;
} carom_near_shape_given;

typedef struct carom_near_given {
    CAROM_LIST(carom_near_shape_given) shape;
    int n_material;
    carom_near_law *law; ///< (n_material x n_material), both halves; e < 0: the pair is not known
    /// Pairs of shapes i < j that are not looked for: as i n_shape + j, in any order.
    CAROM_LIST(long long) apart;
} carom_near_given;

#endif
