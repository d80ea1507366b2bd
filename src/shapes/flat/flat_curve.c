// SPDX-License-Identifier: Apache-2.0
// Curve: a cubic spline through nodes, over the lengths of their chords; closed (a cam; nodes
// counter-clockwise, the first not repeated) or open with straight ends. Matter is on the left of
// its direction.
//
//     area = 1/2 int x y' - y x' ds,   first moments  1/3 int (x, y) (x y' - y x') ds
//     polar moment  1/4 int (x^2 + y^2)(x y' - y x') ds
//
// by Gauss' formula with six points in each span, which is exact for these polynomials. Its corners
// are those of the polygons that steer each piece (Bezier points): they surround it closely.
#include "shapes/flat/flat_curve.h"

#include "math/spline.h"
#include "shapes/flat/outline.h"
#include "shapes/placing.h"

#include <math.h>

enum { MOST_NODES = 10000, MOST_PIECES = 64, N_GAUSS = 6 };

static carom_status refuse_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}

/// Nodes in axes of the body; the first again at the end of a closed curve.
typedef struct carom_curve_nodes {
    int n;
    bool is_closed;
    double *x[2], *chord; ///< (n) coordinates, length of all chords up to here
} carom_curve_nodes;

static carom_status fit(const carom_curve_nodes *nodes, carom_flat_curve_span *span,
                        carom_error *error)
{
    const double *s = nodes->chord;
    for (int axis = 0; axis < 2; axis++) {
        carom_spline *spline;
        const carom_table_points points = {nodes->n, s, nodes->x[axis], true,
                                           nodes->is_closed ? s[nodes->n - 1] : 0};
        CAROM_TRY(carom_spline_new(&points, &spline, error));
        for (int i = 0; i + 1 < nodes->n; i++)
            for (int k = 0; k < 4; k++) span[i].c[k][axis] = spline->coefficient[4 * i + k];
        carom_spline_free(spline);
    }
    for (int i = 0; i + 1 < nodes->n; i++) span[i].length = s[i + 1] - s[i];
    return CAROM_OK;
}

static carom_status place_nodes(carom_arena *arena, const carom_shape_given *given,
                                carom_curve_nodes *nodes, carom_error *error)
{
    const int n = given->n_point + given->is_closed;
    const double *placed = carom_shape_placed(arena, given);
    double *x = CAROM_TAKE(arena, double, n), *y = CAROM_TAKE(arena, double, n);
    double *s = CAROM_TAKE(arena, double, n);
    if (!placed || !x || !y || !s) return refuse_memory(error);
    for (int i = 0; i < n; i++) {
        x[i] = placed[3 * (i % given->n_point)];
        y[i] = placed[3 * (i % given->n_point) + 1];
        if (i == 0) continue;
        s[i] = s[i - 1] + hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
        if (!(s[i] > s[i - 1] * (1 + 1e-12)))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "nodes %d and %d of the curve are the same (leave one out; a closed "
                              "curve does not repeat its first)",
                              i, i % given->n_point + 1);
    }
    *nodes = (carom_curve_nodes){n, given->is_closed, {x, y}, s};
    return CAROM_OK;
}

/// How far the direction turns along a span, both ways added up.
static double measure_turn(const carom_flat_curve_span *span)
{
    enum { STEPS = 16 };
    double turn = 0;
    carom_flat_curve_point before = carom_flat_curve_at(span, 0);
    for (int i = 1; i <= STEPS; i++) {
        const carom_flat_curve_point now = carom_flat_curve_at(span, span->length * i / STEPS);
        const double cross = before.d[0] * now.d[1] - before.d[1] * now.d[0];
        turn += fabs(atan2(cross, before.d[0] * now.d[0] + before.d[1] * now.d[1]));
        before = now;
    }
    return turn;
}

/// Cuts spans into pieces that turn by some 5 degrees each.
static bool cut_pieces(carom_arena *arena, carom_flat_curve *curve)
{
    int n = 0;
    int *count = CAROM_TAKE(arena, int, curve->n_span);
    if (!count) return false;
    for (int i = 0; i < curve->n_span; i++) {
        const double need = ceil(measure_turn(curve->span + i) / 0.0873);
        count[i] = need < 2 ? 2 : need < MOST_PIECES ? (int)need : MOST_PIECES;
        n += count[i];
    }
    carom_flat_curve_piece *piece = CAROM_TAKE(arena, carom_flat_curve_piece, n + 1);
    if (!piece) return false;
    curve->n_piece = n;
    curve->piece = piece;
    for (int i = 0; i < curve->n_span; i++)
        for (int k = 0; k < count[i] + (i == curve->n_span - 1); k++, piece++) {
            const double length = curve->span[i].length;
            piece->span = i;
            piece->from = length * k / count[i];
            piece->to = k + 1 < count[i] ? length * (k + 1) / count[i] : length;
            const carom_flat_curve_point p = carom_flat_curve_at(curve->span + i, piece->from);
            for (int j = 0; j < 2; j++) {
                piece->point[j] = p.x[j];
                piece->rate[j] = p.d[j];
            }
        }
    return true;
}

/// The shape's corners: begin of each piece, and a third of the way along both its tangents.
static bool surround(carom_arena *arena, const carom_flat_curve *curve, carom_shape *shape)
{
    double *corner = CAROM_TAKE(arena, double, 9 * (size_t)curve->n_piece + 3);
    if (!corner) return false;
    shape->corner = corner;
    shape->n_corner = 3 * curve->n_piece + 1;
    for (int i = 0; i <= curve->n_piece; i++) {
        const carom_flat_curve_piece *piece = curve->piece + i, *before = piece - 1;
        double *p = corner + 9 * i;
        for (int k = 0; k < 2; k++) {
            p[k] = piece->point[k];
            if (i < curve->n_piece)
                p[3 + k] = p[k] + (piece->to - piece->from) / 3 * piece->rate[k];
            if (i > 0)
                p[k - 3] =
                    p[k] - (before->to - before->from) / 3 *
                               carom_flat_curve_at(curve->span + before->span, before->to).d[k];
        }
    }
    return true;
}

static void weigh_curve(const carom_flat_curve *curve, carom_shape_mass *mass)
{
    static const double at[N_GAUSS] = {-0.93246951420315202781, -0.66120938646626451366,
                                       -0.23861918608319690863, 0.23861918608319690863,
                                       0.66120938646626451366,  0.93246951420315202781};
    static const double weight[N_GAUSS] = {0.17132449237917034504, 0.36076157304813860757,
                                           0.46791393457269104739, 0.46791393457269104739,
                                           0.36076157304813860757, 0.17132449237917034504};
    const double *about = curve->piece->point;
    double area = 0, first[2] = {0}, polar = 0;
    for (int i = 0; i < curve->n_span; i++)
        for (int g = 0; g < N_GAUSS; g++) {
            const double half = 0.5 * curve->span[i].length;
            const carom_flat_curve_point p =
                carom_flat_curve_at(curve->span + i, half * (1 + at[g]));
            const double x = p.x[0] - about[0], y = p.x[1] - about[1];
            const double swept = half * weight[g] * (x * p.d[1] - y * p.d[0]);
            area += swept / 2;
            first[0] += swept * x / 3;
            first[1] += swept * y / 3;
            polar += swept * (x * x + y * y) / 4;
        }
    const double x = first[0] / area, y = first[1] / area;
    *mass = (carom_shape_mass){.mass = area,
                               .centre = {about[0] + x, about[1] + y},
                               .inertia = {[2] = polar - area * (x * x + y * y)}};
}

static carom_status check_curve(carom_arena *arena, const carom_flat_curve *curve,
                                carom_error *error)
{
    double *point = CAROM_TAKE(arena, double, 3 * (size_t)curve->n_piece);
    if (!point) return refuse_memory(error);
    for (int i = 0; i < curve->n_piece; i++)
        for (int k = 0; k < 2; k++) point[3 * i + k] = curve->piece[i].point[k];
    int crossing[2];
    if (!carom_outline_cross(arena, point, curve->n_piece, crossing)) return refuse_memory(error);
    if (crossing[0] >= 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the curve crosses itself after nodes %d and %d (it goes around its "
                          "matter once, counter-clockwise)",
                          curve->piece[crossing[0]].span + 1, curve->piece[crossing[1]].span + 1);
    carom_shape_mass mass;
    weigh_curve(curve, &mass);
    if (!(mass.mass > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the nodes of the curve go clockwise (write them in the other order)");
    return CAROM_OK;
}

static carom_status check_given(const carom_shape_given *given, carom_error *error)
{
    if (given->n_point < 3 || given->n_point > MOST_NODES)
        return carom_fail(error, CAROM_BAD_INPUT, "a curve of %d nodes (3 to %d)", given->n_point,
                          MOST_NODES);
    if (given->rounding != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a curve has no corners to round (leave 'rounding' out)");
    return CAROM_OK;
}

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    CAROM_TRY(check_given(given, error));
    carom_curve_nodes nodes = {0};
    CAROM_TRY(place_nodes(arena, given, &nodes, error));
    carom_flat_curve *curve = CAROM_TAKE(arena, carom_flat_curve, 1);
    carom_flat_curve_span *span = CAROM_TAKE(arena, carom_flat_curve_span, nodes.n);
    if (!curve || !span) return refuse_memory(error);
    CAROM_TRY(fit(&nodes, span, error));
    *curve = (carom_flat_curve){.is_closed = nodes.is_closed, .n_span = nodes.n - 1, .span = span};
    if (!cut_pieces(arena, curve) || !surround(arena, curve, shape)) return refuse_memory(error);
    if (curve->is_closed) CAROM_TRY(check_curve(arena, curve, error));
    shape->core = CAROM_CORE_CURVE;
    shape->more = curve;
    shape->is_heavy = curve->is_closed;
    if (shape->is_heavy) weigh_curve(curve, &shape->mass_1);
    double lower[3], upper[3];
    static const carom_placement home = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    carom_shape_box(shape, &home, lower, upper);
    const double x = upper[0] - lower[0], y = upper[1] - lower[1];
    shape->size = x > 0 && y > 0 ? fmin(x, y) : fmax(x, y);
    return CAROM_OK;
}

static bool show(const carom_shape *shape, double extent, double tolerance, carom_arena *arena,
                 carom_shape_look *look)
{
    (void)extent;
    const carom_flat_curve *curve = carom_flat_curve_of(shape);
    // a piece of length l that turns by the angle a is l a/8 away from its chord
    const double away = 0.0873 / 8 * shape->reach * 0.1;
    const double need = sqrt(away / tolerance);
    const int n = need < 1 ? 1 : need < 32 ? (int)ceil(need) : 32;
    look->point = CAROM_TAKE(arena, double, 3 * ((size_t)curve->n_piece * (size_t)n + 1));
    look->line = CAROM_TAKE(arena, int, 1);
    if (!look->point || !look->line) return false;
    for (int i = 0; i < curve->n_piece; i++)
        for (int k = 0; k < n + (i == curve->n_piece - 1 && !curve->is_closed); k++) {
            const carom_flat_curve_piece *piece = curve->piece + i;
            const double s = piece->from + (piece->to - piece->from) * k / n;
            const carom_flat_curve_point p = carom_flat_curve_at(curve->span + piece->span, s);
            double *point = look->point + 3 * look->n_point++;
            point[0] = p.x[0];
            point[1] = p.x[1];
        }
    look->n_line = 1;
    look->line[0] = look->n_point;
    return true;
}

const carom_shape_kind carom_shape_kind_flat_curve = {"curve", 2, make, NULL, show};
