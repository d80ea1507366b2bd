// SPDX-License-Identifier: Apache-2.0
// Balls in a box whose contacts come and go: pairs and walls that are near share few slots. Every
// simulation has a contact set of its own.
#ifndef CAROM_TEST_BOX_RIG_H
#define CAROM_TEST_BOX_RIG_H

#include "model/model_rig.h"

enum { N = 40, N_PAIR = N * (N - 1) / 2, N_ALL = N_PAIR + 4 * N, N_SLOT = 100 };
// radius, box, gap below which a pair takes a slot
static const double R = 0.1, width = 3, reach = 0.1;

// contact k of all: pairs first, then the four walls of each ball
static inline double gap_of(int i, int j, const double *q)
{
    return hypot(q[2 * j] - q[2 * i], q[2 * j + 1] - q[2 * i + 1]) - 2 * R;
}

static inline double wall_gap(int i, int side, const double *q)
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

static inline void put(writer *w, int column, double value)
{
    w->index[w->n_entry] = column;
    w->value[w->n_entry++] = value;
}

static inline void end_row(writer *w)
{
    w->start[++w->n_row] = w->n_entry;
}

static inline void pair_row(writer *w, int i, int j, const double *q)
{
    const double dx = q[2 * j] - q[2 * i], dy = q[2 * j + 1] - q[2 * i + 1], d = hypot(dx, dy);
    put(w, 2 * i, -dx / d);
    put(w, 2 * i + 1, -dy / d);
    put(w, 2 * j, dx / d);
    put(w, 2 * j + 1, dy / d);
    end_row(w);
}

static inline void wall_row(writer *w, int i, int side)
{
    put(w, 2 * i + side / 2, side % 2 ? -1 : 1);
    end_row(w);
}

// what all simulations of a model share
typedef struct box {
    bool has_slots;    // else every contact is its own
    double wall_e;     // restitution of walls, where it is not that of the facts; 0 = it is
    bool is_silent;    // refresh says nothing of contacts
    bool says_twice;   // ... or names one twice
    int most_used;     // slots at a time
    int n_open, n_set; // contact sets: now, ever
} box;

// the contact set of one plan
typedef struct contact_set {
    box *box;
    int one[N_SLOT], other[N_SLOT]; // the balls of a slot, or a ball and a wall as -1 - side
    bool is_used[N_SLOT];
} contact_set;

// gaps (rows NULL) or rows of the whole set
static inline int fill_all(const double *q, double *gap, writer *rows)
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

// of a pair, or of a ball and a wall
static inline unsigned long long key_of(int one, int other)
{
    return 1000ULL * (unsigned)(one + 1) + (unsigned)(other + 10);
}

// contacts that are near, and the slots they get
typedef struct near_list {
    int n, one[N_ALL], other[N_ALL], at[N_ALL];
    unsigned long long key[N_ALL];
} near_list;

static inline void add_near(near_list *near, int one, int other)
{
    near->one[near->n] = one;
    near->other[near->n] = other;
    near->key[near->n++] = key_of(one, other);
}

static inline void find_near(near_list *near, const double *q)
{
    near->n = 0;
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++)
            if (gap_of(i, j, q) <= reach) add_near(near, i, j);
    for (int i = 0; i < N; i++)
        for (int side = 0; side < 4; side++)
            if (wall_gap(i, side, q) <= reach) add_near(near, i, -1 - side);
}

static inline int choose_slots(void *user, double t, const double *q, const double *u, double h,
                               carom_slots *slots)
{
    (void)t, (void)u, (void)h;
    contact_set *set = user;
    near_list near; // on the stack: simulations run side by side
    find_near(&near, q);
    if (set->box->is_silent) return 0;
    if (set->box->says_twice) near.key[1] = near.key[0];
    if (carom_slots_choose(slots, near.n, near.key, near.at)) return 1;
    memset(set->is_used, 0, sizeof set->is_used);
    for (int k = 0; k < near.n; k++) {
        const int slot = near.at[k];
        set->is_used[slot] = true;
        set->one[slot] = near.one[k];
        set->other[slot] = near.other[k];
        if (near.other[k] < 0 && set->box->wall_e > 0 &&
            carom_slots_set(slots, slot, set->box->wall_e, 0, 0))
            return 1;
    }
    if (near.n > set->box->most_used) set->box->most_used = near.n;
    return 0;
}

static inline void *open_set(void *user)
{
    contact_set *set = calloc(1, sizeof *set);
    set->box = user;
    set->box->n_open++;
    set->box->n_set++;
    return set;
}

static inline void close_set(void *own)
{
    contact_set *set = own;
    set->box->n_open--;
    free(set);
}

static inline int box_places(void *user, double t, const double *q, double *point, double *normal)
{
    (void)t;
    const contact_set *set = user;
    for (int k = 0; k < N_SLOT; k++) {
        if (!set->is_used[k] || set->other[k] < 0) continue; // those of walls are not told
        const double *one = q + 2 * set->one[k], *other = q + 2 * set->other[k];
        const double d = hypot(other[0] - one[0], other[1] - one[1]);
        for (int i = 0; i < 2; i++) {
            normal[3 * k + i] = (other[i] - one[i]) / d;
            point[3 * k + i] = one[i] + R * normal[3 * k + i];
        }
        normal[3 * k + 2] = point[3 * k + 2] = 0;
    }
    return 0;
}

static inline int fill_slots(const contact_set *set, const double *q, double *gap, writer *rows)
{
    for (int k = 0; k < N_SLOT; k++) {
        const int i = set->one[k], j = set->other[k];
        const bool is_used = set->is_used[k], is_pair = j >= 0;
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

static inline int box_gaps(void *user, double t, const double *q, double *constraint, double *gap)
{
    (void)t, (void)constraint;
    const contact_set *set = user;
    return set->box->has_slots ? fill_slots(set, q, gap, NULL) : fill_all(q, gap, NULL);
}

static inline int box_rows(void *user, double t, const double *q, const carom_row_lists *lists)
{
    (void)t;
    const contact_set *set = user;
    const bool has_slots = set->box->has_slots;
    writer rows = {lists->start, lists->index, lists->W, 0, 0};
    lists->start[0] = 0;
    memset(lists->w0, 0, sizeof(double) * (size_t)(has_slots ? N_SLOT : N_ALL));
    return has_slots ? fill_slots(set, q, NULL, &rows) : fill_all(q, NULL, &rows);
}

static inline int unit_mass(void *user, double t, const double *q, double *M)
{
    (void)user, (void)t, (void)q;
    for (int i = 0; i < 2 * N; i++) M[i] = 1;
    return 0;
}

static inline int falling(void *user, double t, const double *q, const double *u, double *f)
{
    (void)user, (void)t, (void)q, (void)u;
    for (int i = 0; i < N; i++) {
        f[2 * i] = 0;
        f[2 * i + 1] = -9.81;
    }
    return 0;
}

// balls on a grid with random velocities
static inline carom_callbacks box_callbacks(box *user, const carom_contact_facts *contact)
{
    static double q0[2 * N], u0[2 * N];
    static int start[2 * N + 1], index[2 * N];
    uint64_t seed = 7;
    for (int i = 0; i < N; i++) {
        q0[2 * i] = 0.25 + 0.35 * (i % 8) + 0.02 * random_number(&seed);
        q0[2 * i + 1] = 0.2 + 0.35 * (i / 8.0 - (i % 8) / 8.0) + 0.02 * random_number(&seed);
        u0[2 * i] = random_number(&seed);
        u0[2 * i + 1] = random_number(&seed);
    }
    for (int i = 0; i < 2 * N; i++) start[i] = index[i] = i;
    start[2 * N] = 2 * N;
    return (carom_callbacks){.user = user,
                             .name = "balls in a box",
                             .n = 2 * N,
                             .n_contact = user->has_slots ? N_SLOT : N_ALL,
                             .contact = contact,
                             .q0 = q0,
                             .u0 = u0,
                             .mass_start = start,
                             .mass_index = index,
                             .mass_is_constant = true,
                             .mass = unit_mass,
                             .forces = falling,
                             .gaps = box_gaps,
                             .sparse_rows = box_rows,
                             .max_entries = 4 * (user->has_slots ? N_SLOT : N_ALL),
                             .changing = {.open = open_set,
                                          .close = close_set,
                                          .refresh = user->has_slots ? choose_slots : NULL,
                                          .places = box_places}};
}

static inline carom_model *box_model(box *user, const carom_contact_facts *contact)
{
    const carom_callbacks given = box_callbacks(user, contact);
    carom_error error = {0};
    carom_model *model;
    must(carom_model_from_callbacks(&given, &model, &error), &error);
    return model;
}

// facts of all contacts, walls last
static inline void fill_facts(carom_contact_facts *contact, double e, double wall_e)
{
    for (int c = 0; c < N_ALL; c++)
        contact[c] = (carom_contact_facts){.e = c < N_PAIR ? e : wall_e};
}

#endif
