// SPDX-License-Identifier: Apache-2.0
// A strict little JSON reader: tells whether a text is one JSON value, and
// finds members of objects.
#ifndef CAROM_TEST_CLI_JSON_READER_H
#define CAROM_TEST_CLI_JSON_READER_H

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline const char *json_space(const char *s)
{
    while (*s == ' ' || *s == '\n' || *s == '\t' || *s == '\r') s++;
    return s;
}

// behind a string, or NULL
static inline const char *json_string(const char *s)
{
    if (*s++ != '"') return NULL;
    for (; *s != '"'; s++) {
        if ((unsigned char)*s < 0x20) return NULL;
        if (*s != '\\') continue;
        if (!strchr("\"\\/bfnrtu", *++s)) return NULL;
        for (int i = 0; *s == 'u' && i < 4; i++)
            if (!isxdigit((unsigned char)s[i + 1])) return NULL;
    }
    return s + 1;
}

static inline const char *json_number(const char *s)
{
    if (*s == '-') s++;
    if (!isdigit((unsigned char)*s)) return NULL;
    if (*s == '0' && isdigit((unsigned char)s[1])) return NULL;
    while (isdigit((unsigned char)*s)) s++;
    if (*s == '.' && !isdigit((unsigned char)*++s)) return NULL;
    while (isdigit((unsigned char)*s)) s++;
    if (*s != 'e' && *s != 'E') return s;
    s++;
    if (*s == '+' || *s == '-') s++;
    if (!isdigit((unsigned char)*s)) return NULL;
    while (isdigit((unsigned char)*s)) s++;
    return s;
}

static inline const char *json_value(const char *s);

// behind an object or an array, or NULL
static inline const char *json_nest(const char *s, bool is_object)
{
    const char close = is_object ? '}' : ']';
    s = json_space(s + 1);
    if (*s == close) return s + 1;
    for (;;) {
        if (is_object) {
            s = json_string(json_space(s));
            if (!s || *(s = json_space(s)) != ':') return NULL;
            s++;
        }
        s = json_value(s);
        if (!s) return NULL;
        s = json_space(s);
        if (*s == close) return s + 1;
        if (*s++ != ',') return NULL;
    }
}

// behind a value, or NULL where there is none
static inline const char *json_value(const char *s)
{
    s = json_space(s);
    if (*s == '{' || *s == '[') return json_nest(s, *s == '{');
    if (*s == '"') return json_string(s);
    if (strncmp(s, "null", 4) == 0 || strncmp(s, "true", 4) == 0) return s + 4;
    if (strncmp(s, "false", 5) == 0) return s + 5;
    return json_number(s);
}

/// True where the text is one JSON value and nothing else.
static inline bool json_is_valid(const char *text)
{
    const char *end = json_value(text);
    return end && !*json_space(end);
}

/// The value under "a.b.c" of a valid object, or NULL. A digit is the index in an array.
static inline const char *json_find(const char *s, const char *path)
{
    while (s && *path) {
        const size_t n = strcspn(path, ".");
        s = json_space(s);
        const bool is_object = *s == '{';
        if (!is_object && *s != '[') return NULL;
        int index = is_object ? -1 : atoi(path);
        bool is_found = false;
        s = json_space(s + 1);
        while (*s != '}' && *s != ']' && !is_found) {
            if (is_object) {
                is_found = strncmp(s + 1, path, n) == 0 && s[1 + n] == '"';
                s = json_space(json_string(s)) + 1;
            } else {
                is_found = index-- == 0;
            }
            if (is_found) break;
            s = json_space(json_value(s));
            if (*s == ',') s = json_space(s + 1);
        }
        if (!is_found) return NULL;
        path += n + (path[n] == '.');
    }
    return s ? json_space(s) : NULL;
}

/// The number there; not a number where it is null or missing.
static inline double json_double(const char *text, const char *path)
{
    const char *s = json_find(text, path);
    return s && json_number(s) ? strtod(s, NULL) : NAN;
}

/// True where the text there is this one.
static inline bool json_says(const char *text, const char *path, const char *word)
{
    const char *s = json_find(text, path);
    const size_t n = strlen(word);
    return s && *s == '"' && strncmp(s + 1, word, n) == 0 && s[1 + n] == '"';
}

#endif
