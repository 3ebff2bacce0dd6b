#include "scree/grid/free_space_query.hpp"

#include <cmath>

#include "scree/shape/facets.hpp"

namespace scree {

FreeSpaceQuery::FreeSpaceQuery(const World& world, double largest)
    : world_(world), bodies_(world), width_(2 * largest), images_(images()) {}

std::vector<Vec3> FreeSpaceQuery::images() const {
  std::vector<Vec3> shifts;
  const auto side = [&](int axis) { return world_.cell.periodic(axis) ? 1 : 0; };
  Image image;
  for (image[2] = -side(2); image[2] <= side(2); ++image[2])
    for (image[1] = -side(1); image[1] <= side(1); ++image[1])
      for (image[0] = -side(0); image[0] <= side(0); ++image[0]) shifts.push_back(world_.cell.shift(image));
  return shifts;
}

bool FreeSpaceQuery::is_free(const Vec3& centre, double radius) const {
  return free_of_spheres(centre, radius) && !body_at(centre, radius);
}

std::optional<Id> FreeSpaceQuery::body_at(const Vec3& centre, double radius) const {
  for (const Id id : bodies_.near_sphere(centre, radius))
    if (reaches(*world_.row(id), centre, radius)) return id;
  return std::nullopt;
}

/// Checks whether a body overlaps a sphere. \pre its bounding sphere comes near, or it has none
bool FreeSpaceQuery::reaches(std::size_t row, const Vec3& centre, double radius) const {
  const Shape& shape = *world_.shapes()[world_.shape.read()[row]].shape;
  const auto* distance = facet<ExactDistance>(shape);
  if (distance == nullptr) return true;
  const double scale = world_.scale.read()[row];
  const Vec3 x = world_.position.read()[row];
  const Quat q = world_.orientation.read()[row];
  for (const Vec3& shift : images_) {
    const Vec3 local = q.conjugate() * (centre - x - shift) / scale;
    double d;
    Vec3 gradient;
    distance->distance({&local, 1}, {&d, 1}, {&gradient, 1});
    if (!(scale * d >= radius)) return true;
  }
  return false;
}

/// Returns the key of a cell next to the cell of a point. Cells far apart may share a key; distances distinguish them.
std::uint64_t FreeSpaceQuery::cell(const Vec3& centre, int dx, int dy, int dz) const {
  const auto at = [&](int k, int d) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::floor(centre[k] / width_)) + d) & 0x1fffff;
  };
  return at(0, dx) | at(1, dy) << 21 | at(2, dz) << 42;
}

bool FreeSpaceQuery::free_of_spheres(const Vec3& centre, double radius) const {
  const Vec3 inside = world_.cell.inside(centre);
  for (const Vec3& shift : images_)
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const Vec3 p = inside - shift;
          const auto found = placed_.find(cell(p, dx, dy, dz));
          if (found == placed_.end()) continue;
          for (const Sphere& s : found->second)
            if ((s.centre - p).squaredNorm() < (s.radius + radius) * (s.radius + radius)) return false;
        }
  return true;
}

void FreeSpaceQuery::place(const Vec3& centre, double radius) {
  const Vec3 inside = world_.cell.inside(centre);
  placed_[cell(inside, 0, 0, 0)].push_back({inside, radius});
}

}  // namespace scree
