/// \file Tops that are followed from step to step, beside those that the nodes lead to.

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "scree/base/error.hpp"
#include "test_pairs.hpp"

namespace scree::star3d {

using test::Encounter;
using test::Place;

namespace {

std::shared_ptr<const Shape> superquadric(double e1, double e2) {
  return std::make_shared<SuperquadricShape>(Superquadric{{1, 0.9, 0.8}, e1, e2}, test::unit_scale());
}

/// The half-space below z = 0.
class Ground final : public Shape, public WallFaces {
 public:
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double) const override { return {0, Vec3::Zero()}; }
  double bounding_radius() const noexcept override { return std::numeric_limits<double>::infinity(); }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view name) const noexcept override {
    return name == Faces::kName ? static_cast<const Faces*>(this) : nullptr;
  }
  int face_count() const noexcept override { return 1; }
  void face(int, std::span<const Vec3> points, std::span<FacePoint> seen) const override {
    for (std::size_t i = 0; i < points.size(); ++i) seen[i] = {points[i].z(), Vec3::UnitZ(), {0, 0}};
  }
  bool flat(int) const noexcept override { return true; }
};

/// Payloads of the contacts of the only pair in the last step.
struct Last {
  std::vector<std::uint32_t> pair;
  std::vector<std::uint64_t> payload;

  void take(const ContactBuffer& c) {
    pair.assign(c.pair(), c.pair() + c.size());
    payload.assign(c.payload(), c.payload() + c.size());
  }
  LastContacts view() const { return {pair, payload.data(), 0}; }
};

bool same_bits(const ContactBuffer& a, const ContactBuffer& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool same = a.overlap()[i] == b.overlap()[i] && a.normal_at(i) == b.normal_at(i) &&
                      a.point_at(i) == b.point_at(i) && a.radius()[i] == b.radius()[i] &&
                      a.payload()[i] == b.payload()[i] && a.force_weight()[i] == b.force_weight()[i];
    if (!same) return false;
  }
  return true;
}

struct Difference {
  double overlap = 0, point = 0, normal = 0, radius = 0;  ///< largest, radius relative
  int followed = 0, unlike = 0;                           ///< contacts; steps with different numbers of contacts
};

/// Moves two bodies past each other or towards each other in small steps, many times, up to large overlaps.
Difference along_paths(const Encounter& pair, double distance, double margin, unsigned seed) {
  test::Draw draw(seed);
  Difference worst;
  for (int path = 0; path < 40; ++path) {
    const bool straight = path % 4 == 0;  // towards each other, and away again
    const Vec3 side = draw.direction(), way = straight ? side : side.unitOrthogonal(), axis = draw.direction();
    const Place a{Vec3::Zero(), draw.turn()};
    const Quat turn = draw.turn();
    const double beside = draw.between(0.9, 1.05) * distance;
    PairCache cache;
    Last last;
    for (int step = 0; step < 200; ++step) {
      const double s = straight ? 0.002 * std::abs(step - 100) : 0.01 * (step - 100);
      const Place b{beside * side + s * way, Quat(Eigen::AngleAxisd(straight ? 0 : 0.5 * s, axis)) * turn};
      cache.set_last(last.view());
      PairCache fresh;
      fresh.set_last(last.view());
      ContactBuffer found, followed;
      try {
        found = pair.contacts(a, b, margin);
      } catch (const NumericalError&) {
        break;  // too deep
      }
      followed = pair.contacts(a, b, margin, cache);
      CHECK(same_bits(followed, pair.contacts(a, b, margin, fresh)));
      if (followed.size() != found.size()) {
        ++worst.unlike;
      } else {
        for (std::size_t i = 0; i < found.size(); ++i) {
          worst.overlap = std::max(worst.overlap, std::abs(found.overlap()[i] - followed.overlap()[i]));
          worst.point = std::max(worst.point, (found.point_at(i) - followed.point_at(i)).norm());
          worst.normal = std::max(worst.normal, (found.normal_at(i) - followed.normal_at(i)).norm());
          worst.radius = std::max(worst.radius, std::abs(found.radius()[i] / followed.radius()[i] - 1));
        }
        worst.followed += last.pair.empty() ? 0 : static_cast<int>(found.size());
      }
      last.take(followed);
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("surface: tops of convex bodies that are followed are those that nodes lead to") {
  const auto oval = test::ellipsoid({2, 1.5, 1}), lentil = test::ellipsoid({1, 1, 0.5});
  const auto box = superquadric(0.5, 0.5), barrel = superquadric(0.5, 1);
  const struct {
    Encounter pair;
    double distance;
  } pairs[] = {{{oval, lentil}, 2.0}, {{lentil, lentil}, 1.4}, {{barrel, oval}, 2.2}, {{box, barrel}, 1.7}};
  for (const double margin : {0.0, 0.02})
    for (const auto& [pair, distance] : pairs) {
      const Difference d = along_paths(pair, distance, margin, 3);
      INFO("distance " << distance << ", margin " << margin << ", followed " << d.followed << ", overlap " << d.overlap
                       << ", point " << d.point << ", normal " << d.normal);
      CHECK(d.followed > 500);
      CHECK(d.unlike == 0);
      CHECK(d.overlap < 1e-11);
      CHECK(d.point < 1e-9);
      CHECK(d.normal < 1e-9);
      CHECK(d.radius < 1e-4);
    }
}

TEST_CASE("surface: tops on a plane that are followed are those that nodes lead to") {
  const std::shared_ptr<const Shape> lentil = test::ellipsoid({1, 1, 0.5}), barrel = superquadric(0.5, 1);
  for (const auto& solid : {lentil, barrel}) {
    const Encounter on_ground(std::make_shared<Ground>(), solid);
    PairCache cache;
    Last last;
    double overlap = 0, point = 0;
    int followed = 0;
    for (int step = 0; step < 1000; ++step) {
      const double t = 0.01 * step;
      const Place place{
          {t, 0, 1.0 + 0.15 * std::sin(3 * t)},
          Quat(Eigen::AngleAxisd(t, Vec3(1, 2, 3).normalized()) * Eigen::AngleAxisd(0.7 * t, Vec3::UnitX()))};
      cache.set_last(last.view());
      const ContactBuffer found = on_ground.contacts({}, place), now = on_ground.contacts({}, place, 0, cache);
      REQUIRE(now.size() == found.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        overlap = std::max(overlap, std::abs(found.overlap()[i] - now.overlap()[i]));
        point = std::max(point, (found.point_at(i) - now.point_at(i)).norm());
        followed += last.pair.empty() ? 0 : 1;
      }
      last.take(now);
    }
    CHECK(followed > 100);
    CHECK(overlap < 1e-11);
    CHECK(point < 1e-9);
  }
}

TEST_CASE("surface: bodies that are not convex are looked at by their nodes in each step") {
  const auto jack = test::jack();
  const Encounter pair(jack, jack);
  CHECK_FALSE(make_surface_shape(*jack).fields[0].convex);
  CHECK(make_surface_shape(*superquadric(0.5, 0.5)).fields[0].convex);
  CHECK(make_surface_shape(*test::ellipsoid({2, 1.5, 1})).fields[0].convex);
  const Difference d = along_paths(pair, 2.4, 0, 5);
  CHECK(d.followed > 500);
  CHECK(d.unlike == 0);
  CHECK(d.overlap == 0);
}

}  // namespace scree::star3d
