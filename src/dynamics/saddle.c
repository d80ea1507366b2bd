// SPDX-License-Identifier: Apache-2.0
// The systems of saddle.h by the Schur complement, with rows and columns scaled so that
// its entries are of size 1:
//
//     X = M^-1 D,     S = G X,     s_i = (w_i M^-1 w_i)^-1/2
//     (s S s) (la/s) = s (r - G M^-1 F)
//     x = M^-1 F + X la
//
// and once more with what is left of r - G x, so that G x = r holds to rounding also where S is far
// from well-conditioned. Memory grows with n_row^2 and nu n_row; the work of a chain, whose rows
// meet only their neighbours, grows with its length: X and S are cleared where they were written,
// and rows that cannot meet a column are passed over (low, high).
#include "dynamics/saddle.h"

#include "base/arena.h"
#include "dynamics/law.h"
#include "math/blockmass.h"
#include "math/dense.h"
#include "math/vector.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

// first..last
typedef struct span {
    int first, last;
} span;

struct carom_saddle {
    const carom_plan *plan;
    carom_sizes size;
    carom_arena *arena;
    int n;            // rows held
    int *row;         // (n_row) row of the model
    int *contact;     // (n_row) the contact that slides, rolls or spins on this row, or -1
    double *X;        // (nu n_row) M^-1 D by columns
    double *S;        // (n_row n_row) scaled
    double *scale;    // (n_row)
    double *b;        // (n_row)
    double *column;   // (nu)
    double *work;     // of the dense solver
    int *pivot;       // (n_row)
    int *touched;     // (nu)
    carom_band band;  // of S
    bool is_factored; // S holds its factors
    span *push;       // (n_row) where a column of X is not zero
    span *rate;       // (n_row) where a row of G is not zero
    span *near;       // (n_row) where a column of S is not zero
    int *high;        // (n_row) largest rate.last of the rows up to this one
    int *low;         // (n_row) smallest rate.first of the rows from this one on
    int n_written;    // rows of S as it was last written, inside band
};

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY,
                      "no memory for the equations of motion with held rows");
}

static bool take_all(carom_saddle *p)
{
    const int rows = p->size.n_row, nu = p->size.nu;
    bool is_taken = (p->row = CAROM_TAKE(p->arena, int, rows)) != NULL;
    is_taken &= (p->contact = CAROM_TAKE(p->arena, int, rows)) != NULL;
    is_taken &= (p->pivot = CAROM_TAKE(p->arena, int, rows)) != NULL;
    is_taken &= (p->touched = CAROM_TAKE(p->arena, int, nu)) != NULL;
    is_taken &= (p->high = CAROM_TAKE(p->arena, int, rows)) != NULL;
    is_taken &= (p->low = CAROM_TAKE(p->arena, int, rows)) != NULL;
    is_taken &= (p->push = CAROM_TAKE(p->arena, span, rows)) != NULL;
    is_taken &= (p->near = CAROM_TAKE(p->arena, span, rows)) != NULL;
    is_taken &= (p->rate = CAROM_TAKE(p->arena, span, rows)) != NULL;
    is_taken &= (p->scale = CAROM_TAKE(p->arena, double, rows)) != NULL;
    is_taken &= (p->b = CAROM_TAKE(p->arena, double, rows)) != NULL;
    is_taken &= (p->column = CAROM_TAKE(p->arena, double, nu)) != NULL;
    const size_t n = (size_t)rows, columns = n * (size_t)nu + 1;
    is_taken &= (p->X = carom_arena_take(p->arena, sizeof(double) * columns)) != NULL;
    is_taken &= (p->S = carom_arena_take(p->arena, sizeof(double) * (n * n + 1))) != NULL;
    is_taken &=
        (p->work = carom_arena_take(p->arena, sizeof(double) * (carom_dense_room(rows, 1) + 1))) !=
        NULL;
    return is_taken;
}

carom_status carom_saddle_new(const carom_plan *plan, carom_saddle **saddle, carom_error *error)
{
    *saddle = NULL;
    carom_arena *arena = carom_arena_new();
    carom_saddle *made = arena ? CAROM_TAKE(arena, carom_saddle, 1) : NULL;
    if (!made) {
        carom_arena_free(arena);
        return no_memory(error);
    }
    made->arena = arena;
    made->plan = plan;
    made->size = plan->model->size;
    if (!take_all(made)) {
        carom_arena_free(arena);
        return no_memory(error);
    }
    *saddle = made;
    return CAROM_OK;
}

void carom_saddle_free(carom_saddle *saddle)
{
    if (saddle) carom_arena_free(saddle->arena);
}

// whether the push of a contact takes friction with it: its own, or that of its discs
static bool is_rubbing(const carom_saddle *p, const carom_saddle_rows *rows, int c)
{
    const carom_contact_facts *facts = carom_plan_contact(p->plan, c);
    bool is = rows->is_sliding[c];
    for (int d = facts->disc; d < facts->disc + facts->n_disc; d++) is |= rows->is_sliding[d];
    return is;
}

static void choose_rows(carom_saddle *p, const carom_saddle_rows *rows)
{
    p->n = 0;
    for (int k = 0; k < p->size.n_constraint; k++) {
        if (!rows->is_held[k]) continue;
        p->contact[p->n] = -1;
        p->row[p->n++] = k;
    }
    for (int c = 0; c < p->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(p->plan, c);
        for (int k = 0; k <= facts->n_slip; k++) {
            if (!rows->is_held[facts->row + k]) continue;
            p->contact[p->n] = k == 0 && is_rubbing(p, rows, c) ? c : -1;
            p->row[p->n++] = facts->row + k;
        }
    }
}

static void widen_span(span *it, int i)
{
    if (i < it->first) it->first = i;
    if (i > it->last) it->last = i;
}

// x += factor M^-1 w of row r; column is zero before and after
static void add_solved(carom_saddle *p, const carom_eval *at, int r, double factor, int j)
{
    double *x = p->X + (size_t)j * (size_t)p->size.nu;
    const int first = at->rows.W.start[r];
    const int n =
        carom_mass_solve_sparse(at->mass, at->rows.W.start[r + 1] - first, at->rows.W.index + first,
                                at->rows.W.value + first, p->column, p->touched);
    for (int k = 0; k < n; k++) {
        x[p->touched[k]] += factor * p->column[p->touched[k]];
        p->column[p->touched[k]] = 0;
        widen_span(&p->push[j], p->touched[k]);
    }
}

// column j of X and its scale
static void push_column(carom_saddle *p, const carom_saddle_rows *rows, const carom_eval *at, int j)
{
    const int r = p->row[j];
    double *x = p->X + (size_t)j * (size_t)p->size.nu;
    for (int i = p->push[j].first; i <= p->push[j].last; i++) x[i] = 0;
    p->push[j] = (span){p->size.nu, -1};
    add_solved(p, at, r, 1, j);
    const double size = carom_sparse_row_times(&at->rows.W, r, x);
    p->scale[j] = size > 0 ? 1 / sqrt(size) : 1;
    if (p->contact[j] < 0) return;
    const carom_contact_facts *facts = carom_plan_contact(p->plan, p->contact[j]);
    for (int k = 1; k <= facts->n_slip && rows->is_sliding[p->contact[j]]; k++)
        add_solved(p, at, r + k, carom_law_drag(facts, rows->direction[r + k]), j);
    for (int d = facts->disc; d < facts->disc + facts->n_disc; d++) {
        const carom_contact_facts *disc = carom_plan_contact(p->plan, d);
        for (int i = disc->row + 1; i <= disc->row + disc->n_slip && rows->is_sliding[d]; i++)
            add_solved(p, at, i, at->rows.limit[d] * carom_law_drag(disc, rows->direction[i]), j);
    }
}

// S as it was is zero outside its band, which factors widen upwards
static void clear_schur(carom_saddle *p)
{
    const int n = p->n_written, above = p->band.below + p->band.above;
    for (int j = 0; j < n; j++) {
        const int first = j > above ? j - above : 0,
                  last = j + p->band.below < n - 1 ? j + p->band.below : n - 1;
        memset(p->S + (size_t)j * (size_t)n + first, 0,
               sizeof(double) * (size_t)(last - first + 1));
    }
    p->n_written = 0;
}

static void find_reach(carom_saddle *p)
{
    const int n = p->n;
    for (int i = 0, most = -1; i < n; i++) {
        if (p->rate[i].last > most) most = p->rate[i].last;
        p->high[i] = most;
    }
    for (int i = n - 1, least = p->size.nu; i >= 0; i--) {
        if (p->rate[i].first < least) least = p->rate[i].first;
        p->low[i] = least;
    }
}

// the first row that may reach as far as a coordinate
static int first_reaching(const carom_saddle *p, int coordinate)
{
    int first = 0, end = p->n;
    while (first < end) {
        const int middle = (first + end) / 2;
        if (p->high[middle] < coordinate)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

// S from X and G, where spans meet
static void fill_schur(carom_saddle *p, const carom_sparse *G)
{
    const int n = p->n;
    clear_schur(p);
    find_reach(p);
    p->n_written = n;
    p->band = (carom_band){0, 0};
    for (int j = 0; j < n; j++) {
        const double *x = p->X + (size_t)j * (size_t)p->size.nu;
        const span push = p->push[j];
        span near = {n, -1};
        for (int i = first_reaching(p, push.first); i < n && p->low[i] <= push.last; i++) {
            if (p->rate[i].first > push.last || p->rate[i].last < push.first) continue;
            p->S[(size_t)j * (size_t)n + (size_t)i] =
                p->scale[i] * carom_sparse_row_times(G, p->row[i], x) * p->scale[j];
            widen_span(&near, i);
        }
        p->near[j] = near;
        if (near.last - j > p->band.below) p->band.below = near.last - j;
        if (j - near.first > p->band.above) p->band.above = j - near.first;
    }
}

static void build_schur(carom_saddle *p, const carom_saddle_rows *rows, const carom_eval *mass,
                        const carom_eval *rate)
{
    const int n = p->n;
    const carom_sparse *G = &rate->rows.W;
    for (int j = 0; j < n; j++) {
        push_column(p, rows, mass, j);
        p->rate[j] = (span){p->size.nu, -1};
        for (int k = G->start[p->row[j]]; k < G->start[p->row[j] + 1]; k++)
            widen_span(&p->rate[j], G->index[k]);
    }
    fill_schur(p, G);
}

// chains of contacts: factors once for both passes, inside the band
static void factor_schur(carom_saddle *p, const carom_eval *rate)
{
    const int n = p->n;
    double most = 0;
    p->is_factored = false;
    if (!carom_band_is_narrow(n, p->band)) return;
    for (int j = 0; j < n; j++)
        for (int i = p->near[j].first; i <= p->near[j].last; i++)
            most = fmax(most, fabs(p->S[(size_t)j * (size_t)n + (size_t)i]));
    p->is_factored = carom_band_factor(n, p->band, CAROM_SMALLEST_PIVOT * most, p->S, p->pivot);
    if (!p->is_factored) fill_schur(p, &rate->rows.W);
}

static void push_with(carom_saddle *p, int j, double force, double *x, double *la)
{
    const double *column = p->X + (size_t)j * (size_t)p->size.nu;
    la[p->row[j]] += force;
    for (int i = p->push[j].first; i <= p->push[j].last; i++) x[i] += force * column[i];
}

// the forces that redundant rows stay nearest to, and what they do to x
static void push_reference(carom_saddle *p, const double *reference, double *x, double *la)
{
    for (int j = 0; j < p->n; j++)
        if (reference[p->row[j]] != 0) push_with(p, j, reference[p->row[j]], x, la);
}

// adds the forces that close r - G x, and what they do to x; returns the rank. Pivots up to the
// share count as 0, or where that is 0 those that are noise
static int close_rows(carom_saddle *p, const carom_saddle_terms *terms, const carom_eval *rate,
                      double share, double *x, double *la)
{
    const int n = p->n;
    const double *r = terms->r;
    for (int i = 0; i < n; i++) {
        const double wanted = r ? r[p->row[i]] : 0;
        p->b[i] = p->scale[i] * (wanted - carom_sparse_row_times(&rate->rows.W, p->row[i], x));
    }
    int rank = n;
    if (share > 0) {
        const size_t size = (size_t)n * (size_t)n;
        memcpy(p->work, p->S, sizeof(double) * size);
        rank = carom_dense_least_above(share, n, p->work, p->b, p->work + size, p->pivot);
    } else if (p->is_factored) {
        carom_band_solve(n, p->band, p->S, p->pivot, p->b);
    } else {
        rank = carom_dense_solve(n, p->S, 1, p->b, p->work, p->pivot);
    }
    for (int j = 0; j < n; j++) push_with(p, j, p->scale[j] * p->b[j], x, la);
    return rank;
}

// from the factors that the last solve has left
static carom_saddle_strength strength_of(const carom_saddle *p, int rank)
{
    const double *factors = p->is_factored ? p->S : p->work;
    return (carom_saddle_strength){p->n, rank, carom_dense_weakest(p->n, rank, factors)};
}

// what a disc of a contact may bear, and bears where it slides
static void force_of_disc(const carom_saddle *p, const carom_saddle_rows *rows,
                          const carom_eval *at, int c, double *la)
{
    const carom_contact_facts *facts = carom_plan_contact(p->plan, c);
    const int r = facts->row;
    la[r] = at->rows.limit[c] * la[carom_plan_contact(p->plan, facts->of - 1)->row];
    for (int i = r + 1; i <= r + facts->n_slip && rows->is_sliding[c]; i++)
        la[i] = carom_law_drag(facts, rows->direction[i]) * la[r];
}

static void friction_forces(const carom_saddle *p, const carom_saddle_rows *rows,
                            const carom_eval *at, double *la)
{
    for (int c = 0; c < p->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(p->plan, c);
        const int r = facts->row;
        if (facts->of > 0) force_of_disc(p, rows, at, c, la);
        if (carom_law_is_disc(facts)) continue;
        if (!rows->is_sliding[c] || !rows->is_held[r]) continue;
        for (int k = 1; k <= facts->n_slip; k++)
            la[r + k] = carom_law_drag(facts, rows->direction[r + k]) * la[r];
    }
}

// what discs that slide add to F, and what all of them may bear
static void push_discs(const carom_saddle *p, const carom_saddle_rows *rows, const carom_eval *at,
                       double weight, double *F, double *la)
{
    const carom_sparse *W = &at->rows.W;
    for (int c = p->size.n_contact - p->size.n_disc; c < p->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(p->plan, c);
        const int r = facts->row;
        if (facts->of > 0) continue; // with the push of its contact
        la[r] = weight * carom_law_limit(facts, at->rows.limit[c]);
        for (int i = r + 1; rows->is_sliding[c] && i <= r + facts->n_slip; i++) {
            la[i] = weight * carom_law_drag(facts, rows->direction[i]) * at->rows.limit[c];
            for (int k = W->start[i]; k < W->start[i + 1]; k++)
                F[W->index[k]] += la[i] * W->value[k];
        }
    }
}

// x = M^-1 F, la = 0 but for discs
static void set_free(const carom_saddle *p, const carom_saddle_rows *rows,
                     const carom_saddle_terms *terms, double *x, double *la)
{
    const size_t bytes = sizeof(double) * (size_t)p->size.nu;
    if (terms->F)
        memcpy(x, terms->F, bytes);
    else
        memset(x, 0, bytes);
    memset(la, 0, sizeof(double) * (size_t)p->size.n_row);
    if (terms->weight != 0) push_discs(p, rows, terms->mass, terms->weight, x, la);
    carom_mass_solve(terms->mass->mass, x);
}

// all that pivots below the limit would hold keeps the forces of the limit
static void hold_firmly(carom_saddle *p, const carom_saddle_rows *rows,
                        const carom_saddle_terms *terms, const carom_eval *rate, double *x,
                        double *la)
{
    const carom_saddle_limit *limit = terms->limit;
    set_free(p, rows, terms, x, la);
    if (p->is_factored) fill_schur(p, &rate->rows.W);
    p->is_factored = false;
    for (int j = 0; limit->la && j < p->n; j++) push_with(p, j, limit->la[p->row[j]], x, la);
    for (int pass = 0; pass < 2; pass++) close_rows(p, terms, rate, limit->weakest, x, la);
}

static int hold_rows(carom_saddle *p, const carom_saddle_rows *rows,
                     const carom_saddle_terms *terms, double *x, double *la)
{
    const carom_eval *rate = terms->rate ? terms->rate : terms->mass;
    const carom_saddle_limit *limit = terms->limit;
    build_schur(p, rows, terms->mass, rate);
    factor_schur(p, rate);
    if (terms->F) push_reference(p, rows->reference, x, la);
    const int rank = close_rows(p, terms, rate, 0, x, la);
    close_rows(p, terms, rate, 0, x, la);
    bool is_sliding = false; // forces that grow without bound are then a jam, not a weak place
    for (int j = 0; j < p->n; j++) is_sliding |= p->contact[j] >= 0;
    if (is_sliding || (!terms->strength && !limit)) return rank;
    const carom_saddle_strength strength = strength_of(p, rank);
    if (terms->strength) *terms->strength = strength;
    if (limit && (rank < limit->rank || strength.weakest < limit->weakest))
        hold_firmly(p, rows, terms, rate, x, la);
    return rank;
}

carom_status carom_saddle_solve(carom_saddle *p, const carom_saddle_rows *rows,
                                const carom_saddle_terms *terms, double *x, double *la,
                                carom_error *error)
{
    set_free(p, rows, terms, x, la);
    choose_rows(p, rows);
    const int rank = p->n > 0 ? hold_rows(p, rows, terms, x, la) : 0;
    friction_forces(p, rows, terms->mass, la);
    if (terms->is_regular) *terms->is_regular = rank == p->n;
    double sum = 0;
    for (int i = 0; i < p->size.nu; i++) sum += 0 * x[i];
    if (sum == 0) return CAROM_OK;
    return carom_fail(error, CAROM_NOT_CONVERGED,
                      "the accelerations with held rows are not finite");
}

// From the anchor, where the slip is still, to the motion's own direction at twice that slip rate:
// forces that jumped there could hold the motion at the jump.
static void turn_direction(const carom_saddle_rows *rows, int c, int r, const double own[2],
                           double length)
{
    const double *d0 = rows->anchor + r, still = rows->still[c];
    double *d = rows->direction + r;
    d[1] = d0[1];
    d[2] = d0[2];
    if (!(length > still)) return;
    const double sign = own[0] * d0[1] + own[1] * d0[2] < 0 ? -1 : 1;
    const double share = length < 2 * still ? length / still - 1 : 1;
    const double x = (1 - share) * d0[1] + share * sign * own[0],
                 y = (1 - share) * d0[2] + share * sign * own[1], norm = hypot(x, y);
    d[1] = x / norm;
    d[2] = y / norm;
}

void carom_saddle_turn_directions(const carom_model *model, const carom_saddle_rows *rows,
                                  const carom_eval *eval, const double *u)
{
    const int n_contact = carom_model_sizes(model).n_contact;
    for (int c = 0; c < n_contact; c++) {
        const carom_contact_facts *facts = carom_model_contact(model, c);
        const int r = facts->row;
        if (!rows->is_sliding[c] || facts->n_slip != 2) continue;
        const double x = carom_sparse_row_times(&eval->rows.W, r + 1, u) + eval->rows.w0[r + 1];
        const double y = carom_sparse_row_times(&eval->rows.W, r + 2, u) + eval->rows.w0[r + 2],
                     length = hypot(x, y);
        turn_direction(rows, c, r, (double[]){x / length, y / length}, length);
    }
}
