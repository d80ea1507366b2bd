// SPDX-License-Identifier: Apache-2.0
// Whether the features that were frozen at the start of a step are still those that touch, at a
// point inside of it: all near features are looked for once more, and
//
//     a slot is there     where its key is found again, or another one that says the same: the same
//                         two bodies, point and normal (a corner that lies on a corner is found as
//                         either over either's face)
//     one is missed       that no slot says, and that overlaps
//
// Nothing of the step changes by it. Schemes that find events end a step where this changes.
#include "model/touch/near.h"

#include "math/vec3.h"
#include "model/slots/slots.h"

#include <math.h>
#include <string.h>

static const double same_place = 4e-10;  // of the smaller shape: how far points may lie apart
static const double same_normal = 1e-10; // 1 - cosine
static const double overlap = 1e-10;     // of the smaller shape: less is rounding

// where two features touch and which way, at a point
typedef struct place {
    double point[3], normal[3];
} place;

static place place_of(const carom_nearby *nearby, const carom_near_slot *slot,
                      const carom_point *at)
{
    place p;
    const carom_slot_answers *ans = carom_near_run(nearby, 0, slot, 0, at, CAROM_SLOT_PLACE);
    carom_vec3_copy(ans->point, p.point);
    carom_vec3_copy(ans->normal, p.normal);
    return p;
}

static bool is_same(const place *a, const place *b, double size)
{
    double d[3];
    carom_vec3_subtract(a->point, b->point, d);
    return carom_vec3_length(d) <= same_place * size &&
           carom_vec3_dot(a->normal, b->normal) >= 1 - same_normal;
}

static double size_of(const carom_near *near, const carom_finding *found)
{
    return fmin(near->shape[found->shape[0]].size, near->shape[found->shape[1]].size);
}

// flat things on each other may be told in several ways; what is round has another curvature
static bool is_flat(const carom_near_slot *slot)
{
    return slot->primitive == CAROM_POINT_PLANE || slot->primitive == CAROM_EDGE_EDGE;
}

// The normals of two slots point from body 2 to body 1, which may be either.
static bool is_of_pair(const carom_near_slot *a, const carom_near_slot *b, bool *is_turned)
{
    if (a->primitive != b->primitive && !(is_flat(a) && is_flat(b))) return false;
    *is_turned = a->body[0] == b->body[1] && a->body[1] == b->body[0];
    return *is_turned || (a->body[0] == b->body[0] && a->body[1] == b->body[1]);
}

// whether a slot says what was found under another key; it is there then
static bool is_said(const carom_nearby *nearby, const carom_finding *found, const carom_point *at,
                    unsigned char *is_there)
{
    const carom_near *near = nearby->near;
    carom_near_slot own = {0};
    bool is = false;
    carom_near_fill_slot(near, nearby->finder, found, &own);
    const place here = place_of(nearby, &own, at);
    for (int i = 0; i < nearby->n_used; i++) {
        const carom_near_slot *slot = &nearby->slot[nearby->used[i]];
        bool is_turned;
        if (!is_of_pair(slot, &own, &is_turned)) continue;
        place there = place_of(nearby, slot, at);
        for (int k = 0; is_turned && k < 3; k++) there.normal[k] = -there.normal[k];
        if (!is_same(&here, &there, size_of(near, found))) continue;
        is_there[near->n_before + nearby->used[i]] = 1;
        is = true;
    }
    return is;
}

carom_status carom_nearby_check(carom_nearby *nearby, const carom_point *at,
                                unsigned char *is_there, bool *is_missed, carom_error *error)
{
    const carom_near *near = nearby->near;
    const carom_finding *found;
    const carom_point here = {.t = at->t, .q = at->q};
    int n = 0;
    *is_missed = false;
    for (int i = 0; i < nearby->n_used; i++) is_there[near->n_before + nearby->used[i]] = 0;
    CAROM_TRY(carom_near_look(nearby, &here, 0, &n, &found, error));
    if (!carom_near_tell_apart(nearby))
        return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for contacts");
    for (int i = 0; i < n; i++) {
        const int held = carom_slots_find(nearby->plan->slots, carom_near_key(nearby, i));
        if (held >= 0) is_there[held] = 1;
    }
    for (int i = 0; i < n; i++) {
        if (carom_slots_find(nearby->plan->slots, carom_near_key(nearby, i)) >= 0) continue;
        if (is_said(nearby, &found[i], &here, is_there)) continue;
        *is_missed |= found[i].feature.gap < -overlap * size_of(near, &found[i]);
    }
    return CAROM_OK;
}
