#pragma once
/// \file Semi-implicit (symplectic) Euler: one evaluation per step, first order, energy bounded without damping.

#include "scree/integrate/integrator.hpp"

namespace scree::explicit_integrators {

/// v_{n+1} = v_n + dt a(x_n, v_n),  x_{n+1} = x_n + dt v_{n+1}; rotation likewise. Keeps no state of its own.
class SymplecticEuler : public Integrator {
 public:
  IntegratorTraits traits() const override;
  void step(Mechanics& mechanics, double dt) override;
};

}  // namespace scree::explicit_integrators
