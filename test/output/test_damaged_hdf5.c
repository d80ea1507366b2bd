// SPDX-License-Identifier: Apache-2.0
// label: slow
// Results with flipped bits. In a file of ours every flip is noticed, or changes nothing that is
// read. Where the seal was made good again, as somebody would who means harm, libhdf5 sees the
// damage: its process may crash or hang, ours goes on. So do files that once crashed the command.
#include "output/seal.h"
#include "sim/sim_rig.h"

#include <fcntl.h>
#include <hdf5.h>
#include <time.h>

enum { N_FLIP = 2000, N_FORGED = 300, N_COLUMN = 10 }; // of a ball

static uint64_t state_of_random = 88172645463325252u;
static uint64_t random_word(void)
{
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    return state_of_random ^= state_of_random << 17;
}

static uint64_t mix(uint64_t sum, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n; i++) sum = (sum ^ at[i]) * 0x100000001b3u;
    return sum;
}

static uint64_t mix_text(uint64_t sum, const char *text)
{
    return mix(sum, text, strlen(text) + 1);
}

static carom_status take(void *self, const double *value, long n, carom_error *error)
{
    (void)error;
    uint64_t *sum = self;
    *sum = mix(*sum, value, sizeof(double) * N_COLUMN * (size_t)n);
    return CAROM_OK;
}

// everything that can be read from a file as one number
static carom_status read_all(const char *path, uint64_t *sum)
{
    carom_results *results = NULL;
    carom_error error = {0};
    *sum = 0;
    const carom_status status = carom_results_open(path, &results, &error);
    if (status != CAROM_OK) {
        assert_true(error.message[0] != 0);
        return status;
    }
    const int n = carom_results_n_column(results);
    const carom_logged_event *event;
    long n_event;
    const carom_rows_visitor visitor = {.self = sum, .rows = take};
    carom_status worst = CAROM_OK;
    *sum = mix(*sum, &n, sizeof n);
    for (int i = 0; i < n; i++) {
        const carom_column *column = carom_results_column(results, i);
        *sum = mix_text(mix_text(*sum, column->name), column->unit);
    }
    if (n == N_COLUMN) {
        const int all[N_COLUMN] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        worst = carom_results_visit(results, all, n, visitor, &error);
    }
    const carom_audit *audit = carom_results_audit(results);
    const carom_counts *counts = carom_results_counts(results);
    if (audit) *sum = mix(*sum, audit, offsetof(carom_audit, min_gap_at));
    if (counts) *sum = mix(*sum, counts, sizeof *counts);
    *sum = mix_text(*sum, carom_results_head(results)->model_text);
    if (carom_results_events(results, &event, &n_event, &error) != CAROM_OK)
        worst = CAROM_BAD_INPUT;
    for (long i = 0; worst == CAROM_OK && i < n_event; i++) {
        const double number[] = {event[i].t, event[i].rate_before, event[i].rate_after, event[i].P};
        *sum = mix_text(mix(*sum, number, sizeof number), event[i].kind);
    }
    carom_results_free(results);
    return worst;
}

static size_t make_file(const char *path, unsigned char *data, size_t room)
{
    carom_error error = {0};
    carom_model *model = rig_ball("0.5");
    carom_sim *sim = rig_sim(model, 1e-2, 3, 1);
    carom_output *output = NULL;
    const carom_output_head head = {.model = "ball", .model_text = "a text that is not a model"};
    rig_ok(carom_output_open(path, sim, &head, &output, &error), &error);
    rig_ok(carom_sim_add_recorder(sim, carom_output_recorder(output), &error), &error);
    rig_run(sim);
    const carom_audit audit = rig_audit(sim);
    const carom_counts counts = carom_sim_counts(sim);
    rig_ok(carom_output_close(output, &audit, &counts, true, &error), &error);
    carom_sim_free(sim);
    carom_model_free(model);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t n = fread(data, 1, room, file);
    fclose(file);
    return n;
}

static void put_byte(int descriptor, size_t at, unsigned char byte)
{
    assert_int_equal(pwrite(descriptor, &byte, 1, (off_t)at), 1);
}

static void flips_are_noticed_or_change_nothing(void **state)
{
    (void)state;
    static unsigned char data[1 << 20];
    char path[512];
    uint64_t good, sum;
    int n_noticed = 0;
    const size_t n = make_file(rig_path(path, sizeof path, "flip.h5"), data, sizeof data);
    assert_int_equal(read_all(path, &good), CAROM_OK);
    carom_results *results = NULL;
    assert_int_equal(carom_results_open(path, &results, NULL), CAROM_OK);
    assert_int_equal(carom_results_n_column(results), N_COLUMN); // all rows are read
    assert_true(carom_results_n_row(results) > 200);
    carom_results_free(results);
    const int descriptor = open(path, O_RDWR);
    for (int i = 0; i < N_FLIP; i++) {
        const size_t at = random_word() % n;
        put_byte(descriptor, at, data[at] ^ (unsigned char)(1u << random_word() % 8));
        const carom_status status = read_all(path, &sum);
        n_noticed += status != CAROM_OK;
        if (status == CAROM_OK) assert_true(sum == good);
        put_byte(descriptor, at, data[at]);
    }
    printf("%d flips in %zu bytes: %d noticed, the others changed nothing\n", N_FLIP, n, n_noticed);
    assert_true(n_noticed > N_FLIP * 9 / 10);
    close(descriptor);
    remove(path);
}

static void forged_files_harm_nobody(void **state)
{
    (void)state;
    static unsigned char data[1 << 20];
    char path[512];
    uint64_t sum;
    int n_refused = 0;
    const size_t n = make_file(rig_path(path, sizeof path, "forged.h5"), data, sizeof data);
    const int descriptor = open(path, O_RDWR);
    const time_t start = time(NULL);
    for (int i = 0; i < N_FORGED && time(NULL) - start < 120; i++) {
        // most of the structure stands in front
        const size_t at = random_word() % (i % 2 ? 4096 : n - CAROM_SEAL_BYTES);
        put_byte(descriptor, at, data[at] ^ (unsigned char)(1u << random_word() % 8));
        assert_true(carom_seal_put(descriptor));
        n_refused += read_all(path, &sum) != CAROM_OK;
        put_byte(descriptor, at, data[at]);
    }
    printf("%d forged files: %d refused\n", N_FORGED, n_refused);
    close(descriptor);
    remove(path);
}

// a table that claims a thousand million events whose parts were never written: refused at once,
// not read for hours
static void claims_are_weighed_against_bytes(void **state)
{
    (void)state;
    static unsigned char data[1 << 20];
    char path[512];
    carom_results *results;
    carom_error error = {0};
    const carom_logged_event *event;
    long n_event;
    make_file(rig_path(path, sizeof path, "claims.h5"), data, sizeof data);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t events = H5Dopen2(file, "events", H5P_DEFAULT), type = H5Dget_type(events);
    const hid_t form = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t few[] = {64}, many[] = {1000000000}, any[] = {H5S_UNLIMITED};
    const hid_t space = H5Screate_simple(1, many, any);
    H5Pset_chunk(form, 1, few);
    assert_true(H5Ldelete(file, "events", H5P_DEFAULT) >= 0);
    const hid_t other = H5Dcreate2(file, "events", type, space, H5P_DEFAULT, form, H5P_DEFAULT);
    assert_true(other >= 0);
    H5Dclose(other);
    H5Dclose(events);
    H5Sclose(space);
    H5Pclose(form);
    H5Tclose(type);
    H5Fclose(file);
    const int descriptor = open(path, O_RDWR);
    assert_true(lseek(descriptor, 0, SEEK_END) > 0);
    assert_true(carom_seal_put(descriptor));
    close(descriptor);
    rig_ok(carom_results_open(path, &results, &error), &error);
    assert_int_equal(carom_results_events(results, &event, &n_event, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "more events than it can hold"));
    carom_results_free(results);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flips_are_noticed_or_change_nothing),
        cmocka_unit_test(forged_files_harm_nobody),
        cmocka_unit_test(claims_are_weighed_against_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
