#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "program.hpp"
#include "scree/base/error.hpp"
#include "scree/plugin/registry.hpp"
#include "scree/run/checkpoint.hpp"
#include "scree/run/run.hpp"
#include "scree/setup/provenance.hpp"

using namespace scree;
using namespace scree::test;

namespace {

class Still : public Modifier {
 public:
  void apply(World&, const ContactView*, HistoryStore&) override {}
};

const char* const kScene = R"({"name": "two", "dimension": 3, "materials": {"m": {"density": 1000}},
"shapes": {"ball": {"type": "sphere", "radius": 0.1}},
"bodies": [{"shape": "ball", "material": "m"}, {"shape": "ball", "material": "m", "position": [1, 0, 0]}],
"interactions": [{"between": ["m", "m"], "law": {"type": "linear", "normal_stiffness": 1000}}],
"integrator": {"type": "symplectic-euler", "dt": 1e-3}, "hooks": [{"type": "still"}],
"output": {"writers": []}, "run": {"duration": 2e-3}})";

/// The build's plugins for kScene, copied to a folder, and one that is linked in, of some version.
struct Loaded {
  explicit Loaded(const std::string& version, const std::string& appended_to_spheres = "") {
    const fs::path from = std::getenv("SCREE_PLUGIN_PATH");
    for (const char* name : {"libspheres.so", "libcompliant.so", "libexplicit_integrators.so"})
      fs::copy_file(from / name, folder / name);
    std::ofstream(folder / "libspheres.so", std::ios::app | std::ios::binary) << appended_to_spheres;
    registry.load({{folder.path().string()}, {}});
    registry.add("still", version, "/nowhere/still.so", [](Registrar& registrar) {
      registrar.schemas(R"({"modifier/still": {"type": "object", "description": "Does nothing."}})");
      registrar.modifier("still", [](const Options&) { return std::make_unique<Still>(); });
    });
  }
  TemporaryFolder folder;
  Registry registry;
};

struct Run {
  explicit Run(const Registry& registry)
      : scene(parse_scene("test.json", kScene, {registry.scene_schema(), {}, {}})), made(prepare(scene, registry)) {}
  Scene scene;
  std::unique_ptr<Prepared> made;
  Prepared& prepared = *made;
};

}  // namespace

TEST_CASE("summary and resolved scene name the plugins used, and the resolved scene resolves to itself") {
  const Loaded loaded("1.2.0");
  const TemporaryFolder out;
  const Scene scene = parse_scene("test.json", kScene, {loaded.registry.scene_schema(), {}, {}});
  RunOptions options;
  options.out = out.path().string();
  options.quiet = true;
  run_simulation(scene, loaded.registry, options);
  const auto summary = nlohmann::json::parse(slurp(out / "summary.json"));
  std::vector<std::string> names;
  for (const auto& plugin : summary.at("plugins")) names.push_back(plugin.at("name"));
  CHECK(names == std::vector<std::string>{"compliant", "explicit_integrators", "spheres", "still"});
  CHECK(summary["plugins"][3] == nlohmann::json{{"name", "still"}, {"version", "1.2.0"}, {"hash", "0000000000000000"}});
  CHECK(summary["plugins"][2]["hash"].get<std::string>().size() == 16);

  const std::string resolved = slurp(out / "scene.json");
  CHECK(nlohmann::json::parse(resolved).at("plugins") == summary.at("plugins"));
  const Scene again = read_scene((out / "scene.json").string(), {}, loaded.registry);
  CHECK(again.resolved == resolved);
  CHECK(again.fingerprint == scene.fingerprint);
  const auto made = prepare(again, loaded.registry);
  const Prepared& prepared = *made;
  CHECK(prepared.warnings.empty());
  CHECK(with_plugins(again.resolved, prepared.plugins.all) == resolved);

  const Loaded newer("1.3.0");
  const auto made_newly = prepare(again, newer.registry);
  const Prepared& changed = *made_newly;
  REQUIRE(changed.warnings.size() == 1);
  CHECK_THAT(changed.warnings[0],
             Catch::Matchers::ContainsSubstring("/plugins: plugin \"still\" had version 1.2.0, and has 1.3.0 now. "
                                                "Results may differ from that run's."));
}

TEST_CASE("a run is resumed with plugins of the versions it began with, another build of one is told") {
  const Loaded then("1.2.0");
  const TemporaryFolder folder;
  const Run first(then.registry);
  write_checkpoint(folder / "c.h5", take_snapshot(first.prepared, {}), identity_of(first.scene));
  const Snapshot snapshot = read_checkpoint(folder / "c.h5", identity_of(first.scene));

  const std::string file = (folder / "c.h5").string();
  CHECK(compare_plugins(file, snapshot, Run(then.registry).prepared).empty());
  const Loaded newer("2.0.0");
  CHECK_THROWS_WITH(compare_plugins(file, snapshot, Run(newer.registry).prepared),
                    file +
                        ": plugin \"still\" had version 1.2.0, and has 2.0.0 now. Resume it with the plugins it was "
                        "written with, or start again from step 0.");
  const Loaded rebuilt("1.2.0", "another byte");
  const std::vector<std::string> warnings = compare_plugins(file, snapshot, Run(rebuilt.registry).prepared);
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0],
             Catch::Matchers::StartsWith(file + ": plugin \"spheres\" 1.0.0 comes from another file (hash "));

  // The program refuses it too, before it writes anything.
  RunOptions options;
  options.out = (folder / "resumed").string();
  options.resume = file;
  options.quiet = true;
  const Scene scene = parse_scene("test.json", kScene, {newer.registry.scene_schema(), {}, {}});
  CHECK_THROWS_AS(run_simulation(scene, newer.registry, options), InputError);
  CHECK_FALSE(fs::exists(folder / "resumed"));
}
