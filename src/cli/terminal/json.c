// SPDX-License-Identifier: Apache-2.0
// Writes JSON (RFC 8259): texts escaped and made valid UTF-8, numbers with 17 digits so that they
// read back as the same double, null for what is not finite.
#include "terminal/json.h"

#include <carom/base.h>

#include <math.h>
#include <string.h>

bool carom_json_open(carom_json *json, const char *path)
{
    *json = (carom_json){.file = stdout, .is_first = true};
    if (strcmp(path, "-") == 0) return true;
    if (!carom_written_open(&json->written, path)) return false;
    json->file = json->written.file;
    return true;
}

bool carom_json_close(carom_json *json)
{
    putc('\n', json->file);
    // stdout is checked once, when the command ends
    return !json->written.path || carom_written_close(&json->written);
}

// bytes of the valid UTF-8 letter that starts here, 0 where there is none
static int letter_size(const unsigned char *s)
{
    if (s[0] < 0x80) return 1;
    const int n = s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
    if (n == 0 || s[0] >= 0xf5) return 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    // no overlong forms, no surrogates, nothing above U+10FFFF
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)) return 0;
    if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)) return 0;
    return n;
}

// the number of the letter of n bytes that starts here
static unsigned letter_number(const unsigned char *s, int n)
{
    unsigned x = n == 1 ? s[0] : s[0] & (0xffu >> (n + 1));
    for (int i = 1; i < n; i++) x = x << 6 | (s[i] & 0x3fu);
    return x;
}

// what steers a terminal is written by its number, as in carom_text_plain
static bool is_steering(const unsigned char *s, int n)
{
    char one[8] = "";
    memcpy(one, s, (size_t)n);
    return strcmp(carom_text_plain(one), " ") == 0 && *s != ' ';
}

static void put_text(FILE *file, const char *text)
{
    putc('"', file);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        const int n = letter_size(s);
        if (n == 0)
            fputs("\\ufffd", file);
        else if (*s == '"' || *s == '\\')
            fprintf(file, "\\%c", *s);
        else if (*s == '\n')
            fputs("\\n", file);
        else if (is_steering(s, n))
            fprintf(file, "\\u%04x", letter_number(s, n));
        else
            fwrite(s, 1, (size_t)n, file);
        s += n ? n : 1;
    }
    putc('"', file);
}

// comma, new line, indentation and key before a value
static void put_lead(carom_json *json, const char *key)
{
    if (!json->is_first) putc(',', json->file);
    if (json->depth > 0) fprintf(json->file, "\n%*s", 2 * json->depth, "");
    json->is_first = false;
    if (!key) return;
    put_text(json->file, key);
    fputs(": ", json->file);
}

void carom_json_begin(carom_json *json, const char *key, char bracket)
{
    put_lead(json, key);
    putc(bracket, json->file);
    json->close[json->depth++] = bracket == '{' ? '}' : ']';
    json->is_first = true;
}

void carom_json_end(carom_json *json)
{
    const char bracket = json->close[--json->depth];
    if (!json->is_first) fprintf(json->file, "\n%*s", 2 * json->depth, "");
    putc(bracket, json->file);
    json->is_first = false;
}

void carom_json_text(carom_json *json, const char *key, const char *value)
{
    put_lead(json, key);
    put_text(json->file, value ? value : "");
}

void carom_json_number(carom_json *json, const char *key, double value)
{
    put_lead(json, key);
    if (isfinite(value))
        fprintf(json->file, "%.17g", value);
    else
        fputs("null", json->file);
}

void carom_json_count(carom_json *json, const char *key, long value)
{
    put_lead(json, key);
    fprintf(json->file, "%ld", value);
}

void carom_json_switch(carom_json *json, const char *key, bool value)
{
    put_lead(json, key);
    fputs(value ? "true" : "false", json->file);
}
