#include "hollow_moments.hpp"

#include <algorithm>
#include <cmath>

#include "swept_solid.hpp"

namespace scree::spheropolyhedron {

namespace {

/// Halvings of the cube around the body.
constexpr int kLevels = 6;

VolumeIntegrals times(double factor, const VolumeIntegrals& body) {
  return {factor * body.volume, factor * body.first, factor * body.second};
}

class Cells {
 public:
  Cells(const Parts& parts, double radius, int levels) : parts_(parts), radius_(radius), levels_(levels) {}

  /// \param half  half the side of the cell [m]
  void add(const Vec3& centre, double half, int level) {
    const SkeletonDistance to = distance_to(parts_, centre);
    const double depth = radius_ - to.distance, reach = std::sqrt(3.0) * half;
    if (depth <= -reach) return;
    if (depth >= reach) return add_cube(centre, half, 1);
    if (level == levels_) return add_cut(centre, half, to.out, depth);
    for (int k = 0; k < 8; ++k)
      add(centre + half / 2 * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1), half / 2, level + 1);
  }
  const VolumeIntegrals& sum() const { return sum_; }

 private:
  void add_cube(const Vec3& centre, double half, double part) {
    const double volume = part * 8 * half * half * half;
    sum_ += {volume, volume * centre, volume * (centre * centre.transpose() + half * half / 3 * Mat3::Identity())};
  }
  /// The part of a cube up to a plane at `depth` along the unit normal n: signed cubes of the corners' depths,
  /// V = sum over corners +-max(0, depth + n.corner)^3/(6 n1 n2 n3).
  void add_cut(const Vec3& centre, double half, const Vec3& out, double depth) {
    const Vec3 n = out.cwiseAbs().cwiseMax(1e-3).normalized() * half;
    double sum = 0;
    for (int k = 0; k < 8; ++k) {
      const double sign = (__builtin_popcount(static_cast<unsigned>(k)) % 2) ? -1 : 1;
      const double at = depth + n[0] * (k & 1 ? -1 : 1) + n[1] * (k & 2 ? -1 : 1) + n[2] * (k & 4 ? -1 : 1);
      sum += sign * std::pow(std::max(0.0, at), 3);
    }
    add_cube(centre, half, std::clamp(sum / (48 * n.prod()), 0.0, 1.0));
  }

  const Parts& parts_;
  double radius_;
  int levels_;
  VolumeIntegrals sum_;
};

}  // namespace

VolumeIntegrals hollow_integrals(const Polyhedron& body, double radius) {
  std::vector<std::uint32_t> begin{0}, corners;
  for (const auto& face : body.faces) {
    corners.insert(corners.end(), face.begin(), face.end());
    begin.push_back(static_cast<std::uint32_t>(corners.size()));
  }
  const Parts parts = polyhedron_parts(body.vertices, begin, corners, radius);
  Eigen::AlignedBox3d box;
  for (const Vec3& v : body.vertices) box.extend(v);
  const auto with = [&](int levels) {
    Cells cells(parts, radius, levels);
    cells.add(box.center(), box.sizes().maxCoeff() / 2 + 1.001 * radius, 0);
    return cells.sum();
  };
  VolumeIntegrals sum = times(4.0 / 3, with(kLevels));  // errors go as the square of the cells
  return sum += times(-1.0 / 3, with(kLevels - 1));
}

}  // namespace scree::spheropolyhedron
