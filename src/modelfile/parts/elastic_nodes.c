// SPDX-License-Identifier: Apache-2.0
// The table of nodes is CSV with a header: node, x, y and in space z. Unknowns are in the order
//
//     of the table, x, y (, z) of each node
//     of the table, where it has a column `direction`: a line for each unknown
//     of a file of CalculiX (.dof): words NODE.DIRECTION with directions 1, 2, 3
#include "modelfile/parts/elastic_nodes.h"

#include "base/list.h"
#include "modelfile/parts/scanner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODE, X, Y, Z, DIRECTION, N_COLUMN };
static const char *const column_name[N_COLUMN] = {"node", "x", "y", "z", "direction"};

typedef struct row {
    int node;
    double place[3];
    char direction;
    carom_place at;
} row;

typedef struct node_table {
    carom_arena *arena;
    carom_scanner scanner;
    carom_error *error;
    int column[N_COLUMN], n_column; // where each stands, -1 = nowhere
    CAROM_LIST(row) row;
    int dim;
} node_table;

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a table of nodes");
}

static carom_status read_header(node_table *t)
{
    carom_scanner *s = &t->scanner;
    for (int k = 0; k < N_COLUMN; k++) t->column[k] = -1;
    if (!carom_scanner_line(s, '#'))
        return carom_fail_at(t->error, s->place, CAROM_BAD_INPUT, "this table is empty");
    while (carom_scanner_word(s)) {
        int k = 0;
        while (k < N_COLUMN && strcmp(column_name[k], s->word) != 0) k++;
        if (k == N_COLUMN || t->column[k] >= 0)
            return carom_fail_at(t->error, s->place, CAROM_BAD_INPUT,
                                 "a table of nodes has columns node, x, y, z and direction, each "
                                 "once, not '%s'",
                                 s->word);
        t->column[k] = t->n_column++;
    }
    t->dim = t->column[Z] >= 0 ? 3 : 2;
    if (t->column[NODE] >= 0 && t->column[X] >= 0 && t->column[Y] >= 0) return CAROM_OK;
    return carom_fail_at(t->error, s->place, CAROM_BAD_INPUT,
                         "a table of nodes needs the columns node, x and y (and z in space)");
}

static carom_status read_direction(node_table *t, char *direction)
{
    carom_scanner *s = &t->scanner;
    const char *known = t->dim == 3 ? "xyz" : "xy";
    if (carom_scanner_word(s) && strlen(s->word) == 1 && strchr(known, s->word[0])) {
        *direction = s->word[0];
        return CAROM_OK;
    }
    return carom_fail_at(t->error, s->place, CAROM_BAD_INPUT, "a direction is x, y%s, not '%s'",
                         t->dim == 3 ? " or z" : "", s->word);
}

static carom_status read_row(node_table *t)
{
    row *r = CAROM_LIST_ADD(t->arena, &t->row);
    if (!r) return no_memory(t->error);
    for (int c = 0; c < t->n_column; c++) {
        int k = 0;
        while (t->column[k] != c) k++;
        if (k == NODE)
            CAROM_TRY(
                carom_scanner_count(&t->scanner, "the number of a node", 1e9, &r->node, t->error));
        else if (k == DIRECTION)
            CAROM_TRY(read_direction(t, &r->direction));
        else
            CAROM_TRY(
                carom_scanner_number(&t->scanner, "a coordinate", &r->place[k - X], t->error));
        if (c == 0) r->at = t->scanner.place;
    }
    if (!carom_scanner_word(&t->scanner)) return CAROM_OK;
    return carom_fail_at(t->error, t->scanner.place, CAROM_BAD_INPUT,
                         "this line has more than the %d columns of the header", t->n_column);
}

static int compare_rows(const void *a, const void *b)
{
    const row *const *x = a, *const *y = b;
    const int by_node = ((*x)->node > (*y)->node) - ((*x)->node < (*y)->node);
    return by_node ? by_node : (*x)->direction - (*y)->direction;
}

// by nodes; none may come twice
static carom_status sort_rows(const node_table *t, row ***sorted)
{
    *sorted = CAROM_TAKE(t->arena, row *, t->row.n);
    if (!*sorted) return no_memory(t->error);
    for (int i = 0; i < t->row.n; i++) (*sorted)[i] = &t->row.item[i];
    qsort(*sorted, (size_t)t->row.n, sizeof **sorted, compare_rows);
    for (int i = 1; i < t->row.n; i++)
        if (compare_rows(&(*sorted)[i - 1], &(*sorted)[i]) == 0)
            return carom_fail_at(t->error, (*sorted)[i]->at, CAROM_BAD_INPUT, "node %d comes twice",
                                 (*sorted)[i]->node);
    return CAROM_OK;
}

// ---- the unknowns ----

typedef struct unknowns {
    int n, room;
    int *node;
    char *direction;
    double (*place)[3];
} unknowns;

static void add_unknown(unknowns *u, const row *of, char direction)
{
    if (u->n < u->room) {
        u->node[u->n] = of->node;
        u->direction[u->n] = direction;
        memcpy(u->place[u->n], of->place, sizeof of->place);
    }
    u->n++;
}

static const row *find_node(row *const *sorted, int n, int node)
{
    int low = 0, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (sorted[middle]->node < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && sorted[low]->node == node ? sorted[low] : NULL;
}

static carom_status read_order(const node_table *t, const carom_source *source, row *const *sorted,
                               unknowns *u)
{
    carom_scanner s = carom_scanner_of(source);
    while (carom_scanner_line(&s, '#'))
        while (carom_scanner_word(&s)) {
            int node, direction, used = 0;
            const bool is_word = sscanf(s.word, "%d.%d%n", &node, &direction, &used) == 2 &&
                                 s.word[used] == 0 && direction >= 1 && direction <= t->dim;
            if (!is_word)
                return carom_fail_at(t->error, s.place, CAROM_BAD_INPUT,
                                     "an unknown is NODE.DIRECTION with directions 1 to %d, not "
                                     "'%s'",
                                     t->dim, s.word);
            const row *found = find_node(sorted, t->row.n, node);
            if (!found)
                return carom_fail_at(t->error, s.place, CAROM_BAD_INPUT,
                                     "node %d is not in the table of nodes", node);
            add_unknown(u, found, "xyz"[direction - 1]);
        }
    return CAROM_OK;
}

static void list_unknowns(const node_table *t, unknowns *u)
{
    for (int i = 0; i < t->row.n; i++) {
        const row *r = &t->row.item[i];
        if (t->column[DIRECTION] >= 0) add_unknown(u, r, r->direction);
        for (int k = 0; t->column[DIRECTION] < 0 && k < t->dim; k++) add_unknown(u, r, "xyz"[k]);
    }
}

carom_status carom_elastic_nodes_read(carom_modelfile *file, const carom_node *nodes,
                                      const carom_node *order, carom_elastic_matrices *matrices,
                                      carom_error *error)
{
    carom_source source, dof;
    node_table t = {.arena = file->arena, .error = error};
    row **sorted = NULL;
    const int n = matrices->n;
    unknowns u = {.room = n,
                  .node = CAROM_TAKE(file->arena, int, n),
                  .direction = CAROM_TAKE(file->arena, char, n)};
    u.place = carom_arena_take(file->arena, sizeof *u.place * (size_t)n);
    if (!u.node || !u.direction || !u.place) return no_memory(error);
    CAROM_TRY(carom_elastic_file_load(file, nodes, &source, error));
    t.scanner = carom_scanner_of(&source);
    CAROM_TRY(read_header(&t));
    while (carom_scanner_line(&t.scanner, '#')) CAROM_TRY(read_row(&t));
    CAROM_TRY(sort_rows(&t, &sorted));
    if (order) {
        CAROM_TRY(carom_elastic_file_load(file, order, &dof, error));
        CAROM_TRY(read_order(&t, &dof, sorted, &u));
    } else {
        list_unknowns(&t, &u);
    }
    if (u.n != n)
        return carom_fail_at(error, order ? order->place : nodes->place, CAROM_BAD_INPUT,
                             "the matrices have %d unknowns and %s says what %d are (%d nodes in "
                             "%s)%s",
                             n, order ? "the order" : "the table of nodes", u.n, t.row.n,
                             t.dim == 2 ? "the plane" : "space",
                             order ? ""
                                   : " (name each unknown in a column 'direction', or give "
                                     "their order: part.dof)");
    matrices->node = u.node;
    matrices->direction = u.direction;
    matrices->place = (const double(*)[3])u.place;
    return CAROM_OK;
}
