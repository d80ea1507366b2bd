// SPDX-License-Identifier: Apache-2.0
// G = W M^-1 W' as its factors: the rows chosen, copied one after another, and the blocks of M^-1,
// column by column from the factors of the mass. Nothing grows faster than the rows do.
#include "dynamics/factored.h"

#include "base/grow.h"
#include "math/blockmass.h"

#include <stdlib.h>
#include <string.h>

enum { WIDEST = 6 }; // velocities of a body

static bool reserve(carom_contacts *c, int n_entry)
{
    carom_factors *f = &c->factors;
    const size_t nu = (size_t)c->size.nu;
    if (!f->mass_row) {
        const bool is_good = carom_grow(&f->start, sizeof(int), (size_t)c->size.n_row + 1) &&
                             carom_grow(&f->inverse, sizeof(double), WIDEST * nu) &&
                             carom_grow(&f->inverse_at, sizeof(int), nu) &&
                             carom_grow(&f->scratch, sizeof(double), 2 * nu) &&
                             carom_grow(&f->mass_row, sizeof(int), nu + 1);
        if (!is_good) return false;
    }
    if (n_entry <= c->room_factor) return true;
    const size_t room = (size_t)n_entry + (size_t)n_entry / 2;
    if (!carom_grow(&f->index, sizeof(int), room) || !carom_grow(&f->value, sizeof(double), room))
        return false;
    c->room_factor = (int)room;
    return true;
}

static bool copy_rows(carom_contacts *c, const carom_sparse *W)
{
    carom_factors *f = &c->factors;
    int n = 0;
    for (int i = 0; i < c->problem.n_row; i++) n += W->start[c->row[i] + 1] - W->start[c->row[i]];
    if (!reserve(c, n)) return false;
    f->start[0] = n = 0;
    for (int i = 0; i < c->problem.n_row; i++) {
        const int first = W->start[c->row[i]], m = W->start[c->row[i] + 1] - first;
        memcpy(f->index + n, W->index + first, sizeof(int) * (size_t)m);
        memcpy(f->value + n, W->value + first, sizeof(double) * (size_t)m);
        f->start[i + 1] = n += m;
    }
    return true;
}

// the block of M^-1 that begins with velocity i; returns its size, 0 where it is of another kind
static int take_block(carom_contacts *c, const carom_mass *mass, int i, double *inverse)
{
    const int *member, n = mass ? carom_mass_block_of(mass, i, &member) : 1;
    if (!mass) {
        inverse[0] = 1;
        return 1;
    }
    if (n > WIDEST || member[0] != i || member[n - 1] != i + n - 1) return 0;
    for (int j = 0; j < n; j++) {
        const int column = i + j;
        const double one = 1;
        carom_mass_solve_sparse(mass, 1, &column, &one, c->x, c->touched);
        for (int k = 0; k < n; k++) {
            inverse[j * n + k] = c->x[i + k];
            c->x[i + k] = 0;
        }
    }
    return n;
}

bool carom_factors_take(carom_contacts *c, const carom_contact_terms *terms)
{
    carom_factors *f = &c->factors;
    const carom_eval *at = terms->mass ? terms->mass : terms->rate;
    const carom_mass *mass = terms->is_identity ? NULL : at->mass;
    if (!copy_rows(c, &terms->rate->rows.W)) return false;
    f->n_column = c->size.nu;
    f->n_mass = f->mass_row[0] = 0;
    for (int i = 0, at_value = 0; i < c->size.nu;) {
        const int n = take_block(c, mass, i, f->inverse + at_value);
        if (n == 0) return false;
        f->inverse_at[f->n_mass] = at_value;
        f->mass_row[++f->n_mass] = i += n;
        at_value += n * n;
    }
    return true;
}

void carom_factors_free(carom_factors *f)
{
    void *const all[] = {f->start,   f->index,   f->value,     f->mass_row,
                         f->inverse, f->scratch, f->inverse_at};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    *f = (carom_factors){0};
}
