// SPDX-License-Identifier: Apache-2.0
// Reduction to nodes that are kept (b) and a few modes of the others (i), R. Craig and M. Bampton:
//
//     d = T (d_b, eta),   d_i = P d_b + F eta
//     P = -K_ii^-1 K_ib                        what follows from the kept nodes in statics
//     (K_ii - w^2 M_ii) F = 0,  F'M_ii F = 1   the r lowest modes with the kept nodes held
//     M := T'M T,  D := T'D T,  load := T'load,  K := diag(K_bb + K_bi P, w^2)
//
// Nodes of points are kept. The lowest mode that is dropped is told: what is faster is lost.
#include "model/elastic/elastic_making.h"
#include "model/elastic/elastic_modes.h"

#include "math/instead/capacity.h"
#include "math/sparse/ldl.h"

#include <math.h>
#include <string.h>

enum { MOST_MODES = 50, MOST_UNKNOWNS = 600 };

typedef struct reduction {
    carom_elastic_making *m;
    carom_arena *scratch;
    int n, n_kept, n_mode; // unknowns, those that are kept, modes
    int *kept;             // (n) number among the kept ones, -1 = inner
    int *inner;            // (n) number among the inner ones, -1 = kept
    carom_sparse M, K, D;
    carom_sparse K_ii, M_ii;
    double *T; // (n (n_kept + n_mode)) by columns
    carom_elastic_modes modes;
} reduction;

static carom_status no_memory(const reduction *r)
{
    return carom_making_no_memory(r->m->making);
}

// ---- which are kept ----

static void keep_node(const carom_elastic_making *m, int node, unsigned char *is_kept)
{
    for (int i = 0; i < m->body->n; i++)
        if (m->body->node[i] == node) is_kept[i] = 1;
}

static carom_status keep_listed(const carom_elastic_making *m, const carom_word_text *word,
                                unsigned char *is_kept)
{
    for (int k = 0; word && k < word->n; k++) {
        double node;
        bool is_there = false;
        CAROM_TRY(carom_making_number(m->making, word->value[k], "the number of a node", &node));
        for (int i = 0; i < m->body->n; i++) is_there |= m->body->node[i] == node;
        if (!is_there)
            return carom_fail_at(m->making->error, word->value[k].place, CAROM_BAD_INPUT,
                                 "the elastic body '%.60s' has no node %g that moves",
                                 m->text->name.text, node);
        keep_node(m, (int)node, is_kept);
    }
    return CAROM_OK;
}

// nodes that points are made of
static carom_status keep_points(const carom_elastic_making *m, unsigned char *is_kept)
{
    for (int i = 0; i < m->text->n_word; i++) {
        const carom_word_text *word = &m->text->word[i];
        const char *dot = strrchr(word->key.text, '.');
        double x;
        if (strncmp(word->key.text, "points.", 7) != 0) continue;
        if (strcmp(dot, ".nodes") == 0) CAROM_TRY(keep_listed(m, word, is_kept));
        if (strcmp(dot, ".at") != 0) continue;
        CAROM_TRY(carom_elastic_number(m, word->key.text, NAN, &x));
        const int last = m->line.n_element - 1, at = (int)floor(x / m->line.length);
        const int e = at < 0 ? 0 : at < last ? at : last;
        keep_node(m, e, is_kept);
        keep_node(m, e + 1, is_kept);
    }
    return CAROM_OK;
}

static carom_status choose(reduction *r)
{
    const carom_elastic_making *m = r->m;
    unsigned char *is_kept = CAROM_TAKE(r->scratch, unsigned char, r->n);
    r->kept = CAROM_TAKE(r->scratch, int, r->n);
    r->inner = CAROM_TAKE(r->scratch, int, r->n);
    if (!is_kept || !r->kept || !r->inner) return no_memory(r);
    CAROM_TRY(keep_listed(m, carom_elastic_word(m, "reduce.keep"), is_kept));
    CAROM_TRY(keep_points(m, is_kept));
    int n_inner = 0;
    for (int i = 0; i < r->n; i++) {
        r->kept[i] = is_kept[i] ? r->n_kept++ : -1;
        r->inner[i] = is_kept[i] ? -1 : n_inner++;
    }
    double modes;
    CAROM_TRY(carom_elastic_size(m, "reduce.modes", true, NAN, &modes));
    if (modes != floor(modes) || modes > MOST_MODES || modes > n_inner)
        return carom_elastic_refuse(m, "reduce.modes",
                                    "keeps a whole number of modes, up to %d, "
                                    "not %g",
                                    n_inner < MOST_MODES ? n_inner : (int)MOST_MODES, modes);
    r->n_mode = (int)modes;
    const int n_unknown = r->n_kept + r->n_mode;
    if (n_unknown > 0 && n_unknown <= MOST_UNKNOWNS) return CAROM_OK;
    return carom_elastic_refuse(m, "reduce.keep",
                                "would have %d unknowns after its reduction, whose "
                                "matrices are full (from 1 to %d)",
                                n_unknown, MOST_UNKNOWNS);
}

// ---- static and dynamic shapes ----

static bool take_inner(reduction *r, const carom_sparse *A, carom_sparse *inner)
{
    carom_sparse_sum sum = {.arena = r->scratch};
    for (int i = 0; i < r->n; i++)
        for (int k = A->start[i]; k < A->start[i + 1]; k++)
            carom_sparse_sum_add(&sum, r->inner[i], r->inner[A->index[k]], A->value[k]);
    return carom_sparse_sum_finish(&sum, r->n - r->n_kept, r->scratch, inner);
}

static double *column_of(const reduction *r, int c)
{
    return r->T + (size_t)c * (size_t)r->n;
}

static carom_status find_static(reduction *r)
{
    const int n_inner = r->n - r->n_kept;
    if (!carom_factors_exist(n_inner))
        return carom_elastic_refuse(r->m, "reduce",
                                    "has %d unknowns to be reduced; this build of carom has no "
                                    "factors for more than %d",
                                    n_inner, CAROM_MOST_DENSE);
    double *x = CAROM_TAKE(r->scratch, double, n_inner);
    carom_ldl *ldl = carom_ldl_new(r->scratch, n_inner, r->K_ii.start, r->K_ii.index);
    if (!x || !ldl) return no_memory(r);
    if (carom_ldl_factor(ldl, r->K_ii.value) >= 0)
        return carom_elastic_refuse(r->m, "reduce.keep",
                                    "moves freely where its kept nodes are held "
                                    "(keep more nodes)");
    for (int b = 0; b < r->n; b++) {
        if (r->kept[b] < 0) continue;
        double *T = column_of(r, r->kept[b]);
        memset(x, 0, sizeof(double) * (size_t)n_inner);
        for (int k = r->K.start[b]; k < r->K.start[b + 1]; k++)
            if (r->inner[r->K.index[k]] >= 0) x[r->inner[r->K.index[k]]] = -r->K.value[k];
        carom_ldl_solve(ldl, x);
        for (int i = 0; i < r->n; i++) T[i] = r->inner[i] >= 0 ? x[r->inner[i]] : i == b;
    }
    return CAROM_OK;
}

static carom_status find_modes(reduction *r)
{
    int bad;
    const int n_inner = r->n - r->n_kept;
    const carom_status status =
        carom_elastic_modes_find(&r->M_ii, &r->K_ii, r->n_mode + 1, r->scratch, &r->modes, &bad);
    if (status == CAROM_NO_MEMORY) return no_memory(r);
    if (status != CAROM_OK)
        return carom_elastic_refuse(r->m, "reduce.modes",
                                    "has modes that were not found (keep "
                                    "other nodes)");
    for (int c = 0; c < r->n_mode; c++) {
        double *T = column_of(r, r->n_kept + c);
        for (int i = 0; i < r->n; i++)
            T[i] = r->inner[i] >= 0 ? r->modes.shape[(ptrdiff_t)c * n_inner + r->inner[i]] : 0;
    }
    r->m->body->first_dropped =
        r->modes.n > r->n_mode ? sqrt(fmax(r->modes.value[r->n_mode], 0)) : INFINITY;
    return CAROM_OK;
}

// ---- T'A T ----

static bool project(const reduction *r, const carom_sparse *A, carom_sparse_sum *to)
{
    const int n = r->n_kept + r->n_mode;
    double *y = CAROM_TAKE(r->scratch, double, r->n);
    to->entry.n = 0;
    for (int a = 0; y && a < n; a++) {
        const double *T = column_of(r, a);
        for (int i = 0; i < r->n; i++) {
            y[i] = 0;
            for (int k = A->start[i]; k < A->start[i + 1]; k++)
                y[i] += A->value[k] * T[A->index[k]];
        }
        for (int b = 0; b <= a; b++) {
            const double *other = column_of(r, b);
            double sum = 0;
            for (int i = 0; i < r->n; i++) sum += other[i] * y[i];
            carom_sparse_sum_add(to, a, b, sum);
            if (a != b) carom_sparse_sum_add(to, b, a, sum);
        }
    }
    return y != NULL;
}

// modes and static shapes do not meet in the stiffness
static void clean_stiffness(const reduction *r, carom_sparse_sum *K)
{
    for (int k = 0; k < K->entry.n; k++) {
        carom_sparse_part *part = &K->entry.item[k];
        if (part->row < r->n_kept && part->column < r->n_kept) continue;
        const bool is_own = part->row == part->column;
        part->value = is_own ? fmax(r->modes.value[part->row - r->n_kept], 0) : 0;
    }
}

static carom_status replace_matrices(reduction *r)
{
    carom_line_matrices *matrices = &r->m->matrices;
    bool is_good = project(r, &r->M, &matrices->M) && project(r, &r->K, &matrices->K);
    clean_stiffness(r, &matrices->K);
    if (r->D.n_row > 0) is_good &= project(r, &r->D, &matrices->D);
    double *load = CAROM_TAKE(r->m->making->model->arena, double, r->n_kept + r->n_mode);
    if (!is_good || !load) return no_memory(r);
    for (int c = 0; c < r->n_kept + r->n_mode; c++)
        for (int i = 0; i < r->n; i++) load[c] += column_of(r, c)[i] * r->m->body->load[i];
    r->m->body->load = load;
    return CAROM_OK;
}

// the unknowns that are left, and where they are found
static void rename_unknowns(reduction *r)
{
    carom_elastic *body = r->m->body;
    carom_elastic_making *m = r->m;
    body->n_before = r->n;
    body->n_kept = r->n_mode;
    for (int i = 0; i < r->n; i++) {
        const int k = r->kept[i];
        if (k < 0) continue;
        body->motion[k] = body->motion[i]; // k <= i
        body->node[k] = body->node[i];
        memcpy(body->at[k], body->at[i], sizeof body->at[k]);
    }
    body->n = r->n_kept + r->n_mode;
    for (int c = 0; c < r->n_mode; c++) {
        body->motion[r->n_kept + c] = 'm';
        body->node[r->n_kept + c] = c + 1;
        memset(body->at[r->n_kept + c], 0, sizeof body->at[0]);
    }
    const int n_line = m->text->matrices ? 0 : (m->line.n_element + 1) * CAROM_LINE_MOTIONS;
    for (int k = 0; k < n_line; k++)
        if (m->line.unknown[k] >= 0) m->line.unknown[k] = r->kept[m->line.unknown[k]];
    for (int i = 0; m->text->matrices && i < m->text->matrices->n; i++)
        if (m->unknown[i] >= 0)
            m->unknown[i] =
                r->kept[m->unknown[i]] >= 0 ? r->kept[m->unknown[i]] : CAROM_ELASTIC_DROPPED;
}

static carom_status reduce(reduction *r)
{
    const carom_line_matrices *given = &r->m->matrices;
    CAROM_TRY(choose(r));
    r->T = CAROM_TAKE(r->scratch, double, r->n *(r->n_kept + r->n_mode));
    if (!r->T || !carom_sparse_sum_finish(&given->M, r->n, r->scratch, &r->M) ||
        !carom_sparse_sum_finish(&given->K, r->n, r->scratch, &r->K) ||
        (given->D.entry.n > 0 && !carom_sparse_sum_finish(&given->D, r->n, r->scratch, &r->D)) ||
        !take_inner(r, &r->K, &r->K_ii) || !take_inner(r, &r->M, &r->M_ii))
        return no_memory(r);
    if (r->n_kept > 0 && r->n_kept < r->n) CAROM_TRY(find_static(r));
    for (int i = 0; r->n_kept == r->n && i < r->n; i++) column_of(r, i)[i] = 1;
    if (r->n_kept < r->n) CAROM_TRY(find_modes(r));
    CAROM_TRY(replace_matrices(r));
    rename_unknowns(r);
    return CAROM_OK;
}

carom_status carom_elastic_reduce(carom_elastic_making *m)
{
    if (!carom_elastic_word(m, "reduce.modes")) return CAROM_OK;
    reduction r = {.m = m, .n = m->body->n, .scratch = carom_arena_new()};
    const carom_status status = r.scratch ? reduce(&r) : carom_making_no_memory(m->making);
    carom_arena_free(r.scratch);
    return status;
}
