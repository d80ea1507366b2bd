// SPDX-License-Identifier: Apache-2.0
// Two plane shapes with ends meet, convex part by convex part; radii are taken off at the end.
//
//     of every edge   gap = least n.(x - p) over the corners x of the other part
//     apart           the largest of these gaps, where its corner is above its edge: the distance;
//                     else that of two corners is
//     overlapping     minus the largest gap is the shortest way out
//
// With the edge E and the other part's edge F that faces it there are four places of contact at
// most: ends of F above E, ends of E above F. Two of them are the ends of what both share, and
// others come where edges end at the same place: the nearest counts, and one at its other end.
//
// An edge between two parts is a seam: it keeps parts apart but is not touched, nor is a corner
// that turns inwards. At such a corner an edge has matter behind its end, so it is not a border.
// Rounding is some ulp of the largest length that comes in: `noise`.
#include "shapes/flat/flat.h"
#include "shapes/flat/outline.h"
#include "shapes/placing.h"

#include <float.h>
#include <math.h>
#include <string.h>

/// One of the two shapes.
typedef struct carom_flat_side {
    const carom_shape *shape;
    const carom_outline *outline;
    const carom_flat_part *part; ///< in hand
    double R[4], t[2];           ///< its points in axes of the other: x = R p + t
} carom_flat_side;

/// A corner of one part and an edge of the other, by their places in the part.
typedef struct carom_flat_touch {
    int owner; ///< of the edge
    int edge, corner;
    double gap;    ///< of the cores
    double along;  ///< of the corner, from the edge's begin [m]
    double margin; ///< below 0: beyond an end
} carom_flat_touch;

typedef struct carom_flat_meeting {
    carom_meeting *meeting;
    carom_flat_side side[2];
    double radius, noise;
    bool is_overlapping; ///< parts were met that overlap
} carom_flat_meeting;

static const double *find_point(const carom_flat_side *side, int i)
{
    return side->shape->corner + 3 * side->part->corner[i];
}

static int find_next(const carom_flat_side *side, int i)
{
    return i + 1 < side->part->n ? i + 1 : 0;
}

static void carry(const carom_flat_side *side, const double *p, double *x)
{
    x[0] = side->R[0] * p[0] + side->R[1] * p[1] + side->t[0];
    x[1] = side->R[2] * p[0] + side->R[3] * p[1] + side->t[1];
}

static carom_flat_touch measure(const carom_flat_meeting *f, int owner, int edge, int corner)
{
    const carom_flat_side *own = f->side + owner, *other = f->side + 1 - owner;
    const double *n = own->part->normal + 2 * edge;
    const int end = find_next(own, edge);
    const double *p = find_point(own, edge), *q = find_point(own, end);
    double x[2];
    carry(other, find_point(other, corner), x);
    const double along = n[0] * (x[1] - p[1]) - n[1] * (x[0] - p[0]);
    const double length = n[0] * (q[1] - p[1]) - n[1] * (q[0] - p[0]);
    const bool *is_inward = own->outline->is_inward;
    const double before = is_inward[own->part->corner[edge]] ? INFINITY : along;
    const double after = is_inward[own->part->corner[end]] ? INFINITY : length - along;
    return (carom_flat_touch){.owner = owner,
                              .edge = edge,
                              .corner = corner,
                              .gap = n[0] * (x[0] - p[0]) + n[1] * (x[1] - p[1]),
                              .along = along,
                              .margin = fmin(before, after)};
}

/// The corner of the other part that lies lowest above an edge.
static int find_lowest(const carom_flat_meeting *f, int owner, int edge)
{
    const carom_flat_side *other = f->side + 1 - owner;
    const double *n = f->side[owner].part->normal + 2 * edge, *R = other->R;
    const double x = R[0] * n[0] + R[2] * n[1], y = R[1] * n[0] + R[3] * n[1];
    double least = INFINITY;
    int lowest = 0;
    for (int i = 0; i < other->part->n; i++) {
        const double *p = find_point(other, i), height = x * p[0] + y * p[1];
        if (!(height < least)) continue;
        least = height;
        lowest = i;
    }
    return lowest;
}

/// The largest gap of all edges, and of those that are no seams; false where it is beyond the
/// alert distance.
static bool find_faces(const carom_flat_meeting *f, carom_flat_touch *all, carom_flat_touch *real)
{
    all->gap = real->gap = -INFINITY;
    all->owner = real->owner = -1;
    for (int owner = 0; owner < 2; owner++) {
        const carom_flat_part *part = f->side[owner].part;
        for (int edge = 0; edge < (part->n > 1 ? part->n : 0); edge++) {
            const carom_flat_touch touch = measure(f, owner, edge, find_lowest(f, owner, edge));
            if (touch.gap > all->gap) *all = touch;
            if (part->edge[edge] >= 0 && touch.gap > real->gap) *real = touch;
            if (touch.gap - f->radius >= f->meeting->alert) return false;
        }
    }
    return true;
}

static void put_corner_on_edge(const carom_flat_meeting *f, const carom_flat_touch *touch)
{
    const carom_flat_side *own = f->side + touch->owner, *other = f->side + 1 - touch->owner;
    const double *p1 = find_point(other, touch->corner), *p2 = find_point(own, touch->edge);
    const double *n = own->part->normal + 2 * touch->edge;
    const unsigned corner = (unsigned)other->part->corner[touch->corner];
    const unsigned edge = (unsigned)own->part->edge[touch->edge];
    carom_meeting_add(f->meeting, &(carom_feature){.primitive = CAROM_POINT_PLANE,
                                                   .shape = {1 - touch->owner, touch->owner},
                                                   .feature = {2 * corner, 2 * edge + 1},
                                                   .p1 = {p1[0], p1[1]},
                                                   .p2 = {p2[0], p2[1]},
                                                   .d2 = {n[0], n[1]},
                                                   .radius = f->radius,
                                                   .side = 1,
                                                   .gap = touch->gap - f->radius,
                                                   .margin = touch->margin});
}

/// How far a point at d from a corner is inside of what is nearest to that corner.
static double find_corner_margin(const carom_flat_side *side, int corner, const double *d)
{
    const int n = side->shape->n_corner, i = side->part->corner[corner];
    if (n == 1) return INFINITY;
    if (side->outline->is_inward[i]) return -INFINITY;
    const double *m = side->outline->normal + 2 * ((i + n - 1) % n);
    const double *k = side->outline->normal + 2 * i;
    return fmin(m[0] * d[1] - m[1] * d[0], k[1] * d[0] - k[0] * d[1]);
}

/// The nearest two corners, where both are nearest to the other whole shape. False where they are
/// not nearer than `than`.
static bool put_corners(const carom_flat_meeting *f, double than)
{
    const carom_flat_side *a = f->side, *b = f->side + 1;
    double least = INFINITY, d[2] = {0};
    int nearest[2] = {0};
    for (int i = 0; i < a->part->n; i++) {
        double x[2];
        carry(a, find_point(a, i), x);
        for (int k = 0; k < b->part->n; k++) {
            const double *p = find_point(b, k), dx = x[0] - p[0], dy = x[1] - p[1];
            const double square = dx * dx + dy * dy;
            if (!(square < least)) continue;
            least = square;
            d[0] = dx;
            d[1] = dy;
            nearest[0] = i;
            nearest[1] = k;
        }
    }
    const double distance = hypot(d[0], d[1]), gap = distance - f->radius;
    if (!(distance < than)) return false;
    const double back[2] = {-(b->R[0] * d[0] + b->R[1] * d[1]), -(b->R[2] * d[0] + b->R[3] * d[1])};
    const double margin =
        fmin(find_corner_margin(a, nearest[0], back), find_corner_margin(b, nearest[1], d));
    if (!(gap < f->meeting->alert) || margin < -f->noise) return true;
    const double *p1 = find_point(a, nearest[0]), *p2 = find_point(b, nearest[1]);
    carom_meeting_add(f->meeting,
                      &(carom_feature){.primitive = CAROM_POINT_POINT,
                                       .shape = {0, 1},
                                       .feature = {2 * (unsigned)a->part->corner[nearest[0]],
                                                   2 * (unsigned)b->part->corner[nearest[1]]},
                                       .p1 = {p1[0], p1[1]},
                                       .p2 = {p2[0], p2[1]},
                                       .radius = f->radius,
                                       .side = 1,
                                       .gap = gap,
                                       .margin = margin});
    return true;
}

/// Whether a corner touches an edge of a part that is apart (least: the distance is not less) or
/// overlaps. Matter behind an inward end lets a corner that hovers go a little beyond it.
static bool is_touch(const carom_flat_meeting *f, const carom_flat_touch *touch, double least)
{
    const carom_flat_side *own = f->side + touch->owner, *other = f->side + 1 - touch->owner;
    if (own->part->edge[touch->edge] < 0) return false;
    if (other->outline->is_inward[other->part->corner[touch->corner]]) return false;
    if (touch->gap < least || !(touch->gap - f->radius < f->meeting->alert)) return false;
    if (least > -INFINITY) {
        const double *n = own->part->normal + 2 * touch->edge;
        const double *p = find_point(own, touch->edge);
        const double *q = find_point(own, find_next(own, touch->edge));
        const double length = n[0] * (q[1] - p[1]) - n[1] * (q[0] - p[0]);
        const double beyond = fmax(-touch->along, touch->along - length);
        if (beyond > fmax(f->noise, 1e-6 * length)) return false;
    }
    return touch->margin >= -f->noise;
}

/// The edge of the other part that faces the face's edge: of the two at its lowest corner the one
/// that looks more against it.
static int find_facing(const carom_flat_meeting *f, const carom_flat_touch *face)
{
    const carom_flat_side *other = f->side + 1 - face->owner;
    const double *n = f->side[face->owner].part->normal + 2 * face->edge, *R = other->R;
    const double x = R[0] * n[0] + R[2] * n[1], y = R[1] * n[0] + R[3] * n[1];
    const int before = face->corner > 0 ? face->corner - 1 : other->part->n - 1;
    const double *k = other->part->normal + 2 * face->corner, *m = other->part->normal + 2 * before;
    return k[0] * x + k[1] * y <= m[0] * x + m[1] * y ? face->corner : before;
}

/// The places of contact of a face and the edge that faces it: corners of the first shape first.
static int gather(const carom_flat_meeting *f, const carom_flat_touch *face, double least,
                  carom_flat_touch touch[4])
{
    const int owner = face->owner, other = 1 - owner;
    carom_flat_touch all[4];
    int n = 0, n_all = 0;
    if (f->side[other].part->n == 1) {
        all[n_all++] = *face;
    } else {
        const int facing = find_facing(f, face), next = find_next(f->side + other, facing);
        const int end = find_next(f->side + owner, face->edge);
        const carom_flat_touch own[2] = {measure(f, owner, face->edge, facing),
                                         measure(f, owner, face->edge, next)};
        const carom_flat_touch its[2] = {measure(f, other, facing, face->edge),
                                         measure(f, other, facing, end)};
        memcpy(all + 2 * (owner == 0), own, sizeof own);
        memcpy(all + 2 * (owner == 1), its, sizeof its);
        n_all = 4;
    }
    for (int i = 0; i < n_all; i++)
        if (is_touch(f, all + i, least)) touch[n++] = all[i];
    return n;
}

/// Where a place of contact lies, along the edges of the owner of the face.
static double find_place(const carom_flat_meeting *f, const carom_flat_touch *face,
                         const carom_flat_touch *touch)
{
    if (touch->owner == face->owner) return touch->along;
    const carom_flat_side *own = f->side + face->owner;
    const double *n = own->part->normal + 2 * face->edge;
    const double *p = find_point(own, face->edge), *q = find_point(own, touch->corner);
    return n[0] * (q[1] - p[1]) - n[1] * (q[0] - p[0]);
}

/// The nearest of the places, and the nearest of those that lie elsewhere.
static void put_touches(const carom_flat_meeting *f, const carom_flat_touch *face,
                        const carom_flat_touch *touch, int n)
{
    int first = 0, second = -1;
    for (int i = 1; i < n; i++)
        if (touch[i].gap < touch[first].gap - f->noise) first = i;
    const double place = find_place(f, face, touch + first);
    for (int i = 0; i < n; i++) {
        if (fabs(find_place(f, face, touch + i) - place) <= 4 * f->noise) continue;
        if (second < 0 || touch[i].gap < touch[second].gap - f->noise) second = i;
    }
    put_corner_on_edge(f, touch + first);
    if (second >= 0) put_corner_on_edge(f, touch + second);
}

static void meet_parts(carom_flat_meeting *f)
{
    carom_flat_touch all, face, touch[4];
    if (!find_faces(f, &all, &face)) return;
    const bool is_apart = all.owner < 0 || all.gap > -f->noise; // or touching
    const double least = is_apart ? all.gap - f->noise : -INFINITY;
    const int n = face.owner < 0 ? 0 : gather(f, &face, least, touch);
    if (is_apart) {
        double nearest = INFINITY;
        for (int i = 0; i < n; i++) nearest = fmin(nearest, touch[i].gap);
        const bool is_known = nearest <= all.gap + f->noise;
        if (!is_known && put_corners(f, nearest)) return;
    }
    f->is_overlapping = f->is_overlapping || !is_apart;
    if (n > 0) put_touches(f, &face, touch, n);
}

static void relate(carom_flat_side *side, const carom_placement *from, const carom_placement *to)
{
    const double *A = from->R, *B = to->R;
    const double d[2] = {from->r[0] - to->r[0], from->r[1] - to->r[1]};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) side->R[2 * i + k] = B[i] * A[k] + B[3 + i] * A[3 + k];
        side->t[i] = B[i] * d[0] + B[3 + i] * d[1];
    }
}

/// The box around the part in hand of one side, in axes of the other, grown by what is near.
static carom_box find_box(const carom_flat_meeting *f, int side)
{
    carom_box box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int i = 0; i < f->side[side].part->n; i++) {
        double x[2];
        carry(f->side + side, find_point(f->side + side, i), x);
        for (int k = 0; k < 2; k++) {
            box.lower[k] = fmin(box.lower[k], x[k]);
            box.upper[k] = fmax(box.upper[k], x[k]);
        }
    }
    const double near = f->radius + f->meeting->alert + f->noise;
    for (int k = 0; k < 2; k++) {
        box.lower[k] -= near;
        box.upper[k] += near;
    }
    return box;
}

typedef struct carom_flat_visit {
    carom_flat_meeting *f;
    int side;
} carom_flat_visit;

static void visit_part(void *context, int number)
{
    const carom_flat_visit *visit = context;
    carom_flat_side *side = visit->f->side + visit->side;
    side->part = side->outline->part + number;
    meet_parts(visit->f);
}

/// Each part of the shape with fewer of them, with those of the other that are near.
static void meet_all_parts(carom_flat_meeting *f)
{
    const int few = f->side[0].outline->n_part <= f->side[1].outline->n_part ? 0 : 1;
    carom_flat_visit visit = {f, 1 - few};
    for (int i = 0; i < f->side[few].outline->n_part; i++) {
        f->side[few].part = f->side[few].outline->part + i;
        if (!f->side[1 - few].outline->tree) {
            visit_part(&visit, 0);
            continue;
        }
        const carom_box box = find_box(f, few);
        carom_bvh_visit(f->side[1 - few].outline->tree, &box, visit_part, &visit);
    }
}

/// Of parts in hand: the edge that is nearest from inside, better above it than beyond its ends.
/// Whether it is one better than before.
static bool look_deeper(const carom_flat_meeting *f, carom_flat_touch *best)
{
    bool is_better = false;
    for (int owner = 0; owner < 2; owner++) {
        const carom_flat_part *part = f->side[owner].part;
        for (int edge = 0; edge < (part->n > 1 ? part->n : 0); edge++) {
            if (part->edge[edge] < 0) continue;
            const carom_flat_touch touch = measure(f, owner, edge, find_lowest(f, owner, edge));
            const bool is_above = touch.margin >= 0, was_above = best->margin >= 0;
            if (touch.gap > 0 || is_above < was_above) continue;
            if (is_above == was_above && touch.gap <= best->gap) continue;
            *best = touch;
            is_better = true;
        }
    }
    return is_better;
}

/// For shapes so deep in each other that no parts with edges of their own touch.
static void put_deepest(carom_flat_meeting *f)
{
    const carom_flat_part *part[2] = {NULL, NULL};
    carom_flat_touch best = {.gap = -INFINITY, .margin = -INFINITY};
    for (int i = 0; i < f->side[0].outline->n_part; i++)
        for (int k = 0; k < f->side[1].outline->n_part; k++) {
            f->side[0].part = f->side[0].outline->part + i;
            f->side[1].part = f->side[1].outline->part + k;
            if (!look_deeper(f, &best)) continue;
            for (int j = 0; j < 2; j++) part[j] = f->side[j].part;
        }
    if (!part[0]) return;
    for (int j = 0; j < 2; j++) f->side[j].part = part[j];
    put_corner_on_edge(f, &best);
}

void carom_meet_flat_flat(carom_meeting *meeting)
{
    const carom_posed *a = meeting->posed, *b = meeting->posed + 1;
    carom_flat_meeting f = {.meeting = meeting,
                            .side = {{.shape = a->shape, .outline = carom_outline_of(a->shape)},
                                     {.shape = b->shape, .outline = carom_outline_of(b->shape)}},
                            .radius = a->shape->radius + b->shape->radius};
    relate(f.side, a->at, b->at);
    relate(f.side + 1, b->at, a->at);
    const double far = fabs(f.side[0].t[0]) + fabs(f.side[0].t[1]);
    f.noise = 2 * DBL_EPSILON * (a->shape->reach + b->shape->reach + far);
    meet_all_parts(&f);
    if (meeting->n == 0 && f.is_overlapping) put_deepest(&f);
}

bool carom_always_flat_flat(const carom_shape *a, const carom_shape *b)
{
    return a->n_corner == 1 && b->n_corner == 1;
}
