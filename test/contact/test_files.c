// SPDX-License-Identifier: Apache-2.0
// Contact problem files: what is read against a second reader written here, round trips of every
// format, and files that are wrong.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/contact_file.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SAMPLES CAROM_SOURCE_DIR "/test/contact/files/"
#define SHARED CAROM_SOURCE_DIR "/../shared/data/contact"

static carom_contact_file *open_file(const char *path)
{
    carom_contact_file *file = NULL;
    carom_error error = {0};
    const carom_status status = carom_contact_file_read(path, CAROM_FILE_ANY, &file, &error);
    if (status != CAROM_OK) print_message("%s\n", error.message);
    assert_int_equal(status, CAROM_OK);
    return file;
}

// G P + b of what was read
static void rates(const carom_problem *p, const double *P, double *xi)
{
    for (int i = 0; i < p->n_row; i++) {
        xi[i] = p->b[i];
        for (int j = 0; p->G.dense && j < p->n_row; j++)
            xi[i] += p->G.dense[(size_t)j * (size_t)p->n_row + (size_t)i] * P[j];
        for (int k = p->G.dense ? 0 : p->G.start[i]; !p->G.dense && k < p->G.start[i + 1]; k++)
            xi[i] += p->G.value[k] * P[p->G.index[k]];
    }
}

static double wave(int i)
{
    return sin(1.0 + 0.7 * i) + 0.3 * cos(2.3 * i);
}

// the second reader: straight from the text to M x, by fscanf
static void multiply_dense(FILE *f, int n, double *y)
{
    int ignored;
    double v;
    assert_int_equal(fscanf(f, "%d %d", &ignored, &ignored), 2);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            assert_int_equal(fscanf(f, "%lf", &v), 1);
            y[i] += v * wave(j);
        }
}

static int *read_ints(FILE *f, int n)
{
    int *list = calloc((size_t)n + 1, sizeof *list);
    for (int i = 0; i < n; i++) assert_int_equal(fscanf(f, "%d", &list[i]), 1);
    return list;
}

static void multiply_blocks(FILE *f, double *y)
{
    int n, rows, columns, n_start, n_index, number;
    assert_int_equal(fscanf(f, "%d %d %d", &n, &rows, &columns), 3);
    int *row_end = read_ints(f, rows), *column_end = read_ints(f, columns);
    assert_int_equal(fscanf(f, "%d %d", &n_start, &n_index), 2);
    int *start = read_ints(f, n_start), *index = read_ints(f, n_index);
    for (int r = 0, k = 0; k < n; k++) {
        while (k >= start[r + 1]) r++;
        const int c = index[k], top = r ? row_end[r - 1] : 0, left = c ? column_end[c - 1] : 0;
        assert_int_equal(fscanf(f, "%d", &number), 1);
        for (int j = left; j < column_end[c]; j++)
            for (int i = top; i < row_end[r]; i++) {
                double v;
                assert_int_equal(fscanf(f, "%lf", &v), 1);
                y[i] += v * wave(j);
            }
    }
    free(row_end);
    free(column_end);
    free(start);
    free(index);
}

static void multiply_sparse(FILE *f, int n, double *y)
{
    char line[256];
    int origin, j = 0, i, k, first, last;
    double v;
    bool is_csr = false, is_triplet = false;
    assert_int_equal(fscanf(f, "%d ", &origin), 1);
    for (int skip = 0; skip < 2; skip++) assert_non_null(fgets(line, sizeof line, f));
    is_csr = strncmp(line, "csr", 3) == 0;
    is_triplet = strncmp(line, "triplet", 7) == 0;
    if (is_triplet)
        while (fscanf(f, " %d %d : %lf", &i, &j, &v) == 3) {
            y[i] += v * wave(j);
            const long at = ftell(f);
            // the next line has a colon while entries last
            const bool more =
                fgets(line, sizeof line, f) && fgets(line, sizeof line, f) && strchr(line, ':');
            fseek(f, at, SEEK_SET);
            if (!more) break;
        }
    for (int c = 0; !is_triplet && c < n; c++) {
        assert_int_equal(fscanf(f, " %*s %d : locations %d to %d", &j, &first, &last), 3);
        for (k = first; k <= last; k++) {
            assert_int_equal(fscanf(f, " %d : %lf", &i, &v), 2);
            y[is_csr ? j : i] += v * wave(is_csr ? i : j);
        }
    }
}

// M x + q of a local problem or an LCP; the caller frees
static double *second_reading(const char *path, bool is_lcp, int *n)
{
    int head[2], storage;
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    for (int i = 0; i < (is_lcp ? 1 : 2); i++) assert_int_equal(fscanf(f, "%d", &head[i]), 1);
    assert_int_equal(fscanf(f, "%d %d %d", &storage, n, n), 3);
    double *y = calloc((size_t)*n + 1, sizeof *y), v;
    if (storage == 0) multiply_dense(f, *n, y);
    if (storage == 1) multiply_blocks(f, y);
    if (storage == 2) multiply_sparse(f, *n, y);
    for (int i = 0; i < *n; i++) {
        assert_int_equal(fscanf(f, "%lf", &v), 1);
        y[i] += v;
    }
    fclose(f);
    return y;
}

static void compare_readings(const char *path, bool is_lcp)
{
    int n;
    double *y = second_reading(path, is_lcp, &n), size = 0, far = 0;
    carom_contact_file *file = open_file(path);
    double *x = calloc((size_t)n + 1, sizeof *x), *xi = calloc((size_t)n + 1, sizeof *xi);
    assert_int_equal(file->problem.n_row, n);
    for (int i = 0; i < n; i++) x[i] = wave(i);
    rates(&file->problem, x, xi);
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(y[i]));
        far = fmax(far, fabs(xi[i] - y[i]));
    }
    // sums of n terms in another order
    assert_true(far <= 1e-12 * size);
    carom_contact_file_free(file);
    free(x);
    free(xi);
    free(y);
}

static void every_storage_gives_the_matrix_of_a_second_reader(void **state)
{
    (void)state;
    static const char *const name[] = {"dense", "blocks", "csc", "csr", "triplet"};
    char path[512];
    for (int i = 0; i < 5; i++) {
        snprintf(path, sizeof path, SAMPLES "local-%s.dat", name[i]);
        compare_readings(path, false);
        carom_contact_file *file = open_file(path);
        assert_string_equal(carom_file_storage_name(file->storage), name[i]);
        assert_int_equal(file->kind, CAROM_FILE_LOCAL);
        assert_int_equal(file->dimension, 2);
        assert_int_equal(file->n_contact, 3);
        assert_true(file->problem.block[1].mu == 0.25);
        carom_contact_file_free(file);
    }
    compare_readings(SAMPLES "lcp_degenerate.dat", true);
}

static void shared_files_give_the_matrix_of_a_second_reader(void **state)
{
    (void)state;
    DIR *folder = opendir(SHARED);
    if (!folder) {
        print_message("no " SHARED ": skipped\n");
        skip();
    }
    char path[768];
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *name = entry->d_name, *end = strrchr(name, '.');
        if (!end || strcmp(end, ".dat") != 0 || strstr(name, "mlcp")) continue;
        if (strncmp(name, "GFC", 3) == 0 || strncmp(name, "gfc", 3) == 0) continue;
        snprintf(path, sizeof path, SHARED "/%s", name);
        compare_readings(path, strncmp(name, "lcp", 3) == 0);
    }
    closedir(folder);
}

static void a_global_problem_is_reduced_and_keeps_its_velocities(void **state)
{
    (void)state;
    carom_contact_file *file = open_file(SAMPLES "gfc3d-oblique.dat");
    assert_int_equal(file->kind, CAROM_FILE_GLOBAL);
    assert_int_equal(file->n_velocity, 4);
    assert_int_equal(file->problem.n_row, 3);
    // for any r: v from M v = H r + f must give u = H'v + w = G r + b
    const double r[3] = {1.5, -0.25, 0.5};
    double v[4], u[3];
    carom_error error = {0};
    assert_int_equal(carom_contact_file_velocity(file, r, v, &error), CAROM_OK);
    for (int i = 0; i < 4; i++) {
        double left = 0, right = file->f[i];
        for (int k = file->M.start[i]; k < file->M.start[i + 1]; k++)
            left += file->M.value[k] * v[file->M.index[k]];
        for (int k = file->H.start[i]; k < file->H.start[i + 1]; k++)
            right += file->H.value[k] * r[file->H.index[k]];
        assert_true(fabs(left - right) <= 1e-13);
    }
    rates(&file->problem, r, u);
    for (int j = 0; j < 3; j++) {
        double sum = file->w[j];
        for (int i = 0; i < 4; i++)
            for (int k = file->H.start[i]; k < file->H.start[i + 1]; k++)
                if (file->H.index[k] == j) sum += file->H.value[k] * v[i];
        assert_true(fabs(sum - u[j]) <= 1e-13);
    }
    carom_contact_file_free(file);
}

static void assert_same(const carom_contact_file *a, const carom_contact_file *b)
{
    const int n = a->problem.n_row;
    double *x = calloc((size_t)n + 1, sizeof *x), *y = calloc((size_t)n + 1, sizeof *y);
    assert_int_equal(b->problem.n_row, n);
    assert_int_equal(b->problem.n_block, a->problem.n_block);
    for (int k = 0; k < a->problem.n_block; k++) {
        assert_int_equal(a->problem.block[k].dim, b->problem.block[k].dim);
        assert_int_equal(a->problem.block[k].is_bilateral, b->problem.block[k].is_bilateral);
        assert_true(a->problem.block[k].mu == b->problem.block[k].mu);
    }
    // columns and b one by one: all digits are written
    double *unit = calloc((size_t)n + 1, sizeof *unit);
    for (int j = 0; j <= n; j++) {
        if (j > 0) unit[j - 1] = 0;
        if (j < n) unit[j] = 1;
        rates(&a->problem, unit, x);
        rates(&b->problem, unit, y);
        for (int i = 0; i < n; i++) assert_true(x[i] == y[i]);
    }
    free(unit);
    free(x);
    free(y);
}

static void what_is_written_reads_back_the_same(void **state)
{
    (void)state;
    static const char *const sample[] = {
        "local-dense.dat",   "local-blocks.dat", "gfc3d-oblique.dat",    "lcp_degenerate.dat",
        "singular_mlcp.dat", "plain_mlcp.dat",   "rectangular_mlcp.dat", "mixed.dat"};
    char from[512], to[] = "/tmp/carom-files-XXXXXX";
    const int descriptor = mkstemp(to);
    assert_true(descriptor >= 0);
    close(descriptor);
    for (size_t i = 0; i < sizeof sample / sizeof *sample; i++)
        for (int storage = 0; storage < CAROM_N_FILE_STORAGE; storage++) {
            carom_error error = {0};
            snprintf(from, sizeof from, SAMPLES "%s", sample[i]);
            carom_contact_file *file = open_file(from), *again = NULL;
            const carom_file_form form = {.storage = (carom_file_storage)storage};
            assert_int_equal(carom_contact_file_write(file, form, to, &error), CAROM_OK);
            // the name says nothing: kinds are found by content
            again = open_file(to);
            assert_same(file, again);
            assert_int_equal(file->n_velocity, again->n_velocity);
            carom_contact_file_free(again);
            const carom_file_form mixed = {.kind = CAROM_FILE_MIXED};
            assert_int_equal(carom_contact_file_write(file, mixed, to, &error), CAROM_OK);
            again = open_file(to);
            assert_int_equal(again->kind, CAROM_FILE_MIXED);
            assert_same(file, again);
            carom_contact_file_free(again);
            carom_contact_file_free(file);
        }
    remove(to);
}

static void an_mlcp_with_more_rows_than_columns_is_padded(void **state)
{
    (void)state;
    // z0 = z1, z0 + z1 = 2, and 0 <= z0 + z1 - 2 _|_ z1 >= 0: z = (1, 1)
    carom_contact_file *file = open_file(SAMPLES "rectangular_mlcp.dat");
    const double P[3] = {0.7, 1, 1}; // the first unknown was added, whatever its value
    double xi[3];
    assert_int_equal(file->problem.n_row, 3);
    assert_int_equal(file->problem.n_block, 2);
    assert_int_equal(file->problem.block[0].dim, 2);
    rates(&file->problem, P, xi);
    for (int i = 0; i < 3; i++) assert_true(xi[i] == 0);
    carom_contact_file_free(file);
}

static void the_kind_can_be_asked_for(void **state)
{
    (void)state;
    // a global problem whose M is as large as its contacts also reads as a local one
    const char text[] = "2 1 0 2 2 2 2 1 0 0 1  0 2 2 2 2 1 0 0 1  -1 0  0 0.5  0.25";
    carom_contact_file *file = NULL;
    carom_error error = {0};
    assert_int_equal(
        carom_contact_file_parse("x.dat", text, sizeof text - 1, CAROM_FILE_ANY, &file, &error),
        CAROM_OK);
    assert_int_equal(file->kind, CAROM_FILE_GLOBAL);
    assert_true(file->problem.b[0] == -1 && file->problem.block[0].mu == 0.25);
    carom_contact_file_free(file);
    assert_int_equal(
        carom_contact_file_parse("x.dat", text, sizeof text - 1, CAROM_FILE_LOCAL, &file, &error),
        CAROM_OK);
    assert_int_equal(file->kind, CAROM_FILE_LOCAL);
    assert_true(file->problem.b[0] == 0 && file->problem.block[0].mu == 2);
    carom_contact_file_free(file);
}

static void a_problem_without_contacts_is_read_and_solved(void **state)
{
    (void)state;
    const char text[] = "2 0 0 2 2 2 2 1 0 0 1  0 2 0 2 0  -1 0";
    carom_contact_file *file = NULL;
    carom_error error = {0};
    carom_contact_info info;
    carom_contact_solver *solver = NULL;
    assert_int_equal(
        carom_contact_file_parse("x.dat", text, sizeof text - 1, CAROM_FILE_ANY, &file, &error),
        CAROM_OK);
    assert_int_equal(file->problem.n_row, 0);
    assert_int_equal(carom_contact_solver_new("auto", NULL, 0, 0, &solver, &error), CAROM_OK);
    assert_int_equal(carom_contact_solve(solver, &file->problem, NULL, &info, &error), CAROM_OK);
    assert_true(info.is_converged);
    carom_contact_solver_free(solver);
    carom_contact_file_free(file);
}

static void wrong_files_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *message;
    } bad[] = {
        {"a.dat", "", "x.dat:1:1: the file ends where"},
        {"a.dat", "5 1 0 5 5",
         ":1:1: dimension of the contacts must be a whole number from 2 to 3"},
        {"a.dat", "3 1\n0\n3 4\n", ":3:1: matrix M is 3 by 4 here, but must be 3 by 3"},
        {"a.dat", "3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 one", ":1:31: 'one' is no number"},
        {"a.dat", "3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 0", "the file ends where"},
        {"a.dat", "2 1 0 2 2 2 2 1 0 0 1 1 nan 0.5", "'nan' is no number"},
        {"a.dat", "2 1 0 2 2 2 2 1 0 0 1 1 1e999 0.5", "not a finite number"},
        {"a.dat", "2 1 0 2 2 2 2 1 0 0 1 1 1 -0.5", "negative"},
        {"a.dat", "3 200000000 1 600000000 600000000 1", "number of contacts must be"},
        {"a.dat", "3 90000 0 270000 270000", "needs 270000 numbers"},
        {"a.dat", "3 9000000 0 27000000 27000000", "9000000 is more than 1000000 (--limit problem"},
        {"lcp_a.dat", "2 1 2 2 1 1 1 2 2 2 1 0 1 5 0", "block column must be"},
        {"lcp_a.dat", "2 2 2 2 2\nCSparse\n2-by-3, nzmax: 1 nnz: 1\n", "'[csr: |triplet: ]2-by-2,"},
        {"gfc_a.dat", "2 1 0 1 1 1 1 0  0 1 2 1 2 1 1  0 0 0 0.5", "M of a global problem"},
        {"b_mlcp.dat", "1 0 1 1 0 1 2 1 1 0 2 2 2 2 1 0 0 1 1 1", "make 0 equality rows"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        carom_contact_file *file = NULL;
        carom_error error = {0};
        const char *name = i == 0 ? "x.dat" : bad[i].name;
        const carom_status status = carom_contact_file_parse(name, bad[i].text, strlen(bad[i].text),
                                                             CAROM_FILE_ANY, &file, &error);
        if (status == CAROM_OK || !strstr(error.message, bad[i].message))
            print_message("%d: '%s' instead of '%s'\n", (int)i, error.message, bad[i].message);
        assert_int_equal(status, CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, bad[i].message));
        assert_null(file);
    }
}

// one sample with bytes changed, cut or doubled; fixed seed
static void mutate(const char *text, size_t size, uint64_t *seed, char *to, size_t *n)
{
    static const char letters[] = "0123456789 \n-.e:+x9999999";
    memcpy(to, text, size);
    *n = size;
    for (int k = 0; k < 4; k++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        const size_t at = (size_t)(*seed >> 33) % *n, what = (size_t)(*seed >> 20) % 8;
        if (what == 0 && at > 1)
            *n = at;
        else if (what == 1 && *n < 2 * size - 1) {
            memmove(to + at + 1, to + at, *n - at);
            to[at] = letters[(*seed >> 40) % (sizeof letters - 1)];
            ++*n;
        } else
            to[at] = letters[(*seed >> 40) % (sizeof letters - 1)];
    }
}

static void no_mutated_file_breaks_the_reader(void **state)
{
    (void)state;
    static const char *const sample[] = {
        "local-dense.dat",   "local-blocks.dat",   "local-csc.dat",    "local-csr.dat",
        "local-triplet.dat", "gfc3d-oblique.dat",  "plain_mlcp.dat",   "rectangular_mlcp.dat",
        "mixed.dat",         "lcp_degenerate.dat", "singular_mlcp.dat"};
    uint64_t seed = 20261117;
    int n_read = 0, n_refused = 0;
    for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
        char path[512], text[4096], changed[8192];
        snprintf(path, sizeof path, SAMPLES "%s", sample[i]);
        FILE *f = fopen(path, "rb");
        assert_non_null(f);
        const size_t size = fread(text, 1, sizeof text, f);
        fclose(f);
        for (int k = 0; k < 400; k++) {
            carom_contact_file *file = NULL;
            carom_error error = {0};
            size_t n;
            mutate(text, size, &seed, changed, &n);
            const carom_status status =
                carom_contact_file_parse(sample[i], changed, n, CAROM_FILE_ANY, &file, &error);
            assert_true(status == CAROM_OK ? file != NULL : !file && error.message[0]);
            n_read += status == CAROM_OK;
            n_refused += status == CAROM_BAD_INPUT;
            carom_contact_file_free(file);
        }
    }
    // both ends of the reader were met
    assert_true(n_read > 100 && n_refused > 1000);
}

static void what_a_form_cannot_hold_is_refused(void **state)
{
    (void)state;
    carom_contact_file *file = open_file(SAMPLES "mixed.dat");
    carom_error error = {0};
    static const carom_file_kind kind[] = {CAROM_FILE_LOCAL, CAROM_FILE_LCP, CAROM_FILE_MLCP,
                                           CAROM_FILE_GLOBAL};
    for (int i = 0; i < 4; i++) {
        const carom_file_form form = {.kind = kind[i]};
        error = (carom_error){0};
        assert_int_equal(carom_contact_file_write(file, form, "/tmp/carom-never.dat", &error),
                         CAROM_BAD_INPUT);
        assert_int_equal(access("/tmp/carom-never.dat", F_OK), -1);
    }
    error = (carom_error){0};
    assert_int_equal(
        carom_contact_file_write(file, (carom_file_form){0}, "/nonexistent/a.dat", &error),
        CAROM_IO);
    assert_non_null(strstr(error.message, "/nonexistent/a.dat: cannot be written"));
    carom_contact_file_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_storage_gives_the_matrix_of_a_second_reader),
        cmocka_unit_test(shared_files_give_the_matrix_of_a_second_reader),
        cmocka_unit_test(a_global_problem_is_reduced_and_keeps_its_velocities),
        cmocka_unit_test(what_is_written_reads_back_the_same),
        cmocka_unit_test(an_mlcp_with_more_rows_than_columns_is_padded),
        cmocka_unit_test(the_kind_can_be_asked_for),
        cmocka_unit_test(a_problem_without_contacts_is_read_and_solved),
        cmocka_unit_test(wrong_files_are_refused_with_their_place),
        cmocka_unit_test(no_mutated_file_breaks_the_reader),
        cmocka_unit_test(what_a_form_cannot_hold_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
