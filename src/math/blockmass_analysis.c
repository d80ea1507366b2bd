// SPDX-License-Identifier: Apache-2.0
// The analysis of a block-structured matrix: connected parts of the pattern by union and
// find, then for each part where its values are and the memory for its factors. Everything
// that allocates is here.
#include "math/blockmass_block.h"

#include "math/instead/capacity.h"

#include <string.h>

enum {
    DENSE_ROWS = 64,
    FULLNESS = 4,
    BAND_ROWS = 9, // fewer are dense, and
    NARROW = 4     // a band must be narrower than this share of the rows
};

static int find_root(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// numbers the connected parts by their smallest row; block_of holds the parents on the way
static int find_blocks(carom_mass *m)
{
    int *parent = m->block_of;
    for (int i = 0; i < m->n; i++) parent[i] = i;
    for (int i = 0; i < m->n; i++)
        for (int k = m->start[i]; k < m->start[i + 1]; k++) {
            const int a = find_root(parent, i), b = find_root(parent, m->index[k]);
            // the smaller row is the root, so that roots come before their members
            if (a < b)
                parent[b] = a;
            else
                parent[a] = b;
        }
    for (int i = 0; i < m->n; i++) parent[i] = find_root(parent, i);
    int n_block = 0;
    for (int i = 0; i < m->n; i++) parent[i] = parent[i] == i ? n_block++ : parent[parent[i]];
    return n_block;
}

static void list_members(carom_mass *m)
{
    for (int i = 0; i < m->n; i++) m->block[m->block_of[i]].n++;
    int used = 0;
    for (int b = 0; b < m->n_block; b++) {
        m->block[b].member = m->member + used;
        used += m->block[b].n;
        m->block[b].n = 0;
    }
    for (int i = 0; i < m->n; i++) {
        block *b = &m->block[m->block_of[i]];
        m->member[b->member - m->member + b->n++] = i;
    }
}

int carom_mass_find(const carom_mass *m, int i, int j)
{
    int low = m->start[i], high = m->start[i + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (m->index[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->start[i + 1] && m->index[low] == j ? low : -1;
}

static bool prepare_dense(carom_mass *m, block *b, carom_arena *arena)
{
    const size_t n = (size_t)b->n;
    b->entry = carom_arena_take(arena, sizeof(int) * (n * (n + 1) / 2));
    if (!b->factor) b->factor = carom_arena_take(arena, sizeof(double) * n * n);
    b->reciprocal = CAROM_TAKE(arena, double, b->n);
    if (!b->entry || !b->factor || !b->reciprocal) return false;
    int *entry = b->entry;
    for (int i = 0; i < b->n; i++)
        for (int j = i; j < b->n; j++) *entry++ = carom_mass_find(m, b->member[i], b->member[j]);
    return true;
}

// the block as a band; where it is none it stays what it was
static void prepare_band(block *b, const int *start, const int *index, carom_arena *arena)
{
    b->band = carom_narrow_new(arena, b->n, start, index, true);
    if (b->band && (b->kind == SPARSE || NARROW * carom_narrow_width(b->band) < b->n))
        b->kind = BAND;
}

// the block's own pattern, with rows numbered within the block
static bool prepare_sparse(carom_mass *m, block *b, int n_entry, carom_arena *arena)
{
    int *start = CAROM_TAKE(arena, int, b->n + 1), *index = CAROM_TAKE(arena, int, n_entry);
    int *place = CAROM_TAKE(arena, int, m->n);
    b->entry = CAROM_TAKE(arena, int, n_entry);
    if (!start || !index || !place || !b->entry) return false;
    for (int i = 0; i < b->n; i++) place[b->member[i]] = i;
    int used = 0;
    for (int i = 0; i < b->n; i++) {
        const int row = b->member[i];
        for (int k = m->start[row]; k < m->start[row + 1]; k++) {
            b->entry[used] = k;
            index[used++] = place[m->index[k]];
        }
        start[i + 1] = used;
    }
    b->n_entry = n_entry;
    prepare_band(b, start, index, arena);
    if (b->kind == DENSE) return prepare_dense(m, b, arena);
    if (b->kind == SPARSE) b->ldl = carom_ldl_new(arena, b->n, start, index);
    b->recall = carom_recall_new(arena, b->n);
    if (!m->gathered) m->gathered = CAROM_TAKE(arena, double, m->start[m->n]);
    return (b->ldl || b->band) && m->gathered;
}

static bool prepare(carom_mass *m, block *b, carom_arena *arena)
{
    int n_entry = 0;
    for (int i = 0; i < b->n; i++) n_entry += m->start[b->member[i] + 1] - m->start[b->member[i]];
    b->is_consecutive = b->member[b->n - 1] - b->member[0] == b->n - 1;
    const bool is_full = (double)n_entry * FULLNESS > (double)b->n * b->n;
    if (b->n <= 3)
        b->kind = (block_kind)(b->n - 1);
    else
        b->kind = b->n <= DENSE_ROWS || is_full || !carom_factors_exist(b->n) ? DENSE : SPARSE;
    const bool can_be_band = b->kind == DENSE && b->n >= BAND_ROWS && !is_full;
    return b->kind == SPARSE || can_be_band ? prepare_sparse(m, b, n_entry, arena)
                                            : prepare_dense(m, b, arena);
}

// single rows and pairs stand side by side, and so do the factors of each kind
static bool list_kinds(carom_mass *m, carom_arena *arena)
{
    int n_of[4] = {0};
    for (int i = 0; i < m->n_block; i++)
        if (m->block[i].n <= 3) n_of[m->block[i].n]++;
    const int first[4] = {0, 0, n_of[1], n_of[1] + 3 * n_of[2]};
    m->one = CAROM_TAKE(arena, int, n_of[1]);
    m->two = CAROM_TAKE(arena, int, 2 * n_of[2]);
    m->small = CAROM_TAKE(arena, double, first[3] + 6 * n_of[3]);
    m->rest = CAROM_TAKE(arena, block *, m->n_block);
    m->varying = CAROM_TAKE(arena, block *, m->n_block);
    if (!m->one || !m->two || !m->small || !m->rest || !m->varying) return false;
    for (int i = 0; i < m->n_block; i++) {
        block *b = &m->block[i];
        m->varying[m->n_varying++] = b;
        if (b->n == 1) {
            m->one[m->n_one] = b->member[0];
            b->factor = m->small + m->n_one++;
        } else if (b->n == 2) {
            memcpy(m->two + 2 * m->n_two, b->member, 2 * sizeof(int));
            b->factor = m->small + first[2] + 3 * m->n_two++;
        } else {
            if (b->n == 3) b->factor = m->small + first[3] + 6 * m->n_three++;
            m->rest[m->n_rest++] = b;
        }
    }
    return true;
}

carom_mass *carom_mass_new(carom_arena *arena, int n, const int *start, const int *index)
{
    carom_mass *m = CAROM_TAKE(arena, carom_mass, 1);
    if (!m) return NULL;
    m->n = n;
    m->start = CAROM_TAKE(arena, int, n + 1);
    m->index = CAROM_TAKE(arena, int, start[n]);
    m->value = CAROM_TAKE(arena, double, start[n]);
    m->member = CAROM_TAKE(arena, int, n);
    m->block_of = CAROM_TAKE(arena, int, n);
    m->x = CAROM_TAKE(arena, double, n);
    if (!m->start || !m->index || !m->value || !m->member || !m->block_of || !m->x) return NULL;
    memcpy(m->start, start, sizeof(int) * (size_t)(n + 1));
    if (start[n]) memcpy(m->index, index, sizeof(int) * (size_t)start[n]);
    m->n_block = find_blocks(m);
    m->block = CAROM_TAKE(arena, block, m->n_block);
    m->is_marked = CAROM_TAKE(arena, unsigned char, m->n_block);
    if (!m->block || !m->is_marked) return NULL;
    list_members(m);
    if (!list_kinds(m, arena)) return NULL;
    for (int b = 0; b < m->n_block; b++)
        if (!prepare(m, &m->block[b], arena)) return NULL;
    return m;
}
