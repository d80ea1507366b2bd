// SPDX-License-Identifier: Apache-2.0
// What can be asked of a model before anything moves.
#include "model/model.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WARNINGS = 32, LONGEST_WARNING = 512 };

static inline bool is_index(int i, int n)
{
    return i >= 0 && i < n;
}

void carom_model_free(carom_model *model)
{
    if (!model || atomic_fetch_sub(&model->n_holder, 1) > 0) return;
    if (model->kind) model->kind->free(model);
    carom_arena_free(model->arena);
    free(model);
}

const carom_model *carom_model_hold(const carom_model *model)
{
    // a model is immutable, but for the count of its holders
    atomic_fetch_add(&((carom_model *)(uintptr_t)model)->n_holder, 1);
    return model;
}

carom_sizes carom_model_sizes(const carom_model *model)
{
    return model ? model->size : (carom_sizes){0};
}

const carom_contact_facts *carom_model_contact(const carom_model *model, int contact)
{
    return model && is_index(contact, model->size.n_contact) ? &model->contact[contact] : NULL;
}

const char *carom_model_name(const carom_model *model)
{
    return model && model->names.model ? model->names.model : "";
}

const char *carom_model_about(const carom_model *model)
{
    return model && model->names.about ? model->names.about : "";
}

const char *carom_model_source(const carom_model *model)
{
    return model && model->names.source ? model->names.source : "";
}

const char *carom_model_coordinate_name(const carom_model *model, int i)
{
    return model && is_index(i, model->size.nq) ? model->names.coordinate[i] : NULL;
}

const char *carom_model_velocity_name(const carom_model *model, int i)
{
    return model && is_index(i, model->size.nu) ? model->names.velocity[i] : NULL;
}

bool carom_model_name_velocities(carom_model *model, const char *const *name)
{
    const int n = model->size.nu;
    model->names.velocity = CAROM_TAKE(model->arena, const char *, n);
    if (!model->names.velocity) return false;
    for (int i = 0; i < n; i++) {
        const char *own = name && name[i]       ? carom_arena_string(model->arena, name[i])
                          : model->n_plain >= 0 ? carom_arena_format(model->arena, "der(%s)",
                                                                     model->names.coordinate[i])
                                                : carom_arena_format(model->arena, "u%d", i + 1);
        if (!own) return false;
        model->names.velocity[i] = own;
    }
    return true;
}

void carom_model_set_chart(carom_model *model, const carom_chart *chart)
{
    model->chart = chart ? *chart : (carom_chart){.nq = model->size.nq, .nu = model->size.nu};
    model->n_plain = carom_chart_is_plain(&model->chart) ? model->size.nq : -1;
    model->n_inert = model->chart.n_spin > 0 ? -1 : model->size.nu;
}

const char *carom_model_coordinate_unit(const carom_model *model, int i)
{
    if (!model || !is_index(i, model->size.nq)) return NULL;
    return model->names.unit ? model->names.unit[i] : "";
}

const char *carom_model_constraint_name(const carom_model *model, int i)
{
    return model && is_index(i, model->size.n_constraint) ? model->names.constraint[i] : NULL;
}

bool carom_model_constraint_is_rate(const carom_model *model, int i)
{
    return model && is_index(i, model->size.n_constraint) && carom_model_is_rate(model, i);
}

const char *carom_model_record_name(const carom_model *model, int i)
{
    return model && is_index(i, model->size.n_record) ? model->names.record[i] : NULL;
}

const double *carom_model_start_q(const carom_model *model)
{
    return model ? model->q0 : NULL;
}

const double *carom_model_start_u(const carom_model *model)
{
    return model ? model->u0 : NULL;
}

carom_assembled carom_model_assembled(const carom_model *model)
{
    carom_assembled done = model ? model->assembly.done : (carom_assembled){0};
    if (!done.moved) done.moved = "";
    if (!done.changed) done.changed = "";
    return done;
}

int carom_model_n_warning(const carom_model *model)
{
    return model ? model->warnings.n : 0;
}

const char *carom_model_warning(const carom_model *model, int i)
{
    return model && is_index(i, model->warnings.n) ? model->warnings.text[i] : NULL;
}

int carom_model_n_difference(const carom_model *model)
{
    return model ? model->n_difference : 0;
}

void carom_model_switch_text(const carom_model *model, int which, char *buffer, size_t room)
{
    if (room > 0) buffer[0] = 0;
    if (model->kind->switch_text) model->kind->switch_text(model, which, buffer, room);
}

double carom_model_next_break(const carom_model *model, double t)
{
    return model->clock ? carom_clock_next(model->clock, t).t : INFINITY;
}

bool carom_model_has_power(const carom_model *model)
{
    return model->energies.has_power;
}

unsigned long long carom_model_fingerprint(const carom_model *model)
{
    return model->fingerprint;
}

bool carom_model_has_energies(const carom_model *model)
{
    return model->energies.are_given;
}

void carom_model_warn(carom_model *model, const char *format, ...)
{
    if (!model->warnings.text)
        model->warnings.text = CAROM_TAKE(model->arena, char *, MOST_WARNINGS);
    char *text = model->warnings.text && model->warnings.n < MOST_WARNINGS
                     ? carom_arena_take(model->arena, LONGEST_WARNING)
                     : NULL;
    if (!text) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, LONGEST_WARNING, format, arguments);
    va_end(arguments);
    model->warnings.text[model->warnings.n++] = text;
}

const carom_drawing *carom_model_drawing(const carom_model *model, int i)
{
    return model && is_index(i, model->size.n_drawing) ? &model->drawing[i] : NULL;
}

int carom_model_n_draw(const carom_model *model)
{
    return model ? model->layout.draw.n : 0;
}
