// What a contact and sweep of the Coulomb solver costs, on one thread and on several, and what a step of a pile does.

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <functional>
#include <string_view>

#include "solvers/coulomb/solve.hpp"
#include "solvers/coulomb/test_problems.hpp"
#include "pile.hpp"

using namespace scree;

namespace {

using coulomb::RigidProblem;
using Impulses = std::vector<coulomb::Vec<3>>;

/// Processor time that each thread of the team has had so far [s].
std::vector<double> processor_times(int threads) {
  std::vector<double> times(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
  {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    times[static_cast<std::size_t>(omp_get_thread_num())] =
        static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
  return times;
}

/// What some work took [s].
struct Cost {
  double wall = 0;
  double busiest = 0;  ///< processor time of the thread that had most; tells something where idle threads sleep

  Cost() = default;
  Cost(int threads, const std::function<void()>& work) {
    const std::vector<double> before = processor_times(threads);
    const auto start = std::chrono::steady_clock::now();
    work();
    wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::vector<double> after = processor_times(threads);
    for (std::size_t t = 0; t < after.size(); ++t) busiest = std::max(busiest, after[t] - before[t]);
  }
  Cost less(const Cost& other, double divisor) const {
    Cost rest;
    rest.wall = (wall - other.wall) / divisor;
    rest.busiest = (busiest - other.busiest) / divisor;
    return rest;
  }
};

/// The same work on one thread and on several, in turn: others on the machine disturb both alike.
struct Costs {
  std::vector<Cost> one, several;

  static double best(const std::vector<Cost>& all, double Cost::*what) {
    double least = HUGE_VAL;
    for (const Cost& c : all) least = std::min(least, c.*what);
    return least;
  }
  void print(std::string_view what, double unit, std::string_view name, int threads) const {
    fmt::print("  {:<24}", fmt::format("{} [{}]", what, name));
    for (const auto measured : {&Cost::wall, &Cost::busiest}) {
      std::vector<double> share;
      for (std::size_t k = 0; k < one.size(); ++k) share.push_back(one[k].*measured / (threads * several[k].*measured));
      std::nth_element(share.begin(), share.begin() + static_cast<std::ptrdiff_t>(share.size() / 2), share.end());
      const double few = best(one, measured), many = best(several, measured);
      fmt::print(" | {:>8.3f} {:>8.3f} {:>10.2f} {:>6.2f}", few / unit, many / unit, few / (threads * many),
                 share[share.size() / 2]);
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
};

void print_head(std::string_view what, int threads) {
  fmt::print("{}\n  {:<24}", what, "");
  for (const char* const kind : {"wall:", "busiest thread:"}) fmt::print(" | {:<35}", kind);
  fmt::print("\n  {:<24}", "");
  for (int k = 0; k < 2; ++k) fmt::print(" | {:>8} {:>8} {:>10} {:>6}", 1, threads, "efficiency", "median");
  fmt::print("\n");
}

/// A search of so many sweeps from nothing, measure and momentum included.
Cost cost_of_sweeps(const RigidProblem<3>& problem, int threads, int sweeps, coulomb::Workspace<3>& workspace) {
  coulomb::Options options;
  options.measure = coulomb::Measure::impulse_error;
  options.tolerance = 1e-300;
  options.max_sweeps = sweeps;
  options.threads = threads;
  Impulses impulses(problem.size(), coulomb::Vec<3>::Zero());
  return Cost(threads, [&] { coulomb::solve(problem, impulses, options, workspace); });
}

void measure(std::string_view name, const RigidProblem<3>& problem, int threads, int rounds) {
  constexpr int kSweeps = 60;
  const double visits = static_cast<double>(problem.size()) * kSweeps;
  Costs first, again, visit;
  for (int round = 0; round < rounds; ++round) {
    for (const int n : {1, threads}) {
      const auto add = [n](Costs& costs, const Cost& cost) { (n == 1 ? costs.one : costs.several).push_back(cost); };
      coulomb::Workspace<3> workspace;
      add(first, cost_of_sweeps(problem, n, 0, workspace));
      const Cost none = cost_of_sweeps(problem, n, 0, workspace);
      add(again, none);
      add(visit, cost_of_sweeps(problem, n, kSweeps, workspace).less(none, visits));
    }
  }
  print_head(fmt::format("{}: {} contacts", name, problem.size()), threads);
  visit.print("contact and sweep", 1e-6, "us", threads);
  first.print("set-up", 1e-3, "ms", threads);
  again.print("set-up in used memory", 1e-3, "ms", threads);

  coulomb::Options options;
  options.tolerance = 1e-4;
  Impulses impulses(problem.size(), coulomb::Vec<3>::Zero());
  coulomb::Report report;
  const Cost cost(1, [&] { report = coulomb::solve(problem, impulses, options); });
  fmt::print("  to a natural map of 1e-4 from nothing on one thread: {}, {} sweeps, {:.2f} s of processor time\n",
             report.status == coulomb::Status::converged ? "solved" : "not solved", report.sweeps, cost.busiest);
}

/// Columns of unit cubes side by side, four contacts in each face between two: W has half as many ranks as rows.
RigidProblem<3> stacks(int side, int height) {
  RigidProblem<3> problem;
  for (int column = 0; column < side * side; ++column) {
    for (int level = 0; level < height; ++level) {
      const auto top = static_cast<std::uint32_t>(problem.bodies.size());
      problem.bodies.push_back(coulomb::test::ball<3>(1, 0.645));
      problem.bodies.back().velocity[2] = -9.81e-3;
      for (const double x : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5})
          problem.contacts.push_back({level == 0 ? coulomb::kImmovable : top - 1, top,
                                      coulomb::test::frame_of(coulomb::Vec<3>(0, 0, 1)), coulomb::Vec<3>(x, y, 0.5),
                                      coulomb::Vec<3>(x, y, -0.5), coulomb::Vec<3>::Zero(), 0.5});
    }
  }
  return problem;
}

/// Steps of beads that settle in a box, by blocks on one thread and on several in turn.
void measure_pile(std::array<int, 3> counts, double rest, int threads, int rounds) {
  constexpr double kSlop = 1e-4, kTolerance = 1e-4;
  constexpr int kSteps = 10;
  test::Pile pile(counts);
  omp_set_num_threads(threads);
  pile.ask({1e-3, kSlop});
  pile.run(rest);
  pile.ask({kTolerance, kSlop});
  pile.run(20 * test::Pile::kStep);
  Costs step;
  double sweeps = 0;
  for (int round = 0; round < rounds; ++round) {
    for (const int n : {1, threads}) {
      omp_set_num_threads(n);
      const Cost cost(n, [&] { sweeps += pile.run(kSteps * test::Pile::kStep).sweeps / (2 * rounds); });
      (n == 1 ? step.one : step.several).push_back(cost.less({}, kSteps));
    }
  }
  print_head(fmt::format("pile of {} beads after {} s, {:.1f} sweeps per step", pile.beads(), rest, sweeps), threads);
  step.print("step", 1e-3, "ms", threads);
}

int usage() {
  fmt::print(
      "Usage: sweep_speed KIND [THREADS [ROUNDS]]\n\n"
      "KIND: heap (27^3 spheres between walls), stacks (of 40 cubes, 25 x 25), pile (10,000 beads that have fallen, "
      "in\n"
      "steps) or small-pile (2000). On one thread and on THREADS (2) in turn, ROUNDS (5) times: shortest times;\n"
      "efficiency is the time on one thread by that on all together, of the shortest and as the median of rounds. The\n"
      "processor time of the busiest thread, of which other programs take nothing, wants OMP_WAIT_POLICY=passive, so\n"
      "that who waits sleeps; it knows of what only one thread does, and not of waiting in turn.\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view kind = argc > 1 ? argv[1] : "";
  const int threads = argc > 2 ? std::atoi(argv[2]) : 2, rounds = argc > 3 ? std::atoi(argv[3]) : 5;
  if (threads < 2 || rounds < 1) return usage();
  if (kind == "heap")
    measure("heap of 27^3 spheres", coulomb::test::heap(27, 27, 0.5), threads, rounds);
  else if (kind == "stacks")
    measure("25 x 25 stacks of 40 cubes", stacks(25, 40), threads, rounds);
  else if (kind == "pile")
    measure_pile({20, 20, 25}, 0.4, threads, rounds);
  else if (kind == "small-pile")
    measure_pile({12, 12, 14}, 0.4, threads, rounds);
  else
    return usage();
  return 0;
}
