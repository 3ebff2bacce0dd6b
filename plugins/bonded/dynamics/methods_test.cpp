#include "catch.hpp"

#include <omp.h>

#include "measure/specimen.hpp"
#include "measure/constrained.hpp"
#include "one_thread.hpp"

using namespace scree;
using namespace scree::bonded;

namespace {

/// A cantilever in its first large step under a heavy load, with spins: quaternions have to turn.
struct Step {
  Specimen s = lattice(8, 2, 2, 0.1, 1e6, 4e5);
  Prediction prediction;

  Step() {
    s.drive([](const Vec3& p) { return p.x() < 1e-9; });
    std::vector<Vec3> force(s.size());
    for (std::size_t i = 0; i < s.size(); ++i) {
      force[i] = Vec3(0, 0, -200 * s.mass[i]);
      s.angular_velocity[i] = Vec3(2, 5, 1);
    }
    prediction = predict(Scheme::backward_euler, s.motion(), {}, s.bodies(), {force, {}}, 1.0 / 60);
  }
  ResidualScale scale() { return step_scale(s.bodies(), s.unknowns(), 9.81); }
};

/// The minimiser by the method under test everywhere else.
MinimiseReport by_newton(Step& step, MinimiseOptions options = {}) {
  const BondTerm bonds(step.s.bonds(), step.s.size());
  const InertiaTerm inertia(step.prediction.columns(step.s.bodies()));
  IncrementalPotential potential(step.s.unknowns(), {&inertia, &bonds});
  BlockMatrix hessian(potential.pattern());
  options.tolerance = 1e-9;
  options.corrections = false;
  return minimise(potential, step.scale(), options, *direct_cholesky(), hessian, step.s.moving());
}

ConstrainedReport by(Constraint method, Step& step, double tolerance = 1e-9, double penalty = 100) {
  ConstrainedOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.penalty = penalty;
  options.max_iterations = 100;
  return minimise_constrained(step.s.bonds(), step.prediction.columns(step.s.bodies()), step.s.unknowns(), step.scale(),
                              options, step.s.moving());
}

double distance(const Specimen& a, const Specimen& b) {
  double d = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    d = std::max({d, (a.position[i] - b.position[i]).norm(),
                  0.1 * logarithm(a.orientation[i] * b.orientation[i].conjugate()).norm()});
  return d;
}

}  // namespace

TEST_CASE("Newton's method converges quadratically") {
  Step step;
  const auto report = by_newton(step);
  CHECK(report.converged);
  REQUIRE(report.history.size() >= 4);
  const auto n = report.history.size();
  const double r0 = report.history[n - 3].residual, r1 = report.history[n - 2].residual,
               r2 = report.history[n - 1].residual;
  INFO("residuals " << r0 << " " << r1 << " " << r2 << " " << report.residual);
  CHECK(std::log(r2 / r1) / std::log(r1 / r0) > 1.5);
}

TEST_CASE("without the nullspace operator Newton's iterates are the same") {
  Step reduced, projected;
  const auto a = by_newton(reduced);
  const auto b = by(Constraint::projected, projected);
  CHECK(b.descent.converged);
  CHECK(b.descent.iterations == a.iterations);
  for (std::size_t k = 0; k < a.history.size(); ++k)
    CHECK(std::abs(a.history[k].residual - b.descent.history[k].residual) < 1e-6 * a.history[0].residual);
  CHECK(distance(reduced.s, projected.s) < 1e-10);
}

TEST_CASE("multipliers and augmented Lagrangian reach the minimiser of the sphere") {
  Step reference;
  const auto newton = by_newton(reference);
  for (const Constraint method : {Constraint::multiplier, Constraint::augmented}) {
    Step step;
    const auto report = by(method, step, 1e-8);
    INFO(static_cast<int>(method) << ": " << report.descent.iterations << " iterations, " << report.descent.stopped
                                  << ", residual " << report.descent.residual << ", newton " << newton.iterations);
    CHECK(report.descent.converged);
    CHECK(report.violation.back() < 1e-6);
    CHECK(report.descent.iterations >= newton.iterations);
    CHECK(distance(reference.s, step.s) < 1e-8);
  }
}

TEST_CASE("a penalty misses the minimiser by an error that falls with its stiffness") {
  const scree::test::OneThread one_thread;
  Step reference;
  by_newton(reference);
  double before = 0;
  for (const double stiffness : {1.0, 10.0, 100.0}) {
    Step step;
    const auto report = by(Constraint::penalty, step, 1e-12, stiffness);
    const double off = distance(reference.s, step.s);
    INFO(stiffness << ": off by " << off << ", violation " << report.violation.back());
    if (before > 0) {
      CHECK(off < 0.2 * before);
      CHECK(off > 0.05 * before);
    }
    before = off;
  }
}

TEST_CASE("first-order descent goes down at every step, and needs many") {
  Step reference, step;
  const auto newton = by_newton(reference);
  const BondTerm bonds(step.s.bonds(), step.s.size());
  const InertiaTerm inertia(step.prediction.columns(step.s.bodies()));
  IncrementalPotential potential(step.s.unknowns(), {&inertia, &bonds});
  MinimiseOptions options;
  options.tolerance = 1e-3;
  options.max_iterations = 5000;
  const double h2 = step.prediction.h * step.prediction.h;
  std::vector<double> mass(step.s.size()), moment(step.s.size());
  for (std::size_t i = 0; i < step.s.size(); ++i) mass[i] = step.s.mass[i] / h2, moment[i] = step.s.moment[i] / h2;
  const auto report = descend(potential, step.scale(), options, mass, moment, step.s.moving());
  INFO(report.iterations << " iterations, residual " << report.residual << " " << report.stopped);
  CHECK(report.converged);
  CHECK(report.iterations > 5 * newton.iterations);
  for (std::size_t k = 1; k < report.history.size(); ++k)
    CHECK(report.history[k].energy <= report.history[k - 1].energy);
  CHECK(distance(reference.s, step.s) < 1e-3);
}

TEST_CASE("one, two and three threads give the same bits") {
  const auto end = [](int threads, std::string_view solver) {
    omp_set_num_threads(threads);
    Specimen s = lattice(18, 14, 14, 0.05, 1e5, 4e4);
    s.drive([](const Vec3& p) { return p.x() < 1e-9; });
    Stepper steps(s, Scheme::backward_euler, 1e-3, {}, solver);
    for (std::size_t i = 0; i < s.size(); ++i) steps.applied()[i] = Vec3(0, 0, -9.81 * s.mass[i]);
    for (int k = 0; k < 2; ++k) CHECK(steps.advance().converged);
    omp_set_num_threads(omp_get_num_procs());
    return s;
  };
  for (const std::string_view solver : {"block-jacobi", "block-ic", "multigrid"}) {
    const Specimen one = end(1, solver), two = end(2, solver), three = end(3, solver);
    for (std::size_t i = 0; i < one.size(); ++i) {
      CHECK((one.position[i] == two.position[i] && one.position[i] == three.position[i]));
      CHECK((one.orientation[i].coeffs() == two.orientation[i].coeffs()));
      CHECK((one.angular_velocity[i] == three.angular_velocity[i]));
    }
  }
}
