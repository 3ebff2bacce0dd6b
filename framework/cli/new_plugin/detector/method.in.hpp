#pragma once

#include <scree/detect/contact_detector.hpp>
#include <scree/shape/facets.hpp>

#include <vector>

namespace @name@ {

/// Every sphere of one body with every sphere of the other.
class Detector final : public scree::ContactDetector {
 public:
  scree::DetectorTraits traits() const override;
  void bind(std::span<const scree::Shape* const> shapes) override;
  void detect(const scree::BodyView& bodies, std::span<const scree::Pair> pairs, scree::PairCache& cache,
              double margin, scree::ContactBuffer& out) const override;

 private:
  std::vector<const scree::SphereSet*> spheres_;  ///< spheres by shape; null if it has none
};

}  // namespace @name@
