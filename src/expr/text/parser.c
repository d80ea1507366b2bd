// SPDX-License-Identifier: Apache-2.0
// Equation text to syntax tree by recursive descent, from loose to tight:
//
//     or  <  and  <  not  <  comparison  <  + -  <  * /  <  unary minus  <  ^ (right to left)
//         <  call, name, number, ( )
//
// Depth is limited, so that no text can exhaust the stack.
#include "expr/text/parser.h"
#include "expr/text/lexer.h"
#include "expr/text/syntax_tree.h"

#include <string.h>

enum { DEEPEST = 200 };
typedef enum level { LEVEL_OR, LEVEL_AND, LEVEL_SUM, LEVEL_PRODUCT } level;

static carom_syntax *parse_chain(carom_parser *p, level at);
static carom_syntax *parse_unary(carom_parser *p);

carom_syntax *carom_parser_node(carom_parser *p, carom_syntax_kind kind, carom_place place)
{
    carom_syntax *node = CAROM_TAKE(p->lexer.arena, carom_syntax, 1);
    if (!node) {
        p->status = carom_fail(p->lexer.error, CAROM_NO_MEMORY, "no memory");
        return NULL;
    }
    node->kind = kind;
    node->place = place;
    return node;
}

void carom_parser_add(carom_syntax *parent, carom_syntax *child)
{
    if (parent->last)
        parent->last->next = child;
    else
        parent->child = child;
    parent->last = child;
    parent->n_child++;
}

bool carom_parser_advance(carom_parser *p)
{
    p->before = p->token;
    p->status = carom_lexer_next(&p->lexer, &p->token);
    return p->status == CAROM_OK;
}

bool carom_parser_sees(const carom_parser *p, const char *sign)
{
    const bool is_word = p->token.kind == CAROM_TOKEN_SIGN || p->token.kind == CAROM_TOKEN_NAME;
    return is_word && strcmp(p->token.text, sign) == 0;
}

bool carom_parser_need_number(carom_parser *p, const carom_syntax *node)
{
    if (!node) return false;
    if (!carom_syntax_is_condition(node)) return true;
    p->status = carom_fail_at(p->lexer.error, node->place, CAROM_BAD_INPUT,
                              "a condition cannot be used as a number; write if(condition, 1, 0)");
    return false;
}

bool carom_parser_need_condition(carom_parser *p, const carom_syntax *node)
{
    if (!node) return false;
    if (carom_syntax_is_condition(node)) return true;
    p->status =
        carom_fail_at(p->lexer.error, node->place, CAROM_BAD_INPUT,
                      "a number cannot be used as a condition; compare it, for example x > 0");
    return false;
}

// whether the token joins operands at a level, and how
static bool joins(const carom_parser *p, level at, carom_op *op)
{
    static const struct {
        level at;
        const char *sign;
        carom_op op;
    } row[] = {{LEVEL_OR, "or", CAROM_OP_OR},      {LEVEL_AND, "and", CAROM_OP_AND},
               {LEVEL_SUM, "+", CAROM_OP_ADD},     {LEVEL_SUM, "-", CAROM_OP_SUB},
               {LEVEL_PRODUCT, "*", CAROM_OP_MUL}, {LEVEL_PRODUCT, "/", CAROM_OP_DIV}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (row[i].at != at || !carom_parser_sees(p, row[i].sign)) continue;
        *op = row[i].op;
        return true;
    }
    return false;
}

static bool enter(carom_parser *p)
{
    if (++p->depth <= DEEPEST) return true;
    p->status = carom_fail_at(
        p->lexer.error, p->token.place, CAROM_BAD_INPUT,
        "the expression is nested more than %d deep; name parts of it under define", DEEPEST);
    return false;
}

static carom_syntax *parse_power(carom_parser *p)
{
    carom_syntax *base = carom_parser_primary(p);
    if (!base || !carom_parser_sees(p, "^")) return base;
    carom_syntax *power = carom_parser_node(p, CAROM_SYNTAX_POWER, base->place);
    if (!power || !carom_parser_need_number(p, base) || !carom_parser_advance(p)) return NULL;
    carom_syntax *exponent = parse_unary(p);
    if (!carom_parser_need_number(p, exponent)) return NULL;
    carom_parser_add(power, base);
    carom_parser_add(power, exponent);
    return power;
}

static carom_syntax *parse_unary(carom_parser *p)
{
    if (!enter(p)) return NULL;
    carom_syntax *node = NULL;
    const carom_place place = p->token.place;
    const bool is_minus = carom_parser_sees(p, "-");
    if (is_minus || carom_parser_sees(p, "+")) {
        node = carom_parser_advance(p) ? parse_unary(p) : NULL;
        if (!carom_parser_need_number(p, node)) return NULL;
        carom_syntax *negative =
            is_minus ? carom_parser_node(p, CAROM_SYNTAX_NEGATIVE, place) : NULL;
        if (is_minus && !negative) return NULL;
        if (is_minus) carom_parser_add(negative, node);
        node = is_minus ? negative : node;
    } else {
        node = parse_power(p);
    }
    p->depth--;
    return node;
}

static bool sees_comparison(const carom_parser *p, carom_op *op, bool *is_swapped)
{
    static const struct {
        const char *sign;
        carom_op op;
        bool is_swapped;
    } row[] = {{"<", CAROM_OP_LT, false}, {"<=", CAROM_OP_LE, false}, {">", CAROM_OP_LT, true},
               {">=", CAROM_OP_LE, true}, {"==", CAROM_OP_EQ, false}, {"!=", CAROM_OP_NE, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (!carom_parser_sees(p, row[i].sign)) continue;
        *op = row[i].op;
        *is_swapped = row[i].is_swapped;
        return true;
    }
    return false;
}

static carom_syntax *parse_comparison(carom_parser *p)
{
    carom_syntax *left = parse_chain(p, LEVEL_SUM);
    carom_op op;
    bool is_swapped;
    if (!left || !sees_comparison(p, &op, &is_swapped)) return left;
    carom_syntax *node = carom_parser_node(p, CAROM_SYNTAX_COMPARE, left->place);
    if (!node || !carom_parser_need_number(p, left) || !carom_parser_advance(p)) return NULL;
    carom_syntax *right = parse_chain(p, LEVEL_SUM);
    if (!carom_parser_need_number(p, right)) return NULL;
    right->op = op;
    node->is_swapped = is_swapped;
    carom_parser_add(node, left);
    carom_parser_add(node, right);
    if (!sees_comparison(p, &op, &is_swapped)) return node;
    p->status = carom_fail_at(p->lexer.error, p->token.place, CAROM_BAD_INPUT,
                              "comparisons cannot be chained; write a < b and b < c");
    return NULL;
}

static carom_syntax *parse_not(carom_parser *p)
{
    if (!carom_parser_sees(p, "not")) return parse_comparison(p);
    carom_syntax *node = carom_parser_node(p, CAROM_SYNTAX_NOT, p->token.place);
    if (!node || !enter(p) || !carom_parser_advance(p)) return NULL;
    carom_syntax *inner = parse_not(p);
    if (!carom_parser_need_condition(p, inner)) return NULL;
    carom_parser_add(node, inner);
    p->depth--;
    return node;
}

static carom_syntax *parse_operand(carom_parser *p, level at)
{
    switch (at) {
    case LEVEL_OR:
        return parse_chain(p, LEVEL_AND);
    case LEVEL_AND:
        return parse_not(p);
    case LEVEL_SUM:
        return parse_chain(p, LEVEL_PRODUCT);
    case LEVEL_PRODUCT:
        break;
    }
    return parse_unary(p);
}

static carom_syntax *parse_chain(carom_parser *p, level at)
{
    const bool is_logic = at == LEVEL_OR || at == LEVEL_AND;
    carom_syntax *operand = parse_operand(p, at);
    carom_op op;
    if (!operand || !joins(p, at, &op)) return operand;
    carom_syntax *chain =
        carom_parser_node(p, is_logic ? CAROM_SYNTAX_LOGIC : CAROM_SYNTAX_CHAIN, operand->place);
    if (!chain) return NULL;
    for (;;) {
        if (!(is_logic ? carom_parser_need_condition(p, operand)
                       : carom_parser_need_number(p, operand)))
            return NULL;
        carom_parser_add(chain, operand);
        if (!joins(p, at, &op)) return chain;
        operand = carom_parser_advance(p) ? parse_operand(p, at) : NULL;
        if (!operand) return NULL;
        operand->op = op;
    }
}

carom_syntax *carom_parser_expression(carom_parser *p)
{
    if (!enter(p)) return NULL;
    carom_syntax *node = parse_chain(p, LEVEL_OR);
    p->depth--;
    return node;
}

carom_status carom_syntax_parse(carom_arena *arena, carom_text text, const carom_syntax **syntax,
                                carom_error *error)
{
    *syntax = NULL;
    if (!text.text) text.text = "";
    carom_parser p = {.lexer = {.arena = arena, .text = text, .error = error}};
    if (!carom_parser_advance(&p)) return p.status;
    if (p.token.kind == CAROM_TOKEN_END)
        return carom_fail_at(error, text.place, CAROM_BAD_INPUT, "the expression is empty");
    const carom_syntax *made = carom_parser_expression(&p);
    if (!made) return p.status;
    if (p.token.kind != CAROM_TOKEN_END) return carom_parser_refuse(&p);
    *syntax = made;
    return CAROM_OK;
}
