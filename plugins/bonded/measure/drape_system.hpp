#pragma once
/// \file A linear system as the first iterate of Newton's method poses it, for tests and figures of solvers.

#include "incremental/bond_term.hpp"
#include "measure/specimen.hpp"
#include "solvers/blocks/block_matrix.hpp"
#include "solvers/newton/potential.hpp"
#include "solvers/newton/terms.hpp"
#include "use_solvers.hpp"

namespace scree::bonded {

/// System of a beam at rest that begins to drape with dt = 1/60 s, held where x < `held`.
class DrapeSystem {
 public:
  DrapeSystem(Specimen specimen, double held)
      : specimen_(driven(std::move(specimen), held)),
        bonds_(specimen_.bonds(), specimen_.size()),
        inertia_({specimen_.mass, specimen_.moment, specimen_.position, specimen_.orientation, 1.0 / 60}),
        potential_(specimen_.unknowns(), {&inertia_, &bonds_}),
        hessian_(potential_.pattern()),
        right_(BlockVector::Zero(6 * static_cast<Eigen::Index>(hessian_.rows()))) {
    potential_.hessian(specimen_.configuration(), Curvature::exact, hessian_);
    for (std::size_t row = 0; row < hessian_.rows(); ++row) {
      const std::uint32_t body = potential_.unknowns().body[row];
      right_[6 * static_cast<Eigen::Index>(row) + 2] = -9.81 * specimen_.mass[body];
      centres_.push_back(specimen_.position[body]);
    }
  }

  const BlockPattern& pattern() const { return potential_.pattern(); }
  const BlockMatrix& hessian() const { return hessian_; }
  const BlockVector& right() const { return right_; }  ///< weight [N]
  const std::vector<Vec3>& centres() const { return centres_; }

 private:
  static Specimen driven(Specimen s, double held) {
    s.drive([held](const Vec3& p) { return p.x() < held; });
    return s;
  }

  Specimen specimen_;
  BondTerm bonds_;
  InertiaTerm inertia_;
  IncrementalPotential potential_;
  BlockMatrix hessian_;
  BlockVector right_;
  std::vector<Vec3> centres_;
};

}  // namespace scree::bonded
