#pragma once
/// \file Differences of two scenes, and whether a run of one may continue as a run of the other.

#include <string>
#include <vector>

#include "scree/base/api.hpp"

namespace scree {

/// Value that differs.
struct SCREE_API SceneChange {
  std::string pointer;
  std::string before, after;  ///< values for messages; empty: none
  std::string refusal;        ///< reason why existing bodies cannot continue with it; empty: they can
  std::string text() const;   ///< "/gravity/1: -9.81 -> -3.7"
};

/// Returns the differences in the order of the documents. \param before, after  Scene::decisive of both
/// \throws nlohmann's exceptions for invalid JSON
SCREE_API std::vector<SceneChange> scene_changes(const std::string& before, const std::string& after);

}  // namespace scree
