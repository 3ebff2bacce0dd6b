#pragma once
/// \file The terms of the incremental potential beside bonds.

#include <array>
#include <functional>
#include <vector>

#include "solvers/newton/configuration.hpp"

namespace scree::solvers {

/// Eq. (23): sum (m |p - p^|^2 + 4 I |q - q^|^2)/(2 h^2), with (24), (25), for bodies with one moment of inertia (E4).
/// For others the second part is (41), with (42), (43).
class InertiaTerm final : public EnergyTerm {
 public:
  /// (bodies) each; what the spans refer to must live as long as the term is used.
  struct Columns {
    std::span<const double> mass;        ///< [kg]
    std::span<const double> moment;      ///< of inertia [kg m^2]
    std::span<const Vec3> position;      ///< p^ [m]
    std::span<const Quat> orientation;   ///< q^, need not be unit where moments are equal
    double step;                         ///< h [s]
    std::span<const Vec3> moments = {};  ///< principal, of bodies in which they differ, see unequal(); or empty
  };
  explicit InertiaTerm(const Columns& columns) { set(columns); }
  void set(const Columns& columns);

  std::size_t items() const override { return c_.mass.size(); }
  void energies(const Configuration& x, std::span<double> out) const override;
  void add_gradient(const Configuration& x, std::span<Wrench> out) const override;
  void add_hessian(const Configuration& x, Curvature curvature, const HessianSink& out) const override;

 private:
  /// Four bodies; the last one again where there are fewer.
  struct Four {
    std::array<std::uint32_t, 4> body;
    std::size_t count;
  };
  template <class F>
  void for_fours(const Configuration& x, const F& f) const;

  Columns c_;
  std::vector<std::uint32_t> unequal_;  ///< bodies whose principal moments differ
};

/// Dead forces: -f . p. Statics; in a time step they belong into the prediction.
class LoadTerm final : public EnergyTerm {
 public:
  /// \param force  (bodies) [N]; must live as long as the term is used
  explicit LoadTerm(std::span<const Vec3> force) : force_(force) {}

  std::size_t items() const override { return force_.size(); }
  void energies(const Configuration& x, std::span<double> out) const override;
  void add_gradient(const Configuration& x, std::span<Wrench> out) const override;
  void add_hessian(const Configuration&, Curvature, const HessianSink&) const override {}

 private:
  std::span<const Vec3> force_;
};

}  // namespace scree::solvers
