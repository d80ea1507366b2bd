// SPDX-License-Identifier: Apache-2.0
// A walk along a branch: steps as long as the curve lets them be, special points between them, its
// ends.
//
// Special points are where a function changes its sign between two points; they are located by
// false position with the corrector inside:
//
//     fold               t_p
//     doubling           det(M + I)
//     torus              product of mu_i mu_j - 1 over pairs
//     another branch     the determinant of the system above
//
// Where an impact loses its speed or an open contact its gap, the orbit grazes (approach.c), and
// the branch of these events ends. Where the events of a round change otherwise (a slip that comes
// to a stop for the first time, a force that is 0 for a moment, an event that passes the section),
// the place is found by bisection, named by the first event that is another one, and the walk goes
// on with the new events if the orbit is there too.
#include "studies/orbits/approach.h"
#include "studies/orbits/branch.h"

#include "math/eigen/eigenvalues.h"
#include "sim/sim.h"
#include "tangent/tangent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SEARCH = 60 };
static const double shortest = 1e-8, longest = 10; // steps, of the first one
static const double approach = 0.55;               // of the way to where it grazes
static const double beside = 1e-6;                 // two sides of a touch, at most
static const double soon = 1.0 / 32;               // of a step: shorter ones look for a touch
static const double steepest = 0.94;               // cosine of the angle between two tangents

// ---- special points ----

static double test_of(const carom_branch_point *it, carom_special special)
{
    return special == CAROM_FOLD       ? it->fold
           : special == CAROM_DOUBLING ? it->doubling
           : special == CAROM_TORUS    ? it->torus
                                       : it->crossing;
}

// a pair of real multipliers with the product 1 is no torus
static bool is_torus(const carom_branch_point *it)
{
    double nearest = INFINITY;
    bool is_complex = false;
    for (int i = 0; i < it->d; i++) {
        const double off = fabs(hypot(it->real[i], it->imaginary[i]) - 1);
        if (off < nearest) {
            nearest = off;
            is_complex = it->imaginary[i] != 0;
        }
    }
    return is_complex && nearest < 1e-4;
}

// false position (Illinois) between now and next, whose distance is ds
static carom_status locate(carom_branch *b, carom_special special, double ds, carom_error *error)
{
    double low = 0, high = ds, f_low = test_of(&b->now, special),
           f_high = test_of(&b->next, special);
    int side = 0;
    for (int k = 0; k < MOST_SEARCH; k++) {
        const double x = (f_low * high - f_high * low) / (f_low - f_high);
        CAROM_TRY(carom_branch_find_point(b, &b->now, b->now.tangent, x, &b->found, error));
        const double f = test_of(&b->found, special);
        if (f == 0 || fabs(high - low) <= 1e-13 * ds || fmin(x - low, high - x) <= 1e-14 * ds)
            break;
        if ((f > 0) == (f_high > 0)) {
            high = x;
            f_high = f;
            if (side == 1) f_low /= 2;
            side = 1;
        } else {
            low = x;
            f_low = f;
            if (side == -1) f_high /= 2;
            side = -1;
        }
    }
    b->found.special = special;
    return CAROM_OK;
}

// what one walk along a branch remembers
typedef struct walk {
    carom_branch *b;
    carom_branch_told *told;
    void *self;
    int way;
    double ds, first;
    carom_graze graze;
} walk;

// a doubling whose other branch is wanted: it begins along the eigenvector of the multiplier -1
static void note_doubling(carom_branch *b)
{
    const carom_map *m = b->map;
    const int n = m->n, d = m->d;
    if (++b->n_doubling != m->w->scan->tangent.turn_to) return;
    double *work = malloc(sizeof *work * (size_t)(d * d + 1));
    if (!work) return;
    carom_branch_copy_point(b, &b->found, &b->doubled);
    carom_eigenvector(d, m->M, -1, b->b, work, b->pivot);
    memset(b->direction, 0, sizeof(double) * (size_t)(n + 1));
    for (int i = 0; i < d; i++)
        for (int k = 0; k < n; k++) b->direction[k] += m->B[i * n + k] * b->b[i] * b->scale_x;
    free(work);
}

static carom_status tell_specials(walk *w, double ds, carom_error *error)
{
    carom_branch *b = w->b;
    for (int kind = CAROM_FOLD; kind <= CAROM_CROSSING; kind++) {
        const carom_special special = (carom_special)kind;
        const double from = test_of(&b->now, special), to = test_of(&b->next, special);
        if (!(from * to < 0) || b->now.d != b->next.d) continue;
        if (special == CAROM_CROSSING && b->now.fold * b->next.fold < 0) continue;
        carom_error why = {0};
        if (locate(b, special, ds, &why) != CAROM_OK) continue;
        if (special == CAROM_TORUS && !is_torus(&b->found)) continue;
        if (special == CAROM_DOUBLING) note_doubling(b);
        CAROM_TRY(w->told(w->self, &b->found, w->way, error));
    }
    return CAROM_OK;
}

// ---- ends and touches ----

static carom_status tell_end(walk *w, carom_special special, carom_error *error)
{
    carom_branch *b = w->b;
    carom_branch_copy_point(b, &b->now, &b->found);
    b->found.special = special;
    if (special == CAROM_GRAZING) {
        b->found.p = carom_graze_parameter(&w->graze);
        if (w->graze.which == 0) b->found.speed = 0;
        if (w->graze.which == 1) b->found.gap = 0;
    }
    return w->told(w->self, &b->found, w->way, error);
}

// the approach has come close enough: it grazes, or nothing can be said
static carom_status tell_graze(walk *w, carom_error *error)
{
    const bool is_near = carom_graze_is_near(&w->graze);
    return tell_end(w, is_near ? CAROM_GRAZING : CAROM_BROKEN_OFF, error);
}

static int count(const carom_branch_point *it, carom_event_kind kind)
{
    int n = 0;
    for (int i = 0; i < it->n_mark; i++) n += (it->mark[i] - 1) % 16 == (int)kind;
    return n;
}

// the first event of the longer round that the other one does not have there; a slip that comes
// without a stick is one that passes the section
static carom_special name_touch(const carom_branch_point *a, const carom_branch_point *b)
{
    const carom_branch_point *longer = a->n_mark >= b->n_mark ? a : b;
    int i = 0;
    while (i < a->n_mark && i < b->n_mark && a->mark[i] == b->mark[i]) i++;
    if (a->n_mark == b->n_mark || i >= longer->n_mark) return CAROM_CORNER;
    switch ((carom_event_kind)((longer->mark[i] - 1) % 16)) {
    case CAROM_OPEN:
        return CAROM_RELEASE_TOUCH;
    case CAROM_STICK:
        return CAROM_STOP_TOUCH;
    case CAROM_SLIP:
        return count(a, CAROM_STICK) != count(b, CAROM_STICK) ? CAROM_SLIP_TOUCH : CAROM_CORNER;
    default:
        return CAROM_CORNER;
    }
}

// how far two points are from each other
static double distance(carom_branch *b, const carom_branch_point *from,
                       const carom_branch_point *to)
{
    const carom_map *m = b->map;
    double *z = b->x;
    carom_model_difference(m->w->scan->model, from->q, to->q, z);
    for (int i = 0; i < m->nu; i++) z[m->nu + i] = to->u[i] - from->u[i];
    double most = fabs(to->p - from->p) / b->scale_p;
    for (int i = 0; i < m->n; i++) most = fmax(most, fabs(z[i]) / b->scale_x);
    return most;
}

// the events change between now and ds: the last point with the old ones becomes now, the first
// with the new ones next, where there is one
static carom_status find_touch(walk *w, double ds, bool *is_passed, carom_error *error)
{
    carom_branch *b = w->b;
    double low = 0, high = ds;
    bool has_low = false;
    *is_passed = false;
    for (int k = 0; k < MOST_SEARCH && high - low > 1e-14 * w->first; k++) {
        const double x = 0.5 * (low + high);
        carom_error why = {0};
        const carom_status status =
            carom_branch_find_point(b, &b->now, b->now.tangent, x, &b->found, &why);
        if (status == CAROM_NO_MEMORY) return carom_fail(error, status, "%s", why.message);
        if (status == CAROM_OK && b->found.word == b->now.word) {
            low = x;
            has_low = true;
            carom_branch_copy_point(b, &b->found, &b->aside);
        } else {
            high = x;
            *is_passed = status == CAROM_OK;
            if (*is_passed) carom_branch_copy_point(b, &b->found, &b->next);
        }
    }
    if (has_low) carom_branch_copy_point(b, &b->aside, &b->now);
    *is_passed = *is_passed && distance(b, &b->now, &b->next) < beside;
    return CAROM_OK;
}

// an impact at either end of a round of a section by time
static bool is_on_section(const walk *w)
{
    const carom_map *m = w->b->map;
    const carom_worker *worker = m->w;
    const double near = 1e-6 * worker->period;
    if (worker->scan->points.section.kind != CAROM_SECTION_PERIOD || w->b->now.impacts == 0)
        return false;
    const double first = w->b->now.first_impact, last = w->b->now.last_impact;
    return fabs(first) < near || fabs(w->b->now.period - last) < near;
}

// the branch ends here, or goes on with other events
static carom_status end_or_pass(walk *w, double ds, bool *goes_on, carom_error *error)
{
    carom_branch *b = w->b;
    *goes_on = false;
    if (carom_graze_is_near(&w->graze)) return tell_end(w, CAROM_GRAZING, error);
    CAROM_TRY(find_touch(w, ds, goes_on, error));
    if (!*goes_on)
        return tell_end(w, is_on_section(w) ? CAROM_ON_SECTION : CAROM_BROKEN_OFF, error);
    const carom_special special = name_touch(&b->now, &b->next);
    CAROM_TRY(tell_end(w, special, error));
    carom_branch_copy_point(b, &b->next, &b->now);
    w->ds = w->first;
    w->graze = (carom_graze){0};
    return CAROM_OK;
}

// ---- the walk ----

// a shorter step where tangents turn, where the events change, or nothing is found
static carom_status try_step(walk *w, double *ds, bool *is_found, carom_error *error)
{
    carom_branch *b = w->b;
    const double least = fmax(shortest * w->first, fmin(soon * w->ds, soon * w->first));
    *is_found = false;
    for (bool turns = false; *ds >= (turns ? shortest * w->first : least); *ds /= 2) {
        carom_error why = {0};
        const carom_status status =
            carom_branch_find_point(b, &b->now, b->now.tangent, *ds, &b->next, &why);
        if (status == CAROM_NO_MEMORY) return carom_fail(error, status, "%s", why.message);
        if (status != CAROM_OK || b->next.word != b->now.word) continue;
        turns = carom_branch_metric(b, b->now.tangent, b->next.tangent) < steepest;
        if (turns) continue;
        *is_found = true;
        return CAROM_OK;
    }
    return CAROM_OK;
}

// the last point lies at the end of the range
static carom_status end_at(walk *w, double p, carom_error *error)
{
    carom_branch *b = w->b;
    double *direction = calloc((size_t)b->map->n + 1, sizeof *direction);
    if (!direction) return carom_scan_no_memory(error);
    direction[b->map->n] = b->scale_p;
    carom_error why = {0};
    const carom_status status = carom_branch_find_point(
        b, &b->now, direction, (p - b->now.p) / b->scale_p, &b->found, &why);
    free(direction);
    if (status != CAROM_OK || b->found.word != b->now.word) return CAROM_OK;
    return w->told(w->self, &b->found, w->way, error);
}

static carom_status walk_on(walk *w, carom_error *error)
{
    carom_branch *b = w->b;
    const carom_scan_tangent *asked = &b->map->w->scan->tangent;
    carom_graze_remember(&w->graze, &b->now);
    for (int k = 0; k < asked->most; k++) {
        double ds = w->ds;
        bool is_found, goes_on;
        CAROM_TRY(try_step(w, &ds, &is_found, error));
        if (!is_found) {
            CAROM_TRY(end_or_pass(w, 2 * ds, &goes_on, error));
            if (!goes_on) return CAROM_OK;
            carom_graze_remember(&w->graze, &b->now);
            continue;
        }
        const int passes = b->passes;
        CAROM_TRY(tell_specials(w, ds, error));
        if (b->next.p > asked->along.high || b->next.p < asked->along.low)
            return end_at(w, b->next.p > asked->along.high ? asked->along.high : asked->along.low,
                          error);
        carom_branch_copy_point(b, &b->next, &b->now);
        CAROM_TRY(w->told(w->self, &b->now, w->way, error));
        carom_graze_remember(&w->graze, &b->now);
        w->ds = fmin(longest * w->first, ds * fmin(2, fmax(0.5, sqrt(3.5 / (passes + 1)))));
        int which = 0;
        const double left = carom_graze_distance(&w->graze, ds, &which);
        if (!(left < 2 * w->ds)) continue;
        if (carom_graze_approach(&w->graze, which)) return tell_graze(w, error);
        w->ds = fmin(w->ds, approach * left);
    }
    return CAROM_OK;
}

static carom_status walk_both(carom_branch *b, carom_branch_told *told, void *self,
                              carom_error *error)
{
    const int n = b->map->n;
    const double first = b->map->w->scan->tangent.step;
    carom_branch_point start = {0};
    if (!carom_branch_take_point(&start, b->map)) {
        carom_branch_free_point(&start);
        return carom_scan_no_memory(error);
    }
    carom_branch_copy_point(b, &b->now, &start);
    carom_status status = told(self, &b->now, 1, error);
    for (int way = 1; way >= -1 && status == CAROM_OK; way -= 2) {
        walk w = {.b = b, .told = told, .self = self, .way = way, .ds = first, .first = first};
        carom_branch_copy_point(b, &start, &b->now);
        for (int i = 0; i <= n; i++) b->now.tangent[i] *= way;
        b->now.fold *= way;
        b->now.crossing *= way;
        status = walk_on(&w, error);
    }
    carom_branch_free_point(&start);
    return status;
}

// the branch of twice the period: a little beside the doubling, then away from it
static carom_status follow_doubled(carom_branch *b, carom_branch_told *told, void *self,
                                   carom_error *error)
{
    carom_map *m = b->map;
    const int turn_to = m->w->scan->tangent.turn_to;
    const double first = m->w->scan->tangent.step;
    if (turn_to == 0) return CAROM_OK;
    if (b->n_doubling < turn_to)
        return carom_fail(error, CAROM_NOT_CONVERGED, "the branch has %d doublings, not %d",
                          b->n_doubling, turn_to);
    m->times *= 2;
    carom_status status =
        carom_branch_find_point(b, &b->doubled, b->direction, first, &b->now, error);
    if (status == CAROM_OK) status = told(self, &b->now, 2, error);
    walk w = {.b = b, .told = told, .self = self, .way = 2, .ds = first, .first = first};
    if (status == CAROM_OK) status = walk_on(&w, error);
    m->times /= 2;
    return status;
}

carom_status carom_branch_follow(carom_branch *b, carom_branch_told *told, void *self,
                                 carom_error *error)
{
    carom_map *m = b->map;
    const carom_scan_axis *along = &m->w->scan->tangent.along;
    m->along = (carom_parameter){along->live, carom_sim_parameter(m->w->sim, along->live)};
    if (m->along.value < along->low || m->along.value > along->high)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the branch starts at %s = %g, which is not between %g and %g (--set)",
                          along->name, m->along.value, along->low, along->high);
    m->w->sim->until.tangent->watches_gaps = true;
    CAROM_TRY(carom_orbit_find(m, b->orbit, error));
    carom_branch_find_scales(b);
    double *up = calloc((size_t)m->n + 1, sizeof *up);
    if (!up) return carom_scan_no_memory(error);
    up[m->n] = b->scale_p;
    const carom_status status = carom_branch_take_map(b, up, &b->now, error);
    free(up);
    CAROM_TRY(status);
    b->n_doubling = 0;
    CAROM_TRY(walk_both(b, told, self, error));
    return follow_doubled(b, told, self, error);
}
