#pragma once
/// \file Scene for trying a method: its author's, or one made of loaded methods.

#include <memory>
#include <optional>
#include <string>

#include "conformance/catalogue.hpp"
#include "scree/setup/setup.hpp"

namespace scree::conformance {

/// Scene, and the run prepared from it.
struct Made {
  Scene scene;
  std::unique_ptr<Prepared> prepared;
};

struct TrialScene {
  std::string kind, name;  ///< kind and name of the method
  Json scene;
  std::string file = "scene.json";  ///< relative file names are relative to it
  std::string pointer;              ///< pointer to the options of the method; "": it is used without being named
  std::string text;                 ///< description for the user
  std::string library = "";         ///< file of the plugin
  bool of_author = false;
  /// True if bodies only touch each other: they keep their momentum.
  bool alone = false;
};

/// Parses the scene of a trial. \throws InputError
Scene parsed(const Registry& registry, const TrialScene& trial, const Json& scene);
/// Prepares the scene of a trial.
Made made(const Registry& registry, const TrialScene& trial, const Json& scene);

/// Returns the author's scene, cut to this number of steps.
/// \return nothing if it does not use the method  \throws InputError if it cannot be read
std::optional<TrialScene> authors_scene(const Registry& registry, const std::string& kind, const std::string& name,
                                        const std::string& file, int steps);

/// Returns a scene with a cloud of bodies that collide with each other, or with a fixed obstacle. Loaded methods are
/// tried until some fit the method.
/// \param steps  number of steps; 0: it has two bodies only, for trials of options
/// \throws InputError with the first refusal if none fits
TrialScene small_scene(const Registry& registry, const std::string& kind, const std::string& name, int steps);

}  // namespace scree::conformance
