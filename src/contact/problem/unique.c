// SPDX-License-Identifier: Apache-2.0
// With friction a contact problem can have several answers whose rates differ: a body in a corner
// slides out or is jammed, Painleve's rod lifts off or is caught. Which of them a solver gives is
// chance. Friction must reach normals for that. With bilateral rows eliminated and a slip s_k at
// each contact, |s_k| <= 1,
//
//     a_jk = G_NjNk + mu_k G_NjTk s_k,     a_jj > 0,     a_jj a_kk > a_jk a_kj
//
// holds for all s where it cannot, but for a few pairs that stick or slip at choice (3 of 234
// random ones, test_unique.c). (Contacts that slip as one, feet of a block on a floor, have one
// s.) The first few contacts for which it fails are suspects. Other answers are looked for among
// all their modes: open, stick, slip both ways; in space along the direction that reaches a normal
// most. The other contacts and all discs keep the modes of the known answer, and impulses near it
// where rows depend on each other. What is found is checked as any answer is.
#include "contact/problem/unique.h"

#include "contact/problem/problem.h"
#include "contact/small/mode.h"
#include "math/cone.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

enum { MOST = CAROM_UNIQUE_ROWS, MOST_SUSPECTS = 4 };
static const double other = 1e-6;   // of the largest rate
static const double noise = 1e-12;  // of the largest pivot
static const double on_edge = 1e-9; // of the cone

typedef struct look {
    const carom_problem *problem;
    const double *known;        // the answer that is known
    double xi[MOST], size;      // its rates, their largest
    double P[MOST], rate[MOST]; // of another
    double A[MOST * MOST], x[MOST], work[MOST * (MOST + 2)];
    double slip[MOST][2]; // by blocks: the direction of slip
    int mode[MOST], row[MOST], owner[MOST], pivot[MOST];
    int suspect[MOST_SUSPECTS], n_suspect;
} look;

static double entry_at(const carom_problem *p, int i, int j)
{
    return p->G.dense[(size_t)j * (size_t)p->n_row + (size_t)i];
}

static double root_of(const carom_problem *p, int i)
{
    return sqrt(fabs(entry_at(p, i, i)));
}

// whether the rows of a block do not move in the known answer whatever contacts do: equations, and
// discs that stick
static bool is_held(const look *l, const carom_block *block)
{
    if (!block->is_bilateral) return false;
    if (!block->is_limited) return true;
    const double length = carom_cone_length(block->dim, l->known + block->first);
    return length < (1 - on_edge) * carom_disc_reach(block, l->known);
}

// A := G with the rows that are held eliminated
static void eliminate(look *l)
{
    const carom_problem *p = l->problem;
    const int n = p->n_row;
    int first = 0; // rows and columns before it are eliminated and not asked for again
    double largest = 0;
    memcpy(l->A, p->G.dense, sizeof(double) * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++) largest = carom_larger(largest, fabs(entry_at(p, i, i)));
    for (int k = 0; k < p->n_block; k++) {
        const carom_block *block = &p->block[k];
        for (int r = block->first; is_held(l, block) && r < block->first + block->dim; r++) {
            const double pivot = l->A[r * n + r];
            first += first == r;
            if (!(fabs(pivot) > noise * largest)) continue;
            for (int j = first; j < n; j++) {
                const double factor = l->A[j * n + r] / pivot;
                for (int i = first; j != r && factor != 0 && i < n; i++)
                    l->A[j * n + i] -= factor * l->A[r * n + i];
            }
        }
    }
}

// what friction of contact k at most does to normal row j
static inline double reach_of_friction(const double *G, size_t n, int j, const carom_block *k)
{
    if (k->is_bilateral || k->dim == 1) return 0;
    const double *column = G + (size_t)(k->first + 1) * n + j;
    return k->mu * (k->dim == 2 ? fabs(column[0]) : hypot(column[0], column[n]));
}

// what contact k at most does to the normal of contact j
static inline double coupling(const double *G, size_t n, const carom_block *j, const carom_block *k)
{
    return fabs(G[(size_t)k->first * n + (size_t)j->first]) + reach_of_friction(G, n, j->first, k);
}

// a pair in the plane, for one choice of slips
static bool pair_has_one_answer(const double *G, size_t n, const carom_block *j,
                                const carom_block *k, const double *s)
{
    const carom_block *const it[2] = {j, k};
    double a[2][2];
    for (int row = 0; row < 2; row++)
        for (int i = 0; i < 2; i++) {
            const double *column = G + (size_t)it[i]->first * n + it[row]->first;
            a[row][i] = column[0] + (it[i]->dim > 1 ? s[i] * it[i]->mu * column[n] : 0);
        }
    return a[0][0] > 0 && a[1][1] > 0 && a[0][0] * a[1][1] > a[0][1] * a[1][0];
}

// whether two contacts in the plane have one slip rate, and with which sign
static double slips_as_one(const double *G, size_t n, const carom_block *j, const carom_block *k)
{
    if (j->dim != 2 || k->dim != 2) return 0;
    const size_t a = (size_t)j->first + 1, b = (size_t)k->first + 1;
    const double both = G[b * n + a];
    if (both * both < (1 - noise) * G[a * n + a] * G[b * n + b]) return 0;
    return both > 0 ? 1 : -1;
}

// whether neither contact knows of the other
static bool are_apart(const double *G, size_t n, const carom_block *j, const carom_block *k)
{
    for (int i = 0; i < j->dim; i++)
        for (int d = 0; d < k->dim; d++) {
            const size_t a = (size_t)j->first + (size_t)i, b = (size_t)k->first + (size_t)d;
            if (G[a * n + b] != 0 || G[b * n + a] != 0) return false;
        }
    return true;
}

static bool pair_is_safe(const double *G, size_t n, const carom_block *j, const carom_block *k)
{
    if (are_apart(G, n, j, k)) return true;
    const size_t a = (size_t)j->first, b = (size_t)k->first;
    const double first = G[a * n + a] - reach_of_friction(G, n, j->first, j);
    const double second = G[b * n + b] - reach_of_friction(G, n, k->first, k);
    const double across = coupling(G, n, j, k), back = coupling(G, n, k, j);
    if (first > 0 && second > 0 && first * second > across * back) return true;
    if (j->dim > 2 || k->dim > 2) return false;
    const double same = slips_as_one(G, n, j, k);
    for (int v = 0; v < 4; v++) {
        const double s[2] = {v & 1 ? 1 : -1, v & 2 ? 1 : -1};
        if (same != 0 && s[0] * s[1] != same) continue;
        if (!pair_has_one_answer(G, n, j, k, s)) return false;
    }
    return true;
}

static bool has_reach(const carom_block *block)
{
    return !block->is_bilateral && block->dim > 1 && block->mu > 0;
}

static void suspect_contact(look *l, int k)
{
    for (int i = 0; i < l->n_suspect; i++)
        if (l->suspect[i] == k) return;
    if (l->n_suspect < MOST_SUSPECTS) l->suspect[l->n_suspect++] = k;
}

static inline bool is_doubtful(const double *G, size_t n, const carom_block *block)
{
    const size_t r = (size_t)block->first;
    return has_reach(block) && !(reach_of_friction(G, n, block->first, block) < G[r * n + r]);
}

static inline bool are_doubtful(const double *G, size_t n, const carom_block *j,
                                const carom_block *k)
{
    if (j->is_bilateral || k->is_bilateral || !(has_reach(j) || has_reach(k))) return false;
    return !pair_is_safe(G, n, j, k);
}

// whether nothing has to be eliminated to see that there are no suspects
static bool is_plain(const carom_problem *p)
{
    const size_t n = (size_t)p->n_row;
    for (int j = 0; j < p->n_block; j++) {
        if (p->block[j].is_bilateral || is_doubtful(p->G.dense, n, &p->block[j])) return false;
        for (int k = 0; k < j; k++)
            if (are_doubtful(p->G.dense, n, &p->block[j], &p->block[k])) return false;
    }
    return true;
}

static bool find_suspects(look *l)
{
    const carom_problem *p = l->problem;
    const size_t n = (size_t)p->n_row;
    eliminate(l);
    l->n_suspect = 0;
    for (int j = 0; j < p->n_block; j++) {
        if (is_doubtful(l->A, n, &p->block[j])) suspect_contact(l, j);
        for (int k = 0; k < j; k++) {
            if (!are_doubtful(l->A, n, &p->block[j], &p->block[k])) continue;
            suspect_contact(l, k);
            suspect_contact(l, j);
        }
    }
    return l->n_suspect > 0;
}

// whether l->P is an answer, and another one
static bool is_other(look *l)
{
    const carom_problem *p = l->problem;
    double far = 0;
    carom_problem_rates(p, l->P, l->rate);
    for (int i = 0; i < p->n_row; i++) {
        const double root = root_of(p, i);
        if (root > 0) far = carom_larger(far, fabs(l->rate[i] - l->xi[i]) / root);
    }
    return far > other * l->size && carom_residual_formed(p, l->P) <= CAROM_CONTACT_TOLERANCE;
}

// the mode of a contact in the known answer
static void keep_mode(look *l, int k, const double *P)
{
    const carom_block *block = &l->problem->block[k];
    if (carom_block_is_disc(block)) {
        l->mode[k] = is_held(l, block) ? CAROM_STICK : CAROM_SLIP_UP;
        return;
    }
    const double *T = P + block->first + 1;
    const double length = block->dim == 1 ? 0 : block->dim == 2 ? fabs(T[0]) : hypot(T[0], T[1]);
    l->mode[k] = block->is_bilateral ? CAROM_STICK : P[block->first] > 0 ? CAROM_STICK : CAROM_OPEN;
    if (block->is_bilateral || l->mode[k] == CAROM_OPEN || block->dim == 1) return;
    if (!(length >= (1 - on_edge) * block->mu * P[block->first]) || !(length > 0)) return;
    l->mode[k] = CAROM_SLIP_UP;
    for (int i = 0; i < block->dim - 1; i++) l->slip[k][i] = T[i] / length;
}

// the direction in which friction of contact k reaches the normal of a suspect most
static void choose_slip(look *l, int k)
{
    const carom_problem *p = l->problem;
    const carom_block *block = &p->block[k];
    double most = 0;
    l->slip[k][0] = 1;
    l->slip[k][1] = 0;
    for (int i = 0; block->dim == 3 && i < l->n_suspect; i++) {
        const int r = p->block[l->suspect[i]].first;
        const double x = entry_at(p, r, block->first + 1), y = entry_at(p, r, block->first + 2);
        if (!(hypot(x, y) > most)) continue;
        most = hypot(x, y);
        l->slip[k][0] = x / most;
        l->slip[k][1] = y / most;
    }
}

// P_T of contact k over P_N
static double pull_of(const look *l, int k, int i)
{
    const carom_block *block = &l->problem->block[k];
    const double side = l->mode[k] == CAROM_SLIP_UP ? 1 : l->mode[k] == CAROM_SLIP_DOWN ? -1 : 0;
    return block->is_bilateral ? 0 : side * block->mu * l->slip[k][i];
}

// whether the impulses of a block are those of the known answer: a disc that slips
static bool is_kept(const look *l, int k)
{
    return carom_block_is_disc(&l->problem->block[k]) && l->mode[k] != CAROM_STICK;
}

// unknown are bilateral rows, discs and tangents that stick, normals of closed contacts
static int list_unknowns(look *l)
{
    const carom_problem *p = l->problem;
    int n = 0;
    for (int k = 0; k < p->n_block; k++) {
        const carom_block *block = &p->block[k];
        if (l->mode[k] == CAROM_OPEN || is_kept(l, k)) continue;
        const int n_held =
            l->mode[k] == CAROM_STICK && (block->is_bilateral || block->mu > 0) ? block->dim : 1;
        for (int i = 0; i < n_held; i++, n++) {
            l->row[n] = block->first + i;
            l->owner[n] = k;
        }
    }
    return n;
}

// A dx = -(b + A x): what the known impulses lack in these modes. Rows may depend on each other;
// the nearest impulses leave those as they are that have nothing to do with the suspects.
static void solve_rows(look *l, int n)
{
    const carom_problem *p = l->problem;
    for (int i = 0; i < n; i++) l->x[i] = -p->b[l->row[i]];
    for (int k = 0; k < p->n_block; k++)
        for (int d = 0; is_kept(l, k) && d < p->block[k].dim; d++)
            for (int i = 0, r = p->block[k].first + d; i < n; i++)
                l->x[i] -= entry_at(p, l->row[i], r) * l->known[r];
    for (int j = 0; j < n; j++) {
        const int r = l->row[j], k = l->owner[j];
        const bool is_normal = r == p->block[k].first;
        for (int i = 0; i < n; i++) {
            double sum = entry_at(p, l->row[i], r);
            for (int d = 0; is_normal && d < p->block[k].dim - 1 && d < 2; d++)
                sum += pull_of(l, k, d) * entry_at(p, l->row[i], r + 1 + d);
            l->A[j * n + i] = sum;
            l->x[i] -= sum * l->known[r];
        }
    }
    if (n > 0) carom_dense_least(n, l->A, 1, l->x, l->work, l->pivot);
    for (int j = 0; j < n; j++) l->x[j] += l->known[l->row[j]];
}

// the impulses of the modes
static bool solve_modes(look *l)
{
    const carom_problem *p = l->problem;
    const int n = list_unknowns(l);
    solve_rows(l, n);
    memset(l->P, 0, sizeof l->P);
    for (int k = 0; k < p->n_block; k++)
        for (int r = p->block[k].first; is_kept(l, k) && r < p->block[k].first + p->block[k].dim;
             r++)
            l->P[r] = l->known[r];
    bool is_pushing = true; // most wrong modes pull
    for (int j = 0; j < n; j++) {
        const carom_block *block = &p->block[l->owner[j]];
        l->P[l->row[j]] = l->x[j];
        if (block->is_bilateral || l->row[j] != block->first) continue;
        is_pushing &= l->x[j] >= 0;
        for (int d = 0; l->mode[l->owner[j]] > CAROM_STICK && d < block->dim - 1; d++)
            l->P[block->first + 1 + d] = pull_of(l, l->owner[j], d) * l->x[j];
    }
    return is_pushing;
}

static bool next_modes(look *l)
{
    for (int i = 0; i < l->n_suspect; i++) {
        const int k = l->suspect[i];
        const int last = has_reach(&l->problem->block[k]) ? CAROM_SLIP_DOWN : CAROM_STICK;
        if (++l->mode[k] <= last) return true;
        l->mode[k] = CAROM_OPEN;
    }
    return false;
}

static void measure_answer(look *l, const double *P)
{
    const carom_problem *p = l->problem;
    carom_problem_rates(p, P, l->xi);
    l->size = 0;
    for (int i = 0; i < p->n_row; i++) {
        const double root = root_of(p, i), rate = carom_larger(fabs(l->xi[i]), fabs(p->b[i]));
        if (root > 0) l->size = carom_larger(l->size, rate / root);
    }
}

static bool look_for_other(const carom_problem *problem, const double *P)
{
    look l;
    l.problem = problem;
    l.known = P;
    if (!find_suspects(&l)) return false;
    measure_answer(&l, P);
    for (int k = 0; k < problem->n_block; k++) keep_mode(&l, k, P);
    for (int i = 0; i < l.n_suspect; i++) {
        l.mode[l.suspect[i]] = CAROM_OPEN;
        choose_slip(&l, l.suspect[i]);
    }
    do {
        if (solve_modes(&l) && is_other(&l)) return true;
    } while (next_modes(&l));
    return false;
}

// the same with the given parts of impulses taken off
static bool look_above_lower(const carom_problem *problem, const double *P)
{
    carom_block block[MOST];
    double b[MOST], change[MOST], Q[MOST];
    memcpy(Q, P, sizeof *Q * (size_t)problem->n_row);
    const carom_problem raised = carom_problem_raise(problem, block, b, change, Q);
    return look_for_other(&raised, Q);
}

bool carom_contact_finds_other(const carom_problem *problem, const double *P)
{
    if (problem->n_row > MOST || !carom_problem_has_friction(problem)) return false;
    if (is_plain(problem)) return false;
    return carom_problem_has_lower(problem) ? look_above_lower(problem, P)
                                            : look_for_other(problem, P);
}
