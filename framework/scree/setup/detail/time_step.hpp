#pragma once
/// \file Limits of the time step.

#include "scree/setup/setup.hpp"

namespace scree::detail {

/// Returns the time that a Rayleigh wave takes around half of a sphere, approximately [s]: within it, contacts of an
/// elastic grain affect each other. T = pi R sqrt(rho/G) / (0.1631 nu + 0.8766), G = E/(2 (1 + nu)).
/// \param radius [m]  \param density [kg/m^3]  \param youngs_modulus [Pa]
/// \source Y. Li, Y. Xu, C. Thornton, Powder Technology 160 (2005) 219
double rayleigh_time(double radius, double density, double youngs_modulus, double poisson_ratio);

/// Returns limits by entry of the scene's `interactions`: the shortest contacts of bodies of the start and of those
/// that modifiers make.
/// \pre channels are resolved
std::vector<StepLimit> step_limits(const Scene& scene, const Prepared& prepared);

/// Returns the step of the run [s]: that of the scene, or the value of its "auto".
/// \throws InputError if nothing in the scene determines the duration of a contact
double time_step(const Scene& scene, const std::vector<StepLimit>& limits);

/// Sets in each interaction the limits of contacts that the run's step does not resolve.
void watch_steps(const Scene& scene, Prepared& prepared);

/// Warns if a contact takes too few steps.
/// \throws InputError unless the scene accepts it
void judge_step(const Scene& scene, Prepared& prepared);

}  // namespace scree::detail
