// SPDX-License-Identifier: Apache-2.0
// A general square linear system A x = b, put together from blocks.
//
//     up to 16 unknowns    P A = L U, inlined
//     up to 128            the same by panels (blocked.c), but where the blocks that are expected
//                          are a narrow band
//     above, and bands     triplets, summed to compressed columns; a band or KLU (linear_sparse.c)
#include "math/linear.h"

#include "base/arena.h"
#include "base/need.h"
#include "math/blocked.h"
#include "math/blockmass.h"
#include "math/small.h"
#include "math/sparse/linear_sparse.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
    OWN_LOOPS = 16,
    NARROW = 6 // a band of so small a share of the unknowns is worth its own order
};

// one of the blocks that the matrix is a sum of
typedef struct part {
    carom_sparse block;
    int n_entry;
    const int *place; // dense: where in a each entry goes (n_entry)
} part;

struct carom_linear {
    int n, most;      // unknowns now, and those it was made for
    char misuse[120]; // what was added to the matrix and does not belong there, or ""
    carom_arena *arena;
    double *a;                   // dense: by columns (n*n), or NULL
    double *reciprocal;          // dense: of U's diagonal (n)
    int *swap;                   // dense: rows exchanged (n)
    carom_linear_sparse *sparse; // instead of a
    bool is_whole;               // parts of weight 0 belong to the pattern
    int n_part;
    part *part; // (n_part)
};

static carom_status take_dense(carom_linear *linear, carom_error *error)
{
    const int n = linear->n;
    linear->a = CAROM_TAKE(linear->arena, double, n *n);
    linear->reciprocal = CAROM_TAKE(linear->arena, double, n);
    linear->swap = CAROM_TAKE(linear->arena, int, n);
    if (linear->a && linear->reciprocal && linear->swap) return CAROM_OK;
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for a linear system of %d unknowns", n);
}

carom_status carom_linear_new(int n, int max_entries, carom_linear **linear, carom_error *error)
{
    CAROM_NEED(error, linear);
    *linear = NULL;
    CAROM_NEED_THAT(error, n >= 0 && n < INT_MAX, "n is %d", n);
    CAROM_NEED_THAT(error, max_entries >= 0 && max_entries < INT_MAX, "max_entries is %d",
                    max_entries);
    carom_arena *arena = carom_arena_new();
    carom_linear *made = arena ? CAROM_TAKE(arena, carom_linear, 1) : NULL;
    if (!made) {
        carom_arena_free(arena);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for a linear system of %d unknowns",
                          n);
    }
    made->n = made->most = n;
    made->arena = arena;
    const carom_status status =
        n <= CAROM_LINEAR_DENSE
            ? take_dense(made, error)
            : carom_linear_sparse_new(arena, n, max_entries, &made->sparse, error);
    if (status == CAROM_OK)
        *linear = made;
    else
        carom_linear_free(made);
    return status;
}

void carom_linear_free(carom_linear *linear)
{
    if (!linear) return;
    if (linear->sparse) carom_linear_sparse_free(linear->sparse);
    carom_arena_free(linear->arena);
}

static __attribute__((cold, noinline)) void note(carom_linear *linear, const char *function,
                                                 int row, int column)
{
    if (linear && !linear->misuse[0])
        snprintf(linear->misuse, sizeof linear->misuse,
                 "%s: what was added at (%d, %d) is NULL or does not fit in %d unknowns", function,
                 row, column, linear->n);
}

void carom_linear_clear(carom_linear *linear)
{
    if (!linear) return;
    linear->misuse[0] = 0;
    if (linear->sparse)
        carom_linear_sparse_clear(linear->sparse);
    else
        memset(linear->a, 0, sizeof(double) * (size_t)(linear->n * linear->n));
}

void carom_linear_resize(carom_linear *linear, int n)
{
    if (!linear) return;
    const bool fits = n >= 0 && n <= linear->most;
    linear->n = fits ? n : linear->most;
    n = linear->n;
    if (linear->sparse) carom_linear_sparse_resize(linear->sparse, n);
    carom_linear_clear(linear);
    if (!fits) note(linear, __func__, 0, 0);
}

void carom_linear_add_entry(carom_linear *linear, int row, int column, double value)
{
    if (!linear || row < 0 || row >= linear->n || column < 0 || column >= linear->n) {
        note(linear, __func__, row, column);
        return;
    }
    if (linear->a)
        linear->a[column * linear->n + row] += value;
    else
        carom_linear_sparse_add(linear->sparse, row, column, value);
}

// entry (i, j) of the block goes to[i down + j across]
static inline void add_dense(double *restrict to, int down, int across, const carom_sparse *block,
                             double factor)
{
    const int *start = block->start, *index = block->index;
    const double *value = block->value;
    int k = start[0];
    for (int i = 0, n = block->n_row; i < n; i++, to += down)
        for (const int last = start[i + 1]; k < last; k++)
            to[index[k] * across] += factor * value[k];
}

// a function of its own, so that the one for small systems calls nothing
static __attribute__((noinline)) void add_sparse(carom_linear_sparse *sparse, int row, int column,
                                                 const carom_sparse *block, double factor,
                                                 bool is_transposed)
{
    for (int i = 0; i < block->n_row; i++)
        for (int k = block->start[i]; k < block->start[i + 1]; k++) {
            const int j = block->index[k];
            const double value = factor == 0 ? 0 : factor * block->value[k];
            if (is_transposed)
                carom_linear_sparse_add(sparse, row + j, column + i, value);
            else
                carom_linear_sparse_add(sparse, row + i, column + j, value);
        }
}

// whether a block has its place in the matrix
static inline bool fits(const carom_linear *linear, int row, int column, const carom_sparse *block,
                        bool is_transposed)
{
    const int down = is_transposed ? block->n_column : block->n_row;
    const int across = is_transposed ? block->n_row : block->n_column;
    return row >= 0 && column >= 0 && down <= linear->n - row && across <= linear->n - column;
}

void carom_linear_add(carom_linear *linear, int row, int column, const carom_sparse *block,
                      double factor, bool is_transposed)
{
    if (!linear || !block || !fits(linear, row, column, block, is_transposed)) {
        note(linear, __func__, row, column);
        return;
    }
    const int n = linear->n;
    if (linear->sparse)
        add_sparse(linear->sparse, row, column, block, factor, is_transposed);
    else if (is_transposed)
        add_dense(linear->a + column * n + row, n, 1, block, factor);
    else
        add_dense(linear->a + column * n + row, 1, n, block, factor);
}

void carom_linear_add_mass(carom_linear *linear, int row, int column, const carom_mass *mass,
                           double factor)
{
    if (!mass) {
        note(linear, __func__, row, column);
        return;
    }
    const carom_sparse block = carom_mass_sparse(mass);
    carom_linear_add(linear, row, column, &block, factor, false);
}

static const int *find_places(carom_arena *arena, const carom_sparse *block)
{
    int *place = CAROM_TAKE(arena, int, block->start[block->n_row]);
    for (int i = 0; place && i < block->n_row; i++)
        for (int k = block->start[i]; k < block->start[i + 1]; k++)
            place[k] = i + block->index[k] * block->n_row;
    return place;
}

// Few unknowns whose blocks together are a narrow band: all of it is analysed now, so that steps
// allocate nothing.
static carom_status become_band(carom_linear *linear, carom_error *error)
{
    const int n = linear->n;
    int n_entry = 0;
    for (int i = 0; i < linear->n_part; i++) n_entry += linear->part[i].n_entry;
    carom_linear_sparse *sparse;
    CAROM_TRY(carom_linear_sparse_new(linear->arena, n, n_entry, &sparse, error));
    for (int i = 0; i < linear->n_part; i++)
        add_sparse(sparse, 0, 0, &linear->part[i].block, 0, false);
    carom_status status = carom_linear_sparse_analyse(sparse, error);
    const int width = carom_linear_sparse_width(sparse);
    if (status == CAROM_OK && width >= 0 && NARROW * width <= n) {
        linear->sparse = sparse;
        linear->a = NULL;
        linear->is_whole = true;
    } else {
        carom_linear_sparse_free(sparse);
    }
    return status;
}

carom_status carom_linear_expect(carom_linear *linear, int n_block, const carom_sparse *block,
                                 carom_error *error)
{
    linear->part = CAROM_TAKE(linear->arena, part, n_block);
    bool is_whole = linear->part != NULL;
    for (int i = 0; is_whole && i < n_block; i++) {
        linear->part[i].block = block[i];
        linear->part[i].n_entry = block[i].start[block[i].n_row];
        if (linear->a) linear->part[i].place = find_places(linear->arena, &block[i]);
        is_whole = !linear->a || linear->part[i].place;
    }
    linear->n_part = is_whole ? n_block : 0;
    if (is_whole && linear->a && linear->n > OWN_LOOPS) return become_band(linear, error);
    if (is_whole) return CAROM_OK;
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for a linear system of %d unknowns",
                      linear->n);
}

static inline void add_part(double *restrict a, const part *one, double weight)
{
    const int *place = one->place;
    const double *value = one->block.value;
    for (int k = 0, n = one->n_entry; k < n; k++) a[place[k]] += weight * value[k];
}

void carom_linear_combine(carom_linear *linear, const double *weight)
{
    carom_linear_clear(linear);
    for (int i = 0, n = linear->n_part; i < n; i++) {
        const part *one = &linear->part[i];
        if (weight[i] == 0 && !linear->is_whole) continue;
        if (linear->a)
            add_part(linear->a, one, weight[i]);
        else
            carom_linear_add(linear, 0, 0, &one->block, weight[i], false);
    }
}

static inline int find_cancelled(int n, const double *a)
{
    for (int k = 0; k < n; k++)
        if (carom_small_is_cancelled(n, a, k)) return k;
    return -1;
}

static inline int factor_own(int n, const carom_linear *linear)
{
    const int failed = carom_small_lu(n, linear->a, linear->swap, linear->reciprocal);
    return failed >= 0 ? failed : find_cancelled(n, linear->a);
}

static int factor_blocked(const carom_linear *linear)
{
    const int n = linear->n, failed = carom_blocked_lu(n, linear->a, linear->swap);
    if (failed >= 0) return failed;
    for (int k = 0; k < n; k++)
        if (!isfinite(linear->a[k * n + k])) return k;
    return find_cancelled(n, linear->a);
}

// the first column without a usable pivot, or -1; compilers unroll the smallest
static int factor_dense(const carom_linear *linear)
{
    const int n = linear->n;
    if (n == 1) return factor_own(1, linear);
    if (n == 2) return factor_own(2, linear);
    if (n == 3) return factor_own(3, linear);
    if (n <= OWN_LOOPS) return factor_own(n, linear);
    return factor_blocked(linear);
}

carom_status carom_linear_factor(carom_linear *linear, carom_error *error)
{
    CAROM_NEED(error, linear);
    if (linear->misuse[0]) return carom_fail(error, CAROM_BUG, "%s", linear->misuse);
    if (linear->sparse) return carom_linear_sparse_factor(linear->sparse, error);
    const int failed = factor_dense(linear);
    if (failed < 0) return CAROM_OK;
    return carom_fail(error, CAROM_NOT_CONVERGED,
                      "a linear system of %d unknowns is singular at unknown %d", linear->n,
                      failed + 1);
}

static inline void solve_own(int n, const carom_linear *linear, double *x)
{
    carom_small_lu_solve(n, linear->a, linear->swap, linear->reciprocal, x);
}

void carom_linear_solve(const carom_linear *linear, double *x)
{
    if (!linear || !x) return;
    const int n = linear->n;
    if (linear->sparse)
        carom_linear_sparse_solve(linear->sparse, x);
    else if (n == 1)
        solve_own(1, linear, x);
    else if (n == 2)
        solve_own(2, linear, x);
    else if (n == 3)
        solve_own(3, linear, x);
    else if (n <= OWN_LOOPS)
        solve_own(n, linear, x);
    else
        carom_blocked_lu_solve(n, linear->a, linear->swap, x);
}

bool carom_linear_is_sound(const carom_linear *linear)
{
    return !linear->sparse || carom_linear_sparse_is_sound(linear->sparse);
}

int carom_linear_solve_sparse(const carom_linear *linear, int n_entry, const int *index,
                              const double *value, double *x, int *touched)
{
    int n_touched = -1;
    if (linear->sparse)
        n_touched = carom_linear_sparse_reach(linear->sparse, n_entry, index, value, x, touched);
    if (n_touched >= 0) return n_touched;
    for (int k = 0; k < n_entry; k++) x[index[k]] = value[k];
    carom_linear_solve(linear, x);
    // parts of the system that are not coupled stay exactly zero
    n_touched = 0;
    for (int i = 0; i < linear->n; i++)
        if (x[i] != 0) touched[n_touched++] = i;
    return n_touched;
}
