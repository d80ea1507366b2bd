// SPDX-License-Identifier: Apache-2.0
// The operands of expressions: numbers, names with indices, calls, parentheses; declared names; and
// what is said where something else stands in their place.
#include "expr/text/habits.h"
#include "expr/text/parser.h"

#include <math.h>
#include <string.h>

static const char QUOTE_HINT[] =
    "; inside { } or [ ] YAML ends a text at a comma or bracket, so put the expression in quotes";

static carom_syntax *fail(carom_parser *p, carom_place place, const char *format, const char *word)
{
    p->status = carom_fail_at(p->lexer.error, place, CAROM_BAD_INPUT, format, word);
    return NULL;
}

// 9,81 or x, 2 outside a call
static carom_status refuse_comma(carom_parser *p)
{
    const carom_token comma = p->token, before = p->before;
    if (before.kind != CAROM_TOKEN_NUMBER)
        return carom_fail_at(p->lexer.error, comma.place, CAROM_BAD_INPUT,
                             "',' is only allowed between arguments");
    const bool is_decimal = !strpbrk(before.text, ".eE") && carom_parser_advance(p) &&
                            p->token.kind == CAROM_TOKEN_NUMBER && !strchr(p->token.text, '.');
    return carom_fail_at(
        p->lexer.error, comma.place, CAROM_BAD_INPUT,
        "',' is only allowed between arguments; decimals are written with a point, %.40s.%.40s",
        is_decimal ? before.text : "0", is_decimal ? p->token.text : "5");
}

// 2 x, 30deg
static carom_status refuse_neighbour(carom_parser *p)
{
    char unit[192] = "";
    const char *text = p->token.text;
    const carom_token *before = &p->before;
    if (before->kind == CAROM_TOKEN_NUMBER && p->token.kind == CAROM_TOKEN_NAME)
        carom_habit_unit(before->text, before->number, text, unit, sizeof unit);
    if (*unit || carom_syntax_is_reserved(text))
        return carom_fail_at(p->lexer.error, p->token.place, CAROM_BAD_INPUT,
                             "missing operator before '%.60s'%s", text, unit);
    const bool is_simple = before->kind != CAROM_TOKEN_SIGN && strlen(before->text) < 40;
    return carom_fail_at(p->lexer.error, p->token.place, CAROM_BAD_INPUT,
                         "missing operator before '%.60s'; write %s*%.60s%s", text,
                         is_simple ? before->text : "(...)", text, *text == '(' ? "...)" : "");
}

// 0,5 or 2 x or a stray bracket
carom_status carom_parser_refuse(carom_parser *p)
{
    carom_error *error = p->lexer.error;
    const carom_token *token = &p->token;
    const char *text = token->text;
    if (carom_parser_sees(p, ")") || carom_parser_sees(p, "]"))
        return carom_fail_at(error, token->place, CAROM_BAD_INPUT, "'%s' without '%s' before it",
                             text, *text == ')' ? "(" : "[");
    if (carom_parser_sees(p, ",")) return refuse_comma(p);
    if (token->kind == CAROM_TOKEN_NAME || token->kind == CAROM_TOKEN_NUMBER ||
        carom_parser_sees(p, "("))
        return refuse_neighbour(p);
    return carom_fail_at(error, token->place, CAROM_BAD_INPUT, "unexpected '%s'", text);
}

static carom_syntax *refuse_operand(carom_parser *p)
{
    if (p->token.kind == CAROM_TOKEN_END)
        return fail(p, p->token.place,
                    "the expression ends after '%.60s', where an operand is missing",
                    p->before.text);
    if (carom_parser_sees(p, "and") || carom_parser_sees(p, "or"))
        return fail(p, p->token.place, "a condition is missing before '%s'", p->token.text);
    if (carom_parser_sees(p, "not"))
        return fail(p, p->token.place, "'%s' must stand before a condition in parentheses here",
                    p->token.text);
    return fail(p, p->token.place, "an operand is missing before '%s'", p->token.text);
}

// takes a closing bracket; what is told of the opening one
static bool take_closing(carom_parser *p, const char *bracket, carom_place open, const char *hint)
{
    if (carom_parser_sees(p, bracket)) return carom_parser_advance(p);
    if (p->token.kind == CAROM_TOKEN_END) {
        if (open.line > 0)
            p->status = carom_fail_at(p->lexer.error, p->token.place, CAROM_BAD_INPUT,
                                      "missing '%s' for the bracket opened at %d:%d%s", bracket,
                                      open.line, open.column, hint);
        else
            p->status = carom_fail_at(p->lexer.error, p->token.place, CAROM_BAD_INPUT,
                                      "missing '%s'%s", bracket, hint);
    } else if (carom_parser_sees(p, ")") || carom_parser_sees(p, "]")) {
        p->status = carom_fail_at(p->lexer.error, p->token.place, CAROM_BAD_INPUT,
                                  "'%s' where '%s' is expected", p->token.text, bracket);
    } else {
        p->status = carom_parser_refuse(p);
    }
    return false;
}

// expressions separated by commas up to the closing bracket
static bool parse_list(carom_parser *p, carom_syntax *parent, const char *bracket)
{
    const carom_place open = p->token.place;
    if (!carom_parser_advance(p)) return false;
    while (!carom_parser_sees(p, bracket) || parent->n_child > 0) {
        carom_syntax *argument = carom_parser_expression(p);
        if (!argument) return false;
        carom_parser_add(parent, argument);
        if (!carom_parser_sees(p, ",")) break;
        if (!carom_parser_advance(p)) return false;
    }
    return take_closing(p, bracket, open, QUOTE_HINT);
}

static bool check_count(carom_parser *p, const carom_syntax *node, const char *name, int least,
                        int most)
{
    if (node->n_child >= least && (most < 0 || node->n_child <= most)) return true;
    p->status = carom_fail_at(
        p->lexer.error, node->place, CAROM_BAD_INPUT, "%.60s needs %s%d argument%s, not %d", name,
        most < 0 ? "at least " : "", least, least == 1 ? "" : "s", node->n_child);
    return false;
}

// every argument a number; the first a condition where is_if
static bool check_arguments(carom_parser *p, const carom_syntax *node, bool is_if)
{
    const carom_syntax *argument = node->child;
    if (is_if && !carom_parser_need_condition(p, argument)) return false;
    for (argument = is_if ? argument->next : argument; argument; argument = argument->next)
        if (!carom_parser_need_number(p, argument)) return false;
    return true;
}

// sum(i, low, high, expression): the first argument is a new name
static carom_syntax *finish_sum(carom_parser *p, carom_syntax *node)
{
    if (!check_count(p, node, "sum(index, low, high, expression)", 4, 4) ||
        !check_arguments(p, node, false))
        return NULL;
    const carom_syntax *index = node->child;
    if (index->kind != CAROM_SYNTAX_NAME || index->n_child > 0 || strchr(index->name, '.'))
        return fail(p, index->place,
                    "the first argument of %s must be a new name for the index, like i", "sum");
    node->name = index->name;
    node->child = index->next;
    node->n_child = 3;
    return node;
}

static carom_syntax *parse_call(carom_parser *p, carom_token name)
{
    carom_syntax *node = carom_parser_node(p, CAROM_SYNTAX_TABLE, name.place);
    if (!node || !parse_list(p, node, ")")) return NULL;
    node->name = name.text;
    node->function = carom_function_find(name.text);
    const bool is_if = strcmp(name.text, "if") == 0;
    int least = 1, most = 1;
    if (strcmp(name.text, "sum") == 0) {
        node->kind = CAROM_SYNTAX_SUM;
        return finish_sum(p, node);
    }
    if (is_if) {
        node->kind = CAROM_SYNTAX_IF;
        least = most = 3;
    } else if (strcmp(name.text, "der") == 0) {
        node->kind = CAROM_SYNTAX_RATE;
    } else if (node->function) {
        node->kind = CAROM_SYNTAX_FUNCTION; // or a table: counted when names are known
        return check_arguments(p, node, false) ? node : NULL;
    } else if (carom_syntax_is_reserved(name.text)) {
        return fail(p, name.place, "'%s' is not a function", name.text);
    } else if (node->n_child != 1) {
        return node; // an unknown function; which one is said when names are known
    }
    return check_count(p, node, name.text, least, most) && check_arguments(p, node, is_if) ? node
                                                                                           : NULL;
}

// "b" with a list of n indices and ".x" behind it: "b[].x", with a comma for each further index
static const char *join_member(carom_parser *p, const char *name, int n, const char *member)
{
    char commas[CAROM_MOST_INDICES] = "";
    for (int i = 1; i < n && i < CAROM_MOST_INDICES; i++) strcat(commas, ",");
    const char *joined = carom_arena_format(p->lexer.arena, "%s[%s]%s", name, commas, member);
    if (!joined) p->status = carom_fail(p->lexer.error, CAROM_NO_MEMORY, "no memory");
    return joined;
}

// the indices of a name, and what stands between and behind them: x[i], b[i].x, a[i].b[j, k].x
static bool parse_indices(carom_parser *p, carom_syntax *node)
{
    while (carom_parser_sees(p, "[")) {
        const int before = node->n_child;
        if (!parse_list(p, node, "]") || !check_arguments(p, node, false)) return false;
        if (node->n_child == before || node->n_child > CAROM_MOST_INDICES) {
            fail(p, node->place,
                 node->n_child == before ? "'%.60s[]' has no index"
                                         : "'%.60s' has more than 3 indices",
                 node->name);
            return false;
        }
        if (p->token.kind != CAROM_TOKEN_MEMBER) return true;
        node->name = join_member(p, node->name, node->n_child - before, p->token.text);
        if (!node->name || !carom_parser_advance(p)) return false;
    }
    return true;
}

static carom_syntax *parse_word(carom_parser *p)
{
    const carom_token name = p->token;
    if (carom_parser_sees(p, "and") || carom_parser_sees(p, "or") || carom_parser_sees(p, "not"))
        return refuse_operand(p);
    if (!carom_parser_advance(p)) return NULL;
    if (carom_parser_sees(p, "(")) return parse_call(p, name);
    if (strcmp(name.text, "t") == 0) return carom_parser_node(p, CAROM_SYNTAX_TIME, name.place);
    carom_syntax *node = carom_parser_node(p, CAROM_SYNTAX_NAME, name.place);
    if (!node) return NULL;
    if (strcmp(name.text, "pi") == 0) {
        node->kind = CAROM_SYNTAX_NUMBER;
        node->number = acos(-1);
        return node;
    }
    if (carom_syntax_is_reserved(name.text))
        return fail(p, name.place, "'%s' needs its arguments in parentheses", name.text);
    node->name = name.text;
    return parse_indices(p, node) ? node : NULL;
}

// [x, y] or [x, y, z]
static carom_syntax *parse_vector(carom_parser *p)
{
    carom_syntax *node = carom_parser_node(p, CAROM_SYNTAX_LIST, p->token.place);
    if (!node || !parse_list(p, node, "]") || !check_arguments(p, node, false)) return NULL;
    if (node->n_child == 2 || node->n_child == 3) return node;
    return fail(p, node->place, "a vector has two or three components (write %s)", "[x, y]");
}

carom_syntax *carom_parser_primary(carom_parser *p)
{
    const carom_token token = p->token;
    if (token.kind == CAROM_TOKEN_NAME) return parse_word(p);
    if (token.kind == CAROM_TOKEN_NUMBER) {
        carom_syntax *node = carom_parser_node(p, CAROM_SYNTAX_NUMBER, token.place);
        if (!node || !carom_parser_advance(p)) return NULL;
        node->number = token.number;
        return node;
    }
    if (carom_parser_sees(p, "[")) return parse_vector(p);
    if (!carom_parser_sees(p, "(")) return refuse_operand(p);
    if (!carom_parser_advance(p)) return NULL;
    carom_syntax *inner = carom_parser_expression(p);
    return inner && take_closing(p, ")", token.place, "") ? inner : NULL;
}

static carom_status take_declared(carom_parser *p, carom_declared *declared, carom_error *error)
{
    const carom_token name = p->token;
    if (name.kind == CAROM_TOKEN_END)
        return carom_fail_at(error, name.place, CAROM_BAD_INPUT, "a name is missing");
    if (name.kind != CAROM_TOKEN_NAME)
        return carom_fail_at(error, name.place, CAROM_BAD_INPUT,
                             "a name must start with a letter or underscore, not '%.60s'",
                             name.text);
    if (carom_syntax_is_reserved(name.text))
        return carom_fail_at(error, name.place, CAROM_BAD_INPUT,
                             "'%s' is reserved; choose another name", name.text);
    if (!carom_parser_advance(p)) return p->status;
    carom_syntax *list = carom_parser_node(p, CAROM_SYNTAX_NAME, name.place);
    if (list) list->name = name.text;
    if (!list || !parse_indices(p, list)) return p->status;
    declared->name = list->name;
    for (const carom_syntax *index = list->child; index; index = index->next)
        declared->index[declared->n_index++] = index;
    return CAROM_OK;
}

carom_status carom_syntax_declared(carom_arena *arena, carom_text text, carom_declared *declared,
                                   carom_error *error)
{
    *declared = (carom_declared){0};
    if (!text.text) text.text = "";
    carom_parser p = {.lexer = {.arena = arena, .text = text, .error = error}};
    if (!carom_parser_advance(&p)) return p.status;
    CAROM_TRY(take_declared(&p, declared, error));
    if (p.token.kind == CAROM_TOKEN_END) return CAROM_OK;
    return carom_fail_at(error, p.token.place, CAROM_BAD_INPUT,
                         "'%.60s' cannot stand in a name; names have letters, digits and _ and may "
                         "have indices, x[i]",
                         p.token.text);
}
