#include "scree/shape/sphere_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace scree {

namespace {

using Triangle = std::array<std::uint32_t, 3>;

/// Corners and faces of a regular icosahedron.
SphereMesh icosahedron() {
  SphereMesh mesh;
  const double g = std::numbers::phi;
  for (const double s : {-1.0, 1.0})
    for (const double t : {-g, g}) {
      mesh.directions.push_back(Vec3(0, s, t).normalized());
      mesh.directions.push_back(Vec3(s, t, 0).normalized());
      mesh.directions.push_back(Vec3(t, 0, s).normalized());
    }
  const auto joined = [&](std::uint32_t p, std::uint32_t q) {
    return mesh.directions[p].dot(mesh.directions[q]) > 0.4;  // neighbours are at a cosine of 0.447
  };
  for (std::uint32_t p = 0; p < 12; ++p)
    for (std::uint32_t q = p + 1; q < 12; ++q)
      for (std::uint32_t r = q + 1; r < 12; ++r) {
        if (!joined(p, q) || !joined(q, r) || !joined(p, r)) continue;
        const bool outward = mesh.directions[p].dot(mesh.directions[q].cross(mesh.directions[r])) > 0;
        mesh.triangles.push_back(outward ? Triangle{p, q, r} : Triangle{p, r, q});
      }
  return mesh;
}

/// Numbers the points of a divided icosahedron, each once, by the corners they lie between.
class DividedFaces {
 public:
  DividedFaces(const SphereMesh& base, int parts) : base_(base), parts_(parts) {}

  SphereMesh mesh() {
    for (const Triangle& face : base_.triangles)
      for (int i = 0; i < parts_; ++i)
        for (int j = 0; j < parts_ - i; ++j) {
          const auto at = [&](int a, int b) { return number(face, a, b); };
          out_.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
          if (j < parts_ - i - 1) out_.triangles.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    return std::move(out_);
  }

 private:
  /// The point i parts from the first corner towards the second, and j towards the third.
  std::uint32_t number(const Triangle& face, int i, int j) {
    std::array<std::pair<std::uint32_t, int>, 3> key{{{face[0], parts_ - i - j}, {face[1], i}, {face[2], j}}};
    for (auto& [corner, weight] : key)
      if (weight == 0) corner = 0;
    std::sort(key.begin(), key.end());
    const auto [at, is_new] = known_.emplace(key, static_cast<std::uint32_t>(out_.directions.size()));
    if (is_new) {
      Vec3 sum = Vec3::Zero();
      for (const auto& [corner, weight] : key) sum += weight * base_.directions[corner];
      out_.directions.push_back(sum.normalized());
    }
    return at->second;
  }

  const SphereMesh& base_;
  int parts_;
  SphereMesh out_;
  std::map<std::array<std::pair<std::uint32_t, int>, 3>, std::uint32_t> known_;
};

Vec3 area_of(const Vec3& p, const Vec3& q, const Vec3& r) { return 0.5 * (q - p).cross(r - p); }

/// Returns how much each triangle attracts its corners: its area, and more where the surface turns by over half a
/// radian in it.
std::vector<double> attractions(const SphereMesh& mesh, const std::vector<Vec3>& points) {
  std::vector<Vec3> normal(points.size(), Vec3::Zero());
  for (const auto& [p, q, r] : mesh.triangles) {
    const Vec3 area = area_of(points[p], points[q], points[r]);
    for (const std::uint32_t k : {p, q, r}) normal[k] += area;
  }
  for (Vec3& n : normal) n.normalize();
  std::vector<double> attraction;
  for (const auto& [p, q, r] : mesh.triangles) {
    const double turn2 = std::max({(normal[p] - normal[q]).squaredNorm(), (normal[q] - normal[r]).squaredNorm(),
                                   (normal[r] - normal[p]).squaredNorm()});
    attraction.push_back(area_of(points[p], points[q], points[r]).norm() * (1 + 4 * turn2));
  }
  return attraction;
}

/// Every direction goes half the way to the middle of its triangles, each counted by its attraction.
void even_out_once(SphereMesh& mesh, const std::function<Vec3(const Vec3&)>& point) {
  const std::size_t n = mesh.directions.size();
  std::vector<Vec3> points(n), sum(n, Vec3::Zero());
  std::vector<double> weight(n, 0);
  for (std::size_t i = 0; i < n; ++i) points[i] = point(mesh.directions[i]);
  const std::vector<double> attraction = attractions(mesh, points);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [p, q, r] = mesh.triangles[t];
    const Vec3 middle = (points[p] + points[q] + points[r]) / 3;
    for (const std::uint32_t k : {p, q, r}) {
      sum[k] += attraction[t] * middle;
      weight[k] += attraction[t];
    }
  }
  for (std::size_t i = 0; i < n; ++i) mesh.directions[i] = (0.5 * (points[i] + sum[i] / weight[i])).normalized();
}

bool faces_outward(const SphereMesh& mesh) {
  return std::ranges::all_of(mesh.triangles, [&](const Triangle& t) {
    return mesh.directions[t[0]].dot(mesh.directions[t[1]].cross(mesh.directions[t[2]])) > 0;
  });
}

/// Points of a spiral from pole to pole, evenly spread.
Vec3 spiral(int i, int count) {
  const double z = 1 - (2.0 * i + 1) / count, rho = std::sqrt(1 - z * z);
  const double angle = 2 * std::numbers::pi * (2 - std::numbers::phi) * i;
  return {rho * std::cos(angle), rho * std::sin(angle), z};
}

/// Climbs in steps that are halved where no step to any side leads up.
DirectedValue climbed(DirectedValue at, const std::function<double(const Vec3&)>& function, double step) {
  for (int tries = 0; step > 1e-9 && tries < 400; ++tries) {
    const Vec3 u = at.direction.unitOrthogonal(), v = at.direction.cross(u);
    DirectedValue best = at;
    for (int k = 0; k < 8; ++k) {
      const double angle = k * std::numbers::pi / 4;
      const Vec3 d = (at.direction + step * (std::cos(angle) * u + std::sin(angle) * v)).normalized();
      if (const double value = function(d); value > best.value) best = {d, value};
    }
    if (best.value > at.value)
      at = best;
    else
      step /= 2;
  }
  return at;
}

}  // namespace

SphereMesh geodesic_mesh(int parts) {
  const SphereMesh base = icosahedron();
  return DividedFaces(base, parts).mesh();
}

void even_out(SphereMesh& mesh, const std::function<Vec3(const Vec3&)>& point) {
  constexpr int kRounds = 40;
  for (int k = 0; k < kRounds; ++k) {
    SphereMesh next = mesh;
    even_out_once(next, point);
    if (!faces_outward(next)) return;  // the last mesh that had no folds
    mesh = std::move(next);
  }
}

MeshNeighbours neighbours_of(const SphereMesh& mesh) {
  std::vector<std::map<std::uint32_t, std::uint32_t>> next(mesh.directions.size());
  for (const auto& [p, q, r] : mesh.triangles) next[p][q] = r, next[q][r] = p, next[r][p] = q;
  MeshNeighbours result;
  for (const auto& around : next) {
    result.first.push_back(static_cast<std::uint32_t>(result.list.size()));
    std::uint32_t at = around.begin()->first;
    for (std::size_t k = 0; k < around.size(); ++k, at = around.at(at)) result.list.push_back(at);
  }
  result.first.push_back(static_cast<std::uint32_t>(result.list.size()));
  return result;
}

DirectedValue largest_on_sphere(const std::function<double(const Vec3&)>& function) {
  constexpr int kSamples = 40000, kStarts = 32;
  constexpr double kSpacing = 0.018, kApart = 3 * kSpacing;  // of samples, of places to climb from [rad]
  std::vector<DirectedValue> samples;
  for (int i = 0; i < kSamples; ++i) {
    const Vec3 d = spiral(i, kSamples);
    samples.push_back({d, function(d)});
  }
  std::ranges::stable_sort(samples, std::ranges::greater{}, &DirectedValue::value);
  // A peak between samples is higher than its sample by little: only those near the top can win.
  const double worth_trying = samples.front().value - 1e-3 * (samples.front().value - samples.back().value);
  std::vector<DirectedValue> starts;
  for (const DirectedValue& sample : samples) {
    if (sample.value < worth_trying || starts.size() == kStarts) break;
    const bool apart = std::ranges::all_of(
        starts, [&](const DirectedValue& s) { return (s.direction - sample.direction).norm() > kApart; });
    if (apart) starts.push_back(sample);
  }
  DirectedValue best = samples.front();
  for (const DirectedValue& start : starts)
    if (const DirectedValue top = climbed(start, function, kSpacing); top.value > best.value) best = top;
  return best;
}

}  // namespace scree
