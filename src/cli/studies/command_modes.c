// SPDX-License-Identifier: Apache-2.0
// carom modes: frequencies, damping and shapes of small motions about a rest, and their matrices.
#include "job.h"
#include "studies/modes_page.h"
#include "terminal/json.h"
#include "terminal/message.h"
#include "terminal/plain.h"
#include "written.h"

#include <carom/analysis.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TURN = 6.283185307179586476925286766559;
enum { MOST_PARTS = 4 }; // of a shape that are told in a line

typedef struct modes_job {
    carom_job job;
    carom_modes found;
    carom_model *live; // the model with live parameters, of inputs
} modes_job;

// the largest parts of a shape, "x 1, y -0.6"
static void print_shape(const modes_job *m, int k)
{
    const int nu = m->found.nu;
    const double *re = m->found.shape + (size_t)k * 2 * (size_t)nu, *im = re + nu;
    int told[MOST_PARTS], n = 0;
    for (; n < MOST_PARTS && n < nu; n++) {
        int best = -1;
        for (int i = 0; i < nu; i++) {
            bool is_new = true;
            for (int j = 0; j < n; j++) is_new &= told[j] != i;
            if (is_new && (best < 0 || hypot(re[i], im[i]) > hypot(re[best], im[best]) + 1e-9))
                best = i;
        }
        if (best < 0 || hypot(re[best], im[best]) < 1e-3) break;
        told[n] = best;
        const char *name = carom_model_velocity_name(m->job.model, best);
        printf("%s%s %.3g", n ? ", " : "", CAROM_PLAIN(name), re[best]);
        if (fabs(im[best]) > 1e-3) printf("%+.3gi", im[best]);
    }
    putchar('\n');
}

static void print_modes(const modes_job *m)
{
    const carom_modes *f = &m->found;
    printf("model     %s\n", CAROM_PLAIN(carom_model_name(m->job.model)));
    printf("rest      %d velocities, %d free directions%s\n", f->nu, f->n_free,
           f->is_partial ? "; the lowest modes, damping within these" : "");
    for (int c = 0; c < carom_model_sizes(m->job.model).n_contact; c++) {
        const carom_contact_facts *facts = carom_model_contact(m->job.model, c);
        if (f->is_held[facts->row])
            printf("closed    %s%s\n", CAROM_PLAIN(facts->name),
                   facts->n_slip > 0 && f->is_held[facts->row + 1] ? " (sticks)" : "");
    }
    if (f->n == 0) puts("modes     none: everything is held");
    if (f->n == 0) return;
    printf("\n%4s %16s %16s %14s %16s  %s\n", "mode", "frequency [Hz]", "[rad/s]", "damping",
           "growth [1/s]", "shape (rates)");
    for (int k = 0; k < f->n; k++) {
        const carom_eigenmode *mode = &f->mode[k];
        printf("%4d %16.9g %16.9g %14.6g %16.9g  %s", k + 1, mode->im / TURN, mode->frequency,
               mode->damping, mode->re, mode->is_rigid ? "rigid: " : "");
        print_shape(m, k);
    }
}

static bool write_csv(const modes_job *m, const char *path)
{
    carom_written written;
    if (!carom_written_open(&written, path)) return false;
    fputs("mode,frequency_Hz,re,im,damping", written.file);
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < m->found.nu; i++)
            fprintf(written.file, ",\"%s %s\"", half ? "im" : "re",
                    CAROM_PLAIN(carom_model_velocity_name(m->job.model, i)));
    fputc('\n', written.file);
    for (int k = 0; k < m->found.n; k++) {
        const carom_eigenmode *mode = &m->found.mode[k];
        fprintf(written.file, "%d,%.17g,%.17g,%.17g,%.17g", k + 1, mode->im / TURN, mode->re,
                mode->im, mode->damping);
        for (int i = 0; i < 2 * m->found.nu; i++)
            fprintf(written.file, ",%.17g",
                    m->found.shape[(size_t)k * 2 * (size_t)m->found.nu + (size_t)i]);
        fputc('\n', written.file);
    }
    return carom_written_close(&written);
}

static void put_mode(const modes_job *m, int k, carom_json *json)
{
    static const char *const part[] = {"re", "im"};
    const carom_eigenmode *mode = &m->found.mode[k];
    carom_json_begin(json, NULL, '{');
    carom_json_number(json, "frequency_Hz", mode->im / TURN);
    carom_json_number(json, "re", mode->re);
    carom_json_number(json, "im", mode->im);
    carom_json_number(json, "damping", mode->damping);
    carom_json_switch(json, "rigid", mode->is_rigid);
    carom_json_begin(json, "shape", '{');
    for (int half = 0; half < 2; half++) {
        carom_json_begin(json, part[half], '[');
        for (int i = 0; i < m->found.nu; i++)
            carom_json_number(
                json, NULL,
                m->found.shape[(size_t)(2 * k + half) * (size_t)m->found.nu + (size_t)i]);
        carom_json_end(json);
    }
    carom_json_end(json);
    carom_json_end(json);
}

static bool write_json(const modes_job *m, const char *path)
{
    carom_json json;
    if (!path) return true;
    if (!carom_json_open(&json, path)) return false;
    carom_json_begin(&json, NULL, '{');
    carom_json_text(&json, "model", carom_model_name(m->job.model));
    carom_json_text(&json, "version", carom_version());
    carom_json_count(&json, "free", m->found.n_free);
    carom_json_switch(&json, "partial", m->found.is_partial);
    carom_json_begin(&json, "velocities", '[');
    for (int i = 0; i < m->found.nu; i++)
        carom_json_text(&json, NULL, carom_model_velocity_name(m->job.model, i));
    carom_json_end(&json);
    carom_json_begin(&json, "modes", '[');
    for (int k = 0; k < m->found.n; k++) put_mode(m, k, &json);
    carom_json_end(&json);
    carom_json_end(&json);
    return carom_json_close(&json);
}

static carom_status write_matrices(modes_job *m, const char *path, carom_error *error)
{
    const carom_arguments *a = m->job.arguments;
    carom_text *input = calloc((size_t)a->n_given + 1, sizeof *input);
    if (!input) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    int position = 0, n = 0;
    const char *text;
    while ((text = carom_arguments_next(a, "input", &position)))
        input[n++] = carom_job_text(&m->job, "input", text);
    carom_state_space space = {0};
    carom_status status =
        carom_builder_live(carom_modelfile_builder(m->job.file), (carom_text){0}, error);
    if (status == CAROM_OK)
        status = carom_builder_finish(carom_modelfile_builder(m->job.file), &m->live, error);
    if (status == CAROM_OK)
        status = carom_state_space_make(m->live, &m->found, input, n, &space, error);
    if (status == CAROM_OK) status = carom_state_space_write(&space, path, error);
    carom_state_space_free(&space);
    free(input);
    return status;
}

static int fail_with(const modes_job *m, const carom_error *error)
{
    carom_message_error("%s: %s", m->job.path, error->message);
    return error->status == CAROM_BAD_INPUT ? CAROM_EXIT_USAGE : CAROM_EXIT_AUDIT;
}

static bool paths_are_good(const modes_job *m)
{
    static const char *const option[] = {"output", "json", "matrices"};
    for (int i = 0; i < 3; i++) {
        const char *path = carom_arguments_value(m->job.arguments, option[i]);
        if (!path || strcmp(path, "-") == 0) continue;
        if (carom_paths_are_same(path, m->job.path)) {
            carom_message_error("carom modes: '%s' is the model", path);
            return false;
        }
        if (!carom_paths_is_writable(path)) return false;
    }
    return true;
}

static int find(modes_job *m)
{
    carom_error error = {0};
    const carom_arguments *a = m->job.arguments;
    const char *output = carom_arguments_value(a, "output"),
               *json = carom_arguments_value(a, "json"),
               *matrices = carom_arguments_value(a, "matrices");
    double most = 0, amplitude = 0;
    if (carom_job_number(&m->job, "modes", (carom_bound){1, false}, &most, &error) != CAROM_OK ||
        carom_job_number(&m->job, "amplitude", (carom_bound){0, true}, &amplitude, &error) !=
            CAROM_OK) {
        carom_message_error("%s", error.message);
        return CAROM_EXIT_USAGE;
    }
    if (carom_arguments_value(a, "input") && !matrices) {
        carom_message_error("carom modes: --input names inputs of --matrices FILE");
        return CAROM_EXIT_USAGE;
    }
    if (!paths_are_good(m)) return CAROM_EXIT_USAGE;
    const int n = most < 1e6 ? (int)most : 1000000;
    if (carom_modes_find(m->job.model, n, &m->found, &error) != CAROM_OK)
        return fail_with(m, &error);
    if (matrices && write_matrices(m, matrices, &error) != CAROM_OK) return fail_with(m, &error);
    if (!carom_arguments_value(a, "quiet") && !(json && strcmp(json, "-") == 0)) print_modes(m);
    const size_t length = output ? strlen(output) : 0;
    const bool is_page = length > 5 && strcmp(output + length - 5, ".html") == 0;
    const bool is_written = !output   ? true
                            : is_page ? carom_modes_page(&m->job, &m->found, amplitude, output)
                                      : write_csv(m, output);
    return write_json(m, json) && is_written ? CAROM_EXIT_DONE : CAROM_EXIT_AUDIT;
}

static int modes(const carom_arguments *arguments)
{
    modes_job m = {0};
    int code = carom_job_open(&m.job, arguments);
    if (code == 0) code = find(&m);
    carom_modes_free(&m.found);
    carom_model_free(m.live);
    carom_job_close(&m.job);
    return code;
}

static const carom_argument rows[] = {
    {"modes", 0, "N", false, "the lowest N; all unless given, or 12 above 600 velocities"},
    {"output", 'o', "FILE", false, "FILE.csv: frequencies, damping, shapes; a page: FILE.html"},
    {"amplitude", 0, "X", false, "in pages: of the largest part of a shape [m or rad]"},
    {"json", 0, "FILE|-", false, "the same as JSON"},
    {"matrices", 0, "FILE", false, "write A, B, C, D: FILE.npz, or FILE-A.csv ... of FILE.csv"},
    {"input", 0, "NAME", true, "of the matrices: a coordinate (a force on it) or a parameter"},
    CAROM_JOB_MODEL_ROWS,
    {"quiet", 'q', NULL, false, "print nothing"},
    {0},
};

const carom_command carom_command_modes = {
    .name = "modes",
    .usage = "MODEL.yaml [-o MODES.csv|.html] [--matrices FILE.npz] [options]",
    .brief = "frequencies, damping and shapes of small motions about a rest",
    .about =
        "Finds a rest of the model at t = 0 (as 'carom equilibrium' does) and the small motions about it,\n"
        "with constraints, closed contacts and what sticks held. A mode with a growth above 0 is unstable.\n"
        "Above 600 velocities the lowest modes are found (--modes N), and damping within these.\n"
        "--matrices writes z' = A z + B w, y = C z + D w: w are forces on coordinates, or parameters; y are\n"
        "positions, rates and records.\n"
        "\n"
        "exit code: 0 found, 1 there is no rest or none was found, 2 wrong usage or model.",
    .argument = rows,
    .run = modes,
};
