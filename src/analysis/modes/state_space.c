// SPDX-License-Identifier: Apache-2.0
// The linearisation about a rest as z' = A z + B w, y = C z + D w. In the free directions,
//
//     A = [ 0     I    ]     B = [ 0        ]     forces on velocity i: B' e_i
//         [ -B'KB -B'DB ]        [ B' f_w   ]     parameters: f_w + (W'la)_w by central differences
//
// y are changes of positions and velocities, B y and B y', and of records (central differences).
// Where nothing is held and all directions are there, z = (x, x') with x = B y, y = B'M x.
#include "analysis/modes/modes.h"
#include "base/need.h"
#include "model/slots/slots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MASK = CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS, RECORDS = CAROM_RECORD };
static const double STEP = 6e-6; // of central differences: the cube root of rounding

typedef struct linearising {
    const carom_model *model;
    const carom_modes *modes;
    carom_state_space *space;
    carom_sizes size;
    carom_plan *plan;
    carom_eval *ev;
    int m;                          // directions
    double *q, *u, *x, *f, *record; // (nq), (nu), (nu), (2 nu), (2 n_record)
} linearising;

static double *entry(double *a, int n_column, int i, int j)
{
    return a + (size_t)i * (size_t)n_column + (size_t)j;
}

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
}

// ---- names ----

static char *make_name(const char *format, const char *text, int number)
{
    char *name = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&name, &n);
    if (!out) return NULL;
    fprintf(out, format, text, number);
    return fclose(out) == 0 ? name : NULL;
}

// x of der(x); the name of what is no coordinate's rate with "move of"
static char *moved_name(const char *velocity)
{
    const size_t n = strlen(velocity);
    if (n > 5 && strncmp(velocity, "der(", 4) == 0 && velocity[n - 1] == ')')
        return strndup(velocity + 4, n - 5);
    return make_name("move of %s", velocity, 0);
}

static bool is_physical(const linearising *l)
{
    return l->m == l->modes->nu;
}

static bool name_all(linearising *l, const carom_text *input)
{
    carom_state_space *s = l->space;
    bool is_made = true;
    for (int i = 0; i < l->m; i++) {
        const char *velocity = is_physical(l) ? carom_model_velocity_name(l->model, i) : NULL;
        s->state[i] = velocity ? moved_name(velocity) : make_name("%ss%d", "", i + 1);
        s->state[l->m + i] = velocity ? strdup(velocity) : make_name("der(%ss%d)", "", i + 1);
        is_made &= s->state[i] && s->state[l->m + i];
    }
    for (int i = 0; i < l->modes->nu; i++) {
        const char *velocity = carom_model_velocity_name(l->model, i);
        s->output[i] = moved_name(velocity);
        s->output[l->modes->nu + i] = strdup(velocity);
        is_made &= s->output[i] && s->output[l->modes->nu + i];
    }
    for (int i = 0; i < l->size.n_record; i++)
        is_made &= (s->output[2 * l->modes->nu + i] =
                        strdup(carom_model_record_name(l->model, i))) != NULL;
    for (int i = 0; i < s->n_input; i++)
        is_made &=
            (s->input[i] = input ? strdup(input[i].text)
                                 : moved_name(carom_model_velocity_name(l->model, i))) != NULL;
    return is_made;
}

// ---- A and C ----

static void fill_modal(const linearising *l)
{
    carom_state_space *s = l->space;
    const int m = l->m, nu = l->modes->nu;
    for (int i = 0; i < m; i++) {
        *entry(s->A, s->n_state, i, m + i) = 1;
        for (int j = 0; j < m; j++) {
            *entry(s->A, s->n_state, m + i, j) = -*entry(l->modes->stiffness, m, i, j);
            *entry(s->A, s->n_state, m + i, m + j) = -*entry(l->modes->damping, m, i, j);
        }
    }
    for (int i = 0; i < nu; i++)
        for (int j = 0; j < m; j++) {
            *entry(s->C, s->n_state, i, j) = *entry(l->modes->basis, nu, j, i);
            *entry(s->C, s->n_state, nu + i, m + j) = *entry(l->modes->basis, nu, j, i);
        }
}

// block := T block S, (m m); block is m x m of A or C, from its corner
static bool transform(double *corner, int n_row, int m, int stride, const double *T,
                      const double *S)
{
    double *half = calloc((size_t)n_row * (size_t)m + 1, sizeof *half);
    if (!half) return false;
    for (int i = 0; i < n_row; i++)
        for (int k = 0; k < m; k++)
            for (int j = 0; j < m; j++)
                *entry(half, m, i, j) +=
                    *entry(corner, stride, i, k) * S[(size_t)k * (size_t)m + (size_t)j];
    for (int i = 0; i < n_row; i++)
        for (int j = 0; j < m; j++) {
            double sum = T ? 0 : *entry(half, m, i, j);
            for (int k = 0; T && k < m; k++)
                sum += *entry((double *)T, m, k, i) * *entry(half, m, k, j);
            *entry(corner, stride, i, j) = sum;
        }
    free(half);
    return true;
}

// from y to x = B y, where B is square: y = B'M x
static bool make_physical(const linearising *l)
{
    carom_state_space *s = l->space;
    const int m = l->m;
    const size_t rows = (size_t)m;
    double *back = malloc(sizeof *back * (rows * rows + 1)); // B'M
    if (!back) return false;
    for (size_t j = 0; j < rows; j++)
        carom_mass_times(l->ev->mass, l->modes->basis + j * rows, back + j * rows);
    double *A21 = entry(s->A, s->n_state, m, 0);
    bool is_good = transform(A21, m, m, s->n_state, l->modes->basis, back) &&
                   transform(A21 + m, m, m, s->n_state, l->modes->basis, back);
    for (int half = 0; half < 2; half++)
        is_good = is_good && transform(s->C + half * m, s->n_output, m, s->n_state, NULL, back);
    for (int i = 0; i < m; i++) // what is 1 or 0 is so
        for (int j = 0; j < m; j++) {
            *entry(s->C, s->n_state, i, j) = i == j;
            *entry(s->C, s->n_state, m + i, m + j) = i == j;
        }
    free(back);
    return is_good;
}

static carom_status ask_records(linearising *l, double *record, carom_error *error)
{
    const carom_point at = {.q = l->q, .u = l->u};
    CAROM_TRY(carom_model_eval(l->plan, &at, RECORDS, l->ev, error));
    memcpy(record, l->ev->record, sizeof *record * (size_t)l->size.n_record);
    return CAROM_OK;
}

static void put_difference(linearising *l, double *matrix, int n_column, int column, double width)
{
    for (int r = 0; r < l->size.n_record; r++)
        *entry(matrix, n_column, 2 * l->modes->nu + r, column) =
            (l->record[r] - l->record[l->size.n_record + r]) / (2 * width);
}

// changes of records along each direction, and along its rate
static carom_status differ_records(linearising *l, carom_error *error)
{
    const int nu = l->modes->nu;
    for (int j = 0; l->size.n_record > 0 && j < 2 * l->m; j++) {
        const double *b = l->modes->basis + (size_t)(j % l->m) * (size_t)nu;
        double size = 0;
        for (int i = 0; i < nu; i++) size = fmax(size, fabs(b[i]));
        const double e = STEP / size;
        for (int side = 0; side < 2; side++) {
            const double h = side ? -e : e;
            memset(l->u, 0, sizeof *l->u * (size_t)nu);
            memcpy(l->q, l->modes->rest.q, sizeof *l->q * (size_t)l->size.nq);
            if (j < l->m)
                carom_model_move(l->model, l->modes->rest.q, b, h, l->q);
            else
                for (int i = 0; i < nu; i++) l->u[i] = h * b[i];
            CAROM_TRY(ask_records(l, l->record + side * l->size.n_record, error));
        }
        put_difference(l, l->space->C, l->space->n_state, j, e);
    }
    memset(l->u, 0, sizeof *l->u * (size_t)nu);
    memcpy(l->q, l->modes->rest.q, sizeof *l->q * (size_t)l->size.nq);
    return CAROM_OK;
}

// ---- B and D ----

static int find_velocity(const linearising *l, const char *name)
{
    for (int i = 0; i < l->modes->nu; i++) {
        const char *velocity = carom_model_velocity_name(l->model, i);
        char *moved = moved_name(velocity);
        const bool is_it = moved && strcmp(moved, name) == 0;
        free(moved);
        if (is_it || strcmp(velocity, name) == 0) return i;
    }
    return -1;
}

// f + W'la with a value of a parameter, and what held rows are then
static carom_status ask_force(linearising *l, carom_parameter value, double *f, double *rows,
                              carom_error *error)
{
    const carom_point at = {.q = l->q, .u = l->u};
    CAROM_TRY(carom_plan_set(l->plan, &value, 1, error));
    CAROM_TRY(carom_model_eval(l->plan, &at, MASK, l->ev, error));
    const carom_sparse *W = &l->ev->rows.W;
    memcpy(f, l->ev->f, sizeof *f * (size_t)l->modes->nu);
    for (int r = 0; r < l->size.n_row; r++)
        for (int k = W->start[r]; k < W->start[r + 1]; k++)
            f[W->index[k]] += W->value[k] * l->modes->rest.la[r];
    *rows = 0;
    for (int r = 0; r < l->size.n_constraint; r++) *rows += l->ev->gaps.constraint[r] * (1 + r);
    for (int c = 0; c < l->size.n_contact; c++)
        if (l->modes->is_held[carom_plan_contact(l->plan, c)->row]) *rows += l->ev->gaps.value[c];
    return CAROM_OK;
}

static carom_status differ_parameter(linearising *l, carom_text name, int input, carom_error *error)
{
    const double value = carom_plan_parameter(l->plan, name.text);
    const double e = STEP * fmax(fabs(value), 1);
    double rows[2];
    if (isnan(value))
        return carom_fail_at(error, name.place, CAROM_BAD_INPUT,
                             "'%s' is neither a coordinate nor a parameter that may vary",
                             name.text);
    for (int side = 0; side < 2; side++) {
        const carom_parameter set = {name.text, side ? value - e : value + e};
        CAROM_TRY(ask_force(l, set, l->f + side * l->modes->nu, &rows[side], error));
        if (l->size.n_record > 0)
            CAROM_TRY(ask_records(l, l->record + side * l->size.n_record, error));
    }
    const carom_parameter back = {name.text, value};
    CAROM_TRY(carom_plan_set(l->plan, &back, 1, error));
    if (rows[0] != rows[1])
        return carom_fail_at(error, name.place, CAROM_BAD_INPUT,
                             "'%s' moves a constraint or a closed contact: it is no input of small "
                             "motions",
                             name.text);
    for (int i = 0; i < l->modes->nu; i++) l->x[i] = (l->f[i] - l->f[l->modes->nu + i]) / (2 * e);
    put_difference(l, l->space->D, l->space->n_input, input, e);
    return CAROM_OK;
}

// the column of an input: B' f_w, or B B' f_w
static void put_input(linearising *l, int input)
{
    carom_state_space *s = l->space;
    const int nu = l->modes->nu;
    for (int j = 0; j < l->m; j++) {
        const double *b = l->modes->basis + (size_t)j * (size_t)nu;
        const double push = carom_modes_dot(b, l->x, nu);
        if (!is_physical(l)) *entry(s->B, s->n_input, l->m + j, input) = push;
        for (int i = 0; is_physical(l) && i < nu; i++)
            *entry(s->B, s->n_input, l->m + i, input) += push * b[i];
    }
}

static carom_status fill_inputs(linearising *l, const carom_text *input, carom_error *error)
{
    for (int k = 0; k < l->space->n_input; k++) {
        const int i = input ? find_velocity(l, input[k].text) : k;
        memset(l->x, 0, sizeof *l->x * (size_t)l->modes->nu);
        if (i >= 0)
            l->x[i] = 1;
        else
            CAROM_TRY(differ_parameter(l, input[k], k, error));
        put_input(l, k);
    }
    return CAROM_OK;
}

static bool take_memory(linearising *l, int n_input)
{
    carom_state_space *s = l->space;
    const size_t n_output = 2 * (size_t)l->modes->nu + (size_t)l->size.n_record;
    s->n_state = 2 * l->m;
    s->n_input = n_input > 0 ? n_input : l->modes->nu;
    s->n_output = (int)n_output;
    const size_t n = (size_t)s->n_state, k = (size_t)s->n_input;
    s->A = calloc(n * n + 1, sizeof(double));
    s->B = calloc(n * k + 1, sizeof(double));
    s->C = calloc(n_output * n + 1, sizeof(double));
    s->D = calloc(n_output * k + 1, sizeof(double));
    s->state = calloc(n + 1, sizeof *s->state);
    s->input = calloc(k + 1, sizeof *s->input);
    s->output = calloc(n_output + 1, sizeof *s->output);
    l->q = calloc((size_t)l->size.nq + 4 * (size_t)l->modes->nu + 2 * (size_t)l->size.n_record + 1,
                  sizeof *l->q);
    if (!l->q) return false;
    l->u = l->q + l->size.nq;
    l->x = l->u + l->modes->nu;
    l->f = l->x + l->modes->nu;
    l->record = l->f + 2 * l->modes->nu;
    return s->A && s->B && s->C && s->D && s->state && s->input && s->output;
}

static carom_status fill(linearising *l, const carom_text *input, int n_input, carom_error *error)
{
    static const unsigned mask[] = {MASK, RECORDS};
    if (!take_memory(l, n_input)) return no_memory(error);
    memcpy(l->q, l->modes->rest.q, sizeof *l->q * (size_t)l->size.nq);
    if (!name_all(l, n_input > 0 ? input : NULL)) return no_memory(error);
    CAROM_TRY(carom_plan_new(l->model, mask, l->size.n_record > 0 ? 2 : 1, &l->plan, error));
    if (!(l->ev = carom_plan_eval(l->plan))) return no_memory(error);
    const carom_point at = {.q = l->q, .u = l->u};
    CAROM_TRY(carom_plan_refresh(l->plan, &at, 0, NULL, error));
    fill_modal(l);
    CAROM_TRY(differ_records(l, error));
    CAROM_TRY(fill_inputs(l, n_input > 0 ? input : NULL, error));
    CAROM_TRY(carom_model_eval(l->plan, &at, MASK, l->ev, error));
    return !is_physical(l) || make_physical(l) ? CAROM_OK : no_memory(error);
}

carom_status carom_state_space_make(const carom_model *model, const carom_modes *modes,
                                    const carom_text *input, int n_input, carom_state_space *space,
                                    carom_error *error)
{
    CAROM_NEED(error, space);
    *space = (carom_state_space){0};
    CAROM_NEED(error, model);
    CAROM_NEED(error, modes);
    CAROM_NEED_ARRAY(error, input, n_input);
    linearising l = {.model = model,
                     .modes = modes,
                     .space = space,
                     .size = carom_model_sizes(model),
                     .m = modes->n_basis};
    const carom_status status = fill(&l, input, n_input, error);
    carom_plan_free(l.plan);
    free(l.q);
    if (status != CAROM_OK) carom_state_space_free(space);
    return status;
}

static void free_names(char **name, int n)
{
    for (int i = 0; name && i < n; i++) free(name[i]);
    free(name);
}

void carom_state_space_free(carom_state_space *space)
{
    if (!space) return;
    free(space->A);
    free(space->B);
    free(space->C);
    free(space->D);
    free_names(space->state, space->n_state);
    free_names(space->input, space->n_input);
    free_names(space->output, space->n_output);
    *space = (carom_state_space){0};
}
