#pragma once
/// \file Nesterov's momentum on Gauss-Seidel with gradient restart. Safe where the shift stands still.
/// \source Y. Nesterov, Soviet Math. Dokl. 27 (1983) 372; B. O'Donoghue, E. Candes, Found. Comput. Math. 15 (2015) 715

#include <cmath>

#include "solvers/drucker_prager/iterate.hpp"

namespace scree::continuum {

template <int D>
class Momentum {
 public:
  explicit Momentum(Iterate<D>& iterate) : iterate_(iterate) { restart(); }

  void restart() {
    iterate_.restart();
    theta_ = 1;
  }

  /// After a sweep: moves on along its motion, unless the sweep turned against it.
  void advance() {
    if (iterate_.turn() > 0) return restart();
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * theta_ * theta_));
    iterate_.extrapolate((theta_ - 1) / next);
    theta_ = next;
  }

 private:
  Iterate<D>& iterate_;
  double theta_ = 1;
};

}  // namespace scree::continuum
