/// \file Bodies of another size than their shape: contacts are those of shapes of that size.

#include <cmath>
#include <numbers>
#include <random>

#include "catch.hpp"
#include "outline/sweep_kernels.hpp"
#include "random_cases.hpp"
#include "scree/base/error.hpp"
#include "shape/test_bodies.hpp"
#include "shape/test_shapes.hpp"
#include "taubin/star_detector.hpp"
#include "taubin/sweep.hpp"

namespace scree::star {
namespace {

/// Adds two bodies whose bounding circles overlap, neither pressed to the other's centre. \param scale  of either
void add_touching(TestBodies& bodies, const TaubinDetector& detector, const std::uint32_t (&shape)[2],
                  const double (&scale)[2], std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit(0, 1);
  const double a = scale[0] * detector.outline(shape[0]).r_max, b = scale[1] * detector.outline(shape[1]).r_max;
  const auto row = static_cast<std::uint32_t>(bodies.id.size());
  const Pair pair{row, row + 1};
  ContactBuffer contacts;
  bodies.scale.insert(bodies.scale.end(), {scale[0], scale[1]});
  for (int part = 50; part > 0; --part) {
    const double way = std::max(a + b - 0.015 * part * unit(random) * std::min(a, b), 1.02 * std::max(a, b));
    const double to = 2 * std::numbers::pi * unit(random);
    bodies.add(0.1, -0.2, 7 * unit(random), shape[0], row);
    bodies.add(0.1 + way * std::cos(to), -0.2 + way * std::sin(to), 7 * unit(random), shape[1], row + 1);
    try {
      return detector.detect_plain(bodies.view(), {&pair, 1}, 0, contacts);
    } catch (const NumericalError&) {  // too deep
      for (int k = 0; k < 2; ++k) bodies.remove_last();
    }
  }
  FAIL("no place found");
}

/// Sizes between 1 and `ratio`, or their inverse.
double drawn_size(std::mt19937_64& random, double ratio) {
  return std::pow(ratio, std::uniform_real_distribution<double>(-1, 1)(random));
}

/// Returns the star of this number, `s` times as large.
std::shared_ptr<const StarShape> resized(std::size_t k, double s) {
  switch (k) {
    case 0:
      return circle(1 * s);
    case 1:
      return cross(1 * s);
    case 2:
      return butterfly(1 * s);
    case 3:
      return bat(0.5 * s, 61);
    case 4:
      return pear(0.3 * s);
    case 5:
      return cross(0.125 * s);
    case 6:
      return circle(0.125 * s, 40);
    default:
      return cross(0.8 * s, 300);
  }
}

/// Largest difference of the contacts, of lengths relative to `size`. Infinite where they are not the same ones.
double difference(const ContactBuffer& one, const ContactBuffer& other, double size) {
  if (one.size() != other.size()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one.payload()[i] != other.payload()[i]) return std::numeric_limits<double>::infinity();
    worst =
        std::max({worst, std::abs(one.overlap()[i] - other.overlap()[i]) / size,
                  (one.point_at(i) - other.point_at(i)).norm() / size, (one.normal_at(i) - other.normal_at(i)).norm()});
  }
  return worst;
}

TEST_CASE("a scaled star has the contacts of the star shape of that size, both sides of any size") {
  std::mt19937_64 random(21);
  TaubinDetector detector;
  const auto shapes = shapes_of_sizes();
  detector.bind(raw(shapes));
  double worst = 0;
  std::size_t contacts = 0;
  const int poses = test::random_cases(120);  // tables of two shapes are made for each
  for (int i = 0; i < poses; ++i) {
    const std::uint32_t shape[2] = {static_cast<std::uint32_t>(random() % 8), static_cast<std::uint32_t>(random() % 8)};
    const double scale[2] = {drawn_size(random, 4), i % 3 == 0 ? 1 : drawn_size(random, 4)};
    const std::vector<std::shared_ptr<const StarShape>> own{resized(shape[0], scale[0]), resized(shape[1], scale[1])};
    TaubinDetector of_own;
    of_own.bind(raw(own));
    for (int k = 0; k < 50; ++k) {
      TestBodies bodies;
      add_touching(bodies, detector, shape, scale, random);
      TestBodies as_shapes = bodies;
      as_shapes.scale.clear();
      as_shapes.shape = {0, 1};
      const std::vector<Pair> pairs{{0, 1}};
      PairCache cache, own_cache;
      const double size = std::max(own[0]->bounding_radius(), own[1]->bounding_radius());
      const double margin = k % 4 == 0 ? 0.02 * size : 0;
      const ContactBuffer found = contacts_of(detector, bodies, pairs, cache, margin);
      worst = std::max(worst, difference(found, contacts_of(of_own, as_shapes, pairs, own_cache, margin), size));
      contacts += found.size();
    }
  }
  INFO("largest difference " << worst);
  CHECK(contacts > 10 * static_cast<std::size_t>(poses));
  CHECK(worst < 1e-12);
}

TEST_CASE("a mixture of sizes from 1:1 to 1:100 in motion: the fast path finds what the plain one does") {
  const auto shapes = shapes_of_sizes();
  TaubinDetector detector;
  detector.bind(raw(shapes));
  for (const double ratio : {1.5, 4.5, 10.0}) {  // of bodies to their shapes, either way
    INFO("sizes up to " << ratio << " times, down to 1/" << ratio);
    std::mt19937_64 random(22);
    std::uniform_real_distribution<double> unit(-1, 1);
    TestBodies bodies;
    std::vector<Pair> pairs;
    for (std::uint32_t row = 0; row < 4000; row += 2) {
      const std::uint32_t shape[2] = {static_cast<std::uint32_t>(random() % 8),
                                      static_cast<std::uint32_t>(random() % 8)};
      const double scale[2] = {drawn_size(random, ratio), row % 3 == 0 ? 1 : drawn_size(random, ratio)};
      add_touching(bodies, detector, shape, scale, random);
      pairs.push_back({row, row + 1});
    }
    PairCache cache;
    std::size_t different = 0, contacts = 0, plain = 0, refreshed = 0;
    const std::vector<Vec3> home = bodies.position;
    for (int k = 0; k < 20; ++k) {
      const ContactBuffer now = contacts_of(detector, bodies, pairs, cache);
      plain += TaubinDetector::last_counts().reference;
      refreshed += TaubinDetector::last_counts().refreshed;
      ContactBuffer fresh;
      detector.detect_plain(bodies.view(), pairs, 0, fresh);
      different += same_contacts(now, fresh) ? 0 : 1;
      contacts += now.size();
      for (std::size_t i = 0; i < bodies.id.size(); ++i) {  // about a home, so that nobody is crushed
        const double reach = 2e-3 * std::min(bodies.scale[i], bodies.scale[i ^ 1]);
        bodies.position[i] += reach * Vec3(unit(random), unit(random), 0) + 0.2 * (home[i] - bodies.position[i]);
        bodies.turn(i, 1e-3 * unit(random));
      }
    }
    CHECK(different == 0);
    CHECK(contacts > 20 * pairs.size() / 4);
    INFO(plain << " of " << contacts << " contacts by the plain path, " << refreshed << " refreshes");
    if (ratio < 2) CHECK(plain < contacts / 10);
    CHECK(refreshed < 20 * pairs.size() * 2 / 3);  // caches are used
  }
}

TEST_CASE("a body of its shape's size has the same contacts, bit by bit, beside scaled ones") {
  const auto shapes = shapes_of_sizes();
  TaubinDetector detector;
  detector.bind(raw(shapes));
  std::mt19937_64 random(23);
  TestBodies bodies;
  std::vector<Pair> pairs;
  for (std::uint32_t row = 0; row < 2000; row += 2) {
    const std::uint32_t shape[2] = {static_cast<std::uint32_t>(random() % 8), static_cast<std::uint32_t>(random() % 8)};
    const double scale[2] = {1, 1};
    add_touching(bodies, detector, shape, scale, random);
    pairs.push_back({row, row + 1});
  }
  TestBodies beside = bodies, alone = bodies;
  alone.scale.clear();
  const double scale[2] = {7, 0.1};
  add_touching(beside, detector, {1, 2}, scale, random);
  std::vector<Pair> with_strangers = pairs;
  with_strangers.push_back({2000, 2001});
  PairCache cache, cache_beside;
  const ContactBuffer one = contacts_of(detector, alone, pairs, cache);
  const ContactBuffer other = contacts_of(detector, beside, with_strangers, cache_beside);
  REQUIRE(one.size() <= other.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    different += one.overlap()[i] != other.overlap()[i] || one.point_at(i) != other.point_at(i) ||
                 one.normal_at(i) != other.normal_at(i) || one.payload()[i] != other.payload()[i];
  CHECK(one.size() > 400);
  CHECK(different == 0);
}

TEST_CASE("a scaled body that is pressed to the centre of another ends the run, with its own radii") {
  const std::vector<std::shared_ptr<const StarShape>> shapes{cross(0.01)};
  TaubinDetector detector;
  detector.bind(raw(shapes));
  TestBodies bodies;
  bodies.add(0, 0, 0, 0, 4);
  bodies.add(0.01, 0, 0.3, 0, 7);
  bodies.scale = {3, 0.5};
  const std::vector<Pair> pairs{{0, 1}};
  PairCache cache;
  CHECK_THROWS_WITH(contacts_of(detector, bodies, pairs, cache),
                    "bodies 4 and 7: the outline of body 4 has reached the centre of body 7 (radius 0.001667 to 0.005 "
                    "m), where depth and normal of a star lose their meaning. Use a smaller dt or a stiffer law.");
}

}  // namespace
}  // namespace scree::star
