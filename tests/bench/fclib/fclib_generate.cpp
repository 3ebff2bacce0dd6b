/// \file The program fclib_generate: random one-step problems as FCLib files.

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <iostream>

#include "solvers/fclib/write.hpp"
#include "kinds.hpp"

namespace po = boost::program_options;

namespace scree::bench {
namespace {

namespace fs = std::filesystem;

struct Kind {
  const char* name;
  coulomb::DelassusProblem<3> (*make)(Random&);
  const char* description;
};

constexpr Kind kKinds[] = {
    {"heap", sphere_heap, "spheres in a heap"},
    {"stack", box_stack, "boxes in towers and walls, several contacts in a face"},
    {"fibres", fibres, "crossing fibres with a stiff dense W"},
};

void generate(const fs::path& folder, std::uint64_t seed, int count) {
  fs::create_directories(folder);
  for (int k = 0; k < count; ++k) {
    const Kind& kind = kKinds[static_cast<std::size_t>(k) % std::size(kKinds)];
    Random random(seed * 1'000'003 + static_cast<std::uint64_t>(k));
    fclib::Problem<3> problem;
    problem.contacts = kind.make(random);
    const std::string name = fmt::format("{}-s{}-{:03}-{}", kind.name, seed, k, problem.contacts.size());
    problem.info = {name, fmt::format("{}; fclib_generate of scree, seed {}, number {}", kind.description, seed, k),
                    ""};
    fclib::write(folder / (name + ".hdf5"), problem);
  }
}

}  // namespace
}  // namespace scree::bench

int main(int argc, char** argv) {
  std::uint64_t seed = 1;
  int count = 30;
  std::string folder;
  po::options_description options("Options", 100);
  options.add_options()("seed", po::value(&seed)->default_value(seed), "another seed, other problems")(
      "count", po::value(&count)->default_value(count), "how many problems; kinds take turns")(
      "folder", po::value(&folder), "where the files go (also without --folder)")("help,h", "print this and stop");
  try {
    po::positional_options_description positions;
    po::variables_map values;
    po::store(po::command_line_parser(argc, argv).options(options).positional(positions.add("folder", 1)).run(),
              values);
    po::notify(values);
    if (values.count("help") || folder.empty()) {
      std::cout << "Usage: fclib_generate FOLDER [--seed S] [--count N]\n\n"
                   "Writes random one-step friction problems: heaps of spheres, stacks of boxes, fibres.\n\n"
                << options;
      return values.count("help") ? 0 : 2;
    }
    scree::bench::generate(folder, seed, count);
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return 2;
  }
  return 0;
}
