#pragma once
/// \file A star-shaped particle: a Fourier series of the radius.

#include <memory>
#include <vector>

#include "scree/scene/options.hpp"
#include "scree/shape/radial_shape.hpp"
#include "shape/fourier_radius.hpp"

namespace scree::star {

class StarShape final : public RadialShape2D {
 public:
  /// \throws OptionError with pointer "/coefficients" when r <= 0 somewhere
  StarShape(double a0, std::vector<Harmonic> harmonics, const RadialSettings& settings);

  double radius(double theta) const override { return fourier_radius(a0_, harmonics_, theta); }
  double slope(double theta) const override { return fourier_slope(harmonics_, theta); }

 private:
  double a0_;
  std::vector<Harmonic> harmonics_;
};

/// From the options of schema.json, "shape/star".
std::shared_ptr<const StarShape> make_star(const Options& options);

}  // namespace scree::star
