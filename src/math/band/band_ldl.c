// SPDX-License-Identifier: Apache-2.0
// Symmetric positive definite bands:
//
//     l_ki = a_ki / d_i       a_kj -= l_ki d_i l_ji       column i, then the triangle that it spans
//
// One code for all widths. Those of chains (2 and 3 neighbours, two nodes of 3 or of 6 unknowns)
// are compiled with the width as a constant: the rows that a column reaches stay in registers then.
//
// Three diagonals are eliminated from both ends at once and meet in the middle: the same
// operations, but two chains of dependent ones side by side, which halves the time (a processor
// waits for each result before the next row can begin).
#include "math/band/band_ldl.h"

#include "math/small.h"

#include <stddef.h>

enum { LONGEST = 11 }; // of the widths that have code of their own

// ---- any width ----

static inline int factor_width(int width, const carom_band_ldl *m, int first, int end)
{
    for (int i = first; i < end; i++) {
        double *column = m->lower + (size_t)i * (size_t)width, *diagonal = m->diagonal + i;
        if (!carom_small_is_pivot(*diagonal, m->whole[i])) return i;
        const double inverse = 1 / *diagonal;
        *diagonal = inverse;
        double *next = column + width;
        for (int j = 0; j < width; j++, next += width) {
            const double a = column[j], l = a * inverse;
            diagonal[j + 1] -= l * a;
            for (int k = j + 1; k < width; k++) next[k - j - 1] -= l * column[k];
            column[j] = l;
        }
    }
    return -1;
}

static void solve_wide(const carom_band_ldl *m, int first, int end, double *x)
{
    const int width = m->width;
    const double *column = m->lower + (size_t)first * (size_t)width;
    for (int i = first; i < end; i++, column += width)
        for (int k = 0; k < width; k++) x[i + 1 + k] -= column[k] * x[i];
    for (int i = end - 1; i >= first; i--) {
        column -= width;
        double sum = x[i] * m->diagonal[i];
        for (int k = width - 1; k >= 0; k--) sum -= column[k] * x[i + 1 + k];
        x[i] = sum;
    }
}

// the same with the rows ahead in `ahead`; what is behind `end` is neither read nor changed in
// effect
static inline void solve_width(int width, const carom_band_ldl *m, int first, int end, double *x)
{
    const double *column = m->lower + (size_t)first * (size_t)width, *diagonal = m->diagonal;
    double ahead[LONGEST];
    for (int k = 0; k < width; k++) ahead[k] = x[first + k];
    for (int i = first; i < end; i++, column += width) {
        const double now = x[i] = ahead[0];
        for (int k = 0; k < width - 1; k++) ahead[k] = ahead[k + 1] - column[k] * now;
        ahead[width - 1] = x[i + width] - column[width - 1] * now;
    }
    for (int k = 0; k < width; k++) ahead[k] = 0;
    for (int i = end - 1; i >= first; i--) {
        column -= width;
        double now = x[i] * diagonal[i];
        for (int k = width - 1; k >= 0; k--) now -= column[k] * ahead[k];
        for (int k = width - 1; k > 0; k--) ahead[k] = ahead[k - 1];
        x[i] = ahead[0] = now;
    }
}

// ---- three diagonals ----

static int middle_of(int first, int end)
{
    return first + (end - first) / 2;
}

static inline bool eliminate(const carom_band_ldl *m, int i, int neighbour, double *off)
{
    double *d = m->diagonal;
    if (!carom_small_is_pivot(d[i], m->whole[i])) return false;
    d[i] = 1 / d[i];
    const double l = *off * d[i];
    d[neighbour] -= l * *off;
    *off = l;
    return true;
}

static int factor_three(const carom_band_ldl *m, int first, int end)
{
    const int middle = middle_of(first, end);
    for (int i = first, j = end - 1; i < middle || j > middle; i++, j--) {
        if (i < middle && !eliminate(m, i, i + 1, m->lower + i)) return i;
        if (j > middle && !eliminate(m, j, j - 1, m->lower + j - 1)) return j;
    }
    if (!carom_small_is_pivot(m->diagonal[middle], m->whole[middle])) return middle;
    m->diagonal[middle] = 1 / m->diagonal[middle];
    return -1;
}

static void solve_three(const carom_band_ldl *m, int first, int end, double *restrict x)
{
    const double *restrict l = m->lower, *restrict d = m->diagonal;
    const int middle = middle_of(first, end);
    int i = first, j = end - 1;
    double low = x[i], high = x[j];
    while (i < middle - 1 && j > middle + 1) {
        low = x[i + 1] - l[i] * low;
        high = x[j - 1] - l[j - 1] * high;
        x[++i] = low;
        x[--j] = high;
    }
    for (; i < middle - 1; i++) x[i + 1] = low = x[i + 1] - l[i] * low;
    double sum = x[middle];
    if (i < middle) sum -= l[i] * low;
    if (j > middle) sum -= l[j - 1] * high;
    x[middle] = low = high = sum * d[middle];
    for (i = middle - 1, j = middle + 1; i >= first && j < end; i--, j++) {
        x[i] = low = x[i] * d[i] - l[i] * low;
        x[j] = high = x[j] * d[j] - l[j - 1] * high;
    }
    for (; i >= first; i--) x[i] = low = x[i] * d[i] - l[i] * low;
}

// ---- by width ----

int carom_band_ldl_factor(const carom_band_ldl *m, int first, int end)
{
    switch (m->width) {
    case 1:
        return factor_three(m, first, end);
    case 2:
        return factor_width(2, m, first, end);
    case 3:
        return factor_width(3, m, first, end);
    case 5:
        return factor_width(5, m, first, end);
    case LONGEST:
        return factor_width(LONGEST, m, first, end);
    default:
        return factor_width(m->width, m, first, end);
    }
}

void carom_band_ldl_solve(const carom_band_ldl *m, int first, int end, double *x)
{
    switch (m->width) {
    case 1:
        solve_three(m, first, end, x);
        break;
    case 2:
        solve_width(2, m, first, end, x);
        break;
    case 3:
        solve_width(3, m, first, end, x);
        break;
    case 5:
        solve_width(5, m, first, end, x);
        break;
    case LONGEST:
        solve_width(LONGEST, m, first, end, x);
        break;
    default:
        solve_wide(m, first, end, x);
    }
}
