// SPDX-License-Identifier: Apache-2.0
// The sign of a determinant of coordinates: in long double where that is beyond rounding, else as
// an exact sum. A product of three numbers is four numbers exactly, and all 96 of them are added
// into a list of numbers that do not overlap; its last is the largest.
//
//     det(b - a, c - a, d - a) = |b c d| - |a c d| + |a b d| - |a b c|
//
// J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic, Discrete Comput. Geom. 18 (1997).
#include "shapes/convex/predicate.h"

#include <float.h>
#include <math.h>

enum { MOST_PARTS = 100 };

typedef struct expansion {
    int n;
    double part[MOST_PARTS]; // increasing, not overlapping
} expansion;

static void add(expansion *e, double x)
{
    int n = 0;
    for (int i = 0; i < e->n; i++) {
        const double p = e->part[i], sum = x + p, back = sum - x;
        const double rest = (x - (sum - back)) + (p - back);
        if (rest != 0) e->part[n++] = rest;
        x = sum;
    }
    if (x != 0) e->part[n++] = x;
    e->n = n;
}

static void add_product(expansion *e, double a, double b, double c)
{
    const double high = a * b, low = fma(a, b, -high);
    const double first = high * c, second = low * c;
    add(e, fma(low, c, -second));
    add(e, second);
    add(e, fma(high, c, -first));
    add(e, first);
}

/// e + sign |a b c|
static void add_determinant(expansion *e, double sign, const double *a, const double *b,
                            const double *c)
{
    static const int cycle[3][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
    for (int k = 0; k < 3; k++) {
        const int *o = cycle[k];
        add_product(e, sign * a[o[0]], b[o[1]], c[o[2]]);
        add_product(e, -sign * a[o[0]], b[o[2]], c[o[1]]);
    }
}

int carom_orient(const double *a, const double *b, const double *c, const double *d)
{
    long double p[3], q[3], r[3], det = 0, most = 0;
    for (int k = 0; k < 3; k++) {
        p[k] = (long double)b[k] - a[k];
        q[k] = (long double)c[k] - a[k];
        r[k] = (long double)d[k] - a[k];
    }
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        det += p[k] * (q[l] * r[m] - q[m] * r[l]);
        most += fabsl(p[k]) * (fabsl(q[l] * r[m]) + fabsl(q[m] * r[l]));
    }
    if (fabsl(det) > 16 * LDBL_EPSILON * most) return det > 0 ? 1 : -1;
    expansion e = {0};
    add_determinant(&e, 1, b, c, d);
    add_determinant(&e, -1, a, c, d);
    add_determinant(&e, 1, a, b, d);
    add_determinant(&e, -1, a, b, c);
    return e.n == 0 ? 0 : e.part[e.n - 1] > 0 ? 1 : -1;
}
