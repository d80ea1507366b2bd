// SPDX-License-Identifier: Apache-2.0
// A few right sides with their solutions. A right side is noted when it is asked for once, its
// solution is kept when it is asked for twice: a matrix that is factorised anew in each pass costs
// nothing but the note. What comes after the room is full is not kept: models with many contacts
// would only copy.
#include "math/recall.h"

#include <string.h>

enum { SLOTS = 4, MOST_ENTRIES = 16 };

typedef struct slot {
    int n_entry, index[MOST_ENTRIES];
    double value[MOST_ENTRIES];
    double *x; // (n), once it is taken
    int has_x;
} slot;

struct carom_recall {
    int n, n_slot;
    slot slot[SLOTS];
};

carom_recall *carom_recall_new(carom_arena *arena, int n)
{
    carom_recall *recall = CAROM_TAKE(arena, carom_recall, 1);
    if (!recall) return NULL;
    recall->n = n;
    for (int i = 0; i < SLOTS; i++) {
        recall->slot[i].x = CAROM_TAKE(arena, double, n);
        if (!recall->slot[i].x) return NULL;
    }
    return recall;
}

void carom_recall_forget(carom_recall *recall)
{
    if (recall) recall->n_slot = 0;
}

static slot *find(carom_recall *recall, int n_entry, const int *index, const double *value)
{
    for (int i = 0; i < recall->n_slot; i++) {
        slot *one = &recall->slot[i];
        if (one->n_entry == n_entry &&
            memcmp(one->index, index, sizeof(int) * (size_t)n_entry) == 0 &&
            memcmp(one->value, value, sizeof(double) * (size_t)n_entry) == 0)
            return one;
    }
    return NULL;
}

const double *carom_recall_find(carom_recall *recall, int n_entry, const int *index,
                                const double *value)
{
    const slot *one = recall ? find(recall, n_entry, index, value) : NULL;
    return one && one->has_x ? one->x : NULL;
}

void carom_recall_keep(carom_recall *recall, int n_entry, const int *index, const double *value,
                       const double *x)
{
    if (!recall || n_entry > MOST_ENTRIES) return;
    slot *one = find(recall, n_entry, index, value);
    if (one) {
        memcpy(one->x, x, sizeof(double) * (size_t)recall->n);
        one->has_x = 1;
        return;
    }
    if (recall->n_slot == SLOTS) return;
    one = &recall->slot[recall->n_slot++];
    one->n_entry = n_entry;
    one->has_x = 0;
    memcpy(one->index, index, sizeof(int) * (size_t)n_entry);
    memcpy(one->value, value, sizeof(double) * (size_t)n_entry);
}
