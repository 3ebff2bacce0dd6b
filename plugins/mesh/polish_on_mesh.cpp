#include "polish_on_mesh.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::mesh {

namespace {

enum class Sought { top, saddle };

/// Steps of this part of the spacing are none.
constexpr double kNoStep = 1e-9;
/// Slopes below this part of the gradient do not rise: rounding.
constexpr double kLevel = 1e-9;
/// Points are sought within so many spacings of the place, and then farther away: along a narrow ridge of the depth
/// samples may have tops of their own.
constexpr double kNearPlaces[] = {2, 8};
constexpr int kMostNewton = 40;

/// Search for the nearest critical point to a place on a mesh.
class CriticalSearch {
 public:
  /// \param reach  distance from the place, at most [m]
  CriticalSearch(const PlacedMesh& surface, const SmoothField& field, const Vec3& place, double spacing, double reach,
                 Sought kind)
      : s_(surface), field_(field), place_(place), spacing_(spacing), reach_(reach), kind_(kind) {
    for (const std::uint32_t face : s_.triangles)
      if (s_.distance(face, place_) < reach_) faces_.push_back(face);
  }

  std::optional<CriticalPoint> run() {
    for (const std::uint32_t face : faces_) look_at_face(face);
    for (const std::uint32_t edge : distinct(&Triangle::edge)) look_at_edge(edge);
    for (const std::uint32_t vertex : distinct(&Triangle::vertex)) look_at_vertex(vertex);
    return best_;
  }

 private:
  const Triangle& triangle(std::uint32_t face) const { return s_.mesh.triangles()[face]; }
  Vec3 corner(std::uint32_t face, int k) const { return s_.place(triangle(face).vertex[k]); }

  bool within_face(std::uint32_t face, const Vec3& at) const {
    const Vec3 c[3] = {corner(face, 0), corner(face, 1), corner(face, 2)};
    return within(c, (c[1] - c[0]).cross(c[2] - c[0]), at);
  }

  /// Edges or vertices of the near triangles, each once.
  std::vector<std::uint32_t> distinct(std::uint32_t (Triangle::*parts)[3]) const {
    std::vector<std::uint32_t> all;
    for (const std::uint32_t face : faces_)
      for (const std::uint32_t part : triangle(face).*parts) all.push_back(part);
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    return all;
  }

  void propose(const Vec3& at, const DepthCurvature& d, Feature feature, std::uint32_t part) {
    const double away = (at - place_).norm();
    if (away > reach_ || away >= nearest_) return;
    nearest_ = away;
    best_ = CriticalPoint{at, d, kind_ == Sought::top ? 1 : -1, s_.mesh.number(feature, part)};
  }

  /// Newton's method in the plane of a triangle, with the signs of a top or a saddle whatever the curvatures are.
  void look_at_face(std::uint32_t face) {
    const Vec3 a = corner(face, 0), normal = (corner(face, 1) - a).cross(corner(face, 2) - a).normalized();
    const Vec3 s = normal.unitOrthogonal(), t = normal.cross(s);
    Vec3 at = place_ - normal.dot(place_ - a) * normal;
    DepthCurvature d = field_.curvature(at);
    double longest = 0.5 * spacing_;
    for (int k = 0; k < kMostNewton; ++k) {
      const Vec2 slope(d.gradient.dot(s), d.gradient.dot(t));
      const double st = s.dot(d.second * t);
      Eigen::Matrix2d bend;
      bend << s.dot(d.second * s), st, st, t.dot(d.second * t);
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> axes;
      axes.computeDirect(bend);  // the lesser curvature first
      Vec2 step = Vec2::Zero();
      for (int j = 0; j < 2; ++j) {
        const Vec2 axis = axes.eigenvectors().col(j);
        const double sign = j == 1 && kind_ == Sought::saddle ? -1 : 1;
        step += axis * (sign * axis.dot(slope) / std::max(std::abs(axes.eigenvalues()[j]), 1e-6 / spacing_));
      }
      const double length = step.norm();
      if (length < kNoStep * spacing_) {
        const bool right = kind_ == Sought::top ? axes.eigenvalues()[1] < 0 : bend.determinant() < 0;
        const Vec3 last = at + step.x() * s + step.y() * t;  // which squares the error
        if (right && within_face(face, last)) propose(last, field_.curvature(last), Feature::face, face);
        return;
      }
      if (length > longest) step *= longest / length;
      const Vec3 next = at + step.x() * s + step.y() * t;
      if ((next - place_).norm() > 2 * reach_) return;
      const DepthCurvature there = field_.curvature(next);
      const Vec2 slope_there(there.gradient.dot(s), there.gradient.dot(t));
      if (slope.dot(slope_there) < 0) longest *= 0.7;  // stepped over
      at = next;
      d = there;
    }
  }

  /// Slope of the depth from a point of an edge into one of its triangles, over the gradient's length.
  double slope_into(std::uint32_t face, std::uint32_t edge, const DepthCurvature& d) const {
    for (int k = 0; k < 3; ++k)
      if (triangle(face).edge[k] == edge) {
        const Vec3 a = corner(face, k), along = (corner(face, (k + 1) % 3) - a).normalized();
        const Vec3 way = corner(face, (k + 2) % 3) - a;
        return d.gradient.dot((way - way.dot(along) * along).normalized()) / d.gradient.norm();
      }
    return 0;
  }

  /// Newton's method along an edge, for its tops and its lowest places.
  void look_at_edge(std::uint32_t edge) {
    const auto& ends = s_.mesh.edge(edge);
    const Vec3 a = s_.place(ends[0]), way = s_.place(ends[1]) - a;
    const double length = way.norm();
    const Vec3 along = way / length;
    const double foot = (place_ - a).dot(along);
    for (const double sign : {1.0, -1.0}) {  // the top, and the lowest place
      if (sign < 0 && kind_ == Sought::top) continue;
      double t = std::clamp(foot, 0.0, length), longest = 0.5 * spacing_;
      DepthCurvature d = field_.curvature(a + t * along);
      for (int k = 0; k < kMostNewton; ++k) {
        const double slope = d.gradient.dot(along), bend = along.dot(d.second * along);
        double step = sign * slope / std::max(std::abs(bend), 1e-6 / spacing_);
        if (std::abs(step) < kNoStep * spacing_) {
          const Vec3 last = a + std::clamp(t + step, 0.0, length) * along;
          if (sign * bend < 0) judge_edge(edge, last, field_.curvature(last), sign > 0);
          break;
        }
        step = std::clamp(step, -longest, longest);
        if (t + step < 0 || t + step > length || std::abs(t + step - foot) > reach_) break;
        t += step;
        d = field_.curvature(a + t * along);
        if (slope * d.gradient.dot(along) < 0) longest *= 0.7;
      }
    }
  }

  void judge_edge(std::uint32_t edge, const Vec3& at, const DepthCurvature& d, bool top_along) {
    int rising = 0;
    for (const std::uint32_t face : s_.mesh.triangles_of(edge)) rising += slope_into(face, edge, d) > kLevel;
    const bool right = kind_ == Sought::top ? top_along && rising == 0 : top_along ? rising > 1 : rising == 0;
    if (right) propose(at, d, Feature::edge, edge);
  }

  void look_at_vertex(std::uint32_t vertex) {
    const Vec3 at = s_.place(vertex);
    if ((at - place_).norm() > reach_) return;
    const DepthCurvature d = field_.curvature(at);
    const auto rises_to = [&](std::uint32_t other) {
      const Vec3 way = s_.place(other) - at;
      return d.gradient.dot(way) > kLevel * d.gradient.norm() * way.norm();
    };
    // Ways up: edges that rise, less triangles that join two of these.
    std::vector<std::uint32_t> up;
    int joined = 0;
    for (const std::uint32_t face : s_.triangles) {
      const Triangle& t = triangle(face);
      for (int k = 0; k < 3; ++k) {
        if (t.vertex[k] != vertex) continue;
        const std::uint32_t one = t.vertex[(k + 1) % 3], other = t.vertex[(k + 2) % 3];
        if (rises_to(one)) up.push_back(one);
        if (rises_to(other)) up.push_back(other);
        joined += rises_to(one) && rises_to(other);
      }
    }
    std::ranges::sort(up);
    up.erase(std::ranges::unique(up).begin(), up.end());
    const int ways = static_cast<int>(up.size()) - joined;
    if (kind_ == Sought::top ? up.empty() : ways > 1) propose(at, d, Feature::vertex, vertex);
  }

  const PlacedMesh& s_;
  const SmoothField& field_;
  Vec3 place_;
  double spacing_, reach_, nearest_ = std::numeric_limits<double>::infinity();
  Sought kind_;
  std::vector<std::uint32_t> faces_;
  std::optional<CriticalPoint> best_;
};

std::optional<CriticalPoint> nearest(const PlacedMesh& surface, const SmoothField& field, const Vec3& place,
                                     double spacing, Sought kind) {
  std::optional<CriticalPoint> found;
  for (const double reach : kNearPlaces)
    if (!found) found = CriticalSearch(surface, field, place, spacing, reach * spacing, kind).run();
  return found;
}

}  // namespace

std::optional<CriticalPoint> top_near(const PlacedMesh& surface, const SmoothField& field, const Vec3& place,
                                      double spacing) {
  return nearest(surface, field, place, spacing, Sought::top);
}

std::optional<CriticalPoint> saddle_near(const PlacedMesh& surface, const SmoothField& field, const Vec3& place,
                                         double spacing) {
  return nearest(surface, field, place, spacing, Sought::saddle);
}

}  // namespace scree::mesh
