// SPDX-License-Identifier: Apache-2.0
// What growing a convex body by r adds to its volume V, first moments f and second moments S:
// slabs over faces, sectors of cylinders along edges, sectors of balls at corners (Steiner).
// Exactly, with the rest y of a point on the body and its way out s d (d of unit length):
//
//     face     y + s n             integrals of 1, y, y y' over triangles
//     edge     c + t e + s d(phi)  c its middle, d from one normal to the other, by the angle
//                                  theta, D1 = int d dphi, D2 = int d d' dphi
//     corner   v + s d             d in the cone of the normals, of solid angle Omega (2 pi less
//                                  the angles of the faces there), U1 = int d, U2 = int d d'
//
// Gauss's theorem on the cone gives the last from its sides, the sectors between the normals of
// neighbouring faces, whose own normals are the edges m (out of the body, at the corner):
//
//     U1 = 1/2 sum theta m,     U2 = Omega/3 + 1/3 sum m D1'
#include "shapes/solid/polyhedron.h"

#include "math/vec3.h"

typedef struct moments {
    const double *origin;
    double r, V, f[3], S[9];
} moments;

// S += factor (a b' + b a')/2
static void add_product(moments *m, double factor, const double *a, const double *b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) m->S[3 * i + j] += 0.5 * factor * (a[i] * b[j] + b[i] * a[j]);
}

static void add_triangle(moments *m, const double *n, const double *p, const double *q,
                         const double *s)
{
    const double r = m->r;
    double y[3][3], d[3], e[3], sum[3], across[3];
    carom_vec3_subtract(p, m->origin, y[0]);
    carom_vec3_subtract(q, m->origin, y[1]);
    carom_vec3_subtract(s, m->origin, y[2]);
    carom_vec3_subtract(y[1], y[0], d);
    carom_vec3_subtract(y[2], y[0], e);
    carom_vec3_cross(d, e, across);
    const double area = 0.5 * carom_vec3_length(across);
    for (int k = 0; k < 3; k++) {
        sum[k] = y[0][k] + y[1][k] + y[2][k];
        m->f[k] += area * (r * sum[k] / 3 + 0.5 * r * r * n[k]);
    }
    m->V += area * r;
    for (int k = 0; k < 3; k++) add_product(m, r * area / 12, y[k], y[k]);
    add_product(m, r * area / 12, sum, sum);
    add_product(m, r * r * area / 3, sum, n);
    add_product(m, r * r * r * area / 3, n, n);
}

/// The sector of directions between the normals of an edge, from a by theta towards b.
typedef struct sector {
    double theta, D1[3], D2[3][3];
} sector;

static sector find_sector(const double *a, const double *b, const double *e)
{
    double x[3], b_side[3];
    sector s;
    carom_vec3_cross(a, b, x);
    s.theta = atan2(carom_vec3_dot(x, e), carom_vec3_dot(a, b));
    carom_vec3_cross(e, a, b_side);
    const double sine = sin(s.theta), half = sin(0.5 * s.theta), rise = 2 * half * half;
    const double aa = 0.5 * (s.theta + sine * cos(s.theta)), bb = s.theta - aa;
    for (int i = 0; i < 3; i++) {
        s.D1[i] = sine * a[i] + rise * b_side[i];
        for (int j = 0; j < 3; j++)
            s.D2[i][j] = aa * a[i] * a[j] + bb * b_side[i] * b_side[j] +
                         0.5 * sine * sine * (a[i] * b_side[j] + b_side[i] * a[j]);
    }
    return s;
}

// U1 and 3 U2 at one end of an edge, whose direction out of the body there is out
static void add_end(const sector *s, const double *out, const double *v, moments *m)
{
    const double r = m->r, r4 = r * r * r * r;
    for (int k = 0; k < 3; k++) m->f[k] += r4 / 4 * 0.5 * s->theta * out[k];
    add_product(m, r4 / 4 * s->theta, v, out);
    add_product(m, r4 * r / 15, out, s->D1);
}

static void add_edge(moments *m, const carom_solid *core, int edge)
{
    const double r = m->r, r2 = r * r, *e = core->along + 3 * edge;
    const double *left = core->normal + 3 * core->side[2 * edge],
                 *right = core->normal + 3 * core->side[2 * edge + 1];
    const sector s = find_sector(left, right, e);
    double p[3], q[3], c[3], back[3];
    carom_vec3_subtract(core->vertex + 3 * core->end[2 * edge], m->origin, p);
    carom_vec3_subtract(core->vertex + 3 * core->end[2 * edge + 1], m->origin, q);
    for (int k = 0; k < 3; k++) c[k] = 0.5 * (p[k] + q[k]);
    carom_vec3_subtract(q, p, back);
    const double length = carom_vec3_length(back);
    m->V += 0.5 * r2 * s.theta * length;
    for (int k = 0; k < 3; k++)
        m->f[k] += length * (0.5 * r2 * s.theta * c[k] + r2 * r / 3 * s.D1[k]);
    add_product(m, 0.5 * r2 * s.theta * length, c, c);
    add_product(m, 0.5 * r2 * s.theta * length * length * length / 12, e, e);
    add_product(m, 2 * r2 * r / 3 * length, c, s.D1);
    for (int k = 0; k < 9; k++) m->S[k] += r2 * r2 / 4 * length * s.D2[k / 3][k % 3];
    // the sides of the cones at both ends: the same sector, seen from there
    const sector other = find_sector(right, left, (double[3]){-e[0], -e[1], -e[2]});
    carom_vec3_negate(e, back);
    add_end(&s, e, q, m);
    add_end(&other, back, p, m);
}

/// The angle of a face at corner k of its ring.
static double find_angle(const carom_solid *core, int face, int k)
{
    const int first = core->start[face], n = core->start[face + 1] - first;
    const double *v = core->vertex + 3 * core->ring[first + k];
    double d[3], e[3], across[3];
    carom_vec3_subtract(core->vertex + 3 * core->ring[first + (k + 1) % n], v, d);
    carom_vec3_subtract(core->vertex + 3 * core->ring[first + (k + n - 1) % n], v, e);
    carom_vec3_cross(d, e, across);
    return atan2(carom_vec3_length(across), carom_vec3_dot(d, e));
}

// what a solid angle at a corner does
static void add_angle(moments *m, const double *vertex, double angle)
{
    const double r = m->r, r3 = r * r * r;
    double v[3];
    carom_vec3_subtract(vertex, m->origin, v);
    m->V += r3 / 3 * angle;
    carom_vec3_add(m->f, r3 / 3 * angle, v, m->f);
    add_product(m, r3 / 3 * angle, v, v);
    for (int k = 0; k < 9; k += 4) m->S[k] += r3 * r * r / 15 * angle;
}

void carom_polyhedron_grow(const carom_solid *core, double radius, carom_polyhedron *body)
{
    static const int entry[6] = {0, 4, 8, 1, 2, 5};
    moments m = {.origin = body->origin, .r = radius};
    for (int i = 0; i < core->n_vertex; i++) add_angle(&m, core->vertex + 3 * i, 2 * acos(-1));
    for (int face = 0; face < core->n_face; face++) {
        const int *ring = core->ring + core->start[face];
        const int n = core->start[face + 1] - core->start[face];
        for (int k = 1; k + 1 < n; k++)
            add_triangle(&m, core->normal + 3 * face, core->vertex + 3 * ring[0],
                         core->vertex + 3 * ring[k], core->vertex + 3 * ring[k + 1]);
        for (int k = 0; k < n; k++)
            add_angle(&m, core->vertex + 3 * ring[k], -find_angle(core, face, k));
    }
    for (int edge = 0; edge < core->n_edge; edge++) add_edge(&m, core, edge);
    body->volume += m.V;
    for (int k = 0; k < 3; k++) body->first[k] += m.f[k];
    for (int k = 0; k < 6; k++) body->second[k] += m.S[entry[k]];
}
