#include "solvers/newton/minimise.hpp"

#include <cmath>

#include "scree/base/clock.hpp"
#include "scree/base/parallel.hpp"

namespace scree::solvers {

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

  /// Whether the step before may be followed by one with the same Hessian, to end with.
  bool nearly_done() const {
    if (!options_.corrections || report_.history.empty()) return false;
    const Iterate& last = report_.history.back();
    if (last.corrected || last.step != 1) return false;
    return 2 * report_.residual * report_.residual <= options_.tolerance * last.residual;
  }

  /// The iterate about to be left.
  void record(int linear_iterations, bool clamped, bool corrected) {
    Iterate now;
    now.residual = report_.residual;
    now.energy = report_.energy_change;
    now.linear_iterations = linear_iterations;
    now.clamped = clamped;
    now.corrected = corrected;
    now.seconds = clock_seconds() - began_;
    report_.history.push_back(now);
    report_.linear_iterations += linear_iterations;
    report_.clamped += clamped;
    ++(corrected ? report_.corrections : report_.iterations);
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

/// How well the next system is to be solved.
double linear_tolerance(const MinimiseOptions& options, const MinimiseReport& report) {
  const double first = report.history.empty() ? report.residual : report.history.front().residual;
  const double first_system = report.history.empty() ? options.first : 0;
  const double forced = options.inexact ? std::min(0.5, std::sqrt(report.residual / first)) : first_system;
  // No better than the minimisation as a whole asks for.
  const double enough = std::min(0.5, kEnough * options.tolerance / report.residual);
  return std::max({options.tightest, forced, enough});
}

/// The systems H D = -g of a minimisation.
class NewtonSystem {
 public:
  NewtonSystem(IncrementalPotential& potential, LinearSolver& solver, BlockMatrix& hessian)
      : potential_(potential), solver_(solver), hessian_(hessian) {}

  /// Makes the Hessian at x and readies the solver for it.
  void assemble(const Configuration& x, Curvature curvature) {
    potential_.hessian(x, curvature, hessian_);
    std::vector<Vec3> centres;
    centres.reserve(hessian_.rows());
    for (const std::uint32_t i : potential_.unknowns().body) centres.push_back(x.position[i]);
    solver_.set_centres(centres);
    ready_ = ready_ ? solver_.refresh(hessian_) : solver_.prepare(hessian_);
  }

  /// \return whether the Hessian is positive definite and D was found
  bool solve(const BlockVector& gradient, double tolerance, SolveReport& report) {
    report = {};
    report.positive_definite = ready_;
    if (!ready_) return false;
    right_ = -gradient;
    report = solver_.solve(hessian_, right_, tolerance, direction_);
    return report.positive_definite && report.converged;
  }

  const BlockVector& direction() const { return direction_; }

  /// Nothing that the solver knows of the Hessian before is of use for the next.
  void forget() { ready_ = false; }

 private:
  IncrementalPotential& potential_;
  LinearSolver& solver_;
  BlockMatrix& hessian_;
  bool ready_ = false;  ///< the solver is, for a Hessian of this minimisation
  BlockVector right_, direction_;
};

}  // namespace

MinimiseReport minimise(IncrementalPotential& potential, const ResidualScale& scale, const MinimiseOptions& options,
                        LinearSolver& solver, BlockMatrix& hessian, Moving x) {
  Descent descent(potential, scale, options, x);
  NewtonSystem system(potential, solver, hessian);
  while (!descent.done()) {
    const double tolerance = linear_tolerance(options, descent.report());
    bool corrected = descent.nearly_done();
    bool clamped = corrected ? descent.report().history.back().clamped : options.curvature == Curvature::clamped;
    if (!corrected) system.assemble(x, options.curvature);
    SolveReport solve;
    bool solved = system.solve(descent.gradient(), tolerance, solve);
    int iterations = solve.iterations;
    if (!solved && !solve.positive_definite && !clamped) {
      corrected = false;
      clamped = true;
      system.forget();
      system.assemble(x, Curvature::clamped);
      solved = system.solve(descent.gradient(), tolerance, solve);
      iterations += solve.iterations;
    }
    descent.record(iterations, clamped, corrected);
    if (!solved) {
      descent.report().stopped = "linear solver";
      break;
    }
    if (descent.search(system.direction(), 1) == 0) {
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
    descent.record(0, false, false);
    alpha = descent.search(direction, 2 * alpha);
    if (alpha == 0) {
      descent.report().stopped = "line search";
      break;
    }
  }
  return std::move(descent.report());
}

}  // namespace scree::solvers
