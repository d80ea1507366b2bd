// SPDX-License-Identifier: Apache-2.0
// G = W M^-1 W' + diag(d) in scaled velocities of bodies: with M^-1 = C C' and S = 1/sqrt(G_ii),
//
//     S G S = J J' + S d S,     J = S W C,     v = J' p,     p = S^-1 P
//
// so that no mass is left and |G_ii| = 1. A body is a run of velocities that belong together: those
// of one block of the mass, and neighbours that most contacts touch together. What a body is
// changes the speed, never the answer. Pieces (contacts, discs, bilateral rows in threes) are kept
// colour by colour: those of one colour share no body, so that their order does not matter.
#include "contact/bodies/body_form.h"

#include "base/grow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 6, MOST_COLOURS = 64, LEAST_PIECES = 64 };
static const double RIDGE = 1e-12; // of bilateral rows that repeat each other

struct carom_body_scratch {
    int *stamp, *count, *both, *body_of, *mass_of; // by columns
    int *first;                                    // (n_body + 1) first column of each body
    double *C;                                     // (n_column * WIDEST) rows of C by columns
    uint64_t *used;                                // colours that a body has
    carom_piece *piece;                            // in the order of the problem
    int *touched, *begin, *colour_of;              // bodies of each piece, by (n_piece + 1) begin
    int n_column;
    int room_column, room_piece, room_touched;
};

static bool reserve_columns(struct carom_body_scratch *a, int n_column)
{
    a->n_column = n_column;
    if (n_column <= a->room_column) return true;
    const size_t n = (size_t)n_column;
    const bool is_good =
        carom_grow(&a->stamp, sizeof(int), n) && carom_grow(&a->count, sizeof(int), n) &&
        carom_grow(&a->both, sizeof(int), n) && carom_grow(&a->body_of, sizeof(int), n) &&
        carom_grow(&a->mass_of, sizeof(int), n) && carom_grow(&a->first, sizeof(int), n + 1) &&
        carom_grow(&a->C, sizeof(double), WIDEST * n) && carom_grow(&a->used, sizeof *a->used, n);
    if (is_good) a->room_column = n_column;
    return is_good;
}

static bool reserve_pieces(carom_body_form *form, int n_piece)
{
    struct carom_body_scratch *a = form->scratch;
    if (n_piece <= form->room_piece) return true;
    const size_t n = (size_t)n_piece + (size_t)n_piece / 4, m = 3 * n;
    const bool is_good =
        carom_grow(&form->piece, sizeof *form->piece, n + 1) &&
        carom_grow(&form->b, sizeof(double), m) && carom_grow(&form->s, sizeof(double), m) &&
        carom_grow(&form->P, sizeof(double), m) && carom_grow(&form->d, sizeof(double), m) &&
        carom_grow(&form->colour, sizeof(int), MOST_COLOURS + 2) &&
        carom_grow(&a->piece, sizeof *a->piece, n) && carom_grow(&a->begin, sizeof(int), n + 1) &&
        carom_grow(&a->colour_of, sizeof(int), n);
    if (is_good) form->room_piece = (int)n;
    return is_good;
}

static bool reserve_touched(struct carom_body_scratch *a, int n)
{
    if (n <= a->room_touched) return true;
    if (!carom_grow(&a->touched, sizeof(int), 2 * (size_t)n)) return false;
    a->room_touched = 2 * n;
    return true;
}

// rows of C in place of M^-1 of one block; false where it is not positive definite
static bool take_root(const carom_factors *f, int m, double *C)
{
    const int n = f->mass_row[m + 1] - f->mass_row[m];
    const double *A = f->inverse + f->inverse_at[m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = A[j * n + i];
            for (int k = 0; k < j; k++) sum -= C[i * WIDEST + k] * C[j * WIDEST + k];
            if (i == j && !(sum > 1e-14 * A[i * n + i])) return false;
            C[i * WIDEST + j] = i == j ? sqrt(sum) : sum / C[j * WIDEST + j];
        }
    return true;
}

static const char *take_roots(struct carom_body_scratch *a, const carom_factors *f, int *widest)
{
    *widest = 1;
    for (int m = 0; m < f->n_mass; m++) {
        const int first = f->mass_row[m], n = f->mass_row[m + 1] - first;
        if (n > WIDEST) return "more than six velocities are coupled by their mass";
        *widest = n > *widest ? n : *widest;
        if (!take_root(f, m, a->C + (size_t)WIDEST * (size_t)first))
            return "a block of the inverse mass is not positive definite";
        for (int c = first; c < first + n; c++) a->mass_of[c] = m;
    }
    return NULL;
}

// how many blocks touch each column, and it together with the one before
static void count_columns(struct carom_body_scratch *a, const carom_problem *problem)
{
    const carom_factors *f = problem->G.factors;
    for (int c = 0; c < f->n_column; c++) {
        a->stamp[c] = -1;
        a->count[c] = a->both[c] = 0;
    }
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        const int from = f->start[block->first], to = f->start[block->first + block->dim];
        for (int p = from; p < to; p++) a->stamp[f->index[p]] = k;
        for (int p = from; p < to; p++) {
            const int c = f->index[p];
            if (a->stamp[c] == -2 - k) continue; // met in another row
            a->count[c]++;
            a->both[c] += c > 0 && (a->stamp[c - 1] == k || a->stamp[c - 1] == -2 - k);
            a->stamp[c] = -2 - k;
        }
    }
}

// runs of mass blocks of up to `width` columns in all that are mostly touched together
static void find_bodies(carom_body_form *form, const carom_factors *f)
{
    struct carom_body_scratch *a = form->scratch;
    form->n_body = 0;
    for (int m = 0; m < f->n_mass; m++) {
        const int c = f->mass_row[m], end = f->mass_row[m + 1];
        bool is_new = m == 0;
        if (!is_new) {
            const int most = a->count[c] > a->count[c - 1] ? a->count[c] : a->count[c - 1];
            is_new = end - a->first[form->n_body - 1] > form->width || 2 * a->both[c] < most;
        }
        if (is_new) a->first[form->n_body++] = c;
        for (int i = c; i < end; i++) a->body_of[i] = form->n_body - 1;
    }
    a->first[form->n_body] = f->n_column;
}

static bool cut_pieces(carom_body_form *form, const carom_problem *problem)
{
    int n = 0;
    for (int k = 0; k < problem->n_block; k++)
        n += (problem->block[k].dim + form->dim - 1) / form->dim;
    if (!reserve_pieces(form, n)) return false;
    form->n_piece = 0;
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        const int end = block->first + block->dim;
        for (int i = block->first; i < end; i += form->dim)
            form->scratch->piece[form->n_piece++] =
                (carom_piece){.first = i,
                              .dim = end - i < form->dim ? end - i : form->dim,
                              .block = k,
                              .kind = carom_block_is_disc(block) ? CAROM_PIECE_DISC
                                      : block->is_bilateral      ? CAROM_PIECE_EQUALITY
                                                                 : CAROM_PIECE_CONTACT,
                              .mu = block->dim > 1 ? block->mu : 0,
                              .radius = block->radius};
    }
    return true;
}

// the bodies of each piece
static bool list_touched(carom_body_form *form, const carom_factors *f)
{
    struct carom_body_scratch *a = form->scratch;
    int n = 0;
    for (int body = 0; body < form->n_body; body++) a->stamp[body] = -1;
    for (int k = 0; k < form->n_piece; k++) {
        const carom_piece *piece = &a->piece[k];
        a->begin[k] = n;
        for (int p = f->start[piece->first]; p < f->start[piece->first + piece->dim]; p++) {
            const int body = a->body_of[f->index[p]];
            if (a->stamp[body] == k) continue;
            if (!reserve_touched(a, n + 1)) return false;
            a->stamp[body] = k;
            a->touched[n++] = body;
        }
    }
    a->begin[form->n_piece] = form->n_part = n;
    if (n <= form->room_part) return true;
    const size_t room = (size_t)n + (size_t)n / 4;
    if (!carom_grow(&form->body, sizeof(int), room) ||
        !carom_grow(&form->J, sizeof(double), 18 * room))
        return false;
    form->room_part = (int)room;
    return true;
}

// the first colour that none of its bodies has; what finds none goes into the last one
static void choose_colours(carom_body_form *form)
{
    struct carom_body_scratch *a = form->scratch;
    int count[MOST_COLOURS + 1] = {0};
    for (int body = 0; body < form->n_body; body++) a->used[body] = 0;
    for (int k = 0; k < form->n_piece; k++) {
        uint64_t used = 0;
        int colour = 0;
        for (int t = a->begin[k]; t < a->begin[k + 1]; t++) used |= a->used[a->touched[t]];
        while (colour < MOST_COLOURS && used >> colour & 1) colour++;
        for (int t = a->begin[k]; t < a->begin[k + 1] && colour < MOST_COLOURS; t++)
            a->used[a->touched[t]] |= (uint64_t)1 << colour;
        a->colour_of[k] = colour;
        count[colour]++;
    }
    form->n_colour = MOST_COLOURS + 1;
    while (form->n_colour > 0 && count[form->n_colour - 1] == 0) form->n_colour--;
    form->last_is_mixed = form->n_colour == MOST_COLOURS + 1;
    form->colour[0] = 0;
    for (int c = 0; c < form->n_colour; c++) form->colour[c + 1] = form->colour[c] + count[c];
}

// pieces in the order of their colours, each with its parts
static void sort_pieces(carom_body_form *form)
{
    struct carom_body_scratch *a = form->scratch;
    int to[MOST_COLOURS + 1], n = 0;
    int *source = a->colour_of; // by place, once its colour is no longer needed
    for (int c = 0; c < form->n_colour; c++) to[c] = form->colour[c];
    for (int k = 0; k < form->n_piece; k++) {
        const int at = to[a->colour_of[k]]++;
        form->piece[at] = a->piece[k];
        form->piece[at].part = k; // for now
    }
    for (int at = 0; at < form->n_piece; at++) source[at] = form->piece[at].part;
    for (int at = 0; at < form->n_piece; at++) {
        const int k = source[at];
        form->piece[at].part = n;
        for (int t = a->begin[k]; t < a->begin[k + 1]; t++) form->body[n++] = a->touched[t];
    }
    form->piece[form->n_piece] = (carom_piece){.part = n, .first = form->n_row};
}

// J of one row: W C, into the parts of its piece
static void spread_row(carom_body_form *form, const carom_factors *f, const carom_piece *piece,
                       int i)
{
    const struct carom_body_scratch *a = form->scratch;
    const int row = i - piece->first, size = form->dim * form->width, end = piece[1].part;
    for (int p = f->start[i]; p < f->start[i + 1]; p++) {
        const int c = f->index[p], body = a->body_of[c], first = f->mass_row[a->mass_of[c]];
        const double *C = a->C + (size_t)WIDEST * (size_t)c;
        int part = piece->part;
        while (part < end - 1 && form->body[part] != body) part++;
        double *J = form->J + (size_t)part * (size_t)size + row * form->width;
        for (int k = first; k <= c; k++) J[k - a->first[body]] += f->value[p] * C[k - first];
    }
}

// G of the piece itself: J J' + d
static void find_own(const carom_body_form *form, const carom_piece *piece, const double *d,
                     double own[6])
{
    const int D = form->dim, W = form->width;
    for (int i = 0, at = 0; i < 3; i++)
        for (int j = i; j < 3; j++, at++) {
            double sum = i == j && i < D ? d[i] : 0;
            for (int part = piece->part; part < piece[1].part && j < D; part++) {
                const double *J = form->J + (size_t)part * (size_t)(D * W);
                for (int c = 0; c < W; c++) sum += J[i * W + c] * J[j * W + c];
            }
            own[at] = sum;
        }
}

enum { AT_00, AT_01, AT_02, AT_11, AT_12, AT_22 };

// the scales 1/sqrt(G_ii), alike for rows that share a disc; 1 for a row that nothing moves
static void choose_scales(const carom_piece *piece, const double own[6], double s[3])
{
    const double diagonal[3] = {own[AT_00], own[AT_11], own[AT_22]};
    const int head = piece->kind == CAROM_PIECE_EQUALITY  ? piece->dim
                     : piece->kind == CAROM_PIECE_CONTACT ? 1
                                                          : 0;
    double largest = 0;
    for (int i = head; i < piece->dim; i++) largest = carom_larger(largest, diagonal[i]);
    for (int i = 0; i < piece->dim; i++) {
        const double size = i < head ? diagonal[i] : largest;
        s[i] = size > 0 ? 1 / sqrt(size) : 1;
    }
}

// the inverse of own, whose bilateral rows may repeat each other
static void invert_own(carom_piece *piece)
{
    double *a = piece->own, *x = piece->inverse;
    const int diagonal[3] = {AT_00, AT_11, AT_22};
    for (int i = 0; i < 3; i++) {
        if (i >= piece->dim || !(a[diagonal[i]] > 0)) a[diagonal[i]] = 1;
        a[diagonal[i]] *= 1 + RIDGE;
    }
    const double c0 = a[AT_11] * a[AT_22] - a[AT_12] * a[AT_12];
    const double c1 = a[AT_02] * a[AT_12] - a[AT_01] * a[AT_22];
    const double c2 = a[AT_01] * a[AT_12] - a[AT_02] * a[AT_11];
    const double inverse = 1 / (a[AT_00] * c0 + a[AT_01] * c1 + a[AT_02] * c2);
    x[AT_00] = c0 * inverse;
    x[AT_01] = c1 * inverse;
    x[AT_02] = c2 * inverse;
    x[AT_11] = (a[AT_00] * a[AT_22] - a[AT_02] * a[AT_02]) * inverse;
    x[AT_12] = (a[AT_01] * a[AT_02] - a[AT_00] * a[AT_12]) * inverse;
    x[AT_22] = (a[AT_00] * a[AT_11] - a[AT_01] * a[AT_01]) * inverse;
    if (piece->kind == CAROM_PIECE_CONTACT) {
        const double slope = carom_larger(a[AT_11], a[AT_22]) + fabs(a[AT_12]);
        piece->rate = 1 / slope;
    } else {
        const double slope = carom_larger(a[AT_00], carom_larger(a[AT_11], a[AT_22])) +
                             fabs(a[AT_01]) + fabs(a[AT_02]) + fabs(a[AT_12]);
        piece->rate = 1 / slope;
    }
}

static void fill_piece(carom_body_form *form, const carom_problem *problem, int k)
{
    const carom_factors *f = problem->G.factors;
    const int D = form->dim, size = D * form->width;
    carom_piece *piece = &form->piece[k];
    double *s = form->s + (size_t)(k * D), *d = form->d + (size_t)(k * D),
           *b = form->b + (size_t)(k * D);
    double *J = form->J + (size_t)piece->part * (size_t)size;
    memset(J, 0, sizeof *J * (size_t)(size * (piece[1].part - piece->part)));
    for (int i = 0; i < D; i++) {
        s[i] = 1;
        d[i] = b[i] = 0;
    }
    for (int i = 0; i < piece->dim; i++) {
        spread_row(form, f, piece, piece->first + i);
        if (f->diagonal) d[i] = f->diagonal[piece->first + i];
    }
    double t[3] = {1, 1, 1};
    find_own(form, piece, d, piece->own);
    choose_scales(piece, piece->own, t);
    for (int i = 0; i < piece->dim; i++) {
        s[i] = t[i];
        d[i] *= t[i] * t[i];
        b[i] = t[i] * problem->b[piece->first + i];
        for (int part = piece->part; part < piece[1].part; part++, J += size)
            for (int c = 0; c < form->width; c++) J[i * form->width + c] *= t[i];
        J = form->J + (size_t)piece->part * (size_t)size;
    }
    if (piece->kind == CAROM_PIECE_CONTACT && piece->dim > 1) piece->mu *= t[0] / t[1];
    if (piece->kind == CAROM_PIECE_DISC) piece->radius /= t[0];
    find_own(form, piece, d, piece->own);
    invert_own(piece);
}

typedef struct form_filling {
    carom_body_form *form;
    const carom_problem *problem;
} form_filling;

static void fill_pieces(void *self, int member, int first, int end)
{
    const form_filling *a = self;
    (void)member;
    for (int k = first; k < end; k++) fill_piece(a->form, a->problem, k);
}

static bool is_plane(const carom_problem *problem, int widest)
{
    for (int k = 0; k < problem->n_block; k++)
        if (problem->block[k].dim > 2 && !carom_block_is_equality(&problem->block[k])) return false;
    return widest <= 3;
}

const char *carom_body_form_fill(carom_body_form *form, const carom_problem *problem)
{
    static const char NO_MEMORY[] = "there is not enough memory";
    const carom_matrix *G = &problem->G;
    const carom_factors *f = G->factors;
    int widest;
    if (G->dense || G->start || G->blocks || !f) return "the problem is not given as factors";
    if (!form->scratch) form->scratch = calloc(1, sizeof *form->scratch);
    if (!form->scratch || !reserve_columns(form->scratch, f->n_column)) return NO_MEMORY;
    const char *refusal = take_roots(form->scratch, f, &widest);
    if (refusal) return refusal;
    const bool in_plane = is_plane(problem, widest);
    form->dim = in_plane ? 2 : 3;
    form->width = in_plane ? 3 : WIDEST;
    form->n_row = problem->n_row;
    count_columns(form->scratch, problem);
    find_bodies(form, f);
    const size_t n = (size_t)form->n_body * (size_t)form->width;
    if (form->n_body * form->width > form->room_body) {
        if (!carom_grow(&form->v, sizeof(double), n)) return NO_MEMORY;
        form->room_body = (int)n;
    }
    if (!cut_pieces(form, problem) || !list_touched(form, f)) return NO_MEMORY;
    choose_colours(form);
    sort_pieces(form);
    form_filling filling = {form, problem};
    carom_team_run(form->team, form->n_piece, LEAST_PIECES, fill_pieces, &filling);
    return NULL;
}

void carom_body_form_guess(carom_body_form *form, const double *P)
{
    const int D = form->dim;
    for (int k = 0; k < form->n_piece; k++) {
        const carom_piece *piece = &form->piece[k];
        for (int i = 0; i < D; i++)
            form->P[k * D + i] = i < piece->dim ? P[piece->first + i] / form->s[k * D + i] : 0;
    }
}

void carom_body_form_answer(const carom_body_form *form, double *P)
{
    const int D = form->dim;
    for (int k = 0; k < form->n_piece; k++)
        for (int i = 0; i < form->piece[k].dim; i++)
            P[form->piece[k].first + i] = form->P[k * D + i] * form->s[k * D + i];
}

void carom_body_form_free(carom_body_form *form)
{
    struct carom_body_scratch *a = form->scratch;
    void *const all[] = {form->piece, form->colour, form->body, form->J, form->b,
                         form->s,     form->P,      form->d,    form->v};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    if (a) {
        void *const own[] = {a->stamp, a->count, a->both,  a->body_of, a->mass_of, a->first,
                             a->C,     a->used,  a->piece, a->touched, a->begin,   a->colour_of};
        for (size_t i = 0; i < sizeof own / sizeof *own; i++) free(own[i]);
    }
    free(a);
    *form = (carom_body_form){0};
}
