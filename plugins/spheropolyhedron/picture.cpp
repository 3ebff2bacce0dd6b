#include "picture.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace scree::spheropolyhedron {

namespace {

/// Angle of one step of a strip, at most [rad].
constexpr double kArcStep = 0.4;

using Corner = std::pair<std::uint32_t, std::uint32_t>;  ///< vertex, face

class Picture {
 public:
  Picture(const Polyhedron& body, double radius) : body_(body), radius_(radius) {
    for (const auto& face : body.faces) normal_.push_back(area_vector(body, face).normalized());
  }

  Surface draw() {
    add_faces();
    add_strips();
    add_caps();
    return std::move(surface_);
  }

 private:
  std::uint32_t point(std::uint32_t vertex, const Vec3& normal) {
    surface_.points.push_back(body_.vertices[vertex] + radius_ * normal);
    return static_cast<std::uint32_t>(surface_.points.size() - 1);
  }

  void add_faces() {
    for (std::uint32_t f = 0; f < body_.faces.size(); ++f) {
      auto& cell = surface_.cells.emplace_back();
      for (const std::uint32_t v : body_.faces[f]) {
        corner_[{v, f}] = point(v, normal_[f]);
        cell.push_back(corner_[{v, f}]);
      }
    }
  }

  /// Points on the arc at a vertex from the normal of one face to that of the next, ends included.
  std::vector<std::uint32_t> arc(std::uint32_t vertex, std::uint32_t from, std::uint32_t to, int steps) {
    const Vec3 &u = normal_[from], &w = normal_[to];
    const double theta = std::atan2(u.cross(w).norm(), u.dot(w));
    std::vector<std::uint32_t> points{corner_.at({vertex, from})};
    for (int k = 1; k < steps; ++k) {
      const double t = theta * k / steps;
      points.push_back(point(vertex, (std::sin(theta - t) * u + std::sin(t) * w) / std::sin(theta)));
    }
    points.push_back(corner_.at({vertex, to}));
    return points;
  }

  /// Between the faces f, in which the edge leads from v to w, and g. Remembers the arcs, which caps end at.
  void add_strips() {
    std::map<Corner, std::uint32_t> face_of;  // of a directed edge
    for (std::uint32_t f = 0; f < body_.faces.size(); ++f)
      for (std::size_t k = 0; k < body_.faces[f].size(); ++k)
        face_of[{body_.faces[f][k], body_.faces[f][(k + 1) % body_.faces[f].size()]}] = f;
    for (const auto& [edge, f] : face_of) {
      const auto [v, w] = edge;
      const std::uint32_t g = face_of.at({w, v});
      next_[{v, g}] = f;  // around v, counter-clockwise from outside, f follows g
      if (v > w) continue;
      const double theta = std::acos(std::clamp(normal_[f].dot(normal_[g]), -1.0, 1.0));
      const int steps = theta < 1e-3 ? 1 : 1 + static_cast<int>(theta / kArcStep);
      const auto at_v = arc(v, f, g, steps), at_w = arc(w, f, g, steps);
      for (int k = 0; k < steps; ++k) {
        const auto i = static_cast<std::size_t>(k);
        surface_.cells.push_back({at_v[i], at_v[i + 1], at_w[i + 1], at_w[i]});
      }
      arc_[{v, g}] = {at_v.rbegin(), at_v.rend()};
      arc_[{w, f}] = at_w;
    }
  }

  void add_caps() {
    for (std::uint32_t v = 0; v < body_.vertices.size(); ++v) {
      std::vector<std::uint32_t> rim;
      Vec3 middle = Vec3::Zero();
      const auto first = next_.lower_bound({v, 0});
      std::uint32_t face = first->first.second;
      do {
        const auto& arc = arc_.at({v, face});
        rim.insert(rim.end(), arc.begin(), arc.end() - 1);
        middle += normal_[face];
        face = next_.at({v, face});
      } while (face != first->first.second);
      const std::uint32_t top = point(v, middle.norm() > 1e-6 ? Vec3(middle.normalized()) : normal_[face]);
      for (std::size_t k = 0; k < rim.size(); ++k) surface_.cells.push_back({top, rim[k], rim[(k + 1) % rim.size()]});
    }
  }

  const Polyhedron& body_;
  double radius_;
  std::vector<Vec3> normal_;
  std::map<Corner, std::uint32_t> corner_, next_;
  std::map<Corner, std::vector<std::uint32_t>> arc_;  ///< from a face to the one that follows it around the vertex
  Surface surface_;
};

}  // namespace

Surface rounded_surface(const Polyhedron& body, double radius) { return Picture(body, radius).draw(); }

}  // namespace scree::spheropolyhedron
