#include "scree/scene/region.hpp"

#include <cmath>
#include <random>

#include "catch.hpp"
#include "scree/base/error.hpp"

using namespace scree;

namespace {

Region region(const std::string& json, int dimension = 3) {
  return read_region(Options::parse(R"({"region": )" + json + "}"), "region", dimension);
}

const char* const kForms3[] = {
    R"({"type": "box", "lower": [-0.3, -0.2, -0.4], "upper": [0.2, 0.3, 0.1], "outside": false})",
    R"({"type": "sphere", "centre": [0.1, 0, -0.1], "radius": 0.3, "outside": false})",
    R"({"type": "cylinder", "centre": [0.1, 0, 0], "axis": [1, 1, 0], "radius": 0.2, "length": 0.5, "outside": false})",
    R"({"type": "frustum", "centre": [0, 0, 0.1], "axis": [0, 1, 0], "lower_radius": 0.1, "upper_radius": 0.4, "length": 0.5, "outside": false})"};
const char* const kForms2[] = {
    R"({"type": "box", "lower": [-0.3, -0.2], "upper": [0.2, 0.3], "outside": false})",
    R"({"type": "sphere", "centre": [0.1, 0], "radius": 0.3, "outside": false})",
    R"({"type": "polygon", "points": [[-0.4, -0.3], [0.4, -0.3], [0.1, 0], [0.3, 0.4], [-0.3, 0.4]], "outside": false})"};

/// Points uniformly in a square or cube of side 1.2 around the origin.
std::vector<Vec3> points(int dimension, int count) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-0.6, 0.6);
  std::vector<Vec3> all;
  for (int i = 0; i < count; ++i) {
    Vec3 p(any(random), any(random), any(random));
    if (dimension == 2) p[2] = 0;
    all.push_back(p);
  }
  return all;
}

void check_form(const char* json, int dimension) {
  INFO(json);
  const Region form = region(json, dimension);
  // Its measure is the share of random points in it: four standard deviations of 40,000.
  int inside = 0;
  const auto all = points(dimension, 40000);
  for (const Vec3& p : all) {
    CHECK(form.contains(p) == (form.depth(p) >= 0));
    inside += form.contains(p);
  }
  const double share = inside / 40000.0, whole = std::pow(1.2, dimension);
  CHECK(form.measure() / whole == Approx(share).margin(4 * std::sqrt(share * (1 - share) / 40000)));
  // Points drawn lie in it, and their mean is that of the random points in it.
  Vec3 drawn = Vec3::Zero(), met = Vec3::Zero();
  int hits = 0;
  for (const Vec3& u : points(3, 20000)) {
    const auto p = form.at((u + Vec3::Constant(0.6)) / 1.2);
    if (!p) continue;
    CHECK(form.depth(*p) >= -1e-15);
    drawn += *p, ++hits;
  }
  for (const Vec3& p : all)
    if (form.contains(p)) met += p;
  CHECK(hits > 5000);
  CHECK((drawn / hits - met / inside).norm() < 0.02);
  // Depth is how far one can go in any direction and stay inside, and no farther.
  for (const Vec3& p : points(dimension, 300)) {
    const double depth = form.depth(p);
    if (depth < 0.01) continue;
    bool leaves = false;
    for (const Vec3& way : points(dimension, 400)) {
      const Vec3 unit = way.normalized();
      CHECK(form.depth(p + 0.999999 * depth * unit) >= 0);
      leaves = leaves || form.depth(p + (1.2 * depth + 0.005) * unit) < 0;
    }
    CHECK(leaves);
  }
}

}  // namespace

TEST_CASE("regions: measure, points drawn and depth agree with what they contain") {
  for (const char* form : kForms3) check_form(form, 3);
  for (const char* form : kForms2) check_form(form, 2);
}

TEST_CASE("outside of a region is all that is not in it, and has no end") {
  const Region in = region(kForms3[2]);
  std::string text = kForms3[2];
  text.replace(text.find("false"), 5, "true");
  const Region out = region(text);
  for (const Vec3& p : points(3, 500)) CHECK(in.contains(p) != out.contains(p));
  CHECK(!out.bounded());
  CHECK(std::isinf(out.measure()));
  const Region below = region(R"({"type": "half-space", "point": [0, 0, 0.1], "normal": [0, 0, 3], "outside": false})");
  CHECK(below.contains({5, 5, 0}));
  CHECK(!below.contains({5, 5, 0.2}));
  CHECK(below.depth({0, 0, -0.2}) == Approx(0.3));
  CHECK(!below.bounded());
}

TEST_CASE("flat boxes and cylinders are places to start from") {
  const Region disc = region(
      R"({"type": "cylinder", "centre": [0, 0, 1], "axis": [0, 0, 1], "radius": 0.2, "length": 0, "outside": false})");
  CHECK(disc.measure() == 0);
  for (const Vec3& u : points(3, 50)) {
    const auto p = disc.at((u + Vec3::Constant(0.6)) / 1.2);
    REQUIRE(p);
    CHECK((*p)[2] == 1);
    CHECK(p->head<2>().norm() < 0.2);
  }
}

TEST_CASE("regions that cannot be are refused by option, number and cure") {
  CHECK_THROWS_WITH(region(R"({"type": "box", "lower": [0, 1, 0], "upper": [1, 0, 1], "outside": false})"),
                    "y = 0 m is below the lower corner's 1 m. Exchange the two or enlarge the box.");
  CHECK_THROWS_WITH(region(R"({"type": "half-space", "point": [0, 0, 0], "normal": [0, 0, 0], "outside": false})"),
                    "has no direction. Give a vector that is not zero.");
  CHECK_THROWS_WITH(region(R"({"type": "polygon", "points": [[0, 0], [1, 0], [2, 0]], "outside": false})", 2),
                    "enclose no area. Give the corners in order around the polygon.");
  try {
    region(
        R"({"type": "frustum", "centre": [0, 0], "axis": [0, 0, 1], "lower_radius": 1, "upper_radius": 1, "length": 1, "outside": false})",
        2);
    FAIL("a frustum in 2D");
  } catch (const OptionError& error) {
    CHECK(error.pointer() == "/region/type");
  }
}
