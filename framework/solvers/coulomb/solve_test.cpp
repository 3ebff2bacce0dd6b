#include "solvers/coulomb/solve.hpp"

#include <algorithm>

#include "catch.hpp"
#include "solvers/coulomb/assemble.hpp"
#include "solvers/coulomb/colouring.hpp"
#include "solvers/coulomb/test_problems.hpp"
#include "solvers/coulomb/test_solve.hpp"
#include "verify.hpp"

using namespace scree::coulomb;
using namespace scree::coulomb::test;

namespace {

template <int D>
double kinetic_energy(std::span<const RigidBody<D>> bodies) {
  double energy = 0;
  for (const RigidBody<D>& b : bodies) {
    if (b.inverse_mass > 0) energy += 0.5 * b.velocity.squaredNorm() / b.inverse_mass;
    if (b.inverse_inertia(0, 0) > 0) energy += 0.5 * b.spin.squaredNorm() / b.inverse_inertia(0, 0);
  }
  return energy;
}

}  // namespace

TEST_CASE("a heap of spheres has the same solution with W and without") {
  const RigidProblem<3> rigid = test::heap(5, 3, 0.4);
  const DelassusProblem<3> delassus = assemble(rigid);
  std::vector<Vec<3>> r, s;
  const Report a = solve_cold(rigid, r, tight(1e-8)), b = solve_cold(delassus, s, tight(1e-8));
  INFO(rigid.size() << " contacts, " << a.sweeps << " sweeps, " << a.error << " and " << b.sweeps << ", " << b.error);
  CHECK(a.status == Status::converged);
  CHECK(b.status == Status::converged);
  CHECK(error(delassus, r, Measure::natural_map) == Approx(a.error).epsilon(1e-3));
}

TEST_CASE("a mass sticks or slides on a floor as Coulomb's law has it") {
  std::vector<Vec<3>> r;
  const double mass = 2, mu = 0.5;
  // Normal impulse m |v_N| stops the approach; the tangential one needed to stop it is m |v_T|.
  CHECK(solve_cold(mass_on_floor<3>(mass, {-1, 0.3, 0.39}, mu), r, tight()).status == Status::converged);
  scree::test::verify("impulse that sticks, less Coulomb's [N s]", 0, (r[0] - Vec<3>(2, -0.6, -0.78)).norm(),
                      1e-12);  // 0.492 < mu: stick
  solve_cold(mass_on_floor<3>(mass, {-1, 3, 4}, mu), r, tight());
  scree::test::verify("impulse that slides, less Coulomb's [N s]", 0, (r[0] - Vec<3>(2, -0.6, -0.8)).norm(),
                      1e-12);  // slide: mu m |v_N| against the motion
  solve_cold(mass_on_floor<3>(mass, {1, 3, 4}, mu), r, tight());
  CHECK(r[0].norm() == 0);  // take-off
  std::vector<Vec<2>> plane;
  solve_cold(mass_on_floor<2>(mass, {-1, 0.49}, mu), plane, tight());
  CHECK((plane[0] - Vec<2>(2, -0.98)).norm() < 1e-12);
  solve_cold(mass_on_floor<2>(mass, {-1, -0.51}, mu), plane, tight());
  CHECK((plane[0] - Vec<2>(2, 1)).norm() < 1e-12);
  solve_cold(mass_on_floor<3>(mass, {-1, 3, 4}, 0), r, tight());
  CHECK((r[0] - Vec<3>(2, 0, 0)).norm() < 1e-12);
}

TEST_CASE("a ball dropped on a floor in slip leaves it slipping, or rolling, as rigid impact has it") {
  // Sliding sphere: the impulse that ends slip is m v / (1 + 5/2); friction allows mu m |v_N|.
  RigidProblem<3> problem{
      {test::ball<3>(1, 0.5)},
      {{kImmovable, 0, Mat<3>::Identity(), Vec<3>::Zero(), Vec<3>(-0.5, 0, 0), Vec<3>::Zero(), 0.5}}};
  problem.bodies[0].velocity = {-1, 0.7, 0};
  std::vector<Vec<3>> r;
  solve_cold(problem, r, tight());
  scree::test::verify("impulse of a ball that begins to roll, less the exact one [N s]", 0,
                      (r[0] - Vec<3>(1, -0.2, 0)).norm(), 1e-12);  // 0.7 * 2/7 < 0.5: rolls
  auto bodies = problem.bodies;
  add_impulses(problem, r, bodies);
  CHECK(bodies[0].velocity[1] == Approx(0.5));  // 5/7 of its speed
  CHECK((bodies[0].velocity + bodies[0].spin.cross(Vec<3>(-0.5, 0, 0))).norm() < 1e-12);
}

TEST_CASE("level j of a stack carries the weight above, a thousandfold mass on top included") {
  const int count = 10;
  const double last = GENERATE(1.0, 1000.0);
  const RigidProblem<3> problem = stack(count, last);
  std::vector<Vec<3>> r;
  const Report report = solve_cold(problem, r, tight(1e-9));
  WARN("top mass " << last << ": " << report.sweeps << " sweeps, " << report.factorisations << " factorisations");
  REQUIRE(report.status == Status::converged);
  for (int j = 0; j < count; ++j) {
    const double weight = (count - 1 - j + last) * kGravity * kStep;
    scree::test::verify("impulse of a level, weight above it [N s]", weight, r[j][0], 1e-5);
    CHECK(r[j].tail<2>().norm() < 1e-6 * weight);
  }
}

TEST_CASE("contacts without restitution never raise kinetic energy") {
  RigidProblem<3> problem = test::heap(5, 4, GENERATE(0.0, 0.2, 0.9), false);
  Random random(5);
  for (auto& body : problem.bodies) {
    body.velocity = 0.1 * random.vector<3>();
    body.spin = 0.1 * random.vector<3>();
  }
  std::vector<Vec<3>> r;
  Options options = tight(1e-5);
  options.max_sweeps = 1000;
  const Report report = solve_cold(problem, r, options);
  auto bodies = problem.bodies;
  add_impulses(problem, r, bodies);
  CHECK(report.error < 1e-2);
  CHECK(kinetic_energy<3>(bodies) < kinetic_energy<3>(problem.bodies));
}

TEST_CASE("1, 2, 3 threads give the same bits") {
  const RigidProblem<3> rigid = test::heap(8, 8, 0.4);
  const DelassusProblem<3> delassus = assemble(rigid);
  REQUIRE(rigid.size() > 2000);
  Options options = tight(1e-6);
  options.max_sweeps = 60;
  std::vector<Vec<3>> one, other;
  const Report alone = solve_cold(rigid, one, options);
  for (const int threads : {2, 3}) {
    options.threads = threads;
    const Report shared = solve_cold(rigid, other, options);
    CHECK(other == one);
    CHECK(shared.error == alone.error);
    CHECK(shared.branches.stick == alone.branches.stick);
  }
  options.threads = 1;
  solve_cold(delassus, one, options);
  options.threads = 3;
  solve_cold(delassus, other, options);
  CHECK(other == one);
}

TEST_CASE("a workspace leaves no trace of the problems it has served before") {
  // The second has the contacts of the first, at other places and with one ball held fast; the third has others.
  std::vector<RigidProblem<3>> problems(2, test::heap(7, 8, 0.4));
  for (auto& body : problems[1].bodies) body.velocity[0] = 1e-3;
  problems[1].bodies[200].inverse_mass = 0;
  problems[1].bodies[200].inverse_inertia.setZero();
  problems.push_back(test::heap(8, 7, 0.4, true, 2));
  problems.push_back(test::heap(3, 3, 0.4));
  problems.push_back(problems[0]);
  Options options = tight(1e-6);
  options.max_sweeps = 40;
  Workspace<3> workspace;
  for (const RigidProblem<3>& problem : problems) {
    std::vector<Vec<3>> alone, here(problem.size(), Vec<3>::Zero());
    options.threads = 1;
    const Report fresh = solve_cold(problem, alone, options);
    options.threads = 2;
    const Report used = solve(problem, here, options, workspace);
    CHECK(here == alone);
    CHECK(used.error == fresh.error);
    CHECK(used.branches.stick == fresh.branches.stick);
  }
}

TEST_CASE("contacts of one colour share no body that moves, be it one that touches hundreds") {
  RigidProblem<3> problem = test::heap(6, 6, 0.5);
  const auto big = static_cast<std::uint32_t>(problem.bodies.size());
  problem.bodies.push_back(test::ball<3>(100, 5));
  for (std::uint32_t b = 0; b < big; ++b) {
    problem.contacts.push_back(problem.contacts[b]);
    problem.contacts.back().a = b, problem.contacts.back().b = big;
  }
  problem.bodies[7].inverse_mass = 0;
  problem.bodies[7].inverse_inertia.setZero();
  const Order order = colour(problem);
  REQUIRE(order.colour_start.size() > 200);
  std::vector<int> visits(problem.size(), 0);
  for (std::size_t c = 0; c + 1 < order.colour_start.size(); ++c) {
    std::vector<int> touched(problem.bodies.size(), 0);
    for (std::size_t i = order.colour_start[c]; i < order.colour_start[c + 1]; ++i) {
      ++visits[order.contact[i]];
      for (const std::uint32_t body : {problem.contacts[order.contact[i]].a, problem.contacts[order.contact[i]].b})
        if (body != kImmovable && body != 7) ++touched[body];
    }
    CHECK(*std::max_element(touched.begin(), touched.end()) == 1);
  }
  CHECK(std::count(visits.begin(), visits.end(), 1) == static_cast<std::ptrdiff_t>(problem.size()));
}

TEST_CASE("nothing to solve is solved") {
  std::vector<Vec<3>> none;
  CHECK(solve(DelassusProblem<3>{{0}, {}, {}, {}, {}}, none, {}).status == Status::converged);
  const Report report = solve(RigidProblem<3>{}, none, {});
  CHECK(report.status == Status::converged);
  CHECK(report.error == 0);
}

TEST_CASE("a body of no inverse mass moves others and is not moved") {
  // A belt: infinitely heavy, running at 1 m/s under a ball that falls on it.
  RigidProblem<3> belt{{test::ball<3>(1, 0.5), test::ball<3>(1, 0.5)},
                       {{0, 1, Mat<3>::Identity(), Vec<3>::Zero(), Vec<3>(-0.5, 0, 0), Vec<3>::Zero(), 5}}};
  belt.bodies[0].inverse_mass = 0;
  belt.bodies[0].inverse_inertia.setZero();
  belt.bodies[0].velocity = {0, 1, 0};
  belt.bodies[1].velocity = {-1, 0, 0};
  std::vector<Vec<3>> r;
  CHECK(solve_cold(belt, r, tight()).status == Status::converged);
  CHECK((r[0] - Vec<3>(1, 2. / 7, 0)).norm() < 1e-12);
  auto bodies = belt.bodies;
  add_impulses(belt, r, bodies);
  CHECK(bodies[0].velocity == belt.bodies[0].velocity);
}

TEST_CASE("a heap solves to every measure, and from its solution in no sweep") {
  const RigidProblem<3> problem = test::heap(7, 7, 0.5);
  Options options = tight(1e-6);
  options.measure = GENERATE(Measure::natural_map, Measure::fischer_burmeister, Measure::impulse_error);
  std::vector<Vec<3>> r;
  const Report cold = solve_cold(problem, r, options);
  REQUIRE(cold.status == Status::converged);
  // A tolerance asks the same of a start from nothing as of one from the solution.
  CHECK(error(problem, r, options.measure) == Approx(cold.error).epsilon(1e-6));
  const Report warm = solve(problem, r, options);
  WARN(problem.size() << " contacts: " << cold.sweeps << " sweeps cold, " << warm.sweeps << " warm");
  CHECK(warm.status == Status::converged);
  CHECK(warm.sweeps == 0);
}

TEST_CASE("impulses that nothing asks for any more vanish, in comparison with what they were") {
  RigidProblem<3> problem = test::heap(3, 3, 0.5);
  Options options = tight(1e-8);
  options.measure = Measure::impulse_error;
  std::vector<Vec<3>> r;
  REQUIRE(solve_cold(problem, r, options).status == Status::converged);
  const double before = r[0].norm();
  for (auto& body : problem.bodies) body.velocity.setZero();
  CHECK(solve(problem, r, options).status == Status::converged);
  std::vector<RigidBody<3>> bodies = problem.bodies;
  add_impulses(problem, r, bodies);
  for (const auto& body : bodies) CHECK(body.velocity.norm() < 1e-6 * before * body.inverse_mass);
}

TEST_CASE("the unit-free measures do not change with the units of mass, length and time") {
  RigidProblem<3> problem = test::heap(4, 3, 0.5);
  Options options = tight(1e-20);
  options.max_sweeps = 7;
  options.strategy = Strategy::gauss_seidel;
  options.measure = GENERATE(Measure::fischer_burmeister, Measure::impulse_error);
  std::vector<Vec<3>> r;
  const Report si = solve_cold(problem, r, options);
  for (auto& body : problem.bodies) {
    body.velocity *= 4096;
    body.inverse_mass /= 1024;
    body.inverse_inertia /= 1024;
    body.spin *= 4096;
  }
  const Report other = solve_cold(problem, r, options);
  CHECK(other.error == Approx(si.error).epsilon(1e-9));
  CHECK(si.status == Status::stalled);
}

TEST_CASE("what is no problem is refused, and the text says why") {
  using Catch::Matchers::ContainsSubstring;
  RigidProblem<3> rigid = test::heap(2, 2, 0.5);
  std::vector<Vec<3>> r(rigid.size(), Vec<3>::Zero()), few(1, Vec<3>::Zero());
  CHECK_THAT(refusal(rigid, few), ContainsSubstring("1 impulses for"));
  auto broken = rigid;
  broken.contacts[3].friction = -0.5;
  CHECK_THAT(refusal(broken, r), ContainsSubstring("friction of contact 3 is -0.5; allowed: 0 or more"));
  broken = rigid;
  broken.contacts[2].w[1] = std::nan("");
  CHECK_THAT(refusal(broken, r), ContainsSubstring("w of contact 2 has an entry that is not finite"));
  broken = rigid;
  broken.contacts[1].b = 99;
  CHECK_THAT(refusal(broken, r), ContainsSubstring("contact 1 names body 99 of 8"));
  broken = rigid;
  broken.contacts[1].frame *= 2;
  CHECK_THAT(refusal(broken, r), ContainsSubstring("frame of contact 1 is not orthonormal"));
  DelassusProblem<3> delassus = assemble(rigid);
  delassus.block[0](0, 0) = std::nan("");
  CHECK_THAT(refusal(delassus, r), ContainsSubstring("W in row 0 has an entry that is not finite"));
  delassus = assemble(rigid);
  delassus.friction.pop_back();
  CHECK_THAT(refusal(delassus, r), ContainsSubstring("friction values for"));
  Options options;
  options.tolerance = 0;
  CHECK_THAT(refusal(rigid, r, options), ContainsSubstring("tolerance is 0; allowed: more than 0"));
  options = {};
  options.strategy = Strategy::admm;
  rigid.contacts.resize(kMostFactorised + 1, rigid.contacts[0]);
  r.resize(rigid.size(), Vec<3>::Zero());
  CHECK_THAT(refusal(rigid, r, options), ContainsSubstring("ADMM alone takes at most 20000 contacts; these are 20001"));
  options.strategy = Strategy::interior_point;
  CHECK_THAT(refusal(rigid, r, options), ContainsSubstring("the interior-point method alone takes at most 20000"));
}

TEST_CASE("the example of the README") {
  // [README]
  RigidProblem<3> problem;
  problem.bodies = {{/*velocity*/ {-1, 3, 4}, /*spin*/ {0, 0, 0}, /*1/mass*/ 0.5, /*1/inertia*/ Mat<3>::Zero()}};
  problem.contacts = {{kImmovable,
                       0,
                       /*frame*/ Mat<3>::Identity(),
                       /*arms*/ {0, 0, 0},
                       {0, 0, 0},
                       /*w*/ {0, 0, 0},
                       /*friction*/ 0.5}};
  std::vector<Vec<3>> impulses(problem.size(), Vec<3>::Zero());
  Options options;
  options.tolerance = 1e-8;
  const Report report = solve(problem, impulses, options);
  add_impulses(problem, impulses, problem.bodies);
  // impulses[0] is (2, -0.6, -0.8): the floor stops the fall and slows the slip.
  // [README]
  CHECK(report.status == Status::converged);
  CHECK((impulses[0] - Vec<3>(2, -0.6, -0.8)).norm() < 1e-12);
}
