// SPDX-License-Identifier: Apache-2.0
// Which contacts of shapes are near in a step, from the state that it starts from:
//
//     poses     of all bodies, and boxes of all shapes, grown by how far they may come:
//                   alert = h (|v| + |w| reach) + h^2 |gravity| + 1e-3 size
//     pairs     whose boxes overlap, in the order (i, j)
//     features  with which a pair is nearer than the alerts of both (shapes/shape.h)
//     keys      (shape, shape, feature, feature, primitive) as one number
//     slots     are given out by keys (model/slots)
//
// All of it follows from t, q and u: a step that is tried again, or goes on after a restart, finds
// the same. Memory grows to the largest number of features met, and stays.
#include "model/touch/near.h"

#include "base/grow.h"
#include "base/team.h"
#include "math/rotation.h"
#include "model/slots/slots.h"
#include "model/touch/primitive.h"
#include "shapes/broad.h"
#include "shapes/placing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_FOR_EACH = 4, LEAST_BODIES = 256, LEAST_PAIRS = 32 }; // of loops that a team shares
static const double NEAR = 1e-3;                                   // of the smaller shape

typedef unsigned long long key_number;
typedef carom_finding finding;

// what was found of some of the pairs, one after the other
typedef struct found_part {
    finding *found;
    carom_feature *feature; // of one pair
    int n, room, room_feature;
    bool is_out_of_memory;
} found_part;

typedef struct carom_finder {
    carom_placement *at; // (n_body)
    double *alert;       // (n_body) how far points of it may move
    carom_box *box;      // (n_shape) grown
    int *group;          // (n_shape) those of one group never meet
    carom_broad *broad;
    found_part *part; // (n_part)
    int n_part;
    finding *found;  // of all parts
    int *table;      // of numbered keys
    key_number *key; // of what was found, told apart
    int *slot;       // that it gets
    double *urgency; // of what was found
    int n_found, room, room_key, room_slot, room_urgency, room_table;
} carom_finder;

carom_finder *carom_finder_new(carom_arena *arena, const carom_near *near)
{
    carom_finder *f = CAROM_TAKE(arena, carom_finder, 1);
    if (!f) return NULL;
    f->at = CAROM_TAKE(arena, carom_placement, near->n_body);
    f->alert = CAROM_TAKE(arena, double, near->n_body);
    f->box = CAROM_TAKE(arena, carom_box, near->n_shape);
    f->group = CAROM_TAKE(arena, int, near->n_shape);
    f->broad = carom_broad_new();
    if (!f->at || !f->alert || !f->box || !f->group || !f->broad || !carom_finder_share(f, 1)) {
        carom_finder_free(f);
        return NULL;
    }
    for (int s = 0; s < near->n_shape; s++) { // what stays has the group of the ground
        const int body = near->shape[s].body;
        f->group[s] = near->body[body].n > 0 ? body : 0;
    }
    return f;
}

bool carom_finder_share(carom_finder *f, int n)
{
    const int n_part = n > 1 ? n * PARTS_FOR_EACH : 1;
    if (n_part <= f->n_part) return true;
    if (!carom_grow(&f->part, sizeof *f->part, (size_t)n_part)) return false;
    memset(f->part + f->n_part, 0, sizeof *f->part * (size_t)(n_part - f->n_part));
    f->n_part = n_part;
    return true;
}

void carom_finder_free(carom_finder *finder)
{
    if (!finder) return;
    carom_broad_free(finder->broad);
    for (int i = 0; i < finder->n_part; i++) {
        free(finder->part[i].found);
        free(finder->part[i].feature);
    }
    free(finder->part);
    free(finder->found);
    free(finder->table);
    free(finder->key);
    free(finder->slot);
    free(finder->urgency);
}

// ---- where bodies are ----

static void place_body(const carom_near *near, const carom_near_body *body, const double *q,
                       carom_placement *at)
{
    *at = body->still;
    if (body->n == 0) return;
    *at = (carom_placement){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (near->dim == 2) {
        const double c = cos(q[body->turn]), s = sin(q[body->turn]);
        at->R[0] = at->R[4] = c;
        at->R[1] = -s;
        at->R[3] = s;
    } else {
        carom_rotation_matrix(q + body->turn, at->R);
    }
    for (int i = 0; i < near->dim; i++) at->r[i] = q[body->q[i]];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) at->r[i] -= at->R[3 * i + k] * body->centre[k];
}

static double norm_of(const carom_near_body *body, const double *u, int first, int end)
{
    double sum = 0;
    for (int i = first; i < end; i++) sum += u[body->u[i]] * u[body->u[i]];
    return sqrt(sum);
}

// how far points of a body may come in a time h
static double reach_of(const carom_near *near, const carom_near_body *body, const double *u,
                       double h)
{
    if (body->n == 0) return 0;
    const double v = u ? norm_of(body, u, 0, near->dim) : 0,
                 w = u ? norm_of(body, u, near->dim, body->n) : 0;
    return h * (v + w * body->reach) + h * h * near->gravity;
}

// a loop that a team shares
typedef struct look {
    const carom_near *near;
    const carom_point *from;
    double h;
    carom_finder *f;
    const carom_near_pair *pair;
    int n_pair, n_part;
} look;

static void place_bodies(void *self, int member, int first, int end)
{
    const look *l = self;
    (void)member;
    for (int b = first; b < end; b++) {
        place_body(l->near, &l->near->body[b], l->from->q, &l->f->at[b]);
        l->f->alert[b] = reach_of(l->near, &l->near->body[b], l->from->u, l->h);
    }
}

static void place_shapes(void *self, int member, int first, int end)
{
    const look *l = self;
    const carom_near *near = l->near;
    carom_finder *f = l->f;
    (void)member;
    for (int s = first; s < end; s++) {
        const carom_near_shape *shape = &near->shape[s];
        const double share = isfinite(shape->size) ? NEAR * shape->size : 0;
        const double more = near->alert > 0 ? near->alert : f->alert[shape->body] + share;
        carom_shape_box(shape->shape, &f->at[shape->body], f->box[s].lower, f->box[s].upper);
        for (int i = 0; i < 3; i++) {
            f->box[s].lower[i] -= more;
            f->box[s].upper[i] += more;
        }
    }
}

// ---- keys ----

enum { SHAPE_BITS = 14, FEATURE_BITS = 15, PRIMITIVE_BITS = 3 };

static key_number mix(key_number x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

// The highest bit is set in all of them, the next one where numbers are too large to stand in it
// as they are. What then falls together is told apart in choose_slots.
static key_number key_of(const finding *found)
{
    const carom_feature *f = &found->feature;
    const key_number s1 = (key_number)found->shape[0], s2 = (key_number)found->shape[1];
    const key_number high = 1ULL << 63, hashed = 1ULL << 62;
    if ((s1 | s2) >> SHAPE_BITS || (key_number)(f->feature[0] | f->feature[1]) >> FEATURE_BITS) {
        const key_number all = mix(mix(mix(s1 << 32 | s2) + f->feature[0]) + f->feature[1]);
        return high | hashed | mix(all + (key_number)f->primitive) >> 2;
    }
    key_number key = s1;
    key = key << SHAPE_BITS | s2;
    key = key << FEATURE_BITS | f->feature[0];
    key = key << FEATURE_BITS | f->feature[1];
    return high | key << PRIMITIVE_BITS | (key_number)f->primitive;
}

// ---- features of near pairs ----

static bool are_apart(const carom_near *near, int i, int j)
{
    const long long pair = (long long)i * near->n_shape + j;
    int low = 0, high = near->n_apart;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (near->apart[middle] < pair)
            low = middle + 1;
        else
            high = middle;
    }
    return low < near->n_apart && near->apart[low] == pair;
}

bool carom_near_may_meet(const carom_near *near, int i, int j)
{
    const int a = near->shape[i].body, b = near->shape[j].body;
    return a != b && (near->body[a].n > 0 || near->body[b].n > 0) && !are_apart(near, i, j);
}

static bool make_room(int wanted, int *room, void *array, size_t size)
{
    if (wanted <= *room) return true;
    const int n = 2 * wanted + 16;
    if (!carom_grow(array, size, (size_t)n)) return false;
    *room = n;
    return true;
}

static bool add_pair(const carom_near *near, const carom_finder *f, int i, int j, found_part *to)
{
    const carom_near_shape *shape[2] = {&near->shape[i], &near->shape[j]};
    const carom_posed a = {shape[0]->shape, &f->at[shape[0]->body]},
                      b = {shape[1]->shape, &f->at[shape[1]->body]};
    const double alert = near->alert > 0 ? near->alert
                                         : f->alert[shape[0]->body] + f->alert[shape[1]->body] +
                                               NEAR * fmin(shape[0]->size, shape[1]->size);
    int n = carom_shapes_meet(a, b, alert, to->feature, to->room_feature);
    if (n > to->room_feature) {
        if (!make_room(n, &to->room_feature, &to->feature, sizeof *to->feature)) return false;
        n = carom_shapes_meet(a, b, alert, to->feature, to->room_feature);
    }
    if (!make_room(to->n + n, &to->room, &to->found, sizeof *to->found)) return false;
    for (int k = 0; k < n; k++) {
        finding *found = &to->found[to->n++];
        found->feature = to->feature[k];
        for (int m = 0; m < 2; m++) found->shape[m] = to->feature[k].shape[m] == 0 ? i : j;
        found->key = key_of(found);
        found->urgency = to->feature[k].gap / alert;
    }
    return true;
}

// the features of the pairs of some parts
static void look_at_parts(void *self, int member, int first, int end)
{
    const look *l = self;
    (void)member;
    for (int p = first; p < end; p++) {
        found_part *to = &l->f->part[p];
        const int begin = (int)((long long)l->n_pair * p / l->n_part),
                  last = (int)((long long)l->n_pair * (p + 1) / l->n_part);
        to->n = 0;
        to->is_out_of_memory = false;
        for (int k = begin; k < last && !to->is_out_of_memory; k++)
            if (carom_near_may_meet(l->near, l->pair[k].i, l->pair[k].j) &&
                !add_pair(l->near, l->f, l->pair[k].i, l->pair[k].j, to))
                to->is_out_of_memory = true;
    }
}

// part after part, so that it does not matter how many there are
static bool collect_parts(carom_finder *f, int n_part)
{
    f->n_found = 0;
    for (int p = 0; p < n_part; p++) {
        if (f->part[p].is_out_of_memory) return false;
        f->n_found += f->part[p].n;
    }
    if (n_part == 1) {
        const found_part only = *f->part;
        f->part->found = f->found;
        f->part->room = f->room;
        f->found = only.found;
        f->room = only.room;
        return true;
    }
    if (!make_room(f->n_found, &f->room, &f->found, sizeof *f->found)) return false;
    for (int p = 0, n = 0; p < n_part; n += f->part[p++].n)
        if (f->part[p].n > 0)
            memcpy(f->found + n, f->part[p].found, sizeof *f->found * (size_t)f->part[p].n);
    return true;
}

static bool find_features(look *l, carom_team *team)
{
    carom_finder *f = l->f;
    f->n_found = 0;
    l->n_pair = carom_broad_find(f->broad, f->box, f->group, l->near->n_shape, &l->pair);
    if (l->n_pair < 0) return false;
    l->n_part = l->n_pair < LEAST_PAIRS * f->n_part ? 1 : f->n_part;
    carom_team_run(team, l->n_part, 1, look_at_parts, l);
    return collect_parts(f, l->n_part);
}

// ---- slots ----

// Keys made by hashing may fall together: the later one moves on. The table holds what was found,
// by keys; -1 = nobody.
static bool tell_apart(carom_finder *f)
{
    int n_table = 16;
    bool is_any = false;
    for (int i = 0; i < f->n_found; i++) {
        f->key[i] = f->found[i].key;
        is_any |= f->key[i] >> 62 & 1;
    }
    if (!is_any) return true;
    while (n_table < 2 * f->n_found) n_table *= 2;
    if (!make_room(n_table, &f->room_table, &f->table, sizeof *f->table)) return false;
    for (int i = 0; i < n_table; i++) f->table[i] = -1;
    for (int i = 0; i < f->n_found; i++) {
        if (!(f->key[i] >> 62 & 1)) continue;
        for (;; f->key[i]++) {
            int at = (int)(mix(f->key[i]) & (key_number)(n_table - 1));
            while (f->table[at] >= 0 && f->key[f->table[at]] != f->key[i])
                at = (at + 1) & (n_table - 1);
            if (f->table[at] >= 0) continue;
            f->table[at] = i;
            break;
        }
    }
    return true;
}

// what belongs to a body that stays is given in axes of space, where the programs see it
static void place_still(const carom_placement *at, double *p, double *d, double *t)
{
    double there[3];
    carom_placing_out(at, p, there);
    memcpy(p, there, sizeof there);
    carom_placing_turn(at->R, d, there);
    memcpy(d, there, sizeof there);
    if (!t) return;
    carom_placing_turn(at->R, t, there);
    memcpy(t, there, sizeof there);
}

void carom_near_fill_slot(const carom_near *near, const carom_finder *f, const finding *found,
                          carom_near_slot *slot)
{
    const carom_feature *feature = &found->feature;
    carom_slot_numbers *to = &slot->numbers;
    slot->primitive = feature->primitive;
    for (int b = 0; b < 2; b++) slot->body[b] = near->shape[found->shape[b]].body;
    for (int i = 0; i < 3; i++) {
        to->p1[i] = feature->p1[i] - near->body[slot->body[0]].centre[i];
        to->p2[i] = feature->p2[i] - near->body[slot->body[1]].centre[i];
        to->d1[i] = feature->d1[i];
        to->d2[i] = feature->d2[i];
    }
    carom_touch_tangent(feature, &f->at[slot->body[0]], &f->at[slot->body[1]], to->t2);
    for (int b = 0; b < 2; b++)
        if (near->body[slot->body[b]].n == 0)
            place_still(&near->body[slot->body[b]].still, b == 0 ? to->p1 : to->p2,
                        b == 0 ? to->d1 : to->d2, b == 0 ? NULL : to->t2);
    to->rim = feature->rim;
    to->radius = feature->radius;
    to->side = feature->side;
    to->first = fmin(feature->radius, near->shape[found->shape[0]].radius);
}

static void set_facts(carom_nearby *nearby, const finding *found, int contact)
{
    const carom_near *near = nearby->near;
    const int a = near->shape[found->shape[0]].material, b = near->shape[found->shape[1]].material;
    const carom_near_law *law = &near->law[a * near->n_material + b];
    carom_slots_set(nearby->plan->slots, contact, law->e, law->e_t, law->mu);
    carom_near_slot *slot = &nearby->slot[contact - near->n_before];
    for (int d = 0; d < 2; d++) slot->length[d] = law->length[d];
    nearby->plan->slots->facts[contact].law = law->law;
    nearby->plan->slots->facts[contact].name = slot->name;
    const unsigned long long key = nearby->plan->slots->slot[contact].key;
    if (slot->named == key) return;
    const int first = found->shape[0] < found->shape[1] ? 0 : 1;
    snprintf(slot->name, CAROM_NEAR_NAME, "%.30s.%.30s", near->shape[found->shape[first]].name,
             near->shape[found->shape[1 - first]].name);
    slot->named = key;
}

static void exchange(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

// the n-th smallest of some numbers, which change their places (C. A. R. Hoare, Algorithm 65: find,
// Communications of the ACM 4, 1961)
static double find_smallest(double *x, int count, int n)
{
    int low = 0, high = count - 1;
    while (low < high) {
        const double middle = x[low + (high - low) / 2];
        int i = low, k = high;
        while (i <= k) {
            while (x[i] < middle) i++;
            while (x[k] > middle) k--;
            if (i <= k) exchange(&x[i++], &x[k--]);
        }
        if (n <= k)
            high = k;
        else if (n >= i)
            low = i;
        else
            break;
    }
    return x[n];
}

// Where more are near than there is room for, those are left out that would be reached last. What
// touches is never left out.
static carom_status leave_out(const carom_near *near, carom_finder *f, carom_error *error)
{
    const int n_found = f->n_found;
    if (n_found <= near->n_slot) return CAROM_OK;
    if (!make_room(n_found, &f->room_urgency, &f->urgency, sizeof *f->urgency))
        return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for contacts");
    int n_before = 0;
    for (int i = 0; i < n_found; i++) f->urgency[i] = f->found[i].urgency;
    const double last = find_smallest(f->urgency, n_found, near->n_slot - 1);
    for (int i = 0; i < n_found; i++) n_before += f->found[i].urgency < last;
    int left = near->n_slot - n_before; // of those that are as urgent as the last one
    f->n_found = 0;
    for (int i = 0; i < n_found; i++) {
        const finding *found = &f->found[i];
        if (found->urgency < last || (found->urgency == last && left-- > 0)) {
            f->found[f->n_found++] = *found;
        } else if (found->urgency <= 0) {
            return carom_fail(error, CAROM_BAD_INPUT,
                              "of %d contacts of shapes that are near more touch than the %d that "
                              "there is room for (give more in the model: detection: {room: %d})",
                              n_found, near->n_slot, 2 * n_found);
        }
    }
    return CAROM_OK;
}

// rows of all slots stand behind each other, then those of their discs
static void place_rows(carom_nearby *nearby)
{
    const carom_near *near = nearby->near;
    const int n_row[2] = {near->n_row, carom_near_n_turn(near)};
    nearby->n_place = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < nearby->n_used; i++) {
            carom_near_slot *slot = &nearby->slot[nearby->used[i]];
            *(k == 0 ? &slot->row_place : &slot->turn_place) = nearby->n_place;
            nearby->n_place +=
                n_row[k] * (near->body[slot->body[0]].n + near->body[slot->body[1]].n);
        }
}

// whether the rows of the slots have other columns than before
static bool choose_slots(carom_nearby *nearby)
{
    const carom_near *near = nearby->near;
    carom_finder *f = nearby->finder;
    const int n_before = nearby->n_used;
    int n_same = 0;
    const unsigned before = nearby->n_choice++;
    nearby->n_used = 0;
    if (carom_slots_choose(nearby->plan->slots, f->n_found, f->key, f->slot))
        return true; // says why itself
    for (int i = 0; i < f->n_found; i++) {
        carom_near_slot *slot = &nearby->slot[f->slot[i] - near->n_before];
        const int was[2] = {slot->body[0], slot->body[1]};
        const bool was_used = slot->used_in == before;
        carom_near_fill_slot(near, f, &f->found[i], slot);
        set_facts(nearby, &f->found[i], f->slot[i]);
        slot->used_in = nearby->n_choice;
        n_same += was_used && slot->body[0] == was[0] && slot->body[1] == was[1];
    }
    const unsigned char *is_taken = nearby->plan->slots->is_taken + near->n_before;
    for (int i = 0; i < near->n_slot && nearby->n_used < f->n_found; i++)
        if (is_taken[i]) nearby->used[nearby->n_used++] = i;
    place_rows(nearby);
    return n_same != n_before || n_same != nearby->n_used;
}

static void renew_patterns(const carom_nearby *nearby)
{
    const int n_row = nearby->near->W.n_row;
    const carom_sparse *first = NULL;
    for (carom_full_eval *full = nearby->plan->evals; full; full = full->next) {
        const carom_sparse *W = &full->eval.rows.W;
        if (!first) {
            first = W;
            carom_nearby_write_pattern(nearby, (int *)W->start, (int *)W->index);
            continue;
        }
        memcpy((int *)W->start, first->start, sizeof(int) * (size_t)(n_row + 1));
        memcpy((int *)W->index, first->index, sizeof(int) * (size_t)first->start[n_row]);
    }
}

carom_status carom_near_look(carom_nearby *nearby, const carom_point *from, double h, int *n,
                             const carom_finding **found, carom_error *error)
{
    carom_finder *f = nearby->finder;
    carom_team *team = nearby->plan->team;
    look l = {.near = nearby->near, .from = from, .h = h, .f = f};
    carom_team_run(team, l.near->n_body, LEAST_BODIES, place_bodies, &l);
    carom_team_run(team, l.near->n_shape, LEAST_BODIES, place_shapes, &l);
    if (!find_features(&l, team) || !make_room(f->n_found, &f->room_key, &f->key, sizeof *f->key) ||
        !make_room(f->n_found, &f->room_slot, &f->slot, sizeof *f->slot))
        return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for contacts");
    *n = f->n_found;
    *found = f->found;
    return CAROM_OK;
}

bool carom_near_tell_apart(carom_nearby *nearby)
{
    return tell_apart(nearby->finder);
}

unsigned long long carom_near_key(const carom_nearby *nearby, int i)
{
    return nearby->finder->key[i];
}

carom_status carom_nearby_find(carom_nearby *nearby, const carom_point *from, double h,
                               carom_error *error)
{
    const carom_finding *found;
    int n;
    CAROM_TRY(carom_near_look(nearby, from, h, &n, &found, error));
    CAROM_TRY(leave_out(nearby->near, nearby->finder, error));
    if (!tell_apart(nearby->finder))
        return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for contacts");
    if (choose_slots(nearby)) renew_patterns(nearby);
    return CAROM_OK;
}
