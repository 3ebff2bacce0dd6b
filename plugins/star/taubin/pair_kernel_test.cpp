/// \file Contacts of a device's kernel, called on the host, compared with those of the detector, bit by bit.

#include "taubin/pair_kernel.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include "catch.hpp"
#include "random_cases.hpp"
#include "scree/base/error.hpp"
#include "shape/test_bodies.hpp"
#include "shape/test_shapes.hpp"
#include "taubin/on_device.hpp"
#include "taubin/star_detector.hpp"

namespace scree::star {
namespace {

const device::DeviceShapePairs& on_device(const TaubinDetector& detector) {
  return *static_cast<const device::DeviceShapePairs*>(detector.face(device::DeviceShapePairs::kName));
}

device::PlacedShape placed(const TestBodies& bodies, std::uint32_t row) {
  const Vec3& x = bodies.position[row];
  const Quat& q = bodies.orientation[row];
  const double scale = bodies.scale.empty() ? 1 : bodies.scale[row];
  return {{x[0], x[1], x[2]}, {q.x(), q.y(), q.z(), q.w()}, scale, bodies.shape[row]};
}

using Found = device::FoundContacts<StarPairs::kContacts>;

struct Tables {
  explicit Tables(const std::vector<std::shared_ptr<const StarShape>>& shapes) {
    detector.bind(raw(shapes));
    std::vector<std::uint32_t> all;
    for (std::uint32_t k = 0; k < shapes.size(); ++k) all.push_back(k);
    bytes = on_device(detector).tables(all);
  }
  Found find(const TestBodies& bodies, const Pair& pair, double margin) const {
    return bodies.scale.empty() ? both_steps(StarPairs(), bodies, pair, margin)
                                : both_steps(SizedStarPairs(), bodies, pair, margin);
  }
  template <class Geometry>
  Found both_steps(const Geometry& geometry, const TestBodies& bodies, const Pair& pair, double margin) const {
    const device::PlacedShape a = placed(bodies, pair.a), b = placed(bodies, pair.b);
    StarRuns runs{};
    typename Geometry::Found first;
    const typename Geometry::Meeting meeting(a, b, margin, bytes.data());
    find(geometry, meeting, margin, runs, first);
    Found found;
    found.trouble = first.trouble;
    const auto sight = meeting.sight();
    for (int i = 0; i < first.count; ++i) {
      const std::uint32_t key = geometry.key(runs, i);
      typename Geometry::Choice choice;
      std::uint32_t nodes = 0;
      meeting.for_nodes(runs, key, [&](std::uint32_t node) {
        if (margin == 0) geometry.add(sight, node, geometry.depth(sight, bytes.data(), node), choice);
        ++nodes;
      });
      if (margin == 0) CHECK(geometry.nodes(margin, runs, key) == nodes);
      found.add(meeting.contact(runs, key, choice, found.trouble), first.payload[i]);
    }
    return found;
  }
  template <class Geometry>
  void find(const Geometry& geometry, const typename Geometry::Meeting& meeting, double margin, StarRuns& runs,
            typename Geometry::Found& found) const {
    const auto search = meeting.begin(runs, found.trouble);
    if (found.trouble) return;
    if (!geometry.search(device::Warp{0}, search, margin, bytes.data(), runs)) found.trouble = device::kTooManyContacts;
    if (!found.trouble) meeting.finish(runs, found);
  }
  TaubinDetector detector;
  std::vector<std::byte> bytes;
};

bool same(const Found& found, const ContactBuffer& host) {
  if (found.count != static_cast<int>(host.size())) return false;
  for (int i = 0; i < found.count; ++i) {
    const device::Contact& c = found.contact[i];
    const auto k = static_cast<std::size_t>(i);
    const Vec3 n(c.normal.x, c.normal.y, c.normal.z), x(c.point.x, c.point.y, c.point.z);
    if (c.overlap != host.overlap()[k] || n != host.normal_at(k) || x != host.point_at(k) ||
        found.payload[i] != host.payload()[k])
      return false;
  }
  return true;
}

TEST_CASE("a device finds the contacts of the detector, bit by bit, with a margin and without, of any sizes") {
  const Tables tables(shapes_of_sizes());
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(0, 1);
  std::uniform_int_distribution<std::uint32_t> shape(0, 7);
  int touching = 0, several = 0, crushed = 0;
  for (int i = 0; i < test::random_cases(12000); ++i) {
    TestBodies bodies;
    const std::uint32_t of_a = shape(random), of_b = shape(random);
    const bool sized = i % 3 == 0;
    const double scale[2] = {sized ? std::pow(6, 2 * unit(random) - 1) : 1,
                             sized ? std::pow(6, 2 * unit(random) - 1) : 1};
    if (sized) bodies.scale = {scale[0], scale[1]};
    const double reach =
        scale[0] * tables.detector.outline(of_a).r_max + scale[1] * tables.detector.outline(of_b).r_max;
    const double way = reach * (0.3 + 0.7 * unit(random)), direction = 2 * std::numbers::pi * unit(random);
    bodies.add(0.1, -0.2, 7 * unit(random), of_a, 5);
    bodies.add(0.1 + way * std::cos(direction), -0.2 + way * std::sin(direction), 7 * unit(random), of_b, 9);
    const double margin = i % 4 == 0 ? 0.02 : 0;
    const Pair pair{0, 1};
    const Found found = tables.find(bodies, pair, margin);
    ContactBuffer host;
    try {
      tables.detector.detect_plain(bodies.view(), {&pair, 1}, margin, host);
    } catch (const NumericalError& e) {
      ++crushed;
      REQUIRE(found.trouble != 0);
      REQUIRE(found.trouble != device::kTooManyContacts);
      REQUIRE(on_device(tables.detector).trouble(found.trouble, {5, of_a, scale[0]}, {9, of_b, scale[1]}) == e.what());
      continue;
    }
    REQUIRE(found.trouble == 0);
    REQUIRE(same(found, host));
    touching += found.count > 0;
    several += found.count > 1;
  }
  CHECK(touching > test::random_cases(12000) / 4);
  CHECK(several > test::random_cases(12000) / 20);
  CHECK(crushed > test::random_cases(12000) / 100);
}

bool same(const StarRuns& a, const StarRuns& b) {
  bool equal = a.count[0] == b.count[0] && a.count[1] == b.count[1];
  for (std::uint32_t r = 0; equal && r < a.all(); ++r)
    equal = a.region[r] == b.region[r] && a.run[r].first == b.run[r].first && a.run[r].count == b.run[r].count;
  return equal;
}

TEST_CASE("what a device remembers of a pair is what it would find, as long as it says so") {
  const Tables tables(shapes_of_sizes());
  const std::byte* const bytes = tables.bytes.data();
  const auto meeting = [&](const device::PlacedShape& a, const device::PlacedShape& b) {
    return SizedStarPairs::Meeting(a, b, 0, bytes);
  };
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> unit(0, 1), either(-1, 1);
  std::uniform_int_distribution<std::uint32_t> shape(0, 7);
  int recalled = 0, with_runs = 0, changed = 0;
  for (int i = 0; i < test::random_cases(40000); ++i) {
    const std::uint32_t of_a = shape(random), of_b = shape(random);
    const bool sized = i % 2 == 0;
    const double scale_a = sized ? std::pow(3, either(random)) : 1, scale_b = sized ? std::pow(3, either(random)) : 1;
    const double r_a = scale_a * tables.detector.outline(of_a).r_max,
                 r_b = scale_b * tables.detector.outline(of_b).r_max;
    const double way = (r_a + r_b) * (0.4 + 0.65 * unit(random)), direction = 2 * std::numbers::pi * unit(random);
    const auto at = [&](std::uint32_t number, double x, double y, double angle, double scale) {
      return device::PlacedShape{{x, y, 0}, {0, 0, std::sin(angle / 2), std::cos(angle / 2)}, scale, number};
    };
    const double angle_a = 7 * unit(random), angle_b = 7 * unit(random);
    const double x = way * std::cos(direction), y = way * std::sin(direction);
    StarRuns runs{}, fresh{};
    SizedStarPairs::Found found, again;
    const device::PlacedShape a = at(of_a, 0, 0, angle_a, scale_a), b = at(of_b, x, y, angle_b, scale_b);
    REQUIRE_FALSE(meeting(a, b).holds(runs));
    tables.find(SizedStarPairs(), meeting(a, b), 0, runs, found);
    if (found.trouble || !(runs.room > 2e-6 * (r_a + r_b))) continue;
    REQUIRE(meeting(a, b).holds(runs));
    // Both bodies go somewhere together, and against each other by about as much as there is room.
    const double step = 2 * runs.room * unit(random), turn = step / (r_a + r_b), carried = 10 * either(random);
    const device::PlacedShape a2 = at(of_a, carried, 0, angle_a + turn * either(random), scale_a);
    const device::PlacedShape b2 = at(of_b, carried + x + step * either(random), y + step * either(random),
                                      angle_b + turn * either(random), scale_b);
    tables.find(SizedStarPairs(), meeting(a2, b2), 0, fresh, again);
    const bool equal = again.trouble == 0 && same(runs, fresh);
    if (!equal) ++changed;
    if (!meeting(a2, b2).holds(runs)) continue;
    REQUIRE(equal);
    for (int k = 0; k < again.count; ++k) REQUIRE(again.payload[k] == found.payload[k]);
    ++recalled;
    with_runs += runs.all() > 0;
  }
  CHECK(recalled > test::random_cases(40000) / 5);
  CHECK(with_runs > test::random_cases(40000) / 10);
  CHECK(changed > test::random_cases(40000) / 200);  // so that the bound is put to the test
}

TEST_CASE("a device bounds the depths of nodes by single precision, so closely that few need a second look") {
  const Tables tables(shapes_of_sizes());
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> unit(0, 1);
  std::uniform_int_distribution<std::uint32_t> shape(0, 7);
  std::size_t inside = 0, bounded = 0, wrong = 0, wide = 0;
  for (int i = 0; i < test::random_cases(4000); ++i) {
    const std::uint32_t of_a = shape(random), of_b = shape(random);
    const Outline &a = tables.detector.outline(of_a), &b = tables.detector.outline(of_b);
    const double angle = 7 * unit(random), direction = 7 * unit(random),
                 way = (a.r_max + b.r_max) * (0.6 + 0.4 * unit(random));
    const double scale = i % 2 == 0 ? 1 : 0.5 + unit(random);
    const device::PlacedShape at_a{{scale * way * std::cos(direction), scale * way * std::sin(direction), 0},
                                   {0, 0, std::sin(angle / 2), std::cos(angle / 2)},
                                   scale,
                                   of_a};
    const device::PlacedShape at_b{{0, 0, 0}, {0, 0, 0, 1}, scale, of_b};
    const auto sight = SizedStarPairs::Meeting(at_a, at_b, 0, tables.bytes.data()).sight();
    const PlanarPose pose_a =
        planar_pose(at_a.x.x, at_a.x.y, at_a.q.w, at_a.q.z, scale * a.centre[0], scale * a.centre[1]);
    const PlanarPose pose_b = planar_pose(0, 0, 1, 0, scale * b.centre[0], scale * b.centre[1]);
    const RelativePose relative = relative_pose(pose_a, pose_b);
    for (int node = 0; node < a.nodes; ++node) {
      const PlanarPoint<double> own = a.points[static_cast<std::size_t>(node)];
      const PlanarPoint<double> seen = transform(relative, Sizes{scale, scale}, own.x, own.y);
      const PointHit truth = point_hit(seen.x, seen.y, b.sample(seen.x, seen.y));
      if (!(truth.depth > 0)) continue;
      const auto n = static_cast<std::uint32_t>(node);
      const float most = sight.side[0].depth_at_most(tables.bytes.data(), n);
      const float least = sight.side[0].depth_at_least(most);
      ++inside;
      wrong += !(least <= scale * truth.depth && scale * truth.depth <= most);
      if (std::isinf(most)) continue;  // near the centre, where Taubin's guard may act
      ++bounded;
      // The coarsest outline here has 2.4e-4; a table without slopes has 1.4e-2 for crosses.
      wide += most - least > scale * (1e-3 * truth.depth + 1e-4 * b.r_max);
    }
  }
  CHECK(inside > 2 * static_cast<std::size_t>(test::random_cases(4000)));
  CHECK(wrong == 0);
  CHECK(bounded > inside / 2);
  CHECK(wide == 0);
}

TEST_CASE("stars without a table of their radius are refused on devices, with what helps") {
  const std::vector<std::shared_ptr<const StarShape>> shapes{cross(1, 100, 0)};
  CHECK_THROWS_WITH(
      Tables(shapes),
      "this device does not run detector \"taubin\" for stars without a table of their radius (table_size "
      "0). Give them a \"table_size\", or use --device cpu.");
}

}  // namespace
}  // namespace scree::star
