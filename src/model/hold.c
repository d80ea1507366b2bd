// SPDX-License-Identifier: Apache-2.0
// Forces on one side of their switches (conditions, sign, step, abs, min, max, points of linear
// tables of the state): a solver that locates events takes smooth steps from switch to switch. The
// side of switch k is the symbol CAROM_P number n_row + k: it stands behind the impulses of the
// rows. Gaps and rows are left as they are: their edges are those of patches. So are switches of
// slip rates and arrival speeds in friction and restitution: contacts decide on those.
#include "expr/hold_switches.h"

#include "model/making/lagrange.h"

static const unsigned of_forces = CAROM_MASS | CAROM_FORCES | CAROM_ACCELERATION | CAROM_D_FORCES |
                                  CAROM_D_MASS | CAROM_MOMENTUM | CAROM_POWER | CAROM_D_PARAMETER |
                                  CAROM_D_TIME | CAROM_COEFFICIENTS;

// those of the state, with the number of the symbol of each; -1 for the others
static bool choose_switches(carom_model *model, carom_lagrange *l, const carom_switches *all,
                            int *side)
{
    for (int i = 0; i < all->n; i++) {
        const carom_switch *it = &all->item[i];
        side[i] = -1;
        const bool is_of_law = carom_graph_kinds(l->graph, it->value) & 1u << CAROM_P;
        if (it->reach != CAROM_SWITCH_STATE || it->is_cubic || is_of_law) continue;
        carom_switch *chosen = CAROM_LIST_ADD(model->arena, &l->switches);
        if (!chosen) return false;
        *chosen = *it;
        side[i] = model->size.n_row + l->switches.n - 1;
    }
    return true;
}

static bool add_targets(carom_model *model, carom_lagrange *l, const carom_ref *held)
{
    int n = 0, bit_of_switches = 0;
    while (!(CAROM_SWITCHES >> bit_of_switches & 1)) bit_of_switches++;
    for (int bit = 0; bit < CAROM_N_FLAG; bit++)
        for (int k = 0; of_forces >> bit & 1 && k < l->target[bit].n; k++) {
            carom_target *target = CAROM_LIST_ADD(model->arena, &l->held[bit]);
            if (!target) return false;
            *target = (carom_target){held[n++], l->target[bit].item[k].offset};
        }
    model->layout.switches = carom_layout_take(&model->layout, l->switches.n);
    for (int k = 0; k < l->switches.n; k++) {
        carom_target *target = CAROM_LIST_ADD(model->arena, &l->target[bit_of_switches]);
        if (!target) return false;
        *target = (carom_target){l->switches.item[k].value, model->layout.switches + k};
    }
    return true;
}

bool carom_lagrange_hold(carom_model *model, carom_lagrange *l, carom_arena *scratch)
{
    carom_refs root = {0};
    carom_switches all;
    for (int bit = 0; bit < CAROM_N_FLAG; bit++)
        for (int k = 0; of_forces >> bit & 1 && k < l->target[bit].n; k++)
            if (!carom_refs_add(scratch, &root, l->target[bit].item[k].ref)) return false;
    if (carom_switches_find(l->graph, root.item, root.n, scratch, &all) != CAROM_OK) return false;
    int *side = CAROM_TAKE(scratch, int, all.n);
    carom_ref *held = CAROM_TAKE(scratch, carom_ref, root.n);
    if (!side || !held || !choose_switches(model, l, &all, side)) return false;
    model->size.n_switch = l->switches.n;
    model->switches = l->switches.item;
    if (l->switches.n == 0) return true;
    return carom_switches_hold(l->graph, &all, side, root.item, root.n, held) == CAROM_OK &&
           add_targets(model, l, held);
}
