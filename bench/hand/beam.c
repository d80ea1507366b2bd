// SPDX-License-Identifier: Apache-2.0
// The plane beam of bench/models/beam.yaml written by hand: the yardstick for Carom's time per step
// and per Newton pass on beams. Standard library only.
//
//     midpoint   Moreau's midpoint rule: forces of all elements, a division
//     jean       moreau_jean, theta = 1/2: Newton's method on u+, whose passes are ended and whose
//                matrix is kept by the rules of Carom's scheme; a pass is forces, tangents, L D L' of
//                a band of 11 diagonals, and a solution
//
// One element, d = (dx, dy) from node 1 to node 2, am = (a1 + a2)/2, c, s = cos, sin am:
//
//     e1 = (c dx + s dy)/l - 1    e2 = (c dy - s dx)/l    k = (a2 - a1)/l
//     N = EA e1    S = 12 EI/l^2 e2    M = EI k           V = l/2 (N e1 + S e2 + M k)
//     tangent = l B' diag(EA, GA, EI) B + geometric part
//
// Use: beam midpoint|jean ELEMENTS STEP END [REPEATS]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BAND = 5 }; // diagonals below the main one

typedef struct run {
    int n, unknowns;           // elements, 3 n: node 0 is clamped
    double h, l, EA, GA, EI;   // step, length of an element, stiffnesses
    double gravity;            // [m/s2]
    double *q, *u, *f, *m;     // (unknowns); m: lumped masses
    double *u1, *a, *r, *q_th; // (unknowns)
    double *band, *one;        // ((unknowns + BAND) BAND), (unknowns + BAND): L and D, or K
    long steps, passes, factors;
} run;

// ---- one element ----

typedef struct strains {
    double c, s, N, S, M, e1, e2; // N, S, M: forces of the section
} strains;

static inline strains strain(const run *r, const double *a, const double *b)
{
    const double am = 0.5 * (a[2] + b[2]), dx = b[0] - a[0], dy = b[1] - a[1];
    strains x = {.c = cos(am), .s = sin(am)};
    x.e1 = (x.c * dx + x.s * dy) / r->l;
    x.e2 = (x.c * dy - x.s * dx) / r->l;
    x.N = r->EA * (x.e1 - 1);
    x.S = r->GA * x.e2;
    x.M = r->EI * (b[2] - a[2]) / r->l;
    return x;
}

static const double clamped[3];

// forces, and gravity
static void push(const run *r, const double *q, double *f)
{
    for (int i = 0; i < r->unknowns; i += 3) {
        f[i] = f[i + 2] = 0;
        f[i + 1] = -r->gravity * r->m[i];
    }
    for (int e = 0; e < r->n; e++) {
        const double *a = e ? q + 3 * (e - 1) : clamped, *b = q + 3 * e;
        double *g = f + 3 * e;
        const strains x = strain(r, a, b);
        const double fx = x.c * x.N - x.s * x.S, fy = x.s * x.N + x.c * x.S;
        const double turn = 0.5 * r->l * (x.N * x.e2 - x.S * x.e1);
        g[0] -= fx;
        g[1] -= fy;
        g[2] -= turn + x.M;
        if (e == 0) continue;
        g[-3] += fx;
        g[-2] += fy;
        g[-1] -= turn - x.M;
    }
}

// the lower triangle of factor times the tangent of an element into the band of 3 x 3 blocks
static inline void add_tangent(const run *r, const double *a, const double *b, int e, double factor)
{
    const double l = r->l, half = 0.5 * l;
    const strains x = strain(r, a, b);
    const double B[3][6] = {{-x.c, -x.s, half * x.e2, x.c, x.s, half * x.e2},
                            {x.s, -x.c, -half * x.e1, -x.s, x.c, -half * x.e1},
                            {0, 0, -1, 0, 0, 1}};
    const double w[3] = {factor * r->EA / l, factor * r->GA / l, factor * r->EI / l};
    // l times the derivatives of e1 and e2 by both turns and positions
    const double g1[6] = {0.5 * x.s, -0.5 * x.c, 0, -0.5 * x.s, 0.5 * x.c, 0};
    const double g2[6] = {0.5 * x.c, 0.5 * x.s, 0, -0.5 * x.c, -0.5 * x.s, 0};
    const double line[6] = {0, 0, 1, 0, 0, 1};
    const double N = factor * x.N, S = factor * x.S;
    const double bend = -0.25 * l * (N * x.e1 + S * x.e2);
    double G[6];
    for (int i = 0; i < 6; i++) G[i] = N * g1[i] + S * g2[i];
    for (int j = e ? 0 : 3; j < 6; j++) {
        const int column = 3 * (e - 1) + j;
        for (int i = j; i < 6; i++) {
            const double k = w[0] * B[0][i] * B[0][j] + w[1] * B[1][i] * B[1][j] +
                             w[2] * B[2][i] * B[2][j] + G[i] * line[j] + line[i] * G[j] +
                             bend * line[i] * line[j];
            if (i == j)
                r->one[column] += k;
            else
                r->band[column * BAND + i - j - 1] += k;
        }
    }
}

// ---- M + h^2/4 K ----

static void factor(const run *r, const double *q)
{
    const int n = r->unknowns;
    memset(r->band, 0, sizeof(double) * BAND * (size_t)(n + BAND));
    memset(r->one, 0, sizeof(double) * (size_t)(n + BAND));
    memcpy(r->one, r->m, sizeof(double) * (size_t)n);
    for (int e = 0; e < r->n; e++)
        add_tangent(r, e ? q + 3 * (e - 1) : clamped, q + 3 * e, e, 0.25 * r->h * r->h);
    for (int i = 0; i < n; i++) {
        double *column = r->band + i * BAND;
        r->one[i] = 1 / r->one[i];
        for (int j = 0; j < BAND; j++) {
            const double a = column[j], l = a * r->one[i];
            r->one[i + j + 1] -= l * a;
            for (int k = j + 1; k < BAND; k++) column[BAND * (j + 1) + k - j - 1] -= l * column[k];
            column[j] = l;
        }
    }
}

static void solve(const run *r, double *x)
{
    const int n = r->unknowns;
    double next[BAND];
    for (int k = 0; k < BAND; k++) next[k] = k < n ? x[k] : 0;
    for (int i = 0; i < n; i++) {
        const double *column = r->band + i * BAND, now = x[i] = next[0];
        for (int k = 0; k < BAND - 1; k++) next[k] = next[k + 1] - column[k] * now;
        next[BAND - 1] = (i + BAND < n ? x[i + BAND] : 0) - column[BAND - 1] * now;
    }
    for (int k = 0; k < BAND; k++) next[k] = 0;
    for (int i = n - 1; i >= 0; i--) {
        const double *column = r->band + i * BAND;
        double now = x[i] * r->one[i];
        for (int k = BAND - 1; k >= 0; k--) now -= column[k] * next[k];
        for (int k = BAND - 1; k > 0; k--) next[k] = next[k - 1];
        x[i] = next[0] = now;
    }
}

// ---- schemes ----

static void step_midpoint(run *r)
{
    const int n = r->unknowns;
    const double half = 0.5 * r->h;
    for (int i = 0; i < n; i++) r->q[i] += half * r->u[i];
    push(r, r->q, r->f);
    for (int i = 0; i < n; i++) r->u[i] += r->h * r->f[i] / r->m[i];
    for (int i = 0; i < n; i++) r->q[i] += half * r->u[i];
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        if (fabs(x[i]) > most) most = fabs(x[i]);
    return most;
}

static void step_jean(run *r)
{
    const int n = r->unknowns;
    const double h = r->h, size = largest(r->u, n);
    double change = INFINITY, rate = INFINITY;
    int is_converged = 0;
    memcpy(r->u1, r->u, sizeof(double) * (size_t)n);
    memset(r->a, 0, sizeof(double) * (size_t)n);
    for (int k = 0; k < 50 && !is_converged; k++) {
        for (int i = 0; i < n; i++) r->q_th[i] = r->q[i] + 0.5 * h * (r->u[i] + 0.5 * r->a[i]);
        push(r, r->q_th, r->f);
        if (k == 0 || rate > 1e-2) {
            factor(r, r->q_th);
            r->factors++;
        }
        for (int i = 0; i < n; i++) r->r[i] = r->m[i] * r->a[i] - h * r->f[i];
        solve(r, r->r);
        const double before = change;
        double scale = size;
        change = 0;
        for (int i = 0; i < n; i++) {
            r->u1[i] -= r->r[i];
            r->a[i] = r->u1[i] - r->u[i];
        }
        change = largest(r->r, n);
        scale = fmax(fmax(scale, largest(r->u1, n)), change);
        rate = change / (k == 0 ? scale : before);
        is_converged = change <= 1e-12 * scale || (k > 0 && change * rate <= 1e-14 * scale) ||
                       (change >= before && change <= 1e-9 * scale);
        r->passes++;
    }
    for (int i = 0; i < n; i++) {
        r->q[i] += 0.5 * h * (r->u[i] + r->u1[i]);
        r->u[i] = r->u1[i];
    }
}

// ---- runs ----

static double *take(int n)
{
    double *x = calloc((size_t)n, sizeof *x);
    if (!x) exit(1);
    return x;
}

static void start(run *r, char **argument)
{
    const double pi = 3.14159265358979323846, radius = 0.005, E = 2e6, density = 1000;
    const double area = pi * radius * radius, I = 0.25 * pi * pow(radius, 4);
    const int n = r->n = atoi(argument[2]), unknowns = r->unknowns = 3 * n;
    double **const vector[] = {&r->q, &r->u, &r->f, &r->m, &r->u1, &r->a, &r->r, &r->q_th};
    for (int i = 0; i < 8; i++) *vector[i] = take(unknowns);
    r->band = take((unknowns + BAND) * BAND);
    r->one = take(unknowns + BAND);
    r->h = atof(argument[3]);
    r->l = 1.0 / n;
    r->EA = E * area;
    r->EI = E * I;
    r->GA = 12 * r->EI / (r->l * r->l);
    r->gravity = 9.81;
    for (int i = 0; i < n; i++) {
        const double share = r->l * (i == n - 1 ? 0.5 : 1);
        r->q[3 * i] = (i + 1.0) / n;
        r->u[3 * i + 1] = 2 * (i + 1.0) / n;
        r->m[3 * i] = r->m[3 * i + 1] = density * area * share;
        r->m[3 * i + 2] = density * I * share;
    }
}

static void stop(run *r)
{
    double *const vector[] = {r->q, r->u, r->f, r->m, r->u1, r->a, r->r, r->q_th, r->band, r->one};
    for (int i = 0; i < 10; i++) free(vector[i]);
}

// processor time, as Carom reports it
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int n, char **argument)
{
    if (n < 5) {
        fprintf(stderr, "use: beam midpoint|jean ELEMENTS STEP END [REPEATS]\n");
        return 2;
    }
    void (*const step)(run * r) = strcmp(argument[1], "jean") == 0 ? step_jean : step_midpoint;
    for (int k = 0; k < (n > 5 ? atoi(argument[5]) : 1); k++) {
        run r = {0};
        start(&r, argument);
        const long steps = lround(atof(argument[4]) / r.h);
        const double begin = seconds();
        for (r.steps = 0; r.steps < steps; r.steps++) step(&r);
        printf("ns_per_step %.3f\n", (seconds() - begin) / (double)r.steps * 1e9);
        if (k == 0)
            printf("tip %.17g %.17g\npasses %.3f\nfactors %.3f\n", r.q[r.unknowns - 3],
                   r.q[r.unknowns - 2], (double)r.passes / (double)r.steps,
                   (double)r.factors / (double)r.steps);
        stop(&r);
    }
    return 0;
}
