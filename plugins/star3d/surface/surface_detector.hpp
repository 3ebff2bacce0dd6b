#pragma once
/// \file The detectors "surface", "surface-sphere" and "surface-wall": nodes on the surface of one body in the depth
/// field of the other.

#include <vector>

#include "scree/detect/contact_detector.hpp"
#include "scree/shape/smooth_surface.hpp"
#include "surface/surface_shape.hpp"

namespace scree::star3d {

/// Scheme "peaks": the tops of the depth along a surface are contacts, and the saddles between them take back what was
/// counted twice. Where both bodies have nodes, each side counts one half; else the nodes of the one count whole.
class SurfaceDetector final : public ContactDetector {
 public:
  /// \param partner  facet that the other body must offer, of SmoothField, SphereSet and WallFaces. Inside solids with
  ///                 edges the depth has ridges, where tops are not stationary: they are not served
  explicit SurfaceDetector(std::string_view partner = SmoothField::kName) : partner_(partner) {}
  DetectorTraits traits() const override;
  void bind(std::span<const Shape* const> shapes) override;
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override;
  /// A top continues the old top of its side and field in the nearest direction, nearest first, within kMostTurn.
  void match(const ContactMatch& contacts) const override;

 private:
  std::string_view partner_;
  std::vector<SurfaceShape> shapes_;  ///< by index of the shape
};

}  // namespace scree::star3d
