// SPDX-License-Identifier: Apache-2.0
// Expressions as C text. Operations come in the order in which the targets ask for them, so that a
// value is used soon after it is made. Long functions are cut into parts, because compilers need
// more than linear time for a function; values that later parts need go through an array v. Where
// the caller keeps v, what depends on t and q only comes in parts of its own, and a second function
// runs the rest alone.
#include "expr/program/native_write.h"

#include "base/text.h"
#include "expr/operation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PART = 500, // operations in one part, and results in it that need no operation
    FEW = 3     // parts that may become one function again
};

typedef struct writer {
    FILE *file;
    const carom_graph *graph;
    const carom_c_function *function;
    int n_node;
    int *place;  // where each node stands in order, -1 = not needed
    int *order;  // nodes, children first
    int n;       // operations
    int n_still; // the first of them: those that depend on t and q only (where apart)
    int n_still_part;
    int *stack;
    int *kept; // place in v of each operation that a later part uses, -1 = none
    int n_kept;
    int *rank;      // of each target that needs no operation, among those of its kind
    int n_plain[2]; // how many of these there are: of t and q only (where apart), others
} writer;

const char *carom_c_number(double value, char *buffer, size_t room)
{
    char text[32];
    if (isnan(value)) return "NAN";
    if (isinf(value)) return value > 0 ? "INFINITY" : "(-INFINITY)";
    carom_number_text(value, text, sizeof text);
    const bool is_whole = !strpbrk(text, ".e");
    const bool is_negative = text[0] == '-';
    snprintf(buffer, room, "%s%.31s%s%s", is_negative ? "(" : "", text, is_whole ? ".0" : "",
             is_negative ? ")" : "");
    return buffer;
}

static bool is_operation(const carom_graph *graph, carom_ref ref)
{
    return carom_graph_op(graph, ref) != CAROM_OP_SYMBOL && !carom_graph_is_firm(graph, ref);
}

// appends ref and all below it that is not yet there, children first, without recursion
static void list_below(writer *w, carom_ref ref)
{
    int n = 0;
    w->stack[n++] = ref;
    while (n > 0) {
        const carom_ref top = w->stack[n - 1];
        const carom_op op = carom_graph_op(w->graph, top);
        int waiting = -1;
        if (w->place[top] >= 0 || !is_operation(w->graph, top)) {
            n--;
            continue;
        }
        for (int i = carom_operation_arity(op) - 1; i >= 0; i--) {
            const carom_ref child = carom_graph_child(w->graph, top, i);
            if (w->place[child] < 0 && is_operation(w->graph, child)) waiting = child;
        }
        if (waiting >= 0) {
            w->stack[n++] = waiting;
            continue;
        }
        w->place[top] = w->n;
        w->order[w->n++] = top;
        n--;
    }
}

// what depends on t and q only comes first, each kind in the order it was in
static void sort_still(writer *w)
{
    int n = 0, n_moving = 0;
    for (int i = 0; i < w->n; i++)
        if (carom_graph_moves(w->graph, w->order[i]))
            w->stack[n_moving++] = w->order[i];
        else
            w->order[n++] = w->order[i];
    for (int i = 0; i < n_moving; i++) w->order[n + i] = w->stack[i];
    for (int i = 0; i < w->n; i++) w->place[w->order[i]] = i;
    w->n_still = n;
}

static bool is_skipped(const writer *w, carom_ref ref)
{
    return w->function->skips_constants && carom_graph_is_firm(w->graph, ref);
}

// what needs no operation goes into the parts of its kind as operations do
static bool is_plain_still(const writer *w, carom_ref ref)
{
    return w->function->is_apart && !carom_graph_moves(w->graph, ref);
}

static void rank_plain(writer *w)
{
    for (int i = 0; i < w->function->n_target; i++) {
        const carom_ref ref = w->function->target[i].ref;
        if (w->place[ref] >= 0 || is_skipped(w, ref)) continue;
        w->rank[i] = w->n_plain[!is_plain_still(w, ref)]++;
    }
    const int n = w->n_plain[0] > w->n_still ? w->n_plain[0] : w->n_still;
    w->n_still_part = (n + PART - 1) / PART;
}

static int count_parts(const writer *w)
{
    const int n_moving = w->n - w->n_still;
    const int n = w->n_plain[1] > n_moving ? w->n_plain[1] : n_moving;
    return w->n_still_part + (n + PART - 1) / PART;
}

static int part_of(const writer *w, int place)
{
    if (place < w->n_still) return place / PART;
    return w->n_still_part + (place - w->n_still) / PART;
}

static int first_of(const writer *w, int part)
{
    const bool is_still = part < w->n_still_part;
    const int last = is_still ? w->n_still : w->n;
    const int first = is_still ? part * PART : w->n_still + (part - w->n_still_part) * PART;
    return first < last ? first : last;
}

static int end_of(const writer *w, int part)
{
    const int last = part < w->n_still_part ? w->n_still : w->n, end = first_of(w, part) + PART;
    return end < last ? end : last;
}

static void release(writer *w)
{
    free(w->place);
    free(w->order);
    free(w->stack);
    free(w->kept);
    free(w->rank);
}

// marks what crosses from one part to a later one
static void keep_crossing(writer *w)
{
    for (int i = 0; i < w->n; i++) w->kept[i] = -1;
    w->n_kept = w->function->firm_value ? 0 : w->function->n_firm; // the caller's come first
    for (int i = 0; i < w->n; i++) {
        const int arity = carom_operation_arity(carom_graph_op(w->graph, w->order[i]));
        for (int k = 0; k < arity; k++) {
            const int from = w->place[carom_graph_child(w->graph, w->order[i], k)];
            if (from >= 0 && part_of(w, from) != part_of(w, i) && w->kept[from] < 0)
                w->kept[from] = w->n_kept++;
        }
    }
}

static bool arrange_operations(writer *w)
{
    const size_t n = (size_t)carom_graph_size(w->graph) + 1;
    w->n_node = (int)n;
    w->place = malloc(n * sizeof(int));
    w->order = malloc(n * sizeof(int));
    w->stack = malloc(n * sizeof(int));
    w->kept = malloc(n * sizeof(int));
    w->rank = calloc((size_t)w->function->n_target + 1, sizeof(int));
    if (!w->place || !w->order || !w->stack || !w->kept || !w->rank) return false;
    for (size_t i = 0; i < n; i++) w->place[i] = -1;
    for (int i = 0; i < w->function->n_target; i++) list_below(w, w->function->target[i].ref);
    if (w->function->is_apart) sort_still(w);
    rank_plain(w);
    keep_crossing(w);
    return true;
}

// ---- operations ----

// the number of a firm node in the caller's list
static int find_firm(const carom_c_function *function, carom_ref ref)
{
    int low = 0, high = function->n_firm;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(function->firm[middle] <= ref ? &low : &high) = middle;
    }
    return low;
}

static const char *operand(const writer *w, int part, carom_ref ref, char buffer[40])
{
    static const char letter[] = {'t', 'q', 'u', 'a', 'P'};
    double value;
    if (carom_graph_is_number(w->graph, ref, &value)) return carom_c_number(value, buffer, 40);
    if (carom_graph_is_firm(w->graph, ref)) {
        const int i = find_firm(w->function, ref);
        if (w->function->firm_value) return carom_c_number(w->function->firm_value[i], buffer, 40);
        snprintf(buffer, 40, "v[%d]", i);
        return buffer;
    }
    if (carom_graph_op(w->graph, ref) == CAROM_OP_SYMBOL) {
        const int kind = carom_graph_child(w->graph, ref, 0);
        if (kind == CAROM_TIME) return "t";
        snprintf(buffer, 40, "%c[%d]", letter[kind], carom_graph_child(w->graph, ref, 1));
        return buffer;
    }
    const int place = w->place[ref];
    if (part_of(w, place) == part)
        snprintf(buffer, 40, "x%d", place);
    else
        snprintf(buffer, 40, "v[%d]", w->kept[place]);
    return buffer;
}

// the form of an operation; $ stands for its operands in turn
static const char *form_of(carom_op op)
{
    // clang-format off
    switch (op) {
    case CAROM_OP_ADD: return "$ + $";
    case CAROM_OP_SUB: return "$ - $";
    case CAROM_OP_MUL: return "$ * $";
    case CAROM_OP_DIV: return "$ / $";
    case CAROM_OP_NEG: return "-$";
    case CAROM_OP_POW: return "pow($, $)";
    case CAROM_OP_SIN: return "sin($)";
    case CAROM_OP_COS: return "cos($)";
    case CAROM_OP_TAN: return "tan($)";
    case CAROM_OP_ASIN: return "asin($)";
    case CAROM_OP_ACOS: return "acos($)";
    case CAROM_OP_ATAN: return "atan($)";
    case CAROM_OP_ATAN2: return "atan2($, $)";
    case CAROM_OP_HYPOT: return "hypot($, $)";
    case CAROM_OP_SINH: return "sinh($)";
    case CAROM_OP_COSH: return "cosh($)";
    case CAROM_OP_TANH: return "tanh($)";
    case CAROM_OP_EXP: return "exp($)";
    case CAROM_OP_LOG: return "log($)";
    case CAROM_OP_SQRT: return "sqrt($)";
    case CAROM_OP_ABS: return "fabs($)";
    case CAROM_OP_SIGN: return "sign_of($)";
    case CAROM_OP_MIN: return "smaller_of($, $)";
    case CAROM_OP_MAX: return "larger_of($, $)";
    case CAROM_OP_STEP: return "step_of($)";
    case CAROM_OP_FLOOR: return "floor($)";
    case CAROM_OP_MOD: return "mod_of($, $)";
    case CAROM_OP_LT: return "$ < $";
    case CAROM_OP_LE: return "$ <= $";
    case CAROM_OP_EQ: return "$ == $";
    case CAROM_OP_NE: return "$ != $";
    case CAROM_OP_AND: return "$ != 0 && $ != 0";
    case CAROM_OP_OR: return "$ != 0 || $ != 0";
    case CAROM_OP_NOT: return "$ == 0";
    case CAROM_OP_IF: return "$ != 0 ? $ : $";
    case CAROM_OP_NUMBER: case CAROM_OP_SYMBOL: case CAROM_OP_TABLE: break;
    }
    // clang-format on
    return "NAN"; // not operations, or written in another way
}

static void write_operation(const writer *w, int i)
{
    char buffer[40];
    const carom_ref ref = w->order[i];
    const carom_op op = carom_graph_op(w->graph, ref);
    const int part = part_of(w, i);
    fprintf(w->file, "    const double x%d = ", i);
    if (op == CAROM_OP_TABLE) {
        const int table = carom_graph_child(w->graph, ref, 2);
        fprintf(w->file, "table_at(&table%d, %s, %d);\n", table,
                operand(w, part, carom_graph_child(w->graph, ref, 0), buffer),
                carom_graph_child(w->graph, ref, 1));
        return;
    }
    const char *form = form_of(op);
    int k = 0;
    for (; *form; form++) {
        if (*form == '$')
            fputs(operand(w, part, carom_graph_child(w->graph, ref, k++), buffer), w->file);
        else
            fputc(*form, w->file);
    }
    fputs(";\n", w->file);
}

static int part_of_target(const writer *w, int i)
{
    const carom_ref ref = w->function->target[i].ref;
    if (w->place[ref] >= 0) return part_of(w, w->place[ref]);
    return (is_plain_still(w, ref) ? 0 : w->n_still_part) + w->rank[i] / PART;
}

static void write_targets(const writer *w, int part)
{
    char buffer[40];
    for (int i = 0; i < w->function->n_target; i++) {
        const carom_target *target = &w->function->target[i];
        if (part_of_target(w, i) != part || is_skipped(w, target->ref)) continue;
        fprintf(w->file, "    r[%d] = %s;\n", target->offset,
                operand(w, part, target->ref, buffer));
    }
}

static void write_body(const writer *w, int part)
{
    const int first = first_of(w, part), end = end_of(w, part);
    fputs("    (void)t, (void)q, (void)u, (void)a, (void)P, (void)r;\n", w->file);
    for (int i = first; i < end; i++) write_operation(w, i);
    for (int i = first; i < end; i++)
        if (w->kept[i] >= 0) fprintf(w->file, "    v[%d] = x%d;\n", w->kept[i], i);
    write_targets(w, part);
}

// one sum tells whether all of them are finite
static void write_watched(const writer *w, int part)
{
    char buffer[40];
    const unsigned char *is_watched = w->function->is_watched;
    if (!w->function->is_apart) return;
    fputs("    return 0.0", w->file);
    for (int i = 0; is_watched && i < w->function->n_target; i++) {
        const carom_ref ref = w->function->target[i].ref;
        double value;
        const bool is_fine = carom_graph_is_number(w->graph, ref, &value) && isfinite(value);
        if (is_watched[i] && !is_fine && part_of_target(w, i) == part)
            fprintf(w->file, "\n        + %s", operand(w, part, ref, buffer));
    }
    fputs(";\n", w->file);
}

static const char *type_of(const writer *w)
{
    return w->function->is_apart ? "double" : "void";
}

static const char *added(const writer *w)
{
    return w->function->is_apart ? "sum += " : "";
}

static void write_calls(const writer *w, int first, int n_part)
{
    for (int part = first; part < n_part; part++)
        fprintf(w->file, "    %s%s_%d(t, q, u, a, P, r, v);\n", added(w), w->function->name, part);
}

// through a table, lest the compiler make one function of them again
static void write_call_table(const writer *w, int first, int n_part)
{
    fprintf(w->file, "    typedef %s part(" CAROM_C_PARAMETERS ", double *restrict v);\n",
            type_of(w));
    fputs("    static part *const all[] = {", w->file);
    for (int part = first; part < n_part; part++)
        fprintf(w->file, "%s%s_%d,", (part - first) % 8 ? " " : "\n        ", w->function->name,
                part);
    fprintf(w->file, "\n    };\n    for (int i = 0; i < %d; i++) %sall[i](t, q, u, a, P, r, v);\n",
            n_part - first, added(w));
}

// the function that runs the parts from first on; v is the caller's, or its own
static void write_caller(const writer *w, const char *suffix, int first, int n_part)
{
    const bool is_apart = w->function->is_apart;
    fprintf(w->file, "%s%s %s%s(" CAROM_C_PARAMETERS "%s)\n{\n",
            w->function->is_static ? "static " : "", type_of(w), w->function->name, suffix,
            is_apart ? ", double *restrict v" : "");
    if (is_apart)
        fputs("    double sum = 0;\n", w->file);
    else
        fprintf(w->file, "    double v[%d];\n", w->n_kept + 1);
    if (n_part <= FEW)
        write_calls(w, first, n_part);
    else
        write_call_table(w, first, n_part);
    fputs(is_apart ? "    return sum;\n}\n\n" : "}\n\n", w->file);
}

static void write_parts(const writer *w, int n_part)
{
    for (int part = 0; part < n_part; part++) {
        fprintf(w->file, "static%s %s %s_%d(" CAROM_C_PARAMETERS ", double *restrict v)\n{\n",
                n_part <= FEW ? " inline" : "", type_of(w), w->function->name, part);
        fputs("    (void)v;\n", w->file);
        write_body(w, part);
        write_watched(w, part);
        fputs("}\n\n", w->file);
    }
    if (w->function->about) fputs(w->function->about, w->file);
    write_caller(w, "", 0, n_part);
    if (!w->function->is_apart) return;
    write_caller(w, "_still", 0, w->n_still_part);
    write_caller(w, "_rates", w->n_still_part, n_part);
    fprintf(w->file, "const int %s_room = %d;\n\n", w->function->name, w->n_kept + 1);
}

bool carom_c_write_function(FILE *file, const carom_graph *graph, const carom_c_function *function)
{
    writer w = {.file = file, .graph = graph, .function = function};
    const bool is_arranged = arrange_operations(&w);
    const int n_part = count_parts(&w);
    if (is_arranged && (n_part > 1 || function->is_apart)) {
        write_parts(&w, n_part);
    } else if (is_arranged) {
        if (function->about) fputs(function->about, file);
        fprintf(file, "%svoid %s(" CAROM_C_PARAMETERS ")\n{\n",
                function->is_static ? "static " : "", function->name);
        write_body(&w, 0);
        fputs("}\n\n", file);
    }
    release(&w);
    return is_arranged;
}

// ---- what stands in front ----

static void write_numbers(FILE *file, const char *name, int table, const double *value, int n)
{
    char buffer[40];
    fprintf(file, "static const double table%d_%s[] = {", table, name);
    for (int i = 0; i < n; i++)
        fprintf(file, "%s%s,", i % 4 ? " " : "\n    ",
                carom_c_number(value[i], buffer, sizeof buffer));
    fputs("\n};\n", file);
}

// returns how many numbers it has
static int write_table(FILE *file, const carom_graph *graph, int table)
{
    char buffer[40];
    const carom_spline *spline = carom_graph_table(graph, table);
    write_numbers(file, "x", table, spline->x, spline->n);
    write_numbers(file, "c", table, spline->coefficient, 4 * spline->n);
    fprintf(file, "static const table table%d = {%d, %s, table%d_x, table%d_c};\n\n", table,
            spline->n, carom_c_number(spline->period, buffer, sizeof buffer), table, table);
    return 5 * spline->n;
}

static const char table_text[] =
    "// piecewise cubic: derivative of the given order at x, not-a-number outside\n"
    "typedef struct table {\n"
    "    int n;\n"
    "    double period;\n"
    "    const double *x, *c;\n"
    "} table;\n"
    "static double table_at(const table *f, double x, int order)\n"
    "{\n"
    "    const int last = f->n - 1;\n"
    "    if (f->period > 0) {\n"
    "        x -= f->period * floor((x - f->x[0]) / f->period);\n"
    "        if (x < f->x[0]) x = f->x[0];\n"
    "        if (x > f->x[last]) x = f->x[last];\n"
    "    }\n"
    "    if (!(x >= f->x[0] && x <= f->x[last])) return NAN;\n"
    "    int low = 0, high = last;\n"
    "    while (high - low > 1) {\n"
    "        const int middle = (low + high) / 2;\n"
    "        if (f->x[middle] <= x) low = middle; else high = middle;\n"
    "    }\n"
    "    const double *c = f->c + 4 * low, s = x - f->x[low];\n"
    "    switch (order) {\n"
    "    case 0: return c[0] + s * (c[1] + s * (c[2] + s * c[3]));\n"
    "    case 1: return c[1] + s * (2 * c[2] + s * 3 * c[3]);\n"
    "    case 2: return 2 * c[2] + s * 6 * c[3];\n"
    "    case 3: return 6 * c[3];\n"
    "    default: return 0;\n"
    "    }\n"
    "}\n\n";

static const struct {
    carom_op op;
    const char *text;
} helper[] = {
    {CAROM_OP_SIGN, "static inline double sign_of(double a)\n"
                    "{\n    return a > 0 ? 1 : a < 0 ? -1 : a;\n}\n\n"},
    {CAROM_OP_STEP, "static inline double step_of(double a)\n"
                    "{\n    return a >= 0 ? 1 : a < 0 ? 0 : a;\n}\n\n"},
    {CAROM_OP_MIN, "static inline double smaller_of(double a, double b)\n"
                   "{\n    return a < b || a != a ? a : b;\n}\n\n"},
    {CAROM_OP_MAX, "static inline double larger_of(double a, double b)\n"
                   "{\n    return a > b || a != a ? a : b;\n}\n\n"},
    {CAROM_OP_MOD, "static inline double mod_of(double a, double b)\n"
                   "{\n    const double rest = fmod(a, b);\n"
                   "    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;\n}\n\n"},
    {CAROM_OP_TABLE, table_text},
};

// counts the operations, and notes which kinds and tables there are
static bool survey_operations(const carom_graph *graph, const carom_c_function *function,
                              bool *has_op, bool *has_table, long *n)
{
    writer w = {.graph = graph, .function = function};
    const bool is_arranged = arrange_operations(&w);
    for (int i = 0; is_arranged && i < w.n; i++) {
        const carom_op op = carom_graph_op(graph, w.order[i]);
        has_op[op] = true;
        if (op == CAROM_OP_TABLE) has_table[carom_graph_child(graph, w.order[i], 2)] = true;
    }
    *n += w.n;
    release(&w);
    return is_arranged;
}

long carom_c_write_head(FILE *file, const carom_graph *graph, const carom_c_function *function,
                        int n_function)
{
    long n = 0;
    bool has_op[CAROM_N_OPERATION] = {false};
    const int n_table = carom_graph_n_table(graph);
    bool *has_table = calloc((size_t)n_table + 1, sizeof *has_table);
    bool is_good = has_table != NULL;
    for (int i = 0; is_good && i < n_function; i++)
        is_good = survey_operations(graph, &function[i], has_op, has_table, &n);
    fputs("#include <math.h>\n\n", file);
    for (size_t i = 0; i < sizeof helper / sizeof helper[0]; i++)
        if (has_op[helper[i].op]) fputs(helper[i].text, file);
    for (int i = 0; is_good && i < n_table; i++)
        if (has_table[i]) n += write_table(file, graph, i);
    free(has_table);
    return is_good ? n : -1;
}
