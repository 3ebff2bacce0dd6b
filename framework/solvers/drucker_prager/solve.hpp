#pragma once
/// \file Solves a step of a granular continuum: projected Gauss-Seidel in two phases. In phase A the shift of De Saxce
/// stands still, which makes the problem convex, and sweeps have momentum. In phase B it follows the strain rates.

#include <memory>
#include <span>

#include "solvers/coulomb/rigid_kinematics.hpp"
#include "solvers/drucker_prager/problem.hpp"

namespace scree::continuum {

enum class Status {
  solved,  ///< the error fell below the tolerance
  missed,  ///< it did not, within max_sweeps; the best iterate is returned
  stalled  ///< nor did the convex problem, whose error no longer fell: moving walls that crush leave no solution
};

struct Options {
  double tolerance = 1e-3;    ///< of the error, see Report
  int max_sweeps = 1000;      ///< of both tries together
  double fine_tolerance = 0;  ///< in its place for the first `fine_sweeps` sweeps
  int fine_sweeps = 0;
  /// Sweeps of the first try, whose shift is that of start_velocity; no more than half of max_sweeps. After them the
  /// second starts from the same impulses with no shift. Good: 200, or twice the sweeps of the last step if more.
  int first_try = 200;
  int threads = 1;  ///< results have the same bits for any number
};

struct Report {
  Status status = Status::missed;
  /// ( sum |r_j - P_K(r_j - gamma^_j / rho_j)|^2 + the same of contact rows / face^2 )^(1/2)
  /// / ( sum |start r_j|^2 + n pressure^2 )^(1/2), of the returned impulses, with n strain rows: free of units.
  double error = 0;
  int sweeps = 0;      ///< of all phases and tries
  int fallbacks = 0;   ///< second tries
  double seconds = 0;  ///< [s] wall time
};

/// What is sought. Impulses are the start on entry, zeros for a cold one.
template <int D>
struct Solution {
  std::span<Stress<D>> stress;           ///< (strain rows) in and out: r = dt lambda, cone coordinates [Pa s]
  std::span<Vec<D>> contact;             ///< (contacts) in and out: frame coordinates, normal first [N s]
  std::span<Vec<D>> velocity;            ///< (nodes) out: at the end of the step [m/s]
  std::span<coulomb::Motion<D>> motion;  ///< (bodies) out: at the end of the step [m/s], [rad/s]
};

/// Memory for solves in a row, as of time steps: results do not depend on what it has served before.
template <int D>
class Workspace {
 public:
  Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  ~Workspace();

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// \throws std::invalid_argument  for sizes that do not fit and numbers that are not finite or not allowed: the text
///         names the row, the value and what is allowed
Report solve(const StrainProblem<2>& problem, const Solution<2>& solution, const Options& options,
             Workspace<2>& workspace);
Report solve(const StrainProblem<3>& problem, const Solution<3>& solution, const Options& options,
             Workspace<3>& workspace);

}  // namespace scree::continuum
