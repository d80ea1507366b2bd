// SPDX-License-Identifier: Apache-2.0
// Writes JSON: texts escaped, numbers with 17 digits, null for what is not finite.
#ifndef CAROM_CLI_JSON_H
#define CAROM_CLI_JSON_H

#include "written.h"

enum { CAROM_JSON_DEPTH = 8 };

typedef struct carom_json {
    FILE *file;
    carom_written written; ///< path NULL = stdout
    char close[CAROM_JSON_DEPTH];
    int depth;
    bool is_first; ///< nothing yet in the innermost bracket
} carom_json;

/// Opens path ("-" = stdout). A file appears whole at carom_json_close or not at all. false: said
/// on stderr.
bool carom_json_open(carom_json *json, const char *path);
bool carom_json_close(carom_json *json);

/// Each value goes under key in an object; key = NULL in an array.
void carom_json_begin(carom_json *json, const char *key, char bracket);
void carom_json_end(carom_json *json);
void carom_json_text(carom_json *json, const char *key, const char *value);
void carom_json_number(carom_json *json, const char *key, double value);
void carom_json_count(carom_json *json, const char *key, long value);
void carom_json_switch(carom_json *json, const char *key, bool value);

#endif
