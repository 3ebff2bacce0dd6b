// The columns of a step: those that somebody uses, and in the plane without z for laws that can do without.
#include <random>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "engine/device_code.hpp"
#include "scree/device/pairs.hpp"
#include "tests/evaluation.hpp"

using namespace scree;
using namespace scree::device;

namespace {

/// The detector of a third party.
struct Discs {
  SCREE_HD bool find(const PairOfSites& p, double margin, device::Contact& c) const {
    const double distance = length(p.d);
    c.overlap = p.radius_a + p.radius_b - distance;
    c.normal = (1 / distance) * p.d;
    c.arm_a = p.radius_a - c.overlap / 2, c.arm_b = p.radius_b - c.overlap / 2;
    return c.overlap > -margin;
  }
};

constexpr StageEntry kDiscStages[] = {{"discs", narrow_pairs<Discs>}, {"push", PlanarPush::stage}};
const StageTable kDiscTable = table_of(kDiscStages);
[[maybe_unused]] const bool kDiscLinked = linked_stages().emplace("discs", &kDiscTable).second;

/// Discs of two species, which meet their like and each other by two laws, but not the second kind its like.
struct TwoLaws {
  /// \param flat  whether each law does without z
  TwoLaws(bool flat_0, bool flat_1) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int i = 0; i < 200; ++i) {
      bodies.x.push_back({12 * unit(random), 12 * unit(random), 0});
      bodies.v.push_back({unit(random) - 0.5, unit(random) - 0.5, 0});
      bodies.radius.push_back(0.4 + 0.2 * unit(random));
    }
    bodies.define(plan, 2);
    plan.channel_of = {0, 1, 1, -1};
    for (const bool flat : {flat_0, flat_1}) {
      const ContactMethods methods{&channel, &interaction, flat ? &flat_law : &law, true, false, flat};
      plan.columns.add(methods);
      plan.pairs.push_back({methods, {"discs", "discs", &discs}, 1, nullptr, {}});
    }
  }
  TwoLaws(const TwoLaws&) = delete;
  TwoLaws& operator=(const TwoLaws&) = delete;

  /// By a loop over all pairs.
  std::vector<Vector3d> expected() const {
    const std::vector<Vector3d>&x = bodies.x, &v = bodies.v;
    std::vector<Vector3d> sums(x.size(), {0, 0, 0});
    for (std::size_t a = 0; a < x.size(); ++a)
      for (std::size_t b = a + 1; b < x.size(); ++b) {
        const Vector3d d = x[b] - x[a], n = (1 / length(d)) * d;
        const double overlap = bodies.radius[a] + bodies.radius[b] - length(d);
        if (!(overlap > 0) || (a % 2 == 1 && b % 2 == 1)) continue;
        const Vector3d f = (spring.stiffness * overlap - spring.damping * dot(v[b] - v[a], n)) * n;
        sums[a] = sums[a] - f;
        sums[b] = sums[b] + f;
      }
    return sums;
  }

  PlanarPush::Parameters spring{1000, 3};
  Discs discs;
  DeviceLaw law{{"discs", "push", &spring}, false}, flat_law{{"discs", "push", &spring}, true};
  Channel channel;
  Interaction interaction;
  DevicePlan plan;
  PlanarBodies bodies;
};

}  // namespace

TEST_CASE("laws in the plane: with columns of z, without, and one of each: the same forces, and none along z") {
  std::vector<Vector3d> first;
  for (const auto& [flat_0, flat_1] : {std::pair{true, true}, {false, false}, {true, false}, {false, true}}) {
    const TwoLaws laws(flat_0, flat_1);
    const std::vector<Vector3d> forces = laws.bodies.forces(laws.plan), expected = laws.expected();
    if (first.empty()) first = forces;
    int pushed = 0;
    for (std::size_t i = 0; i < forces.size(); ++i) {
      REQUIRE(length(forces[i] - expected[i]) < 1e-9);  // some forces of up to 1000 N, in another order of operations
      REQUIRE(forces[i].x == first[i].x);
      REQUIRE(forces[i].y == first[i].y);
      REQUIRE(forces[i].z == 0);
      pushed += length(forces[i]) > 0;
    }
    CHECK(pushed > 100);
  }
}

TEST_CASE("columns are there for those who use them") {
  const auto count = [](const ForceNeeds& needs, bool central, bool curved, bool flat) {
    Interaction interaction;
    interaction.needs = needs;
    Channel channel;
    channel.curvature = curved;
    UsedColumns used;
    used.add({&channel, &interaction, nullptr, central, false, flat});
    return used.count();
  };
  CHECK(count({}, false, false, true) == 9);  // overlap, and x and y of normal, point, velocity and force
  CHECK(count({}, false, false, false) == 13);
  CHECK(count({}, true, false, false) == 15);
  CHECK(count({}, false, true, true) == 10);
  ForceNeeds all;
  all.mass = all.radius = all.spin = all.turn = all.moment = true;
  CHECK(count(all, true, true, false) == 26);
  Interaction interaction;
  interaction.needs = all;
  interaction.needs.moment = false;
  Channel channel;
  UsedColumns used;
  used.add({&channel, &interaction, nullptr, true, false, false, true});
  CHECK(used.count() == 14);  // where the law has its contacts at hand: no velocity, turn and spin
}

TEST_CASE("laws find contacts of spheres themselves where they can, and where nothing is left to do for them") {
  const DeviceLaw apart{{"discs", "law", nullptr}, false}, able{{"discs", "law", nullptr}, false, "both"};
  ForceNeeds force, couple;
  couple.moment = true;
  CHECK(ContactMethods::can_be_together(able, force, true));
  CHECK_FALSE(ContactMethods::can_be_together(able, force, false));
  CHECK_FALSE(ContactMethods::can_be_together(apart, force, true));
  CHECK_FALSE(ContactMethods::can_be_together(able, couple, true));
}
