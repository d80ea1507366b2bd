// SPDX-License-Identifier: Apache-2.0
// Two shapes meet: the table of pairs of cores, and the list of features found.
#include "shapes/flat/flat.h"
#include "shapes/mesh/mesh.h"
#include "shapes/solid/wheel.h"

#include <limits.h>
#include <math.h>

typedef struct carom_pair {
    carom_meet *meet;
    carom_always *always;
    const char *refusal;
} carom_pair;

static const carom_pair pairs[CAROM_N_CORE][CAROM_N_CORE] = {
#define MEET(first, second, function, list)                                                        \
    [CAROM_CORE_##first][CAROM_CORE_##second] = {function, list, NULL},
#undef REFUSE
#define REFUSE(first, second, reason)                                                              \
    [CAROM_CORE_##first][CAROM_CORE_##second] = {NULL, NULL, reason},
#include "shapes/pairs_table.h"
#undef MEET
#undef REFUSE
};

/// Orders two shapes of one core by what they are, so that swapped arguments are met in one order.
static int compare_shapes(const carom_shape *a, const carom_shape *b)
{
    if (a->n_corner != b->n_corner) return a->n_corner < b->n_corner ? -1 : 1;
    if (a->radius != b->radius) return a->radius < b->radius ? -1 : 1;
    for (int i = 0; i < 3 * a->n_corner; i++)
        if (a->corner[i] != b->corner[i]) return a->corner[i] < b->corner[i] ? -1 : 1;
    return 0;
}

/// The cell of two shapes' cores, which stands in one order.
static const carom_pair *find_pair(const carom_shape *a, const carom_shape *b, bool *is_swapped)
{
    const carom_pair *pair = &pairs[a->core][b->core];
    *is_swapped = !pair->meet && !pair->refusal;
    if (a->core == b->core) *is_swapped = compare_shapes(a, b) > 0;
    return *is_swapped ? &pairs[b->core][a->core] : pair;
}

/// Orders by the numbers of the features on the caller's a, then on its b.
static int compare_features(const carom_feature *f, const carom_feature *g)
{
    for (int k = 0; k < 2; k++) {
        const unsigned i = f->feature[f->shape[0] ^ k], j = g->feature[g->shape[0] ^ k];
        if (i != j) return i < j ? -1 : 1;
    }
    return f->shape[0] - g->shape[0];
}

void carom_meeting_add(carom_meeting *meeting, const carom_feature *feature)
{
    carom_feature own = *feature;
    own.shape[0] ^= meeting->is_swapped;
    own.shape[1] ^= meeting->is_swapped;
    const int n = meeting->n < meeting->room ? meeting->n : meeting->room;
    int place = n;
    while (place > 0 && compare_features(&own, meeting->feature + place - 1) < 0) place--;
    if (place > 0 && compare_features(&own, meeting->feature + place - 1) == 0) return;
    if (meeting->n < INT_MAX) meeting->n++;
    if (place >= meeting->room) return;
    for (int i = n < meeting->room ? n : meeting->room - 1; i > place; i--)
        meeting->feature[i] = meeting->feature[i - 1];
    meeting->feature[place] = own;
}

int carom_shapes_meet(carom_posed a, carom_posed b, double alert, carom_feature *feature, int room)
{
    bool is_swapped;
    const carom_pair *pair = find_pair(a.shape, b.shape, &is_swapped);
    if (!pair->meet) return 0;
    carom_meeting meeting = {.posed = {is_swapped ? b : a, is_swapped ? a : b},
                             .alert = alert,
                             .is_swapped = is_swapped,
                             .feature = feature,
                             .room = room};
    pair->meet(&meeting);
    return meeting.n;
}

int carom_shapes_always(const carom_shape *a, const carom_shape *b, carom_feature *feature,
                        int room)
{
    static const carom_placement origin = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    bool is_swapped;
    const carom_pair *pair = find_pair(a, b, &is_swapped);
    if (!pair->always || !pair->always(is_swapped ? b : a, is_swapped ? a : b)) return -1;
    const int n = carom_shapes_meet((carom_posed){a, &origin}, (carom_posed){b, &origin}, INFINITY,
                                    feature, room);
    for (int i = 0; i < n && i < room; i++) feature[i].gap = feature[i].margin = 0;
    return n;
}

const char *carom_shapes_refuse(const carom_shape *a, const carom_shape *b)
{
    bool is_swapped;
    const carom_pair *pair = find_pair(a, b, &is_swapped);
    if (pair->meet) return NULL;
    return pair->refusal ? pair->refusal : "one is a shape of the plane, the other of space";
}
