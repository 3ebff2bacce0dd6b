#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/agreement.hpp"
#include "cli/batch.hpp"
#include "cli/batch_table.hpp"
#include "cli/plan.hpp"
#include "cli/run_metrics.hpp"
#include "cli/scene_options.hpp"
#include "command.hpp"
#include "scree/base/error.hpp"
#include "scree/base/printable.hpp"
#include "scree/base/tell.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::cli {

namespace {

namespace po = boost::program_options;
using Texts = std::vector<std::string>;

constexpr const char* kOwn = "scene";  ///< the variant without changes

void add_compare_options(CommandLine& line) {
  line.options()(
      "variant", po::value<Texts>()->value_name("NAME=CHANGE"),
      "the scene with a change, like that of a stage: a JSON object, or a file with one. May be given several "
      "times; the scene without changes is the first variant");
  line.options()("vary", po::value<Texts>()->value_name("KIND=NAME,..."),
                 "methods in place of the scene's own, which come first: law, detector or integrator, by name. A kind "
                 "alone: all that fit. Also /POINTER=V1,V2. Given several times: all combinations");
  line.options()(
      "within", po::value<Texts>()->value_name("[FIGURE=]PCT"),
      "exit code 5 where a figure is farther from the first run's than this many percent, or than the spread of "
      "seeds explains (\"seeds\" in place of PCT); without a name, any figure but seconds of computing. May be given "
      "several times");
  line.options()("seeds", po::value<int>()->value_name("N"),
                 "run each N times, with 0 to N-1 added to every seed of the scene, and show means with their standard "
                 "deviations; a star marks means that differ by more than chance explains");
  add_batch_options(line, "compare",
                    "bodies, contacts, energies, largest overlap, coordination and solid_fraction of meters, "
                    "wall_seconds_per_second");
}

/// Returns an object of changes, from the command line or a file.
std::string change_of(const std::string& variant, const std::string& text) {
  constexpr std::size_t kLongest = 100000;  // an argument of a process may have 131072 bytes
  std::string change = text.starts_with('{') ? text : read_file(text);
  change.erase(0, change.find_first_not_of(" \t\r\n"));
  if (!change.starts_with('{'))
    throw InputError(
        fmt::format("--variant {}: {} has no JSON object. Write {{\"interactions\": {{...}}}}, as the change "
                    "of a stage.",
                    variant, text));
  if (change.size() > kLongest)
    throw InputError(fmt::format("--variant {}: is longer than {} bytes. Make a scene of its own.", variant, kLongest));
  return change;
}

Axis variant_axis(const Texts& variants) {
  Axis axis{.name = "variant", .label = "variant", .choices = {{kOwn, {}}}};
  for (const std::string& text : variants) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw InputError(fmt::format("--variant {}: must have the form NAME=FILE or NAME={{...}}, a JSON object.", text));
    const std::string name = text.substr(0, equals);
    if (file_name_part(name) != name)
      throw InputError(
          fmt::format("--variant {}: the name becomes that of a folder. Use up to 40 letters, digits and "
                      "_-+.",
                      name));
    axis.choices.push_back({name, {change_of(name, text.substr(equals + 1))}});
  }
  return axis;
}

std::vector<std::string> default_figures(const Batch& batch) {
  std::vector<std::string> figures = {"bodies",           "contacts",         "kinetic_energy_J", "potential_energy_J",
                                      "elastic_energy_J", "max_overlap_ratio"};
  for (std::size_t k = 0; k < batch.runs().size(); ++k) {
    if (!batch.outcomes()[k].completed()) continue;
    std::ranges::copy(RunMetrics(batch.folder_of(k)).of_columns({"coordination", "solid_fraction"}),
                      std::back_inserter(figures));
    break;
  }
  figures.push_back("wall_seconds_per_second");
  return figures;
}

std::vector<std::string> wanted_figures(const CommandLine& line, const Batch& batch, const std::vector<Bound>& bounds) {
  std::vector<std::string> figures = line.has("figures") ? figure_names(line.text("figures")) : default_figures(batch);
  for (const Bound& bound : bounds)
    if (!bound.figure.empty() && std::ranges::find(figures, bound.figure) == figures.end())
      figures.push_back(bound.figure);
  return figures;
}

/// Reports metrics beyond their limits. \return exit code
int judge(const BatchTable& table, const Batch& batch, const std::vector<Variant>& variants,
          const std::vector<Bound>& bounds) {
  if (batch.exit_code() != kDone || bounds.empty()) return batch.exit_code();
  const std::string beyond = disagreements(table, batch, variants, bounds);
  if (beyond.empty()) {
    fmt::print("All agree within their limits.\n");
    return kDone;
  }
  tell(stderr, "These do not agree:\n" + printable(beyond));
  return kDisagreement;
}

std::vector<Bound> bounds_of(const CommandLine& line) {
  std::vector<Bound> bounds;
  for (const std::string& text : line.texts("within")) {
    bounds.push_back(read_bound(text));
    if (!bounds.back().percent && (!line.has("seeds") || line.value<int>("seeds") < 2))
      throw InputError(fmt::format("--within {}: one run has no spread. Give --seeds N, with N from 2 up.", text));
  }
  return bounds;
}

/// Prints the table, and the meaning of its marks.
void show(const BatchTable& table, const Batch& batch, const std::vector<Variant>& variants, bool seeded) {
  fmt::print("{}", printable(side_by_side(table, batch, variants)));
  if (seeded)
    fmt::print(
        "Means of seeds ± standard deviation. *: differs from the first by more than chance explains (Welch's "
        "t-test, 95 %).\n");
}

int run_comparison(const CommandLine& line, const Scene& scene, const Plan& plan) {
  const std::vector<Bound> bounds = bounds_of(line);
  if (line.has("figures")) figure_names(line.text("figures"));  // faults in them are reported before the runs
  const double from = line.value<double>("from");
  const BatchOptions options = batch_options(line, scene, "compare");
  Batch batch(scene, plan.runs, options);
  if (!plan.misfits.empty()) tell(stderr, "These do not fit together and are left out:\n" + plan.misfits);
  batch.run();
  const BatchTable table(plan, batch, wanted_figures(line, batch, bounds), from);
  const bool seeded = line.has("seeds");
  const std::vector<Variant> variants = variants_of(plan, seeded);
  write_atomically(options.out / options.result, table.csv());
  if (seeded) write_atomically(options.out / "means.csv", spread_csv(table, batch, variants));
  show(table, batch, variants, seeded);
  tell(stderr, printable(batch.failures() + table.missing(from)));
  fmt::print("The table is in {}, each run in a folder beside it.\n", (options.out / options.result).string());
  return judge(table, batch, variants, bounds);
}

}  // namespace

int compare(const Arguments& arguments) {
  CommandLine line(
      "scree compare SCENE --vary KIND=NAME,... | --variant NAME=CHANGE [options]",
      "Runs a scene under several methods and shows their figures side by side, with the difference from the first\n"
      "run in percent: the scene's own methods. Runs resume like those of scree sweep; DIR/compare.csv has a row each, "
      "DIR/means.csv those of seeds together.",
      "SCENE");
  add_compare_options(line);
  if (!line.parse(arguments)) return kDone;
  const std::string file = batch_scene(line);
  Registry registry(OnCrash::end_program);
  load_plugins(line, registry);
  const Scene scene = read_scene(file, scene_inputs(line, line.text("out")), registry);
  std::vector<Axis> axes;
  if (line.has("variant")) axes.push_back(variant_axis(line.texts("variant")));
  for (const std::string& vary : line.texts("vary"))
    for (Axis& axis : read_vary(vary, scene, registry, true)) axes.push_back(std::move(axis));
  if (axes.empty())
    throw InputError(
        "there is nothing to compare with. Give --vary integrator=NAME, --vary law, or --variant NAME={...}.");
  if (line.has("seeds")) axes.push_back(seed_axis(line.value<int>("seeds"), scene));
  return run_comparison(line, scene, make_plan(line, file, registry, axes));
}

}  // namespace scree::cli
