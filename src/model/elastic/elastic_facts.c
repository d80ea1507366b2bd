// SPDX-License-Identifier: Apache-2.0
// What matrices say of a body: the mass that moves along each direction r'M r, the motions that
// meet no force (K r = 0 to rounding, for translations and small rotations of its nodes), and the
// lowest frequencies.
#include "base/need.h"
#include "model/elastic/elastic.h"
#include "model/elastic/elastic_modes.h"

#include <math.h>
#include <string.h>

// of K r against the size of its terms; a reduction is a difference of larger ones
static const double ROUNDING = 1e-9, REDUCED = 1e-6;

int carom_model_n_elastic(const carom_model *model)
{
    return model && model->energies.elastic ? model->energies.elastic->n : 0;
}

// what unknown i does in the rigid motion of number 0 .. 5: translations along and turns about
// three axes, those of space or of the line
static double rigid_part(const carom_elastic *body, int i, int motion)
{
    const char letter = body->motion[i];
    const double *at = body->at[i], *first = body->at[0];
    const double x[3] = {at[0] - first[0], at[1] - first[1], at[2] - first[2]};
    if (!body->is_line) {
        const int k = letter - 'u', a = motion % 3;
        if (k < 0) return 0; // a mode
        if (motion < 3) return k == a;
        return k == a ? 0 : k == (a + 1) % 3 ? -x[(a + 2) % 3] : x[(a + 1) % 3];
    }
    const double along = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    switch (motion) {
    case 0:
        return letter == 'u';
    case 1:
        return letter == 'v';
    case 2:
        return letter == 'w';
    case 3:
        return letter == 'a';
    case 4:
        return letter == 'v' ? along : letter == 'b';
    default:
        return letter == 'w' ? along : letter == 'c';
    }
}

static bool is_free(const carom_sparse *K, const double *r, double share)
{
    double size = 0;
    for (int i = 0; i < K->n_row; i++) {
        double sum = 0, terms = 0;
        for (int k = K->start[i]; k < K->start[i + 1]; k++) {
            sum += K->value[k] * r[K->index[k]];
            terms += fabs(K->value[k] * r[K->index[k]]);
        }
        if (fabs(sum) > share * terms) return false;
        size += fabs(r[i]);
    }
    return size > 0;
}

static double form(const carom_sparse *A, const double *r)
{
    double sum = 0;
    for (int i = 0; i < A->n_row; i++)
        for (int k = A->start[i]; k < A->start[i + 1]; k++)
            sum += r[i] * A->value[k] * r[A->index[k]];
    return sum;
}

static void look_at_rigid_motions(const carom_elastic *body, double *r, carom_elastic_facts *facts)
{
    for (int motion = 0; motion < 6; motion++) {
        bool is_there = false;
        for (int i = 0; i < body->n; i++) {
            r[i] = rigid_part(body, i, motion);
            is_there |= r[i] != 0;
        }
        if (!is_there) continue;
        facts->n_rigid += is_free(&body->K.A, r, body->n_before > 0 ? REDUCED : ROUNDING);
        if (motion >= 3) continue;
        facts->direction[facts->n_mass] = (body->is_line ? "uvw" : "xyz")[motion];
        facts->mass[facts->n_mass++] = form(&body->M.A, r);
    }
}

static carom_status find_frequencies(const carom_elastic *body, carom_arena *arena,
                                     carom_elastic_facts *facts, carom_error *error)
{
    carom_elastic_modes modes;
    int bad;
    const carom_status status = carom_elastic_modes_find(
        &body->M.A, &body->K.A, facts->n_rigid + CAROM_ELASTIC_FREQUENCIES, arena, &modes, &bad);
    if (status == CAROM_NO_MEMORY)
        return carom_fail(error, status, "memory ran out at the frequencies of '%.60s'",
                          body->name);
    if (status != CAROM_OK) return CAROM_OK; // they are not known
    for (int k = facts->n_rigid; k < modes.n; k++)
        facts->frequency[facts->n_frequency++] = sqrt(fmax(modes.value[k], 0));
    return CAROM_OK;
}

carom_status carom_model_elastic(const carom_model *model, int i, carom_elastic_facts *facts,
                                 carom_error *error)
{
    CAROM_NEED(error, facts);
    *facts = (carom_elastic_facts){0};
    CAROM_NEED(error, model);
    if (i < 0 || i >= carom_model_n_elastic(model))
        return carom_fail(error, CAROM_BAD_INPUT, "there is no elastic body %d", i);
    const carom_elastic *body = &model->energies.elastic->item[i];
    carom_arena *arena = carom_arena_new();
    double *r = arena ? CAROM_TAKE(arena, double, body->n) : NULL;
    carom_status status =
        r ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "memory ran out at an elastic body");
    if (status == CAROM_OK) {
        *facts = (carom_elastic_facts){.name = body->name,
                                       .n = body->n,
                                       .n_node = body->n_node,
                                       .n_kept = body->n_kept,
                                       .n_before = body->n_before,
                                       .first_dropped = body->first_dropped};
        look_at_rigid_motions(body, r, facts);
        status = find_frequencies(body, arena, facts, error);
    }
    carom_arena_free(arena);
    return status;
}
