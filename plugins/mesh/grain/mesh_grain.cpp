#include "grain/mesh_grain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "grain/solid_moments.hpp"
#include "scree/base/disjoint_sets.hpp"
#include "scree/base/error.hpp"
#include "triangle_tree.hpp"

namespace scree::mesh {

namespace {

/// Rows of cells around the body, so that the field is smooth as far as neighbours look.
constexpr int kRim = 4;
constexpr double kMostPoints = 2e7;
/// Part of the greatest depth up to which depths are told well.
constexpr double kTrusted = 0.5;

/// Returns the number of pieces that triangles hang together in.
/// \param corners  (triangle, k) -> number of a vertex
template <class Corners>
std::size_t pieces(std::size_t vertices, std::size_t triangles, const Corners& corners) {
  DisjointSets sets(vertices);
  for (std::size_t t = 0; t < triangles; ++t)
    for (std::size_t k : {1, 2}) sets.join(corners(t, 0), corners(t, k));
  std::vector<bool> used(vertices);
  for (std::size_t t = 0; t < triangles; ++t) used[sets.find(corners(t, 0))] = true;
  return static_cast<std::size_t>(std::ranges::count(used, true));
}

void check(const TriangleMesh& mesh, const std::string& pointer) {
  const MeshReport& r = mesh.report();
  if (!mesh.closed())
    throw OptionError(
        pointer, fmt::format("the surface of a grain must be closed: {}. Close it in the program that "
                             "made it.",
                             r.open_edges > 0 ? fmt::format("{} edges belong to one triangle alone", r.open_edges)
                             : r.branches > 0 ? fmt::format("{} edges belong to more than two triangles", r.branches)
                                              : "triangles cannot agree on a side"));
  const auto triangles = mesh.triangles();
  const std::size_t n = pieces(mesh.vertices().size(), triangles.size(),
                               [&](std::size_t t, std::size_t k) { return triangles[t].vertex[k]; });
  if (n != 1)
    throw OptionError(pointer, fmt::format("the surface is in {} pieces; a grain is one. Make a shape of each.", n));
}

}  // namespace

MeshGrain::MeshGrain(SurfaceMesh surface, const MeshGrainOptions& options) {
  {
    TriangleMesh given(surface, false, options.pointer);
    check(given, options.pointer);
    const SolidMoments m = solid_moments(given);
    if (!(m.volume > 0)) throw OptionError(options.pointer, "the surface encloses no volume.");
    const double scale = options.volume > 0 ? std::cbrt(options.volume / m.volume) : 1;
    volume_ = scale * scale * scale * m.volume;
    principal_ = principal_axes(std::pow(scale, 5) * m.inertia);
    for (Vec3& v : surface.vertices) v = principal_.axes.transpose() * (scale * (v - m.centre));
  }
  const TriangleMesh mesh(surface, false, options.pointer);
  lower_ = mesh.lower(), upper_ = mesh.upper();
  make_field(mesh, options.resolution);
  make_nodes(options.nodes, mesh.area());
  picture_.points.assign(mesh.vertices().begin(), mesh.vertices().end());
  for (const Triangle& t : mesh.triangles()) picture_.cells.push_back({t.vertex[0], t.vertex[1], t.vertex[2]});
  const Vec3 size = upper_ - lower_;
  facts_.push_back(
      fmt::format("{} triangles, {:.4g} x {:.4g} x {:.4g} m along its principal axes, {:.4g} m^3; depths on "
                  "cells of {:.3g} m, {} nodes.",
                  mesh.triangles().size(), size[0], size[1], size[2], volume_, field_->cell(), net_.points.size()));
}

/// Samples the exact distance on a grid.
void MeshGrain::make_field(const TriangleMesh& mesh, int resolution) {
  const TriangleTree tree(mesh);
  const auto depth = [&](const Vec3& p) {
    const Foot foot = tree.nearest(mesh, p);
    const bool inside = mesh.outward(foot.feature, foot.part).dot(foot.point) > 0;
    return inside ? foot.distance : -foot.distance;
  };
  const Vec3 size = upper_ - lower_;
  const double cell = size.minCoeff() / resolution;
  std::array<int, 3> counts;
  double points = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const double cells = std::ceil(size[static_cast<Eigen::Index>(k)] / cell) + 2 * kRim;
    points *= cells + 1;
    counts[k] = static_cast<int>(std::min(cells, 1e6)) + 1;
  }
  if (points > kMostPoints)
    throw OptionError("/resolution", fmt::format("needs {:.3g} points of a grid; {:.3g} are possible. Lower it.",
                                                 points, kMostPoints));
  Vec3 first;
  for (int k = 0; k < 3; ++k)
    first[k] = (lower_[k] + upper_[k]) / 2 - 0.5 * cell * (counts[static_cast<std::size_t>(k)] - 1);
  field_.emplace(first, cell, counts, depth);
  greatest_depth_ = kTrusted * field_->greatest();
  if (!(greatest_depth_ > 0))
    throw OptionError("/resolution", "the grain is thinner than a cell everywhere. Raise it.");
}

void MeshGrain::make_nodes(int wanted, double area) {
  net_ = surface_net([this](const Vec3& p) { return field_->at(p); }, lower_, upper_, std::sqrt(area / wanted));
  const std::size_t n = pieces(net_.points.size(), net_.triangles.size(),
                               [&](std::size_t t, std::size_t k) { return net_.triangles[t][k]; });
  if (n != 1)
    throw OptionError("/nodes",
                      "the grain is thinner in places than its nodes are apart. Raise \"nodes\", and "
                      "\"resolution\" where it is thinner than two cells.");
  neighbours_ = neighbours_of({net_.points, net_.triangles});
  steepest_ = std::sqrt(2.0);  // outside of the grid
  for (std::size_t i = 0; i < net_.points.size(); ++i) {
    const Vec3& p = net_.points[i];
    bounding_radius_ = std::max(bounding_radius_, p.norm());
    steepest_ = std::max(steepest_, 1.1 * field_->at(p).gradient.norm());
    for (std::uint32_t k = neighbours_.first[i]; k < neighbours_.first[i + 1]; ++k)
      spacing_ = std::max(spacing_, (p - net_.points[neighbours_.list[k]]).norm());
  }
  bounding_radius_ += 0.5 * field_->cell();
}

void MeshGrain::depth(std::span<const Vec3> points, std::span<double> depth, std::span<Vec3> gradient) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (gradient.empty()) {
      depth[i] = field_->depth_at(points[i]);
      continue;
    }
    const DepthCurvature here = field_->at(points[i]);
    depth[i] = here.depth;
    gradient[i] = here.gradient;
  }
}

void MeshGrain::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const DepthCurvature here = field_->at(points[i]);
    distance[i] = -here.depth;
    const double length = here.gradient.norm();
    gradient[i] = length > 0 ? Vec3(-here.gradient / length) : Vec3(Vec3::UnitX());
  }
}

const void* MeshGrain::facet(std::string_view name) const noexcept {
  if (name == SurfaceNodes::kName) return static_cast<const SurfaceNodes*>(this);
  if (name == BoundaryNodes::kName) return static_cast<const BoundaryNodes*>(static_cast<const SurfaceNodes*>(this));
  if (name == SmoothField::kName) return static_cast<const SmoothField*>(this);
  if (name == SignedDistance::kName) return static_cast<const SignedDistance*>(this);
  if (name == ShapeFacts::kName) return static_cast<const ShapeFacts*>(this);
  return nullptr;
}

}  // namespace scree::mesh
