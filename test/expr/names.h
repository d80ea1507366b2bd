// SPDX-License-Identifier: Apache-2.0
// Names for the tests of expressions: coordinates x, y, z (0..2), w[1..9] (3..11), parameter m = 2,
// v = der(x), late = x*t, and one table, lift.
#ifndef CAROM_TEST_EXPR_NAMES_H
#define CAROM_TEST_EXPR_NAMES_H

#include "expr/text/syntax.h"

#include <stdio.h>
#include <string.h>

static inline bool find_test_name(void *self, const char *name, const int *index, int n_index,
                                  carom_ref *ref)
{
    carom_graph *graph = self;
    if (n_index == 1 && strcmp(name, "w") == 0 && index[0] >= 1 && index[0] <= 9) {
        *ref = carom_graph_symbol(graph, CAROM_Q, 2 + index[0]);
        return true;
    }
    if (n_index > 0) return false;
    if (strlen(name) == 1 && name[0] >= 'x' && name[0] <= 'z')
        *ref = carom_graph_symbol(graph, CAROM_Q, name[0] - 'x');
    else if (strcmp(name, "m") == 0)
        *ref = carom_graph_number(graph, 2);
    else if (strcmp(name, "v") == 0)
        *ref = carom_graph_symbol(graph, CAROM_U, 0);
    else if (strcmp(name, "late") == 0)
        *ref = carom_graph_mul(graph, carom_graph_symbol(graph, CAROM_Q, 0),
                               carom_graph_symbol(graph, CAROM_TIME, 0));
    else
        return false;
    return true;
}

static inline int find_test_table(void *self, const char *name)
{
    (void)self;
    return strcmp(name, "lift") == 0 ? 0 : -1;
}

static inline void explain_test_name(void *self, const char *name, const int *index, int n_index,
                                     char *buffer, size_t room)
{
    (void)self;
    if (n_index > 0)
        snprintf(buffer, room, "there is no %s[%d]", name, index[0]);
    else
        snprintf(buffer, room, "unknown name '%s'", name);
}

static inline carom_names test_names(carom_graph *graph)
{
    return (carom_names){.self = graph,
                         .find = find_test_name,
                         .find_table = find_test_table,
                         .explain = explain_test_name};
}

/// A graph that knows the table lift: one period of 1 - cos, as a periodic cubic.
static inline carom_graph *test_graph(void)
{
    static const double x[] = {0, 1, 2, 3, 4}, y[] = {0, 1, 2, 1, 0};
    carom_graph *graph = carom_graph_new();
    carom_spline *spline = NULL;
    if (graph &&
        carom_spline_new(&(carom_table_points){5, x, y, true, 4}, &spline, NULL) == CAROM_OK)
        carom_graph_add_table(graph, "lift", spline);
    carom_spline_free(spline);
    return graph;
}

/// The node of a text, or -1 with the error filled.
static inline carom_ref test_read(carom_graph *graph, const char *text, carom_error *error)
{
    carom_arena *arena = carom_arena_new();
    const carom_names names = test_names(graph);
    const carom_syntax *syntax = NULL;
    const carom_text where = {text, {"f", 3, 10}};
    carom_ref ref = -1;
    if (carom_syntax_parse(arena, where, &syntax, error) == CAROM_OK &&
        carom_syntax_elaborate(graph, syntax, &names, &ref, error) != CAROM_OK)
        ref = -1;
    carom_arena_free(arena);
    return ref;
}

static inline void test_symbol_name(void *self, carom_symbol kind, int index, char *buffer,
                                    size_t room)
{
    (void)self;
    snprintf(buffer, room, "%c%d", "tquaPR"[kind], index);
}

#endif
