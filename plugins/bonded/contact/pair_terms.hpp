#pragma once
/// \file Contact energies of bodies that are in no World: for tests of minimisers.

#include <functional>
#include <vector>

#include "contact/repulsion.hpp"
#include "solvers/newton/configuration.hpp"
#include "use_solvers.hpp"

namespace scree::bonded {

/// Bodies that push each other, eq. (35). The list holds all pairs that may come to touch during the step.
class PairContactTerm final : public EnergyTerm {
 public:
  struct Pair {
    std::uint32_t a, b;
    double stiffness;  ///< k_ec [N/m]
    double distance;   ///< d_c [m], see contact_distance()
  };
  /// \param pairs  each pair of bodies once
  PairContactTerm(std::vector<Pair> pairs, std::size_t bodies);

  std::size_t items() const override { return pairs_.size(); }
  void energies(const Configuration& x, std::span<double> out) const override;
  void add_gradient(const Configuration& x, std::span<Wrench> out) const override;
  void add_hessian(const Configuration& x, Curvature curvature, const HessianSink& out) const override;
  void list_pairs(std::vector<BodyPair>& out) const override;

 private:
  Repulsion<double> at(const Configuration& x, const Pair& pair, bool clamp) const;

  std::vector<Pair> pairs_;
  std::vector<std::size_t> start_;      ///< (bodies + 1)
  std::vector<std::uint32_t> of_body_;  ///< pairs of a body, ascending
};

/// Distance and direction to an obstacle.
struct SignedDistance {
  double value;   ///< [m], > 0 outside
  Vec3 gradient;  ///< unit
};

/// Bodies against one obstacle, eq. (36).
class ObstacleTerm final : public EnergyTerm {
 public:
  using Field = std::function<SignedDistance(const Vec3&)>;
  /// \param field      pure; called from several threads
  /// \param radius     (bodies) [m]  \param stiffness  (bodies) k_c [N/m]; both must live as long as the term is used
  ObstacleTerm(Field field, std::span<const double> radius, std::span<const double> stiffness)
      : field_(std::move(field)), radius_(radius), stiffness_(stiffness) {}

  std::size_t items() const override { return radius_.size(); }
  void energies(const Configuration& x, std::span<double> out) const override;
  void add_gradient(const Configuration& x, std::span<Wrench> out) const override;
  void add_hessian(const Configuration& x, Curvature curvature, const HessianSink& out) const override;

 private:
  Repulsion<double> at(const Configuration& x, std::size_t body) const;

  Field field_;
  std::span<const double> radius_, stiffness_;
};

}  // namespace scree::bonded
