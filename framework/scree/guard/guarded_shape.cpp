#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/guard/detail/checks.hpp"
#include "scree/guard/detail/class_of.hpp"
#include "scree/guard/guarded.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/segment.hpp"
#include "scree/shape/shape_facts.hpp"
#include "scree/shape/smooth_surface.hpp"
#include "scree/shape/swept_polyhedron.hpp"

namespace scree {

namespace {

class GuardedShape final : public Shape {
 public:
  GuardedShape(const Method& method, std::shared_ptr<const Shape> shape)
      : method_(method), shape_(detail::not_null(method, std::move(shape))) {
    detail::check_classes<RadialFunction, BoundaryNodes, SurfaceNodes, SignedDistance, ExactDistance, SmoothField,
                          SphereSet, RoundVertices, SweptPolygon, SweptPolyhedron, Faces, WallFaces, Segment,
                          ShapeFacts>(method_, "facet()", [&](std::string_view name) { return facet(name); });
    const double radius = bounding_radius(), reach = rotation_reach();
    if (!(radius > 0))
      fail_contract(method_, "bounding_radius()", fmt::format("returned {} m; it must be above 0.", radius));
    if (!(reach >= 0))
      fail_contract(method_, "rotation_reach()", fmt::format("returned {} m; it must not be below 0.", reach));
    if (!reference_point().allFinite())
      fail_contract(method_, "reference_point()", "returned a point that is NaN or infinite.");
    if (!(std::abs(traits().body_to_reference.squaredNorm() - 1) < 1e-6))
      fail_contract(method_, "traits()", "body_to_reference is no rotation: its quaternion's length is not 1.");
    check_spheres();
  }
  ~GuardedShape() override { destroy(method_, shape_); }

  int dimension() const noexcept override { return shape_->dimension(); }
  double bounding_radius() const noexcept override { return shape_->bounding_radius(); }
  double rotation_reach() const noexcept override { return shape_->rotation_reach(); }
  ShapeTraits traits() const override {
    return guarded(method_, "traits()", [&] { return shape_->traits(); });
  }
  Vec3 reference_point() const noexcept override { return shape_->reference_point(); }
  const void* facet(std::string_view name) const noexcept override { return shape_->facet(name); }

  MassProperties mass(double density) const override {
    const MassProperties m = guarded(method_, "mass()", [&] { return shape_->mass(density); });
    const bool finite = std::isfinite(m.mass) && m.inertia.allFinite();
    const bool numbers = !std::isnan(m.mass) && !m.inertia.hasNaN();  // unbounded bodies may have an infinite mass
    if (!(finite || (numbers && std::isinf(bounding_radius()))) || m.mass < 0 || m.inertia.minCoeff() < 0)
      fail_contract(method_, "mass()",
                    fmt::format("returned {} kg and moments of ({}, {}, {}) kg m^2 for a density of {} kg/m^3; they "
                                "must be finite, and not below 0.",
                                m.mass, m.inertia[0], m.inertia[1], m.inertia[2], density));
    const double least = dimension() == 2 ? m.inertia.z() : m.inertia.minCoeff();
    if (m.mass > 0 && !(least > 0))
      fail_contract(method_, "mass()",
                    fmt::format("returned {} kg and moments of ({}, {}, {}) kg m^2; what has a mass has moments above "
                                "0, in 2D the third. Return a mass of 0 for an obstacle that cannot move.",
                                m.mass, m.inertia[0], m.inertia[1], m.inertia[2]));
    return m;
  }

  Surface surface() const override {
    Surface s = guarded(method_, "surface()", [&] { return shape_->surface(); });
    if (!detail::all_finite(s.points)) fail_contract(method_, "surface()", "returned a point that is NaN or infinite.");
    for (const auto& cell : s.cells) {
      if (cell.empty()) fail_contract(method_, "surface()", "returned a cell without points.");
      for (const std::uint32_t point : cell)
        if (point >= s.points.size())
          fail_contract(method_, "surface()",
                        fmt::format("returned a cell with point {}; there are {} points.", point, s.points.size()));
    }
    return s;
  }

 private:
  void check_spheres() const {
    const auto* const set = scree::facet<SphereSet>(*shape_);
    if (!set) return;
    const auto centres = guarded(method_, "SphereSet::centres()", [&] { return set->centres(); });
    const auto radii = guarded(method_, "SphereSet::radii()", [&] { return set->radii(); });
    if (centres.empty() || centres.size() != radii.size())
      fail_contract(method_, "SphereSet/1",
                    fmt::format("has {} centres and {} radii; it must have as many of both, and at least one.",
                                centres.size(), radii.size()));
    const bool good = std::ranges::all_of(radii, [](double r) { return r > 0 && std::isfinite(r); });
    if (!good || !detail::all_finite(centres))
      fail_contract(method_, "SphereSet/1", "centres must be finite, and radii finite and above 0.");
  }

  Method method_;
  std::shared_ptr<const Shape> shape_;
};

}  // namespace

std::shared_ptr<const Shape> guarded(const Method& method, std::shared_ptr<const Shape> shape) {
  return std::make_shared<GuardedShape>(method, std::move(shape));
}

}  // namespace scree
