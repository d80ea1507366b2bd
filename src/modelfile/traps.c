// SPDX-License-Identifier: Apache-2.0
// What YAML does to equations, explained with the text as it should have been written.
// YAML 1.2, 7.3.3: inside { } and [ ] a plain text ends at any of , [ ] { }.
#include "modelfile/traps.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 120 };

bool carom_trap_is_cut(const char *text)
{
    int depth = 0;
    for (; *text && depth >= 0; text++) {
        if (*text == '(') depth++;
        if (*text == ')') depth--;
    }
    return depth != 0;
}

// whether an unquoted expression ends at s, outside parentheses and brackets
static bool ends_here(const char *s)
{
    return strchr(",]}\"\r\n", *s) || (*s == ':' && strchr(" \t\r\n", s[1])) ||
           (*s == '#' && (s[-1] == ' ' || s[-1] == '\t'));
}

// the expression that starts here as its writer meant it: up to a comma or end outside ( ) and [ ]
static void whole_text(const char *source, char *buffer)
{
    int depth = 0, n = 0;
    for (const char *s = source; *s && n < ROOM - 1; s++) {
        if (depth == 0 && s > source && ends_here(s)) break;
        // lines go on inside parentheses only; their indentation is left out
        if (*s == ' ' && n > 0 && buffer[n - 1] == ' ') continue;
        if (*s == '(' || *s == '[') depth++;
        if ((*s == ')' || *s == ']') && depth > 0) depth--;
        buffer[n++] = *s == '\n' || *s == '\r' ? ' ' : *s;
    }
    while (n > 0 && (buffer[n - 1] == ' ' || buffer[n - 1] == '\t')) n--;
    buffer[n] = 0;
}

carom_status carom_trap_cut(const carom_cut *cut, carom_error *error)
{
    char whole[ROOM];
    whole_text(cut->source, whole);
    const char *end = cut->text ? cut->source + strlen(cut->text) : cut->source;
    const bool is_bracket = cut->text && (*end == '[' || *end == ']');
    return carom_fail_at(error, cut->place, CAROM_BAD_INPUT,
                         "inside %s a plain text ends at a %s: put the expression in quotes: "
                         "%.60s%s\"%s\"",
                         cut->is_list ? "[ ]" : "{ }", is_bracket ? "bracket" : "comma",
                         cut->key ? cut->key : "", cut->key ? ": " : "", whole);
}

carom_status carom_trap_mark(carom_place place, const char *source, carom_error *error)
{
    char whole[ROOM];
    whole_text(source, whole);
    const char *what = *source == '*' ? "alias" : *source == '&' ? "anchor" : "tag";
    return carom_fail_at(error, place, CAROM_BAD_INPUT,
                         "a text that starts with '%c' is a YAML %s, which model files do not use "
                         "(an expression needs quotes here: \"%s\")",
                         *source, what, whole);
}

// messages of libfyaml that people meet, and the way out
typedef struct hint {
    const char *part, *way_out;
} hint;

static const hint hints[] = {
    {"nested block mapping", "a text that contains ': ' needs quotes"},
    {"trailing content after", "put the whole text in quotes"},
    {"invalid value after", "a text that starts with '[', '{' or a quote needs quotes as a whole"},
    {"multiline plain key", "check the indentation of the next line"},
    {"block sequence on the same line", "a text that starts with '- ' needs quotes; "
                                        "a list starts on its own line"},
    {"without a closing", "a '[' or '{' is not closed; a text that starts with one needs quotes"},
    {"end of block", "check the indentation of this line"},
    {"did not find expected", "check the indentation of this line"},
    {"could not find expected ':'", "a key needs ': ' and a value"},
    {"wrongly indented", "check the indentation of this line"},
    {"missing comma", "a comma or a closing bracket is missing"},
    {"depth limit", "lists and mappings are nested too deep"},
};

// the text at a place, for the parser's own errors
static const char *at_place(const carom_source *source, carom_place place)
{
    const char *s = source->text;
    for (int line = 1; line < place.line && s; line++) {
        s = strchr(s, '\n');
        if (s) s++;
    }
    for (int column = 1; s && column < place.column && *s && *s != '\n'; column++) {
        s++;
        while ((*s & 0xc0) == 0x80) s++;
    }
    return s ? s : "";
}

carom_status carom_trap_syntax(const carom_source *source, carom_place place, const char *message,
                               carom_error *error)
{
    if (strstr(message, "cannot start with")) {
        char whole[ROOM];
        const char *at = at_place(source, place);
        whole_text(at, whole);
        return carom_fail_at(error, place, CAROM_BAD_INPUT,
                             "a text that starts with '%c' needs quotes: \"%s\"", *at ? *at : ' ',
                             whole);
    }
    const char *way_out = NULL;
    for (size_t i = 0; i < sizeof hints / sizeof hints[0] && !way_out; i++)
        if (strstr(message, hints[i].part)) way_out = hints[i].way_out;
    return carom_fail_at(error, place, CAROM_BAD_INPUT, "not valid YAML: %.200s%s%s%s", message,
                         way_out ? " (" : "", way_out ? way_out : "", way_out ? ")" : "");
}

carom_status carom_trap_tabs(const carom_source *source, carom_error *error)
{
    carom_place place = {source->name, 1, 1};
    for (const char *s = source->text; *s; place.line++) {
        const size_t indent = strspn(s, " \t"), spaces = strspn(s, " ");
        if (spaces < indent && !strchr("#\r\n", s[indent])) {
            place.column = (int)spaces + 1;
            return carom_fail_at(error, place, CAROM_BAD_INPUT,
                                 "a tab indents this line; YAML indents with spaces only");
        }
        s += strcspn(s, "\n");
        if (*s) s++;
    }
    return CAROM_OK;
}
