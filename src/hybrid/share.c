// SPDX-License-Identifier: Apache-2.0
// Contacts that hold a body more than once: the two corners of a box at rest, a disc in a corner.
// Their accelerations are unique, their forces are not. All that the law allows are right; those
// that the flow works with must be some of them as long as possible, else an event would be seen
// where nothing happens. With S la = b on the held rows, S singular:
//
//     la = la_r + S^+ (b - S la_r)      la_r = 0, or the answer of the contact problem
//
// A contact that sticks and whose friction so chosen meets its limit is *pinned* where the others
// keep it from sliding, i.e. where a push along d moves nothing:
//
//     d.w_T x = 0,   [M -D; G 0][x; l] = [w_T d; 0]
//
// It keeps the friction mu la_N, the others take up the rest, and only when the last of them meets
// its limit does the body slide. So every pin makes the choice smaller: there is no endless loop.
#include "dynamics/law.h"
#include "hybrid/hybrid.h"
#include "math/vector.h"

#include <math.h>
#include <string.h>

static const double rest_share = 1e-3;  // of a slip rate: what is left of it where it can stop
static const double clear_share = 1e-3; // of the largest force: so far from a limit it is not met
static const double tiny = 1e-9; // forces and accelerations below this share of their terms: zero

static double row_size(const carom_sparse *W, int r, const double *x)
{
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++) sum += fabs(W->value[k] * x[W->index[k]]);
    return sum;
}

// the acceleration of row r, and the size of the terms that could make it: also of those that the
// held rows cancel
static double row_rate(const carom_hybrid *h, int r, double *size)
{
    const carom_sparse *W = &h->seen.ev->rows.W;
    *size = row_size(W, r, h->seen.a) + row_size(W, r, h->event.decision.a_free) +
            fabs(h->seen.ev->rows.curvature[r]);
    return carom_sparse_row_times(W, r, h->seen.a) + h->seen.ev->rows.curvature[r];
}

// whether the held rows keep contact c from sliding along its direction
static carom_status is_braced(carom_hybrid *h, int c, bool *is)
{
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
    const carom_sparse *W = &h->seen.ev->rows.W;
    const int n = h->s->size.nu;
    double *F = h->scratch.force, *x = h->scratch.change, along = 0, free = 0;
    memset(F, 0, sizeof(double) * (size_t)n);
    for (int r = facts->row + 1; r <= facts->row + facts->n_slip; r++)
        for (int k = W->start[r]; k < W->start[r + 1]; k++)
            F[W->index[k]] += h->memory.direction[r] * W->value[k];
    const carom_saddle_terms terms = {.mass = h->seen.ev, .F = F};
    CAROM_TRY(carom_saddle_solve(h->flow->saddle, &h->flow->rows, &terms, x, h->scratch.push,
                                 h->s->error));
    for (int i = 0; i < n; i++) along += F[i] * x[i];
    memcpy(x, F, sizeof(double) * (size_t)n);
    carom_mass_solve(h->seen.ev->mass, x);
    for (int i = 0; i < n; i++) free += F[i] * x[i];
    *is = fabs(along) <= tiny * free;
    return CAROM_OK;
}

carom_status carom_share_can_rest(carom_hybrid *h, int c, bool *can)
{
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
    carom_saddle_rows *rows = &h->flow->rows;
    double *r = h->scratch.right, *x = h->scratch.change, left = 0;
    carom_hybrid_set_rows(h);
    rows->is_sliding[c] = 0;
    for (int k = carom_law_is_disc(facts); k <= facts->n_slip; k++)
        rows->is_held[facts->row + k] = 1;
    for (int i = 0; i < h->s->size.n_row; i++) r[i] = -h->seen.gamma[i];
    const carom_saddle_terms terms = {.mass = h->seen.ev, .r = r};
    CAROM_TRY(carom_saddle_solve(h->flow->saddle, rows, &terms, x, h->scratch.push, h->s->error));
    for (int i = 0; i < h->s->size.n_row; i++)
        if (rows->is_held[i])
            left = fmax(left,
                        fabs(h->seen.gamma[i] + carom_sparse_row_times(&h->seen.ev->rows.W, i, x)));
    carom_hybrid_set_rows(h);
    *can = left <= rest_share * carom_hybrid_slip(h, c);
    return CAROM_OK;
}

carom_status carom_share_pin_contacts(carom_hybrid *h)
{
    carom_hybrid_set_rows(h);
    for (int c = 0; c < h->s->size.n_contact; c++) {
        bool is = false;
        const bool is_at_limit = h->event.is_torn[c] || h->event.old_mode[c] == CAROM_MODE_PINNED;
        if (!is_at_limit || h->memory.contact.mode[c] != CAROM_MODE_SLIDE) continue;
        CAROM_TRY(is_braced(h, c, &is));
        if (is) h->memory.contact.mode[c] = CAROM_MODE_PINNED;
    }
    return CAROM_OK;
}

carom_status carom_share_check_pinned(carom_hybrid *h, const double *u, bool *is_right)
{
    bool has_pin = false;
    *is_right = true;
    for (int c = 0; c < h->s->size.n_contact; c++)
        has_pin |= h->event.old_mode[c] == CAROM_MODE_PINNED &&
                   h->memory.contact.mode[c] == CAROM_MODE_SLIDE;
    if (!has_pin) return CAROM_OK;
    carom_hybrid_set_rows(h);
    CAROM_TRY(carom_hybrid_find_forces(h, u));
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
        double rate = 0, size = 0;
        if (h->event.old_mode[c] != CAROM_MODE_PINNED ||
            h->memory.contact.mode[c] != CAROM_MODE_SLIDE)
            continue;
        for (int r = facts->row + 1; r <= facts->row + facts->n_slip; r++) {
            double terms;
            rate += h->memory.direction[r] * row_rate(h, r, &terms);
            size += terms;
        }
        if (rate >= -tiny * size) continue;
        h->event.old_mode[c] = CAROM_MODE_STICK;
        *is_right = false;
    }
    return CAROM_OK;
}

// whether the forces of the last look are such as the law allows, friction up to this share of the
// largest force; a share below 0 asks for some distance from its limits
static bool is_allowed(const carom_hybrid *h, double share)
{
    double most = 0;
    for (int r = 0; r < h->s->size.n_row; r++) most = fmax(most, fabs(h->seen.la[r]));
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
        const double *la = h->seen.la + facts->row;
        if (la[0] < -tiny * most) return false;
        if (h->memory.contact.mode[c] != CAROM_MODE_STICK) continue;
        const double push = facts->n_slip == 1 ? fabs(la[1]) : hypot(la[1], la[2]);
        if (push > carom_law_hold(facts, la[0]) + share * most) return false;
    }
    return true;
}

// A contact that was pinned by a load may push against the others when the load has turned: where
// the smallest forces of all that do not move are allowed, they stick as before the pins.
carom_status carom_share_stick_anew(carom_hybrid *h, bool *is_done)
{
    bool has_pin = false;
    *is_done = false;
    for (int c = 0; c < h->s->size.n_contact; c++)
        has_pin |= h->event.old_mode[c] == CAROM_MODE_PINNED;
    if (!has_pin || !h->event.has_tear) return CAROM_OK;
    for (int c = 0; c < h->s->size.n_contact; c++)
        if (h->event.old_mode[c] == CAROM_MODE_PINNED) h->memory.contact.mode[c] = CAROM_MODE_STICK;
    carom_hybrid_set_rows(h);
    CAROM_TRY(carom_hybrid_find_forces(h, h->next.u));
    *is_done = is_allowed(h, -clear_share);
    return CAROM_OK;
}

// the contact that pulls most, or -1
static int find_pulling(const carom_hybrid *h)
{
    double most = 0, least = 0;
    int worst = -1;
    for (int r = 0; r < h->s->size.n_row; r++) most = fmax(most, fabs(h->seen.la[r]));
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const double la = h->seen.la[carom_plan_contact(h->s->plan, c)->row];
        if (la >= least) continue;
        least = la;
        worst = c;
    }
    return least < -tiny * most ? worst : -1;
}

// contacts that pull become idle, as long as the rest holds them
static carom_status idle_pulling(carom_hybrid *h, const double *u)
{
    for (int k = 0; k < h->s->size.n_contact; k++) {
        const int c = find_pulling(h);
        if (c < 0) return CAROM_OK;
        const carom_mode mode = h->memory.contact.mode[c];
        const int r = carom_plan_contact(h->s->plan, c)->row;
        h->memory.contact.mode[c] = CAROM_MODE_IDLE;
        carom_hybrid_set_rows(h);
        CAROM_TRY(carom_hybrid_find_forces(h, u));
        double size;
        if (fabs(row_rate(h, r, &size)) <= tiny * size) continue;
        h->memory.contact.mode[c] = mode;
        return CAROM_OK;
    }
    return CAROM_OK;
}

carom_status carom_share_keep_forces(carom_hybrid *h, const double *u)
{
    const carom_decision *d = &h->event.decision;
    for (int i = 0; i < d->problem.n_row; i++) h->memory.reference[d->row[i]] = d->la[i];
    carom_hybrid_set_rows(h);
    CAROM_TRY(carom_hybrid_find_forces(h, u));
    return idle_pulling(h, u);
}

carom_status carom_share_forces(carom_hybrid *h, const double *u)
{
    memset(h->memory.reference, 0, sizeof(double) * (size_t)h->s->size.n_row);
    carom_hybrid_set_rows(h);
    CAROM_TRY(carom_hybrid_find_forces(h, u));
    return is_allowed(h, tiny) ? CAROM_OK : carom_share_keep_forces(h, u);
}
