#include "outline/crushed.hpp"

#include <fmt/format.h>

#include "scree/base/error.hpp"

namespace scree::star {

std::string crushed_text(Id a, Id b, bool a_is_inner, double r_min, double r_max) {
  return fmt::format(
      "bodies {} and {}: the outline of body {} has reached the centre of body {} (radius {:.4g} to {:.4g} m), where "
      "depth and normal of a star lose their meaning. Use a smaller dt or a stiffer law.",
      a, b, a_is_inner ? b : a, a_is_inner ? a : b, r_min, r_max);
}

void throw_crushed(Id a, Id b, bool a_is_inner, double r_min, double r_max) {
  throw NumericalError(crushed_text(a, b, a_is_inner, r_min, r_max));
}

}  // namespace scree::star
