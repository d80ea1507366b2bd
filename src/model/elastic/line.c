// SPDX-License-Identifier: Apache-2.0
// Straight bars and beams, linear. An element of length l, m = rho A l, has linear displacements
// along the line (and twist, with GJ and the polar inertia), and cubic ones across: (v1, b1, v2,
// b2), b = v' the slope,
//
//     along:   K = EA/l [1 -1; -1 1]    M = m/6 [2 1; 1 2]           consistent
//                                           m/2 [1 0; 0 1]           lumped
//                                           m/12 [5 1; 1 5]          average, of fourth order
//     across:  K = EI/(l^3 (1 + p)) [12   6l   -12   6l ;  p = 12 EI/(GA l^2), 0: Euler-Bernoulli
//                                    6l (4+p)l^2 -6l (2-p)l^2; ...]
//              M = m/420 [156 22l 54 -13l; 22l 4l^2 13l -3l^2; ...]  consistent
//                  m/2 (1, l^2/39, 1, l^2/39) on the diagonal        lumped; average: the mean
//
// Lumping across: E. Hinton, T. Rock, O. Zienkiewicz. Rotary inertia of bending is left out.
#include "model/elastic/line.h"

#include <math.h>
#include <string.h>

bool carom_line_number(carom_line *line, bool held[2][CAROM_LINE_MOTIONS], carom_arena *arena)
{
    const int last = line->n_element;
    line->unknown = CAROM_TAKE(arena, int, (last + 1) * CAROM_LINE_MOTIONS);
    line->n = 0;
    for (int k = 0; line->unknown && k <= last; k++)
        for (int m = 0; m < CAROM_LINE_MOTIONS; m++) {
            const bool is_held = (k == 0 && held[0][m]) || (k == last && held[1][m]);
            line->unknown[k * CAROM_LINE_MOTIONS + m] = line->has[m] && !is_held ? line->n++ : -1;
        }
    return line->unknown != NULL;
}

static int unknown_of(const carom_line *line, int node, carom_line_motion motion)
{
    return line->unknown[node * CAROM_LINE_MOTIONS + (int)motion];
}

// ---- matrices of one element ----

typedef struct pair {
    double a[2][2];
} pair;
typedef struct quad {
    double a[4][4];
} quad;

static pair spring(double stiffness)
{
    return (pair){{{stiffness, -stiffness}, {-stiffness, stiffness}}};
}

static pair linear_mass(double mass, carom_lumping lumping)
{
    const double own = lumping == CAROM_MASS_LUMPED ? 6 : lumping == CAROM_MASS_AVERAGE ? 5 : 4;
    const double other = 6 - own;
    return (pair){{{mass * own / 12, mass * other / 12}, {mass * other / 12, mass * own / 12}}};
}

static quad bending_stiffness(double EI, double l, double p)
{
    const double k = EI / (l * l * l * (1 + p)), d = 12 * k, s = 6 * l * k;
    const double near = (4 + p) * l * l * k, far = (2 - p) * l * l * k;
    return (quad){{{d, s, -d, s}, {s, near, -s, far}, {-d, -s, d, -s}, {s, far, -s, near}}};
}

static quad bending_mass(double mass, double l, carom_lumping lumping)
{
    static const double consistent[4][4] = {
        {156, 22, 54, -13}, {22, 4, 13, -3}, {54, 13, 156, -22}, {-13, -3, -22, 4}};
    const double share = lumping == CAROM_MASS_LUMPED ? 1 : lumping == CAROM_MASS_AVERAGE ? 0.5 : 0;
    quad M = {{{0}}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            const double scale = (i % 2 ? l : 1) * (j % 2 ? l : 1) * mass;
            const double lumped = i != j ? 0 : i % 2 ? 1 / 78.0 : 0.5;
            M.a[i][j] = scale * ((1 - share) * consistent[i][j] / 420 + share * lumped);
        }
    return M;
}

// ---- the whole line ----

static void add_pair(carom_sparse_sum *to, const int u[2], pair a, double factor)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) carom_sparse_sum_add(to, u[i], u[j], factor * a.a[i][j]);
}

static void add_quad(carom_sparse_sum *to, const int u[4], quad a, double factor)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) carom_sparse_sum_add(to, u[i], u[j], factor * a.a[i][j]);
}

static void add_along(const carom_line *line, int e, carom_line_motion motion, double alpha,
                      double beta, carom_line_matrices *to)
{
    const bool is_twist = motion == CAROM_LINE_A;
    const double l = line->length, stiffness = is_twist ? line->GJ : line->EA;
    const int u[2] = {unknown_of(line, e, motion), unknown_of(line, e + 1, motion)};
    const pair K = spring(stiffness / l);
    const pair M = linear_mass((is_twist ? line->polar : line->mass) * l, line->lumping);
    add_pair(&to->K, u, K, 1);
    add_pair(&to->M, u, M, 1);
    if (alpha > 0) add_pair(&to->D, u, M, alpha);
    if (beta > 0) add_pair(&to->D, u, K, beta);
}

static void add_across(const carom_line *line, int e, int plane, double alpha, double beta,
                       carom_line_matrices *to)
{
    const carom_line_motion v = plane ? CAROM_LINE_W : CAROM_LINE_V,
                            b = plane ? CAROM_LINE_C : CAROM_LINE_B;
    const int u[4] = {unknown_of(line, e, v), unknown_of(line, e, b), unknown_of(line, e + 1, v),
                      unknown_of(line, e + 1, b)};
    const quad K = bending_stiffness(line->EI[plane], line->length, line->shear[plane]);
    const quad M = bending_mass(line->mass * line->length, line->length, line->lumping);
    add_quad(&to->K, u, K, 1);
    add_quad(&to->M, u, M, 1);
    if (alpha > 0) add_quad(&to->D, u, M, alpha);
    if (beta > 0) add_quad(&to->D, u, K, beta);
}

void carom_line_assemble(const carom_line *line, double alpha, double beta, double beta_twist,
                         carom_line_matrices *to)
{
    for (int e = 0; e < line->n_element; e++) {
        if (line->has[CAROM_LINE_U]) add_along(line, e, CAROM_LINE_U, alpha, beta, to);
        if (line->has[CAROM_LINE_V]) add_across(line, e, 0, alpha, beta, to);
        if (line->has[CAROM_LINE_W]) add_across(line, e, 1, alpha, beta, to);
        if (line->has[CAROM_LINE_A]) add_along(line, e, CAROM_LINE_A, alpha, beta_twist, to);
    }
}

void carom_line_weigh(const carom_line *line, const double g[3], double *load)
{
    static const carom_line_motion motion[5] = {CAROM_LINE_U, CAROM_LINE_V, CAROM_LINE_B,
                                                CAROM_LINE_W, CAROM_LINE_C};
    static const int along[5] = {0, 1, 1, 2, 2};
    const double l = line->length, weight = line->mass * l;
    for (int e = 0; e < line->n_element; e++)
        for (int side = 0; side < 2; side++)
            for (int m = 0; m < 5; m++) {
                const int u = unknown_of(line, e + side, motion[m]);
                const bool is_slope = motion[m] == CAROM_LINE_B || motion[m] == CAROM_LINE_C;
                const double share = is_slope ? (side ? -l / 12 : l / 12) : 0.5;
                if (u >= 0) load[u] += weight * g[along[m]] * share;
            }
}

// ---- the highest frequency ----

// K x = w^2 M x of two linear elements' ends: they move against each other
static double along_frequency(double stiffness, double mass, carom_lumping lumping)
{
    const pair M = linear_mass(mass, lumping);
    return 2 * stiffness / (M.a[0][0] - M.a[0][1]);
}

// Of an element across, motions (v, b, -v, b) and (v, b, v, -b) do not mix: two pairs, each with a
// rigid motion or a bent one of no displacement
static double across_frequency(const carom_line *line, int plane)
{
    const double l = line->length;
    const quad K = bending_stiffness(line->EI[plane], l, line->shear[plane]);
    const quad M = bending_mass(line->mass * l, l, line->lumping);
    double most = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        double k[2][2], m[2][2];
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                const double other = (j == 0 ? 1 : -1) * sign;
                k[i][j] = K.a[i][j] + other * K.a[i][j + 2];
                m[i][j] = M.a[i][j] + other * M.a[i][j + 2];
            }
        // det(k - w2 m) = 0
        const double a = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        const double b =
            k[0][0] * m[1][1] + k[1][1] * m[0][0] - k[0][1] * m[1][0] - k[1][0] * m[0][1];
        const double c = k[0][0] * k[1][1] - k[0][1] * k[1][0];
        most = fmax(most, (b + sqrt(fmax(b * b - 4 * a * c, 0))) / (2 * a));
    }
    return most;
}

double carom_line_frequency(const carom_line *line)
{
    const double l = line->length;
    double most = 0;
    if (line->has[CAROM_LINE_U])
        most = fmax(most, along_frequency(line->EA / l, line->mass * l, line->lumping));
    if (line->has[CAROM_LINE_A])
        most = fmax(most, along_frequency(line->GJ / l, line->polar * l, line->lumping));
    for (int plane = 0; plane < 2; plane++)
        if (line->has[plane ? CAROM_LINE_W : CAROM_LINE_V])
            most = fmax(most, across_frequency(line, plane));
    return sqrt(most);
}

// ---- points ----

static void add_share(carom_line_point *point, int unknown, double share)
{
    if (unknown < 0 || share == 0) return;
    point->unknown[point->n] = unknown;
    point->share[point->n++] = share;
}

carom_line_point carom_line_at(const carom_line *line, double x, carom_line_motion motion)
{
    carom_line_point point = {0};
    const double l = line->length;
    int e = (int)floor(x / l);
    e = e < 0 ? 0 : e < line->n_element ? e : line->n_element - 1;
    const double s = x / l - e, s2 = s * s, s3 = s2 * s;
    if (motion == CAROM_LINE_U || motion == CAROM_LINE_A) {
        add_share(&point, unknown_of(line, e, motion), 1 - s);
        add_share(&point, unknown_of(line, e + 1, motion), s);
        return point;
    }
    const bool is_slope = motion == CAROM_LINE_B || motion == CAROM_LINE_C;
    const carom_line_motion v =
        motion == CAROM_LINE_V || motion == CAROM_LINE_B ? CAROM_LINE_V : CAROM_LINE_W;
    const carom_line_motion b = v == CAROM_LINE_V ? CAROM_LINE_B : CAROM_LINE_C;
    const double H[4] = {1 - 3 * s2 + 2 * s3, l * (s - 2 * s2 + s3), 3 * s2 - 2 * s3,
                         l * (s3 - s2)};
    const double slope[4] = {6 * (s2 - s) / l, 1 - 4 * s + 3 * s2, 6 * (s - s2) / l,
                             3 * s2 - 2 * s};
    for (int k = 0; k < 4; k++)
        add_share(&point, unknown_of(line, e + k / 2, k % 2 ? b : v), is_slope ? slope[k] : H[k]);
    return point;
}
