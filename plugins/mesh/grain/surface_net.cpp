#include "grain/surface_net.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace scree::mesh {

namespace {

using Field = std::function<DepthCurvature(const Vec3&)>;

/// Marching tetrahedra: cubes are cut into six tetrahedra each along their main diagonal, so that neighbours fit, and
/// the surface goes through each tetrahedron in one triangle or two. The net is closed whatever the field.
class Tetrahedra {
 public:
  Tetrahedra(const Field& field, const Vec3& lower, const Vec3& upper, double cell) : cell_(cell) {
    for (int k = 0; k < 3; ++k) {
      counts_[k] = static_cast<int>(std::ceil((upper[k] - lower[k]) / cell)) + 3;
      lower_[k] = (lower[k] + upper[k]) / 2 - 0.5 * cell * (counts_[k] - 1);
    }
    for (int k = 0; k < counts_[2]; ++k)
      for (int j = 0; j < counts_[1]; ++j)
        for (int i = 0; i < counts_[0]; ++i) depth_.push_back(field(place({i, j, k})).depth);
  }

  void make(SurfaceNet& net) {
    static constexpr int kOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    Corner c;
    for (c[2] = 0; c[2] + 1 < counts_[2]; ++c[2])
      for (c[1] = 0; c[1] + 1 < counts_[1]; ++c[1])
        for (c[0] = 0; c[0] + 1 < counts_[0]; ++c[0])
          for (const auto& order : kOrders) {
            std::array<Corner, 4> corners{c, c, c, c};
            for (std::size_t step = 0; step < 3; ++step)
              for (std::size_t k = step + 1; k < 4; ++k) ++corners[k][static_cast<std::size_t>(order[step])];
            cut(corners, net);
          }
  }

 private:
  using Corner = std::array<int, 3>;
  Vec3 place(const Corner& c) const { return lower_ + cell_ * Vec3(c[0], c[1], c[2]); }
  std::uint32_t index(const Corner& c) const {
    return static_cast<std::uint32_t>((c[2] * counts_[1] + c[1]) * counts_[0] + c[0]);
  }

  /// Returns the number of the point where the surface crosses an edge.
  std::uint32_t crossing(const Corner& in, const Corner& out, SurfaceNet& net) {
    const auto [found, added] = points_.try_emplace({index(in), index(out)}, net.points.size());
    if (added) {
      const double from = depth_[index(in)], to = depth_[index(out)];
      net.points.push_back(place(in) + from / (from - to) * (place(out) - place(in)));
    }
    return found->second;
  }

  void cut(const std::array<Corner, 4>& corners, SurfaceNet& net) {
    std::vector<Corner> in, out;
    for (const Corner& c : corners) (depth_[index(c)] > 0 ? in : out).push_back(c);
    if (in.empty() || out.empty()) return;
    // Edges in an order around the cut.
    std::vector<std::pair<Corner, Corner>> edges;
    if (in.size() == 2)
      edges = {{in[0], out[0]}, {in[0], out[1]}, {in[1], out[1]}, {in[1], out[0]}};
    else
      for (const Corner& a : in)
        for (const Corner& b : out) edges.emplace_back(a, b);
    const auto middle = [&](std::size_t k) { return Vec3(place(edges[k].first) + place(edges[k].second)); };
    const Vec3 outward = (middle(1) - middle(0)).cross(middle(2) - middle(0));
    if (outward.dot(place(out[0]) - place(in[0])) < 0) std::ranges::reverse(edges);
    std::vector<std::uint32_t> points;
    for (const auto& [a, b] : edges) points.push_back(crossing(a, b, net));
    for (std::size_t k = 2; k < points.size(); ++k) net.triangles.push_back({points[0], points[k - 1], points[k]});
  }

  double cell_;
  int counts_[3];
  Vec3 lower_;
  std::vector<double> depth_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> points_;  ///< by edge, the inner end first
};

/// Moves each point towards the mean of its neighbours, and then along the gradient onto the surface.
void spread(const Field& field, const MeshNeighbours& neighbours, double spacing, std::vector<Vec3>& points,
            bool to_mean) {
  std::vector<Vec3> moved = points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (to_mean) {
      Vec3 sum = Vec3::Zero();
      for (std::uint32_t k = neighbours.first[i]; k < neighbours.first[i + 1]; ++k) sum += points[neighbours.list[k]];
      moved[i] = 0.5 * points[i] + 0.5 * sum / (neighbours.first[i + 1] - neighbours.first[i]);
    }
    for (int k = 0; k < 8; ++k) {
      const DepthCurvature here = field(moved[i]);
      const double slope = here.gradient.squaredNorm();
      if (std::abs(here.depth) < 1e-9 * spacing || !(slope > 0.01)) break;
      const Vec3 step = here.depth / slope * here.gradient;
      moved[i] -= std::min(1.0, 0.5 * spacing / step.norm()) * step;
    }
  }
  points = std::move(moved);
}

}  // namespace

SurfaceNet surface_net(const Field& field, const Vec3& lower, const Vec3& upper, double spacing) {
  constexpr int kRounds = 12;
  constexpr double kPointsPerCell = 4.5;  // mean number of edges that a plane crosses per square of a cell
  SurfaceNet net;
  Tetrahedra(field, lower, upper, std::sqrt(kPointsPerCell) * spacing).make(net);
  const MeshNeighbours neighbours = neighbours_of({net.points, net.triangles});
  for (int k = 0; k <= kRounds; ++k) spread(field, neighbours, spacing, net.points, k < kRounds);
  return net;
}

}  // namespace scree::mesh
