#pragma once
/// \file Audit of exchanges of granules: sums over the World and the ledger, which must not change.

#include "ledger/ledger.hpp"
#include "scree/world/world.hpp"

namespace scree::culling {

/// Sums over all granules, those of aggregates included, and over aggregates as the rigid bodies they are.
struct Sums {
  std::size_t count = 0;                                          ///< granules in the World and in the ledger
  double mass = 0;                                                ///< mass of granules one by one [kg]
  double rigid_mass = 0;                                          ///< mass of free granules and owners [kg]
  Vec3 first_moment = Vec3::Zero();                               ///< sum m x of granules [kg m]
  Vec3 momentum = Vec3::Zero(), angular_momentum = Vec3::Zero();  ///< about the origin
  double momentum_scale = 0, angular_scale = 0;                   ///< sum m |v|, sum m |v| |x|
  double kinetic = 0;                                             ///< [J]
};
/// Returns the sums, independent of the order of rows. \param rows  rows of the granules in the World
Sums sums(const World& world, const Ledger& ledger, std::span<const std::uint32_t> rows);

/// The worst relative errors so far; figures of the run.
struct Audit {
  explicit Audit(World& world);
  /// \param diameter  [m]  \throws NumericalError where granules or mass were lost
  void compare(const Sums& before, const Sums& after, double diameter);

 private:
  double &mass_, &momentum_, &angular_, &centre_, &energy_;
  double& dissipated_;
};

}  // namespace scree::culling
