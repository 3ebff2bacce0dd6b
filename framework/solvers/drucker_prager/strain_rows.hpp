#pragma once
/// \file Strain rows in the order of the sweep, and their visit.
///
/// A visit is one projected step: r' = P_K(r - gamma^ / rho), after which the nodes move; with viscosity it is
/// respond() in place of P_K. rho is at least the largest eigenvalue of the row's own block of W: with less, momentum
/// may run away. To solve the row exactly would save 15 % of the sweeps and cost three times as much per visit.

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "solvers/coulomb/parallel.hpp"
#include "solvers/drucker_prager/cone_coordinates.hpp"
#include "solvers/drucker_prager/sweep_order.hpp"
#include "solvers/drucker_prager/velocities.hpp"

namespace scree::continuum {

/// De Saxce's shift of a visit.
enum class Shift {
  fixed,  ///< that of set_shift(): a convex problem
  live    ///< mu^ |gamma_T| of the visit itself: Drucker and Prager's law
};

/// Squares of errors of impulses, summed [Pa^2 s^2].
struct Squares {
  double convex = 0;  ///< with the fixed shift
  double exact = 0;   ///< with mu^ |gamma_T|

  Squares& operator+=(const Squares& o) {
    convex += o.convex, exact += o.exact;
    return *this;
  }
};

template <int D>
class StrainRows {
 public:
  using Lanes = typename Node<D>::Lanes;

  /// No impulses and no shifts then.
  void prepare(const StrainProblem<D>& problem, int threads);

  std::size_t size() const { return rows_.size(); }
  /// More would wait: threads share the rows of one colour at a time, and each should have some microseconds of work.
  int useful_threads() const {
    constexpr std::size_t kLeastRows = D == 2 ? 48 : 32;
    const std::size_t colours = std::max(std::size_t{1}, order_.colours());
    return static_cast<int>(
        std::clamp(size() / (colours * kLeastRows), std::size_t{1}, std::max(std::size_t{1}, order_.blocks())));
  }

  /// \param velocity  (nodes) sets shifts mu^ |gamma_T| of these; where it is empty, none
  /// \return whether any is above 0
  bool set_shift(const StrainProblem<D>& problem, std::span<const Vec<D>> velocity, int threads);

  /// Shifts are those of the velocities of nodes.
  void renew_shift(std::span<const Node<D>> nodes, int threads) {
    coulomb::for_chunks(size(), threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        shift_[i] = shift_of<D>(strain_rate(rows_[i], nodes.data()), rows_[i].friction);
    });
  }

  /// In the order of the problem.
  void set_impulses(std::span<const Stress<D>> impulses);
  void get_impulses(std::span<Stress<D>> impulses) const;

  /// To be called by all threads of a team: moves nodes by all impulses.
  void push_all(std::span<Node<D>> nodes) const {
    visit_blocks(order_, [&](std::size_t block) {
      for (std::uint32_t i = order_.block_start[block]; i < order_.block_start[block + 1]; ++i) {
        push(rows_[i], impulse_[i], nodes.data());
      }
    });
  }

  /// To be called by all threads of a team. Fills turn().
  template <Shift kShift>
  void sweep(std::span<Node<D>> nodes) {
    visit_blocks(order_, [&](std::size_t block) {
      double turn = 0;
      for (std::uint32_t i = order_.block_start[block]; i < order_.block_start[block + 1]; ++i) {
        turn += visit<kShift>(i, nodes.data());
      }
      turn_[block] = turn;
    });
  }

  /// Of the last sweep: how much its own steps pointed against the motion since the sweep before [J].
  double turn() const {
    double sum = 0;
    for (const double t : turn_) sum += t;
    return sum;
  }

  /// Forgets the motion.
  void restart() { last_ = impulse_; }
  /// r + beta (r - r of the sweep before).
  void extrapolate(double beta, int threads) {
    coulomb::for_chunks(size(), threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Stress<D> now = impulse_[i];
        impulse_[i] += beta * (now - last_[i]);
        last_[i] = now;
      }
    });
  }

  /// Of all impulses [Pa^2 s^2].
  double square() const;
  /// The natural map of all rows.
  Squares squares(std::span<const Node<D>> nodes, int threads) const;

  std::span<const Stress<D>> impulses() const { return impulse_; }
  /// In the order of the sweep.
  void restore(std::span<const Stress<D>> impulses) { std::copy(impulses.begin(), impulses.end(), impulse_.begin()); }

 private:
  struct Row {
    Stress<D> k;          ///< with the strain rate of neighbours that do not move [m^3/s]
    double friction;      ///< mu^ [-]
    double apex;          ///< e [Pa s]
    double weight;        ///< in errors [-]
    double rho;           ///< [m^4/kg]; 0 where no neighbour moves
    double inverse_rho;   ///< or 0
    double share;         ///< see respond() [-]; 1 without viscosity
    std::uint32_t begin;  ///< its moving neighbours
    std::uint32_t end;
  };

  void pack(const StrainProblem<D>& problem, const StrainRow<D>& from, Row& row);

  Stress<D> strain_rate(const Row& row, const Node<D>* nodes) const {
    Lanes sum[D];
    for (Lanes& s : sum) s.setZero();
    for (std::uint32_t n = row.begin; n < row.end; ++n) {
      const Lanes& u = nodes[node_[n]].velocity;
      const double* g = &g_[D * std::size_t{n}];
      for (int b = 0; b < D; ++b) sum[b] += u * g[b];
    }
    Mat<D> gradient;
    for (int b = 0; b < D; ++b) gradient.col(b) = sum[b].template head<D>();
    return row.k + to_cone(gradient);
  }

  void push(const Row& row, const Stress<D>& change, Node<D>* nodes) const {
    const Mat<D> tensor = to_tensor(change);
    Lanes column[D];
    for (int b = 0; b < D; ++b) column[b].setZero(), column[b].template head<D>() = tensor.col(b);
    for (std::uint32_t n = row.begin; n < row.end; ++n) {
      Node<D>& node = nodes[node_[n]];
      const double* g = &g_[D * std::size_t{n}];
      Lanes force = column[0] * g[0];
      for (int b = 1; b < D; ++b) force += column[b] * g[b];
      node.velocity += node.inverse_mass * force;
    }
  }

  /// \return rho (r - r') . (r' - r of the sweep before)
  template <Shift kShift>
  double visit(std::size_t i, Node<D>* nodes) {
    const Row& row = rows_[i];
    Stress<D> rate = strain_rate(row, nodes);
    rate[0] += kShift == Shift::fixed ? shift_[i] : shift_of<D>(rate, row.friction);
    const Stress<D> old = impulse_[i];
    const Stress<D> now = respond<D>(old - row.inverse_rho * rate, row.friction, row.apex, row.share);
    const Stress<D> change = now - old;
    if (change.isZero(0)) return 0;
    impulse_[i] = now;
    push(row, change, nodes);
    return kShift == Shift::fixed ? -row.rho * change.dot(now - last_[i]) : 0;
  }

  SweepOrder order_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> node_;  ///< moving neighbours of all rows
  std::vector<double> g_;            ///< D per neighbour [m^2]
  std::vector<double> shift_;        ///< s >= 0 [m^3/s]
  std::vector<Stress<D>> impulse_;   ///< r [Pa s]
  std::vector<Stress<D>> last_;      ///< after the sweep before
  std::vector<double> turn_;         ///< (blocks)
};

}  // namespace scree::continuum
