/// \file Deviation of the first-order distance from the true one, and the detector's matching of history.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "catch.hpp"
#include "shape/test_bodies.hpp"
#include "shape/test_shapes.hpp"
#include "taubin/star_detector.hpp"

namespace scree::star {
namespace {

struct Errors {
  double taubin = 0, radial = 0;
};

/// Largest relative errors within 0.01 of the outline of a shape with r_max = 1, against the distance to a polygon of
/// 40000 sides (error 1e-7).
Errors distance_errors(const StarShape& shape) {
  constexpr int sides = 40000, rays = 1000;
  const auto* outline = facet<RadialFunction>(shape);
  const auto* field = facet<SignedDistance>(shape);
  const Vec2 centre = outline->centre();
  std::vector<Vec2> polygon;
  for (int i = 0; i <= sides; ++i) {
    const double t = 2 * std::numbers::pi * i / sides;
    polygon.push_back(centre + outline->radius(t) * Vec2(std::cos(t), std::sin(t)));
  }
  const auto true_distance = [&](Vec2 p) {
    double best = 1e9;
    for (int i = 0; i < sides; ++i) best = std::min(best, (p - polygon[i]).squaredNorm());
    return std::sqrt(best);
  };
  Errors worst;
  for (int i = 0; i < rays; ++i) {
    const int k = i * (sides / rays);
    const Vec2 tangent = (polygon[k + 1] - polygon[k == 0 ? sides - 1 : k - 1]).normalized();
    for (double offset : {-0.01, -0.003, 0.003, 0.01}) {
      const Vec2 p = polygon[k] + offset * Vec2(tangent.y(), -tangent.x());
      const Vec3 point(p.x(), p.y(), 0);
      double taubin;
      Vec3 normal;
      field->distance({&point, 1}, {&taubin, 1}, {&normal, 1});
      const Vec2 q = p - centre;
      const double radial = q.norm() - outline->radius(std::atan2(q.y(), q.x()));
      const double truth = std::copysign(true_distance(p), radial);
      worst.taubin = std::max(worst.taubin, std::abs(taubin - truth) / std::abs(truth));
      worst.radial = std::max(worst.radial, std::abs(radial - truth) / std::abs(truth));
    }
  }
  return worst;
}

TEST_CASE("Taubin's distance beside the outline against the radial one (figure 3 of the paper)") {
  const Errors of_cross = distance_errors(*cross(1)), of_butterfly = distance_errors(*butterfly(1));
  const Errors of_bat = distance_errors(*bat(1));
  WARN("relative error within 0.01 R, Taubin (radial): cross "
       << of_cross.taubin << " (" << of_cross.radial << "), butterfly " << of_butterfly.taubin << " ("
       << of_butterfly.radial << "), bat " << of_bat.taubin << " (" << of_bat.radial << ")");
  // The specification's own figures are 0.08, 0.53 and 0.93, the largest among fewer places beside the outline. These
  // are ours, to the rounding of the README and what finer rays would add.
  CHECK(of_cross.taubin == Approx(0.0845).epsilon(0.01));
  CHECK(of_butterfly.taubin == Approx(0.581).epsilon(0.01));
  CHECK(of_bat.taubin == Approx(1.106).epsilon(0.01));
  CHECK(of_cross.radial == Approx(1.572).epsilon(0.01));
  CHECK(of_butterfly.radial == Approx(3.762).epsilon(0.01));
  CHECK(of_bat.radial == Approx(5.550).epsilon(0.01));
}

/// Two bodies, the second rolling over the first.
struct Rolling {
  std::shared_ptr<const StarShape> shape;
  TaubinDetector detector;
  const std::vector<Pair> pairs{{0, 1}};
  PairCache cache;

  explicit Rolling(std::shared_ptr<const StarShape> s) : shape(std::move(s)) {
    const Shape* list[] = {shape.get()};
    detector.bind(list);
  }
  /// The second body seen from the first at angle phi, turned by 2 phi, as near as gives an overlap of `depth`.
  TestBodies at(double phi, double depth) {
    double near = shape->bounding_radius() * 1.2, far = shape->bounding_radius() * 2.1;
    TestBodies bodies;
    for (int i = 0; i < 40; ++i) {
      const double gap = (near + far) / 2;
      bodies = {};
      bodies.add(0, 0, 0, 0, 0);
      bodies.add(gap * std::cos(phi), gap * std::sin(phi), 2 * phi, 0, 1);
      const ContactBuffer contacts = contacts_of(detector, bodies, pairs, cache);
      const double *overlap = contacts.overlap(),
                   deepest = contacts.size() == 0 ? 0 : *std::max_element(overlap, overlap + contacts.size());
      (deepest > depth ? near : far) = gap;
    }
    return bodies;
  }
};

/// Rolls one full turn in steps of a quarter of a node, handing on features as the core does.
/// \return contacts that got a new feature although one was beside them the step before
int lost_features(Rolling& rolling, int& births, bool& kept_first) {
  const int steps = 1600;  // the second body turns twice as fast as it goes round: half a turn of 100 nodes each
  std::vector<std::uint32_t> old_feature;
  std::vector<std::uint64_t> old_payload;
  std::vector<Vec3> old_point;
  int lost = 0;
  births = 0;
  for (int k = 0; k <= steps; ++k) {
    const TestBodies bodies = rolling.at(2 * std::numbers::pi * k / steps, 0.01);
    ContactBuffer contacts = contacts_of(rolling.detector, bodies, rolling.pairs, rolling.cache);
    std::vector<std::int32_t> source(contacts.size(), -1);
    if (!old_feature.empty() && contacts.size() > 0)
      rolling.detector.match({old_feature.size(), contacts.size(), old_feature.data(), old_payload.data(),
                              contacts.feature(), contacts.payload(), source.data()});
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (source[i] >= 0 || k == 0) continue;
      ++births;
      for (std::size_t o = 0; o < old_point.size(); ++o) {
        const bool taken = std::find(source.begin(), source.end(), static_cast<std::int32_t>(o)) != source.end();
        lost += !taken && (old_point[o] - contacts.point_at(i)).norm() < 0.05;
      }
    }
    if (k == 0) kept_first = true;
    if (k > 0)
      kept_first =
          kept_first && !old_feature.empty() && contacts.size() == 1 && contacts.feature()[0] == old_feature[0];
    old_feature.assign(contacts.feature(), contacts.feature() + contacts.size());
    old_payload.assign(contacts.payload(), contacts.payload() + contacts.size());
    old_point.clear();
    for (std::size_t i = 0; i < contacts.size(); ++i) old_point.push_back(contacts.point_at(i));
  }
  return lost;
}

TEST_CASE("a convex star rolled one full turn over another keeps its one feature") {
  for (const auto& shape : {circle(1), star(1, {{2, 0.15, 0}, {3, 0, 0.03}}, 1)}) {
    Rolling rolling(shape);
    int births = 0;
    bool kept_first = false;
    CHECK(lost_features(rolling, births, kept_first) == 0);
    CHECK(births == 0);
    CHECK(kept_first);
  }
}

TEST_CASE("a cross rolled one full turn over another gets new features for new contacts only") {
  Rolling rolling(cross(1));
  int births = 0;
  bool kept_first = false;
  CHECK(lost_features(rolling, births, kept_first) == 0);
  WARN("contacts born while a cross rolls one turn over a cross: " << births);
  CHECK(births < 40);  // 8 arms meet valleys, each on both flanks
}

}  // namespace
}  // namespace scree::star
