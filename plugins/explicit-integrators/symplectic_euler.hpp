#pragma once
/// \file Semi-implicit (symplectic) Euler: one evaluation per step, first order, energy bounded without damping.

#include "scree/integrate/integrator.hpp"

namespace scree::explicit_integrators {

/// v_{n+1} = v_n + dt a(x_n, v_n),  x_{n+1} = x_n + dt v_{n+1}; rotation likewise. Keeps no state of its own. v_n are
/// the velocities of the drift that led to x_n, so contacts take them for those of t - dt/2, also of prescribed bodies.
class SymplecticEuler : public Integrator {
 public:
  IntegratorTraits traits() const override;
  void step(Mechanics& mechanics, double dt) override;
};

}  // namespace scree::explicit_integrators
