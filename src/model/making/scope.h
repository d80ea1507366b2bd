// SPDX-License-Identifier: Apache-2.0
// What names mean while a model is made: parameters, coordinates, definitions and tables, with
// their families.
#ifndef CAROM_MODEL_SCOPE_H
#define CAROM_MODEL_SCOPE_H

#include "expr/text/syntax.h"

typedef enum carom_meaning {
    CAROM_MEANS_PARAMETER,
    CAROM_MEANS_COORDINATE,
    CAROM_MEANS_DEFINE,
    CAROM_MEANS_TABLE,
    CAROM_MEANS_VELOCITY,  ///< one that is no rate of a coordinate
    CAROM_MEANS_QUATERNION ///< a position of a rotation: it has a start and no node
} carom_meaning;

typedef struct carom_entry {
    const char *name; ///< full name, "x" or "x[3]"
    carom_meaning meaning;
    carom_ref ref; ///< its node
    int number;    ///< of the coordinate, velocity or table
    carom_place place;
} carom_entry;

typedef struct carom_scope carom_scope;

carom_scope *carom_scope_new(carom_arena *arena);
enum { CAROM_PLACE_ROOM = 256 };
/// "in line 7", or of another file "in parts/wheel.yaml:7:3".
const char *carom_scope_where(carom_place place, carom_place from, char *buffer, size_t room);
/// Adds a name; one that exists already is CAROM_BAD_INPUT with both places. The name is copied.
carom_status carom_scope_add(carom_scope *scope, const carom_entry *entry, carom_error *error);
/// The entry of a full name, or NULL.
const carom_entry *carom_scope_find(const carom_scope *scope, const char *name);
/// "unknown name 'tht1' (did you mean 'th1'?)", or for a family what members there
/// are. Returns buffer.
const char *carom_scope_explain(const carom_scope *scope, const char *name, char *buffer,
                                size_t room);
/// Callbacks for elaboration with this scope; index variables and reasons are set by the caller.
carom_names carom_scope_names(carom_scope *scope);
/// name with its indices, "x[3]", "x[1,2]", or of "b[].x" "b[3].x", into buffer; false where it
/// does not fit and is cut.
bool carom_scope_full_name(const char *name, const int *index, int n_index, char *buffer,
                           size_t room);

enum { CAROM_LONGEST_NAME = 128 };

#endif
