#pragma once
/// \file The shapes "sphere" and "clump": spheres on one rigid body; in 2D scenes discs.

#include <optional>
#include <vector>

#include "scree/shape/facets.hpp"
#include "scree/shape/shape.hpp"

namespace scree::spheres {

/// Centres [m] and radii [m], one of each per sphere.
struct Spheres {
  std::vector<Vec3> centres;
  std::vector<double> radii;
};

/// Mass, centre and inertia as measured, instead of those of a uniform body. Lengths in the axes of the spheres.
struct GivenMass {
  double mass = 0;              ///< [kg]
  std::optional<Vec3> centre;   ///< centre of mass [m]; unset: that of the uniform body
  std::optional<Mat3> inertia;  ///< about the centre of mass [kg m^2]; unset: of the uniform body
};

struct SphereBodyOptions {
  int dimension = 3;
  double thickness = 1;  ///< thickness of discs, out of the plane [m]
  std::optional<GivenMass> given;
};

/// Facets: SphereSet/1, RoundVertices/1, ExactDistance/1, SignedDistance/1.
class SphereBody final : public Shape, public RoundVertices, public ExactDistance {
 public:
  /// \param spheres  at least one; in 2D z = 0
  /// \throws OptionError when the given inertia is that of no body
  SphereBody(const Spheres& spheres, const SphereBodyOptions& options);

  int dimension() const noexcept override { return dimension_; }
  MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override { return bounding_radius_; }
  /// The largest distance of a centre from the origin: a sphere that turns about its own centre stays where it is.
  double rotation_reach() const noexcept override { return rotation_reach_; }
  Vec3 reference_point() const noexcept override { return reference_point_; }
  ShapeTraits traits() const override { return {.body_to_reference = body_to_reference_}; }
  Surface surface() const override;
  const void* facet(std::string_view name) const noexcept override;

  std::span<const Vec3> centres() const override { return spheres_.centres; }
  std::span<const double> radii() const override { return spheres_.radii; }
  /// The smallest of the distances to the spheres: exact outside, within never larger in size than the distance.
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;

  double volume() const { return volume_; }  ///< [m^3], overlaps counted once

 private:
  int dimension_;
  Spheres spheres_;  ///< body frame
  double volume_ = 0;
  Vec3 inertia_ = Vec3::Zero();  ///< principal moments at density 1 [m^5], or as given [kg m^2]
  double given_mass_ = 0;        ///< [kg]; 0: density times volume
  Vec3 reference_point_ = Vec3::Zero();
  Quat body_to_reference_ = Quat::Identity();
  double bounding_radius_ = 0, rotation_reach_ = 0;
};

}  // namespace scree::spheres
