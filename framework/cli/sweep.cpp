#include <fmt/format.h>

#include "cli/batch.hpp"
#include "cli/batch_table.hpp"
#include "cli/plan.hpp"
#include "cli/scene_options.hpp"
#include "command.hpp"
#include "scree/base/error.hpp"
#include "scree/base/printable.hpp"
#include "scree/base/tell.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::cli {

namespace {

namespace po = boost::program_options;

constexpr const char* kSweepFigures =
    "steps,simulated_time,bodies,contacts_mean,peak_overlap_ratio,kinetic_energy_final,wall_seconds";

void add_sweep_options(CommandLine& line) {
  line.options()("vary", po::value<std::vector<std::string>>()->value_name("/POINTER=V1,V2,..."),
                 "values to run with, JSON or text; several pointers before the = change together. Also law=NAME,..., "
                 "detector=..., integrator=..., or such a kind alone for all that fit. May be given several times: all "
                 "combinations are run");
  line.options()("seeds", po::value<int>()->value_name("N"),
                 "run each combination N times, with 0 to N-1 added to every seed of the scene");
  add_batch_options(line, "sweep", kSweepFigures);
}

/// Makes the runs, writes the table and prints it.
int run_sweep(const CommandLine& line, const Scene& scene, const Plan& plan) {
  const std::vector<std::string> figures = figure_names(line.has("figures") ? line.text("figures") : kSweepFigures);
  const double from = line.value<double>("from");
  const BatchOptions options = batch_options(line, scene, "sweep");
  Batch batch(scene, plan.runs, options);
  if (!plan.misfits.empty()) tell(stderr, "These do not fit together and are left out:\n" + plan.misfits);
  batch.run();
  const BatchTable table(plan, batch, figures, from);
  write_atomically(options.out / options.result, table.csv());
  fmt::print("{}", printable(table.text()));
  tell(stderr, printable(batch.failures() + table.missing(from)));
  fmt::print("The table is in {}, each run in a folder beside it.\n", (options.out / options.result).string());
  return batch.exit_code();
}

}  // namespace

int sweep(const Arguments& arguments) {
  CommandLine line(
      "scree sweep SCENE --vary /POINTER=V1,V2 [options]",
      "Runs a scene with all combinations of the values given, several runs at once, each a process of its own.\n"
      "Results of each go to a folder in DIR, a row of figures to DIR/sweep.csv. The same command continues with what\n"
      "is not done: finished runs stay, others resume from their last checkpoint. To do a run again, remove its "
      "folder.",
      "SCENE");
  add_sweep_options(line);
  if (!line.parse(arguments)) return kDone;
  const std::string file = batch_scene(line);
  Registry registry(OnCrash::end_program);
  load_plugins(line, registry);
  const Scene scene = read_scene(file, scene_inputs(line, line.text("out")), registry);
  std::vector<Axis> axes;
  for (const std::string& vary : line.texts("vary"))
    for (Axis& axis : read_vary(vary, scene, registry, false)) axes.push_back(std::move(axis));
  if (line.has("seeds")) axes.push_back(seed_axis(line.value<int>("seeds"), scene));
  if (axes.empty())
    throw InputError("there is nothing to vary. Give --vary /pointer=v1,v2 or --seeds N; scree run makes one run.");
  const Plan plan = make_plan(line, file, registry, axes);
  return run_sweep(line, scene, plan);
}

}  // namespace scree::cli
