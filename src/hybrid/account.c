// SPDX-License-Identifier: Apache-2.0
// Where the energy goes between events, by Lobatto's rule with 5 points on the dense output of a
// step:
//
//     friction_loss = -int la_T.gamma_T dt      on contacts that slide
//     obstacle_work = -int la.w0 dt             on all held rows
//     applied_work  =  int power dt             of applied forces and explicit time
#include "hybrid/hybrid.h"

#include "model/model.h"

#include <math.h>

// adds the work of a time dt at the point last looked at
static void add_work(carom_hybrid *h, double dt)
{
    const carom_sizes n = h->s->size;
    carom_step_report *report = &h->s->report;
    if (report->has_applied_work) report->applied_work += dt * h->seen.ev->energy.power;
    for (int r = 0; r < n.n_row; r++)
        report->obstacle_work -= dt * h->seen.la[r] * h->seen.ev->rows.w0[r];
    for (int c = 0; c < n.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
        if (h->memory.contact.mode[c] != CAROM_MODE_SLIDE) continue;
        for (int k = 1; k <= facts->n_slip; k++)
            report->friction_loss -=
                dt * h->seen.la[facts->row + k] * h->seen.gamma[facts->row + k];
    }
}

static bool is_needed(const carom_hybrid *h)
{
    bool is_moving = h->s->report.has_applied_work;
    for (int c = 0; c < h->s->size.n_contact; c++)
        is_moving |= h->memory.contact.mode[c] == CAROM_MODE_SLIDE;
    for (int r = 0; r < h->s->size.n_row; r++)
        is_moving |= h->flow->rows.is_held[r] && h->seen.ev->rows.w0[r] != 0;
    return is_moving;
}

static carom_status look_at(carom_hybrid *h, double t, const double *q, const double *u)
{
    CAROM_TRY(carom_hybrid_look_at(h, t, q, u, false));
    if (!h->s->report.has_applied_work) return CAROM_OK;
    const carom_point at = {.t = t, .q = q, .u = u, .holds = h->s->holds};
    return carom_model_eval(h->s->plan, &at, CAROM_POWER, h->seen.ev, h->s->error);
}

carom_status carom_hybrid_account_energy(carom_hybrid *h)
{
    static const double node[] = {0, 0.17267316464601142810, 0.5, 0.82732683535398857190};
    static const double weight[] = {1. / 20, 49. / 180, 16. / 45, 49. / 180};
    carom_flow *flow = h->flow;
    const int n_obstacle = h->s->size.n_contact - h->s->size.n_disc;
    h->s->report.has_applied_work = carom_model_has_power(h->s->model);
    // the end comes last, so that what was last looked at is the end
    for (int k = 0; k < 4 && flow->h > 0; k++) {
        CAROM_TRY(flow->solver->search(flow, node[k], h->seen.q, h->seen.u));
        CAROM_TRY(look_at(h, h->now.t + node[k] * flow->h, h->seen.q, h->seen.u));
        if (k == 0 && !is_needed(h)) break;
        add_work(h, weight[k] * flow->h);
    }
    CAROM_TRY(look_at(h, h->next.t, h->next.q, h->next.u));
    add_work(h, flow->h / 20);
    for (int r = 0; r < h->s->size.n_row; r++) h->next.la[r] = h->seen.la[r];
    for (int c = 0; c < h->s->size.n_contact; c++) {
        h->memory.contact.slip_scale[c] =
            fmax(h->memory.contact.slip_scale[c], carom_hybrid_slip(h, c));
        if (isfinite(h->seen.gap[c]))
            h->memory.contact.gap_scale[c] =
                fmax(h->memory.contact.gap_scale[c], fabs(h->seen.gap[c]));
        if (h->memory.contact.mode[c] == CAROM_MODE_SLIDE &&
            carom_plan_contact(h->s->plan, c)->n_slip == 2)
            carom_hybrid_set_still(h, c, false);
        if (c >= n_obstacle) continue;
        h->s->report.has_contact |= h->seen.la[carom_plan_contact(h->s->plan, c)->row] > 0;
    }
    return CAROM_OK;
}
