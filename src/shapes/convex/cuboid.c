// SPDX-License-Identifier: Apache-2.0
// Two boxes: fifteen axes, and the closest features of boxes that are apart.
//
//     a_i, b_j   axes;   C_ij = a_i.b_j,   T = centre of b seen from that of a, in axes a
//     s(n)       = |n.T| - sum ha_i |n.a_i| - sum hb_j |n.b_j|
//     n          a_i;  b_j;  a_i x b_j = (.., -C_kj, C_lj)/sqrt(C_kj^2 + C_lj^2)
//
// Every term is as exact as the boxes, however parallel two edges are, because n has no part along
// a_i and its parts along b are worked out from n. An axis of edges counts only if it separates
// more than the best face beyond rounding.
//
// Apart, the closest features are a corner and what it is nearest to (coordinates cut off at
// the other box's half sizes), or two edges: for each pair of directions only those which support
// s(a_i x b_j).
#include "shapes/solid/solid.h"

#include "math/vec3.h"

#include <float.h>

typedef struct cuboids {
    const double *ha, *hb;
    double b[9];          // axes of b in axes of the body a
    double C[3][3], T[3]; // see the head
} cuboids;

static void place_cuboids(const carom_solid_pair *pair, cuboids *c)
{
    double d[3];
    c->ha = pair->a->half;
    c->hb = pair->b->half;
    for (int i = 0; i < 3; i++)
        d[i] = carom_vec3_dot(pair->R + 3 * i, pair->b->centre) + pair->t[i] - pair->a->centre[i];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            c->b[3 * j + i] = carom_vec3_dot(pair->R + 3 * i, pair->b->axis + 3 * j);
    for (int i = 0; i < 3; i++) {
        c->T[i] = carom_vec3_dot(pair->a->axis + 3 * i, d);
        for (int j = 0; j < 3; j++)
            c->C[i][j] = carom_vec3_dot(pair->a->axis + 3 * i, c->b + 3 * j);
    }
}

static void take_face_a(const cuboids *c, const carom_solid *a, int i, carom_way *way)
{
    const double s = fabs(c->T[i]) - c->ha[i] - c->hb[0] * fabs(c->C[i][0]) -
                     c->hb[1] * fabs(c->C[i][1]) - c->hb[2] * fabs(c->C[i][2]);
    if (!(s > way->s)) return;
    const double sign = c->T[i] < 0 ? -1 : 1;
    way->kind = CAROM_WAY_FACE_A;
    way->i = 2 * i + (sign < 0);
    way->j = -1;
    way->s = s;
    for (int k = 0; k < 3; k++) way->n[k] = sign * a->axis[3 * i + k];
}

static void take_face_b(const cuboids *c, int j, double bias, carom_way *way)
{
    const double T = c->T[0] * c->C[0][j] + c->T[1] * c->C[1][j] + c->T[2] * c->C[2][j];
    const double s = fabs(T) - c->hb[j] - c->ha[0] * fabs(c->C[0][j]) -
                     c->ha[1] * fabs(c->C[1][j]) - c->ha[2] * fabs(c->C[2][j]);
    if (!(s > way->s + bias)) return;
    const double sign = T < 0 ? -1 : 1;
    way->kind = CAROM_WAY_FACE_B;
    way->i = -1;
    way->j = 2 * j + (sign > 0);
    way->s = s;
    for (int k = 0; k < 3; k++) way->n[k] = sign * c->b[3 * j + k];
}

/// n = a_i x b_j in axes a, from a to b, and s along it; false where the edges are parallel.
static bool cross_edges(const cuboids *c, int i, int j, double *n, double *s)
{
    const int k = (i + 1) % 3, l = (i + 2) % 3;
    const double x = c->C[k][j], y = c->C[l][j], square = x * x + y * y;
    if (!(square > 0)) return false;
    const double factor = 1 / sqrt(square);
    double nk = -y * factor, nl = x * factor, across = nk * c->T[k] + nl * c->T[l];
    if (across < 0) {
        nk = -nk;
        nl = -nl;
        across = -across;
    }
    const int p = (j + 1) % 3, q = (j + 2) % 3;
    *s = across - c->ha[k] * fabs(nk) - c->ha[l] * fabs(nl) -
         c->hb[p] * fabs(nk * c->C[k][p] + nl * c->C[l][p]) -
         c->hb[q] * fabs(nk * c->C[k][q] + nl * c->C[l][q]);
    n[i] = 0;
    n[k] = nk;
    n[l] = nl;
    return true;
}

/// From axes a to axes of the body.
static void turn_out(const carom_solid *a, const double *n, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = n[0] * a->axis[k] + n[1] * a->axis[3 + k] + n[2] * a->axis[6 + k];
}

/// The edge of a box along an axis, at those corners that bits say on the other two.
static int find_edge(const carom_solid *box, int axis, int bits)
{
    const int low = bits & ~(1 << axis), high = low | 1 << axis;
    for (int e = 0; e < 12; e++) {
        const int i = box->end[2 * e], j = box->end[2 * e + 1];
        if ((i == low && j == high) || (i == high && j == low)) return e;
    }
    return 0;
}

/// Corners furthest along n (axes a) of a, and against it of b.
static void find_bits(const cuboids *c, const double *n, int *bits_a, int *bits_b)
{
    *bits_a = *bits_b = 0;
    for (int k = 0; k < 3; k++) {
        if (n[k] > 0) *bits_a |= 1 << k;
        if (n[0] * c->C[0][k] + n[1] * c->C[1][k] + n[2] * c->C[2][k] < 0) *bits_b |= 1 << k;
    }
}

static void take_edges(const cuboids *c, const carom_solid_pair *pair, const int axes[2],
                       const double *n, double s, carom_way *way)
{
    const int i = axes[0], j = axes[1];
    int bits_a, bits_b;
    find_bits(c, n, &bits_a, &bits_b);
    way->kind = CAROM_WAY_EDGES;
    way->i = find_edge(pair->a, i, bits_a);
    way->j = find_edge(pair->b, j, bits_b);
    way->s = s;
    turn_out(pair->a, n, way->n);
}

void carom_cuboid_overlap(const carom_solid_pair *pair, double enough, carom_way *way)
{
    cuboids c;
    place_cuboids(pair, &c);
    const double bias = 2 * DBL_EPSILON * pair->size;
    way->s = -INFINITY;
    for (int i = 0; i < 3; i++) take_face_a(&c, pair->a, i, way);
    for (int j = 0; j < 3; j++) take_face_b(&c, j, bias, way);
    if (way->s > enough) return;
    int axes[2] = {-1, 0};
    double best = way->s + bias, best_n[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double n[3], s;
            if (!cross_edges(&c, i, j, n, &s) || !(s > best)) continue;
            best = s;
            axes[0] = i;
            axes[1] = j;
            carom_vec3_copy(n, best_n);
        }
    if (axes[0] >= 0) take_edges(&c, pair, axes, best_n, best, way);
}

/// The closest that corners of one box come to another one with these half sizes: square, the
/// corner, and on which side of the other it is on each axis (-1, 0 between, 1).
typedef struct nearest_corner {
    double square;
    int corner, region[3];
    double way[3]; // from the other box to the corner
} nearest_corner;

/// x: the corner in axes of the other box, from its centre.
static void try_corner(int corner, const double *x, const double *half, nearest_corner *nearest)
{
    double way[3], square = 0;
    for (int k = 0; k < 3; k++) {
        way[k] = x[k] > half[k] ? x[k] - half[k] : x[k] < -half[k] ? x[k] + half[k] : 0;
        square += way[k] * way[k];
    }
    if (!(square < nearest->square)) return;
    nearest->square = square;
    nearest->corner = corner;
    for (int k = 0; k < 3; k++) {
        nearest->way[k] = way[k];
        nearest->region[k] = x[k] > half[k] ? 1 : x[k] < -half[k] ? -1 : 0;
    }
}

/// What the corner is nearest to on the box: the number of a face, an edge or a corner.
static int find_nearest(const carom_solid *box, const nearest_corner *nearest, int *n_cut)
{
    int bits = 0, free = 0, cut = 0;
    *n_cut = 0;
    for (int k = 0; k < 3; k++) {
        if (nearest->region[k] > 0) bits |= 1 << k;
        if (nearest->region[k] == 0)
            free = k;
        else {
            cut = k;
            ++*n_cut;
        }
    }
    if (*n_cut == 3) return bits;
    if (*n_cut == 2) return find_edge(box, free, bits);
    return 2 * cut + (nearest->region[cut] < 0);
}

static void try_corners(const cuboids *c, nearest_corner *of_a, nearest_corner *of_b)
{
    const double *T = c->T;
    for (int v = 0; v < 8; v++) {
        double x[3], y[3];
        for (int i = 0; i < 3; i++) {
            x[i] = T[i];
            y[i] = -(T[0] * c->C[0][i] + T[1] * c->C[1][i] + T[2] * c->C[2][i]);
            for (int j = 0; j < 3; j++) {
                x[i] += (v >> j & 1 ? c->hb[j] : -c->hb[j]) * c->C[i][j];
                y[i] += (v >> j & 1 ? c->ha[j] : -c->ha[j]) * c->C[j][i];
            }
        }
        try_corner(v, x, c->ha, of_b);
        try_corner(v, y, c->hb, of_a);
    }
}

/// Whether the feet of the two edges that support n (axes a) lie on both of them: each edge crosses
/// the plane through the other one and n. That can be told however parallel they are; with d from
/// the middle of a's edge e to that of b's f, w = d.(n x e), and |e x f| = sine:
///
///     |w| <= sine hb,   |sine d.e - e.f w| <= sine ha      (signs so that f.(n x e) = sine)
static bool has_feet(const cuboids *c, int i, int j, const double *n)
{
    int bits_a, bits_b;
    find_bits(c, n, &bits_a, &bits_b);
    double d[3];
    for (int k = 0; k < 3; k++) {
        d[k] = c->T[k];
        if (k != i) d[k] -= bits_a >> k & 1 ? c->ha[k] : -c->ha[k];
        for (int l = 0; l < 3; l++)
            if (l != j) d[k] += (bits_b >> l & 1 ? c->hb[l] : -c->hb[l]) * c->C[k][l];
    }
    const int k = (i + 1) % 3, l = (i + 2) % 3;
    const double across = n[l] * c->C[k][j] - n[k] * c->C[l][j], sine = fabs(across);
    const double w = (n[l] * d[k] - n[k] * d[l]) * (across < 0 ? -1 : 1);
    return fabs(w) <= sine * c->hb[j] && fabs(sine * d[i] - c->C[i][j] * w) <= sine * c->ha[i];
}

/// Edges count where they are nearer than a corner beyond rounding: corners keep their way when
/// boxes turn a little, and edges that are nearly parallel do not.
static void try_edges(const cuboids *c, const carom_solid_pair *pair, carom_way *way)
{
    const double bias = 2 * DBL_EPSILON * pair->size;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double n[3], s;
            if (!cross_edges(c, i, j, n, &s) || !(s > 0) || !(s < way->s - bias)) continue;
            if (has_feet(c, i, j, n)) take_edges(c, pair, (const int[2]){i, j}, n, s, way);
        }
}

static void take_corner_of_a(const cuboids *c, const carom_solid_pair *pair,
                             const nearest_corner *nearest, carom_way *way)
{
    static const carom_way_kind kinds[4] = {CAROM_WAY_FACE_B, CAROM_WAY_FACE_B, CAROM_WAY_A_LINE,
                                            CAROM_WAY_POINTS};
    int n_cut;
    way->j = find_nearest(pair->b, nearest, &n_cut);
    way->i = nearest->corner;
    way->kind = kinds[n_cut];
    way->s = sqrt(nearest->square);
    for (int k = 0; k < 3; k++)
        way->n[k] = -(nearest->way[0] * c->b[k] + nearest->way[1] * c->b[3 + k] +
                      nearest->way[2] * c->b[6 + k]) /
                    way->s;
}

static void take_corner_of_b(const carom_solid_pair *pair, const nearest_corner *nearest,
                             carom_way *way)
{
    static const carom_way_kind kinds[4] = {CAROM_WAY_FACE_A, CAROM_WAY_FACE_A, CAROM_WAY_B_LINE,
                                            CAROM_WAY_POINTS};
    int n_cut;
    way->i = find_nearest(pair->a, nearest, &n_cut);
    way->j = nearest->corner;
    way->kind = kinds[n_cut];
    way->s = sqrt(nearest->square);
    turn_out(pair->a, nearest->way, way->n);
    for (int k = 0; k < 3; k++) way->n[k] /= way->s;
}

bool carom_cuboid_apart(const carom_solid_pair *pair, carom_way *way)
{
    cuboids c;
    place_cuboids(pair, &c);
    nearest_corner of_a = {.square = INFINITY}, of_b = {.square = INFINITY};
    try_corners(&c, &of_a, &of_b);
    if (!(of_a.square > 0) || !(of_b.square > 0)) return false;
    if (of_a.square <= of_b.square)
        take_corner_of_a(&c, pair, &of_a, way);
    else
        take_corner_of_b(pair, &of_b, way);
    try_edges(&c, pair, way);
    return true;
}
