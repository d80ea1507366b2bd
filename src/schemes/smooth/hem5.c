// SPDX-License-Identifier: Apache-2.0
// The smooth solver hem5 as a scheme, for models without contacts: half-explicit Runge-Kutta of
// order 5 with 8 stages. The method is in smooth/smooth_hem5.c; step control and memory are those
// of all smooth solvers (smooth/adapter.h).
#include "schemes/schemes.h"
#include "smooth/adapter.h"
#include "smooth/smooth_options.h"

static int n_memory(const carom_model *model)
{
    return carom_adapter_n_memory(model, &carom_smooth_hem5);
}

static carom_status prepare(carom_step *s)
{
    return carom_adapter_prepare(s, &carom_smooth_hem5);
}

static const carom_option options[] = {
    CAROM_HALF_EXPLICIT_ROWS(CAROM_PROJECT_AUTO), CAROM_ADAPTER_ROWS, {0}};
static const unsigned masks[] = {CAROM_FLOW_MASKS, 0};

const carom_scheme carom_scheme_hem5 = {
    .name = "hem5",
    .about = "half-explicit Runge-Kutta of order 5 for constrained motion without contacts",
    .reference =
        "V. Brasey, E. Hairer, Half-explicit Runge-Kutta methods for DAEs of index 2, 1993",
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
