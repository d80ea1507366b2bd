// SPDX-License-Identifier: Apache-2.0
// Checkpoints: a restarted run has the same bits as one that never stopped, and files that are not
// whole or not of this run are refused without touching it.
#include "sim/sim_rig.h"

#include "same_audit.h"

#include <sys/stat.h>

static void expect_same(carom_sim *a, carom_sim *b, const carom_sizes *size)
{
    const carom_state *x = carom_sim_state(a), *y = carom_sim_state(b);
    assert_memory_equal(&x->t, &y->t, sizeof x->t);
    assert_memory_equal(x->q, y->q, sizeof(double) * (size_t)size->nq);
    assert_memory_equal(x->u, y->u, sizeof(double) * (size_t)size->nu);
    assert_memory_equal(x->P, y->P, sizeof(double) * (size_t)size->n_row);
    assert_memory_equal(x->la, y->la, sizeof(double) * (size_t)size->n_row);
    const carom_audit ax = rig_audit(a), ay = rig_audit(b);
    const carom_counts cx = carom_sim_counts(a), cy = carom_sim_counts(b);
    expect_same_audit(&ax, &ay);
    assert_memory_equal(&cx, &cy, sizeof cx);
}

// runs in one go, and in two with a checkpoint after n steps
static void expect_same_bits(carom_model *model, double step, double end, long n, double first_end)
{
    char path[256];
    carom_error error = {0};
    const carom_sizes size = carom_model_sizes(model);
    rig_path(path, sizeof path, "same.chk");
    carom_sim *whole = rig_sim(model, step, end, 4), *first = rig_sim(model, step, first_end, 4),
              *second = rig_sim(model, step, end, 4);
    rig_rows all = {0}, rest = {0};
    rig_listen(whole, &all);
    rig_listen(second, &rest);
    rig_run(whole);
    for (long i = 0; i < n; i++) rig_ok(carom_sim_step(first, &error), &error);
    rig_ok(carom_sim_checkpoint(first, path, &error), &error);
    rig_ok(carom_sim_restart(second, path, &error), &error);
    rig_run(second);
    expect_same(whole, second, &size);
    // the rows are the last ones of the whole run, impulses of the broken one included
    assert_true(rest.n_row > 0 && rest.n_row < all.n_row);
    const size_t skipped = (size_t)((all.n_row - rest.n_row) * all.n_column);
    assert_memory_equal(all.value + skipped, rest.value,
                        sizeof(double) * (size_t)(rest.n_row * rest.n_column));
    for (int i = 0; i < rest.n_event; i++)
        assert_memory_equal(&rest.event[rest.n_event - 1 - i], &all.event[all.n_event - 1 - i],
                            sizeof(carom_event));
    free(all.value);
    free(rest.value);
    unlink(path);
    carom_sim_free(whole);
    carom_sim_free(first);
    carom_sim_free(second);
    carom_model_free(model);
}

static void a_restart_gives_the_same_bits_as_a_run_that_never_stopped(void **state)
{
    (void)state;
    expect_same_bits(rig_block(), 1e-3, 1, 333, 1);
    expect_same_bits(rig_block(), 1e-3, 1, 1, 1);
    expect_same_bits(rig_pendulum(), 0.01, 2, 77, 2);
    expect_same_bits(rig_ball("0.8"), 0.01, 3, 150, 3);
}

static void a_run_that_ended_can_be_continued_to_a_later_end(void **state)
{
    (void)state;
    // 3 * 0.1 is not 0.3, and the driving force depends on time: the grid must not shift
    expect_same_bits(rig_pendulum(), 0.1, 2.4, 12, 1.2);
    expect_same_bits(rig_pendulum(), 0.1, 2, 4, 0.4);
}

static carom_sim *with_scheme(const carom_model *model, const carom_scheme *scheme)
{
    carom_sim_options options = carom_sim_default();
    carom_error error = {0};
    carom_sim *sim = NULL;
    options.scheme = scheme->name;
    options.step = 0.002;
    options.end = 1;
    rig_ok(carom_sim_new(model, &options, &sim, &error), &error);
    return sim;
}

static void every_scheme_of_the_table_restarts_with_the_same_bits(void **state)
{
    (void)state;
    char path[256];
    carom_model *ball = rig_ball("0.5"), *block = rig_block();
    rig_path(path, sizeof path, "scheme.chk");
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *scheme = carom_scheme_at(i);
        carom_error error = {0};
        if (!scheme->has_contact) continue;
        const carom_model *model = scheme->has_friction ? block : ball;
        const carom_sizes size = carom_model_sizes(model);
        carom_sim *whole = with_scheme(model, scheme), *first = with_scheme(model, scheme),
                  *second = with_scheme(model, scheme);
        rig_run(whole);
        for (int k = 0; k < 177; k++) rig_ok(carom_sim_step(first, &error), &error);
        rig_ok(carom_sim_checkpoint(first, path, &error), &error);
        rig_ok(carom_sim_restart(second, path, &error), &error);
        rig_run(second);
        expect_same(whole, second, &size);
        carom_sim_free(whole);
        carom_sim_free(first);
        carom_sim_free(second);
    }
    unlink(path);
    carom_model_free(ball);
    carom_model_free(block);
}

static carom_sim *prepare(const carom_model *model, const char *path)
{
    carom_sim *sim = rig_sim(model, 0.01, 1, 1);
    carom_error error = {0};
    for (int i = 0; i < 30; i++) rig_ok(carom_sim_step(sim, &error), &error);
    rig_ok(carom_sim_checkpoint(sim, path, &error), &error);
    return sim;
}

static size_t read_all(const char *path, unsigned char *data, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t n = fread(data, 1, room, file);
    fclose(file);
    assert_true(n < room);
    return n;
}

static void write_all(const char *path, const unsigned char *data, size_t n)
{
    unlink(path); // a new file each time: some disks sync a file that is written over
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, n, file), n);
    fclose(file);
}

static void refuse(carom_sim *sim, const char *path, const char *words)
{
    carom_error error = {0};
    const carom_state before = *carom_sim_state(sim);
    const double x = before.q[0];
    assert_int_equal(carom_sim_restart(sim, path, &error), CAROM_BAD_INPUT);
    if (!strstr(error.message, words)) fail_msg("'%s' is not in '%s'", words, error.message);
    assert_non_null(strstr(error.message, path));
    assert_true(carom_sim_state(sim)->q[0] == x && carom_sim_state(sim)->t == before.t);
    assert_int_equal(carom_sim_counts(sim).steps, 0);
}

static void files_cut_at_any_length_are_refused(void **state)
{
    (void)state;
    static unsigned char data[1 << 14];
    char path[256];
    rig_path(path, sizeof path, "cut.chk");
    carom_model *model = rig_block();
    carom_sim_free(prepare(model, path));
    carom_sim *sim = rig_sim(model, 0.01, 1, 1);
    const size_t n = read_all(path, data, sizeof data);
    for (size_t i = 0; i < n; i++) {
        write_all(path, data, i);
        refuse(sim, path, i < 8 ? "is not a checkpoint" : "cut short");
    }
    data[n] = 0;
    write_all(path, data, n + 1);
    refuse(sim, path, "too long");
    unlink(path);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void a_file_with_any_byte_changed_is_refused(void **state)
{
    (void)state;
    static unsigned char data[1 << 14];
    char path[256];
    rig_path(path, sizeof path, "bit.chk");
    carom_model *model = rig_block();
    carom_sim_free(prepare(model, path));
    carom_sim *sim = rig_sim(model, 0.01, 1, 1);
    const size_t n = read_all(path, data, sizeof data);
    for (size_t i = 0; i < n; i++) {
        data[i] ^= (unsigned char)(1u << (i % 8));
        write_all(path, data, n);
        refuse(sim, path, "heckpoint");
        data[i] ^= (unsigned char)(1u << (i % 8));
    }
    carom_error error = {0};
    write_all(path, data, n);
    rig_ok(carom_sim_restart(sim, path, &error), &error);
    assert_int_equal(carom_sim_counts(sim).steps, 30);
    unlink(path);
    carom_sim_free(sim);
    carom_model_free(model);
}

// a length inside the file that points outside must not be followed, even where the checksum fits
static void lengths_that_lie_are_refused(void **state)
{
    (void)state;
    static unsigned char data[1 << 14];
    char path[256];
    rig_path(path, sizeof path, "lie.chk");
    carom_model *model = rig_block();
    carom_sim_free(prepare(model, path));
    carom_sim *sim = rig_sim(model, 0.01, 1, 1);
    const size_t n = read_all(path, data, sizeof data);
    memset(data + 24, 0xff, 8);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n - 8; i++) hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
    for (int i = 0; i < 8; i++) data[n - 8 + (size_t)i] = (unsigned char)(hash >> (8 * i));
    write_all(path, data, n);
    refuse(sim, path, "damaged");
    unlink(path);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void checkpoints_of_another_run_are_refused_with_the_difference(void **state)
{
    (void)state;
    char path[256];
    rig_path(path, sizeof path, "other.chk");
    carom_model *block = rig_block(), *ball = rig_ball("0.5");
    carom_sim_free(prepare(block, path));
    carom_sim *step = rig_sim(block, 0.02, 1, 1), *model = rig_sim(ball, 0.01, 1, 1),
              *early = rig_sim(block, 0.01, 0.2, 1);
    refuse(step, path, "its step is '0.01', here it is '0.02'");
    refuse(model, path, "its sizes");
    refuse(early, path, "give a later --end");
    unlink(path);
    carom_sim_free(step);
    carom_sim_free(model);
    carom_sim_free(early);
    carom_model_free(block);
    carom_model_free(ball);
}

static void files_that_cannot_be_read_or_written_are_told_by_name(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.5");
    carom_sim *sim = rig_sim(model, 0.1, 1, 1);
    carom_error error = {0};
    assert_int_equal(carom_sim_restart(sim, "/nonexistent/a.chk", &error), CAROM_IO);
    assert_non_null(strstr(error.message, "'/nonexistent/a.chk': No such file"));
    error = (carom_error){0};
    assert_int_equal(carom_sim_checkpoint(sim, "/nonexistent/a.chk", &error), CAROM_IO);
    assert_non_null(strstr(error.message, "'/nonexistent/a.chk': No such file"));
    assert_int_equal(carom_sim_restart(sim, "/tmp", &error), CAROM_BAD_INPUT);
    char path[256], part[280];
    struct stat facts;
    rig_path(path, sizeof path, "folder.chk");
    snprintf(part, sizeof part, "%s.part", path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(carom_sim_checkpoint(sim, path, &error), CAROM_IO);
    assert_int_not_equal(stat(part, &facts), 0); // nothing is left behind
    rmdir(path);
    carom_sim_free(sim);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_restart_gives_the_same_bits_as_a_run_that_never_stopped),
        cmocka_unit_test(a_run_that_ended_can_be_continued_to_a_later_end),
        cmocka_unit_test(every_scheme_of_the_table_restarts_with_the_same_bits),
        cmocka_unit_test(files_cut_at_any_length_are_refused),
        cmocka_unit_test(a_file_with_any_byte_changed_is_refused),
        cmocka_unit_test(lengths_that_lie_are_refused),
        cmocka_unit_test(checkpoints_of_another_run_are_refused_with_the_difference),
        cmocka_unit_test(files_that_cannot_be_read_or_written_are_told_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
