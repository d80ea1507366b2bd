// SPDX-License-Identifier: Apache-2.0
// Room for slots in the answers. The programs of the model write what they always did, where they
// always did; matrices that slots have a part in are put together elsewhere:
//
//     W          all rows one after the other, those of slots as long as their bodies have
//                velocities: the pattern changes with the slots, each evaluation has its own
//     dgamma_dq  rows of slots have all columns
//     dWP_dq     all rows and columns
//
// The last two keep one pattern for the whole run, as Newton matrices want it. Where there are more
// than 128 velocities they have no room for the slots: one entry in a row, which is 0, says that
// these rows are not constant.
#include "model/touch/near.h"

#include <string.h>

static bool lay_out_rows(carom_model *model, carom_near *near)
{
    const int n_row = model->size.n_row;
    const int width = near->dim == 2 ? 6 : CAROM_SLOT_WIDTH;
    const int n_wide = near->n_slot * (near->n_row + carom_near_n_turn(near));
    const int room = near->W.start[n_row] + n_wide * width;
    int *start = CAROM_TAKE(model->arena, int, n_row + 1);
    model->layout.W =
        (carom_pattern){n_row, model->size.nu, start, CAROM_TAKE(model->arena, int, room),
                        carom_layout_take(&model->layout, room)};
    if (!start || !model->layout.W.index) return false;
    start[n_row] = room; // tells how much room an evaluation needs
    model->rows_change_pattern = true;
    return true;
}

// the columns of one row; own: the entries that it has anyway
static int list_columns(const carom_pattern *fixed, int r, bool is_slot, bool is_full, int *column)
{
    const int *own = fixed->index + fixed->start[r], n_own = fixed->start[r + 1] - fixed->start[r];
    const int n = fixed->n_column, extra = r < n ? r : 0;
    if (is_slot && is_full) {
        for (int k = 0; k < n; k++) column[k] = k;
        return n;
    }
    int at = 0, k = 0;
    for (; k < n_own && (!is_slot || own[k] < extra); k++) column[at++] = own[k];
    if (is_slot) column[at++] = extra;
    for (k += is_slot && k < n_own && own[k] == extra; k < n_own; k++) column[at++] = own[k];
    return at;
}

// the same with room for slots in the rows from first to last
static bool lay_out_with(carom_model *model, const carom_pattern *fixed, int first, int last,
                         carom_pattern *with)
{
    const int n_row = fixed->n_row, n = model->size.nu;
    const bool is_full = n <= CAROM_NEAR_DENSE;
    int *column = CAROM_TAKE(model->arena, int, n + 1);
    int n_entry = 0;
    *with = (carom_pattern){n_row, n, CAROM_TAKE(model->arena, int, n_row + 1), NULL, 0};
    if (!with->start || !column) return false;
    for (int r = 0; r < n_row; r++)
        n_entry += list_columns(fixed, r, r >= first && r < last, is_full, column);
    with->index = CAROM_TAKE(model->arena, int, n_entry);
    with->offset = carom_layout_take(&model->layout, n_entry);
    if (!with->index) return false;
    for (int r = 0; r < n_row; r++)
        with->start[r + 1] = with->start[r] + list_columns(fixed, r, r >= first && r < last,
                                                           is_full, with->index + with->start[r]);
    return true;
}

// places[k]: of entry k of one pattern in one with more entries
static int *find_places(carom_model *model, const carom_pattern *fixed, const carom_pattern *with)
{
    int *place = CAROM_TAKE(model->arena, int, fixed->start[fixed->n_row]);
    for (int r = 0; place && r < fixed->n_row; r++)
        for (int k = fixed->start[r], at = with->start[r]; k < fixed->start[r + 1]; k++) {
            while (with->index[at] != fixed->index[k]) at++;
            place[k] = at;
        }
    return place;
}

bool carom_near_lay_out(carom_model *model, carom_near *near)
{
    carom_layout *layout = &model->layout;
    int first, last;
    carom_near_rows(model, near, &first, &last);
    near->W = layout->W;
    near->dgamma_dq = layout->dgamma_dq;
    near->dWP_dq = layout->dWP_dq;
    if (!lay_out_rows(model, near) ||
        !lay_out_with(model, &near->dgamma_dq, first, last, &layout->dgamma_dq) ||
        !lay_out_with(model, &near->dWP_dq, 0, model->size.nu, &layout->dWP_dq))
        return false;
    near->push_place = find_places(model, &near->dWP_dq, &layout->dWP_dq);
    return near->push_place != NULL;
}

static int *put_columns(const carom_near *near, const carom_near_slot *slot, int *index)
{
    const int first = carom_near_first(near, slot->body);
    for (int k = 0; k < 2; k++) {
        const carom_near_body *body = &near->body[slot->body[k == 0 ? first : !first]];
        for (int i = 0; i < body->n; i++) *index++ = body->u[i];
    }
    return index;
}

// the slot whose row this is, k rows behind the first of all; -1 for the normal of a disc
static int slot_of(const carom_near *near, int k)
{
    const int n_own = near->n_slot * near->n_row,
              n_of_discs = near->n_disc + carom_near_n_turn(near);
    if (k < n_own) return k / near->n_row;
    const int at = (k - n_own) % n_of_discs; // normal and turns of rolling, then of spinning
    return at == 0 || at == 3 ? -1 : (k - n_own) / n_of_discs;
}

void carom_nearby_write_pattern(const carom_nearby *nearby, int *start, int *index)
{
    const carom_near *near = nearby->near;
    const carom_pattern *fixed = &near->W;
    int first, last;
    carom_near_rows(nearby->plan->model, near, &first, &last);
    int *at = index;
    for (int r = 0; r < fixed->n_row; r++) {
        start[r] = (int)(at - index);
        if (r >= first && r < last) {
            const int slot = slot_of(near, r - first);
            if (slot >= 0 && nearby->slot[slot].used_in == nearby->n_choice)
                at = put_columns(near, &nearby->slot[slot], at);
            continue;
        }
        const int n = fixed->start[r + 1] - fixed->start[r];
        memcpy(at, fixed->index + fixed->start[r], sizeof(int) * (size_t)n);
        at += n;
    }
    start[fixed->n_row] = (int)(at - index);
}
