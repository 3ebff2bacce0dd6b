#pragma once
/// \file The detector "sphere-sphere": bodies made of spheres against each other, in 2D bodies made of discs.

#include <vector>

#include "scree/detect/contact_detector.hpp"
#include "sphere_tile.hpp"

namespace scree::spheres {

/// One contact per pair of spheres that touch; feature = (sphere of a) * (spheres of b) + (sphere of b). Contacts of a
/// pair come in order of their features.
class SphereSphere final : public ContactDetector {
 public:
  DetectorTraits traits() const override;
  /// Offers DevicePairs.
  const void* face(std::string_view name) const noexcept override;
  void bind(std::span<const Shape* const> shapes) override;
  bool sees_orientation() const noexcept override { return !only_spheres_; }
  bool central() const noexcept override { return only_spheres_; }
  void prepare(const BodyView& bodies, std::span<const Pair> pairs, double skin, double margin,
               PairCache& cache) const override;
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override;

 private:
  std::vector<Set> sets_;      ///< by index of the shape
  bool only_spheres_ = false;  ///< no body is made of several
};

}  // namespace scree::spheres
