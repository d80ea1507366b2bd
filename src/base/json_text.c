// SPDX-License-Identifier: Apache-2.0
// JSON, read front to back. Texts are decoded in place: an escape is never shorter than what it
// stands for.
#include "base/json_text.h"

#include <stdlib.h>
#include <string.h>

typedef struct walk {
    char *at;
    carom_json_visitor visitor;
    carom_json_value value;
    bool is_object[CAROM_JSON_LEVELS];
} walk;

static void skip_space(walk *w)
{
    w->at += strspn(w->at, " \t\r\n");
}

static bool take_character(walk *w, char c)
{
    skip_space(w);
    if (*w->at != c) return false;
    w->at++;
    return true;
}

static bool read_hex(const char *text, unsigned *code)
{
    char four[5] = "";
    memcpy(four, text, strnlen(text, 4));
    if (strspn(four, "0123456789abcdefABCDEF") != 4) return false;
    *code = (unsigned)strtoul(four, NULL, 16);
    return true;
}

static char *put_character(char *to, unsigned code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

// what stands behind \u: one unit, or a pair that makes one character
static bool decode_unit(char **from, char **to)
{
    unsigned code, low;
    if (!read_hex(*from, &code)) return false;
    *from += 4;
    const bool is_high = code >= 0xd800 && code < 0xdc00;
    if (is_high && (*from)[0] == '\\' && (*from)[1] == 'u' && read_hex(*from + 2, &low)) {
        code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff);
        *from += 6;
    }
    if (code == 0) return false; // a text would end there
    *to = put_character(*to, code);
    return true;
}

// at the first letter behind the quote; the text ends where its quote was
static bool read_text(walk *w, const char **text)
{
    static const char escapes[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    char *to = w->at, *from = w->at;
    *text = to;
    while (*from && *from != '"') {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        const char kind = from[1];
        const char *found = kind ? strchr(escapes, kind) : NULL;
        if (!found && kind != 'u') return false;
        from += 2;
        if (found)
            *to++ = means[found - escapes];
        else if (!decode_unit(&from, &to))
            return false;
    }
    if (*from != '"') return false;
    w->at = from + 1;
    *to = 0;
    return true;
}

// a number, true, false or null; seen as a copy, because what follows it must stay
static bool read_word(walk *w)
{
    char word[64];
    const size_t n = strspn(w->at, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");
    if (n == 0 || n >= sizeof word) return false;
    memcpy(word, w->at, n);
    word[n] = 0;
    w->at += n;
    w->value.text = word;
    w->value.is_text = false;
    const bool is_good = w->visitor.value(w->visitor.self, &w->value);
    w->value.text = NULL;
    return is_good;
}

static bool open_bracket(walk *w, bool is_object)
{
    const int level = w->value.depth;
    if (level == CAROM_JSON_LEVELS) return false;
    w->is_object[level] = is_object;
    w->value.key[level] = "";
    w->value.index[level] = 0;
    w->value.depth++;
    return true;
}

// before a value: the key of an object's member
static bool read_key(walk *w)
{
    const int level = w->value.depth - 1;
    if (level < 0 || !w->is_object[level]) return true;
    return take_character(w, '"') && read_text(w, &w->value.key[level]) && take_character(w, ':');
}

// behind a value: closes brackets; is_more says that another value follows
static bool go_on(walk *w, bool *is_more)
{
    while (w->value.depth > 0) {
        const int level = w->value.depth - 1;
        if (take_character(w, ',')) {
            w->value.index[level] += !w->is_object[level];
            *is_more = true;
            return true;
        }
        if (!take_character(w, w->is_object[level] ? '}' : ']')) return false;
        w->value.depth--;
    }
    *is_more = false;
    skip_space(w);
    return *w->at == 0;
}

// a value, or the opening bracket of one; is_open: what comes next stands inside it
static bool read_value(walk *w, bool *is_open)
{
    *is_open = false;
    skip_space(w);
    const char c = *w->at;
    if (c == '"') {
        w->at++;
        w->value.is_text = true;
        return read_text(w, &w->value.text) && w->visitor.value(w->visitor.self, &w->value);
    }
    if (c != '{' && c != '[') return read_word(w);
    w->at++;
    if (!open_bracket(w, c == '{')) return false;
    skip_space(w);
    *is_open = *w->at != (c == '{' ? '}' : ']');
    return true;
}

bool carom_json_walk(char *text, carom_json_visitor visitor)
{
    walk w = {.at = text, .visitor = visitor};
    bool is_more = true;
    while (is_more) {
        bool is_open;
        if (!read_key(&w) || !read_value(&w, &is_open)) return false;
        if (!is_open && !go_on(&w, &is_more)) return false;
    }
    return true;
}
