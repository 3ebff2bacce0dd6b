#pragma once
/// \file Scenes to begin with, for `scree new`: texts in new_scene/, and the numbers that fill them.

#include <string>
#include <vector>

namespace scree::cli {

/// Choices of the user.
struct SceneChoice {
  int grains = 0;            ///< number of grains wanted; 0: the kind's own
  double diameter = 0.005;   ///< mean diameter of grains [m]
  double density = 2500;     ///< [kg/m^3]
  double friction = 0.5;     ///< coefficient of friction
  double restitution = 0.5;  ///< coefficient of restitution
};

/// Kind of scene.
struct SceneKind {
  const char *name, *about;
  int grains;  ///< number of grains by default; 0: it has none
};

/// Returns all kinds.
const std::vector<SceneKind>& scene_kinds();

/// Returns the text of a scene. Lengths follow the diameter, and sizes of containers the number of grains. Contacts are
/// as stiff as the weight of 20,000 grains on one of them presses it by a diameter. \throws InputError for an unknown
/// kind
std::string scene_text(const std::string& kind, const SceneChoice& choice);

}  // namespace scree::cli
