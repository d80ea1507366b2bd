// SPDX-License-Identifier: Apache-2.0
// Contact sets that change: balls find their partners by proximity and share few slots (an empty
// slot has an infinite gap and no row). The motion must be that of a model which has every pair as
// a contact of its own, always.
#include "model/model_rig.h"

enum { N = 40, N_PAIR = N * (N - 1) / 2, N_ALL = N_PAIR + 4 * N, N_SLOT = 100 };
// radius, box, gap below which a pair takes a slot
static const double R = 0.1, width = 3, reach = 0.1;

// contact k of all: pairs first, then the four walls of each ball
static double gap_of(int i, int j, const double *q)
{
    return hypot(q[2 * j] - q[2 * i], q[2 * j + 1] - q[2 * i + 1]) - 2 * R;
}

static double wall_gap(int i, int side, const double *q)
{
    const double x = q[2 * i + side / 2];
    return side % 2 ? width - x - R : x - R;
}

// rows in the caller's sparse form, as they are written
typedef struct writer {
    int *start, *index;
    double *value;
    int n_row, n_entry;
} writer;

static void put(writer *w, int column, double value)
{
    w->index[w->n_entry] = column;
    w->value[w->n_entry++] = value;
}

static void end_row(writer *w)
{
    w->start[++w->n_row] = w->n_entry;
}

static void pair_row(writer *w, int i, int j, const double *q)
{
    const double dx = q[2 * j] - q[2 * i], dy = q[2 * j + 1] - q[2 * i + 1], d = hypot(dx, dy);
    put(w, 2 * i, -dx / d);
    put(w, 2 * i + 1, -dy / d);
    put(w, 2 * j, dx / d);
    put(w, 2 * j + 1, dy / d);
    end_row(w);
}

static void wall_row(writer *w, int i, int side)
{
    put(w, 2 * i + side / 2, side % 2 ? -1 : 1);
    end_row(w);
}

typedef struct box {
    bool has_slots;                 // else every contact is its own
    int n_used;                     // slots in use
    int one[N_SLOT], other[N_SLOT]; // the balls of a slot, or a ball and a wall as -1 - side
    int most_used;
    bool is_full;
} box;

// gaps (rows NULL) or rows of the whole set
static int fill_all(const double *q, double *gap, writer *rows)
{
    int k = 0;
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++, k++) {
            if (gap) gap[k] = gap_of(i, j, q);
            if (rows) pair_row(rows, i, j, q);
        }
    for (int i = 0; i < N; i++)
        for (int side = 0; side < 4; side++, k++) {
            if (gap) gap[k] = wall_gap(i, side, q);
            if (rows) wall_row(rows, i, side);
        }
    return 0;
}

static void take_slot(box *b, int one, int other)
{
    b->is_full |= b->n_used == N_SLOT;
    if (b->is_full) return;
    b->one[b->n_used] = one;
    b->other[b->n_used++] = other;
}

// near contacts get the slots of the step, one after the other
static int choose_slots(void *user, double t, const double *q)
{
    (void)t;
    box *b = user;
    b->n_used = 0;
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++)
            if (gap_of(i, j, q) <= reach) take_slot(b, i, j);
    for (int i = 0; i < N; i++)
        for (int side = 0; side < 4; side++)
            if (wall_gap(i, side, q) <= reach) take_slot(b, i, -1 - side);
    b->most_used = b->n_used > b->most_used ? b->n_used : b->most_used;
    return 0;
}

static int fill_slots(const box *b, const double *q, double *gap, writer *rows)
{
    for (int k = 0; k < N_SLOT; k++) {
        const int i = b->one[k], j = b->other[k];
        const bool is_used = k < b->n_used, is_pair = j >= 0;
        if (gap) gap[k] = !is_used ? INFINITY : is_pair ? gap_of(i, j, q) : wall_gap(i, -1 - j, q);
        if (!rows) continue;
        if (!is_used)
            end_row(rows);
        else if (is_pair)
            pair_row(rows, i, j, q);
        else
            wall_row(rows, i, -1 - j);
    }
    return 0;
}

static int box_gaps(void *user, double t, const double *q, double *constraint, double *gap)
{
    (void)t, (void)constraint;
    box *b = user;
    return b->has_slots ? fill_slots(b, q, gap, NULL) : fill_all(q, gap, NULL);
}

static int box_rows(void *user, double t, const double *q, const carom_row_lists *lists)
{
    (void)t;
    box *b = user;
    writer rows = {lists->start, lists->index, lists->W, 0, 0};
    lists->start[0] = 0;
    memset(lists->w0, 0, sizeof(double) * (size_t)(b->has_slots ? N_SLOT : N_ALL));
    return b->has_slots ? fill_slots(b, q, NULL, &rows) : fill_all(q, NULL, &rows);
}

static int unit_mass(void *user, double t, const double *q, double *M)
{
    (void)user, (void)t, (void)q;
    for (int i = 0; i < 2 * N; i++) M[i] = 1;
    return 0;
}

static int falling(void *user, double t, const double *q, const double *u, double *f)
{
    (void)user, (void)t, (void)q, (void)u;
    for (int i = 0; i < N; i++) {
        f[2 * i] = 0;
        f[2 * i + 1] = -9.81;
    }
    return 0;
}

// balls on a grid with random velocities
static carom_model *box_model(box *user, const carom_contact_facts *contact)
{
    static double q0[2 * N], u0[2 * N];
    int start[2 * N + 1], index[2 * N];
    uint64_t seed = 7;
    for (int i = 0; i < N; i++) {
        q0[2 * i] = 0.25 + 0.35 * (i % 8) + 0.02 * random_number(&seed);
        q0[2 * i + 1] = 0.2 + 0.35 * (i / 8.0 - (i % 8) / 8.0) + 0.02 * random_number(&seed);
        u0[2 * i] = random_number(&seed);
        u0[2 * i + 1] = random_number(&seed);
    }
    for (int i = 0; i < 2 * N; i++) start[i] = index[i] = i;
    start[2 * N] = 2 * N;
    const carom_callbacks given = {.user = user,
                                   .name = "balls in a box",
                                   .n = 2 * N,
                                   .n_contact = user->has_slots ? N_SLOT : N_ALL,
                                   .contact = contact,
                                   .q0 = q0,
                                   .u0 = u0,
                                   .mass_start = start,
                                   .mass_index = index,
                                   .mass_is_constant = true,
                                   .refresh = user->has_slots ? choose_slots : NULL,
                                   .mass = unit_mass,
                                   .forces = falling,
                                   .gaps = box_gaps,
                                   .sparse_rows = box_rows,
                                   .max_entries = 4 * (user->has_slots ? N_SLOT : N_ALL)};
    carom_error error = {0};
    carom_model *model;
    must(carom_model_from_callbacks(&given, &model, &error), &error);
    return model;
}

static void equal_facts(carom_contact_facts *contact, double e)
{
    for (int c = 0; c < N_ALL; c++) contact[c] = (carom_contact_facts){.e = e};
}

static void slots_taken_by_proximity_give_the_motion_of_all_pairs(void **state)
{
    (void)state;
    static carom_contact_facts contact[N_ALL];
    static const char *const schemes[] = {"moreau_midpoint", "schatzman_paoli",
                                          "moreau_jean_explicit", "tdg_velocity"};
    equal_facts(contact, 0.8);
    for (int k = 0; k < 4; k++) {
        box few = {.has_slots = true}, many = {.has_slots = false};
        carom_model *slots = box_model(&few, contact), *all = box_model(&many, contact);
        // long enough for a hundred impacts, short enough that they do not amplify
        // rounding above 1e-10
        carom_sim *one = sim_of(slots, schemes[k], 1e-3, 0.25),
                  *other = sim_of(all, schemes[k], 1e-3, 0.25);
        run_to_end(one);
        run_to_end(other);
        assert_false(few.is_full);
        assert_true(few.most_used > 20);
        assert_true(carom_sim_counts(one).contact_steps > 30);
        assert_int_equal(carom_sim_counts(one).contact_steps,
                         carom_sim_counts(other).contact_steps);
        for (int i = 0; i < 2 * N; i++) {
            near(schemes[k], carom_sim_state(one)->q[i], carom_sim_state(other)->q[i], 1e-10);
            near(schemes[k], carom_sim_state(one)->u[i], carom_sim_state(other)->u[i], 1e-8);
        }
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
    }
}

static void schatzman_paoli_refuses_changing_rows_with_two_restitutions(void **state)
{
    (void)state;
    static carom_contact_facts contact[N_ALL];
    equal_facts(contact, 0.8);
    contact[3].e = 0.5;
    box few = {.has_slots = true};
    carom_model *model = box_model(&few, contact);
    carom_sim_options options = carom_sim_default();
    options.scheme = "schatzman_paoli";
    options.step = 1e-3;
    options.end = 1;
    carom_sim *sim = NULL;
    carom_error error = {0};
    assert_int_equal(carom_sim_new(model, &options, &sim, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "one restitution"));
    assert_null(sim);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_taken_by_proximity_give_the_motion_of_all_pairs),
        cmocka_unit_test(schatzman_paoli_refuses_changing_rows_with_two_restitutions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
