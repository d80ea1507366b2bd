// SPDX-License-Identifier: Apache-2.0
// One Siconos run, timed as Carom times its own: processor time of the steps alone. Prints
// "ns_per_step X", then one line "q ..." for each dynamical system.
#pragma once

#include <SiconosKernel.hpp>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include <cstdio>
#include <ctime>
#include <memory>
#include <vector>

namespace peer
{

inline double seconds()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class... Number> std::shared_ptr<SiconosVector> vector(Number... number)
{
    const double value[] = {number...};
    auto v = std::make_shared<SiconosVector>(static_cast<unsigned>(sizeof...(number)));
    for (unsigned i = 0; i < sizeof...(number); i++) v->setValue(i, value[i]);
    return v;
}

struct system {
    std::shared_ptr<NonSmoothDynamicalSystem> parts;
    std::vector<std::shared_ptr<LagrangianDS>> bodies;
};

inline void add(system &s, std::shared_ptr<LagrangianDS> body)
{
    s.parts->insertDynamicalSystem(body);
    s.bodies.push_back(body);
}

// theta = 1/2, tolerance 1e-12 of the solver and 1e-10 of Newton's method (with 1e-12 it meets its
// limit of iterations and takes longer); linear systems take one Newton step
inline int run(system &s, double h, long steps, std::shared_ptr<OneStepNSProblem> problem,
               bool is_linear)
{
    auto integrator = std::make_shared<MoreauJeanOSI>(0.5);
    auto times = std::make_shared<TimeDiscretisation>(0.0, h);
    problem->numericsSolverOptions()->dparam[0] = 1e-12;
    auto simulation = std::make_shared<TimeStepping>(s.parts, times, integrator, problem);
    simulation->setNewtonOptions(is_linear ? SICONOS_TS_LINEAR : SICONOS_TS_NONLINEAR);
    simulation->setNewtonTolerance(1e-10);
    simulation->setNewtonMaxIteration(20);
    const double start = seconds();
    for (long i = 0; i < steps; i++) {
        simulation->computeOneStep();
        simulation->nextStep();
    }
    const double time = seconds() - start;
    std::printf("ns_per_step %.1f\n", time / static_cast<double>(steps) * 1e9);
    for (const auto &body : s.bodies) {
        std::printf("q");
        for (unsigned i = 0; i < body->dimension(); i++) std::printf(" %.15g", (*body->q())(i));
        std::printf("\n");
    }
    return 0;
}

} // namespace peer
