// SPDX-License-Identifier: Apache-2.0
// The last digits by Newton steps on the natural map F (contact/problem/natural.h): its derivative
// own + rate G, rows and columns scaled, has the form of blend.h. A small shift on the rows
// that carry G keeps redundant contacts regular; it spoils no fixed point.
#include "contact/newton/polish.h"

#include <string.h>

enum { N_STEP = 4 };
static const double SHIFT = 1e-11;

size_t carom_polish_work(int max_row)
{
    return 7 * (size_t)max_row + carom_natural_work(max_row);
}

carom_polish carom_polish_cut(carom_blend *blend, double *work)
{
    const size_t n = (size_t)blend->problem->n_row;
    return (carom_polish){blend, carom_natural_cut(blend->problem, work + 7 * n), work,
                          work + 3 * n, work + 6 * n};
}

static void set_row(carom_polish *p, int i)
{
    const double *s = p->blend->s;
    const carom_natural_row *row = &p->natural.row[i];
    const carom_block *block = &p->blend->problem->block[p->blend->block_of[i]];
    double *R = p->R + 3 * (size_t)i, *C = p->C + 3 * (size_t)i;
    for (int k = 0; k < 3; k++) R[k] = C[k] = 0;
    for (int k = 0; k < row->dim; k++) {
        const int column = row->first + k,
                  at = carom_block_is_equality(block) ? 0 : column - block->first;
        R[at] = s[i] * row->rate[k] * s[column];
        C[at] = s[i] * row->own[k] / s[column];
        if (column == i && !row->is_identity) C[at] += SHIFT;
    }
    p->step[i] = -s[i] * p->natural.F[i];
}

bool carom_polish_step(carom_polish *p, double *P)
{
    const int n = p->blend->problem->n_row;
    carom_natural_at(&p->natural, P);
    for (int i = 0; i < n; i++) set_row(p, i);
    if (!carom_blend_factor(p->blend, p->R, p->C)) return false;
    carom_blend_solve(p->blend, p->step);
    for (int i = 0; i < n; i++) P[i] += p->step[i] / p->blend->s[i];
    return true;
}

double carom_polish_run(carom_polish *p, double *best, double residual, double tolerance, double *P)
{
    const size_t size = sizeof *P * (size_t)p->blend->problem->n_row;
    const double before = residual;
    // the form of blend.h has no place for what a push does to the discs of its contact
    if (carom_problem_has_loaded(p->blend->problem)) return residual;
    memcpy(P, best, size);
    for (int i = 0; i < N_STEP && residual > tolerance; i++) {
        if (!carom_polish_step(p, P)) break;
        const double now = carom_residual_formed(p->blend->problem, P);
        if (now < residual) {
            residual = now;
            memcpy(best, P, size);
        } else if (i > 0 && !(residual < before)) {
            break;
        }
    }
    return residual;
}
