// What lies at a joint of rods touches both segments there at one place: rigid contact is solved once.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "catch.hpp"
#include "temporary_folder.hpp"
#include "test_scene.hpp"

using namespace scree;
using namespace scree::rods::test;

namespace {

/// Four segments of 10 mm, bodies 0 to 3, lie along a floor, body 4. \param bodies, bonds  more of them, from a comma
/// on
std::string lying(const std::string& bodies = "", const std::string& bonds = "") {
  return R"({
  "dimension": 3, "gravity": [0, 0, -9.81],
  "materials": {"rod": {"density": 1000, "youngs_modulus": 1e8, "poisson_ratio": 0.3}, "stone": {}},
  "shapes": {"segment": {"type": "capsule", "length": 0.01, "radius": 0.001, "mass_of": "cylinder"},
             "floor": {"type": "half-space"}},
  "bodies": [
    {"name": "rod", "shape": "segment", "material": "rod",
     "packing": {"type": "strands", "segments": 4, "roots": {"normal": [1, 0, 0], "positions": [[-0.02, 0, 0.001]]}}},
    {"name": "floor", "shape": "floor", "material": "stone", "fixed": true})" +
         bodies + R"(],
  "bonds": [{"between": ["rod", "rod"], "law": {"type": "elastic-rod"}})" +
         bonds + R"(],
  "interactions": [{"between": ["*", "*"], "law": {"type": "coulomb", "friction": 0.3}}],
  "integrator": {"type": "moreau-jean", "dt": 1e-3, "tolerance": 1e-8}, "run": {"duration": 1}})";
}

/// Contacts between bodies of some ids and others, and how they push.
struct Pushes {
  std::size_t count = 0;
  Vec3 sum = Vec3::Zero();  ///< on the former [N]
};
Pushes pushes(Simulation& s, Id first, Id last, Id other_first, Id other_last) {
  Pushes all;
  const auto within = [](Id id, Id low, Id high) { return low <= id && id <= high; };
  for (const ContactRecord& c : s.contacts()) {
    const bool is_b = within(c.b, first, last) && within(c.a, other_first, other_last);
    if (!is_b && !(within(c.a, first, last) && within(c.b, other_first, other_last))) continue;
    ++all.count;
    all.sum += is_b ? c.force : -c.force;
  }
  return all;
}

/// Returns the weight of bodies with these ids [N].
double weight(Simulation& s, Id first, Id last) {
  double sum = 0;
  for (Id id = first; id <= last; ++id) sum += 9.81 * s.world().mass.read()[*s.world().row(id)];
  return sum;
}

}  // namespace

TEST_CASE("a rod that lies on a floor pushes once at each joint") {
  Simulation s = made(lying());
  s.step(20);
  const Pushes floor = pushes(s, 0, 3, 4, 4);
  INFO(floor.count << " push, with " << floor.sum.transpose() << " N");
  CHECK(floor.count == 5);
  CHECK(std::abs(floor.sum.z() / weight(s, 0, 3) - 1) < 1e-6);
  CHECK(largest_speed(s) < 1e-7);
}

TEST_CASE("two rods that cross at a joint of each push at one place") {
  // The upper one has no other hold, and lies balanced.
  Simulation s = made(lying(R"(, {"name": "upper", "shape": "segment", "material": "rod", "packing":
      {"type": "strands", "segments": 2, "roots": {"normal": [0, 1, 0], "positions": [[0, -0.01, 0.003]]}}})",
                            R"(, {"between": ["upper", "upper"], "law": {"type": "elastic-rod"}})"));
  s.step(60);
  const Pushes crossing = pushes(s, 5, 6, 0, 3);
  INFO(crossing.count << " push, with " << crossing.sum.transpose() << " N");
  CHECK(crossing.count == 1);
  CHECK(std::abs(crossing.sum.z() / weight(s, 5, 6) - 1) < 1e-6);
  CHECK(std::abs(pushes(s, 0, 3, 4, 4).sum.z() / (weight(s, 0, 3) + weight(s, 5, 6)) - 1) < 1e-6);
}

TEST_CASE("where a ring closes, both segments push") {
  // A hexagon, placed as six segments in a row whose ends meet.
  Simulation s =
      made(lying(), {R"(/bodies/0/packing={"type": "strands", "segments": 6, "points": [[0, 0, 0], [0.01, 0, 0],
      [0.015, 0.00866025403784, 0], [0.01, 0.01732050807569, 0], [0, 0.01732050807569, 0], [-0.005, 0.00866025403784, 0],
      [1e-6, -2e-6, 0]], "roots": {"normal": [0, 0, 1], "positions": [[0, 0, 0.001]]}})",
                     R"(/bonds/0/pairs="touching")", "/bonds/0/gap=1e-5"});
  s.step(20);
  const Pushes floor = pushes(s, 0, 5, 6, 6);
  INFO(floor.count << " push, with " << floor.sum.transpose() << " N");
  CHECK(floor.count == 7);
  CHECK(std::abs(floor.sum.z() / weight(s, 0, 5) - 1) < 1e-6);
}

TEST_CASE("a rod that breaks at a joint pushes there with both ends") {
  // Its halves fly apart. The joint between them carries twice what its neighbours do.
  Simulation s = made(lying(), {"/bonds/0/law/tensile_strength=6000"});
  std::vector<Id> all;
  {
    const auto velocity = s.world().velocity.write();
    for (Id id = 0; id < 4; ++id) velocity[*s.world().row(id)].x() = id < 2 ? -0.5 : 0.5, all.push_back(id);
  }
  s.world().mark_moved(all);
  s.step(1);
  CHECK(pushes(s, 0, 3, 4, 4).count == 5);
  CHECK(s.world().bonds().alive() == 2);
  s.step(20);
  const Pushes floor = pushes(s, 0, 3, 4, 4);
  INFO(floor.count << " push, with " << floor.sum.transpose() << " N");
  CHECK(floor.count == 6);
  CHECK(std::abs(floor.sum.z() / weight(s, 0, 3) - 1) < 1e-6);
}

TEST_CASE("a rod that slides on a floor goes on with the same bits when resumed") {
  const std::vector<std::string> sliding{"/bodies/0/velocity=[0.1, 0.02, 0]"};
  const scree::test::TemporaryFolder folder;
  const std::string file = folder / "sliding.h5";
  Simulation s = made(lying(), sliding, 1);
  s.step(10);
  s.save(file);
  s.step(10);
  Simulation resumed = made(lying(), sliding, 2);
  resumed.load(file);
  resumed.step(10);
  for (Id id = 0; id < 4; ++id)
    CHECK(resumed.world().position.read()[*resumed.world().row(id)] == s.world().position.read()[*s.world().row(id)]);
}
