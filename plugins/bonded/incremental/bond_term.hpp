#pragma once
/// \file The bonds of all bodies: energies, forces for explicit integration, gradient, Hessian. Four bonds at a time.

#include "beam/fracture.hpp"
#include "beam/hessian.hpp"
#include "solvers/newton/configuration.hpp"
#include "use_solvers.hpp"

namespace scree::bonded {

/// Bonds as plain columns, independent of their owner. (bonds) each.
struct BondColumns {
  std::span<const std::uint32_t> a, b;         ///< bodies
  std::span<const double> stretch;             ///< [N/m]
  std::span<const double> shear, twist, bend;  ///< [N m/rad]
  std::span<const double> rest_length;         ///< [m]
  std::span<const Vec3> rest;                  ///< unit direction from a to b when the bond was made
  std::span<const Quat> made_a, made_b;        ///< orientations of the bodies then; both empty: identity

  std::size_t size() const { return a.size(); }
};

class BondTerm final : public EnergyTerm {
 public:
  /// No bonds.
  BondTerm() = default;
  /// Copies what it needs. \param bodies  how many there are
  /// \throws std::invalid_argument  for columns of different lengths, a body that does not exist, a bond of a body with
  /// itself, two bonds of one pair, a direction that is not unit, a rest length that is not positive; names the bond
  BondTerm(const BondColumns& bonds, std::size_t bodies);

  std::size_t items() const override { return bonds_; }
  void energies(const Configuration& x, std::span<double> out) const override;
  void add_gradient(const Configuration& x, std::span<Wrench> out) const override;
  void add_hessian(const Configuration& x, Curvature curvature, const HessianSink& out) const override;
  void list_pairs(std::vector<BodyPair>& out) const override;

  /// Takes a bond's stiffness away: its energy goes, momenta stay. The pattern of the Hessian keeps its blocks.
  void break_bond(std::size_t bond);
  bool broken(std::size_t bond) const { return broken_[bond] != 0; }
  std::size_t alive() const { return bonds_ - broken_count_; }

  /// Adds forces and torques on the bodies, -gradient: the explicit counterpart. \param out  (bodies)
  void add_wrenches(const Configuration& x, std::span<Wrench> out) const;
  /// Computes the section forces of every bond, zero for broken ones. \param out  (bonds)
  void section_forces(const Configuration& x, std::span<SectionForces<double>> out) const;

  /// Four bonds: what does not change, and where their bodies are. Unused lanes repeat the last bond without stiffness.
  struct Four {
    Stiffness<Wide> stiffness;
    Wide rest_length;
    Vector<Wide> rest;
  };
  /// One body's end of a bond.
  struct End {
    std::uint32_t bond_and_side;  ///< 2 bond + (0 as a, 1 as b)
    std::uint32_t bond() const { return bond_and_side >> 1; }
    bool is_b() const { return bond_and_side & 1; }
  };
  std::span<const End> ends_of(std::size_t body) const {
    return {end_.data() + end_start_[body], end_.data() + end_start_[body + 1]};
  }
  const std::vector<BodyPair>& pairs() const { return pair_; }
  Deformation<Wide> deformation_of(const Configuration& x, std::size_t four) const;
  const Four& four(std::size_t index) const { return four_[index]; }
  std::size_t fours() const { return four_.size(); }
  /// Returns the Hessian of one bond, for occasional use.
  BondHessian<double> hessian_of(const Configuration& x, std::size_t bond) const;

 private:
  void gather_gradient(const Configuration& x, double sign, std::span<Wrench> out) const;

  std::size_t bonds_ = 0, bodies_ = 0, broken_count_ = 0;
  std::vector<Four> four_;
  std::vector<BodyPair> pair_;             ///< (4 fours), the last ones repeated
  std::vector<Quat> unmade_a_, unmade_b_;  ///< conjugates of made_a, made_b, (4 fours) or none
  std::vector<std::uint8_t> broken_;
  std::vector<std::size_t> end_start_;  ///< (bodies + 1)
  std::vector<End> end_;                ///< by body, bonds ascending
};

}  // namespace scree::bonded
