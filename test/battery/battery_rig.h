// SPDX-License-Identifier: Apache-2.0
// Every scheme of the table on a model: makes the simulation, or checks that it is refused for the
// right reason.
#ifndef CAROM_TEST_BATTERY_RIG_H
#define CAROM_TEST_BATTERY_RIG_H

#include "model/model_rig.h"

/// What a scheme says that it cannot do in this model, or NULL.
static inline const char *reason_to_refuse(const carom_scheme *scheme, const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    if (size.n_constraint > 0 && !scheme->has_bilateral) return "constraint";
    if (size.n_contact > 0 && !scheme->has_contact) return "contact";
    for (int c = 0; c < size.n_contact; c++)
        if (carom_model_contact(model, c)->mu > 0 && !scheme->has_friction) return "friction";
    for (int c = 0; c < size.n_contact && scheme->takes.only_lasting; c++)
        if (carom_model_contact(model, c)->is_near || carom_model_contact(model, c)->surface > 0)
            return "come and go";
    return NULL;
}

/// The simulation, or NULL where the scheme rightly refuses the model.
static inline carom_sim *accepted_sim(const carom_model *model, const carom_scheme *scheme,
                                      double step, double end)
{
    carom_error error = {0};
    carom_sim *sim = NULL;
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme->name;
    options.step = step;
    options.end = end;
    const char *reason = reason_to_refuse(scheme, model);
    const carom_status status = carom_sim_new(model, &options, &sim, &error);
    if (!reason) {
        must(status, &error);
        return sim;
    }
    assert_int_equal(status, CAROM_BAD_INPUT);
    assert_null(sim);
    assert_non_null(strstr(error.message, scheme->name));
    assert_non_null(strstr(error.message, reason));
    return NULL;
}

static inline double audited_energy(carom_sim *sim, carom_audit *audit)
{
    carom_error error = {0};
    must(carom_sim_audit(sim, audit, NULL, &error), &error);
    return audit->energy_end;
}

/// A shipped model with changes: "name=value" for parameters, "start name=value"; ends with NULL.
static inline carom_model *changed_model(const char *name, const char *const *change)
{
    carom_error error = {0};
    carom_modelfile *file = shipped_file(name);
    carom_builder *builder = carom_modelfile_builder(file);
    for (; *change; change++) {
        char key[64];
        const bool is_start = strncmp(*change, "start ", 6) == 0;
        const char *begin = *change + (is_start ? 6 : 0), *sign = strchr(begin, '=');
        snprintf(key, sizeof key, "%.*s", (int)(sign - begin), begin);
        must(is_start ? carom_builder_start(builder, text_of(key), text_of(sign + 1), &error)
                      : carom_builder_set(builder, text_of(key), text_of(sign + 1), &error),
             &error);
    }
    return finish_file(file);
}
#define CHANGES(...)                                                                               \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

#endif
