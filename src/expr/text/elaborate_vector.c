// SPDX-License-Identifier: Apache-2.0
// Vectors in expressions: names of points and [x, y, z] are their leaves, numbers come out of them
// by dot() and norm(). What is wanted is known from outside, number or vector, so that each node is
// elaborated once as the one or the other:
//
//     vector   point, [x, y], [x, y, z], a + b, a - b, -a, k*a, a/k, cross(a, b), unit(a),
//              der(a), acc(a), if(condition, a, b)
//     number   dot(a, b), norm(a), and all that there is without vectors
//
// In the plane the third component is 0.
#include "expr/text/elaborate.h"

#include <string.h>

carom_status carom_elaborate_refuse_vector(const carom_elaboration *e, const carom_syntax *syntax)
{
    if (syntax->kind == CAROM_SYNTAX_NAME)
        return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT,
                             "'%.60s' is a vector, and a number is wanted; take a component "
                             "(%.60s.x), dot(a, b) or norm(a)",
                             syntax->name, syntax->name);
    return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT,
                         "this is a vector, and a number is wanted; take dot(a, b) or norm(a)");
}

static carom_status refuse_number(const carom_elaboration *e, const carom_syntax *syntax)
{
    if (syntax->kind == CAROM_SYNTAX_NAME)
        return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT,
                             "'%.60s' is a number, and a vector is wanted: [x, y] or the name of a "
                             "point",
                             syntax->name);
    return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT,
                         "this is a number, and a vector is wanted: [x, y] or the name of a point");
}

// whether an expression means a vector; what cannot be told is none
static bool is_vector(carom_elaboration *e, const carom_syntax *syntax)
{
    carom_error *error = e->error;
    carom_error ignored = {0};
    carom_ref ref[3];
    bool is_there = false, is_number;
    const carom_function *function = syntax->function;
    switch (syntax->kind) {
    case CAROM_SYNTAX_LIST:
        return true;
    case CAROM_SYNTAX_NAME:
        e->error = &ignored;
        is_there =
            carom_elaborate_point(e, syntax, &is_there, &is_number, ref) == CAROM_OK && is_there;
        e->error = error;
        return is_there;
    case CAROM_SYNTAX_CHAIN:
        for (const carom_syntax *child = syntax->child; child; child = child->next)
            if (is_vector(e, child)) return true;
        return false;
    case CAROM_SYNTAX_IF:
        return is_vector(e, syntax->child->next);
    case CAROM_SYNTAX_FUNCTION:
        return function->join || (function->is_by_component && is_vector(e, syntax->child));
    case CAROM_SYNTAX_NEGATIVE:
    case CAROM_SYNTAX_RATE:
        return is_vector(e, syntax->child);
    case CAROM_SYNTAX_NUMBER:
    case CAROM_SYNTAX_TIME:
    case CAROM_SYNTAX_POWER:
    case CAROM_SYNTAX_TABLE:
    case CAROM_SYNTAX_SUM:
    case CAROM_SYNTAX_COMPARE:
    case CAROM_SYNTAX_LOGIC:
    case CAROM_SYNTAX_NOT:
        break;
    }
    return false;
}

static carom_status check_vector(carom_elaboration *e, const carom_syntax *syntax,
                                 const carom_ref *v)
{
    for (int i = 0; i < 3; i++) CAROM_TRY(carom_elaborate_check(e, syntax, v[i]));
    return CAROM_OK;
}

static carom_status elaborate_list(carom_elaboration *e, const carom_syntax *syntax, carom_ref *v)
{
    int n = 0;
    v[2] = carom_graph_number(e->graph, 0);
    for (const carom_syntax *child = syntax->child; child; child = child->next)
        CAROM_TRY(carom_elaborate(e, child, &v[n++]));
    return CAROM_OK;
}

static carom_status elaborate_sum(carom_elaboration *e, const carom_syntax *syntax, carom_ref *v)
{
    carom_ref term[3];
    CAROM_TRY(carom_elaborate_vector(e, syntax->child, v));
    for (const carom_syntax *child = syntax->child->next; child; child = child->next) {
        CAROM_TRY(carom_elaborate_vector(e, child, term));
        for (int i = 0; i < 3; i++) v[i] = carom_graph_make(e->graph, child->op, v[i], term[i], -1);
    }
    return check_vector(e, syntax, v);
}

// one factor is the vector, all others are numbers
static carom_status elaborate_product(carom_elaboration *e, const carom_syntax *syntax,
                                      carom_ref *v)
{
    const carom_syntax *vector = NULL;
    for (const carom_syntax *child = syntax->child; child; child = child->next) {
        if (!is_vector(e, child)) continue;
        if (vector)
            return carom_fail_at(e->error, child->place, CAROM_BAD_INPUT,
                                 "two vectors cannot be multiplied so; write dot(a, b) or cross(a, "
                                 "b)");
        if (child != syntax->child && child->op == CAROM_OP_DIV)
            return carom_fail_at(e->error, child->place, CAROM_BAD_INPUT,
                                 "nothing can be divided by a vector");
        vector = child;
    }
    if (!vector) return refuse_number(e, syntax);
    CAROM_TRY(carom_elaborate_vector(e, vector, v));
    for (const carom_syntax *child = syntax->child; child; child = child->next) {
        carom_ref factor;
        if (child == vector) continue;
        CAROM_TRY(carom_elaborate(e, child, &factor));
        const carom_op op = child == syntax->child ? CAROM_OP_MUL : child->op;
        for (int i = 0; i < 3; i++) v[i] = carom_graph_make(e->graph, op, v[i], factor, -1);
    }
    return check_vector(e, syntax, v);
}

// the arguments of a function of vectors
static carom_status elaborate_arguments(carom_elaboration *e, const carom_syntax *syntax,
                                        carom_ref *a, carom_ref *b)
{
    CAROM_TRY(carom_elaborate_count(e, syntax));
    CAROM_TRY(carom_elaborate_vector(e, syntax->child, a));
    return syntax->n_child > 1 ? carom_elaborate_vector(e, syntax->child->next, b) : CAROM_OK;
}

carom_status carom_elaborate_measure(carom_elaboration *e, const carom_syntax *syntax,
                                     carom_ref *ref)
{
    carom_ref a[3], b[3];
    CAROM_TRY(elaborate_arguments(e, syntax, a, b));
    *ref = syntax->function->measure(e->graph, a, b);
    return carom_elaborate_check(e, syntax, *ref);
}

static carom_status elaborate_function(carom_elaboration *e, const carom_syntax *syntax,
                                       carom_ref *v)
{
    const carom_function *function = syntax->function;
    carom_ref a[3], b[3];
    const char *wrong = NULL;
    if (carom_elaborate_is_table(e, syntax) || !(function->join || function->is_by_component))
        return refuse_number(e, syntax);
    CAROM_TRY(elaborate_arguments(e, syntax, a, b));
    if (function->join) function->join(e->graph, a, b, v);
    for (int i = 0; !function->join && i < 3; i++)
        v[i] = function->compose(e->graph, &a[i], &wrong);
    if (wrong) return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT, "%s", wrong);
    return check_vector(e, syntax, v);
}

static carom_status elaborate_if(carom_elaboration *e, const carom_syntax *syntax, carom_ref *v)
{
    const carom_syntax *yes = syntax->child->next;
    carom_ref condition, other[3];
    double value;
    CAROM_TRY(carom_elaborate(e, syntax->child, &condition));
    if (carom_graph_is_number(e->graph, condition, &value))
        return carom_elaborate_vector(e, value != 0 ? yes : yes->next, v);
    CAROM_TRY(carom_elaborate_vector(e, yes, v));
    CAROM_TRY(carom_elaborate_vector(e, yes->next, other));
    for (int i = 0; i < 3; i++)
        v[i] = carom_graph_make(e->graph, CAROM_OP_IF, condition, v[i], other[i]);
    return check_vector(e, syntax, v);
}

static carom_status elaborate_change(carom_elaboration *e, const carom_syntax *syntax, carom_ref *v)
{
    const bool is_rate = syntax->kind == CAROM_SYNTAX_RATE;
    if (is_rate && e->names->no_rates)
        return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT,
                             "der() is not allowed here: %s", e->names->no_rates);
    CAROM_TRY(carom_elaborate_vector(e, syntax->child, v));
    for (int i = 0; is_rate && i < 3; i++) CAROM_TRY(carom_elaborate_derive(e, syntax, &v[i]));
    for (int i = 0; !is_rate && i < 3; i++)
        v[i] = carom_graph_make(e->graph, CAROM_OP_NEG, v[i], -1, -1);
    return check_vector(e, syntax, v);
}

carom_status carom_elaborate_vector(carom_elaboration *e, const carom_syntax *syntax, carom_ref *v)
{
    bool is_there, is_number;
    v[0] = v[1] = v[2] = -1; // no nodes, wherever it fails
    switch (syntax->kind) {
    case CAROM_SYNTAX_NAME:
        CAROM_TRY(carom_elaborate_point(e, syntax, &is_there, &is_number, v));
        return is_there ? CAROM_OK : refuse_number(e, syntax);
    case CAROM_SYNTAX_LIST:
        return elaborate_list(e, syntax, v);
    case CAROM_SYNTAX_CHAIN:
        return syntax->child->next->op == CAROM_OP_ADD || syntax->child->next->op == CAROM_OP_SUB
                   ? elaborate_sum(e, syntax, v)
                   : elaborate_product(e, syntax, v);
    case CAROM_SYNTAX_FUNCTION:
        return elaborate_function(e, syntax, v);
    case CAROM_SYNTAX_IF:
        return elaborate_if(e, syntax, v);
    case CAROM_SYNTAX_NEGATIVE:
    case CAROM_SYNTAX_RATE:
        return elaborate_change(e, syntax, v);
    case CAROM_SYNTAX_NUMBER:
    case CAROM_SYNTAX_TIME:
    case CAROM_SYNTAX_POWER:
    case CAROM_SYNTAX_TABLE:
    case CAROM_SYNTAX_SUM:
    case CAROM_SYNTAX_COMPARE:
    case CAROM_SYNTAX_LOGIC:
    case CAROM_SYNTAX_NOT:
        break;
    }
    return refuse_number(e, syntax);
}
