// SPDX-License-Identifier: Apache-2.0
// Bodies in HDF5 files: poses are those of the coordinates, of bodies that are carried too, without
// jumps of sign or turn; and lines of contacts name the bodies that touch.
#include "carom/bodies.h"
#include "carom/modelfile.h"
#include "sim/sim_rig.h"

#include <hdf5.h>

static const char *const in_space =
    "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{between: [default, default], restitution: 0.5}]\n"
    "detection: {lasting: 0}\nbodies:\n"
    "  low: {density: 1000, at: [0, 0, 0.1], shape: {sphere: [0, 0, 0], radius: 0.1}}\n"
    "  high: {density: 1000, at: [0, 0.01, 0.31], spin: [40, 3, 1],\n"
    "         shape: {sphere: [0, 0, 0], radius: 0.1}}\n"
    "  arm: {mass: 1, inertia: [1, 1, 1], on: {revolute: ground, at: [5, 0, 1], axis: [0, 0, 1],\n"
    "        start: 0.5, rate: 20}}\n"
    "  ground: {shape: {plane: [0, 0, 0], normal: [0, 0, 1]}}\n"
    "run: {scheme: moreau_midpoint, step: 2e-3, end: 0.5}\n";
static const char *const in_plane =
    "carom: 1\nspace: plane\nbodies:\n  wheel: {mass: 1, inertia: 1, at: [1, 2], angle: 3, spin: 25}\n"
    "run: {scheme: moreau_midpoint, step: 1e-2, end: 1}\n";

/// What a file says of bodies.
typedef struct poses {
    hsize_t size[3];
    double *value;
    char name[8][16];
} poses;

static carom_model *model_of(const char *text)
{
    carom_error error = {0};
    carom_modelfile *file;
    carom_model *model;
    rig_ok(carom_modelfile_read_text(text, strlen(text), "rig.yaml", &file, &error), &error);
    rig_ok(carom_builder_finish(carom_modelfile_builder(file), &model, &error), &error);
    carom_modelfile_free(file);
    return model;
}

// runs and writes; the model is gone before the file is made
static void write_file(const char *text, const char *path, double step, double end, rig_rows *rows)
{
    carom_error error = {0};
    carom_model *model = model_of(text);
    carom_sim *sim = rig_sim(model, step, end, 1);
    carom_output *output;
    const carom_output_head head = {.model = "rig", .scheme = "moreau_midpoint"};
    rig_ok(carom_output_open(path, sim, &head, &output, &error), &error);
    rig_ok(carom_sim_add_recorder(sim, carom_output_recorder(output), &error), &error);
    rig_listen(sim, rows);
    rig_run(sim);
    carom_sim_free(sim);
    carom_model_free(model);
    rig_ok(carom_output_close(output, NULL, NULL, true, &error), &error);
}

static hid_t open_set(hid_t file, const char *name, hsize_t *size)
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(set >= 0);
    const hid_t space = H5Dget_space(set);
    H5Sget_simple_extent_dims(space, size, NULL);
    H5Sclose(space);
    return set;
}

static void expect_compressed(hid_t set)
{
    const hid_t form = H5Dget_create_plist(set);
    unsigned flags;
    size_t n = 0;
    assert_true(H5Pget_layout(form) == H5D_CHUNKED);
    assert_true(H5Pget_filter_by_id2(form, H5Z_FILTER_DEFLATE, &flags, &n, NULL, 0, NULL, NULL) >=
                0);
    H5Pclose(form);
}

static poses read_poses(const char *path)
{
    poses p = {.value = NULL};
    hsize_t n_name[1];
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = open_set(file, "bodies/poses", p.size);
    const hid_t names = open_set(file, "bodies/names", n_name), type = H5Tcopy(H5T_C_S1);
    expect_compressed(set);
    p.value = malloc(sizeof(double) * (size_t)(p.size[0] * p.size[1] * p.size[2]));
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, p.value) >= 0);
    assert_true(n_name[0] == p.size[1] && n_name[0] <= 8);
    H5Tset_size(type, 16);
    H5Tset_cset(type, H5T_CSET_UTF8);
    assert_true(H5Dread(names, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, p.name) >= 0);
    H5Tclose(type);
    H5Dclose(names);
    H5Dclose(set);
    H5Fclose(file);
    return p;
}

static const double *pose_at(const poses *p, int row, int body)
{
    return p->value + ((hsize_t)row * p->size[1] + (hsize_t)body) * p->size[2];
}

static void poses_in_space_are_those_of_the_coordinates(void **state)
{
    (void)state;
    char path[256];
    rig_rows rows = {0};
    write_file(in_space, rig_path(path, sizeof path, "space.h5"), 2e-3, 0.5, &rows);
    poses p = read_poses(path);
    assert_true(p.size[0] == (hsize_t)rows.n_row && p.size[1] == 4 && p.size[2] == 7);
    static const char *const name[] = {"ground", "low", "high", "arm"};
    for (int b = 0; b < 4; b++) assert_string_equal(p.name[b], name[b]);
    int n_turned = 0;
    for (int row = 0; row < rows.n_row; row++) {
        const double *ground = pose_at(&p, row, 0), still[7] = {0, 0, 0, 1, 0, 0, 0};
        assert_memory_equal(ground, still, sizeof still);
        for (int b = 1; b < 3; b++) { // columns: t, then x, y, z, p0 .. p3 of each
            const double *pose = pose_at(&p, row, b);
            double dot = 0;
            for (int k = 0; k < 3; k++)
                assert_true(fabs(pose[k] - rig_at(&rows, row, 1 + 7 * (b - 1) + k)) < 1e-15);
            for (int k = 3; k < 7; k++) dot += pose[k] * rig_at(&rows, row, 1 + 7 * (b - 1) + k);
            assert_true(fabs(fabs(dot) - 1) < 1e-14);
            n_turned += pose[3] < 0;
            dot = 0;
            for (int k = 3; row > 0 && k < 7; k++) dot += pose[k] * pose_at(&p, row - 1, b)[k];
            assert_true(row == 0 || dot > 0.99); // nothing jumps
        }
        const double t = rig_at(&rows, row, 0), angle = 0.5 + 20 * t, *arm = pose_at(&p, row, 3);
        assert_true(fabs(arm[0] - 5) < 1e-14 && fabs(arm[2] - 1) < 1e-14);
        assert_true(fabs(arm[3] - cos(angle / 2)) < 1e-9 && fabs(arm[6] - sin(angle / 2)) < 1e-9);
    }
    assert_true(n_turned > 20);
    free(p.value);
    free(rows.value);
    unlink(path);
}

static void angles_in_the_plane_count_turns(void **state)
{
    (void)state;
    char path[256];
    rig_rows rows = {0};
    write_file(in_plane, rig_path(path, sizeof path, "plane.h5"), 1e-2, 1, &rows);
    poses p = read_poses(path);
    assert_true(p.size[0] == 101 && p.size[1] == 2 && p.size[2] == 3);
    for (int row = 0; row < 101; row++) {
        const double *pose = pose_at(&p, row, 1);
        assert_true(pose[0] == 1 && pose[1] == 2);
        assert_true(fabs(pose[2] - 3 - 25 * rig_at(&rows, row, 0)) < 1e-9);
    }
    free(p.value);
    free(rows.value);
    unlink(path);
}

static carom_status count_pairs(void *self, const carom_contact_line *line, long n,
                                carom_error *error)
{
    long *pairs = self; // ground-low, low-high, ground-high, others
    (void)error;
    for (long i = 0; i < n; i++) {
        const long a = line[i].body[0], b = line[i].body[1];
        const int which = a + b == 1 ? 0 : a + b == 3 ? 1 : a + b == 2 && a != b ? 2 : 3;
        pairs[which]++;
        // the normal pushes the first body away from the second: up, if the second is below
        assert_true(a == b || (line[i].normal[2] > 0.5) == (a > b));
    }
    return CAROM_OK;
}

static void lines_of_contacts_name_their_bodies(void **state)
{
    (void)state;
    char path[256];
    rig_rows rows = {0};
    carom_error error = {0};
    carom_results *results;
    long pairs[4] = {0};
    write_file(in_space, rig_path(path, sizeof path, "lines.h5"), 2e-3, 0.12, &rows);
    rig_ok(carom_results_open(path, &results, &error), &error);
    const carom_lines_visitor visitor = {pairs, count_pairs};
    rig_ok(carom_results_visit_contacts(results, visitor, &error), &error);
    assert_true(pairs[0] > 40 && pairs[1] > 20 && pairs[2] == 0 && pairs[3] == 0);
    free(rows.value);
    carom_results_free(results);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hsize_t n[1];
    const hid_t set = open_set(file, "contacts", n);
    expect_compressed(set);
    H5Dclose(set);
    H5Fclose(file);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_in_space_are_those_of_the_coordinates),
        cmocka_unit_test(angles_in_the_plane_count_turns),
        cmocka_unit_test(lines_of_contacts_name_their_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
