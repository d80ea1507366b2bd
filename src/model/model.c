// SPDX-License-Identifier: Apache-2.0
// What can be asked of a model before anything moves.
#include "model/model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WARNINGS = 32, LONGEST_WARNING = 512 };

void carom_model_free(carom_model *model)
{
    if (!model) return;
    if (model->kind) model->kind->free(model);
    carom_arena_free(model->arena);
    free(model);
}

carom_sizes carom_model_sizes(const carom_model *model)
{
    return model->size;
}

const carom_contact_facts *carom_model_contact(const carom_model *model, int contact)
{
    return &model->contact[contact];
}

const char *carom_model_name(const carom_model *model)
{
    return model->name ? model->name : "";
}

const char *carom_model_about(const carom_model *model)
{
    return model->about ? model->about : "";
}

const char *carom_model_source(const carom_model *model)
{
    return model->source ? model->source : "";
}

const char *carom_model_coordinate_name(const carom_model *model, int i)
{
    return model->coordinate_name[i];
}

const char *carom_model_coordinate_unit(const carom_model *model, int i)
{
    return model->coordinate_unit ? model->coordinate_unit[i] : "";
}

const char *carom_model_constraint_name(const carom_model *model, int i)
{
    return model->constraint_name[i];
}

const char *carom_model_record_name(const carom_model *model, int i)
{
    return model->record_name[i];
}

const double *carom_model_start_q(const carom_model *model)
{
    return model->q0;
}

const double *carom_model_start_u(const carom_model *model)
{
    return model->u0;
}

int carom_model_n_warning(const carom_model *model)
{
    return model->n_warning;
}

const char *carom_model_warning(const carom_model *model, int i)
{
    return model->warning[i];
}

int carom_model_n_difference(const carom_model *model)
{
    return model->n_difference;
}

carom_status carom_model_refresh(const carom_model *model, double t, const double *q,
                                 carom_error *error)
{
    return model->kind->refresh ? model->kind->refresh(model, t, q, error) : CAROM_OK;
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
    return model->has_power;
}

unsigned long long carom_model_fingerprint(const carom_model *model)
{
    return model->fingerprint;
}

bool carom_model_has_energies(const carom_model *model)
{
    return model->has_energies;
}

void carom_model_warn(carom_model *model, const char *format, ...)
{
    if (!model->warning) model->warning = CAROM_TAKE(model->arena, char *, MOST_WARNINGS);
    char *text = model->warning && model->n_warning < MOST_WARNINGS
                     ? carom_arena_take(model->arena, LONGEST_WARNING)
                     : NULL;
    if (!text) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, LONGEST_WARNING, format, arguments);
    va_end(arguments);
    model->warning[model->n_warning++] = text;
}

const carom_drawing *carom_model_drawing(const carom_model *model, int i)
{
    return i >= 0 && i < model->size.n_drawing ? &model->drawing[i] : NULL;
}

int carom_model_n_draw(const carom_model *model)
{
    return model->n_draw;
}
