#pragma once
/// \file The classical Runge-Kutta method of fourth order: four evaluations per step.

#include <vector>

#include "scree/integrate/integrator.hpp"

namespace scree::higher_order {

/// y_{n+1} = y_n + dt/6 (k1 + 2 k2 + 2 k3 + k4) for y = (position, velocity, rotation vector since the step began,
/// angular momentum in world axes). Keeps nothing from step to step. The history committed is that of the fourth
/// evaluation, or, with exact springs, of a fifth one at the new positions with the step's mean velocities.
class Rk4 : public Integrator {
 public:
  explicit Rk4(bool exact_springs = false) : exact_springs_(exact_springs) {}
  IntegratorTraits traits() const override;
  void step(Mechanics& mechanics, double dt) override;

 private:
  /// State of one body; world axes.
  struct State {
    Vec3 position, velocity;
    Quat orientation;
    Vec3 spin;  ///< angular momentum [kg m^2/s]
  };
  struct Rates {
    Vec3 velocity = Vec3::Zero();      ///< [m/s]
    Vec3 acceleration = Vec3::Zero();  ///< [m/s^2]
    Vec3 turning = Vec3::Zero();       ///< rate of the rotation vector [rad/s]
    Vec3 torque = Vec3::Zero();        ///< [N m]
  };

  void remember(const World& world);
  void take_rates(const World& world, Wrenches wrenches, double weight);
  void place(World& world, const std::vector<Rates>& rates, double time, double h);
  void grow_springs(Mechanics& mechanics, double dt);

  bool exact_springs_;
  std::vector<State> start_;
  std::vector<Rates> rates_, mean_;
  std::vector<Vec3> theta_;  ///< rotation vector of the present stage
};

}  // namespace scree::higher_order
