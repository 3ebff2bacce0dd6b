#include "import.hpp"

#include <sstream>

#include "catch.hpp"
#include "csv.hpp"
#include "scree/base/error.hpp"

using namespace scree;
using namespace scree::packings;

namespace {

const char* const kDump =
    "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n"
    "ITEM: ATOMS id type x y z vx vy vz fx omegax omegay omegaz radius\n"
    "7 1 0.1 0.2 0.3 1 2 3 9 0.4 0.5 0.6 0.004\n"
    "ITEM: TIMESTEP\n500\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n"
    "ITEM: ATOMS id type x y z radius\n"
    "7 1 0.1 0.2 0.25 0.004\n9 1 0.4 0.5 0.6 0.001\n";

using Types = std::vector<std::int64_t>;

std::vector<Placement> dump(const std::string& text, std::optional<std::int64_t> step = {}, int dimension = 3,
                            const Types& types = {}) {
  std::istringstream in(text);
  return read_dump(in, "pile.dump", {dimension, 0.002, types}, step);
}
std::vector<Placement> data(const std::string& text, int dimension = 3, const Types& types = {}) {
  std::istringstream in(text);
  return read_data(in, "pile.data", {dimension, 0.002, types});
}
std::vector<Placement> xyzr(const std::string& text, int dimension = 3) {
  std::istringstream in(text);
  return read_xyzr(in, "pile.txt", {dimension, 0.002});
}
std::vector<Placement> csv_with(const std::string& text, const CsvOptions& options) {
  std::istringstream in(text);
  return read_csv(in, "grains.csv", 3, options);
}

}  // namespace

TEST_CASE("a dump's last frame, or the one asked for, gives ids, places, sizes and velocities") {
  const auto last = dump(kDump);
  REQUIRE(last.size() == 2);
  CHECK(last[1].id == 8);  // ids begin at 1 there
  CHECK(last[1].position == Vec3(0.4, 0.5, 0.6));
  CHECK(last[1].scale == 0.5);
  CHECK(!last[1].velocity);
  const auto first = dump(kDump, 0);
  REQUIRE(first.size() == 1);
  CHECK(first[0].scale == 2);
  CHECK(*first[0].velocity == Vec3(1, 2, 3));
  CHECK(*first[0].angular_velocity == Vec3(0.4, 0.5, 0.6));
}

TEST_CASE("a data file of atom_style sphere gives diameters and the velocities of its atoms") {
  const auto places = data(
      "LAMMPS data file\n\n2 atoms\n1 atom types\n\n0 1 xlo xhi\n\nAtoms # sphere\n\n"
      "1 1 0.006 2500 0.1 0.2 0.3 0 0 0\n2 1 0.002 2500 0.4 0.5 0.6\n\nVelocities\n\n2 1 2 3 4 5 6\n1 0 0 0 0 0 0\n");
  REQUIRE(places.size() == 2);
  CHECK(places[0].scale == 1.5);
  CHECK(places[1].position == Vec3(0.4, 0.5, 0.6));
  CHECK(*places[1].velocity == Vec3(1, 2, 3));
  CHECK(*places[1].angular_velocity == Vec3(4, 5, 6));
}

TEST_CASE("spheres of the types that are asked for are read, with their own velocities") {
  const std::string text =
      "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n3\nITEM: ATOMS id type x y z vx vy vz diameter\n"
      "3 2 3 0 0 0 0 3 0.004\n1 1 1 0 0 0 0 1 0.004\n2 5 2 0 0 0 0 2 0.008\n";
  const auto one = dump(text, {}, 3, {5});
  REQUIRE(one.size() == 1);
  CHECK(one[0].id == 1);
  CHECK(one[0].scale == 2);
  CHECK(*one[0].velocity == Vec3(0, 0, 2));
  CHECK(dump(text, {}, 3, {1, 2}).size() == 2);
  CHECK(dump(text).size() == 3);
  const std::string table =
      "3 atoms\n\nAtoms # granular\n\n1 1 0.004 2500 1 0 0\n2 2 0.008 2500 2 0 0 1 0 -1\n3 1 0.004 2500 3 0 0\n\n"
      "Velocities\n\n3 0 0 3 0 0 0\n2 0 0 2 0 0 0\n1 0 0 1 0 0 0\n";
  const auto two = data(table, 3, {2});
  REQUIRE(two.size() == 1);
  CHECK(two[0].id == 1);
  CHECK(two[0].scale == 2);
  CHECK(*two[0].velocity == Vec3(0, 0, 2));
  CHECK(data(table, 3, {1}).size() == 2);
}

TEST_CASE("types that a file has not are refused, and files without types") {
  CHECK_THROWS_WITH(dump(kDump, {}, 3, {1, 3}),
                    "pile.dump:21: there are no spheres of type 3. Types up to this line: 1.");
  CHECK_THROWS_WITH(data("1 atoms\n\nAtoms\n\n1 2 0.006 2500 0.1 0.2 0.3\n", 3, {1}),
                    "pile.data:5: there are no spheres of type 1. Types up to this line: 2.");
  const std::string plain = "ITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS id x y z radius\n1 0 0 0 1\n";
  CHECK(dump(plain).size() == 1);
  CHECK_THROWS_WITH(dump(plain, {}, 3, {1}),
                    "pile.dump:3: the dump has no column \"type\". Write it with this column, or leave \"types\" out.");
  CHECK_THROWS_WITH(data("1 atoms\n\nAtoms\n\n1 glass 0.006 2500 0.1 0.2 0.3\n", 3, {1}),
                    "pile.data:5: column 2: \"glass\" is no type. These are whole numbers from 1 on.");
}

TEST_CASE("a dump that ends within its last frame is refused, and read where an earlier frame is asked for") {
  const std::string whole = kDump, fix = " Give \"timestep\" of a whole frame before it, or write the dump again.";
  const std::string half = whole.substr(0, whole.rfind("9 1"));
  const std::string heading = whole.substr(0, whole.rfind("ITEM: BOX"));
  CHECK_THROWS_WITH(dump(half), Catch::Matchers::EndsWith("the file ends after 1 of 2 atoms." + fix));
  CHECK_THROWS_WITH(dump(heading), Catch::Matchers::EndsWith("the file ends before the atoms of timestep 500." + fix));
  CHECK(dump(half, 0).size() == 1);
  CHECK(dump(heading, 0).size() == 1);
  CHECK_THROWS_WITH(dump("ITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS x y z radius id\n1 0 0 1\n"),
                    "pile.dump:4: column 5: \"\" is no id. These are whole numbers from 1 on.");
}

TEST_CASE("in 2D the spin of files is that about z, and places and velocities lie in the plane") {
  const auto of_data = data("1 atoms\n\nAtoms\n\n1 1 0.006 2500 0.1 0.2 0.3\n\nVelocities\n\n1 1 2 3 0.1 0.2 0.3\n", 2);
  const auto of_dump = dump(kDump, 0, 2);
  REQUIRE(of_data.size() == 1);
  REQUIRE(of_dump.size() == 1);
  CHECK(of_data[0].position == Vec3(0.1, 0.2, 0));
  CHECK(*of_data[0].velocity == Vec3(1, 2, 0));
  CHECK(*of_data[0].angular_velocity == Vec3(0, 0, 0.3));
  CHECK(of_dump[0].position == Vec3(0.1, 0.2, 0));
  CHECK(*of_dump[0].velocity == Vec3(1, 2, 0));
  CHECK(*of_dump[0].angular_velocity == Vec3(0, 0, 0.6));
}

TEST_CASE("lines of x y z r are read as they are, in 2D without their z") {
  const auto places = xyzr("#format x_y_z_r\n0.1\t0.2\t0.3\t0.004\n0.4 0.5 0.6 0.001 2 extra\n");
  REQUIRE(places.size() == 2);
  CHECK(places[0].scale == 2);
  CHECK(places[1].position == Vec3(0.4, 0.5, 0.6));
  CHECK(xyzr("1 2 3 0.002", 2)[0].position == Vec3(1, 2, 0));
}

TEST_CASE("a column radius of a CSV file makes bodies so large, and unknown columns are skipped on request") {
  const auto places = csv_with("x,y,z,radius,mass\n1,2,3,0.004,17\n", {true, 0.002});
  CHECK(places.at(0).scale == 2);
  CHECK_THROWS_WITH(csv_with("x,y,z,mass\n1,2,3,17\n", {}),
                    Catch::Matchers::ContainsSubstring("unknown column \"mass\" in 3 dimensions.") &&
                        Catch::Matchers::ContainsSubstring("\"skip_unknown\": true passes over others."));
  CHECK_THROWS_WITH(
      csv_with("x,y,z,radius\n1,2,3,0.1\n", {}),
      "grains.csv:1: column \"radius\" is that of spheres. Give the entry one shape of type sphere, of any "
      "radius, or a column \"scale\" in its place.");
  CHECK_THROWS_WITH(csv_with("x,y,z,radius,scale\n1,2,3,0.1,1\n", {false, 1}),
                    "grains.csv:1: there are a column \"radius\" and one \"scale\". Remove one.");
}

TEST_CASE("files that lack something are refused with file, line and what is expected") {
  CHECK_THROWS_WITH(
      dump("ITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS id x y z\n1 0 0 0\n"),
      "pile.dump:3: the dump has neither a column \"radius\" nor \"diameter\". Write it with one of them.");
  CHECK_THROWS_WITH(dump("ITEM: NUMBER OF ATOMS\n2\nITEM: ATOMS id x y z radius\n1 0 0 0 1\n"),
                    "pile.dump:4: the file ends after 1 of 2 atoms. Give \"timestep\" of a whole frame before it, or "
                    "write the dump again.");
  CHECK_THROWS_WITH(dump("ITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS id x y z radius\n0 0 0 0 1\n"),
                    "pile.dump:4: column 1: \"0\" is no id. These are whole numbers from 1 on.");
  CHECK_THROWS_WITH(
      data("1 atoms\n\nAtoms # atomic\n\n1 1 0.1 0.2 0.3 0 0 0\n"),
      "pile.data:3: these atoms are of style \"atomic\". Write the file with atom_style sphere or granular.");
  CHECK_THROWS_WITH(dump(kDump, 250),
                    Catch::Matchers::EndsWith("there is no timestep 250 in this dump; the last is 500."));
  CHECK_THROWS_WITH(dump("hello\n"), Catch::Matchers::ContainsSubstring("there is no line \"ITEM: ATOMS ...\""));
  CHECK_THROWS_WITH(
      data("1 atoms\n\nAtoms\n\n1 1 0.1 0.2 0.3\n"),
      "pile.data:5: 5 numbers; a line of Atoms has 7: id type diameter density x y z (atom_style sphere).");
  CHECK_THROWS_WITH(data("nothing\n"), Catch::Matchers::ContainsSubstring("there is no section \"Atoms\""));
  CHECK_THROWS_WITH(xyzr("1 2 3\n"), "pile.txt:1: 3 numbers; a line has four or more: x y z r.");
  CHECK_THROWS_WITH(xyzr("1 2 x 0.1\n"), "pile.txt:1: column 3: \"x\" is not a finite number.");
  CHECK_THROWS_WITH(xyzr("1 2 3 -0.1\n"), "pile.txt:1: column 4: a radius or diameter of -0.1 m is not above 0.");
}
