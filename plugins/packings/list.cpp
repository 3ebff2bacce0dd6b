#include "list.hpp"

#include <fmt/format.h>

#include "box_region.hpp"
#include "orientation.hpp"
#include "scree/base/error.hpp"

namespace scree::packings {

namespace {

Quat read_orientation(const Options& entry, int dimension) {
  const Options value = entry.object("orientation");
  if (value.is_number()) {
    if (dimension == 2) return about_z(value.as_number());
    throw OptionError("/orientation", "an angle means nothing in 3 dimensions. Give a quaternion [w, x, y, z].");
  }
  const std::vector<double> q = entry.numbers("orientation");
  if (q.size() != 4)
    throw OptionError("/orientation", fmt::format("has {} numbers; a quaternion has 4: [w, x, y, z].", q.size()));
  return unit_quaternion(q[0], q[1], q[2], q[3],
                         [](const std::string& fault) { return OptionError("/orientation", fault); });
}

Vec3 read_spin(const Options& entry, int dimension) {
  const Options value = entry.object("angular_velocity");
  if (!value.is_number()) return entry.vector("angular_velocity");
  if (dimension == 2) return {0, 0, value.as_number()};
  throw OptionError("/angular_velocity", "a single rate means nothing in 3 dimensions. Give [x, y, z].");
}

Placement read_place(const Options& entry, int dimension) {
  Placement place;
  place.position = read_corner(entry, "position", dimension);
  if (entry.has("scale")) place.scale = entry.number("scale");
  if (entry.has("id")) place.id = static_cast<Id>(entry.integer("id"));
  if (entry.has("orientation")) place.orientation = read_orientation(entry, dimension);
  if (entry.has("velocity")) place.velocity = read_corner(entry, "velocity", dimension);
  if (entry.has("angular_velocity")) place.angular_velocity = read_spin(entry, dimension);
  return place;
}

}  // namespace

std::vector<Placement> read_list(const Options& options, const PackingContext& context) {
  std::vector<Placement> places;
  for (const Options& entry : options.objects("places")) {
    try {
      places.push_back(read_place(entry, context.dimension));
    } catch (const OptionError& error) {
      throw OptionError(fmt::format("/places/{}{}", places.size(), error.pointer()), error.what());
    }
  }
  return places;
}

}  // namespace scree::packings
