#include "templates.hpp"

#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "make_body.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using namespace scree::spheres;

namespace {

std::string file_fault(const std::string& text) {
  std::istringstream in(text);
  try {
    read_spheres(in, "grain.txt");
  } catch (const InputError& e) {
    return e.what();
  }
  return "none";
}

std::string option_fault(const std::string& json, int dimension) {
  try {
    make_clump(Options::parse(json), ShapeContext{dimension});
  } catch (const OptionError& e) {
    return e.pointer() + " " + e.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("template files: one sphere per line, blanks and comments are skipped") {
  std::istringstream in("# a grain\n\n 1 2 3 0.5\n\t-1e-3 0 2.5   0.25\r\n");
  const Spheres s = read_spheres(in, "grain.txt");
  REQUIRE(s.radii == std::vector<double>{0.5, 0.25});
  CHECK(s.centres[0] == Vec3(1, 2, 3));
  CHECK(s.centres[1] == Vec3(-1e-3, 0, 2.5));
}

TEST_CASE("a broken line is told with file and line") {
  CHECK(file_fault("# x y z r\n0 0 0 1\n1 0 0\n") == "grain.txt:3: 3 values; a sphere has four: x y z r.");
  CHECK(file_fault("0 0 0 1 2\n") == "grain.txt:1: 5 values; a sphere has four: x y z r.");
  CHECK(file_fault("0 zero 0 1\n") == "grain.txt:1: y is \"zero\", not a finite number.");
  CHECK(file_fault("0 0 0 nan\n") == "grain.txt:1: r is \"nan\", not a finite number.");
  CHECK(file_fault("\n0 0 0 -1\n") == "grain.txt:2: the radius is -1; it must be above 0.");
  CHECK(file_fault("# nothing\n") == "grain.txt:1: has no spheres; expected lines \"x y z r\".");
}

TEST_CASE("spheres that are too large or too far away to compute with are refused with their number") {
  CHECK(option_fault(R"({"scale": 1, "thickness": 1, "spheres": [{"position": [0, 0, 0], "radius": 1},
                         {"position": [1e200, 0, 0], "radius": 1}]})",
                     3) ==
        "/spheres sphere 2 has its centre at [1e+200, 0, 0] m and a radius of 1 m; up to 1e+30 m can be "
        "computed with. Look for a wrong unit or exponent.");
  CHECK(option_fault(R"({"scale": 1e200, "thickness": 1, "spheres": [{"position": [0, 0, 0], "radius": 1e200}]})", 3)
            .starts_with("/spheres sphere 1 has its centre at [0, 0, 0] m and a radius of inf m;"));
}

TEST_CASE("a clump from a file is that of the list, scaled") {
  const scree::test::TemporaryFolder folder;
  std::ofstream(folder / "grain.txt") << "0 0 0 1\n1 0 0 0.5\n";
  const std::string file = (folder / "grain.txt").string();
  const auto a = make_clump(Options::parse(R"({"scale": 0.01, "thickness": 1, "file": ")" + file + "\"}"), {3});
  const auto b = make_clump(Options::parse(R"({"scale": 1, "thickness": 1, "spheres": [
      {"position": [0, 0, 0], "radius": 0.01}, {"position": [0.01, 0, 0], "radius": 0.005}]})"),
                            {3});
  CHECK(a->volume() == Approx(b->volume()).epsilon(1e-12));
  CHECK((a->centres()[1] - b->centres()[1]).norm() < 1e-15);
}

TEST_CASE("faults of a clump's options") {
  CHECK(option_fault(R"({"scale": 1, "thickness": 1})", 3) ==
        " the clump has no spheres; give \"spheres\", \"file\" or \"template\".");
  CHECK(option_fault(R"({"scale": 1, "thickness": 1, "file": "a", "template": "tetrapod"})", 3) ==
        " both \"file\" and \"template\" give the spheres of the clump; keep one of them.");
  CHECK(
      option_fault(R"({"scale": 1, "thickness": 1, "template": "tetrapod"})", 2) ==
      "/template sphere 2 lies at z = 0.34641; the discs of a 2D scene lie at z = 0. Set z to 0, or /dimension to 3.");
  CHECK(
      option_fault(R"({"scale": 1, "thickness": 1, "file": "/nowhere/grain.txt"})", 3) ==
      "/file cannot read \"/nowhere/grain.txt\": no such file. Give a file name relative to the scene's folder, or an "
      "absolute one.");
  CHECK(template_names() == std::vector<std::string>{"cross-17", "cross-9", "tetrapod"});
}
