#pragma once
/// \file Two bodies approach, touch and part.

#include <cstdint>

#include "mix/mix.hpp"

namespace scree::test::matrix {

struct Outcome {
  bool touched = false, parted = false;
  double momentum_error = 0;   ///< of m v of the moving body
  double energy_ratio = 0;     ///< kinetic and of the law at the end, over kinetic at the start
  bool attracts = false;       ///< the law acts across gaps
  bool has_potential = false;  ///< the detector's forces have one with conservative laws
  double overlap_ratio = 0;    ///< largest overlap over the smallest radius
  double touch = 0;            ///< distance of the bodies' centres when they first touch [m]
  double speed_change = 0;     ///< of the lighter body, over the speed of approach
  std::uint64_t hash = 0;
};

/// Runs the combination until the bodies have parted for some steps, or for long.
Outcome collide(const Mix& mix);

}  // namespace scree::test::matrix
