// SPDX-License-Identifier: Apache-2.0
// Where the energy goes between events, by Lobatto's rule with 5 points on the dense output of a step:
//
//     friction_loss = -int la_T.gamma_T dt      on contacts that slide
//     obstacle_work = -int la.w0 dt             on all held rows
#include "smooth/hybrid.h"

#include <math.h>

// both powers at the point last looked at
static void powers(const carom_hybrid *h, double *friction, double *obstacle)
{
    const carom_sizes n = h->s->size;
    *friction = *obstacle = 0;
    for (int r = 0; r < n.n_row; r++) *obstacle -= h->la[r] * h->ev->w0[r];
    for (int c = 0; c < n.n_contact; c++) {
        const carom_contact_facts *facts = carom_model_contact(h->s->model, c);
        if (h->contact.mode[c] != CAROM_MODE_SLIDE) continue;
        for (int k = 1; k <= facts->n_slip; k++) *friction -= h->la[facts->row + k] * h->gamma[facts->row + k];
    }
}

static bool is_needed(const carom_hybrid *h)
{
    bool is_moving = false;
    for (int c = 0; c < h->s->size.n_contact; c++) is_moving |= h->contact.mode[c] == CAROM_MODE_SLIDE;
    for (int r = 0; r < h->s->size.n_row; r++) is_moving |= h->flow->rows.is_held[r] && h->ev->w0[r] != 0;
    return is_moving;
}

static carom_status look_at(carom_hybrid *h, double x)
{
    carom_flow *flow = h->flow;
    if (x >= 1) return carom_hybrid_look(h, h->next.t, h->next.q, h->next.u, false);
    CAROM_TRY(flow->solver->search(flow, x, h->q, h->u));
    return carom_hybrid_look(h, h->now.t + x * flow->h, h->q, h->u, false);
}

carom_status carom_hybrid_account(carom_hybrid *h)
{
    static const double node[] = {0, 0.17267316464601142810, 0.5, 0.82732683535398857190};
    static const double weight[] = {1. / 20, 49. / 180, 16. / 45, 49. / 180};
    double friction, obstacle;
    const double length = h->flow->h;
    // the end comes last, so that what was last looked at is the end
    for (int k = 0; k < 4 && length > 0; k++) {
        CAROM_TRY(look_at(h, node[k]));
        if (k == 0 && !is_needed(h)) break;
        powers(h, &friction, &obstacle);
        h->s->report.friction_loss += length * weight[k] * friction;
        h->s->report.obstacle_work += length * weight[k] * obstacle;
    }
    CAROM_TRY(look_at(h, 1));
    powers(h, &friction, &obstacle);
    h->s->report.friction_loss += length / 20 * friction;
    h->s->report.obstacle_work += length / 20 * obstacle;
    for (int r = 0; r < h->s->size.n_row; r++) h->next.la[r] = h->la[r];
    for (int c = 0; c < h->s->size.n_contact; c++) {
        h->contact.slip_scale[c] = fmax(h->contact.slip_scale[c], carom_hybrid_slip(h, c));
        h->s->report.has_contact |= h->la[carom_model_contact(h->s->model, c)->row] > 0;
    }
    return CAROM_OK;
}
