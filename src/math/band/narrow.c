// SPDX-License-Identifier: Apache-2.0
// Narrow bands: chains, beams, pipes, cables, all that is long and thin. The unknowns are put in an
// order once (band_order.c); factors are plain arrays without indices:
//
//     symmetric, positive definite    A = L D L'     (band_ldl.c)
//     else                            P R A = L U    (band_lu.c)
//
// Which of these is looked for in the values, each time: the tangent of a chain is symmetric until
// a follower force or friction joins it. A band is taken where it is at most 64 wide and its L,
// zeros included, has less than twice the entries of the L of a sparse factorisation: an entry
// without an index costs less than half of one with (bench/README.md).
#include "math/band/narrow.h"

#include "math/band/band_ldl.h"
#include "math/band/band_lu.h"
#include "math/band/band_order.h"
#include "math/sparse/ldl.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { WIDEST = 64, ALWAYS = 5 }; // the widest; one that needs no comparison

struct carom_narrow {
    int n, width, n_entry;
    int *place;         // of each unknown in the order: its row (n)
    int *unknown;       // of each row (n)
    bool is_as_given;   // the order
    int n_part, *part;  // where parts begin that nothing couples (n_part+1)
    bool *is_marked;    // parts, all false between calls (n_part)
    bool can_symmetric; // each entry has its transposed one
    bool is_symmetric;  // the factors are L D L'
    int *below; // place of each entry in lower, in diagonal (counted from behind lower), or,
                // of one above the diagonal, of the transposed one as -1 - place (n_entry)
    int *among; // place of each entry in lu.value, or NULL (n_entry)
    carom_band_ldl ldl;
    carom_band_lu lu;
    double *x; // (n + width) rows in the order
};

// entries of the L of a sparse factorisation; 0 without memory
static double count_sparse(int n, const int *start, const int *index)
{
    carom_arena *arena = carom_arena_new();
    int *first, *list;
    double count = 0;
    if (arena && carom_band_neighbours(arena, n, start, index, &first, &list))
        count = carom_ldl_count(arena, n, first, list);
    carom_arena_free(arena);
    return count;
}

static bool pays(int n, int width, const int *start, const int *index)
{
    if ((double)n * (3 * width + 1) > INT_MAX / 4) return false;
    return width <= ALWAYS || (width + 1.0) * n < 2 * (count_sparse(n, start, index) + n);
}

// nothing couples what stands before with what stands behind
static bool find_parts(carom_arena *arena, carom_narrow *b, const int *start, const int *index)
{
    int *reach = CAROM_TAKE(arena, int, b->n);
    b->part = CAROM_TAKE(arena, int, b->n + 1);
    if (!reach || !b->part) return false;
    for (int j = 0; j < b->n; j++)
        for (int k = start[j]; k < start[j + 1]; k++) {
            const int a = b->place[j], c = b->place[index[k]];
            const int low = a < c ? a : c, high = a < c ? c : a;
            if (high > reach[low]) reach[low] = high;
        }
    for (int i = 0, to = -1; i < b->n; i++) {
        if (i > to) b->part[b->n_part++] = i;
        if (reach[i] > to) to = reach[i];
        if (i > to) to = i;
    }
    b->part[b->n_part] = b->n;
    b->is_marked = CAROM_TAKE(arena, bool, b->n_part);
    return b->is_marked;
}

static bool take_memory(carom_arena *arena, carom_narrow *b, bool symmetric_only)
{
    const int n = b->n, width = b->width;
    b->below = CAROM_TAKE(arena, int, b->n_entry);
    b->x = CAROM_TAKE(arena, double, n + width);
    b->unknown = CAROM_TAKE(arena, int, n);
    b->ldl = (carom_band_ldl){.n = n, .width = width};
    b->ldl.lower = CAROM_TAKE(arena, double, (n + width) * width + n + width);
    b->ldl.diagonal = b->ldl.lower + (n + width) * width;
    b->ldl.whole = CAROM_TAKE(arena, double, n);
    if (!b->below || !b->x || !b->unknown || !b->ldl.lower || !b->ldl.whole) return false;
    if (symmetric_only) return true;
    b->among = CAROM_TAKE(arena, int, b->n_entry);
    b->lu = (carom_band_lu){.n = n,
                            .width = width,
                            .value = CAROM_TAKE(arena, double, n *(3 * width + 1)),
                            .scale = CAROM_TAKE(arena, double, n),
                            .swap = CAROM_TAKE(arena, int, n)};
    return b->among && b->lu.value && b->lu.scale && b->lu.swap;
}

// where each entry goes, and whether all below the diagonal have one above and the reverse
static bool find_places(carom_arena *scratch, carom_narrow *b, const int *start, const int *index)
{
    const int n = b->n, width = b->width, behind = (n + width) * width;
    unsigned char *sides = CAROM_TAKE(scratch, unsigned char, behind);
    if (!sides) return false;
    for (int j = 0; j < n; j++)
        for (int k = start[j]; k < start[j + 1]; k++) {
            const int row = b->place[index[k]], column = b->place[j];
            const int first = row < column ? row : column, apart = row + column - 2 * first;
            const int at = apart == 0 ? behind + row : first * width + apart - 1;
            b->below[k] = row < column ? -1 - at : at;
            if (b->among) b->among[k] = column * (3 * width + 1) + 2 * width + row - column;
            if (apart > 0) sides[at] |= row < column ? 1 : 2;
        }
    for (int i = 0; i < n; i++) b->unknown[b->place[i]] = i;
    b->can_symmetric = true;
    for (int k = 0; k < behind; k++) b->can_symmetric &= sides[k] == 0 || sides[k] == 3;
    return true;
}

static bool fill(carom_arena *arena, carom_narrow *b, const int *start, const int *index,
                 bool symmetric_only)
{
    carom_arena *scratch = carom_arena_new();
    const bool is_whole = scratch && find_parts(arena, b, start, index) &&
                          take_memory(arena, b, symmetric_only) &&
                          find_places(scratch, b, start, index);
    carom_arena_free(scratch);
    return is_whole;
}

carom_narrow *carom_narrow_new(carom_arena *arena, int n, const int *start, const int *index,
                               bool symmetric_only)
{
    int *place = CAROM_TAKE(arena, int, n);
    const int width = place ? carom_band_order(n, start, index, WIDEST, place) : -1;
    if (width < 0 || !pays(n, width, start, index)) return NULL;
    carom_narrow *b = CAROM_TAKE(arena, carom_narrow, 1);
    if (!b) return NULL;
    *b = (carom_narrow){.n = n,
                        .width = width > 0 ? width : 1,
                        .n_entry = start[n],
                        .place = place,
                        .is_as_given = true};
    for (int i = 0; i < n; i++) b->is_as_given &= place[i] == i;
    return fill(arena, b, start, index, symmetric_only) ? b : NULL;
}

// the lower triangle and the diagonal
static void put_below(carom_narrow *b, const double *value)
{
    double *to = b->ldl.lower;
    const int *at = b->below;
    memset(to, 0, sizeof(double) * (size_t)((b->n + b->width) * (b->width + 1)));
    for (int k = 0; k < b->n_entry; k++)
        if (at[k] >= 0) to[at[k]] = value[k];
    memcpy(b->ldl.whole, b->ldl.diagonal, sizeof(double) * (size_t)b->n);
}

// whether two entries differ by rounding only: that of the diagonals that they stand between
static bool is_rounding(const carom_narrow *b, int at, double difference)
{
    const double *d = b->ldl.diagonal;
    const int column = at / b->width, row = column + 1 + at % b->width;
    const double most = 8 * DBL_EPSILON;
    return difference * difference <= most * most * fabs(d[column] * d[row]);
}

// once the lower triangle is there
static bool looks_symmetric(const carom_narrow *b, const double *value)
{
    const double *below = b->ldl.lower;
    const int *at = b->below;
    for (int k = 0; k < b->n_entry; k++) {
        if (at[k] >= 0 || value[k] == below[-1 - at[k]]) continue;
        if (!is_rounding(b, -1 - at[k], value[k] - below[-1 - at[k]])) return false;
    }
    return true;
}

static int factor_below(carom_narrow *b)
{
    for (int p = 0; p < b->n_part; p++) {
        const int failed = carom_band_ldl_factor(&b->ldl, b->part[p], b->part[p + 1]);
        if (failed >= 0) return b->unknown[failed];
    }
    b->is_symmetric = true;
    return -1;
}

int carom_narrow_factor_symmetric(carom_narrow *band, const double *value)
{
    put_below(band, value);
    return factor_below(band);
}

static int factor_all(carom_narrow *b, const double *value)
{
    b->is_symmetric = false;
    memset(b->lu.value, 0, sizeof(double) * (size_t)(b->n * (3 * b->width + 1)));
    for (int k = 0; k < b->n_entry; k++) b->lu.value[b->among[k]] = value[k];
    const int failed = carom_band_lu_factor(&b->lu);
    return failed < 0 ? -1 : b->unknown[failed];
}

int carom_narrow_factor(carom_narrow *band, const double *value)
{
    if (band->can_symmetric) {
        put_below(band, value);
        if (looks_symmetric(band, value) && factor_below(band) < 0) return -1;
    }
    return factor_all(band, value);
}

bool carom_narrow_is_symmetric(const carom_narrow *band)
{
    return band->is_symmetric;
}

int carom_narrow_n_part(const carom_narrow *band)
{
    return band->n_part;
}

int carom_narrow_width(const carom_narrow *band)
{
    return band->width;
}

static void solve_part(const carom_narrow *b, int first, int end, double *x)
{
    if (b->is_symmetric)
        carom_band_ldl_solve(&b->ldl, first, end, x);
    else
        carom_band_lu_solve(&b->lu, first, end, x);
}

static void solve_parts(const carom_narrow *b, double *x)
{
    for (int p = 0; p < b->n_part; p++) solve_part(b, b->part[p], b->part[p + 1], x);
}

// the kernels may look behind the last row
static void end_rows(const carom_narrow *b)
{
    for (int k = 0; k < b->width; k++) b->x[b->n + k] = 0;
}

void carom_narrow_solve(const carom_narrow *band, double *x)
{
    const int n = band->n, *place = band->place;
    double *rows = band->x;
    if (band->is_as_given && (band->width == 1 || !band->is_symmetric)) {
        solve_parts(band, x);
        return;
    }
    for (int i = 0; i < n; i++) rows[place[i]] = x[i];
    end_rows(band);
    solve_parts(band, rows);
    for (int i = 0; i < n; i++) x[i] = rows[place[i]];
}

static int part_of(const carom_narrow *b, int row)
{
    int low = 0, high = b->n_part;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (b->part[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// x of one part from its rows; listed behind the first n of touched
static int hand_out(const carom_narrow *b, int part, double *x, int *touched, int n)
{
    for (int r = b->part[part]; r < b->part[part + 1]; r++) {
        const int i = b->unknown[r];
        x[i] = b->x[r];
        touched[n++] = i;
    }
    return n;
}

int carom_narrow_reach(const carom_narrow *band, int n_entry, const int *index, const double *value,
                       double *x, int *touched)
{
    int n = 0;
    for (int k = 0; k < n_entry; k++) {
        const int p = part_of(band, band->place[index[k]]);
        if (!band->is_marked[p])
            memset(band->x + band->part[p], 0,
                   sizeof(double) * (size_t)(band->part[p + 1] - band->part[p]));
        band->is_marked[p] = true;
        band->x[band->place[index[k]]] += value[k];
    }
    end_rows(band);
    for (int k = 0; k < n_entry; k++) {
        const int p = part_of(band, band->place[index[k]]);
        if (!band->is_marked[p]) continue;
        band->is_marked[p] = false;
        solve_part(band, band->part[p], band->part[p + 1], band->x);
        n = hand_out(band, p, x, touched, n);
    }
    return n;
}
