// SPDX-License-Identifier: Apache-2.0
// Runs for ParaView: a .vtkhdf file is read as its specification says, step by step, and gives
// surfaces and contacts where bodies that slide and fall have them; .vtp files hold the same.
#include "carom/modelfile.h"
#include "carom/report.h"
#include "sim/sim_rig.h"

#include <hdf5.h>
#include <stdint.h>

static const char model_text[] =
    "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{between: [default, default]}]\n"
    "bodies:\n"
    "  box: {density: 1000, at: [0, 0, 0.05], velocity: [1, 0, 0], shape: {box: [0.2, 0.2, 0.1]}}\n"
    "  ball: {density: 1000, at: [0, 3, 0.3], shape: {sphere: [0, 0, 0], radius: 0.1}}\n"
    "  ground: {shape: {plane: [0, 0, 0], normal: [0, 0, 1]}}\n"
    "detection: {lasting: %d}\nrun: {scheme: moreau_midpoint, step: 1e-2, end: 0.1}\n";

enum { N_KIND = 4 };
static const char *const kind_name[N_KIND] = {"Vertices", "Lines", "Polygons", "Strips"};

static carom_results *run_of(int lasting, const char *path)
{
    char text[1024];
    carom_error error = {0};
    carom_modelfile *file;
    carom_model *model;
    carom_output *output;
    carom_results *results;
    snprintf(text, sizeof text, model_text, lasting);
    rig_ok(carom_modelfile_read_text(text, strlen(text), "rig.yaml", &file, &error), &error);
    rig_ok(carom_builder_finish(carom_modelfile_builder(file), &model, &error), &error);
    carom_modelfile_free(file);
    carom_sim *sim = rig_sim(model, 1e-2, 0.1, 1);
    const carom_output_head head = {.model = "rig", .model_path = "rig.yaml", .model_text = text};
    rig_ok(carom_output_open(path, sim, &head, &output, &error), &error);
    rig_ok(carom_sim_add_recorder(sim, carom_output_recorder(output), &error), &error);
    rig_run(sim);
    carom_sim_free(sim);
    carom_model_free(model);
    rig_ok(carom_output_close(output, NULL, NULL, true, &error), &error);
    rig_ok(carom_results_open(path, &results, &error), &error);
    return results;
}

// n rows of a list from the first one on, as doubles
static double *slice(hid_t file, const char *name, long first, long n, int width)
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) fail_msg("there is no %s", name);
    const hid_t space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_ndims(space);
    const hsize_t start[2] = {(hsize_t)first, 0}, count[2] = {(hsize_t)n, (hsize_t)width};
    double *value = calloc((size_t)(n * width) + 1, sizeof *value);
    assert_int_equal(rank, width > 1 ? 2 : 1);
    const hid_t memory = H5Screate_simple(rank, count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    if (n > 0 && H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, value) < 0)
        fail_msg("%s has no rows %ld .. %ld", name, first, first + n - 1);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
    return value;
}

static long number(hid_t file, const char *name, long row, int width, int column)
{
    double *value = slice(file, name, row, 1, width);
    const long x = (long)value[column];
    free(value);
    return x;
}

/// One step as a reader gets it.
typedef struct step {
    double t;
    long n_point, n_cell[N_KIND], n_id[N_KIND];
    double *point, *force, *offset[N_KIND], *corner[N_KIND], *body;
} step;

static step read_step(hid_t file, long i)
{
    step s = {0};
    char name[128];
    const long part = number(file, "VTKHDF/Steps/PartOffsets", i, 1, 0);
    const long first = number(file, "VTKHDF/Steps/PointOffsets", i, 1, 0);
    assert_int_equal(number(file, "VTKHDF/Steps/NumberOfParts", i, 1, 0), 1);
    double *t = slice(file, "VTKHDF/Steps/Values", i, 1, 1);
    s.t = *t;
    free(t);
    s.n_point = number(file, "VTKHDF/NumberOfPoints", part, 1, 0);
    s.point = slice(file, "VTKHDF/Points", first, s.n_point, 3);
    s.force = slice(file, "VTKHDF/PointData/force",
                    number(file, "VTKHDF/Steps/PointDataOffsets/force", i, 1, 0), s.n_point, 3);
    long n_all = 0;
    for (int k = 0; k < N_KIND; k++) {
        snprintf(name, sizeof name, "VTKHDF/%s/NumberOfCells", kind_name[k]);
        n_all += s.n_cell[k] = number(file, name, part, 1, 0);
        snprintf(name, sizeof name, "VTKHDF/%s/NumberOfConnectivityIds", kind_name[k]);
        s.n_id[k] = number(file, name, part, 1, 0);
        const long cell = number(file, "VTKHDF/Steps/CellOffsets", i, N_KIND, k);
        const long id = number(file, "VTKHDF/Steps/ConnectivityIdOffsets", i, N_KIND, k);
        snprintf(name, sizeof name, "VTKHDF/%s/Offsets", kind_name[k]);
        s.offset[k] = slice(file, name, cell + part, s.n_cell[k] + 1, 1);
        snprintf(name, sizeof name, "VTKHDF/%s/Connectivity", kind_name[k]);
        s.corner[k] = slice(file, name, id, s.n_id[k], 1);
    }
    s.body = slice(file, "VTKHDF/CellData/body",
                   number(file, "VTKHDF/Steps/CellDataOffsets/body", i, 1, 0), n_all, 1);
    return s;
}

static void free_step(step *s)
{
    for (int k = 0; k < N_KIND; k++) {
        free(s->offset[k]);
        free(s->corner[k]);
    }
    free(s->point);
    free(s->force);
    free(s->body);
}

static void expect_cells(const step *s)
{
    for (int k = 0; k < N_KIND; k++) {
        assert_true(s->offset[k][0] == 0 && s->offset[k][s->n_cell[k]] == (double)s->n_id[k]);
        for (long i = 0; i < s->n_id[k]; i++)
            assert_true(s->corner[k][i] >= 0 && s->corner[k][i] < (double)s->n_point);
        for (long i = 0; k == 2 && i < s->n_cell[k]; i++)
            assert_true(s->offset[k][i + 1] - s->offset[k][i] == 3);
    }
    assert_true(s->n_cell[2] > 12 && s->n_cell[1] + s->n_cell[3] == 0);
}

// the box has slid by t, the ball has fallen; the corners of the box bear its weight of 4 kg
static void expect_scene(const step *s, bool has_forces)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, push = 0;
    for (long i = 0; i < s->n_cell[2]; i++) {
        const int body = (int)s->body[s->n_cell[0] + i] - 1;
        if (body < 0) continue; // the ground
        for (int k = 0; k < 3; k++) {
            const double *x = s->point + 3 * (long)s->corner[2][3 * i + k],
                         at = x[body == 0 ? 0 : 2];
            low[body] = fmin(low[body], at);
            high[body] = fmax(high[body], at);
        }
    }
    assert_true(fabs(low[0] + 0.1 - s->t) < 1e-6 && fabs(high[0] - 0.1 - s->t) < 1e-6);
    const double z = 0.3 - 0.5 * 9.81 * s->t * s->t;
    assert_true(fabs(high[1] - 0.1 - z) < 0.01 && fabs(low[1] + 0.1 - z) < 0.01);
    for (long i = 0; i < s->n_point; i++) push += s->force[3 * i + 2];
    assert_true(fabs(push - (has_forces ? 4 * 9.81 : 0)) < 1e-3);
    assert_true(has_forces ? s->n_cell[0] >= 2 && s->n_cell[0] <= 4 : s->n_cell[0] == 0);
    for (long i = 0; i < s->n_cell[0]; i++) {
        const double *x = s->point + 3 * (long)s->corner[0][i];
        assert_true(fabs(fabs(x[0] - s->t) - 0.1) < 1e-6 && fabs(x[2]) < 1e-6);
        assert_true(s->body[i] == 1);
    }
}

static void a_vtkhdf_file_is_what_was_run(void **state)
{
    (void)state;
    for (int lasting = 0; lasting < 300;
         lasting += 256) { // contacts that come and go, and that stay
        char path[256], vtk[256], type[16] = "";
        carom_error error = {0};
        carom_vtk_notes notes;
        const carom_vtk_options options = carom_vtk_default();
        carom_results *run = run_of(lasting, rig_path(path, sizeof path, "run.h5"));
        rig_path(vtk, sizeof vtk, "run.vtkhdf");
        rig_ok(carom_vtk_write(run, &options, vtk, &notes, &error), &error);
        assert_true(notes.n_frame == 11 && notes.n_row == 11);
        const hid_t file = H5Fopen(vtk, H5F_ACC_RDONLY, H5P_DEFAULT);
        const hid_t word = H5Aopen_by_name(file, "VTKHDF", "Type", H5P_DEFAULT, H5P_DEFAULT);
        const hid_t text = H5Aget_type(word);
        assert_true(H5Aread(word, text, type) >= 0 && strcmp(type, "PolyData") == 0);
        H5Tclose(text);
        H5Aclose(word);
        for (long i = 0; i < notes.n_frame; i++) {
            step s = read_step(file, i);
            assert_true(fabs(s.t - 0.01 * (double)i) < 1e-12);
            expect_cells(&s);
            expect_scene(&s, i > 0);
            free_step(&s);
        }
        H5Fclose(file);
        carom_results_free(run);
        unlink(path);
        unlink(vtk);
    }
}

static void rows_are_picked_by_time_and_number(void **state)
{
    (void)state;
    char path[256], vtk[256];
    carom_error error = {0};
    carom_vtk_notes notes;
    carom_results *run = run_of(256, rig_path(path, sizeof path, "pick.h5"));
    rig_path(vtk, sizeof vtk, "pick.vtkhdf");
    carom_vtk_options options = {.from = 0.025, .to = 0.085, .most_frames = 3};
    rig_ok(carom_vtk_write(run, &options, vtk, &notes, &error), &error);
    assert_true(notes.n_frame == 3 && notes.n_row == 6);
    const hid_t file = H5Fopen(vtk, H5F_ACC_RDONLY, H5P_DEFAULT);
    for (long i = 0; i < 3; i++) {
        step s = read_step(file, i);
        assert_true(fabs(s.t - 0.03 - 0.02 * (double)i) < 1e-12);
        expect_scene(&s, true);
        free_step(&s);
    }
    H5Fclose(file);
    options.from = 1;
    options.to = 2;
    assert_int_equal(carom_vtk_write(run, &options, vtk, NULL, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "no rows between 1 s and 2 s"));
    assert_int_equal(carom_vtk_write(run, &options, "run.obj", NULL, &error), CAROM_BAD_INPUT);
    carom_results_free(run);
    unlink(path);
    unlink(vtk);
}

// the numbers behind the head of a .vtp file are as long as it says
static void a_series_has_a_file_for_each_frame(void **state)
{
    (void)state;
    char path[256], pvd[256], name[300], line[512], remove[400];
    carom_error error = {0};
    carom_results *run = run_of(256, rig_path(path, sizeof path, "series.h5"));
    const carom_vtk_options options = carom_vtk_default();
    rig_ok(carom_vtk_write(run, &options, rig_path(pvd, sizeof pvd, "series.pvd"), NULL, &error),
           &error);
    carom_results_free(run);
    snprintf(name, sizeof name, "%.*s", (int)(strlen(pvd) - 4), pvd);
    const char *base = strrchr(name, '/') + 1;
    FILE *file = fopen(pvd, "r");
    int n = 0;
    while (fgets(line, sizeof line, file)) n += strstr(line, "<DataSet") && strstr(line, base);
    fclose(file);
    assert_int_equal(n, 11);
    snprintf(line, sizeof line, "%s/%s_00010.vtp", name, base);
    file = fopen(line, "rb");
    assert_non_null(file);
    long points = 0, verts = 0, offset = -1, last = -1;
    while (fgets(line, sizeof line, file) && !strstr(line, "<AppendedData")) {
        sscanf(line, "<Piece NumberOfPoints=\"%ld\" NumberOfVerts=\"%ld\"", &points, &verts);
        const char *at = strstr(line, "offset=\"");
        if (!at) continue;
        last = strtol(at + 8, NULL, 10);
        if (strstr(line, "Name=\"Points\"")) offset = last;
    }
    assert_true(points > 20 && verts >= 2 && offset > 0 && fgetc(file) == '_');
    const long start = ftell(file);
    uint64_t bytes = 0;
    fseek(file, start + offset, SEEK_SET);
    assert_true(fread(&bytes, sizeof bytes, 1, file) == 1 && bytes == 12 * (uint64_t)points);
    fseek(file, start + last, SEEK_SET);
    assert_true(fread(&bytes, sizeof bytes, 1, file) == 1);
    fseek(file, (long)bytes, SEEK_CUR);
    assert_true(fgets(line, sizeof line, file) && fgets(line, sizeof line, file));
    assert_string_equal(line, "</AppendedData>\n");
    fclose(file);
    snprintf(remove, sizeof remove, "rm -r '%s'", name);
    assert_int_equal(system(remove), 0);
    unlink(pvd);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vtkhdf_file_is_what_was_run),
        cmocka_unit_test(rows_are_picked_by_time_and_number),
        cmocka_unit_test(a_series_has_a_file_for_each_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
