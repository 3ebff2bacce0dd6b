#pragma once

#include <scree/shape/radial_shape.hpp>

namespace @name@ {

/// An ellipse with half axes a and b [m].
class Outline final : public scree::RadialShape2D {
 public:
  Outline(double a, double b, double thickness);
  double radius(double theta) const override;

 private:
  double a_, b_;
};

}  // namespace @name@
