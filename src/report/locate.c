// SPDX-License-Identifier: Apache-2.0
// Where contacts are in a drawing. A model says how large a gap is, not where: here the drawn
// points whose distance from something equals the gap are found, as identities. Gap and points are
// evaluated at some configurations around the start, chosen by a fixed sequence, and a relation
// that holds at all of them to rounding is one that was written down:
//
//     point   gap = n.p_a + c              a point, or the rim of a disc, and a fixed wall
//     pair    gap = n.(p_a - p_b) + c      the same, and something that moves
//     discs   gap = +-|p_a - p_b| + c      two discs, or a disc inside a ring
//     edge    gap = +-(distance of p_a from the line through two points) + c
//
// Many points of one body fulfil them together (all corners of a box that does not turn, with
// another c each). The contact is where things that are drawn meet when the gap is 0: the offset c
// says how far the rims of a and b are apart then, and the pair with the least of that is taken.
#include "report/locate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_TRIAL = 14, MOST_POINTS = 400, MOST_PAIRED = 60 };

static const double meeting = 0.02, unknown = 0.05, slightly = 1e-6; // of the drawing's size

/// Points and gaps at all trials.
typedef struct trials {
    const carom_model *model;
    int n, n_point, n_contact;
    int *point;               // (n_point) places among the draw numbers
    int *flat;                // (n_point) the same in a frame of two axes
    int *other;               // (n_point) with this point it is a line, -1 = none
    unsigned char *is_moving; // (n_point)
    unsigned char *is_disc;   // (n_point)
    double *way;              // (nu) from the start to a trial
    double *radius;           // (n_point) of a disc at the first trial, else 0
    double *xy;               // (N_TRIAL x n_point x 2)
    double *gap;              // (N_TRIAL x n_contact)
    double size;              // largest coordinate or gap
} trials;

/// The best of the spots found so far.
typedef struct choice {
    carom_spot spot;
    double apart; // how far what is drawn is apart where the gap is 0
} choice;

static void offer_spot(choice *best, const carom_spot *spot, double apart)
{
    if (best->spot.kind != CAROM_SPOT_NONE && !(apart < best->apart)) return;
    best->spot = *spot;
    best->apart = apart;
}

static const double *point_at(const trials *t, int trial, int point)
{
    return t->xy + 2 * ((size_t)trial * (size_t)t->n_point + (size_t)point);
}

static double gap_at(const trials *t, int trial, int contact)
{
    return t->gap[trial * t->n_contact + contact];
}

// the point at the other end of an edge that begins at point k of a drawing; -1 = none
static int other_end(const trials *t, const carom_drawing *d, int k)
{
    const bool is_polygon = strcmp(d->kind, "polygon") == 0;
    if (!is_polygon && strcmp(d->kind, "line") != 0 && strcmp(d->kind, "polyline") != 0) return -1;
    if (k + 1 < d->n_point) return t->n_point + 1;
    return is_polygon ? t->n_point - k : -1;
}

// lists the points of all drawings
static void list_points(trials *t, const carom_frames *f)
{
    const carom_sizes size = carom_model_sizes(t->model);
    for (int i = 0; i < size.n_drawing; i++) {
        const carom_drawing *d = carom_model_drawing(t->model, i);
        if (t->n_point + d->n_point > MOST_POINTS) return;
        for (int k = 0; k < d->n_point; k++) {
            t->is_disc[t->n_point] = strcmp(d->kind, "disc") == 0;
            t->other[t->n_point] = other_end(t, d, k);
            t->flat[t->n_point] = carom_frames_first(f, i) + 2 * k;
            t->point[t->n_point++] = d->first + d->dim * k;
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
static void evaluate_trials(trials *t, const carom_frames *f, double *q)
{
    unsigned long long seed = 20141;
    const carom_sizes size = carom_model_sizes(t->model);
    const double *q0 = carom_model_start_q(t->model), *u0 = carom_model_start_u(t->model);
    for (int attempt = 0; attempt < 8 * N_TRIAL && t->n < N_TRIAL; attempt++) {
        const int round = attempt / (2 * N_TRIAL);
        const double reach = 0.4 / (1 + round);
        carom_error error = {0};
        for (int i = 0; i < size.nu; i++) t->way[i] = next_number(&seed);
        carom_model_move(t->model, q0, t->way, reach, q);
        const carom_point point = {.t = 0.37 * attempt, .q = q, .u = u0};
        if (carom_model_eval(f->plan, &point, CAROM_FRAME_MASK, f->eval, &error) != CAROM_OK)
            continue;
        for (int i = 0; i < t->n_point; i++) {
            double *xy = t->xy + 2 * ((size_t)t->n * (size_t)t->n_point + (size_t)i);
            for (int k = 0; k < 2; k++) xy[k] = f->eval->draw[t->point[i] + f->axis[k]];
            t->size = fmax(t->size, fmax(fabs(xy[0]), fabs(xy[1])));
            if (xy[0] != point_at(t, 0, i)[0] || xy[1] != point_at(t, 0, i)[1]) t->is_moving[i] = 1;
            if (t->n == 0 && t->is_disc[i])
                t->radius[i] = f->eval->draw[t->point[i] + 2 + f->is_space];
        }
        for (int i = 0; i < t->n_contact; i++)
            t->gap[t->n * t->n_contact + i] = f->eval->gaps.value[i];
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

static double component_along(const double n[2], const double x[2])
{
    return n[0] * x[0] + n[1] * x[1];
}

// p_a at a trial, over p_b where b >= 0
static void find_arm(const trials *t, int trial, const int pair[2], double d[2])
{
    const double *a = point_at(t, trial, pair[0]),
                 *b = pair[1] >= 0 ? point_at(t, trial, pair[1]) : NULL;
    d[0] = a[0] - (b ? b[0] : 0);
    d[1] = a[1] - (b ? b[1] : 0);
}

// whether gap = n.arm + c with this n
static bool try_direction(const trials *t, int contact, const int pair[2], carom_spot *spot)
{
    double rest[N_TRIAL] = {0}, d[2];
    for (int i = 0; i < t->n; i++) {
        find_arm(t, i, pair, d);
        rest[i] = gap_at(t, i, contact) - spot->n[0] * d[0] - spot->n[1] * d[1];
    }
    return is_constant(t, rest, spot);
}

// the direction from two differences of trials, if it has length 1
static bool find_direction(const trials *t, int contact, const int pair[2], double n[2])
{
    double d[3][2], best = 0;
    bool is_found = false;
    find_arm(t, 0, pair, d[0]);
    for (int i = 1; i + 1 < t->n; i++) {
        find_arm(t, i, pair, d[1]);
        find_arm(t, i + 1, pair, d[2]);
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
        find_arm(t, i, pair, d);
        rest[0][i] = gap_at(t, i, contact) - hypot(d[0], d[1]);
        rest[1][i] = gap_at(t, i, contact) + hypot(d[0], d[1]);
    }
    return is_either(t, rest, spot);
}

static bool try_edge(const trials *t, int contact, int a, int b, carom_spot *spot)
{
    double rest[2][N_TRIAL] = {{0}};
    for (int i = 0; i < t->n; i++) {
        const double *p = point_at(t, i, a), *from = point_at(t, i, b),
                     *to = point_at(t, i, t->other[b]);
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

// How far the rim of a is from what is drawn of the wall, when the gap is 0; where nothing is drawn
// there, the rim that lies deepest is the one that touches.
static double apart_from_wall(const trials *t, int a, const carom_spot *spot)
{
    const double wall = -spot->offset - t->radius[a];
    double nearest = INFINITY;
    for (int f = 0; f < t->n_point; f++)
        if (!t->is_moving[f])
            nearest = fmin(nearest, fabs(component_along(spot->n, point_at(t, 0, f)) - wall));
    if (nearest <= meeting * t->size) return nearest;
    return 10 * t->size + component_along(spot->n, point_at(t, 0, a)) - t->radius[a];
}

static void locate_point(const trials *t, int contact, choice *best)
{
    for (int a = 0; a < t->n_point; a++) {
        const int pair[2] = {a, -1};
        carom_spot spot = {.kind = CAROM_SPOT_POINT, .a = t->flat[a]};
        if (t->is_moving[a] && try_arm(t, contact, pair, &spot))
            offer_spot(best, &spot, apart_from_wall(t, a, &spot));
    }
}

// Whether a is the end of an edge that lies across n: then it stands for the whole edge, and the
// contact is where the other one is.
static bool stands_for_edge(const trials *t, int a, const double n[2])
{
    for (int b = 0; b < t->n_point; b++) {
        const int c = t->other[b];
        if (c < 0 || (b != a && c != a)) continue;
        const double *p = point_at(t, 0, b), *q = point_at(t, 0, c),
                     d[2] = {q[0] - p[0], q[1] - p[1]};
        if (fabs(component_along(n, d)) <= slightly * t->size) return true;
    }
    return false;
}

static void offer_discs(const trials *t, int contact, const int pair[2], choice *best)
{
    carom_spot spot = {.kind = CAROM_SPOT_DISCS, .a = t->flat[pair[0]], .b = t->flat[pair[1]]};
    const double ra = t->radius[pair[0]], rb = t->radius[pair[1]];
    if (!try_discs(t, contact, pair, &spot)) return;
    const bool is_ring = spot.n[0] < 0;
    offer_spot(best, &spot,
               is_ring ? fabs(spot.offset - fabs(rb - ra)) : fabs(spot.offset + ra + rb));
}

static void offer_pair(const trials *t, int contact, const int pair[2], choice *best)
{
    const int a = pair[0], b = pair[1];
    carom_spot spot = {.kind = CAROM_SPOT_PAIR, .a = t->flat[a], .b = t->flat[b]};
    if (!t->is_moving[b] || !try_arm(t, contact, pair, &spot)) return;
    const double penalty = !t->is_disc[a] && stands_for_edge(t, a, spot.n) ? slightly * t->size : 0;
    offer_spot(best, &spot, fabs(spot.offset + t->radius[a] + t->radius[b]) + penalty);
}

static void locate_two(const trials *t, int contact, choice *best)
{
    for (int a = 0; a < t->n_point; a++)
        for (int b = 0; b < t->n_point; b++) {
            const int pair[2] = {a, b};
            if (a == b || !t->is_moving[a]) continue;
            if (t->is_disc[a]) offer_discs(t, contact, pair, best);
            offer_pair(t, contact, pair, best);
        }
}

static void locate_edge(const trials *t, int contact, choice *best)
{
    for (int b = 0; b < t->n_point; b++)
        for (int a = 0; t->other[b] >= 0 && a < t->n_point; a++) {
            const int c = t->other[b];
            carom_spot spot = {
                .kind = CAROM_SPOT_EDGE, .a = t->flat[a], .b = t->flat[b], .c = t->flat[c]};
            if (a != b && a != c && try_edge(t, contact, a, b, &spot))
                offer_spot(best, &spot, fabs(spot.offset + t->radius[a]));
        }
}

// A relation between things that do not meet when the gap is 0 says nothing of where the contact is
static carom_spot locate_contact(const trials *t, int contact)
{
    choice best = {.spot = {.kind = CAROM_SPOT_NONE}};
    if (t->n < N_TRIAL || !gap_moves(t, contact)) return best.spot;
    locate_point(t, contact, &best);
    if (best.spot.kind == CAROM_SPOT_NONE && t->n_point <= MOST_PAIRED) {
        locate_two(t, contact, &best);
        locate_edge(t, contact, &best);
        if (best.apart > unknown * t->size) best.spot.kind = CAROM_SPOT_NONE;
    }
    return best.spot;
}

static bool take_memory(trials *t, double **q)
{
    const carom_sizes size = carom_model_sizes(t->model);
    t->n_contact = size.n_contact;
    t->point = calloc(MOST_POINTS, 3 * sizeof *t->point);
    t->is_moving = calloc(2, MOST_POINTS);
    t->radius = calloc(MOST_POINTS, sizeof *t->radius);
    t->xy = calloc((size_t)N_TRIAL * MOST_POINTS, 2 * sizeof *t->xy);
    t->gap = calloc((size_t)N_TRIAL * (size_t)(size.n_contact + 1), sizeof *t->gap);
    t->way = calloc((size_t)size.nu + 1, sizeof *t->way);
    *q = calloc((size_t)size.nq + 1, sizeof **q);
    if (t->point) t->other = t->point + MOST_POINTS;
    if (t->point) t->flat = t->other + MOST_POINTS;
    if (t->is_moving) t->is_disc = t->is_moving + MOST_POINTS;
    return t->point && t->is_moving && t->radius && t->xy && t->gap && t->way && *q;
}

carom_status carom_locate(const carom_frames *frames, carom_spot *spot, carom_error *error)
{
    trials t = {.model = frames->model};
    double *q = NULL;
    const bool is_taken = take_memory(&t, &q);
    if (is_taken) {
        list_points(&t, frames);
        evaluate_trials(&t, frames, q);
    }
    for (int i = 0; is_taken && i < t.n_contact; i++) spot[i] = locate_contact(&t, i);
    free(q);
    free(t.way);
    free(t.point);
    free(t.is_moving);
    free(t.radius);
    free(t.xy);
    free(t.gap);
    return is_taken ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}
