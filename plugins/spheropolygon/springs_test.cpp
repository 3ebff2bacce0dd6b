#include "springs.hpp"

#include <numbers>

#include "catch.hpp"
#include "test_bodies.hpp"

using namespace scree;
using namespace scree::spheropolygon;
using namespace scree::spheropolygon::test;

namespace {

using Kind = Features::Kind;

/// The contacts of one pair in one step, each with a spring that somebody wrote on it.
struct Step {
  std::vector<std::uint64_t> payload;
  std::vector<std::uint32_t> feature;
  std::vector<int> spring;
};

Step step_of(const ContactBuffer& c) {
  Step s;
  for (std::size_t k = 0; k < c.size(); ++k) {
    s.payload.push_back(c.payload()[k]);
    s.feature.push_back(c.feature()[k]);
  }
  s.spring.assign(c.size(), 0);
  return s;
}

/// Springs of `now` from `old`, each one step older; new ones are 0.
void go_on(const Step& old, Step& now) {
  std::vector<std::int32_t> source(now.payload.size(), -1);
  VertexEdge().match({old.payload.size(), now.payload.size(), old.feature.data(), old.payload.data(),
                      now.feature.data(), now.payload.data(), source.data()});
  for (std::size_t k = 0; k < source.size(); ++k)
    if (source[k] >= 0) now.spring[k] = old.spring[static_cast<std::size_t>(source[k])] + 1;
  for (std::size_t k = 0; k < now.feature.size(); ++k)
    for (std::size_t l = 0; l < k; ++l) REQUIRE(now.feature[k] != now.feature[l]);
}

Step made(const std::vector<Features>& features) {
  Step s;
  for (const Features& f : features) {
    s.payload.push_back(f.packed());
    s.feature.push_back(static_cast<std::uint32_t>(s.feature.size()));
    s.spring.push_back(0);
  }
  return s;
}

int oldest(const Step& s) { return *std::max_element(s.spring.begin(), s.spring.end()); }

}  // namespace

TEST_CASE("features go into 64 bits and come out again") {
  for (const Kind kind : {Kind::kVertexOfA, Kind::kVertexOfB, Kind::kVertices, Kind::kTakenBack}) {
    const Features f{kind, kMostVertices - 1, 12345, 7};
    CHECK(f.packed() != 0);
    CHECK(Features::unpacked(f.packed()) == f);
  }
}

TEST_CASE(
    "springs go from an edge to its end and on to the next edge, to nothing else, and never from what is taken back") {
  const auto source = [](const Features& old, const Features& now) {
    Step before = made({old}), after = made({now});
    before.spring[0] = 7;
    go_on(before, after);
    return after.spring[0] == 8;
  };
  const Features edge{Kind::kVertexOfA, 3, 5, 6}, corner{Kind::kVertices, 3, 6, 0}, next{Kind::kVertexOfA, 3, 6, 7};
  CHECK(source(edge, edge));
  CHECK(source(edge, corner));
  CHECK(source(corner, next));
  CHECK(source(edge, next));
  CHECK(source(next, edge));
  CHECK(source({Kind::kVertexOfB, 3, 5, 6}, {Kind::kVertexOfB, 3, 6, 7}));
  CHECK(source({Kind::kVertexOfB, 3, 6, 7}, {Kind::kVertexOfB, 3, 5, 6}));
  CHECK(source(corner, {Kind::kVertices, 3, 7, 0}));
  CHECK(source(corner, {Kind::kVertices, 4, 6, 0}));
  CHECK_FALSE(source(corner, {Kind::kVertices, 4, 7, 0}));
  CHECK_FALSE(source(edge, {Kind::kVertexOfB, 3, 6, 7}));
  CHECK(source({Kind::kVertexOfB, 6, 2, 3}, corner));
  CHECK(source(corner, {Kind::kVertexOfB, 6, 3, 4}));
  CHECK_FALSE(source({Kind::kVertexOfA, 4, 5, 6}, corner));
  CHECK_FALSE(source(edge, {Kind::kVertices, 3, 9, 0}));
  CHECK_FALSE(source(edge, {Kind::kVertexOfA, 3, 8, 9}));
  CHECK(source(edge, {Kind::kVertexOfB, 5, 3, 4}));  // vertices 3 and 5 have slid past each other
  CHECK(source(edge, {Kind::kVertexOfB, 6, 2, 3}));
  CHECK_FALSE(source(edge, {Kind::kVertexOfB, 7, 3, 4}));
  CHECK_FALSE(source(edge, {Kind::kVertexOfB, 5, 4, 5}));
  CHECK_FALSE(source({Kind::kTakenBack, 3, 6, 0}, next));
  CHECK_FALSE(source({Kind::kTakenBack, 3, 6, 0}, corner));
  CHECK_FALSE(source(edge, {Kind::kTakenBack, 3, 6, 0}));
}

TEST_CASE("a vertex that comes to touch a second edge starts a spring of its own there") {
  Step before = made({{Kind::kVertexOfA, 3, 5, 6}}),
       after = made({{Kind::kVertexOfA, 3, 5, 6}, {Kind::kVertexOfA, 3, 6, 7}});
  before.spring[0] = 7;
  go_on(before, after);
  CHECK(after.spring[0] == 8);
  CHECK(after.spring[1] == 0);
}

TEST_CASE("where two corners meet, what a contact carried goes to one that stands there now, whatever it is called") {
  const Features one{Kind::kVertexOfA, 3, 5, 6}, other{Kind::kVertexOfB, 5, 2, 3}, corner{Kind::kVertices, 3, 5, 0},
      taken_back{Kind::kTakenBack, 3, 5, 0}, elsewhere{Kind::kVertexOfA, 4, 6, 7};
  // A rounding error apart, two corners one on the other touch as any of these.
  const std::vector<Features> looks[] = {{one}, {other}, {corner}, {one, other, taken_back}};
  for (const auto& before : looks)
    for (const auto& after : looks) {
      Step old = made(before), now = made(after);
      old.payload.insert(old.payload.begin(), elsewhere.packed());
      old.feature.push_back(static_cast<std::uint32_t>(old.feature.size()));
      now.payload.push_back(elsewhere.packed());
      now.feature.push_back(static_cast<std::uint32_t>(now.feature.size()));
      std::vector<std::int32_t> source(now.payload.size(), -1), successor(old.payload.size(), -1);
      VertexEdge().match({old.payload.size(), now.payload.size(), old.feature.data(), old.payload.data(),
                          now.feature.data(), now.payload.data(), source.data(), successor.data()});
      for (std::size_t j = 0; j < successor.size(); ++j) {
        const Features f = Features::unpacked(old.payload[j]);
        const bool goes_on = std::find(now.payload.begin(), now.payload.end(), old.payload[j]) != now.payload.end();
        if (goes_on || f == taken_back) {
          CHECK(successor[j] == -1);
          continue;
        }
        REQUIRE(successor[j] >= 0);
        const Features to = Features::unpacked(now.payload[static_cast<std::size_t>(successor[j])]);
        CHECK(to.kind != Kind::kTakenBack);
        CHECK_FALSE(to == elsewhere);
      }
    }
}

TEST_CASE(
    "boxes of the same width on each other: at either end the vertices pass each other, not those of opposite ends") {
  // The face of a from vertex 0 to 1 lies on that of b from 2 to 3: 0 on 3, and 1 on 2.
  const Features a0{Kind::kVertexOfA, 0, 2, 3}, a1{Kind::kVertexOfA, 1, 2, 3}, b2{Kind::kVertexOfB, 2, 0, 1},
      b3{Kind::kVertexOfB, 3, 0, 1};
  for (const auto& [before, after] :
       {std::pair(std::vector{a0, a1}, std::vector{b2, b3}), std::pair(std::vector{a0, a1}, std::vector{b3, b2}),
        std::pair(std::vector{b3, b2}, std::vector{a0, a1})}) {
    const Step old = made(before);
    Step now = made(after);
    std::vector<std::int32_t> source(2, -1), successor(2, -1);
    VertexEdge().match({2, 2, old.feature.data(), old.payload.data(), now.feature.data(), now.payload.data(),
                        source.data(), successor.data()});
    const auto at_0 = [](const Features& f) { return f.vertex == 0 || f.vertex == 3; };
    for (std::size_t k = 0; k < 2; ++k) {
      REQUIRE(source[k] >= 0);
      REQUIRE(successor[k] >= 0);
      CHECK(at_0(before[static_cast<std::size_t>(source[k])]) == at_0(after[k]));
      CHECK(at_0(after[static_cast<std::size_t>(successor[k])]) == at_0(before[k]));
    }
  }
}

TEST_CASE("squares slid along each other keep both springs as corners pass corners, for every corner weight") {
  for (const int corner_weight : {0, 2, 3}) {
    CAPTURE(corner_weight);
    Bodies bodies;
    bodies.shapes = {polygon(square(1), 0.1)};
    bodies.add(0, {0, 0}, 0);
    bodies.add(0, {0, 1.19}, 0);
    Step before;
    for (int n = 0; n < 20; ++n) {
      bodies.at[1].x() = 1e-4 * n - 0.001;
      Step now = step_of(contacts_of(bodies, {corner_weight, 0, 0}));
      REQUIRE(now.payload.size() >= 2);
      if (n > 0) go_on(before, now);
      for (const int spring : now.spring) CHECK(spring == n);
      before = now;
    }
  }
}

TEST_CASE("a tip slid slowly around a polygon, and a disc rolled around it, keep their springs", "[long]") {
  std::vector<Vec2> hexagon;
  for (int k = 0; k < 6; ++k) hexagon.push_back(Eigen::Rotation2Dd(k * std::numbers::pi / 3) * Vec2(1, 0));
  const std::shared_ptr<const Shape> movers[] = {
      polygon({{0, 0}, {1, 0.2}, {1, -0.2}}, 0.1),
      std::make_shared<Discs>(std::vector<Vec3>{Vec3::Zero()}, std::vector<double>{0.4})};
  for (const auto& mover : movers)
    for (const bool mover_first : {false, true})
      for (const int c : {0, 2, 3}) {
        Bodies bodies;
        bodies.shapes = {polygon(hexagon, 0.1), mover};
        const std::size_t h = mover_first ? 1 : 0, m = 1 - h;
        bodies.add(mover_first ? 1 : 0, {0, 0}, 0);
        bodies.add(mover_first ? 0 : 1, {0, 0}, 0);
        Step old;
        const int steps = 4000;
        double wander = 0;
        for (int k = 0; k < steps; ++k) {
          // The tip looks at the centre, and rocks; its distance is such that it always overlaps by 0.01.
          const double around = 1.7 * 2 * std::numbers::pi * k / steps, rock = 0.3 * std::sin(0.01 * k);
          const Vec2 out(std::cos(around), std::sin(around));
          bodies.angle[m] = around + rock;
          const Vec2 tip = movers[0] == mover ? Vec2(facet<SweptPolygon>(*mover)->vertices()[0]) : Vec2(Vec2::Zero());
          double low = 0.5, high = 3;
          for (int n = 0; n < 50; ++n) {
            const double middle = (low + high) / 2;
            bodies.at[m] = middle * out - Eigen::Rotation2Dd(bodies.angle[m]) * tip;
            (plain_energy(bodies, 0, 1, 0).gap > -0.01 ? high : low) = middle;
          }
          wander = std::max(wander, std::abs(rock));
          Step now = step_of(contacts_of(bodies, {c, 0, 0}));
          REQUIRE(!now.payload.empty());
          if (k > 0) {
            go_on(old, now);
            INFO("step " << k << ", corner weight " << c);
            REQUIRE(oldest(now) == k);
          }
          old = now;
        }
        CHECK(h + m == 1);
        CHECK(wander > 0.29);
      }
}

TEST_CASE("a disc slid around a polygon by most of an edge per step keeps its spring, either way round") {
  std::vector<Vec2> round;
  constexpr int sides = 60;
  for (int k = 0; k < sides; ++k) round.push_back(Eigen::Rotation2Dd(2 * k * std::numbers::pi / sides) * Vec2(1, 0));
  const auto disc = std::make_shared<Discs>(std::vector<Vec3>{Vec3::Zero()}, std::vector<double>{0.4});
  for (const bool mover_first : {false, true})
    for (const int c : {0, 2})  // weight 3 needs longer edges
      for (const double part : {0.9, -0.83}) {
        Bodies bodies;
        bodies.shapes = {polygon(round, 0.1), disc};
        const std::size_t m = mover_first ? 0 : 1;
        bodies.add(mover_first ? 1 : 0, {0, 0}, 0);
        bodies.add(mover_first ? 0 : 1, {0, 0}, 0);
        Step old;
        int new_edges = 0;
        for (int k = 0; k < 200; ++k) {
          const double around = part * 2 * std::numbers::pi * (k + 0.3) / sides;
          bodies.at[m] = 1.4983 * Vec2(std::cos(around), std::sin(around));  // so near that it touches in one place
          Step now = step_of(contacts_of(bodies, {c, 0, 0}));
          REQUIRE(!now.payload.empty());
          if (k > 0) {
            go_on(old, now);
            new_edges += now.payload != old.payload;
            INFO("step " << k << ", corner weight " << c << ", " << part << " of an edge per step");
            REQUIRE(oldest(now) == k);
          }
          old = now;
        }
        CHECK(new_edges > 150);
      }
}

TEST_CASE("a polygon rolled slowly around another keeps the spring of each vertex while it touches") {
  // A square rolls once around a hexagon and turns by two and a half turns meanwhile: the direction of contact goes
  // once around the hexagon and one and a half times around the square, past six corners of either. Each time a further
  // vertex lands and begins a spring; all else goes on.
  std::vector<Vec2> hexagon;
  for (int k = 0; k < 6; ++k) hexagon.push_back(Eigen::Rotation2Dd(k * std::numbers::pi / 3) * Vec2(1, 0));
  for (const int c : {0, 2, 3}) {
    Bodies bodies;
    bodies.shapes = {polygon(hexagon, 0.1), polygon(square(1), 0.1)};
    bodies.add(0, {0, 0}, 0);
    bodies.add(1, {0, 0}, 0);
    Step old;
    int begun = 0;
    const int steps = 6000;
    for (int k = 0; k < steps; ++k) {
      const double around = 2 * std::numbers::pi * k / steps;
      const Vec2 out(std::cos(around), std::sin(around));
      bodies.angle[1] = 2.5 * around;
      double low = 0.9, high = 4;
      for (int n = 0; n < 50; ++n) {
        bodies.at[1] = (low + high) / 2 * out;
        (plain_energy(bodies, 0, 1, 0).gap > -0.01 ? high : low) = (low + high) / 2;
      }
      Step now = step_of(contacts_of(bodies, {c, 0, 0}));
      REQUIRE(!now.payload.empty());
      if (k > 0) {
        go_on(old, now);
        for (std::size_t n = 0; n < now.spring.size(); ++n)
          begun += now.spring[n] == 0 && Features::unpacked(now.payload[n]).kind != Kind::kTakenBack;
      }
      old = now;
    }
    INFO("corner weight " << c << ": " << begun << " springs begun");
    CHECK(begun == 12);
  }
}
