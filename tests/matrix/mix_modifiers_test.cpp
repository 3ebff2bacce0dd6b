// The mix matrix: every modifier that is loaded with every law. Shapes and integrators take turns.

#include <fmt/format.h>

#include <set>

#include "mechanics_of.hpp"
#include "mix/drives.hpp"
#include "mix/meetings.hpp"

using namespace scree;
using namespace scree::test;
using namespace scree::test::matrix;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Examples are written for 3D: in 2D the first number of each vector is left out, so that up stays up.
Json planar(Json options) {
  for (Json& option : options) {
    if (option.is_object()) option = planar(option);
    if (option.is_array() && option.size() == 3 && option[0].is_number()) option.erase(0);
  }
  return options;
}

/// The scene of a mix with a modifier, and with what its options name: a shape, a material, an entry of bodies.
Json scene_with(const Mix& mix, const Json& modifier) {
  Json scene = Json::parse(scene_text(mix, 1e-6));
  Json hook = mix.dimension == 2 ? planar(modifier) : modifier;
  hook["interval"] = 1e-6;
  scene["hooks"] = Json::array({hook});
  if (const Json shape = modifier.value("shape", Json()); shape.is_string()) scene["shapes"][shape] = mix.a;
  if (const Json material = modifier.value("material", Json()); material.is_string())
    scene["materials"][material] = scene["materials"]["grain"];
  const auto add_entry = [&](const Json& name) {
    scene["bodies"].push_back({{"name", name}, {"shape", "a"}, {"material", "grain"}, {"motion", Json::object()}});
  };
  if (const Json bodies = modifier.value("bodies", Json()); bodies.is_string()) add_entry(bodies);
  for (const Json& film : modifier.value("films", Json::array())) add_entry(film.at("bodies"));
  for (const Json& condition : modifier.value("conditions", Json::array())) add_entry(condition.at("bodies"));
  double far = 0;
  for (Json& body : scene["bodies"]) {
    body["position"] = mix.dimension == 2 ? Json{far, 5} : Json{far, 5, 5};
    far += 5;
  }
  if (modifier["type"] == "bond-maker") {
    const Json name = scene["bodies"][0].value("name", "bodies0");
    const Json law = {{"type", "bonded-beam"}, {"normal_stiffness", 1e6}};
    scene["bonds"] = Json::array({Json{{"between", Json::array({name, name})}, {"pairs", "by-hook"}, {"law", law}}});
  }
  if (modifier.contains("strain_rate"))  // of a periodic cell
    for (int k = 0; k < mix.dimension; ++k) scene["periodic"][std::string(1, "xyz"[k])] = {-20, 20};
  scene["domain"] = {{"lower", {-20, -20, -20}}, {"upper", {20, 20, 20}}};
  if (mix.dimension == 2)
    for (const char* end : {"lower", "upper"}) scene["domain"][end].erase(2);
  return scene;
}

/// Some steps with the modifier. \return the refusal, or "" where it ran
std::string run_modified(const Mix& mix, const Json& modifier, std::uint64_t& hash) {
  try {
    const Scene scene = parse_scene("mix.json", scene_with(mix, modifier).dump(), SceneInputs{schema(), {}, {}});
    const auto made = prepare(scene, test::all_plugins());
    World& world = *made->world;
    mechanics_of(*made).refresh();
    world.take_edits();
    const ContactView none;  // the bodies are apart
    for (int s = 0; s < 5; ++s) {
      for (auto& m : made->modifiers)
        if (m.schedule.due(world.step, scene.dt)) m.modifier->apply(world, &none, mechanics_of(*made));
      made->methods.integrator->edited(world, world.take_edits());
      mechanics_of(*made).refresh();
      made->methods.integrator->step(mechanics_of(*made), scene.dt);
      world.time = scene.dt * static_cast<double>(++world.step);
    }
    hash = state_hash(world);
    return "";
  } catch (const InputError& e) {
    return e.what();
  }
}

/// Every modifier with every law, all of them with every shape; integrators take turns.
void check_modifiers(int dimension, std::set<std::string>& seen) {
  std::size_t legal = 0, illegal = 0, turn = 0;
  std::vector<Mix> mixes;
  for (const Json& shape : offers(dimension).free) {
    Mix mix;
    mix.dimension = dimension;
    mix.a = mix.b = shape;
    if (refusal(mix).empty()) mixes.push_back(mix);
  }
  const std::vector<Drive> all = drives();
  const std::size_t met = some_of(all, 0).size(), rounds = (mixes.size() + met - 1) / met;
  for (const Json& modifier : test::examples("modifier"))
    for (std::size_t round = 0; round < rounds; ++round)
      for (const auto& [law, integrator, picky] : some_of(all, turn)) {
        Mix mix = mixes[turn++ % mixes.size()];
        mix.law = law;
        mix.integrator = integrator;
        if (picky && !refusal(mix).empty()) continue;  // counted in check_matrix()
        INFO(fmt::format("{}D: {} with {}, {}, {}", dimension, modifier.dump(), mix.a.dump(), law.dump(),
                         integrator.dump()));
        std::uint64_t hash = 0, again = 0;
        if (const std::string refused = run_modified(mix, modifier, hash); !refused.empty()) {
          ++illegal;
          CHECK_THAT(refused, ContainsSubstring("/hooks/0") || ContainsSubstring(modifier["type"].dump()));
          continue;
        }
        ++legal;
        seen.insert(modifier["type"]);
        if (legal % 4 != 0) continue;
        run_modified(mix, modifier, again);
        CHECK(hash == again);
      }
  fmt::print("modifiers in {}D: {} legal combinations, {} refused\n", dimension, legal, illegal);
  CHECK(legal > 0);
}

}  // namespace

TEST_CASE("the mix matrix: modifiers run with shapes, laws and integrators, what does not fit says why") {
  std::set<std::string> seen;
  for (const int dimension : {2, 3}) check_modifiers(dimension, seen);
  for (const FactoryInfo& info : test::all_plugins().list()) {
    if (info.kind != "modifier" || info.schema.find("\"x-scree-code\"") != std::string::npos)
      continue;  // a user's file
    INFO(info.name);
    CHECK(seen.contains(info.name));
  }
}
