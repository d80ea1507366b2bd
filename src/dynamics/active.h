// SPDX-License-Identifier: Apache-2.0
// Active sets: which contacts take part in a step. The tests use <= 0 without a tolerance:
//
//     closed   g <= level
//     ahead    g + lead gamma_N <= 0      contacts that close within the time lead
//
// A contact that presses is held by its rate, and its gap drifts, at best by as much as tolerances
// allow. Such a gap says nothing of whether it opens; where step control knows that it rests, it
// stays in (keep).
#ifndef CAROM_DYNAMICS_ACTIVE_H
#define CAROM_DYNAMICS_ACTIVE_H

#include "math/vector.h"
#include "model/model.h"

/// Whether every step has rows: a constraint or a disc.
static inline bool carom_active_always(const carom_sizes *size)
{
    return (size->n_constraint | size->n_disc) != 0;
}
/// is_active[c] = gap <= level. Returns whether the step has any rows: an active
/// contact, a constraint or a disc.
static inline bool carom_active_closed(const carom_eval *eval, double level,
                                       unsigned char *is_active)
{
    const carom_sizes *size = &eval->model->size;
    const double *gap = eval->gaps.value;
    bool is_any = carom_active_always(size);
    CAROM_EACH_SHORT(c, size->n_contact, is_any |= is_active[c] = gap[c] <= level)
    return is_any;
}
/// Whether the contact is there in this step: false for a patch that does not count.
bool carom_active_is_there(const carom_step *s, int contact);
/// Contacts that rest (carom_step.rests) become active too, where they are there: they leave by an
/// impulse of 0, not by a gap that has drifted. Returns whether there are any.
bool carom_active_keep(const carom_step *s, const carom_eval *eval, unsigned char *is_active);
/// is_active[c] = gap + lead * gap_rate <= 0. Returns as above.
static inline bool carom_active_ahead(const carom_eval *eval, double lead, unsigned char *is_active)
{
    const carom_sizes *size = &eval->model->size;
    const double *gap = eval->gaps.value, *rate = eval->gaps.rate;
    bool is_any = carom_active_always(size);
    CAROM_EACH_SHORT(c, size->n_contact, is_any |= is_active[c] = gap[c] + lead * rate[c] <= 0)
    return is_any;
}

#endif
