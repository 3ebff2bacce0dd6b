#pragma once
/// \file The method: two tries of three phases each.
///
/// Phase A holds De Saxce's shift s. Sweeps are then block descent on a convex problem, and momentum is safe. Phase B
/// is for bodies, which sweeps without momentum brake slowly: A again and again, each time with the shift of the
/// velocities there are. Phase C takes the shift from each visit, without momentum. The first try has the shift of the
/// velocities that the step starts with; the second, with bodies the only one, none: if any admissible stress balances
/// the load, A without shift finds rest, uniquely. With shifts from the iterate alone sweeps may end in a motion, or
/// nowhere, where rest is a solution.

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/drucker_prager/iterate.hpp"
#include "solvers/drucker_prager/momentum.hpp"

namespace scree::continuum {

/// Relative to a scale that stands still: impulses that run away must not reward themselves [-].
struct Errors {
  double convex, exact;  ///< see Squares
};

/// Whether an error still falls: by a tenth in 200 sweeps.
class Progress {
 public:
  explicit Progress(int sweeps) : since_(sweeps) {}

  bool ended(int sweeps, double best) {
    if (sweeps - since_ < kSweeps) return false;
    const bool stuck = best > kPart * before_;
    before_ = best, since_ = sweeps;
    return stuck;
  }

 private:
  static constexpr int kSweeps = 200;
  static constexpr double kPart = 0.9;
  int since_;
  double before_ = std::numeric_limits<double>::infinity();
};

/// Memory of a search.
template <int D>
struct SearchState {
  Iterate<D> iterate;
  Snapshot<D> best;         ///< of all iterates
  Snapshot<D> best_convex;  ///< of the present phase A, by its own error
};

template <int D>
class Search {
 public:
  Search(const StrainProblem<D>& problem, const Solution<D>& solution, const Options& options, SearchState<D>& state)
      : problem_(problem), solution_(solution), options_(options), state_(state), iterate_(state.iterate) {}

  Report run() {
    iterate_.prepare(problem_, options_.threads);
    const bool shifted = iterate_.set_shift(problem_.bodies.empty());
    iterate_.load(solution_);
    scale_ = scale();
    iterate_.save(state_.best);
    judge();
    if (!solved()) tries(shifted);
    if (report_.sweeps > 0) iterate_.load(state_.best);
    iterate_.write(solution_);
    report_.error = best_error_;
    report_.status = best_error_ <= options_.tolerance ? Status::solved : stalled_ ? Status::stalled : Status::missed;
    return report_;
  }

 private:
  static constexpr int kJudged = 5;       ///< sweeps between two errors
  static constexpr double kRunaway = 30;  ///< times the best error: back to that
  /// Of the exact error: the rest is a matter of the shift. Phase A has to come near rest where there is one; a shift
  /// that is renewed anyway need not be waited for.
  static constexpr double kEnough = 0.1, kEnoughToRenew = 0.7;
  static constexpr double kBelow = 0.3;  ///< of the tolerance

  double tolerance() const {
    return report_.sweeps < options_.fine_sweeps ? options_.fine_tolerance : options_.tolerance;
  }
  bool solved() const { return best_error_ <= tolerance(); }
  bool may_sweep(int end) const { return !solved() && report_.sweeps < end; }

  void tries(bool shifted) {
    if (shifted) {
      phases(std::min(options_.first_try, options_.max_sweeps / 2));
      if (!may_sweep(options_.max_sweeps)) return;
      ++report_.fallbacks;
      iterate_.set_shift(false);
      iterate_.load(solution_);
    }
    phases(options_.max_sweeps);
  }

  void phases(int end) {
    convex_phase(end, kEnough);
    renewing_phase(end);
    exact_phase(end);
  }

  /// Phase B. Ends where the error no longer falls. Layers that flow alone take fewer sweeps by it too, but are then up
  /// to 3 % off the law of shear at a tolerance of 1e-4.
  void renewing_phase(int end) {
    if (problem_.bodies.empty()) return;
    Progress progress(report_.sweeps);
    while (may_sweep(end) && !stalled_ && !progress.ended(report_.sweeps, best_error_)) {
      iterate_.renew_shift();
      convex_phase(end, kEnoughToRenew);
    }
  }

  /// Phase A. Ends at the best iterate by its own error. \param enough  that error, as a part of the exact one
  void convex_phase(int end, double enough) {
    Momentum<D> momentum(iterate_);
    Progress progress(report_.sweeps);
    double best = std::numeric_limits<double>::infinity();
    stalled_ = false;
    while (may_sweep(end)) {
      if (!sweep<Shift::fixed>(end)) {
        momentum.advance();
        continue;
      }
      const Errors error = judge();
      if (error.convex < best) {
        best = error.convex;
        iterate_.save(state_.best_convex);
      }
      if (error.convex < enough * error.exact || error.convex < kBelow * tolerance()) return;
      if (error.convex > kRunaway * best) {
        iterate_.load(state_.best_convex);
        momentum.restart();
      } else {
        momentum.advance();
      }
      stalled_ = progress.ended(report_.sweeps, best);
      if (stalled_) break;
    }
    if (!solved() && best < std::numeric_limits<double>::infinity()) iterate_.load(state_.best_convex);
  }

  /// Phase C.
  void exact_phase(int end) {
    while (may_sweep(end)) {
      if (sweep<Shift::live>(end)) judge();
    }
  }

  /// \return whether the iterate is to be judged
  template <Shift kShift>
  bool sweep(int end) {
    iterate_.template sweep<kShift>();
    ++report_.sweeps;
    return report_.sweeps % kJudged == 0 || report_.sweeps == end;
  }

  /// Keeps the iterate if it is the best so far.
  Errors judge() {
    const Squares squares = iterate_.squares();
    const Errors error{std::sqrt(squares.convex) / scale_, std::sqrt(squares.exact) / scale_};
    if (error.exact < best_error_) {
      best_error_ = error.exact;
      iterate_.save(state_.best);
    }
    return error;
  }

  /// Of the impulses the step starts from, and of what a cell weighs [Pa s].
  double scale() const {
    double sum = static_cast<double>(problem_.strain.size()) * problem_.pressure * problem_.pressure;
    sum += iterate_.strain().square();
    return sum > 0 ? std::sqrt(sum) : problem_.pressure;
  }

  const StrainProblem<D>& problem_;
  const Solution<D>& solution_;
  const Options& options_;
  SearchState<D>& state_;
  Iterate<D>& iterate_;
  Report report_;
  double scale_ = 1;
  double best_error_ = std::numeric_limits<double>::infinity();
  bool stalled_ = false;
};

}  // namespace scree::continuum
