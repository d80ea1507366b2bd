// SPDX-License-Identifier: Apache-2.0
// Elastic bodies whose matrices come from files: what they say, the same in CalculiX's form and in
// another order, and reduced to few unknowns.
#include "physics/last_row.h"

#include "carom/analysis.h"

#include <stdlib.h>
#include <unistd.h>

enum { UNKNOWNS = 150, LINE = 200 };
#define MODELS CAROM_SOURCE_DIR "/models/"

static char folder[64];

static void in_folder(const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", folder, name);
}

// lines "row column value" alone, rows and columns in the opposite order
static void write_reversed(const char *from, const char *to)
{
    char path[128], line[LINE];
    int row, column, n_line = 0;
    double value;
    in_folder(to, path);
    FILE *in = fopen(from, "r"), *out = fopen(path, "w");
    assert_non_null(in);
    assert_non_null(out);
    while (fgets(line, sizeof line, in))
        if (line[0] != '%' && n_line++ > 0) { // behind the sizes
            assert_int_equal(sscanf(line, "%d %d %lf", &row, &column, &value), 3);
            fprintf(out, "%d %d %.17g\n", UNKNOWNS + 1 - row, UNKNOWNS + 1 - column, value);
        }
    fclose(in);
    fclose(out);
}

static void write_text(const char *name, const char *text)
{
    char path[128];
    in_folder(name, path);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static carom_model *model_of(const char *path)
{
    carom_error error = {0};
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    const char *const also[] = {CAROM_SOURCE_DIR};
    const carom_access access = {.folder = also, .n_folder = 1};
    must(carom_modelfile_read_with(path, &access, &file, &error), &error);
    must(carom_builder_finish(carom_modelfile_builder(file), &model, &error), &error);
    carom_modelfile_free(file);
    return model;
}

static carom_model *model_in_folder(const char *text)
{
    char path[128];
    write_text("model.yaml", text);
    in_folder("model.yaml", path);
    return model_of(path);
}

static carom_elastic_facts facts_of(const carom_model *model)
{
    carom_error error = {0};
    carom_elastic_facts facts;
    must(carom_model_elastic(model, 0, &facts, &error), &error);
    return facts;
}

// from the same files, by Cholesky, Householder and bisection (another program)
static const double known[5] = {1489.9412273182897, 4231.184604356918, 8635.692052453012,
                                14332.054985943689, 18216.818931205216};

static void the_arch_is_what_its_files_say(void **state)
{
    (void)state;
    carom_model *model = model_of(MODELS "arch.yaml");
    const carom_elastic_facts facts = facts_of(model);
    assert_int_equal(facts.n, UNKNOWNS);
    assert_int_equal(facts.n_node, 75);
    assert_int_equal(facts.n_rigid, 3);
    // a half ring of 24 straight pieces
    near("mass", facts.mass[1], 1200 * 0.01 * 0.02 * 0.1 * 24 * sin(acos(-1) / 24), 1e-6);
    for (int k = 0; k < 5; k++) near("frequency", facts.frequency[k], known[k], 1e-9 * known[k]);
    carom_model_free(model);
}

#define GRAVITY "gravity: [0, -9.81]\n"
#define DAMPED "damping: {stiffness: 2e-5}"
#define FLOOR                                                                                      \
    "contacts:\n"                                                                                  \
    "  - {name: 'f[i]', for: {i: 1..3}, gap: '0.001 + arch.y[i]', slip: 'arch.x[i]', friction: "   \
    "0.4}\n"                                                                                       \
    "  - {name: 'g[i]', for: {i: 73..75}, gap: '0.001 + arch.y[i]', slip: 'arch.x[i]', friction: " \
    "0.4}\n"
#define POINTS "points: {crown: {nodes: [37, 38, 39]}, foot: {nodes: [1, 2, 3]}}"
#define RECORD "record: {crown: arch.crown.y, turn: arch.foot.a, side: arch.foot.u}\n"

static void calculix_says_the_same_in_another_order(void **state)
{
    (void)state;
    char dof[UNKNOWNS * 8] = "";
    for (int i = UNKNOWNS - 1, at = 0; i >= 0; i--)
        at += snprintf(dof + at, sizeof dof - (size_t)at, "%d.%d\n", i / 2 + 1, i % 2 + 1);
    write_text("part.dof", dof);
    write_reversed(MODELS "arch-mass.mtx", "part.mas");
    write_reversed(MODELS "arch-stiffness.mtx", "part.sti");
    static const char *const text[] = {
        "carom: 1\n" GRAVITY "elastic: {arch: {files: {mass: " MODELS
        "arch-mass.mtx, stiffness: " MODELS "arch-stiffness.mtx, nodes: " MODELS
        "arch-nodes.csv}, " DAMPED ", " POINTS "}}\n" FLOOR RECORD,
        "carom: 1\n" GRAVITY
        "elastic: {arch: {files: {mass: part.mas, stiffness: part.sti, nodes: " MODELS
        "arch-nodes.csv, order: part.dof}, " DAMPED ", " POINTS "}}\n" FLOOR RECORD};
    last_row last[2];
    for (int k = 0; k < 2; k++) {
        carom_model *model = model_in_folder(text[k]);
        run_model(&last[k], model, (how){"moreau_jean", 0.03, 1e-5, 0});
        carom_model_free(model);
    }
    static const char *const name[] = {"crown", "turn", "side"};
    for (int k = 0; k < 3; k++)
        near(name[k], column(&last[1], name[k]), column(&last[0], name[k]), 1e-9);
    assert_true(fabs(column(&last[0], "turn")) > 1e-6);
    for (int k = 0; k < 2; k++) free_row(&last[k]);
}

static void a_reduced_part_moves_nearly_alike(void **state)
{
    (void)state;
#define FILES                                                                                      \
    "files: {mass: " MODELS "arch-mass.mtx, stiffness: " MODELS                                    \
    "arch-stiffness.mtx, nodes: " MODELS "arch-nodes.csv}"
    static const char *const text[] = {
        "carom: 1\n" GRAVITY "elastic: {arch: {" FILES ", " DAMPED ", " POINTS "}}\n" FLOOR RECORD,
        "carom: 1\n" GRAVITY "elastic: {arch: {" FILES ", " DAMPED ", " POINTS
        ", reduce: {keep: [73, 74, 75], modes: 12}}}\n" FLOOR RECORD};
    last_row last[2];
    for (int k = 0; k < 2; k++) {
        carom_model *model = model_in_folder(text[k]);
        const carom_elastic_facts facts = facts_of(model);
        assert_int_equal(facts.n, k ? 18 + 12 : UNKNOWNS);
        assert_int_equal(facts.n_before, k ? UNKNOWNS : 0);
        assert_int_equal(facts.n_rigid, 3);
        near("mass", facts.mass[0], 0.0751831, 1e-7);
        for (int i = 0; i < 3; i++)
            near("frequency", facts.frequency[i], known[i], (k ? 2e-3 : 1e-9) * known[i]);
        if (k) assert_true(facts.first_dropped > 3e4);
        run_model(&last[k], model, (how){"moreau_jean", 0.016, 1e-5, 0});
        carom_model_free(model);
    }
    near("crown", column(&last[1], "crown"), column(&last[0], "crown"), 2e-6);
    for (int k = 0; k < 2; k++) free_row(&last[k]);
}

// with all modes nothing is lost, and static shapes are exact with none
static void a_reduced_cantilever_keeps_statics_and_modes(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nparameters: {r: 0}\ngravity: [0, -1]\n"
        "elastic: {c: {kind: beam, motions: [bending], from: [0, 0], to: [1, 0], elements: 12, "
        "section: {area: 1, inertia: 1}, elasticity: {E: 1, density: 1}, ends: [fixed, free], "
        "reduce: {keep: [12], modes: r}}}\n";
    static const double dropped[] = {22.0, 60.0};
    for (int k = 0; k < 3; k++) {
        char number[8];
        carom_error error = {0};
        carom_modelfile *file = file_from_text(text);
        carom_equilibrium rest;
        snprintf(number, sizeof number, "%d", k == 2 ? 22 : k);
        must(
            carom_builder_set(carom_modelfile_builder(file), text_of("r"), text_of(number), &error),
            &error);
        carom_model *model = finish_file(file);
        const carom_elastic_facts facts = facts_of(model);
        assert_int_equal(facts.n, 2 + (k == 2 ? 22 : k));
        if (k < 2) assert_true(facts.first_dropped > dropped[k]);
        if (k == 2) near("first frequency", facts.frequency[0], 3.5160159, 1e-6);
        if (k == 2) assert_true(isinf(facts.first_dropped));
        must(carom_equilibrium_find(model, &rest, &error), &error);
        near("tip under its weight", rest.q[0], -0.125, 1e-7);
        carom_equilibrium_free(&rest);
        carom_model_free(model);
    }
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/carom-elastic-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_arch_is_what_its_files_say),
        cmocka_unit_test(calculix_says_the_same_in_another_order),
        cmocka_unit_test(a_reduced_part_moves_nearly_alike),
        cmocka_unit_test(a_reduced_cantilever_keeps_statics_and_modes),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
