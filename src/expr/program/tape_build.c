// SPDX-License-Identifier: Apache-2.0
// Building a tape: mark the nodes below the targets, let sums and products swallow neighbours that
// nobody else uses, pair sines with cosines, then sort what remains so that equal instructions
// stand together.
#include "expr/operation.h"
#include "expr/program/tape_program.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// From how many neighbours of a kind on they run in a loop. Jumps from instruction to instruction
// are shorter, but a processor foresees only some hundred different ones: without loops, a program
// of 500 took twice the time.
enum { LONG_RUN = 3 };

typedef struct builder {
    const carom_graph *graph;
    const carom_target *target;
    int n_target, n; // n: nodes up to the last one needed
    int *uses;       // how often a node is needed; 0 = not at all
    int *wanted;     // how often as a target
    int *answer;     // where the node goes in the results if nothing else needs it, else -1
    int *place;      // where its value is, -1 = nowhere yet
    int *partner;    // the cosine of a sine's argument and the other way round, -1 = none
    bool *is_swallowed;
    uint64_t *order; // what is to be sorted, with the node in the last bits
    int n_operation, n_symbol, n_number, n_firm;
} builder;

static bool is_firm(const builder *b, carom_ref ref)
{
    return carom_graph_is_firm(b->graph, ref);
}

static bool is_number(const builder *b, carom_ref ref)
{
    return carom_graph_op(b->graph, ref) == CAROM_OP_NUMBER;
}

static bool is_symbol(const builder *b, carom_ref ref)
{
    return carom_graph_op(b->graph, ref) == CAROM_OP_SYMBOL && !is_firm(b, ref);
}

// what instructions are made for
static bool is_operation(const builder *b, carom_ref ref)
{
    return !is_firm(b, ref) && !is_symbol(b, ref);
}

static void mark_nodes(builder *b)
{
    for (int i = 0; i < b->n_target; i++) {
        b->uses[b->target[i].ref]++;
        b->wanted[b->target[i].ref]++;
    }
    for (int ref = b->n - 1; ref >= 0; ref--) {
        if (!b->uses[ref] || !is_operation(b, ref)) continue;
        const int arity = carom_operation_arity(carom_graph_op(b->graph, ref));
        for (int i = 0; i < arity; i++) b->uses[carom_graph_child(b->graph, ref, i)]++;
    }
}

// which of sine and cosine met first for an argument is kept in place for the time being
static void pair_up(builder *b)
{
    for (int ref = 0; ref < b->n; ref++) b->place[ref] = b->partner[ref] = -1;
    for (int ref = 0; ref < b->n; ref++) {
        if (!b->uses[ref] || !is_operation(b, ref)) continue;
        const carom_op op = carom_graph_op(b->graph, ref);
        if (op != CAROM_OP_SIN && op != CAROM_OP_COS) continue;
        int *first = &b->place[carom_graph_child(b->graph, ref, 0)];
        if (*first >= 0) {
            b->partner[ref] = *first;
            b->partner[*first] = ref;
        }
        *first = ref;
    }
    for (int ref = 0; ref < b->n; ref++) b->place[ref] = -1;
}

// The first offset of what is a target and nothing else, so that its instruction can write there.
// A pair of sine and cosine has one instruction: both are kept as values.
static void find_answers(builder *b)
{
    for (int ref = 0; ref < b->n; ref++) b->answer[ref] = -1;
    for (int i = b->n_target - 1; i >= 0; i--) {
        const carom_ref ref = b->target[i].ref;
        if (b->uses[ref] == b->wanted[ref] && b->partner[ref] < 0 && is_operation(b, ref))
            b->answer[ref] = b->target[i].offset;
    }
}

// whether the parent may do the child's work along with its own: an operation from the given one to
// the product
static bool can_be_swallowed(const builder *b, carom_ref child, carom_op from)
{
    if (b->uses[child] != 1 || is_firm(b, child)) return false;
    const carom_op op = carom_graph_op(b->graph, child);
    return from <= op && op <= CAROM_OP_MUL &&
           !b->is_swallowed[carom_graph_child(b->graph, child, 0)] &&
           !b->is_swallowed[carom_graph_child(b->graph, child, 1)];
}

// From the leaves upwards, and nothing that has swallowed is swallowed: no other choice
// takes fewer instructions.
static void swallow_neighbours(builder *b)
{
    for (int ref = 0; ref < b->n; ref++) {
        if (!b->uses[ref] || !is_operation(b, ref)) continue;
        const carom_op op = carom_graph_op(b->graph, ref);
        const bool is_negative = op == CAROM_OP_NEG;
        if (!is_negative && (op < CAROM_OP_ADD || op > CAROM_OP_DIV)) continue;
        for (int i = 0; i < (is_negative ? 1 : 2); i++) {
            const carom_ref child = carom_graph_child(b->graph, ref, i);
            b->is_swallowed[child] =
                can_be_swallowed(b, child, is_negative ? CAROM_OP_MUL : CAROM_OP_ADD);
        }
    }
}

// also lists the symbols, by kind and number
static void count_nodes(builder *b)
{
    for (int ref = 0; ref < b->n; ref++) {
        if (!b->uses[ref] || b->is_swallowed[ref]) continue;
        if (is_number(b, ref))
            b->n_number++;
        else if (is_firm(b, ref))
            b->n_firm++;
        else if (is_symbol(b, ref))
            b->order[b->n_symbol++] =
                (uint64_t)carom_graph_child(b->graph, ref, 0) << 60 |
                (uint64_t)carom_graph_child(b->graph, ref, 1) << CAROM_NODE_BITS | (uint64_t)ref;
        else
            b->n_operation++;
    }
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static carom_ref node_of(uint64_t key)
{
    return (carom_ref)(key & ((1u << CAROM_NODE_BITS) - 1));
}

static void list_given(builder *b, carom_tape *tape)
{
    qsort(b->order, (size_t)b->n_symbol, sizeof *b->order, by_number);
    tape->n_symbol = b->n_symbol;
    for (int i = 0; i < b->n_symbol; i++) tape->given[i] = node_of(b->order[i]);
    for (int ref = 0; ref < b->n; ref++) {
        const int place = tape->n_symbol + tape->n_constant;
        if (!b->uses[ref] || !carom_graph_is_number(b->graph, ref, &tape->value[place])) continue;
        tape->given[place] = ref;
        tape->n_constant++;
    }
    for (int ref = 0; b->n_firm > 0 && ref < b->n; ref++) {
        const int place = tape->n_symbol + tape->n_constant;
        if (!b->uses[ref] || !is_firm(b, ref) || is_number(b, ref)) continue;
        tape->value[place] = NAN; // until it is given
        tape->given[place] = ref;
        tape->n_constant++;
        tape->n_firm++;
    }
}

// which of its forms an operand of a tree has
static int inner(const builder *b, carom_ref child)
{
    return b->is_swallowed[child] ? (int)carom_graph_op(b->graph, child) - CAROM_OP_ADD + 1 : 0;
}

static int code_of(const builder *b, carom_ref ref)
{
    const carom_op op = carom_graph_op(b->graph, ref);
    const carom_ref x = carom_graph_child(b->graph, ref, 0),
                    y = carom_graph_child(b->graph, ref, 1);
    if (b->partner[ref] >= 0) return CAROM_CODE_SINCOS;
    if (op == CAROM_OP_NEG && b->is_swallowed[x]) return CAROM_CODE_NEG_MUL;
    if (op < CAROM_OP_ADD || op > CAROM_OP_DIV) return (int)op;
    return CAROM_CODE_TREE +
           (((int)op - CAROM_OP_ADD) * CAROM_TREE_INNER + inner(b, x)) * CAROM_TREE_INNER +
           inner(b, y);
}

// the places of an operand: its own, or those of what it swallowed
static void find_operand(const builder *b, carom_ref child, int *first, int *second)
{
    *first = *second = b->place[child];
    if (!b->is_swallowed[child]) return;
    *first = b->place[carom_graph_child(b->graph, child, 0)];
    *second = b->place[carom_graph_child(b->graph, child, 1)];
}

// the instruction of a node, without where its result goes
static carom_instruction translate(const builder *b, carom_ref ref, bool is_run)
{
    const carom_op op = carom_graph_op(b->graph, ref);
    const int code = code_of(b, ref), arity = carom_operation_arity(op);
    int child[3], place[3];
    for (int i = 0; i < 3; i++) {
        child[i] = carom_graph_child(b->graph, ref, i);
        place[i] = b->place[child[i < arity ? i : 0]];
    }
    carom_instruction made = {.a = place[0], .b = place[1], .c = place[2], .d = (int)op};
    if (op == CAROM_OP_TABLE) {
        made.b = child[1];
        made.c = child[2];
    } else if (code >= CAROM_CODE_TREE && code <= CAROM_CODE_NEG_MUL) {
        find_operand(b, child[0], &made.a, &made.b);
        if (arity > 1) find_operand(b, child[1], &made.c, &made.d);
    }
    const bool is_answer = b->answer[ref] >= 0;
    made.step = carom_tape_find_step(code, is_answer, is_run);
    made.role = is_answer ? CAROM_ROLE_ANSWER : CAROM_ROLE_VALUE;
    made.node = (unsigned)ref & ((1u << CAROM_NODE_BITS) - 1);
    return made;
}

// whether the value changes with more than t and q
static bool moves(const builder *b, carom_ref ref)
{
    return carom_graph_moves(b->graph, ref);
}

static bool knows_t(const builder *b, carom_ref ref)
{
    return (carom_graph_kinds(b->graph, ref) & 1u << CAROM_TIME) != 0;
}

// Sorts the instructions: those that depend on t and q only, then the others; in each part by level
// (longest way from the inputs), then by operation: neighbours do not wait for each other and are
// often of one kind, which the processor foresees. place holds the levels for the time being.
static int sort_by_level(builder *b)
{
    int n = 0;
    int *level = b->place;
    for (int ref = 0; ref < b->n; ref++) {
        level[ref] = 0;
        if (!b->uses[ref] || !is_operation(b, ref)) continue;
        const carom_op op = carom_graph_op(b->graph, ref);
        const int arity = carom_operation_arity(op);
        for (int i = 0; i < arity; i++) {
            const int below = level[carom_graph_child(b->graph, ref, i)];
            if (below > level[ref]) level[ref] = below;
        }
        if (b->is_swallowed[ref]) continue;
        level[ref]++;
        b->order[n++] = (uint64_t)moves(b, ref) << 63 | (uint64_t)level[ref] << 37 |
                        (uint64_t)(2 * code_of(b, ref) + (b->answer[ref] >= 0)) << CAROM_NODE_BITS |
                        (uint64_t)ref;
    }
    qsort(b->order, (size_t)n, sizeof *b->order, by_number);
    for (int ref = 0; ref < b->n; ref++) b->place[ref] = -1;
    return n;
}

static void emit(carom_tape *tape, carom_instruction i)
{
    if (tape->n % CAROM_TAPE_STRETCH == CAROM_TAPE_STRETCH - 1)
        tape->program[tape->n++] = (carom_instruction){
            .step = carom_tape_find_step(CAROM_CODE_PAUSE, false, false), .role = CAROM_ROLE_COPY};
    tape->program[tape->n++] = i;
}

// Symbols of one kind whose numbers follow each other are fetched together. The time may differ
// from that of the first part where only the second needs it: both fetch it.
static void emit_fetches(const builder *b, carom_tape *tape, bool is_moving)
{
    static const size_t offset[CAROM_N_SYMBOL] = {
        [CAROM_Q] = offsetof(carom_inputs, q),
        [CAROM_U] = offsetof(carom_inputs, u),
        [CAROM_A] = offsetof(carom_inputs, a),
        [CAROM_P] = offsetof(carom_inputs, P),
    };
    for (int place = 0, n; place < tape->n_symbol; place += n) {
        const carom_ref *ref = tape->given + place;
        const int kind = carom_graph_child(b->graph, *ref, 0),
                  first = carom_graph_child(b->graph, *ref, 1);
        for (n = 1; n < CAROM_FETCH_MOST && place + n < tape->n_symbol; n++)
            if (carom_graph_child(b->graph, ref[n], 0) != kind ||
                carom_graph_child(b->graph, ref[n], 1) != first + n)
                break;
        tape->uses_t |= kind == CAROM_TIME;
        if (kind != CAROM_TIME && (kind != CAROM_Q) != is_moving) continue;
        const int code = kind == CAROM_TIME ? CAROM_CODE_FETCH_TIME : CAROM_CODE_FETCH + n - 1;
        emit(tape, (carom_instruction){.step = carom_tape_find_step(code, false, false),
                                       .out = place,
                                       .a = (int)offset[kind],
                                       .b = first,
                                       .role = CAROM_ROLE_FETCH});
    }
}

static void emit_operation(builder *b, carom_tape *tape, carom_ref ref, bool is_run, int *n_place)
{
    const int partner = b->partner[ref];
    if (b->place[ref] >= 0) return; // came along with its partner
    carom_instruction i = translate(b, ref, is_run);
    if (b->answer[ref] >= 0)
        i.out = b->answer[ref];
    else
        i.out = b->place[ref] = (*n_place)++;
    if (partner >= 0) {
        const bool is_sine = carom_graph_op(b->graph, ref) == CAROM_OP_SIN;
        b->place[partner] = (*n_place)++;
        i.out = b->place[is_sine ? ref : partner];
        i.d = b->place[is_sine ? partner : ref];
    }
    emit(tape, i);
    tape->n_operation++;
    tape->still_needs_t |= !moves(b, ref) && knows_t(b, ref);
}

// a result that is a copy: of a value (CAROM_CODE_STORE), or of an answer (CAROM_CODE_REPEAT)
typedef struct copy {
    int to, from;
} copy;

static bool is_copied(const builder *b, int i, bool is_moving, int code, copy *made)
{
    const carom_ref ref = b->target[i].ref;
    const int answer = b->answer[ref];
    *made = (copy){b->target[i].offset, answer >= 0 ? answer : b->place[ref]};
    return answer != made->to && (answer >= 0) == (code == CAROM_CODE_REPEAT) &&
           moves(b, ref) == is_moving && !is_firm(b, ref);
}

// copies on their way: two with each instruction
typedef struct copies {
    carom_instruction next;
    bool has_one;
} copies;

static copies copies_by(int code)
{
    const carom_instruction next = {.step = carom_tape_find_step(code, false, false),
                                    .role = CAROM_ROLE_COPY};
    return (copies){.next = next};
}

static void add_copy(carom_tape *tape, copies *list, copy one)
{
    list->next.b = one.to;
    list->next.c = one.from;
    if (list->has_one)
        emit(tape, list->next);
    else {
        list->next.out = one.to;
        list->next.a = one.from;
    }
    list->has_one = !list->has_one;
}

// the last one twice if need be
static void end_copies(carom_tape *tape, copies *list)
{
    if (list->has_one) add_copy(tape, list, (copy){list->next.out, list->next.a});
}

// Targets that no instruction writes, which are wanted more than once: rows of contacts of the same
// body have the same entries, so that neighbours often come from neighbours, two at once.
static void emit_copies(const builder *b, carom_tape *tape, bool is_moving, int code)
{
    copies one = copies_by(code), two = copies_by(code + 1);
    copy this, after;
    for (int i = 0; i < b->n_target; i++) {
        if (!is_copied(b, i, is_moving, code, &this)) continue;
        const bool are_two = i + 1 < b->n_target && is_copied(b, i + 1, is_moving, code, &after) &&
                             after.to == this.to + 1 && after.from == this.from + 1;
        add_copy(tape, are_two ? &two : &one, this);
        i += are_two;
    }
    end_copies(tape, &one);
    end_copies(tape, &two);
}

// where the instructions of the kind at k end
static int end_of_run(const builder *b, int k, int n)
{
    int end = k + 1;
    while (end < n && b->order[end] >> CAROM_NODE_BITS == b->order[k] >> CAROM_NODE_BITS) end++;
    return end;
}

static void emit_all(builder *b, carom_tape *tape, int n_order)
{
    int k = 0, n_place = tape->n_symbol + tape->n_constant;
    for (int i = 0; i < n_place; i++) b->place[tape->given[i]] = i;
    for (int is_moving = 0; is_moving < 2; is_moving++) {
        tape->n_still = tape->n;
        emit_fetches(b, tape, is_moving);
        while (k < n_order && moves(b, node_of(b->order[k])) == is_moving) {
            const int first = k, end = end_of_run(b, k, n_order);
            for (; k < end; k++)
                emit_operation(b, tape, node_of(b->order[k]), end - first >= LONG_RUN, &n_place);
        }
        emit_copies(b, tape, is_moving, CAROM_CODE_STORE);
        emit_copies(b, tape, is_moving, CAROM_CODE_REPEAT);
        const int close = is_moving ? CAROM_CODE_END : CAROM_CODE_SEAM;
        emit(tape, (carom_instruction){.step = carom_tape_find_step(close, false, false),
                                       .role = CAROM_ROLE_COPY});
    }
}

static void sort_targets(const builder *b, carom_tape *tape)
{
    for (int i = 0; i < b->n_target; i++) {
        const carom_ref ref = b->target[i].ref;
        if (is_firm(b, ref)) {
            tape->fixed[tape->n_fixed].place = b->place[ref];
            tape->fixed[tape->n_fixed++].offset = b->target[i].offset;
        } else {
            tape->n_changing++;
            tape->still_needs_t |= !moves(b, ref) && knows_t(b, ref);
        }
    }
}

// every pointer is checked by the caller at the end
static void *zeroed(size_t size, int n, bool *is_enough)
{
    void *piece = calloc(n > 0 ? (size_t)n : 1, size);
    if (!piece) *is_enough = false;
    return piece;
}

// A tape needs room for the largest number of values and instructions it may have.
static carom_tape *allocate(const builder *b)
{
    const int n_given = b->n_symbol + b->n_number + b->n_firm, n_value = n_given + b->n_operation,
              n = b->n_operation + b->n_symbol + b->n_target + 3; // t twice, two ends
    bool ok = true;
    carom_tape *tape = calloc(1, sizeof *tape + (size_t)n_value * sizeof *tape->value);
    if (!tape) return NULL;
    tape->program = zeroed(sizeof *tape->program, n + n / (CAROM_TAPE_STRETCH - 1) + 1, &ok);
    tape->given = zeroed(sizeof *tape->given, n_given, &ok);
    tape->fixed = zeroed(sizeof *tape->fixed, b->n_target, &ok);
    if (ok) return tape;
    carom_tape_free(tape);
    return NULL;
}

static bool copy_tables(const builder *b, carom_tape *tape)
{
    bool ok = true;
    tape->n_table = b->n ? carom_graph_n_table(b->graph) : 0;
    tape->table = zeroed(sizeof(carom_spline *), tape->n_table, &ok);
    for (int ref = 0; ok && tape->n_table && ref < b->n; ref++) {
        if (!b->uses[ref] || carom_graph_op(b->graph, ref) != CAROM_OP_TABLE) continue;
        const int table = carom_graph_child(b->graph, ref, 2);
        if (tape->table[table]) continue;
        tape->table[table] = carom_spline_copy(carom_graph_table(b->graph, table));
        ok = tape->table[table] != NULL;
    }
    return ok;
}

static carom_tape *build(builder *b)
{
    bool ok = true;
    b->uses = zeroed(sizeof *b->uses, b->n, &ok);
    b->wanted = zeroed(sizeof *b->wanted, b->n, &ok);
    b->answer = zeroed(sizeof *b->answer, b->n, &ok);
    b->place = zeroed(sizeof *b->place, b->n, &ok);
    b->partner = zeroed(sizeof *b->partner, b->n, &ok);
    b->is_swallowed = zeroed(sizeof *b->is_swallowed, b->n, &ok);
    b->order = zeroed(sizeof *b->order, b->n, &ok);
    if (!ok) return NULL;
    mark_nodes(b);
    pair_up(b);
    find_answers(b);
    swallow_neighbours(b);
    count_nodes(b);
    carom_tape *tape = allocate(b);
    if (!tape) return NULL;
    list_given(b, tape);
    emit_all(b, tape, sort_by_level(b));
    sort_targets(b, tape);
    if (copy_tables(b, tape)) return tape;
    carom_tape_free(tape);
    return NULL;
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
    *tape = build(&b);
    free(b.uses);
    free(b.wanted);
    free(b.answer);
    free(b.place);
    free(b.partner);
    free(b.is_swallowed);
    free(b.order);
    if (*tape) return CAROM_OK;
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for an expression program");
}

void carom_tape_free(carom_tape *tape)
{
    if (!tape) return;
    for (int i = 0; tape->table && i < tape->n_table; i++) carom_spline_free(tape->table[i]);
    free(tape->table);
    free(tape->program);
    free(tape->given);
    free(tape->fixed);
    free(tape);
}
