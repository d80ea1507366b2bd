// SPDX-License-Identifier: Apache-2.0
// The Moreau-Jean theta scheme combined with projection and activation: contacts are found by
// trying, so that none penetrates after any step, and Newton's impact law holds exactly. From
// I = {} in every step, with the constraints always in:
//
//     1. theta step on the contacts I (integrators/theta)       ->  u+, P, q~ = q + h u_th
//     2. Newton's method from q~ (integrators/projection)       ->  q+ with constraints = 0,
//                                                                   g = 0 on I_eq,
//                                                                   g >= 0 on the rest of I
//     3. I := I + {c not in I: g_c(q~) <= 0 or g_c(q+) <= 0}       again from 1 if any was added
//
// I_eq is I (equality = all) or the contacts of I with an impulse (equality = positive). Where
// not all of I_eq can be closed at once (floor and ceiling in one long step), fewer are held at 0:
// those with an impulse, then none. Each pass but the last adds a contact; those that touch to
// rounding join together, else a stack would take one pass for each body.
//
// V. Acary and O. Bonnefon, Time integration of nonsmooth mechanical systems with unilateral
// contact, 2011; V. Acary, Projected event-capturing time-stepping schemes, 2013.
#include "dynamics/active.h"
#include "dynamics/law.h"
#include "integrators/projection.h"
#include "integrators/theta.h"
#include "math/vector.h"
#include "model/plan.h"
#include "schemes/schemes.h"

#include <float.h>
#include <string.h>

enum { THETA, METRIC, EQUALITY, PROJECTION_TOL };
enum { ALL, POSITIVE, NONE }; // which contacts are held at gap 0; NONE is the last resort

// scratch, cut from s->work behind that of the velocity step
typedef struct scratch {
    double *projection;
    double *q;                  // (nq) q~
    double *gap;                // (n_contact) at q~
    unsigned char *is_equality; // (n_contact)
} scratch;

static int n_work(const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    return carom_theta_n_work(model) + carom_projection_n_work(model) + size.nq + size.n_contact +
           size.n_contact / (int)sizeof(double) + 1;
}

static scratch cut(const carom_step *s)
{
    double *projection = s->work + carom_theta_n_work(s->model);
    double *q = projection + carom_projection_n_work(s->model), *gap = q + s->size.nq;
    return (scratch){projection, q, gap, (unsigned char *)(gap + s->size.n_contact)};
}

static carom_status prepare(carom_step *s)
{
    carom_theta *theta;
    const carom_status status = carom_theta_new(s, s->option[THETA], s->ev[1], &theta);
    s->self = theta;
    return status;
}

static void release(carom_step *s)
{
    carom_theta_free(s->self);
}

static bool has_rows(const carom_step *s, const unsigned char *is_active)
{
    bool is_any = s->size.n_constraint > 0;
    for (int c = 0; c < s->size.n_contact; c++) is_any |= is_active[c];
    return is_any;
}

// which contacts of I are held at gap 0
static void choose_held(const carom_step *s, const scratch *w, int equality,
                        const carom_state *next)
{
    for (int c = 0; c < s->size.n_contact; c++) {
        const bool has_impulse = next->P[carom_plan_contact(s->plan, c)->row] > 0;
        w->is_equality[c] =
            next->is_active[c] && (equality == ALL || (equality == POSITIVE && has_impulse));
    }
}

// where not all of I_eq can be closed at once (say floor and ceiling), fewer contacts are held at
// gap 0
static carom_status project_position(carom_step *s, const scratch *w, carom_state *next)
{
    const carom_projection how = {.tolerance = s->option[PROJECTION_TOL],
                                  .has_mass_metric = s->option[METRIC] == 1,
                                  .is_chosen = next->is_active,
                                  .is_equality = w->is_equality,
                                  .work = w->projection};
    const bool was_converged = s->report.is_converged;
    memcpy(w->q, next->q, sizeof(double) * (size_t)s->size.nq);
    for (int equality = (int)s->option[EQUALITY]; equality <= NONE; equality++) {
        memcpy(next->q, w->q, sizeof(double) * (size_t)s->size.nq);
        s->report.is_converged = true;
        choose_held(s, w, equality, next);
        CAROM_TRY(carom_projection_apply(s, &how, next));
        if (s->report.is_converged) break;
    }
    s->report.is_converged &= was_converged;
    return CAROM_OK;
}

// contacts that closed in the velocity step or by the projection; false where there are none. Gaps
// that are 0 to rounding count as closed then: else a stack would take one pass for each body
static bool add_closed(const carom_step *s, const scratch *w, carom_state *next)
{
    const double rounding = 64 * DBL_EPSILON * carom_vector_largest(next->q, s->size.nq);
    bool is_any = false;
    for (int c = 0; c < s->size.n_contact; c++)
        is_any |= !next->is_active[c] && !(w->gap[c] > 0 && s->ev[0]->gaps.value[c] > 0);
    for (int c = 0; c < s->size.n_contact && is_any; c++)
        next->is_active[c] |= !(w->gap[c] > rounding && s->ev[0]->gaps.value[c] > rounding);
    return is_any;
}

// what rests is in I from the start, however little it has drifted open
static carom_status begin_with_rests(carom_step *s, const carom_state *now, carom_state *next)
{
    const carom_point at = {.t = now->t, .q = now->q, .u = now->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, CAROM_GAPS, s->ev[0], s->error));
    carom_active_keep(s, s->ev[0], next->is_active);
    return CAROM_OK;
}

static carom_status moreau_combined_projection_step(carom_step *s, const carom_state *now,
                                                    carom_state *next)
{
    const scratch w = cut(s);
    memset(next->is_active, 0, (size_t)s->size.n_contact);
    if (s->rests) CAROM_TRY(begin_with_rests(s, now, next));
    // later passes start from the impulses of the last; each pass but the last adds a contact, so
    // there are at most n_contact + 1
    memset(next->P, 0, sizeof(double) * (size_t)s->size.n_row);
    do {
        CAROM_TRY(carom_theta_step(s, s->self, now, next));
        const carom_point at = {.t = next->t, .q = next->q, .u = next->u, .holds = s->holds};
        CAROM_TRY(carom_plan_ask(s->plan, &at, CAROM_GAPS, s->ev[0], s->error));
        memcpy(w.gap, s->ev[0]->gaps.value, sizeof(double) * (size_t)s->size.n_contact);
        if (has_rows(s, next->is_active)) CAROM_TRY(project_position(s, &w, next));
    } while (add_closed(s, &w, next));
    return CAROM_OK;
}

static const carom_option options[] = {
    CAROM_THETA_ROW,
    CAROM_METRIC_ROW,
    {"equality", CAROM_CHOICE, 0, 0, 0, "all|positive",
     "closed contacts held at gap 0: all, or those with an impulse"},
    CAROM_PROJECTION_TOL_ROW,
    {0}};

static const unsigned masks[] = {CAROM_GAPS, CAROM_PROJECTION_MASK, CAROM_PROJECTION_MASS_MASK,
                                 CAROM_THETA_MASKS, 0};

const carom_scheme carom_scheme_moreau_combined_projection = {
    .name = "moreau_combined_projection",
    .about = "Moreau-Jean theta scheme without penetration: activation and projection in each step",
    .reference = "V. Acary, Projected event-capturing time-stepping schemes, 2013",
    .order_free = 2,
    .order_contact = 1,
    .level = "both",
    .cost = 5,
    .has_friction = true,
    .has_bilateral = true,
    .takes.laws = CAROM_LAWS_WITH_DISCS,
    .takes.varies = CAROM_VARIES_ALL,
    .takes.rates = true,
    .has_contact = true,
    .is_implicit = true,
    .can_vary_step = true,
    .option = options,
    .mask = masks,
    .n_eval = 2,
    .n_work = n_work,
    .prepare = prepare,
    .release = release,
    .renew = carom_theta_renew,
    .step = moreau_combined_projection_step,
};
