// SPDX-License-Identifier: Apache-2.0
// How the file wants to be run. Keys that are not known here are options of the scheme, or of the
// solver where they start with "solver."; whoever makes the simulation checks them.
#include "modelfile/reader.h"

#include <string.h>

typedef struct place_of_text {
    const char *key, *example;
    carom_text *text;
} place_of_text;

static carom_status read_switch(const char *key, carom_text text, bool *is_yes, carom_error *error)
{
    if (!text.text) return CAROM_OK;
    *is_yes = strcmp(text.text, "yes") == 0 || strcmp(text.text, "true") == 0;
    if (*is_yes || strcmp(text.text, "no") == 0 || strcmp(text.text, "false") == 0) return CAROM_OK;
    return carom_fail_at(error, text.place, CAROM_BAD_INPUT, "%s is yes or no, not '%s'", key,
                         text.text);
}

carom_status carom_read_run(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    carom_run_texts *run = &file->run;
    carom_text penetration = {0}, unstable = {0};
    const place_of_text known[] = {
        {"scheme", "scheme: moreau_midpoint", &run->scheme},
        {"solver", "solver: newton", &run->solver},
        {"step", "step: 1e-3", &run->step},
        {"tolerance", "tolerance: 1e-6", &run->tolerance},
        {"end", "end: 1", &run->end},
        {"native", "native: true", &run->native},
        {"allow_penetration", "allow_penetration: yes", &penetration},
        {"allow_unstable", "allow_unstable: yes", &unstable},
        {"save_contact", "save_contact: problems:every=100", &run->save_contact},
    };
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, "run: {step: 1e-3, end: 1}", error));
    carom_setting *setting = CAROM_TAKE(file->arena, carom_setting, node->n);
    if (!setting) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading 'run'");
    run->setting = setting;
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        const size_t n = sizeof known / sizeof known[0];
        size_t i = 0;
        while (i < n && strcmp(known[i].key, entry->key->text) != 0) i++;
        carom_text value;
        CAROM_TRY(
            carom_fields_text(entry, i < n ? known[i].example : "option: value", &value, error));
        if (i < n) *known[i].text = value;
        if (i == n) setting[run->n_setting++] = (carom_setting){carom_fields_key(entry), value};
    }
    CAROM_TRY(read_switch("allow_penetration", penetration, &run->allow_penetration, error));
    return read_switch("allow_unstable", unstable, &run->allow_unstable, error);
}
