#pragma once
/// \file Gear's predictor-corrector of 4, 5 or 6 values: one evaluation per step.

#include <array>
#include <vector>

#include "nordsieck.hpp"
#include "scree/integrate/integrator.hpp"

namespace scree::higher_order {

/// Predict position, velocity and derivatives by Taylor's series; evaluate the forces there; correct every derivative
/// in proportion to what the acceleration was wrong by. For rotation, angular momentum in world axes takes velocity's
/// place, and the orientation is predicted from it: by the angle's series in the plane, by rotation_vector_over() in
/// space. Derivatives beyond velocity are columns, so that they follow reordering and checkpoints; those of new bodies
/// and of bodies moved from outside, attached or released restart at zero, but for the acceleration, which is
/// evaluated.
class Gear : public Integrator {
 public:
  Gear(int values, bool velocity_forces) : values_(values), coefficients_(gear_coefficients(values, velocity_forces)) {}
  IntegratorTraits traits() const override;
  void columns(World& world) override;
  void edited(World& world, const EditLog& edits) override;
  void step(Mechanics& mechanics, double dt) override;

 private:
  void restart(Mechanics& mechanics);
  template <class Axes>
  void predict(World& world, double h);
  void correct(World& world, Wrenches wrenches, double h);

  int values_;
  std::array<double, kMostValues> coefficients_;
  /// Derivative 2, 3, ... of position and of the angle whose velocity is the angular momentum: values_ - 2 of each.
  std::vector<Column<Vec3>> linear_, angular_;
  std::vector<Id> restart_;  ///< bodies whose derivatives are not of their present state
};

}  // namespace scree::higher_order
