#include "mix/mix.hpp"

namespace scree::test::matrix {

std::string scene_text(const Mix& mix, double dt) {
  const Json material = {{"density", 1000}, {"youngs_modulus", 1e7}, {"poisson_ratio", 0.3}};
  Json bodies = Json::array();
  bodies.push_back({{"name", "a"}, {"shape", "a"}, {"material", "grain"}});
  bodies.push_back({{"name", "b"}, {"shape", "b"}, {"material", "grain"}, {"fixed", mix.b_fixed}});
  if (mix.scale_a != 1) bodies[0]["scale"] = mix.scale_a;
  if (mix.scale_b != 1) bodies[1]["scale"] = mix.scale_b;
  Json integrator = mix.integrator;
  integrator["dt"] = dt;
  const Json interaction = {{"between", {"*", "*"}}, {"detector", mix.detector}, {"law", mix.law}};
  return Json{{"dimension", mix.dimension},
              {"materials", {{"grain", material}}},
              {"shapes", {{"a", mix.a}, {"b", mix.b}}},
              {"bodies", bodies},
              {"interactions", Json::array({interaction})},
              {"integrator", integrator},
              {"output", {{"writers", Json::array()}}},
              {"run", {{"duration", 1}}}}
      .dump();
}

const std::string& schema() {
  static const std::string text = all_plugins().scene_schema();
  return text;
}

Made::Made(const Mix& mix, double dt)
    : scene(parse_scene("mix.json", scene_text(mix, dt), SceneInputs{schema(), {}, {}})),
      made(prepare(scene, all_plugins())) {}

std::string refusal(const Mix& mix) {
  try {
    const Made made(mix);
    return "";
  } catch (const InputError& e) {
    return e.what();
  }
}

}  // namespace scree::test::matrix
