// SPDX-License-Identifier: Apache-2.0
// Contacts get their slots: those that were there keep theirs, what is no longer near lets go, and
// new ones take the empty slots from the first on. What comes is mostly what was held, in its
// order; a table of keys (open addressing) knows the rest. So all is linear in the number of
// contacts, however much room there is, and nothing depends on addresses.
#include "model/slots/slots.h"

#include "base/need.h"
#include "model/plan.h"

#include <math.h>
#include <string.h>

static const double MOST_FRICTION = 1e100; // contact problems are not asked to be more
enum { AHEAD = 8 };                        // of so many that may have let go in a row

// all, or those of shapes: they stand side by side
static void find_changing(carom_slots *s, const carom_contact_facts *contact)
{
    int first = 0, end = s->n;
    while (first < s->n && !contact[first].is_near) first++;
    while (end > first && !contact[end - 1].is_near) end--;
    s->first = first < end ? first : 0;
    s->end = first < end ? end : s->n;
}

bool carom_slots_make(carom_plan *plan)
{
    const carom_model *model = plan->model;
    if (!model->kind->refresh) return true;
    carom_slots *s = CAROM_TAKE(plan->arena, carom_slots, 1);
    const int n = model->size.n_contact;
    if (!s) return false;
    for (s->n_table = 1; s->n_table < 4 * n;) s->n_table *= 2;
    s->n = n;
    find_changing(s, model->contact);
    s->given = plan->contact;
    s->slot = CAROM_TAKE(plan->arena, carom_slot, n);
    s->facts = CAROM_TAKE(plan->arena, carom_contact_facts, n);
    s->is_taken = CAROM_TAKE(plan->arena, unsigned char, n);
    s->held = CAROM_TAKE(plan->arena, int, n);
    s->table = CAROM_TAKE(plan->arena, int, s->n_table);
    s->filled = CAROM_TAKE(plan->arena, int, n);
    s->changed = CAROM_TAKE(plan->arena, int, n);
    s->is_changed = CAROM_TAKE(plan->arena, unsigned char, n);
    if (!s->slot || !s->facts || !s->is_taken || !s->held || !s->table || !s->filled ||
        !s->changed || !s->is_changed)
        return false;
    memcpy(s->facts, s->given, sizeof *s->facts * (size_t)n);
    plan->slots = s;
    plan->contact = s->facts;
    return true;
}

// the place of a key in the table, or the free one where it would be
static int place_of(const carom_slots *s, unsigned long long key)
{
    const unsigned last = (unsigned)s->n_table - 1;
    unsigned at = (unsigned)((key * 0x9e3779b97f4a7c15ULL) >> 32) & last;
    while (s->table[at] && s->slot[s->table[at] - 1].key != key) at = (at + 1) & last;
    return (int)at;
}

static void enter(carom_slots *s, int place, int slot)
{
    s->table[place] = slot + 1;
    s->filled[s->n_filled++] = place;
}

static void enter_held(carom_slots *s)
{
    for (int k = 0; k < s->n_filled; k++) s->table[s->filled[k]] = 0;
    s->n_filled = 0;
    for (int k = 0; k < s->n_held; k++) enter(s, place_of(s, s->slot[s->held[k]].key), s->held[k]);
    s->is_entered = true;
}

int carom_slots_find(carom_slots *slots, unsigned long long key)
{
    if (!slots->is_entered) enter_held(slots);
    return slots->table[place_of(slots, key)] - 1;
}

static int refuse_keys(carom_slots *s, const char *what, unsigned long long key)
{
    carom_misuse(&s->fault, "carom_slots_choose", "%s (key %llu)", what, key);
    return 1;
}

// Mostly they are those of the last choice, in its order: at[i] = -1 for the others. Returns how
// many of these there are.
static int keep_in_order(carom_slots *s, int n, const unsigned long long *key, int *at)
{
    int n_other = 0;
    for (int i = 0, next = 0; i < n; i++) {
        const int end = next + AHEAD < s->n_held ? next + AHEAD : s->n_held;
        at[i] = -1;
        for (int k = next; k < end && at[i] < 0; k++) {
            if (s->slot[s->held[k]].key != key[i]) continue;
            at[i] = s->held[k];
            s->is_taken[at[i]] = 1;
            next = k + 1;
        }
        n_other += at[i] < 0;
    }
    return n_other;
}

// contacts that were there keep their slots; at[i] = -1 for the others
static int keep_old(carom_slots *s, int n, const unsigned long long *key, int *at)
{
    if (keep_in_order(s, n, key, at) == 0) return 0;
    if (!s->is_entered) enter_held(s);
    for (int i = 0; i < n; i++) {
        if (at[i] >= 0) continue;
        if (key[i] == 0) return refuse_keys(s, "a contact needs a key other than 0", key[i]);
        const int held = s->table[place_of(s, key[i])] - 1;
        at[i] = held;
        if (held < 0) continue;
        if (s->is_taken[held]) return refuse_keys(s, "a contact is named twice", key[i]);
        s->is_taken[held] = 1;
    }
    return 0;
}

// those that were not named again
static void let_go(carom_slots *s)
{
    int n = 0;
    for (int k = 0; k < s->n_held; k++) {
        const int slot = s->held[k];
        s->held[n] = slot;
        n += s->is_taken[slot];
        if (!s->is_taken[slot]) s->slot[slot].key = 0;
    }
    s->is_entered &= n == s->n_held;
    s->n_held = n;
}

// the others take the slots that are free now, the first first
static int place_new(carom_slots *s, int n, const unsigned long long *key, int *at)
{
    int free = s->first;
    if (n == s->n_held) return 0; // nobody is new
    if (!s->is_entered) enter_held(s);
    for (int i = 0; i < n; i++) {
        if (at[i] >= 0) continue;
        const int place = place_of(s, key[i]);
        if (s->table[place]) return refuse_keys(s, "a contact is named twice", key[i]);
        while (s->is_taken[free]) free++; // there are at least n
        at[i] = free;
        s->is_taken[free] = 1;
        s->slot[free].key = key[i];
        s->slot[free].generation++;
        s->held[s->n_held++] = free;
        enter(s, place, free);
    }
    return 0;
}

int carom_slots_choose(carom_slots *slots, int n, const unsigned long long *key, int *at)
{
    carom_slots *s = slots;
    if (!s) return 1;
    if (s->fault.status != CAROM_OK) return 1;
    if (n < 0 || (n > 0 && (!key || !at)) || s->is_chosen) {
        carom_misuse(&s->fault, "carom_slots_choose",
                     s->is_chosen ? "is called twice in one refresh" : "key or at is NULL");
        return 1;
    }
    if (n > s->end - s->first) {
        carom_fail(&s->fault, CAROM_BAD_INPUT,
                   "%d contacts are near, but the model has %d slots (give it more, n_contact)", n,
                   s->end - s->first);
        return 1;
    }
    s->is_chosen = true;
    for (int k = 0; k < s->n_held; k++) s->is_taken[s->held[k]] = 0;
    if (keep_old(s, n, key, at)) return 1;
    let_go(s);
    if (place_new(s, n, key, at)) return 1;
    for (int i = 0; i < n; i++) s->held[i] = at[i]; // in the order of the keys
    return 0;
}

int carom_slots_set(carom_slots *slots, int slot, double e, double e_t, double mu)
{
    if (!slots || slot < 0 || slot >= slots->n) return 1;
    carom_contact_facts *facts = &slots->facts[slot];
    const bool is_good = e >= 0 && e <= 1 && e_t >= 0 && e_t <= 1 && mu >= 0 &&
                         mu <= MOST_FRICTION && (mu == 0 || facts->n_slip > 0);
    if (!is_good) {
        carom_fail(&slots->fault, CAROM_BAD_INPUT,
                   "contact '%s' (key %llu) needs restitutions 0..1, friction >= 0, and slip where "
                   "there is friction",
                   facts->name, slots->slot[slot].key);
        return 1;
    }
    if (!slots->is_changed[slot]) slots->changed[slots->n_changed++] = slot;
    slots->is_changed[slot] = 1;
    facts->e = e;
    facts->e_t = e_t;
    facts->mu = mu;
    return 0;
}

carom_slot carom_slots_get(const carom_slots *slots, int slot)
{
    return slots && slot >= 0 && slot < slots->n ? slots->slot[slot] : (carom_slot){0};
}

carom_slot carom_plan_slot(const carom_plan *plan, int contact)
{
    if (!plan || contact < 0 || contact >= plan->n_contact) return (carom_slot){0};
    return plan->slots ? plan->slots->slot[contact]
                       : (carom_slot){.key = (unsigned long long)contact + 1, .generation = 1};
}

// facts as the model gives them: others than those of contacts that come and go may be new (live
// parameters)
static void restore_facts(carom_slots *s)
{
    const size_t size = sizeof *s->facts;
    for (int k = 0; k < s->n_changed; k++) {
        s->facts[s->changed[k]] = s->given[s->changed[k]];
        s->is_changed[s->changed[k]] = 0;
    }
    s->n_changed = 0;
    memcpy(s->facts, s->given, size * (size_t)s->first);
    memcpy(s->facts + s->end, s->given + s->end, size * (size_t)(s->n - s->end));
}

// what the slots hold before a step
static void take_slots(carom_slots *s, const carom_slot *before)
{
    const size_t size = sizeof *before * (size_t)s->n;
    if (memcmp(s->slot, before, size) == 0) return; // as the last step left them
    for (int k = 0; k < s->n_held; k++) s->is_taken[s->held[k]] = 0;
    memcpy(s->slot, before, size);
    s->n_held = 0;
    for (int i = s->first; i < s->end; i++)
        if (s->slot[i].key) s->held[s->n_held++] = i;
    s->is_entered = false;
}

static void number_others(carom_slots *s, int from, int end)
{
    for (int i = from; i < end; i++)
        s->slot[i] = (carom_slot){.key = (unsigned long long)i + 1, .generation = 1};
}

carom_status carom_plan_refresh(carom_plan *plan, const carom_point *from, double h,
                                const carom_slot *before, carom_error *error)
{
    carom_slots *s = plan->slots;
    if (!s) return CAROM_OK;
    if (before) take_slots(s, before);
    restore_facts(s);
    number_others(s, 0, s->first);
    number_others(s, s->end, s->n);
    s->is_chosen = false;
    s->fault.status = CAROM_OK;
    s->fault.message[0] = 0;
    // answers that were kept are those of other contacts
    carom_plan_forget(plan);
    const carom_status status = plan->model->kind->refresh(plan, from, h, error);
    if (s->fault.status != CAROM_OK)
        return carom_fail(error, s->fault.status, "%s", s->fault.message);
    CAROM_TRY(status);
    if (s->is_chosen) return CAROM_OK;
    return carom_misuse(error, "carom_contact_set.refresh",
                        "it did not say which contacts are near (carom_slots_choose)");
}

bool carom_plan_has_features(const carom_plan *plan)
{
    return plan->slots && plan->model->kind->check;
}

carom_status carom_plan_check_slots(carom_plan *plan, const carom_point *at,
                                    unsigned char *is_there, bool *is_missed, carom_error *error)
{
    *is_missed = false;
    if (!carom_plan_has_features(plan)) return CAROM_OK;
    return plan->model->kind->check(plan, at, is_there, is_missed, error);
}
