#pragma once
/// \file What Gauss-Seidel asks of a problem, and how its two forms answer. Contacts stand in the order of the sweep.

#include <array>
#include <concepts>
#include <span>

#include "solvers/coulomb/colouring.hpp"
#include "solvers/coulomb/parallel.hpp"
#include "solvers/coulomb/rigid_kinematics.hpp"

namespace scree::coulomb {

/// State of a problem under change: impulses r, and velocities u = W r + q kept beside them.
template <class T>
concept ContactOperator = requires(T state, const T fixed, std::size_t i, Vec<T::dimension> r, const Order& order,
                                   std::span<const Vec<T::dimension>> all) {
  { fixed.size() } -> std::convertible_to<std::size_t>;
  { fixed.diagonal(i) } -> std::convertible_to<Mat<T::dimension>>;  ///< W_ii
  { fixed.friction(i) } -> std::convertible_to<double>;
  { fixed.impulse(i) } -> std::convertible_to<Vec<T::dimension>>;
  { fixed.velocity(i) } -> std::convertible_to<Vec<T::dimension>>;  ///< u_i for the present impulses
  state.set_impulse(i, r);                                          ///< safe for contacts of one colour at once
  state.set_impulses(order, all);                                   ///< from the order of the problem
  state.refresh();                                                  ///< drops what rounding has left behind
};

/// The numbers of an array of vectors, in one row.
template <class T>
std::span<double> numbers(std::vector<T>& array) {
  static_assert(sizeof(T) % sizeof(double) == 0);
  return {reinterpret_cast<double*>(array.data()), array.size() * (sizeof(T) / sizeof(double))};
}

/// W by rows: velocities are gathered when asked for.
template <int D>
class AssembledOperator {
 public:
  static constexpr int dimension = D;
  static constexpr std::size_t kArrays = 1;

  AssembledOperator() = default;
  AssembledOperator(const DelassusProblem<D>& problem, const Order& order) {
    const std::size_t n = problem.size();
    std::vector<std::uint32_t> place(n);
    for (std::size_t i = 0; i < n; ++i) place[order.contact[i]] = static_cast<std::uint32_t>(i);
    row_start_.reserve(n + 1);
    row_start_.push_back(0);
    column_.reserve(problem.column.size());
    block_.reserve(problem.block.size());
    for (const std::uint32_t row : order.contact) {
      for (std::size_t k = problem.row_start[row]; k < problem.row_start[row + 1]; ++k) {
        if (problem.column[k] == row) diagonal_.push_back(problem.block[k]);
        column_.push_back(place[problem.column[k]]);
        block_.push_back(problem.block[k]);
      }
      row_start_.push_back(column_.size());
      q_.push_back(problem.q[row]);
      friction_.push_back(problem.friction[row]);
    }
    impulse_.assign(n, Vec<D>::Zero());
  }
  void assign(const DelassusProblem<D>& problem, const Order& order, int) { *this = AssembledOperator(problem, order); }

  std::size_t size() const { return q_.size(); }
  const Mat<D>& diagonal(std::size_t i) const { return diagonal_[i]; }
  double friction(std::size_t i) const { return friction_[i]; }
  const Vec<D>& impulse(std::size_t i) const { return impulse_[i]; }
  void set_impulse(std::size_t i, const Vec<D>& r) { impulse_[i] = r; }
  void set_impulses(const Order& order, std::span<const Vec<D>> impulses) {
    for (std::size_t i = 0; i < size(); ++i) impulse_[i] = impulses[order.contact[i]];
  }
  void refresh() {}
  std::array<std::span<double>, kArrays> state() { return {numbers(impulse_)}; }

  Vec<D> velocity(std::size_t i) const {
    Vec<D> u = q_[i];
    for (std::size_t k = row_start_[i]; k < row_start_[i + 1]; ++k) u += block_[k] * impulse_[column_[k]];
    return u;
  }

 private:
  std::vector<std::size_t> row_start_;
  std::vector<std::uint32_t> column_;
  std::vector<Mat<D>> block_, diagonal_;
  std::vector<Vec<D>> q_, impulse_;
  std::vector<double> friction_;
};

/// Bodies carry the velocities: W is never formed.
template <int D>
class RigidOperator {
 public:
  static constexpr int dimension = D;
  static constexpr std::size_t kArrays = 2;

  RigidOperator() = default;
  RigidOperator(const RigidProblem<D>& problem, const Order& order) { assign(problem, order, 1); }

  /// No impulses, in the memory of the problem before.
  /// \param order  is to stay
  void assign(const RigidProblem<D>& problem, const Order& order, int threads) {
    order_ = &order;
    threads_ = threads;
    free_.resize(problem.bodies.size());
    mobility_.resize(problem.bodies.size());
    for_chunks(free_.size(), threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) {
        const RigidBody<D>& body = problem.bodies[b];
        free_[b] = {body.velocity, body.spin};
        mobility_[b] = {body.inverse_mass, body.inverse_inertia};
      }
    });
    motion_ = free_;
    impulse_.resize(problem.size());
    rows_.resize(problem.size());
    for_chunks(rows_.size(), threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        impulse_[i].setZero();
        rows_[i] = row_of(problem, problem.contacts[order.contact[i]]);
      }
    });
  }

  std::size_t size() const { return rows_.size(); }
  double friction(std::size_t i) const { return rows_[i].friction; }
  const Vec<D>& impulse(std::size_t i) const { return impulse_[i]; }

  Mat<D> diagonal(std::size_t i) const {
    const Row& row = rows_[i];
    Mat<D> w = Mat<D>::Zero();
    if (row.a != kImmovable) w += coupling<D>(mobility_[row.a], row.frame, row.arm_a, row.frame, row.arm_a);
    if (row.b != kImmovable) w += coupling<D>(mobility_[row.b], row.frame, row.arm_b, row.frame, row.arm_b);
    return w;
  }

  Vec<D> velocity(std::size_t i) const {
    const Row& row = rows_[i];
    Vec<D> relative = Vec<D>::Zero();
    if (row.b != kImmovable) relative += motion_[row.b].at(row.arm_b);
    if (row.a != kImmovable) relative -= motion_[row.a].at(row.arm_a);
    return row.frame * relative + row.w;
  }

  void set_impulse(std::size_t i, const Vec<D>& r) {
    const Row& row = rows_[i];
    const Vec<D> change = row.frame.transpose() * (r - impulse_[i]);
    impulse_[i] = r;
    push(row, change);
  }

  void set_impulses(const Order& order, std::span<const Vec<D>> impulses) {
    for_chunks(size(), threads_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) impulse_[i] = impulses[order.contact[i]];
    });
    refresh();
  }

  /// Velocities anew from the impulses, in the order of the sweep.
  void refresh() {
    motion_ = free_;
#pragma omp parallel num_threads(order_->shared ? threads_ : 1)
    visit_by_colour(*order_, [this](std::size_t i) { push(rows_[i], rows_[i].frame.transpose() * impulse_[i]); });
  }

  std::array<std::span<double>, kArrays> state() { return {numbers(impulse_), numbers(motion_)}; }

 private:
  struct Row {
    std::uint32_t a, b;
    Mat<D> frame;
    Vec<D> arm_a, arm_b, w;
    double friction;
  };

  Row row_of(const RigidProblem<D>& problem, const RigidContact<D>& contact) const {
    Row row{contact.a, contact.b, contact.frame, contact.arm_a, contact.arm_b, contact.w, contact.friction};
    settle(problem, row, row.a, row.arm_a, -1);
    settle(problem, row, row.b, row.arm_b, 1);
    return row;
  }
  /// What nothing moves has a velocity all the same: it goes into w, and the body out of the loop.
  void settle(const RigidProblem<D>& problem, Row& row, std::uint32_t& body, const Vec<D>& arm, double sign) const {
    if (body == kImmovable || !is_fixed(problem.bodies[body])) return;
    row.w += sign * (row.frame * free_[body].at(arm));
    body = kImmovable;
  }
  void push(const Row& row, const Vec<D>& impulse) {
    if (row.a != kImmovable) push(row.a, row.arm_a, -impulse);
    if (row.b != kImmovable) push(row.b, row.arm_b, impulse);
  }
  void push(std::uint32_t body, const Vec<D>& arm, const Vec<D>& impulse) {
    const Motion<D> change = mobility_[body].response(impulse, arm);
    motion_[body].velocity += change.velocity;
    motion_[body].spin += change.spin;
  }

  const Order* order_ = nullptr;
  int threads_ = 1;
  std::vector<Row> rows_;
  std::vector<Vec<D>> impulse_;
  std::vector<Motion<D>> free_, motion_;
  std::vector<Mobility<D>> mobility_;
};

}  // namespace scree::coulomb
