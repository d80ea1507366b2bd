// SPDX-License-Identifier: Apache-2.0
// Reactions: the force F and the torque T on the second body of a joint, at the joint's point p of
// that body. The virtual power of the multipliers la of its rows c is that of F and T:
//
//     la . c'  =  F . p' + T . w     for every motion (p', w) of the second body alone
//
// So the joint is woven once more, with that body moved by d and turned by e about p,
//
//     r -> r + d + e x (r - p),   axis -> axis + e x axis,   angle -> angle + e_z
//
// and the derivatives of the rows by d and e, at 0, are the force and the torque of la = 1. d and e
// are coordinates that no model has. No joint knows of this, and a body that is carried is
// displaced as well as one that has coordinates of its own.
//
// Rows that are texts of names (custom) do not see the displaced body. Their force is that on its
// own coordinates, moved to p = r; where it has none, they have no reaction.
#include "model/bodies/fitting.h"

#include "expr/rotation_nodes.h"

#include <stdio.h>
#include <string.h>

enum { N_WRENCH = 6, APART = 1 << 24 }; // numbers of coordinates that no model has

carom_ref carom_bodies_displacement(carom_graph *graph, int number)
{
    return carom_graph_symbol(graph, CAROM_Q, APART + number);
}

carom_ref carom_bodies_undisplaced(carom_graph *graph, carom_ref root)
{
    carom_ref from[N_WRENCH], to[N_WRENCH];
    for (int i = 0; i < N_WRENCH; i++) {
        from[i] = carom_bodies_displacement(graph, i);
        to[i] = carom_graph_number(graph, 0);
    }
    return carom_graph_replace(graph, root, from, to, N_WRENCH);
}

// d or e; in the plane only x and y of the one and z of the other
static carom_vec displacement(const carom_making *making, int first)
{
    carom_vec v = carom_weave_numbers(making->graph, 0, 0, 0);
    const bool is_plane = !carom_bodies_in_space(making);
    for (int i = 0; i < 3; i++)
        if (!is_plane || (i < 2) == (first == 0))
            v.c[i] = carom_bodies_displacement(making->graph, first + i);
    return v;
}

static carom_body displace(const carom_making *making, const carom_body *body, carom_vec p)
{
    carom_graph *g = making->graph;
    const carom_vec d = displacement(making, 0), e = displacement(making, 3);
    carom_body moved = *body;
    const carom_vec arm = carom_weave_sub(g, body->now.r, p);
    moved.now.r =
        carom_weave_add(g, carom_weave_add(g, body->now.r, d), carom_weave_cross(g, e, arm));
    for (int i = 0; i < 3; i++)
        moved.now.axis[i] =
            carom_weave_add(g, body->now.axis[i], carom_weave_cross(g, e, body->now.axis[i]));
    if (body->angle >= 0) moved.angle = carom_graph_add(g, body->angle, e.c[2]);
    return moved;
}

// the derivatives of a row by d and e; false where it has none
static bool derive_wrench(carom_making *making, carom_ref row, carom_ref *wrench)
{
    carom_graph *g = making->graph;
    carom_gradient gradient;
    int place[N_WRENCH], n = 0;
    for (int i = 0; i < N_WRENCH; i++) wrench[i] = carom_graph_number(g, 0);
    if (carom_graph_gradient(g, row, CAROM_Q, &gradient) != CAROM_OK) return false;
    for (int k = 0; k < gradient.n; k++)
        if (gradient.index[k] >= APART) {
            place[n++] = gradient.index[k] - APART;
            wrench[place[n - 1]] = gradient.ref[k];
        }
    for (int k = 0; k < n; k++) wrench[place[k]] = carom_bodies_undisplaced(g, wrench[place[k]]);
    return n > 0;
}

// the velocity of a name that is a coordinate, or a velocity; -1 = neither
static int own_velocity(const carom_making *making, const carom_body *body, const char *suffix)
{
    char name[CAROM_LONGEST_NAME];
    snprintf(name, sizeof name, "%.100s.%.20s", body->name, suffix);
    const carom_entry *entry = carom_scope_find(making->scope, name);
    if (!entry) return -1;
    if (entry->meaning == CAROM_MEANS_VELOCITY) return entry->number;
    return entry->meaning == CAROM_MEANS_COORDINATE
               ? carom_graph_velocity_of(making->graph, entry->number)
               : -1;
}

bool carom_bodies_own_velocities(const carom_making *making, const carom_body *body,
                                 int velocity[N_WRENCH])
{
    static const char *const com[] = {"com.x", "com.y", "com.z"}, *const spin[] = {"wx", "wy",
                                                                                   "wz"};
    const int n = carom_bodies_in_space(making) ? 3 : 2;
    bool has_all = true;
    for (int i = 0; i < N_WRENCH; i++) velocity[i] = -1;
    for (int i = 0; i < n; i++) {
        velocity[i] = own_velocity(making, body, com[i]);
        if (velocity[i] < 0) velocity[i] = own_velocity(making, body, com[i] + 4);
        has_all &= velocity[i] >= 0;
    }
    for (int i = 0; i < 3 && n == 3; i++) velocity[3 + i] = own_velocity(making, body, spin[i]);
    if (n == 2) velocity[5] = own_velocity(making, body, "angle");
    return has_all;
}

// the force of a row on a body's own coordinates, with the torque about its reference point
static bool own_wrench(carom_making *making, const carom_body *body, carom_ref row,
                       carom_ref *wrench)
{
    carom_graph *g = making->graph;
    int velocity[N_WRENCH];
    if (!carom_bodies_own_velocities(making, body, velocity)) return false;
    for (int i = 0; i < N_WRENCH; i++)
        wrench[i] = velocity[i] < 0 ? carom_graph_number(g, 0)
                                    : carom_graph_derivative(g, row, CAROM_Q, velocity[i]);
    carom_vec F, T;
    memcpy(F.c, wrench, sizeof F.c);
    memcpy(T.c, wrench + 3, sizeof T.c);
    if (carom_bodies_in_space(making)) T = carom_weave_direction(g, &body->now, T);
    const carom_vec arm = carom_weave_direction(g, &body->now, body->centre);
    T = carom_weave_add(g, T, carom_weave_cross(g, arm, F));
    memcpy(wrench + 3, T.c, sizeof T.c);
    return true;
}

// components along the axes of the joint on the first body
static void turn_wrench(const carom_fitting *fitting, carom_ref *wrench)
{
    carom_graph *g = fitting->g;
    const carom_vec axis[] = {fitting->x[0], fitting->y[0], fitting->z[0]};
    for (int k = 0; k < N_WRENCH; k += 3) {
        carom_vec v;
        memcpy(v.c, wrench + k, sizeof v.c);
        for (int i = 0; i < 3; i++) wrench[k + i] = carom_weave_dot(g, axis[i], v);
    }
}

static carom_status read_frame(carom_fitting *fitting, bool *is_joint)
{
    const carom_word_text *word = carom_fitting_word(fitting, "frame");
    *is_joint = word && word->n == 1 && strcmp(word->value[0].text, "joint") == 0;
    if (!word || *is_joint || (word->n == 1 && strcmp(word->value[0].text, "space") == 0))
        return CAROM_OK;
    return carom_fail_at(fitting->making->error, word->key.place, CAROM_BAD_INPUT,
                         "'frame' is space or joint: the axes of the reaction of '%.60s'",
                         fitting->text->name.text);
}

// the rows of the joint with its second body displaced
static carom_status weave_displaced(carom_fitting *fitting, const carom_joint_kind *kind,
                                    carom_fitting *second, carom_body *moved)
{
    carom_graph *g = fitting->g;
    const carom_vec p = kind->needs_points ? fitting->point[1] : fitting->body[1]->now.r;
    *moved = displace(fitting->making, fitting->body[1], p);
    *second = (carom_fitting){.making = fitting->making, .text = fitting->text, .displaced = moved};
    second->held = carom_weave_add(g, p, displacement(fitting->making, 0));
    CAROM_TRY(carom_fitting_begin(second, &kind->facts, kind->n_to, kind->fits, kind->needs_points,
                                  kind->needs_axis));
    return carom_bodies_in_space(fitting->making) ? kind->space(second) : kind->weave(second);
}

carom_status carom_fitting_react(carom_fitting *fitting, const carom_joint_kind *kind, int first)
{
    carom_making *making = fitting->making;
    const int n = making->bodies->row.n - first;
    carom_fitting second;
    carom_body moved;
    bool is_joint, is_known = false;
    CAROM_TRY(read_frame(fitting, &is_joint));
    if (n == 0 || !fitting->body[0] || fitting->body[0] == fitting->body[1]) return CAROM_OK;
    CAROM_TRY(weave_displaced(fitting, kind, &second, &moved));
    carom_ref *wrench = CAROM_TAKE(making->arena, carom_ref, N_WRENCH * n);
    if (!wrench) return carom_making_no_memory(making);
    for (int i = 0; i < n && i < second.found.n; i++)
        is_known |= derive_wrench(making, second.found.item[i], wrench + N_WRENCH * i);
    if (!is_known)
        for (int i = 0; i < n; i++)
            is_known |=
                own_wrench(making, fitting->body[1], making->bodies->row.item[first + i].value,
                           wrench + N_WRENCH * i);
    if (!is_known) return CAROM_OK;
    for (int i = 0; is_joint && i < n; i++) turn_wrench(fitting, wrench + N_WRENCH * i);
    carom_joint_reaction *reaction = CAROM_LIST_ADD(making->arena, &making->bodies->reaction);
    if (!reaction) return carom_making_no_memory(making);
    *reaction = (carom_joint_reaction){fitting->name, first, n, wrench};
    return carom_graph_status(fitting->g) == CAROM_OK ? CAROM_OK : carom_making_no_memory(making);
}
