#pragma once
/// \file A scene in which a method is tried: its author's, or one made of what is loaded.

#include <memory>
#include <optional>
#include <string>

#include "conformance/catalogue.hpp"
#include "scree/setup/setup.hpp"

namespace scree::conformance {

/// A scene and what was made from it.
struct Made {
  Scene scene;
  std::unique_ptr<Prepared> prepared;
};

struct TrialScene {
  std::string kind, name;  ///< of the method
  Json scene;
  std::string file = "scene.json";  ///< what relative file names are relative to
  std::string pointer;              ///< where the options of the method stand; "": it is there without being named
  std::string text;                 ///< what it is, for the user
  std::string library = "";         ///< file of the plugin
  bool of_author = false;
  /// Whether bodies only meet each other: they keep their momentum.
  bool alone = false;
};

/// \throws InputError
Scene parsed(const Registry& registry, const TrialScene& trial, const Json& scene);
Made made(const Registry& registry, const TrialScene& trial, const Json& scene);

/// The author's, cut to so many steps.
/// \return nothing when it does not use the method  \throws InputError when it cannot be read
std::optional<TrialScene> authors_scene(const Registry& registry, const std::string& kind, const std::string& name,
                                        const std::string& file, int steps);

/// A cloud of bodies that collide with each other, or with a fixed obstacle. What is loaded is tried until something
/// goes with the method.
/// \param steps  how many it has; 0: it has two bodies only, for trials of options
/// \throws InputError with the first refusal when nothing does
TrialScene small_scene(const Registry& registry, const std::string& kind, const std::string& name, int steps);

}  // namespace scree::conformance
