// SPDX-License-Identifier: Apache-2.0
// Answers of linear bodies, behind the programs of the model. Mass and derivatives of forces never
// change and are written once; with every question come
//
//     f = own + load - K d - D u,   p = own + M u                 of the unknowns of the bodies
//     T = own + u'M u/2,   V = own + d'K d/2 - load'd,   power = own - u'D u
//
// where `own` is what the programs answer: forces and masses that texts bring. They stand in places
// of their own, so that what a program writes once only is not added twice.
#include "model/elastic/elastic.h"

#include "math/vector.h"
#include "model/plan.h"

// a question of the plan, and how the model answers it without elastic bodies
struct carom_elastic_question {
    const carom_elastics *elastics;
    const carom_layout *layout;
    unsigned mask;
    bool is_still; ///< forces, and they do not depend on velocities
    int watched, n_watched;
    void *program;
    carom_answer *whole, *still, *rates;
};

static void add_forces(const carom_elastics *e, const carom_point *at, double *f)
{
    for (int b = 0; b < e->n; b++) {
        const carom_elastic *body = &e->item[b];
        double *own = f + body->first;
        carom_vector_copy(body->n, body->load, own);
        carom_diagonals_subtract(&body->K.times, at->q + body->first, own);
        if (body->D.A.n_row > 0) carom_diagonals_subtract(&body->D.times, at->u + body->first, own);
    }
}

static void add_shares(const carom_elastic_shares *shares, double *block)
{
    for (int k = 0; k < shares->n; k++) block[shares->item[k].to] += block[shares->item[k].own];
}

static void add_momenta(const carom_elastics *e, const carom_point *at, double *p)
{
    for (int b = 0; b < e->n; b++) {
        const carom_elastic *body = &e->item[b];
        double *own = p + body->first;
        carom_vector_clear(body->n, own);
        carom_diagonals_subtract(&body->M.times, at->u + body->first, own);
        for (int i = 0; i < body->n; i++) own[i] = -own[i];
    }
}

static double work_of_loads(const carom_elastic *body, const double *q)
{
    double work = 0;
    for (int i = 0; i < body->n; i++) work += body->load[i] * q[i];
    return work;
}

static void add_energies(const carom_elastic_question *k, const carom_point *at, double *block)
{
    const carom_elastics *e = k->elastics;
    const carom_layout_energy *to = &k->layout->energy;
    double T = block[e->own.kinetic], V = block[e->own.potential];
    for (int b = 0; b < e->n; b++) {
        const carom_elastic *body = &e->item[b];
        const double *q = at->q + body->first;
        T += 0.5 * carom_diagonals_form(&body->M.times, at->u + body->first);
        V += 0.5 * carom_diagonals_form(&body->K.times, q) - work_of_loads(body, q);
    }
    block[to->kinetic] = T;
    block[to->potential] = V;
}

static void add_power(const carom_elastic_question *k, const carom_point *at, double *block)
{
    const carom_elastics *e = k->elastics;
    double power = block[e->own.power];
    for (int b = 0; b < e->n; b++)
        if (e->item[b].D.A.n_row > 0)
            power -= carom_diagonals_form(&e->item[b].D.times, at->u + e->item[b].first);
    block[k->layout->energy.power] = power;
}

// returns whether what must be finite is
static bool add_bodies(const carom_elastic_question *k, const carom_point *at, double *block)
{
    if (k->mask & CAROM_FORCES) {
        add_forces(k->elastics, at, block + k->layout->f);
        add_shares(&k->elastics->f, block);
    }
    if (k->mask & CAROM_MOMENTUM) {
        add_forces(k->elastics, at, block + k->layout->momentum.f_plain);
        add_shares(&k->elastics->plain, block);
        add_momenta(k->elastics, at, block + k->layout->momentum.p);
        add_shares(&k->elastics->p, block);
    }
    if (k->mask & CAROM_ENERGY) add_energies(k, at, block);
    if (k->mask & CAROM_POWER) add_power(k, at, block);
    return carom_vector_is_finite(block + k->watched, k->n_watched);
}

static bool elastic_whole(void *question, const carom_point *at, double *block)
{
    const carom_elastic_question *k = question;
    k->whole(k->program, at, block);
    return add_bodies(k, at, block);
}

// forces of damped bodies, momenta and energies wait for the velocities
static bool elastic_still(void *question, const carom_point *at, double *block)
{
    const carom_elastic_question *k = question;
    const bool is_good = k->still(k->program, at, block);
    return k->is_still ? add_bodies(k, at, block) : is_good;
}

static bool elastic_rates(void *question, const carom_point *at, double *block)
{
    const carom_elastic_question *k = question;
    k->rates(k->program, at, block);
    return add_bodies(k, at, block);
}

carom_elastic_question *carom_elastic_questions_new(const carom_plan *plan)
{
    return CAROM_TAKE(plan->arena, carom_elastic_question, plan->n_mask);
}

static bool is_damped(const carom_elastics *elastics)
{
    bool is = false;
    for (int b = 0; b < elastics->n; b++) is |= elastics->item[b].D.A.n_row > 0;
    return is;
}

void carom_elastic_join(const carom_plan *plan, carom_elastic_question *question)
{
    static const unsigned moving = CAROM_MOMENTUM | CAROM_ENERGY | CAROM_POWER;
    static const unsigned ours = CAROM_FORCES | moving;
    const bool needs_u = is_damped(plan->model->energies.elastic);
    for (int i = 0; i < plan->n_mask; i++) {
        carom_question *ask = &plan->question[i];
        carom_elastic_question *k = &question[i];
        if (!(ask->mask & ours)) continue;
        *k =
            (carom_elastic_question){.elastics = plan->model->energies.elastic,
                                     .layout = &plan->model->layout,
                                     .mask = ask->mask,
                                     .is_still = ask->is_still && !needs_u && !(ask->mask & moving),
                                     .watched = ask->watched,
                                     .n_watched = ask->n_watched,
                                     .program = ask->program,
                                     .whole = ask->whole,
                                     .still = ask->still,
                                     .rates = ask->rates};
        ask->program = k;
        ask->whole = elastic_whole;
        ask->still = elastic_still;
        ask->rates = elastic_rates;
        ask->is_still = k->is_still;
        ask->is_constant = false;
    }
}

void carom_elastics_constants(const carom_elastics *elastics, double *block)
{
    carom_vector_copy(elastics->n_constant, elastics->constant, block);
}

bool carom_elastics_keep_constants(carom_elastics *elastics, carom_model *model)
{
    double *block = CAROM_TAKE(model->arena, double, model->layout.size);
    if (!block) return false;
    for (int k = 0; k < elastics->found.n; k++)
        block[elastics->found.item[k].offset] = elastics->found.item[k].value;
    elastics->found.n = 0;
    elastics->constant = block;
    elastics->n_constant = model->layout.size;
    return true;
}

bool carom_elastics_bound(const carom_model *model, carom_stiffest *bound)
{
    const carom_elastics *e = model->energies.elastic;
    *bound = (carom_stiffest){0};
    if (!e || !e->is_all_stiffness) return false;
    for (int b = 0; b < e->n; b++) {
        const carom_elastic *body = &e->item[b];
        const double w = body->frequency;
        if (!(w > 0)) return false;
        bound->frequency = fmax(bound->frequency, w);
        bound->damping = fmax(bound->damping, 0.5 * (body->beta * w + body->alpha / w));
    }
    return true;
}

static double distortion_of(const carom_elastic *body, const double *q)
{
    double low[3], high[3], most = 0;
    for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
    for (int i = 0; i < body->n; i++) {
        const int k = body->motion[i] - 'u';
        if (k < 0) continue; // slopes and twist
        low[k] = fmin(low[k], q[i]);
        high[k] = fmax(high[k], q[i]);
    }
    for (int k = 0; k < 3; k++) most = fmax(most, high[k] - low[k]);
    return body->size > 0 ? most / body->size : 0;
}

double carom_elastics_distortion(const carom_model *model, const double *q)
{
    const carom_elastics *e = model->energies.elastic;
    double most = 0;
    for (int b = 0; e && b < e->n; b++)
        most = fmax(most, distortion_of(&e->item[b], q + e->item[b].first));
    return most;
}

const carom_elastic *carom_elastics_find(const carom_elastics *elastics, int i)
{
    for (int b = 0; elastics && b < elastics->n; b++)
        if (i >= elastics->item[b].first && i < elastics->item[b].first + elastics->item[b].n)
            return &elastics->item[b];
    return NULL;
}

carom_elastic_row carom_elastic_row_of(const carom_elastic *elastic,
                                       const carom_elastic_matrix *matrix, int i)
{
    if (!elastic || matrix->A.n_row == 0) return (carom_elastic_row){0};
    const int k = matrix->A.start[i - elastic->first];
    return (carom_elastic_row){matrix->A.start[i - elastic->first + 1] - k, elastic->first,
                               matrix->A.index + k, matrix->A.value + k};
}
