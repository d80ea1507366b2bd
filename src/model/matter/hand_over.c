// SPDX-License-Identifier: Apache-2.0
// What does not last is handed over to slots (model/making/making_near.h): shapes that can touch
// others so, the laws of all pairs of materials, and pairs of shapes that are not looked for.
#include "model/making/making_near.h"
#include "model/matter/matter.h"

// whether slots look for a contact of two solids
static bool is_open(const carom_matter *matter, int i, int j)
{
    return carom_matter_can_meet(matter, i, j) && !carom_matter_is_lasting(matter, i, j);
}

static bool has_open(const carom_matter *matter, int i)
{
    for (int j = 0; j < matter->solid.n; j++)
        if (j != i && is_open(matter, i, j)) return true;
    return false;
}

// number (solids): of each among those handed over, -1 = it is not
static carom_status give_shapes(carom_making *making, carom_near_given *near, int *number)
{
    const carom_matter *matter = making->bodies->matter;
    for (int i = 0; i < matter->solid.n; i++) {
        const carom_solid *solid = &matter->solid.item[i];
        number[i] = -1;
        if (!has_open(matter, i)) continue;
        number[i] = near->shape.n;
        carom_near_shape_given *given = CAROM_LIST_ADD(making->arena, &near->shape);
        if (!given) return carom_making_no_memory(making);
        *given = (carom_near_shape_given){
            .shape = solid->shape,
            .name = solid->name ? solid->name : making->bodies->body.item[solid->body].name,
            .body = solid->body,
            .material = solid->material < 0 ? 0 : solid->material};
    }
    return CAROM_OK;
}

static carom_status give_apart(carom_making *making, carom_near_given *near, const int *number)
{
    const carom_matter *matter = making->bodies->matter;
    for (int i = 0; i < matter->solid.n; i++)
        for (int j = i + 1; j < matter->solid.n; j++) {
            if (number[i] < 0 || number[j] < 0 || is_open(matter, i, j)) continue;
            if (matter->solid.item[i].body == matter->solid.item[j].body) continue;
            long long *apart = CAROM_LIST_ADD(making->arena, &near->apart);
            if (!apart) return carom_making_no_memory(making);
            *apart = (long long)number[i] * near->shape.n + number[j];
        }
    return CAROM_OK;
}

static carom_status give_laws(carom_making *making, carom_near_given *near)
{
    carom_matter *matter = making->bodies->matter;
    const int n = matter->material.n;
    for (int k = 0; k < matter->pair.n; k++) CAROM_TRY(carom_matter_numbers(making, k));
    near->n_material = n;
    near->law = CAROM_TAKE(making->arena, carom_near_law, n * n);
    if (!near->law) return carom_making_no_memory(making);
    for (int i = 0; i < n * n; i++) {
        const int k = carom_matter_pair_of(matter, i / n, i % n);
        const carom_material_pair *pair = k < 0 ? NULL : &matter->pair.item[k];
        near->law[i] =
            pair ? (carom_near_law){pair->e, pair->e_t, pair->mu} : (carom_near_law){.e = -1};
    }
    return CAROM_OK;
}

carom_status carom_matter_hand_over(carom_making *making)
{
    carom_near_given *near = CAROM_TAKE(making->arena, carom_near_given, 1);
    int *number = CAROM_TAKE(making->arena, int, making->bodies->matter->solid.n);
    if (!near || !number) return carom_making_no_memory(making);
    CAROM_TRY(give_shapes(making, near, number));
    CAROM_TRY(give_apart(making, near, number));
    CAROM_TRY(give_laws(making, near));
    making->near = near;
    return CAROM_OK;
}
