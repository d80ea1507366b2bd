// SPDX-License-Identifier: Apache-2.0
// Is the model periodic in time? Its forces, gaps and the rates of its obstacles at the start
// state, at a few times, must be the same one period later.
#include "studies/study_scan.h"

#include "carom/extend.h"

#include <math.h>

static const double places[] = {0.137, 0.389, 0.631, 0.853}; // of the period
static const double same = 1e-9; // relative: what rounding and the digits of pi may leave
enum { N_PLACE = sizeof places / sizeof *places };
static const unsigned masks[] = {CAROM_FORCES, CAROM_GAPS | CAROM_ROWS};

carom_status carom_period_prepare(carom_worker *w, carom_error *error)
{
    CAROM_TRY(carom_plan_new(w->scan->model, masks, 2, &w->plan, error));
    for (int i = 0; i < 2; i++)
        if (!(w->asked[i] = carom_plan_eval(w->plan))) return carom_scan_no_memory(error);
    return CAROM_OK;
}

static carom_status ask(carom_worker *w, double t, carom_eval *eval, carom_error *error)
{
    const carom_state *state = carom_sim_state(w->sim);
    const carom_point at = {.t = t, .q = state->q, .u = state->u};
    for (int i = 0; i < 2; i++) CAROM_TRY(carom_model_eval(w->plan, &at, masks[i], eval, error));
    return CAROM_OK;
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        if (isfinite(x[i])) most = fmax(most, fabs(x[i]));
    return most;
}

// the first that differs, -1 = none
static int find_difference(const double *a, const double *b, int n, double scale)
{
    for (int i = 0; i < n; i++)
        if (isfinite(a[i]) && isfinite(b[i]) && fabs(a[i] - b[i]) > same * scale) return i;
    return -1;
}

static carom_status compare(carom_worker *w, double t, double scale, carom_error *error)
{
    const carom_model *model = w->scan->model;
    const carom_eval *a = w->asked[0], *b = w->asked[1];
    const int f = find_difference(a->f, b->f, w->scan->size.nu, scale);
    const int g = find_difference(a->gaps.value, b->gaps.value, w->scan->size.n_contact,
                                  fmax(largest(a->gaps.value, w->scan->size.n_contact), 1e-300));
    if (f >= 0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "the force on '%s' differs between t = %.3g and one period later by %.3g: "
            "the period is not %.9g",
            carom_model_velocity_name(model, f), t, b->f[f] - a->f[f], w->period);
    if (g >= 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the gap of '%s' differs between t = %.3g and one period later by %.3g: "
                          "the period is not %.9g",
                          carom_model_contact(model, g)->name, t,
                          b->gaps.value[g] - a->gaps.value[g], w->period);
    return CAROM_OK;
}

carom_status carom_period_check(carom_worker *w, const carom_parameter *value, int n,
                                carom_error *error)
{
    double scale = 0;
    if (n > 0) CAROM_TRY(carom_plan_set(w->plan, value, n, error));
    for (int i = 0; i < N_PLACE;
         i++) { // where a force is zero by chance it has no scale of its own
        CAROM_TRY(ask(w, places[i] * w->period, w->asked[0], error));
        scale = fmax(scale, largest(w->asked[0]->f, w->scan->size.nu));
    }
    for (int i = 0; i < N_PLACE; i++) {
        const double t = places[i] * w->period;
        CAROM_TRY(ask(w, t, w->asked[0], error));
        CAROM_TRY(ask(w, t + w->period, w->asked[1], error));
        CAROM_TRY(compare(w, t, scale, error));
    }
    return CAROM_OK;
}
