// SPDX-License-Identifier: Apache-2.0
// Contact sets that change: balls find their partners by proximity and share few slots (an empty
// slot has an infinite gap and no row). The motion must be that of a model which has every pair as
// a contact of its own, always.
#include "model/box_rig.h"

static carom_contact_facts contact[N_ALL];

static void expect_same_motion(const char *scheme, const carom_sim *one, const carom_sim *other)
{
    for (int i = 0; i < 2 * N; i++) {
        near(scheme, carom_sim_state(one)->q[i], carom_sim_state(other)->q[i], 1e-10);
        near(scheme, carom_sim_state(one)->u[i], carom_sim_state(other)->u[i], 1e-8);
    }
}

static void slots_taken_by_proximity_give_the_motion_of_all_pairs(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_midpoint", "schatzman_paoli",
                                          "moreau_jean_explicit", "tdg_velocity"};
    fill_facts(contact, 0.8, 0.8);
    for (int k = 0; k < 4; k++) {
        box few = {.has_slots = true}, many = {.has_slots = false};
        carom_model *slots = box_model(&few, contact), *all = box_model(&many, contact);
        // long enough for a hundred impacts, short enough that they do not amplify
        // rounding above 1e-10
        carom_sim *one = sim_of(slots, schemes[k], 1e-3, 0.25),
                  *other = sim_of(all, schemes[k], 1e-3, 0.25);
        run_to_end(one);
        run_to_end(other);
        assert_true(few.most_used > 20);
        assert_true(carom_sim_counts(one).contact_steps > 30);
        assert_int_equal(carom_sim_counts(one).contact_steps,
                         carom_sim_counts(other).contact_steps);
        assert_int_equal(carom_sim_counts(one).events, carom_sim_counts(other).events);
        expect_same_motion(schemes[k], one, other);
        carom_audit audit, same;
        carom_error error = {0};
        must(carom_sim_audit(one, &audit, NULL, &error), &error);
        must(carom_sim_audit(other, &same, NULL, &error), &error);
        near("smallest gap", audit.min_gap, same.min_gap, 1e-10);
        assert_true(audit.min_gap > -0.02 && audit.min_gap < 0);
        carom_sim_free(one);
        carom_sim_free(other);
        carom_model_free(slots);
        carom_model_free(all);
        assert_int_equal(few.n_open, 0);
    }
}

// facts by slot: walls that rebound otherwise than pairs, in the same slots
static void restitution_goes_with_the_contact_not_with_its_slot(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_midpoint", "moreau_jean", "tdg_velocity"};
    for (int k = 0; k < 3; k++) {
        box few = {.has_slots = true, .wall_e = 0.3}, many = {.has_slots = false};
        fill_facts(contact, 0.8, 0.3);
        carom_model *all = box_model(&many, contact);
        fill_facts(contact, 0.8, 0.8);
        carom_model *slots = box_model(&few, contact);
        carom_sim *one = sim_of(slots, schemes[k], 1e-3, 0.25),
                  *other = sim_of(all, schemes[k], 1e-3, 0.25);
        run_to_end(one);
        run_to_end(other);
        expect_same_motion(schemes[k], one, other);
        assert_true(carom_model_contact(slots, 0)->e == 0.8); // the model is as it was made
        carom_sim_free(one);
        carom_sim_free(other);
        carom_model_free(slots);
        carom_model_free(all);
    }
}

// two runs of one model, step by step in turns, from other places: each has its own contacts
static void simulations_of_one_model_do_not_share_contacts(void **state)
{
    (void)state;
    fill_facts(contact, 0.8, 0.8);
    box user = {.has_slots = true};
    carom_model *model = box_model(&user, contact);
    carom_error error = {0};
    carom_sim *alone = sim_of(model, "moreau_midpoint", 1e-3, 0.2),
              *first = sim_of(model, "moreau_midpoint", 1e-3, 0.2),
              *second = sim_of(model, "moreau_midpoint", 2e-3, 0.2);
    run_to_end(alone);
    assert_true(user.n_open >= 3);
    while (!carom_sim_is_done(first)) {
        must(carom_sim_step(first, &error), &error);
        if (!carom_sim_is_done(second)) must(carom_sim_step(second, &error), &error);
    }
    const carom_state *a = carom_sim_state(alone), *b = carom_sim_state(first);
    assert_memory_equal(a->q, b->q, sizeof(double) * 2 * N);
    assert_memory_equal(a->P, b->P, sizeof(double) * N_SLOT);
    carom_sim_free(alone);
    carom_sim_free(first);
    carom_sim_free(second);
    carom_model_free(model);
    assert_int_equal(user.n_open, 0);
}

// what slots held in the step before
static void look_at_slots(const carom_sim *sim, carom_slot *slot)
{
    for (int c = 0; c < N_SLOT; c++) slot[c] = carom_sim_slot(sim, c);
}

static int find_key(const carom_slot *slot, unsigned long long key)
{
    for (int c = 0; c < N_SLOT; c++)
        if (slot[c].key == key) return c;
    return -1;
}

static void a_contact_keeps_its_slot_while_it_is_near(void **state)
{
    (void)state;
    carom_slot before[N_SLOT], after[N_SLOT];
    fill_facts(contact, 0.8, 0.8);
    box user = {.has_slots = true};
    carom_model *model = box_model(&user, contact);
    carom_sim *sim = sim_of(model, "moreau_midpoint", 1e-3, 0.9);
    carom_error error = {0};
    int n_kept = 0, n_new = 0, n_gone = 0;
    look_at_slots(sim, before);
    while (!carom_sim_is_done(sim)) {
        must(carom_sim_step(sim, &error), &error);
        look_at_slots(sim, after);
        for (int c = 0; c < N_SLOT; c++) {
            if (before[c].key && before[c].key == after[c].key) {
                assert_int_equal(after[c].generation, before[c].generation);
                n_kept++;
            } else if (after[c].key) { // another one, which had no slot before
                assert_int_equal(after[c].generation, before[c].generation + 1);
                assert_int_equal(find_key(before, after[c].key), -1);
                n_new++;
            }
            if (!before[c].key || before[c].key == after[c].key) continue;
            assert_int_equal(find_key(after, before[c].key), -1);
            n_gone++;
        }
        memcpy(before, after, sizeof before);
    }
    assert_true(n_kept > 1000 && n_new > 50 && n_gone > 20);
    carom_sim_free(sim);
    carom_model_free(model);
}

// ---- a scheme that marks all it can by contact, and looks at the marks it finds ----

typedef struct marks {
    carom_slot slot[N_SLOT];
    long n_clear, n_kept;
} marks;
static marks seen_marks;

static int n_marks(const carom_model *model)
{
    return carom_model_sizes(model).n_contact;
}

static void forget_mark(const carom_step *s, carom_state *state, int c)
{
    (void)s;
    state->memory[c] = 0;
}

static carom_status mark_step(carom_step *s, const carom_state *now, carom_state *next)
{
    marks *m = &seen_marks;
    for (int c = 0; c < N_SLOT; c++) {
        const carom_slot is = carom_plan_slot(s->plan, c);
        const bool is_same =
            is.key && is.key == m->slot[c].key && is.generation == m->slot[c].generation;
        const double mark = is_same ? 7 : 0;
        assert_true(now->P[c] == mark && now->la[c] == mark && now->memory[c] == mark);
        assert_true(next->P[c] == mark && next->memory[c] == mark); // which starts as a copy
        assert_int_equal(now->is_active[c], is_same);
        *(is_same ? &m->n_kept : &m->n_clear) += 1;
        m->slot[c] = is;
        next->P[c] = next->la[c] = next->memory[c] = is.key ? 7 : 0;
        next->is_active[c] = is.key != 0;
    }
    for (int i = 0; i < 2 * N; i++) next->u[i] = sin(3.0 * i);
    carom_model_move(s->model, now->q, next->u, s->h, next->q);
    return CAROM_OK;
}

static void a_slot_that_changes_hands_forgets_all(void **state)
{
    (void)state;
    static const unsigned mask[] = {CAROM_GAPS, 0};
    const carom_scheme scheme = {.name = "marks",
                                 .about = "",
                                 .mask = mask,
                                 .n_eval = 1,
                                 .has_contact = true,
                                 .memory = {.n = n_marks, .forget = forget_mark},
                                 .step = mark_step};
    fill_facts(contact, 0.8, 0.8);
    box user = {.has_slots = true};
    carom_model *model = box_model(&user, contact);
    carom_sim_options options = carom_sim_default();
    options.own_scheme = &scheme;
    options.step = 0.02;
    options.end = 1;
    carom_sim *sim;
    carom_error error = {0};
    seen_marks = (marks){0};
    must(carom_sim_new(model, &options, &sim, &error), &error);
    must(carom_sim_run(sim, &error), &error);
    assert_true(seen_marks.n_kept > 500 && seen_marks.n_clear > 500);
    carom_sim_free(sim);
    carom_model_free(model);
}

// event_driven and step control have memory by contacts as well
static void schemes_with_memory_by_contact_take_slots(void **state)
{
    (void)state;
    fill_facts(contact, 0.5, 0.5);
    for (int k = 0; k < 2; k++) {
        box few = {.has_slots = true}, many = {.has_slots = false};
        carom_model *model[2] = {box_model(&few, contact), box_model(&many, contact)};
        carom_sim *sim[2];
        carom_error error = {0};
        for (int i = 0; i < 2; i++) {
            carom_sim_options options = carom_sim_default();
            options.scheme = k ? "moreau_midpoint" : "event_driven";
            options.tolerance = k ? 1e-4 : 1e-8;
            options.is_auto_step = k == 1;
            options.step = k ? 0 : 2e-3; // contacts are near when they are closer than 0.1 m
            options.end = 0.2;
            must(carom_sim_new(model[i], &options, &sim[i], &error), &error);
            must(carom_sim_run(sim[i], &error), &error);
        }
        assert_true(carom_sim_counts(sim[0]).events > 20);
        assert_int_equal(carom_sim_counts(sim[0]).events, carom_sim_counts(sim[1]).events);
        expect_same_motion(k ? "step auto" : "event_driven", sim[0], sim[1]);
        for (int i = 0; i < 2; i++) {
            carom_sim_free(sim[i]);
            carom_model_free(model[i]);
        }
    }
}

static void schatzman_paoli_refuses_changing_rows_with_two_restitutions(void **state)
{
    (void)state;
    fill_facts(contact, 0.8, 0.8);
    box few = {.has_slots = true, .wall_e = 0.5};
    carom_model *model = box_model(&few, contact);
    carom_sim_options options = carom_sim_default();
    options.scheme = "schatzman_paoli";
    options.step = 1e-3;
    options.end = 1;
    carom_sim *sim = NULL;
    carom_error error = {0};
    must(carom_sim_new(model, &options, &sim, &error), &error);
    // as soon as a pair and a wall are near together
    assert_int_equal(carom_sim_run(sim, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "one restitution"));
    carom_sim_free(sim);
    carom_model_free(model);
}

static void expect_refusal(box *user, int n_contact, carom_status status, const char *words)
{
    carom_error error = {0};
    carom_callbacks given = box_callbacks(user, contact);
    given.n_contact = n_contact;
    carom_model *model = NULL;
    assert_int_equal(carom_model_from_callbacks(&given, &model, &error), status);
    if (!strstr(error.message, words)) fail_msg("'%s' lacks '%s'", error.message, words);
    assert_null(model);
    assert_int_equal(user->n_open, 0);
}

static void what_refresh_says_is_checked(void **state)
{
    (void)state;
    fill_facts(contact, 0.8, 0.8);
    box crowded = {.has_slots = true}, silent = {.has_slots = true, .is_silent = true},
        twice = {.has_slots = true, .says_twice = true}, wrong = {.has_slots = true, .wall_e = 1.5};
    expect_refusal(&crowded, 3, CAROM_BAD_INPUT, "the model has 3 slots");
    expect_refusal(&silent, N_SLOT, CAROM_BUG, "carom_slots_choose");
    expect_refusal(&twice, N_SLOT, CAROM_BUG, "named twice");
    expect_refusal(&wrong, N_SLOT, CAROM_BAD_INPUT, "restitutions 0..1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_taken_by_proximity_give_the_motion_of_all_pairs),
        cmocka_unit_test(restitution_goes_with_the_contact_not_with_its_slot),
        cmocka_unit_test(simulations_of_one_model_do_not_share_contacts),
        cmocka_unit_test(a_contact_keeps_its_slot_while_it_is_near),
        cmocka_unit_test(a_slot_that_changes_hands_forgets_all),
        cmocka_unit_test(schemes_with_memory_by_contact_take_slots),
        cmocka_unit_test(schatzman_paoli_refuses_changing_rows_with_two_restitutions),
        cmocka_unit_test(what_refresh_says_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
