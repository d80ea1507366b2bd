// SPDX-License-Identifier: Apache-2.0
// Lagrange's equations, derived exactly from the energies T(t, q, u), V(t, q), the
// applied forces Q(t, q, u), and the rows g(t, q) (gaps, slips, equations) or s(t, q, u)
// (sliding rates, affine in u):
//
//     p = dT/du,     M = dp/du,     f = Q - dV/dq + dT/dq - dp/dt|_u,     a = M^-1 f
//     W = dg/dq,     w0 = dg/dt,    gamma = W u + w0,     curvature = d(gamma)/dt|_u
//     power = Q.u + dV/dt - dT/dt,     rheonomic = 2 T - p.u = T1 + 2 T0
//
// where |_u says: along the motion q' = u, at constant u. Derivatives by q are along the velocities
// (D_i, expr/rotation_nodes.h). Spins w of rotations are no rates of coordinates; Hamel's equations
// have the momentum of each turn with it, which T_q takes in:
//
//     p' = D T - w x p + ...,     dT/dq := D T - w x p
//
// and w.(w x p) = 0, so that energy and power stay as they are. And all derivatives that implicit
// schemes need. Structural zeros never become an instruction.
#include "model/derive/deriving.h"

#include "expr/rotation_nodes.h"
#include "math/sparse/pattern.h"
#include "model/elastic/elastic.h"
#include "model/making/factors.h"
#include "model/making/inertia.h"
#include "model/touch/near.h"

#include <string.h>

// takes places for all, where unknowns of elastic bodies have a part of their own (see
// carom_elastic_share)
static int want_sum(carom_deriving *d, int flag, const carom_ref *ref, carom_elastic_shares *shares)
{
    const int offset = carom_layout_take(&d->model->layout, d->n);
    for (int i = 0; i < d->n; i++) {
        int to = offset + i;
        if (carom_elastics_find(d->elastics, i)) {
            if (carom_graph_is_zero(d->g, ref[i])) continue;
            carom_elastic_share *share = CAROM_LIST_ADD(d->model->arena, shares);
            d->is_out |= !share;
            to = carom_layout_take(&d->model->layout, 1);
            if (share) *share = (carom_elastic_share){to, offset + i};
        }
        carom_want_answer(d, flag, ref[i], to);
    }
    return offset;
}

// a row of expressions plus factor times one of elastic bodies, as far as column `last`
static void matrix_row(carom_deriving *d, carom_collected *m, const carom_gradient *row,
                       carom_elastic_row fixed, double factor, int last)
{
    int k = 0;
    for (int j = 0; j < fixed.n && fixed.first + fixed.index[j] <= last; j++) {
        const int column = fixed.first + fixed.index[j];
        for (; k < row->n && row->index[k] < column; k++)
            carom_collect_entry(d, m, row->index[k], row->ref[k]);
        carom_ref ref = carom_graph_number(d->g, factor * fixed.value[j]);
        if (k < row->n && row->index[k] == column) ref = carom_graph_add(d->g, row->ref[k++], ref);
        carom_collect_entry(d, m, column, ref);
    }
    for (; k < row->n && row->index[k] <= last; k++)
        carom_collect_entry(d, m, row->index[k], row->ref[k]);
}

// the derivative of forces: -K or -D of elastic bodies comes to it
static carom_pattern want_stiffness(carom_deriving *d, int flag, const carom_ref *force,
                                    carom_symbol kind)
{
    carom_collected m = carom_collect_rows(d, d->n, d->n);
    for (int r = 0; !d->is_out && r < d->n; r++) {
        const carom_elastic *body = carom_elastics_find(d->elastics, r);
        const carom_gradient row = carom_want_gradient(d, force[r], kind);
        const carom_elastic_row fixed =
            body ? carom_elastic_row_of(body, kind == CAROM_Q ? &body->K : &body->D, r)
                 : (carom_elastic_row){0};
        matrix_row(d, &m, &row, fixed, -1, d->n);
        if (d->elastics) d->elastics->is_all_stiffness &= row.n == 0;
        m.start[r + 1] = m.index.n;
    }
    return carom_want_matrix(d, &m, flag);
}

// T and p vanish at u = 0
static bool is_quadratic(carom_deriving *d)
{
    bool is_form = carom_graph_is_zero(d->g, carom_graph_without(d->g, d->T, CAROM_U));
    for (int i = 0; is_form && i < d->n; i++)
        is_form = carom_graph_is_zero(d->g, carom_graph_without(d->g, d->p[i], CAROM_U));
    return is_form;
}

// to -= w x p for each rotation
static void subtract_turning(carom_deriving *d, carom_ref *to)
{
    for (int b = 0; b < carom_graph_n_rotation(d->g); b++) {
        const int u = carom_graph_spin_of(d->g, b);
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            const carom_ref w_j = carom_graph_symbol(d->g, CAROM_U, u + j),
                            w_k = carom_graph_symbol(d->g, CAROM_U, u + k);
            const carom_ref turning = carom_graph_sub(d->g, carom_graph_mul(d->g, w_j, d->p[u + k]),
                                                      carom_graph_mul(d->g, w_k, d->p[u + j]));
            to[u + i] = carom_graph_sub(d->g, to[u + i], turning);
        }
    }
}

// f = plain + dT/dq - dp/dt, in whichever of its two forms is shorter
static void derive_inertia(carom_deriving *d)
{
    carom_ref *shorter = carom_want_zeros(d, d->n);
    for (int i = 0; i < d->n; i++) {
        const carom_ref inertia = carom_graph_sub(d->g, d->T_q[i], carom_graph_rate(d->g, d->p[i]));
        d->f[i] = carom_graph_add(d->g, d->plain[i], inertia);
    }
    if (d->is_out || !d->is_quadratic ||
        !carom_inertia_forces(d->g, d->p, d->n, d->scratch, shorter))
        return;
    subtract_turning(d, shorter);
    for (int i = 0; i < d->n; i++) shorter[i] = carom_graph_add(d->g, d->plain[i], shorter[i]);
    const long cost = carom_inertia_cost(d->g, d->f, d->n, d->scratch),
               other = carom_inertia_cost(d->g, shorter, d->n, d->scratch);
    d->is_out |= cost < 0 || other < 0;
    if (other < cost) d->f = shorter;
}

static void derive_energies(carom_deriving *d)
{
    d->T = carom_graph_sum(d->g, d->l->kinetic.item, d->l->kinetic.n);
    d->V = carom_graph_sum(d->g, d->l->potential.item, d->l->potential.n);
    d->p = carom_want_zeros(d, d->n);
    d->T_q = carom_want_zeros(d, d->n);
    d->plain = carom_want_zeros(d, d->n);
    d->f = carom_want_zeros(d, d->n);
    if (d->is_out) return;
    carom_gradient part = carom_want_gradient(d, d->T, CAROM_U);
    for (int k = 0; k < part.n; k++) d->p[part.index[k]] = part.ref[k];
    part = carom_want_gradient(d, d->T, CAROM_Q);
    for (int k = 0; k < part.n; k++) d->T_q[part.index[k]] = part.ref[k];
    subtract_turning(d, d->T_q);
    for (int i = 0; i < d->n; i++) d->plain[i] = d->l->applied[i];
    part = carom_want_gradient(d, d->V, CAROM_Q);
    for (int k = 0; k < part.n; k++)
        d->plain[part.index[k]] = carom_graph_sub(d->g, d->plain[part.index[k]], part.ref[k]);
    d->is_quadratic = is_quadratic(d);
    derive_inertia(d);
}

static carom_status check_mass_entry(carom_deriving *d, int i, int j, carom_ref ref)
{
    if (!(carom_graph_kinds(d->g, ref) & (1u << CAROM_U))) return CAROM_OK;
    const char *const *name = d->model->names.velocity;
    return carom_fail_at(
        d->error, d->model->places.energies, CAROM_BAD_INPUT,
        "the kinetic energy must be at most quadratic in the rates; its second derivative by "
        "%s and %s still contains rates",
        name[i], name[j]);
}

// the lower triangle of M with its diagonal, row by row
static carom_status lower_mass(carom_deriving *d, carom_collected *lower)
{
    for (int i = 0; i < d->n; i++) {
        const carom_gradient row = carom_want_gradient(d, d->p[i], CAROM_U);
        const carom_elastic *body = carom_elastics_find(d->elastics, i);
        bool has_diagonal = body != NULL;
        for (int k = 0; k < row.n; k++) {
            CAROM_TRY(check_mass_entry(d, i, row.index[k], row.ref[k]));
            has_diagonal |= row.index[k] == i;
        }
        const carom_elastic_row fixed =
            body ? carom_elastic_row_of(body, &body->M, i) : (carom_elastic_row){0};
        matrix_row(d, lower, &row, fixed, 1, i);
        const char *velocity = d->model->names.velocity[i];
        const bool is_rate = strncmp(velocity, "der(", 4) == 0;
        const int position = carom_graph_position_of(d->g, i);
        if (!has_diagonal && !d->is_out)
            return carom_fail_at(d->error, d->model->places.energies, CAROM_BAD_INPUT,
                                 "the %s '%s' has no inertia: %s^2 does not appear in the kinetic "
                                 "energy",
                                 is_rate ? "coordinate" : "velocity",
                                 is_rate ? d->model->names.coordinate[position] : velocity,
                                 velocity);
        lower->start[i + 1] = lower->index.n;
    }
    return CAROM_OK;
}

// the factors of small blocks, and with them M^-1 f where all blocks are small
static void derive_factors(carom_deriving *d, const carom_ref *entry)
{
    carom_layout *layout = &d->model->layout;
    const carom_pattern *pattern = &layout->mass;
    carom_mass *mass = carom_mass_new(d->scratch, d->n, pattern->start, pattern->index);
    d->is_out |= !mass;
    if (!mass) return;
    const carom_mass_given given = {mass, pattern->start, pattern->index, entry};
    layout->n_factor = carom_mass_n_small(mass);
    carom_ref *factor = carom_want_zeros(d, layout->n_factor), *a = carom_want_zeros(d, d->n);
    if (d->is_out) return;
    carom_factors_derive(d->g, &given, factor);
    layout->factor = carom_want_vector(d, CAROM_MASS, factor, layout->n_factor);
    layout->f = want_sum(d, CAROM_FORCES, d->f, d->elastics ? &d->elastics->f : NULL);
    layout->gap = carom_layout_take(layout, d->model->size.n_contact);
    layout->constraint = carom_layout_take(layout, d->model->size.n_constraint);
    layout->acceleration = carom_layout_take(layout, d->n);
    layout->has_acceleration = !d->elastics && carom_factors_solve(d->g, &given, factor, d->f, a);
    for (int i = 0; layout->has_acceleration && i < d->n; i++)
        carom_want_answer(d, CAROM_ACCELERATION, a[i], layout->acceleration + i);
}

static carom_status derive_mass(carom_deriving *d)
{
    carom_collected lower = carom_collect_rows(d, d->n, d->n);
    if (d->is_out) return CAROM_OK;
    CAROM_TRY(lower_mass(d, &lower));
    const int n_entry = 2 * lower.index.n - d->n;
    carom_pattern *mass = &d->model->layout.mass;
    *mass = (carom_pattern){d->n, d->n, CAROM_TAKE(d->model->arena, int, d->n + 1),
                            CAROM_TAKE(d->model->arena, int, n_entry),
                            carom_layout_take(&d->model->layout, n_entry)};
    unsigned char *is_constant = CAROM_TAKE(d->model->arena, unsigned char, n_entry);
    int *from = CAROM_TAKE(d->scratch, int, n_entry), *next = CAROM_TAKE(d->scratch, int, d->n);
    d->is_out |= !mass->start || !mass->index || !from || !next || !is_constant;
    if (d->is_out) return CAROM_OK;
    const carom_sparse triangle = {d->n, d->n, lower.start, lower.index.item, NULL};
    carom_pattern_mirror(&triangle, mass->start, mass->index, from, next);
    d->model->mass_is_constant = true;
    d->model->mass_entry_is_constant = is_constant;
    carom_ref *entry = carom_want_zeros(d, n_entry);
    for (int k = 0; !d->is_out && k < n_entry; k++) {
        entry[k] = lower.ref.item[from[k]];
        is_constant[k] = carom_graph_is_firm(d->g, entry[k]);
        d->model->mass_is_constant &= is_constant[k] != 0;
        carom_want_answer(d, CAROM_MASS, entry[k], mass->offset + k);
    }
    if (!d->is_out) d->is_out |= !carom_inertia_of_rotations(d->model, d->l, entry);
    if (!d->is_out) derive_factors(d, entry);
    return CAROM_OK;
}

// M a, for d(M a)/dq
static void derive_mass_times(carom_deriving *d)
{
    carom_ref *Ma = d->Ma = carom_want_zeros(d, d->n);
    for (int i = 0; !d->is_out && i < d->n; i++) {
        const carom_gradient row = carom_want_gradient(d, d->p[i], CAROM_U);
        for (int k = 0; k < row.n; k++) {
            const carom_ref a = carom_graph_symbol(d->g, CAROM_A, row.index[k]);
            Ma[i] = carom_graph_add(d->g, Ma[i], carom_graph_mul(d->g, row.ref[k], a));
        }
    }
    if (!d->is_out)
        d->model->layout.dMa_dq = carom_want_jacobian(d, CAROM_D_MASS, Ma, d->n, CAROM_Q);
}

// w P; a patch may be undefined where it does not push
static carom_ref push_of(carom_deriving *d, carom_ref w, carom_ref P, bool is_patch)
{
    const carom_ref push = carom_graph_mul(d->g, w, P);
    if (!is_patch) return push;
    const carom_ref zero = carom_graph_number(d->g, 0);
    const carom_ref is_pushing = carom_graph_make(d->g, CAROM_OP_NE, P, zero, -1);
    return carom_graph_make(d->g, CAROM_OP_IF, is_pushing, push, zero);
}

static void derive_rows(carom_deriving *d)
{
    carom_layout *layout = &d->model->layout;
    const int n_row = d->l->row.n;
    carom_collected W = carom_collect_rows(d, n_row, d->n);
    carom_ref *w0 = carom_want_zeros(d, n_row), *curvature = carom_want_zeros(d, n_row),
              *WP = carom_want_zeros(d, d->n);
    d->curvature = curvature;
    d->WP = WP;
    d->gamma = carom_want_zeros(d, n_row);
    for (int r = 0; !d->is_out && r < n_row; r++) {
        const carom_row_given *given = &d->l->row.item[r];
        const carom_ref P = carom_graph_symbol(d->g, CAROM_P, r);
        const carom_gradient row =
            carom_want_gradient(d, given->value, given->is_rate ? CAROM_U : CAROM_Q);
        for (int k = 0; k < row.n; k++) {
            carom_collect_entry(d, &W, row.index[k], row.ref[k]);
            WP[row.index[k]] =
                carom_graph_add(d->g, WP[row.index[k]], push_of(d, row.ref[k], P, given->is_patch));
        }
        W.start[r + 1] = W.index.n;
        d->gamma[r] = given->is_rate ? given->value : carom_graph_rate(d->g, given->value);
        w0[r] = given->is_rate ? carom_graph_without(d->g, given->value, CAROM_U)
                               : carom_graph_derivative(d->g, given->value, CAROM_TIME, 0);
        curvature[r] = carom_graph_rate(d->g, d->gamma[r]);
    }
    if (d->is_out) return;
    layout->W = carom_want_matrix(d, &W, CAROM_ROWS);
    layout->w0 = carom_want_vector(d, CAROM_ROWS, w0, n_row);
    layout->curvature = carom_want_vector(d, CAROM_CURVATURE, curvature, n_row);
    layout->dWP_dq = carom_want_jacobian(d, CAROM_D_ROWS, WP, d->n, CAROM_Q);
    layout->dgamma_dq = carom_want_jacobian(d, CAROM_D_ROWS, d->gamma, n_row, CAROM_Q);
}

// what discs bear
static void derive_limits(carom_deriving *d)
{
    const carom_sizes *size = &d->model->size;
    const int first = size->n_contact - size->n_disc;
    if (size->n_disc == 0) return;
    d->model->layout.seldom.limit = carom_layout_take(&d->model->layout, size->n_contact);
    for (int k = 0; k < size->n_disc; k++)
        carom_want_answer(d, CAROM_ROWS, d->l->limit.item[k],
                          d->model->layout.seldom.limit + first + k);
}

// gaps and constraint values: the displacement rows that are not slips
static void derive_gaps(carom_deriving *d)
{
    carom_layout *layout = &d->model->layout;
    const carom_sizes *size = &d->model->size;
    for (int r = 0; r < size->n_constraint; r++) {
        const carom_row_given *row = &d->l->row.item[r];
        carom_want_answer(d, CAROM_GAPS, row->is_rate ? carom_graph_number(d->g, 0) : row->value,
                          layout->constraint + r);
    }
    layout->gap_rate = carom_layout_take(layout, size->n_contact);
    for (int c = 0; c < size->n_contact; c++) {
        const int row = d->model->contact[c].row;
        const bool is_disc = c >= size->n_contact - size->n_disc;
        carom_want_answer(d, CAROM_GAPS,
                          is_disc ? carom_graph_number(d->g, INFINITY) : d->l->row.item[row].value,
                          layout->gap + c);
        carom_want_answer(d, CAROM_GAP_RATES, d->gamma[row], layout->gap_rate + c);
    }
    derive_limits(d);
    if (size->n_surface == 0) return;
    layout->seldom.inside = carom_layout_take(layout, size->n_contact);
    layout->seldom.margin = carom_layout_take(layout, size->n_contact);
    for (int c = 0; c < size->n_contact; c++) {
        const carom_domain_given *domain = &d->l->domain.item[c];
        if (domain->where < 0) continue;
        carom_want_answer(d, CAROM_GAPS, domain->where, layout->seldom.inside + c);
        carom_want_answer(d, CAROM_GAPS, domain->margin, layout->seldom.margin + c);
    }
}

static void derive_forces(carom_deriving *d)
{
    carom_layout *layout = &d->model->layout;
    const int n = d->n;
    carom_elastics *e = d->elastics;
    layout->df_dq = want_stiffness(d, CAROM_D_FORCES, d->f, CAROM_Q);
    layout->df_du = want_stiffness(d, CAROM_D_FORCES, d->f, CAROM_U);
    layout->momentum.p = want_sum(d, CAROM_MOMENTUM, d->p, e ? &e->p : NULL);
    layout->momentum.T_q = carom_want_vector(d, CAROM_MOMENTUM, d->T_q, n);
    layout->momentum.f_plain = want_sum(d, CAROM_MOMENTUM, d->plain, e ? &e->plain : NULL);
    layout->momentum.dp_dq = carom_want_jacobian(d, CAROM_MOMENTUM, d->p, n, CAROM_Q);
    layout->momentum.dTq_dq = carom_want_jacobian(d, CAROM_MOMENTUM, d->T_q, n, CAROM_Q);
    layout->momentum.dTq_du = carom_want_jacobian(d, CAROM_MOMENTUM, d->T_q, n, CAROM_U);
    layout->momentum.dplain_dq = want_stiffness(d, CAROM_MOMENTUM, d->plain, CAROM_Q);
    layout->momentum.dplain_du = want_stiffness(d, CAROM_MOMENTUM, d->plain, CAROM_U);
}

// 2 T - p.u, which is 0 unless T has terms that are not quadratic in the rates
static carom_ref rheonomic_energy(carom_deriving *d)
{
    if (d->is_quadratic) return carom_graph_number(d->g, 0);
    carom_ref sum = carom_graph_mul(d->g, carom_graph_number(d->g, 2), d->T);
    for (int i = 0; i < d->n; i++)
        sum = carom_graph_sub(d->g, sum,
                              carom_graph_mul(d->g, d->p[i], carom_graph_symbol(d->g, CAROM_U, i)));
    return sum;
}

static void derive_balance(carom_deriving *d)
{
    carom_layout *layout = &d->model->layout;
    carom_ref power = carom_graph_sub(d->g, carom_graph_derivative(d->g, d->V, CAROM_TIME, 0),
                                      carom_graph_derivative(d->g, d->T, CAROM_TIME, 0));
    for (int i = 0; i < d->n; i++)
        power = carom_graph_add(
            d->g, power,
            carom_graph_mul(d->g, d->l->applied[i], carom_graph_symbol(d->g, CAROM_U, i)));
    d->model->energies.has_power = !carom_graph_is_zero(d->g, power);
    layout->energy.power = carom_want_number(d, CAROM_POWER, power);
    layout->energy.kinetic = carom_want_number(d, CAROM_ENERGY, d->T);
    layout->energy.potential = carom_want_number(d, CAROM_ENERGY, d->V);
    if (d->elastics) { // these are their own parts, the sums stand elsewhere
        d->elastics->own = layout->energy;
        layout->energy.power = carom_layout_take(layout, 1);
        layout->energy.kinetic = carom_layout_take(layout, 1);
        layout->energy.potential = carom_layout_take(layout, 1);
        for (int b = 0; b < d->elastics->n; b++)
            d->model->energies.has_power |= d->elastics->item[b].D.A.n_row > 0;
    }
    layout->energy.rheonomic = carom_want_number(d, CAROM_ENERGY, rheonomic_energy(d));
    layout->record = carom_want_vector(d, CAROM_RECORD, d->l->record.item, d->l->record.n);
    layout->draw.first = carom_want_vector(d, CAROM_DRAW, d->l->draw.item, d->l->draw.n);
    layout->draw.pose = carom_want_vector(d, CAROM_DRAW, d->l->pose.item, d->l->pose.n);
    layout->draw.place = carom_want_vector(d, CAROM_DRAW, d->l->place.item, d->l->place.n);
}

static void derive_reactions(carom_deriving *d)
{
    carom_collected m = carom_collect_rows(d, d->model->size.n_reaction, d->l->row.n);
    for (int k = 0, r = 0; !d->is_out && r < m.n_row; r++) {
        const carom_reaction_given *given = d->l->reaction.item;
        for (; k < d->l->reaction.n && given[k].component == r; k++) {
            carom_collect_entry(d, &m, given[k].row, given[k].value);
            d->model->felt.reaction_varies |= !carom_graph_is_firm(d->g, given[k].value);
        }
        m.start[r + 1] = m.index.n;
    }
    if (!d->is_out) d->model->layout.reaction = carom_want_matrix(d, &m, CAROM_REACTIONS);
}

static carom_status derive_all(carom_deriving *d)
{
    derive_energies(d);
    if (d->is_out) return CAROM_OK;
    CAROM_TRY(derive_mass(d));
    derive_mass_times(d);
    derive_rows(d);
    derive_gaps(d);
    derive_forces(d);
    derive_balance(d);
    derive_reactions(d);
    carom_derive_coefficients(d);
    if (d->l->has_variations) carom_derive_variations(d);
    return CAROM_OK;
}

// all answers by positions in place of entries of rotation matrices
static bool spell_out(carom_deriving *d)
{
    CAROM_LIST(carom_ref *) all = {0};
    if (carom_graph_n_rotation(d->g) == 0) return true;
    for (int bit = 0; bit < CAROM_N_FLAG; bit++)
        for (int k = 0; k < d->l->target[bit].n; k++) {
            carom_ref **one = CAROM_LIST_ADD(d->scratch, &all);
            if (!one) return false;
            *one = &d->l->target[bit].item[k].ref;
        }
    return carom_graph_spell_out(d->g, all.item, all.n);
}

carom_status carom_lagrange_derive(carom_model *model, carom_lagrange *lagrange, carom_error *error)
{
    carom_deriving d = {.model = model,
                        .l = lagrange,
                        .g = lagrange->graph,
                        .error = error,
                        .elastics = (carom_elastics *)model->energies.elastic,
                        .n = model->size.nu,
                        .scratch = carom_arena_new()};
    if (d.elastics) d.elastics->is_all_stiffness = true;
    carom_status status = d.scratch ? derive_all(&d) : CAROM_NO_MEMORY;
    if (status == CAROM_OK) d.is_out |= !spell_out(&d);
    if (status == CAROM_OK) d.is_out |= !carom_lagrange_fingerprint(model, lagrange, d.scratch);
    if (status == CAROM_OK) d.is_out |= !carom_lagrange_hold(model, lagrange, d.scratch);
    if (status == CAROM_OK && lagrange->has_variations) carom_derive_switches(&d);
    if (status == CAROM_OK) d.is_out |= !carom_lagrange_foresee(model, lagrange, d.scratch);
    if (status == CAROM_OK && lagrange->near)
        d.is_out |= !carom_near_lay_out(model, lagrange->near);
    if (status == CAROM_OK && d.elastics)
        d.is_out |= !carom_elastics_keep_constants(d.elastics, model);
    if (status == CAROM_OK && (d.is_out || carom_graph_status(d.g) != CAROM_OK))
        status = CAROM_NO_MEMORY;
    carom_arena_free(d.scratch);
    model->kind = lagrange->near ? &carom_model_of_near_shapes : &carom_model_of_equations;
    model->self = lagrange;
    model->energies.are_given = model->energies.has_balance = true;
    if (status == CAROM_NO_MEMORY && carom_graph_status(d.g) != CAROM_OK)
        return carom_graph_fail(d.g, model->places.energies, error);
    if (status == CAROM_NO_MEMORY)
        return carom_fail(error, status, "not enough memory to derive the equations");
    return status;
}
