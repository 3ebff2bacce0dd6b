#pragma once
/// \file Bodies that are attached to a frame and released again while the run goes on.

#include "probe_run.hpp"

namespace scree::test {

/// A lump of cohesive grains with friction, without gravity and walls: every ten steps another part of them is one
/// rigid body.
inline Json aggregate_scene(int along, int size, int steps, const std::string& integrator) {
  Json scene = probe_scene({fmt::format(R"({{"type": "probe-aggregate", "interval": 1e-4, "size": {}}})", size)});
  scene["gravity"] = {0, 0, 0};
  scene["bodies"] = Json::array({scene["bodies"][0]});
  scene["bodies"][0]["packing"] = Json::parse(
      fmt::format(R"({{"type": "lattice", "lower": [0.01, -0.02, 0], "counts": [{0}, {0}, {1}], "spacing": 0.001995}})",
                  along, along == 10 ? 20 : 25));
  scene["bodies"][0]["random_speed"] = 0.05;
  scene["interactions"][0]["law"]["cohesion"] = {{"model", "constant"}, {"force", 0.01}};
  scene["bodies"].push_back(
      Json::parse(R"({"name": "frames", "shape": "floor", "material": "w", "fixed": true, "position": [0, 0, -1]})"));
  scene["integrator"]["type"] = integrator;
  scene["run"]["duration"] = 1e-5 * steps;
  scene["output"]["checkpoint_interval"] = 1e-5 * steps / 2;
  return scene;
}

inline void check_figures(const Json& figures, int steps, int size) {
  for (const char* const name : {"attach", "release"})
    for (const char* const of : {"_momentum_error", "_angular_momentum_error"})
      CHECK(figures[std::string(name) + of].get<double>() < 1e-12);
  CHECK(figures["own_force_error"].get<double>() < 1e-12);
  CHECK(figures["own_forces_seen"].get<double>() > steps / 10 * 0.9);
  CHECK(figures["springs_kept"].get<double>() > steps / 10 * size);
  // Those of the last call are heard of after it.
  CHECK(figures["attached_heard"].get<double>() == (steps / 10 - 1) * size);
}

/// Figures, and the same bits for 1, 2, 3 threads and resumed between two calls of the hook.
inline void check_aggregates(const Json& scene, int steps, int size) {
  const ProbeRun run(scene, "--threads 1");
  INFO(run.outcome.err);
  REQUIRE(run.outcome.exit_code == 0);
  const Json one = run.summary();
  check_figures(one["figures"], steps, size);
  const auto same = [&](const std::string& out, const std::string& options) {
    const Outcome outcome = run.run(out, options);
    INFO(out << outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(run.summary(out)["state_hash"] == one["state_hash"]);
    CHECK(run.summary(out)["figures"] == one["figures"]);
  };
  same("two", "--threads 2");
  same("three", "--threads 3");
  const std::string checkpoint = fmt::format("checkpoint_{:09}.h5", steps / 2);
  same("resumed", "--threads 3 --resume " + (run.folder() / "checkpoints" / checkpoint).string());
}

}  // namespace scree::test
