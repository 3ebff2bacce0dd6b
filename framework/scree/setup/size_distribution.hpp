#pragma once
/// \file Sizes of bodies drawn from a distribution.

#include <vector>

#include "scree/base/api.hpp"
#include "scree/scene/scene.hpp"

namespace scree {

/// The inverse of a distribution of sizes by number: a uniform number in, the size of one body out. Mass goes as
/// size^dimension: in 2D bodies of all sizes are equally thick.
class SCREE_API SizeDistribution {
 public:
  /// \pre  the sizes ascend and are > 0, the fractions are >= 0 with a sum > 0, sigma and cutoff are > 0
  SizeDistribution(const ScaleDef& def, int dimension);

  /// \param u  in (0, 1)  \return the size below which the share u of all bodies lies [-]
  double at(double u) const;
  /// No size is above it [-].
  double largest() const { return largest_; }

 private:
  double lognormal(double u) const;
  double within_class(std::size_t k, double v) const;

  ScaleDef def_;
  double mass_power_;              ///< mass goes as size to this; 0 where the fractions are by number
  std::vector<double> by_number_;  ///< sums of the fractions up to and with each class, by number, in proportion
  double largest_ = 1;
};

}  // namespace scree
