#include "box_region.hpp"

#include <fmt/format.h>

#include "scree/base/error.hpp"
#include "scree/base/memory.hpp"

namespace scree::packings {

void check_places(const char* pointer, const std::string& what, double places, const char* cure) {
  if (!(places <= kMostPlaces))
    throw OptionError(
        pointer, fmt::format("{} {:.3g} places; at most {:.0e} are possible. {}", what, places, kMostPlaces, cure));
  if (const std::string fault = memory_fault(places); !fault.empty())
    throw OptionError(pointer, fmt::format("{} {:.3g} places: {}. {}", what, places, fault, cure));
}

Vec3 read_corner(const Options& options, const char* key, int dimension) {
  const std::size_t count = options.numbers(key).size();
  if (count != static_cast<std::size_t>(dimension))
    throw OptionError(std::string("/") + key, fmt::format("has {} numbers; the scene has dimension {}. Give {}.", count,
                                                          dimension, dimension == 2 ? "[x, y]" : "[x, y, z]"));
  return options.vector(key);
}

BoxRegion read_region(const Options& options, int dimension) {
  const BoxRegion region{read_corner(options, "lower", dimension), read_corner(options, "upper", dimension)};
  for (int k = 0; k < dimension; ++k)
    if (region.upper[k] < region.lower[k])
      throw OptionError("/upper", fmt::format("{} = {} m is below the lower corner's {} m. Exchange the two or enlarge "
                                              "the box.",
                                              "xyz"[k], region.upper[k], region.lower[k]));
  return region;
}

}  // namespace scree::packings
