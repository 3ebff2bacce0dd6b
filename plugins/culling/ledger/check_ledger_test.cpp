#include "ledger/check_ledger.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <numbers>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/shape/facets.hpp"

using namespace scree;
using namespace scree::culling;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr double kRoundRadius = 0.25;

/// A sphere of radius 0.25 m.
class RoundGranule final : public Shape {
 public:
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override {
    const double m = density * 4 / 3 * std::numbers::pi * kRoundRadius * kRoundRadius * kRoundRadius;
    return {m, Vec3::Constant(0.4 * m * kRoundRadius * kRoundRadius)};
  }
  double bounding_radius() const noexcept override { return kRoundRadius; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }
};

/// An aggregate of three granules in a row: the middle one is stored, both ends are members.
struct ThreeInARow {
  World world{3};
  Ledger ledger;
  Id owner = 0, left = 0, middle = 0, right = 0;

  ThreeInARow() {
    world.add_shape("ball", std::make_shared<RoundGranule>());
    world.add_material({"stone", 1000, 0, 0});
    world.group_names.push_back("grains");
    const std::uint32_t frame = world.frame_shape();
    std::vector<BodySpec> bodies(4);
    for (std::size_t k = 0; k < 3; ++k) bodies[k].position = Vec3(0.5 * static_cast<double>(k), 0, 0);
    bodies[3].shape = frame;
    const auto ids = world.add(bodies);
    left = ids[0], middle = ids[1], right = ids[2], owner = ids[3];
    StoredGranule g;
    const RigidBody part = part_of(world, *world.row(middle));
    g.id = middle, g.pose = part.frame;
    RigidBody whole = part;
    whole.mass *= 3;
    world.remove(std::vector<Id>{middle});
    world.attach(std::vector<Id>{left, right}, owner, whole);
    Aggregate& a = ledger.aggregates[owner];
    a.owner = owner;
    a.stored = StoredGranules(std::vector{g});
    a.members = {left, right};
    a.history = KeptHistory(std::vector<HistoryRecord>{{0, left, middle, 0, 0, 0, {0.5}}});
  }
  Aggregate& aggregate() { return ledger.aggregates.at(owner); }
};

}  // namespace

TEST_CASE("a ledger as runs write it is taken") {
  ThreeInARow scene;
  CHECK_NOTHROW(check_ledger(scene.ledger, scene.world));
  scene.world.remove(std::vector<Id>{scene.right});  // an outlet took a member: the next window forgets it
  CHECK_NOTHROW(check_ledger(scene.ledger, scene.world));
}

TEST_CASE("a ledger that no run writes is refused, with what is wrong of which body") {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](const std::function<void(ThreeInARow&)>& change, const std::string& what) {
    ThreeInARow scene;
    change(scene);
    CHECK_THROWS_WITH(check_ledger(scene.ledger, scene.world),
                      ContainsSubstring("the ledger of granular-culling in the checkpoint") && ContainsSubstring(what));
    CHECK_THROWS_AS(check_ledger(scene.ledger, scene.world), InputError);
  };
  const auto granule = [&](const std::function<void(StoredGranule&)>& change, const std::string& what) {
    refused(
        [&](ThreeInARow& s) {
          std::vector<StoredGranule> stored = s.aggregate().stored.unpacked();
          change(stored[0]);
          s.aggregate().stored = StoredGranules(stored);
        },
        what);
  };
  granule([](auto& g) { g.shape = 4'000'000'000; }, "the scene has no such shape");
  granule([](auto& g) { g.material = 7; }, "the scene has no such material");
  granule([](auto& g) { g.group = 7; }, "the scene has no such entry");
  granule([](auto& g) { g.scale = kNaN; }, "its scale is not above 0");
  granule([](auto& g) { g.scale = 2; }, "its mass is not that of its granules");
  granule([](auto& g) { g.values = {std::byte{1}}; }, "more values than there are columns");
  granule([](auto& g) { g.id = 1'000'000; }, "never was");
  granule([](auto& g) { g.id = 0; }, "is there as well");
  refused([](ThreeInARow& s) { s.aggregate().frame.position[0] = kNaN; }, "its frame is no place");
  refused([](ThreeInARow& s) { s.aggregate().owner = 99; }, "it owns nothing");
  refused([](ThreeInARow& s) { s.aggregate().members = {s.right, s.left}; }, "not in order");
  refused([](ThreeInARow& s) { s.aggregate().members = {s.left, s.right, s.owner}; }, "belongs to another body");
  const auto contact = [&](const HistoryRecord& r, const std::string& what) {
    refused([&](ThreeInARow& s) { s.aggregate().history = KeptHistory(std::vector{r}); }, what);
  };
  contact({0, 1, 0, 0, 0, 0, {0.5}}, "names no pair");
  contact({0, 0, 1, 0, 0, 0, {kNaN}}, "is no number");
  refused([](ThreeInARow& s) { s.ledger.columns = {"no such column"}; }, "a column that bodies do not have");
  refused([](ThreeInARow& s) { s.ledger.columns = {"shape"}; }, "a column that bodies do not have");
}
