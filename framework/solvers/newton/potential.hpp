#pragma once
/// \file The incremental potential: a sum of terms over free and driven bodies, its gradient and Hessian in the reduced
/// coordinates of the free ones.

#include <memory>

#include "solvers/newton/configuration.hpp"

namespace scree::solvers {

class IncrementalPotential {
 public:
  /// The pattern of the Hessian is made here, once. \param terms  must outlive the potential, added in this order
  IncrementalPotential(Unknowns unknowns, std::vector<const EnergyTerm*> terms);

  const Unknowns& unknowns() const { return unknowns_; }
  const BlockPattern& pattern() const { return *pattern_; }

  /// Remembers the energy of every item: changes are measured from here.
  void set_base(const Configuration& x);
  /// Energy since set_base() [J]: the sum of the items' differences, which keeps the digits that the difference of sums
  /// would lose.
  double change(const Configuration& x);
  /// Energy at the base [J].
  double base() const;

  /// \param out  six entries per row: dPhi/dp [N], dPhi/dth [N m]
  void gradient(const Configuration& x, BlockVector& out);
  void hessian(const Configuration& x, Curvature curvature, BlockMatrix& out) const;

 private:
  Unknowns unknowns_;
  std::vector<const EnergyTerm*> terms_;
  std::unique_ptr<BlockPattern> pattern_;  ///< on its own: matrices point to it
  std::vector<double> base_, trial_;       ///< by item, terms one after the other
  std::vector<Wrench> by_body_;
};

}  // namespace scree::solvers
