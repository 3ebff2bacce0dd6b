#include "mesh_shape.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "scree/base/error.hpp"

namespace scree::mesh {

namespace {

/// Moves a mesh so that the middle of its box is the origin. \return where that was
Vec3 centre(TriangleMesh& mesh) {
  const Vec3 middle = (mesh.lower() + mesh.upper()) / 2;
  mesh.shift(-middle);
  return middle;
}

/// Returns the reason why a surface cannot bound matter; "" if it can.
std::string opening(const MeshReport& r) {
  if (r.open_edges > 0) return fmt::format("{} of its edges belong to one triangle alone", r.open_edges);
  if (r.branches > 0) return fmt::format("{} of its edges belong to more than two triangles", r.branches);
  return r.oriented ? "" : "its triangles cannot agree on a side";
}

bool bounds_matter(const MeshReport& report, const MeshOptions& options) {
  const std::string hole = opening(report);
  const bool asked = options.sides == Sides::outside || options.inside;
  if (options.inside && options.sides == Sides::both)
    throw OptionError("/inside",
                      "a container bounds matter, and \"sides\": \"both\" is for sheets. Remove one of the two.");
  if (asked && !hole.empty())
    throw OptionError(options.pointer,
                      fmt::format("the surface is not closed: {}. Close it, or make it a sheet that acts "
                                  "on both sides (\"sides\": \"both\").",
                                  hole));
  return hole.empty() && options.sides != Sides::both;
}

}  // namespace

MeshShape::MeshShape(const SurfaceMesh& surface, const MeshOptions& options)
    : mesh_(surface, options.inside, options.pointer),
      reference_point_(-centre(mesh_)),
      solid_(bounds_matter(mesh_.report(), options)),
      tree_(mesh_),
      ridges_(mesh_, solid_) {
  for (const Vec3& v : mesh_.vertices()) bounding_radius_ = std::max(bounding_radius_, v.norm());
  const MeshReport& r = mesh_.report();
  const Vec3 size = mesh_.upper() - mesh_.lower();
  std::string text =
      fmt::format("{} triangles, {:.4g} x {:.4g} x {:.4g} m, ", mesh_.triangles().size(), size[0], size[1], size[2]);
  text += solid_ ? fmt::format("closed, of {:.4g} m^3", std::abs(mesh_.volume()))
                 : fmt::format("a sheet of {:.4g} m^2 ({} open edges)", mesh_.area(), r.open_edges);
  if (r.degenerate + r.doubles > 0)
    text += fmt::format("; dropped {} without area and {} that were there twice", r.degenerate, r.doubles);
  if (r.split > 0) text += fmt::format("; cut edges at {} corners of other triangles", r.split);
  if (r.turned > 0) text += fmt::format("; turned {} round", r.turned);
  facts_.push_back(text + ".");
}

ShapeTraits MeshShape::traits() const {
  return {.immobile =
              "A mesh has no mass. Fix its bodies or give them a motion; grains of any form are a "
              "\"spheropolyhedron\", which reads the same files."};
}

Surface MeshShape::surface() const {
  Surface surface;
  surface.points.assign(mesh_.vertices().begin(), mesh_.vertices().end());
  for (const Triangle& t : mesh_.triangles()) surface.cells.push_back({t.vertex[0], t.vertex[1], t.vertex[2]});
  return surface;
}

const void* MeshShape::facet(std::string_view name) const noexcept {
  if (name == MeshSurface::kName) return static_cast<const MeshSurface*>(this);
  if (name == ShapeFacts::kName) return static_cast<const ShapeFacts*>(this);
  if (name == ExactDistance::kName) return static_cast<const ExactDistance*>(this);
  if (name == SignedDistance::kName && solid_) return static_cast<const SignedDistance*>(this);
  return nullptr;
}

void MeshShape::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Foot foot = tree_.nearest(mesh_, points[i]);
    const Vec3 out = mesh_.outward(foot.feature, foot.part).normalized();
    const bool in_matter = solid_ && out.dot(foot.point) > 0;
    distance[i] = in_matter ? -foot.distance : foot.distance;
    gradient[i] = foot.distance > 0 ? Vec3((in_matter ? foot.point : -foot.point) / foot.distance) : out;
  }
}

}  // namespace scree::mesh
