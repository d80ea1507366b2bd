// SPDX-License-Identifier: Apache-2.0
// Files that go on after a restart, through the library: every scheme of the table and step
// control, CSV, HDF5 and events; and journals that are cut off or damaged anywhere.
// label: slow
#include "sim/sim_rig.h"

#include <sys/stat.h>

typedef struct files {
    char rows[256], events[256], checkpoint[256];
} files;

static files name_files(const char *lead, const char *kind)
{
    files f;
    char name[64];
    snprintf(name, sizeof name, "%s.%s", lead, kind);
    rig_path(f.rows, sizeof f.rows, name);
    snprintf(name, sizeof name, "%s-events.csv", lead);
    rig_path(f.events, sizeof f.events, name);
    snprintf(name, sizeof name, "%s.state", lead);
    rig_path(f.checkpoint, sizeof f.checkpoint, name);
    return f;
}

static void remove_files(const files *f)
{
    char side[300];
    unlink(f->rows);
    unlink(f->events);
    unlink(f->checkpoint);
    snprintf(side, sizeof side, "%s.json", f->rows);
    unlink(side);
    snprintf(side, sizeof side, "%s.json", f->events);
    unlink(side);
}

static void expect_same(const char *a, const char *b)
{
    FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
    assert_true(x && y);
    int c, d;
    do {
        c = getc(x);
        d = getc(y);
        if (c != d) fail_msg("%s and %s differ at byte %ld", a, b, ftell(x));
    } while (c != EOF);
    fclose(x);
    fclose(y);
}

/// A run that is made in one go, or in two.
typedef struct plan {
    const carom_model *model;
    const char *scheme;
    double tolerance, output_step;
    bool is_auto;
    long stop; ///< steps of the first part
} plan;

static carom_sim *make_sim(const plan *p)
{
    carom_sim_options options = carom_sim_default();
    carom_error error = {0};
    carom_sim *sim = NULL;
    options.scheme = p->scheme;
    options.is_auto_step = p->is_auto;
    options.tolerance = p->tolerance;
    options.output_step = p->output_step;
    const bool is_adaptive = p->is_auto || p->tolerance > 0;
    options.step = is_adaptive ? 0 : 2e-3;
    options.every = p->output_step > 0 ? 1 : 3;
    options.end = 1;
    if (carom_sim_new(p->model, &options, &sim, &error) != CAROM_OK) return NULL;
    return sim;
}

static void run_part(carom_sim *sim, const files *f, bool is_restarted, long steps)
{
    carom_error error = {0};
    const carom_output_head head = {
        .model = "m", .scheme = carom_sim_scheme(sim), .model_text = "x"};
    carom_output *rows, *events;
    if (is_restarted) rig_ok(carom_sim_restart(sim, f->checkpoint, &error), &error);
    rig_ok(carom_output_continue(f->rows, sim, &head, is_restarted, &rows, &error), &error);
    rig_ok(carom_output_continue_events(f->events, sim, is_restarted, &events, &error), &error);
    rig_ok(carom_sim_add_recorder(sim, carom_output_recorder(rows), &error), &error);
    rig_ok(carom_sim_add_recorder(sim, carom_output_recorder(events), &error), &error);
    for (long i = 0; i < steps && !carom_sim_is_done(sim); i++)
        rig_ok(carom_sim_step(sim, &error), &error);
    rig_ok(carom_output_sync(rows, &error), &error);
    rig_ok(carom_sim_checkpoint(sim, f->checkpoint, &error), &error);
    const carom_audit audit = rig_audit(sim);
    const carom_counts counts = carom_sim_counts(sim);
    const bool is_whole = carom_sim_is_done(sim);
    rig_ok(carom_output_close(rows, &audit, &counts, is_whole, &error), &error);
    rig_ok(carom_output_close(events, NULL, NULL, is_whole, &error), &error);
    carom_sim_free(sim);
}

static bool expect_joined(const plan *p, const char *kind)
{
    const files whole = name_files("whole", kind), parts = name_files("parts", kind);
    carom_sim *sim = make_sim(p);
    if (!sim) return false; // the scheme does not take the model
    run_part(sim, &whole, false, 1000000);
    run_part(make_sim(p), &parts, false, p->stop);
    run_part(make_sim(p), &parts, true, 3);
    run_part(make_sim(p), &parts, true, 1000000);
    expect_same(whole.rows, parts.rows);
    expect_same(whole.events, parts.events);
    expect_same(whole.checkpoint, parts.checkpoint);
    remove_files(&whole);
    remove_files(&parts);
    return true;
}

static void every_scheme_goes_on_in_its_files(void **state)
{
    (void)state;
    carom_model *model[] = {rig_block(), rig_ball("0.6"), rig_pendulum()};
    for (int i = 0; i < carom_scheme_count(); i++) {
        const char *scheme = carom_scheme_at(i)->name;
        int n = 0;
        for (int m = 0; m < 3; m++) {
            const char *kind = (i + m) % 2 ? "csv" : "h5", *other = (i + m) % 2 ? "h5" : "csv";
            const plan fixed = {.model = model[m], .scheme = scheme, .stop = 40 + m};
            // mexx takes six to eight steps
            const int stop = strcmp(scheme, "mexx") == 0 ? 2 : 20;
            const plan adaptive = {.model = model[m],
                                   .scheme = scheme,
                                   .tolerance = 1e-7,
                                   .output_step = m == 1 ? 0.013 : 0,
                                   .stop = stop};
            const plan automatic = {.model = model[m],
                                    .scheme = scheme,
                                    .tolerance = 1e-5,
                                    .is_auto = true,
                                    .stop = 30};
            n += expect_joined(&fixed, kind);
            n += expect_joined(&adaptive, other);
            n += expect_joined(&automatic, kind);
        }
        if (n == 0) fail_msg("%s runs none of the models", scheme);
    }
    for (int m = 0; m < 3; m++) carom_model_free(model[m]);
}

static void other_files_are_refused_and_kept(void **state)
{
    (void)state;
    carom_model *model = rig_block();
    const plan p = {.model = model, .scheme = "moreau_midpoint"};
    const files f = name_files("kept", "csv"), copy = name_files("copy", "csv");
    run_part(make_sim(&p), &f, false, 50);
    // a digit of the third row
    FILE *file = fopen(f.rows, "r+");
    for (int line = 0; line < 3;) line += getc(file) == '\n';
    const long at = ftell(file);
    const int digit = getc(file);
    fseek(file, at, SEEK_SET);
    putc(digit == '9' ? '8' : '9', file);
    fclose(file);
    char command[700];
    snprintf(command, sizeof command, "cp %s %s", f.rows, copy.rows);
    assert_int_equal(system(command), 0);
    carom_sim *sim = make_sim(&p);
    carom_error error = {0};
    carom_output *output;
    const carom_output_head head = {.model = "m"};
    rig_ok(carom_sim_restart(sim, f.checkpoint, &error), &error);
    assert_int_equal(carom_output_continue(f.rows, sim, &head, false, &output, &error),
                     CAROM_BAD_INPUT);
    assert_null(output);
    assert_non_null(strstr(error.message, "does not hold what this run had written"));
    expect_same(f.rows, copy.rows);
    carom_sim_free(sim);
    remove_files(&f);
    remove_files(&copy);
    carom_model_free(model);
}

/// The bytes of a journal that a process left.
static unsigned char *make_journal(const char *path, size_t *n)
{
    carom_model *model = rig_block();
    carom_sim *sim = rig_sim(model, 1e-3, 0.2, 1);
    carom_output *output;
    carom_error error = {0};
    char part[300];
    const carom_output_head head = {.model = "m", .model_text = "text"};
    rig_ok(carom_output_open(path, sim, &head, &output, &error), &error);
    rig_ok(carom_sim_add_recorder(sim, carom_output_recorder(output), &error), &error);
    rig_run(sim);
    rig_ok(carom_output_sync(output, &error), &error);
    snprintf(part, sizeof part, "%.200s.%ld.part", path, (long)getpid());
    FILE *file = fopen(part, "rb");
    assert_non_null(file);
    unsigned char *bytes = malloc(1 << 20);
    *n = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    rig_ok(carom_output_close(output, NULL, NULL, true, &error), &error);
    unlink(path);
    carom_sim_free(sim);
    carom_model_free(model);
    return bytes;
}

static carom_status count_rows(void *self, const double *value, long n, carom_error *error)
{
    (void)error;
    for (long i = 0; i < n; i++) *(double *)self += value[i] * 0 + 1;
    return CAROM_OK;
}

// opens n bytes as a journal and reads all of it; the number of rows, or -1
static long read_journal(const char *path, const unsigned char *bytes, size_t n)
{
    carom_results *results;
    carom_error error = {0};
    FILE *file = fopen(path, "wb");
    fwrite(bytes, 1, n, file);
    fclose(file);
    if (carom_results_open(path, &results, &error) != CAROM_OK) return -1;
    const int column = 0;
    double sum = 0;
    const carom_logged_event *event;
    long n_event, n_row = carom_results_n_row(results);
    if (carom_results_visit(results, &column, 1, (carom_rows_visitor){&sum, count_rows}, &error) ==
        CAROM_OK)
        assert_true(isnan(sum) || (long)sum == n_row);
    (void)carom_results_events(results, &event, &n_event, &error);
    carom_results_free(results);
    return n_row;
}

static void journals_end_before_what_is_not_whole(void **state)
{
    (void)state;
    char path[256], part[300];
    size_t n;
    rig_path(path, sizeof path, "cut.h5");
    unsigned char *bytes = make_journal(path, &n);
    snprintf(part, sizeof part, "%.200s.1.part", path);
    assert_int_equal(read_journal(part, bytes, n), 201);
    long last = -1;
    for (size_t cut = 0; cut <= n; cut += cut < 1000 ? 1 : 37) {
        const long rows = read_journal(part, bytes, cut);
        assert_true(rows >= last && rows <= 201);
        last = rows;
    }
    assert_int_equal(read_journal(part, bytes, n - 1) < 201 || last >= 200, 1);
    // a flipped bit is no crash
    for (size_t at = 0; at < n; at += at < 2000 ? 1 : 101)
        for (int bit = 0; bit < 8; bit += 3) {
            bytes[at] ^= (unsigned char)(1 << bit);
            (void)read_journal(part, bytes, n);
            bytes[at] ^= (unsigned char)(1 << bit);
        }
    free(bytes);
    unlink(part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_goes_on_in_its_files),
        cmocka_unit_test(other_files_are_refused_and_kept),
        cmocka_unit_test(journals_end_before_what_is_not_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
