#include "solvers/fclib/solve_options.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "scree/base/error.hpp"

namespace scree::fclib {
namespace {

namespace po = boost::program_options;
using coulomb::LocalSolver;
using coulomb::Strategy;

constexpr const char* kAbout =
    "Solves the discrete Coulomb friction problems of FCLib files and prints a table: how far each came by the "
    "relative\n"
    "error of FCLib's collection, |r - P_K(r - u^)| / max(|q|, |r|, |u|), in how many sweeps and milliseconds, in "
    "which\n"
    "stage, and how often each branch solved a contact. A file that cannot be read is told on stderr; the others go "
    "on.\n\n"
    "Exit codes: 0 every file reached the tolerance, 2 bad input, 3 some did not.";

const std::map<std::string, LocalSolver> kSolvers = {
    {"hybrid", LocalSolver::hybrid}, {"newton", LocalSolver::newton}, {"enumerative", LocalSolver::enumerative}};

/// What solves all contacts at once.
const std::map<std::string, Strategy> kAlone = {{"admm", Strategy::admm}, {"interior-point", Strategy::interior_point}};

void describe(SolveOptions& options, cli::CommandLine& line) {
  auto add = line.options();
  add("tolerance", po::value(&options.solver.tolerance)->default_value(1e-6, "1e-6")->value_name("T"),
      "relative error to reach, above 0");
  add("solver", po::value<std::string>()->default_value("hybrid")->value_name("NAME"),
      "how one contact is solved: hybrid, newton or enumerative; or all contacts at once, by that alone: admm or "
      "interior-point");
  add("sweeps", po::value(&options.solver.max_sweeps)->default_value(options.solver.max_sweeps)->value_name("N"),
      "the most sweeps over all contacts, or iterations of admm or interior-point, from 1 on");
  add("plain", "Gauss-Seidel alone: nothing else is tried where it stalls");
  add("threads", po::value(&options.solver.threads)->default_value(1)->value_name("N"),
      "from 1 on; the answer has the same bits for any number");
  add("repeat", po::value(&options.repeats)->default_value(1)->value_name("N"),
      "solve each N times from zero and tell the median of the times");
  add("save", po::value<std::string>()->value_name("FOLDER"),
      "write each problem with its solution there, as a FCLib file of the local form");
  add("json", "print JSON instead of the table");
}

void choose_solver(const std::string& name, bool plain, coulomb::Options& options) {
  const auto alone = kAlone.find(name);
  if (alone == kAlone.end() && !kSolvers.contains(name))
    throw InputError(
        fmt::format("--solver {}: allowed are hybrid, newton, enumerative, admm and interior-point.", name));
  if (alone != kAlone.end() && plain)
    throw InputError(fmt::format("--solver {0} --plain: {0} has no sweeps to do alone. Leave --plain out.", name));
  if (alone != kAlone.end())
    options.strategy = alone->second;
  else
    options.local = kSolvers.at(name);
  if (plain) options.strategy = Strategy::gauss_seidel;
}

void check_at_least_one(const char* name, int value) {
  if (value < 1) throw InputError(fmt::format("--{} {}: allowed are whole numbers from 1 on.", name, value));
}

/// Two problems must not be saved under one name, nor over an original.
void check_save(const SolveOptions& options) {
  std::error_code error;
  if (!std::filesystem::is_directory(*options.save, error))
    throw InputError(fmt::format("--save {}: is no folder. Make it first.", options.save->string()));
  std::set<std::string> names;
  for (const std::filesystem::path& file : options.files) {
    if (!names.insert(file.filename().string()).second)
      throw InputError(fmt::format("--save: two files are called {}; save them one by one.", file.filename().string()));
    if (std::filesystem::equivalent(file, *options.save / file.filename(), error))
      throw InputError(fmt::format("--save {}: {} would be replaced. Choose another folder.", options.save->string(),
                                   file.string()));
  }
}

}  // namespace

std::optional<SolveOptions> parse_solve_options(const cli::Arguments& arguments) {
  SolveOptions options;
  cli::CommandLine line("fclib_solve FILE... [options]", kAbout, "FILE...");
  describe(options, line);
  if (!line.parse(arguments)) return std::nullopt;
  for (const std::string& file : line.all_required()) options.files.emplace_back(file);
  const std::string solver = line.text("solver");
  choose_solver(solver, line.has("plain"), options.solver);
  if (!(options.solver.tolerance > 0))
    throw InputError(fmt::format("--tolerance {}: must be above 0.", options.solver.tolerance));
  check_at_least_one("sweeps", options.solver.max_sweeps);
  check_at_least_one("threads", options.solver.threads);
  check_at_least_one("repeat", options.repeats);
  options.json = line.has("json");
  if (line.has("save")) {
    options.save = line.text("save");
    check_save(options);
  }
  return options;
}

}  // namespace scree::fclib
