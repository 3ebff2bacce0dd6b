#include "swept_body.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"
#include "test_bodies.hpp"
#include "verify.hpp"

using namespace scree;
using namespace scree::spheropolygon;
using namespace scree::spheropolygon::test;

namespace {

struct Row {
  const char* name;
  std::vector<Vec2> vertices;
  double radius, area;
  Vec2 centroid;
  double polar;
};

std::vector<Row> table() {
  const std::vector<Vec2> rectangle = {{0, 0}, {2, 0}, {2, 1}, {0, 1}};
  const double h = std::sqrt(3.0) / 2;
  return {
      {"square", square(1), 0.10, 1.4314159265359, {0.5, 0.5}, 0.339865042900628},
      {"square", square(1), 0.25, 2.19634954084936, {0.5, 0.5}, 0.791810693576223},
      {"rectangle", rectangle, 0.10, 2.6314159265359, {1, 0.5}, 1.36876032113588},
      {"equilateral", {{0, 0}, {1, 0}, {0.5, h}}, 0.10, 0.764428628428117, {0.5, 0.288675134594813}, 0.108373701006842},
      {"triangle",
       {{0, 0}, {4, 0}, {0, 3}},
       0.10,
       7.2314159265359,
       {1.36210694156745, 1.00024871131964},
       11.9799329599324},
      {"L", l_shape(), 0.10, 3.82926990816987, {0.843268643616322, 0.843268643616322}, 2.80949833116677},
      {"L", l_shape(), 0.25, 5.1829369260617, {0.854791949544611, 0.854791949544611}, 4.84586311802561},
      {"U", u_shape(), 0.25, 8.16952431127404, {1.5, 0.950176589554065}, 12.8643618885818}};
}

void check_moments(const Row& row, double tolerance) {
  INFO(row.name << ", radius " << row.radius);
  const AreaMoments m = polygon(row.vertices, row.radius)->area();
  scree::test::verify(std::string(row.name) + ": area [m²]", row.area, m.area, tolerance);
  CHECK((m.centroid - row.centroid).norm() < tolerance);
  scree::test::verify(std::string(row.name) + ": polar moment [m⁴]", row.polar, m.polar(), tolerance);
}

/// The message of an OptionError, with its pointer in front.
std::string refusal(const std::vector<Vec2>& vertices, double radius = 0.1, bool closed = true) {
  try {
    closed ? polygon(vertices, radius) : chain(vertices, radius);
  } catch (const OptionError& e) {
    return e.pointer() + ": " + e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("areas, centroids and moments of swept polygons equal the closed forms to 1e-10") {
  for (const Row& row : table()) check_moments(row, 1e-10);
}

TEST_CASE("moments count overlapping parts of the sweep once: a closed slot, a cow") {
  // Of the rounded rectangle less the notch above the slot, area 6 + 10 r + pi r^2 - (r - 2 int_0^0.5 sqrt(r^2 - x^2)
  // dx); moments by the same integrals with 20 digits.
  check_moments({"U", u_shape(), 0.60, 13.051444476811684, {1.5, 0.99071401289239405}, 29.171294995169243}, 1e-10);
  check_moments({"cow", cow(), 0.10, 6.5201065, {1.4381606, 1.3375945}, 7.4679800}, 1e-7);  // digits given
  CHECK(polygon(cow(), 0.1)->bounding_radius() == Approx(2.0152581).epsilon(1e-7));
}

TEST_CASE("the cow of the examples has the 62 vertices, length and area of the paper's") {
  const std::vector<Vec2> v = outline_in("cow.json");
  CHECK(v.size() == 62);
  const auto [left, right] = std::ranges::minmax(v, {}, [](const Vec2& p) { return p.x(); });
  CHECK(right.x() - left.x() == Approx(3));
  CHECK(polygon(v, 0.1)->area().area == Approx(6.52).epsilon(1e-4));
  // Of spans along x at 400,000 heights, in other code; flat edges between two heights leave some 1e-6.
  check_moments({"cow of the examples", v, 0.1, 6.520223, {1.5075235, 1.4007769}, 7.862828}, 5e-6);
}

TEST_CASE("moments of a cow equal an integral over horizontal spans") {
  // Per height the union of the polygon's spans and the capsules', and Simpson's rule with 40000 steps: at flat edges
  // the length jumps, and a jump of 1 m within a step of 7e-5 m leaves some 1e-5 m^2 of 6.5 m^2.
  const std::vector<Vec2> v = cow();
  const double r = 0.1;
  const SweptBody body(Skeleton{v, true}, {r, 1, 0, ""});
  const auto length_at = [&](double y) {
    std::vector<std::pair<double, double>> spans;
    std::vector<double> crossings;
    for (std::size_t k = 0; k < v.size(); ++k) {
      const Vec2 &p = v[k], &q = v[(k + 1) % v.size()];
      if ((p.y() > y) != (q.y() > y)) crossings.push_back(p.x() + (y - p.y()) / (q.y() - p.y()) * (q.x() - p.x()));
      double low = 1e300, high = -1e300;  // of the capsule: of its two discs and of its rectangle
      for (const Vec2& c : {p, q})
        if (std::abs(y - c.y()) < r) {
          const double w = std::sqrt(r * r - (y - c.y()) * (y - c.y()));
          low = std::min(low, c.x() - w), high = std::max(high, c.x() + w);
        }
      const Vec2 t = (q - p).normalized(), n(-t.y(), t.x());
      const Vec2 corner[4] = {p + r * n, q + r * n, q - r * n, p - r * n};
      for (int i = 0; i < 4; ++i) {
        const Vec2 &a = corner[i], &b = corner[(i + 1) % 4];
        if ((a.y() > y) == (b.y() > y)) continue;
        const double x = a.x() + (y - a.y()) / (b.y() - a.y()) * (b.x() - a.x());
        low = std::min(low, x), high = std::max(high, x);
      }
      if (low < high) spans.emplace_back(low, high);
    }
    std::sort(crossings.begin(), crossings.end());
    for (std::size_t k = 0; k + 1 < crossings.size(); k += 2) spans.emplace_back(crossings[k], crossings[k + 1]);
    std::sort(spans.begin(), spans.end());
    double sum = 0, end = -1e300;
    for (const auto& [low, high] : spans) {
      sum += std::max(0.0, high - std::max(low, end));
      end = std::max(end, high);
    }
    return sum;
  };
  double bottom = 1e300, top = -1e300;
  for (const Vec2& p : v) bottom = std::min(bottom, p.y() - r), top = std::max(top, p.y() + r);
  const int steps = 40000;
  double area = 0, first = 0;
  for (int i = 0; i <= steps; ++i) {
    const double y = bottom + (top - bottom) * i / steps, w = (i % steps == 0 ? 1 : i % 2 == 1 ? 4 : 2) * length_at(y);
    area += w, first += w * y;
  }
  area *= (top - bottom) / steps / 3, first *= (top - bottom) / steps / 3;
  CHECK(body.area().area == Approx(area).epsilon(5e-6));
  CHECK(body.area().centroid.y() == Approx(first / area).epsilon(5e-6));
}

TEST_CASE("the body frame has its origin in the centre of mass, and mass is density times area times thickness") {
  const SweptBody body(Skeleton{l_shape(), true}, {0.25, 0.5, 0, ""});
  CHECK(body.reference_point().x() == Approx(-0.854791949544611));
  CHECK((body.vertices()[0] + body.area().centroid).norm() < 1e-14);
  const MassProperties m = body.mass(3);
  CHECK(m.mass == Approx(3 * 0.5 * 5.1829369260617));
  CHECK(m.inertia.z() == Approx(3 * 0.5 * 4.84586311802561));
  CHECK(
      moments(rounded_outline(Skeleton{{body.vertices().begin(), body.vertices().end()}, true}, 0.25)).centroid.norm() <
      1e-14);
}

TEST_CASE("the distance to a swept polygon has a unit gradient, and nodes and the picture lie on its outline") {
  for (const auto& vertices : {l_shape(), cow()}) {
    const auto body = polygon(vertices, 0.1);
    for (const auto& points : {std::vector<Vec3>(body->nodes().begin(), body->nodes().end()), body->surface().points}) {
      std::vector<double> d(points.size());
      std::vector<Vec3> g(points.size());
      body->distance(points, d, g);
      for (const double x : d) CHECK(std::abs(x) < 1e-11);
    }
    std::mt19937 random(3);
    std::uniform_real_distribution<double> any(-2, 2);
    for (int k = 0; k < 2000; ++k) {
      const Vec3 p(any(random), any(random), 0);
      const double h = 1e-6;
      const Vec3 at[5] = {p, p + Vec3(h, 0, 0), p - Vec3(h, 0, 0), p + Vec3(0, h, 0), p - Vec3(0, h, 0)};
      double d[5];
      Vec3 g[5];
      body->distance(at, d, g);
      CHECK(g[0].norm() == Approx(1).epsilon(1e-12));
      const Vec3 slope((d[1] - d[2]) / (2 * h), (d[3] - d[4]) / (2 * h), 0);
      if ((g[1] - g[2]).norm() + (g[3] - g[4]).norm() < 1e-3) CHECK((slope - g[0]).norm() < 1e-4);  // not at a ridge
    }
  }
}

TEST_CASE("points within a swept polygon are inside: a slot closed by the sweep has no outside") {
  const auto body = polygon(u_shape(), 0.6);
  const Vec3 slot = body->reference_point() + Vec3(1.5, 1.5, 0);
  double d;
  Vec3 g;
  body->distance({&slot, 1}, {&d, 1}, {&g, 1});
  CHECK(d == Approx(-0.1));
}

TEST_CASE("clockwise vertices are reversed, with a note") {
  std::vector<Vec2> v = square(1);
  CHECK(polygon(v, 0.1)->traits().notes.empty());
  std::reverse(v.begin(), v.end());
  const auto body = polygon(v, 0.1);
  REQUIRE(body->traits().notes.size() == 1);
  CHECK(body->traits().notes[0] ==
        "the vertices run clockwise; they were taken in reverse, counter-clockwise. Reverse their order to be rid of "
        "this note.");
  CHECK(body->area().area == Approx(1.4314159265359));
}

TEST_CASE("outlines that cannot be are refused: where, what, what to do") {
  CHECK(refusal({{0, 0}, {1, 1}, {1, 0}, {0, 1}}) ==
        "/vertices: the edges from vertex 0 to 1 and from vertex 2 to 3 (counted from 0) intersect; the outline must "
        "be a "
        "simple polygon. Put the vertices into the order in which they follow each other around it.");
  CHECK(refusal({{0, 0}, {2, 0}, {1, 0}, {1, 1}}).find("from vertex 0 to 1 and from vertex 1 to 2") !=
        std::string::npos);
  CHECK(refusal({{0, 0}, {1, 0}, {1, 1}, {1, 0}, {0, 1}}) ==
        "/vertices: vertices 1 and 3 (counted from 0) are both at [1, 0]; name each vertex once, and do not repeat the "
        "first one at the end.");
  CHECK(refusal({{0, 0}, {1, 0}, {1, 1e-7}, {0, 1}}) ==
        "/vertices: the edge from vertex 1 at [1, 0] to vertex 2 at [1, 1e-07] is 1e-07 m long; at least 1e-06 of the "
        "bounding radius is needed, 1e-06 m. Leave out one of the two.");
  CHECK(refusal({{0, 0}, {1, 0}}) == "/vertices: has 2 vertices; a polygon has at least 3.");
  CHECK(refusal({{0, 0}, {1, 0}, {0, 1}}).empty());
  CHECK(refusal({{0, 0}}, 0.1, false) == "/vertices: has 1 vertices; a chain has at least 2.");
  CHECK(refusal({{0, 0}, {1, 0}, {1, 0}}, 0.1, false).find("vertices 1 and 2") != std::string::npos);
  CHECK(refusal({{0, 0}, {1, 1}, {1, 0}, {0, 1}}, 0.1, false).empty());  // chains may cross themselves
}

TEST_CASE("outlines come from a list or a file, and a file that cannot be read is named") {
  const auto make = [](const std::string& json) { return make_spheropolygon(Options::parse(json)); };
  const std::string rest = R"("scale": 2, "radius": 0.1, "thickness": 1, "position_of": "origin"})";
  const auto body = make(R"({"vertices": [[0, 0], [0.5, 0], [0.5, 0.5], [0, 0.5]], )" + rest);
  CHECK(body->area().area == Approx(1.4314159265359));
  CHECK(body->reference_point().x() == Approx(-0.5));
  const auto centred =
      make(R"({"vertices": [[0, 0], [1, 0], [1, 1], [0, 1]], "scale": 1, "radius": 0.1, "thickness": 1, )"
           R"("position_of": "centre-of-mass"})");
  CHECK(centred->reference_point().isZero());
  CHECK((centred->vertices()[0] - Vec2(-0.5, -0.5)).norm() < 1e-14);
  CHECK_THROWS_WITH(make("{" + rest), "the shape has no outline; give \"vertices\" or \"file\".");
  CHECK_THROWS_WITH(make(R"({"vertices": [[0, 0]], "file": "x", )" + rest),
                    "both \"vertices\" and \"file\" give the outline; keep one of them.");
  CHECK_THROWS_WITH(
      make(R"({"file": "/nowhere.json", )" + rest),
      "cannot read \"/nowhere.json\": no such file. Give a file name relative to the scene's folder, or an absolute "
      "one.");
  const scree::test::TemporaryFolder here;
  const std::string file = (here / "bad.json").string();
  std::ofstream(file) << R"({"vertices": [[0, 0], [1]]})";
  CHECK_THROWS_WITH(
      make(R"({"file": ")" + file + R"(", )" + rest),
      "\"" + file + "\": vertex 1 has 1 numbers; give two, [x, y]. Expected {\"vertices\": [[x, y], ...]}.");
  CHECK_THROWS_WITH(
      make(R"({"vertices": [[0, 0], [1, 0], [0, 1e200]], )" + rest),
      "vertex 2 is at [0, 2e+200] m; coordinates up to 1e+30 m can be computed with. Look for a wrong unit "
      "or exponent.");
}

TEST_CASE("facets: a polygon has vertices, nodes and a distance, a bare chain has neither discs nor an inside") {
  const auto has = [](const Shape& s, std::string_view name) { return s.facet(name) != nullptr; };
  const auto body = polygon(square(1), 0.1);
  for (const auto name :
       {SweptPolygon::kName, RoundVertices::kName, BoundaryNodes::kName, SignedDistance::kName, ExactDistance::kName})
    CHECK(has(*body, name));
  CHECK_FALSE(has(*body, SphereSet::kName));
  CHECK(body->traits().immobile.empty());
  CHECK_FALSE(polygon(square(1), 0)->traits().immobile.empty());
  const auto bare = chain({{0, 0}, {1, 0}}, 0);
  CHECK(has(*bare, SweptPolygon::kName));
  for (const auto name : {RoundVertices::kName, BoundaryNodes::kName, SignedDistance::kName})
    CHECK_FALSE(has(*bare, name));
  CHECK_FALSE(bare->traits().immobile.empty());
  CHECK(bare->mass(1).mass == 0);
  CHECK(bare->surface().points.size() == 2);
  CHECK(has(*chain({{0, 0}, {1, 0}}, 0.1), SignedDistance::kName));
}
