// SPDX-License-Identifier: Apache-2.0
// The contact problem of a system with few coordinates. Rows of W and columns M^-1 w are whole, so
// that no list is followed, and the code is made once for each number of coordinates: loops over
// three numbers cost more in counting than in computing.
#include "dynamics/compact.h"

#include "contact/problem/problem.h"
#include "contact/solver.h"
#include "math/blockmass.h"
#include "math/vector.h"
#include "model/model.h"

#include <float.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

typedef struct compact {
    const double *row[CAROM_PROBLEM_DENSE]; // of W, nu numbers each
    double room[CAROM_PROBLEM_DENSE * CAROM_COMPACT];
    double column[CAROM_PROBLEM_DENSE * CAROM_COMPACT]; // M^-1 w
} compact;

INLINE double dot(const double *a, const double *b, int nu)
{
    if (nu < 1) __builtin_unreachable();
    double sum = a[0] * b[0];
    for (int i = 1; i < nu; i++) sum += a[i] * b[i];
    return sum;
}

// row i of the problem, in room where it has gaps
INLINE const double *whole_row(const carom_contacts *c, const carom_sparse *W, int i, double *room,
                               int nu)
{
    if (c->whole[i] >= 0) return W->value + c->whole[i];
    const int r = c->row[i];
    for (int d = 0; d < nu; d++) room[d] = 0;
    for (int k = W->start[r], end = W->start[r + 1]; k < end; k++) room[W->index[k]] += W->value[k];
    return room;
}

INLINE void gather_rows(const carom_contacts *c, const carom_sparse *W, compact *of, int nu)
{
    for (int i = 0, n = c->problem.n_row; i < n; i++)
        of->row[i] = whole_row(c, W, i, of->room + i * nu, nu);
}

// the rates before: given, or of a velocity along these rows or others
INLINE void find_before(const carom_contacts *c, const carom_contact_terms *terms,
                        const compact *of, int nu)
{
    const int n = c->problem.n_row, *row = c->row;
    const double *given = terms->gamma_minus, *u = terms->u_minus;
    double *before = c->gamma_minus, room[CAROM_COMPACT];
    if (given) {
        for (int i = 0; i < n; i++) before[i] = given[row[i]];
    } else if (terms->before) {
        const carom_eval *at = terms->before;
        for (int i = 0; i < n; i++)
            before[i] = dot(whole_row(c, &at->rows.W, i, room, nu), u, nu) + at->rows.w0[row[i]];
    } else {
        const double *w0 = terms->rate->rows.w0;
        for (int i = 0; i < n; i++) before[i] = dot(of->row[i], u, nu) + w0[row[i]];
    }
}

// b; false where a number is not finite
INLINE bool find_rates(const carom_contacts *c, const carom_contact_terms *terms, const compact *of,
                       const double *u, int nu)
{
    const double *w0 = terms->rate->rows.w0, *before = c->gamma_minus, *factor = c->law;
    const double hit = terms->without_restitution ? 0 : 1;
    const int *row = c->row;
    double *b = c->problem.b, sum = 0;
    for (int i = 0, n = c->problem.n_row; i < n; i++) {
        const double after = dot(of->row[i], u, nu) + w0[row[i]];
        b[i] = carom_law_excess(hit * factor[i], before[i], after);
        sum += fabs(b[i]);
    }
    return sum <= DBL_MAX || carom_vector_is_finite(b, c->problem.n_row);
}

INLINE void build_problem(carom_contacts *c, const carom_contact_terms *terms, compact *of, int nu)
{
    const carom_sparse *push = terms->push ? &terms->push->rows.W : NULL;
    const carom_linear *metric = terms->metric;
    const carom_mass *mass = terms->mass ? terms->mass->mass : terms->rate->mass;
    const bool has_mass = !terms->is_identity;
    const int n = c->problem.n_row;
    double *G = c->dense, *x = of->column;
    c->problem.G.dense = G;
    for (int j = 0; j < n; j++, x += nu) {
        const double *w = push ? whole_row(c, push, j, x, nu) : of->row[j];
        for (int i = 0; i < nu; i++) x[i] = w[i];
        if (metric) carom_linear_solve(metric, x);
    }
    x = of->column;
    if (!metric && has_mass) carom_mass_solve_columns(mass, x, n);
    if (push || metric) {
        for (int j = 0; j < n; j++, x += nu)
            for (int i = 0; i < n; i++) *G++ = dot(of->row[i], x, nu);
        return;
    }
    // symmetric
    for (int j = 0; j < n; j++, x += nu) {
        G[j * n + j] = dot(of->row[j], x, nu);
        for (int i = j + 1; i < n; i++) G[i * n + j] = G[j * n + i] = dot(of->row[i], x, nu);
    }
}

// u += M^-1 W' P
INLINE void apply_impulses(const carom_contacts *c, const compact *of, double *u, int nu)
{
    const double *x = of->column, *P = c->P;
    double sum[CAROM_COMPACT];
    for (int i = 0; i < nu; i++) sum[i] = u[i];
    for (int j = 0, n = c->problem.n_row; j < n; j++, x += nu)
        for (int i = 0; i < nu; i++) sum[i] += x[i] * P[j];
    for (int i = 0; i < nu; i++) u[i] = sum[i];
}

INLINE void report_contact(const carom_contacts *c, const carom_contact_terms *terms,
                           const compact *of, const double *u, carom_step_report *to, int nu)
{
    const double *w0 = terms->rate->rows.w0, *push_w0 = terms->push ? terms->push->rows.w0 : w0;
    const double *P = c->P, *before = c->gamma_minus;
    double impact = to->impact_loss, friction = to->friction_loss, work = to->obstacle_work;
    double *rate_before = to->rate_before, *rate_after = to->rate_after;
    for (int k = 0, n = c->problem.n_block; k < n; k++) {
        const carom_block *block = &c->problem.block[k];
        for (int i = block->first, end = i + block->dim; i < end; i++) {
            const int r = c->row[i];
            const double after = dot(of->row[i], u, nu) + w0[r];
            rate_before[r] = before[i];
            rate_after[r] = after;
            work -= P[i] * push_w0[r];
            const double lost = -0.5 * P[i] * (after + before[i]);
            if (block->is_bilateral) continue;
            if (i == block->first)
                impact += lost;
            else
                friction += lost;
        }
    }
    to->impact_loss = impact;
    to->friction_loss = friction;
    to->obstacle_work = work;
}

INLINE carom_status contact(carom_step *s, const carom_contact_terms *terms, double *P, double *u,
                            int nu)
{
    carom_contacts *c = s->contacts;
    compact of;
    gather_rows(c, &terms->rate->rows.W, &of, nu);
    find_before(c, terms, &of, nu);
    if (!find_rates(c, terms, &of, u, nu)) return carom_contacts_check(c, s->error);
    carom_contacts_hold_end(c, terms);
    if (carom_contact_is_idle(c->solver, &c->problem)) {
        carom_contacts_set_free(c, P);
        if (carom_problem_has_friction(&c->problem)) {
            build_problem(c, terms, &of, nu);
            carom_contacts_note_ambiguity(s);
        }
    } else {
        build_problem(c, terms, &of, nu);
        CAROM_TRY(carom_contacts_solve(s, P));
        apply_impulses(c, &of, u, nu);
    }
    report_contact(c, terms, &of, u, &s->report, nu);
    carom_contacts_report_end(c, terms, &s->report);
    return CAROM_OK;
}

INLINE carom_status correct(carom_step *s, const carom_contact_terms *terms, double *l, double *q,
                            int nu)
{
    carom_contacts *c = s->contacts;
    compact of;
    gather_rows(c, &terms->rate->rows.W, &of, nu);
    build_problem(c, terms, &of, nu);
    CAROM_TRY(carom_contacts_solve(s, l));
    apply_impulses(c, &of, q, nu);
    return CAROM_OK;
}

carom_status carom_compact_contact(carom_step *s, const carom_contact_terms *terms, double *P,
                                   double *u)
{
    switch (s->size.nu) {
    case 1:
        return contact(s, terms, P, u, 1);
    case 2:
        return contact(s, terms, P, u, 2);
    case 3:
        return contact(s, terms, P, u, 3);
    case 4:
        return contact(s, terms, P, u, 4);
    default:
        return contact(s, terms, P, u, s->size.nu);
    }
}

carom_status carom_compact_correct(carom_step *s, const carom_contact_terms *terms, double *l,
                                   double *q)
{
    return correct(s, terms, l, q, s->size.nu);
}
