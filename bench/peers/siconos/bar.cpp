// SPDX-License-Identifier: Apache-2.0
// models/elastic-bar.yaml (consistent mass, e = 0) in Siconos: one linear system with sparse mass and
// stiffness, its first node against a wall.
// Use: bar N STEP STEPS GAP
#include "peer.hpp"

#include <cstdlib>

int main(int n_argument, char **argument)
{
    if (n_argument != 5) return 2;
    const unsigned elements = static_cast<unsigned>(std::atoi(argument[1])), n = elements + 1;
    const double h = std::atof(argument[2]), gap = std::atof(argument[4]);
    const long steps = std::atol(argument[3]);
    const double S = 3.14159265358979323846e-4, E = 2.1e11, density = 7800, le = 1.0 / elements;
    const double m = density * S * le, k = E * S / le;
    auto mass = std::make_shared<SimpleMatrix>(n, n, Siconos::SPARSE, 3 * n);
    auto stiffness = std::make_shared<SimpleMatrix>(n, n, Siconos::SPARSE, 3 * n);
    for (unsigned i = 0; i < n; i++) {
        const double share = i == 0 || i == elements ? 1 : 2;
        mass->setValue(i, i, share * m / 3);
        stiffness->setValue(i, i, share * k);
        if (i == 0) continue;
        mass->setValue(i, i - 1, m / 6);
        mass->setValue(i - 1, i, m / 6);
        stiffness->setValue(i, i - 1, -k);
        stiffness->setValue(i - 1, i, -k);
    }
    auto q = std::make_shared<SiconosVector>(n, 0.0), u = std::make_shared<SiconosVector>(n, -0.1);
    peer::system s{std::make_shared<NonSmoothDynamicalSystem>(0.0, 2 * h * double(steps)), {}};
    auto bar = std::make_shared<LagrangianLinearTIDS>(q, u, mass);
    bar->setKPtr(stiffness);
    peer::add(s, bar);
    auto row = std::make_shared<SimpleMatrix>(1, n);
    (*row)(0, 0) = 1;
    auto wall = std::make_shared<Interaction>(
        std::make_shared<NewtonImpactNSL>(0.0),
        std::make_shared<LagrangianLinearTIR>(row, peer::vector(gap)));
    s.parts->link(wall, bar);
    return peer::run(s, h, steps, std::make_shared<LCP>(SICONOS_LCP_LEMKE), true);
}
