#pragma once
/// \file Who takes part in a run: shapes and materials together.

#include <cstdint>
#include <string>
#include <vector>

#include "scree/scene/scene.hpp"
#include "scree/world/world.hpp"

namespace scree::detail {

/// A combination of shape and material that some body has or has had.
struct Species {
  std::uint32_t shape, material;
  bool mobile = false;
  bool several = false;  ///< more than one body, so that it can meet itself
  bool scaled = false;   ///< some body has another size than the shape
};

/// A shape as the messages name it: "floor" (half-plane).
std::string named(const Scene& scene, const World& world, std::uint32_t shape);

/// Names for a message.
std::string listed(const std::vector<std::string>& names);

}  // namespace scree::detail
