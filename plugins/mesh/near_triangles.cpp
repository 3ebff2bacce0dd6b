#include "near_triangles.hpp"

#include <algorithm>

namespace scree::mesh {

void NearTriangles::store(const Made& made, PairCache& cache) {
  const std::size_t fixed = sizeof(Header) + made.spheres.size() * sizeof(Made::Sphere);
  std::byte* const bytes = cache.rows<std::byte>(fixed + made.triangles.size() * sizeof(std::uint32_t));
  auto* const header = reinterpret_cast<Header*>(bytes);
  *header = {made.spheres.size(), made.triangles.size()};
  std::ranges::copy(made.spheres, reinterpret_cast<Made::Sphere*>(header + 1));
  std::ranges::copy(made.triangles, reinterpret_cast<std::uint32_t*>(bytes + fixed));
}

NearTriangles::NearTriangles(PairCache& cache)
    : header_(reinterpret_cast<const Header*>(cache.rows<std::byte>(sizeof(Header)))),
      spheres_(reinterpret_cast<const Made::Sphere*>(header_ + 1)),
      triangles_(reinterpret_cast<const std::uint32_t*>(spheres_ + header_->spheres)) {}

bool NearTriangles::serves(std::size_t sphere, const Vec3& place) const {
  if (sphere >= header_->spheres) return false;
  const Made::Sphere& s = spheres_[sphere];
  const double x = place[0] - s.place[0], y = place[1] - s.place[1], z = place[2] - s.place[2];
  return x * x + y * y + z * z < s.slack * s.slack;
}

}  // namespace scree::mesh
