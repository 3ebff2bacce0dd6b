#pragma once
/// \file The contacts of a run as a term of the incremental potential: detected anew wherever the minimiser looks.

#include "scree/integrate/energy_problem.hpp"
#include "solvers/newton/configuration.hpp"
#include "use_solvers.hpp"

namespace scree::bonded {

/// Item i is what the contacts store whose first body is i. The Hessian has two parts: along the normal, positive
/// semidefinite, and across it, negative, smaller by overlap over distance, since the normal of a repulsive contact
/// turns. The clamped one leaves the second out, as does the exact one where a body is not a sphere about its centre:
/// how surfaces of others are curved PotentialContact does not say. Fixed planes have no such part.
class ContactTerm final : public EnergyTerm {
 public:
  ContactTerm(World& world, EnergyProblem& mechanics);

  /// Pairs that can come to touch in this step.
  void set_pairs(std::vector<BodyPair> pairs) { pairs_ = std::move(pairs); }
  /// Contacts at x. Valid until the next evaluation.
  std::span<const PotentialContact> at(const Configuration& x) const;
  /// Forgets what was detected: bodies, bonds or lists are others now.
  void forget() { seen_position_.clear(); }

  std::size_t items() const override { return world_.size(); }
  void energies(const Configuration& x, std::span<double> out) const override;
  void add_gradient(const Configuration& x, std::span<Wrench> out) const override;
  void add_hessian(const Configuration& x, Curvature curvature, const HessianSink& out) const override;
  void list_pairs(std::vector<BodyPair>& out) const override { out.insert(out.end(), pairs_.begin(), pairs_.end()); }

 private:
  Mat3 across(const PotentialContact& c) const;

  World& world_;
  EnergyProblem& mechanics_;
  std::vector<std::uint8_t> round_;  ///< (shapes)
  std::vector<BodyPair> pairs_;
  mutable std::vector<Vec3> seen_position_;
  mutable std::vector<Quat> seen_orientation_;
  mutable std::span<const PotentialContact> contacts_;
};

}  // namespace scree::bonded
