// SPDX-License-Identifier: Apache-2.0
// A symmetric positive definite matrix made of independent blocks: factors, solutions, products.
//
//     1, 2, 3 rows          closed form:  m11 = d1,  m12 = d1 l,  m22 = d2 + l d1 l,  ...
//     narrow bands          Q A Q' = L D L', plain arrays (chains: math/band)
//     up to 64, or full     A = U'U, dense (by panels above 32 rows)
//     the rest              Q A Q' = L D L', sparse
#include "math/blockmass.h"

#include "math/blocked.h"
#include "math/blockmass_block.h"
#include "math/small.h"

enum { SMALL_ROWS = 32 };

double *carom_mass_values(carom_mass *mass)
{
    return mass->value;
}

void carom_mass_use_values(carom_mass *mass, double *value)
{
    mass->value = value;
}

carom_sparse carom_mass_sparse(const carom_mass *mass)
{
    return (carom_sparse){mass->n, mass->n, mass->start, mass->index, mass->value};
}

int carom_mass_block_of(const carom_mass *mass, int i, const int **member)
{
    const block *b = &mass->block[mass->block_of[i]];
    *member = b->member;
    return b->n;
}

// ---- factors: each returns -1 or the row within the block ----

static inline double value_at(const double *value, int entry)
{
    return entry < 0 ? 0 : value[entry];
}

static inline int factor_one(const block *b, const double *value)
{
    const double d = value_at(value, b->entry[0]);
    b->factor[0] = 1 / d;
    return carom_small_is_pivot(d, 0) ? -1 : 0;
}

static inline int factor_two(const block *b, const double *value)
{
    const double a = value_at(value, b->entry[0]), c = value_at(value, b->entry[1]),
                 d = value_at(value, b->entry[2]);
    const double r = 1 / a, l = c * r, pivot = d - l * c;
    b->factor[0] = r;
    b->factor[1] = l;
    b->factor[2] = 1 / pivot;
    if (!carom_small_is_pivot(a, 0)) return 0;
    return carom_small_is_pivot(pivot, d) ? -1 : 1;
}

static inline int factor_three(const block *b, const double *value)
{
    double a[6];
    for (int i = 0; i < 6; i++) a[i] = value_at(value, b->entry[i]);
    double *f = b->factor;
    f[0] = 1 / a[0];
    f[1] = a[1] * f[0];
    f[2] = a[2] * f[0];
    const double d2 = a[3] - f[1] * a[1], c23 = a[4] - f[1] * a[2];
    f[3] = 1 / d2;
    f[4] = c23 * f[3];
    const double d3 = a[5] - f[2] * a[2] - f[4] * c23;
    f[5] = 1 / d3;
    if (!carom_small_is_pivot(a[0], 0)) return 0;
    if (!carom_small_is_pivot(d2, a[3])) return 1;
    return carom_small_is_pivot(d3, a[5]) ? -1 : 2;
}

static int factor_dense(const block *b, const double *value)
{
    const int *entry = b->entry;
    for (int i = 0; i < b->n; i++) {
        double *row = b->factor + (size_t)i * (size_t)b->n;
        for (int j = i; j < b->n; j++) row[j] = value_at(value, *entry++);
    }
    if (b->n > SMALL_ROWS) return carom_blocked_cholesky(b->n, b->factor, b->reciprocal);
    return carom_small_cholesky(b->n, b->factor, b->reciprocal);
}

static int factor_sparse(const block *b, const double *value, double *gathered)
{
    carom_recall_forget(b->recall);
    for (int k = 0; k < b->n_entry; k++) gathered[k] = value[b->entry[k]];
    return b->kind == BAND ? carom_narrow_factor_symmetric(b->band, gathered)
                           : carom_ldl_factor(b->ldl, gathered);
}

static __attribute__((noinline)) int factor_large(const carom_mass *m, const block *b)
{
    if (b->kind == DENSE) return factor_dense(b, m->value);
    return factor_sparse(b, m->value, m->gathered);
}

static inline int factor_block(const carom_mass *m, const block *b)
{
    switch (b->kind) {
    case ONE:
        return factor_one(b, m->value);
    case TWO:
        return factor_two(b, m->value);
    case THREE:
        return factor_three(b, m->value);
    case DENSE:
    case BAND:
    case SPARSE:
        break;
    }
    return factor_large(m, b);
}

int carom_mass_n_small(const carom_mass *mass)
{
    return mass->n_one + 3 * mass->n_two + 6 * mass->n_three;
}

int carom_mass_small_of(const carom_mass *mass, int i)
{
    const block *b = &mass->block[mass->block_of[i]];
    return b->n <= 3 ? (int)(b->factor - mass->small) : -1;
}

static void list_varying(carom_mass *mass)
{
    mass->is_ready = false;
    mass->n_varying = 0;
    for (int b = 0; b < mass->n_block; b++) {
        block *one = &mass->block[b];
        if (!one->is_constant && !(mass->is_given && one->n <= 3))
            mass->varying[mass->n_varying++] = one;
    }
}

void carom_mass_use_small(carom_mass *mass, double *small)
{
    for (int b = 0; b < mass->n_block; b++) {
        block *one = &mass->block[b];
        if (one->n <= 3) one->factor = small + (one->factor - mass->small);
    }
    mass->small = small;
    mass->is_given = true;
    list_varying(mass);
}

void carom_mass_mark_constant(carom_mass *mass, const unsigned char *is_constant)
{
    for (int b = 0; b < mass->n_block; b++) mass->block[b].is_constant = true;
    for (int i = 0; i < mass->n; i++)
        for (int k = mass->start[i]; k < mass->start[i + 1]; k++)
            mass->block[mass->block_of[i]].is_constant &= is_constant[k] != 0;
    list_varying(mass);
}

static int factor_blocks(carom_mass *mass, bool has_given)
{
    int failed = -1;
    for (int b = 0; b < mass->n_block; b++) {
        const block *one = &mass->block[b];
        if (!has_given && mass->is_given && one->n <= 3) continue;
        const int row = factor_block(mass, one);
        if (row >= 0 && failed < 0) failed = one->member[row];
    }
    mass->is_ready = failed < 0;
    return failed;
}

bool carom_mass_varies(const carom_mass *mass)
{
    return mass->n_varying > 0;
}

void carom_mass_forget(carom_mass *mass)
{
    mass->is_ready = false;
}

int carom_mass_factor_all(carom_mass *mass)
{
    return factor_blocks(mass, true);
}

int carom_mass_factor(carom_mass *mass)
{
    if (!mass->is_ready) return factor_blocks(mass, false);
    for (int b = 0; b < mass->n_varying; b++) {
        const int row = factor_block(mass, mass->varying[b]);
        if (row >= 0) return mass->varying[b]->member[row];
    }
    return -1;
}

// ---- solutions ----

static inline void solve_two(const double *f, double *x, double *y)
{
    const double z = (*y - f[1] * *x) * f[2];
    *x = *x * f[0] - f[1] * z;
    *y = z;
}

static inline void solve_three(const double *f, double *x, double *y, double *z)
{
    const double b2 = *y - f[1] * *x, b3 = *z - f[2] * *x - f[4] * b2;
    *z = b3 * f[5];
    *y = b2 * f[3] - f[4] * *z;
    *x = *x * f[0] - f[1] * *y - f[2] * *z;
}

static void solve_consecutive(const block *b, double *x)
{
    if (b->kind == BAND)
        carom_narrow_solve(b->band, x);
    else if (b->kind == SPARSE)
        carom_ldl_solve(b->ldl, x);
    else
        carom_small_cholesky_solve(b->n, b->factor, b->reciprocal, x);
}

static void solve_large(const carom_mass *m, const block *b, double *x)
{
    if (b->is_consecutive) {
        solve_consecutive(b, x + b->member[0]);
        return;
    }
    for (int i = 0; i < b->n; i++) m->x[i] = x[b->member[i]];
    solve_consecutive(b, m->x);
    for (int i = 0; i < b->n; i++) x[b->member[i]] = m->x[i];
}

static inline void solve_block(const carom_mass *m, const block *b, double *x)
{
    const int *at = b->member;
    switch (b->kind) {
    case ONE:
        x[at[0]] *= b->factor[0];
        break;
    case TWO:
        solve_two(b->factor, &x[at[0]], &x[at[1]]);
        break;
    case THREE:
        solve_three(b->factor, &x[at[0]], &x[at[1]], &x[at[2]]);
        break;
    case DENSE:
    case BAND:
    case SPARSE:
        solve_large(m, b, x);
        break;
    }
}

// apart, so that what is short needs no registers of theirs
static __attribute__((noinline)) void solve_rest(const carom_mass *mass, double *x)
{
    for (int b = 0; b < mass->n_rest; b++) solve_block(mass, mass->rest[b], x);
}

void carom_mass_solve(const carom_mass *mass, double *x)
{
    if (!mass || !x) return;
    const int *row = mass->one;
    const double *f = mass->small;
    for (const int *end = row + mass->n_one; row < end; row++) x[*row] *= *f++;
    row = mass->two;
    for (const int *end = row + 2 * mass->n_two; row < end; row += 2, f += 3)
        solve_two(f, &x[row[0]], &x[row[1]]);
    if (mass->n_rest > 0) solve_rest(mass, x);
}

void carom_mass_solve_columns(const carom_mass *mass, double *x, int m)
{
    const int n = mass->n;
    const double *f = mass->small;
    double *const end = x + (size_t)m * (size_t)n;
    for (int i = 0; i < mass->n_one; i++)
        for (double *column = x + mass->one[i]; column < end; column += n) *column *= f[i];
    f += mass->n_one;
    for (int i = 0; i < mass->n_two; i++, f += 3) {
        double *b = x + mass->two[2 * i + 1];
        for (double *a = x + mass->two[2 * i]; a < end; a += n, b += n) solve_two(f, a, b);
    }
    if (mass->n_rest > 0)
        for (double *column = x; column < end; column += n) solve_rest(mass, column);
}

// as that of bodies
static int solve_diagonal(const carom_mass *mass, int n_entry, const int *index,
                          const double *value, double *x, int *touched)
{
    const double *inverse = mass->small; // by the rows of mass->one, which are all
    for (int k = 0; k < n_entry; k++) {
        touched[k] = index[k];
        x[index[k]] = value[k] * inverse[index[k]];
    }
    return n_entry;
}

// the large block that all entries belong to, or NULL
static const block *only_block(const carom_mass *mass, int n_entry, const int *index)
{
    if (n_entry == 0) return NULL;
    const int b = mass->block_of[index[0]];
    for (int k = 1; k < n_entry && mass->block[b].recall; k++)
        if (mass->block_of[index[k]] != b) return NULL;
    return mass->block[b].recall ? &mass->block[b] : NULL;
}

// the solution as it was last time; 0 where it is not known
static int recall_block(const block *b, int n_entry, const int *index, const double *value,
                        double *x, int *touched)
{
    const double *known = carom_recall_find(b->recall, n_entry, index, value);
    for (int i = 0; known && i < b->n; i++) {
        touched[i] = b->member[i];
        x[b->member[i]] = known[i];
    }
    return known ? b->n : 0;
}

static void keep_block(const carom_mass *mass, const block *b, int n_entry, const int *index,
                       const double *value, const double *x)
{
    for (int i = 0; i < b->n; i++) mass->x[i] = x[b->member[i]];
    carom_recall_keep(b->recall, n_entry, index, value, mass->x);
}

static int solve_blocks(const carom_mass *mass, int n_entry, const int *index, const double *value,
                        double *x, int *touched)
{
    int n = 0;
    for (int k = 0; k < n_entry; k++) {
        const int b = mass->block_of[index[k]];
        x[index[k]] += value[k];
        if (mass->is_marked[b]) continue;
        mass->is_marked[b] = 1;
        for (int i = 0; i < mass->block[b].n; i++) touched[n++] = mass->block[b].member[i];
    }
    for (int i = 0; i < n;) {
        const int b = mass->block_of[touched[i]];
        mass->is_marked[b] = 0;
        solve_block(mass, &mass->block[b], x);
        i += mass->block[b].n;
    }
    return n;
}

int carom_mass_solve_sparse(const carom_mass *mass, int n_entry, const int *index,
                            const double *value, double *x, int *touched)
{
    if (mass->n_one == mass->n) return solve_diagonal(mass, n_entry, index, value, x, touched);
    const block *large = only_block(mass, n_entry, index);
    int n = large ? recall_block(large, n_entry, index, value, x, touched) : 0;
    if (n > 0) return n;
    n = solve_blocks(mass, n_entry, index, value, x, touched);
    if (large) keep_block(mass, large, n_entry, index, value, x);
    return n;
}

// ---- the matrix itself ----

void carom_mass_times(const carom_mass *mass, const double *x, double *y)
{
    if (!mass || !x || !y) return;
    for (int i = 0; i < mass->n; i++) {
        double sum = 0;
        for (int k = mass->start[i]; k < mass->start[i + 1]; k++)
            sum += mass->value[k] * x[mass->index[k]];
        y[i] = sum;
    }
}

double carom_mass_entry(const carom_mass *mass, int i, int j)
{
    if (!mass || i < 0 || i >= mass->n || j < 0 || j >= mass->n) return NAN;
    return value_at(mass->value, carom_mass_find(mass, i, j));
}

int carom_mass_n_entry(const carom_mass *mass)
{
    return mass ? mass->start[mass->n] : 0;
}
