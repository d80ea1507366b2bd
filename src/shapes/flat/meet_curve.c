// SPDX-License-Identifier: Apache-2.0
// A curve meets corners, edges and half planes. A place of contact is where a function of the
// curve's parameter s goes through 0; pieces turn by so little that each has one at most:
//
//     corner x   (x - c).c'   from above 0 to below: x is nearest to c there (for now)
//     edge       n.c'         from below 0 to above: c is lowest above it there
//
// found by Newton's method between two ends. Of a corner inside of the curve the nearest place
// alone counts, of one outside all that it is outside of: a roller in a slot touches both sides.
// Ends of an open curve are corners of it.
//
// For a step the curve is replaced by the circle that fits it best at c (radius 1/|c_curvature|),
// or by its tangent where that is nearly straight: gap, row and curvature are those of the curve
// at the pose it was found with, and the gap is off by the third power of how far c moves then.
#include "shapes/flat/flat.h"
#include "shapes/flat/flat_curve.h"
#include "shapes/flat/outline.h"
#include "shapes/placing.h"

#include <math.h>

enum { MOST_FEET = 16, STRAIGHT = 256 };

/// A point of the curve where something may touch.
typedef struct carom_foot {
    double x[2], normal[2]; ///< out of the matter
    double bend;            ///< curvature, above 0 where matter bulges out
    double far;             ///< distance, or height along a direction
    double gap;             ///< of what asks, without radii
    bool is_end;
} carom_foot;

/// What asks: a point (is_point) or a direction, in axes of the curve's body.
typedef struct carom_asker {
    bool is_point;
    double v[2];
} carom_asker;

/// Above 0 before a place of contact, below 0 after it.
static double ask(const carom_asker *asker, const double *x, const double *d)
{
    if (!asker->is_point) return -(asker->v[0] * d[0] + asker->v[1] * d[1]);
    return (asker->v[0] - x[0]) * d[0] + (asker->v[1] - x[1]) * d[1];
}

static double ask_slope(const carom_asker *asker, const carom_flat_curve_point *p)
{
    const double *v = asker->v;
    if (!asker->is_point) return -(v[0] * p->dd[0] + v[1] * p->dd[1]);
    return (v[0] - p->x[0]) * p->dd[0] + (v[1] - p->x[1]) * p->dd[1] - p->d[0] * p->d[0] -
           p->d[1] * p->d[1];
}

static double find_root(const carom_flat_curve *curve, const carom_flat_curve_piece *piece,
                        const carom_asker *asker)
{
    double low = piece->from, high = piece->to, s = 0.5 * (low + high);
    for (int i = 0; i < 100; i++) {
        const carom_flat_curve_point p = carom_flat_curve_at(curve->span + piece->span, s);
        const double value = ask(asker, p.x, p.d);
        if (value > 0)
            low = s;
        else
            high = s;
        double next = s - value / ask_slope(asker, &p);
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (next == s || value == 0 || !(next > low && next < high)) return s;
        s = next;
    }
    return s;
}

/// Feet in the order of the curve; where they are too many the nearest.
typedef struct carom_feet {
    const carom_flat_curve *curve;
    carom_asker asker;
    int n;
    carom_foot foot[MOST_FEET];
} carom_feet;

static void add_foot(carom_feet *feet, int span, double s, bool is_end)
{
    const carom_flat_curve_point p = carom_flat_curve_at(feet->curve->span + span, s);
    const double speed = hypot(p.d[0], p.d[1]), *v = feet->asker.v;
    carom_foot foot = {.x = {p.x[0], p.x[1]}, .is_end = is_end};
    foot.normal[0] = p.d[1] / speed;
    foot.normal[1] = -p.d[0] / speed;
    foot.bend = (p.d[0] * p.dd[1] - p.d[1] * p.dd[0]) / (speed * speed * speed);
    const double x = v[0] - p.x[0], y = v[1] - p.x[1];
    foot.far = feet->asker.is_point ? hypot(x, y) : v[0] * p.x[0] + v[1] * p.x[1];
    // inside of a closed curve it is below 0; an end has no inside
    foot.gap = is_end ? foot.far : foot.normal[0] * x + foot.normal[1] * y;
    if (feet->n == MOST_FEET) {
        int farthest = 0;
        for (int i = 1; i < MOST_FEET; i++)
            if (feet->foot[i].far > feet->foot[farthest].far) farthest = i;
        if (foot.far >= feet->foot[farthest].far) return;
        for (int i = farthest; i + 1 < MOST_FEET; i++) feet->foot[i] = feet->foot[i + 1];
        feet->n--;
    }
    feet->foot[feet->n++] = foot;
}

static void find_feet(carom_feet *feet)
{
    const carom_flat_curve *curve = feet->curve;
    double value = ask(&feet->asker, curve->piece->point, curve->piece->rate);
    if (!curve->is_closed && value < 0) add_foot(feet, 0, 0, true);
    for (int i = 0; i < curve->n_piece; i++) {
        const carom_flat_curve_piece *piece = curve->piece + i;
        const double next = ask(&feet->asker, piece[1].point, piece[1].rate);
        if (value > 0 && next <= 0)
            add_foot(feet, piece->span, find_root(curve, piece, &feet->asker), false);
        value = next;
    }
    const int last = curve->n_span - 1;
    if (!curve->is_closed && value > 0) add_foot(feet, last, curve->span[last].length, true);
}

/// The point of the curve's body whose distance tells the gap, and the radius around it.
static double find_circle(const carom_shape *shape, const carom_foot *foot, double centre[2])
{
    const bool is_straight = fabs(foot->bend) * shape->reach * STRAIGHT < 1;
    const double radius = foot->is_end || is_straight ? 0 : 1 / foot->bend;
    for (int k = 0; k < 2; k++) centre[k] = foot->x[k] - radius * foot->normal[k];
    return radius;
}

static void put_corner(carom_meeting *meeting, int corner, const carom_foot *foot, int rank)
{
    const carom_shape *flat = meeting->posed[0].shape, *shape = meeting->posed[1].shape;
    const double *c = flat->corner + 3 * corner;
    double centre[2];
    const double bend = find_circle(shape, foot, centre);
    carom_feature feature = {.primitive = CAROM_POINT_POINT,
                             .shape = {0, 1},
                             .feature = {2 * (unsigned)corner, (unsigned)rank},
                             .p1 = {c[0], c[1]},
                             .p2 = {centre[0], centre[1]},
                             .radius = bend < 0 ? -bend - flat->radius : bend + flat->radius,
                             .side = bend < 0 ? -1 : 1,
                             .gap = foot->gap - flat->radius,
                             .margin = INFINITY};
    if (bend == 0 && !foot->is_end) {
        feature.primitive = CAROM_POINT_PLANE;
        for (int k = 0; k < 2; k++) feature.d2[k] = foot->normal[k];
    }
    carom_meeting_add(meeting, &feature);
}

static void meet_corner(carom_meeting *meeting, int corner)
{
    const carom_posed *flat = meeting->posed, *other = meeting->posed + 1;
    double x[3];
    carom_placing_across(flat->at, other->at, flat->shape->corner + 3 * corner, x);
    carom_feet feet = {.curve = carom_flat_curve_of(other->shape), .asker = {true, {x[0], x[1]}}};
    find_feet(&feet);
    int nearest = 0, rank = 0;
    for (int i = 1; i < feet.n; i++)
        if (feet.foot[i].far < feet.foot[nearest].far) nearest = i;
    for (int i = 0; i < feet.n; i++) {
        const carom_foot *foot = feet.foot + i;
        if (feet.foot[nearest].gap < 0 ? i != nearest : foot->gap < 0) continue;
        if (foot->gap - flat->shape->radius < meeting->alert)
            put_corner(meeting, corner, foot, rank++);
    }
}

typedef struct carom_above {
    const double *x; ///< a foot in axes of the part's body
    double gap;
} carom_above;

/// Whether a foot touches an edge of a part: above it between its ends; below it no other edge of
/// the part is nearer.
static bool is_above(const carom_shape *flat, const carom_flat_part *part, int edge,
                     carom_above foot, double *margin)
{
    const double *n = part->normal + 2 * edge, *p = flat->corner + 3 * part->corner[edge];
    const double *q = flat->corner + 3 * part->corner[(edge + 1) % part->n], *x = foot.x;
    const double along = n[0] * (x[1] - p[1]) - n[1] * (x[0] - p[0]);
    const double length = n[0] * (q[1] - p[1]) - n[1] * (q[0] - p[0]);
    *margin = fmin(along, length - along);
    if (*margin < 0) return false;
    for (int i = 0; i < part->n && foot.gap < 0; i++) {
        const double *k = part->normal + 2 * i, *o = flat->corner + 3 * part->corner[i];
        if (i != edge && k[0] * (x[0] - o[0]) + k[1] * (x[1] - o[1]) > foot.gap) return false;
    }
    return true;
}

/// The feature of a curve whose foot lies above a plane of the other shape.
static carom_feature make_on_plane(const carom_meeting *meeting, int curve, const carom_foot *foot,
                                   const double *p, const double *n)
{
    const carom_shape *shape = meeting->posed[curve].shape;
    double centre[2];
    const double bend = find_circle(shape, foot, centre), around = bend > 0 ? bend : 0;
    const double *at = bend > 0 ? centre : foot->x, other = meeting->posed[1 - curve].shape->radius;
    return (carom_feature){.primitive = CAROM_POINT_PLANE,
                           .shape = {curve, 1 - curve},
                           .p1 = {at[0], at[1]},
                           .p2 = {p[0], p[1]},
                           .d2 = {n[0], n[1]},
                           .radius = around + other,
                           .side = 1,
                           .gap = foot->gap - other,
                           .margin = INFINITY};
}

/// The feet of a curve above a plane: gaps from there, points in axes of the plane's body in seen.
static void find_lowest(const carom_meeting *meeting, const double *p, const double *n,
                        carom_feet *feet, double seen[MOST_FEET][2])
{
    const carom_posed *own = meeting->posed, *other = meeting->posed + 1;
    if (own->shape->core != CAROM_CORE_CURVE) {
        own = meeting->posed + 1;
        other = meeting->posed;
    }
    const double d[3] = {n[0], n[1]};
    double v[3];
    carom_placing_direct(other->at, own->at, d, v);
    feet->curve = carom_flat_curve_of(own->shape);
    feet->asker = (carom_asker){false, {v[0], v[1]}};
    feet->n = 0;
    find_feet(feet);
    int kept = 0;
    for (int i = 0; i < feet->n; i++) {
        carom_foot foot = feet->foot[i];
        const double c[3] = {foot.x[0], foot.x[1]};
        double x[3];
        if (!foot.is_end && foot.normal[0] * v[0] + foot.normal[1] * v[1] > 0) continue;
        carom_placing_across(own->at, other->at, c, x);
        foot.gap = n[0] * (x[0] - p[0]) + n[1] * (x[1] - p[1]);
        for (int k = 0; k < 2; k++) seen[kept][k] = x[k];
        feet->foot[kept++] = foot;
    }
    feet->n = kept;
}

static void meet_edge(carom_meeting *meeting, const carom_flat_part *part, int edge)
{
    const carom_shape *flat = meeting->posed[0].shape;
    const double *n = part->normal + 2 * edge, *p = flat->corner + 3 * part->corner[edge];
    carom_feet feet;
    double seen[MOST_FEET][2];
    find_lowest(meeting, p, n, &feet, seen);
    for (int i = 0; i < feet.n; i++) {
        carom_feature feature = make_on_plane(meeting, 1, feet.foot + i, p, n);
        const carom_above above = {seen[i], feet.foot[i].gap};
        if (!(feature.gap < meeting->alert) || !is_above(flat, part, edge, above, &feature.margin))
            continue;
        feature.feature[0] = (unsigned)i;
        feature.feature[1] = 2 * (unsigned)part->edge[edge] + 1;
        carom_meeting_add(meeting, &feature);
    }
}

void carom_meet_flat_curve(carom_meeting *meeting)
{
    const carom_shape *flat = meeting->posed[0].shape;
    const carom_outline *outline = carom_outline_of(flat);
    for (int i = 0; i < flat->n_corner; i++)
        if (!outline->is_inward[i]) meet_corner(meeting, i);
    for (int i = 0; i < outline->n_part; i++)
        for (int edge = 0; edge < (outline->part[i].n > 1 ? outline->part[i].n : 0); edge++)
            if (outline->part[i].edge[edge] >= 0) meet_edge(meeting, outline->part + i, edge);
}

void carom_meet_curve_half_plane(carom_meeting *meeting)
{
    const carom_shape *half = meeting->posed[1].shape;
    carom_feet feet;
    double seen[MOST_FEET][2];
    find_lowest(meeting, half->corner, half->normal, &feet, seen);
    for (int i = 0; i < feet.n; i++) {
        carom_feature feature =
            make_on_plane(meeting, 0, feet.foot + i, half->corner, half->normal);
        feature.feature[0] = (unsigned)i;
        if (feature.gap < meeting->alert) carom_meeting_add(meeting, &feature);
    }
}
