// SPDX-License-Identifier: Apache-2.0
// Products with J and the residual of a problem in body form, shared by a team: rates piece by
// piece; what pieces do to bodies colour by colour, so that each body gets it in one order.
#include "contact/bodies/body_form.h"
#include "math/cone.h"

#include <string.h>

enum { LEAST_PIECES = 128, APART = 8 }; // of a share; doubles of a cache line

typedef struct body_product {
    const carom_body_form *form;
    const double *P, *from; // impulses; velocities
    double *to;
    bool with_b;
    int first;
} body_product;

static void push_pieces(void *self, int member, int first, int end)
{
    const body_product *a = self;
    const carom_body_form *form = a->form;
    const int D = form->dim, W = form->width;
    (void)member;
    for (int k = a->first + first; k < a->first + end; k++)
        for (int part = form->piece[k].part; part < form->piece[k + 1].part; part++) {
            const double *J = form->J + (size_t)part * (size_t)(D * W);
            double *to = a->to + (size_t)form->body[part] * (size_t)W;
            for (int i = 0; i < D; i++, J += W)
                for (int c = 0; c < W; c++) to[c] += J[c] * a->P[k * D + i];
        }
}

void carom_body_form_push(const carom_body_form *form, const double *P, double *v)
{
    body_product a = {.form = form, .P = P, .to = v};
    memset(v, 0, sizeof *v * (size_t)form->n_body * (size_t)form->width);
    for (int c = 0; c < form->n_colour; c++) {
        const bool is_mixed = form->last_is_mixed && c == form->n_colour - 1;
        a.first = form->colour[c];
        carom_team_run(is_mixed ? NULL : form->team, form->colour[c + 1] - a.first, LEAST_PIECES,
                       push_pieces, &a);
    }
}

static void find_rates(void *self, int member, int first, int end)
{
    const body_product *a = self;
    const carom_body_form *form = a->form;
    const int D = form->dim, W = form->width;
    (void)member;
    for (int k = first; k < end; k++) {
        double *x = a->to + (size_t)(k * D);
        const double *J = form->J + (size_t)form->piece[k].part * (size_t)(D * W);
        for (int i = 0; i < D; i++)
            x[i] = (a->with_b ? form->b[k * D + i] : 0) + form->d[k * D + i] * a->P[k * D + i];
        for (int part = form->piece[k].part; part < form->piece[k + 1].part; part++) {
            const double *from = a->from + (size_t)form->body[part] * (size_t)W;
            for (int i = 0; i < D; i++, J += W)
                for (int c = 0; c < W; c++) x[i] += J[c] * from[c];
        }
    }
}

void carom_body_form_rates(const carom_body_form *form, const double *v, const double *P,
                           bool with_b, double *xi)
{
    body_product a = {.form = form, .P = P, .from = v, .to = xi, .with_b = with_b};
    carom_team_run(form->team, form->n_piece, LEAST_PIECES, find_rates, &a);
}

// p - proj(p - x) of a piece; rows are scaled, so that both are roots of energies
static double violation(const carom_piece *piece, const double *p, const double *x)
{
    const bool is_contact = piece->kind == CAROM_PIECE_CONTACT;
    double worst = 0, y[3] = {0, 0, 0};
    if (piece->kind == CAROM_PIECE_EQUALITY) {
        for (int i = 0; i < piece->dim; i++) worst = carom_larger(worst, fabs(x[i]));
        return worst;
    }
    const int head = is_contact ? 1 : 0, dim = piece->dim - head;
    for (int i = 0; i < dim; i++) y[i] = p[head + i] - x[head + i];
    carom_cone_disc(is_contact ? piece->mu * p[0] : piece->radius, dim, y);
    for (int i = 0; i < dim; i++) worst = carom_larger(worst, fabs(p[head + i] - y[i]));
    return is_contact ? carom_larger(worst, fabs(x[0] < p[0] ? x[0] : p[0])) : worst;
}

// the largest of each member, in a line of its own; sum: whether all is finite
typedef struct worst_numbers {
    double violation, p, b, sum, apart[APART - 4];
} worst_numbers;

typedef struct body_residual {
    const carom_body_form *form;
    const double *P, *xi;
    worst_numbers *worst;
} body_residual;

static void find_worst(void *self, int member, int first, int end)
{
    const body_residual *a = self;
    const carom_body_form *form = a->form;
    const int D = form->dim;
    worst_numbers worst = a->worst[member];
    for (int k = first; k < end; k++) {
        const double *p = a->P + (size_t)(k * D), *x = a->xi + (size_t)(k * D);
        worst.violation = carom_larger(worst.violation, violation(&form->piece[k], p, x));
        for (int i = 0; i < form->piece[k].dim; i++) {
            worst.p = carom_larger(worst.p, fabs(p[i]));
            worst.b = carom_larger(worst.b, fabs(form->b[k * D + i]));
            worst.sum += fabs(p[i]) + fabs(x[i]);
        }
    }
    a->worst[member] = worst;
}

double carom_body_form_residual(const carom_body_form *form, const double *P, const double *xi)
{
    worst_numbers all[CAROM_MOST_MEMBERS];
    const int n_member = carom_team_size(form->team);
    for (int i = 0; i < n_member; i++) all[i] = (worst_numbers){0};
    body_residual a = {.form = form, .P = P, .xi = xi, .worst = all};
    carom_team_run(form->team, form->n_piece, LEAST_PIECES, find_worst, &a);
    for (int i = 1; i < n_member; i++) {
        all->violation = carom_larger(all->violation, all[i].violation);
        all->p = carom_larger(all->p, all[i].p);
        all->b = carom_larger(all->b, all[i].b);
        all->sum += all[i].sum;
    }
    if (!(all->sum < INFINITY)) return INFINITY;
    const double most = 1e3 * all->b, size = most > 0 && all->p > most ? most : all->p;
    return all->violation > 0 ? all->violation / carom_larger(size, all->b) : 0;
}
