// Time per step of packings of spheres and of stars, on a GPU or on the host's processors with the same kernels.
//
//   cuda_bench [cuda|cuda-host] [--only spheres|stars] [--pile FILE] [bodies ...]
//
// FILE is the settled pile of crosses that stars are copies of, by default that of the sources.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "bench/packing.hpp"

namespace {

using namespace scree::device;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void print_head(const Device& device, const char* what) {
  fmt::print("\n{}, symplectic Euler, on {}.\n\n", what, device.name());
  fmt::print("|    bodies |     pairs |  contacts |  ms/step | body-steps/s | steps per list | lists |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
}

/// The median of five runs of so many steps, per step.
void measure(Device& device, Packing packing) {
  const std::uint32_t steps = packing.x.size() <= 100000 ? 200 : 50;
  PackingBench bench(device, std::move(packing));
  bench.advance(20);
  std::vector<double> times;
  const std::uint64_t rebuilds = bench.rebuilds();
  const double rebuilding = bench.rebuild_seconds();
  const double all = seconds();
  for (int run = 0; run < 5; ++run) {
    const double begin = seconds();
    bench.advance(steps);
    times.push_back((seconds() - begin) / steps);
  }
  const double total = seconds() - all;
  std::sort(times.begin(), times.end());
  const Control control = bench.control();
  fmt::print("| {:>9} | {:>9} | {:>9} | {:>8.3f} | {:>9.3g} | {:>6.1f} | {:>5.1f} % |\n", bench.bodies(),
             bench.lists().pair_count(), control.contacts, 1e3 * times[2], bench.bodies() / times[2],
             static_cast<double>(5 * steps) / std::max<double>(1, static_cast<double>(bench.rebuilds() - rebuilds)),
             100 * (bench.rebuild_seconds() - rebuilding) / total);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string name = argc > 1 ? argv[1] : "cuda";
  std::string pile = SCREE_BENCH_PILE, only;
  const auto device = name == "cuda" ? make_cuda_device() : make_host_device();
  std::vector<double> counts;
  for (int i = 2; i < argc; ++i) {
    if (std::string(argv[i]) == "--pile" && i + 1 < argc)
      pile = argv[++i];
    else if (std::string(argv[i]) == "--only" && i + 1 < argc)
      only = argv[++i];
    else
      counts.push_back(std::strtod(argv[i], nullptr));
  }
  if (counts.empty()) counts = name == "cuda" ? std::vector<double>{1e4, 1e5, 1e6, 1e7} : std::vector<double>{1e4, 1e5};
  if (only != "stars") {
    print_head(*device, "Spheres, hertz-mindlin with friction");
    for (const double count : counts) measure(*device, pack_spheres(static_cast<std::uint32_t>(count)));
  }
  if (only != "spheres") {
    for (const double stir : {0.0, 1e-4}) {
      print_head(*device, stir == 0
                              ? "Crosses of 100 nodes in a settled pile that stands still, linear springs with friction"
                              : "The same, while each cross goes its own way by up to 1e-4 radii per step");
      for (const double count : counts) measure(*device, pack_stars(static_cast<std::uint32_t>(count), pile, stir));
    }
  }
} catch (const std::exception& e) {
  fmt::print(stderr, "cuda_bench: {}\n", e.what());
  return 2;
}
