// SPDX-License-Identifier: Apache-2.0
// The editable form of a model: lists of texts with their places, in the order they were given.
#ifndef CAROM_MODEL_BUILDER_H
#define CAROM_MODEL_BUILDER_H

#include "base/limits.h"
#include "base/list.h"
#include "carom/model.h"

/// Anything that has a name and one or two expressions.
typedef struct carom_named_text {
    carom_text name;
    carom_family family;
    carom_text value, rate;
    carom_text unit; ///< of a coordinate, for axes and tables
} carom_named_text;

typedef struct carom_table_text {
    carom_text name;
    carom_table_points points;
} carom_table_text;

struct carom_builder {
    carom_arena *arena;
    carom_limits limits;
    const char *name, *about, *source;
    CAROM_LIST(carom_named_text)
    parameter, coordinate, define, kinetic, potential, constraint, record;
    CAROM_LIST(carom_table_text) table;
    CAROM_LIST(carom_force_text) force;
    CAROM_LIST(carom_contact_text) contact;
    CAROM_LIST(carom_drawing_text) drawing;
    CAROM_LIST(carom_setting) set, start;
};

#endif
