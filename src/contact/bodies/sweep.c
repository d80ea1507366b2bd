// SPDX-License-Identifier: Apache-2.0
// Block Gauss-Seidel on the velocities of bodies. The work of a contact does not depend on how many
// others share its bodies:
//
//     q = J v + b - (own P_k - d P_k)     what the others do to piece k, own = J J' + d
//     P_k := answer of the law on xi_k = own P_k + q,     v := v + J' (change of P_k)
//
// Colours one after the other, there and back; pieces of a colour share no body, so that it does
// not matter in which order, or by how many threads, they are visited: bits stay the same. What q
// asks for does not contain P_k, so that sweeps may start from points that break the laws:
// momentum (contact/newton/momentum.h) costs no projection,
//
//     P := P + beta (P - P_before),     v likewise
//
// J. J. Moreau, Numerical aspects of the sweeping process, 1999.
#include "contact/bodies/sweep.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { N_TURN = 2, LOOK_EVERY = 32 };
enum { LEAST_PIECES = 48, CHUNK = 2048, APART = 8 }; // of a share; of a sum; doubles of a line

// y = A x, A packed: 00 01 02 11 12 22
static inline void multiply(const double A[6], const double *x, double *y)
{
    y[0] = A[0] * x[0] + A[1] * x[1] + A[2] * x[2];
    y[1] = A[1] * x[0] + A[3] * x[1] + A[4] * x[2];
    y[2] = A[2] * x[0] + A[4] * x[1] + A[5] * x[2];
}

// on the rim of the cone: the direction t by a few projected steps, P_N in closed form
static inline void slip(const carom_piece *a, const double *q, const double *stuck, double *p)
{
    const double *own = a->own, mu = a->mu;
    double t1 = p[1], t2 = p[2], length = t1 * t1 + t2 * t2, N = 0;
    if (!(length > 0)) {
        t1 = stuck[1];
        t2 = stuck[2];
        length = t1 * t1 + t2 * t2;
    }
    for (int i = 0; i <= N_TURN; i++) {
        const double turn = length > 0 ? 1 / sqrt(length) : 0;
        t1 *= turn;
        t2 *= turn;
        const double push = own[0] + mu * (own[1] * t1 + own[2] * t2);
        N = -q[0] / (push > 0.01 * own[0] ? push : own[0]);
        if (i == N_TURN) break;
        const double T1 = mu * N * t1, T2 = mu * N * t2;
        t1 = T1 - a->rate * (q[1] + own[1] * N + own[3] * T1 + own[4] * T2);
        t2 = T2 - a->rate * (q[2] + own[2] * N + own[4] * T1 + own[5] * T2);
        length = t1 * t1 + t2 * t2;
    }
    p[0] = N;
    p[1] = mu * N * t1;
    p[2] = mu * N * t2;
}

static inline void obey_contact(const carom_piece *a, const double *q, double *p)
{
    double stuck[3];
    if (q[0] >= 0) {
        p[0] = p[1] = p[2] = 0;
        return;
    }
    if (a->mu == 0) {
        p[0] = -q[0] / a->own[0];
        p[1] = p[2] = 0;
        return;
    }
    multiply(a->inverse, q, stuck);
    for (int i = 0; i < 3; i++) stuck[i] = -stuck[i];
    const double limit = a->mu * stuck[0];
    if (stuck[0] >= 0 && stuck[1] * stuck[1] + stuck[2] * stuck[2] <= limit * limit) {
        p[0] = stuck[0];
        p[1] = stuck[1];
        p[2] = stuck[2];
    } else {
        slip(a, q, stuck, p);
    }
}

// in the plane a contact that slips has two directions: that of before first, the other where the
// slip would not be held up by it
static inline void obey_in_plane(const carom_piece *a, const double *q, double *p)
{
    const double *own = a->own, *inverse = a->inverse, mu = a->mu;
    const double N = -(inverse[0] * q[0] + inverse[1] * q[1]);
    const double T = -(inverse[1] * q[0] + inverse[3] * q[1]);
    if (q[0] >= 0) {
        p[0] = p[1] = 0;
        return;
    }
    if (mu > 0 && fabs(T) <= mu * N) {
        p[0] = N;
        p[1] = T;
        return;
    }
    double t = mu > 0 ? copysign(1, p[1] != 0 ? p[1] : T) : 0;
    for (int i = 0; i < 2; i++, t = -t) {
        const double push = own[0] + mu * own[1] * t;
        p[0] = -q[0] / (push > 0.01 * own[0] ? push : own[0]);
        p[1] = mu * t * p[0];
        if (t * (q[1] + own[1] * p[0] + own[3] * p[1]) <= 0) return;
    }
}

// a bilateral piece, or a disc
static void obey_bilateral(const carom_piece *a, const double *q, double *p)
{
    double stuck[3], x[3];
    multiply(a->inverse, q, stuck);
    for (int i = 0; i < 3; i++) stuck[i] = -stuck[i];
    const double R = a->radius;
    const bool fits = stuck[0] * stuck[0] + stuck[1] * stuck[1] + stuck[2] * stuck[2] <= R * R;
    if (a->kind == CAROM_PIECE_EQUALITY || fits) {
        memcpy(p, stuck, sizeof stuck);
        return;
    }
    if (p[0] == 0 && p[1] == 0 && p[2] == 0) memcpy(p, stuck, sizeof stuck);
    for (int i = 0; i <= N_TURN; i++) {
        const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        for (int k = 0; k < 3; k++) p[k] *= length > 0 ? R / length : 0;
        if (i == N_TURN) break;
        multiply(a->own, p, x);
        for (int k = 0; k < 3; k++) p[k] -= a->rate * (x[k] + q[k]);
    }
}

// one piece; D and W are constants at every call. Returns its largest change
static inline __attribute__((always_inline)) double visit(carom_body_form *form, int k, int D,
                                                          int W)
{
    const carom_piece *piece = &form->piece[k];
    const int n_part = piece[1].part - piece->part;
    const int *body = form->body + piece->part;
    const double *J = form->J + (size_t)piece->part * (size_t)(D * W);
    double *P = form->P + (size_t)k * (size_t)D;
    double p[3] = {0}, q[3] = {0}, own[3], change[3] = {0}, largest = 0;
    for (int i = 0; i < D; i++) {
        p[i] = P[i];
        q[i] = form->b[(size_t)k * (size_t)D + (size_t)i];
        q[i] += form->d[(size_t)k * (size_t)D + (size_t)i] * p[i];
    }
    for (int part = 0; part < n_part; part++) {
        const double *v = form->v + (size_t)body[part] * (size_t)W, *row = J + part * D * W;
        for (int i = 0; i < D; i++)
            for (int c = 0; c < W; c++) q[i] += row[i * W + c] * v[c];
    }
    multiply(piece->own, p, own);
    for (int i = 0; i < 3; i++) q[i] -= own[i];
    if (piece->kind == CAROM_PIECE_CONTACT && D == 2)
        obey_in_plane(piece, q, p);
    else if (piece->kind == CAROM_PIECE_CONTACT)
        obey_contact(piece, q, p);
    else
        obey_bilateral(piece, q, p);
    for (int i = 0; i < D; i++) {
        change[i] = p[i] - P[i];
        P[i] = p[i];
        largest = carom_larger(largest, fabs(change[i]));
    }
    if (largest == 0) return 0;
    for (int part = 0; part < n_part; part++) {
        const double *row = J + part * D * W;
        double *v = form->v + (size_t)body[part] * (size_t)W;
        for (int i = 0; i < D; i++)
            for (int c = 0; c < W; c++) v[c] += row[i * W + c] * change[i];
    }
    return largest;
}

static inline __attribute__((always_inline)) double visit_all(carom_body_form *form, int first,
                                                              int end, int step, int D, int W)
{
    double largest = 0;
    for (int k = first; k != end; k += step) largest = carom_larger(largest, visit(form, k, D, W));
    return largest;
}

// pieces from first until end, upwards or downwards
static double visit_range(carom_body_form *form, int first, int end, int step)
{
    return form->width == 3 ? visit_all(form, first, end, step, 2, 3)
                            : visit_all(form, first, end, step, 3, 6);
}

// pieces of one colour, by many threads: the order is nobody's business
typedef struct colour_visit {
    carom_body_form *form;
    int first;
    double *largest; // change of each member
} colour_visit;

static void visit_share(void *self, int member, int first, int end)
{
    const colour_visit *a = self;
    const double largest = visit_range(a->form, a->first + first, a->first + end, 1);
    a->largest[member * APART] = carom_larger(a->largest[member * APART], largest);
}

// one sweep, upwards or downwards
static double sweep_once(carom_body_form *form, bool is_forward)
{
    if (!form->team)
        return is_forward ? visit_range(form, 0, form->n_piece, 1)
                          : visit_range(form, form->n_piece - 1, -1, -1);
    double largest[CAROM_MOST_MEMBERS * APART] = {0};
    const int n_member = carom_team_size(form->team);
    for (int i = 0; i < form->n_colour; i++) {
        const int c = is_forward ? i : form->n_colour - 1 - i;
        const int first = form->colour[c], end = form->colour[c + 1];
        colour_visit a = {.form = form, .first = first, .largest = largest};
        if (form->last_is_mixed && c == form->n_colour - 1)
            *largest =
                carom_larger(*largest, is_forward ? visit_range(form, first, end, 1)
                                                  : visit_range(form, end - 1, first - 1, -1));
        else
            carom_team_run(form->team, end - first, LEAST_PIECES, visit_share, &a);
    }
    for (int i = 1; i < n_member; i++) *largest = carom_larger(*largest, largest[i * APART]);
    return *largest;
}

static int count_chunks(int n)
{
    return (n + CHUNK - 1) / CHUNK;
}

static bool reserve(carom_sweeps *a, const carom_body_form *form)
{
    const int n = form->n_piece * form->dim, m = form->n_body * form->width;
    if (n > a->room_row) {
        if (!carom_grow(&a->P_before, sizeof(double), (size_t)n) ||
            !carom_grow(&a->P_start, sizeof(double), (size_t)n) ||
            !carom_grow(&a->xi, sizeof(double), (size_t)n) ||
            !carom_grow(&a->best, sizeof(double), (size_t)n) ||
            !carom_grow(&a->sum, sizeof(double), (size_t)count_chunks(n)))
            return false;
        a->room_row = n;
    }
    if (m > a->room_body) {
        if (!carom_grow(&a->v_before, sizeof(double), (size_t)m) ||
            !carom_grow(&a->v, sizeof(double), (size_t)m))
            return false;
        a->room_body = m;
    }
    return true;
}

// sums of chunks are added in their order, whoever has made them
typedef struct momentum {
    carom_sweeps *a;
    carom_body_form *form;
    double beta;
    int n;
} momentum;

static int chunk_end(int k, int n)
{
    return (k + 1) * CHUNK < n ? (k + 1) * CHUNK : n;
}

static void sum_uphill(void *self, int member, int first, int end)
{
    const momentum *m = self;
    const carom_sweeps *a = m->a;
    const double *P = m->form->P;
    (void)member;
    for (int k = first; k < end; k++) {
        double sum = 0;
        for (int i = k * CHUNK; i < chunk_end(k, m->n); i++)
            sum += (a->P_start[i] - P[i]) * (P[i] - a->P_before[i]);
        a->sum[k] = sum;
    }
}

static void extend_impulses(void *self, int member, int first, int end)
{
    const momentum *m = self;
    const carom_sweeps *a = m->a;
    (void)member;
    for (int i = first * CHUNK; i < chunk_end(end - 1, m->n); i++) {
        const double P = m->form->P[i];
        m->form->P[i] += m->beta * (P - a->P_before[i]);
        a->P_before[i] = P;
        a->P_start[i] = m->form->P[i];
    }
}

static void extend_velocities(void *self, int member, int first, int end)
{
    const momentum *m = self;
    (void)member;
    for (int i = first * CHUNK; i < chunk_end(end - 1, m->n); i++) {
        const double v = m->form->v[i];
        m->form->v[i] += m->beta * (v - m->a->v_before[i]);
        m->a->v_before[i] = v;
    }
}

// goes on beyond the last sweeps, as long as they went on in that direction
static void add_momentum(carom_sweeps *a, carom_body_form *form)
{
    momentum m = {.a = a, .form = form, .n = form->n_piece * form->dim};
    const int n_chunk = count_chunks(m.n);
    double uphill = 0;
    carom_team_run(form->team, n_chunk, 1, sum_uphill, &m);
    for (int k = 0; k < n_chunk; k++) uphill += a->sum[k];
    m.beta = carom_momentum_next(&a->momentum, uphill > 0);
    carom_team_run(form->team, n_chunk, 1, extend_impulses, &m);
    m.n = form->n_body * form->width;
    carom_team_run(form->team, count_chunks(m.n), 1, extend_velocities, &m);
}

// goes on from P and v as if it were the first time
static void begin_here(carom_sweeps *a, const carom_body_form *form)
{
    const size_t rows = sizeof(double) * (size_t)(form->n_piece * form->dim);
    memcpy(a->P_before, form->P, rows);
    memcpy(a->P_start, form->P, rows);
    memcpy(a->v_before, form->v, sizeof(double) * (size_t)(form->n_body * form->width));
}

// the residual of P as it is, from velocities made anew; the best is kept. The sweeps go on with
// theirs: momentum would take a correction of one iterate alone for a direction
static double look(carom_sweeps *a, const carom_body_form *form, double best)
{
    const size_t size = sizeof(double) * (size_t)(form->n_piece * form->dim);
    carom_body_form_push(form, form->P, a->v);
    carom_body_form_rates(form, a->v, form->P, true, a->xi);
    const double residual = carom_body_form_residual(form, form->P, a->xi);
    if (!(residual < best)) return best;
    memcpy(a->best, form->P, size);
    return residual;
}

double carom_sweeps_run(carom_sweeps *a, carom_body_form *form, carom_sweep_order order,
                        int *n_sweep)
{
    if (!reserve(a, form)) return INFINITY;
    const size_t rows = sizeof(double) * (size_t)(form->n_piece * form->dim);
    const size_t bodies = sizeof(double) * (size_t)(form->n_body * form->width);
    double best = look(a, form, INFINITY), size = 0;
    memcpy(a->best, form->P, rows);
    memcpy(form->v, a->v, bodies);
    begin_here(a, form);
    a->momentum = carom_momentum_new(best);
    for (int i = 0; i < form->n_piece * form->dim; i++)
        size = carom_larger(size, carom_larger(fabs(form->P[i]), fabs(form->b[i])));
    for (int sweep = 1, last = 0; sweep <= order.most && best > order.tolerance; sweep++) {
        const bool is_forward = sweep % 2 == 1;
        const double change = sweep_once(form, is_forward);
        ++*n_sweep;
        if (!(change < INFINITY)) break;
        const bool is_due = sweep - last >= LOOK_EVERY || change <= order.tolerance * size;
        if (is_due || sweep == order.most) {
            best = look(a, form, best);
            if (order.accelerates && carom_momentum_is_astray(&a->momentum, sweep - last, best)) {
                memcpy(form->P, a->best, rows);
                carom_body_form_push(form, form->P, form->v);
                begin_here(a, form);
            }
            last = sweep;
        }
        if (order.accelerates && !is_forward) add_momentum(a, form);
    }
    memcpy(form->P, a->best, rows);
    return best;
}

void carom_sweeps_free(carom_sweeps *a)
{
    void *const all[] = {a->P_before, a->P_start, a->v_before, a->v, a->xi, a->best, a->sum};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    *a = (carom_sweeps){0};
}
