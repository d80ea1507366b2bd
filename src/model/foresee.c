// SPDX-License-Identifier: Apache-2.0
// What the laws of a model know of time alone, from its energies, forces, rows and patches: solvers
// that choose their steps must not step over it.
#include "model/making/lagrange.h"

static bool add_all(carom_arena *arena, carom_refs *to, const carom_ref *ref, int n)
{
    bool is_added = true;
    for (int i = 0; i < n; i++) is_added &= carom_refs_add(arena, to, ref[i]);
    return is_added;
}

bool carom_lagrange_foresee(carom_model *model, carom_lagrange *l, carom_arena *scratch)
{
    carom_refs root = {0};
    bool is_added = add_all(scratch, &root, l->kinetic.item, l->kinetic.n) &&
                    add_all(scratch, &root, l->potential.item, l->potential.n) &&
                    add_all(scratch, &root, l->applied, model->size.nu);
    for (int r = 0; r < l->row.n; r++)
        is_added &= carom_refs_add(scratch, &root, l->row.item[r].value);
    for (int c = 0; c < l->domain.n; c++)
        is_added &= carom_refs_add(scratch, &root, l->domain.item[c].where);
    is_added = is_added && add_all(scratch, &root, l->limit.item, l->limit.n);
    if (!is_added) return false;
    model->clock = &l->clock;
    return carom_clock_make(l->graph, root.item, root.n, model->arena, &l->clock) == CAROM_OK;
}
