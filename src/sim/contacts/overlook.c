// SPDX-License-Identifier: Apache-2.0
// The law of closed contacts that the scheme left out of its contact problem. Schemes choose their
// active sets themselves, and the residual of a problem says nothing of a contact that is not in
// it. Newton's law holds for every closed contact:
//
//     gamma+ + e gamma- >= 0        (dynamics/law.h)
//
// A contact that is closed at the end of a step, as exactly as the step can know, that came in with
// gamma- < 0 and leaves it stopped by the impulses of others, has had its impact in this step. If
// it was left out and the law does not hold, the step counts as unconverged. One that still
// approaches is not judged: time stepping sees it in the next step.
#include "dynamics/law.h"
#include "math/vector.h"
#include "model/model.h"
#include "sim/sim.h"

#include <math.h>

static const double missing = 1e-6; // of the rate before

static bool is_left_out(const carom_sim *sim, int c)
{
    const carom_state *next = &sim->next;
    // a patch that does not count in this step is not there
    if (sim->contacts.holds && carom_plan_contact(sim->s.plan, c)->surface > 0 &&
        !sim->contacts.holds[c])
        return false;
    return !next->is_active[c] && next->P[sim->contacts.normal[c]] == 0 &&
           next->la[sim->contacts.normal[c]] == 0;
}

static double rate_of(const carom_sim *sim, int r, const double *u)
{
    const carom_sparse *W = &sim->eval->rows.W;
    double sum = sim->eval->rows.w0[r];
    for (int k = W->start[r]; k < W->start[r + 1]; k++) sum += W->value[k] * u[W->index[k]];
    return sum;
}

// by how much the law is broken, of the rate before; 0 where it is not this step's to judge
static double shortfall(const carom_sim *sim, int c)
{
    const int r = sim->contacts.normal[c];
    const double before = rate_of(sim, r, sim->now.u), after = rate_of(sim, r, sim->next.u);
    if (!(before < 0) || after < missing * before) return 0;
    const carom_contact_facts *facts = carom_plan_contact(sim->s.plan, c);
    if (facts->law != CAROM_LAW_NEWTON) return 0; // others say nothing of one rate alone
    const double factor = carom_law_factor(facts, 0);
    const double short_of = carom_law_excess(factor, 1, after / before); // in units of before
    return short_of > missing ? short_of : 0;
}

carom_status carom_sim_heed_laws(carom_sim *sim, double reach)
{
    carom_step_report *report = &sim->s.report;
    bool has_looked = false;
    for (int c = 0; c < sim->size.n_contact; c++) {
        if (!(sim->contacts.seen->gaps.value[c] <= reach) || !is_left_out(sim, c)) continue;
        const carom_point at = {.t = sim->next.t, .q = sim->next.q, .u = sim->next.u};
        if (!has_looked)
            CAROM_TRY(carom_model_eval(sim->s.plan, &at, CAROM_ROW_MASK, sim->eval, &sim->trouble));
        has_looked = true;
        const double broken = shortfall(sim, c);
        report->is_converged &= broken == 0;
        if (!(broken > report->residual)) continue;
        report->residual = broken;
        report->residual_row = sim->contacts.normal[c];
    }
    return CAROM_OK;
}
