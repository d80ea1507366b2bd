// SPDX-License-Identifier: Apache-2.0
// The scenes with ODE's quickstep, 20 iterations, as its users run it: default position feedback
// (ERP 0.2 where ODE=plain, none where ODE=bare), friction by pyramids of the right size.
#include "scene.h"

#include <ode/ode.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 8, MOST_JOINTS = 200000 };

static dWorldID world;
static dSpaceID space;
static dJointGroupID group;
static dBodyID *body;
static int n_body, n_joint;
static double friction, length_of_step;
static dJointFeedback feedback[MOST_JOINTS];
static dContactGeom geometry[MOST_JOINTS];
static dBodyID touching[MOST_JOINTS][2];

static void meet(void *data, dGeomID a, dGeomID b)
{
    const dBodyID of_a = dGeomGetBody(a), of_b = dGeomGetBody(b);
    dContact contact[MOST_POINTS];
    (void)data;
    if (!of_a && !of_b) return;
    memset(contact, 0, sizeof contact);
    const int n = dCollide(a, b, MOST_POINTS, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < n && n_joint < MOST_JOINTS; i++) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = friction;
        const dJointID joint = dJointCreateContact(world, group, &contact[i]);
        dJointAttach(joint, of_a, of_b);
        dJointSetFeedback(joint, &feedback[n_joint]);
        geometry[n_joint] = contact[i].geom;
        touching[n_joint][0] = of_a;
        touching[n_joint++][1] = of_b;
    }
}

static void begin(const scene *s)
{
    const char *how = getenv("ODE");
    dInitODE();
    world = dWorldCreate();
    space = dHashSpaceCreate(0);
    group = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetQuickStepNumIterations(world, 20);
    if (how && strcmp(how, "bare") == 0) {
        dWorldSetERP(world, 0);
        dWorldSetCFM(world, 0);
    }
    body = calloc((size_t)s->n_body, sizeof *body);
    n_body = s->n_body;
    friction = s->mu;
    for (int i = 0; i < s->n_body; i++) {
        const scene_body *b = &s->body[i];
        dMass mass;
        body[i] = dBodyCreate(world);
        dMassSetParameters(&mass, b->mass, 0, 0, 0, b->inertia[0], b->inertia[1], b->inertia[2], 0,
                           0, 0);
        dBodySetMass(body[i], &mass);
        dBodySetPosition(body[i], b->at[0], b->at[1], b->at[2]);
        dBodySetData(body[i], (void *)(size_t)i);
        const dGeomID shape =
            b->half[1] > 0 ? dCreateBox(space, 2 * b->half[0], 2 * b->half[1], 2 * b->half[2])
                           : dCreateSphere(space, b->half[0]);
        dGeomSetBody(shape, body[i]);
    }
    for (int i = 0; i < s->n_plane; i++)
        dCreatePlane(space, s->plane[i].normal[0], s->plane[i].normal[1], s->plane[i].normal[2],
                     s->plane[i].offset);
}

static void look(scene_state *state)
{
    for (int b = 0; b < n_body; b++) {
        const dReal *R = dBodyGetRotation(body[b]);
        for (int i = 0; i < 3; i++) {
            state[b].x[i] = dBodyGetPosition(body[b])[i];
            state[b].v[i] = dBodyGetLinearVel(body[b])[i];
            state[b].w[i] = dBodyGetAngularVel(body[b])[i];
            for (int k = 0; k < 3; k++) state[b].R[3 * i + k] = R[4 * i + k];
        }
    }
}

static void step(double h)
{
    n_joint = 0;
    length_of_step = h;
    dJointGroupEmpty(group);
    dSpaceCollide(space, NULL, meet);
    dWorldQuickStep(world, h);
}

// ODE's feedback is a force on body 1 of a joint, or on body 2 where there is no body 1
static int contacts(scene_contact *contact, int room)
{
    const int n = n_joint < room ? n_joint : room;
    for (int k = 0; k < n; k++) {
        const int is_turned = !touching[k][0];
        scene_contact *c = &contact[k];
        for (int side = 0; side < 2; side++) {
            const dBodyID b = touching[k][side ^ is_turned];
            c->body[side] = b ? (int)(size_t)dBodyGetData(b) : -1;
        }
        for (int i = 0; i < 3; i++) {
            c->point[i] = geometry[k].pos[i];
            c->normal[i] = is_turned ? -geometry[k].normal[i] : geometry[k].normal[i];
            c->impulse[i] = length_of_step * feedback[k].f1[i];
        }
        c->depth = geometry[k].depth;
    }
    return n;
}

const scene_engine engine = {"ODE", begin, look, step, contacts};
