/// \file The solver alone: the convex problem against another method, the law of Drucker and Prager, threads, refusals.

#include "solvers/drucker_prager/solve.hpp"

#include <stdexcept>
#include <string>

#include "catch.hpp"
#include "solvers/drucker_prager/search.hpp"
#include "solvers/drucker_prager/test_bed.hpp"
#include "solvers/drucker_prager/test_random.hpp"

using namespace scree::continuum;
using namespace scree::continuum::test;

namespace {

/// Phase A alone.
template <int D>
std::vector<Vec<D>> convex_velocities(const StrainProblem<D>& problem) {
  std::vector<Stress<D>> stress(problem.strain.size(), Stress<D>::Zero());
  std::vector<Vec<D>> velocity(problem.velocity.size());
  const Solution<D> solution{stress, {}, velocity, {}};
  Iterate<D> iterate;
  iterate.prepare(problem, 1);
  iterate.set_shift(true);
  iterate.load(solution);
  Momentum<D> momentum(iterate);
  for (int k = 0; k < 20000; ++k) {
    iterate.template sweep<Shift::fixed>();
    if (k % 20 == 0 && std::sqrt(iterate.squares().convex) < 1e-13) break;
    momentum.advance();
  }
  iterate.write(solution);
  return velocity;
}

/// \return the largest difference between phase A and projected gradients, relative to velocities
template <int D>
double difference(std::uint64_t seed, bool viscous = false) {
  const RandomProblem<D> random(seed, viscous);
  const DenseProblem<D> dense(random);
  double error = 0;
  const Eigen::VectorXd expected = dense.optimum(dense.shift(random.start), error);
  REQUIRE(error < 1e-12);
  const std::vector<Vec<D>> found = convex_velocities<D>(random.problem());
  double largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    largest = std::fmax(largest, (found[i] - expected.segment<D>(D * Eigen::Index(i))).norm());
  }
  return largest / expected.norm();
}

template <int D>
std::string refusal(const StrainProblem<D>& problem, Bed<D>& bed, const Options& options = {}) {
  try {
    solve(problem, {bed.stress, bed.impulses, bed.end, {}}, options, bed.workspace);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

/// ( sum |r - P_K(r - gamma^ / rho)|^2 )^(1/2), row by row from the velocities the solver returned.
template <int D>
double natural_map(const StrainProblem<D>& problem, const Bed<D>& bed) {
  double sum = 0;
  for (std::size_t j = 0; j < problem.strain.size(); ++j) {
    const StrainRow<D>& row = problem.strain[j];
    Stress<D> rate = row.k * Stress<D>::Unit(0);
    Mat<D> mobility = Mat<D>::Zero();
    for (int n = 0; n < kNeighbours<D>; ++n) {
      if (row.node[n] == kNoNode) continue;
      rate += strain_rate<D>(row.g[n], bed.end[row.node[n]]);
      mobility += problem.inverse_mass[row.node[n]][0] * row.g[n] * row.g[n].transpose();
    }
    rate[0] += shift_of<D>(rate, row.friction);
    const double rho = std::fmax(0.6 * mobility.trace(), mobility.cwiseAbs().rowwise().sum().maxCoeff());
    sum += (bed.stress[j] - project<D>(bed.stress[j] - rate / rho, row.friction, row.apex)).squaredNorm();
  }
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("phase A finds the optimum of random convex problems that projected gradients find") {
  double largest = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    largest = std::max({largest, difference<2>(seed), difference<3>(seed)});
  }
  WARN("largest relative difference of 100 problems: " << largest);
  CHECK(largest < 1e-8);  // both stop at steps of 1e-13; the condition of random rows is below 1e4
}

TEST_CASE("phase A finds the optimum of random problems with viscosity") {
  double largest = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    largest = std::max({largest, difference<2>(seed, true), difference<3>(seed, true)});
  }
  WARN("largest relative difference of 100 problems: " << largest);
  CHECK(largest < 1e-8);
}

TEST_CASE("random problems with shift and apex are solved, or said not to be") {
  int solved = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const RandomProblem<2> random(seed);
    std::vector<Stress<2>> stress(random.rows.size(), Stress<2>::Zero());
    std::vector<Vec<2>> velocity(random.velocity.size());
    Workspace<2> workspace;
    Options options;
    options.tolerance = 1e-8, options.max_sweeps = 3000;
    const Report report = solve(random.problem(), {stress, {}, velocity, {}}, options, workspace);
    CHECK((report.status == Status::solved) == (report.error <= options.tolerance));
    solved += report.status == Status::solved;
  }
  WARN(solved << " of 100 solved");
  CHECK(solved >= 95);
}

TEST_CASE("a sliding bed satisfies the law of Drucker and Prager to the tolerance") {
  BedSettings settings;
  settings.angle = 35 * M_PI / 180;
  Bed<2> bed(settings);
  Options options;
  options.tolerance = 1e-8, options.max_sweeps = 5000;
  const StrainProblem<2> problem = bed.problem();
  const Report report = bed.advance(options);
  REQUIRE(report.status == Status::solved);
  const double map = natural_map<2>(problem, bed) / (problem.pressure * std::sqrt(bed.nodes()));
  CHECK(map == Approx(report.error).epsilon(1e-4));
  CHECK(map <= options.tolerance);
  CHECK(report.error <= options.tolerance);
}

TEST_CASE("1, 2, 3 threads give a continuum the same bits") {
  BedSettings settings;
  settings.depth = 10, settings.width = 9, settings.angle = 0.6, settings.floor = 0.4;
  Options options;
  options.tolerance = 1e-9, options.max_sweeps = 120, options.first_try = 60;
  Bed<3> alone(settings);
  alone.start.back()[0] = 0.3;
  const Report one = alone.advance(options);
  for (const int threads : {2, 3}) {
    options.threads = threads;
    Bed<3> shared(settings);
    shared.start.back()[0] = 0.3;
    const Report other = shared.advance(options);
    CHECK(other.error == one.error);
    CHECK(shared.stress == alone.stress);
    CHECK(shared.impulses == alone.impulses);
    CHECK(shared.end == alone.end);
  }
}

TEST_CASE("a workspace that has served before leaves no trace") {
  BedSettings small, large;
  large.depth = 20, large.angle = 0.5;
  small.depth = 5, small.angle = 0.55;
  Bed<2> first(small), second(small), other(large);
  first.advance({});
  other.advance({});
  std::swap(second.workspace, other.workspace);
  second.advance({});
  CHECK(first.stress == second.stress);
  CHECK(first.end == second.end);
}

TEST_CASE("the caller's blocks and the solver's colours end at the same velocities") {
  BedSettings settings;
  settings.angle = 0.6;
  Options options;
  options.tolerance = 1e-9, options.max_sweeps = 5000;
  Bed<2> coloured(settings), in_order(settings);
  REQUIRE(coloured.advance(options).status == Status::solved);
  StrainProblem<2> problem = in_order.problem();
  const std::vector<std::uint32_t> block = {0, static_cast<std::uint32_t>(in_order.nodes())}, colour = {0, 1};
  problem.blocks = {block, colour};
  REQUIRE(solve(problem, {in_order.stress, {}, in_order.end, {}}, options, in_order.workspace).status ==
          Status::solved);
  // Errors of 1e-9 leave velocities of about 4 tol g dt open.
  for (std::size_t i = 0; i < coloured.nodes(); ++i) CHECK((coloured.end[i] - in_order.end[i]).norm() < 1e-8);
}

TEST_CASE("problems that are none are refused with what is wrong") {
  using Catch::Matchers::ContainsSubstring;
  Bed<2> bed({});
  StrainProblem<2> problem = bed.problem();
  Options options;
  options.tolerance = 0;
  CHECK_THAT(refusal(problem, bed, options), ContainsSubstring("tolerance is 0; allowed: more than 0"));
  problem.face = 0;
  CHECK_THAT(refusal(problem, bed), ContainsSubstring("face is 0; allowed: more than 0, finite"));
  problem.face = 1;
  problem.velocity = problem.velocity.first(3);
  CHECK_THAT(refusal(problem, bed), ContainsSubstring("inverse masses for 3 nodes; give one for each"));
  problem = bed.problem();
  bed.rows[7].node[4] = 1000;
  CHECK_THAT(refusal(problem, bed), ContainsSubstring("strain row 7 names node 1000 of 52; for none give kNoNode"));
  bed.rows[7].node[4] = 7;
  bed.rows[7].k = HUGE_VAL;
  CHECK_THAT(refusal(problem, bed), ContainsSubstring("k of strain row 7 is inf; allowed: finite"));
  bed.rows[7].k = 0;
  bed.rows[7].viscosity = -1;
  CHECK_THAT(refusal(problem, bed), ContainsSubstring("viscosity of strain row 7 is -1; allowed: 0 or more, finite"));
  bed.rows[7].viscosity = 0;
  const std::vector<std::uint32_t> block = {0, 20, 52}, colour = {0, 2};
  problem.blocks = {block, colour};
  CHECK_THAT(refusal(problem, bed), ContainsSubstring("blocks 0 and 1 of colour 0 share node"));
  problem.blocks.block_start = problem.blocks.block_start.first(2);
  CHECK_THAT(refusal(problem, bed), ContainsSubstring("block_start has to go from 0 to 52, the number of strain rows"));
  problem.blocks = {};
  problem.contacts =
      bed.contacts = {{kImmovable, 52, Mat<2>::Identity(), Vec<2>::Zero(), Vec<2>::Zero(), Vec<2>::Zero(), 0.3}};
  bed.impulses.resize(1, Vec<2>::Zero());
  CHECK_THAT(refusal(problem, bed), ContainsSubstring("contact 0 names row 52 of 52 nodes and 0 bodies"));
  bed.contacts[0].b = 5;
  CHECK(refusal(problem, bed) == "accepted");
  std::vector<SecondNode> second = {{5, 0.5}};
  problem.second = second;
  CHECK_THAT(refusal(problem, bed),
             ContainsSubstring("contact 0 is between nodes 5 and 5 of 52; give two that differ"));
  second[0] = {6, 1.5};
  CHECK_THAT(refusal(problem, bed), ContainsSubstring("share of the second node of contact 0 is 1.5; allowed: 0 to 1"));
  second[0].share = 0.5;
  CHECK(refusal(problem, bed) == "accepted");
  options.fine_tolerance = -1;
  CHECK_THAT(refusal(problem, bed, options), ContainsSubstring("tolerance is 0; allowed: more than 0"));
}
