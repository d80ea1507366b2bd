// SPDX-License-Identifier: Apache-2.0
// Where the residual of a hard contact problem sits: a solver is given its time, and then each
// contact is asked how far it is from the laws.
//
//     solver  residual err_rel | contacts with half and 99 % of the squared error | of those: open,
//     at the tip (P_N below 1e-6 of the largest), stuck, sliding (slip below 1e-3 of the fastest)
//
// Use: floor FILE SOLVER [OPTION=VALUE ..]     with the headers below src and the static library
#include "contact/problem/problem.h"
#include "math/cone.h"

#include <carom/contact_file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SHOWN = 6, MOST_SETTINGS = 8 };

typedef struct miss {
    double square; // of the natural map of this contact
    int block;
} miss;

static int compare(const void *a, const void *b)
{
    const double x = ((const miss *)a)->square, y = ((const miss *)b)->square;
    return (x < y) - (x > y);
}

static double miss_of(const carom_block *block, const double *P, const double *xi)
{
    double y[3], sum = 0;
    for (int i = 0; i < block->dim; i++) y[i] = P[i] - xi[i];
    y[0] -= block->mu * carom_cone_length(block->dim - 1, xi + 1);
    carom_cone_project(block->mu, block->dim, y);
    for (int i = 0; i < block->dim; i++) sum += (P[i] - y[i]) * (P[i] - y[i]);
    return sum;
}

static const char *state_of(const carom_block *block, const double *P, const double *xi,
                            double largest, double fastest)
{
    const double push = carom_cone_length(block->dim - 1, P + 1);
    if (P[0] <= 1e-6 * largest) return xi[0] > 1e-6 * fastest ? "open" : "tip";
    if (push < (1 - 1e-6) * block->mu * P[0]) return "stuck";
    return carom_cone_length(block->dim - 1, xi + 1) > 1e-3 * fastest ? "slides" : "creeps";
}

static void look_at_contacts(const carom_problem *problem, const double *P)
{
    double *xi = malloc(sizeof *xi * (size_t)problem->n_row), largest = 0, fastest = 0, all = 0;
    miss *list = malloc(sizeof *list * (size_t)problem->n_block);
    if (!xi || !list) exit(1);
    carom_problem_rates(problem, P, xi);
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        list[k] = (miss){miss_of(block, P + block->first, xi + block->first), k};
        all += list[k].square;
        largest = carom_larger(largest, P[block->first]);
        fastest = carom_larger(fastest, carom_cone_length(block->dim - 1, xi + block->first + 1));
    }
    qsort(list, (size_t)problem->n_block, sizeof *list, compare);
    int n_half = 0, n_most = 0;
    double sum = 0;
    for (int k = 0; k < problem->n_block; k++) {
        n_half += sum < 0.5 * all;
        n_most += sum < 0.99 * all;
        sum += list[k].square;
    }
    printf("  half of it in %d contacts, 99 %% in %d of %d; largest P_N %.3g, fastest slip %.3g\n",
           n_half, n_most, problem->n_block, largest, fastest);
    for (int k = 0; k < SHOWN && k < problem->n_block; k++) {
        const carom_block *block = &problem->block[list[k].block];
        const double *p = P + block->first, *x = xi + block->first;
        printf("  contact %-5d %-6s  share %.2f  P (%.3g, %.3g, %.3g)  xi (%.3g, %.3g, %.3g)\n",
               list[k].block, state_of(block, p, x, largest, fastest), list[k].square / all, p[0],
               block->dim > 1 ? p[1] : 0, block->dim > 2 ? p[2] : 0, x[0],
               block->dim > 1 ? x[1] : 0, block->dim > 2 ? x[2] : 0);
    }
    free(list);
    free(xi);
}

int main(int argc, char **argv)
{
    carom_error error = {0};
    carom_contact_file *file;
    carom_contact_solver *solver;
    carom_contact_info info;
    carom_setting setting[MOST_SETTINGS];
    int n = 0;
    if (argc < 3) return 2;
    for (int i = 3; i < argc && n < MOST_SETTINGS; i++) {
        char *value = strchr(argv[i], '=');
        if (!value) return 2;
        *value = 0;
        setting[n++] = (carom_setting){{.text = argv[i]}, {.text = value + 1}};
    }
    if (carom_contact_file_read(argv[1], CAROM_FILE_ANY, &file, &error) != CAROM_OK ||
        carom_contact_solver_new(argv[2], setting, n, file->problem.n_row, &solver, &error)) {
        fprintf(stderr, "floor: %s\n", error.message);
        return 1;
    }
    double *P = calloc((size_t)file->problem.n_row + 1, sizeof *P), err_rel;
    const clock_t start = clock();
    if (carom_contact_solve(solver, &file->problem, P, &info, &error) != CAROM_OK) {
        fprintf(stderr, "floor: %s\n", error.message);
        return 1;
    }
    carom_contact_errors(&file->problem, P, &err_rel, NULL);
    printf("%s %s: residual %.3g, err_rel %.3g, %d iterations, %.1f s\n", argv[1], argv[2],
           info.residual, err_rel, info.iterations, (double)(clock() - start) / CLOCKS_PER_SEC);
    look_at_contacts(&file->problem, P);
    free(P);
    carom_contact_solver_free(solver);
    carom_contact_file_free(file);
    return 0;
}
