// SPDX-License-Identifier: Apache-2.0
// Equation text cut into tokens, each with its place.
#ifndef CAROM_EXPR_LEXER_H
#define CAROM_EXPR_LEXER_H

#include "base/arena.h"
#include "carom/base.h"

typedef enum carom_token_kind {
    CAROM_TOKEN_END,
    CAROM_TOKEN_NUMBER,
    CAROM_TOKEN_NAME,   ///< letters, digits and _, in parts joined by dots: crank.tip.x
    CAROM_TOKEN_MEMBER, ///< the rest of a name right behind an index: .tip.x of b[i].tip.x
    CAROM_TOKEN_SIGN    ///< an operator, bracket or comma, in text
} carom_token_kind;

typedef struct carom_token {
    carom_token_kind kind;
    carom_place place;
    const char *text; ///< a copy in the arena ("" at the end)
    double number;
} carom_token;

typedef struct carom_lexer {
    carom_arena *arena;
    carom_text text;
    size_t at;         ///< next byte
    size_t line_start; ///< first byte of the line
    int line;          ///< lines passed
    carom_error *error;
} carom_lexer;

/// Reads the next token.
carom_status carom_lexer_next(carom_lexer *lexer, carom_token *token);

#endif
