#pragma once
/// \file Sizes of bodies drawn from a distribution.

#include <vector>

#include "scree/base/api.hpp"
#include "scree/scene/scene.hpp"

namespace scree {

/// Inverse of a distribution of sizes by number: maps a uniform number to the size of one body. Mass goes as
/// size^dimension: in 2D bodies of all sizes are equally thick.
class SCREE_API SizeDistribution {
 public:
  /// \pre  the sizes ascend and are > 0, the fractions are >= 0 with a sum > 0, sigma and cutoff are > 0
  SizeDistribution(const ScaleDef& def, int dimension);

  /// Returns the size below which the share u of all bodies lies [-]. \param u  in (0, 1)
  double at(double u) const;
  /// Upper bound of sizes [-].
  double largest() const { return largest_; }

 private:
  double lognormal(double u) const;
  double within_class(std::size_t k, double v) const;

  ScaleDef def_;
  double mass_power_;              ///< exponent: mass goes as size to it; 0 if the fractions are by number
  std::vector<double> by_number_;  ///< cumulative fractions by number, each class included, in proportion
  double largest_ = 1;
};

}  // namespace scree
