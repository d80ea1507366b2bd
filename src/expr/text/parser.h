// SPDX-License-Identifier: Apache-2.0
// What the two halves of the parser share: operators in parser.c, calls, names and
// messages in parser_primary.c.
#ifndef CAROM_EXPR_PARSER_H
#define CAROM_EXPR_PARSER_H

#include "expr/text/lexer.h"
#include "expr/text/syntax_tree.h"

typedef struct carom_parser {
    carom_lexer lexer;
    carom_token token;  ///< the one to be read next
    carom_token before; ///< the one read last
    int depth;
    carom_status status;
} carom_parser;

/// A new node, or NULL (status says why); the same holds for all functions here that return nodes.
carom_syntax *carom_parser_node(carom_parser *parser, carom_syntax_kind kind, carom_place place);
void carom_parser_add(carom_syntax *parent, carom_syntax *child);
bool carom_parser_advance(carom_parser *parser);
/// Whether the next token is this sign or word.
bool carom_parser_sees(const carom_parser *parser, const char *sign);
/// False (and an error) where node is not a number, or NULL.
bool carom_parser_need_number(carom_parser *parser, const carom_syntax *node);
bool carom_parser_need_condition(carom_parser *parser, const carom_syntax *node);
carom_syntax *carom_parser_expression(carom_parser *parser);
/// Number, name, call or parenthesis.
carom_syntax *carom_parser_primary(carom_parser *parser);
/// The error for a token that cannot stand after a complete operand.
carom_status carom_parser_refuse(carom_parser *parser);

#endif
