// SPDX-License-Identifier: Apache-2.0
// Equation text cut into tokens. What other languages write differently (**, &&, =, letters beyond
// ASCII) is answered with the way to write it here.
#include "expr/text/lexer.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static carom_place place_of(const carom_lexer *lexer)
{
    carom_place place = lexer->text.place;
    if (lexer->line > 0) {
        if (place.line > 0) place.line += lexer->line;
        place.column = (int)(lexer->at - lexer->line_start) + 1;
    } else if (place.column > 0) {
        place.column += (int)lexer->at;
    }
    return place;
}

static void skip_space(carom_lexer *lexer)
{
    for (;; lexer->at++) {
        const char c = lexer->text.text[lexer->at];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return;
        if (c == '\n') {
            lexer->line++;
            lexer->line_start = lexer->at + 1;
        }
    }
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t number_length(const char *s)
{
    size_t n = 0;
    while (is_digit(s[n])) n++;
    if (s[n] == '.') n++;
    while (is_digit(s[n])) n++;
    if (s[n] == 'e' || s[n] == 'E') {
        const size_t sign = s[n + 1] == '+' || s[n + 1] == '-';
        size_t end = n + 1 + sign;
        if (!is_digit(s[end])) return n;
        while (is_digit(s[end])) end++;
        n = end;
    }
    return n;
}

// strtod, also where the program that uses the library has set a locale with a decimal comma
static double read_number(const char *digits, char *copy)
{
    char *end;
    double value = strtod(digits, &end);
    char *point = strchr(copy, '.');
    if (*end && point) {
        *point = localeconv()->decimal_point[0];
        value = strtod(copy, NULL);
    }
    return value;
}

static carom_status lex_number(carom_lexer *lexer, carom_token *token)
{
    const char *s = lexer->text.text + lexer->at;
    const size_t length = number_length(s);
    if (s[length] == '.')
        return carom_fail_at(lexer->error, token->place, CAROM_BAD_INPUT, "'%.*s' is not a number",
                             (int)(length < 40 ? length + 1 : 40), s);
    char *copy = carom_arena_copy(lexer->arena, s, length);
    token->kind = CAROM_TOKEN_NUMBER;
    token->text = carom_arena_copy(lexer->arena, s, length);
    if (!copy || !token->text) return carom_fail(lexer->error, CAROM_NO_MEMORY, "no memory");
    token->number = read_number(token->text, copy);
    lexer->at += length;
    if (!isfinite(token->number))
        return carom_fail_at(lexer->error, token->place, CAROM_BAD_INPUT,
                             "the number %.40s is too large", token->text);
    return CAROM_OK;
}

// bytes of the character at s: 1 where it is not valid UTF-8
static int character_length(const char *s)
{
    const unsigned char first = (unsigned char)s[0];
    const int n = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
    for (int i = 1; i < n; i++)
        if (((unsigned char)s[i] & 0xc0) != 0x80) return 1;
    return n;
}

static carom_status refuse_character(carom_lexer *lexer, const carom_token *token)
{
    static const char *const known[][2] = {
        {"\u2212", "-"},
        {"\u2013", "-"},
        {"\u00d7", "*"},
        {"\u00b7", "*"},
        {"\u22c5", "*"},
        {"\u00f7", "/"},
        {"\u00b2", "^2"},
        {"\u00b3", "^3"},
        {"\u03c0", "pi"},
        {"\u221a", "sqrt()"},
        {"\u2264", "<="},
        {"\u2265", ">="},
        {"\u2260", "!="},
        {"&", "and"},
        {"|", "or, and abs(x) for |x|"},
        {"!", "not"},
        {"=", "== to compare, or left - right for what is to be zero"},
        {"\u00b0", "deg(...) for degrees"},
        {"?", "if(condition, a, b)"},
        {"%", "mod(a, b), or a factor like 0.05"},
    };
    const char *s = lexer->text.text + lexer->at;
    if (*s == '\'' || strncmp(s, "\u2032", strlen("\u2032")) == 0)
        return carom_fail_at(lexer->error, token->place, CAROM_BAD_INPUT,
                             "' is not known here; the time derivative of x is der(x)");
    const int n = character_length(s);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(s, known[i][0], strlen(known[i][0])) == 0)
            return carom_fail_at(lexer->error, token->place, CAROM_BAD_INPUT,
                                 "'%s' is not known here; use %s", known[i][0], known[i][1]);
    if (n == 1 && (*s < ' ' || *s > '~'))
        return carom_fail_at(lexer->error, token->place, CAROM_BAD_INPUT,
                             "unknown character \\x%02x", (unsigned)(unsigned char)*s);
    return carom_fail_at(lexer->error, token->place, CAROM_BAD_INPUT, "unknown character '%.*s'", n,
                         s);
}

static carom_status lex_sign(carom_lexer *lexer, carom_token *token)
{
    static const char *const sign[] = {"<=", ">=", "==", "!=", "+", "-", "*", "/",
                                       "^",  "(",  ")",  "[",  "]", ",", "<", ">"};
    const char *s = lexer->text.text + lexer->at;
    if (s[0] == '*' && s[1] == '*')
        return carom_fail_at(lexer->error, token->place, CAROM_BAD_INPUT,
                             "'**' is not known here; use ^ for powers");
    for (size_t i = 0; i < sizeof sign / sizeof *sign; i++) {
        const size_t length = strlen(sign[i]);
        if (strncmp(s, sign[i], length) != 0) continue;
        token->kind = CAROM_TOKEN_SIGN;
        token->text = sign[i];
        lexer->at += length;
        return CAROM_OK;
    }
    return refuse_character(lexer, token);
}

// the length of a name; a dot belongs to it where a letter follows, so that x.5 and x. are none
static size_t name_length(const char *s)
{
    size_t n = 1;
    while (is_letter(s[n]) || is_digit(s[n]) || (s[n] == '.' && is_letter(s[n + 1]))) n++;
    return n;
}

carom_status carom_lexer_next(carom_lexer *lexer, carom_token *token)
{
    skip_space(lexer);
    *token = (carom_token){.kind = CAROM_TOKEN_END, .place = place_of(lexer), .text = ""};
    const char *s = lexer->text.text + lexer->at;
    if (!*s) return CAROM_OK;
    if (is_digit(*s) || (*s == '.' && is_digit(s[1]))) return lex_number(lexer, token);
    const bool is_member = *s == '.' && is_letter(s[1]) && lexer->at > 0 && s[-1] == ']';
    if (!is_letter(*s) && !is_member) return lex_sign(lexer, token);
    const size_t length = name_length(s);
    token->kind = is_member ? CAROM_TOKEN_MEMBER : CAROM_TOKEN_NAME;
    token->text = carom_arena_copy(lexer->arena, s, length);
    lexer->at += length;
    return token->text ? CAROM_OK : carom_fail(lexer->error, CAROM_NO_MEMORY, "no memory");
}
