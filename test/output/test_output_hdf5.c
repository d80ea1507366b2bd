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
    char name[32][64];
    read_set(file, group, size, &value);
    assert_int_equal(size[0], rows->n_row);
    const hid_t set = H5Dopen2(file, group, H5P_DEFAULT),
                names = H5Aopen(set, "names", H5P_DEFAULT), type = H5Aget_type(names),
                space = H5Aget_space(names);
    assert_int_equal(H5Sget_simple_extent_npoints(space), size[1]);
    // of fixed length, so that nothing in the file points anywhere
    assert_true(H5Tis_variable_str(type) == 0 && H5Tget_size(type) <= 64);
    const hid_t room = H5Tcopy(type);
    H5Tset_size(room, 64);
    assert_true(size[1] <= 32 && H5Aread(names, room, name) >= 0);
    H5Tclose(room);
    for (hsize_t k = 0; k < size[1]; k++) {
        const int column = rig_column(sim, name[k]);
        assert_string_equal(carom_sim_column(sim, column)->group, group);
        for (int i = 0; i < rows->n_row; i++) {
            const double kept = rig_at(rows, i, column);
            assert_memory_equal(&value[(hsize_t)i * size[1] + k], &kept, sizeof kept);
        }
    }
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
        // what is in memory has at most 64 kB
        if (i % 40000 != 0) continue;
        const long sure = i - 1000;
        if (write(pipe, &sure, sizeof sure) != sizeof sure) _exit(1);
    }
}

/// Looks at the first rows that a killed run has left.
typedef struct {
    long n, sure;
} left_rows;

static carom_status look_at_rows(void *self, const double *value, long n, carom_error *error)
{
    left_rows *left = self;
    (void)error;
    for (long i = 0; i < n; i++, left->n++) {
        assert_true(left->n > left->sure || value[2 * i] == (double)left->n * 1e-6);
        // 2 m/s to the right until the floor at 0.14 s
        if (left->n == 1000) assert_true(fabs(value[2 * i + 1] - 2 * 1000e-6) < 1e-12);
    }
    return CAROM_OK;
}

static void a_killed_run_can_be_read_up_to_its_last_second(void **state)
{
    (void)state;
    char path[256], part[300];
    int ends[2], status;
    long sure = 0;
    rig_path(path, sizeof path, "killed.h5");
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

    snprintf(part, sizeof part, "%.200s.%ld.part", path, (long)child);
    carom_error error = {0};
    carom_results *results;
    rig_ok(carom_results_open(part, &results, &error), &error);
    assert_false(carom_results_is_whole(results));
    assert_string_equal(carom_results_head(results)->scheme, "moreau_midpoint");
    assert_true(carom_results_n_row(results) >= sure);
    const int column[] = {carom_results_find(results, "t"), carom_results_find(results, "x")};
    left_rows left = {.sure = sure};
    rig_ok(
        carom_results_visit(results, column, 2, (carom_rows_visitor){&left, look_at_rows}, &error),
        &error);
    assert_int_equal(left.n, carom_results_n_row(results));
    carom_results_free(results);
    unlink(part);
    snprintf(part, sizeof part, "%.200s.lock", path);
    assert_int_equal(unlink(part), 0);
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

// in a process of its own: files may have so many bytes, as on a disk that fills up. Steps says
// whether that is too little for the journal, or only for the file that is made from it
static int fill_disk(const char *path, rlim_t bytes, double end)
{
    const struct rlimit most = {bytes, bytes};
    carom_error error = {0}, nowhere = {0};
    carom_model *model = rig_ball("0.5");
    carom_sim *sim = rig_sim(model, 1e-3, end, 1);
    carom_output *output;
    signal(SIGXFSZ, SIG_IGN);
    if (carom_output_open("/nonexistent/a.h5", sim, &head, &output, &nowhere) != CAROM_IO) return 4;
    if (output || !strstr(nowhere.message, "'/nonexistent/a.h5': No such file")) return 5;
    if (setrlimit(RLIMIT_FSIZE, &most) != 0) return 2;
    if (carom_output_open(path, sim, &head, &output, &error) != CAROM_OK) return 3;
    rig_ok(carom_sim_add_recorder(sim, carom_output_recorder(output), &error), &error);
    const carom_status run = carom_sim_run(sim, &error);
    const carom_status close = carom_output_close(output, NULL, NULL, run == CAROM_OK, &error);
    const bool is_told = strstr(error.message, path) && strstr(error.message, "too large") &&
                         strstr(error.message, ".part'");
    carom_sim_free(sim);
    carom_model_free(model);
    return run == (end > 100 ? CAROM_IO : CAROM_OK) && is_told && close == CAROM_IO ? 0 : 1;
}

static void expect_failure(rlim_t bytes, double end)
{
    char path[256], part[300], said[300];
    int status = -1;
    struct stat facts;
    rig_path(path, sizeof path, "full.h5");
    rig_path(said, sizeof said, "full.said");
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const int file = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (dup2(file, 1) < 0 || dup2(file, 2) < 0) _exit(9);
        exit(fill_disk(path, bytes, end)); // with what HDF5 does at exit
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(stat(said, &facts), 0);
    assert_int_equal(facts.st_size, 0);
    // what was written is still there
    snprintf(part, sizeof part, "%.200s.%ld.part", path, (long)child);
    carom_error error = {0};
    carom_results *results;
    rig_ok(carom_results_open(part, &results, &error), &error);
    assert_true(carom_results_n_row(results) > (end > 100 ? 1000 : 5000));
    carom_results_free(results);
    unlink(part);
    unlink(said);
}

static void failures_are_told_by_path_and_reason_and_never_printed(void **state)
{
    (void)state;
    expect_failure(4 << 20, 200);
    expect_failure(900000, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_back_is_what_was_recorded),
        cmocka_unit_test(a_killed_run_can_be_read_up_to_its_last_second),
        cmocka_unit_test(a_run_that_was_cut_off_is_marked_partial),
        cmocka_unit_test(failures_are_told_by_path_and_reason_and_never_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
