#pragma once

#include <scree/shape/facets.hpp>
#include <scree/shape/shape.hpp>

#include <vector>

namespace @name@ {

/// Two equal spheres that touch, one above the other along z. The facet SphereSet/1 is all that detectors need.
class Dumbbell final : public scree::Shape, public scree::SphereSet {
 public:
  explicit Dumbbell(double radius);
  int dimension() const noexcept override { return 3; }
  scree::MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override { return 2 * radius_; }
  scree::Surface surface() const override;
  const void* facet(std::string_view name) const noexcept override;
  std::span<const scree::Vec3> centres() const override { return centres_; }
  std::span<const double> radii() const override { return radii_; }

 private:
  double radius_;
  std::vector<scree::Vec3> centres_;
  std::vector<double> radii_;
};

}  // namespace @name@
