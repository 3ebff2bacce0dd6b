/// \file The program fclib_solve: solves problem files and tells how it went.

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>

#include "solvers/coulomb/solve.hpp"
#include "solvers/fclib/global_error.hpp"
#include "solvers/fclib/read.hpp"
#include "solvers/fclib/solve_options.hpp"
#include "solvers/fclib/sound.hpp"
#include "solvers/fclib/write.hpp"
#include "scree/base/error.hpp"
#include "scree/base/tell.hpp"

namespace scree::fclib {
namespace {

using coulomb::Measure;
using coulomb::Report;
using coulomb::Status;
using coulomb::Vec;

enum ExitCode { kReached = 0, kInternalError = 1, kBadInput = 2, kNotConverged = 3 };

/// What became of one file.
struct Outcome {
  std::filesystem::path file;
  std::string fault;  ///< why it could not be read, solved or saved; then the rest means nothing
  int dimension = 0;
  std::size_t contacts = 0;
  double tolerance = 0;
  Report report;
  double error = 0;                    ///< of the impulses, by the natural map, whatever the solver says
  std::optional<double> global_error;  ///< where the file holds the global form
  double wall = 0, processor = 0;      ///< [s] medians

  bool reached() const { return fault.empty() && error <= tolerance; }
};

const char* name_of(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::stalled:
      return "stalled";
    case Status::infeasible:
      return "infeasible";
  }
  return "";
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// W r + q, r.
template <int D>
Iterate iterate(const coulomb::DelassusProblem<D>& problem, const std::vector<Vec<D>>& impulses) {
  Iterate result;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    Vec<D> u = problem.q[i];
    for (std::size_t b = problem.row_start[i]; b < problem.row_start[i + 1]; ++b)
      u += problem.block[b] * impulses[problem.column[b]];
    result.r.insert(result.r.end(), impulses[i].begin(), impulses[i].end());
    result.u.insert(result.u.end(), u.begin(), u.end());
  }
  return result;
}

template <int D>
void solve(Problem<D>& problem, const SolveOptions& options, Outcome& outcome) {
  outcome.dimension = D;
  outcome.contacts = problem.contacts.size();
  std::vector<Vec<D>> impulses;
  std::vector<double> wall, processor;
  for (int k = 0; k < options.repeats; ++k) {
    impulses.assign(problem.contacts.size(), Vec<D>::Zero());
    const std::clock_t start = std::clock();
    outcome.report = coulomb::solve(problem.contacts, std::span(impulses), options.solver);
    processor.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    wall.push_back(outcome.report.seconds);
  }
  outcome.wall = median(wall);
  outcome.processor = median(processor);
  outcome.error = coulomb::error(problem.contacts, std::span<const Vec<D>>(impulses), Measure::natural_map);
  problem.solution = iterate(problem.contacts, impulses);
  if (problem.global) outcome.global_error = global_error<D>(*problem.global, problem.contacts.friction, impulses);
}

Outcome solve_file(const std::filesystem::path& file, const SolveOptions& options) {
  Outcome outcome;
  outcome.file = file;
  outcome.tolerance = options.solver.tolerance;
  try {
    require_sound(file);
    AnyProblem any = read(file);
    std::visit(
        [&](auto& problem) {
          solve(problem, options, outcome);
          if (options.save) write(*options.save / file.filename(), problem);
        },
        any);
  } catch (const Error& e) {
    outcome.fault = e.what();
  } catch (const std::invalid_argument& e) {
    outcome.fault = fmt::format("{}: {}", file.string(), e.what());
  }
  return outcome;
}

std::string branches_text(const coulomb::Branches& b) {
  return fmt::format("{}/{}/{}/{}/{}/{}", b.take_off, b.stick, b.slide, b.newton, b.quartic, b.unsolved);
}

void print_table(const std::vector<Outcome>& outcomes) {
  std::size_t width = 4;
  for (const Outcome& o : outcomes) width = std::max(width, o.file.filename().string().size());
  fmt::print("{:<{}}  {:>8}  {:<10}  {:>8}  {:>7}  {:>9}  {:<12}  take-off/stick/slide/newton/quartic/unsolved\n",
             "file", width, "contacts", "status", "error", "sweeps", "ms", "stage");
  for (const Outcome& o : outcomes) {
    const std::string name = o.file.filename().string();
    if (!o.fault.empty())
      fmt::print("{:<{}}  {:>8}  {:<10}\n", name, width, "-", "bad input");
    else
      fmt::print("{:<{}}  {:>8}  {:<10}  {:>8.1e}  {:>7}  {:>9.3f}  {:<12}  {}\n", name, width, o.contacts,
                 name_of(o.report.status), o.error, o.report.sweeps, 1e3 * o.wall, o.report.stage,
                 branches_text(o.report.branches));
  }
}

nlohmann::ordered_json json_of(const Outcome& o) {
  nlohmann::ordered_json json = {{"file", o.file.string()}};
  if (!o.fault.empty()) {
    json["fault"] = o.fault;
    return json;
  }
  const coulomb::Branches& b = o.report.branches;
  json.update({{"dimension", o.dimension},
               {"contacts", o.contacts},
               {"status", name_of(o.report.status)},
               {"reached", o.reached()},
               {"error", o.error}});
  if (o.global_error) json["global_error"] = *o.global_error;
  json.update({{"sweeps", o.report.sweeps},
               {"iterations", o.report.iterations},
               {"factorisations", o.report.factorisations},
               {"ms", 1e3 * o.wall},
               {"processor_ms", 1e3 * o.processor},
               {"stage", o.report.stage},
               {"branches",
                {{"take_off", b.take_off},
                 {"stick", b.stick},
                 {"slide", b.slide},
                 {"newton", b.newton},
                 {"quartic", b.quartic},
                 {"unsolved", b.unsolved}}}});
  return json;
}

void print_json(const std::vector<Outcome>& outcomes, const SolveOptions& options) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const Outcome& o : outcomes) files.push_back(json_of(o));
  const nlohmann::ordered_json json = {{"tolerance", options.solver.tolerance}, {"files", files}};
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

int run(const SolveOptions& options) {
  std::vector<Outcome> outcomes;
  for (const std::filesystem::path& file : options.files) {
    outcomes.push_back(solve_file(file, options));
    if (const std::string& fault = outcomes.back().fault; !fault.empty()) scree::tell(stderr, "error: " + fault + "\n");
  }
  if (options.json)
    print_json(outcomes, options);
  else
    print_table(outcomes);
  const auto any = [&](auto test) { return std::any_of(outcomes.begin(), outcomes.end(), test); };
  if (any([](const Outcome& o) { return !o.fault.empty(); })) return kBadInput;
  return any([](const Outcome& o) { return !o.reached(); }) ? kNotConverged : kReached;
}

}  // namespace
}  // namespace scree::fclib

int main(int argc, char** argv) {
  using namespace scree::fclib;
  try {
    const auto options = parse_solve_options({argv + 1, argv + argc});
    return options ? run(*options) : kReached;
  } catch (const scree::InputError& e) {
    scree::tell(stderr, fmt::format("error: {}\n", e.what()));
    return kBadInput;
  } catch (const std::exception& e) {
    scree::tell(stderr, fmt::format("error: {}\n", e.what()));
    return kInternalError;
  }
}
