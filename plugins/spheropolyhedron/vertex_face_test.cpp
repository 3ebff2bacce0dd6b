// Contacts of spheropolyhedra: weights, energy and its gradient, flat edges, lists, and what is refused.

#include "vertex_face.hpp"

#include <fmt/format.h>

#include <numbers>

#include "catch.hpp"
#include "random_cases.hpp"
#include "scree/base/error.hpp"
#include "springs.hpp"
#include "test_bodies.hpp"
#include "verify.hpp"

using namespace scree;
using namespace scree::spheropolyhedron;
using namespace scree::spheropolyhedron::test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr double kDelta = 0.01;  // overlap of the table, with rs = 0.2

std::shared_ptr<const SweptSolid> cube() { return solid(unit_cube(), 0.1); }

/// Its six faces cut into two triangles each: nothing joins them again.
class CutCube final : public Shape, public SweptPolyhedron, public RoundVertices {
 public:
  CutCube() {
    const Polyhedron whole = unit_cube();
    vertices_ = whole.vertices;
    for (const auto& f : whole.faces) corners_.insert(corners_.end(), {f[0], f[1], f[2], f[0], f[2], f[3]});
    for (std::uint32_t k = 0; k <= 12; ++k) begin_.push_back(3 * k);
  }
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double) const override { return {1, {1, 1, 1}}; }
  double bounding_radius() const noexcept override { return std::sqrt(0.75) + 0.1; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view name) const noexcept override {
    if (name == SweptPolyhedron::kName) return static_cast<const SweptPolyhedron*>(this);
    return name == RoundVertices::kName ? static_cast<const RoundVertices*>(this) : nullptr;
  }
  std::span<const Vec3> vertices() const override { return vertices_; }
  std::span<const std::uint32_t> face_begin() const override { return begin_; }
  std::span<const std::uint32_t> face_vertices() const override { return corners_; }
  double radius() const noexcept override { return 0.1; }
  std::span<const Vec3> centres() const override { return vertices_; }
  std::span<const double> radii() const override { return radii_; }

 private:
  std::vector<Vec3> vertices_;
  std::vector<std::uint32_t> begin_, corners_;
  std::vector<double> radii_ = std::vector<double>(8, 0.1);
};

/// Energy over k delta^2/2.
double energy(const Two& two) { return sum_of(two, two.contacts()).energy / (kDelta * kDelta / 2); }

/// A cube on its tip above the upper face of another, `inside` the edge at x = 0.5 and `beside` that at y = 0.5.
Two tip_on_face(double inside, double beside) {
  Two two(cube(), cube());
  two.turn[1] = Quat::FromTwoVectors(Vec3(1, 1, 1), Vec3(0, 0, -1)) * Quat::Identity();
  two.at[1] = {0.5 - inside, 0.5 - beside, 0.5 + 0.2 - kDelta + std::sqrt(0.75)};
  return two;
}

/// One cube on another, shifted and turned about the vertical.
double faces(double x, double y, double angle = 0) {
  Two two(cube(), cube());
  two.turn[1] = Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ()));
  two.at[1] = {x, y, 1 + 0.2 - kDelta};
  return energy(two);
}

/// A cube on its edge, crossing the upper edge of another at an angle.
double crossing_edges(double angle) {
  Two two(cube(), cube());
  const Quat onto_edge(Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitX()));  // an edge along x below
  two.turn[0] = onto_edge;
  two.turn[1] = Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ())) * onto_edge;
  two.at[1] = {0, 0, 2 * std::sqrt(0.5) + 0.2 - kDelta};
  return energy(two);
}

/// An edge of this length on a face of a cube, at this place across it.
double edge_on_face(double length, double y) {
  Two two(cube(), solid(box({length, 1, 1}), 0.1));
  two.turn[1] = Quat(Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitX()));
  two.at[1] = {0, y, 0.5 + 0.2 - kDelta + std::sqrt(0.5)};
  return energy(two);
}

/// The largest difference between forces and the gradient of plain_energy(), of both bodies.
double gradient_error(Two& two, const Sum& s) {
  double worst = 0;
  const double h = 3e-7;
  for (int i : {0, 1})
    for (int axis = 0; axis < 3; ++axis) {
      const auto moved = [&](double by) {
        Two there = two;
        there.at[i][axis] += by;
        return plain_energy(there).energy;
      };
      const auto turned = [&](double by) {
        Two there = two;
        there.turn[i] = Quat(Eigen::AngleAxisd(by, Vec3::Unit(axis))) * there.turn[i];
        return plain_energy(there).energy;
      };
      worst = std::max({worst, std::abs(s.force[i][axis] + (moved(h) - moved(-h)) / (2 * h)),
                        std::abs(s.torque[i][axis] + (turned(h) - turned(-h)) / (2 * h))});
    }
  return worst;
}

}  // namespace

TEST_CASE("how often a tip counts near an edge and at a corner") {
  const double expected[][2] = {{0.1, 1}, {0.05, 1.12}, {0.02, 1.80}, {0, 2}};
  for (const auto& [inside, weight] : expected) CHECK(energy(tip_on_face(inside, 0.5)) == Approx(weight).margin(0.006));
  CHECK(energy(tip_on_face(0, 0)) == Approx(2));
  double sideways = 0;
  for (double x = 0; x < 0.1; x += 0.001) {
    const Two two = tip_on_face(x, 0.5);
    sideways = std::max(sideways, std::abs(sum_of(two, two.contacts()).force[1].x()) / kDelta);
  }
  // One term more: its overlap times the sine of its slope.
  double expected_sideways = 0;
  for (double x = 0; x < 0.1; x += 0.001) {
    const double d = std::hypot(0.2 - kDelta, x);
    expected_sideways = std::max(expected_sideways, (0.2 - d) * x / d / kDelta);
  }
  CHECK(sideways == Approx(expected_sideways).epsilon(1e-9));
}

TEST_CASE("how often a face counts on a face, shifted and turned") {
  const double shifted[][2] = {{0, 4}, {0.01, 4.12}, {0.03, 4.89}, {0.063, 5.47}, {0.1, 4.83}, {0.2, 4}, {0.4, 4}};
  for (const auto& [x, weight] : shifted) CHECK(faces(x, 0.37 * x) == Approx(weight).margin(0.006));
  const double turned[][2] = {{0, 4}, {0.01, 4.10}, {0.1, 8}, {0.3, 8}, {0.7, 8}};
  for (const auto& [angle, weight] : turned) CHECK(faces(0, 0, angle) == Approx(weight).margin(0.006));
}

TEST_CASE("how often an edge counts on a face, at its rim and on another edge") {
  CHECK(edge_on_face(0.5, 0.2) == Approx(2));
  CHECK(edge_on_face(1, 0.2) == Approx(4));    // both ends above the rim
  CHECK(edge_on_face(0.5, 0.5) == Approx(3));  // along the rim
  const double degree = std::numbers::pi / 180;
  CHECK(crossing_edges(90 * degree) == Approx(1));
  CHECK(crossing_edges(5.7 * degree) == Approx(1.28).margin(0.04));
  CHECK(crossing_edges(0.57 * degree) == Approx(2.98).margin(0.02));
}

TEST_CASE("aligned cubes are four contacts, at the corners, without torque") {
  Two two(cube(), cube());
  two.at[1] = {0, 0, 1.19};
  const ContactBuffer c = two.contacts();
  REQUIRE(c.size() == 4);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(c.energy_weight()[k] == 1);
    CHECK(c.overlap()[k] == Approx(kDelta));
    CHECK(c.normal(2)[k] == Approx(1));
    CHECK(c.point(2)[k] == Approx(0.595));
    CHECK(std::abs(c.point(0)[k]) == Approx(0.5));
  }
  two.at[1] = {0.03, 0, 1.19};  // edges beside edges
  const Sum s = sum_of(two, two.contacts());
  for (int i : {0, 1}) CHECK(std::abs(s.torque[i].z()) < 1e-15);
}

TEST_CASE("contacts are the energy of the specification, and the force is its gradient; the energy is not below 0") {
  struct Case {
    std::shared_ptr<const Shape> a, b;
    int poses;
    Partner partner = Partner::polyhedra;
  };
  const auto slab = solid(box({1, 1, 0.1}), 0.1), octahedron = solid(regular_solid("octahedron", 1), 0.1),
             icosahedron = solid(regular_solid("icosahedron", 0.6), 0.05),
             tetrahedron = solid(regular_solid("tetrahedron", 1), 0.15), hook = solid(ell(0.7), 0.1);
  const auto ball = std::make_shared<Balls>(std::vector<Vec3>{Vec3::Zero()}, std::vector<double>{0.15});
  const auto clump =
      std::make_shared<Balls>(std::vector<Vec3>{{0, 0, 0}, {0.3, 0.1, 0.1}}, std::vector<double>{0.2, 0.1});
  std::mt19937 random(11);
  double worst = 0, difference = 0, least = 0;
  int touching = 0, all = 0;
  for (const Case& which :
       {Case{cube(), cube(), 600}, Case{cube(), slab, 400}, Case{slab, slab, 400}, Case{octahedron, tetrahedron, 400},
        Case{icosahedron, cube(), 200}, Case{hook, hook, 200}, Case{hook, tetrahedron, 300},
        Case{cube(), ball, 300, Partner::round}, Case{clump, hook, 200, Partner::round}}) {
    Two two(which.a, which.b);
    const int poses = scree::test::random_cases(which.poses, 10);
    for (int k = 0; k < poses; ++k) {
      bring_together(two, random, 0.04);
      const Sum s = sum_of(two, two.contacts(0, which.partner));
      const double plain = plain_energy(two).energy;
      difference = std::max(difference, std::abs(s.energy - plain));
      worst = std::max(worst, gradient_error(two, s));
      least = std::min(least, plain);
      touching += plain != 0;
      ++all;
    }
  }
  CHECK(touching > 0.99 * all);
  CHECK(difference < 1e-14);  // of energies of 1e-3
  CHECK(least > -1e-15);
  // Forces are of size 0.1; rounding of E over 2 h is 1e-10, and a kink of the Hessian within h adds up to h of it.
  scree::test::verify("spheropolyhedra: force less gradient of the energy, largest of all poses", 0, worst, 3e-7);
}

TEST_CASE("a cube of twelve triangles is a cube") {
  std::mt19937 random(5);
  const auto cut = std::make_shared<CutCube>();
  double worst = 0;
  for (int k = 0; k < scree::test::random_cases(300, 10); ++k) {
    Two whole(cube(), cube());
    bring_together(whole, random, 0.05);
    Two triangles = whole, both = whole;
    triangles.shape[0] = both.shape[0] = both.shape[1] = cut;
    const Sum s = sum_of(whole, whole.contacts());
    for (const Two& other : {triangles, both}) {
      const Sum t = sum_of(other, other.contacts());
      worst = std::max(
          {worst, std::abs(s.energy - t.energy), (s.force[0] - t.force[0]).norm(), (s.torque[1] - t.torque[1]).norm()});
    }
  }
  CHECK(worst < 1e-14);
}

TEST_CASE("points of contact lie in both bodies; swapped bodies, another place and another size give the same") {
  std::mt19937 random(7);
  std::size_t number = 0;
  Two two(solid(ell(0.7), 0.1), cube());
  const int cases = scree::test::random_cases(200, 10);
  for (int k = 0; k < cases; ++k) {
    bring_together(two, random, 0.08);
    const ContactBuffer c = two.contacts();
    Two swapped = two, larger = two;
    for (int i : {0, 1}) {
      swapped.shape[i] = two.shape[1 - i], swapped.at[i] = two.at[1 - i], swapped.turn[i] = two.turn[1 - i];
      larger.scale[i] = 3, larger.at[i] = 3 * two.at[i];
    }
    const ContactBuffer o = swapped.contacts(), l = larger.contacts();
    REQUIRE(o.size() == c.size());
    REQUIRE(l.size() == c.size());
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (c.overlap()[i] < 1e-9) continue;
      ++number;
      for (int side : {0, 1}) {
        const Vec3 local = two.turn[side].conjugate() * (c.point_at(i) - two.at[side]);
        double d;
        Vec3 g;
        facet<SignedDistance>(*two.shape[side])->distance({&local, 1}, {&d, 1}, {&g, 1});
        CHECK(d < 1e-12);
      }
      bool found = false;
      for (std::size_t j = 0; j < o.size(); ++j)
        found |= (c.point_at(i) - o.point_at(j)).norm() < 1e-11 && (c.normal_at(i) + o.normal_at(j)).norm() < 1e-10 &&
                 c.energy_weight()[i] == o.energy_weight()[j];
      CHECK(found);
      CHECK((3 * c.point_at(i) - l.point_at(i)).norm() < 1e-12);
      CHECK(l.overlap()[i] == Approx(3 * c.overlap()[i]).margin(1e-12));
    }
  }
  CHECK(number > static_cast<std::size_t>(cases));
}

TEST_CASE("lists that are kept give the bits of new ones, and are seldom made") {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  Two two(cube(), solid(regular_solid("icosahedron", 0.6), 0.1));
  VertexFace detector;
  PairCache cache;
  bring_together(two, random, 0.02);
  std::size_t contacts = 0;
  const ListCounts before = VertexFace::counts();
  for (int step = 0; step < 2000; ++step) {
    const ContactBuffer kept = two.contacts(detector, cache, 0.01);
    const ListCounts now = VertexFace::counts();
    const ContactBuffer fresh = two.contacts(0.01);
    REQUIRE(kept.size() == fresh.size());
    for (std::size_t k = 0; k < kept.size(); ++k) {
      CHECK(kept.overlap()[k] == fresh.overlap()[k]);
      CHECK(kept.point_at(k) == fresh.point_at(k));
      CHECK(kept.normal_at(k) == fresh.normal_at(k));
      CHECK(kept.payload()[k] == fresh.payload()[k]);
      CHECK(kept.energy_weight()[k] == fresh.energy_weight()[k]);
    }
    contacts += kept.size();
    const Sum s = sum_of(two, kept);  // drifts along the surface, and is pushed out of it
    two.at[1] +=
        0.3 * s.force[1] - 2e-4 * (two.at[1] - two.at[0]) + 1e-3 * Vec3(normal(random), normal(random), normal(random));
    two.turn[1] =
        (Quat(1, 1e-3 * normal(random), 1e-3 * normal(random), 1e-3 * normal(random)) * two.turn[1]).normalized();
    (void)now;
  }
  CHECK(contacts > 1000);
  const ListCounts after = VertexFace::counts();
  const std::uint64_t of_fresh = 2000;
  CHECK(after.made - before.made - of_fresh < 400);
}

TEST_CASE("a vertex that slides over the rim of a face keeps its spring") {
  const auto at = [](double x) {
    const ContactBuffer c = tip_on_face(x, 0.5).contacts();
    std::vector<std::uint64_t> payload(c.payload(), c.payload() + c.size());
    return payload;
  };
  const auto before = at(0.2), after = at(-0.01);
  REQUIRE(before.size() == 1);
  REQUIRE(after.size() == 1);
  CHECK(before != after);
  const std::uint32_t old_feature = 7;
  std::uint32_t feature = 0;
  std::int32_t source = -1, successor = -1;
  match_features({1, 1, &old_feature, before.data(), &feature, after.data(), &source, &successor});
  CHECK(source == 0);
  CHECK(successor == 0);
}

TEST_CASE("polyhedra that pass through each other stop the run and name both bodies") {
  Two two(solid(box({4, 0.2, 0.2}), 0.05), solid(box({0.2, 4, 0.2}), 0.05));
  two.id[0] = 4, two.id[1] = 9;
  CHECK_THROWS_WITH(
      two.contacts(),
      "bodies 4 and 9: an edge of one passes through a face of the other. The polyhedra, which are the shapes "
      "without their rounding, must stay apart. Move the bodies apart, or use a smaller dt or a stiffer law.");
  two.shape[0] = solid(box({9, 9, 9}), 0.1);
  CHECK_THROWS_WITH(two.contacts(), ContainsSubstring("bodies 4 and 9: one lies within the other."));
  two.shape[0] = two.shape[1] = cube();
  two.at[1] = {0.1, 0.2, 1.03};
  CHECK_THROWS_WITH(
      two.contacts(),
      "bodies 4 and 9: the polyhedra within them are 0.03 m apart, nearer than 0.2 of the sum of their radii, "
      "0.2 m; they would soon pass through each other. Use a smaller dt, a stiffer law, or larger radii.");
  CHECK_THROWS_AS(two.contacts(), NumericalError);
}
