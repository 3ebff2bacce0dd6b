#pragma once
/// \file The contacts of a run as a term of the incremental potential: detected anew wherever the minimiser looks.

#include "incremental/configuration.hpp"
#include "scree/integrate/potential.hpp"

namespace scree::bonded {

/// Item i is what the contacts store whose first body is i. The Hessian keeps the part along the normal, which is
/// positive semidefinite: what a repulsive contact adds across it is negative, and smaller by overlap over size.
class ContactTerm final : public EnergyTerm {
 public:
  ContactTerm(World& world, Potential& mechanics) : world_(world), mechanics_(mechanics) {}

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
  World& world_;
  Potential& mechanics_;
  std::vector<BodyPair> pairs_;
  mutable std::vector<Vec3> seen_position_;
  mutable std::vector<Quat> seen_orientation_;
  mutable std::span<const PotentialContact> contacts_;
};

}  // namespace scree::bonded
