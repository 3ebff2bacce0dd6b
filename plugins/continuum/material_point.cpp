#include "material_point.hpp"

#include <cmath>
#include <numbers>

namespace scree::continuum {

MassProperties MaterialPoint::mass(double density) const {
  const double volume = fraction_ * std::pow(spacing_, dimension_), mass = density * volume;
  return {mass, Vec3::Constant(mass * spacing_ * spacing_ / 6)};
}

const void* MaterialPoint::facet(std::string_view name) const noexcept {
  return name == PointFacet::kName ? this : nullptr;
}

ShapeTraits MaterialPoint::traits() const {
  return {.driven_by = kFace,
          .driven_by_advice = "Choose \"granular-continuum\", or another shape for bodies that are grains."};
}

/// An octagon about the square, or an icosahedron: points beside each other overlap, and hide their lattice.
Surface MaterialPoint::surface() const {
  Surface s;
  if (dimension_ == 2) {
    const double far = spacing_ / std::numbers::sqrt2, r = spacing_ / 2;
    s.points = {{far, 0, 0}, {r, r, 0}, {0, far, 0}, {-r, r, 0}, {-far, 0, 0}, {-r, -r, 0}, {0, -far, 0}, {r, -r, 0}};
    s.cells = {{0, 1, 2, 3, 4, 5, 6, 7}};
    return s;
  }
  const double r = 0.8 * spacing_, b = r / std::sqrt(2 + std::numbers::phi), a = std::numbers::phi * b;
  s.points = {{-b, a, 0},  {b, a, 0},  {-b, -a, 0}, {b, -a, 0}, {0, -b, a},  {0, b, a},
              {0, -b, -a}, {0, b, -a}, {a, 0, -b},  {a, 0, b},  {-a, 0, -b}, {-a, 0, b}};
  s.cells = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
             {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
             {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  return s;
}

}  // namespace scree::continuum
