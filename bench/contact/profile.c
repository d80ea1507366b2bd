// SPDX-License-Identifier: Apache-2.0
// Times contact solvers on contact problem files: every Carom solver and, where it is linked
// (WITH_SICONOS), every Siconos one. Each solve runs in a process of its own, so that one that
// crashes or never ends costs only itself. One line for each:
//
//     file contacts dimension solver seconds iterations err_rel err_max
//
// seconds: the smallest of up to 9 solves from P = 0, reading left out; "-" where the solver
// refused, crashed or took longer than the limit. Use: profile LIMIT_SECONDS FILE...
#include "bench.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REPEATS = 9 };

typedef struct timing {
    bool is_good;
    double seconds, err_rel, err_max;
    int iterations;
} timing;

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool solve_own(const char *name, const carom_problem *problem, double *P, double *seconds,
                      int *iterations)
{
    carom_contact_solver *solver = NULL;
    carom_contact_info info = {0};
    carom_error error = {0};
    if (carom_contact_solver_new(name, NULL, 0, problem->n_row, &solver, &error) != CAROM_OK)
        return false;
    memset(P, 0, sizeof *P * (size_t)problem->n_row);
    const double start = bench_now();
    carom_status status = carom_contact_solve(solver, problem, P, &info, &error);
    // as carom contact solve does: more digits where the measures of the files ask for them
    double err_rel, err_max;
    carom_contact_errors(problem, P, &err_rel, &err_max);
    if (status == CAROM_OK && info.is_converged && !(err_rel <= 1e-8 && err_max <= 1e-8))
        status = carom_contact_refine(solver, problem, P, &info, &error);
    *seconds = bench_now() - start;
    *iterations = info.iterations;
    carom_contact_solver_free(solver);
    return status == CAROM_OK;
}

static bool solve(int method, const carom_problem *problem, double *P, timing *t, double *seconds)
{
    const int n_own = carom_solver_count();
    if (method < n_own)
        return solve_own(carom_solver_at(method)->name, problem, P, seconds, &t->iterations);
#ifdef WITH_SICONOS
    return bench_siconos_solve(method - n_own, problem, P, seconds, &t->iterations);
#else
    return false;
#endif
}

static timing measure(int method, const carom_problem *problem)
{
    timing t = {0};
    double *P = calloc((size_t)problem->n_row + 1, sizeof *P), seconds = 0, total = 0;
    for (int k = 0; P && k < REPEATS && (k == 0 || total < 0.2); k++) {
        t.is_good = solve(method, problem, P, &t, &seconds);
        if (!t.is_good) break;
        total += seconds;
        if (k == 0 || seconds < t.seconds) t.seconds = seconds;
        carom_contact_errors(problem, P, &t.err_rel, &t.err_max);
    }
    free(P);
    return t;
}

// measures in a child; what it prints goes nowhere
static timing measure_apart(int method, const carom_problem *problem, unsigned limit)
{
    timing t = {0};
    int channel[2];
    if (pipe(channel) != 0) return t;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(1);
        alarm(limit);
        t = measure(method, problem);
        const bool is_sent = write(channel[1], &t, sizeof t) == (ssize_t)sizeof t;
        _exit(!is_sent);
    }
    close(channel[1]);
    if (child < 0 || read(channel[0], &t, sizeof t) != (ssize_t)sizeof t) t = (timing){0};
    close(channel[0]);
    if (child > 0) waitpid(child, NULL, 0);
    return t;
}

static const char *method_name(int method)
{
    const int n_own = carom_solver_count();
    if (method < n_own) return carom_solver_at(method)->name;
#ifdef WITH_SICONOS
    return bench_siconos_name(method - n_own);
#else
    return NULL;
#endif
}

static void profile(const char *path, unsigned limit)
{
    carom_contact_file *file = NULL;
    carom_error error = {0};
    if (carom_contact_file_read(path, CAROM_FILE_ANY, &file, &error) != CAROM_OK) {
        fprintf(stderr, "%s\n", error.message);
        return;
    }
    const char *slash = strrchr(path, '/');
    for (int method = 0; method_name(method); method++) {
        const timing t = measure_apart(method, &file->problem, limit);
        printf("%s %d %d %s ", slash ? slash + 1 : path, file->n_contact, file->dimension,
               method_name(method));
        if (t.is_good)
            printf("%.4g %d %.3g %.3g\n", t.seconds, t.iterations, t.err_rel, t.err_max);
        else
            printf("- - - -\n");
    }
    carom_contact_file_free(file);
}

int main(int argc, char **argv)
{
    if (argc < 3 || atoi(argv[1]) < 1) {
        fprintf(stderr, "use: profile LIMIT_SECONDS FILE...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) profile(argv[i], (unsigned)atoi(argv[1]));
    return 0;
}
