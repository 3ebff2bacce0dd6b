/// \file A hook that deforms the periodic cell in mid-run.

#include "probe_run.hpp"

using namespace scree::test;

namespace {

Json pressed() {
  Json scene = probe_scene({R"({"type": "probe-press", "interval": 1e-5, "rate": [-0.08, 0, 0]})"}, 0.03);
  scene["gravity"] = {0, 0, 0};
  scene["periodic"] = {{"x", {-0.0015, 0.0105}}, {"y", {-0.0015, 0.0105}}};
  return scene;
}

}  // namespace

TEST_CASE("bodies meet their neighbours' images in a cell that is pressed together") {
  const ProbeRun run(pressed());
  INFO(run.outcome.err);
  REQUIRE(run.outcome.exit_code == 0);
  // Rows of four grains, 3 mm apart in 12 mm, have 9.6 mm at last: the outer ones meet across the side.
  CHECK(run.summary()["contacts_mean"] > 0);
}

TEST_CASE("a run resumed while the cell deforms goes on with its cell, and has the same bits") {
  Json scene = pressed();
  const ProbeRun whole(scene);
  INFO(whole.outcome.err);
  REQUIRE(whole.outcome.exit_code == 0);
  scene["output"]["checkpoint_interval"] = 0.013;
  const ProbeRun part(scene, "--set /run/duration=0.02");
  REQUIRE(part.outcome.exit_code == 0);
  const std::string checkpoint = (part.folder() / "checkpoints" / "checkpoint_000001300.h5").string();
  const Outcome resumed = part.run("out", "--resume " + checkpoint);
  INFO(resumed.err);
  REQUIRE(resumed.exit_code == 0);
  CHECK(part.summary()["state_hash"] == whole.summary()["state_hash"]);
}
