#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "conformance/checks.hpp"
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

/// \return what summary.json says
Json run(const Registry& registry, const TrialScene& trial, const fs::path& out, int threads,
         const std::string& resume = "") {
  RunOptions options{.out = out.string(), .threads = threads, .resume = resume, .quiet = true};
  run_simulation(parsed(registry, trial, trial.scene), registry, options);
  return Json::parse(content(out / "summary.json"));
}

/// A checkpoint from which there is something left to run.
std::string earlier_checkpoint(const fs::path& out) {
  std::vector<std::string> files;
  if (fs::exists(out / "checkpoints"))
    for (const auto& entry : fs::directory_iterator(out / "checkpoints")) files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files.size() < 2 ? "" : files[files.size() - 2];
}

/// A file of a result. Scripts may say where it lies: that is the same in both then.
std::string content_of(const fs::path& out, const std::string& name) {
  std::string text = content(out / name);
  const std::string place = fs::absolute(out).lexically_normal().string();
  for (std::size_t at; (at = text.find(place)) != std::string::npos;) text.replace(at, place.size(), "OUT");
  return text;
}

/// Files of observers that a resumed run has left otherwise, or "".
std::string differing(const Registry& registry, const TrialScene& trial, const fs::path& one, const fs::path& other) {
  const Made all = made(registry, trial, trial.scene);
  for (const ScheduledObserver& observer : all.prepared->observers)
    for (const std::string& name : observer.observer->files())
      if (fs::is_regular_file(one / name) && content_of(one, name) != content_of(other, name)) return name;
  return "";
}

Row momentum(const TrialScene& trial) {
  const std::string check = "bodies keep their momentum";
  if (!trial.alone) return not_applicable(check, "something outside acts on the bodies of the scene");
  Simulation simulation = Simulation::from_text(trial.scene.dump(), {.plugin_paths = {trial.library}, .threads = 1});
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

/// Where nothing touches, runs that agree say little of methods for contacts.
Row touching(const TrialScene& trial, double contacts) {
  const std::string check = "bodies touch in it";
  if (trial.kind != "shape" && trial.kind != "detector" && trial.kind != "law")
    return not_applicable(check, "no method for contacts");
  if (contacts > 0) return passed(check, fmt::format("{:.3g} contacts per step", contacts));
  return not_applicable(check, trial.of_author ? "nothing touches so soon: raise --steps, or let bodies of the scene "
                                                 "start nearer to each other."
                                               : "nothing touches in the scene made for it; give one with --scene.");
}

}  // namespace

Rows check_runs(const Registry& registry, const TrialScene& trial) {
  const TemporaryFolder folder;
  const auto unfit = [](const Error& e) {
    return Rows{not_applicable(
        "a run ends", std::string("the scene made for it does not suit it; give one with --scene. ") + e.what())};
  };
  Json one;
  try {
    one = run(registry, trial, folder / "one", 1);
  } catch (const NumericalError& e) {
    if (trial.of_author || std::string(e.what()).find("(plugin ") != std::string::npos) throw;
    return unfit(e);
  } catch (const InputError& e) {  // begins with the method's name, where that has thrown it
    if (trial.of_author || !std::string(e.what()).starts_with(trial.file)) throw;
    return unfit(e);
  }
  const std::string hash = one["state_hash"];
  Rows rows = {passed("a run ends", trial.text), touching(trial, one.value("contacts_mean", 0.0))};
  for (const int threads : {2, 3}) {
    const Json many = run(registry, trial, folder / fmt::format("threads{}", threads), threads);
    rows.push_back(judged(fmt::format("{} threads give the same bits as one", threads), many["state_hash"] == hash,
                          fmt::format("state {} and {}", hash, many["state_hash"].get<std::string>())));
  }
  const std::string check = "a resumed run equals the uninterrupted one";
  const std::string checkpoint = earlier_checkpoint(folder / "one");
  if (checkpoint.empty()) {
    rows.push_back(not_applicable(check, "the scene writes no checkpoint before its end"));
  } else {
    fs::copy(folder / "one", folder / "resumed", fs::copy_options::recursive);
    const std::string from = (folder / "resumed" / "checkpoints" / fs::path(checkpoint).filename()).string();
    const Json again = run(registry, trial, folder / "resumed", 1, from);
    const std::string file = differing(registry, trial, folder / "one", folder / "resumed");
    rows.push_back(judged(check, again["state_hash"] == hash && file.empty(),
                          file.empty() ? fmt::format("state {} and {}", hash, again["state_hash"].get<std::string>())
                                       : file + " differs."));
  }
  rows.push_back(momentum(trial));
  return rows;
}

}  // namespace scree::conformance
