#include "fclib/solve_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/program_options.hpp>
#include <iostream>
#include <map>
#include <set>

namespace scree::fclib {
namespace {

namespace po = boost::program_options;
using coulomb::LocalSolver;

constexpr const char* kUsage = "fclib_solve FILE... [options]";
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

po::options_description described(SolveOptions& options, std::string& solver, std::string& save) {
  po::options_description all("Options", 100);
  auto add = all.add_options();
  add("tolerance", po::value(&options.solver.tolerance)->default_value(1e-6, "1e-6")->value_name("T"),
      "relative error to reach, above 0");
  add("solver", po::value(&solver)->default_value("hybrid")->value_name("NAME"),
      "how one contact is solved: hybrid, newton or enumerative");
  add("sweeps", po::value(&options.solver.max_sweeps)->default_value(options.solver.max_sweeps)->value_name("N"),
      "the most sweeps over all contacts, from 1 on");
  add("plain", "Gauss-Seidel alone: nothing else is tried where it stalls");
  add("threads", po::value(&options.solver.threads)->default_value(1)->value_name("N"),
      "from 1 on; the answer has the same bits for any number");
  add("repeat", po::value(&options.repeats)->default_value(1)->value_name("N"),
      "solve each N times from zero and tell the median of the times");
  add("save", po::value(&save)->value_name("FOLDER"),
      "write each problem with its solution there, as a FCLib file of the local form");
  add("json", "print JSON instead of the table");
  add("help,h", "print this and stop");
  return all;
}

po::variables_map parse(int count, const char* const* arguments, const po::options_description& visible) {
  po::options_description all;
  all.add(visible).add_options()("file", po::value<std::vector<std::string>>());
  po::positional_options_description positions;
  positions.add("file", -1);
  const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
  po::variables_map values;
  po::store(po::command_line_parser(count, arguments).options(all).positional(positions).style(style).run(), values);
  po::notify(values);
  return values;
}

void check_at_least_one(const char* name, int value) {
  if (value < 1) throw UsageError(fmt::format("--{} {}: allowed are whole numbers from 1 on.", name, value));
}

/// Two problems must not be saved under one name, nor over an original.
void check_save(const SolveOptions& options) {
  std::error_code error;
  if (!std::filesystem::is_directory(*options.save, error))
    throw UsageError(fmt::format("--save {}: is no folder. Make it first.", options.save->string()));
  std::set<std::string> names;
  for (const std::filesystem::path& file : options.files) {
    if (!names.insert(file.filename().string()).second)
      throw UsageError(fmt::format("--save: two files are called {}; save them one by one.", file.filename().string()));
    if (std::filesystem::equivalent(file, *options.save / file.filename(), error))
      throw UsageError(fmt::format("--save {}: {} would be replaced. Choose another folder.", options.save->string(),
                                   file.string()));
  }
}

}  // namespace

std::optional<SolveOptions> parse_solve_options(int count, const char* const* arguments) {
  SolveOptions options;
  std::string solver, save;
  const po::options_description visible = described(options, solver, save);
  po::variables_map values;
  try {
    values = parse(count, arguments, visible);
  } catch (const po::unknown_option& e) {
    std::vector<std::string> known;
    for (const auto& option : visible.options()) known.push_back("--" + option->long_name());
    throw UsageError(fmt::format("unknown option {}. Known: {}.", e.get_option_name(), fmt::join(known, ", ")));
  } catch (const po::error& e) {
    throw UsageError(fmt::format("{}. Usage: {}.", e.what(), kUsage));
  }
  if (values.count("help")) {
    std::cout << "Usage: " << kUsage << "\n\n" << kAbout << "\n\n" << visible;
    return std::nullopt;
  }
  if (!values.count("file")) throw UsageError(fmt::format("FILE is missing. Usage: {}.", kUsage));
  for (const std::string& file : values["file"].as<std::vector<std::string>>()) options.files.emplace_back(file);
  if (!kSolvers.contains(solver))
    throw UsageError(fmt::format("--solver {}: allowed are hybrid, newton and enumerative.", solver));
  options.solver.local = kSolvers.at(solver);
  if (!(options.solver.tolerance > 0))
    throw UsageError(fmt::format("--tolerance {}: must be above 0.", options.solver.tolerance));
  check_at_least_one("sweeps", options.solver.max_sweeps);
  check_at_least_one("threads", options.solver.threads);
  check_at_least_one("repeat", options.repeats);
  options.solver.globalise = values.count("plain") == 0;
  options.json = values.count("json") > 0;
  if (values.count("save")) {
    options.save = save;
    check_save(options);
  }
  return options;
}

}  // namespace scree::fclib
