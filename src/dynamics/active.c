// SPDX-License-Identifier: Apache-2.0
// Active sets: which contacts take part in a step; see the header.
#include "dynamics/active.h"

#include <float.h>

bool carom_active_keep(const carom_step *s, const carom_eval *eval, unsigned char *is_active)
{
    bool is_any = false;
    for (int c = 0; s->rests && c < s->size.n_contact; c++) {
        if (!s->rests[c] || !(eval->gaps.value[c] <= DBL_MAX)) continue;
        is_active[c] = 1;
        is_any = true;
    }
    return is_any;
}

bool carom_active_is_there(const carom_step *s, int contact)
{
    const bool is_patch = carom_model_contact(s->model, contact)->surface > 0;
    return !is_patch || !s->holds || s->holds[contact];
}
