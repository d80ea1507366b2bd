// SPDX-License-Identifier: Apache-2.0
// The smooth solver phem56 as a scheme, for models without contacts: partitioned half-explicit
// Runge-Kutta of order 5, the cheapest here. The method is in smooth/smooth_phem56.c; step control
// and memory are those of all smooth solvers (smooth/adapter.h).
#include "schemes/schemes.h"
#include "smooth/adapter.h"
#include "smooth/smooth_options.h"

static int n_memory(const carom_model *model)
{
    return carom_adapter_n_memory(model, &carom_smooth_phem56);
}

static carom_status prepare(carom_step *s)
{
    return carom_adapter_prepare(s, &carom_smooth_phem56);
}

static const carom_option options[] = {
    CAROM_HALF_EXPLICIT_ROWS(CAROM_PROJECT_AUTO), CAROM_ADAPTER_ROWS, {0}};
static const unsigned masks[] = {CAROM_FLOW_MASKS, 0};

const carom_scheme carom_scheme_phem56 = {
    .name = "phem56",
    .about =
        "partitioned half-explicit Runge-Kutta of order 5 for constrained motion without contacts",
    .reference =
        "A. Murua, Partitioned half-explicit Runge-Kutta methods for DAEs of index 2, 1997",
    .order_free = 5,
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
