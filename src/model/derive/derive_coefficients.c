// SPDX-License-Identifier: Apache-2.0
// Coefficients of contacts that are expressions: e of the positions, t and the arrival speed, mu of
// the positions, t and the slip rate s, grip of the positions and t, and
//
//     d mu/d s, d mu/d q          what Newton's method of a contact that slides needs
//
// The arrival speed of a contact is the symbol CAROM_P of its normal row, s that of its first slip.
#include "model/derive/deriving.h"

#include "model/laws/coefficients.h"

static void want(carom_deriving *d, carom_ref ref, int offset)
{
    if (ref >= 0) carom_want_answer(d, CAROM_COEFFICIENTS, ref, offset);
}

void carom_derive_coefficients(carom_deriving *d)
{
    const int n = d->model->size.n_contact;
    carom_layout *layout = &d->model->layout;
    carom_layout_coefficients *at = &layout->coefficients;
    if (d->l->coefficients.n == 0) return;
    carom_ref *mu = carom_want_zeros(d, n);
    if (d->is_out) return;
    at->e = carom_layout_take(layout, n);
    at->mu = carom_layout_take(layout, n);
    at->grip = carom_layout_take(layout, n);
    at->slope = carom_layout_take(layout, n);
    for (int i = 0; i < d->l->coefficients.n; i++) {
        const carom_coefficients_given *given = &d->l->coefficients.item[i];
        const int c = given->contact, slip = d->model->contact[c].row + 1;
        want(d, given->e, at->e + c);
        want(d, given->mu, at->mu + c);
        want(d, given->grip, at->grip + c);
        if (given->mu < 0) continue;
        mu[c] = given->mu;
        want(d, carom_graph_derivative(d->g, given->mu, CAROM_P, slip), at->slope + c);
    }
    at->mu_q = carom_want_jacobian(d, CAROM_COEFFICIENTS, mu, n, CAROM_Q);
}
