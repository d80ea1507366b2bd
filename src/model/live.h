// SPDX-License-Identifier: Apache-2.0
// Live parameters: a model knows what their values decide, a plan has the values.
//
//     parameters  ->  firm values (expr/program/firm.h)  ->  numbers in the programs of the plan
//                                                            start, e, e_t, mu
//                                                            times of breaks (expr/clock.h)
//
// New values change neither expressions nor patterns nor programs: nothing is derived and nothing
// allocated. A model whose parameters are not live has numbers in their places, and pays nothing.
#ifndef CAROM_MODEL_LIVE_H
#define CAROM_MODEL_LIVE_H

#include "expr/program/firm.h"
#include "model/model.h"

/// What a model knows.
struct carom_live {
    int n;
    const char **name; ///< (n)
    double *value;     ///< (n) that the model was made with
    carom_firm firm;
    int *q0, *u0;                 ///< (nq), (nu) the start, as numbers in the list of what is firm
    int *factor;                  ///< (3 n_contact) e, e_t and mu likewise; -1 = 0
    carom_clock clock;            ///< with such numbers
    unsigned long long structure; ///< fingerprint of all but values
    int n_fixed;
    const char **fixed, **why; ///< (n_fixed) parameters that could not be live
};

/// What a plan has.
struct carom_values {
    double *parameter;       ///< (n)
    unsigned char *is_given; ///< (n) by a caller; the others follow from those before them
    double *before;          ///< (n) as it was before the last change
    unsigned char *was_given;
    double *firm; ///< values of all that is firm
    carom_contact_facts *contact;
    double *q0, *u0;
    carom_clock clock;
    bool clock_has_changed; ///< since carom_plan_clock_is_new was asked
};

/// Makes plan->values with the values that the model was made with, where the model is live.
bool carom_values_make(carom_plan *plan);
/// Start and factors from firm values, whatever they are.
void carom_live_read(const carom_model *model, const double *firm, carom_contact_facts *contact,
                     double *q0, double *u0);
/// Whether they are within their limits, and all parameters finite.
carom_status carom_live_check(const carom_model *model, const double *parameter,
                              const carom_contact_facts *contact, const double *q0,
                              const double *u0, carom_error *error);
/// The plan's start is that of the model, as it was assembled.
void carom_live_take_start(carom_plan *plan);
/// The fingerprint of a model whose start was assembled.
unsigned long long carom_live_started_fingerprint(const carom_model *model);
/// A number for the structure and these values.
unsigned long long carom_live_fingerprint(const carom_model *model, const double *parameter,
                                          const carom_contact_facts *contact, const double *q0,
                                          const double *u0);
/// FNV-1a over the bytes of a value.
unsigned long long carom_fingerprint_mix(unsigned long long hash, const void *value, size_t size);
/// Start and factors of contacts.
unsigned long long carom_fingerprint_mix_start(unsigned long long hash, carom_sizes size,
                                               const carom_contact_facts *contact, const double *q0,
                                               const double *u0);

#endif
