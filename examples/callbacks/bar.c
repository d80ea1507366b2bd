// SPDX-License-Identifier: Apache-2.0 An elastic bar as a finite element model from C functions:
// thousands of unknowns in any scheme. It flies against a wall, stays there until the wave has run
// through it and back, and leaves. Mass and stiffness are tridiagonal and constant: their patterns
// are given, and they are asked for once.
//
//     cc -O2 examples/callbacks/bar.c $(pkg-config --cflags --libs carom) -lm -o bar
//     ./bar moreau_jean 5000 1e-7 1e-4
#include <carom/carom.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct bar {
    int n;                     // nodes
    double mass, stiffness;    // of an element [kg], [N/m]
    double damping, gap;       // [N s/m]; of the first node from the wall at the start [m]
    int *start, *index;        // pattern of a tridiagonal matrix (n+1, 3n-2)
    int *none;                 // start of a pattern without entries (n+1)
    double *q0, *u0;           // (n)
    long n_mass, n_force, n_d; // how often the functions were called
} bar;

// entries of the tridiagonal matrix with 2 a (at the ends a) on the diagonal, b beside it
static void fill(const bar *b, double a, double beside, double *value)
{
    for (int i = 0; i < b->n; i++)
        for (int k = b->start[i]; k < b->start[i + 1]; k++)
            value[k] = b->index[k] != i ? beside : i == 0 || i == b->n - 1 ? a : 2 * a;
}

static int mass(void *user, double t, const double *q, double *M)
{
    bar *b = user;
    (void)t, (void)q;
    b->n_mass++;
    fill(b, b->mass / 3, b->mass / 6, M);
    return 0;
}

static int forces(void *user, double t, const double *q, const double *u, double *f)
{
    bar *b = user;
    double left = 0; // the force in the element before
    (void)t;
    b->n_force++;
    for (int i = 0; i < b->n - 1; i++) {
        const double right = b->stiffness * (q[i + 1] - q[i]) + b->damping * (u[i + 1] - u[i]);
        f[i] = right - left;
        left = right;
    }
    f[b->n - 1] = -left;
    return 0;
}

static int d_forces(void *user, double t, const double *q, const double *u, double *df_dq,
                    double *df_du)
{
    bar *b = user;
    (void)t, (void)q, (void)u;
    b->n_d++;
    fill(b, -b->stiffness, b->stiffness, df_dq);
    if (b->damping > 0) fill(b, -b->damping, b->damping, df_du);
    return 0;
}

static int gaps(void *user, double t, const double *q, double *constraint, double *gap)
{
    const bar *b = user;
    (void)t, (void)constraint;
    gap[0] = b->gap + q[0];
    return 0;
}

static int rows(void *user, double t, const double *q, double *W, double *w0)
{
    (void)user, (void)t, (void)q;
    W[0] = 1;
    w0[0] = 0;
    return 0;
}

// 1 m of steel, a section of pi cm2, 0.1 m/s; false without memory
static bool make_bar(bar *b, int elements)
{
    const double section = 3.14159265358979323846e-4, E = 2.1e11, density = 7800;
    const int n = elements + 1;
    *b = (bar){.n = n,
               .mass = density * section / elements,
               .stiffness = E * section * elements,
               .gap = 1e-8,
               .start = calloc((size_t)n + 1, sizeof(int)),
               .index = calloc(3 * (size_t)n, sizeof(int)),
               .none = calloc((size_t)n + 1, sizeof(int)),
               .q0 = calloc((size_t)n, sizeof(double)),
               .u0 = calloc((size_t)n, sizeof(double))};
    if (!b->start || !b->index || !b->none || !b->q0 || !b->u0) return false;
    for (int i = 0, k = 0; i < n; i++) {
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++) b->index[k++] = j;
        b->start[i + 1] = k;
        b->u0[i] = -0.1;
    }
    return true;
}

static void free_bar(bar *b)
{
    free(b->start);
    free(b->index);
    free(b->none);
    free(b->q0);
    free(b->u0);
}

static carom_callbacks bar_callbacks(bar *b)
{
    static const carom_contact_facts wall = {.name = "wall"};
    static const int row_start[] = {0, 1}, row_index[] = {0};
    return (carom_callbacks){.user = b,
                             .name = "elastic bar",
                             .n = b->n,
                             .n_contact = 1,
                             .contact = &wall,
                             .q0 = b->q0,
                             .u0 = b->u0,
                             .mass_start = b->start,
                             .mass_index = b->index,
                             .mass_is_constant = true,
                             .mass = mass,
                             .forces = forces,
                             .gaps = gaps,
                             .rows_start = row_start,
                             .rows_index = row_index,
                             .rows = rows,
                             .d_forces = d_forces,
                             .derivatives = {.df_dq_start = b->start,
                                             .df_dq_index = b->index,
                                             .df_du_start = b->damping > 0 ? b->start : b->none,
                                             .df_du_index = b->index,
                                             .forces_are_constant = true,
                                             .rows_are_constant = true}};
}

static carom_status run(bar *b, const carom_sim_options *options, carom_error *error)
{
    carom_model *model = NULL;
    carom_sim *sim = NULL;
    const carom_callbacks given = bar_callbacks(b);
    carom_status status = carom_model_from_callbacks(&given, &model, error);
    if (status == CAROM_OK) status = carom_sim_new(model, options, &sim, error);
    if (status == CAROM_OK) status = carom_sim_run(sim, error);
    if (status == CAROM_OK) {
        const carom_state *s = carom_sim_state(sim);
        const carom_counts counts = carom_sim_counts(sim);
        printf("t %g: end at the wall %.6g m, free end %.6g m; %.3g us for a step\n", s->t, s->q[0],
               s->q[b->n - 1], 1e6 * carom_sim_times(sim).stepping / (double)counts.steps);
    }
    carom_sim_free(sim);
    carom_model_free(model);
    return status;
}

int main(int n_argument, char **argument)
{
    carom_error error = {0};
    bar b;
    carom_sim_options options = carom_sim_default();
    options.scheme = n_argument > 1 ? argument[1] : "moreau_jean";
    options.step = n_argument > 3 ? atof(argument[3]) : 1e-7;
    options.end = n_argument > 4 ? atof(argument[4]) : 1e-4;
    const int elements = n_argument > 2 ? atoi(argument[2]) : 5000;
    const bool is_made = elements > 0 && make_bar(&b, elements);
    const carom_status status = is_made ? run(&b, &options, &error) : CAROM_BAD_INPUT;
    if (status != CAROM_OK)
        fprintf(stderr, "%s\n", is_made ? error.message : "bar: how many elements?");
    if (elements > 0) free_bar(&b);
    return status == CAROM_OK ? 0 : 2;
}
