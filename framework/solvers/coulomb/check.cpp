#include "solvers/coulomb/check.hpp"

#include <cmath>
#include <exception>
#include <sstream>
#include <stdexcept>

#include "solvers/coulomb/parallel.hpp"

namespace scree::coulomb {
namespace {

template <class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  throw std::invalid_argument(text.str());
}

void check_sizes(std::size_t contacts, std::size_t impulses) {
  if (contacts != impulses) refuse(impulses, " impulses for ", contacts, " contacts; give one for each");
}

void check_friction(std::size_t i, double friction) {
  if (friction != kJoint && (!(friction >= 0) || !std::isfinite(friction))) {
    refuse("friction of contact ", i, " is ", friction, "; allowed: 0 or more, finite, and kJoint");
  }
}

template <class Matrix>
void check_finite(const char* what, std::size_t i, const Matrix& m) {
  if (!m.allFinite()) refuse(what, " ", i, " has an entry that is not finite (", m.reshaped().transpose(), ")");
}

template <int D>
void check_impulses(std::span<const Vec<D>> impulses) {
  for (std::size_t i = 0; i < impulses.size(); ++i) check_finite("start impulse of contact", i, impulses[i]);
}

template <int D>
void check_body(const RigidProblem<D>& problem, std::size_t i) {
  const RigidBody<D>& body = problem.bodies[i];
  check_finite("velocity of body", i, body.velocity);
  check_finite("spin of body", i, body.spin);
  check_finite("inverse inertia of body", i, body.inverse_inertia);
  if (!(body.inverse_mass >= 0) || !std::isfinite(body.inverse_mass)) {
    refuse("inverse mass of body ", i, " is ", body.inverse_mass, "; allowed: 0 or more, finite");
  }
}

template <int D>
void check_contact(const RigidProblem<D>& problem, std::size_t i) {
  const RigidContact<D>& c = problem.contacts[i];
  for (const std::uint32_t body : {c.a, c.b}) {
    if (body != kImmovable && body >= problem.bodies.size()) {
      refuse("contact ", i, " names body ", body, " of ", problem.bodies.size(),
             "; for one nothing moves give kImmovable");
    }
  }
  if (c.a == c.b && c.a != kImmovable) refuse("contact ", i, " is between body ", c.a, " and itself");
  check_finite("frame of contact", i, c.frame);
  check_finite("arm_a of contact", i, c.arm_a);
  check_finite("arm_b of contact", i, c.arm_b);
  check_finite("w of contact", i, c.w);
  if (!((c.frame * c.frame.transpose() - Mat<D>::Identity()).norm() < 1e-6)) {
    refuse("frame of contact ", i, " is not orthonormal (", c.frame.reshaped().transpose(), ")");
  }
  check_friction(i, c.friction);
}

/// check(i) for all i; of several faults the first is told.
template <class Check>
void check_all(std::size_t count, int threads, const Check& check) {
  std::vector<std::exception_ptr> faults((count + kChunk - 1) / kChunk);
  for_chunks(count, threads, [&](std::size_t begin, std::size_t end) {
    try {
      for (std::size_t i = begin; i < end; ++i) check(i);
    } catch (...) {
      faults[begin / kChunk] = std::current_exception();
    }
  });
  for (const std::exception_ptr& fault : faults) {
    if (fault) std::rethrow_exception(fault);
  }
}

}  // namespace

template <int D>
void check(const DelassusProblem<D>& problem, std::span<const Vec<D>> impulses, int) {
  const std::size_t n = problem.size();
  check_sizes(n, impulses.size());
  if (problem.friction.size() != n) refuse(problem.friction.size(), " friction values for ", n, " contacts");
  if (problem.row_start.size() != n + 1) {
    refuse("row_start has ", problem.row_start.size(), " entries; needed: contacts + 1 = ", n + 1);
  }
  if (problem.row_start.front() != 0 || problem.row_start.back() != problem.column.size() ||
      problem.column.size() != problem.block.size()) {
    refuse("rows end at block ", problem.row_start.back(), ", with ", problem.column.size(), " columns and ",
           problem.block.size(), " blocks; the three must be equal, and the first row start at 0");
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (problem.row_start[i] > problem.row_start[i + 1]) refuse("row ", i, " ends before it starts");
    bool diagonal = false;
    for (std::size_t k = problem.row_start[i]; k < problem.row_start[i + 1]; ++k) {
      if (problem.column[k] >= n) refuse("row ", i, " has a block in column ", problem.column[k], " of ", n);
      if (k > problem.row_start[i] && problem.column[k] <= problem.column[k - 1]) {
        refuse("columns of row ", i, " do not ascend at ", problem.column[k]);
      }
      diagonal = diagonal || problem.column[k] == i;
      check_finite("W in row", i, problem.block[k]);
    }
    if (!diagonal) refuse("row ", i, " has no diagonal block");
    check_finite("q of contact", i, problem.q[i]);
    check_friction(i, problem.friction[i]);
  }
  check_impulses<D>(impulses);
}

template <int D>
void check(const RigidProblem<D>& problem, std::span<const Vec<D>> impulses, int threads) {
  check_sizes(problem.size(), impulses.size());
  check_all(problem.bodies.size(), threads, [&](std::size_t i) { check_body(problem, i); });
  check_all(problem.size(), threads, [&](std::size_t i) {
    check_contact(problem, i);
    check_finite("start impulse of contact", i, impulses[i]);
  });
}

void check(const Options& options, std::size_t contacts, bool joints) {
  if (!(options.tolerance > 0)) refuse("tolerance is ", options.tolerance, "; allowed: more than 0");
  if (options.max_sweeps < 0) refuse("max_sweeps is ", options.max_sweeps, "; allowed: 0 or more");
  if (options.least_sweeps < 0) refuse("least_sweeps is ", options.least_sweeps, "; allowed: 0 or more");
  if (!(options.overtime >= 0)) refuse("overtime is ", options.overtime, "; allowed: 0 or more");
  if (options.threads < 1) refuse("threads is ", options.threads, "; allowed: 1 or more");
  const bool admm = options.strategy == Strategy::admm, interior = options.strategy == Strategy::interior_point;
  if ((admm || interior) && contacts > kMostFactorised) {
    refuse(admm ? "ADMM" : "the interior-point method", " alone takes at most ", kMostFactorised,
           " contacts; these are ", contacts);
  }
  if (interior && joints) refuse("the interior-point method alone takes no joints");
}

template void check(const DelassusProblem<2>&, std::span<const Vec<2>>, int);
template void check(const DelassusProblem<3>&, std::span<const Vec<3>>, int);
template void check(const RigidProblem<2>&, std::span<const Vec<2>>, int);
template void check(const RigidProblem<3>&, std::span<const Vec<3>>, int);

}  // namespace scree::coulomb
