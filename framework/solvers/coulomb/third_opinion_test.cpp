/// \file Solutions seen by other eyes: Coulomb's law case by case, without the functions that solvers stop by, and
/// methods of another kind on the same contact.

#include "catch.hpp"
#include "solvers/coulomb/hybrid.hpp"
#include "solvers/coulomb/test_problems.hpp"
#include "solvers/coulomb/test_solve.hpp"
#include "random_cases.hpp"

using namespace scree::coulomb;
using scree::test::random_cases;
using test::Random;
using test::refusal;

namespace {

/// A diag(10^U(-decades, 0)) A^T. \param basis  orthonormal A (Gram-Schmidt): then the condition is 10^decades at most
template <int D>
Mat<D> random_w(Random& random, double decades, bool basis = true) {
  Mat<D> a = random.matrix<D>();
  for (int k = 0; basis && k < D; ++k) {
    for (int twice = 0; twice < 2; ++twice) {
      for (int j = 0; j < k; ++j) a.col(k) -= a.col(k).dot(a.col(j)) * a.col(j);
    }
    a.col(k).normalize();
  }
  Vec<D> spectrum;
  for (int k = 0; k < D; ++k) spectrum[k] = std::pow(10, random.uniform(-decades, 0));
  const Mat<D> w = a * spectrum.asDiagonal() * a.transpose();
  return 0.5 * (w + w.transpose());
}

/// By how much an impulse breaks Coulomb's law: cone, no approach, and the products that vanish in each of its three
/// cases, relative to the size of all that is in it.
template <int D>
double broken(const Vec<D>& r, const Vec<D>& u, double friction, double size) {
  const double r_t = r.template tail<D - 1>().norm(), u_t = u.template tail<D - 1>().norm();
  const Vec<D - 1> opposed = friction * r[0] * u.template tail<D - 1>() + u_t * r.template tail<D - 1>();
  return std::max({(r_t - friction * r[0]) / size, -u[0] / size, r[0] * u[0] / (size * size),
                   opposed.norm() / (std::fmax(1, friction) * size * size)});
}

template <int D>
double broken(const LocalProblem<D>& p, const Vec<D>& b, const Vec<D>& x) {
  return broken<D>(x, p.W * x + b, p.friction, x.norm() + b.norm());
}

/// Projected gradients on the cone with the shift mu |u_T| of De Saxce held fast, which is renewed until it stays.
/// \return nothing where that does not end
std::optional<Vec<3>> by_projected_gradients(const LocalProblem<3>& p, const Vec<3>& b) {
  const double step = 1 / p.W.norm();
  Vec<3> x = Vec<3>::Zero();
  double shift = 0;
  for (int outer = 0; outer < 200; ++outer) {
    for (int inner = 0; inner < 2000; ++inner) {
      Vec<3> gradient = p.W * x + b;
      gradient[0] += shift;
      const Vec<3> next = project_on_cone<3>(x - step * gradient, p.friction);
      const double moved = (next - x).norm();
      x = next;
      if (moved < 1e-15 * b.norm()) break;
    }
    const double now = p.friction * (p.W * x + b).tail<2>().norm();
    if (std::abs(now - shift) < 1e-12 * b.norm()) return x;
    shift = now;
  }
  return {};
}

template <int D>
DelassusProblem<D> single(const Mat<D>& w, const Vec<D>& q, double friction) {
  return {{0, 1}, {0}, {w}, {q}, {friction}};
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("a hundred thousand contacts obey Coulomb's law case by case, by hybrid and by roots", "",
                       ((int D), D), 2, 3) {
  Random random(31);
  const int count = random_cases(100000);
  double worst = 0;
  int differ = 0, missed = 0;
  for (int i = 0; i < count; ++i) {
    const Mat<D> w =
        i % 2 ? random_w<D>(random, 8) : random_w<D>(random, 6, false);  // the latter as super-helices have
    const LocalProblem<D> p = make_local_problem<D>(w, random.uniform(0.02, 1.2));
    const Vec<D> b = random.vector<D>(), start = i % 3 ? random.vector<D>() : Vec<D>(Vec<D>::Zero());
    const auto hybrid = solve_contact<D, LocalSolver::hybrid>(p, b, start);
    const auto root = solve_contact<D, LocalSolver::enumerative>(p, b, start);
    worst = std::fmax(worst, broken<D>(p, b, hybrid.x));
    missed += !(broken<D>(p, b, root.x) < 1e-9);
    differ += !((hybrid.x - root.x).norm() < 1e-6 * (root.x.norm() + b.norm()));
  }
  WARN("law broken by " << worst << " at most, roots alone miss " << missed << " of " << count << "; " << differ
                        << " have another solution of the two");
  CHECK(worst < 1e-9);
  CHECK(missed <= count / 10000);  // blocks of two eigenvalues near 1e-8: Newton's method finds those
  CHECK(differ < count / 1000);
}

TEST_CASE("projected gradients with a fixed point, ADMM and interior points find what the solver of one contact does") {
  Random random(32);
  const int count = random_cases(300);
  int ended = 0, sliding = 0;
  for (int i = 0; i < count; ++i) {
    // Small friction, moderate condition: one solution, and a slow method that ends.
    const double friction = random.uniform(0.05, 0.4);
    const LocalProblem<3> p = make_local_problem<3>(random_w<3>(random, 0.5) + 0.5 * Mat<3>::Identity(), friction);
    const Vec<3> b = random.vector<3>();
    const auto found = solve_contact<3, LocalSolver::hybrid>(p, b, Vec<3>::Zero());
    sliding += found.branch != Branch::take_off && found.branch != Branch::stick;
    INFO("problem " << i);
    if (const auto other = by_projected_gradients(p, b)) {
      ++ended;
      CHECK((*other - found.x).norm() < 1e-9 * (1 + found.x.norm()));
    }
    for (const Strategy strategy : {Strategy::admm, Strategy::interior_point}) {
      Options options;
      options.tolerance = 1e-10;
      options.strategy = strategy;
      std::vector<Vec<3>> r(1, Vec<3>::Zero());
      CHECK(solve(single<3>(p.W, b, friction), r, options).status == Status::converged);
      CHECK((r[0] - found.x).norm() < 1e-8 * (1 + found.x.norm()));
    }
  }
  CHECK(ended > count * 9 / 10);
  CHECK(sliding > count / 4);
}

TEST_CASE("impulses of a heap lie in their cones, take energy alone, and leave no approach") {
  // The sum of r . u is the work of friction, and no contact does any other.
  const RigidProblem<3> problem = test::heap(5, 4, GENERATE(0.2, 0.6));
  Options options;
  options.tolerance = 1e-8;
  options.measure = GENERATE(Measure::natural_map, Measure::impulse_error);
  std::vector<Vec<3>> r(problem.size(), Vec<3>::Zero());
  REQUIRE(solve(problem, r, options).status == Status::converged);
  auto bodies = problem.bodies;
  add_impulses(problem, r, bodies);
  double size = 0, outside = 0, approach = 0, work = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const RigidContact<3>& c = problem.contacts[i];
    const auto at = [&](std::uint32_t body, const Vec<3>& arm) {
      return body == kImmovable ? Vec<3>(Vec<3>::Zero()) : Vec<3>(bodies[body].velocity + bodies[body].spin.cross(arm));
    };
    const Vec<3> u = c.frame * (at(c.b, c.arm_b) - at(c.a, c.arm_a)) + c.w;
    outside = std::fmax(outside, r[i].tail<2>().norm() - c.friction * r[i][0]);
    approach = std::fmax(approach, -u[0]);
    size = std::fmax(size, r[i].norm());
    work += r[i].dot(u);
  }
  double energy = 0;  // that the bodies would have without contacts
  for (const RigidBody<3>& body : problem.bodies) energy += 0.5 * body.velocity.squaredNorm() / body.inverse_mass;
  WARN("outside the cone " << outside / size << ", approach " << approach / 9.81e-3 << " g dt, work " << work / energy);
  CHECK(outside < 1e-12 * size);
  CHECK(approach < 1e-6 * 9.81e-3);
  CHECK(work < options.tolerance * energy);
}

TEST_CASE("options that mean nothing are refused, and so is friction without bound") {
  using Catch::Matchers::ContainsSubstring;
  RigidProblem<3> problem = test::heap(2, 2, 0.5);
  std::vector<Vec<3>> r(problem.size(), Vec<3>::Zero());
  Options options;
  options.overtime = -1;
  CHECK(refusal(problem, r, options) == "overtime is -1; allowed: 0 or more");
  options.overtime = std::nan("");
  CHECK_THAT(refusal(problem, r, options), ContainsSubstring("overtime is nan; allowed: 0 or more"));
  options = {};
  options.max_sweeps = -1;
  CHECK(refusal(problem, r, options) == "max_sweeps is -1; allowed: 0 or more");
  options = {};
  options.threads = 0;
  CHECK(refusal(problem, r, options) == "threads is 0; allowed: 1 or more");
  options = {};
  options.tolerance = std::nan("");
  CHECK_THAT(refusal(problem, r, options), ContainsSubstring("tolerance is nan; allowed: more than 0"));
  problem.contacts[2].friction = HUGE_VAL;
  CHECK(refusal(problem, r) == "friction of contact 2 is inf; allowed: 0 or more, finite, and kJoint");
}

TEST_CASE("very large friction holds a contact fast") {
  Random random(33);
  for (int i = 0; i < 200; ++i) {
    const LocalProblem<3> p = make_local_problem<3>(random_w<3>(random, 1), 1e8);
    const Vec<3> stuck(random.uniform(0.1, 1), random.normal(), random.normal()), b = -(p.W * stuck);
    const auto found = solve_contact<3, LocalSolver::hybrid>(p, b, Vec<3>::Zero());
    CHECK(broken<3>(p, b, found.x) < 1e-9);
    if (b[0] < 0) CHECK((found.x - stuck).norm() < 1e-9 * stuck.norm());
  }
}

// One of 800,000 with a condition of 1e8 at most. It sticks, with an impulse of 6e6 (relative residual 8e-13); one step
// of refinement leaves 4e-11 of it, which is more than the local tolerance, and no other branch finds it.
TEST_CASE("a contact whose block has two eigenvalues near 5e-8 sticks with a large impulse") {
  Mat<3> w;
  w << 0.37741573502499304, 0.67635772867189659, 0.7296195002851481,  //
      0.67635772867189659, 1.2120847770292893, 1.3075338707282151,    //
      0.7296195002851481, 1.3075338707282151, 1.4104994879457178;
  const LocalProblem<3> p = make_local_problem<3>(w, 1.0084280536389494);
  const Vec<3> b(-0.081734637868159696, 0.55731257124467204, 0.4475564457695419);
  const Vec<3> solution(5.719366e6, -2.373819e6, -7.579673e5);
  const auto found = solve_contact<3, LocalSolver::hybrid>(p, b, Vec<3>::Zero());
  CHECK(broken<3>(p, b, found.x) < 1e-9);
  CHECK((found.x - solution).norm() < 1e-5 * solution.norm());
}
