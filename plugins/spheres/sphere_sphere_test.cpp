#include "sphere_sphere.hpp"

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/detect/sphere_contact.hpp"
#include "templates.hpp"
#include "test_bodies.hpp"

using namespace scree;
using namespace scree::spheres;
using namespace scree::spheres::test;

namespace {

std::shared_ptr<const SphereBody> ball(double radius, int dimension) {
  return std::make_shared<SphereBody>(Spheres{{Vec3::Zero()}, {radius}}, SphereBodyOptions{dimension, 1, {}});
}

std::shared_ptr<const SphereBody> scaled(const char* name, double scale, int dimension) {
  Spheres s = built_in_template(name);
  for (std::size_t k = 0; k < s.radii.size(); ++k) s.centres[k] *= scale, s.radii[k] *= scale;
  return std::make_shared<SphereBody>(s, SphereBodyOptions{dimension, 1, {}});
}

/// Spheres of sizes 1:20 and clumps, thrown into a box that they crowd.
/// \param resized  true to give every body a size of its own
Bodies crowd(int dimension, bool clumps, bool resized = false) {
  Bodies bodies;
  for (const double r : {0.02, 0.1, 0.4}) bodies.shapes.push_back(ball(r, dimension));
  if (clumps) {
    bodies.shapes.push_back(scaled(dimension == 2 ? "cross-9" : "tetrapod", 0.3, dimension));
    bodies.shapes.push_back(scaled("cross-17", 0.2, dimension));
  }
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1);
  std::uniform_int_distribution<std::uint32_t> which(0, static_cast<std::uint32_t>(bodies.shapes.size() - 1));
  for (int k = 0; k < 120; ++k)
    bodies.add(which(random), Vec3(any(random), any(random), dimension == 2 ? 0 : any(random)),
               random_turn(random, dimension));
  if (resized)
    for (int k = 0; k < 120; ++k) bodies.scale.push_back(1 + 0.6 * any(random));
  return bodies;
}

std::vector<Seen> brute_force(const Bodies& bodies, std::span<const Pair> pairs, double margin) {
  std::vector<Seen> seen;
  for (std::uint32_t p = 0; p < pairs.size(); ++p) {
    const auto spheres_of = [&](std::uint32_t i) {
      const auto& set = *facet<SphereSet>(*bodies.shapes[bodies.shape[i]]);
      Spheres s;
      for (std::size_t k = 0; k < set.radii().size(); ++k) {
        s.centres.push_back(bodies.position[i] + bodies.scale_of(i) * (bodies.orientation[i] * set.centres()[k]));
        s.radii.push_back(bodies.scale_of(i) * set.radii()[k]);
      }
      return s;
    };
    const Spheres a = spheres_of(pairs[p].a), b = spheres_of(pairs[p].b);
    for (std::uint32_t i = 0; i < a.radii.size(); ++i)
      for (std::uint32_t j = 0; j < b.radii.size(); ++j) {
        const Vec3 branch = b.centres[j] - a.centres[i];
        const double overlap = a.radii[i] + b.radii[j] - branch.norm();
        if (overlap <= -margin) continue;
        const Vec3 n = branch.normalized();
        seen.push_back({p, static_cast<std::uint32_t>(i * b.radii.size() + j), overlap, n,
                        a.centres[i] + n * (a.radii[i] - overlap / 2)});
      }
  }
  return seen;
}

}  // namespace

TEST_CASE("contacts of bodies that are spheres come with their arms") {
  for (const int dimension : {2, 3})
    for (const bool resized : {false, true}) {
      const Bodies bodies = crowd(dimension, false, resized);
      const auto detector = bodies.bound<SphereSphere>();
      REQUIRE(detector.central());
      const std::vector<Pair> pairs = all_pairs(120);
      PairCache cache;
      ContactBuffer found;
      detector.detect(bodies.view(), pairs, cache, 0.05, found);
      REQUIRE(found.size() > 20);
      for (std::size_t k = 0; k < found.size(); ++k) {
        const Pair& pair = pairs[found.pair()[k]];
        const Vec3 n = found.normal_at(k), point = found.point_at(k);
        CHECK((bodies.position[pair.a] + found.arm_a()[k] * n - point).norm() < 1e-15);
        CHECK((bodies.position[pair.b] - found.arm_b()[k] * n - point).norm() < 1e-15);
      }
    }
  CHECK_FALSE(crowd(3, true).bound<SphereSphere>().central());
}

TEST_CASE("sphere-sphere finds exactly the brute-force contacts, sizes 1:20, clumps and single ones, 2D and 3D") {
  for (const int dimension : {2, 3})
    for (const auto& [clumps, resized] : {std::pair(false, false), {true, false}, {false, true}, {true, true}})
      for (const double margin : {0.0, 0.05}) {
        const Bodies bodies = crowd(dimension, clumps, resized);
        const std::vector<Pair> pairs = all_pairs(120);
        const auto expected = brute_force(bodies, pairs, margin), found = bodies.contacts<SphereSphere>(pairs, margin);
        INFO("dimension " << dimension << ", clumps " << clumps << ", resized " << resized << ", margin " << margin);
        REQUIRE(expected.size() > 200);
        REQUIRE(found.size() == expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) {
          REQUIRE(found[k].pair == expected[k].pair);
          REQUIRE(found[k].feature == expected[k].feature);
          // 1e-14: rounding of positions of size 1; a normal's, over the smallest distance of centres met, 1e-3.
          REQUIRE(std::abs(found[k].overlap - expected[k].overlap) < 1e-14);
          REQUIRE((found[k].normal - expected[k].normal).norm() < 1e-11);
          REQUIRE((found[k].point - expected[k].point).norm() < 1e-12);
          if (dimension == 2) REQUIRE(found[k].normal[2] == 0);
        }
      }
}

TEST_CASE("sphere-sphere finds the brute-force contacts of clumps that move and turn after the lists were made") {
  constexpr double kSkin = 0.05;
  std::size_t found_in_all = 0;
  for (const int dimension : {2, 3})
    for (const double margin : {0.0, 0.02})
      for (const double turn : {0.01, 0.1, 1.0}) {  // [rad] within the list's slack, some beyond, all beyond
        Bodies bodies = crowd(dimension, true, dimension == 3);
        const std::vector<Pair> pairs = all_pairs(120);
        const auto detector = bodies.bound<SphereSphere>();
        PairCache cache;
        detector.prepare(bodies.view(), pairs, kSkin, margin, cache);
        std::mt19937 random(3);
        std::uniform_real_distribution<double> any(-1, 1);
        for (std::size_t i = 0; i < 120; ++i) {
          const double spin = turn * any(random);
          const Vec3 axis = dimension == 2 ? Vec3(0, 0, 1) : Vec3(any(random), any(random), any(random)).normalized();
          const Vec3 way(any(random), any(random), dimension == 2 ? 0 : any(random));
          bodies.position[i] += kSkin / 2 * way / std::max(1.0, way.norm());
          bodies.orientation[i] = Quat(Eigen::AngleAxisd(spin, axis)) * bodies.orientation[i];
          if (i % 2 == 0) bodies.orientation[i].coeffs() *= -1;  // the same orientation
        }
        INFO("dimension " << dimension << ", margin " << margin << ", turn " << turn);
        const auto expected = brute_force(bodies, pairs, margin);
        const auto found = bodies.contacts(detector, pairs, margin, cache);
        REQUIRE(found.size() == expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) {
          REQUIRE(found[k].pair == expected[k].pair);
          REQUIRE(found[k].feature == expected[k].feature);
        }
        found_in_all += found.size();
      }
  CHECK(found_in_all > 2000);
}

TEST_CASE("exchanging the bodies mirrors every contact") {
  for (const int dimension : {2, 3}) {
    const Bodies bodies = crowd(dimension, true);
    std::vector<Pair> pairs = all_pairs(120), turned = pairs;
    for (Pair& p : turned) std::swap(p.a, p.b);
    const auto one = bodies.contacts<SphereSphere>(pairs), other = bodies.contacts<SphereSphere>(turned);
    REQUIRE(one.size() == other.size());
    for (const Seen& c : one) {
      const Pair& p = pairs[c.pair];
      const auto width = [&](std::uint32_t i) {
        return static_cast<std::uint32_t>(facet<SphereSet>(*bodies.shapes[bodies.shape[i]])->radii().size());
      };
      const std::uint32_t mirrored = c.feature % width(p.b) * width(p.a) + c.feature / width(p.b);
      const auto it = std::find_if(other.begin(), other.end(),
                                   [&](const Seen& o) { return o.pair == c.pair && o.feature == mirrored; });
      REQUIRE(it != other.end());
      REQUIRE(it->overlap == c.overlap);
      REQUIRE(it->normal == -c.normal);
      REQUIRE((it->point - c.point).norm() < 1e-12);
    }
  }
}

TEST_CASE("spheres with a common centre have no normal: the error names both bodies") {
  Bodies bodies;
  bodies.shapes = {ball(0.1, 3)};
  bodies.add(0, {1, 2, 3});
  bodies.add(0, {1, 2, 3});
  bodies.id = {17, 4};
  CHECK_THROWS_WITH(
      bodies.contacts<SphereSphere>(all_pairs(2)),
      "bodies 17 and 4: the centres of two of their spheres coincide, so the contact has no normal. Use a "
      "smaller dt or a stiffer law.");
}

TEST_CASE("touching spheres: overlap falls to 0 and contacts end there") {
  Bodies bodies;
  bodies.shapes = {ball(0.5, 3), ball(0.25, 3)};
  bodies.add(0, {0, 0, 0});
  bodies.add(1, {0, 0.75 - 1e-9, 0});
  auto seen = bodies.contacts<SphereSphere>(all_pairs(2));
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].overlap == Approx(1e-9).epsilon(1e-6));
  bodies.position[1][1] = 0.75 + 1e-9;
  CHECK(bodies.contacts<SphereSphere>(all_pairs(2)).empty());
  seen = bodies.contacts<SphereSphere>(all_pairs(2), 1e-6);
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].overlap == Approx(-1e-9).epsilon(1e-6));
}
