#pragma once
/// \file Two bodies with a detector, a law and an integrator: a combination of the mix matrix.

#include <memory>
#include <string>

#include "catalogue.hpp"
#include "scree/setup/setup.hpp"

namespace scree::test::matrix {

struct Mix {
  int dimension;
  Json a, b;  ///< shapes; a moves freely
  bool b_fixed = false;
  double scale_a = 1, scale_b = 1;  ///< sizes of the bodies relative to their shapes; b's only where it is free
  Json detector = "auto";
  Json law = {{"type", "linear"}, {"normal_stiffness", 1000}}, integrator = {{"type", "velocity-verlet"}};
};

/// A scene of the two, with this step [s].
std::string scene_text(const Mix& mix, double dt);
/// The schema of all that is loaded.
const std::string& schema();

struct Made {
  Scene scene;
  std::unique_ptr<Prepared> made;
  Prepared& prepared = *made;

  /// \throws InputError
  explicit Made(const Mix& mix, double dt = 1e-6);
};

/// The refusal of a scene, or "" when it is legal.
std::string refusal(const Mix& mix);

}  // namespace scree::test::matrix
