/// \file A table, an observer and an integrator of a third party, which keep things of their own between steps.

#include <algorithm>

#include "probe_run.hpp"

using namespace scree::test;

namespace {

/// Grains that fall on a floor; every millisecond each leaves a point, which lives for 2.5 ms.
Json tracer_scene() {
  Json scene = probe_scene({R"({"type": "tracers", "interval": 0.001, "lifetime": 0.0025})"});
  scene["bodies"][0]["random_speed"] = 0.1;
  scene["integrator"]["type"] = "counting-euler";
  scene["output"]["writers"] = Json::parse(R"([{"type": "vtk", "mode": "glyph"}, {"type": "tracer-mean"}])");
  scene["output"]["interval"] = 0.002;
  scene["output"]["checkpoint_interval"] = 0.00999;
  return scene;
}

}  // namespace

TEST_CASE(
    "a third party's table, observer and integrator: equal bits and files for any threads, resumed, on a device") {
  const ProbeRun run(tracer_scene(), "--threads 1");
  INFO(run.outcome.err);
  REQUIRE(run.outcome.exit_code == 0);
  const Json whole = run.summary();
  const std::string mean = slurp(run.folder() / "tracers.txt");
  const std::string last = "tables/tracers/tracers_000010.vtp";
  REQUIRE(fs::exists(run.folder() / last));
  CHECK(whole["figures"]["tracers_heard"].get<double>() > 500);
  CHECK(whole["figures"]["tracers_heard"].get<double>() < 1e5);
  const auto same = [&](const std::string& out, const std::string& options, bool frames) {
    const Outcome outcome = run.run(out, options);
    INFO(out << outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(run.summary(out)["state_hash"] == whole["state_hash"]);
    CHECK(run.summary(out)["figures"]["tracers_heard"] == whole["figures"]["tracers_heard"]);
    const std::string means = slurp(run.folder(out) / "tracers.txt");
    CHECK((frames ? means == mean : mean.ends_with(means) && !means.empty()));
    CHECK(slurp(run.folder(out) / last) == slurp(run.folder() / last));
    CHECK(slurp(run.folder(out) / "particles/particles_000010.vtp") ==
          slurp(run.folder() / "particles/particles_000010.vtp"));
  };
  same("three", "--threads 3", true);
  same("device", "--threads 2 --device relay", true);
  same("resumed", "--threads 3 --resume " + (run.folder() / "checkpoints/checkpoint_000000999.h5").string(), false);
  same("device_resumed", "--device relay --resume " + (run.folder() / "checkpoints/checkpoint_000000999.h5").string(),
       false);
}
