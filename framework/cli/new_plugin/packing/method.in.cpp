// A packing for scree: where the bodies of an entry start.

#include "@name@.hpp"

#include <cmath>
#include <numbers>

namespace @name@ {

scree::Packed ring(const scree::Vec3& centre, double radius, std::int64_t count) {
  std::vector<scree::Placement> places;
  for (std::int64_t k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(count);
    scree::Placement place;
    place.position = centre + radius * scree::Vec3(std::cos(angle), std::sin(angle), 0);
    places.push_back(place);
  }
  return places;
}

}  // namespace @name@

SCREE_PLUGIN(@name@, "0.1.0") {
  registrar.packing("@name@", [](const scree::Options& o, const scree::PackingContext& context) {
    const double radius = o.number("radius"), around = 2 * 3.14159265358979 * radius;
    const std::int64_t count = o.integer("count");
    if (around < static_cast<double>(count) * 2 * context.bounding_radius)
      throw scree::OptionError(o.pointer(), std::to_string(count) + " bodies do not fit on the ring. Raise radius, or lower count.");
    return @name@::ring(o.vector("centre"), radius, count);
  });
}
