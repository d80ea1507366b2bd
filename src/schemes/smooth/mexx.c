// SPDX-License-Identifier: Apache-2.0
// The smooth solver mexx as a scheme, for models without contacts: extrapolation of a half-explicit
// midpoint rule, order 4 to 12. The method is in smooth/smooth_mexx.c; step control and memory are
// those of all smooth solvers (smooth/adapter.h), but the next step, which comes with the order.
#include "schemes/schemes.h"
#include "smooth/adapter.h"
#include "smooth/smooth_options.h"

static int n_memory(const carom_model *model)
{
    return carom_adapter_n_memory(model, &carom_smooth_mexx);
}

static carom_status prepare(carom_step *s)
{
    return carom_adapter_prepare(s, &carom_smooth_mexx);
}

static const carom_option options[] = {
    CAROM_HALF_EXPLICIT_ROWS(CAROM_PROJECT_POSITION), CAROM_MEXX_ROW, CAROM_ADAPTER_ROWS, {0}};
static const unsigned masks[] = {CAROM_FLOW_MASKS, 0};

const carom_scheme carom_scheme_mexx = {
    .name = "mexx",
    .about = "extrapolation of order 4 to 12 for constrained motion without contacts",
    .reference = "C. Lubich, U. Nowak, U. Poehle, C. Engstler, MEXX - Numerical software for the "
                 "integration of constrained mechanical multibody systems, 1992",
    .order_free = 10,
    .order_contact = 0,
    .level = "velocity",
    .has_bilateral = true,
    .takes.rates = true,
    .is_adaptive = true,
    .option = options,
    .mask = masks,
    .n_eval = 2,
    .memory = {.n = n_memory, .is_good = carom_adapter_is_memory},
    .prepare = prepare,
    .release = carom_adapter_release,
    .renew = carom_adapter_renew,
    .start = carom_adapter_start,
    .step = carom_adapter_step,
};
