#include "newton/minimise.hpp"

#include <cmath>

#include "scree/base/clock.hpp"
#include "scree/base/parallel.hpp"

namespace scree::bonded {

double residual_of(const BlockVector& gradient, const Unknowns& unknowns, const ResidualScale& scale) {
  std::vector<double> square(unknowns.rows());
  for (std::size_t row = 0; row < square.size(); ++row) {
    const auto g = gradient.segment<6>(6 * static_cast<Eigen::Index>(row));
    const double lever = scale.lever[unknowns.body[row]];
    square[row] =
        (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) + (g[3] * g[3] + g[4] * g[4] + g[5] * g[5]) / (lever * lever);
  }
  return std::sqrt(ordered_sum(square)) / scale.force;
}

namespace {

/// Keeps the state a line search starts from, and moves the free bodies along geodesics.
class Path {
 public:
  Path(const Unknowns& unknowns, Moving x) : unknowns_(unknowns), x_(x) {}

  void start() {
    position_.assign(x_.position.begin(), x_.position.end());
    orientation_.assign(x_.orientation.begin(), x_.orientation.end());
  }
  void go(const BlockVector& direction, double alpha) {
    parallel_for(static_cast<std::ptrdiff_t>(unknowns_.rows()), [&](std::ptrdiff_t row) {
      const std::uint32_t i = unknowns_.body[static_cast<std::size_t>(row)];
      const auto d = direction.segment<6>(6 * row);
      x_.position[i] = position_[i] + alpha * d.head<3>();
      x_.orientation[i] = retracted(orientation_[i], alpha * d.tail<3>());
    });
  }

 private:
  const Unknowns& unknowns_;
  Moving x_;
  std::vector<Vec3> position_;
  std::vector<Quat> orientation_;
};

/// What both methods share: the current iterate, its gradient, and the line search.
class Descent {
 public:
  Descent(IncrementalPotential& potential, const ResidualScale& scale, const MinimiseOptions& options, Moving x)
      : potential_(potential), scale_(scale), options_(options), path_(potential.unknowns(), x), x_(x) {
    potential_.set_base(x_);
    potential_.gradient(x_, gradient_);
    report_.residual = residual_of(gradient_, potential_.unknowns(), scale_);
  }

  const BlockVector& gradient() const { return gradient_; }
  MinimiseReport& report() { return report_; }

  /// \return true when there is nothing more to do
  bool done() {
    if (!std::isfinite(report_.residual)) return report_.stopped = "not finite", true;
    if (report_.residual <= options_.tolerance) return report_.converged = true;
    if (report_.iterations >= options_.max_iterations) return report_.stopped = "iterations", true;
    return false;
  }

  /// Along `direction` from alpha downwards. \return the step taken, 0 if none went down enough
  double search(const BlockVector& direction, double alpha) {
    const double slope = ordered_dot(gradient_, direction);
    if (!(slope < 0)) return 0;
    path_.start();
    const double energy = std::abs(potential_.base());
    for (int halving = 0; halving <= options_.line_search.halvings; ++halving, alpha *= 0.5) {
      path_.go(direction, alpha);
      const double change = potential_.change(x_);
      const bool lost = -alpha * slope < options_.line_search.lost * energy;
      if (!(change <= options_.line_search.slope * alpha * slope) && !lost) {
        ++report_.halvings;
        continue;
      }
      potential_.gradient(x_, trial_);
      const double residual = residual_of(trial_, potential_.unknowns(), scale_);
      if (lost && !(residual < report_.residual)) {
        ++report_.halvings;
        continue;
      }
      accept(change, residual, alpha);
      return alpha;
    }
    path_.go(direction, 0);
    return 0;
  }

  /// The iterate about to be left.
  void record(int linear_iterations, bool clamped) {
    Iterate now;
    now.residual = report_.residual;
    now.energy = report_.energy_change;
    now.linear_iterations = linear_iterations;
    now.clamped = clamped;
    now.seconds = clock_seconds() - began_;
    report_.history.push_back(now);
    report_.linear_iterations += linear_iterations;
    report_.clamped += clamped;
    ++report_.iterations;
  }

 private:
  void accept(double change, double residual, double alpha) {
    report_.energy_change += change;
    report_.residual = residual;
    report_.history.back().step = alpha;
    gradient_.swap(trial_);
    potential_.set_base(x_);
  }

  IncrementalPotential& potential_;
  const ResidualScale& scale_;
  const MinimiseOptions& options_;
  Path path_;
  Moving x_;
  BlockVector gradient_, trial_;
  MinimiseReport report_;
  double began_ = clock_seconds();
};

/// Part of the tolerance of a minimisation that a linear system may leave over.
constexpr double kEnough = 0.1;

/// H D = -g with the Hessian of one kind. \param near  a Hessian of this minimisation was solved with before
/// \return whether it was positive definite and solved
bool solve_for(IncrementalPotential& potential, const Configuration& x, Curvature curvature, LinearSolver& solver,
               BlockMatrix& hessian, const BlockVector& right, double tolerance, bool near, SolveReport& report,
               BlockVector& d) {
  potential.hessian(x, curvature, hessian);
  report = {};
  std::vector<Vec3> centres;
  centres.reserve(hessian.rows());
  for (const std::uint32_t i : potential.unknowns().body) centres.push_back(x.position[i]);
  solver.set_centres(centres);
  report.positive_definite = near ? solver.refresh(hessian) : solver.prepare(hessian);
  if (!report.positive_definite) return false;
  report = solver.solve(hessian, right, tolerance, d);
  return report.positive_definite && report.converged;
}

}  // namespace

MinimiseReport minimise(IncrementalPotential& potential, const ResidualScale& scale, const MinimiseOptions& options,
                        LinearSolver& solver, BlockMatrix& hessian, Moving x) {
  Descent descent(potential, scale, options, x);
  const double first = descent.report().residual;
  BlockVector direction, right;
  while (!descent.done()) {
    const double progress = std::sqrt(descent.report().residual / first);
    // No better than the minimisation as a whole asks for.
    const double enough = std::min(0.5, kEnough * options.tolerance / descent.report().residual);
    const double first_system = descent.report().iterations == 0 ? options.first : 0;
    const double forced = options.inexact ? std::min(0.5, progress) : first_system;
    const double tolerance = std::max({options.tightest, forced, enough});
    right = -descent.gradient();
    SolveReport solve;
    bool clamped = options.curvature == Curvature::clamped;
    bool solved = solve_for(potential, x, options.curvature, solver, hessian, right, tolerance,
                            descent.report().iterations > 0, solve, direction);
    int iterations = solve.iterations;
    if (!solved && !solve.positive_definite && !clamped) {
      clamped = true;
      solved = solve_for(potential, x, Curvature::clamped, solver, hessian, right, tolerance, false, solve, direction);
      iterations += solve.iterations;
    }
    descent.record(iterations, clamped);
    if (!solved) {
      descent.report().stopped = "linear solver";
      break;
    }
    if (descent.search(direction, 1) == 0) {
      descent.report().stopped = "line search";
      break;
    }
  }
  return std::move(descent.report());
}

MinimiseReport descend(IncrementalPotential& potential, const ResidualScale& scale, const MinimiseOptions& options,
                       std::span<const double> mass, std::span<const double> moment, Moving x) {
  Descent descent(potential, scale, options, x);
  const Unknowns& unknowns = potential.unknowns();
  BlockVector direction(6 * static_cast<Eigen::Index>(unknowns.rows()));
  double alpha = 1;
  while (!descent.done()) {
    for (std::size_t row = 0; row < unknowns.rows(); ++row) {
      const auto g = descent.gradient().segment<6>(6 * static_cast<Eigen::Index>(row));
      const std::uint32_t i = unknowns.body[row];
      direction.segment<6>(6 * static_cast<Eigen::Index>(row)) << -g.head<3>() / mass[i], -g.tail<3>() / moment[i];
    }
    descent.record(0, false);
    alpha = descent.search(direction, 2 * alpha);
    if (alpha == 0) {
      descent.report().stopped = "line search";
      break;
    }
  }
  return std::move(descent.report());
}

}  // namespace scree::bonded
