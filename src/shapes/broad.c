// SPDX-License-Identifier: Apache-2.0
// Grids, one for boxes of each size: level l holds those whose longest side is 2^-l of the largest,
// up to a factor 2. A box lies in the cell of its lower corner, and a cell is as large as the
// largest box of its level:
//
//     of one level    overlapping boxes lie in cells next to each other: half of the 3^dim around
//                     a cell are asked, the others ask
//     of two levels   the smaller box asks all cells of the larger where lower corners may lie
//
// A grid is a torus: cell numbers count modulo its size (1, or at least 3, so that the two
// neighbours of a cell are never the same), with at most some cells for each box. So a box that
// flies away costs nothing; far ones that share a cell are told apart by the boxes themselves.
// Boxes are sorted by cells by counting, pairs in the end too: all is linear in n + pairs.
#include "shapes/broad.h"

#include "base/grow.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_LEVEL = 24, CELLS_FOR_EACH = 8, FEW = 8 };

/// A box as it is asked: (lower, -upper), of which all are <= (upper, -lower) of one it overlaps.
typedef struct carom_broad_box {
    double side[6];
} carom_broad_box;

typedef struct carom_broad_level {
    int n, first; ///< its boxes, in the order of cells
    double size;  ///< of a cell
    double origin[3], high[3];
    int count[3]; ///< of cells
    int cell;     ///< the first of its cells in start
} carom_broad_level;

struct carom_broad {
    int n, n_room, n_cell_room, n_pair, n_pair_room;
    const int *group;
    carom_broad_level level[N_LEVEL];
    int n_endless;
    int *level_of;                  ///< (n) level of each, -1: without an end
    int *cell_of;                   ///< (n) cell of each
    int *number;                    ///< (n) of the boxes in the order of levels and cells
    int *endless;                   ///< (n)
    int *first;                     ///< (n) of pairs
    carom_broad_box *box;           ///< (n) in the order of number
    int *start;                     ///< of each cell; every level has one more
    carom_near_pair *found, *other; ///< to sort from one to the other
    bool is_out_of_memory;
};

carom_broad *carom_broad_new(void)
{
    return calloc(1, sizeof(carom_broad));
}

void carom_broad_free(carom_broad *broad)
{
    if (!broad) return;
    void *all[] = {broad->level_of, broad->cell_of, broad->number, broad->endless, broad->first,
                   broad->box,      broad->start,   broad->found,  broad->other,   broad};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static bool grow_boxes(carom_broad *broad, int n)
{
    if (n <= broad->n_room && broad->first) return true;
    const size_t room = (size_t)n + (size_t)n / 4;
    if (!carom_grow(&broad->level_of, sizeof(int), room) ||
        !carom_grow(&broad->cell_of, sizeof(int), room) ||
        !carom_grow(&broad->number, sizeof(int), room) ||
        !carom_grow(&broad->endless, sizeof(int), room) ||
        !carom_grow(&broad->first, sizeof(int), room) ||
        !carom_grow(&broad->box, sizeof(carom_broad_box), room))
        return false;
    broad->n_room = (int)room;
    return true;
}

/// Makes room for n pairs more.
static bool grow_pairs(carom_broad *broad, int n)
{
    const size_t room = 2 * ((size_t)broad->n_pair + (size_t)n);
    broad->is_out_of_memory = broad->is_out_of_memory || room > INT_MAX ||
                              !carom_grow(&broad->found, sizeof(carom_near_pair), room) ||
                              !carom_grow(&broad->other, sizeof(carom_near_pair), room);
    if (!broad->is_out_of_memory) broad->n_pair_room = (int)room;
    return !broad->is_out_of_memory;
}

static void add_pair(carom_broad *broad, int i, int j)
{
    if (broad->n_pair == broad->n_pair_room && !grow_pairs(broad, 1)) return;
    broad->found[broad->n_pair++] = i < j ? (carom_near_pair){i, j} : (carom_near_pair){j, i};
}

/// The longest side; not finite where there is an end missing.
static double find_extent(const carom_box *box)
{
    double most = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        const double side = box->upper[k] - box->lower[k];
        most = side > most ? side : most;
        sum += side;
    }
    return sum - sum == 0 ? most : INFINITY;
}

/// Gives every box its level; fills what a level's boxes span.
static void choose_levels(carom_broad *broad, const carom_box *box)
{
    double largest = 0;
    for (int i = 0; i < broad->n; i++) {
        const double extent = find_extent(box + i);
        if (extent > largest && extent < INFINITY) largest = extent;
    }
    const int top = largest > 0 ? ilogb(largest) : 0;
    for (int l = 0; l < N_LEVEL; l++)
        broad->level[l] = (carom_broad_level){.origin = {INFINITY, INFINITY, INFINITY},
                                              .high = {-INFINITY, -INFINITY, -INFINITY}};
    broad->n_endless = 0;
    for (int i = 0; i < broad->n; i++) {
        const double extent = find_extent(box + i);
        broad->level_of[i] = -1;
        if (!(extent < INFINITY)) {
            broad->endless[broad->n_endless++] = i;
            continue;
        }
        const int below = extent > 0 ? top - ilogb(extent) : N_LEVEL;
        broad->level_of[i] = below < N_LEVEL ? below : N_LEVEL - 1;
        carom_broad_level *level = broad->level + broad->level_of[i];
        level->n++;
        level->size = extent > level->size ? extent : level->size;
        for (int k = 0; k < 3; k++) {
            const double at = box[i].lower[k];
            level->origin[k] = at < level->origin[k] ? at : level->origin[k];
            level->high[k] = at > level->high[k] ? at : level->high[k];
        }
    }
}

/// How many cells a level has along each axis; returns how many in all.
static int count_cells(carom_broad_level *level)
{
    const double most = (double)CELLS_FOR_EACH * level->n + 64;
    double all = 1;
    // a little larger than the largest box, so that rounding moves none beyond a neighbour
    level->size = level->size > 0 ? level->size * (1 + 1e-6) : 1;
    for (int k = 0; k < 3; k++) {
        const double need =
            (level->high[k] - level->origin[k]) / level->size + 2; // one empty, between both ends
        level->count[k] = need < 3 ? 1 : need < 1 << 28 ? (int)need : 1 << 28;
        all *= level->count[k];
    }
    while (all > most) {
        int *largest = level->count;
        for (int k = 1; k < 3; k++)
            if (level->count[k] > *largest) largest = level->count + k;
        const int less = *largest >= 6 ? *largest / 2 : *largest > 3 ? 3 : 1;
        all = all / *largest * less;
        *largest = less;
    }
    return level->count[0] * level->count[1] * level->count[2];
}

/// The number of a cell along an axis, not yet modulo; far out all are one.
static long find_step(const carom_broad_level *level, int axis, double x)
{
    const double step = floor((x - level->origin[axis]) / level->size);
    return step > 1e9 ? 1000000000 : step > -1e9 ? (long)step : -1000000000; // also if undefined
}

/// A step modulo the number of cells.
static int wrap_step(const carom_broad_level *level, int axis, long step)
{
    const long count = level->count[axis];
    if (step >= 0 && step < count) return (int)step;
    return (int)((step % count + count) % count);
}

static int find_cell(const carom_broad_level *level, const carom_box *box)
{
    int at[3];
    for (int k = 0; k < 3; k++) at[k] = wrap_step(level, k, find_step(level, k, box->lower[k]));
    return (at[2] * level->count[1] + at[1]) * level->count[0] + at[0];
}

/// Makes the grids and sorts the boxes by cells.
static bool fill_cells(carom_broad *broad, const carom_box *box)
{
    int n_cell = 0, n = 0;
    for (int l = 0; l < N_LEVEL; l++) {
        carom_broad_level *level = broad->level + l;
        if (level->n == 0) continue;
        level->cell = n_cell;
        level->first = n;
        n_cell += count_cells(level) + 1;
        n += level->n;
    }
    if (n_cell > broad->n_cell_room) {
        const size_t room = (size_t)n_cell + (size_t)n_cell / 4;
        if (!carom_grow(&broad->start, sizeof(int), room)) return false;
        broad->n_cell_room = (int)room;
    }
    for (int c = 0; c < n_cell; c++) broad->start[c] = 0;
    for (int i = 0; i < broad->n; i++) {
        if (broad->level_of[i] < 0) continue;
        const carom_broad_level *level = broad->level + broad->level_of[i];
        broad->cell_of[i] = level->cell + find_cell(level, box + i);
        broad->start[broad->cell_of[i]]++;
    }
    for (int c = 0, sum = 0; c < n_cell; c++) { // ends; each box then moves its cell's one down
        sum += broad->start[c];
        broad->start[c] = sum;
    }
    for (int i = broad->n - 1; i >= 0; i--) {
        if (broad->level_of[i] < 0) continue;
        const int place = --broad->start[broad->cell_of[i]];
        broad->number[place] = i;
        for (int k = 0; k < 3; k++) {
            broad->box[place].side[k] = box[i].lower[k];
            broad->box[place].side[3 + k] = -box[i].upper[k];
        }
    }
    return true;
}

typedef double carom_two __attribute__((vector_size(16)));
typedef long long carom_two_answers __attribute__((vector_size(16)));

/// 1 where a box overlaps one with these (upper, -lower), else 0: without a branch, because nobody
/// can foretell it.
static inline int overlap(const carom_broad_box *box, const carom_two high[3])
{
    carom_two low[3];
    memcpy(low, box->side, sizeof low);
    const carom_two_answers all = (low[0] <= high[0]) & (low[1] <= high[1]) & (low[2] <= high[2]);
    return (int)(all[0] & all[1] & 1);
}

/// The boxes of places from up to end against that of one place.
static void ask_places(carom_broad *broad, int place, int from, int end)
{
    if (from >= end) return;
    if (broad->n_pair + (end - from) > broad->n_pair_room && !grow_pairs(broad, end - from)) return;
    const double *side = broad->box[place].side;
    const carom_two high[3] = {{-side[3], -side[4]}, {-side[5], -side[0]}, {-side[1], -side[2]}};
    const int i = broad->number[place];
    carom_near_pair *found = broad->found + broad->n_pair;
    for (int p = from; p < end; p++) {
        const int j = broad->number[p];
        *found = i < j ? (carom_near_pair){i, j} : (carom_near_pair){j, i};
        found += overlap(broad->box + p, high);
    }
    broad->n_pair = (int)(found - broad->found);
}

/// The places of the cells of one row: n of them (at most all) from step `first` on. Adds one or
/// two ranges; returns how many there are then.
static int add_row(const carom_broad *broad, const carom_broad_level *level, const int row[4],
                   int range[][2], int n_range)
{
    const int first = row[0], count = level->count[0], end = first + row[1];
    const int *start = broad->start + level->cell + (row[3] * level->count[1] + row[2]) * count;
    const int all[2][2] = {{start[first], start[end < count ? end : count]},
                           {start[0], start[end > count ? end - count : 0]}};
    for (int k = 0; k < 2; k++) {
        range[n_range][0] = all[k][0];
        range[n_range][1] = all[k][1];
        n_range += all[k][0] < all[k][1];
    }
    return n_range;
}

/// The half of the cells around one that it asks, by rows along x: of its own row the next cell,
/// then whole rows above in y or z.
static int find_half(const carom_broad *broad, const carom_broad_level *level, const int at[3],
                     int range[][2])
{
    const int *count = level->count;
    const bool is_wide = count[0] > 1;
    const int before = is_wide ? wrap_step(level, 0, at[0] - 1) : 0;
    int n = 0;
    if (is_wide) {
        const int row[4] = {wrap_step(level, 0, at[0] + 1), 1, at[1], at[2]};
        n = add_row(broad, level, row, range, n);
    }
    for (int z = 0; z <= (count[2] > 1); z++)
        for (int y = -(count[1] > 1); y <= (count[1] > 1); y++) {
            if (z == 0 && y <= 0) continue;
            const int row[4] = {before, is_wide ? 3 : 1, wrap_step(level, 1, at[1] + y),
                                wrap_step(level, 2, at[2] + z)};
            n = add_row(broad, level, row, range, n);
        }
    return n;
}

static void pair_level(carom_broad *broad, const carom_broad_level *level)
{
    const int *start = broad->start + level->cell, *count = level->count;
    int cell = 0, range[16][2];
    for (int z = 0; z < count[2]; z++)
        for (int y = 0; y < count[1]; y++)
            for (int x = 0; x < count[0]; x++, cell++) {
                const int from = start[cell], end = start[cell + 1];
                if (from == end) continue;
                const int n = find_half(broad, level, (int[]){x, y, z}, range);
                for (int p = from; p < end; p++) {
                    ask_places(broad, p, p + 1, end);
                    for (int k = 0; k < n; k++) ask_places(broad, p, range[k][0], range[k][1]);
                }
            }
}

/// One small box against a level of larger ones.
static void ask_level(carom_broad *broad, const carom_broad_level *level, int place)
{
    const carom_broad_box *box = broad->box + place;
    if (level->n <= FEW) {
        ask_places(broad, place, level->first, level->first + level->n);
        return;
    }
    int from[3], n[3], range[2][2];
    for (int k = 0; k < 3; k++) {
        const long first = find_step(level, k, box->side[k] - level->size);
        const long last = find_step(level, k, -box->side[3 + k]);
        const int count = level->count[k];
        n[k] = last - first + 1 < count ? (int)(last - first + 1) : count;
        from[k] = n[k] < count ? wrap_step(level, k, first) : 0;
    }
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++) {
            const int row[4] = {from[0], n[0], wrap_step(level, 1, from[1] + y),
                                wrap_step(level, 2, from[2] + z)};
            const int n_range = add_row(broad, level, row, range, 0);
            for (int k = 0; k < n_range; k++) ask_places(broad, place, range[k][0], range[k][1]);
        }
}

static void pair_levels(carom_broad *broad)
{
    for (int l = 0; l < N_LEVEL; l++) {
        const carom_broad_level *level = broad->level + l;
        if (level->n == 0) continue;
        pair_level(broad, level);
        for (int k = 0; k < l; k++)
            for (int p = level->first; broad->level[k].n > 0 && p < level->first + level->n; p++)
                ask_level(broad, broad->level + k, p);
    }
}

static void pair_endless(carom_broad *broad, const carom_box *box)
{
    for (int e = 0; e < broad->n_endless; e++) {
        const int i = broad->endless[e];
        for (int j = 0; j < broad->n; j++) {
            if (broad->level_of[j] < 0 && j <= i) continue; // of two such, the first asks
            if (carom_box_overlaps(box + i, box + j)) add_pair(broad, i, j);
        }
    }
}

static void leave_out_groups(carom_broad *broad)
{
    int n = 0;
    for (int p = 0; p < broad->n_pair; p++) {
        const carom_near_pair one = broad->found[p];
        broad->found[n] = one;
        n += broad->group[one.i] != broad->group[one.j];
    }
    broad->n_pair = n;
}

/// Moves pairs from one array to the other, sorted by i or j; those alike stay in order.
static void count_out(carom_broad *broad, const carom_near_pair *from, carom_near_pair *to,
                      bool is_by_i)
{
    int *first = broad->first, sum = 0;
    for (int i = 0; i < broad->n; i++) first[i] = 0;
    for (int p = 0; p < broad->n_pair; p++) first[is_by_i ? from[p].i : from[p].j]++;
    for (int i = 0; i < broad->n; i++) { // begins; each pair then moves its own one up
        const int n = first[i];
        first[i] = sum;
        sum += n;
    }
    for (int p = 0; p < broad->n_pair; p++) to[first[is_by_i ? from[p].i : from[p].j]++] = from[p];
}

int carom_broad_find(carom_broad *broad, const carom_box *box, const int *group, int n,
                     const carom_near_pair **pair)
{
    broad->n = n;
    broad->group = group;
    broad->n_pair = 0;
    broad->is_out_of_memory = false;
    if (!grow_boxes(broad, n)) return -1;
    choose_levels(broad, box);
    if (!fill_cells(broad, box)) return -1;
    pair_levels(broad);
    pair_endless(broad, box);
    if (broad->is_out_of_memory) return -1;
    if (group) leave_out_groups(broad);
    count_out(broad, broad->found, broad->other, false);
    count_out(broad, broad->other, broad->found, true);
    *pair = broad->found;
    return broad->n_pair;
}
