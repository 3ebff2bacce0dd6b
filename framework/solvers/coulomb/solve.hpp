#pragma once
/// \file Solves a discrete Coulomb friction problem: block Gauss-Seidel over contacts with momentum, and what is done
/// where that stalls.

#include <memory>
#include <span>
#include <string_view>

#include "solvers/coulomb/problem.hpp"

namespace scree::coulomb {

/// How the problem of one contact is solved.
enum class LocalSolver {
  hybrid,      ///< Newton, and where that does not arrive, the roots of the quartic
  newton,      ///< Newton's method on the Fischer-Burmeister function of the second-order cone, alone
  enumerative  ///< take-off, stick, and the roots of the quartic of sliding, alone
};

/// What `Options::tolerance` bounds.
enum class Measure {
  natural_map,         ///< |r - P_K(r - u^)| over all contacts, relative: the measure of FCLib's collection
  fischer_burmeister,  ///< the largest per-contact residual, each scaled by its own W_ii: free of units
  /// |r - P_K(r - u^/W_ii)| over all contacts, relative to impulses, those of the start or larger ones found, and to
  /// what approaching contacts and joints ask. Impulses count up to 100 times those that free fall asks for. Free of
  /// units.
  impulse_error,
};

/// Contacts of the largest problem that ADMM and the interior-point method take: their factors fill in.
inline constexpr std::size_t kMostFactorised = 20000;

/// Of the tolerance: below it nothing is left to do, see `Options::least_sweeps`.
inline constexpr double kFine = 1e-4;

enum class Status {
  converged,   ///< the measure fell below the tolerance
  stalled,     ///< it did not, within the sweeps allowed; the best iterate is returned
  infeasible,  ///< proved: no motion satisfies all contacts (walls that press a body from two sides)
};

/// What is tried.
enum class Strategy {
  all,  ///< sweeps with momentum; where those stall the proximal loop, relaxation, ADMM, the interior-point method
  gauss_seidel,   ///< plain Gauss-Seidel alone
  admm,           ///< ADMM alone: max_sweeps bounds its iterations
  interior_point  ///< the interior-point method alone, near the given impulses: max_sweeps bounds its iterations
};

struct Options {
  double tolerance = 1e-6;
  Measure measure = Measure::natural_map;
  LocalSolver local = LocalSolver::hybrid;
  int max_sweeps = 10000;
  int least_sweeps = 0;   ///< sweeps that are made although the tolerance is met, unless kFine of it is
  double overtime = 100;  ///< the interior-point method may take this many times as long as max_sweeps sweeps
  Strategy strategy = Strategy::all;
  int threads = 1;  ///< results have the same bits for any number
};

/// Which branch solved a contact, summed over all visits.
struct Branches {
  std::uint64_t take_off = 0, stick = 0;
  std::uint64_t slide = 0;     ///< Newton's method on the one equation of sliding
  std::uint64_t newton = 0;    ///< Newton's method on the Fischer-Burmeister function
  std::uint64_t quartic = 0;   ///< the roots of the quartic of sliding
  std::uint64_t unsolved = 0;  ///< no branch met the local tolerance: the best candidate was kept

  Branches& operator+=(const Branches& o) {
    take_off += o.take_off, stick += o.stick, slide += o.slide;
    newton += o.newton, quartic += o.quartic, unsolved += o.unsolved;
    return *this;
  }
};

struct Report {
  Status status = Status::stalled;
  double error = 0;                         ///< the measure of the returned impulses
  int sweeps = 0;                           ///< Gauss-Seidel sweeps in all, of every stage
  int iterations = 0;                       ///< of ADMM and of the interior-point method
  int factorisations = 0;                   ///< of ADMM and of the interior-point method
  std::string_view stage = "gauss-seidel";  ///< the one that gave the returned impulses
  Branches branches;
  double seconds = 0;  ///< [s] wall time
};

/// \param impulses  (contacts) in: the start, zeros for a cold one; out: the best iterate [N s]
/// \throws std::invalid_argument  for sizes that do not fit, numbers that are not finite, friction below 0, frames that
///         are not orthonormal: the text names the contact or body, the value and what is allowed
Report solve(const DelassusProblem<2>& problem, std::span<Vec<2>> impulses, const Options& options);
Report solve(const DelassusProblem<3>& problem, std::span<Vec<3>> impulses, const Options& options);

/// The same without W. The bodies' velocities are not written: see add_impulses().
Report solve(const RigidProblem<2>& problem, std::span<Vec<2>> impulses, const Options& options);
Report solve(const RigidProblem<3>& problem, std::span<Vec<3>> impulses, const Options& options);

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
Report solve(const RigidProblem<2>& problem, std::span<Vec<2>> impulses, const Options& options,
             Workspace<2>& workspace);
Report solve(const RigidProblem<3>& problem, std::span<Vec<3>> impulses, const Options& options,
             Workspace<3>& workspace);

/// v = v_0 + M^-1 H^T r, contacts summed in order.
void add_impulses(const RigidProblem<2>& problem, std::span<const Vec<2>> impulses, std::span<RigidBody<2>> bodies);
void add_impulses(const RigidProblem<3>& problem, std::span<const Vec<3>> impulses, std::span<RigidBody<3>> bodies);

/// \return the measure of these impulses
double error(const DelassusProblem<2>& problem, std::span<const Vec<2>> impulses, Measure measure);
double error(const DelassusProblem<3>& problem, std::span<const Vec<3>> impulses, Measure measure);
double error(const RigidProblem<2>& problem, std::span<const Vec<2>> impulses, Measure measure);
double error(const RigidProblem<3>& problem, std::span<const Vec<3>> impulses, Measure measure);

}  // namespace scree::coulomb
