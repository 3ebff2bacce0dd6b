#include "scree/shape/radial_shape_3d.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "scree/base/error.hpp"
#include "scree/shape/detail/radial_field.hpp"
#include "scree/shape/principal_axes.hpp"
#include "scree/shape/sphere_mesh.hpp"

namespace scree {

namespace {

constexpr int kMostNodes3D = 40962, kMostCells = 512;
/// Parts of the least radius: nearer to the centre the field is cut off; deeper it is not to be trusted.
constexpr double kCore = 0.1, kGreatestDepth = 0.5;

void require_3d(bool good, const char* pointer, const std::string& message) {
  if (!good) throw OptionError(pointer, message);
}

void check_settings(const RadialSettings3D& s) {
  require_3d(!(s.max_radius > 0 && s.volume > 0), "/volume",
             "both \"radius\" and \"volume\" give the size of the shape; keep one of them");
  require_3d(s.max_radius > 0 || s.volume > 0 || s.scale > 0, "", fmt::format("scale is {}; it must be > 0", s.scale));
  require_3d(s.nodes >= 12 && s.nodes <= kMostNodes3D, "/nodes",
             fmt::format("nodes is {}; 12 to {} are possible", s.nodes, kMostNodes3D));
  require_3d(s.table == 0 || (s.table >= 4 && s.table <= kMostCells), "/table",
             fmt::format("table is {}; it must be 0 (no table) or 4 to {}", s.table, kMostCells));
}

/// The least radius. \throws OptionError when it is not above 0
double least_radius(const std::function<double(const Vec3&)>& radius) {
  const DirectedValue low = largest_on_sphere([&](const Vec3& w) {
    const double r = radius(w);
    if (std::isfinite(r)) return -r;
    throw OptionError("", fmt::format("radius is {} in direction ({:.3g}, {:.3g}, {:.3g}); it must be a number "
                                      "everywhere",
                                      r, w.x(), w.y(), w.z()));
  });
  const Vec3& w = low.direction;
  if (!(-low.value > 0))
    throw OptionError("", fmt::format("radius is {:.4g} in direction ({:.3g}, {:.3g}, {:.3g}); r > 0 is needed "
                                      "everywhere",
                                      -low.value, w.x(), w.y(), w.z()));
  return -low.value;
}

RadialMoments enlarged(const RadialMoments& m, double s) {
  return {s * s * s * m.volume, s * m.centre, s * s * s * s * s * m.inertia};
}

/// The fewest parts of a geodesic mesh with so many directions.
int parts_for(int nodes) { return static_cast<int>(std::ceil(std::sqrt((nodes - 2) / 10.0) - 1e-9)); }

}  // namespace

/// Values that follow from the radius, and the facets that show it.
struct RadialShape3D::Derived final : SurfaceNodes, SmoothField, SignedDistance {
  const RadialShape3D* author = nullptr;
  double scale = 1;    ///< [m] per unit of the author's radius
  RadialMoments body;  ///< [m^3, m, m^5], in the author's axes
  PrincipalAxes principal;
  double r_max = 0, r_min = 0, bound = 0;
  std::optional<detail::RadialField> field;
  double slope_bound = 0;
  std::vector<Vec3> node;
  SphereMesh mesh;
  MeshNeighbours neighbour;
  double node_spacing = 0;

  /// A point of the surface from the author's centre, in the author's axes [m].
  Vec3 from_centre(const Vec3& unit) const { return scale * author->radius(unit) * unit; }
  Vec3 to_body(const Vec3& p) const { return principal.axes.transpose() * (p - body.centre); }
  /// The author's centre in the body frame, from which the field's directions start [m].
  Vec3 centre = Vec3::Zero();

  void make_field(int cells);
  void make_nodes(int count);

  std::span<const Vec3> nodes() const override { return node; }
  std::span<const std::uint32_t> first_neighbour() const override { return neighbour.first; }
  std::span<const std::uint32_t> neighbours() const override { return neighbour.list; }
  double spacing() const noexcept override { return node_spacing; }
  double steepest() const noexcept override { return slope_bound; }
  double greatest_depth() const noexcept override { return kGreatestDepth * r_min; }

  void depth(std::span<const Vec3> points, std::span<double> depth, std::span<Vec3> gradient) const override {
    if (gradient.empty()) {
      for (std::size_t i = 0; i < points.size(); ++i) depth[i] = field->depth_at(points[i] - centre);
      return;
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      const detail::FieldValue value = field->at(points[i] - centre);
      depth[i] = value.depth;
      gradient[i] = value.gradient;
    }
  }
  DepthCurvature curvature(const Vec3& point) const override { return field->curvature_at(point - centre); }
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const detail::FieldValue value = field->at(points[i] - centre);
      distance[i] = -value.depth;
      gradient[i] = -value.gradient.normalized();
    }
  }
};

void RadialShape3D::Derived::make_field(int cells) {
  field.emplace(
      [this](const Vec3& in_body) {
        const Vec3 unit = principal.axes * in_body;
        return detail::radial_part(scale * author->radius(unit), scale * author->slope(unit));
      },
      cells, kCore * r_min);
  // Along a ray the gradient's part across it is linear in 1/rho: the ends of the range are enough.
  const DirectedValue steep = largest_on_sphere([&](const Vec3& unit) {
    const double r = scale * author->radius(unit);
    return std::max(field->at(r * unit).gradient.norm(), field->at(3 * bound * unit).gradient.norm());
  });
  slope_bound = steep.value;
}

void RadialShape3D::Derived::make_nodes(int count) {
  mesh = geodesic_mesh(parts_for(count));
  even_out(mesh, [this](const Vec3& unit) { return from_centre(unit); });
  neighbour = neighbours_of(mesh);
  for (const Vec3& unit : mesh.directions) node.push_back(to_body(from_centre(unit)));
  for (std::size_t i = 0; i < node.size(); ++i)
    for (std::uint32_t k = neighbour.first[i]; k < neighbour.first[i + 1]; ++k)
      node_spacing = std::max(node_spacing, (node[i] - node[neighbour.list[k]]).norm());
}

RadialShape3D::RadialShape3D() = default;
RadialShape3D::~RadialShape3D() = default;

Vec3 RadialShape3D::slope(const Vec3& unit) const {
  constexpr double kStep = 1e-3;  // fourth order: truncation and rounding are both about 1e-12 of r for low harmonics
  const auto along = [&](const Vec3& axis) {
    const auto difference = [&](double h) {
      return (radius(std::cos(h) * unit + std::sin(h) * axis) - radius(std::cos(h) * unit - std::sin(h) * axis)) /
             (2 * h);
    };
    return (4 * difference(kStep) - difference(2 * kStep)) / 3;
  };
  const Vec3 u = unit.unitOrthogonal(), v = unit.cross(u);
  return along(u) * u + along(v) * v;
}

void RadialShape3D::derive(const RadialSettings3D& settings) {
  check_settings(settings);
  const auto of_author = [this](const Vec3& unit) { return radius(unit); };
  auto d = std::make_unique<Derived>();
  d->author = this;
  const double least = least_radius(of_author), most = largest_on_sphere(of_author).value;
  const RadialMoments unit = settings.moments ? *settings.moments : radial_moments(of_author);
  d->scale = settings.max_radius > 0 ? settings.max_radius / most
             : settings.volume > 0   ? std::cbrt(settings.volume / unit.volume)
                                     : settings.scale;
  d->body = enlarged(unit, d->scale);
  d->principal = principal_axes(d->body.inertia);
  d->r_max = d->scale * most;
  d->r_min = d->scale * least;
  if (d->body.centre.norm() < 1e-12 * d->r_max) {
    d->body.centre.setZero();
    d->bound = d->r_max;
  } else {
    d->bound = largest_on_sphere([&](const Vec3& w) { return (d->from_centre(w) - d->body.centre).norm(); }).value;
  }
  d->centre = d->to_body(Vec3::Zero());
  d->make_field(settings.table);
  d->make_nodes(settings.nodes);
  for (const Vec3& p : d->node) d->bound = std::max(d->bound, p.norm());
  derived_ = std::move(d);
}

const RadialShape3D::Derived& RadialShape3D::derived() const {
  if (!derived_) throw std::logic_error("a RadialShape3D must call derive() at the end of its constructor");
  return *derived_;
}

double RadialShape3D::volume() const { return derived().body.volume; }

MassProperties RadialShape3D::mass(double density) const {
  return {density * derived().body.volume, density * derived().principal.moments};
}

double RadialShape3D::bounding_radius() const noexcept { return derived().bound; }

double RadialShape3D::rotation_reach() const noexcept {
  const Derived& d = derived();
  const bool ball = d.r_max - d.r_min <= 1e-12 * d.r_max && d.body.centre.isZero(0);
  return ball ? 0 : d.bound;
}

Vec3 RadialShape3D::reference_point() const noexcept { return derived().centre; }

Surface RadialShape3D::surface() const {
  const Derived& d = derived();
  Surface s;
  s.points = d.node;
  for (const auto& [p, q, r] : d.mesh.triangles) s.cells.push_back({p, q, r});
  return s;
}

ShapeTraits RadialShape3D::traits() const { return {.body_to_reference = Quat(derived().principal.axes)}; }

const void* RadialShape3D::facet(std::string_view name) const noexcept {
  if (!derived_) return nullptr;
  if (name == SurfaceNodes::kName) return static_cast<const SurfaceNodes*>(derived_.get());
  if (name == BoundaryNodes::kName) return static_cast<const BoundaryNodes*>(derived_.get());
  if (name == SmoothField::kName) return static_cast<const SmoothField*>(derived_.get());
  if (name == SignedDistance::kName) return static_cast<const SignedDistance*>(derived_.get());
  return nullptr;
}

}  // namespace scree
