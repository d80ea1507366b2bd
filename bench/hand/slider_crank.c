// SPDX-License-Identifier: Apache-2.0
// The slider-crank of models/slider-crank.yaml with Moreau's midpoint rule, explicit Moreau-Jean,
// tdg_velocity and ggl_unified, written by hand for exactly this mechanism: the yardstick for
// Carom's time per step. Standard library only.
//
// Use: slider_crank SCHEME E MU STEP END [TH3 [REPEATS]]   SCHEME: midpoint | jean | tdg | ggl (no
// friction); nothing = midpoint 0.4 0.01 1e-5 1
#include "ggl_unified.h"
#include "law.h"
#include "mechanism.h"

#include <time.h>

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

// a contact of the first stage: rates along the rows ahead, impulses along those at the start
static void add_forecast_contact(contacts *c, const place *at, const place *ahead, int corner)
{
    add_contact(c, at, corner);
    find_rows(ahead, corner, c->N[c->n - 1], c->T[c->n - 1]);
}

// h la of the contacts with gap <= 0 so that the rates obey the law with e = 0; u moves accordingly
static int press(run *r, const place *at, const place *ahead, const double gap[4], double u[3])
{
    contacts c;
    c.n = 0;
    for (int k = 0; k < 4; k++) {
        if (gap[k] > 0) continue;
        add_forecast_contact(&c, at, ahead, k);
        c.rate_N[c.n - 1] = 0;
    }
    return c.n == 0 || solve_contacts(&c, r, u);
}

// the impact at q1, from u-
static int hit(run *r, const place *at, const double gap[4], double u[3])
{
    contacts c;
    c.n = 0;
    for (int k = 0; k < 4; k++) {
        if (gap[k] > 0) continue;
        add_contact(&c, at, k);
        c.rate_N[c.n - 1] = dot(c.N[c.n - 1], u);
    }
    return solve_contacts(&c, r, u);
}

// u1 = u + h M^-1 [f + W la+], q1 = q + h/2 (u + u1); then la- at q1, or the impact
static int step_tdg(run *r)
{
    double gap[4], gap1[4], free1[3], u1[3], free2[3], forecast[3];
    place ahead;
    int is_touching = 0, is_closing = 0;
    find_gaps(&r->at, gap);
    push_freely(&r->at, r->u, r->h, free1);
    memcpy(u1, free1, sizeof u1);
    for (int k = 0; k < 4; k++) is_touching |= gap[k] <= 0;
    if (is_touching) {
        for (int i = 0; i < 3; i++) forecast[i] = r->q[i] + r->h * r->u[i];
        locate(forecast, &ahead);
        if (!press(r, &r->at, &ahead, gap, u1)) return 0;
    }
    for (int i = 0; i < 3; i++) r->q[i] += 0.5 * r->h * (r->u[i] + u1[i]);
    locate(r->q, &r->at);
    find_gaps(&r->at, gap1);
    push_freely(&r->at, u1, r->h, free2); // u1 + h a1
    for (int k = 0; k < 4; k++) is_closing |= gap[k] > 0 && gap1[k] <= 0;
    for (int k = 0; k < 4; k++) r->P[k] = 0;
    if (is_closing) {
        for (int i = 0; i < 3; i++) r->u[i] = 0.5 * (free1[i] + r->u[i] + free2[i] - u1[i]);
        for (int i = 0; i < 3; i++) u1[i] = r->u[i];
        if (!hit(r, &r->at, gap1, u1)) return 0;
        memcpy(r->u, u1, sizeof u1);
        return 1;
    }
    for (int i = 0; i < 3; i++) r->u[i] = 0.5 * (r->u[i] + free2[i]);
    return press(r, &r->at, &r->at, gap1, r->u);
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

// the schemes; all but the midpoint rule leave r->at at the end of the step
static const struct {
    const char *name;
    int (*step)(run *r);
    int is_elsewhere;
} scheme[] = {{"midpoint", step_midpoint, 1},
              {"jean", step_jean, 0},
              {"tdg", step_tdg, 0},
              {"ggl", step_ggl, 0}};

static int simulate(run *r, int which, int is_audited, double end)
{
    const long n = lround(end / r->h);
    int (*const step)(run *) = scheme[which].step;
    place p;
    locate(r->q, &r->at);
    audit(r, &r->at);
    r->steps = 0;
    for (long i = 0; i < n; i++) {
        if (!step(r)) return 0;
        if (!is_audited) {
            r->steps++;
            continue;
        }
        if (scheme[which].is_elsewhere) locate(r->q, &p);
        audit(r, scheme[which].is_elsewhere ? &p : &r->at);
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
static void time_runs(char **argument, int n, int which)
{
    const int repeats = n > 7 ? atoi(argument[7]) : 1;
    for (int is_audited = 0; is_audited < 2; is_audited++) {
        printf("%s", is_audited ? "ns_per_step_audited" : "ns_per_step");
        for (int i = 0; i < repeats; i++) {
            run r = start(argument, n);
            const double begin = seconds();
            simulate(&r, which, is_audited, atof(argument[5]));
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
        fprintf(stderr, "use: slider_crank midpoint|jean|tdg|ggl E MU STEP END [TH3 [REPEATS]]\n");
        return 2;
    }
    int which = 3;
    while (which > 0 && strcmp(argument[1], scheme[which].name) != 0) which--;
    run r = start(argument, n);
    if (!simulate(&r, which, 1, atof(argument[5]))) {
        fprintf(stderr, "step %ld: no lawful answer\n", r.steps);
        return 1;
    }
    printf("q %.17g %.17g %.17g\nu %.17g %.17g %.17g\n", r.q[0], r.q[1], r.q[2], r.u[0], r.u[1],
           r.u[2]);
    printf("energy %.17g\nmin_gap %.17g\nimpact_steps %ld\ncontact_steps %ld\nsteps %ld\n",
           energy(&r), r.min_gap, r.impact_steps, r.contact_steps, r.steps);
    time_runs(argument, n, which);
    return 0;
}
