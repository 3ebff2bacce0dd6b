#include "revolved.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

namespace scree::obstacles {

namespace {

/// Integral of rho^p z^q over the section [m^(p+q+2)], exact for p + q <= 3: by Green's theorem that of
/// rho^(p+1)/(p+1) z^q dz around it, with three points of Gauss on each edge.
double moment(const Profile<double>& s, int p, int q) {
  constexpr double at[3] = {-0.7745966692414834, 0, 0.7745966692414834}, weight[3] = {5. / 9, 8. / 9, 5. / 9};
  double sum = 0;
  for (int k = 0; k < s.corners; ++k) {
    const int next = (k + 1) % s.corners;
    for (int i = 0; i < 3; ++i) {
      const double t = (1 + at[i]) / 2;
      const double rho = s.rho[k] + t * (s.rho[next] - s.rho[k]), z = s.z[k] + t * (s.z[next] - s.z[k]);
      sum += weight[i] / 2 * (s.z[next] - s.z[k]) * std::pow(rho, p + 1) / (p + 1) * std::pow(z, q);
    }
  }
  return sum;
}

}  // namespace

std::vector<Vec2> frustum_section(double lower, double upper, double length) {
  const double h = length / 2;
  if (upper == 0) return {{0, -h}, {lower, -h}, {0, h}};
  if (lower == 0) return {{0, -h}, {upper, h}, {0, h}};
  return {{0, -h}, {lower, -h}, {upper, h}, {0, h}};
}

/// The outer surface is parallel to the inner one: `wall` apart, which along rho is wall / cos of the wall's slope.
std::vector<Vec2> open_section(double lower, double upper, double length, double wall) {
  const double h = length / 2, across = wall * std::hypot(1, (upper - lower) / length);
  return {{lower, -h}, {lower + across, -h}, {upper + across, h}, {upper, h}};
}

Revolved::Revolved(const RevolvedOptions& options) : inside_(options.inside) {
  hollow_ = options.section.front()[0] > 0;
  walls_alone_ = inside_;
  for (const Vec2& corner : options.section) {
    profile_.rho[profile_.corners] = corner[0];
    profile_.z[profile_.corners++] = corner[1];
  }
  if (inside_) return;
  reference_z_ = -moment(profile_, 1, 1) / moment(profile_, 1, 0);
  for (int k = 0; k < profile_.corners; ++k) profile_.z[k] += reference_z_;
}

/// dm = 2 pi rho density d(section).
MassProperties Revolved::mass(double density) const {
  if (inside_) return {};
  const double ring = 2 * std::numbers::pi * density;
  const double axial = ring * moment(profile_, 3, 0), across = axial / 2 + ring * moment(profile_, 1, 2);
  return {ring * moment(profile_, 1, 0), {across, across, axial}};
}

double Revolved::bounding_radius() const noexcept {
  return inside_ ? std::numeric_limits<double>::infinity() : rotation_reach();
}

double Revolved::rotation_reach() const noexcept {
  double reach = 0;
  for (int k = 0; k < profile_.corners; ++k) reach = std::max(reach, std::hypot(profile_.rho[k], profile_.z[k]));
  return reach;
}

/// Returns the edges that do not lie on the axis; for containers only the side, so that one can look in.
std::vector<int> Revolved::surface_edges() const {
  std::vector<int> edges;
  for (int k = 0; k < profile_.corners; ++k) {
    const int next = (k + 1) % profile_.corners;
    const bool axis = profile_.rho[k] == 0 && profile_.rho[next] == 0;
    if (!axis && !(inside_ && profile_.z[k] == profile_.z[next])) edges.push_back(k);
  }
  return edges;
}

/// Rings of quadrangles, triangles around a corner on the axis.
Surface Revolved::surface() const {
  Surface s;
  for (int k = 0; k < profile_.corners; ++k)
    for (std::uint32_t i = 0; i < kPictureSides; ++i) {
      const double angle = 2 * std::numbers::pi * i / kPictureSides;
      s.points.push_back({profile_.rho[k] * std::cos(angle), profile_.rho[k] * std::sin(angle), profile_.z[k]});
    }
  for (const int k : surface_edges()) {
    const auto a = static_cast<std::uint32_t>(k) * kPictureSides;
    const auto b = static_cast<std::uint32_t>((k + 1) % profile_.corners) * kPictureSides;
    for (std::uint32_t i = 0; i < kPictureSides; ++i) {
      const std::uint32_t j = (i + 1) % kPictureSides;
      std::vector<std::uint32_t> cell;
      if (profile_.rho[k] == 0)
        cell = {a, b + j, b + i};
      else if (profile_.rho[(k + 1) % profile_.corners] == 0)
        cell = {a + i, a + j, b};
      else
        cell = {a + i, a + j, b + j, b + i};
      if (inside_) std::reverse(cell.begin(), cell.end());
      s.cells.push_back(std::move(cell));
    }
  }
  return s;
}

void Revolved::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  const auto solid = [this](double x, double y, double z) {
    return revolved(x, y, z, 1.0, [this](double rho, double h) { return section_distance(profile_, rho, h); });
  };
  if (inside_)
    return evaluate(points, distance, gradient,
                    [=](double x, double y, double z) { return complement(solid(x, y, z)); });
  evaluate(points, distance, gradient, solid);
}

int Revolved::face_count() const noexcept {
  if (!inside_) return hollow_ ? 2 : 1;
  return profile_.corners == 3 ? 3 : 4;
}

void Revolved::face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const {
  if (inside_) return see_container(face, points, seen);
  see(points, seen, [this, side = face == 0 ? 1.0 : -1.0](double x, double y, double z) {
    return revolved(x, y, z, side, [this](double rho, double h) { return section_distance(profile_, rho, h); });
  });
}

/// The wall behind an edge of the section: faces 0 and 1 are the side, 2 and 3 the ends.
void Revolved::see_container(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const {
  std::vector<int> edges = surface_edges();
  for (int k = 0; k < profile_.corners; ++k) {
    const bool end = profile_.z[k] == profile_.z[(k + 1) % profile_.corners];
    if (end) edges.push_back(k);
  }
  const int k = edges[static_cast<std::size_t>(std::max(0, face - 1))], next = (k + 1) % profile_.corners;
  const Vec2 edge(profile_.rho[next] - profile_.rho[k], profile_.z[next] - profile_.z[k]);
  const Vec2 n = Vec2(-edge[1], edge[0]).normalized();  // out of the matter: into the container
  const double side = face == 1 ? -1 : 1;
  see(points, seen, [=, rho_0 = profile_.rho[k], z_0 = profile_.z[k]](double x, double y, double z) {
    return revolved(x, y, z, side, [&](double rho, double h) { return line_distance(rho, h, rho_0, z_0, n[0], n[1]); });
  });
}

}  // namespace scree::obstacles
