#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "conformance/checks.hpp"
#include "conformance/state_difference.hpp"
#include "conformance/temporary_folder.hpp"
#include "scree/base/error.hpp"
#include "scree/run/run.hpp"
#include "scree/run/simulation.hpp"

namespace scree::conformance {

namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Runs the trial. \return content of summary.json
Json run(const Registry& registry, const TrialScene& trial, const fs::path& out, int threads,
         const std::string& resume = "") {
  RunOptions options{.out = out.string(), .threads = threads, .resume = resume, .quiet = true};
  run_simulation(parsed(registry, trial, trial.scene), registry, options);
  return Json::parse(content(out / "summary.json"));
}

std::vector<std::string> checkpoints(const fs::path& out) {
  std::vector<std::string> files;
  if (fs::exists(out / "checkpoints"))
    for (const auto& entry : fs::directory_iterator(out / "checkpoints")) files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

/// Returns a checkpoint before the end, or "".
std::string earlier_checkpoint(const fs::path& out) {
  const std::vector<std::string> files = checkpoints(out);
  return files.size() < 2 ? "" : files[files.size() - 2];
}

/// Compares the states of two runs of one scene: the hash of positions and velocities, and all other contents of the
/// last checkpoints.
Row same_state(const std::string& check, const fs::path& one, const fs::path& other, const Json& summary_of_one,
               const Json& summary_of_other) {
  const std::string hash = summary_of_one["state_hash"], other_hash = summary_of_other["state_hash"];
  if (hash != other_hash) return failed(check, fmt::format("state {} and {}", hash, other_hash));
  const auto last = checkpoints(one), other_last = checkpoints(other);
  if (last.empty() || other_last.empty()) return passed(check, fmt::format("state {}", hash));
  const std::string difference = state_difference(last.back(), other_last.back());
  return judged(check, difference.empty(),
                difference.empty() ? fmt::format("state {}, all columns, figures and saved states", hash)
                                   : difference + " differs.");
}

/// Returns the content of a file of a result. Scripts may contain its place, which is then made the same in both.
std::string content_of(const fs::path& out, const std::string& name) {
  std::string text = content(out / name);
  const std::string place = fs::absolute(out).lexically_normal().string();
  for (std::size_t at; (at = text.find(place)) != std::string::npos;) text.replace(at, place.size(), "OUT");
  return text;
}

/// Returns files of observers that differ in a resumed run, or "".
std::string differing(const Registry& registry, const TrialScene& trial, const fs::path& one, const fs::path& other) {
  const Made all = made(registry, trial, trial.scene);
  for (const ScheduledObserver& observer : all.prepared->observers)
    for (const std::string& name : observer.observer->files())
      if (fs::is_regular_file(one / name) && content_of(one, name) != content_of(other, name)) return name;
  return "";
}

/// Returns the files of all loaded plugins.
std::vector<std::string> libraries(const Registry& registry) {
  std::set<std::string> files;
  for (const FactoryInfo& info : registry.list()) files.insert(info.library);
  return {files.begin(), files.end()};
}

Row momentum(const Registry& registry, const TrialScene& trial) {
  const std::string check = "bodies keep their momentum";
  if (!trial.alone) return not_applicable(check, "something outside acts on the bodies of the scene");
  Simulation simulation =
      Simulation::from_text(trial.scene.dump(), {.plugin_paths = libraries(registry), .threads = 1});
  const auto sum = [&](double& scale) {
    const World& world = simulation.world();
    Vec3 total = Vec3::Zero();
    for (std::size_t i = 0; i < world.size(); ++i) {
      const Vec3 p = world.mass.read()[i] * world.velocity.read()[i];
      total += p;
      scale += p.norm();
    }
    return total;
  };
  double scale = 0, later = 0;
  const Vec3 before = sum(scale);
  simulation.run_until(trial.scene["run"]["duration"]);
  const double error = (sum(later) - before).norm() / scale;
  return judged(check, error < 1e-10, fmt::format("changed by {:.2g} of all momenta, bound 1e-10", error));
}

constexpr const char* kNoContacts = "no method for contacts";

/// Checks that bodies touch: otherwise runs that agree say little of methods for contacts.
Row touching(const TrialScene& trial, double contacts) {
  const std::string check = "bodies touch in it";
  if (trial.kind != "shape" && trial.kind != "detector" && trial.kind != "law")
    return not_applicable(check, kNoContacts);
  if (contacts > 0) return passed(check, fmt::format("{:.3g} contacts per step", contacts));
  return not_applicable(check, trial.of_author ? "nothing touches so soon: raise --steps, or let bodies of the scene "
                                                 "start nearer to each other."
                                               : "nothing touches in the scene made for it; give one with --scene.");
}

/// Checks whether the author's method is a modifier, and the run works without it.
bool runs_without(const Registry& registry, const TrialScene& trial, const fs::path& out) {
  if (trial.kind != "modifier" || trial.of_author) return false;
  TrialScene bare = trial;
  bare.scene.erase("hooks");
  try {
    run(registry, bare, out, 1);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Reports the end of the first run: a fault of the method, or of the scene.
/// \throws E, if it names a plugin
template <class E>
Rows ended(const Registry& registry, const TrialScene& trial, const fs::path& out, const E& error, bool named) {
  if (trial.of_author || named) throw error;
  if (runs_without(registry, trial, out))
    return {failed("a run ends", std::string("it does without the modifier; with it: ") + error.what())};
  return {not_applicable(
      "a run ends", std::string("the scene made for it does not suit it; give one with --scene. ") + error.what())};
}

/// Returns a row of a check that says little without a contact.
Row where_bodies_touch(Row row, const Row& touching) {
  if (touching.verdict != Verdict::not_applicable || row.verdict != Verdict::passed) return row;
  if (touching.reason == kNoContacts) return row;
  return not_applicable(row.check, "it would pass, but " + touching.reason);
}

}  // namespace

Rows check_runs(const Registry& registry, const TrialScene& trial) {
  const TemporaryFolder folder;
  Json one;
  try {
    one = run(registry, trial, folder / "one", 1);
  } catch (const NumericalError& e) {
    const bool named = std::string(e.what()).find("(plugin ") != std::string::npos;
    return ended(registry, trial, folder / "without", e, named);
  } catch (const InputError& e) {  // begins with the method's name, where that has thrown it
    return ended(registry, trial, folder / "without", e, !std::string(e.what()).starts_with(trial.file));
  }
  const Row touch = touching(trial, one.value("contacts_mean", 0.0));
  Rows rows = {passed("a run ends", trial.text), touch};
  for (const int threads : {2, 3}) {
    const fs::path out = folder / fmt::format("threads{}", threads);
    const Json many = run(registry, trial, out, threads);
    rows.push_back(where_bodies_touch(
        same_state(fmt::format("{} threads give the same bits as one", threads), folder / "one", out, one, many),
        touch));
  }
  const std::string check = "a resumed run equals the uninterrupted one";
  const std::string checkpoint = earlier_checkpoint(folder / "one");
  if (checkpoint.empty()) {
    rows.push_back(not_applicable(check, "the scene writes no checkpoint before its end"));
  } else {
    fs::copy(folder / "one", folder / "resumed", fs::copy_options::recursive);
    fs::remove(checkpoints(folder / "resumed").back());  // to be written again
    const std::string from = (folder / "resumed" / "checkpoints" / fs::path(checkpoint).filename()).string();
    const Json again = run(registry, trial, folder / "resumed", 1, from);
    const std::string file = differing(registry, trial, folder / "one", folder / "resumed");
    rows.push_back(where_bodies_touch(file.empty() ? same_state(check, folder / "one", folder / "resumed", one, again)
                                                   : failed(check, file + " differs."),
                                      touch));
  }
  rows.push_back(momentum(registry, trial));
  return rows;
}

}  // namespace scree::conformance
