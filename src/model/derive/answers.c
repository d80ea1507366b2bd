// SPDX-License-Identifier: Apache-2.0
// Answers of a model while they are derived: each takes a place in the layout, and its flag asks
// for its node. Matrices are collected by rows.
#include "model/derive/deriving.h"

#include "model/elastic/elastic.h"

// numbers are written once where matrices of elastic bodies make thousands of them
static bool is_constant(carom_deriving *d, carom_ref ref, int offset)
{
    double value;
    if (!d->elastics || !carom_graph_is_number(d->g, ref, &value)) return false;
    carom_elastic_constant *constant = CAROM_LIST_ADD(d->scratch, &d->elastics->found);
    if (constant) *constant = (carom_elastic_constant){offset, value};
    d->is_out |= !constant;
    return true;
}

// the value of ref goes to offset whenever flag is asked for; the block of answers starts as zeros
void carom_want_answer(carom_deriving *d, int flag, carom_ref ref, int offset)
{
    if (carom_graph_is_zero(d->g, ref) || is_constant(d, ref, offset)) return;
    int bit = 0;
    while (!(flag >> bit & 1)) bit++;
    carom_target *target = CAROM_LIST_ADD(d->model->arena, &d->l->target[bit]);
    if (target) *target = (carom_target){ref, offset};
    d->is_out |= !target;
}

int carom_want_vector(carom_deriving *d, int flag, const carom_ref *ref, int n)
{
    const int offset = carom_layout_take(&d->model->layout, n);
    for (int i = 0; i < n; i++) carom_want_answer(d, flag, ref[i], offset + i);
    return offset;
}

int carom_want_number(carom_deriving *d, int flag, carom_ref ref)
{
    return carom_want_vector(d, flag, &ref, 1);
}

carom_gradient carom_want_gradient(carom_deriving *d, carom_ref root, carom_symbol kind)
{
    carom_gradient result = {0};
    if (carom_graph_gradient(d->g, root, kind, &result) != CAROM_OK) {
        d->is_out = true;
        result.n = 0;
    }
    return result;
}

carom_ref *carom_want_zeros(carom_deriving *d, int n)
{
    carom_ref *ref = CAROM_TAKE(d->scratch, carom_ref, n);
    d->is_out |= !ref;
    for (int i = 0; ref && i < n; i++) ref[i] = carom_graph_number(d->g, 0);
    return ref;
}

void carom_collect_entry(carom_deriving *d, carom_collected *m, int column, carom_ref ref)
{
    int *index = CAROM_LIST_ADD(d->scratch, &m->index);
    carom_ref *entry = CAROM_LIST_ADD(d->scratch, &m->ref);
    d->is_out |= !index || !entry;
    if (d->is_out) return;
    *index = column;
    *entry = ref;
}

carom_collected carom_collect_rows(carom_deriving *d, int n_row, int n_column)
{
    carom_collected m = {.n_row = n_row, .n_column = n_column};
    m.start = CAROM_TAKE(d->model->arena, int, n_row + 1);
    d->is_out |= !m.start;
    return m;
}

carom_pattern carom_want_matrix(carom_deriving *d, const carom_collected *m, int flag)
{
    carom_pattern pattern = {m->n_row, m->n_column, m->start,
                             CAROM_TAKE(d->model->arena, int, m->index.n), 0};
    d->is_out |= !pattern.index;
    pattern.offset = carom_layout_take(&d->model->layout, m->index.n);
    for (int k = 0; !d->is_out && k < m->index.n; k++) {
        pattern.index[k] = m->index.item[k];
        carom_want_answer(d, flag, m->ref.item[k], pattern.offset + k);
    }
    return pattern;
}

carom_pattern carom_want_jacobian(carom_deriving *d, int flag, const carom_ref *value, int n_row,
                                  carom_symbol kind)
{
    const int n_column = kind == CAROM_PARAMETER ? d->l->n_live : kind == CAROM_TIME ? 1 : d->n;
    carom_collected m = carom_collect_rows(d, n_row, n_column);
    for (int r = 0; !d->is_out && r < n_row; r++) {
        const carom_gradient row = carom_want_gradient(d, value[r], kind);
        for (int k = 0; k < row.n; k++) carom_collect_entry(d, &m, row.index[k], row.ref[k]);
        m.start[r + 1] = m.index.n;
    }
    return carom_want_matrix(d, &m, flag);
}
