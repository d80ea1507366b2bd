// SPDX-License-Identifier: Apache-2.0
// Where contacts are in a drawing. A model says how large a gap is, not where: here the drawn
// points whose distance from something equals the gap are found, as identities. Gap and points are
// evaluated at some configurations around the start, chosen by a fixed sequence, and a relation
// that holds at all of them to rounding is the one that was written down.
#include "report/locate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_TRIAL = 14, MOST_POINTS = 400, MOST_PAIRED = 60 };

/// Points and gaps at all trials.
typedef struct trials {
    const carom_model *model;
    int n, n_point, n_contact;
    int *point; // (n_point) places among the draw numbers
    unsigned char *is_moving, *is_edge,
        *is_disc; // (n_point); edge: with the next point it is a line
    double *xy;   // (N_TRIAL x n_point x 2)
    double *gap;  // (N_TRIAL x n_contact)
    double size;  // largest coordinate or gap
} trials;

static const double *at(const trials *t, int trial, int point)
{
    return t->xy + 2 * ((size_t)trial * (size_t)t->n_point + (size_t)point);
}

static double gap_at(const trials *t, int trial, int contact)
{
    return t->gap[trial * t->n_contact + contact];
}

// lists the points of all drawings
static void list_points(trials *t)
{
    const carom_sizes size = carom_model_sizes(t->model);
    for (int i = 0; i < size.n_drawing; i++) {
        const carom_drawing *d = carom_model_drawing(t->model, i);
        const bool is_disc = strcmp(d->kind, "disc") == 0;
        const bool has_edges = strcmp(d->kind, "line") == 0 || strcmp(d->kind, "polyline") == 0 ||
                               strcmp(d->kind, "polygon") == 0;
        for (int k = 0; k < d->n_point && t->n_point < MOST_POINTS; k++) {
            t->is_disc[t->n_point] = is_disc;
            t->is_edge[t->n_point] = has_edges && k + 1 < d->n_point;
            t->point[t->n_point++] = d->first + 2 * k;
        }
    }
}

// numbers between -1 and 1 that are the same every time
static double next_number(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

// evaluates near the start, nearer where the model does not reach far
static void evaluate(trials *t, const carom_frames *f, double *q)
{
    unsigned long long seed = 20141;
    const carom_sizes size = carom_model_sizes(t->model);
    const double *q0 = carom_model_start_q(t->model), *u0 = carom_model_start_u(t->model);
    for (int attempt = 0; attempt < 8 * N_TRIAL && t->n < N_TRIAL; attempt++) {
        const double reach = 0.4 / (1 + attempt / (2 * N_TRIAL));
        carom_error error = {0};
        for (int i = 0; i < size.nq; i++) q[i] = q0[i] + reach * next_number(&seed);
        const carom_point point = {.t = 0.37 * attempt, .q = q, .u = u0};
        if (carom_model_eval(f->plan, &point, CAROM_FRAME_MASK, f->eval, &error) != CAROM_OK)
            continue;
        for (int i = 0; i < t->n_point; i++) {
            double *xy = t->xy + 2 * ((size_t)t->n * (size_t)t->n_point + (size_t)i);
            memcpy(xy, f->eval->draw + t->point[i], 2 * sizeof *xy);
            t->size = fmax(t->size, fmax(fabs(xy[0]), fabs(xy[1])));
            if (xy[0] != at(t, 0, i)[0] || xy[1] != at(t, 0, i)[1]) t->is_moving[i] = 1;
        }
        for (int i = 0; i < t->n_contact; i++) t->gap[t->n * t->n_contact + i] = f->eval->gap[i];
        t->n++;
    }
}

// whether rest is the same at all trials; it becomes the offset
static bool is_constant(const trials *t, const double *rest, carom_spot *spot)
{
    for (int i = 0; i < t->n; i++)
        if (!(fabs(rest[i] - rest[0]) <= 1e-9 * (t->size + fabs(rest[0])))) return false;
    spot->offset = rest[0];
    return true;
}

// whether one of two rests is the same at all trials; n[0] says which
static bool is_either(const trials *t, double rest[2][N_TRIAL], carom_spot *spot)
{
    for (int k = 0; k < 2; k++) {
        spot->n[0] = k == 0 ? 1 : -1;
        if (is_constant(t, rest[k], spot)) return true;
    }
    return false;
}

// p_a at a trial, over p_b where b >= 0
static void arm(const trials *t, int trial, const int pair[2], double d[2])
{
    const double *a = at(t, trial, pair[0]), *b = pair[1] >= 0 ? at(t, trial, pair[1]) : NULL;
    d[0] = a[0] - (b ? b[0] : 0);
    d[1] = a[1] - (b ? b[1] : 0);
}

// whether gap = n.arm + c with this n
static bool try_direction(const trials *t, int contact, const int pair[2], carom_spot *spot)
{
    double rest[N_TRIAL] = {0}, d[2];
    for (int i = 0; i < t->n; i++) {
        arm(t, i, pair, d);
        rest[i] = gap_at(t, i, contact) - spot->n[0] * d[0] - spot->n[1] * d[1];
    }
    return is_constant(t, rest, spot);
}

// the direction from two differences of trials, if it has length 1
static bool find_direction(const trials *t, int contact, const int pair[2], double n[2])
{
    double d[3][2], best = 0;
    bool is_found = false;
    arm(t, 0, pair, d[0]);
    for (int i = 1; i + 1 < t->n; i++) {
        arm(t, i, pair, d[1]);
        arm(t, i + 1, pair, d[2]);
        const double a = d[1][0] - d[0][0], b = d[1][1] - d[0][1], c = d[2][0] - d[0][0],
                     e = d[2][1] - d[0][1], determinant = a * e - b * c;
        if (fabs(determinant) <= best) continue;
        best = fabs(determinant);
        const double g = gap_at(t, i, contact) - gap_at(t, 0, contact),
                     h = gap_at(t, i + 1, contact) - gap_at(t, 0, contact);
        n[0] = (e * g - b * h) / determinant;
        n[1] = (a * h - c * g) / determinant;
        is_found = fabs(hypot(n[0], n[1]) - 1) < 1e-6;
    }
    return is_found;
}

static bool try_arm(const trials *t, int contact, const int pair[2], carom_spot *spot)
{
    static const double axis[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    for (int i = 0; i < 4; i++) {
        memcpy(spot->n, axis[i], sizeof axis[i]);
        if (try_direction(t, contact, pair, spot)) return true;
    }
    return find_direction(t, contact, pair, spot->n) && try_direction(t, contact, pair, spot);
}

// gap = +-|p_a - p_b| + c: two discs, or a disc inside a ring
static bool try_discs(const trials *t, int contact, const int pair[2], carom_spot *spot)
{
    double rest[2][N_TRIAL] = {{0}}, d[2];
    for (int i = 0; i < t->n; i++) {
        arm(t, i, pair, d);
        rest[0][i] = gap_at(t, i, contact) - hypot(d[0], d[1]);
        rest[1][i] = gap_at(t, i, contact) + hypot(d[0], d[1]);
    }
    return is_either(t, rest, spot);
}

static bool try_edge(const trials *t, int contact, int a, int b, carom_spot *spot)
{
    double rest[2][N_TRIAL] = {{0}};
    for (int i = 0; i < t->n; i++) {
        const double *p = at(t, i, a), *from = at(t, i, b), *to = at(t, i, b + 1);
        const double x = to[0] - from[0], y = to[1] - from[1], length = hypot(x, y);
        const double side = ((p[1] - from[1]) * x - (p[0] - from[0]) * y) / length;
        rest[0][i] = gap_at(t, i, contact) - side;
        rest[1][i] = gap_at(t, i, contact) + side;
    }
    return is_either(t, rest, spot);
}

static bool gap_moves(const trials *t, int contact)
{
    for (int i = 1; i < t->n; i++) {
        const double g = gap_at(t, i, contact);
        if (!isfinite(g)) return false;
        if (fabs(g - gap_at(t, 0, contact)) > 1e-6 * t->size) return true;
    }
    return false;
}

static bool locate_point(const trials *t, int contact, carom_spot *spot)
{
    for (int a = 0; a < t->n_point; a++) {
        const int pair[2] = {a, -1};
        if (!t->is_moving[a] || !try_arm(t, contact, pair, spot)) continue;
        spot->kind = CAROM_SPOT_POINT;
        spot->a = t->point[a];
        return true;
    }
    return false;
}

static bool locate_two(const trials *t, int contact, carom_spot *spot)
{
    for (int a = 0; a < t->n_point; a++)
        for (int b = 0; b < t->n_point; b++) {
            const int pair[2] = {a, b};
            if (a == b || !t->is_moving[a]) continue;
            const bool are_discs = t->is_disc[a] && try_discs(t, contact, pair, spot);
            if (!are_discs && !(t->is_moving[b] && try_arm(t, contact, pair, spot))) continue;
            spot->kind = are_discs ? CAROM_SPOT_DISCS : CAROM_SPOT_PAIR;
            spot->a = t->point[a];
            spot->b = t->point[b];
            return true;
        }
    return false;
}

static bool locate_edge(const trials *t, int contact, carom_spot *spot)
{
    for (int b = 0; b < t->n_point; b++)
        for (int a = 0; t->is_edge[b] && a < t->n_point; a++) {
            if (a == b || a == b + 1 || !try_edge(t, contact, a, b, spot)) continue;
            spot->kind = CAROM_SPOT_EDGE;
            spot->a = t->point[a];
            spot->b = t->point[b];
            spot->c = t->point[b + 1];
            return true;
        }
    return false;
}

static bool take(trials *t, double **q)
{
    const carom_sizes size = carom_model_sizes(t->model);
    t->n_contact = size.n_contact;
    t->point = calloc(MOST_POINTS, sizeof *t->point);
    t->is_moving = calloc(3, MOST_POINTS);
    t->xy = calloc((size_t)N_TRIAL * MOST_POINTS, 2 * sizeof *t->xy);
    t->gap = calloc((size_t)N_TRIAL * (size_t)(size.n_contact + 1), sizeof *t->gap);
    *q = calloc((size_t)size.nq + 1, sizeof **q);
    if (t->is_moving) {
        t->is_edge = t->is_moving + MOST_POINTS;
        t->is_disc = t->is_edge + MOST_POINTS;
    }
    return t->point && t->is_moving && t->xy && t->gap && *q;
}

carom_status carom_locate(const carom_frames *frames, carom_spot *spot, carom_error *error)
{
    trials t = {.model = frames->model};
    double *q = NULL;
    const bool is_taken = take(&t, &q);
    if (is_taken) {
        list_points(&t);
        evaluate(&t, frames, q);
    }
    const bool is_small = t.n_point <= MOST_PAIRED;
    for (int i = 0; is_taken && i < t.n_contact; i++) {
        spot[i] = (carom_spot){.kind = CAROM_SPOT_NONE};
        if (t.n < N_TRIAL || !gap_moves(&t, i)) continue;
        if (!locate_point(&t, i, &spot[i]) && !(is_small && locate_two(&t, i, &spot[i])) &&
            is_small)
            locate_edge(&t, i, &spot[i]);
    }
    free(q);
    free(t.point);
    free(t.is_moving);
    free(t.xy);
    free(t.gap);
    return is_taken ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}
