// SPDX-License-Identifier: Apache-2.0
// Gaps and rows between two positions; see the header.
#include "integrators/mixed.h"

#include "model/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct carom_mixed {
    int n;
    double e[];
};

carom_status carom_mixed_new(const carom_model *model, carom_mixed **mixed, carom_error *error)
{
    carom_mixed *all = calloc(1, sizeof *all + sizeof(double) * (size_t)model->size.n_contact);
    *mixed = all;
    if (!all) return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for the scheme");
    for (int c = 0; c < model->size.n_contact; c++) {
        int k = 0;
        while (k < all->n && all->e[k] != model->contact[c].e) k++;
        if (k == all->n) all->e[all->n++] = model->contact[c].e;
    }
    return CAROM_OK;
}

void carom_mixed_free(carom_mixed *mixed)
{
    free(mixed);
}

// rows whose pattern changes cannot be put together from several points
carom_status carom_mixed_accepts(const carom_model *model, const double *option, carom_error *error)
{
    (void)option;
    for (int c = 1; model->rows_change_pattern && c < model->size.n_contact; c++)
        if (model->contact[c].e != model->contact[0].e)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "schatzman_paoli takes contacts that come and go only with one "
                              "restitution for all; '%s' has %g and '%s' %g",
                              model->contact[0].name, model->contact[0].e, model->contact[c].name,
                              model->contact[c].e);
    return CAROM_OK;
}

static carom_status look_between(carom_step *s, const carom_mixed_points *points, double e,
                                 carom_eval *here)
{
    for (int i = 0; i < s->size.nq; i++)
        points->y[i] = points->q[i] +
                       (points->lost[i] + (points->d_after[i] - e * points->d_before[i]) / (1 + e));
    const carom_point at = {.t = points->t + points->h * (1 - e) / (1 + e),
                            .q = points->y,
                            .u = points->u,
                            .holds = s->holds};
    return carom_plan_ask(s->plan, &at, CAROM_MIXED_MASK, here, s->error);
}

// the answers of all contacts whose restitution is e, into the common ones
static void collect_contacts(const carom_step *s, double e, const carom_eval *here, carom_eval *all)
{
    for (int c = 0; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_model_contact(s->model, c);
        if (facts->e != e) continue;
        all->gap[c] = here->gap[c];
        const int first = here->W.start[facts->row], last = here->W.start[facts->row + 1];
        memcpy(all->W.value + first, here->W.value + first,
               sizeof(double) * (size_t)(last - first));
        all->w0[facts->row] = here->w0[facts->row];
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
    for (int k = all->W.start[r]; k < all->W.start[r + 1]; k++)
        is_finite &= isfinite(all->W.value[k]);
    return is_finite && all->W.start[r + 1] > all->W.start[r];
}

int carom_mixed_activate(const carom_eval *all, bool with_all, unsigned char *is_active)
{
    int n_joined = 0;
    for (int c = 0; c < all->model->size.n_contact; c++) {
        if (is_active[c]) continue;
        const bool is_able =
            with_all && isfinite(all->gap[c]) && is_defined(all, all->model->contact[c].row);
        is_active[c] = all->gap[c] <= 0 || is_able;
        n_joined += is_active[c];
    }
    return n_joined;
}
