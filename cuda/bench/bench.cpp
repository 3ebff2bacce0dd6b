// Time per step of packings of bodies, on a GPU or on the host's processors with the same kernels.
//
//   cuda_bench [cuda|cuda-host] [--only CASE] [--steps N] [--beds FOLDER] [--check | --count] [bodies ...]
//
// N is how many steps a run has, of which there are five. FOLDER holds the settled piles that stars and clumps are
// copies of, by default that of the sources. --check compares with the host and with another run. --count tells what
// gaps between contacts cost. --list names the cases.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "bench/agreement.hpp"
#include "bench/cases.hpp"
#include "scree/base/error.hpp"

namespace {

using namespace scree::device;

struct Options {
  std::string device = "cuda", beds = SCREE_BENCH_BEDS, only;
  std::uint32_t steps = 0;  ///< of a run; 0: as many as the number of bodies asks for
  std::vector<std::uint32_t> bodies;
  bool list = false, check = false, count = false;
};

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string names() {
  std::string all;
  for (const Case& c : cases()) all += (all.empty() ? "" : ", ") + std::string(c.name);
  return all;
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (i + 1 == argc) throw scree::InputError(word + " asks for a value.");
      return std::string(argv[++i]);
    };
    if (word == "cuda" || word == "cuda-host")
      options.device = word;
    else if (word == "--only")
      options.only = value();
    else if (word == "--beds")
      options.beds = value();
    else if (word == "--steps")
      options.steps = static_cast<std::uint32_t>(std::strtoul(value().c_str(), nullptr, 10));
    else if (word == "--check")
      options.check = true;
    else if (word == "--count")
      options.count = true;
    else if (word == "--list")
      options.list = true;
    else if (const double count = std::strtod(word.c_str(), nullptr); count >= 1 && count < 1e8)
      options.bodies.push_back(static_cast<std::uint32_t>(count));
    else
      throw scree::InputError(word +
                              ": unknown. Allowed: cuda, cuda-host, --only, --steps, --beds, --check, "
                              "--list, and numbers of bodies.");
  }
  const auto named = [&](const Case& c) { return options.only.empty() || options.only == c.name; };
  if (std::ranges::none_of(cases(), named))
    throw scree::InputError("--only " + options.only + ": unknown. Allowed: " + names() + ".");
  return options;
}

/// As asked for; else powers of ten, as many as device and case are meant for.
std::vector<std::uint32_t> numbers_of_bodies(const Options& options, const Case& c) {
  if (!options.bodies.empty()) return options.bodies;
  std::vector<std::uint32_t> numbers;
  const double most = options.device == "cuda" ? c.most : 1e5;
  for (std::uint32_t number = 10'000; number <= most; number *= 10) numbers.push_back(number);
  return numbers;
}

void print_head(const Device& device, const Case& c) {
  fmt::print("\n{} (`{}`), symplectic Euler, on {}.\n\n", c.title, c.name, device.name());
  fmt::print("|    bodies |     pairs |  contacts |  ms/step | body-steps/s | steps per list | lists |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
}

/// The median of five runs of so many steps, per step.
void measure(Stepped& bench, std::uint32_t warm_up, std::uint32_t steps) {
  bench.advance(std::min(warm_up, 5 * steps));
  const StepCounts before = bench.counts();
  std::vector<double> times;
  for (int run = 0; run < 5; ++run) {
    const double begin = seconds();
    bench.advance(steps);
    times.push_back((seconds() - begin) / steps);
  }
  double all = 0;
  for (const double time : times) all += time * steps;
  std::ranges::sort(times);
  const StepCounts counts = bench.counts();
  const bool lists = counts.pairs > 0;
  const auto made = static_cast<double>(std::max<std::uint64_t>(1, counts.lists - before.lists));
  fmt::print("| {:>9} | {:>9} | {:>9} | {:>8.3f} | {:>9.3g} | {:>6} | {:>7} |\n", counts.bodies,
             lists ? fmt::format("{}", counts.pairs) : "", counts.contacts, 1e3 * times[2],
             static_cast<double>(counts.bodies) / times[2], lists ? fmt::format("{:.1f}", 5 * steps / made) : "",
             lists ? fmt::format("{:.1f} %", 100 * (counts.listing - before.listing) / all) : "");
  std::fflush(stdout);
}

Beds beds_of(const Options& options) {
  return {options.beds + "/cross_pile_3154.txt", options.beds + "/peers/settled_tetrapods.txt"};
}

bool chosen(const Options& options, const Case& c) { return options.only.empty() || options.only == c.name; }

/// \return whether all is as it should be
bool check(Device& device, const Options& options) {
  constexpr double kMost = 1e-6;
  const std::uint32_t steps = options.steps ? options.steps : 100;
  bool good = true;
  fmt::print("\n{} steps on {}, compared with the host's processors and with another run.\n\n", steps, device.name());
  fmt::print("| case | bodies | largest difference | same bits |\n|---|---|---|---|\n");
  for (const Case& c : cases()) {
    if (!chosen(options, c)) continue;
    const auto numbers = options.bodies.empty() ? std::vector<std::uint32_t>{3000} : options.bodies;
    for (const std::uint32_t bodies : numbers) {
      const Agreement a = compare(device, c, bodies, beds_of(options), steps);
      const bool agrees = a.difference <= kMost && (a.same_bits || !c.ordered);
      good = good && agrees;
      fmt::print("| {} | {} | {:.1e} | {} |{}\n", c.name, a.bodies, a.difference,
                 a.same_bits ? "yes"
                 : c.ordered ? "no"
                             : "no, and need not",
                 agrees ? "" : " **wrong**");
      std::fflush(stdout);
    }
  }
  return good;
}

/// After some steps.
void count(Device& device, const Options& options) {
  fmt::print(
      "\n| case | bodies | pairs | contacts | bytes per number of a contact | by slot |\n|---|---|---|---|---|---|\n");
  for (const Case& c : cases()) {
    if (!chosen(options, c)) continue;
    const auto numbers = options.bodies.empty() ? std::vector<std::uint32_t>{20'000} : options.bodies;
    for (const std::uint32_t bodies : numbers) {
      const auto bench = c.make(device, bodies, beds_of(options));
      bench->advance(options.steps ? options.steps : 100);
      const auto bytes = bench->bytes_per_number();
      if (!bytes) continue;
      const StepCounts counts = bench->counts();
      fmt::print("| {} | {} | {} | {} | {:.1f} | {:.1f} |\n", c.name, counts.bodies, counts.pairs, counts.contacts,
                 bytes->by_place, bytes->by_slot);
      std::fflush(stdout);
    }
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const Options options = parse(argc, argv);
  if (options.list) {
    fmt::print("{}\n", names());
    return 0;
  }
  const auto device = options.device == "cuda" ? make_cuda_device() : make_host_device();
  if (options.check) return check(*device, options) ? 0 : 1;
  if (options.count) {
    count(*device, options);
    return 0;
  }
  for (const Case& c : cases()) {
    if (!chosen(options, c)) continue;
    print_head(*device, c);
    for (const std::uint32_t bodies : numbers_of_bodies(options, c)) {
      const auto bench = c.make(*device, bodies, beds_of(options));
      measure(*bench, c.warm_up, options.steps ? options.steps : bodies <= 100'000 ? 200 : 50);
    }
  }
} catch (const std::exception& e) {
  fmt::print(stderr, "cuda_bench: {}\n", e.what());
  return 2;
}
