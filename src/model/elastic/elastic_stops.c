// SPDX-License-Identifier: Apache-2.0
// Stops: a node that meets an obstacle without friction and without mass of its own. Its
// displacements d_c follow the others, by what is stiff around it, and by the force la >= 0 of the
// obstacle with the normal n:
//
//     d_c = P d + K_cc^-1 (f_c + n la),   P = -K_cc^-1 K_ci,   0 <= gap = g + n.d_c _|_ la >= 0
//
// which has one answer, G = n'K_cc^-1 n:
//
//     gap0 = g + n.(P d + K_cc^-1 f_c),   la = max(0, -gap0)/G
//
// So la is a force of the model with the potential G la^2/2; there is no impulse, no restitution,
// and no loss that depends on the mesh. The mass of the node moves with the others as P says, so
// that all motions of a rigid body keep theirs: M := T'M T, T = [1; P], and so with K, D, loads.
// Nodes with stops are not neighbours, else their forces would decide on each other.
#include "expr/graph_nodes.h"
#include "model/elastic/elastic_making.h"

#include <math.h>
#include <string.h>

enum { MOST_MOTIONS = 3 };

// the displacements of one node that have no mass
struct carom_elastic_massless {
    int node, n, unknown[MOST_MOTIONS];
    char motion[MOST_MOTIONS];
    double inverse[MOST_MOTIONS][MOST_MOTIONS]; // K_cc^-1
    double load[MOST_MOTIONS];
    int n_share; // unknowns that it follows, by their new numbers
    int *share;
    double (*P)[MOST_MOTIONS]; // (n_share)
};

// one obstacle
struct carom_elastic_stop {
    const char *name;
    carom_text gap;
    const carom_elastic_massless *at;
    double normal[MOST_MOTIONS]; // along the motions of its node
};

static carom_status no_memory(const carom_elastic_making *m)
{
    return carom_making_no_memory(m->making);
}

// ---- words ----

static const char *key_of(const carom_elastic_making *m, const char *stop, const char *word)
{
    return carom_arena_format(m->making->arena, "stops.%s.%s", stop, word);
}

// the name of a stop, for its word `node`
static const char *stop_name(const carom_elastic_making *m, int i_word)
{
    static const char head[] = "stops.", tail[] = ".node";
    const char *key = m->text->word[i_word].key.text;
    const size_t n = strlen(key), n_head = sizeof head - 1, n_tail = sizeof tail - 1;
    if (strncmp(key, head, n_head) != 0 || n <= n_head + n_tail ||
        strcmp(key + n - n_tail, tail) != 0)
        return NULL;
    return carom_arena_copy(m->making->arena, key + n_head, n - n_head - n_tail);
}

static carom_status find_node(carom_elastic_making *m, const char *key,
                              carom_elastic_massless **found)
{
    double node;
    const carom_elastic *body = m->body;
    CAROM_TRY(carom_elastic_number(m, key, NAN, &node));
    for (int i = 0; i < m->n_massless; i++)
        if (m->massless[i].node == node) {
            *found = &m->massless[i];
            return CAROM_OK;
        }
    carom_elastic_massless *made = *found = &m->massless[m->n_massless++];
    *made = (carom_elastic_massless){.node = (int)node};
    for (int i = 0; i < body->n; i++) {
        if (body->node[i] != node || !strchr("uvw", body->motion[i])) continue;
        made->motion[made->n] = body->motion[i];
        made->unknown[made->n++] = i;
    }
    if (made->n > 0) return CAROM_OK;
    return carom_elastic_refuse(m, key, "has no node %g that moves", node);
}

static carom_status read_normal(carom_elastic_making *m, const char *key, carom_elastic_stop *stop)
{
    double normal[3], size = 0;
    CAROM_TRY(carom_elastic_vector(m, key, normal));
    for (int k = 0; k < 3; k++) size = hypot(size, normal[k]);
    if (!(size > 0))
        return carom_elastic_refuse(m, key,
                                    "needs a normal, from the obstacle to the node (write "
                                    "normal: [1, 0])");
    double rest = 1;
    for (int i = 0; i < stop->at->n; i++) {
        const int along = stop->at->motion[i] - 'u';
        for (int c = 0; c < 3; c++)
            stop->normal[i] +=
                normal[c] / size * (m->text->matrices ? along == c : m->axis[along][c]);
        rest -= stop->normal[i] * stop->normal[i];
    }
    if (rest < 1e-12) return CAROM_OK;
    return carom_elastic_refuse(m, key, "has a stop along which node %d does not move",
                                stop->at->node);
}

static carom_status read_stop(carom_elastic_making *m, const char *name, carom_elastic_stop *stop)
{
    carom_elastic_massless *at;
    const char *node = key_of(m, name, "node"), *normal = key_of(m, name, "normal"),
               *gap = key_of(m, name, "gap");
    if (!node || !normal || !gap) return no_memory(m);
    const carom_word_text *word = carom_elastic_word(m, gap);
    if (!word || word->n != 1)
        return carom_elastic_refuse(m, node, "needs the gap of its stop '%.40s' (write gap: 1e-4)",
                                    name);
    CAROM_TRY(find_node(m, node, &at));
    *stop = (carom_elastic_stop){.name = name, .gap = word->value[0], .at = at};
    return read_normal(m, normal, stop);
}

// ---- what has no mass is eliminated ----

typedef struct elimination {
    carom_elastic_making *m;
    carom_arena *scratch;
    int n;                              // unknowns so far
    int *number;                        // (n) new one; -1 = eliminated
    const carom_elastic_massless **own; // (n) whose it is, or NULL
    int *place;                         // (n) which of its motions
    carom_sparse M, K, D;
} elimination;

static bool invert(int n, double A[MOST_MOTIONS][MOST_MOTIONS],
                   double inverse[MOST_MOTIONS][MOST_MOTIONS])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) inverse[i][j] = i == j;
    for (int k = 0; k < n; k++) { // positive definite: no pivoting
        if (!(A[k][k] > 0)) return false;
        for (int i = 0; i < n; i++) {
            const double factor = A[i][k] / A[k][k];
            for (int j = 0; j < n && i != k; j++) {
                A[i][j] -= factor * A[k][j];
                inverse[i][j] -= factor * inverse[k][j];
            }
        }
        const double pivot = A[k][k];
        for (int j = 0; j < n; j++) {
            A[k][j] /= pivot;
            inverse[k][j] /= pivot;
        }
    }
    return true;
}

static bool number_unknowns(elimination *e)
{
    e->number = CAROM_TAKE(e->scratch, int, e->n);
    e->own = CAROM_TAKE(e->scratch, const carom_elastic_massless *, e->n);
    e->place = CAROM_TAKE(e->scratch, int, e->n);
    if (!e->number || !e->own || !e->place) return false;
    for (int i = 0; i < e->m->n_massless; i++)
        for (int k = 0; k < e->m->massless[i].n; k++) {
            e->own[e->m->massless[i].unknown[k]] = &e->m->massless[i];
            e->place[e->m->massless[i].unknown[k]] = k;
        }
    for (int i = 0, n = 0; i < e->n; i++) e->number[i] = e->own[i] ? -1 : n++;
    return true;
}

static carom_status find_stiffness(const elimination *e, carom_elastic_massless *c)
{
    double A[MOST_MOTIONS][MOST_MOTIONS] = {{0}};
    int n_entry = 0;
    for (int i = 0; i < c->n; i++)
        for (int k = e->K.start[c->unknown[i]]; k < e->K.start[c->unknown[i] + 1]; k++, n_entry++) {
            const int j = e->K.index[k];
            if (e->own[j] == c) A[i][e->place[j]] = e->K.value[k];
            if (!e->own[j] || e->own[j] == c || e->K.value[k] == 0) continue;
            return carom_elastic_refuse(e->m, "stops",
                                        "has stops at the neighbours %d and %d: a node with mass "
                                        "must be between them",
                                        c->node, e->own[j]->node);
        }
    if (!invert(c->n, A, c->inverse))
        return carom_elastic_refuse(e->m, "stops", "holds node %d by nothing", c->node);
    c->share = CAROM_TAKE(e->m->making->arena, int, n_entry);
    c->P = carom_arena_take(e->m->making->arena, sizeof *c->P * (size_t)(n_entry + 1));
    return c->share && c->P ? CAROM_OK : no_memory(e->m);
}

static void find_shares(const elimination *e, carom_elastic_massless *c)
{
    for (int i = 0; i < c->n; i++)
        for (int k = e->K.start[c->unknown[i]]; k < e->K.start[c->unknown[i] + 1]; k++) {
            const int j = e->number[e->K.index[k]];
            int at = 0;
            if (j < 0) continue;
            while (at < c->n_share && c->share[at] != j) at++;
            if (at == c->n_share) {
                c->share[c->n_share++] = j;
                memset(c->P[at], 0, sizeof c->P[at]);
            }
            for (int row = 0; row < c->n; row++)
                c->P[at][row] -= c->inverse[row][i] * e->K.value[k];
        }
}

// entry of T: what unknown i is of the new unknown number k of its shares
static int n_share_of(const elimination *e, int i)
{
    return e->own[i] ? e->own[i]->n_share : 1;
}

static double share_of(const elimination *e, int i, int k, int *number)
{
    *number = e->own[i] ? e->own[i]->share[k] : e->number[i];
    return e->own[i] ? e->own[i]->P[k][e->place[i]] : 1;
}

// T'A T
static void replace(const elimination *e, const carom_sparse *A, carom_sparse_sum *to)
{
    to->entry.n = 0;
    for (int i = 0; i < e->n; i++)
        for (int k = A->start[i]; k < A->start[i + 1]; k++) {
            const int j = A->index[k];
            for (int a = 0; a < n_share_of(e, i); a++)
                for (int b = 0; b < n_share_of(e, j); b++) {
                    int row, column;
                    const double left = share_of(e, i, a, &row), right = share_of(e, j, b, &column);
                    carom_sparse_sum_add(to, row, column, left * A->value[k] * right);
                }
        }
}

static carom_status replace_loads(const elimination *e)
{
    carom_elastic *body = e->m->body;
    double *load = CAROM_TAKE(e->m->making->model->arena, double, e->n);
    if (!load) return no_memory(e->m);
    for (int i = 0; i < e->n; i++)
        for (int k = 0; k < n_share_of(e, i); k++) {
            int number;
            const double share = share_of(e, i, k, &number);
            load[number] += share * body->load[i];
        }
    for (int c = 0; c < e->m->n_massless; c++)
        for (int k = 0; k < e->m->massless[c].n; k++)
            e->m->massless[c].load[k] = body->load[e->m->massless[c].unknown[k]];
    body->load = load;
    return CAROM_OK;
}

// the new number of an unknown; those that are eliminated stand behind all others
static int renumber(const elimination *e, int i)
{
    int behind = e->m->body->n;
    if (!e->own[i]) return e->number[i];
    for (const carom_elastic_massless *c = e->m->massless; c < e->own[i]; c++) behind += c->n;
    return behind + e->place[i];
}

static void rename_unknowns(elimination *e)
{
    carom_elastic_making *m = e->m;
    carom_elastic *body = m->body;
    body->n = 0;
    for (int i = 0; i < e->n; i++) {
        if (e->own[i]) continue;
        body->motion[body->n] = body->motion[i];
        body->node[body->n] = body->node[i];
        memcpy(body->at[body->n++], body->at[i], sizeof body->at[0]);
    }
    const int n_line = m->text->matrices ? 0 : (m->line.n_element + 1) * CAROM_LINE_MOTIONS;
    for (int k = 0; k < n_line; k++)
        if (m->line.unknown[k] >= 0) m->line.unknown[k] = renumber(e, m->line.unknown[k]);
    for (int i = 0; m->text->matrices && i < m->text->matrices->n; i++)
        if (m->unknown[i] >= 0) m->unknown[i] = renumber(e, m->unknown[i]);
}

static carom_status eliminate(elimination *e)
{
    carom_elastic_making *m = e->m;
    carom_line_matrices *given = &m->matrices;
    if (!number_unknowns(e) || !carom_sparse_sum_finish(&given->M, e->n, e->scratch, &e->M) ||
        !carom_sparse_sum_finish(&given->K, e->n, e->scratch, &e->K) ||
        (given->D.entry.n > 0 && !carom_sparse_sum_finish(&given->D, e->n, e->scratch, &e->D)))
        return no_memory(m);
    for (int i = 0; i < m->n_massless; i++) {
        CAROM_TRY(find_stiffness(e, &m->massless[i]));
        find_shares(e, &m->massless[i]);
    }
    replace(e, &e->M, &given->M);
    replace(e, &e->K, &given->K);
    if (e->D.n_row > 0) replace(e, &e->D, &given->D);
    CAROM_TRY(replace_loads(e));
    rename_unknowns(e);
    return CAROM_OK;
}

carom_status carom_elastic_stops(carom_elastic_making *m)
{
    int n = 0;
    for (int i = 0; i < m->text->n_word; i++) n += stop_name(m, i) != NULL;
    if (n == 0) return CAROM_OK;
    if (carom_elastic_word(m, "reduce.modes"))
        return carom_elastic_refuse(m, "reduce.modes",
                                    "has stops, which are not reduced (leave "
                                    "one of both out)");
    m->stop = CAROM_TAKE(m->making->arena, carom_elastic_stop, n);
    m->massless = CAROM_TAKE(m->making->arena, carom_elastic_massless, n);
    if (!m->stop || !m->massless) return no_memory(m);
    for (int i = 0; i < m->text->n_word; i++) {
        const char *name = stop_name(m, i);
        if (name) CAROM_TRY(read_stop(m, name, &m->stop[m->n_stop++]));
    }
    elimination e = {.m = m, .n = m->body->n, .scratch = carom_arena_new()};
    const carom_status status = e.scratch ? eliminate(&e) : no_memory(m);
    carom_arena_free(e.scratch);
    return status;
}

// ---- what they are as expressions ----

static carom_status add_name(const carom_elastic_making *m, const char *name, carom_ref ref)
{
    const carom_entry entry = {
        .name = name, .meaning = CAROM_MEANS_DEFINE, .ref = ref, .place = m->text->place};
    if (!name) return no_memory(m);
    return carom_scope_add(m->making->scope, &entry, m->making->error);
}

// P d + K_cc^-1 f_c
static carom_ref follow(const carom_elastic_making *m, const carom_elastic_massless *c, int k)
{
    carom_graph *g = m->making->graph;
    double still = 0;
    for (int i = 0; i < c->n; i++) still += c->inverse[k][i] * c->load[i];
    carom_ref sum = carom_graph_number(g, still);
    for (int i = 0; i < c->n_share; i++)
        sum = carom_graph_add(g, sum, carom_graph_scale(g, c->P[i][k], m->symbol[c->share[i]]));
    return sum;
}

// the force of a stop; what it moves is added to the displacements of its node
static carom_status push(carom_elastic_making *m, const carom_elastic_stop *stop,
                         carom_ref *displacement)
{
    static const carom_allowed positions = {.no_rates = "a gap depends on positions and time only"};
    const carom_elastic_massless *c = stop->at;
    carom_graph *g = m->making->graph;
    double G = 0, soft[MOST_MOTIONS] = {0};
    carom_ref gap;
    CAROM_TRY(carom_making_node(m->making, stop->gap, positions, &gap));
    for (int i = 0; i < c->n; i++) {
        for (int j = 0; j < c->n; j++) soft[i] += c->inverse[i][j] * stop->normal[j];
        G += stop->normal[i] * soft[i];
    }
    for (int i = 0; i < c->n; i++)
        gap = carom_graph_add(g, gap, carom_graph_scale(g, stop->normal[i], follow(m, c, i)));
    const carom_ref zero = carom_graph_number(g, 0);
    const carom_ref deep = carom_graph_make(g, CAROM_OP_MAX, zero, carom_graph_negate(g, gap), -1);
    const carom_ref force = carom_graph_scale(g, 1 / G, deep);
    for (int i = 0; i < c->n; i++)
        displacement[i] = carom_graph_add(g, displacement[i], carom_graph_scale(g, soft[i], force));
    const carom_ref energy = carom_graph_scale(g, 0.5 / G, carom_graph_mul(g, deep, deep));
    if (!carom_refs_add(m->making->arena, &m->making->stop_energy, energy)) return no_memory(m);
    CAROM_TRY(add_name(
        m, carom_arena_format(m->making->arena, "%s.%s.force", m->body->name, stop->name), force));
    return add_name(m, carom_arena_format(m->making->arena, "%s.%s.gap", m->body->name, stop->name),
                    carom_graph_add(g, gap, deep));
}

carom_status carom_elastic_stop_names(carom_elastic_making *m)
{
    int at = m->body->n, n_dropped = 0;
    for (int i = 0; i < m->n_massless; i++) n_dropped += m->massless[i].n;
    carom_elastic_dropped *dropped =
        CAROM_TAKE(m->making->model->arena, carom_elastic_dropped, n_dropped);
    if (!dropped) return no_memory(m);
    m->body->dropped = dropped;
    for (int i = 0; i < m->n_massless; i++) {
        const carom_elastic_massless *c = &m->massless[i];
        carom_ref *d = m->symbol + at;
        for (int k = 0; k < c->n; k++) d[k] = follow(m, c, k);
        for (int s = 0; s < m->n_stop; s++)
            if (m->stop[s].at == c) CAROM_TRY(push(m, &m->stop[s], d));
        for (int k = 0; k < c->n; k++) {
            dropped[m->body->n_dropped++] = (carom_elastic_dropped){c->node, c->motion[k], d[k]};
            CAROM_TRY(add_name(m,
                               carom_arena_format(m->making->arena, "%s.%c[%d]", m->body->name,
                                                  c->motion[k], c->node),
                               d[k]));
        }
        at += c->n;
    }
    return CAROM_OK;
}
