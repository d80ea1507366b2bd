// SPDX-License-Identifier: Apache-2.0
// One of everything that the public functions take, for test_misuse.c: made anew for each call, and
// only where the call needs it (walk_values.h says which).
#ifndef CAROM_TEST_WALK_RIG_H
#define CAROM_TEST_WALK_RIG_H

#include "sim/sim_rig.h"

#include <limits.h>
#include <sys/stat.h>

typedef struct walk_rig {
    const char *what;
    carom_error error;
    carom_builder *builder;
    carom_model *model;
    carom_plan *plan;
    carom_eval *eval;
    carom_sim *sim;
    carom_linear *linear;
    carom_contact_solver *solver;
    carom_contact_saver *saver;
    carom_contact_file *contact_file;
    carom_modelfile *modelfile;
    carom_paper *paper;
    carom_results *results;
    carom_output *output;
    carom_probe *probe;
    carom_scan *scan;
    carom_study_file *study_file;
    carom_comparison comparison;
    carom_equilibrium equilibrium;
    carom_modes modes;
    carom_state_space space;
    carom_fit fit;
    carom_redundancy redundancy;
    carom_restitution restitution[8];
    carom_study study;
    carom_study_run study_run;
    carom_audit audit;
    carom_counts counts;
    carom_contact_info info;
    carom_problem_facts facts;
    carom_save_choice choice;
    carom_report_notes notes;
    carom_file_kind kind;
    carom_file_storage storage;
    carom_lock *lock;
    carom_limits limits;
    char *c_text;
    const char *why;
    const carom_logged_event *event;
    long n_long;
    int n_int;
    double number[64];
} walk_rig;

// ---- one folder for the files of all calls ----

static char walk_folder[256];

static inline const char *walk_path(const char *name)
{
    static char path[16][512];
    static int next;
    char *to = path[next++ % 16];
    snprintf(to, sizeof path[0], "%s/%s", walk_folder, name);
    return to;
}

static inline void walk_write(const char *name, const char *text)
{
    FILE *file = fopen(walk_path(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

static const char *const walk_ball =
    "carom: 1\nname: ball\ncoordinates: {x: {start: 1}}\nkinetic: der(x)^2/2\n"
    "potential: 9.81*x\ncontacts: [{name: floor, gap: x, restitution: 0.5}]\n"
    "run: {step: 0.01, end: 0.1}\n";
static const char *const walk_problem_text = "2\n0\n2\n2\n2 2\n2 1\n1 2\n-1 -1\n";
static const char *const walk_paper_text =
    "carom: 1\npaper: \"000\"\ntitle: a ball\nruns: {fall: {model: ball, scheme: moreau_midpoint, "
    "step: 1e-2, end: 0.1}}\n"
    "claims:\n  - id: rests\n    claim: it falls\n    published: 10\n    verdict: reproduced\n    "
    "measures: [{name: n, take: steps, run: fall, published: 10, within: 0}]\n";

// ---- one of everything ----

static inline carom_model *walk_model(walk_rig *r)
{
    if (!r->model) r->model = rig_block();
    return r->model;
}

enum {
    WALK_ALL = CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS | CAROM_CURVATURE |
               CAROM_D_FORCES | CAROM_ENERGY
};
static const unsigned walk_masks[] = {WALK_ALL, CAROM_GAPS};
static const double walk_P[8];

static inline carom_plan *walk_plan(walk_rig *r)
{
    if (!r->plan)
        rig_ok(carom_plan_new(walk_model(r), walk_masks, 2, &r->plan, &r->error), &r->error);
    return r->plan;
}

static inline carom_point *walk_point(walk_rig *r)
{
    static carom_point at;
    at = (carom_point){.q = carom_model_start_q(walk_model(r)),
                       .u = carom_model_start_u(walk_model(r)),
                       .P = walk_P};
    return &at;
}

static inline carom_eval *walk_eval(walk_rig *r)
{
    if (!r->eval) {
        r->eval = carom_plan_eval(walk_plan(r));
        rig_ok(carom_model_eval(r->plan, walk_point(r), WALK_ALL, r->eval, &r->error), &r->error);
    }
    return r->eval;
}

static inline carom_builder *walk_builder(walk_rig *r)
{
    const carom_text x = rig_text("x"), T = rig_text("der(x)^2/2"), one = rig_text("1");
    if (!r->builder) {
        r->builder = carom_builder_new();
        rig_ok(carom_builder_parameter(r->builder, rig_text("name"), one, &r->error), &r->error);
        rig_ok(carom_builder_coordinate(r->builder, x, NULL, one, one, &r->error), &r->error);
        rig_ok(carom_builder_energy(r->builder, CAROM_KINETIC, NULL, T, &r->error), &r->error);
    }
    return r->builder;
}

// a model whose parameter "name" is live
static inline carom_model *walk_live_model(walk_rig *r)
{
    if (!r->model) {
        rig_ok(carom_builder_live(walk_builder(r), rig_text("name"), &r->error), &r->error);
        rig_ok(carom_builder_finish(r->builder, &r->model, &r->error), &r->error);
    }
    return r->model;
}

static inline carom_plan *walk_live_plan(walk_rig *r)
{
    walk_live_model(r);
    return walk_plan(r);
}

// a scheme of the caller's own shows the step it works with
static carom_step *walk_seen;
static inline carom_status walk_prepare(carom_step *s)
{
    walk_seen = s;
    return CAROM_OK;
}
static inline carom_status walk_step(carom_step *s, const carom_state *now, carom_state *next)
{
    carom_model_move(s->model, now->q, now->u, s->h, next->q);
    next->t = now->t + s->h;
    s->report.is_converged = true;
    return CAROM_OK;
}
static const unsigned walk_scheme_masks[] = {WALK_ALL, 0};
static const carom_scheme walk_scheme = {.name = "walk",
                                         .about = "",
                                         .mask = walk_scheme_masks,
                                         .n_eval = 1,
                                         .prepare = walk_prepare,
                                         .step = walk_step,
                                         .has_friction = true,
                                         .has_contact = true,
                                         .level = "velocity"};

static inline carom_sim_options *walk_options(void)
{
    static carom_sim_options options;
    options = carom_sim_default();
    options.own_scheme = &walk_scheme;
    options.step = 1e-3;
    options.end = 5e-3;
    return &options;
}

static inline carom_sim *walk_sim(walk_rig *r)
{
    if (!r->sim)
        rig_ok(carom_sim_new(walk_model(r), walk_options(), &r->sim, &r->error), &r->error);
    return r->sim;
}

// with a body and a joint
static inline carom_model *walk_pendulum(walk_rig *r)
{
    static const char text[] = "carom: 1\nspace: plane\ngravity: [0, -9.81]\n"
                               "bodies: {bob: {mass: 1, inertia: 0.1, at: [1, 0]}}\n"
                               "joints: {pin: {revolute: [ground, bob], at: [0, 0]}}\n";
    carom_modelfile *file = NULL;
    if (r->model) return r->model;
    rig_ok(carom_modelfile_read_text(text, strlen(text), "rig.yaml", &file, &r->error), &r->error);
    rig_ok(carom_builder_finish(carom_modelfile_builder(file), &r->model, &r->error), &r->error);
    carom_modelfile_free(file);
    return r->model;
}

static inline carom_sim *walk_pendulum_sim(walk_rig *r)
{
    carom_sim_options options = *walk_options();
    options.own_scheme = NULL;
    options.scheme = "moreau_midpoint";
    if (!r->sim) rig_ok(carom_sim_new(walk_pendulum(r), &options, &r->sim, &r->error), &r->error);
    return r->sim;
}

static inline carom_sim *walk_live_sim(walk_rig *r)
{
    walk_live_model(r);
    return walk_sim(r);
}

// whose motion is followed
static inline carom_sim *walk_varied_sim(walk_rig *r)
{
    static const char text[] = "carom: 1\ncoordinates: {x: {start: 1}}\nkinetic: der(x)^2\n";
    carom_sim_options options = *walk_options();
    carom_modelfile *file = NULL;
    options.own_scheme = NULL;
    options.scheme = "event_driven";
    options.is_varied = true;
    if (r->sim) return r->sim;
    rig_ok(carom_modelfile_read_text(text, strlen(text), "rig.yaml", &file, &r->error), &r->error);
    rig_ok(carom_builder_differentiate(carom_modelfile_builder(file), &r->error), &r->error);
    rig_ok(carom_builder_finish(carom_modelfile_builder(file), &r->model, &r->error), &r->error);
    carom_modelfile_free(file);
    rig_ok(carom_sim_new(r->model, &options, &r->sim, &r->error), &r->error);
    const carom_change change = {r->number, r->number, -1};
    rig_ok(carom_sim_vary(r->sim, &change, 1, &r->error), &r->error);
    return r->sim;
}

static inline carom_step *walk_step_of(walk_rig *r)
{
    walk_sim(r);
    const carom_point at = {
        .q = carom_model_start_q(r->model), .u = carom_model_start_u(r->model), .P = walk_P};
    rig_ok(carom_model_eval(walk_seen->plan, &at, WALK_ALL, walk_seen->ev[0], &r->error),
           &r->error);
    walk_seen->error = &r->error;
    return walk_seen;
}

static inline carom_contact_terms *walk_terms(walk_rig *r)
{
    static const unsigned char active[4] = {1, 1, 1, 1};
    static carom_contact_terms terms;
    terms = (carom_contact_terms){.rate = walk_step_of(r)->ev[0],
                                  .u_minus = carom_model_start_u(r->model),
                                  .is_active = active};
    return &terms;
}

static inline carom_linear *walk_linear(walk_rig *r)
{
    if (!r->linear) rig_ok(carom_linear_new(4, 64, &r->linear, &r->error), &r->error);
    for (int i = 0; i < 4; i++) carom_linear_add_entry(r->linear, i, i, 2);
    return r->linear;
}

static inline carom_sparse *walk_sparse(void)
{
    static const int start[] = {0, 1, 2}, index[] = {0, 1};
    static double value[] = {1, 2};
    static carom_sparse block = {2, 2, start, index, value};
    return &block;
}

static inline carom_problem *walk_problem(void)
{
    static carom_block block[] = {{.dim = 2, .mu = 0.5}};
    static double G[] = {2, 0, 0, 1}, b[] = {-1, 0};
    static carom_problem problem = {
        .n_row = 2, .n_block = 1, .block = block, .G = {.n = 2, .dense = G}, .b = b};
    return &problem;
}

static inline carom_contact_solver *walk_solver(walk_rig *r)
{
    if (!r->solver)
        rig_ok(carom_contact_solver_new("auto", NULL, 0, 4, &r->solver, &r->error), &r->error);
    return r->solver;
}

static inline carom_save_choice *walk_choice(walk_rig *r)
{
    r->choice = (carom_save_choice){.every = 1};
    snprintf(r->choice.folder, sizeof r->choice.folder, "%s", walk_path("saved"));
    return &r->choice;
}

static inline carom_contact_saver *walk_saver(walk_rig *r)
{
    if (!r->saver) rig_ok(carom_contact_saver_new(walk_choice(r), &r->saver, &r->error), &r->error);
    return r->saver;
}

static inline carom_contact_file *walk_contact_file(walk_rig *r)
{
    if (!r->contact_file)
        rig_ok(carom_contact_file_parse("lcp.dat", walk_problem_text, strlen(walk_problem_text),
                                        CAROM_FILE_LCP, &r->contact_file, &r->error),
               &r->error);
    return r->contact_file;
}

static inline carom_modelfile *walk_modelfile(walk_rig *r)
{
    if (!r->modelfile)
        rig_ok(carom_modelfile_read_text(walk_ball, strlen(walk_ball), "ball.yaml", &r->modelfile,
                                         &r->error),
               &r->error);
    return r->modelfile;
}

static inline carom_paper **walk_papers(walk_rig *r)
{
    if (!r->paper)
        rig_ok(carom_paper_read(walk_path("papers/paper.yaml"), &r->paper, &r->error), &r->error);
    return &r->paper;
}

static inline carom_output *walk_output(walk_rig *r)
{
    static const carom_output_head head = {.model = "walk"};
    if (!r->output)
        rig_ok(
            carom_output_open(walk_path("output.csv"), walk_sim(r), &head, &r->output, &r->error),
            &r->error);
    return r->output;
}

static inline carom_output *walk_take_output(walk_rig *r)
{
    carom_output *output = walk_output(r);
    r->output = NULL;
    return output;
}

static inline carom_results *walk_results(walk_rig *r)
{
    if (!r->results)
        rig_ok(carom_results_open(walk_path("rows.h5"), &r->results, &r->error), &r->error);
    return r->results;
}

static inline const carom_measure *walk_measure(void)
{
    static carom_measure measure;
    measure = carom_measure_default();
    measure.take = "steps";
    return &measure;
}

static inline carom_probe *walk_probe(walk_rig *r)
{
    if (!r->probe)
        rig_ok(carom_probe_new(walk_sim(r), walk_measure(), 1, &r->probe, NULL, &r->error),
               &r->error);
    return r->probe;
}

static inline carom_study *walk_study(walk_rig *r)
{
    r->study_run.options = *walk_options();
    r->study_run.options.own_scheme = NULL;
    r->study_run.options.scheme = "moreau_midpoint";
    r->study = (carom_study){.run = &r->study_run, .n_run = 1};
    r->study.reference.options = r->study_run.options;
    r->study.reference.options.step = 5e-4;
    return &r->study;
}

static inline const carom_figure *walk_figure(void)
{
    static const double x[] = {0, 1}, y[] = {1, 2};
    static const carom_series series = {.name = "s", .x = x, .y = y, .n = 2};
    static const carom_plot panel = {.series = &series, .n_series = 1};
    static const carom_figure figure = {.panel = &panel, .n_panel = 1};
    return &figure;
}

static inline bool walk_take_text(void *self, const char *text, size_t length)
{
    return (void)self, (void)text, (void)length, true;
}

static inline carom_status walk_take_rows(void *self, const double *value, long n,
                                          carom_error *error)
{
    return (void)self, (void)value, (void)n, (void)error, CAROM_OK;
}

static inline carom_status walk_take_lines(void *self, const carom_contact_line *line, long n,
                                           carom_error *error)
{
    return (void)self, (void)line, (void)n, (void)error, CAROM_OK;
}

static inline int walk_mass(void *user, double t, const double *q, double *M)
{
    return (void)user, (void)t, (void)q, M[0] = 1, 0;
}

static inline int walk_forces(void *user, double t, const double *q, const double *u, double *f)
{
    return (void)user, (void)t, (void)q, (void)u, f[0] = -1, 0;
}

static inline const carom_callbacks *walk_callbacks(void)
{
    static const double start[1] = {1};
    static const carom_callbacks given = {
        .n = 1, .q0 = start, .u0 = start, .mass = walk_mass, .forces = walk_forces};
    return &given;
}

static inline const carom_contact_text *walk_contact_text(void)
{
    static carom_contact_text contact;
    contact = (carom_contact_text){.name = rig_text("c"), .gap = rig_text("x")};
    return &contact;
}

static inline const carom_contact_text *walk_patch(void)
{
    walk_contact_text();
    static carom_contact_text patch;
    patch = *walk_contact_text();
    patch.where = rig_text("x > 0");
    return &patch;
}

static inline const carom_vector_text *walk_vector(void)
{
    static carom_vector_text vector;
    vector = (carom_vector_text){2, {rig_text("0"), rig_text("-9.81")}};
    return &vector;
}

static inline const carom_body_text *walk_body(void)
{
    static carom_body_text body;
    body = (carom_body_text){.name = rig_text("walker"),
                             .mass = rig_text("1"),
                             .n_inertia = 1,
                             .inertia = {rig_text("1")}};
    return &body;
}

static inline const carom_fitting_text *walk_fitting(void)
{
    static carom_fitting_text fitting;
    fitting = (carom_fitting_text){.name = rig_text("pin"),
                                   .kind = rig_text("revolute"),
                                   .n_to = 2,
                                   .to = {rig_text("ground"), rig_text("walker")}};
    return &fitting;
}

static inline const carom_elastic_text *walk_elastic(void)
{
    static const carom_text kind = {.text = "bar"};
    static const carom_word_text word = {.key = {.text = "kind"}, .n = 1, .value = &kind};
    static const carom_elastic_text elastic = {.name = {.text = "bar"}, .n_word = 1, .word = &word};
    return &elastic;
}

static const char walk_bar[] =
    "carom: 1\nelastic: {bar: {kind: bar, from: [0, 0], to: [1, 0], elements: 3, section: {radius: "
    "0.1}, elasticity: {E: 1, density: 1}}}\n";

static inline carom_model *walk_elastic_model(walk_rig *r)
{
    carom_modelfile *file = NULL;
    if (r->model) return r->model;
    rig_ok(carom_modelfile_read_text(walk_bar, strlen(walk_bar), "bar.yaml", &file, &r->error),
           &r->error);
    rig_ok(carom_builder_finish(carom_modelfile_builder(file), &r->model, &r->error), &r->error);
    carom_modelfile_free(file);
    return r->model;
}

static inline const carom_friction_text *walk_friction(void)
{
    static carom_friction_text friction;
    friction = (carom_friction_text){.name = rig_text("f"),
                                     .n_slip = 1,
                                     .slip_is_rate = true,
                                     .slip = {rig_text("der(x)")},
                                     .limit = rig_text("1")};
    return &friction;
}

static inline const carom_force_text *walk_force(void)
{
    static carom_force_text force;
    force = (carom_force_text){.coordinate = rig_text("x"), .n = 1, .force = {rig_text("1")}};
    return &force;
}

static inline const carom_drawing_text *walk_drawing(void)
{
    static carom_text xy[4];
    static carom_drawing_text drawing;
    for (int i = 0; i < 4; i++) xy[i] = rig_text("1");
    drawing = (carom_drawing_text){.kind = rig_text("line"), .n_point = 2, .xy = xy};
    return &drawing;
}

static inline const carom_table_points *walk_points(void)
{
    static const double x[] = {0, 1, 2};
    static const carom_table_points points = {.n = 3, .x = x, .y = x};
    return &points;
}

// ---- opening, closing, and what a call should have come to ----

static const char *walk_now; // for whoever asks where it crashed
static inline void walk_open(walk_rig *r, const char *what)
{
    walk_now = what;
    memset(r, 0, sizeof *r);
    r->what = what;
}

static inline void walk_close(walk_rig *r)
{
    carom_probe_free(r->probe);
    carom_scan_free(r->scan);
    carom_study_file_free(r->study_file);
    if (r->output) carom_output_close(r->output, NULL, NULL, true, NULL);
    // the model goes first: who uses it keeps it
    carom_model_free(r->model);
    carom_sim_free(r->sim);
    carom_plan_free(r->plan);
    carom_builder_free(r->builder);
    carom_linear_free(r->linear);
    carom_contact_solver_free(r->solver);
    carom_contact_saver_free(r->saver);
    carom_contact_file_free(r->contact_file);
    carom_modelfile_free(r->modelfile);
    carom_paper_free(r->paper);
    carom_results_free(r->results);
    carom_comparison_free(&r->comparison);
    carom_equilibrium_free(&r->equilibrium);
    carom_modes_free(&r->modes);
    carom_state_space_free(&r->space);
    carom_fit_free(&r->fit);
    carom_redundancy_free(&r->redundancy);
    carom_lock_free(r->lock);
    free(r->c_text);
}

#include "api/walk_verdicts.h"

#endif
