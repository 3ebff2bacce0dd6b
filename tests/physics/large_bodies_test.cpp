// Bodies of 1 m among grains of 1 mm: they move each other as if every pair were looked at, and cost little.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "large_scene.hpp"
#include "scenes.hpp"

using namespace scree;
using scree::test::Running;

namespace {

const std::vector<std::string> kFewer = {"/bodies/0/packing/counts=[12, 12, 2]", "/bodies/1/packing/counts=[10, 8, 1]"};

std::vector<std::string> with(std::vector<std::string> sets, const std::string& more) {
  sets.push_back(more);
  return sets;
}

/// The largest distance between the places of a body in two runs [m].
double apart(Running& p, Running& q) {
  double most = 0;
  for (std::size_t i = 0; i < p.world().size(); ++i) {
    const std::size_t j = *q.world().row(p.world().id.read()[i]);
    most = std::max(most, (p.world().position.read()[i] - q.world().position.read()[j]).norm());
  }
  return most;
}

ContactPipeline& lists(Running& run) { return mechanics_of(run.prepared).pipeline(); }

/// 8000 grains of 1 mm, in random order, in a box; and one more body.
std::string bed(const std::string& more) {
  using nlohmann::json;
  json places = json::array();
  for (int i = 0; i < 8000; ++i)
    places.push_back(
        {{"position", {0.00199 * (i % 20 - 9.5), 0.00199 * (i / 20 % 20 - 9.5), 0.00199 * (i / 400 + 0.5)}}});
  std::shuffle(places.begin(), places.end(), std::mt19937(1));
  return fmt::format(
      R"({{"dimension": 3, "gravity": [0, 0, -9.81], "materials": {{"grain": {{"density": 2500}}, "wall": {{}}}},
"shapes": {{"grain": {{"type": "sphere", "radius": 0.001}}, "ball": {{"type": "sphere", "radius": 1}},
            "plate": {{"type": "box", "half_sizes": [1, 1, 0.001]}},
            "box": {{"type": "box", "half_sizes": [0.0199, 0.0199, 0.04], "inside": true}}}},
"bodies": [{{"name": "grains", "shape": "grain", "material": "grain", "packing": {{"type": "list", "places": {}}}}},
           {{"name": "box", "shape": "box", "material": "wall", "fixed": true, "position": [0, 0, 0.04]}}{}],
"interactions": [{{"between": ["grain", "*"], "law": {{"type": "linear", "normal_stiffness": 1000,
                   "normal_damping": 0.05}}}}],
"integrator": {{"type": "symplectic-euler", "dt": 1e-5}}, "run": {{"duration": 1, "max_initial_overlap": 0.1}}}})",
      places.dump(), more);
}

std::string fixed(const std::string& shape, double z) {
  return fmt::format(
      R"(, {{"name": "large", "shape": "{}", "material": "wall", "fixed": true, "position": [0, 0, {}]}})", shape, z);
}

/// Ids of the grains in the order of memory.
std::vector<Id> order(Running& run) {
  std::vector<Id> ids;
  for (const Id id : run.world().id.read())
    if (id < 8000) ids.push_back(id);
  return ids;
}

}  // namespace

TEST_CASE("a ball of 1 m and bars of 1 m, free and turned, move grains as if every pair were looked at") {
  Running run(test::large_scene(), kFewer), all(test::large_scene(), with(kFewer, "/grid/skin=10"));
  std::set<Id> touched;  // of the large ones
  lists(run).keep_records(true);
  for (int k = 0; k < 8; ++k) {
    run.steps(100), all.steps(100);
    for (const ContactRecord& c : lists(run).contact_view())
      for (const Id id : {c.a, c.b}) {
        const double radius = run.world().radius.read()[*run.world().row(id)];
        if (radius > 0.1 && std::isfinite(radius)) touched.insert(id);
      }
    REQUIRE(lists(run).counts().contacts == lists(all).counts().contacts);
    // Rounding, in other orders of sums, grows in collisions: to a millionth of a radius at most.
    REQUIRE(apart(run, all) < 1e-9);
  }
  CHECK(touched.size() == 3);
  CHECK(lists(all).rebuilds == 1);
  CHECK(lists(run).rebuilds > 5);
  CHECK(20 * lists(run).counts().candidate_pairs < lists(all).counts().candidate_pairs);
}

TEST_CASE("beside and below grains a body of 1 m changes neither their order in memory nor most of their pairs") {
  Running alone(bed("")), far(bed(fixed("ball", -1.1))), near(bed(fixed("ball", -0.99998))),
      plate(bed(fixed("plate", -0.00098)));
  const std::vector<Id> ids = order(alone);
  CHECK_FALSE(std::ranges::is_sorted(ids));
  for (Running* run : {&alone, &far, &near, &plate}) {
    CHECK(order(*run) == ids);
    run->steps(200);
  }
  const auto pairs = [](Running& run) { return lists(run).counts().candidate_pairs; };
  CHECK(pairs(far) == pairs(alone));
  CHECK(pairs(near) - pairs(alone) > 300);
  CHECK(pairs(near) - pairs(alone) <= 400);  // a layer
  CHECK(pairs(plate) - pairs(alone) == 400);
  for (Running* run : {&far, &near, &plate}) CHECK(lists(*run).rebuilds <= lists(alone).rebuilds + 1);
  CHECK(state_hash(far.world()) != state_hash(near.world()));
}
