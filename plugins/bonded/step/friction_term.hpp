#pragma once
/// \file Friction of a run's contacts as a term of the incremental potential, eq. (49).

#include "scree/integrate/energy_problem.hpp"
#include "solvers/newton/configuration.hpp"
#include "use_solvers.hpp"

namespace scree::bonded {

/// Item k is a contact: mu F h f0(|v_t|), with F, the normal and the two material points that touch as lag() found
/// them, and v_t the sliding of these points since the beginning of the stage, over h. The Hessian leaves out how
/// points turn about their bodies, and has no negative eigenvalue. Pairs are those of ContactTerm, which lists them.
class FrictionTerm final : public EnergyTerm {
 public:
  /// \param smooth  e, the speed from which on friction is mu F [m/s]
  explicit FrictionTerm(double smooth) : smooth_(smooth) {}

  /// A stage begins. Contacts are as before. \param h  [s]
  void begin(const Configuration& from, double h);
  /// Takes forces, normals and points from contacts at x.
  /// \return sum of the changes of mu F over the sum of mu F; 0 where nothing rubs, as before
  double lag(std::span<const PotentialContact> contacts, const Configuration& x);
  void clear() { rubs_.clear(); }

  /// On b of contact k, with bodies at x [N]; 0 for a contact without friction. \param k  of those lag() saw last
  Vec3 force(const Configuration& x, std::size_t k) const;
  /// Returns the power of friction on bodies that are not driven, with bodies at x, rates as over the stage [W].
  double power(const Configuration& x, std::span<const std::uint8_t> driven) const;

  std::size_t items() const override { return rubs_.size(); }
  void energies(const Configuration& x, std::span<double> out) const override;
  void add_gradient(const Configuration& x, std::span<Wrench> out) const override;
  void add_hessian(const Configuration& x, Curvature curvature, const HessianSink& out) const override;

 private:
  struct Rub {
    std::uint32_t a, b;
    double limit;     ///< mu F [N]
    Vec3 normal;      ///< unit
    Vec3 at_a, at_b;  ///< the two points, in the axes of their bodies [m]
  };
  /// Sliding of a contact with bodies at x, world axes.
  struct Slide {
    Vec3 arm_a, arm_b;    ///< [m]
    Vec3 rate_a, rate_b;  ///< rates of the two points over the stage [m/s]
    Vec3 rate;            ///< v_t, of a against b [m/s]
    double speed;
  };
  Slide slide(const Configuration& x, const Rub& rub) const;
  /// dD/d(point of a) [N]; that of b is its negative.
  Vec3 pull(const Rub& rub, const Slide& s) const;

  double smooth_, h_ = 1;
  std::vector<Vec3> position_;  ///< at the beginning of the stage
  std::vector<Quat> orientation_;
  std::vector<Rub> rubs_;
};

}  // namespace scree::bonded
