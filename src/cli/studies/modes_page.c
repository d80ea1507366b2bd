// SPDX-License-Identifier: Apache-2.0
// Modes as a page of 'carom report': for each of the lowest modes two periods of
//
//     q = rest + a Re(shape exp(i w t))
//
// are written as if they had been run (small motions made large enough to be seen), under a map of
// the frequencies where each point knows its motion.
#define _DEFAULT_SOURCE // mkdtemp
#include "studies/modes_page.h"

#include "terminal/heading.h"
#include "terminal/message.h"

#include <carom/extend.h>
#include <carom/report.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_MODES = 24, FRAMES = 48, PERIODS = 2 };
static const double TURN = 6.283185307179586476925286766559;
static const double share = 0.1, angle = 0.3; // of the extent; [rad]

typedef struct modes_page {
    const carom_job *job;
    const carom_modes *found;
    carom_sim *sim;
    double amplitude;
    char folder[CAROM_PATH_ROOM];
    carom_results *run[MOST_MODES];
    int n;
    double *q, *u, *move, *value; // (nq), (nu), (nu), (columns)
} modes_page;

// ---- how large ----

static bool is_length(const carom_model *model, int i)
{
    const char *unit = carom_model_coordinate_unit(model, i);
    return unit && strcmp(unit, "m") == 0;
}

// from the lowest to the highest coordinate that is a length
static double extent(const modes_page *p)
{
    double low = 0, high = 0;
    for (int i = 0; i < p->found->rest.nq; i++) {
        if (!is_length(p->job->model, i)) continue;
        low = fmin(low, p->found->rest.q[i]);
        high = fmax(high, p->found->rest.q[i]);
    }
    return high - low;
}

static double amplitude_of(const modes_page *p, int k)
{
    const int nu = p->found->nu;
    const double *re = p->found->shape + (size_t)k * 2 * (size_t)nu, *im = re + nu;
    double most_length = 0, most_angle = 0;
    if (p->amplitude > 0) return p->amplitude;
    for (int i = 0; i < nu; i++) {
        double *most =
            i < p->found->rest.nq && is_length(p->job->model, i) ? &most_length : &most_angle;
        *most = fmax(*most, hypot(re[i], im[i]));
    }
    const double size = extent(p), by_angle = most_angle > 0 ? angle / most_angle : INFINITY;
    const double by_length = most_length > 0 && size > 0 ? share * size / most_length : INFINITY;
    const double both = fmin(by_angle, by_length);
    return isfinite(both) ? both : 0.01;
}

// ---- one mode ----

static carom_status record(modes_page *p, int k, carom_recorder to, carom_error *error)
{
    const int nu = p->found->nu;
    const carom_eigenmode *mode = &p->found->mode[k];
    const double *re = p->found->shape + (size_t)k * 2 * (size_t)nu, *im = re + nu;
    const double w = mode->im > 0 ? mode->im : TURN, a = amplitude_of(p, k);
    carom_state state = *carom_sim_state(p->sim);
    for (int i = 0; i <= PERIODS * FRAMES; i++) {
        const double phase = TURN * i / FRAMES;
        for (int j = 0; j < nu; j++) {
            p->move[j] = a * (re[j] * cos(phase) - im[j] * sin(phase));
            p->u[j] = -a * w * (re[j] * sin(phase) + im[j] * cos(phase));
        }
        carom_model_move(p->job->model, p->found->rest.q, p->move, 1, p->q);
        state.t = phase / w;
        state.q = p->q;
        state.u = p->u;
        CAROM_TRY(carom_sim_row(p->sim, &state, p->value, error));
        CAROM_TRY(to.row(to.self, p->value, carom_sim_n_column(p->sim), error));
    }
    return CAROM_OK;
}

static carom_status write_run(modes_page *p, int k, const char *path, carom_error *error)
{
    carom_heading heading;
    carom_output *output = NULL;
    carom_status status = CAROM_NO_MEMORY;
    if (carom_heading_make(&heading, p->job, p->sim))
        status = carom_output_open(path, p->sim, &heading.head, &output, error);
    carom_heading_free(&heading);
    if (status != CAROM_OK) return status;
    status = record(p, k, carom_output_recorder(output), error);
    const carom_status closed =
        carom_output_close(output, NULL, NULL, true, status == CAROM_OK ? error : NULL);
    return status == CAROM_OK ? closed : status;
}

// a file whose name says what it is; it stays open when it is removed
static carom_status make_run(modes_page *p, int k, carom_error *error)
{
    char path[CAROM_PATH_ROOM + 80];
    const carom_eigenmode *mode = &p->found->mode[k];
    snprintf(path, sizeof path, "%s/mode %d, %.5g Hz%s.h5", p->folder, k + 1, mode->im / TURN,
             mode->is_rigid ? ", rigid" : "");
    carom_status status = write_run(p, k, path, error);
    if (status == CAROM_OK) status = carom_results_open(path, &p->run[p->n], error);
    unlink(path);
    if (status == CAROM_OK) p->n++;
    return status;
}

static carom_status make_runs(modes_page *p, carom_error *error)
{
    const carom_sizes size = carom_model_sizes(p->job->model);
    carom_sim_options options = carom_sim_default();
    options.scheme = "moreau_midpoint"; // no step is taken
    options.step = options.end = 1;
    options.allow_penetration = options.allow_unstable = true;
    CAROM_TRY(carom_sim_new(p->job->model, &options, &p->sim, error));
    p->q = calloc((size_t)size.nq + 1, sizeof *p->q);
    p->u = calloc((size_t)size.nu + 1, sizeof *p->u);
    p->move = calloc((size_t)size.nu + 1, sizeof *p->move);
    p->value = calloc((size_t)carom_sim_n_column(p->sim), sizeof *p->value);
    if (!p->q || !p->u || !p->move || !p->value) return CAROM_NO_MEMORY;
    for (int k = 0; k < p->found->n && k < MOST_MODES; k++) CAROM_TRY(make_run(p, k, error));
    return CAROM_OK;
}

// ---- the page ----

static carom_status write_page(modes_page *p, const char *path, carom_error *error)
{
    double x[MOST_MODES], y[MOST_MODES];
    int run[MOST_MODES], group[MOST_MODES];
    for (int k = 0; k < p->n; k++) {
        const carom_eigenmode *mode = &p->found->mode[k];
        x[k] = k + 1;
        y[k] = mode->im / TURN;
        run[k] = k;
        group[k] = mode->re > 0;
    }
    const carom_report_map map = {.title = "modes",
                                  .x_label = "mode",
                                  .y_label = "frequency [Hz]",
                                  .x = x,
                                  .y = y,
                                  .run = run,
                                  .group = group,
                                  .n = p->n};
    carom_report_options options = carom_report_default();
    options.access = &p->job->granted.access;
    options.map = &map;
    return carom_report_write(p->run, p->n, &options, path, NULL, error);
}

bool carom_modes_page(const carom_job *job, const carom_modes *modes, double amplitude,
                      const char *path)
{
    modes_page p = {.job = job, .found = modes, .amplitude = amplitude};
    const char *place = getenv("TMPDIR");
    carom_error error = {0};
    snprintf(p.folder, sizeof p.folder, "%s/carom-modes-XXXXXX", place && *place ? place : "/tmp");
    if (modes->n == 0 || !mkdtemp(p.folder)) {
        carom_message_error(modes->n == 0 ? "%s: there are no modes to show"
                                          : "%s: no folder can be made for a while",
                            path);
        return false;
    }
    carom_status status = make_runs(&p, &error);
    if (status == CAROM_OK) status = write_page(&p, path, &error);
    if (status != CAROM_OK)
        carom_message_error("%s: %s", path, error.message[0] ? error.message : "memory ran out");
    for (int i = 0; i < p.n; i++) carom_results_free(p.run[i]);
    rmdir(p.folder);
    carom_sim_free(p.sim);
    free(p.q);
    free(p.u);
    free(p.move);
    free(p.value);
    return status == CAROM_OK;
}
