// SPDX-License-Identifier: Apache-2.0
// Siconos' solvers of friction problems on Carom's problems, against the headers of
// libsiconos-numerics-dev. The problem goes over as a text file in the layout that both read (17
// digits; dense up to 12 rows or where nearly full, else sparse block, which is what its Gauss-
// Seidel likes best).
#include "bench.h"

#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/SolverOptions.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    int in_plane, in_space; // identifiers, 0 = none
    int iterations;
} methods[] = {
    {"siconos-nsgs", SICONOS_FRICTION_2D_NSGS, SICONOS_FRICTION_3D_NSGS, 100000},
    {"siconos-nsn_ac", 0, SICONOS_FRICTION_3D_NSN_AC, 1000},
    {"siconos-prox", 0, SICONOS_FRICTION_3D_PROX, 1000},
    {"siconos-admm", 0, SICONOS_FRICTION_3D_ADMM, 20000},
};
enum { N_METHOD = sizeof methods / sizeof *methods };

const char *bench_siconos_name(int method)
{
    return method < N_METHOD ? methods[method].name : NULL;
}

// hands the problem over; NULL where it is not a local one
static FrictionContactProblem *hand_over(const carom_problem *problem)
{
    char path[] = "/tmp/carom-bench-XXXXXX";
    carom_error error = {0};
    const carom_file_form form = {.kind = CAROM_FILE_LOCAL};
    FrictionContactProblem *made = NULL;
    const int descriptor = mkstemp(path);
    if (descriptor < 0) return NULL;
    close(descriptor);
    const bool is_there =
        carom_contact_problem_write(problem, NULL, form, path, &error) == CAROM_OK;
    FILE *stream = is_there ? fopen(path, "r") : NULL;
    if (stream) made = frictionContact_newFromFile(stream);
    if (stream) fclose(stream);
    unlink(path);
    return made;
}

bool bench_siconos_solve(int method, const carom_problem *problem, double *P, double *seconds,
                         int *iterations)
{
    FrictionContactProblem *theirs = hand_over(problem);
    if (!theirs) return false;
    const bool is_plane = theirs->dimension == 2;
    const int id = is_plane ? methods[method].in_plane : methods[method].in_space;
    double *velocity = calloc((size_t)problem->n_row + 1, sizeof *velocity);
    if (id != 0 && velocity) {
        SolverOptions *options = solver_options_create(id);
        options->dparam[SICONOS_DPARAM_TOL] = 1e-8;
        options->iparam[SICONOS_IPARAM_MAX_ITER] = methods[method].iterations;
        numerics_set_verbose(0);
        memset(P, 0, sizeof *P * (size_t)problem->n_row);
        const double start = bench_now();
        if (is_plane)
            fc2d_driver(theirs, P, velocity, options);
        else
            fc3d_driver(theirs, P, velocity, options);
        *seconds = bench_now() - start;
        *iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
        solver_options_delete(options);
    }
    free(velocity);
    frictionContactProblem_free(theirs);
    return id != 0;
}
