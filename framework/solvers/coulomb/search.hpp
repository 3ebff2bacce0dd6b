#pragma once
/// \file What is tried, in which order, until a problem is solved: see Search::run().

#include "solvers/coulomb/admm.hpp"
#include "solvers/coulomb/assemble.hpp"
#include "solvers/coulomb/feasibility.hpp"
#include "solvers/coulomb/interior_point.hpp"
#include "solvers/coulomb/proximal.hpp"
#include "solvers/coulomb/sweep_state.hpp"

namespace scree::coulomb {

template <int D>
const DelassusProblem<D>& assembled(const DelassusProblem<D>& problem) {
  return problem;
}
template <int D>
DelassusProblem<D> assembled(const RigidProblem<D>& problem) {
  return assemble(problem);
}

/// One way to sweep.
struct Manner {
  std::string_view name;
  double momentum;    ///< limit of beta; 0: none
  double relaxation;  ///< share of a contact's new impulse
};

template <int D, class Problem>
class Search {
 public:
  using Op = OperatorOf<Problem>;

  /// \param state     prepared for the problem
  /// \param impulses  in: the start; at the end of run(): the best iterate
  Search(const Problem& problem, SweepState<Problem>& state, std::span<Vec<D>> impulses, const Options& options)
      : problem_(problem),
        order_(state.order()),
        impulses_(impulses),
        options_(options),
        op_(state.op),
        judge_(state.judge),
        sweeper_(state.sweeper),
        momentum_(state.momentum) {}

  /// Sweeps with full momentum; where those stall, the proximal loop if the problem is small enough for it; then, ever
  /// more patiently and in turn, sweeps with less momentum, relaxed
  /// ones without, and full momentum again; among these, once each and when their turn has come, ADMM and the
  /// interior-point method.
  Report run() {
    start();
    if (done()) return finish();
    if (options_.strategy == Strategy::gauss_seidel) {
      sweep({"gauss-seidel", 0, 1}, options_.max_sweeps);
      return finish();
    }
    if (options_.strategy == Strategy::admm) {
      admm(*velocity_step<D>(problem_), options_.max_sweeps, 0);
      return finish();
    }
    if (options_.strategy == Strategy::interior_point) {
      interior_point(*barrier_system<D>(problem_), options_.max_sweeps);
      return finish();
    }
    int patience = 100;
    sweep({"momentum", 1, 1}, patience);
    if (!done() && !infeasible() && problem_.size() <= kProximal && !has_joints(problem_)) proximal();
    admm_due_ = kSoonestAdmm;
    interior_due_ = report_.sweeps;
    for (; !done() && !infeasible(); patience *= 2) {
      settle();
      stage({"momentum", 0.7, 1}, 3 * patience);
      stage({"relaxation", 0, 0.7}, 3 * patience);
      stage({"momentum", 1, 1}, patience);
    }
    return finish();
  }

 private:
  /// Contacts up to which the proximal loop costs little; beyond, the interior-point method solves more for less.
  static constexpr std::size_t kProximal = 100;
  /// Sweeps before which it is not worth finding out what ADMM would cost.
  static constexpr int kSoonestAdmm = 1000;
  /// Sweeps by which iterates of other methods are polished.
  static constexpr int kPolish = 10;
  /// An iterate whose measure is this many times the best is not worth going on from.
  static constexpr double kLost = 10;
  /// Impulses this many times those of the best iterate run away along a self-stress, which relative measures reward;
  /// but the first sweeps of a tall pile may raise them to kTall times what a single layer needs.
  static constexpr double kRunaway = 4;

  bool done() const {
    if (report_.sweeps >= options_.max_sweeps) return true;
    return report_.error <= (report_.sweeps < options_.least_sweeps ? fine() : options_.tolerance);
  }

  /// Where the least number of sweeps need not be made: the tolerance is met by far, or to rounding.
  double fine() const {
    constexpr double kRounding = 1e-12;
    return std::fmin(options_.tolerance, std::fmax(kFine * options_.tolerance, kRounding));
  }

  void start() {
    free_size_ = judge_.free_size();
    return_to_best();
    judge_.start_from(op_);
    report_.error = judge_(op_);
    best_size_ = size();
  }

  /// From where the last manner ended, unless that was astray.
  /// \param patience  sweeps after which the measure must have fallen by a tenth
  void sweep(const Manner& manner, int patience) {
    double mark = report_.error;
    int marked = report_.sweeps;
    if (!(judge_(op_) < kLost * report_.error) || runaway()) return_to_best();
    momentum_.restart();
    while (!done()) {
      const int count = std::min(report_.sweeps < 20 ? 5 : 10, options_.max_sweeps - report_.sweeps);
      for (int k = 0; k < count; ++k) {
        if (manner.momentum > 0 && k > 0) momentum_.advance(manner.momentum);
        sweeper_.sweep(1, manner.relaxation);
      }
      report_.sweeps += count;
      op_.refresh();
      keep_if_better(manner.name);
      if ((manner.momentum > 0 && runaway()) || admm_is_due() || interior_is_due()) return;
      if (report_.sweeps - marked >= patience) {
        if (report_.error > 0.9 * mark) return;
        mark = report_.error;
        marked = report_.sweeps;
      }
      if (manner.momentum > 0) momentum_.advance(manner.momentum);
    }
  }

  /// Plain sweeps, from wherever the last manner ended.
  void settle() {
    constexpr int kSweeps = 50;
    const int count = std::min(kSweeps, options_.max_sweeps - report_.sweeps);
    sweeper_.sweep(count, 1);
    report_.sweeps += count;
    keep_if_better("gauss-seidel");
  }

  /// Impulses, each in the units of its velocity.
  double size() const { return std::sqrt(weighted_square(op_, judge_.scales(), options_.threads)); }

  bool runaway() const { return !(size() <= std::fmax(kRunaway * best_size_, kTall * free_size_)); }
  void return_to_best() { op_.set_impulses(order_, impulses_); }

  /// For a method that moves all contacts at once. Every fifth iterate is swept for a while: sweeps soon take away what
  /// such a method leaves in single contacts, as it does what is wrong with the whole pile.
  /// \param polish  how many sweeps
  Judgement<D> judgement(std::string_view stage, int polish) {
    constexpr int kEvery = 5;
    return [this, stage, polish, looks = 0](std::span<const Vec<D>> trial) mutable {
      op_.set_impulses(order_, trial);
      const double error = keep_if_better(stage);
      const int sweeps = std::min(polish, options_.max_sweeps - report_.sweeps);
      if (++looks % kEvery != 0 || sweeps <= 0 || error <= options_.tolerance) return error;
      sweeper_.sweep(sweeps, 1);
      report_.sweeps += sweeps;
      op_.refresh();
      const double polished = keep_if_better(stage);
      return polished <= options_.tolerance ? polished : error;
    };
  }

  void proximal() {
    std::vector<Vec<D>> now(impulses_.begin(), impulses_.end());
    const ScaledSystem<D> system(assembled(problem_));
    report_.factorisations +=
        solve_proximal<D>(system, now, {options_.tolerance}, [this](std::span<const Vec<D>> trial) {
          op_.set_impulses(order_, trial);
          return keep_if_better("proximal");
        });
  }

  void admm(VelocityStep<D>& step, int iterations, int polish) {
    const std::vector<Vec<D>> start(impulses_.begin(), impulses_.end());
    const AdmmEffort effort = solve_admm<D>(step, start, {options_.tolerance, iterations}, judgement("admm", polish));
    report_.iterations += effort.iterations;
    report_.factorisations += effort.factorisations;
  }

  void interior_point(BarrierSystem<D>& system, int iterations) {
    const std::vector<Vec<D>> start(impulses_.begin(), impulses_.end());
    const int done =
        solve_interior_point<D>(system, start, {options_.tolerance, iterations}, judgement("interior-point", kPolish));
    report_.iterations += done;
    report_.factorisations += done;
  }

  bool admm_is_due() {
    if (report_.sweeps >= admm_due_ && !velocity_step_) reckon_with_admm();
    return report_.sweeps >= admm_due_;
  }

  /// Sweeps after which ADMM is due: those that take as long as it needs to get somewhere.
  void reckon_with_admm() {
    admm_due_ = HUGE_VAL;
    if (problem_.size() > kMostFactorised) return;
    constexpr int kFewest = 300, kFactorisations = 3;
    velocity_step_ = velocity_step<D>(problem_);
    admm_due_ = in_sweeps(kFactorisations * velocity_step_->operations_to_factorise() +
                          kFewest * velocity_step_->operations_to_solve());
  }

  bool interior_is_due() {
    if (report_.sweeps >= interior_due_ && !barrier_system_) reckon_with_interior();
    return report_.sweeps >= interior_due_;
  }

  /// Sweeps after which the interior-point method is due: those that take as long as a few of its iterations. It knows
  /// no joints.
  void reckon_with_interior() {
    constexpr int kFew = 10;
    interior_due_ = HUGE_VAL;
    if (problem_.size() > kMostFactorised || has_joints(problem_)) return;
    barrier_system_ = barrier_system<D>(problem_);
    interior_due_ = in_sweeps(kFew * barrier_system_->operations_to_factorise());
  }

  /// How many sweeps take as long as so many operations of a sparse solver.
  double in_sweeps(double operations) const {
    constexpr double kVisit = 350;  // of one contact by a sweep, measured in operations of a Cholesky solver
    return operations / (kVisit * static_cast<double>(problem_.size()));
  }

  /// Sweeps, and what has become due.
  void stage(const Manner& manner, int patience) {
    constexpr int kMostOfAdmm = 1000;
    constexpr double kMost = 10000;  // of interior points: of small problems an iteration takes longer than reckoned
    sweep(manner, patience);
    if (!done() && admm_is_due()) {
      admm_due_ = HUGE_VAL;
      admm(*velocity_step_, kMostOfAdmm, kPolish);
    }
    if (!done() && interior_is_due()) {
      interior_due_ = HUGE_VAL;
      const double cost = in_sweeps(barrier_system_->operations_to_factorise());
      interior_point(*barrier_system_,
                     static_cast<int>(std::fmin(options_.overtime * options_.max_sweeps / cost, kMost)));
    }
  }

  double keep_if_better(std::string_view stage) {
    double now = judge_(op_);
    // What runs away has to earn it: heavy loads on light bodies need impulses that nothing foretold.
    if (now < (runaway() ? 0.5 : 1.0) * report_.error) {
      best_size_ = size();
      now *= judge_.compare_with(best_size_);
      report_.error = now;
      report_.stage = stage;
      for_chunks(op_.size(), options_.threads, [this](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) impulses_[order_.contact[i]] = op_.impulse(i);
      });
    }
    return now;
  }

  /// Looks for a proof that no impulses satisfy all contacts, once more with every call until it is known that some
  /// motion does. It takes at most as many iterations as there were sweeps, or kFewest, and they are cheaper than
  /// those. With a proof the impulses become those of the motion that violates contacts least.
  bool infeasible() {
    constexpr int kFewest = 200;
    constexpr double kBeyond = 10, kFar = 1e5;  // times the impulses reached, and those that stop each contact alone
    if (report_.status == Status::infeasible) return true;
    if (some_motion_ || !(free_size_ > 0)) return false;
    MotionSearch<Problem, Op> search(problem_, order_, judge_.scales(), free_size_, options_.threads);
    const double reach = std::fmax(kBeyond * best_size_, kFar * free_size_);
    const Feasibility found = search.run(impulses_, reach, std::max(kFewest, report_.sweeps));
    some_motion_ = found == Feasibility::some_motion;
    if (found != Feasibility::no_motion) return false;
    report_.status = Status::infeasible;
    search.add_to(impulses_);
    return_to_best();
    report_.error = judge_(op_);
    report_.stage = "feasibility";
    return true;
  }

  /// Impulses without bound meet any relative tolerance: large ones are looked into before they are believed, and so is
  /// what was not solved.
  Report finish() {
    const bool small_error = report_.error <= options_.tolerance;
    const bool suspect = small_error && options_.tolerance * best_size_ > 0.01 * free_size_;
    if (report_.status != Status::infeasible && !((suspect || !small_error) && infeasible())) {
      report_.status = small_error ? Status::converged : Status::stalled;
    }
    report_.branches = sweeper_.branches();
    return report_;
  }

  const Problem& problem_;
  const Order& order_;
  std::span<Vec<D>> impulses_;
  Options options_;
  Op& op_;
  Judge<Op>& judge_;
  GaussSeidel<Op>& sweeper_;
  Momentum<Op>& momentum_;
  Report report_;
  std::unique_ptr<VelocityStep<D>> velocity_step_;        ///< of ADMM
  std::unique_ptr<BarrierSystem<D>> barrier_system_;      ///< of the interior-point method
  double admm_due_ = HUGE_VAL, interior_due_ = HUGE_VAL;  ///< [sweeps]
  double best_size_ = 0;                                  ///< size() of the best iterate
  double free_size_ = 0;                                  ///< of the velocities without impulses, in the same units
  bool some_motion_ = false;                              ///< satisfies all contacts
};

}  // namespace scree::coulomb
