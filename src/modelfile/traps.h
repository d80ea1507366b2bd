// SPDX-License-Identifier: Apache-2.0
// What YAML does to equations, explained: plain texts that end at a comma or a bracket inside { }
// and [ ], first characters with a meaning, tabs.
#ifndef CAROM_MODELFILE_TRAPS_H
#define CAROM_MODELFILE_TRAPS_H

#include "modelfile/source.h"

/// A plain text that may have been cut short.
typedef struct carom_cut {
    carom_place place;
    const char *text;   ///< what YAML took
    const char *source; ///< the file from there on
    const char *key;    ///< the key it stands under, or NULL
    bool is_list;       ///< directly inside [ ], else { }
} carom_cut;

/// Whether the parentheses or brackets of a text do not match, as after a cut.
bool carom_trap_is_cut(const char *text);
/// Says that a comma or bracket ended a plain text, with the whole text in quotes as the way out.
carom_status carom_trap_cut(const carom_cut *cut, carom_error *error);
/// Says that an alias, anchor or tag is not supported, and that an expression needs quotes.
carom_status carom_trap_mark(carom_place place, const char *source, carom_error *error);
/// Says what the YAML parser found, at its place, with the way out where the message is known.
carom_status carom_trap_syntax(const carom_source *source, carom_place place, const char *message,
                               carom_error *error);
/// Refuses tabs in front of a line's first character.
carom_status carom_trap_tabs(const carom_source *source, carom_error *error);

#endif
