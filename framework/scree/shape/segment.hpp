#pragma once
/// \file Facet of slender bodies: a straight segment swept by a sphere.

#include <string_view>

#include "scree/base/api.hpp"

namespace scree {

/// All points within radius() of a segment about the body's origin. The segment lies along the body's z axis in 3D and
/// along its x axis in 2D.
class SCREE_API Segment {
 public:
  static constexpr std::string_view kName = "Segment/1";
  virtual ~Segment();
  /// From the middle to either end of the segment [m], > 0; the round caps come on top.
  virtual double half_length() const noexcept = 0;
  /// Radius of the sphere [m], > 0.
  virtual double radius() const noexcept = 0;
};

}  // namespace scree
