// SPDX-License-Identifier: Apache-2.0
// The bad models and what their first lines expect, for the tests that try them.
#ifndef TEST_MODELFILE_EXPECTATION_H
#define TEST_MODELFILE_EXPECTATION_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char bad_models[] = CAROM_SOURCE_DIR "/test/bad-models";
enum { LEAST_FILES = 350 };

static inline int is_model(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".yaml") == 0;
}

// what the first line of a file expects, without the end of the line
static inline void read_expectation(const char *path, char *buffer, size_t room)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    char *line = fgets(buffer, (int)room, stream);
    fclose(stream);
    static const char lead[] = "# expect: ";
    assert_non_null(line);
    assert_memory_equal(line, lead, strlen(lead));
    line[strcspn(line, "\r\n")] = 0;
    memmove(buffer, line + strlen(lead), strlen(line + strlen(lead)) + 1);
}

// the place, where one is expected, stands right behind the path
static inline bool says(const char *message, const char *path, const char *expected)
{
    int line, column, used = 0;
    if (sscanf(expected, "%d:%d: %n", &line, &column, &used) < 2) used = 0;
    char start[600];
    snprintf(start, sizeof start, "%s:%.*s", path, used, expected);
    return (used == 0 || strncmp(message, start, strlen(start)) == 0) &&
           strstr(message, expected + used) && !strchr(message, '\n');
}

#endif
