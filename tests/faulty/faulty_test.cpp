// Whatever a plugin throws or returns, wherever: the run ends with an error that names plugin, method, entry point and
// step, the last good state is saved, summary.json says that the run failed, and the checkpoint can be gone on from.

#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "catch.hpp"
#include "faulty_scene.hpp"
#include "scree/base/internal_error.hpp"
#include "scree/plugin/registry.hpp"
#include "scree/run/run.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using namespace scree::test;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

const Registry& registry() {
  static Registry loaded;
  static const bool once = (loaded.load_library(FAULTY_PLUGIN), true);
  (void)once;
  return loaded;
}

/// An entry point as the scene's `at` and as messages name it.
struct Entry {
  const char *at, *method, *call;
  const char* face = "force/1";
  const char* moment = "in step 6 (time 0.0006 s)";
};

struct WrongValue {
  Entry entry;
  const char *fault, *text;
  bool numbers = false;  ///< it is a matter of numbers (exit code 3), not of the interface (1)
};

std::string where(const Entry& e) { return std::string(e.method) + " (plugin faulty), " + e.call + ": "; }

/// How a run ended: its exit code and its message.
struct End {
  int code = 0;
  std::string text;
};

template <class F>
End end_of(const F& f) {
  try {
    f();
    return {};
  } catch (const NumericalError& e) {
    return {3, e.what()};
  } catch (const IoError& e) {
    return {4, e.what()};
  } catch (const InternalError& e) {
    return {1, e.what()};
  } catch (const Error& e) {
    return {2, e.what()};
  }
}

std::string slurp(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

End run(const fs::path& folder, const std::string& scene, int threads, const std::string& resume = "") {
  return end_of([&] {
    std::ofstream(folder / "scene.json") << scene;
    const Scene read = read_scene((folder / "scene.json").string(), {}, registry());
    run_simulation(read, registry(), {(folder / "out").string(), threads, "cpu", resume, true});
  });
}

fs::path newest_checkpoint(const fs::path& out) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(out / "checkpoints")) files.push_back(entry.path());
  REQUIRE_FALSE(files.empty());
  return std::ranges::max(files);
}

/// Runs on without the fault.
void check_resumes(const fs::path& folder, const std::string& scene, int threads) {
  ::setenv("FAULTY_OFF", "1", 1);
  const End end = run(folder, scene, threads, newest_checkpoint(folder / "out").string());
  ::unsetenv("FAULTY_OFF");
  CHECK(end.text == "");
  CHECK(nlohmann::json::parse(slurp(folder / "out" / "summary.json"))["status"] == "completed");
}

/// A run that fails from step 6 on. With more threads there are more bodies: few are not shared among threads.
void check_failure(const Entry& entry, const std::string& fault, int code, const std::string& text,
                   const std::vector<int>& thread_counts) {
  for (const int threads : thread_counts) {
    const TemporaryFolder folder;
    const std::string scene = faulty_scene(entry.at, fault, 6, entry.face, threads == 1 ? 3 : 9);
    const End end = run(folder.path(), scene, threads);
    INFO(entry.at << ", " << fault << ", " << threads << " threads: " << end.text);
    CHECK(end.code == code);
    CHECK_THAT(end.text, ContainsSubstring(where(entry) + text));
    CHECK_THAT(end.text, ContainsSubstring(std::string(" This was ") + entry.moment));
    CHECK_THAT(end.text, ContainsSubstring("The state of step 4 (time 0.0004 s) was saved in "));
    const auto summary = nlohmann::json::parse(slurp(folder / "out/summary.json"));
    CHECK(summary["status"] == "failed");
    CHECK_THAT(summary["reason"].get<std::string>(), ContainsSubstring(where(entry) + text));
    if (thread_counts.size() > 1) check_resumes(folder.path(), scene, threads);
  }
}

const Entry kRunning[] = {
    {"surface", "shape \"faulty-sphere\"", "surface()", "force/1", "after step 6 (time 0.0006 s)"},
    {"prepare", "detector \"faulty-detector\"", "prepare()"},
    {"detect", "detector \"faulty-detector\"", "detect()"},
    {"match", "detector \"faulty-detector\"", "match()"},
    {"force", "law \"faulty-law\"", "force()"},
    {"energy", "law \"faulty-law\"", "energy()", "force/1", "after step 6 (time 0.0006 s)"},
    {"cone", "law \"faulty-law\"", "cone()", "cone/1"},
    {"potential", "law \"faulty-law\"", "potential()", "potential/1"},
    {"bind_bonds", "bond-law \"faulty-bond\"", "bind()", "force/1", ""},  // when rows have changed order
    {"utilisation", "bond-law \"faulty-bond\"", "utilisation()"},
    {"add_wrenches", "bond-law \"faulty-bond\"", "add_wrenches()"},
    {"bond_energy", "bond-law \"faulty-bond\"", "energy()", "force/1", "after step 6 (time 0.0006 s)"},
    {"arms", "bond-law \"faulty-bond\"", "arms()", "cone/1"},
    {"items", "bond-law \"faulty-bond\"", "items()", "potential/1"},
    {"energies", "bond-law \"faulty-bond\"", "energies()", "potential/1"},
    {"add_gradient", "bond-law \"faulty-bond\"", "add_gradient()", "potential/1"},
    {"add_hessian", "bond-law \"faulty-bond\"", "add_hessian()", "potential/1"},
    {"edited", "integrator \"faulty-euler\"", "edited()", "force/1", "before step 7 (time 0.0006 s)"},
    {"step", "integrator \"faulty-euler\"", "step()"},
    {"apply", "modifier \"faulty-modifier\"", "apply()", "force/1", "before step 7 (time 0.0006 s)"},
    {"modifier_edited", "modifier \"faulty-modifier\"", "edited()", "force/1", "before step 7 (time 0.0006 s)"},
    {"save", "modifier \"faulty-modifier\"", "save()", "force/1", "after step 8 (time 0.0008 s)"},
    {"integrator_save", "integrator \"faulty-euler\"", "save()", "force/1", "after step 8 (time 0.0008 s)"},
    {"observer_save", "observer \"faulty-observer\"", "save()", "force/1", "after step 8 (time 0.0008 s)"},
    {"observer_edited", "observer \"faulty-observer\"", "edited()", "force/1", "before step 7 (time 0.0006 s)"},
    {"observe", "observer \"faulty-observer\"", "observe()", "force/1", "after step 6 (time 0.0006 s)"},
    {"list_links", "bond-law \"faulty-bond\"", "list_links()", "implicit", ""},  // when rows have changed order
    {"add_hessian", "bond-law \"faulty-bond\"", "add_hessian()", "implicit"},
    {"begin_step", "bond-law \"faulty-bond\"", "begin_step()", "potential/1"},
    {"bond_columns", "bond-law \"faulty-bond\"", "columns()", "force/1", "after step 6 (time 0.0006 s)"},
    {"bond_values", "bond-law \"faulty-bond\"", "values()", "force/1", "after step 6 (time 0.0006 s)"},
    {"end_step", "bond-law \"faulty-bond\"", "end_step()"},
    {"images", "integrator \"faulty-euler\"", "grid_images()", "force/1", "after step 6 (time 0.0006 s)"},
    {"flush", "observer \"faulty-observer\"", "flush()", "force/1", "after step 8 (time 0.0008 s)"},
};

const Entry kSettingUp[] = {
    {"shape", "shape \"faulty-sphere\"", "factory"},
    {"mass", "shape \"faulty-sphere\"", "mass()"},
    {"detector", "detector \"faulty-detector\"", "factory"},
    {"traits", "detector \"faulty-detector\"", "traits()"},
    {"bind", "detector \"faulty-detector\"", "bind()"},
    {"law", "law \"faulty-law\"", "factory"},
    {"bond_law", "bond-law \"faulty-bond\"", "factory"},
    {"stable_time_step", "bond-law \"faulty-bond\"", "stable_time_step()"},
    {"integrator", "integrator \"faulty-euler\"", "factory"},
    {"integrator_traits", "integrator \"faulty-euler\"", "traits()"},
    {"columns", "integrator \"faulty-euler\"", "columns()"},
    {"packing", "packing \"faulty-packing\"", "factory"},
    {"modifier", "modifier \"faulty-modifier\"", "factory"},
    {"observer", "observer \"faulty-observer\"", "factory"},
    {"begin_modifier", "modifier \"faulty-modifier\"", "begin()"},
    {"makes", "modifier \"faulty-modifier\"", "makes()"},
    {"warnings", "integrator \"faulty-euler\"", "warnings()"},
};

struct Thrown {
  const char *fault, *text;
  int code;
};

const Thrown kThrown[] = {
    {"runtime_error", "threw std::runtime_error: not one of scree's errors.", 1},
    {"int", "threw an exception of type int.", 1},
    {"bad_alloc", "found no more memory (std::bad_alloc).", 1},
    {"numerical", "the method found no answer.", 3},
    {"error", "an error of scree's.", 1},
};

}  // namespace

TEST_CASE("the methods that fail where they are told to work otherwise", "[faulty]") {
  for (const char* face : {"force/1", "cone/1", "potential/1", "implicit"}) {
    const TemporaryFolder folder;
    CHECK(run(folder.path(), faulty_scene("", "", 0, face), 1).text == "");
    CHECK(nlohmann::json::parse(slurp(folder / "out/summary.json"))["status"] == "completed");
    CHECK_FALSE(nlohmann::json::parse(slurp(folder / "out/summary.json")).contains("reason"));
  }
}

TEST_CASE("whatever a plugin throws during a run ends it with its name, a checkpoint and a summary", "[faulty]") {
  for (const Entry& entry : kRunning)
    for (const Thrown& thrown : kThrown)
      check_failure(entry, thrown.fault, thrown.code, thrown.text,
                    &thrown == kThrown ? std::vector{1, 3} : std::vector{1});
}

TEST_CASE("wrong values during a run end it in the same way", "[faulty]") {
  const Entry detect = kRunning[2], match = kRunning[3], step = kRunning[18];
  const Entry columns = kRunning[29], values = kRunning[30];
  const WrongValue wrong[] = {
      {detect, "nan_overlap", "the contact of bodies ", true},
      {detect, "nan_normal", "the contact of bodies ", true},
      {detect, "nan_point", "the contact of bodies ", true},
      {detect, "zero_normal", "the contact of bodies "},
      {detect, "long_normal", "the contact of bodies "},
      {detect, "range", "returned a contact of pair 4000000; it was given "},
      {detect, "order", "returned contacts in another order than that of its pairs."},
      {match, "range", "named as a source contact 4000000; allowed are 0 to "},
      {kRunning[4], "nan", "the force of a contact with an overlap of ", true},
      {kRunning[5], "nan", "the energy of a contact with an overlap of ", true},
      {kRunning[6], "nan", "of a contact with an overlap of ", true},
      {kRunning[6], "range", "of a contact with an overlap of ", true},
      {kRunning[7], "nan", "of a contact with an overlap of ", true},
      {kRunning[9], "nan", "of a bond is NaN.", true},
      {kRunning[10], "nan", "a force or torque became NaN or infinite.", true},
      {kRunning[11], "nan", "the energy is nan J.", true},
      {kRunning[12], "nan", "the arm of a joint is NaN or infinite.", true},
      {kRunning[26], "nan", "the point of a link is NaN or infinite.", true},
      {kRunning[26], "range", "listed a link of body 4000000; there are "},
      {columns, "nameless", "named a column \"\"; names are letters, digits and underscores."},
      {columns, "spaced", "named a column \"two words\"; names are letters, digits and underscores."},
      {columns, "twice", "named two columns \"pull\"."},
      {columns, "more", "named the columns pull, bend, twist; before, they were pull, bend."},
      {values, "nan", "\"bend\" of the law's bond ", true},
      {values, "infinite", "\"pull\" of the law's bond 1 of ", true},
      {kRunning[31], "nan", "what a bond remembers became NaN or infinite.", true},
      {kRunning[31], "deny", "changed what a bond remembers, and returned that it did not."},
      {kRunning[32], "spaced", "named something \"two words\"; names are letters, digits and underscores."},
      {kRunning[32], "empty", "grid \"grid\" has 2 x 0 x 1 points at distances of "},
      {kRunning[32], "short", "\"heat\" has 3 numbers, 1 to each of 4 points; one or three for each are needed."},
      {kRunning[32], "nan", "\"heat\" has a value that is not finite.", true},
      {kRunning[0], "range", "returned a cell with point 4000000; there are 1 points."},
      {kRunning[0], "empty_cell", "returned a cell without points."},
      {detect, "far", "returned a contact of bodies "},
      {step, "no_commit", "called Mechanics::commit() 0 times; every step calls it once."},
      {step, "two_commits", "called Mechanics::commit() 2 times; every step calls it once."},
  };
  for (const WrongValue& w : wrong) check_failure(w.entry, w.fault, w.numbers ? 3 : 1, w.text, {1, 3});
}

TEST_CASE("what modifiers and integrators write into bodies must refer to what there is", "[faulty]") {
  const Entry apply{"apply", "modifier \"faulty-modifier\"", "apply()", "force/1", "before step 7 (time 0.0006 s)"};
  const Entry step{"step", "integrator \"faulty-euler\"", "step()"};
  const Entry late{"after_commit", "integrator \"faulty-euler\"", "step()"};
  struct Written {
    const char *fault, *text;
  };
  const Written written[] = {
      {"shape", "body 0 has shape 4000000 now; there are 1, counted from 0."},
      {"material", "body 0 has material 4000000 now; there are 1, counted from 0."},
      {"group", "body 0 has group 4000000 now; there are 1, counted from 0."},
      {"kind", "body 0 has kind 4000000 now; there are 3, counted from 0."},
      {"owner", "body 0 has body 4000000 as its owner now, which is not there."},
      {"id", "row 0 of bodies has the id 4000000 now, which is not that of its body."},
      {"same_id", "row 0 of bodies has the id "},
      {"scale", "body 0 has scale -3 now; it must be finite and above 0."},
      {"radius", "body 0 has radius nan now; it must be at least 0."},
      {"mass", "body 0 has mass nan now; it must be at least 0."},
      {"inverse_mass", "body 0 has inverse_mass -1 now; it must be finite and at least 0."},
      {"time", "changed World::step from "},
      {"count", "changed World::step from "},
  };
  for (const Entry& entry : {apply, step, late})
    for (const Written& w : written) check_failure(entry, w.fault, 1, w.text, {1});
}

TEST_CASE("match() may name no successor that is not there", "[faulty]") {
  const TemporaryFolder folder;
  const End end = run(folder.path(), faulty_scene("match", "successor", 6, "cone/1"), 1);
  CHECK(end.code == 1);
  CHECK_THAT(end.text, ContainsSubstring(where(kRunning[3]) + "named as an successor contact -7; allowed are 0 to 0"));
}

TEST_CASE("a body that becomes NaN is not put down to the integrator's name", "[faulty]") {
  const TemporaryFolder folder;
  const End end = run(folder.path(), faulty_scene("step", "nan", 6), 1);
  CHECK(end.code == 3);
  CHECK_THAT(end.text, Catch::Matchers::StartsWith("body 0: became NaN or infinite in step 6"));
}

TEST_CASE("whatever a plugin throws before the first step is bad input with its name", "[faulty]") {
  for (const Entry& entry : kSettingUp)
    for (const Thrown& thrown : kThrown) {
      const TemporaryFolder folder;
      const End end = run(folder.path(), faulty_scene(entry.at, thrown.fault, 0), 1);
      INFO(entry.at << ", " << thrown.fault << ": " << end.text);
      CHECK(end.code == 2);
      CHECK_THAT(end.text, ContainsSubstring(where(entry) + thrown.text));
      CHECK_FALSE(fs::exists(folder / "out"));
    }
}

TEST_CASE("wrong values before the first step are bad input", "[faulty]") {
  const char* const null = "returned a null pointer. It must make an object, or throw.";
  const Entry law{"", "law \"faulty-law\"", ""}, shape{"", "shape \"faulty-sphere\"", ""};
  const WrongValue wrong[] = {
      {kSettingUp[0], "null", null},
      {kSettingUp[2], "null", null},
      {kSettingUp[5], "null", null},
      {kSettingUp[6], "null", null},
      {kSettingUp[8], "null", null},
      {kSettingUp[12], "null", null},
      {kSettingUp[13], "null", null},
      {{"shape", shape.method, "bounding_radius()"}, "negative", "returned -0.01 m; it must be above 0."},
      {{"shape", shape.method, "SphereSet/1"}, "no_spheres", "has 0 centres and 0 radii; "},
      {kSettingUp[1], "nan", "returned nan kg and moments of "},
      {{"range", law.method, "range()"}, "nan", "returned nan m; it must be finite and at least 0."},
      {{"history", law.method, "history_size()"}, "negative", "returned -3; a law remembers 0 to 16 numbers"},
      {{"friction", law.method, "potential/1"}, "nan", "a coefficient of friction is nan; "},
      {kSettingUp[9], "nan", "a margin is nan; it must be finite and at least 0."},
      {kSettingUp[7], "nan", "returned NaN."},
      {{"bond_traits", kSettingUp[6].method, "traits()"},
       "many",
       "a bond remembers 100 numbers; 0 to 64 are possible."},
      {{"bond_traits", kSettingUp[6].method, "traits()"},
       "memoryless",
       "steps or balance() are to set what bonds remember, which is nothing: memory is 0."},
      {{"bond_traits", kSettingUp[6].method, "traits()"}, "nan", "modulus nan Pa or strength 0 Pa is below 0 or NaN."},
      {kSettingUp[1], "no_moment",
       "returned 1 kg and moments of (0, 0, 0) kg m^2; what has a mass has moments above 0"},
      {{"facet", shape.method, "facet()"},
       "whole",
       "returned for \"SphereSet/1\" a pointer that does not lead to that class. Derive from it, and return a pointer "
       "converted to it: static_cast<const scree::SphereSet*>(this)."},
      {{"facet", shape.method, "facet()"},
       "other",
       "returned for \"RoundVertices/1\" a pointer that does not lead to "},
      {{"face", law.method, "face()"}, "whole", "returned for \"force/1\" a pointer that does not lead to "},
      {kSettingUp[11], "shape", "place 2 has shape 4000000 of its entry, which has 1, counted from 0."},
      {kSettingUp[11], "nan", "place 1 is at (0.0198, 0, nan) m; a position must be finite."},
      {kSettingUp[11], "face", "shared face 0 joins the places 0 and 4000000; there are 27."},
      {kSettingUp[15], "range", "named shape 4000000 and material 0; there are "},
      {kSettingUp[15], "nan", "returned sizes from nan to 1; they must be above 0, finite and in order."},
      {kSettingUp[11], "column", "column \"colour\" has 3 values of 2 components; there are 27 places."},
  };
  for (const WrongValue& w : wrong) {
    const TemporaryFolder folder;
    const End end = run(folder.path(), faulty_scene(w.entry.at, w.fault, 0), 1);
    INFO(w.entry.at << ", " << w.fault << ": " << end.text);
    CHECK(end.code == 2);
    CHECK_THAT(end.text, ContainsSubstring(where(w.entry) + w.text));
    CHECK_FALSE(fs::exists(folder / "out"));
  }
}

TEST_CASE("bonds that are to carry what hangs on them at the start are bad input where their law fails", "[faulty]") {
  const Entry balance{"balance", kSettingUp[6].method, "balance()"};
  std::vector<std::pair<std::string, std::string>> faults = {
      {"nan", where(balance) + "what a bond remembers is NaN or infinite."},
      {"refuse", "/bonds/0/law: what hangs there is too heavy."}};
  for (const Thrown& thrown : kThrown) faults.emplace_back(thrown.fault, where(balance) + thrown.text);
  for (const auto& [fault, text] : faults) {
    const TemporaryFolder folder;
    auto scene = nlohmann::json::parse(faulty_scene(balance.at, fault, 0));
    scene["bodies"][0].erase("velocity");
    scene["bodies"][0]["fixed"] = true;  // so that statics tells what bonds carry
    const End end = run(folder.path(), scene.dump(), 1);
    INFO(fault << ": " << end.text);
    CHECK(end.code == 2);
    CHECK_THAT(end.text, ContainsSubstring(text));
    CHECK_FALSE(fs::exists(folder / "out"));
  }
}

namespace {

/// What `scree check` says.
std::string checked(const nlohmann::json& scene) {
  const TemporaryFolder folder;
  std::ofstream(folder / "scene.json") << scene.dump();
  return to_text(check_simulation(read_scene((folder / "scene.json").string(), {}, registry()), registry()));
}

std::size_t times(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

}  // namespace

TEST_CASE("of two detectors that fit equally well the first by name is taken, and both are named once", "[faulty]") {
  auto scene = nlohmann::json::parse(faulty_scene("", "", 0));
  CHECK(times("equally well", checked(scene)) == 0);
  scene["interactions"][0]["detector"] = "auto";
  scene["materials"]["n"] = {{"density", 1000}};  // more channels, one warning
  scene["bodies"].push_back({{"name", "far"}, {"shape", "sphere"}, {"material", "n"}, {"position", {9, 9, 9}}});
  scene["interactions"][0]["between"] = {"*", "*"};
  const std::string told = checked(scene);
  CHECK(times("equally well", told) == 1);
  CHECK_THAT(told, ContainsSubstring(
                       "/interactions/0: detectors faulty-detector, faulty-twin fit shapes \"sphere\" (faulty-sphere) "
                       "and \"sphere\" (faulty-sphere) equally well, and \"faulty-detector\" is taken, the first by "
                       "name. Name one in \"detector\" to choose."));
}

TEST_CASE("a law that works with radii of curvature is told once that a detector has none", "[faulty]") {
  CHECK(times("radii", checked(nlohmann::json::parse(faulty_scene("", "", 0)))) == 0);
  const std::string told = checked(nlohmann::json::parse(faulty_scene("needs", "radius", 0)));
  CHECK_THAT(told, ContainsSubstring("/interactions/0: law \"faulty-law\" works with the radii of curvature at the "
                                     "contact, and detector \"faulty-detector\" tells none: bounding radii are taken "
                                     "for them."));
}

TEST_CASE("a packing without places is told", "[faulty]") {
  auto scene = nlohmann::json::parse(faulty_scene("packing", "none", 0));
  scene.erase("bonds");
  CHECK_THAT(checked(scene), ContainsSubstring("/bodies/0/packing: packing \"faulty-packing\" places no bodies."));
}

TEST_CASE("where the last good state cannot be saved, both failures are told and the first one's code is kept",
          "[faulty]") {
  for (const Thrown& thrown : {kThrown[0], kThrown[3]}) {
    const TemporaryFolder folder;
    const std::string scene = faulty_scene("detect", thrown.fault, 3);  // before the first checkpoint
    fs::create_directories(folder / "out");
    std::ofstream(folder / "out/checkpoints") << "a file where a folder should be";
    const End end = run(folder.path(), scene, 1);
    CHECK(end.code == thrown.code);
    CHECK_THAT(end.text, ContainsSubstring(where(kRunning[2]) + thrown.text));
    CHECK_THAT(end.text, ContainsSubstring("Could not save a checkpoint: "));
    CHECK(nlohmann::json::parse(slurp(folder / "out/summary.json"))["status"] == "failed");
  }
}

TEST_CASE("a resume that a plugin's load() or resume() refuses names it", "[faulty]") {
  for (const Entry& entry : {Entry{"load", "modifier \"faulty-modifier\"", "load()"},
                             Entry{"integrator_load", "integrator \"faulty-euler\"", "load()"},
                             Entry{"observer_load", "observer \"faulty-observer\"", "load()"},
                             Entry{"resume", "observer \"faulty-observer\"", "resume()"}}) {
    const TemporaryFolder folder;
    const std::string scene = faulty_scene(entry.at, "int", 0);
    ::setenv("FAULTY_OFF", "1", 1);
    CHECK(run(folder.path(), scene, 1).text == "");
    ::unsetenv("FAULTY_OFF");
    const End end = run(folder.path(), scene, 1, newest_checkpoint(folder / "out").string());
    CHECK(end.code == 2);
    CHECK_THAT(end.text, ContainsSubstring(where(entry) + "threw an exception of type int."));
  }
}
