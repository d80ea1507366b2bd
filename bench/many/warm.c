// SPDX-License-Identifier: Apache-2.0
// What a step of many bodies costs when it is warm: a model is run until it has come to rest (or
// moves as it should), which is kept in a checkpoint; from there, for each tolerance and number of
// threads, so many steps are taken, of which the first are not counted. One line for each:
//
//     tolerance threads contacts  contact-ms step-ms wall-ms  sweeps residual err_rel missed
//     overlap digest
//
// processor time in contact problems and in all of a step, and what passes on the clock: medians of
// steps; mean iterations, the worst residual that a step was held at, the median err_rel (judged
// from the problem of each step as those of other programs are, judge.c), steps that missed the
// tolerance, the deepest contact [m] since the looks began, and a number made of all bits of the
// last state.
//
// Use: warm MODEL STEP SETTLE CHECKPOINT "TOL TOL .." "THREADS .." STEPS SOLVER [NAME=VALUE ..]
#include "dynamics/assembly.h"
#include "sim/sim.h"

#include <carom/modelfile.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_STEPS = 10000, COLD = 5 };
static const char SETTLING[] = "2e-3";

typedef struct costs {
    double contact[MOST_STEPS], step[MOST_STEPS], wall[MOST_STEPS], err_rel[MOST_STEPS];
} costs;

static void check(carom_status status, const carom_error *error)
{
    if (status == CAROM_OK) return;
    fprintf(stderr, "warm: %s\n", error->message);
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static carom_text text(const char *s)
{
    return (carom_text){.text = s};
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

static carom_sim *make_sim(const carom_model *model, double step, double end, const char *tolerance,
                           int n_thread, const char *solver)
{
    carom_error error = {0};
    carom_sim *sim;
    carom_setting setting = {text("solver.tolerance"), text(tolerance)};
    carom_sim_options options = carom_sim_default();
    options.step = step;
    options.end = end;
    options.solver = solver;
    options.setting = &setting;
    options.n_setting = 1;
    options.n_thread = n_thread;
    options.allow_penetration = true;
    check(carom_sim_new(model, &options, &sim, &error), &error);
    return sim;
}

// FNV-1a of positions and velocities
static unsigned long long digest(const carom_sim *sim, const carom_model *model)
{
    const carom_state *state = carom_sim_state(sim);
    const carom_sizes size = carom_model_sizes(model);
    unsigned long long sum = 0xcbf29ce484222325ULL;
    const unsigned char *part[2] = {(const unsigned char *)state->q,
                                    (const unsigned char *)state->u};
    const size_t n[2] = {sizeof(double) * (size_t)size.nq, sizeof(double) * (size_t)size.nu};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < n[k]; i++) sum = (sum ^ part[k][i]) * 0x100000001b3ULL;
    return sum;
}

static void measure(carom_sim *sim, const carom_model *model, const char *tolerance, int n_thread,
                    int n_step)
{
    static costs c;
    const carom_contacts *last = sim->s.contacts;
    double least = 0;
    carom_error error = {0};
    carom_audit audit;
    carom_counts begin = carom_sim_counts(sim);
    for (int i = -COLD; i < n_step; i++) {
        const carom_times before = carom_sim_times(sim);
        const clock_t used = clock();
        const double start = now();
        if (i == 0) begin = carom_sim_counts(sim);
        check(carom_sim_step(sim, &error), &error);
        if (i < 0) continue;
        c.wall[i] = 1e3 * (now() - start);
        c.step[i] = 1e3 * (double)(clock() - used) / CLOCKS_PER_SEC;
        c.contact[i] = 1e3 * (carom_sim_times(sim).contact - before.contact);
        carom_contact_errors(&last->problem, last->P, &c.err_rel[i], NULL);
        for (int k = 0; k < sim->size.n_contact; k++)
            least = sim->contacts.seen->gaps.value[k] < least ? sim->contacts.seen->gaps.value[k]
                                                              : least;
    }
    check(carom_sim_audit(sim, &audit, NULL, &error), &error);
    const carom_counts end = carom_sim_counts(sim);
    printf("%-8s %2d %6d  %9.3f %9.3f %9.3f  %8.1f %8.1e %8.1e %4ld  %8.1e  %016llx\n", tolerance,
           n_thread, last->problem.n_block, median(c.contact, n_step), median(c.step, n_step),
           median(c.wall, n_step),
           (double)(end.solver_iterations - begin.solver_iterations) / n_step, audit.residual,
           median(c.err_rel, n_step), end.unconverged - begin.unconverged, -least,
           digest(sim, model));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    carom_error error = {0};
    carom_modelfile *file;
    carom_model *model;
    if (argc < 9) {
        fprintf(stderr, "usage: warm MODEL STEP SETTLE CHECKPOINT TOLERANCES THREADS STEPS SOLVER "
                        "[NAME=VALUE ...]\n");
        return 2;
    }
    const double step = atof(argv[2]), settle = atof(argv[3]);
    const int n_step = atoi(argv[7]) < MOST_STEPS ? atoi(argv[7]) : MOST_STEPS;
    check(carom_modelfile_read(argv[1], &file, &error), &error);
    for (int i = 9; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (!value) return 2;
        *value = 0;
        check(carom_builder_set(carom_modelfile_builder(file), text(argv[i]), text(value + 1),
                                &error),
              &error);
    }
    check(carom_builder_finish(carom_modelfile_builder(file), &model, &error), &error);
    const double end = settle + (n_step + COLD + 10) * step;
    FILE *kept = fopen(argv[4], "rb");
    carom_sim *rest = make_sim(model, step, settle, SETTLING, 1, "sweeps");
    if (kept) {
        fclose(kept);
        check(carom_sim_restart(rest, argv[4], &error), &error);
    } else {
        check(carom_sim_run(rest, &error), &error);
        check(carom_sim_checkpoint(rest, argv[4], &error), &error);
    }
    const carom_state *state = carom_sim_state(rest);
    const carom_moment from = {.t = state->t, .q = state->q, .u = state->u};
    char *tolerances = argv[5];
    for (char *tolerance; (tolerance = strtok_r(tolerances, " ", &tolerances));) {
        char threads[256];
        snprintf(threads, sizeof threads, "%s", argv[6]);
        char *left = threads;
        for (char *thread; (thread = strtok_r(left, " ", &left));) {
            carom_sim *sim = make_sim(model, step, end, tolerance, atoi(thread), argv[8]);
            check(carom_sim_start_from(sim, &from, NULL, 0, &error), &error);
            measure(sim, model, tolerance, atoi(thread), n_step);
            carom_sim_free(sim);
        }
    }
    carom_sim_free(rest);
    carom_model_free(model);
    carom_modelfile_free(file);
    return 0;
}
