#pragma once
/// \file "scene-warnings/1": what an integrator tells the user about a scene that can be run, but may not be meant so.

#include <string>
#include <string_view>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

class World;

struct SceneWarning {
  std::string pointer;  ///< of an option of the integrator, such as "/tolerance"; "": none
  std::string text;     ///< whole sentences: what, how much, what is allowed, and what helps
};

/// A face of integrators. `scree check` and runs show its warnings beside their own.
class SCREE_API SceneWarnings {
 public:
  static constexpr std::string_view kName = "scene-warnings/1";
  virtual ~SceneWarnings();
  /// Asked once per stage, after Integrator::columns() and before its first step.
  /// \param gravity  at the start [m/s^2]   \param dt  time step [s]
  virtual std::vector<SceneWarning> warnings(const World& world, const Vec3& gravity, double dt) const = 0;
};

}  // namespace scree
