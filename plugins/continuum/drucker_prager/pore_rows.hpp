#pragma once
/// \file Pressures of a fluid between grains, in the sweep. Each row is an equation, solved exactly in its visit. With
/// stresses they make one convex problem, so that load goes over from fluid to grains within a solve.

#include <algorithm>
#include <span>
#include <vector>

#include "drucker_prager/sweep_order.hpp"
#include "drucker_prager/velocities.hpp"

namespace scree::continuum {

template <int D>
class PoreRows {
 public:
  /// No pressures then. Spans of the problem are read until the solve ends.
  void prepare(const StrainProblem<D>& problem);

  std::size_t size() const { return rows_.size(); }

  /// To be called by all threads of a team: moves nodes by all pressures.
  void push_all(std::span<Node<D>> nodes) const;

  /// To be called by all threads of a team. Fills turn().
  void sweep(std::span<Node<D>> nodes);

  /// Of the last sweep: see StrainRows::turn() [J].
  double turn() const;
  /// See StrainRows.
  void restart() { last_ = impulse_; }
  void extrapolate(double beta);

  /// What is left of the equations, as steps of pressure [Pa^2 s^2].
  double squares(std::span<const Node<D>> nodes) const;

  /// In the order of the problem.
  std::span<const double> impulses() const { return impulse_; }
  void restore(std::span<const double> impulses) { std::ranges::copy(impulses, impulse_.begin()); }

 private:
  double flow(std::size_t j, std::span<const Node<D>> nodes) const;
  void push(std::size_t j, double change, std::span<Node<D>> nodes) const;

  SweepOrder order_;
  std::span<const PoreRow<D>> rows_;
  std::vector<double> rho_, inverse_rho_;  ///< [m^4/kg]; where nothing moves 0
  std::vector<double> impulse_, last_;     ///< P [Pa s]; after the sweep before
  std::vector<double> turn_;               ///< (rows) [J]
};

}  // namespace scree::continuum
