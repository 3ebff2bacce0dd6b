#include <errno.h>
#include <fmt/format.h>

#include <csignal>
#include <thread>

#include "cli/last_exceptions.hpp"
#include "cli/scene_options.hpp"
#include "command.hpp"
#include "scree/base/error.hpp"
#include "scree/base/ranks.hpp"
#include "scree/run/process.hpp"
#include "scree/run/run.hpp"

namespace scree::cli {

namespace {

namespace po = boost::program_options;

/// Largest number of threads: more never help, and each takes memory.
constexpr int kMostThreads = 1024;

/// Returns the command line of this run, without --resume.
std::string command_without_resume(const Arguments& arguments) {
  std::string command = quoted_for_shell(program_invocation_name) + " run";
  if (!current_ranks().one()) command = fmt::format("mpirun -n {} {}", current_ranks().size(), command);
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (arguments[k] == "--resume")
      ++k;
    else if (!arguments[k].starts_with("--resume="))
      command += " " + quoted_for_shell(arguments[k]);
  }
  return command;
}

RunOptions run_options(const CommandLine& line, const Arguments& arguments) {
  RunOptions options;
  options.command = command_without_resume(arguments);
  options.out = line.text("out");
  options.threads = line.value<int>("threads");
  options.device = line.text("device");
  options.resume = line.text("resume");
  options.quiet = line.has("quiet");
  if (line.has("resume") && options.resume.empty())
    throw InputError(
        "--resume is given an empty name. Name a checkpoint, or leave the option out to start from step 0.");
  if (line.has("out") && options.out.empty())
    throw InputError("--out is given an empty name. Name a folder, or leave the option out for out/<scene name>.");
  if (options.threads < 0)
    throw InputError(fmt::format("--threads {}: must be at least 1, or 0 for all cores.", options.threads));
  if (options.threads > kMostThreads)
    throw InputError(
        fmt::format("--threads {}: at most {} are allowed; this machine has {} cores. Leave it out for all.",
                    options.threads, kMostThreads, std::thread::hardware_concurrency()));
  return options;
}

int run_scene(CommandLine& line, const Arguments& arguments) {
  if (!line.parse(arguments)) return kDone;
  const std::string file = line.required();
  RunOptions options = run_options(line, arguments);
  const auto code_of = [](RunStatus status) { return status == RunStatus::interrupted ? kInterrupted : kDone; };
  options.ended = [&](RunStatus status) { note_done(code_of(status)); };
  // Readers of the output may disappear: a run goes on.
  std::signal(SIGPIPE, SIG_IGN);
  Registry registry(OnCrash::end_program);
  load_plugins(line, registry);
  const Scene scene = read_scene(file, scene_inputs(line, options.out), registry);
  return code_of(run_simulation(scene, registry, options));
}

}  // namespace

int run(const Arguments& arguments) {
  CommandLine line(
      "scree run SCENE [options]",
      "Runs a scene and writes its results: particles.pvd (open it in ParaView), metrics.csv, summary.json,\n"
      "scene.json (as resolved) and checkpoints. Ctrl-C ends the run with a checkpoint. Started by mpirun, processes\n"
      "share one run.",
      "SCENE");
  line.options()("out", po::value<std::string>()->value_name("DIR"), "output folder (default: out/<scene name>)");
  add_scene_options(line);
  line.options()("threads", po::value<int>()->default_value(0)->value_name("N"), "threads; 0: all cores");
  line.options()("device", po::value<std::string>()->default_value("cpu")->value_name("NAME"),
                 "what computes: cpu, or an engine of a plugin");
  line.options()("resume", po::value<std::string>()->value_name("FILE"),
                 "resume from this checkpoint; the scene may differ where bodies agree");
  line.options()("quiet", "no progress, only warnings and errors");
  add_plugin_options(line);
  return on_ranks([&] { return run_scene(line, arguments); });
}

}  // namespace scree::cli
