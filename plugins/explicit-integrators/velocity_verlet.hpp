#pragma once
/// \file Velocity Verlet: one evaluation per step, second order for forces that do not depend on velocity.

#include "scree/integrate/integrator.hpp"

namespace scree::explicit_integrators {

/// v_{n+1/2} = v_n + dt/2 a_n,  x_{n+1} = x_n + dt v_{n+1/2},  a_{n+1} = a(x_{n+1}, v_{n+1/2}),
/// v_{n+1} = v_{n+1/2} + dt/2 a_{n+1}; rotation likewise. Contacts are told that v_{n+1/2} lags behind x_{n+1}. a_n are
/// those of Mechanics::last_forces(), evaluated anew before the first step and after every edit of the World.
class VelocityVerlet : public Integrator {
 public:
  IntegratorTraits traits() const override;
  void edited(World& world, const EditLog& edits) override;
  void step(Mechanics& mechanics, double dt) override;

 private:
  bool stale_ = false;  ///< the last forces do not belong to the World's state
};

}  // namespace scree::explicit_integrators
