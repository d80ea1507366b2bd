// SPDX-License-Identifier: Apache-2.0
// models/slider-crank.yaml in Siconos: four corners with friction, e = 0.4, mu = 0.01.
// Use: slider_crank STEP STEPS
#include "peer.hpp"

#include <cmath>
#include <cstdlib>

namespace
{

const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, d = 2 * (0.025 + 0.001);
const double m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;
const double gravity = 9.81, k = l1 * l2 * (m2 / 2 + m3);
const double g1 = gravity * l1 * (m1 / 2 + m2 + m3), g2 = gravity * l2 * (m2 / 2 + m3);

void mass(unsigned, double *q, double *M, unsigned, double *)
{
    M[0] = J1 + l1 * l1 * (m1 / 4 + m2 + m3);
    M[4] = J2 + l2 * l2 * (m2 / 4 + m3);
    M[1] = M[3] = k * std::cos(q[0] - q[1]);
    M[8] = J3;
    M[2] = M[5] = M[6] = M[7] = 0;
}

// inertia forces and weight on the left side of M a + F = 0
void forces(unsigned, double *q, double *u, double *F, unsigned, double *)
{
    const double s = k * std::sin(q[0] - q[1]);
    F[0] = s * u[1] * u[1] + g1 * std::cos(q[0]);
    F[1] = -s * u[0] * u[0] + g2 * std::cos(q[1]);
    F[2] = 0;
}

void forces_q(unsigned, double *q, double *u, double *D, unsigned, double *)
{
    const double c = k * std::cos(q[0] - q[1]);
    for (int i = 0; i < 9; i++) D[i] = 0;
    D[0] = c * u[1] * u[1] - g1 * std::sin(q[0]);
    D[3] = -c * u[1] * u[1];
    D[1] = -c * u[0] * u[0];
    D[4] = c * u[0] * u[0] - g2 * std::sin(q[1]);
}

void forces_u(unsigned, double *q, double *u, double *D, unsigned, double *)
{
    const double s = k * std::sin(q[0] - q[1]);
    for (int i = 0; i < 9; i++) D[i] = 0;
    D[3] = 2 * s * u[1];
    D[1] = -2 * s * u[0];
}

// corners: upper left, upper right, lower left, lower right
class corner : public LagrangianScleronomousR
{
    double up, right;

  public:
    explicit corner(int which) : up(which < 2 ? 1 : -1), right(which & 1 ? 1 : -1)
    {
        _jachq = std::make_shared<SimpleMatrix>(2, 3);
    }
    void computeh(const BlockVector &q, BlockVector &, SiconosVector &y) override
    {
        const double height = l1 * std::sin(q(0)) + l2 * std::sin(q(1));
        y.setValue(0, d / 2 - up * height - up * right * a * std::sin(q(2)) - b * std::cos(q(2)));
        y.setValue(1, l1 * std::cos(q(0)) + l2 * std::cos(q(1)) + right * a * std::cos(q(2)) -
                          up * b * std::sin(q(2)));
    }
    void computeJachq(const BlockVector &q, BlockVector &) override
    {
        SiconosMatrix &W = *_jachq;
        W.setValue(0, 0, -up * l1 * std::cos(q(0)));
        W.setValue(0, 1, -up * l2 * std::cos(q(1)));
        W.setValue(0, 2, -up * right * a * std::cos(q(2)) + b * std::sin(q(2)));
        W.setValue(1, 0, -l1 * std::sin(q(0)));
        W.setValue(1, 1, -l2 * std::sin(q(1)));
        W.setValue(1, 2, -right * a * std::sin(q(2)) - up * b * std::cos(q(2)));
    }
};

} // namespace

int main(int n_argument, char **argument)
{
    if (n_argument != 3) return 2;
    const double h = std::atof(argument[1]);
    const long steps = std::atol(argument[2]);
    peer::system s{std::make_shared<NonSmoothDynamicalSystem>(0.0, 2 * h * double(steps)), {}};
    auto crank = std::make_shared<LagrangianDS>(peer::vector(0.0, 0.0, 0.0),
                                                peer::vector(150.0, -75.0, 0.0));
    crank->setComputeMassFunction(&mass);
    crank->setComputeFGyrFunction(&forces);
    crank->setComputeJacobianFGyrqFunction(&forces_q);
    crank->setComputeJacobianFGyrqDotFunction(&forces_u);
    peer::add(s, crank);
    auto law = std::make_shared<NewtonImpactFrictionNSL>(0.4, 0.0, 0.01, 2);
    for (int i = 0; i < 4; i++)
        s.parts->link(std::make_shared<Interaction>(law, std::make_shared<corner>(i)), crank);
    return peer::run(s, h, steps, std::make_shared<FrictionContact>(2, SICONOS_FRICTION_2D_LEMKE),
                     false);
}
