#pragma once
/// \file How long a time step may be.

#include "scree/setup/setup.hpp"

namespace scree::detail {

/// The time a Rayleigh wave takes around half of a sphere, about [s]: elastic grains feel each other's contacts within
/// it. T = pi R sqrt(rho/G) / (0.1631 nu + 0.8766), G = E/(2 (1 + nu)).
/// \param radius [m]  \param density [kg/m^3]  \param youngs_modulus [Pa]
/// \source Y. Li, Y. Xu, C. Thornton, Powder Technology 160 (2005) 219
double rayleigh_time(double radius, double density, double youngs_modulus, double poisson_ratio);

/// The shortest contacts of bodies of the start and those that modifiers make, by entry of the scene's `interactions`.
/// \pre channels are resolved
std::vector<StepLimit> step_limits(const Scene& scene, const Prepared& prepared);

/// The step of the run [s]: that of the scene, or what its "auto" comes to.
/// \throws InputError where nothing in the scene says how long a contact lasts
double time_step(const Scene& scene, const std::vector<StepLimit>& limits);

/// Notes in each interaction which contacts the run's step is too long for.
void watch_steps(const Scene& scene, Prepared& prepared);

/// Where a contact takes too few steps: a warning, or
/// \throws InputError unless the scene accepts it
void judge_step(const Scene& scene, Prepared& prepared);

}  // namespace scree::detail
