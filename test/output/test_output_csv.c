// SPDX-License-Identifier: Apache-2.0
// CSV files: side file, names, numbers that read back the same, partial files and files that cannot
// be written.
#include "sim/sim_rig.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const carom_output_head head = {.model = "rig\nof lines",
                                       .scheme = "moreau_midpoint",
                                       .solver = "auto",
                                       .version = CAROM_VERSION,
                                       .step = 0.01,
                                       .end = 1};

static char *slurp(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) < (1 << 20) - 1);
    fclose(file);
    return text;
}

static char *slurp_side(const char *path)
{
    char side[400];
    snprintf(side, sizeof side, "%.390s.json", path);
    char *text = slurp(side);
    unlink(side);
    return text;
}

static bool exists(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0;
}

static void attach(carom_sim *sim, carom_output *output)
{
    carom_error error = {0};
    rig_ok(carom_sim_add_recorder(sim, carom_output_recorder(output), &error), &error);
}

static void numbers_read_back_to_the_last_bit(void **state)
{
    (void)state;
    char path[256], part[300];
    carom_error error = {0};
    carom_model *model = rig_block();
    carom_sim *sim = rig_sim(model, 0.01, 1, 1);
    rig_rows rows = {0};
    carom_output *output;
    rig_path(path, sizeof path, "rows.csv");
    snprintf(part, sizeof part, "%.200s.%ld.part", path, (long)getpid());
    rig_ok(carom_output_open(path, sim, &head, &output, &error), &error);
    assert_true(exists(part));
    rig_listen(sim, &rows);
    attach(sim, output);
    rig_run(sim);
    rig_ok(carom_output_close(output, NULL, NULL, true, &error), &error);
    assert_true(exists(path) && !exists(part));

    char *text = slurp(path), *at = text;
    assert_int_equal(strncmp(text, "t,x,y,", 6), 0);
    at = strchr(at, '\n') + 1;
    for (int i = 0; i < rows.n_row; i++) {
        for (int k = 0; k < rows.n_column; k++) {
            const double value = strtod(at, &at), kept = rig_at(&rows, i, k);
            assert_memory_equal(&value, &kept, sizeof value);
            assert_int_equal(*at++, k == rows.n_column - 1 ? '\n' : ',');
        }
    }
    assert_int_equal(*at, 0);
    free(text);
    free(slurp_side(path));
    free(rows.value);
    unlink(path);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void the_side_file_tells_what_the_numbers_are(void **state)
{
    (void)state;
    char path[256];
    carom_error error = {0};
    carom_model *model = rig_ball("0.5");
    carom_sim *sim = rig_sim(model, 0.01, 0, 1);
    carom_output *output;
    rig_path(path, sizeof path, "head.csv");
    rig_ok(carom_output_open(path, sim, &head, &output, &error), &error);
    attach(sim, output);
    rig_run(sim);
    const double odd[11] = {0, NAN, -NAN, INFINITY, -INFINITY, 0.1, -0.0};
    const carom_recorder direct = carom_output_recorder(output);
    rig_ok(direct.row(direct.self, odd, 7, &error), &error);
    rig_ok(carom_output_close(output, NULL, NULL, true, &error), &error);
    char *text = slurp(path);
    assert_string_equal(text, "t,x,der_x,kinetic,potential,energy,gap_floor,rate_floor,P_floor,"
                              "la_floor\n"
                              "0,1,0,0,9.8100000000000005,9.8100000000000005,1,0,0,0\n"
                              "0,nan,nan,inf,-inf,0.10000000000000001,-0\n");
    free(text);
    text = slurp_side(path);
    const char *const start = "{\n  \"carom\": \"" CAROM_VERSION "\",\n"
                              "  \"model\": \"rig\\u000aof lines\",\n"
                              "  \"scheme\": \"moreau_midpoint\",\n"
                              "  \"solver\": \"auto\",\n"
                              "  \"step\": 0.01,\n"
                              "  \"end\": 1,\n"
                              "  \"run\": \"";
    assert_int_equal(strncmp(text, start, strlen(start)), 0);
    assert_non_null(strstr(text, "\",\n  \"status\": \"whole\",\n  \"columns\": [\n"
                                 "    {\"csv\": \"t\", \"name\": \"t\", \"unit\": \"s\", "));
    assert_non_null(strstr(text, "{\"csv\": \"P_floor\", \"name\": \"P_floor\", \"unit\": \"N s\", "
                                 "\"group\": \"P\"}"));
    free(text);
    unlink(path);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void names_hold_letters_digits_and_underscores(void **state)
{
    (void)state;
    char path[256];
    carom_error error = {0};
    carom_model *model = NULL;
    const carom_family single = {.n = 0},
                       family = {.n = 2,
                                 .range = {{rig_text("i"), rig_text("1"), rig_text("1")},
                                           {rig_text("j"), rig_text("2"), rig_text("2")}}};
    carom_builder *builder = carom_builder_new();
    rig_ok(carom_builder_coordinate(builder, rig_text("x[i,j]"), &family, rig_text("0"),
                                    rig_text(NULL), &error),
           &error);
    rig_ok(carom_builder_energy(builder, CAROM_KINETIC, &single, rig_text("der(x[1,2])^2"), &error),
           &error);
    rig_ok(carom_builder_finish(builder, &model, &error), &error);
    carom_builder_free(builder);
    carom_sim *sim = rig_sim(model, 0.01, 0, 1);
    carom_output *output;
    rig_path(path, sizeof path, "comma.csv");
    rig_ok(carom_output_open(path, sim, &head, &output, &error), &error);
    rig_ok(carom_output_close(output, NULL, NULL, true, &error), &error);
    char *text = slurp(path);
    assert_int_equal(strncmp(text, "t,x_1_2,der_x_1_2,kinetic,", 26), 0);
    free(text);
    text = slurp_side(path);
    assert_non_null(strstr(text, "\"csv\": \"x_1_2\", \"name\": \"x[1,2]\""));
    free(text);
    unlink(path);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void names_that_would_be_one_are_refused_with_both(void **state)
{
    (void)state;
    char path[256];
    carom_error error = {0};
    const rig_texts texts = {.coordinate = {{"a[1]", "0", NULL}, {"a_1", "0", NULL}},
                             .kinetic = "(der(a[1])^2 + der(a_1)^2)/2"};
    carom_model *model = rig_model(&texts);
    carom_sim *sim = rig_sim(model, 0.01, 1, 1);
    carom_output *output;
    rig_path(path, sizeof path, "clash.csv");
    assert_int_equal(carom_output_open(path, sim, &head, &output, &error), CAROM_BAD_INPUT);
    assert_null(output);
    assert_non_null(strstr(error.message, "'a[1]' and 'a_1'"));
    assert_false(exists(path));
    carom_sim_free(sim);
    carom_model_free(model);
}

static void a_run_that_was_cut_off_is_marked_beside_the_file(void **state)
{
    (void)state;
    char path[256];
    carom_error error = {0};
    carom_model *model = rig_ball("0.5");
    carom_sim *sim = rig_sim(model, 0.25, 1, 1);
    carom_output *output;
    rig_path(path, sizeof path, "partial.csv");
    rig_ok(carom_output_open(path, sim, &head, &output, &error), &error);
    attach(sim, output);
    rig_ok(carom_sim_step(sim, &error), &error);
    carom_output_reason(output, "a \"hand\"");
    rig_ok(carom_output_close(output, NULL, NULL, false, &error), &error);
    carom_results *results;
    rig_ok(carom_results_open(path, &results, &error), &error);
    assert_false(carom_results_is_whole(results));
    assert_string_equal(carom_results_head(results)->model, "rig\nof lines");
    assert_string_equal(carom_results_column(results, 8)->unit, "N s");
    carom_results_free(results);
    char *text = slurp_side(path);
    assert_non_null(strstr(text,
                           "\"status\": \"partial\",\n  \"cut_off\": \"the run was cut off after "
                           "t = 0.25: a \\\"hand\\\"\",\n"));
    free(text);
    unlink(path);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void events_are_written_with_contact_and_kind_as_words(void **state)
{
    (void)state;
    char path[256], line[200];
    carom_error error = {0};
    carom_model *model = rig_ball("0");
    carom_sim *sim = rig_sim(model, 1e-3, 1, 1);
    carom_output *output;
    rig_rows rows = {0};
    rig_path(path, sizeof path, "events.csv");
    rig_ok(carom_output_open_events(path, sim, &output, &error), &error);
    attach(sim, output);
    rig_listen(sim, &rows);
    rig_run(sim);
    rig_ok(carom_output_close(output, NULL, NULL, true, &error), &error);
    char *text = slurp(path);
    assert_int_equal(rows.n_event, 2);
    const carom_event *e = &rows.event[1];
    snprintf(line, sizeof line, "\n%.17g,floor,impact,%.17g,%.17g,%.17g,%.17g\n", e->t,
             e->rate_before, e->rate_after, e->P, e->energy_lost);
    const char *const names = "t,contact,kind,rate_before,rate_after,P,energy_lost\n";
    assert_int_equal(strncmp(text, names, strlen(names)), 0);
    assert_non_null(strstr(text, line));
    free(text);
    free(slurp_side(path));
    free(rows.value);
    unlink(path);
    carom_sim_free(sim);
    carom_model_free(model);
}

static carom_status try_open(const char *path, const carom_sim *sim, carom_error *error)
{
    carom_output *output;
    *error = (carom_error){0};
    const carom_status status = carom_output_open(path, sim, &head, &output, error);
    assert_null(output);
    assert_non_null(strstr(error->message, path));
    return status;
}

static void paths_that_cannot_be_written_are_refused_at_once(void **state)
{
    (void)state;
    carom_error error;
    char path[256];
    carom_model *model = rig_ball("0");
    carom_sim *sim = rig_sim(model, 1e-3, 1, 1);
    assert_int_equal(try_open("/nonexistent/a.csv", sim, &error), CAROM_IO);
    assert_non_null(strstr(error.message, "No such file"));
    assert_int_equal(try_open("a.txt", sim, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "must end with .csv"));
    rig_path(path, sizeof path, "folder.csv");
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(try_open(path, sim, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "folder"));
    rmdir(path);
    carom_sim_free(sim);
    carom_model_free(model);
}

// in a process of its own: files may have 64 kB here, as on a disk that fills up
static int fill_disk(const char *path)
{
    const struct rlimit most = {65536, 65536};
    carom_error error = {0};
    carom_model *model = rig_ball("0.5");
    carom_sim *sim = rig_sim(model, 1e-3, 20, 1);
    carom_output *output;
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &most) != 0) return 2;
    if (carom_output_open(path, sim, &head, &output, &error) != CAROM_OK) return 3;
    attach(sim, output);
    const carom_status run = carom_sim_run(sim, &error);
    const bool is_told = strstr(error.message, path) && strstr(error.message, "too large");
    const carom_status close = carom_output_close(output, NULL, NULL, false, &error);
    carom_sim_free(sim);
    carom_model_free(model);
    return run == CAROM_IO && is_told && close == CAROM_IO ? 0 : 1;
}

static void a_disk_that_fills_up_stops_the_run_with_path_and_reason(void **state)
{
    (void)state;
    char path[256], part[300];
    int status = -1;
    rig_path(path, sizeof path, "full.csv");
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) _exit(fill_disk(path));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_false(exists(path));
    // what was written can be read, up to its last whole line
    snprintf(part, sizeof part, "%.200s.%ld.part", path, (long)child);
    carom_error error = {0};
    carom_results *results;
    rig_ok(carom_results_open(part, &results, &error), &error);
    assert_true(carom_results_n_row(results) > 100);
    assert_int_equal(strncmp(carom_results_cut_off(results), "cut off after line ", 19), 0);
    carom_results_free(results);
    unlink(part);
    free(slurp_side(part));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_read_back_to_the_last_bit),
        cmocka_unit_test(the_side_file_tells_what_the_numbers_are),
        cmocka_unit_test(names_hold_letters_digits_and_underscores),
        cmocka_unit_test(names_that_would_be_one_are_refused_with_both),
        cmocka_unit_test(a_run_that_was_cut_off_is_marked_beside_the_file),
        cmocka_unit_test(events_are_written_with_contact_and_kind_as_words),
        cmocka_unit_test(paths_that_cannot_be_written_are_refused_at_once),
        cmocka_unit_test(a_disk_that_fills_up_stops_the_run_with_path_and_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
