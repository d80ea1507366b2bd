// SPDX-License-Identifier: Apache-2.0
// Building a tape: mark the nodes below the targets, let sums and products swallow a neighbour that
// nobody else uses, pair sines with cosines, then sort what remains so that equal instructions
// stand together.
#include "expr/operation.h"
#include "expr/tape_program.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct builder {
    const carom_graph *graph;
    const carom_target *target;
    int n_target, n; // n: nodes up to the last one needed
    int *uses;       // how often a node is needed; 0 = not at all
    int *slot;       // where its value is, -1 = nowhere yet
    int *partner;    // the cosine of a sine's argument and the other way round, -1 = none
    bool *is_swallowed;
    uint64_t *order; // instructions to be: part, level, operation and node in one number
    int n_instruction, n_constant, n_load[CAROM_N_SYMBOL];
} builder;

static void mark(builder *b)
{
    for (int i = 0; i < b->n_target; i++) b->uses[b->target[i].ref]++;
    for (int ref = b->n - 1; ref >= 0; ref--) {
        if (!b->uses[ref]) continue;
        const int arity = carom_operation_arity(carom_graph_op(b->graph, ref));
        for (int i = 0; i < arity; i++) b->uses[carom_graph_child(b->graph, ref, i)]++;
    }
}

// which of sine and cosine met first for an argument is kept in slot for the time being
static void pair_up(builder *b)
{
    for (int ref = 0; ref < b->n; ref++) b->slot[ref] = b->partner[ref] = -1;
    for (int ref = 0; ref < b->n; ref++) {
        const carom_op op = carom_graph_op(b->graph, ref);
        if (!b->uses[ref] || (op != CAROM_OP_SIN && op != CAROM_OP_COS)) continue;
        int *first = &b->slot[carom_graph_child(b->graph, ref, 0)];
        if (*first >= 0) {
            b->partner[ref] = *first;
            b->partner[*first] = ref;
        }
        *first = ref;
    }
    for (int ref = 0; ref < b->n; ref++) b->slot[ref] = -1;
}

// whether the parent may do the child's work along with its own
static bool can_swallow(const builder *b, carom_ref child, carom_op op)
{
    return b->uses[child] == 1 && carom_graph_op(b->graph, child) == op;
}

// the children of a node that its instruction swallows: bit 0 and bit 1
static int swallows(const builder *b, carom_ref ref)
{
    const carom_op op = carom_graph_op(b->graph, ref);
    const carom_ref x = carom_graph_child(b->graph, ref, 0),
                    y = carom_graph_child(b->graph, ref, 1);
    switch (op) {
    case CAROM_OP_NEG:
        return can_swallow(b, x, CAROM_OP_MUL);
    case CAROM_OP_ADD:
    case CAROM_OP_SUB: {
        const int products = can_swallow(b, x, CAROM_OP_MUL) + 2 * can_swallow(b, y, CAROM_OP_MUL);
        if (products || op == CAROM_OP_SUB) return products;
        return can_swallow(b, x, CAROM_OP_ADD) ? 1 : can_swallow(b, y, CAROM_OP_ADD) ? 2 : 0;
    }
    case CAROM_OP_MUL:
        for (int i = 0; i < 2; i++) {
            const carom_ref child = i ? y : x;
            if (can_swallow(b, child, CAROM_OP_MUL) || can_swallow(b, child, CAROM_OP_ADD) ||
                can_swallow(b, child, CAROM_OP_SUB))
                return 1 << i;
        }
        return 0;
    default:
        return 0;
    }
}

static void swallow(builder *b)
{
    for (int ref = b->n - 1; ref >= 0; ref--) {
        if (!b->uses[ref] || b->is_swallowed[ref]) continue;
        const int which = swallows(b, ref);
        for (int i = 0; i < 2; i++)
            if (which & (1 << i)) b->is_swallowed[carom_graph_child(b->graph, ref, i)] = true;
    }
}

// constants first, then symbols by kind, then results of instructions
static void count(builder *b)
{
    for (int ref = 0; ref < b->n; ref++) {
        if (!b->uses[ref] || b->is_swallowed[ref]) continue;
        const carom_op op = carom_graph_op(b->graph, ref);
        if (op == CAROM_OP_NUMBER)
            b->n_constant++;
        else if (op == CAROM_OP_SYMBOL)
            b->n_load[carom_graph_child(b->graph, ref, 0)]++;
        else if (b->partner[ref] < ref) // the first of a pair is the instruction of both
            b->n_instruction += b->partner[ref] < 0;
        else
            b->n_instruction++;
    }
}

static int place_inputs(builder *b, carom_tape *tape)
{
    int next[CAROM_N_SYMBOL], n = b->n_constant;
    tape->n_constant = 0;
    for (int kind = 0; kind < CAROM_N_SYMBOL; kind++) {
        next[kind] = n;
        n += b->n_load[kind];
        tape->n_load[kind] = 0;
    }
    for (int ref = 0; ref < b->n; ref++) {
        const carom_op op = carom_graph_op(b->graph, ref);
        if (!b->uses[ref] || (op != CAROM_OP_NUMBER && op != CAROM_OP_SYMBOL)) continue;
        if (op == CAROM_OP_NUMBER) {
            b->slot[ref] = tape->n_constant++;
            tape->constant[b->slot[ref]] = ref;
            carom_graph_is_number(b->graph, ref, &tape->value[b->slot[ref]]);
            continue;
        }
        const int kind = carom_graph_child(b->graph, ref, 0),
                  index = carom_graph_child(b->graph, ref, 1);
        b->slot[ref] = next[kind]++;
        tape->load[kind][tape->n_load[kind]++] = (carom_load){b->slot[ref], index, ref};
    }
    return n;
}

// the instruction of a sum or product with what it swallowed
static carom_instruction fuse(const builder *b, carom_ref ref)
{
    const carom_op op = carom_graph_op(b->graph, ref);
    const carom_ref x = carom_graph_child(b->graph, ref, 0),
                    y = carom_graph_child(b->graph, ref, 1);
    const bool with_x = b->is_swallowed[x], with_y = op != CAROM_OP_NEG && b->is_swallowed[y];
    const carom_ref in = with_x ? x : y;
    carom_instruction i = {.op = (int)op,
                           .a = b->slot[carom_graph_child(b->graph, in, 0)],
                           .b = b->slot[carom_graph_child(b->graph, in, 1)]};
    if (op == CAROM_OP_NEG) {
        i.op = CAROM_FUSED_NEG_MUL;
    } else if (with_x && with_y) {
        i.op = op == CAROM_OP_ADD ? CAROM_FUSED_MUL_ADD_MUL : CAROM_FUSED_MUL_SUB_MUL;
        i.c = b->slot[carom_graph_child(b->graph, y, 0)];
        i.d = b->slot[carom_graph_child(b->graph, y, 1)];
    } else {
        const carom_op inner = carom_graph_op(b->graph, in);
        i.c = b->slot[with_x ? y : x];
        if (op == CAROM_OP_MUL)
            i.op = inner == CAROM_OP_MUL   ? CAROM_FUSED_MUL_MUL
                   : inner == CAROM_OP_ADD ? CAROM_FUSED_ADD_MUL
                                           : CAROM_FUSED_DIFF_MUL;
        else if (op == CAROM_OP_ADD)
            i.op = inner == CAROM_OP_MUL ? CAROM_FUSED_MUL_ADD : CAROM_FUSED_ADD_ADD;
        else
            i.op = with_x ? CAROM_FUSED_MUL_SUB : CAROM_FUSED_SUB_MUL;
    }
    return i;
}

static carom_instruction translate(const builder *b, carom_ref ref)
{
    const carom_op op = carom_graph_op(b->graph, ref);
    const int arity = carom_operation_arity(op);
    int child[3];
    bool is_fused = false;
    for (int i = 0; i < 3; i++) child[i] = carom_graph_child(b->graph, ref, i);
    for (int i = 0; i < arity; i++) is_fused = is_fused || b->is_swallowed[child[i]];
    if (is_fused) return fuse(b, ref);
    carom_instruction made = {.op = (int)op, .a = b->slot[child[0]]};
    if (op == CAROM_OP_TABLE) {
        made.b = child[1];
        made.c = child[2];
        return made;
    }
    if (arity > 1) made.b = b->slot[child[1]];
    if (arity > 2) made.c = b->slot[child[2]];
    return made;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// whether the value changes with more than t and q
static bool moves(const builder *b, carom_ref ref)
{
    return (carom_graph_kinds(b->graph, ref) & ~(1u << CAROM_TIME | 1u << CAROM_Q)) != 0;
}

// Sorts the instructions: those that depend on t and q only, then the others; in each part by level
// (longest way from the inputs), then by operation: neighbours do not wait for each other and are
// often of one kind, which the processor foresees. slot holds the levels for the time being.
static int sort_by_level(builder *b)
{
    int n = 0;
    int *level = b->slot;
    for (int ref = 0; ref < b->n; ref++) {
        const carom_op op = carom_graph_op(b->graph, ref);
        level[ref] = 0;
        if (!b->uses[ref]) continue;
        for (int i = 0; i < carom_operation_arity(op); i++) {
            const int below = level[carom_graph_child(b->graph, ref, i)];
            if (below > level[ref]) level[ref] = below;
        }
        if (op == CAROM_OP_NUMBER || op == CAROM_OP_SYMBOL || b->is_swallowed[ref]) continue;
        level[ref]++;
        const int kind = b->partner[ref] >= 0 ? CAROM_FUSED_SINCOS : translate(b, ref).op;
        b->order[n++] = (uint64_t)moves(b, ref) << 63 | (uint64_t)level[ref] << 36 |
                        (uint64_t)kind << 28 | (uint64_t)ref;
    }
    qsort(b->order, (size_t)n, sizeof *b->order, by_number);
    for (int ref = 0; ref < b->n; ref++) b->slot[ref] = -1;
    return n;
}

static void place_instructions(builder *b, carom_tape *tape, int n_order, int n_slot)
{
    tape->n = tape->n_still = 0;
    for (int k = 0; k < n_order; k++) {
        const carom_ref ref = (carom_ref)(b->order[k] & ((1u << 28) - 1));
        if (b->slot[ref] >= 0) continue; // came along with its partner
        if (!moves(b, ref)) {
            tape->n_still++;
            tape->still_needs_t |= (carom_graph_kinds(b->graph, ref) & 1u << CAROM_TIME) != 0;
        }
        carom_instruction i = translate(b, ref);
        i.out = b->slot[ref] = n_slot++;
        const int partner = b->partner[ref];
        if (partner >= 0) {
            const bool is_sine = i.op == CAROM_OP_SIN;
            i.op = CAROM_FUSED_SINCOS;
            i.d = b->slot[partner] = n_slot++;
            if (!is_sine) {
                i.d = b->slot[ref];
                i.out = b->slot[partner];
            }
        }
        tape->ref[tape->n] = ref;
        tape->program[tape->n + (tape->n >= tape->n_still)] = i;
        tape->n++;
    }
    tape->program[tape->n_still].op = CAROM_FUSED_END;
    tape->program[tape->n + 1].op = CAROM_FUSED_END;
    tape->n_slot = n_slot;
}

static void place_targets(const builder *b, carom_tape *tape)
{
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < b->n_target; i++) {
            const carom_ref ref = b->target[i].ref;
            const carom_load target = {b->slot[ref], b->target[i].offset, ref};
            if (moves(b, ref) != (part == 1)) continue;
            if (carom_graph_op(b->graph, ref) == CAROM_OP_NUMBER) {
                tape->fixed[tape->n_fixed++] = target;
                continue;
            }
            tape->store[tape->n_store++] = target;
            tape->n_store_still += part == 0;
            if (part == 0)
                tape->still_needs_t |= (carom_graph_kinds(b->graph, ref) & 1u << CAROM_TIME) != 0;
        }
}

// every pointer is checked by the caller at the end
static void *zeroed(size_t size, int n, bool *is_enough)
{
    void *piece = calloc(n > 0 ? (size_t)n : 1, size);
    if (!piece) *is_enough = false;
    return piece;
}

static bool allocate(const builder *b, carom_tape *tape)
{
    bool ok = true;
    int n_load = 0;
    for (int kind = 0; kind < CAROM_N_SYMBOL; kind++) n_load += b->n_load[kind];
    tape->program = zeroed(sizeof *tape->program, b->n_instruction + 2, &ok);
    tape->ref = zeroed(sizeof *tape->ref, b->n_instruction, &ok);
    tape->value = zeroed(sizeof *tape->value, b->n_constant + n_load + 2 * b->n_instruction, &ok);
    tape->constant = zeroed(sizeof *tape->constant, b->n_constant, &ok);
    tape->store = zeroed(sizeof *tape->store, b->n_target, &ok);
    tape->fixed = zeroed(sizeof *tape->fixed, b->n_target, &ok);
    tape->load[0] = zeroed(sizeof *tape->load[0], n_load, &ok);
    for (int kind = 1; ok && kind < CAROM_N_SYMBOL; kind++)
        tape->load[kind] = tape->load[kind - 1] + b->n_load[kind - 1];
    return ok;
}

static bool copy_tables(const builder *b, carom_tape *tape)
{
    for (int i = 0; i <= tape->n; i++)
        if (tape->program[i].op == CAROM_OP_TABLE && tape->program[i].c >= tape->n_table)
            tape->n_table = tape->program[i].c + 1;
    bool ok = true;
    tape->table = zeroed(sizeof(carom_spline *), tape->n_table, &ok);
    for (int i = 0; ok && i <= tape->n; i++) {
        const int table = tape->program[i].c;
        if (tape->program[i].op != CAROM_OP_TABLE || tape->table[table]) continue;
        tape->table[table] = carom_spline_copy(carom_graph_table(b->graph, table));
        ok = tape->table[table] != NULL;
    }
    return ok;
}

static bool build(builder *b, carom_tape *tape)
{
    bool ok = true;
    b->uses = zeroed(sizeof *b->uses, b->n, &ok);
    b->slot = zeroed(sizeof *b->slot, b->n, &ok);
    b->partner = zeroed(sizeof *b->partner, b->n, &ok);
    b->is_swallowed = zeroed(sizeof *b->is_swallowed, b->n, &ok);
    b->order = zeroed(sizeof *b->order, b->n, &ok);
    if (!ok) return false;
    mark(b);
    pair_up(b);
    swallow(b);
    count(b);
    if (!allocate(b, tape)) return false;
    const int n_order = sort_by_level(b);
    place_instructions(b, tape, n_order, place_inputs(b, tape));
    place_targets(b, tape);
    return copy_tables(b, tape);
}

carom_status carom_tape_new(const carom_graph *graph, const carom_target *target, int n_target,
                            carom_tape **tape, carom_error *error)
{
    *tape = NULL;
    builder b = {.graph = graph, .target = target, .n_target = n_target};
    for (int i = 0; i < n_target; i++) {
        if (target[i].ref < 0 || target[i].ref >= carom_graph_size(graph))
            return carom_fail(error,
                              carom_graph_status(graph) == CAROM_OK ? CAROM_BUG : CAROM_NO_MEMORY,
                              "target %d of an expression program does not exist", i);
        if (target[i].ref >= b.n) b.n = target[i].ref + 1;
    }
    carom_tape *made = calloc(1, sizeof *made);
    const bool ok = made && build(&b, made);
    free(b.uses);
    free(b.slot);
    free(b.partner);
    free(b.is_swallowed);
    free(b.order);
    if (!ok) {
        carom_tape_free(made);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for an expression program");
    }
    *tape = made;
    return CAROM_OK;
}

void carom_tape_free(carom_tape *tape)
{
    if (!tape) return;
    for (int i = 0; tape->table && i < tape->n_table; i++) carom_spline_free(tape->table[i]);
    free(tape->table);
    free(tape->program);
    free(tape->ref);
    free(tape->value);
    free(tape->constant);
    free(tape->store);
    free(tape->fixed);
    free(tape->load[0]);
    free(tape);
}
