// SPDX-License-Identifier: Apache-2.0
// A contact whose gap or slip has kinks becomes one patch for each smooth piece, as if these had
// been written under 'surface'; what cannot be cut is refused with the way out.
#include "model/making/making.h"

#include <stdio.h>

static void name_symbol(void *self, carom_symbol kind, int index, char *buffer, size_t room)
{
    const carom_making *making = self;
    if (kind == CAROM_TIME)
        snprintf(buffer, room, "t");
    else if (kind == CAROM_PARAMETER)
        snprintf(buffer, room, "%s",
                 making->builder->parameter.item[making->live_number.item[index]].name.text);
    else if (kind == CAROM_U)
        snprintf(buffer, room, "%s", making->model->names.velocity[index]);
    else if (kind == CAROM_R)
        snprintf(buffer, room, "%s.R%d%d", making->rotation.item[index / 9], index / 3 % 3 + 1,
                 index % 3 + 1);
    else
        snprintf(buffer, room, "%s", making->model->names.coordinate[index]);
}

carom_status carom_making_pieces(carom_making *making, carom_text gap, const carom_ref *root,
                                 int n_root, carom_pieces *pieces)
{
    char culprit[160] = "";
    if (carom_pieces_cut(making->graph, root, n_root, making->arena, pieces) != CAROM_OK)
        return carom_making_no_memory(making);
    for (int k = 0; k < n_root && (pieces->n > 1 || pieces->verdict != CAROM_PIECES_FOUND); k++)
        if (carom_graph_kinds(making->graph, root[k]) & 1u << CAROM_PARAMETER)
            return carom_making_refuse_live(making, root[k], gap.place,
                                            "the pieces of a gap with kinks");
    carom_graph_print(making->graph, pieces->culprit, name_symbol, making, culprit, sizeof culprit);
    switch (pieces->verdict) {
    case CAROM_PIECES_FOUND:
        break;
    case CAROM_PIECES_MANY:
        return carom_fail_at(making->error, gap.place, CAROM_BAD_INPUT,
                             "the gap has more than %d smooth pieces (at %s); use a table of kind "
                             "cubic, or fewer points",
                             CAROM_MOST_PIECES, culprit);
    case CAROM_PIECES_ENDLESS:
        return carom_fail_at(
            making->error, gap.place, CAROM_BAD_INPUT,
            "%s has no end of kinks, which a gap cannot have; use a periodic table", culprit);
    case CAROM_PIECES_JUMP:
        return carom_fail_at(making->error, gap.place, CAROM_BAD_INPUT,
                             "the gap jumps where %s does: a surface has no edge without a wall; "
                             "give each part as a patch under 'surface', and the wall too",
                             culprit);
    }
    return CAROM_OK;
}
