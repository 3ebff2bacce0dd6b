// The promise of same bits, kept on every example: whatever folder stands in examples/ with a scene.json is in.

#include <algorithm>
#include <map>
#include <vector>

#include "same_bits.hpp"

using namespace scree::test;

namespace {

/// What makes an example small enough for a test, or lets its bodies touch soon.
const std::map<std::string, std::string> kShorter = {
    {"star_in_sand", "--set /bodies/0/packing/counts=[24,24,6] --set /bodies/1/position=[0.06,0.06,0.085]"},
    {"sand_heap_3d",
     "--set /bodies/0/packing/counts=[16,4,8] --set /bodies/1/packing/counts=[15,3,8] --set "
     "/bodies/2/packing/counts=[14,2,8]"},
    {"hourglass",
     "--set /bodies/0/packing/counts=[38,5,3] --set /bodies/1/packing/counts=[36,3,3] "
     "--set /bodies/2/packing/counts=[34,1,3] --set /bodies/3/packing/counts=[32,2,3] "
     "--set /bodies/4/packing/counts=[30,1,3] --set /bodies/5/packing/counts=[28,1,3] "
     "--set /bodies/6/packing/counts=[26,1,3] --set /bodies/7/packing/counts=[24,1,3] "
     "--set /bodies/8/packing/counts=[22,1,3] --set /bodies/9/packing/counts=[18,1,3] "
     "--set /bodies/10/packing/counts=[16,1,3] --set /bodies/11/packing/counts=[10,1,3]"},
    {"brazilian_disc",
     "--set /bodies/1/position=[0,-0.025] --set /bodies/2/position=[0,0.025] --set /bodies/1/motion/velocity=[0,0.5] "
     "--set /bodies/2/motion/velocity=[0,-0.5]"},
    {"tetrapods", "--set /bodies/0/packing/counts=[6,6,3] --set /bodies/0/velocity=[0.1,0.2,-1]"},
    {"disc_on_sand",
     "--set /bodies/0/packing/counts=[90,9] --set /bodies/1/position=[0.07,0.045] --set "
     "/bodies/2/position=[0.17,0.045]"},
    {"graded_grains", "--set /bodies/1/velocity=[0,-3]"},
    {"cow_bounce", "--set /bodies/0/position=[7,3.3] --set /bodies/0/velocity=[0,-10]"},
    {"cow_hopper", "--set /bodies/0/velocity=[0,-60]"},
    {"cow_gas", "--set /bodies/0/random_speed=3"},
    {"repose_heap", "--set /bodies/0/velocity=[0,0,-0.5]"},
    {"hot_drum", "--set /bodies/0/velocity=[0,0,-0.5]"},
    {"hot_plate", "--set /bodies/0/velocity=[0,0,-0.5]"},
    {"wet_castle", "--set /bodies/0/velocity=[0,0,-0.5]"},
    {"star_drum", "--set /bodies/0/velocity=[0.5,-1]"},
    {"star_bridge", "--set /bodies/0/velocity=[0,-2]"},
    {"packing_models", "--set /bodies/0/velocity=[0,-1]"},
    {"l_and_u", "--set /bodies/0/velocity=[0.2,-2]"},
    {"star_energy", "--set /bodies/0/velocity=[1,-1] --set /bodies/1/velocity=[-1,-1]"},
    {"chute", "--set /bodies/1/velocity=[0.3,0,-1]"},
    {"periodic_shear", "--set /bodies/0/random_speed=1"},
    {"silo_fields", "--set /bodies/0/velocity=[0.3,-1]"},
    {"worn_chute", "--set /bodies/0/velocity=[0.5,0,-5]"},
    {"mixed_beads", "--set /bodies/0/packing/counts=[7,7,6] --set /bodies/0/velocity=[0.1,0.2,-1]"},
    {"culling_blob",
     "--set /bodies/0/packing/semi_axes=[0.06,0.05,0.05] --set /bodies/0/packing/centre=[0,0,0.056] "
     "--set /bodies/0/velocity=[0,0,-1]"},
    {"culling_pile",
     "--set /bodies/0/packing/semi_axes=[0.07,0.07,0.07] --set /bodies/1/position=[0,0,0.13] "
     "--set /bodies/1/velocity=[0,0,-0.5] --set /hooks/0/held_at_start=true"},
    {"culling_drum", "--set /bodies/0/packing/counts=[20,7,6] --set /bodies/0/velocity=[0.1,0,-1]"},
    {"culling_silo",
     "--set /bodies/0/packing/counts=[20,6,6] --set /bodies/0/velocity=[0.1,0,-1] --set /bodies/5/remove_at=0.05"},
    {"drum3d", "--set /hooks/0/region/lower=[-0.05,-0.024,-0.07] --set /hooks/0/velocity=[0,0,-2]"},
    {"mixer",
     "--set /bodies/0/packing/counts=[5,8,5] --set /bodies/0/velocity=[0.1,0.2,-1] "
     "--set /bodies/1/packing/counts=[5,8,5] --set /bodies/1/velocity=[-0.1,0.2,-1]"},
    {"groom", "--set /bodies/0/packing/file=short.csv"},
    {"polygon_packing", "--set /bodies/0/packing/counts=[18,6]"},
    {"pile_of_10k", "--set /bodies/0/packing/counts=[7,7,6] --set /bodies/0/velocity=[0.1,0.2,-1]"},
    {"cad_hopper", "--set /bodies/0/packing/counts=[8,8,3] --set /bodies/0/velocity=[0,0,-2]"},
    {"gravel", "--set /bodies/0/velocity=[0.2,0,-1] --set /bodies/1/velocity=[-0.2,0,-1.5]"},
    {"dice", "--set /bodies/0/packing/counts=[4,4,3] --set /bodies/0/velocity=[0.2,0.3,-2]"},
    {"sphere_box", "--set /bodies/0/packing/counts=[7,7,6] --set /bodies/0/velocity=[0.1,0.2,-1]"},
};

/// Steps of examples whose steps are long, beside what kShorter leaves of them.
const std::map<std::string, int> kFewSteps = {
    {"culling_crate", 100},    {"hourglass", 20},   {"silo", 40},         {"underwater_collapse", 40},
    {"disc_on_sand", 50},      {"nest", 100},       {"sand_heap_3d", 20}, {"star_in_sand", 20},
    {"concrete_slump", 20},    {"sand_column", 40}, {"hair_tail", 80},    {"cable_drum", 160},
    {"fibres_and_grains", 60},
};

/// So many steps of an example as take little time: where steps are few, each is long.
int steps_of(const std::string& name, const nlohmann::json& scene) {
  const double steps = scene["run"]["duration"].get<double>() / scene["integrator"]["dt"].get<double>();
  const auto few = kFewSteps.find(name);
  return std::min(few == kFewSteps.end() ? 600 : few->second, 2 * static_cast<int>(steps / 8));
}

/// Points of a continuum have no contacts, nor have bodies that lie on them.
bool meets_nobody(const nlohmann::json& scene) {
  if (scene["integrator"]["type"] == "granular-continuum") return true;
  const nlohmann::json pairs = scene.value("interactions", nlohmann::json::array());
  const auto passes = [](const nlohmann::json& pair) { return pair.value("law", nlohmann::json()) == "none"; };
  return !pairs.empty() && std::ranges::all_of(pairs, passes);
}

/// Examples that need no plugin of their own, each cut short. Stages end by themselves: stages_test.cpp has them.
std::vector<ShortRun> examples() {
  std::vector<ShortRun> list;
  for (const auto& entry : fs::directory_iterator(SCREE_EXAMPLES)) {
    const fs::path file = entry.path() / "scene.json";
    if (!fs::exists(file) || fs::exists(entry.path() / "CMakeLists.txt")) continue;
    const auto scene = nlohmann::json::parse(slurp(file));
    if (scene.contains("stages")) continue;
    const std::string name = entry.path().filename().string();
    const auto shorter = kShorter.find(name);
    const bool empty = scene.contains("hooks") && scene["hooks"].dump().find("\"emitter\"") != std::string::npos;
    list.push_back({file.string(), shorter == kShorter.end() ? "" : shorter->second, steps_of(name, scene),
                    !empty && !meets_nobody(scene)});
  }
  return list;
}

}  // namespace

TEST_CASE(
    "a solid mass whose inside is in the ledger: the same bits for 1, 2, 3 threads, and resumed while it is there") {
  const ShortRun run{SCREE_EXAMPLES "/culling_blob/scene.json", "--set /bodies/0/packing/semi_axes=[0.08,0.06,0.06]",
                     400, false};
  const TemporaryFolder folder;
  const auto half = run_short(run, folder / "half", 200 * 4e-5, "--threads 1");
  CHECK(half["figures"]["culling_stored"].get<double>() > 200);
  CHECK(half["figures"]["culling_granules_restored"].get<double>() == 0);
  check_same_bits(run);
}

TEST_CASE("every example: the same bits for 1, 2, 3 threads, and when stopped half-way and resumed") {
  const std::vector<ShortRun> all = examples();
  REQUIRE(all.size() >= 5);
  for (const ShortRun& example : all) check_same_bits(example);
}
