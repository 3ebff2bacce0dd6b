// Lists of what is near: how little is looked at, and that nothing is missed.

#include <fmt/format.h>

#include "catch.hpp"
#include "springs.hpp"
#include "test_bodies.hpp"
#include "vertex_edge.hpp"

using namespace scree;
using namespace scree::spheropolygon;
using namespace scree::spheropolygon::test;

namespace {

struct Seen {
  std::vector<double> number;
  std::vector<std::uint64_t> label;
  bool operator==(const Seen&) const = default;
};

Seen seen(const ContactBuffer& c) {
  Seen s;
  for (std::size_t k = 0; k < c.size(); ++k) {
    for (const double x : {c.overlap()[k], c.normal(0)[k], c.normal(1)[k], c.point(0)[k], c.point(1)[k], c.radius()[k],
                           c.energy_weight()[k], c.force_weight()[k]})
      s.number.push_back(x);
    s.label.push_back(c.pair()[k]);
    s.label.push_back(c.feature()[k]);
    s.label.push_back(c.payload()[k]);
  }
  return s;
}

/// Bodies that move and turn in a box, by the repulsion of their contacts and a little noise: how `detect` sees them in
/// turn. Not a simulation: all that counts is that they wander, collide and turn.
struct Crowd {
  Bodies bodies;
  std::vector<Pair> pairs;
  std::vector<Vec2> velocity;
  std::vector<double> spin;
  double half = 4;

  Crowd() {
    const auto disc = std::make_shared<Discs>(std::vector<Vec3>{Vec3::Zero()}, std::vector<double>{0.3});
    bodies.shapes = {polygon(l_shape(), 0.2), polygon(square(1), 0.2), disc, polygon(cow(), 0.2)};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j)
        bodies.add(static_cast<std::uint32_t>((3 * j + i) % 4), {2.9 * (i - 1), 3.4 * j - 1.7}, i + j);
    for (std::uint32_t a = 0; a < bodies.at.size(); ++a)
      for (std::uint32_t b = a + 1; b < bodies.at.size(); ++b)
        if (!(bodies.shape[a] == 2 && bodies.shape[b] == 2)) pairs.push_back({a, b});
    std::mt19937 random(1);
    std::uniform_real_distribution<double> any(-1, 1);
    for (std::size_t i = 0; i < bodies.at.size(); ++i)
      velocity.emplace_back(any(random), any(random)), spin.push_back(any(random));
  }

  void step(const ContactBuffer& contacts, double dt) {
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      if (contacts.overlap()[k] <= 0) continue;
      const Vec2 f = 3e3 * contacts.force_weight()[k] * contacts.overlap()[k] * contacts.normal_at(k).head<2>();
      const Pair& p = pairs[contacts.pair()[k]];
      for (const auto& [i, sign] : {std::pair(p.a, -1.0), {p.b, 1.0}}) {
        velocity[i] += sign * dt * f;
        spin[i] += sign * dt * cross(contacts.point_at(k).head<2>() - bodies.at[i], f);
      }
    }
    for (std::size_t i = 0; i < bodies.at.size(); ++i) {
      velocity[i] -= dt * 0.3 * bodies.at[i];  // back to the middle
      bodies.at[i] += dt * velocity[i];
      bodies.angle[i] += dt * spin[i];
    }
  }
};

}  // namespace

TEST_CASE("lists of any age give the contacts of brute force over 1e5 steps, bit for bit") {
  Crowd crowd;
  // The second detector's lists hold every vertex with every edge, and never end.
  VertexEdge listed({2, 0, 0.05}), brute({2, 0, 1e3});
  crowd.bodies.bind(listed);
  crowd.bodies.bind(brute);
  PairCache kept, everything;
  ContactBuffer now, all;
  std::size_t contacts = 0;
  ListCounts of_lists;
  constexpr int kSteps = 100000;
  for (int k = 0; k < kSteps; ++k) {
    now.clear();
    all.clear();
    const ListCounts before = VertexEdge::counts();
    listed.detect(crowd.bodies.view(), crowd.pairs, kept, 0.02, now);
    const ListCounts after = VertexEdge::counts();
    of_lists.pairs += after.pairs - before.pairs;
    of_lists.made += after.made - before.made;
    brute.detect(crowd.bodies.view(), crowd.pairs, everything, 0.02, all);
    contacts += now.size();
    REQUIRE(seen(now) == seen(all));
    crowd.step(now, 1e-3);
  }
  const double life = static_cast<double>(of_lists.pairs) / static_cast<double>(of_lists.made);
  fmt::print("vertex-edge lists: {:.1f} steps per rebuild of a pair's list, {} contacts in {} steps\n", life, contacts,
             kSteps);
  CHECK(contacts > kSteps / 5);
  CHECK(life > 20);
}

TEST_CASE("of a landscape of 20000 edges only those near a body are looked at") {
  std::vector<Vec2> ridge;
  for (int k = 0; k <= 20000; ++k) ridge.emplace_back(0.05 * k, 0.2 * std::sin(0.3 * k));
  Bodies bodies = two(chain(ridge, 0.02), polygon(square(1), 0.1));
  bodies.at[0] = -bodies.shapes[0]->reference_point().head<2>();
  bodies.at[1] = {500, 0.2 + 0.11 + 0.5};
  const ListCounts before = VertexEdge::counts();
  const ContactBuffer contacts = contacts_of(bodies, {0, 0, 0});
  CHECK(contacts.size() > 0);
  CHECK(VertexEdge::counts().tests - before.tests < 500);
  CHECK(sum_of(bodies, contacts).energy == Approx(plain_energy(bodies, 0, 1, 0).energy));
}
