#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "catch.hpp"
#include "csv.hpp"
#include "lattice.hpp"
#include "list.hpp"
#include "orientation.hpp"
#include "poisson_disc.hpp"
#include "random_close.hpp"
#include "scree/base/error.hpp"

using namespace scree;
using namespace scree::packings;

namespace {

PackingContext context(int dimension, double radius = 0.00437, std::uint64_t seed = 1) {
  return {dimension, radius, seed};
}

std::vector<Placement> lattice(const char* json, const PackingContext& c) {
  return place(read_lattice(Options::parse(json), c), c);
}

double smallest_distance(const std::vector<Placement>& places) {
  double smallest = 1e300;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) smallest = std::min(smallest, (places[i].position - places[j].position).norm());
  return smallest;
}

std::vector<Placement> csv(const std::string& text, int dimension = 2) {
  std::istringstream in(text);
  return read_csv(in, "grains.csv", dimension);
}

std::string csv_fault(const std::string& text, int dimension = 2) {
  try {
    csv(text, dimension);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// Pointer and text of the OptionError that f throws.
template <class F>
std::string option_fault(const F& f) {
  try {
    f();
  } catch (const OptionError& error) {
    return error.pointer() + " " + error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("lattice of the reference packing has 38 x 83 = 3154 places that cannot overlap") {
  const char* reference = R"({"lower": [0.03, 0.02], "upper": [0.57, 1.2], "spacing": 0.0142857, "jitter": "free"})";
  const auto places = lattice(reference, context(2));
  REQUIRE(places.size() == 3154);
  double low = 1, high = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3 cell(static_cast<double>(i % 38), static_cast<double>(i / 38), 0);
    const Vec3 offset = places[i].position - (Vec3(0.03, 0.02, 0) + 0.0142857 * cell);
    REQUIRE(offset[2] == 0);
    low = std::min({low, offset[0], offset[1]});
    high = std::max({high, offset[0], offset[1]});
  }
  const double amplitude = 0.0142857 / 2 - 0.00437;
  CHECK(low > 0);
  CHECK(low < 0.01 * amplitude);  // 6308 draws: all above 1 % with probability e^-63
  CHECK(high < amplitude + 1e-12);
  CHECK(high > 0.99 * amplitude);
  CHECK(smallest_distance(places) > 2 * 0.00437);
}

TEST_CASE("lattice: both ends count when the spacing divides the box, counts and 3D") {
  CHECK(places_between(0, 0.3, 0.1) == 4);
  CHECK(places_between(0.15, 0.449, 0.01) == 30);
  CHECK(places_between(1, 1, 0.1) == 1);
  const auto drum = lattice(R"({"lower": [0.15, 0.15], "counts": [30, 30], "spacing": 0.01, "jitter": 0})", context(2));
  REQUIRE(drum.size() == 900);
  CHECK((drum.back().position - Vec3(0.44, 0.44, 0)).norm() < 1e-15);
  const auto cubes = lattice(R"({"lower": [0, 0, 1], "counts": [2, 3, 4], "jitter": 0})", context(3, 0.5));
  REQUIRE(cubes.size() == 24);
  CHECK(cubes.back().position == Vec3(1, 2, 4));  // the default spacing is the diameter
}

TEST_CASE("the same seed gives the same places, another seed others") {
  const char* text = R"({"lower": [0, 0], "counts": [5, 5], "spacing": 0.1, "jitter": 0.01})";
  CHECK(lattice(text, context(2, 0.01, 7))[12].position == lattice(text, context(2, 0.01, 7))[12].position);
  CHECK(lattice(text, context(2, 0.01, 7))[12].position != lattice(text, context(2, 0.01, 8))[12].position);
  const PoissonDisc disc{{{0, 0, 0}, {1, 1, 0}}, 0.1, 30};
  const auto once = place(disc, context(2)), again = place(disc, context(2)), other = place(disc, context(2, 1, 9));
  REQUIRE(once.size() == again.size());
  for (std::size_t i = 0; i < once.size(); ++i) REQUIRE(once[i].position == again[i].position);
  CHECK(once[0].position != other[0].position);
}

TEST_CASE("Poisson disc: nothing too near, nothing outside, as dense as the algorithm packs, in 2D and 3D") {
  for (const int dimension : {2, 3}) {
    const PoissonDisc disc{{{-1, 2, 0}, {1, 3, dimension == 3 ? 1.5 : 0}}, dimension == 3 ? 0.2 : 0.08, 30};
    const auto places = place(disc, context(dimension));
    CHECK(smallest_distance(places) >= disc.min_distance);
    for (const Placement& p : places) {
      REQUIRE((p.position.array() >= disc.region.lower.array()).all());
      REQUIRE((p.position.array() <= disc.region.upper.array()).all());
    }
    // Without borders Bridson's algorithm with 30 attempts packs discs of this diameter to 0.482, balls to 0.302.
    // Places may stand on the border, so the share of the box is above that, the share of the box widened by a radius
    // below.
    const double r = disc.min_distance / 2, pi = std::numbers::pi;
    const double ball = dimension == 2 ? pi * r * r : 4 * pi / 3 * r * r * r;
    const auto share = [&](double widened) {
      const Vec3 size = disc.region.upper - disc.region.lower + Vec3::Constant(2 * widened);
      return static_cast<double>(places.size()) * ball / (size[0] * size[1] * (dimension == 3 ? size[2] : 1));
    };
    CHECK(share(0) > (dimension == 2 ? 0.482 : 0.302));
    CHECK(share(r) < (dimension == 2 ? 0.482 : 0.302));
  }
}

TEST_CASE("Poisson disc in a periodic cell: no two places are near, around the sides too, and the sides are no gap") {
  for (const int dimension : {2, 3}) {
    World world(dimension);
    world.cell = {Vec3::Zero(), Vec3(1, 1, dimension == 3 ? 1 : 0)};
    PackingContext c = context(dimension, 0.05, 3);
    c.world = &world;
    const Options options = Options::parse(
        dimension == 2 ? R"({"lower": [0, 0], "upper": [1, 1], "min_distance": 0.11, "attempts": 30})"
                       : R"({"lower": [0, 0, 0], "upper": [1, 1, 1], "min_distance": 0.15, "attempts": 30})");
    const double distance = dimension == 2 ? 0.11 : 0.15;
    const auto places = place(read_poisson_disc(options, c), c);
    double least = 1e300;
    std::size_t at_sides = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Vec3& x = places[i].position;
      at_sides += x[0] < 0.1 || x[0] > 0.9;
      for (std::size_t j = 0; j < i; ++j) least = std::min(least, world.cell.shortest(x - places[j].position).norm());
    }
    CHECK(least >= distance);
    // As many as in the middle, to the noise of a fifth of some 70 or 200 places.
    CHECK(static_cast<double>(at_sides) / static_cast<double>(places.size()) == Approx(0.2).margin(0.08));
  }
}

TEST_CASE("Poisson disc of the bridge scene has about 280 to 290 places") {
  const Options options =
      Options::parse(R"({"lower": [0.05, 0.35], "upper": [0.25, 0.6], "min_distance": 0.01077, "attempts": 30})");
  double mean = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const PackingContext c = context(2, 0.005, seed);
    mean += static_cast<double>(place(read_poisson_disc(options, c), c).size()) / 10;
  }
  CHECK(mean == Approx(285).margin(10));
}

TEST_CASE("list: position, id, orientation as angle or quaternion, velocities") {
  const auto places = read_list(Options::parse(
                                    R"({"places": [{"position": [1, 2]},
                         {"position": [3, 4], "id": 12, "orientation": 1, "velocity": [5, 6], "angular_velocity": 7},
                         {"position": [0, 0], "orientation": [2, 0, 0, 0], "angular_velocity": [0, 0, 3]}]})"),
                                context(2));
  REQUIRE(places.size() == 3);
  CHECK(places[0].position == Vec3(1, 2, 0));
  CHECK(places[0].id == kNewId);
  CHECK(!places[0].orientation);
  CHECK(!places[0].velocity);
  CHECK(places[1].id == 12);
  CHECK(places[1].orientation->angularDistance(about_z(1)) < 1e-7);  // acos near 1 loses half of the digits
  CHECK(*places[1].velocity == Vec3(5, 6, 0));
  CHECK(*places[1].angular_velocity == Vec3(0, 0, 7));
  CHECK(places[2].orientation->coeffs() == Quat::Identity().coeffs());
  CHECK(*places[2].angular_velocity == Vec3(0, 0, 3));
}

TEST_CASE("csv: columns by name in any order, comments and empty lines skipped") {
  const auto plane = csv("# made by hand\n y , x,theta,id,vx,vy,omega\r\n2,1,0.5,7,3,4,5\r\n\n-2e-3,.1,0,9,0,0,0\n");
  REQUIRE(plane.size() == 2);
  CHECK(plane[0].position == Vec3(1, 2, 0));
  CHECK(plane[0].orientation->angularDistance(about_z(0.5)) < 1e-7);
  CHECK(plane[0].id == 7);
  CHECK(*plane[0].velocity == Vec3(3, 4, 0));
  CHECK(*plane[0].angular_velocity == Vec3(0, 0, 5));
  CHECK(plane[1].position == Vec3(0.1, -2e-3, 0));
  const auto space = csv("x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n1,2,3,0,0,0,2,4,5,6,7,8,9\n", 3);
  REQUIRE(space.size() == 1);
  CHECK(space[0].position == Vec3(1, 2, 3));
  CHECK(space[0].orientation->z() == 1);
  CHECK(*space[0].velocity == Vec3(4, 5, 6));
  CHECK(*space[0].angular_velocity == Vec3(7, 8, 9));
  CHECK(space[0].id == kNewId);
}

TEST_CASE("csv faults: file, line, what, allowed") {
  CHECK(csv_fault("") == "grains.csv:1: is empty; expected a line of column names such as \"x,y,theta\".");
  CHECK(
      csv_fault("x,y,thta\n") ==
      "grains.csv:1: unknown column \"thta\" in 2 dimensions. Did you mean \"theta\"? Known: id, x, y, theta, vx, vy, "
      "omega, scale, radius. \"skip_unknown\": true passes over others.");
  CHECK(csv_fault("x,y,scale\n1,2,-0\n") == "grains.csv:2: column \"scale\": \"-0\" is not above 0.");
  CHECK(csv_fault("x,y,x\n") == "grains.csv:1: column \"x\" is there twice. Remove one.");
  CHECK(csv_fault("x,theta\n") == "grains.csv:1: 1 of the columns x, y are there. Give all of them.");
  CHECK(csv_fault("x,y,vy\n") == "grains.csv:1: 1 of the columns vx, vy are there. Give all of them.");
  CHECK(csv_fault("x,y\n1,2\n3\n") == "grains.csv:3: 1 values for 2 columns. Give one value per column.");
  CHECK(csv_fault("x,y\n\n1,two\n") == "grains.csv:3: column \"y\": \"two\" is not a finite number.");
  CHECK(csv_fault("x,y\n1,nan\n") == "grains.csv:2: column \"y\": \"nan\" is not a finite number.");
  CHECK(csv_fault("x,y,id\n1,2,-3\n") == "grains.csv:2: column \"id\": \"-3\" is not a whole number from 0 on.");
  CHECK(csv_fault("x,y,z,qw,qx,qy,qz\n1,2,3,0,0,0,0\n", 3) ==
        "grains.csv:2: quaternion [0, 0, 0, 0] has length 0; an orientation has length 1. Give [1, 0, 0, 0] for none.");
  CHECK(
      option_fault([] { read_csv_file(Options::parse(R"({"file": "/nowhere/grains.csv"})"), context(2)); }) ==
      "/file cannot read \"/nowhere/grains.csv\": no such file. Give a file name relative to the scene's folder, or an "
      "absolute one.");
}

TEST_CASE("faults of lattice, Poisson disc and list name the option, the value and the fix") {
  CHECK(option_fault([] { lattice(R"({"lower": [0, 0], "jitter": 0})", context(2)); }) ==
        " a lattice needs either \"upper\" or \"counts\"; neither is given. Add one of them.");
  CHECK(option_fault([] { lattice(R"({"lower": [0, 0, 0], "counts": [2, 2], "jitter": 0})", context(2)); }) ==
        "/lower has 3 numbers; the scene has dimension 2. Give [x, y].");
  CHECK(option_fault([] { lattice(R"({"lower": [0, 2], "upper": [1, 1], "jitter": 0})", context(2)); }) ==
        "/upper y = 1 m is below the lower corner's 2 m. Exchange the two or enlarge the box.");
  CHECK(option_fault(
            [] { lattice(R"({"lower": [0, 0], "counts": [2, 2], "spacing": 1, "jitter": "free"})", context(2, 1)); }) ==
        "/jitter \"free\" needs room between the bodies; their diameter is 2 m, the spacing 1 m. Widen the spacing or "
        "give "
        "a length.");
  CHECK(option_fault(
            [] { lattice(R"({"lower": [0, 0], "upper": [1, 1], "spacing": 1e-5, "jitter": 0})", context(2)); }) ==
        "/spacing a spacing of 1e-05 m makes 1e+10 places; at most 1e+08 are possible. Widen the spacing or shrink the "
        "box.");
  CHECK(
      option_fault([] {
        read_poisson_disc(Options::parse(R"({"lower": [0, 0], "upper": [1, 1], "min_distance": 1e-9, "attempts": 30})"),
                          context(2));
      }) ==
      "/min_distance a distance of 1e-09 m makes up to 1e+18 places; at most 1e+08 are possible. Widen the distance or "
      "shrink the box.");
  CHECK(
      option_fault([] {
        read_list(
            Options::parse(R"({"places": [{"position": [0, 0]}, {"position": [0, 0], "orientation": [0, 0, 0, 0]}]})"),
            context(2));
      }) ==
      "/places/1/orientation quaternion [0, 0, 0, 0] has length 0; an orientation has length 1. Give [1, 0, 0, 0] for "
      "none.");
}

TEST_CASE("random-close: spheres do not overlap, fill their share of the ellipsoid, and touch about six others") {
  const PackingContext c = context(3, 0.5, 7);
  const auto make = [&](const char* more) {
    return place(read_random_close(Options::parse(std::string(R"({"centre": [1, 2, 3], "semi_axes": [8, 4, 4],
"density": 0.62)") + more + "}"),
                                   c),
                 c);
  };
  const std::vector<Placement> places = make("");
  CHECK(smallest_distance(places) >= 1);
  const double inside = 8.0 * 4 * 4 * 4 / 3 * std::numbers::pi * 0.62 * 6 / std::numbers::pi;
  CHECK(static_cast<double>(places.size()) == Approx(inside).epsilon(0.03));
  std::size_t touching = 0, inner = 0;
  for (const Placement& p : places) {
    const Vec3 at = (p.position - Vec3(1, 2, 3)).cwiseQuotient(Vec3(8, 4, 4));
    CHECK(at.norm() <= 1);
    if (at.norm() > 0.6) continue;
    ++inner;
    for (const Placement& q : places) touching += &p != &q && (p.position - q.position).norm() < 1.02;
  }
  CHECK(static_cast<double>(touching) / static_cast<double>(inner) > 5);
  CHECK(static_cast<double>(touching) / static_cast<double>(inner) < 8);
  for (const Placement& p : make(R"(, "floor": 3)")) CHECK(p.position.z() >= 3);
}

TEST_CASE("random-close: a scene in two dimensions is refused") {
  CHECK_THAT(option_fault([&] {
               read_random_close(Options::parse(R"({"centre": [0, 0], "semi_axes": [1, 1, 1],
"density": 0.6})"),
                                 context(2, 0.5));
             }),
             Catch::Matchers::ContainsSubstring("packs spheres in 3 dimensions"));
}
