// SPDX-License-Identifier: Apache-2.0
// The smooth solver rkf45 as a scheme, for models without contacts: Fehlberg's explicit Runge-Kutta
// pair with projection onto the constraints. The method is in smooth/smooth_rkf45.c; step control
// and memory are those of all smooth solvers (smooth/adapter.h).
#include "schemes/schemes.h"
#include "smooth/adapter.h"
#include "smooth/smooth_options.h"

static int n_memory(const carom_model *model)
{
    return carom_adapter_n_memory(model, &carom_smooth_rkf45);
}

static carom_status prepare(carom_step *s)
{
    return carom_adapter_prepare(s, &carom_smooth_rkf45);
}

static const carom_option options[] = {CAROM_RKF45_ROWS, CAROM_ADAPTER_ROWS, {0}};
static const unsigned masks[] = {CAROM_FLOW_MASKS, 0};

const carom_scheme carom_scheme_rkf45 = {
    .name = "rkf45",
    .about =
        "Runge-Kutta-Fehlberg of order 4 with projection for constrained motion without contacts",
    .reference = "E. Fehlberg, Low-order classical Runge-Kutta formulas with stepsize control, "
                 "NASA TR R-315, 1969",
    .order_free = 4,
    .order_contact = 0,
    .level = "acceleration",
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
