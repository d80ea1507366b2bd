// SPDX-License-Identifier: Apache-2.0
// The smooth solver gen_alpha as a scheme, for models without contacts: implicit, order 2, with
// positions exactly on their constraints. The method is in smooth/smooth_gen_alpha.c and newmark.c;
// step control and memory are those of all smooth solvers (smooth/adapter.h).
#include "schemes/schemes.h"
#include "smooth/adapter.h"
#include "smooth/newmark.h"
#include "smooth/smooth_options.h"

static int n_memory(const carom_model *model)
{
    return carom_adapter_n_memory(model, &carom_smooth_gen_alpha);
}

static carom_status prepare(carom_step *s)
{
    return carom_adapter_prepare(s, &carom_smooth_gen_alpha);
}

static const carom_option options[] = {CAROM_GEN_ALPHA_ROWS, CAROM_ADAPTER_ROWS, {0}};
static const unsigned masks[] = {CAROM_FLOW_MASKS, CAROM_NEWMARK_MASK, CAROM_NEWMARK_MASK_1, 0};

const carom_scheme carom_scheme_gen_alpha = {
    .name = "gen_alpha",
    .about = "generalised-alpha of order 2 for constrained motion without contacts",
    .reference = "M. Arnold, O. Bruls, Convergence of the generalized-alpha scheme for constrained "
                 "systems, 2007",
    .order_free = 2,
    .order_contact = 0,
    .level = "position",
    .has_bilateral = true,
    .is_implicit = true,
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
