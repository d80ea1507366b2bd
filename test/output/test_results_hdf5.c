// SPDX-License-Identifier: Apache-2.0
// Results read back from HDF5: rows, names, units, events, audit, counts and the texts of the head.
#include "sim/sim_rig.h"

#include "same_audit.h"

#include <hdf5.h>

static const char path[] = "results-read-back.h5";
static const carom_output_head head = {.model = "rig",
                                       .scheme = "moreau_midpoint",
                                       .solver = "auto",
                                       .version = CAROM_VERSION,
                                       .step = 0.001,
                                       .end = 2,
                                       .model_path = "/tmp/ü.yaml",
                                       .model_text = "carom: 1\n# ü \"quoted\"\n",
                                       .changes = "set e=0.3\nstart x=2"};

typedef struct run {
    carom_model *model;
    carom_sim *sim;
    rig_rows rows;
    carom_audit audit;
    carom_counts counts;
} run;

// a run of the block, recorded in memory and in the file
static void record(run *r)
{
    carom_error error = {0};
    carom_output *output;
    r->model = rig_block();
    r->sim = rig_sim(r->model, 0.001, 2, 1);
    rig_ok(carom_output_open(path, r->sim, &head, &output, &error), &error);
    rig_ok(carom_sim_add_recorder(r->sim, carom_output_recorder(output), &error), &error);
    rig_listen(r->sim, &r->rows);
    rig_run(r->sim);
    r->audit = rig_audit(r->sim);
    r->counts = carom_sim_counts(r->sim);
    rig_ok(carom_output_close(output, &r->audit, &r->counts, true, &error), &error);
}

static void release(run *r)
{
    carom_sim_free(r->sim);
    carom_model_free(r->model);
    free(r->rows.value);
    unlink(path);
}

typedef struct seen {
    const rig_rows *rows;
    const int *column;
    int n;
    long at;
} seen;

static carom_status compare(void *self, const double *value, long n, carom_error *error)
{
    seen *s = self;
    (void)error;
    for (long r = 0; r < n; r++, s->at++)
        for (int i = 0; i < s->n; i++) {
            const double wanted = s->rows->value[s->at * s->rows->n_column + s->column[i]];
            assert_memory_equal(&value[r * s->n + i], &wanted, sizeof wanted);
        }
    return CAROM_OK;
}

static void rows_are_read_back_bit_for_bit(void **state)
{
    (void)state;
    run r = {0};
    carom_error error = {0};
    carom_results *results;
    record(&r);
    rig_ok(carom_results_open(path, &results, &error), &error);
    assert_int_equal(carom_results_n_column(results), carom_sim_n_column(r.sim));
    assert_int_equal(carom_results_n_row(results), r.rows.n_row);
    int all[64];
    for (int i = 0; i < carom_results_n_column(results); i++) {
        const carom_column *a = carom_results_column(results, i), *b = carom_sim_column(r.sim, i);
        assert_string_equal(a->name, b->name);
        assert_string_equal(a->unit, b->unit);
        assert_string_equal(a->group, b->group);
        all[i] = i;
    }
    // all columns, then some in another order; a second visit starts again
    seen every = {&r.rows, all, carom_results_n_column(results), 0};
    rig_ok(
        carom_results_visit(results, all, every.n, (carom_rows_visitor){&every, compare}, &error),
        &error);
    assert_int_equal(every.at, r.rows.n_row);
    const int some[] = {carom_results_find(results, "gap_floor"), 0, 2};
    seen few = {&r.rows, some, 3, 0};
    rig_ok(carom_results_visit(results, some, 3, (carom_rows_visitor){&few, compare}, &error),
           &error);
    assert_int_equal(few.at, r.rows.n_row);
    carom_results_free(results);
    release(&r);
}

static void head_audit_and_events_are_read_back(void **state)
{
    (void)state;
    run r = {0};
    carom_error error = {0};
    carom_results *results;
    const carom_logged_event *event;
    long n;
    record(&r);
    rig_ok(carom_results_open(path, &results, &error), &error);
    const carom_output_head *h = carom_results_head(results);
    assert_string_equal(h->model, head.model);
    assert_string_equal(h->scheme, head.scheme);
    assert_string_equal(h->model_path, head.model_path);
    assert_string_equal(h->model_text, head.model_text);
    assert_string_equal(h->changes, head.changes);
    assert_string_equal(h->options, "");
    assert_true(h->step == head.step && h->end == head.end);
    assert_true(carom_results_is_whole(results));
    expect_same_audit(carom_results_audit(results), &r.audit);
    assert_memory_equal(carom_results_counts(results), &r.counts, sizeof r.counts);
    rig_ok(carom_results_events(results, &event, &n, &error), &error);
    assert_int_equal(n, r.rows.n_event);
    for (long i = 0; i < n; i++) {
        assert_true(event[i].t == r.rows.event[i].t && event[i].P == r.rows.event[i].P);
        assert_string_equal(event[i].contact, "floor");
    }
    carom_results_free(results);
    release(&r);
}

static void other_files_are_refused_quietly(void **state)
{
    (void)state;
    carom_results *results;
    carom_error error = {0};
    assert_int_equal(carom_results_open("no-such.h5", &results, &error), CAROM_IO);
    assert_null(results);
    // an HDF5 file of somebody else: a 't' of another shape
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t size[3] = {2, 2, 2};
    const hid_t space = H5Screate_simple(3, size, NULL);
    H5Dclose(
        H5Dcreate2(file, "t", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Fclose(file);
    error = (carom_error){0};
    assert_int_equal(carom_results_open(path, &results, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, path));
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_read_back_bit_for_bit),
        cmocka_unit_test(head_audit_and_events_are_read_back),
        cmocka_unit_test(other_files_are_refused_quietly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
