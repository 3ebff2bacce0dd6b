#include "cull/settings.hpp"

#include <fmt/format.h>

#include "catch.hpp"
#include "scree/base/error.hpp"

using namespace scree;
using namespace scree::culling;

namespace {

/// All options, with some changed.
Options options(const std::string& more) {
  std::string text = R"({"window": 0.005, "cull_every": 10, "expose_every": 1, "restore_every": 0, "gravity": 9.81,
"velocity_tolerance": 0.02, "compare_with": "rigid-motion", "least_neighbours": 3, "hold_time": 5,
"held_at_start": true, "contact_gap": 0.02, "cage_gap": 0.42, "closing": 0.5, "ball_radius": 1, "walls_as_solid": "fixed",
"smallest_group": 50, "impact_height": 1, "load_factor": 4, "mean_windows": 20, "carve_coefficient": 1.5, "carve_exponent": 0.333,
"carve_least": 1.5, "carve_most": 0.25)";
  const auto add = [&](const char* key, const char* value) {
    if (more.find(key) == std::string::npos) text += fmt::format(", \"{}\": {}", key, value);
  };
  add("depth_in", "2"), add("depth_out", "0.9"), add("voxel", "0.3333");
  add("field", "\"auto\"");
  return Options::parse(text + more + "}");
}

std::string fault(const std::string& more) {
  try {
    read_settings(options(more));
  } catch (const OptionError& error) {
    return error.pointer() + ": " + error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("the defaults fit together") { CHECK(fault("") == "none"); }

TEST_CASE("a voxel too coarse for the granules is refused") {
  CHECK(fault(R"(, "voxel": 0.5)") ==
        "/voxel: is 0.5 d, too coarse for the granules: depths would err by more than the layer between them. "
        "Give at most 0.3333 d.");
}

TEST_CASE("depths between which granules would be culled and restored in turns are refused") {
  CHECK(fault(R"(, "depth_out": 1.4)") ==
        "/depth_out: is 1.4 d, but granules are locked down to depths of 0.9134 d: they would be restored as soon as "
        "they are culled. Give less than 0.9134, or a larger depth_in.");
}

TEST_CASE("a narrow band too thin for the depth is refused") {
  CHECK(fault(R"(, "band": 3)") ==
        "/band: is 3 d, but depths are compared at up to 3.833 d: nothing would ever be stored. Give at least that, or "
        "leave it out.");
  CHECK(fault(R"(, "band": 3.84)") == "none");
  CHECK(fault(R"(, "band": 3.84, "depth_in": 2.5)").starts_with("/band: is 3.84 d"));
}

TEST_CASE("a field that this build lacks is refused with how to get it") {
  CHECK(fault(R"(, "field": "openvdb")") ==
        (has_openvdb()
             ? "none"
             : "/field: is \"openvdb\", but scree was built without OpenVDB. Install libopenvdb-dev and build "
               "with SCREE_OPENVDB=ON, or take \"dense\" or \"auto\", which give the same results."));
  CHECK(fault(R"(, "field": "dense")") == "none");
}

TEST_CASE("carved radii grow as the cube root of the impulse between their bounds") {
  const CarveSize size;
  CHECK(carve_radius(size, 1, 0.01, 1) == Approx(0.015));
  CHECK(carve_radius(size, 8, 0.01, 1) == Approx(0.03));
  CHECK(carve_radius(size, 8, 0.01, 0.1) == Approx(0.025));   // a quarter of the aggregate
  CHECK(carve_radius(size, 8, 0.01, 0.01) == Approx(0.015));  // but not below the least
  CHECK(impulse_threshold(2, 9.81, 0.1) == Approx(2 * std::sqrt(2 * 9.81 * 0.1)));
}

TEST_CASE("an impact adds to what is borne at rest, and a load taken away is none") {
  CHECK(impact_intensity({0, 0, 3}, {0, 0, 1}, 0.5) == Approx(4));
  CHECK(impact_intensity({3, 0, 0}, {0, 0, 1}, 1) == Approx(std::sqrt(10.0)));
  CHECK(impact_intensity({0, 0, 1}, {0, 0, 3}, 0.5) == 0);
}

TEST_CASE("the running mean of a constant impulse is that impulse, and it forgets others in its windows") {
  Vec3 mean(0, 0, 1);
  for (int window = 0; window < 20; ++window) mean = low_pass(mean, Vec3(0, 0, 1), 20);
  CHECK(mean == Vec3(0, 0, 1));
  for (int window = 0; window < 20; ++window) mean = low_pass(mean, Vec3::Zero(), 20);
  CHECK(mean.z() == Approx(std::pow(0.95, 20)));
}
