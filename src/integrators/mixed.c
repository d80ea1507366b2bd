// SPDX-License-Identifier: Apache-2.0
// Gaps and rows between two positions; see the header.
#include "integrators/mixed.h"

#include "dynamics/law.h"
#include "model/plan.h"
#include "model/slots/slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct carom_mixed {
    int n;
    double e[]; // (n_contact + 1)
};

carom_status carom_mixed_new(const carom_plan *plan, carom_mixed **mixed, carom_error *error)
{
    carom_mixed *all = calloc(1, sizeof *all + sizeof(double) * (size_t)(plan->n_contact + 1));
    *mixed = all;
    if (!all) return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for the scheme");
    carom_mixed_renew(plan, all);
    return CAROM_OK;
}

// a slot without a contact
static bool is_empty(const carom_plan *plan, int contact)
{
    return plan->slots && plan->slots->slot[contact].key == 0;
}

void carom_mixed_renew(const carom_plan *plan, carom_mixed *all)
{
    all->n = 0;
    for (int c = 0; c < plan->n_contact; c++) {
        if (is_empty(plan, c)) continue;
        const double e = carom_law_factor(&plan->contact[c], 0);
        int k = 0;
        while (k < all->n && all->e[k] != e) k++;
        if (k == all->n) all->e[all->n++] = e;
    }
    if (all->n == 0) all->e[all->n++] = 0; // nothing but empty slots
}

void carom_mixed_free(carom_mixed *mixed)
{
    free(mixed);
}

// rows whose pattern changes cannot be put together from several points
carom_status carom_mixed_accepts(const carom_plan *plan, const carom_mixed *mixed,
                                 carom_error *error)
{
    if (mixed->n == 1 || !plan->model->rows_change_pattern) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "schatzman_paoli takes contacts that come and go only with one restitution "
                      "for all; there are %g and %g",
                      mixed->e[0], mixed->e[1]);
}

static void look_along(const carom_step *s, const carom_mixed_points *points, double e)
{
    for (int i = 0; i < s->size.nu; i++)
        points->way[i] = (points->d_after[i] - e * points->d_before[i]) / (1 + e);
    carom_model_moved(s->model, points->q, points->way, 1, points->y);
}

static carom_status look_between(carom_step *s, const carom_mixed_points *points, double e,
                                 carom_eval *here)
{
    if (s->model->n_plain < 0)
        look_along(s, points, e);
    else
        for (int i = 0; i < s->size.nq; i++)
            points->y[i] =
                points->q[i] +
                (points->lost[i] + (points->d_after[i] - e * points->d_before[i]) / (1 + e));
    const carom_point at = {.t = points->t + points->h * (1 - e) / (1 + e),
                            .q = points->y,
                            .u = points->u,
                            .holds = s->holds};
    return carom_plan_ask(s->plan, &at, CAROM_MIXED_MASK, here, s->error);
}

// the answers of all contacts whose restitution is e, and of empty slots, into the common ones
static void collect_contacts(const carom_step *s, double e, const carom_eval *here, carom_eval *all)
{
    for (int c = 0; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        if (carom_law_factor(facts, 0) != e && !is_empty(s->plan, c)) continue;
        all->gaps.value[c] = here->gaps.value[c];
        const int first = here->rows.W.start[facts->row], last = here->rows.W.start[facts->row + 1];
        memcpy(all->rows.W.value + first, here->rows.W.value + first,
               sizeof(double) * (size_t)(last - first));
        all->rows.w0[facts->row] = here->rows.w0[facts->row];
    }
}

carom_status carom_mixed_eval(carom_step *s, const carom_mixed *mixed,
                              const carom_mixed_points *points, carom_eval *here, carom_eval *all)
{
    if (mixed->n == 1) return look_between(s, points, mixed->e[0], all);
    carom_eval_forget(all);
    for (int k = 0; k < mixed->n; k++) {
        CAROM_TRY(look_between(s, points, mixed->e[k], here));
        collect_contacts(s, mixed->e[k], here, all);
    }
    return CAROM_OK;
}

static bool is_defined(const carom_eval *all, int r)
{
    bool is_finite = true;
    for (int k = all->rows.W.start[r]; k < all->rows.W.start[r + 1]; k++)
        is_finite &= isfinite(all->rows.W.value[k]);
    return is_finite && all->rows.W.start[r + 1] > all->rows.W.start[r];
}

int carom_mixed_activate(const carom_eval *all, bool with_all, unsigned char *is_active)
{
    int n_joined = 0;
    for (int c = 0; c < all->model->size.n_contact; c++) {
        if (is_active[c]) continue;
        const bool is_able =
            with_all && isfinite(all->gaps.value[c]) && is_defined(all, all->model->contact[c].row);
        is_active[c] = all->gaps.value[c] <= 0 || is_able;
        n_joined += is_active[c];
    }
    return n_joined;
}
