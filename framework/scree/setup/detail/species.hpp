#pragma once
/// \file Species: combinations of shape and material in a run.

#include <cstdint>
#include <string>
#include <vector>

#include "scree/scene/scene.hpp"
#include "scree/world/world.hpp"

namespace scree::detail {

/// Combination of shape and material that some body has or has had.
struct Species {
  std::uint32_t shape, material;
  bool mobile = false;
  bool several = false;  ///< more than one body, so that it can pair with itself
  bool scaled = false;   ///< true if some body has another size than the shape
};

/// Returns the name of a shape for messages: "floor" (half-plane).
std::string named(const Scene& scene, const World& world, std::uint32_t shape);

/// Returns names for a message.
std::string listed(const std::vector<std::string>& names);

}  // namespace scree::detail
