#include "vertex_edge.hpp"

#include "catch.hpp"
#include "random_cases.hpp"
#include "scree/base/error.hpp"
#include "springs.hpp"
#include "test_bodies.hpp"
#include "verify.hpp"

using namespace scree;
using namespace scree::spheropolygon;
using namespace scree::spheropolygon::test;

namespace {

/// Energy over k delta^2/2, and the force on b over k delta.
struct Profile {
  double energy, fx;
};

/// The tip of a 45 degree square at constant clearance above the face of a unit square that ends at x = 0, `before` its
/// end: rs = 0.2, delta = 0.01. \param part  length of the edges of the face; 0: one edge
Profile tip_on_face(double before, int c, double part = 0) {
  std::vector<Vec2> face = {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}};
  if (part > 0)
    for (double x = -part; x > -1 + part / 2; x -= part) face.insert(face.end() - 1, Vec2(x, 0));
  Bodies bodies = two(polygon(face, 0.1), polygon(square(1), 0.1));
  const double delta = 0.01;
  bodies.at[0] = -bodies.shapes[0]->reference_point().head<2>();
  bodies.angle[1] = std::numbers::pi / 4;
  const Vec2 tip = Eigen::Rotation2Dd(bodies.angle[1]) * Vec2(-0.5, -0.5);
  bodies.at[1] = Vec2(-before, 0.2 - delta) - tip;
  const Sum s = sum_of(bodies, contacts_of(bodies, {c, 1e-6, 0}));
  return {s.energy / (delta * delta / 2), s.force[1].x() / delta};
}

/// Two squares face to face, one shifted along: energy over k delta^2/2.
double faces(double offset, int c) {
  Bodies bodies = two(polygon(square(1), 0.1), polygon(square(1), 0.1));
  bodies.at[1] = {offset, 1.19};
  return sum_of(bodies, contacts_of(bodies, {c, 0, 0})).energy / (0.01 * 0.01 / 2);
}

}  // namespace

TEST_CASE("the weighted contacts are the energy of the specification, and the force is its gradient") {
  std::mt19937 random(11);
  struct Case {
    std::shared_ptr<const Shape> a, b;
    int poses;
  };
  const auto disc = std::make_shared<Discs>(std::vector<Vec3>{Vec3::Zero()}, std::vector<double>{0.15});
  const auto clump =
      std::make_shared<Discs>(std::vector<Vec3>{{0, 0, 0}, {0.3, 0.1, 0}}, std::vector<double>{0.2, 0.1});
  const auto range = chain({{-2, 0}, {-1, 0.5}, {0, -0.3}, {0.5, 0.4}, {2, 0}}, 0.05);
  const auto bare = chain({{-2, 0}, {-1, 0.5}, {0, -0.3}, {0.5, 0.4}, {2, 0}}, 0);
  const auto l = polygon(l_shape(), 0.1), box = polygon(square(1), 0.1), beast = polygon(cow(), 0.1);
  const auto fine = polygon(regular(120), 0.1);  // with small shares: see corner_shares()
  for (const Case& which : {Case{l, l, 600}, Case{fine, l, 20}, Case{fine, fine, 4}, Case{fine, beast, 6},
                            Case{l, box, 600}, Case{box, box, 600}, Case{beast, l, 200}, Case{beast, beast, 60},
                            Case{range, l, 300}, Case{box, bare, 300}, Case{disc, l, 300}, Case{beast, clump, 200}})
    for (const int c : {0, 2, 3}) {
      Bodies bodies = two(which.a, which.b);
      double worst = 0;
      int contacts = 0;
      const int poses = scree::test::random_cases(which.poses, 20);
      for (int k = 0; k < poses; ++k) {
        bring_together(bodies, random, 0.4);
        const Sum s = sum_of(bodies, contacts_of(bodies, {c, 1e-9, 0}));
        const double energy = plain_energy(bodies, 0, 1, c).energy;
        REQUIRE(std::abs(s.energy - energy) < 1e-12);  // of energies of 1e-3
        contacts += energy != 0;
        const auto slope = [&](double& x) {
          const double at = x, h = 3e-7;
          x = at + h;
          const double more = plain_energy(bodies, 0, 1, c).energy;
          x = at - h;
          const double less = plain_energy(bodies, 0, 1, c).energy;
          x = at;
          return (more - less) / (2 * h);
        };
        for (const std::size_t i : {0, 1}) {
          const double of[3] = {s.force[i].x(), s.force[i].y(), s.torque[i]};
          const double gradient[3] = {slope(bodies.at[i].x()), slope(bodies.at[i].y()), slope(bodies.angle[i])};
          for (int n = 0; n < 3; ++n) worst = std::max(worst, std::abs(of[n] + gradient[n]));
        }
      }
      INFO("corner weight " << c);
      CHECK(contacts > 0.99 * poses - 1);  // a thin chain may be jumped over
      // Forces are of size rs; rounding of E over 2 h is 1e-11, and a kink of the Hessian within h adds up to h of it.
      scree::test::verify("force less gradient of the energy, largest of all poses", 0, worst, 1e-7);
    }
}

TEST_CASE("a tip that slides over a corner: the profile of the specification") {
  CHECK(tip_on_face(0.3, 0).energy == Approx(1).epsilon(1e-9));
  CHECK(tip_on_face(0.05, 0).energy == Approx(1.37).margin(0.005));
  CHECK(tip_on_face(0.03, 0).energy == Approx(2.75).margin(0.005));
  CHECK(tip_on_face(0.01, 0).energy == Approx(3.84).margin(0.005));
  CHECK(tip_on_face(0, 0).energy == Approx(4).epsilon(1e-9));
  double bump = 0;
  for (double x = 0; x < 0.1; x += 0.001) bump = std::max(bump, std::abs(tip_on_face(x, 0).fx));
  CHECK(bump == Approx(0.36).margin(0.01));
  for (const double x : {0.3, 0.07, 0.05, 0.03, 0.01, 1e-9}) {
    CHECK(tip_on_face(x, 3).energy == Approx(1).epsilon(1e-9));
    CHECK(std::abs(tip_on_face(x, 3).fx) < 1e-9);
    const double twice = tip_on_face(x, 2).energy;
    CHECK(twice > 1 - 1e-9);
    CHECK(twice < 2 + 1e-9);
  }
  double last = 1;  // off the end it falls to nothing
  for (double x = 0; x < 0.08; x += 0.004) {
    const double now = tip_on_face(-x, 3).energy;
    CHECK(now < last + 1e-12);
    last = now;
  }
  CHECK(last == 0);
}

TEST_CASE("as published, redundant vertices on a face stiffen it") {
  double largest = 0;
  for (double x = 0.4; x < 0.5; x += 0.001) largest = std::max(largest, tip_on_face(x, 0, 0.02).energy);
  CHECK(largest == Approx(10.9).margin(0.1));
  CHECK(tip_on_face(0.45, 2, 0.02).energy > 1 - 1e-9);
}

TEST_CASE("two squares face to face: 8 terms where aligned, 2 beyond the width of a corner, 2 always with weight 3") {
  CHECK(faces(0, 0) == Approx(8));
  CHECK(faces(0.1, 0) == Approx(2));
  for (const double x : {0.0, 0.01, 0.05, 0.3, 0.8}) CHECK(faces(x, 3) == Approx(2));
  CHECK(faces(0, 2) == Approx(4));
  CHECK(faces(0.1, 2) == Approx(2));
}

TEST_CASE("a disc meets a corner once with weights 2 and 3, twice as published") {
  const auto disc = std::make_shared<Discs>(std::vector<Vec3>{Vec3::Zero()}, std::vector<double>{0.2});
  Bodies bodies = two(polygon(square(1), 0.1), disc);
  const double distance = 0.29;
  bodies.at[1] = Vec2(0.5, 0.5) + distance * Vec2(std::sqrt(0.5), std::sqrt(0.5));
  for (const auto& [c, weight] : {std::pair(0, 2.0), {2, 1.0}, {3, 1.0}}) {
    const ContactBuffer contacts = contacts_of(bodies, {c, 0, 0});
    REQUIRE(contacts.size() == 1);
    CHECK(contacts.energy_weight()[0] == weight);
    CHECK(contacts.force_weight()[0] == weight);
    CHECK(contacts.overlap()[0] == Approx(0.01));
    CHECK(contacts.radius()[0] == Approx(0.2 * 0.1 / 0.3));
  }
  bodies.at[1] = {0, 0.79};  // on a face
  const ContactBuffer contacts = contacts_of(bodies);
  REQUIRE(contacts.size() == 1);
  CHECK(contacts.radius()[0] == Approx(0.2 * 0.1 / 0.3));  // as at the corner: energy has no step between
  CHECK(contacts.normal(1)[0] == Approx(1));
}

TEST_CASE("the end of a chain has one edge: a vertex that meets it counts it twice, once, or never more") {
  // Beyond the end: the vertex sees one edge, the end sees two.
  Bodies bodies = two(chain({{-1, 0}, {0, 0}}, 0.1), polygon(square(1), 0.1));
  bodies.at[0] = {-0.5, 0};
  bodies.angle[1] = std::numbers::pi / 4;
  bodies.at[1] = {0.19 + std::sqrt(0.5), 0};
  for (const auto& [c, weight] : {std::pair(0, 3.0), {2, 2.0}, {3, 1.0}}) {
    const ContactBuffer contacts = contacts_of(bodies, {c, 1e-9, 0});
    REQUIRE(contacts.size() == 1);
    CHECK(contacts.energy_weight()[0] == weight);
  }
}

TEST_CASE("a sharp chain has the radius of curvature of what rolls over it") {
  Bodies bodies = two(chain({{-1, 0}, {0, 0.5}, {1, 0}}, 0), polygon(square(1), 0.1));
  bodies.at[0] = {0, 0.25};
  bodies.at[1] = {0.2, 0.5 + 0.5 + 0.095};
  const ContactBuffer contacts = contacts_of(bodies);
  REQUIRE(contacts.size() == 1);
  CHECK(contacts.radius()[0] == 0.1);
  CHECK(contacts.normal(1)[0] == Approx(1));
  CHECK(contacts.overlap()[0] == Approx(0.005));
}

TEST_CASE("the point of contact lies in both discs, and turning the pair round mirrors it") {
  std::mt19937 random(5);
  Bodies bodies = two(polygon(l_shape(), 0.1), polygon(cow(), 0.1));
  std::size_t number = 0;
  for (int k = 0; k < 100; ++k) {
    bring_together(bodies, random, 0.5);
    for (const double margin : {0.0, 0.05}) {
      const ContactBuffer c = contacts_of(bodies, {}, margin);
      number += c.size();
      for (std::size_t i = 0; i < c.size(); ++i) {
        if (c.overlap()[i] < 0) continue;
        for (const std::size_t side : {0, 1}) {
          const Vec3 local(
              Eigen::Vector3d(0, 0, 0) +
              Vec3((Eigen::Rotation2Dd(-bodies.angle[side]) * (c.point_at(i).head<2>() - bodies.at[side])).x(),
                   (Eigen::Rotation2Dd(-bodies.angle[side]) * (c.point_at(i).head<2>() - bodies.at[side])).y(), 0));
          double d;
          Vec3 g;
          facet<SignedDistance>(*bodies.shapes[side])->distance({&local, 1}, {&d, 1}, {&g, 1});
          CHECK(d < 1e-12);
        }
      }
      Bodies turned = bodies;
      std::swap(turned.shapes[0], turned.shapes[1]);
      std::swap(turned.at[0], turned.at[1]);
      std::swap(turned.angle[0], turned.angle[1]);
      const ContactBuffer o = contacts_of(turned, {}, margin);
      REQUIRE(o.size() == c.size());
      for (std::size_t i = 0; i < c.size(); ++i) {
        bool found = false;
        for (std::size_t j = 0; j < o.size(); ++j)
          found |= (c.point_at(i) - o.point_at(j)).norm() < 1e-12 && (c.normal_at(i) + o.normal_at(j)).norm() < 1e-10 &&
                   std::abs(c.overlap()[i] - o.overlap()[j]) < 1e-14 && c.energy_weight()[i] == o.energy_weight()[j];
        CHECK(found);
      }
    }
  }
  CHECK(number > 300);
}

TEST_CASE("gaps within the margin have the feet and weights of overlaps") {
  Bodies bodies = two(polygon(square(1), 0.1), polygon(square(1), 0.1));
  bodies.at[1] = {0.05, 1.21};
  CHECK(contacts_of(bodies).size() == 0);
  const ContactBuffer gaps = contacts_of(bodies, {}, 0.05);
  bodies.at[1] = {0.05, 1.19};
  const ContactBuffer touching = contacts_of(bodies, {}, 0.05);
  REQUIRE(gaps.size() == touching.size());
  for (std::size_t k = 0; k < gaps.size(); ++k) {
    CHECK(gaps.payload()[k] == touching.payload()[k]);
    CHECK(gaps.energy_weight()[k] == touching.energy_weight()[k]);
  }
  CHECK(gaps.overlap()[0] == Approx(-0.01));
}

TEST_CASE("skeletons that intersect, or nearly do, stop the run and name both bodies") {
  Bodies bodies = two(polygon({{-2, -0.1}, {2, -0.1}, {2, 0.1}, {-2, 0.1}}, 0.05),
                      polygon({{-0.1, -2}, {0.1, -2}, {0.1, 2}, {-0.1, 2}}, 0.05));
  bodies.id = {4, 9};
  CHECK_THROWS_WITH(contacts_of(bodies),
                    "bodies 4 and 9: edges of their skeletons cross. The skeletons, which are the shapes without their "
                    "discs, must stay apart. Move the bodies apart, or use a smaller dt or a stiffer law.");
  bodies.shapes[0] = polygon(square(10), 0.1);
  CHECK_THROWS_WITH(contacts_of(bodies),
                    Catch::Matchers::ContainsSubstring("the skeleton of one lies within the other's"));
  bodies.shapes = {polygon(square(1), 0.1), polygon(square(1), 0.1)};
  bodies.at[1] = {0.1, 1.03};
  CHECK_THROWS_WITH(
      contacts_of(bodies),
      "bodies 4 and 9: a vertex of one is 0.03 m from an edge of the other, nearer than 0.2 of the sum of "
      "their radii, 0.2 m; it would soon pass through. Use a smaller dt, a stiffer law, or larger radii.");
  CHECK_THROWS_AS(contacts_of(bodies), NumericalError);
}

TEST_CASE("corner weight 3 needs edges longer than a corner is wide") {
  Bodies bodies = two(polygon({{0, 0}, {1, 0}, {1, 0.05}, {0, 1}}, 0.1), polygon(square(1), 0.1));
  VertexEdge detector({3, 0, 0}), allowed({3, 0.006, 0});
  CHECK_THROWS_WITH(bodies.bind(detector),
                    "3 needs edges of at least 0.08944 m, sqrt(2 rs delta_allow) with rs = 0.2 m, the sum of two "
                    "radii, and delta_allow "
                    "= 0.02 m; the shortest edge is 0.05 m. Take corner weight 2, remove vertices that lie too close "
                    "together, or lower "
                    "\"delta_allow\" below 0.00625 m if overlaps stay smaller.");
  CHECK_NOTHROW(bodies.bind(allowed));
}
