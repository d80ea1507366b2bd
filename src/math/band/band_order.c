// SPDX-License-Identifier: Apache-2.0 Orders for narrow bands: reverse Cuthill-McKee. Each
// connected part is numbered level by level from an end of it (the last of the levels around any
// unknown, looked for twice), neighbours with few neighbours first; then the order is turned round,
// which fills less. The order as it is given is kept where it is no wider.
//
// E. Cuthill, J. McKee, Reducing the bandwidth of sparse symmetric matrices, 1969; A. George, J. W.
// Liu, Computer solution of large sparse positive definite systems, 1981.
#include "math/band/band_order.h"

#include <stdbool.h>
#include <stdlib.h>

// the pattern and its transpose without the diagonal: neighbours of each unknown
typedef struct neighbours {
    int n;
    int *first, *list; // (n+1), repeated ones included
    int *queue;        // unknowns in the order found (n)
    int *level;        // step at which an unknown was found; 0 = not yet (n)
    int *seen_by;      // the search that found it last (n)
} neighbours;

static int far_from_diagonal(int n, const int *start, const int *index, const int *place)
{
    int width = 0;
    for (int j = 0; j < n; j++)
        for (int k = start[j]; k < start[j + 1]; k++) {
            const int apart = place ? abs(place[j] - place[index[k]]) : abs(j - index[k]);
            if (apart > width) width = apart;
        }
    return width;
}

bool carom_band_neighbours(carom_arena *arena, int n, const int *start, const int *index,
                           int **first, int **list)
{
    *first = CAROM_TAKE(arena, int, n + 2);
    *list = CAROM_TAKE(arena, int, 2 * start[n]);
    if (!*first || !*list) return false;
    int *next = *first + 1; // counts, then ends, of the lists one further
    for (int j = 0; j < n; j++)
        for (int k = start[j]; k < start[j + 1]; k++) {
            if (index[k] == j) continue;
            next[j + 1]++;
            next[index[k] + 1]++;
        }
    for (int i = 0; i < n; i++) next[i + 1] += next[i];
    for (int j = 0; j < n; j++)
        for (int k = start[j]; k < start[j + 1]; k++) {
            if (index[k] == j) continue;
            (*list)[next[j]++] = index[k];
            (*list)[next[index[k]]++] = j;
        }
    return true;
}

static bool take_graph(carom_arena *arena, const int *start, const int *index, neighbours *g)
{
    g->queue = CAROM_TAKE(arena, int, g->n);
    g->level = CAROM_TAKE(arena, int, g->n);
    g->seen_by = CAROM_TAKE(arena, int, g->n);
    return g->queue && g->level && g->seen_by &&
           carom_band_neighbours(arena, g->n, start, index, &g->first, &g->list);
}

static int degree(const neighbours *g, int i)
{
    return g->first[i + 1] - g->first[i];
}

// queue from `from` on: what was found last, in order of degrees
static void sort_by_degree(const neighbours *g, int from, int to)
{
    for (int k = from + 1; k < to; k++) {
        const int one = g->queue[k];
        int at = k;
        for (; at > from && degree(g, g->queue[at - 1]) > degree(g, one); at--)
            g->queue[at] = g->queue[at - 1];
        g->queue[at] = one;
    }
}

// numbers the part of root level by level, as search `number`; returns where it ends in the queue
static int search(const neighbours *g, int root, int from, int number)
{
    int end = from;
    g->queue[end++] = root;
    g->seen_by[root] = number;
    g->level[root] = 1;
    for (int at = from; at < end; at++) {
        const int i = g->queue[at], found = end;
        for (int k = g->first[i]; k < g->first[i + 1]; k++) {
            const int j = g->list[k];
            if (g->seen_by[j] == number) continue;
            g->seen_by[j] = number;
            g->level[j] = g->level[i] + 1;
            g->queue[end++] = j;
        }
        sort_by_degree(g, found, end);
    }
    return end;
}

// one of the last level with the fewest neighbours
static int far_end(const neighbours *g, int from, int to)
{
    int best = g->queue[to - 1];
    for (int k = to - 1; k >= from && g->level[g->queue[k]] == g->level[g->queue[to - 1]]; k--)
        if (degree(g, g->queue[k]) < degree(g, best)) best = g->queue[k];
    return best;
}

static void number_all(const neighbours *g, int *place)
{
    int used = 0, number = 0;
    for (int i = 0; i < g->n; i++) {
        if (g->seen_by[i]) continue;
        int root = i;
        for (int k = 0; k < 2; k++) root = far_end(g, used, search(g, root, used, ++number));
        used = search(g, root, used, ++number);
    }
    for (int k = 0; k < g->n; k++) place[g->queue[k]] = g->n - 1 - k;
}

static bool has_crowd(const neighbours *g, int most)
{
    for (int i = 0; i < g->n; i++)
        if (degree(g, i) > 4 * most) return true; // 2 on each side, each perhaps listed twice
    return false;
}

int carom_band_order(int n, const int *start, const int *index, int most, int *place)
{
    const int given = far_from_diagonal(n, start, index, NULL);
    int width = given;
    carom_arena *arena = given > 1 ? carom_arena_new() : NULL;
    neighbours g = {.n = n};
    if (arena && take_graph(arena, start, index, &g) && !has_crowd(&g, most)) {
        number_all(&g, place);
        width = far_from_diagonal(n, start, index, place);
    }
    carom_arena_free(arena);
    if (width >= given)
        for (int i = 0; i < n; i++) place[i] = i;
    if (width > given) width = given;
    return width <= most ? width : -1;
}
