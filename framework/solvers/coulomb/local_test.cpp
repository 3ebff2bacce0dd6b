#include "catch.hpp"
#include "solvers/coulomb/hybrid.hpp"
#include "solvers/coulomb/test_problems.hpp"
#include "random_cases.hpp"

using namespace scree::coulomb;
using scree::test::random_cases;
using test::Random;

namespace {

/// An orthonormal basis, uniform over directions (Gram-Schmidt on normal vectors).
template <int D>
Mat<D> random_basis(Random& random) {
  Mat<D> q;
  for (int k = 0; k < D; ++k) {
    Vec<D> v = random.vector<D>();
    for (int twice = 0; twice < 2; ++twice) {
      for (int j = 0; j < k; ++j) v -= v.dot(q.col(j)) * q.col(j);
    }
    q.col(k) = v / v.norm();
  }
  return q;
}

/// A diag(10^U(-decades, 0)) A^T.
template <int D>
Mat<D> stretched(Random& random, const Mat<D>& a, double decades) {
  Vec<D> spectrum;
  for (int k = 0; k < D; ++k) spectrum[k] = std::pow(10, random.uniform(-decades, 0));
  const Mat<D> w = a * spectrum.asDiagonal() * a.transpose();
  return 0.5 * (w + w.transpose());
}

/// Condition up to 1e8.
template <int D>
Mat<D> random_spd(Random& random) {
  return stretched<D>(random, random_basis<D>(random), 8);
}

/// As the blocks of super-helices: a general A.
template <int D>
Mat<D> random_fibre(Random& random) {
  return stretched<D>(random, random.matrix<D>(), 6);
}

/// A well-conditioned W with an unsymmetric part of a few parts in a hundred.
template <int D>
Mat<D> random_unsymmetric(Random& random) {
  return stretched<D>(random, random_basis<D>(random), 1) + 0.003 * random.matrix<D>();
}

struct Tally {
  int branch[kBranches] = {};
  double worst = 0;

  int of(Branch b) const { return branch[static_cast<int>(b)]; }
};

template <int D, LocalSolver kSolver, class MakeW>
Tally solve_many(int count, const MakeW& make_w, bool warm) {
  Random random;
  Tally tally;
  for (int i = 0; i < count; ++i) {
    const LocalProblem<D> p = make_local_problem<D>(make_w(random), random.uniform(0.02, 1.2));
    const Vec<D> b = random.vector<D>();
    const Vec<D> start = warm ? random.vector<D>() : Vec<D>(Vec<D>::Zero());
    const auto solution = solve_contact<D, kSolver>(p, b, start);
    ++tally.branch[static_cast<int>(solution.branch)];
    tally.worst = std::fmax(tally.worst, relative_residual<D>(p, b, solution.x));
  }
  WARN("take-off " << tally.of(Branch::take_off) << ", stick " << tally.of(Branch::stick) << ", slide "
                   << tally.of(Branch::slide) << ", newton " << tally.of(Branch::newton) << ", quartic "
                   << tally.of(Branch::quartic) << ", unsolved " << tally.of(Branch::unsolved) << ", worst residual "
                   << tally.worst);
  return tally;
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("the hybrid solver solves every contact whose W is positive definite", "", ((int D), D), 2, 3) {
  const int count = random_cases(30000);
  for (const bool warm : {false, true}) {
    const Tally spd = solve_many<D, LocalSolver::hybrid>(count, random_spd<D>, warm);
    const Tally fibre = solve_many<D, LocalSolver::hybrid>(count, random_fibre<D>, warm);
    CHECK(spd.worst < 1e-9);
    CHECK(fibre.worst < 1e-9);
    for (const Branch b : {Branch::take_off, Branch::stick, Branch::newton, Branch::quartic}) {
      CHECK(spd.of(b) + fibre.of(b) > 0);
    }
    CHECK(spd.of(Branch::unsolved) + fibre.of(Branch::unsolved) == 0);
  }
}

TEMPLATE_TEST_CASE_SIG("each solver of one contact works alone, the roots without exception", "", ((int D), D), 2, 3) {
  const int count = random_cases(10000);
  const Tally newton = solve_many<D, LocalSolver::newton>(count, random_fibre<D>, false);
  CHECK(newton.of(Branch::unsolved) < count / 5);
  CHECK(newton.of(Branch::newton) + newton.of(Branch::unsolved) == count);
  const Tally roots = solve_many<D, LocalSolver::enumerative>(count, random_fibre<D>, false);
  CHECK(roots.worst < 1e-9);
  CHECK(roots.of(Branch::newton) == 0);
}

TEMPLATE_TEST_CASE_SIG("a slightly unsymmetric W is solved all the same", "", ((int D), D), 2, 3) {
  CHECK(solve_many<D, LocalSolver::hybrid>(random_cases(10000), random_unsymmetric<D>, true).worst < 1e-9);
}

TEST_CASE("what the hybrid solver finds for a sliding contact is among the roots of the quartic") {
  Random random(7);
  int sliding = 0, several = 0;
  const int count = random_cases(5000);
  for (int i = 0; i < count; ++i) {
    const LocalProblem<3> p = make_local_problem<3>(random_fibre<3>(random), random.uniform(0.1, 1.5));
    const Vec<3> b = random.vector<3>();
    const auto found = solve_contact<3, LocalSolver::hybrid>(p, b, Vec<3>::Zero());
    if (found.branch != Branch::slide && found.branch != Branch::newton) continue;
    if (p.regular == false) continue;  // coordinates of x are not determined to many digits
    ++sliding;
    int roots = 0;
    double nearest = 1;
    for_each_slide(p, b, [&](Vec<3> x) {
      if (!(newton<3>(p, b, x) < kLocalTolerance)) return;
      ++roots;
      nearest = std::fmin(nearest, (x - found.x).norm() / x.norm());
    });
    several += roots > 1;
    CHECK(nearest < 1e-6);
  }
  CHECK(sliding > count / 10);
  WARN(sliding << " slide, " << several << " of them in more than one way");
}

TEMPLATE_TEST_CASE_SIG("the Jacobian of the Fischer-Burmeister function agrees with differences", "", ((int D), D), 2,
                       3) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const LocalProblem<D> p = make_local_problem<D>(random_fibre<D>(random), random.uniform(0.1, 1.5));
    const Vec<D> b = random.vector<D>(), x = random.vector<D>();
    const auto phi = [&](const Vec<D>& at) {
      return fischer_burmeister<D>(ConePair<D>(at, p.W * at + b, p.friction), p.friction);
    };
    const Mat<D> jacobian = contact_jacobian<D>(p, x, p.W * x + b);
    const double h = 1e-6;  // central differences: truncation and rounding both near 1e-10, times curvature
    for (int k = 0; k < D; ++k) {
      const Vec<D> difference = (phi(x + h * Vec<D>::Unit(k)) - phi(x - h * Vec<D>::Unit(k))) / (2 * h);
      CHECK((jacobian.col(k) - difference).norm() < 1e-5 * (1 + difference.norm()));
    }
  }
}

TEMPLATE_TEST_CASE_SIG("elimination solves to rounding, whatever the order of the rows", "", ((int D), D), 2, 3) {
  Random random(11);
  for (int i = 0; i < 200; ++i) {
    Mat<D> a = random.matrix<D>();
    if (i % 2 == 0) a(i % D, i % D) = 0;  // a pivot elsewhere
    const Vec<D> x = random.vector<D>();
    CHECK((a * eliminate<D>(a, a * x) - a * x).norm() < 1e-14 * a.norm() * x.norm());
  }
  CHECK(!eliminate<D>(Mat<D>::Ones(), Vec<D>::Unit(0)).allFinite());
}

TEST_CASE("the Fischer-Burmeister function vanishes where impulse and velocity are complementary, to rounding") {
  const Vec<3> edge(1, 0.6, 0.8), opposite(2, -1.2, -1.6), inside(1, 0.1, 0.2);
  CHECK(fischer_burmeister<3>(edge, opposite).norm() < 1e-15);
  CHECK(fischer_burmeister<3>(edge, Vec<3>::Zero()).norm() < 1e-15);
  CHECK(fischer_burmeister<3>(Vec<3>::Zero(), inside).norm() < 1e-15);
  CHECK(fischer_burmeister<3>(edge, inside).norm() > 0.1);
}

TEST_CASE("every root of a polynomial in [0, 1] is found") {
  // (t - 1/5)(t - 2/5)(t - 3/5)(t - 4/5) in Bernstein's basis, from its powers.
  const double power[] = {24. / 625, -50. / 125, 35. / 25, -2, 1}, binomial[] = {1, 4, 6, 4, 1};
  std::array<double, 5> c{};
  for (int k = 0; k <= 4; ++k) {
    double choose = 1;  // C(k, j) / C(4, j)
    for (int j = 0; j <= k; ++j) {
      c[k] += choose / binomial[j] * power[j];
      choose *= static_cast<double>(k - j) / (j + 1);
    }
  }
  const auto roots = unit_roots<4>(c);
  REQUIRE(roots.count == 4);
  for (int k = 0; k < 4; ++k) CHECK(roots.at[k] == Approx(0.2 * (k + 1)).epsilon(1e-12));
  CHECK(unit_roots<4>({1, 1, 1, 1, 1}).count == 0);
}

TEST_CASE("without friction the impulse is normal, and W_NN alone decides") {
  Random random;
  const LocalProblem<3> p = make_local_problem<3>(random_spd<3>(random), 0);
  const auto pressed = solve_contact<3, LocalSolver::hybrid>(p, Vec<3>(-1, 5, 5), Vec<3>::Zero());
  CHECK(pressed.x[0] == Approx(1 / p.W(0, 0)));
  CHECK(pressed.x.tail<2>().norm() == 0);
  CHECK(solve_contact<3, LocalSolver::hybrid>(p, Vec<3>(1, 5, 5), Vec<3>(3, 0, 0)).x.norm() == 0);
}

TEST_CASE("an isotropic and a singular W are solved, one that cannot be pressed apart is left alone") {
  const auto isotropic = make_local_problem<3>(2 * Mat<3>::Identity(), 0.5);
  const Vec<3> b(-1, 3, 4);
  const auto slide = solve_contact<3, LocalSolver::hybrid>(isotropic, b, Vec<3>::Zero());
  CHECK((slide.x - Vec<3>(1, -0.3, -0.4)).norm() < 1e-12);

  Mat<3> rail = Mat<3>::Zero();  // moves along one tangent and the normal alone
  rail.topLeftCorner<2, 2>() << 1, 0.2, 0.2, 1;
  const auto stuck = make_local_problem<3>(rail, 0.9);
  const Vec<3> reachable(-1, 0.1, 0);
  CHECK(relative_residual<3>(stuck, reachable,
                             solve_contact<3, LocalSolver::hybrid>(stuck, reachable, Vec<3>::Zero()).x) < 1e-9);

  const auto fixed = make_local_problem<3>(Mat<3>::Zero(), 0.5);
  const auto nothing = solve_contact<3, LocalSolver::hybrid>(fixed, b, Vec<3>::Zero());
  CHECK(nothing.branch == Branch::unsolved);
  CHECK(nothing.x.allFinite());
}

TEST_CASE("the projection on the cone is the nearest point of it") {
  Random random;
  for (int i = 0; i < 200; ++i) {
    const double mu = random.uniform(0, 2);
    const Vec<3> z = random.vector<3>(), p = project_on_cone<3>(z, mu);
    CHECK(p.tail<2>().norm() <= mu * p[0] + 1e-14);
    CHECK(std::abs(p.dot(z - p)) < 1e-14);
    const Vec<3> dual = p - z;  // in the dual cone
    CHECK(dual[0] >= mu * dual.tail<2>().norm() - 1e-14);
  }
}
