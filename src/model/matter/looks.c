// SPDX-License-Identifier: Apache-2.0
// What the shapes of a model look like, for pages.
#include "model/matter/matter.h"

#include <math.h>

// how far shapes with an end reach from the origin of space at the start
static double measure_extent(const carom_making *making)
{
    const carom_matter *matter = making->bodies->matter;
    double most = 0;
    for (int i = 0; i < matter->solid.n; i++) {
        const carom_solid *solid = &matter->solid.item[i];
        const double reach = carom_shape_reach(solid->shape);
        const carom_placement at = carom_matter_start(making, solid->body);
        const double far = hypot(hypot(at.r[0], at.r[1]), at.r[2]) + reach;
        if (isfinite(far) && far > most) most = far;
    }
    return most > 0 ? 2 * most : 1;
}

carom_status carom_matter_show(carom_making *making)
{
    if (!making->bodies) return CAROM_OK;
    carom_matter *matter = making->bodies->matter;
    carom_arena *arena = making->model->arena;
    const double extent = measure_extent(making);
    const bool is_space = carom_bodies_in_space(making); // triangles are many more than chords
    for (int i = 0; i < matter->solid.n; i++) {
        const carom_solid *solid = &matter->solid.item[i];
        const double size = carom_shape_size(solid->shape), part = is_space ? 1e-2 : 1e-3;
        carom_shape_look look = {0};
        carom_shape_facts *facts = CAROM_LIST_ADD(arena, &matter->look);
        if (!facts || !carom_shape_show(solid->shape, extent,
                                        part * (isfinite(size) ? size : extent), arena, &look))
            return carom_making_no_memory(making);
        *facts = (carom_shape_facts){
            .body = solid->body,
            .kind = solid->kind,
            .name = solid->name,
            .material = solid->material < 0 ? NULL : matter->material.item[solid->material],
            .colour = solid->colour,
            .n_point = look.n_point,
            .point = look.point,
            .n_line = look.n_line,
            .line = look.line,
            .n_triangle = look.n_triangle,
            .triangle = look.triangle};
    }
    making->model->matter = matter;
    return CAROM_OK;
}

int carom_model_shape_count(const carom_model *model)
{
    return model && model->matter ? model->matter->look.n : 0;
}

const carom_shape_facts *carom_model_shape(const carom_model *model, int shape)
{
    return shape >= 0 && shape < carom_model_shape_count(model) ? &model->matter->look.item[shape]
                                                                : NULL;
}
