#pragma once
/// \file Whether any motion keeps all contacts from closing, u_N >= 0. By Farkas' lemma none does exactly where normal
/// impulses d >= 0 balance each other, W d = 0, and press against what closes, q . d < 0: then u . d = q . d < 0
/// whatever the impulses, friction's among them.
///
/// Joints are left as they are: a proof is one with them too, for W d = 0 says that d moves nothing at all; a motion
/// found may not be one that they allow.
///
/// Both are found by one minimisation over all motions, of F = sum min(u_N, 0)^2 / (2 s) with s = trace(W_ii) / D: it
/// ends at F = 0, or at d = -min(u_N, 0) / s, for there its gradient W d vanishes. Nonlinear conjugate gradients in the
/// metric of W: one product with W each.
///
/// \source J. Farkas, J. reine angew. Math. 124 (1902) 1; E. Polak, G. Ribiere, RIRO 3 (1969) 35

#include "solvers/coulomb/measure.hpp"
#include "solvers/coulomb/operators.hpp"
#include "solvers/coulomb/parallel.hpp"

namespace scree::coulomb {

enum class Feasibility {
  some_motion,  ///< a motion satisfies all contacts, or all but for less than any proof could tell
  no_motion,    ///< proved: normal impulses d as above, for impulses up to the size asked
  open          ///< neither within the iterations allowed
};

/// sum |(W^T d)_i|^2 / s_i: how far d moves anything. W of rigid bodies is symmetric.
/// \param moved  the same of W d
/// \param d      (contacts) in the order of the problem
template <int D>
double moved_by_transpose(const RigidProblem<D>&, const Order&, std::span<const double>, std::span<const Vec<D>>,
                          double moved) {
  return moved;
}
template <int D>
double moved_by_transpose(const DelassusProblem<D>& problem, const Order& order, std::span<const double> scales,
                          std::span<const Vec<D>> d, double) {
  std::vector<Vec<D>> image(problem.size(), Vec<D>::Zero());
  for (std::size_t row = 0; row < problem.size(); ++row)
    for (std::size_t k = problem.row_start[row]; k < problem.row_start[row + 1]; ++k)
      image[problem.column[k]] += problem.block[k].transpose() * d[row];
  double sum = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) sum += image[order.contact[i]].squaredNorm() / scales[i];
  return sum;
}

template <class Problem, ContactOperator Op>
class MotionSearch {
 public:
  static constexpr int D = Op::dimension;

  /// \param scales     (contacts) trace(W_ii) / D [1/kg], in the order of the sweep
  /// \param free_size  of the velocities without impulses, each in the units of its impulse [J^(1/2)], above 0
  MotionSearch(const Problem& problem, const Order& order, std::span<const double> scales, double free_size,
               int threads)
      : problem_(problem), order_(order), scales_(scales), free_size_(free_size), threads_(threads) {
    op_.assign(problem, order, threads);
    const std::size_t n = op_.size();
    for (auto* numbers : {&u_, &d_, &pushed_, &along_, &way_, &added_}) numbers->resize(n);
    for (auto* vectors : {&free_, &all_}) vectors->resize(n);
    for_all([this](std::size_t i) { free_[i] = op_.velocity(i); });
  }

  /// \param start  (contacts) impulses whose motion is the first tried, in the order of the problem
  /// \param reach  a proof holds for impulses up to this size [J^(1/2)]
  Feasibility run(std::span<const Vec<D>> start, double reach, int iterations) {
    op_.set_impulses(order_, start);
    for_all([this](std::size_t i) { u_[i] = bounded(i) ? op_.velocity(i)[0] : 0; });
    std::vector<double> last(d_.size());  // W d of the iteration before
    double last_square = 0;
    for (int k = 0; k < iterations; ++k) {
      for_all([this](std::size_t i) { d_[i] = std::fmax(-u_[i], 0) / scales_[i]; });
      const double length = std::sqrt(sum([this](std::size_t i) { return scales_[i] * d_[i] * d_[i]; }));
      if (!(length > kSmall * free_size_)) return Feasibility::some_motion;
      const double moved = push(length);
      if (proves(length, moved, reach)) return Feasibility::no_motion;
      const double square = sum([this](std::size_t i) { return d_[i] * pushed_[i]; });
      const double turned = sum([&](std::size_t i) { return d_[i] * last[i]; });
      const double beta = k > 0 && last_square > 0 ? std::fmax((square - turned) / last_square, 0) : 0;
      for_all([&](std::size_t i) {
        way_[i] = d_[i] + beta * way_[i];
        along_[i] = pushed_[i] + beta * along_[i];
        last[i] = pushed_[i];
      });
      last_square = square;
      if (!(slope(0).first < 0)) {
        way_ = d_;
        along_ = pushed_;
      }
      const double step = lowest();
      if (!(step > 0)) return Feasibility::open;
      for_all([&](std::size_t i) {
        u_[i] += step * along_[i];
        added_[i] += step * way_[i];
      });
    }
    return Feasibility::open;
  }

  /// Normal impulses, none below 0, that turn the motion of the start into the one that violates contacts least.
  /// \param impulses  (contacts) in: the start; out: with them, in the order of the problem
  void add_to(std::span<Vec<D>> impulses) const {
    for (std::size_t i = 0; i < added_.size(); ++i) impulses[order_.contact[i]][0] += added_[i];
  }

 private:
  /// What closes by less than this share of the velocities without impulses is no proof.
  static constexpr double kSmall = 1e-6;

  /// Whether u_N >= 0 is asked.
  bool bounded(std::size_t i) const { return op_.friction(i) != kJoint; }

  template <class Visit>
  void for_all(Visit visit) {
    for_chunks(op_.size(), threads_, [&visit](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) visit(i);
    });
  }
  template <class Term>
  double sum(Term term) const {
    return chunked_sum<1>(op_.size(), threads_,
                          [&term](std::size_t i, std::array<double, 1>& total) { total[0] += term(i); })[0];
  }

  /// W d, of d as long as the velocities without impulses: it is what is left of their sum.
  /// \param length  of d, (sum s d^2)^(1/2)
  /// \return sum |(W d)_i|^2 / s_i
  double push(double length) {
    const double blow = free_size_ / length;
    for_all([&](std::size_t i) { all_[order_.contact[i]] = blow * d_[i] * Vec<D>::Unit(0); });
    op_.set_impulses(order_, all_);
    for_all([&](std::size_t i) { pushed_[i] = bounded(i) ? (op_.velocity(i)[0] - free_[i][0]) / blow : 0; });
    return sum([&](std::size_t i) { return (op_.velocity(i) - free_[i]).squaredNorm() / scales_[i]; }) / (blow * blow);
  }

  bool proves(double length, double moved, double reach) const {
    const double pressed = sum([this](std::size_t i) { return free_[i][0] * d_[i]; });
    if (!(pressed < -kSmall * free_size_ * length && pressed < -reach * std::sqrt(moved))) return false;
    const double blow = free_size_ / length;
    const double transposed = moved_by_transpose<D>(problem_, order_, scales_, all_, blow * blow * moved);
    return blow * pressed < -reach * std::sqrt(transposed);
  }

  /// Of F along the way, and its derivative.
  std::pair<double, double> slope(double step) const {
    const auto [first, second] = chunked_sum<2>(op_.size(), threads_, [&](std::size_t i, std::array<double, 2>& total) {
      const double u = u_[i] + step * along_[i];
      if (u >= 0) return;
      total[0] += u * along_[i] / scales_[i];
      total[1] += along_[i] * along_[i] / scales_[i];
    });
    return {first, second};
  }

  /// Where F is lowest along the way: its slope rises, piece by piece straight.
  double lowest() const {
    constexpr int kMost = 30;
    constexpr double kEnough = 1e-3;
    const double start = slope(0).first;
    double low = 0, high = HUGE_VAL, step = 0;
    for (int k = 0; k < kMost; ++k) {
      const auto [first, second] = slope(step);
      if (std::fabs(first) <= kEnough * std::fabs(start)) return step;
      (first < 0 ? low : high) = step;
      step = second > 0 ? step - first / second : HUGE_VAL;
      if (!(step > low && step < high)) step = high < HUGE_VAL ? 0.5 * (low + high) : 0;
      if (step == 0) return low;
    }
    return low;
  }

  const Problem& problem_;
  const Order& order_;
  std::span<const double> scales_;
  double free_size_;
  int threads_;
  Op op_;
  std::vector<Vec<D>> free_;         ///< velocities without impulses
  std::vector<Vec<D>> all_;          ///< d, as the operator takes it
  std::vector<double> u_, d_;        ///< u_N of the motion tried, and d of it
  std::vector<double> pushed_;       ///< (W d)_N
  std::vector<double> way_, along_;  ///< normal impulses of a step, and by how much they change u_N
  std::vector<double> added_;        ///< normal impulses of all steps
};

}  // namespace scree::coulomb
