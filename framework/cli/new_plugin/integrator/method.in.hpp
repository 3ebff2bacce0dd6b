#pragma once

#include <scree/integrate/integrator.hpp>

namespace @name@ {

/// Symplectic Euler: velocities by the current forces, then positions by the new velocities.
class Integrator final : public scree::Integrator {
 public:
  scree::IntegratorTraits traits() const override;
  void step(scree::Mechanics& mechanics, double dt) override;
};

}  // namespace @name@
