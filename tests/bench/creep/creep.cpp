// How a settled pile of beads creeps by rigid contact, by the solver's tolerance, and what a second of it costs.

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "pile.hpp"

using namespace scree::test;

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]).starts_with("-")) {
    fmt::print(
        "Usage: pile_creep [NX NY NZ [SLOP [SECONDS [REST]]]]\n\n"
        "Beads along x, y, z (20 20 25), slop in radii (1e-4), simulated seconds per tolerance (0.1), and of rest at a "
        "tolerance of 1e-6 beforehand (0).\n");
    return 0;
  }
  const auto number = [&](int k, double otherwise) { return k < argc ? std::atof(argv[k]) : otherwise; };
  const double slop = number(4, 1e-4), time = number(5, 0.1), rest = number(6, 0);
  Pile pile({static_cast<int>(number(1, 20)), static_cast<int>(number(2, 20)), static_cast<int>(number(3, 25))});
  pile.settle(0.5, slop);
  pile.ask({1e-6, slop});
  pile.run(rest);
  constexpr int kMostCold = 20000;  // sweeps: enough for the interior-point method to be given its time
  fmt::print("{} beads, slop {} radii, rest {} s, creep over {} s [m/s]\n", pile.beads(), slop, rest, time);
  fmt::print("{:>9} | {:^42} | {:^42} | {:^42} |\n", "", "contacts that stick", "contacts at the limit", "beads");
  const std::string spread =
      fmt::format(" {:>6} {:>8} {:>8} {:>8} {:>7}  |", "number", "median", "9 of 10", "largest", "> 1e-9");
  fmt::print("{:>9} |{}{}{} {:>11} {:>7} {:>11} {:>11}\n", "tolerance", spread, spread, spread, "warm sweeps", "missed",
             "CPU s per s", "cold sweeps");
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    pile.ask({tolerance, slop});
    pile.run(time / 2);
    Effort warm;
    const Creep creep = pile.creep(time, warm);
    const Effort cold = pile.cold_step({tolerance, slop, kMostCold});
    fmt::print("{:>9.0e} |", tolerance);
    for (const Spread& s : {creep.sticking, creep.limit, creep.beads})
      fmt::print(" {:>6} {:>8.1e} {:>8.1e} {:>8.1e} {:>7}  |", s.count, s.median, s.nine_of_ten, s.largest, s.creeping);
    fmt::print(" {:>11.1f} {:>7} {:>11.1f} {:>11}\n", warm.sweeps, warm.unconverged, warm.cpu_seconds,
               cold.unconverged ? "missed" : fmt::format("{:.0f}", cold.sweeps));
    std::fflush(stdout);
  }
  fmt::print("The same beads on springs of 1e4 N/m, dt = 1e-5 s: {:.1f} CPU s per s\n", pile.cost_of_springs(1000));
}
