// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any text is parsed, turned into a graph, derived and run; nothing may crash.
//     clang -fsanitize=fuzzer,address,undefined ... test/fuzz/fuzz_expression.c
#include "expr/names.h"
#include "expr/program/tape.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void derive_and_run(carom_graph *graph, carom_ref root)
{
    static const double q[12] = {0.3, 0.7, 1.1, 1, 2, 3, 4, 5, 6, 7, 8, 9}, u[12] = {0.1, 0.2, 0.3};
    static const double a[12] = {0.4, 0.5, 0.6}, P[64] = {0.7}; // of acc() and forces in records
    char text[100];
    carom_graph_print(graph, root, test_symbol_name, NULL, text, sizeof text);
    carom_gradient gradient;
    carom_target target[16] = {{root, 0},
                               {carom_graph_rate(graph, root), 1},
                               {carom_graph_without(graph, root, CAROM_U), 2}};
    int n = 3;
    if (carom_graph_gradient(graph, root, CAROM_Q, &gradient) != CAROM_OK) return;
    for (int i = 0; i < gradient.n && n < 16; i++, n++)
        target[n] = (carom_target){gradient.ref[i], n};
    carom_tape *tape = NULL;
    if (carom_tape_new(graph, target, n, &tape, NULL) != CAROM_OK) return;
    double result[16] = {0};
    carom_tape_constants(tape, result);
    const carom_inputs inputs = {.t = 0.5, .q = q, .u = u, .a = a, .P = P};
    carom_tape_run(tape, &inputs, result);
    carom_tape_blame(tape, &inputs);
    carom_tape_free(tape);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    carom_arena *arena = carom_arena_new();
    carom_graph *graph = test_graph();
    if (text && arena && graph) {
        memcpy(text, data, size);
        text[size] = 0;
        carom_error error = {0};
        carom_declared declared;
        carom_syntax_declared(arena, (carom_text){text, {"f", 1, 1}}, &declared, NULL);
        const carom_ref root = test_read(graph, text, &error);
        if (root >= 0) derive_and_run(graph, root);
    }
    free(text);
    carom_arena_free(arena);
    carom_graph_free(graph);
    return 0;
}
