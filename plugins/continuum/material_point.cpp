#include "material_point.hpp"

#include <cmath>
#include <numbers>

namespace scree::continuum {

MassProperties MaterialPoint::mass(double density) const {
  const double volume = fraction_ * std::pow(spacing_, dimension_), mass = density * volume;
  return {mass, Vec3::Constant(mass * spacing_ * spacing_ / 6)};
}

const void* MaterialPoint::facet(std::string_view name) const noexcept {
  if (name == DrivenBy::kName) return static_cast<const DrivenBy*>(this);
  if (name == PointFacet::kName) return this;
  return nullptr;
}

std::string_view MaterialPoint::advice() const noexcept {
  return "Choose \"granular-continuum\", or another shape for bodies that are grains.";
}

/// A small square or octahedron.
Surface MaterialPoint::surface() const {
  const double r = spacing_ / 2;
  Surface s;
  if (dimension_ == 2) {
    s.points = {{-r, -r, 0}, {r, -r, 0}, {r, r, 0}, {-r, r, 0}};
    s.cells = {{0, 1, 2, 3}};
    return s;
  }
  s.points = {{r, 0, 0}, {-r, 0, 0}, {0, r, 0}, {0, -r, 0}, {0, 0, r}, {0, 0, -r}};
  s.cells = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  return s;
}

}  // namespace scree::continuum
