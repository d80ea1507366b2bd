// SPDX-License-Identifier: Apache-2.0
// HDF5 files: what is read back is what was recorded, also after the process was killed; nothing is
// ever printed.
#include "sim/sim_rig.h"

#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const carom_output_head head = {.model = "rig",
                                       .scheme = "moreau_midpoint",
                                       .solver = "auto",
                                       .version = CAROM_VERSION,
                                       .step = 0.001,
                                       .end = 2};

static carom_output *attach(carom_sim *sim, const char *path)
{
    carom_error error = {0};
    carom_output *output;
    rig_ok(carom_output_open(path, sim, &head, &output, &error), &error);
    rig_ok(carom_sim_add_recorder(sim, carom_output_recorder(output), &error), &error);
    return output;
}

// the rows and columns of a dataset; its values go to *value
static void read_set(hid_t file, const char *name, hsize_t size[2], double **value)
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(set >= 0);
    const hid_t space = H5Dget_space(set);
    size[1] = 1;
    assert_true(H5Sget_simple_extent_ndims(space) <= 2);
    H5Sget_simple_extent_dims(space, size, NULL);
    *value = malloc(sizeof(double) * (size_t)(size[0] * size[1] + 1));
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, *value) >= 0);
    H5Sclose(space);
    H5Dclose(set);
}

// every column of the group must be the recorded one, by its name
static void expect_group(hid_t file, const char *group, const carom_sim *sim, const rig_rows *rows)
{
    hsize_t size[2];
    double *value;
    char *name[32];
    read_set(file, group, size, &value);
    assert_int_equal(size[0], rows->n_row);
    const hid_t set = H5Dopen2(file, group, H5P_DEFAULT),
                names = H5Aopen(set, "names", H5P_DEFAULT), type = H5Aget_type(names),
                space = H5Aget_space(names);
    assert_int_equal(H5Sget_simple_extent_npoints(space), size[1]);
    assert_true(size[1] <= 32 && H5Aread(names, type, name) >= 0);
    for (hsize_t k = 0; k < size[1]; k++) {
        const int column = rig_column(sim, name[k]);
        assert_string_equal(carom_sim_column(sim, column)->group, group);
        for (int i = 0; i < rows->n_row; i++) {
            const double kept = rig_at(rows, i, column);
            assert_memory_equal(&value[(hsize_t)i * size[1] + k], &kept, sizeof kept);
        }
    }
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, name);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(names);
    H5Dclose(set);
    free(value);
}

static void read_attribute(hid_t owner, const char *name, hid_t type, void *value)
{
    const hid_t attribute = H5Aopen(owner, name, H5P_DEFAULT);
    assert_true(attribute >= 0);
    const hid_t kept = type == H5T_C_S1 ? H5Aget_type(attribute) : H5Tcopy(type);
    assert_true(H5Aread(attribute, kept, value) >= 0);
    H5Tclose(kept);
    H5Aclose(attribute);
}

static void expect_events(hid_t file, const rig_rows *rows)
{
    struct {
        double t;
        char contact[8], kind[12];
        char gap[4];
        double energy_lost;
    } event[64];
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof event[0]), text = H5Tcopy(H5T_C_S1),
                word = H5Tcopy(H5T_C_S1), set = H5Dopen2(file, "events", H5P_DEFAULT);
    H5Tset_size(text, 8);
    H5Tset_size(word, 12);
    H5Tinsert(type, "t", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "contact", 8, text);
    H5Tinsert(type, "kind", 16, word);
    H5Tinsert(type, "energy_lost", 32, H5T_NATIVE_DOUBLE);
    const hid_t space = H5Dget_space(set);
    assert_int_equal(H5Sget_simple_extent_npoints(space), rows->n_event);
    assert_true(rows->n_event <= 64 && rows->n_event > 5);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, event) >= 0);
    static const char *const kind[] = {"impact", "open", "close", "stick", "slip"};
    for (int i = 0; i < rows->n_event; i++) {
        assert_true(event[i].t == rows->event[i].t);
        assert_string_equal(event[i].contact, "floor");
        assert_string_equal(event[i].kind, kind[rows->event[i].kind]);
        assert_true(event[i].energy_lost == rows->event[i].energy_lost);
    }
    H5Sclose(space);
    H5Dclose(set);
    H5Tclose(text);
    H5Tclose(word);
    H5Tclose(type);
}

static void what_is_read_back_is_what_was_recorded(void **state)
{
    (void)state;
    char path[256];
    carom_error error = {0};
    rig_path(path, sizeof path, "rows.h5");
    carom_model *model = rig_block();
    carom_sim *sim = rig_sim(model, 1e-3, 2, 1);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    carom_output *output = attach(sim, path);
    rig_run(sim);
    const carom_audit audit = rig_audit(sim);
    const carom_counts counts = carom_sim_counts(sim);
    rig_ok(carom_output_close(output, &audit, &counts, true, &error), &error);

    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    static const char *const group[] = {"t", "q",  "u",    "energy", "gap", "rate",
                                        "P", "la", "slip", "PT",     "laT", "record"};
    for (int i = 0; i < 12; i++) expect_group(file, group[i], sim, &rows);
    assert_int_equal(H5Lexists(file, "drift", H5P_DEFAULT), 0);
    expect_events(file, &rows);
    char text[64] = "";
    double number;
    long whole;
    read_attribute(file, "status", H5T_C_S1, text);
    assert_string_equal(text, "whole");
    read_attribute(file, "scheme", H5T_C_S1, text);
    assert_string_equal(text, "moreau_midpoint");
    read_attribute(file, "step", H5T_NATIVE_DOUBLE, &number);
    assert_true(number == 0.001);
    const hid_t a = H5Gopen2(file, "audit", H5P_DEFAULT), c = H5Gopen2(file, "counts", H5P_DEFAULT);
    read_attribute(a, "friction_loss", H5T_NATIVE_DOUBLE, &number);
    assert_true(number == audit.friction_loss);
    read_attribute(c, "steps", H5T_NATIVE_LONG, &whole);
    assert_int_equal(whole, 2000);
    H5Gclose(a);
    H5Gclose(c);
    H5Fclose(file);
    unlink(path);
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

// writes rows until it is killed; says through the pipe how many have certainly been flushed
static void write_until_killed(const char *path, int pipe)
{
    carom_model *model = rig_block();
    carom_sim *sim = rig_sim(model, 1e-6, 1000, 1);
    carom_error error = {0};
    attach(sim, path);
    for (long i = 1;; i++) {
        if (carom_sim_step(sim, &error) != CAROM_OK) _exit(1);
        // bursts are at most 32 chunks of 1024 rows apart
        if (i % 40000 != 0) continue;
        const long sure = i - 32 * 1024;
        if (write(pipe, &sure, sizeof sure) != sizeof sure) _exit(1);
    }
}

static void a_killed_run_can_be_read_up_to_its_last_burst(void **state)
{
    (void)state;
    char path[256], part[300];
    int ends[2], status;
    long sure = 0;
    rig_path(path, sizeof path, "killed.h5");
    snprintf(part, sizeof part, "%s.part", path);
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) write_until_killed(path, ends[1]);
    for (int i = 0; i < 3; i++) assert_int_equal(read(ends[0], &sure, sizeof sure), sizeof sure);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    close(ends[0]);
    close(ends[1]);

    const hid_t file = H5Fopen(part, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    hsize_t size[2], size_q[2];
    double *t, *q;
    char text[16] = "";
    read_set(file, "t", size, &t);
    read_set(file, "q", size_q, &q);
    assert_true(sure > 0 && (long)size[0] >= sure);
    assert_int_equal(size_q[1], 2);
    for (long i = 0; i < sure; i++) assert_true(t[i] == (double)i * 1e-6);
    // 2 m/s to the right until the floor at 0.14 s: the run was killed before or is slower after
    assert_true(fabs(q[2 * 1000] - 2 * 1000e-6) < 1e-12);
    read_attribute(file, "status", H5T_C_S1, text);
    assert_string_equal(text, "partial");
    H5Fclose(file);
    free(t);
    free(q);
    unlink(part);
}

static void a_run_that_was_cut_off_is_marked_partial(void **state)
{
    (void)state;
    char path[256], text[16] = "";
    carom_error error = {0};
    rig_path(path, sizeof path, "partial.hdf5");
    carom_model *model = rig_pendulum();
    carom_sim *sim = rig_sim(model, 1e-3, 2, 1);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    carom_output *output = attach(sim, path);
    for (int i = 0; i < 1500; i++) rig_ok(carom_sim_step(sim, &error), &error);
    rig_ok(carom_output_close(output, NULL, NULL, false, &error), &error);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    read_attribute(file, "status", H5T_C_S1, text);
    assert_string_equal(text, "partial");
    expect_group(file, "drift", sim, &rows);
    expect_group(file, "u", sim, &rows);
    H5Fclose(file);
    unlink(path);
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

// in a process of its own: files may have 4 MB here, as on a disk that fills up
static int fill_disk(const char *path)
{
    const struct rlimit most = {4 << 20, 4 << 20};
    carom_error error = {0}, nowhere = {0};
    carom_model *model = rig_ball("0.5");
    carom_sim *sim = rig_sim(model, 1e-3, 200, 1);
    carom_output *output;
    signal(SIGXFSZ, SIG_IGN);
    if (carom_output_open("/nonexistent/a.h5", sim, &head, &output, &nowhere) != CAROM_IO) return 4;
    if (output || !strstr(nowhere.message, "'/nonexistent/a.h5': No such file")) return 5;
    if (setrlimit(RLIMIT_FSIZE, &most) != 0) return 2;
    if (carom_output_open(path, sim, &head, &output, &error) != CAROM_OK) return 3;
    rig_ok(carom_sim_add_recorder(sim, carom_output_recorder(output), &error), &error);
    const carom_status run = carom_sim_run(sim, &error);
    const bool is_told = strstr(error.message, path) && strstr(error.message, "too large");
    const carom_status close = carom_output_close(output, NULL, NULL, false, &error);
    carom_sim_free(sim);
    carom_model_free(model);
    return run == CAROM_IO && is_told && close == CAROM_IO ? 0 : 1;
}

static void failures_are_told_by_path_and_reason_and_never_printed(void **state)
{
    (void)state;
    char path[256], part[300], said[300];
    int status = -1;
    struct stat facts;
    rig_path(path, sizeof path, "full.h5");
    rig_path(said, sizeof said, "full.said");
    snprintf(part, sizeof part, "%s.part", path);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const int file = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (dup2(file, 1) < 0 || dup2(file, 2) < 0) _exit(9);
        exit(fill_disk(path)); // with what HDF5 does at exit
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(stat(said, &facts), 0);
    assert_int_equal(facts.st_size, 0);
    unlink(part);
    unlink(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_back_is_what_was_recorded),
        cmocka_unit_test(a_killed_run_can_be_read_up_to_its_last_burst),
        cmocka_unit_test(a_run_that_was_cut_off_is_marked_partial),
        cmocka_unit_test(failures_are_told_by_path_and_reason_and_never_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
