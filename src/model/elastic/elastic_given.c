// SPDX-License-Identifier: Apache-2.0
// Bodies of matrices that were given. They are looked at before they are used: symmetric, the mass
// positive definite, stiffness and damping without negative eigenvalues (all by factors of A + s M
// with a small s). Nodes that are held are struck out.
//
//     a point of several nodes    the mean of their displacements d = sum d_k / n, and the turn a
//                                 that fits them best:  J a = sum x_k x d_k
//                                                       J = sum (|x_k|^2 - x_k x_k')
#include "model/elastic/elastic_making.h"

#include "math/instead/capacity.h"
#include "math/sparse/ldl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double UNLIKE = 1e-6;   // of the larger one: entries that should be the same
static const double NEGATIVE = 1e-9; // of the stiffest node: eigenvalues below 0

// ---- what is wrong with a matrix ----

static double entry_at(const carom_sparse *A, int i, int j)
{
    int low = A->start[i], high = A->start[i + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (A->index[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < A->start[i + 1] && A->index[low] == j ? A->value[low] : 0;
}

static carom_status check_symmetry(const carom_elastic_making *m, const carom_sparse *A,
                                   const char *what)
{
    const carom_elastic_matrices *given = m->text->matrices;
    for (int i = 0; i < A->n_row; i++)
        for (int k = A->start[i]; k < A->start[i + 1]; k++) {
            const int j = A->index[k];
            const double a = A->value[k], b = entry_at(A, j, i);
            const double scale = fmax(fmax(fabs(a), fabs(b)),
                                      1e-6 * sqrt(fabs(entry_at(A, i, i) * entry_at(A, j, j))));
            if (fabs(a - b) <= UNLIKE * scale) continue;
            return carom_elastic_refuse(
                m, "files",
                "has a %s that is not symmetric: row %d, column %d (node %d, %c and "
                "node %d, %c) has %g, the other way round %g",
                what, i + 1, j + 1, given->node[i], given->direction[i], given->node[j],
                given->direction[j], a, b);
        }
    return CAROM_OK;
}

// the first unknown at which A + s M has no positive pivot; -1 = none, -2 = no memory
static int find_negative(const carom_sparse *A, const carom_sparse *M, double s)
{
    carom_arena *scratch = carom_arena_new();
    carom_sparse_sum sum = {.arena = scratch};
    carom_sparse B;
    carom_ldl *ldl = NULL;
    int found = -2;
    for (int i = 0; scratch && i < A->n_row; i++) {
        for (int k = A->start[i]; k < A->start[i + 1]; k++)
            carom_sparse_sum_add(&sum, i, A->index[k], A->value[k]);
        for (int k = M->start[i]; s > 0 && k < M->start[i + 1]; k++)
            carom_sparse_sum_add(&sum, i, M->index[k], s * M->value[k]);
    }
    if (scratch && carom_sparse_sum_finish(&sum, A->n_row, scratch, &B))
        ldl = carom_ldl_new(scratch, B.n_row, B.start, B.index);
    if (ldl) found = carom_ldl_factor(ldl, B.value);
    carom_arena_free(scratch);
    return found;
}

static carom_status check_sign(const carom_elastic_making *m, const carom_sparse *A,
                               const carom_sparse *M, const char *what)
{
    const carom_elastic_matrices *given = m->text->matrices;
    double s = 0;
    for (int i = 0; A != M && i < A->n_row; i++)
        s = fmax(s, NEGATIVE * fabs(entry_at(A, i, i)) / entry_at(M, i, i));
    const int bad = A != M && s == 0 ? -1 : find_negative(A, M, s);
    if (bad == -2) return carom_making_no_memory(m->making);
    if (bad < 0) return CAROM_OK;
    return carom_elastic_refuse(m, "files",
                                "has a %s that is not positive %sdefinite (seen at node "
                                "%d, %c, row %d; are the unknowns in the right order?)",
                                what, A == M ? "" : "semi", given->node[bad], given->direction[bad],
                                bad + 1);
}

// Factors of entries that stand anywhere fill up: that would take hours and all memory
static carom_status check_factors(const carom_elastic_making *m, const carom_sparse *A)
{
    static const double PER_SECOND = 1e9; // operations
    const carom_limits *limits = &m->making->builder->limits;
    if (!carom_factors_exist(A->n_row))
        return carom_elastic_refuse(m, "files",
                                    "has %d unknowns; this build of carom has no factors for more "
                                    "than %d",
                                    A->n_row, CAROM_MOST_DENSE);
    carom_arena *scratch = carom_arena_new();
    if (!scratch) return carom_making_no_memory(m->making);
    const double count = carom_ldl_count(scratch, A->n_row, A->start, A->index);
    carom_arena_free(scratch);
    if (count * count / A->n_row > limits->seconds * PER_SECOND)
        return carom_limit_fail(m->making->error, m->text->place,
                                "the factors of an elastic body would take", "seconds",
                                limits->seconds);
    if (count * (sizeof(double) + sizeof(int)) > limits->bytes)
        return carom_limit_fail(m->making->error, m->text->place,
                                "the factors of an elastic body would take", "bytes",
                                limits->bytes);
    return CAROM_OK;
}

static carom_status check_matrices(const carom_elastic_making *m)
{
    const carom_elastic_matrices *given = m->text->matrices;
    CAROM_TRY(check_factors(m, given->mass));
    CAROM_TRY(check_factors(m, given->stiffness));
    CAROM_TRY(check_symmetry(m, given->mass, "mass"));
    CAROM_TRY(check_symmetry(m, given->stiffness, "stiffness"));
    if (given->damping) CAROM_TRY(check_symmetry(m, given->damping, "damping"));
    CAROM_TRY(check_sign(m, given->mass, given->mass, "mass"));
    CAROM_TRY(check_sign(m, given->stiffness, given->mass, "stiffness"));
    return given->damping ? check_sign(m, given->damping, given->mass, "damping") : CAROM_OK;
}

// ---- unknowns ----

static int compare_nodes(const void *a, const void *b)
{
    const carom_elastic_node *x = a, *y = b;
    return x->node != y->node ? (x->node > y->node) - (x->node < y->node) : x->row - y->row;
}

// rows of the matrices by nodes
static carom_status sort_nodes(carom_elastic_making *m)
{
    const carom_elastic_matrices *given = m->text->matrices;
    m->by_node = CAROM_TAKE(m->making->arena, carom_elastic_node, given->n);
    if (!m->by_node) return carom_making_no_memory(m->making);
    for (int i = 0; i < given->n; i++) m->by_node[i] = (carom_elastic_node){given->node[i], i};
    qsort(m->by_node, (size_t)given->n, sizeof *m->by_node, compare_nodes);
    return CAROM_OK;
}

// the first of the rows of a node that a text names; they stand side by side in m->by_node
static carom_status find_rows(const carom_elastic_making *m, carom_text text, int *first)
{
    double number;
    int low = 0, high = m->text->matrices->n;
    CAROM_TRY(carom_making_number(m->making, text, "the number of a node", &number));
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (m->by_node[middle].node < number)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    if (low < m->text->matrices->n && m->by_node[low].node == number) return CAROM_OK;
    return carom_fail_at(m->making->error, text.place, CAROM_BAD_INPUT,
                         "the elastic body '%.60s' has no node %g", m->text->name.text, number);
}

static bool is_of_node(const carom_elastic_making *m, int at, int first)
{
    return at < m->text->matrices->n && m->by_node[at].node == m->by_node[first].node;
}

// m->unknown: of each row of the matrices, -1 = held
static carom_status number_unknowns(carom_elastic_making *m)
{
    const carom_elastic_matrices *given = m->text->matrices;
    const carom_word_text *fixed = carom_elastic_word(m, "fixed");
    m->unknown = CAROM_TAKE(m->making->arena, int, given->n);
    if (!m->unknown) return carom_making_no_memory(m->making);
    for (int k = 0; fixed && k < fixed->n; k++) {
        int first = 0;
        CAROM_TRY(find_rows(m, fixed->value[k], &first));
        for (int at = first; is_of_node(m, at, first); at++) m->unknown[m->by_node[at].row] = -1;
    }
    m->body->n = 0;
    for (int i = 0; i < given->n; i++) m->unknown[i] = m->unknown[i] < 0 ? -1 : m->body->n++;
    if (m->body->n == 0) return carom_elastic_refuse(m, "fixed", "has no unknowns: all is held");
    return CAROM_OK;
}

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static carom_status describe_unknowns(carom_elastic_making *m)
{
    const carom_elastic_matrices *given = m->text->matrices;
    carom_elastic *body = m->body;
    carom_arena *arena = m->making->model->arena;
    body->motion = CAROM_TAKE(arena, char, body->n);
    body->node = CAROM_TAKE(arena, int, body->n);
    body->at = carom_arena_take(arena, sizeof *body->at * (size_t)body->n);
    if (!body->motion || !body->node || !body->at) return carom_making_no_memory(m->making);
    for (int c = 0; c < 3; c++) body->axis[c][c] = 1;
    for (int i = 0; i < given->n; i++) {
        const int u = m->unknown[i];
        if (given->direction[i] < 'x' || given->direction[i] > 'z')
            return carom_elastic_refuse(m, "files", "has an unknown without a direction x, y or z");
        if (given->direction[i] == 'z') m->dim = 3;
        body->size = fmax(body->size, distance(given->place[i], given->place[0]));
        body->n_node += i == 0 || given->node[i] != given->node[i - 1];
        if (u < 0) continue;
        body->motion[u] = (char)(given->direction[i] - 'x' + 'u');
        body->node[u] = given->node[i];
        memcpy(body->at[u], given->place[i], sizeof body->at[u]);
    }
    return CAROM_OK;
}

carom_status carom_elastic_given(carom_elastic_making *m)
{
    const double most = m->making->builder->limits.members;
    m->dim = 2;
    m->making->n_member += m->text->matrices->n;
    if (m->making->n_member > most)
        return carom_limit_fail(m->making->error, m->text->place, "the families of the model have",
                                "members", most);
    CAROM_TRY(check_matrices(m));
    CAROM_TRY(sort_nodes(m));
    CAROM_TRY(number_unknowns(m));
    return describe_unknowns(m);
}

// ---- matrices ----

// half of what stands on both sides of the diagonal
static void add_matrix(const carom_elastic_making *m, const carom_sparse *A, double factor,
                       carom_sparse_sum *to)
{
    for (int i = 0; A && factor > 0 && i < A->n_row; i++)
        for (int k = A->start[i]; k < A->start[i + 1]; k++) {
            const int a = m->unknown[i], b = m->unknown[A->index[k]];
            carom_sparse_sum_add(to, a, b, 0.5 * factor * A->value[k]);
            carom_sparse_sum_add(to, b, a, 0.5 * factor * A->value[k]);
        }
}

// M g of all nodes, also of those that are held
static void weigh(carom_elastic_making *m)
{
    const carom_elastic_matrices *given = m->text->matrices;
    const carom_sparse *M = given->mass;
    for (int i = 0; i < M->n_row; i++)
        for (int k = M->start[i]; m->unknown[i] >= 0 && k < M->start[i + 1]; k++)
            m->body->load[m->unknown[i]] += M->value[k] * m->g[given->direction[M->index[k]] - 'x'];
}

carom_status carom_elastic_given_matrices(carom_elastic_making *m)
{
    const carom_elastic_matrices *given = m->text->matrices;
    double alpha, beta;
    CAROM_TRY(carom_elastic_size(m, "damping.mass", true, 0, &alpha));
    CAROM_TRY(carom_elastic_size(m, "damping.stiffness", true, 0, &beta));
    add_matrix(m, given->mass, 1, &m->matrices.M);
    add_matrix(m, given->stiffness, 1, &m->matrices.K);
    add_matrix(m, given->damping, 1, &m->matrices.D);
    add_matrix(m, given->mass, alpha, &m->matrices.D);
    add_matrix(m, given->stiffness, beta, &m->matrices.D);
    m->body->alpha = alpha;
    m->body->beta = beta;
    weigh(m);
    return CAROM_OK;
}

// ---- names ----

static carom_status add_name(const carom_elastic_making *m, const char *name, carom_ref ref)
{
    const carom_entry entry = {
        .name = name, .meaning = CAROM_MEANS_DEFINE, .ref = ref, .place = m->text->place};
    if (!name) return carom_making_no_memory(m->making);
    return carom_scope_add(m->making->scope, &entry, m->making->error);
}

// where nodes are: NAME.x[12], held ones too
static carom_status name_nodes(const carom_elastic_making *m)
{
    const carom_elastic_matrices *given = m->text->matrices;
    carom_graph *g = m->making->graph;
    for (int i = 0; i < given->n; i++) {
        const int u = m->unknown[i];
        if (u == CAROM_ELASTIC_DROPPED) continue;
        carom_ref place = carom_graph_number(g, given->place[i][given->direction[i] - 'x']);
        if (u >= 0) place = carom_graph_add(g, place, m->symbol[u]);
        CAROM_TRY(add_name(m,
                           carom_arena_format(m->making->arena, "%s.%c[%d]", m->body->name,
                                              given->direction[i], given->node[i]),
                           place));
    }
    return CAROM_OK;
}

// the nodes of a point: their places about the mean one, and their displacements
typedef struct node_group {
    int n;
    double mean[3], (*x)[3];
    carom_ref (*d)[3];
} node_group;

static carom_status gather(const carom_elastic_making *m, const carom_word_text *word,
                           node_group *group)
{
    const carom_elastic_matrices *given = m->text->matrices;
    const carom_ref zero = carom_graph_number(m->making->graph, 0);
    const size_t n = (size_t)word->n;
    *group = (node_group){.n = word->n};
    group->x = carom_arena_take(m->making->arena, sizeof *group->x * n);
    group->d = carom_arena_take(m->making->arena, sizeof *group->d * n);
    if (!group->x || !group->d) return carom_making_no_memory(m->making);
    for (int k = 0; k < word->n; k++) {
        int first = 0;
        CAROM_TRY(find_rows(m, word->value[k], &first));
        for (int c = 0; c < 3; c++) group->d[k][c] = zero;
        for (int at = first; is_of_node(m, at, first); at++) {
            const int i = m->by_node[at].row;
            memcpy(group->x[k], given->place[i], sizeof group->x[k]);
            if (m->unknown[i] >= 0)
                group->d[k][given->direction[i] - 'x'] = m->symbol[m->unknown[i]];
        }
        for (int c = 0; c < 3; c++) group->mean[c] += group->x[k][c] / word->n;
    }
    for (int k = 0; k < word->n; k++)
        for (int c = 0; c < 3; c++) group->x[k][c] -= group->mean[c];
    return CAROM_OK;
}

static carom_ref times_number(carom_graph *g, double factor, carom_ref ref)
{
    return carom_graph_mul(g, carom_graph_number(g, factor), ref);
}

// sum x_k x d_k
static void find_moment(carom_graph *g, const node_group *group, carom_ref moment[3])
{
    for (int c = 0; c < 3; c++) {
        const int a = (c + 1) % 3, b = (c + 2) % 3;
        moment[c] = carom_graph_number(g, 0);
        for (int k = 0; k < group->n; k++) {
            moment[c] =
                carom_graph_add(g, moment[c], times_number(g, group->x[k][a], group->d[k][b]));
            moment[c] =
                carom_graph_sub(g, moment[c], times_number(g, group->x[k][b], group->d[k][a]));
        }
    }
}

// J^-1; false where the nodes lie on one line
static bool invert_spread(const node_group *group, double inverse[3][3])
{
    double J[3][3] = {{0}}, trace = 0;
    for (int k = 0; k < group->n; k++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                const double *x = group->x[k];
                const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
                J[i][j] += (i == j ? square : 0) - x[i] * x[j];
            }
    for (int i = 0; i < 3; i++) trace += J[i][i];
    double det = 0;
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const int c = (j + 1) % 3, d = (j + 2) % 3;
            inverse[j][i] = J[a][c] * J[b][d] - J[a][d] * J[b][c];
        }
        det += J[0][i] * inverse[i][0];
    }
    if (!(det > 1e-12 * trace * trace * trace)) return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) inverse[i][j] /= det;
    return true;
}

// NAME.POINT.a in the plane; a, b, c about x, y, z in space
static carom_status name_turns(const carom_elastic_making *m, const char *point,
                               const node_group *group)
{
    carom_graph *g = m->making->graph;
    carom_ref moment[3];
    double spread = 0, inverse[3][3];
    find_moment(g, group, moment);
    for (int k = 0; k < group->n; k++)
        spread += group->x[k][0] * group->x[k][0] + group->x[k][1] * group->x[k][1];
    if (m->dim == 2) {
        if (!(spread > 0)) return CAROM_OK; // one node does not turn
        return add_name(m, carom_arena_format(m->making->arena, "%s.%s.a", m->body->name, point),
                        times_number(g, 1 / spread, moment[2]));
    }
    if (!invert_spread(group, inverse)) return CAROM_OK;
    for (int i = 0; i < 3; i++) {
        carom_ref turn = carom_graph_number(g, 0);
        for (int j = 0; j < 3; j++)
            turn = carom_graph_add(g, turn, times_number(g, inverse[i][j], moment[j]));
        CAROM_TRY(add_name(
            m, carom_arena_format(m->making->arena, "%s.%s.%c", m->body->name, point, "abc"[i]),
            turn));
    }
    return CAROM_OK;
}

static carom_status name_group(const carom_elastic_making *m, const char *point,
                               const node_group *group)
{
    carom_graph *g = m->making->graph;
    for (int c = 0; c < m->dim; c++) {
        carom_ref sum = carom_graph_number(g, 0);
        for (int k = 0; k < group->n; k++) sum = carom_graph_add(g, sum, group->d[k][c]);
        sum = times_number(g, 1.0 / group->n, sum);
        CAROM_TRY(add_name(
            m, carom_arena_format(m->making->arena, "%s.%s.%c", m->body->name, point, "uvw"[c]),
            sum));
        CAROM_TRY(add_name(
            m, carom_arena_format(m->making->arena, "%s.%s.%c", m->body->name, point, "xyz"[c]),
            carom_graph_add(g, carom_graph_number(g, group->mean[c]), sum)));
    }
    return name_turns(m, point, group);
}

carom_status carom_elastic_given_points(carom_elastic_making *m)
{
    static const char head[] = "points.", tail[] = ".nodes";
    CAROM_TRY(name_nodes(m));
    for (int i = 0; i < m->text->n_word; i++) {
        const carom_word_text *word = &m->text->word[i];
        const size_t n = strlen(word->key.text), n_head = strlen(head), n_tail = strlen(tail);
        if (strncmp(word->key.text, head, n_head) != 0) continue;
        if (n <= n_head + n_tail || strcmp(word->key.text + n - n_tail, tail) != 0)
            return carom_elastic_refuse(m, word->key.text,
                                        "has matrices: its points have 'nodes' "
                                        "and nothing else (write tip: {nodes: "
                                        "[4, 5]})");
        const char *point =
            carom_arena_copy(m->making->arena, word->key.text + n_head, n - n_head - n_tail);
        node_group group;
        if (!point) return carom_making_no_memory(m->making);
        CAROM_TRY(gather(m, word, &group));
        CAROM_TRY(name_group(m, point, &group));
    }
    return CAROM_OK;
}
