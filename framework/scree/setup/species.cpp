#include "scree/setup/detail/species.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scree::detail {

std::string named(const Scene& scene, const World& world, std::uint32_t shape) {
  const std::string& name = world.shapes()[shape].name;
  if (shape < scene.shapes.size()) return fmt::format("\"{}\" ({})", name, scene.shapes[shape].object.type);
  return fmt::format("\"{}\" (made during the run)", name);
}

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "none of those loaded" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace scree::detail
