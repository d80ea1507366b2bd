// SPDX-License-Identifier: Apache-2.0
// Models given by the caller's functions: patterns, names and checks. How they are evaluated:
// evaluate_callbacks.c.
#include "model/callbacks.h"

#include "base/need.h"
#include "math/sparse/pattern.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for the model");
}

// the caller's pattern, or a full one
static bool make_pattern(carom_model *model, carom_pattern *pattern, int n_row, const int *start,
                         const int *index)
{
    const int n = model->size.nu;
    const int n_entry = start ? start[n_row] : n_row * n;
    *pattern = (carom_pattern){n_row, n, CAROM_TAKE(model->arena, int, n_row + 1),
                               CAROM_TAKE(model->arena, int, n_entry),
                               carom_layout_take(&model->layout, n_entry)};
    if (!pattern->start || !pattern->index) return false;
    for (int r = 0; r <= n_row; r++) pattern->start[r] = start ? start[r] : r * n;
    for (int k = 0; k < n_entry; k++) pattern->index[k] = start ? index[k] : k % n;
    return true;
}

// room for rows whose pattern is written anew at each evaluation
static bool make_changing_rows(carom_model *model, int max_entries)
{
    carom_pattern *W = &model->layout.W;
    *W = (carom_pattern){
        model->size.n_row, model->size.nu, CAROM_TAKE(model->arena, int, model->size.n_row + 1),
        CAROM_TAKE(model->arena, int, max_entries), carom_layout_take(&model->layout, max_entries)};
    if (!W->start || !W->index) return false;
    W->start[model->size.n_row] = max_entries; // tells how much room an evaluation needs
    model->rows_change_pattern = true;
    return true;
}

// a pattern that is given, else a full one where that is sensible, else one without entries
static bool make_derivative(carom_model *model, carom_pattern *pattern, int n_row, bool is_needed,
                            const int *start, const int *index)
{
    const bool is_small = model->size.nu <= CAROM_MOST_DIFFERENCES;
    if (start || (is_small && is_needed)) return make_pattern(model, pattern, n_row, start, index);
    const int none = 0;
    if (!make_pattern(model, pattern, 0, &none, &none)) return false;
    pattern->start = CAROM_TAKE(model->arena, int, n_row + 1);
    pattern->n_row = n_row;
    return pattern->start != NULL;
}

// whether the derivative of the mass or of what rows push can be other than 0
static bool is_asked_for(const carom_callbacks *given, const carom_pattern *pattern,
                         const carom_layout *at)
{
    if (pattern == &at->dMa_dq) return !given->mass_is_constant;
    if (pattern == &at->dWP_dq)
        return !given->derivatives.rows_are_constant && given->n_contact + given->n_constraint > 0;
    return true;
}

static bool lay_out(carom_model *model, const carom_callbacks *given)
{
    carom_layout *at = &model->layout;
    const int n = given->n, n_row = model->size.n_row;
    at->f = carom_layout_take(at, n);
    at->gap = carom_layout_take(at, given->n_contact);
    at->constraint = carom_layout_take(at, given->n_constraint);
    at->gap_rate = carom_layout_take(at, given->n_contact);
    at->acceleration = carom_layout_take(at, n);
    at->w0 = carom_layout_take(at, n_row);
    at->curvature = carom_layout_take(at, n_row);
    at->momentum.p = carom_layout_take(at, n);
    at->momentum.T_q = carom_layout_take(at, n);
    at->momentum.f_plain = carom_layout_take(at, n);
    carom_pattern *const square[] = {&at->dMa_dq,
                                     &at->dWP_dq,
                                     &at->momentum.dp_dq,
                                     &at->momentum.dTq_dq,
                                     &at->momentum.dTq_du,
                                     &at->momentum.dplain_dq,
                                     &at->momentum.dplain_du};
    for (size_t i = 0; i < sizeof square / sizeof *square; i++)
        if (!make_derivative(model, square[i], n, is_asked_for(given, square[i], at), NULL, NULL))
            return false;
    if (!make_derivative(model, &at->dgamma_dq, n_row, !given->derivatives.rows_are_constant, NULL,
                         NULL))
        return false;
    const carom_derivative_facts *known = &given->derivatives;
    if (!make_derivative(model, &at->df_dq, n, true, known->df_dq_start, known->df_dq_index) ||
        !make_derivative(model, &at->df_du, n, true, known->df_du_start, known->df_du_index))
        return false;
    if (!make_pattern(model, &at->mass, n, given->mass_start, given->mass_index)) return false;
    return given->sparse_rows
               ? make_changing_rows(model, given->max_entries)
               : make_pattern(model, &at->W, n_row, given->rows_start, given->rows_index);
}

static const char **copy_names(carom_model *model, const char *const *name, int n, const char *stem)
{
    const char **copy = CAROM_TAKE(model->arena, const char *, n);
    for (int i = 0; copy && i < n; i++)
        copy[i] = name && name[i] ? carom_arena_string(model->arena, name[i])
                                  : carom_arena_format(model->arena, "%s%d", stem, i + 1);
    return copy;
}

static carom_status copy_contacts(carom_model *model, const carom_callbacks *given,
                                  carom_error *error)
{
    model->contact = CAROM_TAKE(model->arena, carom_contact_facts, given->n_contact);
    if (!model->contact) return no_memory(error);
    int row = given->n_constraint;
    for (int c = 0; c < given->n_contact; c++) {
        carom_contact_facts *facts = &model->contact[c];
        *facts = given->contact[c];
        facts->name = facts->name ? carom_arena_string(model->arena, facts->name)
                                  : carom_arena_format(model->arena, "contact%d", c + 1);
        facts->row = row;
        facts->is_near = facts->is_of_shapes = false;
        facts->body[0] = facts->body[1] = facts->place = 0;
        facts->surface = 0; // contacts that come and go are the caller's business
        if (!facts->name) return no_memory(error);
        if (facts->n_slip < 0 || facts->n_slip > 2 || !(facts->e >= 0 && facts->e <= 1) ||
            !(facts->e_t >= 0 && facts->e_t <= 1) || !(facts->mu >= 0) ||
            (facts->mu > 0 && facts->n_slip == 0) || facts->law < 0 || facts->law >= CAROM_LAW_ROOM)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact '%s' needs n_slip 0..2, restitutions 0..1, friction >= 0, "
                              "slip where there is friction, and a law 0..%d",
                              facts->name, CAROM_LAW_ROOM - 1);
        if (facts->law == CAROM_LAW_DISC)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact '%s' of a model from callbacks cannot be a disc: only "
                              "models from texts have limits",
                              facts->name);
        row += 1 + facts->n_slip;
    }
    model->size.n_row = row;
    return CAROM_OK;
}

static carom_status refuse_callbacks(carom_error *error, const char *what)
{
    return carom_misuse(error, "carom_model_from_callbacks", "%s", what);
}

static bool is_empty(int n_row, const int *start)
{
    for (int i = 0; i <= n_row; i++)
        if (start[i] != 0) return false;
    return true;
}

// the caller's pattern, which need not be given
static carom_status check_pattern(const char *what, carom_pattern_shape shape, const int *start,
                                  const int *index, carom_error *error)
{
    if (!start && !index) return CAROM_OK;
    if (!index && is_empty(shape.n_row, start)) return CAROM_OK;
    const int row = start && index ? carom_pattern_fault(shape, start, index) : 0;
    if (row < 0) return CAROM_OK;
    return carom_misuse(error, "carom_model_from_callbacks",
                        "%s_start and %s_index are no pattern: row %d begins where the one before "
                        "does not end, or its columns are not from 0 to %d%s",
                        what, what, row, shape.n_column - 1, shape.any_order ? "" : ", increasing");
}

// all answers of an evaluation lie in one block, whose places are ints
static double count_numbers(const carom_callbacks *given, double n_row)
{
    const double n = given->n;
    const carom_derivative_facts *known = &given->derivatives;
    const double given_entries =
        known->df_dq_start ? (double)known->df_dq_start[given->n] + known->df_du_start[given->n]
                           : 0;
    const double square = given_entries + (n <= CAROM_MOST_DIFFERENCES ? 9 * n * n + n_row * n : 0);
    const double mass = given->mass_start ? given->mass_start[given->n] : n * n;
    const double rows = given->sparse_rows  ? given->max_entries
                        : given->rows_start ? given->rows_start[(int)n_row]
                                            : n_row * n;
    return 5 * n + 2 * given->n_contact + given->n_constraint + 2 * n_row + square + mass + rows;
}

static carom_status check_derivatives(const carom_callbacks *given, carom_error *error)
{
    const carom_derivative_facts *known = &given->derivatives;
    if (!known->df_dq_start != !known->df_du_start)
        return refuse_callbacks(error, "derivatives needs the patterns of both df/dq and df/du, or "
                                       "of none; one without entries has a start of zeros");
    if (known->forces_are_constant && !given->d_forces && !known->df_dq_start &&
        given->n > CAROM_MOST_DIFFERENCES)
        return refuse_callbacks(error, "constant derivatives of forces need d_forces or patterns");
    if (known->rows_are_constant && (given->sparse_rows || given->changing.refresh))
        return refuse_callbacks(error,
                                "rows whose pattern changes (sparse_rows), or whose contacts "
                                "come and go, are not constant");
    return CAROM_OK;
}

static carom_status check_given(const carom_callbacks *given, carom_error *error)
{
    if (given->n < 1 || given->n_constraint < 0 || given->n_contact < 0)
        return refuse_callbacks(error,
                                "a model needs n >= 1, n_constraint >= 0 and n_contact >= 0");
    if (!given->mass || !given->forces || !given->q0 || !given->u0)
        return refuse_callbacks(error, "a model needs mass, forces, q0 and u0; one is NULL");
    const bool has_rows = given->n_constraint > 0 || given->n_contact > 0;
    if (has_rows && (!given->gaps || (!given->rows && !given->sparse_rows)))
        return refuse_callbacks(error, "a model with contacts or constraints needs gaps and rows");
    if (given->n_contact > 0 && !given->contact)
        return refuse_callbacks(error, "a model with contacts needs their facts (n_slip, e, mu)");
    if (!given->changing.open != !given->changing.close)
        return refuse_callbacks(error, "changing needs both open and close, or none of them");
    if (given->sparse_rows && given->max_entries < 1)
        return refuse_callbacks(error, "sparse_rows needs max_entries >= 1");
    // at most three rows for each contact
    if (given->n_constraint + 3.0 * given->n_contact > INT_MAX / 4)
        return refuse_callbacks(error, "there are too many contacts and constraints");
    return check_derivatives(given, error);
}

// once the rows are counted
static carom_status check_patterns(const carom_callbacks *given, int n_row, carom_error *error)
{
    const int n = given->n;
    CAROM_TRY(check_pattern("mass", (carom_pattern_shape){n, n, INT_MAX, false}, given->mass_start,
                            given->mass_index, error));
    if (given->mass_start && carom_pattern_unlike(n, given->mass_start, given->mass_index) >= 0)
        return refuse_callbacks(error,
                                "the pattern of the mass needs both triangles and the diagonal");
    const carom_derivative_facts *known = &given->derivatives;
    const carom_pattern_shape square = {n, n, INT_MAX, false};
    CAROM_TRY(
        check_pattern("derivatives.df_dq", square, known->df_dq_start, known->df_dq_index, error));
    CAROM_TRY(
        check_pattern("derivatives.df_du", square, known->df_du_start, known->df_du_index, error));
    if (!given->sparse_rows)
        CAROM_TRY(check_pattern("rows", (carom_pattern_shape){n_row, n, INT_MAX, true},
                                given->rows_start, given->rows_index, error));
    if (count_numbers(given, n_row) > INT_MAX)
        return refuse_callbacks(error, "the matrices are too large; give sparse patterns");
    return CAROM_OK;
}

static int entries(const carom_pattern *pattern)
{
    return pattern->start[pattern->n_row];
}

// entries of the curvature, df/dq, df/du, d(M a)/dq, d(W'P)/dq and d(gamma)/dq that are not given
static int count_differences(const carom_model *model, const carom_callbacks *given)
{
    const carom_layout *at = &model->layout;
    int n = given->derivatives.rows_are_constant ? 0 : model->size.n_row;
    if (!given->d_forces) n += entries(&at->df_dq) + entries(&at->df_du);
    return n + entries(&at->dMa_dq) + entries(&at->dWP_dq) + entries(&at->dgamma_dq);
}

static carom_status fill_model(carom_model *model, const carom_callbacks *given, carom_error *error)
{
    const int n = given->n;
    model->arena = carom_arena_new();
    if (!model->arena) return no_memory(error);
    carom_callbacks *copy = CAROM_TAKE(model->arena, carom_callbacks, 1);
    if (!copy) return no_memory(error);
    *copy = *given;
    model->self = copy;
    model->kind =
        given->changing.refresh ? &carom_model_of_changing_contacts : &carom_model_of_callbacks;
    model->size =
        (carom_sizes){.nu = n, .n_constraint = given->n_constraint, .n_contact = given->n_contact};
    CAROM_TRY(carom_callbacks_take_chart(model, given, error));
    CAROM_TRY(copy_contacts(model, given, error));
    CAROM_TRY(check_patterns(given, model->size.n_row, error));
    model->names.model = carom_arena_string(model->arena, given->name ? given->name : "model");
    model->names.coordinate = copy_names(model, given->coordinate_name, model->size.nq, "q");
    model->names.constraint = copy_names(model, given->constraint_name, given->n_constraint, "c");
    model->places.constraint = CAROM_TAKE(model->arena, carom_place, given->n_constraint);
    if (!model->names.coordinate || !model->names.constraint || !model->places.constraint ||
        !carom_model_name_velocities(model, given->velocity_name))
        return no_memory(error);
    CAROM_TRY(carom_callbacks_take_start(model, given, error));
    model->mass_is_constant = given->mass_is_constant;
    model->energies.are_given = given->mass_is_constant && carom_chart_knows_momenta(&model->chart);
    model->energies.has_power = given->power != NULL;
    model->energies.has_balance = given->power || given->potential;
    if (!lay_out(model, given)) return no_memory(error);
    model->n_difference = count_differences(model, given);
    return carom_model_check_start(model, error);
}

carom_status carom_model_from_callbacks(const carom_callbacks *callbacks, carom_model **model,
                                        carom_error *error)
{
    CAROM_NEED(error, model);
    *model = NULL;
    CAROM_NEED(error, callbacks);
    CAROM_TRY(check_given(callbacks, error));
    carom_model *made = calloc(1, sizeof *made);
    if (!made) return no_memory(error);
    const carom_status status = fill_model(made, callbacks, error);
    if (status == CAROM_OK)
        *model = made;
    else
        carom_model_free(made);
    return status;
}
