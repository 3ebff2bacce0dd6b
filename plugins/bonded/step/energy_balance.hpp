#pragma once
/// \file Energy balance: energy that a step loses without cause, as a measure of its resolution.

#include <vector>

#include "solvers/newton/time_step.hpp"
#include "use_solvers.hpp"

namespace scree::bonded {

/// From one state of the bodies to a later one. Bodies with equal moments of inertia.
class EnergyBalance {
 public:
  /// At the beginning. \param terms  bonds and contacts; must live as long as this
  /// \param driven  (bodies) nonzero: what moves it does the work
  EnergyBalance(std::span<const EnergyTerm* const> terms, std::span<const std::uint8_t> driven,
                const BodyColumns& bodies, const Motion& x, const Applied& applied);

  /// At the end: |E_n + W - E_(n+1)| over the kinetic and elastic energy E_(n+1) [-]. W is the work of loads and of
  /// driven bodies, by the mean of their forces at both ends, and of friction. Energies before bonds break.
  /// \param friction  work of friction on free bodies [J]
  double defect(const Motion& x, const Applied& applied, double friction) const;

 private:
  struct Sum {
    double energy;                    ///< [J]
    std::vector<Wrench> resisted;     ///< dV/dx of terms, by body
    std::vector<Vec3> force, torque;  ///< force and torque of loads
  };
  Sum sum(const Motion& x, const Applied& applied) const;

  std::span<const EnergyTerm* const> terms_;
  std::span<const std::uint8_t> driven_;
  BodyColumns bodies_;
  std::vector<Vec3> position_;
  std::vector<Quat> orientation_;
  Sum start_;
};

}  // namespace scree::bonded
