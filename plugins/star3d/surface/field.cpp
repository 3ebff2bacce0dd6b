#include "surface/field.hpp"

#include <algorithm>
#include <limits>

#include "scree/shape/surface_bend.hpp"

namespace scree::star3d {

namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

void look_at_sphere(const Field& f, std::span<const Vec3> at, std::span<double> depth, std::span<Vec3> gradient) {
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Vec3 inward = f.centre - at[i];
    const double distance = inward.norm();
    depth[i] = f.radius - distance;
    if (!gradient.empty()) gradient[i] = distance > 0 ? Vec3(inward / distance) : Vec3::UnitX();
  }
}

void look_at_face(const Field& f, std::span<const Vec3> at, std::span<double> depth, std::span<Vec3> gradient) {
  static thread_local std::vector<FacePoint> seen;
  seen.resize(at.size());
  f.faces->face(f.face, at, seen);
  for (std::size_t i = 0; i < at.size(); ++i) {
    depth[i] = -seen[i].distance;
    if (!gradient.empty()) gradient[i] = -seen[i].normal;
  }
}

DepthCurvature curvature_of_sphere(const Field& f, const Vec3& at) {
  const Vec3 inward = f.centre - at;
  const double distance = std::max(inward.norm(), 1e-9 * f.radius);
  const Vec3 normal = inward / distance;
  return {f.radius - distance, normal, (normal * normal.transpose() - Mat3::Identity()) / distance};
}

DepthCurvature curvature_of_face(const Field& f, const Vec3& at, double step) {
  if (f.convex) {  // a plane
    DepthCurvature found{0, Vec3(), Mat3::Zero()};
    look_at_face(f, {&at, 1}, {&found.depth, 1}, {&found.gradient, 1});
    return found;
  }
  const Vec3 x = step * Vec3::UnitX(), y = step * Vec3::UnitY(), z = step * Vec3::UnitZ();
  const Vec3 points[7] = {at, at + x, at - x, at + y, at - y, at + z, at - z};
  double depth[7];
  Vec3 gradient[7];
  look_at_face(f, points, depth, gradient);
  DepthCurvature found{depth[0], gradient[0], Mat3()};
  for (int k = 0; k < 3; ++k) found.second.col(k) = (gradient[2 * k + 1] - gradient[2 * k + 2]) / (2 * step);
  return found;
}

}  // namespace

std::vector<Field> fields_of(const Shape& shape) {
  std::vector<Field> fields;
  const auto* const nodes = facet<SurfaceNodes>(shape);
  if (const auto* smooth = facet<SmoothField>(shape)) {
    fields.push_back({.kind = Field::Kind::smooth,
                      .smooth = smooth,
                      .steepest = smooth->steepest(),
                      .curvature = nodes ? largest_curvature(*nodes, *smooth) : kNone,
                      .greatest_depth = smooth->greatest_depth(),
                      .nominal_radius = smooth->nominal_radius(),
                      .convex = nodes && is_convex(*nodes, *smooth)});
  } else if (const auto* spheres = facet<SphereSet>(shape)) {
    for (std::size_t i = 0; i < spheres->radii().size(); ++i)
      fields.push_back({.kind = Field::Kind::sphere,
                        .centre = spheres->centres()[i],
                        .radius = spheres->radii()[i],
                        .steepest = 1,
                        .curvature = 1 / spheres->radii()[i],
                        .greatest_depth = spheres->radii()[i],
                        .convex = true});
  } else if (const auto* faces = facet<Faces>(shape)) {
    for (int i = 0; i < faces->face_count(); ++i)
      fields.push_back({.kind = Field::Kind::face,
                        .faces = faces,
                        .face = i,
                        .steepest = 1,
                        .curvature = kNone,
                        .greatest_depth = kNone,
                        .convex = faces->flat(i)});
  }
  return fields;
}

DepthCurvature curvature_at(const Field& field, const Placement& placement, const Vec3& point, double step) {
  Vec3 local = (point - placement.position) / placement.size;
  if (placement.turned) local = (placement.turn.transpose() * local).eval();
  DepthCurvature found = field.kind == Field::Kind::smooth   ? field.smooth->curvature(local)
                         : field.kind == Field::Kind::sphere ? curvature_of_sphere(field, local)
                                                             : curvature_of_face(field, local, step / placement.size);
  found.depth *= placement.size;
  found.second /= placement.size;
  if (!placement.turned) return found;
  found.gradient = (placement.turn * found.gradient).eval();
  found.second = (placement.turn * found.second * placement.turn.transpose()).eval();
  return found;
}

void look_at(const Field& field, const Placement& placement, std::span<const Vec3> points, std::span<double> depth,
             std::span<Vec3> gradient) {
  constexpr std::size_t kFew = 4;  // Newton's method looks at one or two points at a time
  Vec3 few[kFew];
  static thread_local std::vector<Vec3> many;
  if (points.size() > kFew) many.resize(points.size());
  const std::span<Vec3> local(points.size() > kFew ? many.data() : few, points.size());
  const Mat3 back = placement.turn.transpose();
  const double per_size = 1 / placement.size;
  for (std::size_t i = 0; i < points.size(); ++i) local[i] = back * (per_size * (points[i] - placement.position));
  switch (field.kind) {
    case Field::Kind::smooth:
      field.smooth->depth(local, depth, gradient);
      break;
    case Field::Kind::sphere:
      look_at_sphere(field, local, depth, gradient);
      break;
    case Field::Kind::face:
      look_at_face(field, local, depth, gradient);
      break;
  }
  for (double& d : depth) d *= placement.size;
  for (Vec3& g : gradient) g = placement.turn * g;
}

}  // namespace scree::star3d
