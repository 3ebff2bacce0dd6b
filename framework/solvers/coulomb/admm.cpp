#include "solvers/coulomb/admm.hpp"

#include <limits>

#include "solvers/coulomb/local_problem.hpp"

namespace scree::coulomb {
namespace {

using Vector = Eigen::VectorXd;

/// P_K(x - rho u^(y)).
template <int D>
Vector project(const ScaledVariables<D>& contacts, const Vector& x, double rho, const Vector& y) {
  Vector projected(x.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double mu = contacts.friction[i];
    const Vec<D> u = de_saxce<D>(y.segment<D>(D * i), mu);
    projected.segment<D>(D * i) = project_on_cone<D>(x.segment<D>(D * i) - rho * u, mu);
  }
  return projected;
}

/// Which rho is next. Piles at rest want some 100; the others are for what does not get on with that.
class Ladder {
 public:
  double rho() const { return kRungs[rung_]; }
  bool ended() const { return rung_ == std::size(kRungs); }

  /// \return whether rho is another one now, or the ladder has ended
  bool climb(int iterations, double error) {
    best_ = std::min(best_, error);
    if (iterations < next_) return false;
    next_ += kPatience;
    const bool slow = best_ > 0.5 * mark_;
    mark_ = best_;
    if (slow) ++rung_;
    return slow;
  }

 private:
  static constexpr double kRungs[] = {100, 300, 30, 1000, 10};
  static constexpr int kPatience = 50;

  std::size_t rung_ = 0;
  int next_ = kPatience;
  double best_ = std::numeric_limits<double>::infinity(), mark_ = best_;
};

}  // namespace

template <int D>
AdmmEffort solve_admm(VelocityStep<D>& step, std::span<const Vec<D>> impulses, const AdmmOptions& options,
                      const Judgement<D>& judge) {
  constexpr double kRelaxation = 1.6;
  const ScaledVariables<D>& contacts = step.variables();
  Vector x = contacts.scaled(impulses), target = step.velocity_of(x);
  Ladder ladder;
  AdmmEffort effort{0, 1};
  bool factorised = step.factorise(ladder.rho());
  while (factorised && effort.iterations < options.max_iterations) {
    const double rho = ladder.rho();
    const Vector y = kRelaxation * step.velocity(target + x / rho) + (1 - kRelaxation) * target;
    const Vector next = project<D>(contacts, x, rho, y);
    target = y + (next - x) / rho;
    x = next;
    if (++effort.iterations % kAdmmLook != 0 && effort.iterations < options.max_iterations) continue;
    const double error = judge(contacts.impulses(x));
    if (!(error > options.tolerance)) break;
    if (!ladder.climb(effort.iterations, error)) continue;
    if (ladder.ended()) break;
    ++effort.factorisations;
    factorised = step.factorise(ladder.rho());
  }
  return effort;
}

template AdmmEffort solve_admm(VelocityStep<2>&, std::span<const Vec<2>>, const AdmmOptions&, const Judgement<2>&);
template AdmmEffort solve_admm(VelocityStep<3>&, std::span<const Vec<3>>, const AdmmOptions&, const Judgement<3>&);

}  // namespace scree::coulomb
