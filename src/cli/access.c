// SPDX-License-Identifier: Apache-2.0
// What the command line lets files do.
#include "access.h"

#include "terminal/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool carom_limits_read(carom_limits *limits, const carom_arguments *arguments)
{
    *limits = carom_limits_default();
    int position = 0;
    const char *text;
    while ((text = carom_arguments_next(arguments, "limit", &position))) {
        char name[64];
        carom_error error = {0};
        const char *equals = strchr(text, '=');
        snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - text) : 0, text);
        if (!equals || !*name) {
            carom_message_error("--limit %s: write NAME=N, as in --limit nodes=1e7", text);
            return false;
        }
        if (carom_limits_set(limits, name, equals + 1, &error) == CAROM_OK) continue;
        carom_message_error("--limit: %s", error.message);
        return false;
    }
    return true;
}

static bool read_folders(carom_granted *g, const carom_arguments *arguments)
{
    int position = 0, n = 0;
    const char *text;
    const char **folder = calloc((size_t)arguments->n_given + 1, sizeof *folder);
    g->access.folder = folder;
    if (!folder) carom_message_error("memory ran out");
    while (folder && (text = carom_arguments_next(arguments, "allow-path", &position))) {
        struct stat facts;
        if (stat(text, &facts) != 0 || !S_ISDIR(facts.st_mode)) {
            carom_message_error("--allow-path %s: is no folder", text);
            return false;
        }
        folder[n++] = text;
    }
    g->access.n_folder = n;
    return folder != NULL;
}

bool carom_granted_read(carom_granted *granted, const carom_arguments *arguments)
{
    *granted = (carom_granted){0};
    granted->access.limits = &granted->limits;
    if (carom_paths_parts(granted->parts)) granted->access.parts = granted->parts;
    return carom_limits_read(&granted->limits, arguments) && read_folders(granted, arguments);
}

void carom_granted_free(carom_granted *granted)
{
    free((void *)granted->access.folder);
    granted->access = (carom_access){0};
}
