/// \file The fast path: nothing is lost by maps, certificates or single precision.

#include <cmath>
#include <numbers>
#include <random>

#include "catch.hpp"
#include "outline/sweep_kernels.hpp"
#include "random_cases.hpp"
#include "shape/test_bodies.hpp"
#include "shape/test_shapes.hpp"
#include "taubin/pair_lanes.hpp"
#include "taubin/star_detector.hpp"

namespace scree::star {
namespace {

struct Bound {
  TaubinDetector detector;
  explicit Bound(const std::vector<std::shared_ptr<const StarShape>>& shapes) { detector.bind(raw(shapes)); }
};

TEST_CASE("whatever is inside, or may be there after a motion by the dilation, is on the map") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto shapes = shapes_of_sizes();
  const Bound bound(shapes);
  const TaubinDetector& detector = bound.detector;
  for (std::uint32_t k = 0; k < shapes.size(); ++k) {
    const Outline& outline = detector.outline(k);
    int lost = 0;
    for (int i = 0; i < test::random_cases(20000); ++i) {
      const double theta = 2 * std::numbers::pi * unit(random), moved = 2 * std::numbers::pi * unit(random);
      // Mostly points next to the outline: those are the ones that could be lost.
      const double part = i % 2 == 0 ? 1 - 1e-6 * unit(random) : std::sqrt(unit(random));
      const double rho = part * outline.function->radius(theta), by = outline.map.dilation * 0.9999;
      float x[kLanes] = {static_cast<float>(rho * std::cos(theta) + by * std::cos(moved))};
      float y[kLanes] = {static_cast<float>(rho * std::sin(theta) + by * std::sin(moved))};
      lost += (kernels::mapped(x, y, {0, 0, 1, 0}, outline.map) & 1) == 0;
      lost += (portable::mapped(x, y, {0, 0, 1, 0}, outline.map) & 1) == 0;
    }
    CHECK(lost == 0);
  }
}

TEST_CASE("single precision errs within its bounds, in every version of the kernel") {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto shapes = shapes_of_sizes();
  const Bound bound(shapes);
  const TaubinDetector& detector = bound.detector;
  for (std::uint32_t k = 0; k < shapes.size(); ++k) {
    const Outline& outline = detector.outline(k);
    std::size_t wrong_side = 0, wrong_depth = 0, decided = 0;
    const int count = test::random_cases(3000);
    for (int i = 0; i < count; ++i) {
      float x[kLanes], y[kLanes], depth[2][kLanes];
      std::int32_t table[kLanes] = {};
      for (int lane = 0; lane < kLanes; ++lane) {
        const double theta = 2 * std::numbers::pi * unit(random);
        const double rho = outline.function->radius(theta) * (0.9 + 0.15 * unit(random));
        x[lane] = static_cast<float>(rho * std::cos(theta));
        y[lane] = static_cast<float>(rho * std::sin(theta));
      }
      const Items items{x, y, table};
      const Verdict verdicts[] = {kernels::test(items, 0, outline.float_table.data(), outline.sign_error, depth[0]),
                                  portable::test(items, 0, outline.float_table.data(), outline.sign_error, depth[1])};
      for (int lane = 0; lane < kLanes; ++lane) {
        const double px = x[lane], py = y[lane];
        const PointHit truth = point_hit(px, py, outline.sample(px, py));
        for (int v = 0; v < 2; ++v) {
          if ((verdicts[v].doubtful >> lane & 1) != 0) continue;
          ++decided;
          wrong_side += ((verdicts[v].inside >> lane & 1) != 0) != (truth.depth > 0);
          const double allowed = outline.depth_error * std::abs(truth.depth) + outline.sign_error;
          wrong_depth += std::abs(depth[v][lane] - truth.depth) > allowed;
        }
      }
    }
    CHECK(wrong_side == 0);
    CHECK(wrong_depth == 0);
    CHECK(decided > 30 * static_cast<std::size_t>(count));  // of 32: doubt is the exception
  }
}

TEST_CASE("eight pairs are placed in each other's frame, and seen to move, as each by itself") {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> unit(-1, 1);
  double worst = 0;
  int wrong = 0, seen_to_move = 0;
  for (int i = 0; i < test::random_cases(2000); ++i) {
    PlanarPose pose[kPairLanes + 1];
    Turn turn[kPairLanes + 1];
    Pair pair[kPairLanes];
    FloatPose reference[kPairLanes];
    OctetFloat reach2, lever2;
    for (std::uint32_t k = 0; k <= kPairLanes; ++k) {
      const double angle = 4 * unit(random);
      pose[k] = {unit(random), unit(random), std::cos(angle), std::sin(angle)};
      turn[k] = {static_cast<float>(pose[k].c), static_cast<float>(pose[k].s)};
    }
    double way[kPairLanes], reach[kPairLanes];
    RelativePose in_b[kPairLanes], in_a[kPairLanes];
    for (std::uint32_t k = 0; k < kPairLanes; ++k) {
      pair[k] = {k, (k + 3) % (kPairLanes + 1)};
      in_b[k] = relative_pose(pose[pair[k].a], pose[pair[k].b]);
      in_a[k] = relative_pose(pose[pair[k].b], pose[pair[k].a]);
      const double by[] = {0.01 * unit(random), 0.01 * unit(random), 0.01 * unit(random), 0.01 * unit(random)};
      reference[k] = {static_cast<float>(in_b[k].x + by[0]), static_cast<float>(in_b[k].y + by[1]),
                      static_cast<float>(in_b[k].c + by[2]), static_cast<float>(in_b[k].s + by[3])};
      const double lever = 2 + unit(random);
      way[k] = std::hypot(by[0], by[1]) + lever * std::hypot(by[2], by[3]);
      reach[k] = (1 + unit(random)) * way[k];
      reach2[k] = static_cast<float>(reach[k] * reach[k]);
      lever2[k] = static_cast<float>(lever * lever);
    }
    const MutualLanes now = mutual_lanes(pose, turn, pair);
    const OctetInt moved = moved_lanes(now, pose_lanes([&](std::uint32_t k) { return &reference[k]; }), reach2, lever2);
    for (std::uint32_t k = 0; k < kPairLanes; ++k) {
      for (const double error : {now.a_x[k] - in_b[k].x, now.a_y[k] - in_b[k].y, now.b_x[k] - in_a[k].x,
                                 now.b_y[k] - in_a[k].y, now.c[k] - in_b[k].c, now.s[k] - in_b[k].s})
        worst = std::max(worst, std::abs(error));
      seen_to_move += moved[k] != 0 ? 1 : 0;
      if (std::abs(way[k] - reach[k]) < 0.01 * way[k]) continue;  // less than what refresh() leaves for rounding
      wrong += moved[k] != (way[k] > reach[k] ? -1 : 0) ? 1 : 0;
    }
  }
  CHECK(worst < 1e-6);  // of lengths up to 3: a few roundings of 2^-24
  CHECK(wrong == 0);
  CHECK(seen_to_move > 0);
}

TEST_CASE("nodes picked one by one are those that the masks hold, in every version of the kernel") {
  const auto shapes = shapes_of_sizes();
  const Bound bound(shapes);
  const Outline &a = bound.detector.outline(1), &b = bound.detector.outline(2);
  const std::uint8_t offset[kLanes] = {0, 3, 4, 15, 16, 31, 0, 1, 17, 30};
  const std::uint32_t mask[] = {0x80018019, 0x40020003};  // six of a's, four of b's
  const SideNodes of_a{6, a.fx.data() + 97, a.fy.data() + 97, {0.5f, -1.5f, 0.6f, 0.8f}, 7};
  const SideNodes of_b{4, b.fx.data() + 20, b.fy.data() + 20, {1.5f, 0.25f, 0.6f, -0.8f}, 9};
  float x[3][2 * kLanes] = {}, y[3][2 * kLanes] = {};
  std::int32_t table[3][2 * kLanes] = {};
  kernels::append_pair(offset, of_a, of_b, true, {x[0], y[0], table[0]}, 0);
  portable::append_pair(offset, of_a, of_b, true, {x[1], y[1], table[1]}, 0);
  std::size_t at = 0;
  for (const SideNodes* own : {&of_a, &of_b})
    for (int k = 0; k < 2; ++k)
      at += static_cast<std::size_t>(portable::append(mask[own == &of_b] >> (kLanes * k) & 0xffff, own->x + kLanes * k,
                                                      own->y + kLanes * k, own->pose, own->table,
                                                      {x[2], y[2], table[2]}, at));
  REQUIRE(at == 10);
  for (int v = 0; v < 2; ++v) {
    for (std::size_t i = 0; i < at; ++i) {
      CHECK(std::abs(x[v][i] - x[2][i]) < 1e-6f);
      CHECK(std::abs(y[v][i] - y[2][i]) < 1e-6f);
      CHECK(table[v][i] == table[2][i]);
    }
  }
}

/// Moves and turns every body by random steps of up to `step` radii.
class Drift {
 public:
  Drift(std::size_t bodies, double step, unsigned seed) : random_(seed) {
    for (std::size_t i = 0; i < bodies; ++i) {
      direction_.push_back(2 * std::numbers::pi * unit_(random_));
      speed_.push_back(step * unit_(random_));
      spin_.push_back(step * (2 * unit_(random_) - 1));
    }
  }
  /// \param sign  back and forth, so that bodies do not pass through each other
  void move(TestBodies& bodies, double sign, double radius) {
    for (std::size_t i = 0; i < direction_.size(); ++i) {
      const double by = sign * speed_[i] * radius;
      bodies.position[i] += Vec3(by * std::cos(direction_[i]), by * std::sin(direction_[i]), 0);
      bodies.turn(i, sign * spin_[i]);
    }
  }

 private:
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> unit_{0, 1};
  std::vector<double> direction_, speed_, spin_;
};

TEST_CASE("along motions, contacts with caches of any age are those found afresh") {
  const double radius = 4.37e-3;
  const std::vector<std::shared_ptr<const StarShape>> shapes{cross(radius)};
  for (const double step : {1e-4, 2e-3, 0.02}) {
    TestBodies bodies = read_pile(std::string(SCREE_SOURCE_DIR) + "/tests/bench/cross_pile_3154.txt");
    // A list with skin: pairs that do not overlap, and some that come to.
    const std::vector<Pair> pairs = near_pairs(bodies, 2.1 * radius);
    const Bound bound(shapes);
    const TaubinDetector& detector = bound.detector;
    Drift drift(bodies.id.size(), step, 11);
    PairCache cache;
    std::size_t refreshed = 0, different = 0;
    for (int k = 0; k < 40; ++k) {
      const ContactBuffer now = contacts_of(detector, bodies, pairs, cache);
      refreshed += k == 0 ? 0 : TaubinDetector::last_counts().refreshed;
      ContactBuffer fresh;
      detector.detect_plain(bodies.view(), pairs, 0, fresh);
      different += same_contacts(now, fresh) ? 0 : 1;
      drift.move(bodies, (k / 5) % 2 == 0 ? 1 : -1, radius);
    }
    INFO("step " << step << " R: " << refreshed << " refreshes");
    CHECK(different == 0);
    if (step < 1e-3) CHECK(refreshed < pairs.size());  // caches are used
  }
}

TEST_CASE("a mixture of sizes, shapes and node numbers in motion") {
  const auto shapes = shapes_of_sizes();
  const Bound bound(shapes);
  const TaubinDetector& detector = bound.detector;
  TestBodies bodies;
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<Pair> pairs;
  while (pairs.size() < 3000) {
    const auto a = static_cast<std::uint32_t>(unit(random) * shapes.size());
    const auto b = static_cast<std::uint32_t>(unit(random) * shapes.size());
    const auto *fa = facet<RadialFunction>(*shapes[a]), *fb = facet<RadialFunction>(*shapes[b]);
    const double gap = (0.7 + 0.35 * unit(random)) * (fa->max_radius() + fb->max_radius()),
                 to = 2 * std::numbers::pi * unit(random);
    const auto row = static_cast<std::uint32_t>(bodies.id.size());
    if (gap < 1.15 * std::max(fa->max_radius(), fb->max_radius())) continue;
    bodies.add(0, 0, 6 * unit(random), a, row);
    bodies.add(gap * std::cos(to), gap * std::sin(to), 6 * unit(random), b, row + 1);
    pairs.push_back({row, row + 1});
  }
  Drift drift(bodies.id.size(), 0.003, 13);
  PairCache cache;
  std::size_t different = 0, contacts = 0;
  for (int k = 0; k < 40; ++k) {
    const ContactBuffer now = contacts_of(detector, bodies, pairs, cache);
    ContactBuffer fresh;
    detector.detect_plain(bodies.view(), pairs, 0, fresh);
    different += same_contacts(now, fresh) ? 0 : 1;
    contacts += now.size();
    drift.move(bodies, (k / 10) % 2 == 0 ? 1 : -1, 0.5);
  }
  CHECK(different == 0);
  CHECK(contacts > 40000);
}

}  // namespace
}  // namespace scree::star
