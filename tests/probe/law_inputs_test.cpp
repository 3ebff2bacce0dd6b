/// \file A law that reads a column of the bodies and a quantity of the contact, which its detector tells.

#include "probe_run.hpp"

using namespace scree::test;

namespace {

/// Grains that overlap by 1e-5 m in a row of four; bodies 0 to 3 have charges 1 to 4.
Json charged_scene(const std::string& detector) {
  Json scene = probe_scene({R"({"type": "probe-charge", "interval": 0.001})"}, 0.002);
  scene["gravity"] = {0, 0, 0};
  scene["bodies"] = Json::array({scene["bodies"][0]});
  scene["bodies"][0]["packing"] =
      Json::parse(R"({"type": "lattice", "lower": [0, 0, 0], "counts": [4, 1, 1], "spacing": 0.00199})");
  scene["interactions"] = Json::parse(R"([{"between": ["*", "*"], "law": {"type": "probe-charged"}}])");
  scene["interactions"][0]["detector"] = {{"type", detector}};
  return scene;
}

}  // namespace

TEST_CASE(
    "a law gets the columns of both bodies and the detector's quantity of each contact, a being of the lower id") {
  const ProbeRun run(charged_scene("probe-area"));
  INFO(run.outcome.err);
  REQUIRE(run.outcome.exit_code == 0);
  const auto energy = Metrics(run.folder()).column("elastic_energy_J");
  const double area = 1e-3 * 1e-5;
  CHECK(energy.back() == Approx((1 + 10 * 2 + 2 + 10 * 3 + 3 + 10 * 4) * area).epsilon(1e-9));
}

TEST_CASE("a law whose detector does not tell what it needs is refused, with what the detector tells") {
  const ProbeRun run(charged_scene("sphere-sphere"));
  CHECK(run.outcome.exit_code == 2);
  CHECK_THAT(run.outcome.err,
             Catch::Matchers::ContainsSubstring(
                 "law \"probe-charged\" needs the area [m^2] of each contact, which detector \"sphere-sphere\" does "
                 "not tell. It tells: nothing. Choose another detector or law."));
}
