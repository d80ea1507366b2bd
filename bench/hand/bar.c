// SPDX-License-Identifier: Apache-2.0 The bar of models/elastic-bar.yaml (e = 0) written by hand
// for exactly this bar: the yardstick for Carom's time per step on linear chains. Standard library
// only.
//
//     lumped   Moreau's midpoint rule with lumped mass: forces, one division
//     tdg      tdg_velocity with consistent mass: one evaluation and one tridiagonal solve for each
//              step (two where the bar is damped), the law at the first node
//     jean     moreau_jean, theta = 1/2, consistent mass: M + h/2 D + h^2/4 K is factorised once, one
//              tridiagonal solve for each step
//
// All of them do what Carom's scheme of that name does in a step, the contact law included; none
// has an audit.
//
// Use: bar lumped|tdg|jean N STEP END GAP DELTA [REPEATS]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct run {
    int n;              // nodes
    double h, gap;      // step; distance of the first node from the wall at w = 0
    double ke, de;      // stiffness and damping of an element
    double *q, *u;      // (n)
    double *a, *f, *u1; // (n)
    double *off, *one;  // (n) L and 1/D of the tridiagonal matrix that is solved with
    double *column;     // (n) its inverse times the row of the contact
    double *reciprocal; // (n) 1/m of the lumped mass
    int is_closed;      // tdg: at the start of the step
    double P;
    long steps, contact_steps;
} run;

// -K q - D u
static void push(const run *r, const double *restrict q, const double *restrict u,
                 double *restrict f)
{
    const double k = r->ke, d = r->de;
    const int n = r->n;
    double left = 0;
    if (d == 0) {
        f[0] = k * (q[1] - q[0]);
        for (int i = 1; i < n - 1; i++) f[i] = k * ((q[i + 1] - q[i]) - (q[i] - q[i - 1]));
        f[n - 1] = k * (q[n - 2] - q[n - 1]);
        return;
    }
    for (int i = 0; i < n - 1; i++) {
        const double right = k * (q[i + 1] - q[i]) + d * (u[i + 1] - u[i]);
        f[i] = right - left;
        left = right;
    }
    f[n - 1] = -left;
}

static void factor(run *r, double diagonal, double off)
{
    double d = 0.5 * diagonal;
    r->one[0] = 1 / d;
    for (int i = 1; i < r->n; i++) {
        r->off[i] = off * r->one[i - 1];
        d = (i == r->n - 1 ? 0.5 : 1) * diagonal - off * r->off[i];
        r->one[i] = 1 / d;
    }
}

static void solve(const run *r, double *restrict x)
{
    const int n = r->n;
    const double *restrict off = r->off, *restrict one = r->one;
    for (int i = 1; i < n; i++) x[i] -= off[i] * x[i - 1];
    x[n - 1] *= one[n - 1];
    for (int i = n - 2; i >= 0; i--) x[i] = x[i] * one[i] - off[i + 1] * x[i + 1];
}

// the impulse after which the first node has the rate 0, and what it does
static double hold(const run *r, double *u)
{
    if (!(u[0] < 0)) return 0;
    const double P = -u[0] / r->column[0];
    for (int i = 0; i < r->n; i++) u[i] += r->column[i] * P;
    return P;
}

static void step_lumped(run *r)
{
    const int n = r->n;
    const double h = r->h, half = 0.5 * h;
    double *q = r->q, *u = r->u, *f = r->f;
    const double *reciprocal = r->reciprocal;
    for (int i = 0; i < n; i++) q[i] += half * u[i];
    push(r, q, u, f);
    for (int i = 0; i < n; i++) u[i] += h * f[i] * reciprocal[i];
    r->P = 0;
    if (r->gap + q[0] <= 0 && u[0] < 0) {
        r->P = -u[0] / reciprocal[0];
        u[0] = 0;
    }
    for (int i = 0; i < n; i++) q[i] += half * u[i];
}

static void accelerate(run *r, const double *u)
{
    push(r, r->q, u, r->a);
    solve(r, r->a);
}

static void step_tdg(run *r)
{
    const int n = r->n;
    const double h = r->h;
    double *q = r->q, *u = r->u, *u1 = r->u1, *a = r->a;
    if (r->de != 0) accelerate(r, u); // else it is that of the last end
    for (int i = 0; i < n; i++) u1[i] = u[i] + h * a[i];
    if (r->is_closed) hold(r, u1);
    for (int i = 0; i < n; i++) u[i] = 0.5 * (u[i] + u1[i]);
    for (int i = 0; i < n; i++) q[i] += h * u[i];
    accelerate(r, u1);
    for (int i = 0; i < n; i++) u[i] += 0.5 * h * a[i];
    r->is_closed = r->gap + q[0] <= 0;
    r->P = r->is_closed ? hold(r, u) : 0;
}

static void step_jean(run *r)
{
    const int n = r->n, is_closed = r->gap + r->q[0] + 0.5 * r->h * r->u[0] <= 0;
    const double h = r->h, half = 0.5 * h;
    double *q = r->q, *u = r->u, *f = r->f, *middle = r->u1;
    for (int i = 0; i < n; i++) middle[i] = q[i] + half * u[i];
    push(r, middle, u, f);
    for (int i = 0; i < n; i++) f[i] *= h;
    solve(r, f);
    for (int i = 0; i < n; i++) {
        q[i] += half * u[i];
        u[i] += f[i];
    }
    r->P = is_closed ? hold(r, u) : 0;
    for (int i = 0; i < n; i++) q[i] += half * u[i];
}

static const struct {
    const char *name;
    void (*step)(run *r);
} scheme[] = {{"lumped", step_lumped}, {"tdg", step_tdg}, {"jean", step_jean}};

static double *take(int n)
{
    double *x = calloc((size_t)n, sizeof *x);
    if (!x) exit(1);
    return x;
}

static void start(run *r, char **argument, int which)
{
    const double S = 3.14159265358979323846 * 1e-4, E = 2.1e11, density = 7800;
    const int N = atoi(argument[2]), n = r->n = N + 1;
    const double le = 1.0 / N, me = density * S * le;
    double **const vector[] = {&r->q,   &r->u,   &r->a,      &r->f,         &r->u1,
                               &r->off, &r->one, &r->column, &r->reciprocal};
    for (int i = 0; i < 9; i++) *vector[i] = take(n);
    r->h = atof(argument[3]);
    r->gap = atof(argument[5]);
    r->ke = E * S / le;
    r->de = atof(argument[6]) * r->ke;
    for (int i = 0; i < n; i++) r->u[i] = -0.1;
    for (int i = 0; i < n; i++) r->reciprocal[i] = 1 / (i == 0 || i == N ? me / 2 : me);
    const double add = which == 2 ? 0.5 * r->h * r->de + 0.25 * r->h * r->h * r->ke : 0;
    factor(r, 2 * me / 3 + 2 * add, me / 6 - add);
    r->column[0] = 1;
    solve(r, r->column);
    r->is_closed = r->gap <= 0;
    accelerate(r, r->u);
}

static void stop(run *r)
{
    double *const vector[] = {r->q,   r->u,   r->a,      r->f,         r->u1,
                              r->off, r->one, r->column, r->reciprocal};
    for (int i = 0; i < 9; i++) free(vector[i]);
}

static void simulate(run *r, int which, double end)
{
    const long n = lround(end / r->h);
    for (r->steps = 0; r->steps < n; r->steps++) {
        scheme[which].step(r);
        r->contact_steps += r->P > 0;
    }
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
    int which = 2;
    if (n < 7) {
        fprintf(stderr, "use: bar lumped|tdg|jean N STEP END GAP DELTA [REPEATS]\n");
        return 2;
    }
    while (which > 0 && strcmp(argument[1], scheme[which].name) != 0) which--;
    for (int k = 0; k < (n > 7 ? atoi(argument[7]) : 1); k++) {
        run r = {0};
        start(&r, argument, which);
        const double begin = seconds();
        simulate(&r, which, atof(argument[4]));
        printf("ns_per_step %.3f\n", (seconds() - begin) / (double)r.steps * 1e9);
        if (k == 0)
            printf("q %.17g %.17g %.17g\ncontact_steps %ld\n", r.q[0], r.q[r.n / 2], r.q[r.n - 1],
                   r.contact_steps);
        stop(&r);
    }
    return 0;
}
