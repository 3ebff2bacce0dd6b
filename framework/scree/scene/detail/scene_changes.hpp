#pragma once
/// \file How two scenes differ, and whether a run of one may go on as one of the other.

#include <string>
#include <vector>

#include "scree/base/api.hpp"

namespace scree {

/// A value that differs.
struct SCREE_API SceneChange {
  std::string pointer;
  std::string before, after;  ///< as shown in messages; empty: not there
  std::string refusal;        ///< why bodies that are there cannot go on with it; empty: they can
  std::string text() const;   ///< "/gravity/1: -9.81 -> -3.7"
};

/// In the order of the documents. \param before, after  Scene::decisive of both
/// \throws nlohmann's exceptions for what is no JSON
SCREE_API std::vector<SceneChange> scene_changes(const std::string& before, const std::string& after);

}  // namespace scree
