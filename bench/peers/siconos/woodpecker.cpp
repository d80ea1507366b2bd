// SPDX-License-Identifier: Apache-2.0
// models/woodpecker.yaml in Siconos: linear, three contacts with friction. Use: woodpecker STEP
// STEPS
#include "peer.hpp"

#include <cstdlib>

namespace
{

const double r0 = 0.0025, rM = 0.0031, hM = 0.0058, lM = 0.010, lG = 0.015, hS = 0.02, lS = 0.0201;
const double mM = 0.0003, mS = 0.0045, JM = 5e-9, JS = 7e-7, c = 0.0056, gravity = 9.81;

std::shared_ptr<SimpleMatrix> matrix(int rows, std::initializer_list<double> value)
{
    auto m = std::make_shared<SimpleMatrix>(rows, 3);
    int k = 0;
    for (double x : value) (*m)(k / 3, k % 3) = x, k++;
    return m;
}

void add_contact(peer::system &s, double e, double offset, std::initializer_list<double> rows)
{
    auto law = std::make_shared<NewtonImpactFrictionNSL>(e, 0.0, 0.3, 2);
    auto relation =
        std::make_shared<LagrangianLinearTIR>(matrix(2, rows), peer::vector(offset, 0.0));
    s.parts->link(std::make_shared<Interaction>(law, relation), s.bodies[0]);
}

} // namespace

int main(int n_argument, char **argument)
{
    if (n_argument != 3) return 2;
    const double h = std::atof(argument[1]);
    const long steps = std::atol(argument[2]);
    peer::system s{std::make_shared<NonSmoothDynamicalSystem>(0.0, 2 * h * double(steps)), {}};
    auto toy = std::make_shared<LagrangianLinearTIDS>(
        peer::vector(0.0, -0.1036, -0.2788), peer::vector(-0.3411, 0.0, -7.4583),
        matrix(3, {mS + mM, mS * lM, mS * lG, mS * lM, JM + mS * lM * lM, mS * lM * lG, mS * lG,
                   mS * lM * lG, JS + mS * lG * lG}));
    toy->setKPtr(matrix(3, {0, 0, 0, 0, c, -c, 0, -c, c}));
    toy->setFExtPtr(peer::vector(-(mS + mM) * gravity, -mS * gravity * lM, -mS * gravity * lG));
    peer::add(s, toy);
    add_contact(s, 0.5, lM + lG - lS - r0, {0, 0, -hS, 1, lM, lG - lS});
    add_contact(s, 0, rM - r0, {0, hM, 0, 1, rM, 0});
    add_contact(s, 0, rM - r0, {0, -hM, 0, 1, rM, 0});
    return peer::run(s, h, steps, std::make_shared<FrictionContact>(2, SICONOS_FRICTION_2D_LEMKE),
                     true);
}
