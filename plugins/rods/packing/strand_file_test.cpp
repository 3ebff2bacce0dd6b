// Strands along lines of a file: where segments come to lie, and what is refused.

#include "packing/strand_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using namespace scree::rods;
using Catch::Matchers::Contains;

namespace {

std::vector<FileStrand> strands(const std::string& text, double length = 0.01, double radius = 0.001,
                                int dimension = 3) {
  std::istringstream in(text);
  return read_strands(in, "hair.csv", dimension, length, radius);
}

std::string fault(const std::string& text, int dimension = 3) {
  try {
    strands(text, 0.01, 0.001, dimension);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// All joints of a strand: the root and the end of each segment.
std::vector<Vec3> joints(const FileStrand& strand, const Vec3& axis, double length) {
  std::vector<Vec3> places{strand.root};
  for (const Quat& frame : strand.frames) places.push_back(places.back() + length * (frame * axis));
  return places;
}

}  // namespace

TEST_CASE("strands of a file have as many segments as fit, and their joints lie on its lines") {
  const auto found =
      strands("strand,x,y,z\n# straight, a corner\na,0,0,0\na,0,0,0.05\n\na,0.08,0,0.11\nb,1,2,3\nb,1,2,2.962\n");
  REQUIRE(found.size() == 2);
  REQUIRE(found[0].frames.size() == 15);  // 0.05 m and 0.1 m
  const auto places = joints(found[0], Vec3::UnitZ(), 0.01);
  CHECK((places[5] - Vec3(0, 0, 0.05)).norm() < 1e-15);
  CHECK((places[15] - Vec3(0.08, 0, 0.11)).norm() < 1e-14);
  REQUIRE(found[1].frames.size() == 3);
  CHECK(found[1].root == Vec3(1, 2, 3));
  CHECK((found[1].frames[0] * Vec3::UnitZ() - Vec3(0, 0, -1)).norm() < 1e-15);
  // Downwards is half a turn about x, as for roots of this normal.
  CHECK((found[1].frames[0] * Vec3::UnitX() - Vec3::UnitX()).norm() < 1e-15);
}

TEST_CASE("a curve in a file becomes a chain that touches it, and its frames do not twist") {
  std::string text = "z,strand,y,x\n";
  const double radius = 0.1, rise = 0.02;
  const auto helix = [&](double t) { return Vec3(radius * std::cos(t), radius * std::sin(t), rise * t); };
  for (int k = 0; k <= 2000; ++k) {
    const Vec3 x = helix(k * 2 * std::numbers::pi / 2000);
    text += fmt::format("{:.17g},0,{:.17g},{:.17g}\n", x.z(), x.y(), x.x());
  }
  const auto found = strands(text);
  REQUIRE(found.size() == 1);
  const double arc = 2 * std::numbers::pi * std::hypot(radius, rise);
  CHECK(found[0].frames.size() == static_cast<std::size_t>(arc / 0.01 * (1 + 1e-4 / 24)));
  for (const Vec3& x : joints(found[0], Vec3::UnitZ(), 0.01)) CHECK((x - helix(x.z() / rise)).norm() < 1e-6);
  for (std::size_t k = 1; k < found[0].frames.size(); ++k)  // the turn from one to the next is across the axis
    CHECK(std::abs((found[0].frames[k - 1].conjugate() * found[0].frames[k]).z()) < 2e-16 + 1e-15);
}

TEST_CASE("strands of a plane") {
  const auto found = strands("strand,x,y\n0,0,0\n0,-0.03,0\n0,-0.03,0.0205\n", 0.01, 0.001, 2);
  REQUIRE(found.size() == 1);
  const auto places = joints(found[0], Vec3::UnitX(), 0.01);
  REQUIRE(places.size() == 6);
  // A joint that misses the corner by rounding e lies sqrt(2 e) segments round it.
  CHECK((places[5] - Vec3(-0.03, 0.02, 0)).norm() < 1e-9);
  for (const Quat& frame : found[0].frames) CHECK(std::abs(frame.x()) + std::abs(frame.y()) < 1e-15);
}

TEST_CASE("files of strands: what is wrong, where, and what to do") {
  const std::string head = "strand,x,y,z\n";
  CHECK(fault("") == "hair.csv:1: is empty; expected a line of column names such as \"strand,x,y,z\".");
  CHECK(fault(head) == "hair.csv:1: there are no points below the column names. Give two or more for each strand.");
  CHECK(fault("x,y,z\n0,0,0\n") ==
        "hair.csv:1: there is no column \"strand\". A file of strands has the columns strand, x, y, z.");
  CHECK(fault("strand,x,y\n0,0,0\n") ==
        "hair.csv:1: there is no column \"z\". A file of strands has the columns strand, x, y, z.");
  CHECK(
      fault("strand,x,y,z\n0,0,0,0\n", 2) ==
      "hair.csv:1: unknown column \"z\" in 2 dimensions. Did you mean \"x\"? Known: strand, x, y. Remove the column.");
  CHECK(fault(head + "0,0,0,nan\n") == "hair.csv:2: column \"z\": \"nan\" is not a finite number.");
  CHECK(fault(head + "0,0,0\n") == "hair.csv:2: 3 values for 4 columns. Give one value per column.");
  CHECK(fault(head + "0,0,0,0\n0,1,0,0\n#\n1,0,0,0\n2,0,0,0\n2,1,0,0\n") ==
        "hair.csv:5: strand \"1\" has one point; a line has two or more. Add points or remove it.");
  CHECK(fault(head + "0,0,0,0\n0,1,0,0\n0,1,0,0\n") ==
        "hair.csv:4: repeats the point of strand \"0\" before it. Take it away.");
  CHECK(fault(head + "0,0,0,0\n0,1,0,0\n1,0,1,0\n1,1,1,0\n0,2,0,0\n") ==
        "hair.csv:6: strand \"0\" goes on after another one. Let its points follow each other.");
  CHECK(fault(head + "0,0,0,0\n0,0.004,0,0\n0,0.004,0.004,0\n") ==
        "hair.csv:2: strand \"0\" is a line of 0.008 m that never gets 0.01 m, the length of a segment, away from its "
        "first point. Lengthen it or take a shorter shape.");
  CHECK(fault(head + "0,0,0,0\n0,1e5,0,0\n") ==
        "hair.csv:2: strand \"0\" has room for more than 1000000 segments of 0.01 m, the most allowed. Coordinates are "
        "in metres; shorten the line or take a longer shape.");
}

TEST_CASE("a strand of a file bends no more sharply than one over its radius") {
  // Two segments at an angle phi have the curvature 2 tan(phi/2)/0.01 m; 1000/m are allowed, so tan(phi/2) = 5.
  const auto corner = [](double tangent) {
    const double phi = 2 * std::atan(tangent);
    return fmt::format("strand,x,y,z\n0,0,0,0\n0,0.030000001,0,0\n0,{:.17g},{:.17g},0\n", 0.03 + 0.02 * std::cos(phi),
                       0.02 * std::sin(phi));
  };
  CHECK(fault(corner(4.99)) == "no error");
  CHECK(fault(corner(5.5)) ==
        "hair.csv:2: strand \"0\" bends by 1.1e+03/m here, between segments 2 and 3; at most 1e+03/m, one over the "
        "radius, is possible. Smooth the line or take a thinner shape.");
  CHECK_THAT(fault("strand,x,y,z\n0,0,0,0\n0,0.030000001,0,0\n0,-0.03,0,0\n"),
             Contains("bends by") && Contains("/m here"));
  // Where the line turns back within a segment, the segment would cut the corner, or the strand would end there.
  CHECK(fault("strand,x,y,z\n0,0,0,0\n0,0.035,0,0\n0,-0.03,0,0\n") ==
        "hair.csv:2: strand \"0\" turns back from here on: 0.02 m of its line would be one segment of 0.01 m. Smooth "
        "the line or take a shorter shape.");
  CHECK_THAT(fault("strand,x,y,z\n0,0,0,0\n0,0.035,0,0\n0,0.022,0.001,0\n"), Contains("0.018 m of its line"));
}

TEST_CASE("a scene takes strands from a file") {
  const scree::test::TemporaryFolder folder;
  const std::string file = (folder.path() / "hair.csv").string();
  std::ofstream(file) << "strand,x,y,z\n0,0,0,0\n0,0,0,-0.03\n1,0.1,0,0\n1,0.1,0,-0.05\n";
  const std::string scene = R"({
    "dimension": 3, "gravity": [0, 0, 0],
    "materials": {"hair": {"density": 1000, "youngs_modulus": 1e7, "poisson_ratio": 0.3}},
    "shapes": {"segment": {"type": "capsule", "length": 0.01, "radius": 0.001, "mass_of": "cylinder"}},
    "bodies": [{"name": "hair", "shape": "segment", "material": "hair", "packing": {"type": "strands"}}],
    "bonds": [{"between": ["hair", "hair"], "law": {"type": "elastic-rod"}}],
    "interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1000}}],
    "integrator": {"type": "velocity-verlet", "dt": 1e-5}, "output": {"writers": []}, "run": {"duration": 1}})";
  const std::string given = "/bodies/0/packing/file=" + file;
  Simulation s = Simulation::from_text(scene, {.sets = {given}, .allow_paths = {folder.path()}});
  CHECK(s.world().position.read().size() == 8);
  CHECK(s.world().bonds().size() == 6);
  const auto refusal = [&](const std::vector<std::string>& sets) {
    try {
      Simulation::from_text(scene, {.sets = sets, .allow_paths = {folder.path()}});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  CHECK_THAT(refusal({}), Contains("/bodies/0/packing") && Contains("needs \"segments\" and \"roots\", or \"file\"; "
                                                                    "\"segments\" is missing."));
  CHECK_THAT(refusal({given, "/bodies/0/packing/segments=3"}),
             Contains("/bodies/0/packing/segments") && Contains("is not used where \"file\" says"));
  CHECK_THAT(refusal({given + ".txt"}), Contains("/bodies/0/packing/file") && Contains("no such file"));
}
