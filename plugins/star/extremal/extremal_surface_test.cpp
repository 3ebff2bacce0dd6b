#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "catch.hpp"
#include "extremal/extremal_duel.hpp"
#include "extremal/extremal_pair.hpp"
#include "scree/shape/facets.hpp"

namespace scree::star {
namespace {

/// A wall that a distance is all there is of: the half-plane below y = 0, or the outside of a circle.
class Wall final : public Shape, public ExactDistance {
 public:
  explicit Wall(double inner_radius = 0) : radius_(inner_radius) {}
  int dimension() const noexcept override { return 2; }
  MassProperties mass(double) const override { return {}; }
  double bounding_radius() const noexcept override { return std::numeric_limits<double>::infinity(); }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view name) const noexcept override {
    if (name == ExactDistance::kName) return static_cast<const ExactDistance*>(this);
    return name == SignedDistance::kName ? static_cast<const SignedDistance*>(this) : nullptr;
  }
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double rho = points[i].norm();
      distance[i] = radius_ > 0 ? radius_ - rho : points[i].y();
      gradient[i] = radius_ > 0 ? Vec3(-points[i] / rho) : Vec3(0, 1, 0);
    }
  }

 private:
  double radius_;
};

TEST_CASE("extremal: a star on a wall feels the gradient of its energy, either way round") {
  const Duel duel({cross(1), butterfly(1), pear(1), std::make_shared<Wall>(), std::make_shared<Wall>(5.0)});
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(0, 1);
  double worst = 0;
  int touching = 0;
  for (int i = 0; i < 600; ++i) {
    const auto star = static_cast<std::uint32_t>(i % 3), wall = static_cast<std::uint32_t>(3 + i % 2);
    const double angle = 2 * std::numbers::pi * unit(random), away = wall == 3 ? 0.5 + 0.5 * unit(random) : 0;
    const double out = 4.05 + 0.5 * unit(random), direction = 2 * std::numbers::pi * unit(random);
    const double x = wall == 3 ? unit(random) : out * std::cos(direction),
                 y = wall == 3 ? away : out * std::sin(direction);
    const Duel::Pose q = i % 4 < 2 ? Duel::Pose{x, y, angle, 0, 0, 0} : Duel::Pose{0, 0, 0, x, y, angle};
    const std::uint32_t a = i % 4 < 2 ? star : wall, b = i % 4 < 2 ? wall : star;
    const ContactBuffer c = duel.contacts(q, a, b);
    if (c.size() == 0) continue;
    ++touching;
    worst = std::max(worst, duel.force_error(q, a, b) / std::max(norm(forces(c, q)), 0.01));
    for (std::size_t k = 0; k < c.size(); ++k) CHECK(std::abs(c.energy_weight()[k]) == 1);
  }
  INFO("worst relative error " << worst);
  CHECK(touching > 300);
  CHECK(worst < 1e-7);
}

TEST_CASE("extremal: a wall pushes a star out as its depth says, all the way in") {
  const Duel duel({circle(1), std::make_shared<Wall>()});
  for (const double y : {0.999, 0.5, -0.5, -1.5}) {
    const ContactBuffer c = duel.contacts({0, y, 0.3, 0, 0, 0}, 0, 1);
    REQUIRE(c.size() == 1);  // the lowest minimum of a star that is all inside does not count
    CHECK(energy(c) == Approx((1 - y) * (1 - y) / 2).epsilon(1e-3));
    CHECK(forces(c, {0, y, 0.3, 0, 0, 0})[1] == Approx(1 - y).epsilon(1e-3));
  }
}

// ------------------------------------------------------------------------------------------------------------ history

/// match() of one pair's contacts from step to step. \return for each contact of now the old one, or -1
std::vector<std::int32_t> matched(const ContactBuffer& old, ContactBuffer& now) {
  std::vector<std::int32_t> source(now.size());
  match_extrema({old.size(), now.size(), old.feature(), old.payload(), now.feature(), now.payload(), source.data()});
  return source;
}

TEST_CASE("extremal: a star that rolls a full turn around another keeps its springs") {
  for (const auto& shape : {circle(1), cross(1)}) {
    const Duel duel({circle(1), shape});
    const double distance = 1.97;
    ContactBuffer old;
    int steps = 0, kept[2] = {0, 0}, maxima[2] = {0, 0};
    for (int i = 0; i <= 2000; ++i) {
      const double turn = 2 * std::numbers::pi * i / 2000;
      ContactBuffer now =
          duel.contacts({0, 0, 0.3, distance * std::cos(turn), distance * std::sin(turn), 2 * turn}, 0, 1);
      if (i > 0 && old.size() > 0 && now.size() > 0) {
        ++steps;
        const std::vector<std::int32_t> source = matched(old, now);
        for (std::size_t k = 0; k < now.size(); ++k) {
          const ExtremumKey key = extremum_key(now.payload()[k]);
          if (key.minimum) {
            CHECK(source[k] == -1);
            continue;
          }
          ++maxima[key.side];
          if (source[k] < 0) continue;
          ++kept[key.side];
          const ExtremumKey before = extremum_key(old.payload()[static_cast<std::size_t>(source[k])]);
          CHECK(before.side == key.side);
          CHECK(!before.minimum);
          CHECK(now.feature()[k] == old.feature()[source[k]]);
        }
      }
      old = std::move(now);
    }
    for (const int side : {0, 1}) {
      INFO(steps << " steps in contact, side " << side << ": " << kept[side] << " of " << maxima[side] << " kept");
      // A contact that begins has none to continue: a cross touches with its tips in turn.
      CHECK(kept[side] >= 0.99 * maxima[side]);
      CHECK(maxima[side] > 100);
    }
  }
}

TEST_CASE("extremal: of two maxima the nearest goes on, and new ones get unused features") {
  const auto key = [](int side, bool minimum, int node) {  // of 100 nodes
    return pack_extremum({side, minimum, static_cast<std::uint16_t>(node * 65536 / 100)});
  };
  const std::uint32_t old_feature[] = {7, 9, 3};
  const std::uint64_t old_payload[] = {key(0, false, 10), key(0, false, 99), key(1, false, 10)};
  const std::uint64_t new_payload[] = {key(0, false, 1), key(0, false, 12), key(0, true, 11), key(1, false, 40)};
  std::uint32_t new_feature[] = {0, 1, 2, 3};
  std::int32_t source[4];
  match_extrema({3, 4, old_feature, old_payload, new_feature, new_payload, source});
  CHECK(source[0] == 1);  // over node 0
  CHECK(source[1] == 0);
  CHECK(source[2] == -1);  // a minimum
  CHECK(source[3] == -1);  // too far
  CHECK(new_feature[0] == 9);
  CHECK(new_feature[1] == 7);
  CHECK(new_feature[2] == 0);
  CHECK(new_feature[3] == 1);
}

}  // namespace
}  // namespace scree::star
