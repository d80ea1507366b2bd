// SPDX-License-Identifier: Apache-2.0
// The slider-crank of models/slider-crank.yaml with Moreau's midpoint rule and with explicit
// Moreau-Jean, written by hand for exactly this mechanism: the yardstick for Carom's time per step.
// Standard library only.
//
//     M(q), f(q,u), W(q) derived on paper: Schindler et al., INRIA RR-8623, eqs 23-34
//     contact law on the active set by enumeration: each contact open, stick, or slip to either
//     side
//
// Use: slider_crank SCHEME E MU STEP END [TH3 [REPEATS]]   SCHEME: midpoint | jean; nothing =
// midpoint 0.4 0.01 1e-5 1
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, d = 2 * (0.025 + 0.001);
static const double m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6,
                    gravity = 9.81;

enum { OPEN, STICK, SLIP_PLUS, SLIP_MINUS, MAX_ROW = 8 };

// Sines and cosines of the three angles, and the mass matrix [[A, C, 0], [C, B, 0], [0, 0, J3]]
// with 1/det.
typedef struct place {
    double s1, c1, s2, c2, s3, c3;
    double A, B, C, inverse;
} place;

// Normal and tangential row of each active contact, their M^-1 W, and the rates before.
typedef struct contacts {
    int n, corner[4];
    double N[4][3], T[4][3], MN[4][3], MT[4][3];
    double rate_N[4], rate_T[4];
} contacts;

typedef struct run {
    double q[3], u[3], P[4];
    double e, mu, h, min_gap;
    long steps, impact_steps, contact_steps;
    unsigned guess;
    int was_pushing;
    place at;
} run;

static void locate(const double q[3], place *p)
{
    p->s1 = sin(q[0]), p->c1 = cos(q[0]);
    p->s2 = sin(q[1]), p->c2 = cos(q[1]);
    p->s3 = sin(q[2]), p->c3 = cos(q[2]);
    p->A = J1 + l1 * l1 * (m1 / 4 + m2 + m3);
    p->B = J2 + l2 * l2 * (m2 / 4 + m3);
    p->C = l1 * l2 * (m2 / 2 + m3) * (p->c1 * p->c2 + p->s1 * p->s2);
    p->inverse = 1 / (p->A * p->B - p->C * p->C);
}

static void solve_mass(const place *p, const double f[3], double x[3])
{
    x[0] = (p->B * f[0] - p->C * f[1]) * p->inverse;
    x[1] = (p->A * f[1] - p->C * f[0]) * p->inverse;
    x[2] = f[2] * (1 / J3);
}

// u + h M^-1 f(q, u): inertia forces and weight
static void push_freely(const place *p, const double u[3], double h, double out[3])
{
    const double k = l1 * l2 * (m2 / 2 + m3) * (p->s1 * p->c2 - p->c1 * p->s2);
    const double f[3] = {-k * u[1] * u[1] - gravity * l1 * p->c1 * (m1 / 2 + m2 + m3),
                         k * u[0] * u[0] - gravity * l2 * p->c2 * (m2 / 2 + m3), 0};
    solve_mass(p, f, out);
    for (int i = 0; i < 3; i++) out[i] = u[i] + h * out[i];
}

static void find_gaps(const place *p, double gap[4])
{
    const double y = l1 * p->s1 + l2 * p->s2, as = a * p->s3, bc = b * p->c3;
    gap[0] = d / 2 - y + as - bc;
    gap[1] = d / 2 - y - as - bc;
    gap[2] = d / 2 + y - as - bc;
    gap[3] = d / 2 + y + as - bc;
}

// corners: upper left, upper right, lower left, lower right
static void find_rows(const place *p, int corner, double N[3], double T[3])
{
    const double up = corner < 2 ? 1 : -1, right = (corner & 1) ? 1 : -1;
    N[0] = -up * l1 * p->c1;
    N[1] = -up * l2 * p->c2;
    N[2] = -up * right * a * p->c3 + b * p->s3;
    T[0] = -l1 * p->s1;
    T[1] = -l2 * p->s2;
    T[2] = -right * a * p->s3 - up * b * p->c3;
}

static double dot(const double x[3], const double y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

// Gauss with row pivots; 0 where the matrix is singular to rounding
static int solve(int n, double A[MAX_ROW][MAX_ROW + 1], double x[MAX_ROW])
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i][k]) > fabs(A[best][k])) best = i;
        if (fabs(A[best][k]) < 1e-9) return 0;
        for (int j = k; j <= n; j++) {
            const double keep = A[k][j];
            A[k][j] = A[best][j], A[best][j] = keep;
        }
        for (int i = k + 1; i < n; i++) {
            const double factor = A[i][k] / A[k][k];
            for (int j = k; j <= n; j++) A[i][j] -= factor * A[k][j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = A[i][n];
        for (int j = i + 1; j < n; j++) x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
    }
    return 1;
}

// The impulses for one choice of states (2 bits for each contact); direction of each unknown is N
// -+ mu T or T.
static int solve_pattern(const contacts *c, const run *r, const double u[3], unsigned pattern,
                         double P[MAX_ROW])
{
    double push[MAX_ROW][3], row[MAX_ROW][3], A[MAX_ROW][MAX_ROW + 1], x[MAX_ROW];
    double b_row[MAX_ROW];
    int n = 0, owner[MAX_ROW], is_tangent[MAX_ROW];
    for (int k = 0; k < c->n; k++) {
        const unsigned state = pattern >> (2 * k) & 3;
        const double side = state == SLIP_PLUS ? -r->mu : state == SLIP_MINUS ? r->mu : 0;
        if (state == OPEN) continue;
        for (int i = 0; i < 3; i++) push[n][i] = c->MN[k][i] + side * c->MT[k][i];
        memcpy(row[n], c->N[k], sizeof row[n]);
        b_row[n] = dot(c->N[k], u) + r->e * c->rate_N[k];
        owner[n] = k, is_tangent[n++] = 0;
        if (state != STICK || r->mu == 0) continue;
        memcpy(push[n], c->MT[k], sizeof push[n]);
        memcpy(row[n], c->T[k], sizeof row[n]);
        b_row[n] = dot(c->T[k], u);
        owner[n] = k, is_tangent[n++] = 1;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) A[i][j] = dot(row[i], push[j]);
        A[i][n] = -b_row[i];
    }
    if (!solve(n, A, x)) return 0;
    memset(P, 0, MAX_ROW * sizeof *P);
    for (int i = 0; i < n; i++) P[2 * owner[i] + is_tangent[i]] = x[i];
    for (int k = 0; k < c->n; k++) {
        const unsigned state = pattern >> (2 * k) & 3;
        if (state == SLIP_PLUS) P[2 * k + 1] = -r->mu * P[2 * k];
        if (state == SLIP_MINUS) P[2 * k + 1] = r->mu * P[2 * k];
    }
    return 1;
}

static void apply(const contacts *c, const double P[MAX_ROW], const double u[3], double out[3])
{
    memcpy(out, u, 3 * sizeof *out);
    for (int k = 0; k < c->n; k++)
        for (int i = 0; i < 3; i++) out[i] += c->MN[k][i] * P[2 * k] + c->MT[k][i] * P[2 * k + 1];
}

// Does this answer obey signs, complementarity and the cone?
static int is_lawful(const contacts *c, const run *r, unsigned pattern, const double P[MAX_ROW],
                     const double u[3])
{
    for (int k = 0; k < c->n; k++) {
        const unsigned state = pattern >> (2 * k) & 3;
        const double slip = dot(c->T[k], u), tiny = 1e-12;
        if (P[2 * k] < -1e-14 || dot(c->N[k], u) + r->e * c->rate_N[k] < -tiny) return 0;
        if (r->mu == 0 || state == OPEN) continue;
        if (fabs(P[2 * k + 1]) > r->mu * P[2 * k] + 1e-14) return 0;
        if ((state == SLIP_PLUS && slip < -tiny) || (state == SLIP_MINUS && slip > tiny)) return 0;
    }
    return 1;
}

// Tries the last pattern first, then all.
static int solve_contacts(const contacts *c, run *r, double u[3])
{
    const unsigned n_pattern = 1u << (2 * c->n);
    double P[MAX_ROW], after[3];
    for (unsigned i = 0; i <= n_pattern; i++) {
        const unsigned pattern = i == 0 ? r->guess & (n_pattern - 1) : n_pattern - i;
        int is_skipped = 0;
        for (int k = 0; k < c->n; k++) is_skipped |= r->mu == 0 && (pattern >> (2 * k) & 3) > STICK;
        if (is_skipped || !solve_pattern(c, r, u, pattern, P)) continue;
        apply(c, P, u, after);
        if (!is_lawful(c, r, pattern, P, after)) continue;
        r->guess = pattern;
        memcpy(u, after, sizeof after);
        for (int k = 0; k < c->n; k++) r->P[c->corner[k]] = P[2 * k];
        return 1;
    }
    return 0;
}

static void add_contact(contacts *c, const place *rows_at, int corner)
{
    const int k = c->n++;
    c->corner[k] = corner;
    find_rows(rows_at, corner, c->N[k], c->T[k]);
    solve_mass(rows_at, c->N[k], c->MN[k]);
    solve_mass(rows_at, c->T[k], c->MT[k]);
}

// q_m = q + h/2 u; everything at q_m; q+ = q_m + h/2 u+
static int step_midpoint(run *r)
{
    double gap[4], u[3];
    contacts c;
    c.n = 0;
    for (int i = 0; i < 3; i++) r->q[i] += 0.5 * r->h * r->u[i];
    locate(r->q, &r->at);
    find_gaps(&r->at, gap);
    push_freely(&r->at, r->u, r->h, u);
    for (int k = 0; k < 4; k++) {
        if (gap[k] > 0) continue;
        add_contact(&c, &r->at, k);
        c.rate_N[c.n - 1] = dot(c.N[c.n - 1], r->u);
    }
    if (c.n > 0 && !solve_contacts(&c, r, u)) return 0;
    memcpy(r->u, u, sizeof u);
    for (int i = 0; i < 3; i++) r->q[i] += 0.5 * r->h * r->u[i];
    return 1;
}

// A from g(q) + h/2 gamma(q, u); free motion at q; rows and mass of the impulse at q+ = q + h u
static int step_jean(run *r)
{
    double gap[4], u[3], N[3], T[3], rate[4];
    const place old = r->at;
    contacts c;
    c.n = 0;
    find_gaps(&old, gap);
    push_freely(&old, r->u, r->h, u);
    for (int i = 0; i < 3; i++) r->q[i] += r->h * r->u[i];
    locate(r->q, &r->at);
    for (int k = 0; k < 4; k++) {
        find_rows(&old, k, N, T);
        rate[k] = dot(N, r->u);
        if (gap[k] + 0.5 * r->h * rate[k] > 0) continue;
        add_contact(&c, &r->at, k);
        c.rate_N[c.n - 1] = rate[k];
    }
    if (c.n > 0 && !solve_contacts(&c, r, u)) return 0;
    memcpy(r->u, u, sizeof u);
    return 1;
}

// What Carom's audit also does after each step: the gaps at its end, and the counts.
static void audit(run *r, const place *p)
{
    double gap[4];
    int is_pushing = 0;
    find_gaps(p, gap);
    for (int k = 0; k < 4; k++) {
        if (gap[k] < r->min_gap) r->min_gap = gap[k];
        is_pushing |= r->P[k] > 0;
        r->P[k] = 0;
    }
    r->contact_steps += is_pushing;
    r->impact_steps += is_pushing && !r->was_pushing;
    r->was_pushing = is_pushing;
    r->steps++;
}

static double energy(const run *r)
{
    place p;
    locate(r->q, &p);
    return 0.5 * (p.A * r->u[0] * r->u[0] + 2 * p.C * r->u[0] * r->u[1] + p.B * r->u[1] * r->u[1] +
                  J3 * r->u[2] * r->u[2]) +
           gravity * (l1 * p.s1 * (m1 / 2 + m2 + m3) + l2 * p.s2 * (m2 / 2 + m3));
}

static int simulate(run *r, int is_jean, int is_audited, double end)
{
    const long n = lround(end / r->h);
    place p;
    locate(r->q, &r->at);
    audit(r, &r->at);
    r->steps = 0;
    for (long i = 0; i < n; i++) {
        if (!(is_jean ? step_jean(r) : step_midpoint(r))) return 0;
        if (!is_audited) {
            r->steps++;
            continue;
        }
        if (is_jean) {
            audit(r, &r->at);
        } else {
            locate(r->q, &p);
            audit(r, &p);
        }
    }
    return 1;
}

static run start(char **argument, int n)
{
    run r = {.u = {150, -75, 0}, .min_gap = 1e300};
    r.e = atof(argument[2]);
    r.mu = atof(argument[3]);
    r.h = atof(argument[4]);
    r.q[2] = n > 6 ? atof(argument[6]) : 0;
    return r;
}

// processor time, as Carom reports it
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Repeats the run and prints the time per step of each, plain and with the audit.
static void time_runs(char **argument, int n, int is_jean)
{
    const int repeats = n > 7 ? atoi(argument[7]) : 1;
    for (int is_audited = 0; is_audited < 2; is_audited++) {
        printf("%s", is_audited ? "ns_per_step_audited" : "ns_per_step");
        for (int i = 0; i < repeats; i++) {
            run r = start(argument, n);
            const double begin = seconds();
            simulate(&r, is_jean, is_audited, atof(argument[5]));
            printf(" %.3f", (seconds() - begin) / (double)r.steps * 1e9);
        }
        printf("\n");
    }
}

int main(int n, char **argument)
{
    static char *usual[] = {"slider_crank", "midpoint", "0.4", "0.01", "1e-5", "1", "0", "3"};
    if (n == 1) n = 8, argument = usual;
    if (n < 6) {
        fprintf(stderr, "use: slider_crank midpoint|jean E MU STEP END [TH3 [REPEATS]]\n");
        return 2;
    }
    const int is_jean = strcmp(argument[1], "jean") == 0;
    run r = start(argument, n);
    if (!simulate(&r, is_jean, 1, atof(argument[5]))) {
        fprintf(stderr, "step %ld: no lawful answer\n", r.steps);
        return 1;
    }
    printf("q %.17g %.17g %.17g\nu %.17g %.17g %.17g\n", r.q[0], r.q[1], r.q[2], r.u[0], r.u[1],
           r.u[2]);
    printf("energy %.17g\nmin_gap %.17g\nimpact_steps %ld\ncontact_steps %ld\nsteps %ld\n",
           energy(&r), r.min_gap, r.impact_steps, r.contact_steps, r.steps);
    time_runs(argument, n, is_jean);
    return 0;
}
