// SPDX-License-Identifier: Apache-2.0
// Runs another program's scene and judges its impulses: after the scene has settled, each step's
// contacts, with the masses and the velocities that the bodies would have without them, are a
// contact problem,
//
//     xi = W (v + h g) + W M^-1 W' P,     0 <= xi_N _|_ P_N >= 0,     friction,
//
// and the residual of the program's own P in it is what `carom contact` would say. One line:
//
//     program scene  step-ms contacts  residual err_rel  overlap drift
//
// medians of the steps looked at; overlap is the deepest contact over the smallest size of a body,
// drift how far body 1 has gone down since the looks began, over the same size.
//
// Use: judge SETTLE STEPS FILE|- SCENE ..     (FILE: the last problem, as a file)
#include "scene.h"

#include <carom/contact_file.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_CONTACTS = 200000, MOST_STEPS = 1000 };
static const double gravity = 9.81;

// ---- scenes ----

static scene_body box(double x, double y, double z, const double size[3], double density)
{
    scene_body b = {.at = {x, y, z}};
    b.mass = density * size[0] * size[1] * size[2];
    for (int i = 0; i < 3; i++) {
        const double p = size[(i + 1) % 3], q = size[(i + 2) % 3];
        b.half[i] = size[i] / 2;
        b.inertia[i] = b.mass * (p * p + q * q) / 12;
    }
    return b;
}

static void make_pile(scene *s, int n, int layers)
{
    const double r = 0.01, side = 2 * r * n * 1.15, mass = 2500 * 4 * M_PI / 3 * r * r * r;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            for (int k = 1; k <= layers; k++) {
                scene_body *b = &s->body[s->n_body++];
                *b = (scene_body){.half = {r}, .mass = mass};
                for (int c = 0; c < 3; c++) b->inertia[c] = 0.4 * mass * r * r;
                b->at[0] = side * ((i - 0.5) / n - 0.5) +
                           0.1 * r * sin(12.9898 * i + 78.233 * j + 37.719 * k);
                b->at[1] = side * ((j - 0.5) / n - 0.5) +
                           0.1 * r * sin(39.346 * i + 11.135 * j + 83.155 * k);
                b->at[2] = r + 2 * r * 1.2 * (k - 1) +
                           0.1 * r * (1 + sin(73.156 * i + 52.235 * j + 9.151 * k));
            }
    s->mu = 0.3;
    s->h = 2e-3;
    s->n_plane = 5;
    s->plane[0] = (scene_plane){{0, 0, 1}, 0};
    s->plane[1] = (scene_plane){{1, 0, 0}, -side / 2};
    s->plane[2] = (scene_plane){{-1, 0, 0}, -side / 2};
    s->plane[3] = (scene_plane){{0, 1, 0}, -side / 2};
    s->plane[4] = (scene_plane){{0, -1, 0}, -side / 2};
}

static void make_wall(scene *s, int columns, int rows)
{
    const double l = 0.2, w = 0.1, h = 0.06, whole[3] = {l, w, h}, half[3] = {l / 2, w, h};
    for (int k = 1; k <= rows / 2; k++) {
        for (int i = 1; i <= columns; i++)
            s->body[s->n_body++] = box(l * (i - 0.5), 0, h * (2 * k - 1.5), whole, 2000);
        for (int i = 1; i < columns; i++)
            s->body[s->n_body++] = box(l * i, 0, h * (2 * k - 0.5), whole, 2000);
        for (int i = 0; i <= 1; i++)
            s->body[s->n_body++] =
                box(l * (0.25 + i * (columns - 0.5)), 0, h * (2 * k - 0.5), half, 2000);
    }
    s->mu = 0.5;
    s->h = 5e-3;
    s->n_plane = 1;
    s->plane[0] = (scene_plane){{0, 0, 1}, 0};
}

static void make_stack(scene *s, int n)
{
    static const double size[3] = {0.1, 0.1, 0.1};
    for (int k = 1; k <= n; k++) s->body[s->n_body++] = box(0, 0, 0.1 * (k - 0.5), size, 1000);
    s->mu = 0.5;
    s->h = 5e-3;
    s->n_plane = 1;
    s->plane[0] = (scene_plane){{0, 0, 1}, 0};
}

int scene_make(scene *s, int n_word, char **word)
{
    const int a = n_word > 1 ? atoi(word[1]) : 0, b = n_word > 2 ? atoi(word[2]) : 1;
    *s = (scene){.name = n_word > 0 ? word[0] : ""};
    if (a < 1 || b < 1 || a > 10000 || b > 10000) return 0;
    s->body = calloc((size_t)a * (size_t)(a + 2) * (size_t)b, sizeof *s->body);
    if (!s->body) return 0;
    if (strcmp(s->name, "pile") == 0) make_pile(s, a, b);
    if (strcmp(s->name, "wall") == 0) make_wall(s, a, b);
    if (strcmp(s->name, "stack") == 0) make_stack(s, a);
    return s->n_body > 0;
}

void scene_free(scene *s)
{
    free(s->body);
}

// ---- the problem of a step ----

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

typedef struct assembly {
    carom_problem problem;
    carom_factors f;
    double *P;
} assembly;

static void *take(size_t n, size_t size)
{
    void *memory = calloc(n + 1, size);
    if (memory) return memory;
    fprintf(stderr, "judge: no memory\n");
    exit(1);
}

static void fill_masses(const scene *s, const scene_state *state, assembly *a)
{
    carom_factors *f = &a->f;
    f->n_column = 6 * s->n_body;
    f->n_mass = 2 * s->n_body;
    f->mass_row = take((size_t)f->n_mass + 1, sizeof(int));
    f->inverse_at = take((size_t)f->n_mass, sizeof(int));
    f->inverse = take(18 * (size_t)s->n_body, sizeof(double));
    f->scratch = take(2 * (size_t)f->n_column, sizeof(double));
    for (int m = 0; m < f->n_mass; m++) {
        const scene_body *b = &s->body[m / 2];
        const double *R = state[m / 2].R;
        double *X = f->inverse + 9 * m;
        f->mass_row[m] = 3 * m;
        f->inverse_at[m] = 9 * m;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    X[3 * j + i] += m % 2 == 0 ? (i == j && k == 0 ? 1 / b->mass : 0)
                                               : R[3 * i + k] * R[3 * j + k] / b->inertia[k];
    }
    f->mass_row[f->n_mass] = f->n_column;
}

// a row of W: direction d at the point of a contact, the body with the lower number first
static void fill_row(const scene *s, const scene_state *state, const scene_contact *c,
                     const double *d, int row, assembly *a)
{
    carom_factors *f = &a->f;
    const int first = c->body[1] >= 0 && (c->body[0] < 0 || c->body[1] < c->body[0]);
    int n = f->start[row];
    double rate = 0;
    for (int k = 0; k < 2; k++) {
        const int side = k == 0 ? first : !first, b = c->body[side];
        const double sign = side == 0 ? 1 : -1;
        double arm[3], turn[3];
        if (b < 0) continue;
        for (int i = 0; i < 3; i++) arm[i] = c->point[i] - state[b].x[i];
        cross(arm, d, turn);
        for (int i = 0; i < 6; i++) {
            f->index[n] = 6 * b + i;
            f->value[n++] = sign * (i < 3 ? d[i] : turn[i - 3]);
        }
        rate += sign * (dot(d, state[b].v) - s->h * gravity * d[2] + dot(turn, state[b].w));
    }
    f->start[row + 1] = n;
    a->problem.b[row] = rate;
    a->P[row] = dot(d, c->impulse);
}

static void fill_contacts(const scene *s, const scene_state *state, const scene_contact *contact,
                          int n, assembly *a)
{
    carom_problem *p = &a->problem;
    p->n_row = 3 * n;
    p->n_block = n;
    p->block = take((size_t)n, sizeof *p->block);
    p->b = take(3 * (size_t)n, sizeof(double));
    a->P = take(3 * (size_t)n, sizeof(double));
    a->f.start = take(3 * (size_t)n + 1, sizeof(int));
    a->f.index = take(36 * (size_t)n, sizeof(int));
    a->f.value = take(36 * (size_t)n, sizeof(double));
    p->G.n = p->n_row;
    p->G.factors = &a->f;
    for (int k = 0; k < n; k++) {
        const double *d = contact[k].normal;
        const double other[3] = {fabs(d[0]) < 0.6, fabs(d[0]) >= 0.6, 0};
        double t1[3], t2[3];
        cross(d, other, t1);
        const double length = sqrt(dot(t1, t1));
        for (int i = 0; i < 3; i++) t1[i] /= length;
        cross(d, t1, t2);
        p->block[k] = (carom_block){.first = 3 * k, .dim = 3, .mu = s->mu, .id = k};
        fill_row(s, state, &contact[k], d, 3 * k, a);
        fill_row(s, state, &contact[k], t1, 3 * k + 1, a);
        fill_row(s, state, &contact[k], t2, 3 * k + 2, a);
    }
}

int scene_judge(const scene *s, const scene_state *state, const scene_contact *contact,
                int n_contact, const char *file, scene_verdict *verdict)
{
    assembly a = {0};
    carom_error error = {0};
    int is_good = 1;
    fill_masses(s, state, &a);
    fill_contacts(s, state, contact, n_contact, &a);
    verdict->n_contact = n_contact;
    verdict->residual = carom_contact_residual(&a.problem, a.P);
    carom_contact_errors(&a.problem, a.P, &verdict->err_rel, NULL);
    if (file && strcmp(file, "-") != 0) {
        const carom_file_form mixed = {.kind = CAROM_FILE_MIXED};
        is_good = carom_contact_problem_write(&a.problem, a.P, mixed, file, &error) == CAROM_OK;
        if (!is_good) fprintf(stderr, "judge: %s\n", error.message);
    }
    void *all[] = {a.f.mass_row, a.f.inverse_at, a.f.inverse,     a.f.scratch, a.f.start,
                   a.f.index,    a.f.value,      a.problem.block, a.problem.b, a.P};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    return is_good;
}

// ---- the run ----

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, compare);
    return n > 0 ? x[n / 2] : 0;
}

static double smallest_size(const scene *s)
{
    double least = INFINITY;
    for (int b = 0; b < s->n_body; b++)
        for (int i = 0; i < 3; i++)
            if (s->body[b].half[i] > 0 && s->body[b].half[i] < least) least = s->body[b].half[i];
    return least;
}

int main(int argc, char **argv)
{
    scene s;
    if (argc < 5 || !scene_make(&s, argc - 4, argv + 4)) {
        fprintf(stderr, "usage: %s SETTLE STEPS FILE|- pile N LAYERS|wall COLUMNS ROWS|stack N\n",
                argv[0]);
        return 2;
    }
    static double time[MOST_STEPS], residual[MOST_STEPS], err_rel[MOST_STEPS], count[MOST_STEPS];
    const int n_settle = (int)(atof(argv[1]) / s.h + 0.5);
    const int n_step = atoi(argv[2]) < MOST_STEPS ? atoi(argv[2]) : MOST_STEPS;
    scene_state *state = take((size_t)s.n_body, sizeof *state);
    scene_contact *contact = take(MOST_CONTACTS, sizeof *contact);
    double deepest = 0, height = 0;
    engine.begin(&s);
    for (int i = 0; i < n_settle; i++) engine.step(s.h);
    for (int i = 0; i < n_step; i++) {
        scene_verdict verdict;
        engine.look(state);
        if (i == 0) height = state[0].x[2];
        const double start = now();
        engine.step(s.h);
        time[i] = 1e3 * (now() - start);
        const int n = engine.contacts(contact, MOST_CONTACTS);
        for (int k = 0; k < n; k++)
            deepest = contact[k].depth > deepest ? contact[k].depth : deepest;
        if (!scene_judge(&s, state, contact, n, i == n_step - 1 ? argv[3] : NULL, &verdict))
            return 1;
        residual[i] = verdict.residual;
        err_rel[i] = verdict.err_rel;
        count[i] = n;
    }
    engine.look(state);
    const double size = smallest_size(&s);
    printf("%-8s %-6s %9.3f ms %7.0f contacts  residual %8.1e  err_rel %8.1e  "
           "overlap %8.1e  drift %8.1e\n",
           engine.name, s.name, median(time, n_step), median(count, n_step),
           median(residual, n_step), median(err_rel, n_step), deepest / size,
           (height - state[0].x[2]) / size);
    free(state);
    free(contact);
    scene_free(&s);
    return 0;
}
