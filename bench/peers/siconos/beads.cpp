// SPDX-License-Identifier: Apache-2.0
// models/column-of-beads.yaml in Siconos, or, with one bead, models/bouncing-ball.yaml (R = 0).
// Use: beads N STEP STEPS [HEIGHT PITCH [lemke|newton]]   lemke is Siconos' default
#include "peer.hpp"

#include <cstdlib>
#include <cstring>

int main(int n_argument, char **argument)
{
    if (n_argument != 4 && n_argument != 6 && n_argument != 7) return 2;
    const int n = std::atoi(argument[1]);
    const double R = n == 1 ? 0 : 0.1, h = std::atof(argument[2]);
    const double height = n_argument > 4 ? std::atof(argument[4]) : 1;
    const double pitch = n_argument > 4 ? std::atof(argument[5]) : 0.25;
    const long steps = std::atol(argument[3]);
    peer::system s{std::make_shared<NonSmoothDynamicalSystem>(0.0, 2 * h * double(steps)), {}};
    auto law = std::make_shared<NewtonImpactNSL>(0.9);
    for (int i = 0; i < n; i++) {
        auto mass = std::make_shared<SimpleMatrix>(1, 1);
        (*mass)(0, 0) = 1;
        auto bead = std::make_shared<LagrangianLinearTIDS>(peer::vector(height + pitch * i),
                                                           peer::vector(0.0), mass);
        bead->setFExtPtr(peer::vector(-9.81));
        peer::add(s, bead);
    }
    for (int i = 0; i < n; i++) {
        auto row = std::make_shared<SimpleMatrix>(1, i == 0 ? 1 : 2);
        (*row)(0, 0) = i == 0 ? 1 : -1;
        if (i > 0) (*row)(0, 1) = 1;
        auto relation =
            std::make_shared<LagrangianLinearTIR>(row, peer::vector(i == 0 ? -R : -2 * R));
        auto contact = std::make_shared<Interaction>(law, relation);
        if (i == 0)
            s.parts->link(contact, s.bodies[0]);
        else
            s.parts->link(contact, s.bodies[i - 1], s.bodies[i]);
    }
    const bool is_newton = n_argument == 7 && std::strcmp(argument[6], "newton") == 0;
    const int solver = is_newton ? SICONOS_LCP_NEWTON_FB_FBLSA : SICONOS_LCP_LEMKE;
    return peer::run(s, h, steps, std::make_shared<LCP>(solver), true);
}
