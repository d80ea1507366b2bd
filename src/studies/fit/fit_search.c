// SPDX-License-Identifier: Apache-2.0
// A search without derivatives, by NLopt (Debian's libnlopt0), for starts that are far off or sums
// of squares with many valleys. The library is loaded when it is asked for; nothing else needs it.
#include "studies/fit/fit.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_RUNS = 1000 };

typedef struct method {
    const char *name, *algorithm; // ours, and NLopt's
    bool needs_bounds;
} method;
static const method methods[] = {{"bobyqa", "LN_BOBYQA", false},
                                 {"sbplx", "LN_SBPLX", false},
                                 {"neldermead", "LN_NELDERMEAD", false},
                                 {"direct", "GN_DIRECT_L", true}};

typedef double objective(unsigned n, const double *x, double *gradient, void *self);

// the functions used: type, name without nlopt_, arguments; an algorithm is an enum there
#define CALLS(X)                                                                                   \
    X(int, algorithm_from_string, (const char *))                                                  \
    X(void *, create, (int, unsigned))                                                             \
    X(void, destroy, (void *))                                                                     \
    X(int, set_min_objective, (void *, objective *, void *))                                       \
    X(int, set_lower_bounds, (void *, const double *))                                             \
    X(int, set_upper_bounds, (void *, const double *))                                             \
    X(int, set_xtol_rel, (void *, double))                                                         \
    X(int, set_maxeval, (void *, int))                                                             \
    X(int, set_initial_step, (void *, const double *))                                             \
    X(int, optimize, (void *, double *, double *))

typedef struct nlopt {
#define X(type, name, arguments) type(*name) arguments;
    CALLS(X)
#undef X
} nlopt;

static bool load(nlopt *n)
{
    void *library = dlopen("libnlopt.so.0", RTLD_NOW | RTLD_LOCAL), *symbol;
    bool is_whole = library != NULL;
#define X(type, name, arguments)                                                                   \
    symbol = is_whole ? dlsym(library, "nlopt_" #name) : NULL;                                     \
    memcpy(&n->name, &symbol, sizeof symbol);                                                      \
    is_whole = symbol != NULL;
    CALLS(X)
#undef X
    return is_whole;
}

// the best so far is kept here: what NLopt returns after an error may be anything
typedef struct best {
    carom_fitting *f;
    double chi2, value[CAROM_FIT_AXES];
} best;

static double ask(unsigned n, const double *x, double *gradient, void *self)
{
    best *b = self;
    (void)gradient;
    const double chi2 = carom_fit_cost(b->f, x, b->f->tried);
    if (chi2 < b->chi2) {
        b->chi2 = chi2;
        memcpy(b->value, x, sizeof *x * n);
    }
    return isfinite(chi2) ? chi2 : 1e300;
}

static carom_status find_method(const carom_fit *fit, const method **found, carom_error *error)
{
    *found = NULL;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i].name, fit->method) == 0) *found = &methods[i];
    if (!*found)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "no method '%s': there are lm, bobyqa, sbplx, neldermead and direct",
                          fit->method);
    for (int k = 0; k < fit->n_axis; k++)
        if ((*found)->needs_bounds && !isfinite(fit->axis[k].high - fit->axis[k].low))
            return carom_fail_at(error, fit->axis[k].name.place, CAROM_BAD_INPUT,
                                 "%s needs bounds: %s=LOW:HIGH", fit->method,
                                 fit->axis[k].name.text);
    return CAROM_OK;
}

carom_status carom_fit_search(carom_fitting *f, double *value, carom_error *error)
{
    nlopt n;
    const method *by;
    const int axes = f->fit->n_axis;
    double low[CAROM_FIT_AXES], high[CAROM_FIT_AXES], step[CAROM_FIT_AXES];
    CAROM_TRY(find_method(f->fit, &by, error));
    if (!load(&n))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "method %s needs the library libnlopt.so.0, which is not there (install "
                          "libnlopt0, or take --method lm)",
                          by->name);
    void *search = n.create(n.algorithm_from_string(by->algorithm), (unsigned)axes);
    if (!search) return carom_fail(error, CAROM_BAD_INPUT, "this NLopt has no %s", by->algorithm);
    best b = {.f = f, .chi2 = INFINITY};
    for (int k = 0; k < axes; k++) {
        low[k] = f->fit->axis[k].low;
        high[k] = f->fit->axis[k].high;
        step[k] = 0.1 * f->scale[k];
    }
    memcpy(b.value, value, sizeof *value * (size_t)axes);
    n.set_min_objective(search, ask, &b);
    n.set_lower_bounds(search, low);
    n.set_upper_bounds(search, high);
    n.set_initial_step(search, step);
    n.set_xtol_rel(search, 1e-6);
    n.set_maxeval(search, f->fit->most > 0 ? f->fit->most : USUAL_RUNS);
    double chi2, x[CAROM_FIT_AXES];
    memcpy(x, value, sizeof *value * (size_t)axes);
    (void)n.optimize(search, x, &chi2); // what was best is known in any case
    n.destroy(search);
    memcpy(value, b.value, sizeof *value * (size_t)axes);
    return CAROM_OK;
}
