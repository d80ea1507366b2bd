// SPDX-License-Identifier: Apache-2.0
// Which slot a contact gets: that of a plain search, whatever comes, goes, comes back, is tried
// again or starts from another state; and what is changed in facts is given back.
#include "model/model_rig.h"

#include "model/slots/slots.h"

#include <stdint.h>

enum { N_SLOT = 40, N_STEP = 4000, N_WORLD = 60 };

typedef struct world {
    unsigned long long key[N_SLOT];
    int n, at[N_SLOT];
    carom_slots *slots;
} world;

static int mass(void *user, double t, const double *q, double *M)
{
    (void)user, (void)t, (void)q;
    M[0] = 1;
    return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *f)
{
    (void)user, (void)t, (void)q, (void)u;
    f[0] = 0;
    return 0;
}

static int gaps(void *user, double t, const double *q, double *constraint, double *gap)
{
    (void)user, (void)t, (void)q, (void)constraint;
    for (int c = 0; c < N_SLOT; c++) gap[c] = INFINITY;
    return 0;
}

static int rows(void *user, double t, const double *q, const carom_row_lists *lists)
{
    (void)user, (void)t, (void)q;
    for (int c = 0; c <= N_SLOT; c++) lists->start[c] = 0;
    memset(lists->w0, 0, sizeof(double) * N_SLOT);
    return 0;
}

static int refresh(void *user, double t, const double *q, const double *u, double h,
                   carom_slots *slots)
{
    world *w = user;
    (void)t, (void)q, (void)u, (void)h;
    w->slots = slots;
    if (carom_slots_choose(slots, w->n, w->key, w->at)) return 1;
    for (int i = 0; i < w->n; i++)
        if (w->key[i] % 3) carom_slots_set(slots, w->at[i], 1.0 / (double)w->key[i], 0, 0);
    return 0;
}

// what slots hold, by looking through all of them
static void choose_plainly(const world *w, carom_slot *slot)
{
    for (int s = 0; s < N_SLOT; s++) {
        bool is_there = false;
        for (int i = 0; i < w->n; i++) is_there |= slot[s].key == w->key[i];
        if (!is_there) slot[s].key = 0;
    }
    for (int i = 0; i < w->n; i++) {
        int free = -1;
        bool is_held = false;
        for (int s = N_SLOT - 1; s >= 0; s--) {
            is_held |= slot[s].key == w->key[i];
            if (slot[s].key == 0) free = s;
        }
        if (is_held) continue;
        slot[free].key = w->key[i];
        slot[free].generation++;
    }
}

static void check(carom_plan *plan, const world *w, const carom_slot *slot)
{
    for (int s = 0; s < N_SLOT; s++) {
        const carom_slot is = carom_plan_slot(plan, s);
        const unsigned long long key = slot[s].key;
        assert_true(is.key == key && is.generation == slot[s].generation);
        const double e = key % 3 ? 1.0 / (double)key : 0.25;
        assert_true(carom_plan_contact(plan, s)->e == (key ? e : 0.25));
        if (key) assert_int_equal(carom_slots_find(w->slots, key), s);
    }
    for (int i = 0; i < w->n; i++) assert_true(slot[w->at[i]].key == w->key[i]);
    assert_int_equal(carom_slots_find(w->slots, N_WORLD + 7), -1);
}

static uint64_t seed = 20261119;
static int below(int n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((seed >> 33) % (unsigned)n);
}

// mostly what was there, in its order; now and then turned round, all gone or full
static void change_world(world *w, bool is_near[N_WORLD])
{
    const int kind = below(20), n_change = kind < 6 ? 0 : kind < 16 ? 2 : 30;
    for (int k = 0; k < n_change; k++) is_near[below(N_WORLD)] ^= 1;
    w->n = 0;
    for (int k = 0; k < N_WORLD && w->n < N_SLOT; k++)
        if (is_near[k]) w->key[w->n++] = (unsigned long long)k + 1;
    for (int i = 0; kind == 19 && i < w->n / 2; i++) {
        const unsigned long long kept = w->key[i];
        w->key[i] = w->key[w->n - 1 - i];
        w->key[w->n - 1 - i] = kept;
    }
}

static void slots_are_those_of_a_plain_search(void **state)
{
    (void)state;
    static carom_contact_facts contact[N_SLOT];
    const double q0 = 1, u0 = 0;
    world w = {.n = 0};
    carom_slot slot[N_SLOT] = {{0}}, saved[N_SLOT] = {{0}};
    bool is_near[N_WORLD] = {false};
    for (int c = 0; c < N_SLOT; c++) contact[c].e = 0.25;
    const carom_callbacks given = {.user = &w,
                                   .n = 1,
                                   .n_contact = N_SLOT,
                                   .contact = contact,
                                   .q0 = &q0,
                                   .u0 = &u0,
                                   .mass_is_constant = true,
                                   .mass = mass,
                                   .forces = force,
                                   .gaps = gaps,
                                   .sparse_rows = rows,
                                   .max_entries = 1,
                                   .changing.refresh = refresh};
    carom_error error = {0};
    carom_model *model;
    carom_plan *plan;
    const unsigned mask = CAROM_GAPS;
    const carom_point from = {.q = &q0, .u = &u0};
    assert_int_equal(carom_model_from_callbacks(&given, &model, &error), CAROM_OK);
    assert_int_equal(carom_plan_new(model, &mask, 1, &plan, &error), CAROM_OK);
    for (int step = 0; step < N_STEP; step++) {
        const bool goes_back = below(10) == 0; // a step that is tried again, or a restart
        if (goes_back) memcpy(slot, saved, sizeof slot);
        if (below(7) == 0) memcpy(saved, slot, sizeof slot);
        change_world(&w, is_near);
        const bool is_given = goes_back || below(2);
        carom_slot before[N_SLOT];
        memcpy(before, slot, sizeof slot);
        assert_int_equal(carom_plan_refresh(plan, &from, 1, is_given ? before : NULL, &error),
                         CAROM_OK);
        choose_plainly(&w, slot);
        check(plan, &w, slot);
    }
    carom_plan_free(plan);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slots_are_those_of_a_plain_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
