// SPDX-License-Identifier: Apache-2.0
// The scenes with Bullet's sequential impulses, 10 iterations, as its users run it (BULLET_ITERATIONS for more).
#include "scene.h"

#include <btBulletDynamicsCommon.h>

#include <cstdlib>
#include <vector>

namespace
{
btDiscreteDynamicsWorld *world;
std::vector<btRigidBody *> bodies;
double friction;

void add(btCollisionShape *shape, double mass, const btVector3 &inertia, const btVector3 &at,
         int number)
{
    btTransform place;
    place.setIdentity();
    place.setOrigin(at);
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), new btDefaultMotionState(place),
                                                  shape, inertia);
    info.m_friction = btScalar(std::sqrt(friction)); // products count
    info.m_restitution = 0;
    btRigidBody *body = new btRigidBody(info);
    body->setUserIndex(number);
    body->setActivationState(DISABLE_DEACTIVATION);
    world->addRigidBody(body);
    if (number >= 0) bodies.push_back(body);
}

void begin(const scene *s)
{
    auto *configuration = new btDefaultCollisionConfiguration();
    auto *dispatcher = new btCollisionDispatcher(configuration);
    auto *solver = new btSequentialImpulseConstraintSolver();
    const char *iterations = std::getenv("BULLET_ITERATIONS");
    world = new btDiscreteDynamicsWorld(dispatcher, new btDbvtBroadphase(), solver, configuration);
    world->setGravity(btVector3(0, 0, btScalar(-9.81)));
    world->getSolverInfo().m_numIterations = iterations ? std::atoi(iterations) : 10;
    friction = s->mu;
    for (int i = 0; i < s->n_body; i++) {
        const scene_body &b = s->body[i];
        btCollisionShape *shape =
            b.half[1] > 0 ? static_cast<btCollisionShape *>(new btBoxShape(btVector3(
                                btScalar(b.half[0]), btScalar(b.half[1]), btScalar(b.half[2]))))
                          : new btSphereShape(btScalar(b.half[0]));
        add(shape, b.mass,
            btVector3(btScalar(b.inertia[0]), btScalar(b.inertia[1]), btScalar(b.inertia[2])),
            btVector3(btScalar(b.at[0]), btScalar(b.at[1]), btScalar(b.at[2])), i);
    }
    for (int i = 0; i < s->n_plane; i++) {
        const double *n = s->plane[i].normal;
        add(new btStaticPlaneShape(btVector3(btScalar(n[0]), btScalar(n[1]), btScalar(n[2])),
                                   btScalar(s->plane[i].offset)),
            0, btVector3(0, 0, 0), btVector3(0, 0, 0), -1);
    }
}

void look(scene_state *state)
{
    for (size_t b = 0; b < bodies.size(); b++) {
        const btMatrix3x3 R = bodies[b]->getWorldTransform().getBasis();
        for (int i = 0; i < 3; i++) {
            state[b].x[i] = bodies[b]->getWorldTransform().getOrigin()[i];
            state[b].v[i] = bodies[b]->getLinearVelocity()[i];
            state[b].w[i] = bodies[b]->getAngularVelocity()[i];
            for (int k = 0; k < 3; k++) state[b].R[3 * i + k] = R[i][k];
        }
    }
}

void step(double h)
{
    world->stepSimulation(btScalar(h), 0);
}

int contacts(scene_contact *contact, int room)
{
    int n = 0;
    btDispatcher *dispatcher = world->getDispatcher();
    for (int m = 0; m < dispatcher->getNumManifolds(); m++) {
        const btPersistentManifold *manifold = dispatcher->getManifoldByIndexInternal(m);
        for (int p = 0; p < manifold->getNumContacts() && n < room; p++) {
            const btManifoldPoint &point = manifold->getContactPoint(p);
            scene_contact &c = contact[n++];
            c.body[0] = manifold->getBody0()->getUserIndex();
            c.body[1] = manifold->getBody1()->getUserIndex();
            const btVector3 middle =
                (point.getPositionWorldOnA() + point.getPositionWorldOnB()) * btScalar(0.5);
            const btVector3 impulse = point.m_normalWorldOnB * point.getAppliedImpulse() +
                                      point.m_lateralFrictionDir1 * point.m_appliedImpulseLateral1 +
                                      point.m_lateralFrictionDir2 * point.m_appliedImpulseLateral2;
            for (int i = 0; i < 3; i++) {
                c.point[i] = middle[i];
                c.normal[i] = point.m_normalWorldOnB[i];
                c.impulse[i] = impulse[i];
            }
            c.depth = -point.getDistance();
        }
    }
    return n;
}
} // namespace

extern const scene_engine engine = {"Bullet", begin, look, step, contacts};
