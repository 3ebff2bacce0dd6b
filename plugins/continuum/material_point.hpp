#pragma once
/// \file The shape "material-point": a piece of a granular continuum.

#include "scree/shape/facets.hpp"
#include "scree/shape/shape.hpp"

namespace scree::continuum {

/// A body of it is a sample of a continuum: it has mass and velocity, meets nobody by contacts and does not turn.
class MaterialPoint final : public Shape {
 public:
  /// The face of integrators that move such bodies.
  static constexpr std::string_view kFace = "material-points/1";

  /// \param spacing   edge of the square or cube that it fills [m]
  /// \param fraction  solid fraction [-]
  MaterialPoint(int dimension, double spacing, double fraction)
      : dimension_(dimension), spacing_(spacing), fraction_(fraction) {}

  int dimension() const noexcept override { return dimension_; }
  MassProperties mass(double density) const override;
  /// Returns the radius of the circle or sphere within the cell: places that packings and emitters keep apart are as
  /// dense as they should be.
  double bounding_radius() const noexcept override { return spacing_ / 2; }
  double rotation_reach() const noexcept override { return 0; }
  ShapeTraits traits() const override;
  Surface surface() const override;
  const void* facet(std::string_view name) const noexcept override;

  double spacing() const { return spacing_; }
  double fraction() const { return fraction_; }

 private:
  int dimension_;
  double spacing_, fraction_;
};

/// The shape, if it is one: a facet of its own, as what plugins get may be a decorated shape.
struct PointFacet {
  static constexpr std::string_view kName = "MaterialPoint/1";
};
inline const MaterialPoint* material_point(const Shape& shape) {
  return static_cast<const MaterialPoint*>(shape.facet(PointFacet::kName));
}

}  // namespace scree::continuum
