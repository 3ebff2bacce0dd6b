#include "helicoid.hpp"

#include <fmt/format.h>

#include <limits>
#include <numbers>

#include "scree/base/error.hpp"

namespace scree::obstacles {

namespace {

/// Returns the curvature of the surface: +-c / (c^2 + rho^2), with the climb c. \source do Carmo, Differential Geometry
/// (1976), sec. 3-3
double curvature(double climb, double rho) { return climb / (climb * climb + rho * rho); }

}  // namespace

HelicoidBlade::HelicoidBlade(const HelicoidOptions& o)
    : blade_{o.inner_radius, o.outer_radius, o.pitch / (2 * std::numbers::pi), std::numbers::pi * o.turns},
      half_thickness_(o.thickness / 2),
      hand_(o.left_handed ? -1 : 1) {
  if (!(o.inner_radius < o.outer_radius))
    throw OptionError("/inner_radius", fmt::format("is {} m and the outer_radius {} m. Give an inner_radius below it.",
                                                   o.inner_radius, o.outer_radius));
  const double most = 2 / curvature(blade_.climb, blade_.inner);
  if (!(o.thickness < most) || !(o.thickness < o.pitch))
    throw OptionError("/thickness",
                      fmt::format("is {} m; a blade of this pitch and inner_radius can be up to {:.3g} m thick.",
                                  o.thickness, std::min(most, o.pitch)));
}

double HelicoidBlade::bounding_radius() const noexcept {
  return std::hypot(blade_.outer, blade_.climb * blade_.end) + half_thickness_;
}

/// Around the blade at one angle: over its upper side outward, round the rim, back over the lower side, round the
/// shaft's rim. \param bend  beyond an end of the blade the section shrinks round it, from 0 to a right angle
std::vector<Vec3> HelicoidBlade::section(double t, double bend) const {
  constexpr int across = 6, arc = 6;
  const double c = std::cos(t), s = std::sin(t), r = half_thickness_;
  const Vec3 radial(c, s, 0);
  std::vector<Vec3> points;
  const auto add = [&](double rho, double turn) {
    const Vec3 along = Vec3(-rho * s, rho * c, blade_.climb).normalized();
    const Vec3 up = radial.cross(along);
    const double beyond = (t > 0 ? 1 : -1) * r * std::sin(bend);
    points.push_back(mirrored(Vec3(rho * c, rho * s, blade_.climb * t) + beyond * along +
                              r * std::cos(bend) * (std::cos(turn) * up + std::sin(turn) * radial)));
  };
  const double pi = std::numbers::pi, width = blade_.outer - blade_.inner;
  for (int k = 0; k < across; ++k) add(blade_.inner + width * k / (across - 1), 0);
  for (int k = 1; k < arc; ++k) add(blade_.outer, pi * k / arc);
  for (int k = across - 1; k >= 0; --k) add(blade_.inner + width * k / (across - 1), pi);
  for (int k = 1; k < arc; ++k) add(blade_.inner, pi + pi * k / arc);
  return points;
}

Surface HelicoidBlade::surface() const {
  const int steps = static_cast<int>(std::ceil(blade_.end / std::numbers::pi * 48)), bends = 3;
  Surface s;
  std::uint32_t ring = 0;
  for (int i = -bends; i <= steps + bends; ++i) {
    const double t = blade_.end * (2.0 * std::clamp(i, 0, steps) / steps - 1);
    const int beyond = std::max(-i, i - steps);
    const std::vector<Vec3> points = section(t, std::max(0, beyond) * std::numbers::pi / 2 / bends);
    ring = static_cast<std::uint32_t>(points.size());
    s.points.insert(s.points.end(), points.begin(), points.end());
  }
  for (std::uint32_t first = 0; first + ring < s.points.size(); first += ring)
    for (std::uint32_t k = 0; k < ring; ++k) {
      const std::uint32_t next = (k + 1) % ring;
      std::vector<std::uint32_t> cell{first + k, first + next, first + ring + next, first + ring + k};
      if (hand_ < 0) std::reverse(cell.begin(), cell.end());
      s.cells.push_back(std::move(cell));
    }
  return s;
}

/// \param p, foot  point and foot for the right-handed blade
FacePoint HelicoidBlade::seen_from(const Vec3& p, const HelicoidFoot& foot) const {
  if (!foot.found) return {std::numeric_limits<double>::infinity(), Vec3::UnitZ(), {0, 0}};
  const Vec3 off = p - foot.place;
  const Vec3 up = Vec3(blade_.climb * std::sin(foot.t), -blade_.climb * std::cos(foot.t), foot.rho).normalized();
  const bool within = foot.rho > blade_.inner && foot.rho < blade_.outer && std::abs(foot.t) < blade_.end;
  const double way = within ? std::abs(off.dot(up)) : off.norm();
  const Vec3 out = within || !(way > 0) ? Vec3(off.dot(up) < 0 ? -up : up) : Vec3(off / way);
  FacePoint seen{way - half_thickness_, mirrored(out), {0, 0}};
  if (!within) return seen;
  const double k = curvature(blade_.climb, foot.rho);
  seen.curvature[0] = k / (1 + k * half_thickness_);
  seen.curvature[1] = -k / (1 - k * half_thickness_);
  return seen;
}

void HelicoidBlade::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 p = mirrored(points[i]);
    const HelicoidFoot below = helicoid_turn(blade_, p, 0), above = helicoid_turn(blade_, p, 1);
    const FacePoint seen = seen_from(p, below.square <= above.square ? below : above);
    distance[i] = seen.distance;
    gradient[i] = seen.normal;
  }
}

void HelicoidBlade::face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 p = mirrored(points[i]);
    seen[i] = seen_from(p, helicoid_turn(blade_, p, face));
  }
}

}  // namespace scree::obstacles
