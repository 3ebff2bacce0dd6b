#pragma once
/// \file The generic detector: boundary nodes of one body in the signed distance of another, either way round or both.

#include <vector>

#include "on_device.hpp"
#include "outline.hpp"
#include "scree/detect/contact_detector.hpp"

namespace scree::nodes_to_surface {

/// Each maximal run of touching nodes is one contact at its deepest node; runs of the two sides that bound the same
/// overlap are one contact at the deeper of both. A contact goes on as long as its runs share nodes with the old ones.
class NodesToSurface : public ContactDetector {
 public:
  DetectorTraits traits() const override;
  void bind(std::span<const Shape* const> shapes) override;
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override;
  void match(const ContactMatch& contacts) const override;
  /// Offers DeviceShapePairs and DeviceOutlines.
  const void* face(std::string_view name) const noexcept override;

 private:
  std::vector<Outline> outlines_;  ///< by index of the shape
  ShapesOnDevice shapes_on_device_{outlines_};
  PairsOnDevice pairs_on_device_{shapes_on_device_};
  OutlinesOnDevice outlines_on_device_{shapes_on_device_};
};

}  // namespace scree::nodes_to_surface
