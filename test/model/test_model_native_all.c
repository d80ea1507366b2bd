// SPDX-License-Identifier: Apache-2.0
// label: slow (compilers)
// Every shipped model as C, compiled and exported, at random points: the numbers of the tape.
#include "model/making/lagrange.h"
#include "model/native_rig.h"
#include "model/space_texts.h"

#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>

typedef void answer(double t, const double *q, const double *u, const double *a, const double *P,
                    double *r);

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

// the model's name as the exported file uses it
static void prefix_of(const char *name, char prefix[64])
{
    int n = 0;
    for (; *name && n < 63; name++) prefix[n++] = isalnum((unsigned char)*name) ? *name : '_';
    prefix[n] = 0;
}

// the exported function NAME at the point, against n numbers of the tape
static void check_answer(void *library, const char *prefix, const char *name, const carom_point *at,
                         const double *expected, int n)
{
    char symbol[128];
    answer *call;
    if (n == 0) return;
    snprintf(symbol, sizeof symbol, "%s_%s", prefix, name);
    *(void **)&call = dlsym(library, symbol);
    if (!call) fail_msg("the exported file lacks %s", symbol);
    double *r = malloc(sizeof *r * (size_t)n);
    assert_non_null(r);
    for (int i = 0; i < n; i++) r[i] = 1e300; // every entry is written
    call(at->t, at->q, at->u, at->a, at->P, r);
    for (int i = 0; i < n;
         i++) // a patch outside its domain has an infinite gap in the tape's answer
        if (!isinf(expected[i])) native_same(r[i], expected[i], symbol, i);
    free(r);
}

static void check_matrix(void *library, const char *prefix, const char *name, const carom_point *at,
                         const carom_sparse *m)
{
    char symbol[128];
    check_answer(library, prefix, name, at, m->value, m->start[m->n_row]);
    if (m->start[m->n_row] == 0) return;
    snprintf(symbol, sizeof symbol, "%s_%s_start", prefix, name);
    const int *start = dlsym(library, symbol);
    snprintf(symbol, sizeof symbol, "%s_%s_index", prefix, name);
    const int *index = dlsym(library, symbol);
    assert_non_null(start);
    assert_non_null(index);
    assert_memory_equal(start, m->start, sizeof(int) * (size_t)(m->n_row + 1));
    assert_memory_equal(index, m->index, sizeof(int) * (size_t)m->start[m->n_row]);
}

static void check_exported(const carom_model *model, void *library, const carom_point *at,
                           carom_eval *ev)
{
    char p[64];
    const carom_sizes n = carom_model_sizes(model);
    const double *block = carom_eval_block(ev);
    const carom_pattern *mass = &model->layout.mass;
    const carom_sparse M = {mass->n_row, mass->n_column, mass->start, mass->index,
                            carom_eval_block(ev) + mass->offset};
    prefix_of(model->names.model, p);
    check_matrix(library, p, "mass", at, &M);
    check_answer(library, p, "forces", at, ev->f, n.nu);
    check_answer(library, p, "constraints", at, ev->gaps.constraint, n.n_constraint);
    check_answer(library, p, "gaps", at, ev->gaps.value, n.n_contact);
    if (ev->gaps.inside) check_answer(library, p, "inside", at, ev->gaps.inside, n.n_contact);
    check_matrix(library, p, "rows", at, &ev->rows.W);
    check_answer(library, p, "w0", at, ev->rows.w0, n.n_row);
    check_answer(library, p, "curvature", at, ev->rows.curvature, n.n_row);
    check_matrix(library, p, "forces_q", at, &ev->derivatives.df_dq);
    check_matrix(library, p, "forces_u", at, &ev->derivatives.df_du);
    check_matrix(library, p, "mass_a_q", at, &ev->derivatives.dMa_dq);
    check_matrix(library, p, "rows_P_q", at, &ev->derivatives.dWP_dq);
    check_matrix(library, p, "rates_q", at, &ev->derivatives.dgamma_dq);
    check_answer(library, p, "momentum", at, ev->momentum.p, n.nu);
    check_matrix(library, p, "plain_forces_q", at, &ev->momentum.dplain_dq);
    check_answer(library, p, "kinetic", at, &ev->energy.kinetic, 1);
    check_answer(library, p, "potential", at, &ev->energy.potential, 1);
    check_answer(library, p, "power", at, block + model->layout.energy.power, 1);
    check_answer(library, p, "record", at, ev->record, n.n_record);
}

// larger models keep the compiler busy for many seconds, and have nothing that smaller ones lack
enum { MOST_COORDINATES = 60 };

// contacts of shapes that come and go have no equations that could be written, nor have matrices;
// friction that is an expression has no number
static bool is_exported(const carom_model *model)
{
    char *text = NULL;
    carom_error error = {0};
    const bool has_matrices = carom_model_n_elastic(model) > 0;
    const bool varies = model->layout.coefficients.mu_q.start != NULL;
    if (model->kind != &carom_model_of_near_shapes && !has_matrices && !varies) return true;
    assert_int_equal(carom_model_to_c(model, &text, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, has_matrices ? "matrices"
                                          : varies     ? "that are expressions"
                                                       : "come and go"));
    return false;
}

static void *compile_export(const carom_model *model, const char *name)
{
    char path[256], line[1024], *text = NULL;
    carom_error error = {0};
    assert_int_equal(carom_model_to_c(model, &text, &error), CAROM_OK);
    snprintf(path, sizeof path, "%s/%s.c", native_folder, name);
    write_text(path, text);
    free(text);
    snprintf(line, sizeof line,
             "${CC:-cc} -std=c17 -Wall -Wextra -Werror -ffp-contract=off -fno-math-errno -fPIC "
             "-shared %s -o %s/%s.so -lm",
             path, native_folder, name);
    assert_int_equal(system(line), 0);
    snprintf(path, sizeof path, "%s/%s.so", native_folder, name);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    return library;
}

static void check_model(const char *name, carom_model *model)
{
    unsigned seed = 5;
    const unsigned mask = NATIVE_ALL;
    carom_error error = {0};
    carom_plan *tape = NULL, *native = NULL;
    assert_int_equal(carom_plan_new(model, &mask, 1, &tape, &error), CAROM_OK);
    assert_int_equal(carom_plan_new(model, &mask, 1, &native, &error), CAROM_OK);
    if (carom_plan_compile(native, &error) != CAROM_OK) fail_msg("%s: %s", name, error.message);
    void *library = is_exported(model) ? compile_export(model, name) : NULL;
    carom_eval *one = carom_plan_eval(tape), *two = carom_plan_eval(native);
    for (int k = 0; k < NATIVE_POINTS; k++) {
        native_point p = native_draw(model, &seed);
        const carom_status status = carom_model_eval(tape, &p.at, mask, one, NULL);
        assert_int_equal(carom_model_eval(native, &p.at, mask, two, NULL), status);
        const double *a = carom_eval_block(one), *b = carom_eval_block(two);
        for (int i = 0; i < model->layout.size; i++) native_same(a[i], b[i], name, i);
        if (status == CAROM_OK && library) check_exported(model, library, &p.at, one);
        free(p.numbers);
    }
    if (library) dlclose(library);
    carom_plan_free(tape);
    carom_plan_free(native);
    carom_model_free(model);
}

static void every_shipped_model_gives_the_numbers_of_the_tape_compiled_and_exported(void **state)
{
    (void)state;
    native_need_compiler();
    int n = 0;
    DIR *list = opendir(CAROM_SOURCE_DIR "/models");
    assert_non_null(list);
    for (const struct dirent *e = readdir(list); e; e = readdir(list)) {
        char name[128];
        const char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".yaml") != 0) continue;
        snprintf(name, sizeof name, "%.*s", (int)(dot - e->d_name), e->d_name);
        carom_model *model = shipped_model(name, NULL, NULL);
        if (carom_model_sizes(model).nq <= MOST_COORDINATES) {
            check_model(name, model);
            n++;
        } else {
            carom_model_free(model);
        }
    }
    closedir(list);
    assert_true(n > 20);
}

static void bodies_in_space_give_the_numbers_of_the_tape(void **state)
{
    (void)state;
    native_need_compiler();
    check_model("elements", model_from_text(space_elements.text));
    check_model("turns", model_from_text(space_turns.text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_model_gives_the_numbers_of_the_tape_compiled_and_exported),
        cmocka_unit_test(bodies_in_space_give_the_numbers_of_the_tape),
    };
    return cmocka_run_group_tests(tests, native_start, native_end);
}
