#pragma once
/// \file Block Gauss-Seidel over contacts, colour by colour.
/// \source M. Jean, Comput. Methods Appl. Mech. Eng. 177 (1999) 235; order by colours: determinism

#include "solvers/coulomb/hybrid.hpp"
#include "solvers/coulomb/operators.hpp"

// All of a visit in one piece of code; with sanitizers that would take many minutes to compile.
#if defined(__SANITIZE_ADDRESS__) || !defined(__GNUC__)
#define SCREE_COULOMB_FLATTEN
#else
#define SCREE_COULOMB_FLATTEN [[gnu::flatten]]
#endif

namespace scree::coulomb {

template <ContactOperator Op>
class GaussSeidel {
 public:
  static constexpr int D = Op::dimension;

  GaussSeidel(Op& op, const Order& order) : op_(op), order_(order) {}

  /// For the problem that the operator holds now.
  void prepare(const Options& options) {
    options_ = options;
    branches_ = {};
    local_.resize(op_.size());
    for_chunks(op_.size(), options.threads, [this](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) local_[i] = make_local_problem<D>(op_.diagonal(i), op_.friction(i));
    });
  }

  /// \param relaxation  in (0, 1]: share of a contact's new impulse
  void sweep(int count, double relaxation) {
    switch (options_.local) {
      case LocalSolver::hybrid:
        return sweep_with<LocalSolver::hybrid>(count, relaxation);
      case LocalSolver::newton:
        return sweep_with<LocalSolver::newton>(count, relaxation);
      case LocalSolver::enumerative:
        return sweep_with<LocalSolver::enumerative>(count, relaxation);
    }
  }

  const Branches& branches() const { return branches_; }
  std::span<const LocalProblem<D>> local() const { return local_; }

 private:
  template <LocalSolver kSolver>
  void sweep_with(int count, double relaxation) {
#pragma omp parallel num_threads(order_.shared ? options_.threads : 1)
    {
      std::uint64_t visits[kBranches] = {};
      for (int k = 0; k < count; ++k)
        visit_by_colour(order_, [&](std::size_t i) { ++visits[visit<kSolver>(i, relaxation)]; });
#pragma omp critical(scree_coulomb_branches)
      add(visits);
    }
  }

  /// All calls inlined: left to itself the compiler makes one of each 3 x 3 product, for 14 % of the time.
  /// \return the branch that gave the new impulse
  template <LocalSolver kSolver>
  SCREE_COULOMB_FLATTEN int visit(std::size_t i, double relaxation) {
    const LocalProblem<D>& p = local_[i];
    const Vec<D> old = p.scale * op_.impulse(i);
    const Vec<D> b = op_.velocity(i) - p.W * old;
    const LocalSolution<D> found = solve_contact<D, kSolver>(p, b, old);
    op_.set_impulse(i, (old + relaxation * (found.x - old)) / p.scale);
    return static_cast<int>(found.branch);
  }

  void add(const std::uint64_t (&visits)[kBranches]) {
    branches_.take_off += visits[0], branches_.stick += visits[1], branches_.slide += visits[2];
    branches_.newton += visits[3], branches_.quartic += visits[4], branches_.unsolved += visits[5];
  }

  Op& op_;
  const Order& order_;
  Options options_;
  std::vector<LocalProblem<D>> local_;
  Branches branches_;
};

}  // namespace scree::coulomb
