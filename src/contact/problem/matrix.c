// SPDX-License-Identifier: Apache-2.0
// The four forms of a contact matrix: dense by columns, sparse by rows, blocks by block rows, and
// factors W M^-1 W' + diag(d). What depends on the form is here, so that the residual, the scaling
// and the solvers need not care.
#include "contact/problem/problem.h"

static double sparse_row(const int *start, const int *index, const double *value, int i,
                         const double *x)
{
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++) sum += value[k] * x[index[k]];
    return sum;
}

// where column j stands in the sorted list index[low..high), or -1
static int find_column(const int *index, int low, int high, int j)
{
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (index[middle] == j) return middle;
        if (index[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

// the part of consecutive ones that begin at first[0], first[1], ... that row i lies in
static int part_of(int n_part, const int *first, int i)
{
    int low = 0, high = n_part;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (first[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// the block that row i lies in
static int block_of(const carom_block_rows *B, int i)
{
    return part_of(B->n_block, B->row, i);
}

static double blocks_at(const carom_block_rows *B, int i, int j)
{
    const int k = block_of(B, i), c = block_of(B, j);
    const int at = find_column(B->index, B->start[k], B->start[k + 1], c);
    if (at < 0) return 0;
    const int dim = B->row[k + 1] - B->row[k];
    return B->value[B->at[at] + (j - B->row[c]) * dim + i - B->row[k]];
}

static void blocks_product(const carom_block_rows *B, const double *x, double *y)
{
    for (int k = 0; k < B->n_block; k++) {
        const int dim = B->row[k + 1] - B->row[k];
        double *to = y + B->row[k];
        for (int i = 0; i < dim; i++) to[i] = 0;
        for (int p = B->start[k]; p < B->start[k + 1]; p++) {
            const int first = B->row[B->index[p]], width = B->row[B->index[p] + 1] - first;
            const double *block = B->value + B->at[p];
            for (int j = 0; j < width; j++, block += dim)
                for (int i = 0; i < dim; i++) to[i] += block[i] * x[first + j];
        }
    }
}

static double blocks_row(const carom_block_rows *B, int i, const double *x)
{
    const int k = block_of(B, i), dim = B->row[k + 1] - B->row[k];
    double sum = 0;
    for (int p = B->start[k]; p < B->start[k + 1]; p++) {
        const int first = B->row[B->index[p]], width = B->row[B->index[p] + 1] - first;
        const double *entry = B->value + B->at[p] + (i - B->row[k]);
        for (int j = 0; j < width; j++) sum += entry[j * dim] * x[first + j];
    }
    return sum;
}

// v = M^-1 w
static void apply_inverse(const carom_factors *f, const double *w, double *v)
{
    for (int m = 0; m < f->n_mass; m++) {
        const int first = f->mass_row[m], dim = f->mass_row[m + 1] - first;
        const double *column = f->inverse + f->inverse_at[m];
        for (int i = 0; i < dim; i++) v[first + i] = 0;
        for (int j = 0; j < dim; j++, column += dim)
            for (int i = 0; i < dim; i++) v[first + i] += column[i] * w[first + j];
    }
}

// the velocities M^-1 W' x, in the scratch
static const double *factors_push(const carom_factors *f, int n, const double *x)
{
    double *w = f->scratch, *v = w + f->n_column;
    for (int c = 0; c < f->n_column; c++) w[c] = 0;
    for (int i = 0; i < n; i++)
        for (int k = f->start[i]; k < f->start[i + 1]; k++) w[f->index[k]] += f->value[k] * x[i];
    apply_inverse(f, w, v);
    return v;
}

// G_ii, asked for often: run after run of entries that share a block of the mass, which are in
// order
static double factors_diagonal(const carom_factors *f, int i)
{
    const int end = f->start[i + 1];
    double sum = f->diagonal ? f->diagonal[i] : 0;
    for (int p = f->start[i], m = -1; p < end;) {
        const bool is_next = m >= 0 && m + 1 < f->n_mass && f->index[p] < f->mass_row[m + 2];
        m = is_next ? m + 1 : part_of(f->n_mass, f->mass_row, f->index[p]);
        const int first = f->mass_row[m], n = f->mass_row[m + 1] - first, begin = p;
        const double *block = f->inverse + f->inverse_at[m];
        while (p < end && f->index[p] < first + n) p++;
        for (int k = begin; k < p; k++)
            for (int l = begin; l < p; l++)
                sum += f->value[k] * block[(f->index[l] - first) * n + f->index[k] - first] *
                       f->value[l];
    }
    return sum;
}

static double factors_at(const carom_factors *f, int i, int j)
{
    if (i == j) return factors_diagonal(f, i);
    double sum = 0;
    int m =
        f->start[i] < f->start[i + 1] ? part_of(f->n_mass, f->mass_row, f->index[f->start[i]]) : 0;
    for (int p = f->start[i]; p < f->start[i + 1]; p++) {
        if (f->mass_row[m + 1] <= f->index[p]) m = part_of(f->n_mass, f->mass_row, f->index[p]);
        const int first = f->mass_row[m], end = f->mass_row[m + 1];
        const double *block = f->inverse + f->inverse_at[m] + (f->index[p] - first);
        for (int q = f->start[j]; q < f->start[j + 1]; q++)
            if (f->index[q] >= first && f->index[q] < end)
                sum += f->value[p] * block[(f->index[q] - first) * (end - first)] * f->value[q];
    }
    return sum;
}

static double factors_row(const carom_factors *f, int n, int i, const double *x)
{
    const double own = f->diagonal ? f->diagonal[i] * x[i] : 0;
    return own + sparse_row(f->start, f->index, f->value, i, factors_push(f, n, x));
}

double carom_matrix_row(const carom_matrix *G, int i, const double *P, double *diagonal)
{
    if (carom_matrix_is_sparse(G)) {
        const int at = find_column(G->index, G->start[i], G->start[i + 1], i);
        *diagonal = at < 0 ? 0 : G->value[at];
        return sparse_row(G->start, G->index, G->value, i, P);
    }
    if (!G->dense) {
        *diagonal = carom_matrix_at(G, i, i);
        return G->blocks ? blocks_row(G->blocks, i, P) : factors_row(G->factors, G->n, i, P);
    }
    const size_t n = (size_t)G->n;
    const double *entry = G->dense + i;
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += entry[j * n] * P[j];
    *diagonal = entry[(size_t)i * n];
    return sum;
}

void carom_matrix_product(const carom_matrix *G, const double *x, double *y)
{
    const int n = G->n;
    if (G->dense) {
        const double *column = G->dense;
        for (int i = 0; i < n; i++) y[i] = 0;
        for (int j = 0; j < n; j++, column += n)
            for (int i = 0; i < n; i++) y[i] += column[i] * x[j];
    } else if (G->start) {
        for (int i = 0; i < n; i++) y[i] = sparse_row(G->start, G->index, G->value, i, x);
    } else if (G->blocks) {
        blocks_product(G->blocks, x, y);
    } else if (G->factors) {
        const carom_factors *f = G->factors;
        const double *v = factors_push(f, n, x);
        for (int i = 0; i < n; i++)
            y[i] = sparse_row(f->start, f->index, f->value, i, v) +
                   (f->diagonal ? f->diagonal[i] * x[i] : 0);
    }
}

double carom_matrix_at(const carom_matrix *G, int i, int j)
{
    if (G->dense) return G->dense[(size_t)j * (size_t)G->n + (size_t)i];
    if (G->start) {
        const int at = find_column(G->index, G->start[i], G->start[i + 1], j);
        return at < 0 ? 0 : G->value[at];
    }
    return G->blocks ? blocks_at(G->blocks, i, j) : factors_at(G->factors, i, j);
}

static int blocks_entries(const carom_block_rows *B, int i, int *index, double *value)
{
    const int k = block_of(B, i), dim = B->row[k + 1] - B->row[k];
    int n = 0;
    for (int p = B->start[k]; p < B->start[k + 1]; p++) {
        const int first = B->row[B->index[p]], width = B->row[B->index[p] + 1] - first;
        const double *entry = B->value + B->at[p] + (i - B->row[k]);
        for (int j = 0; j < width; j++, entry += dim) {
            index[n] = first + j;
            value[n] = *entry;
            n += *entry != 0;
        }
    }
    return n;
}

static int factors_entries(const carom_factors *f, int n_row, int i, int *index, double *value)
{
    double *w = f->scratch, *v = w + f->n_column;
    int n = 0;
    for (int c = 0; c < f->n_column; c++) w[c] = 0;
    for (int k = f->start[i]; k < f->start[i + 1]; k++) w[f->index[k]] = f->value[k];
    apply_inverse(f, w, v);
    for (int j = 0; j < n_row; j++) {
        index[n] = j;
        value[n] = sparse_row(f->start, f->index, f->value, j, v);
        if (i == j && f->diagonal) value[n] += f->diagonal[i];
        n += value[n] != 0;
    }
    return n;
}

int carom_matrix_entries(const carom_matrix *G, int i, int *index, double *value)
{
    int n = 0;
    if (G->blocks && !G->dense && !G->start) return blocks_entries(G->blocks, i, index, value);
    if (!G->dense && !G->start) return factors_entries(G->factors, G->n, i, index, value);
    const int first = G->dense ? 0 : G->start[i], end = G->dense ? G->n : G->start[i + 1];
    for (int k = first; k < end; k++) {
        index[n] = G->dense ? k : G->index[k];
        value[n] = G->dense ? G->dense[(size_t)k * (size_t)G->n + (size_t)i] : G->value[k];
        n += value[n] != 0;
    }
    return n;
}

bool carom_matrix_row_is_zero(const carom_matrix *G, int i)
{
    if (carom_matrix_at(G, i, i) != 0) return false;
    const bool is_sparse = carom_matrix_is_sparse(G);
    const int first = is_sparse ? G->start[i] : 0, end = is_sparse ? G->start[i + 1] : G->n;
    for (int k = first; k < end; k++)
        if ((is_sparse ? G->value[k] : carom_matrix_at(G, i, k)) != 0) return false;
    return true;
}

// one look at a row by entries; others are asked for the diagonal first
static double sparse_size(const carom_matrix *G, int i)
{
    double largest = 0;
    for (int k = G->start[i], end = G->start[i + 1]; k < end; k++) {
        const double x = fabs(G->value[k]);
        if (G->index[k] == i && x > 0) return x;
        if (x > largest) largest = x;
    }
    return largest > 0 ? largest : 1;
}

double carom_matrix_size(const carom_matrix *G, int i)
{
    if (carom_matrix_is_sparse(G)) return sparse_size(G, i);
    const double diagonal = fabs(carom_matrix_at(G, i, i));
    if (diagonal > 0) return diagonal;
    double largest = 0;
    for (int k = 0; k < G->n; k++) {
        const double x = fabs(carom_matrix_at(G, i, k));
        if (x > largest) largest = x;
    }
    return largest > 0 ? largest : 1;
}

// four sums, none of which waits for another
static bool all_finite(const double *value, size_t n)
{
    double poison[4] = {0};
    size_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (size_t i = 0; i < 4; i++) poison[i] += 0 * value[k + i];
    for (; k < n; k++) poison[0] += 0 * value[k];
    return poison[0] + poison[1] + poison[2] + poison[3] == 0;
}

static bool factors_are_finite(const carom_factors *f, int n)
{
    for (int m = 0; m < f->n_mass; m++) {
        const size_t dim = (size_t)(f->mass_row[m + 1] - f->mass_row[m]);
        if (!all_finite(f->inverse + f->inverse_at[m], dim * dim)) return false;
    }
    return all_finite(f->value, (size_t)f->start[n]) &&
           (!f->diagonal || all_finite(f->diagonal, (size_t)n));
}

static bool blocks_are_finite(const carom_block_rows *B)
{
    for (int k = 0; k < B->n_block; k++)
        for (int p = B->start[k]; p < B->start[k + 1]; p++) {
            const int c = B->index[p];
            const size_t size =
                (size_t)(B->row[k + 1] - B->row[k]) * (size_t)(B->row[c + 1] - B->row[c]);
            if (!all_finite(B->value + B->at[p], size)) return false;
        }
    return true;
}

bool carom_problem_is_finite(const carom_problem *problem)
{
    const carom_matrix *G = &problem->G;
    const size_t n = (size_t)problem->n_row;
    if (!all_finite(problem->b, n)) return false;
    if (G->dense) return all_finite(G->dense, n * n);
    if (G->start) return all_finite(G->value, (size_t)G->start[n]);
    if (G->blocks) return blocks_are_finite(G->blocks);
    return !G->factors || factors_are_finite(G->factors, G->n);
}
