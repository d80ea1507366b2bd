// SPDX-License-Identifier: Apache-2.0
// Derivatives of the motion's equations that no scheme needs, but its variations do:
//
//     W a + curvature      by q, u, live parameters p, explicit time t     (accelerations of rows)
//     f,  W'P - M a        by p, t
//     W u + w0             by p, t
//     gaps, equations      by p
//     e, e_t, mu, start    by p
//     records, switches    by q, u, p, t
//
// all exactly: those of curvature by q are third derivatives of gaps.
#include "model/derive/deriving.h"

// W a + curvature; a given rate is s(t, q, u), whose rows are its derivatives by u
static carom_ref *row_accelerations(carom_deriving *d)
{
    const int n_row = d->l->row.n;
    carom_ref *sum = carom_want_zeros(d, n_row);
    for (int r = 0; !d->is_out && r < n_row; r++) {
        const carom_gradient row = carom_want_gradient(d, d->gamma[r], CAROM_U);
        sum[r] = d->curvature[r];
        for (int k = 0; k < row.n; k++) {
            const carom_ref a = carom_graph_symbol(d->g, CAROM_A, row.index[k]);
            sum[r] = carom_graph_add(d->g, sum[r], carom_graph_mul(d->g, row.ref[k], a));
        }
    }
    return sum;
}

static carom_ref *pushes(carom_deriving *d)
{
    carom_ref *push = carom_want_zeros(d, d->n);
    for (int i = 0; !d->is_out && i < d->n; i++)
        push[i] = carom_graph_sub(d->g, d->WP[i], d->Ma[i]);
    return push;
}

static carom_ref *gaps(carom_deriving *d)
{
    const carom_sizes *size = &d->model->size;
    carom_ref *value = carom_want_zeros(d, size->n_constraint + size->n_contact);
    for (int r = 0; !d->is_out && r < size->n_constraint; r++)
        if (!d->l->row.item[r].is_rate) value[r] = d->l->row.item[r].value;
    for (int c = 0; !d->is_out && c < size->n_contact - size->n_disc; c++)
        value[size->n_constraint + c] = d->l->row.item[d->model->contact[c].row].value;
    return value;
}

static int put(carom_ref *to, int n, const carom_refs *from)
{
    for (int i = 0; i < from->n; i++)
        if (from->item[i] >= 0) to[n + i] = from->item[i];
    return n + from->n;
}

// factors of contacts, then the start
static carom_ref *givens(carom_deriving *d, int *n)
{
    const carom_lagrange *l = d->l;
    const carom_sizes *size = &d->model->size;
    *n = 3 * size->n_contact + size->nq + size->nu;
    carom_ref *value = carom_want_zeros(d, *n);
    if (d->is_out || l->factor.n != 3 * size->n_contact || l->q0.n != size->nq ||
        l->u0.n != size->nu)
        return value;
    int at = put(value, 0, &l->factor);
    at = put(value, at, &l->q0);
    put(value, at, &l->u0);
    return value;
}

static void derive_records(carom_deriving *d)
{
    carom_layout_variation *v = &d->model->layout.variation;
    const int n = d->l->record.n;
    const carom_ref *record = d->l->record.item;
    v->record_q = carom_want_jacobian(d, CAROM_D_RECORD, record, n, CAROM_Q);
    v->record_u = carom_want_jacobian(d, CAROM_D_RECORD, record, n, CAROM_U);
    v->record_p = carom_want_jacobian(d, CAROM_D_RECORD, record, n, CAROM_PARAMETER);
    v->record_t = carom_want_jacobian(d, CAROM_D_RECORD, record, n, CAROM_TIME);
}

void carom_derive_variations(carom_deriving *d)
{
    carom_layout_variation *v = &d->model->layout.variation;
    const carom_sizes *size = &d->model->size;
    const int n = d->n, n_row = d->l->row.n;
    int n_given;
    const carom_ref *acceleration = row_accelerations(d), *push = pushes(d), *gap = gaps(d),
                    *given = givens(d, &n_given);
    if (d->is_out) return;
    v->is_there = true;
    v->acceleration_q = carom_want_jacobian(d, CAROM_D_CURVATURE, acceleration, n_row, CAROM_Q);
    v->acceleration_u = carom_want_jacobian(d, CAROM_D_CURVATURE, acceleration, n_row, CAROM_U);
    const int by_p = CAROM_D_PARAMETER, by_t = CAROM_D_TIME;
    v->acceleration_p = carom_want_jacobian(d, by_p, acceleration, n_row, CAROM_PARAMETER);
    v->force_p = carom_want_jacobian(d, by_p, d->f, n, CAROM_PARAMETER);
    v->push_p = carom_want_jacobian(d, by_p, push, n, CAROM_PARAMETER);
    v->rate_p = carom_want_jacobian(d, by_p, d->gamma, n_row, CAROM_PARAMETER);
    v->gap_p =
        carom_want_jacobian(d, by_p, gap, size->n_constraint + size->n_contact, CAROM_PARAMETER);
    v->given_p = carom_want_jacobian(d, by_p, given, n_given, CAROM_PARAMETER);
    v->acceleration_t = carom_want_jacobian(d, by_t, acceleration, n_row, CAROM_TIME);
    v->force_t = carom_want_jacobian(d, by_t, d->f, n, CAROM_TIME);
    v->push_t = carom_want_jacobian(d, by_t, push, n, CAROM_TIME);
    v->rate_t = carom_want_jacobian(d, by_t, d->gamma, n_row, CAROM_TIME);
    derive_records(d);
}

void carom_derive_switches(carom_deriving *d)
{
    carom_layout_variation *v = &d->model->layout.variation;
    const int n = d->l->switches.n;
    carom_ref *value = carom_want_zeros(d, n);
    for (int k = 0; !d->is_out && k < n; k++) value[k] = d->l->switches.item[k].value;
    if (d->is_out) return;
    v->switch_q = carom_want_jacobian(d, CAROM_D_RECORD, value, n, CAROM_Q);
    v->switch_u = carom_want_jacobian(d, CAROM_D_RECORD, value, n, CAROM_U);
    v->switch_p = carom_want_jacobian(d, CAROM_D_RECORD, value, n, CAROM_PARAMETER);
    v->switch_t = carom_want_jacobian(d, CAROM_D_RECORD, value, n, CAROM_TIME);
}
