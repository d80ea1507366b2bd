// SPDX-License-Identifier: Apache-2.0
// The table of contacts that come and go: what recorders are told is what HDF5 files give back, by
// keys, for the contacts that are near and no others; and a run that goes on after a restart gets
// the same slots, bits and file as one that never stopped.
#include "model/box_rig.h"

#include <unistd.h>

static carom_contact_facts contact[N_ALL];

/// Lines as they came.
typedef struct lines {
    carom_contact_line *line;
    long n, room;
} lines;

static void keep_line(lines *to, const carom_contact_line *line)
{
    if (to->n == to->room) {
        to->room = 2 * to->room + 1000;
        to->line = realloc(to->line, sizeof *to->line * (size_t)to->room);
    }
    to->line[to->n++] = *line;
}

static carom_status hear_line(void *self, const carom_contact_line *line, carom_error *error)
{
    (void)error;
    keep_line(self, line);
    return CAROM_OK;
}

static carom_status read_lines(void *self, const carom_contact_line *line, long n,
                               carom_error *error)
{
    (void)error;
    for (long i = 0; i < n; i++) keep_line(self, &line[i]);
    return CAROM_OK;
}

static lines lines_of_file(const char *path)
{
    carom_error error = {0};
    carom_results *results;
    lines all = {0};
    must(carom_results_open(path, &results, &error), &error);
    must(carom_results_visit_contacts(results, (carom_lines_visitor){&all, read_lines}, &error),
         &error);
    assert_int_equal(all.n, carom_results_n_contact_line(results));
    carom_results_free(results);
    return all;
}

static void expect_same_lines(const lines *a, const lines *b)
{
    assert_int_equal(a->n, b->n);
    for (long i = 0; i < a->n; i++) {
        assert_int_equal(a->line[i].step, b->line[i].step);
        assert_true(a->line[i].key == b->line[i].key);
        const double x[] = {a->line[i].t, a->line[i].gap, a->line[i].rate, a->line[i].P,
                            a->line[i].la},
                     y[] = {b->line[i].t, b->line[i].gap, b->line[i].rate, b->line[i].P,
                            b->line[i].la};
        assert_memory_equal(x, y, sizeof x);
        assert_memory_equal(a->line[i].point, b->line[i].point, sizeof a->line[i].point);
        assert_memory_equal(a->line[i].normal, b->line[i].normal, sizeof a->line[i].normal);
        assert_memory_equal(a->line[i].body, b->line[i].body, sizeof a->line[i].body);
    }
}

static carom_output *open_output(const carom_sim *sim, const char *path)
{
    carom_error error = {0};
    carom_output *output;
    const carom_output_head head = {.model = "balls", .scheme = "moreau_midpoint"};
    must(carom_output_open(path, sim, &head, &output, &error), &error);
    return output;
}

static void record(carom_sim *sim, carom_recorder recorder)
{
    carom_error error = {0};
    must(carom_sim_add_recorder(sim, recorder, &error), &error);
}

static void the_table_has_what_recorders_are_told(void **state)
{
    (void)state;
    const char *path = "contact-table.h5";
    box user = {.has_slots = true};
    fill_facts(contact, 0.8, 0.8);
    carom_model *model = box_model(&user, contact);
    carom_sim *sim = sim_of(model, "moreau_midpoint", 1e-3, 0.25);
    carom_error error = {0};
    carom_output *output = open_output(sim, path);
    lines heard = {0};
    record(sim, carom_output_recorder(output));
    record(sim, (carom_recorder){.self = &heard, .contact = hear_line});
    run_to_end(sim);
    must(carom_output_close(output, NULL, NULL, true, &error), &error);
    lines got = lines_of_file(path);
    expect_same_lines(&heard, &got);

    // by hand: who is near, how far, and who was hit
    double P = 0;
    long n_far = 0, n_wall = 0, last = 0;
    for (long i = 0; i < got.n; i++) {
        const carom_contact_line *line = &got.line[i];
        near("time of a line", line->t, 1e-3 * (double)line->step, 1e-12);
        assert_true(line->key > 1000 && line->step >= last && line->step <= 250);
        last = line->step;
        P += line->P;
        n_far += line->gap > reach + 0.02; // chosen at the start of a step, told at its end
        const bool is_wall = line->key % 1000 < 10;
        n_wall += is_wall;
        assert_true(is_wall == isnan(line->normal[0]) && is_wall == isnan(line->point[2]));
        assert_true(line->body[0] == -1 && line->body[1] == -1); // callbacks have none
        if (!is_wall) near("normal", hypot(line->normal[0], line->normal[1]), 1, 1e-14);
    }
    assert_int_equal(last, 250);
    assert_int_equal(n_far, 0);
    assert_true(P > 1 && n_wall > 100 && got.n - n_wall > 1000);
    assert_true(got.n < 251L * N_SLOT / 2);
    free(got.line);
    free(heard.line);
    carom_sim_free(sim);
    carom_model_free(model);
    unlink(path);
}

// rows of every fifth step have the impulses of five steps
static void impulses_since_the_last_row_are_those_of_the_contact(void **state)
{
    (void)state;
    box user = {.has_slots = true};
    fill_facts(contact, 0.8, 0.8);
    carom_model *model = box_model(&user, contact);
    double P[2][1000] = {{0}}, total = 0; // by the second ball or the wall
    for (int k = 0; k < 2; k++) {
        carom_sim_options options = carom_sim_default();
        options.scheme = "moreau_midpoint";
        options.step = 1e-3;
        options.end = 0.2;
        options.every = k ? 5 : 1;
        carom_sim *sim;
        carom_error error = {0};
        lines heard = {0};
        must(carom_sim_new(model, &options, &sim, &error), &error);
        record(sim, (carom_recorder){.self = &heard, .contact = hear_line});
        run_to_end(sim);
        for (long i = 0; i < heard.n; i++) {
            const unsigned long long key = heard.line[i].key;
            P[k][key % 1000] += heard.line[i].P;
            total += heard.line[i].P;
        }
        carom_sim_free(sim);
        free(heard.line);
    }
    for (int i = 0; i < 1000; i++) near("impulses of contacts", P[1][i], P[0][i], 1e-12);
    assert_true(total > 2);
    carom_model_free(model);
}

static void run_some(carom_sim *sim, long steps)
{
    carom_error error = {0};
    for (long i = 0; i < steps; i++) must(carom_sim_step(sim, &error), &error);
}

static void a_restart_has_the_same_contacts_in_the_same_slots(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_midpoint", "moreau_jean", "ggl_unified",
                                          "nonsmooth_gen_alpha"};
    const char *path = "contact-table.state";
    fill_facts(contact, 0.8, 0.8);
    for (int k = 0; k < 4; k++) {
        box user = {.has_slots = true};
        carom_model *model = box_model(&user, contact);
        carom_error error = {0};
        carom_sim *whole = sim_of(model, schemes[k], 1e-3, 0.25),
                  *part = sim_of(model, schemes[k], 1e-3, 0.25),
                  *rest = sim_of(model, schemes[k], 1e-3, 0.25);
        run_some(whole, 200);
        run_some(part, 170);
        must(carom_sim_checkpoint(part, path, &error), &error);
        must(carom_sim_restart(rest, path, &error), &error);
        run_some(rest, 30);
        const carom_state *a = carom_sim_state(whole), *b = carom_sim_state(rest);
        assert_memory_equal(a->q, b->q, sizeof(double) * 2 * N);
        assert_memory_equal(a->u, b->u, sizeof(double) * 2 * N);
        assert_memory_equal(a->P, b->P, sizeof(double) * N_SLOT);
        assert_memory_equal(a->slot, b->slot, sizeof(carom_slot) * N_SLOT);
        assert_int_equal(carom_sim_counts(whole).events, carom_sim_counts(rest).events);
        assert_true(carom_sim_counts(rest).events > 20);
        carom_sim_free(whole);
        carom_sim_free(part);
        carom_sim_free(rest);
        carom_model_free(model);
        unlink(path);
    }
}

static void a_file_that_goes_on_has_the_table_of_one_run(void **state)
{
    (void)state;
    const char *whole = "contact-whole.h5", *joined = "contact-joined.h5", *at = "contact.state";
    fill_facts(contact, 0.8, 0.8);
    box user = {.has_slots = true};
    carom_model *model = box_model(&user, contact);
    carom_error error = {0};
    const carom_output_head head = {.model = "balls", .scheme = "moreau_midpoint"};
    for (int k = 0; k < 2; k++) {
        carom_sim *sim = sim_of(model, "moreau_midpoint", 1e-3, 0.2);
        carom_output *output = open_output(sim, k ? joined : whole);
        record(sim, carom_output_recorder(output));
        run_some(sim, k ? 120 : 200);
        if (k) must(carom_sim_checkpoint(sim, at, &error), &error);
        if (k) run_some(sim, 20); // which the run that goes on makes again
        must(carom_output_close(output, NULL, NULL, !k, &error), &error);
        carom_sim_free(sim);
    }
    carom_sim *sim = sim_of(model, "moreau_midpoint", 1e-3, 0.2);
    carom_output *output;
    must(carom_sim_restart(sim, at, &error), &error);
    must(carom_output_continue(joined, sim, &head, true, &output, &error), &error);
    record(sim, carom_output_recorder(output));
    run_some(sim, 80);
    must(carom_output_close(output, NULL, NULL, true, &error), &error);
    lines a = lines_of_file(whole), b = lines_of_file(joined);
    expect_same_lines(&a, &b);
    assert_true(a.n > 1000);
    free(a.line);
    free(b.line);
    carom_sim_free(sim);
    carom_model_free(model);
    unlink(whole);
    unlink(joined);
    unlink(at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_what_recorders_are_told),
        cmocka_unit_test(impulses_since_the_last_row_are_those_of_the_contact),
        cmocka_unit_test(a_restart_has_the_same_contacts_in_the_same_slots),
        cmocka_unit_test(a_file_that_goes_on_has_the_table_of_one_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
