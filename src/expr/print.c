// SPDX-License-Identifier: Apache-2.0
// An expression as text for messages. What lies too deep or finds no room becomes "...".
#include "expr/graph_nodes.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 40 };

typedef struct printer {
    const carom_graph *graph;
    carom_symbol_namer *name;
    void *self;
    char *buffer;
    size_t room, used;
    bool is_full;
} printer;

// how tightly an operation binds: its operands need parentheses where they bind less
enum { LOOSE, LOGIC, COMPARISON, SUM, PRODUCT, SIGN, POWER, TIGHT };

static int binding(const carom_node *node)
{
    // clang-format off
    switch (node->op) {
    case CAROM_OP_AND: case CAROM_OP_OR: case CAROM_OP_NOT: return LOGIC;
    case CAROM_OP_LT: case CAROM_OP_LE: case CAROM_OP_EQ: case CAROM_OP_NE: return COMPARISON;
    case CAROM_OP_ADD: case CAROM_OP_SUB: return SUM;
    case CAROM_OP_MUL: case CAROM_OP_DIV: return PRODUCT;
    case CAROM_OP_NEG: return SIGN;
    case CAROM_OP_POW: return POWER;
    case CAROM_OP_NUMBER: return node->value < 0 ? SIGN : TIGHT;
    case CAROM_OP_SYMBOL: case CAROM_OP_SIN: case CAROM_OP_COS: case CAROM_OP_TAN:
    case CAROM_OP_ASIN: case CAROM_OP_ACOS: case CAROM_OP_ATAN: case CAROM_OP_ATAN2:
    case CAROM_OP_HYPOT: case CAROM_OP_SINH: case CAROM_OP_COSH: case CAROM_OP_TANH:
    case CAROM_OP_EXP: case CAROM_OP_LOG: case CAROM_OP_SQRT: case CAROM_OP_ABS:
    case CAROM_OP_SIGN: case CAROM_OP_MIN: case CAROM_OP_MAX: case CAROM_OP_STEP:
    case CAROM_OP_FLOOR: case CAROM_OP_MOD: case CAROM_OP_IF: case CAROM_OP_TABLE: break;
    }
    // clang-format on
    return TIGHT;
}

static void put_text(printer *p, const char *text)
{
    const size_t length = strlen(text);
    if (p->is_full) return;
    if (p->used + length + 4 > p->room) {
        p->is_full = true;
        if (p->used + 4 <= p->room) strcpy(p->buffer + p->used, "...");
        return;
    }
    memcpy(p->buffer + p->used, text, length + 1);
    p->used += length;
}

static void print_leaf(printer *p, const carom_node *node)
{
    char text[128] = "";
    if (node->op == CAROM_OP_NUMBER)
        snprintf(text, sizeof text, "%.6g", node->value);
    else
        p->name(p->self, (carom_symbol)node->child[0], node->child[1], text, sizeof text);
    put_text(p, text);
}

static void print(printer *p, carom_ref ref, int least, int depth);

static void print_call(printer *p, const carom_node *node, int depth)
{
    if (node->op == CAROM_OP_TABLE) {
        put_text(p, p->graph->table[node->child[2]].name);
        for (int i = 0; i < node->child[1]; i++) put_text(p, "'");
    } else {
        put_text(p, carom_operation_text(node->op));
    }
    put_text(p, "(");
    for (int i = 0; i < carom_operation_arity(node->op); i++) {
        if (i) put_text(p, ", ");
        print(p, node->child[i], LOOSE, depth + 1);
    }
    put_text(p, ")");
}

// recursion ends at DEEPEST and as soon as the room is used up
static void print(printer *p, carom_ref ref, int least, int depth)
{
    const carom_node *node = &p->graph->node[ref];
    const int own = binding(node);
    if (p->is_full) return;
    if (node->op == CAROM_OP_NUMBER || node->op == CAROM_OP_SYMBOL || depth >= DEEPEST) {
        const bool is_bracketed = own < least && node->op == CAROM_OP_NUMBER;
        put_text(p, is_bracketed ? "(" : "");
        if (node->op == CAROM_OP_NUMBER || node->op == CAROM_OP_SYMBOL)
            print_leaf(p, node);
        else
            put_text(p, "...");
        put_text(p, is_bracketed ? ")" : "");
        return;
    }
    if (own == TIGHT) {
        print_call(p, node, depth);
        return;
    }
    if (own < least) put_text(p, "(");
    const bool is_unary = carom_operation_arity(node->op) == 1;
    if (!is_unary)
        print(p, node->child[0], own + (own == POWER || own == COMPARISON || own == LOGIC),
              depth + 1);
    put_text(p, carom_operation_text(node->op));
    print(p, node->child[is_unary ? 0 : 1], own == POWER ? SIGN : own + 1, depth + 1);
    if (own < least) put_text(p, ")");
}

void carom_graph_print(const carom_graph *graph, carom_ref ref, carom_symbol_namer *name,
                       void *self, char *buffer, size_t room)
{
    if (room == 0) return;
    buffer[0] = 0;
    if (ref < 0 || ref >= graph->n) return;
    printer p = {.graph = graph, .name = name, .self = self, .buffer = buffer, .room = room};
    print(&p, ref, LOOSE, 0);
}
