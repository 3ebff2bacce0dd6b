#pragma once
/// \file Block Gauss-Seidel over contacts, colour by colour.
/// \source M. Jean, Comput. Methods Appl. Mech. Eng. 177 (1999) 235; order by colours: determinism

#include <omp.h>

#include "coulomb/hybrid.hpp"
#include "coulomb/operators.hpp"

namespace scree::coulomb {

template <ContactOperator Op>
class GaussSeidel {
 public:
  static constexpr int D = Op::dimension;

  GaussSeidel(Op& op, const Order& order, const Options& options) : op_(op), order_(order), options_(options) {
    local_.reserve(op.size());
    for (std::size_t i = 0; i < op.size(); ++i) local_.push_back(make_local_problem<D>(op.diagonal(i), op.friction(i)));
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
  /// Colours smaller than this are not worth waking threads for.
  static constexpr std::size_t kShared = 128;

  template <LocalSolver kSolver>
  void sweep_with(int count, double relaxation) {
    const std::size_t colours = order_.colour_start.size() - 1;
#pragma omp parallel num_threads(order_.shared ? options_.threads : 1)
    {
      std::uint64_t visits[kBranches] = {};
      for (int k = 0; k < count; ++k) {
        for (std::size_t c = 0; c < colours; ++c) {
          const std::size_t begin = order_.colour_start[c], end = order_.colour_start[c + 1];
          if (end - begin < kShared) {
#pragma omp single
            for (std::size_t i = begin; i < end; ++i) ++visits[visit<kSolver>(i, relaxation)];
          } else {
#pragma omp for schedule(static)
            for (std::size_t i = begin; i < end; ++i) ++visits[visit<kSolver>(i, relaxation)];
          }
        }
      }
#pragma omp critical(scree_coulomb_branches)
      add(visits);
    }
  }

  /// \return the branch that gave the new impulse
  template <LocalSolver kSolver>
  int visit(std::size_t i, double relaxation) {
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
