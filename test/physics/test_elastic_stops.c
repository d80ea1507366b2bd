// SPDX-License-Identifier: Apache-2.0
// Nodes without mass that meet stops: a bar against numbers of an independent program and the
// continuum in several schemes, a clamped beam against statics and its known first contact, and a
// part of matrices that keeps its mass and its rigid motions.
#include "physics/last_row.h"

#include "carom/analysis.h"
#include "carom/elastic.h"
#include "samples.h"

// force of a stop over time
typedef struct press {
    int t, force;
    double on, off, impulse, last, most, sum, square, from, to;
    long n;
} press;

static carom_status feel(void *self, const double *value, int n, carom_error *error)
{
    press *p = self;
    const double t = value[0], f = value[p->force];
    (void)n, (void)error;
    p->impulse += f * (t - p->last);
    p->last = t;
    p->most = fmax(p->most, f);
    if (f > 0 && p->on == 0) p->on = t;
    if (f > 0) p->off = t;
    if (t < p->from || t > p->to) return CAROM_OK;
    p->n++;
    p->sum += f;
    p->square += f * f;
    return CAROM_OK;
}

static carom_audit press_on(const char *text, how it, press *p)
{
    carom_error error = {0};
    carom_audit audit;
    carom_sim *sim;
    carom_model *model = model_from_text(text);
    carom_sim_options options = carom_sim_default();
    options.scheme = it.scheme;
    options.end = it.end;
    options.step = it.step;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    for (int i = 0; i < carom_sim_n_column(sim); i++)
        if (strcmp(carom_sim_column(sim, i)->name, "force") == 0) p->force = i;
    must(carom_sim_add_recorder(sim, (carom_recorder){.self = p, .row = feel}, &error), &error);
    run_to_end(sim);
    must(carom_sim_audit(sim, &audit, NULL, &error), &error);
    carom_sim_free(sim);
    carom_model_free(model);
    return audit;
}

#define BAR                                                                                         \
    "carom: 1\nparameters: {N: %d}\nelastic: {bar: {kind: bar, from: [0, 0], to: [1, 0], "          \
    "elements: N, section: {area: pi*1e-4}, elasticity: {E: 2.1e11, density: 7800}, "               \
    "lumping: lumped, velocity: [-0.1, 0], stops: {wall: {node: 0, normal: [1, 0], gap: 5e-5}}}}\n" \
    "record: {force: bar.wall.force}\n"

// the continuum presses with 1271.472 N for 3.854e-4 s and takes no energy
static void a_bar_presses_as_the_continuum_does(void **state)
{
    static const struct {
        int elements;
        how it;
        double duration, impulse, mean, scatter, loss;
    } row[] = {
        {50, {"tdg_velocity", 1.1e-3, 1e-7, 0}, 3.899e-4, 0.48613194, 1271.4274942, 0.857, 1e-7},
        {50, {"moreau_jean", 1.1e-3, 1e-7, 0}, 3.899e-4, 0.48613194, 1271.4274942, 0.857, 1e-7},
        {50, {"moreau_midpoint", 1.1e-3, 1e-7, 0}, 3.899e-4, 0.48613194, 1271.427494, 0.857, 1e-7},
        {50, {"nonsmooth_gen_alpha", 1.1e-3, 1e-7, 0}, 3.899e-4, 0.486132, 1271.427, 0.857, 1e-7},
        {1000, {"tdg_velocity", 1.1e-3, 1e-7, 0}, 3.859e-4, 0.4894963, 1271.472054, 0.0027, 1e-6}};
    (void)state;
    for (int i = 0; i < SAMPLES(5); i++) {
        char text[800];
        snprintf(text, sizeof text, BAR, row[i].elements);
        press p = {.from = 5e-4 + 0.1 * row[i].duration, .to = 5e-4 + 0.5 * row[i].duration};
        const carom_audit audit = press_on(text, row[i].it, &p);
        const double mean = p.sum / (double)p.n,
                     scatter = sqrt(fmax(0, p.square / (double)p.n - mean * mean));
        near("start", p.on, 5e-4, 2e-7);
        near("duration", p.off - p.on, row[i].duration, 4e-7);
        near("impulse", p.impulse, row[i].impulse, 5e-5);
        near("force", mean, row[i].mean, 0.02);
        near("scatter", scatter, row[i].scatter, 0.03 * row[i].scatter + 1e-3);
        near("force of the continuum", mean, 1271.4720606, 0.1);
        near("loss", audit.energy_start - audit.energy_end, 0, row[i].loss);
    }
}

// pressed by delta at its tip a clamped beam pushes back with 3 EI delta/L^3, anywhere between with
// that of the table; the tip is where the stop is
static void a_pressed_beam_pushes_as_statics_says(void **state)
{
    static const char text[] =
        "carom: 1\nparameters: {k: 8, delta: 1e-3}\n"
        "elastic: {b: {kind: beam, motions: [bending], from: [0, 0], to: [0.5, 0], elements: 8, "
        "ends: [fixed, free], section: {box: [0.01, 0.01]}, elasticity: {E: 2.1e11, density: 7800},"
        " damping: {stiffness: 1e-4, mass: 400}, stops: {s: {node: k, normal: [0, 1], gap: -delta}}"
        "}}\nrecord: {force: b.s.force, tip: 'b.v[8]', gap: b.s.gap}\n";
    (void)state;
    last_row last;
    run_text(&last, text, (how){"moreau_jean", 0.5, 1e-4, 0});
    near("force", column(&last, "force"), 3 * 175 * 1e-3 / 0.125, 1e-9);
    near("tip", column(&last, "tip"), 1e-3, 1e-15);
    near("gap", column(&last, "gap"), 0, 1e-15);
    free_row(&last);
}

// the beam of models/cantilever-stop-linear: it meets the stop at 2.583073 ms (continuum), twice
static void a_beam_meets_its_stop_when_the_continuum_does(void **state)
{
    static const char text[] =
        "carom: 1\nelastic: {b: {kind: beam, motions: [bending], from: [0, 0], to: [0.5, 0], "
        "elements: %d, ends: [fixed, free], section: {box: [0.01, 0.01]}, elasticity: {E: 2.1e11, "
        "density: 7800}, damping: {stiffness: 2e-6}, velocity: [0, -1], stops: {s: {node: %d, "
        "normal: [0, 1], gap: 0.004}}}}\nrecord: {force: b.s.force}\n";
    double impulse[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        char written[900];
        const int n = i ? 40 : 10;
        snprintf(written, sizeof written, text, n, n);
        press p = {0};
        (void)press_on(written, (how){"moreau_jean", 0.004, 1e-6, 0}, &p);
        near("first contact", p.on, 2.583073e-3, 2.1e-6);
        impulse[i] = p.impulse;
    }
    near("impulse of the first contact", impulse[1], 0.12965, 1.5e-3);
    near("another mesh", impulse[0], impulse[1], 3e-3);
}

static carom_elastic_facts arch(const char *stops)
{
    char text[600];
    carom_error error = {0};
    carom_elastic_facts facts;
    snprintf(text, sizeof text,
             "carom: 1\nelastic: {a: {files: {mass: arch-mass.mtx, stiffness: arch-stiffness.mtx, "
             "nodes: arch-nodes.csv}%s}}\n",
             stops);
    carom_modelfile *file = NULL;
    must(carom_modelfile_read_text(text, strlen(text), CAROM_SOURCE_DIR "/models/arch-text.yaml",
                                   &file, &error),
         &error);
    carom_model *model = finish_file(file);
    must(carom_model_elastic(model, 0, &facts, &error), &error);
    carom_model_free(model);
    return facts;
}

static void a_part_keeps_its_mass_and_rigid_motions(void **state)
{
    (void)state;
    const carom_elastic_facts with = arch(", stops: {r: {node: 2, normal: [1, 2], gap: 0.01}, "
                                          "l: {node: 74, normal: [0, 1], gap: 0.01}}"),
                              without = arch("");
    assert_int_equal(with.n, without.n - 4);
    assert_int_equal(with.n_rigid, 3);
    for (int k = 0; k < 2; k++) near("mass", with.mass[k], without.mass[k], 1e-12);
    for (int k = 0; k < 3; k++)
        near("frequency", with.frequency[k] / without.frequency[k], 1, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_presses_as_the_continuum_does),
        cmocka_unit_test(a_pressed_beam_pushes_as_statics_says),
        cmocka_unit_test(a_beam_meets_its_stop_when_the_continuum_does),
        cmocka_unit_test(a_part_keeps_its_mass_and_rigid_motions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
