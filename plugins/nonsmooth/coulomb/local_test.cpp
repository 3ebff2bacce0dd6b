#include "catch.hpp"
#include "coulomb/hybrid.hpp"
#include "coulomb/test_problems.hpp"

using namespace scree::coulomb;
using test::Random;

namespace {

/// Q diag(10^U(-decades, 0)) Q^T with a random rotation Q: condition up to 10^decades.
template <int D>
Mat<D> random_spd(Random& random, double decades) {
  const Mat<D> q = random.matrix<D>().householderQr().householderQ();
  Vec<D> spectrum;
  for (int k = 0; k < D; ++k) spectrum[k] = std::pow(10, random.uniform(-decades, 0));
  const Mat<D> w = q * spectrum.asDiagonal() * q.transpose();
  return 0.5 * (w + w.transpose());
}

/// A diag(10^U(-6, 0)) A^T: stretched in every direction, as the blocks of super-helices are.
template <int D>
Mat<D> random_fibre(Random& random) {
  const Mat<D> a = random.matrix<D>();
  Vec<D> spectrum;
  for (int k = 0; k < D; ++k) spectrum[k] = std::pow(10, random.uniform(-6, 0));
  const Mat<D> w = a * spectrum.asDiagonal() * a.transpose();
  return 0.5 * (w + w.transpose());
}

struct Tally {
  int branch[5] = {};
  double worst = 0;
};

template <int D, LocalSolver kSolver, class MakeW>
Tally solve_many(int count, const MakeW& make_w, bool warm) {
  Random random;
  Tally tally;
  for (int i = 0; i < count; ++i) {
    const LocalProblem<D> p = make_local_problem<D>(make_w(random), random.uniform(0.02, 1.2));
    const Vec<D> b = random.vector<D>();
    const Vec<D> start = warm ? Vec<D>(random.vector<D>()) : Vec<D>::Zero();
    const auto solution = solve_contact<D, kSolver>(p, b, start);
    ++tally.branch[static_cast<int>(solution.branch)];
    tally.worst = std::fmax(tally.worst, relative_residual<D>(p, b, solution.x));
  }
  UNSCOPED_INFO("take-off " << tally.branch[0] << ", stick " << tally.branch[1] << ", newton " << tally.branch[2]
                            << ", quartic " << tally.branch[3] << ", unsolved " << tally.branch[4] << ", worst "
                            << tally.worst);
  return tally;
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("the hybrid solver solves every contact whose W is positive definite", "", ((int D), D), 2, 3) {
  const auto spd = [](Random& random) { return random_spd<D>(random, 8); };
  const auto fibre = [](Random& random) { return random_fibre<D>(random); };
  for (const bool warm : {false, true}) {
    const Tally a = solve_many<D, LocalSolver::hybrid>(50000, spd, warm);
    CHECK(a.worst < 1e-9);
    const Tally b = solve_many<D, LocalSolver::hybrid>(50000, fibre, warm);
    CHECK(b.worst < 1e-9);
    for (int k = 0; k < 4; ++k) CHECK(a.branch[k] + b.branch[k] > 0);
  }
}
