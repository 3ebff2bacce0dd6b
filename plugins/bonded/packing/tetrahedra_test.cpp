#include "packing/tetrahedra.hpp"

#include <fstream>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using namespace scree::bonded;

namespace {

/// Options with the schema's defaults; `some` comes first.
PlacedElements tetrahedra(const std::string& some,
                          const std::string& pose = "\"position\": [0, 0, 0], \"orientation\": [1, 0, 0, 0]",
                          int dimension = 3) {
  return read_tetrahedra(Options::parse("{" + some + (some.empty() ? "" : ", ") +
                                        R"("jitter": 0.18, "area": "face", "unit": 0.001, "min_quality": 0.05, )"
                                        R"("allow_pieces": false, )" +
                                        pose + "}"),
                         dimension, 7);
}
const std::string kTetrahedraBox = R"("kind": "bcc", "size": [1, 0.5, 0.5], "cells": [4, 2, 2])";

std::string option_fault(const std::string& some, int dimension = 3) {
  try {
    tetrahedra(some, "\"position\": [0, 0, 0], \"orientation\": [1, 0, 0, 0]", dimension);
  } catch (const OptionError& e) {
    return e.pointer() + " " + e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a cuboid is placed and turned about its lower corner, its tetrahedra with it") {
  const Elements home = tetrahedra(kTetrahedraBox).elements;
  // A quarter turn about z: x becomes y.
  const Elements moved =
      tetrahedra(kTetrahedraBox,
                 R"("position": [1, 2, 3], "orientation": [0.70710678118654752, 0, 0, 0.70710678118654752])")
          .elements;
  REQUIRE(home.size() == moved.size());
  CHECK(home.volume == moved.volume);
  for (std::size_t i = 0; i < home.size(); ++i) {
    const Vec3 p = home.centroid[i];
    REQUIRE((moved.centroid[i] - Vec3(1 - p.y(), 2 + p.x(), 3 + p.z())).norm() < 1e-14);
    REQUIRE(moved.tetrahedron[12 * i] == Approx(-home.tetrahedron[12 * i + 1]).margin(1e-15));
  }
}

TEST_CASE("kinds of packing have their numbers of elements") {
  CHECK(tetrahedra(kTetrahedraBox).elements.size() == 4 * (3 * 4 + 2 * 8) + 2 * 2 * (4 + 16));
  CHECK(tetrahedra(R"("kind": "kuhn", "size": [1, 0.5, 0.5], "cells": [4, 2, 2])").elements.size() == 6 * 16);
  const Elements cells = tetrahedra(R"("kind": "cubic", "size": [1, 0.5, 0.5], "cells": [4, 2, 2])").elements;
  CHECK(cells.size() == 16);
  CHECK(cells.tetrahedron.empty());
}

TEST_CASE("a file is scaled to metres, and its notes are handed on") {
  const test::TemporaryFolder folder;
  const auto file = folder / "one.msh";
  std::ofstream(file) << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 10 0 0\n3 0 10 0\n4 0 0 10\n"
                         "$EndNodes\n$Elements\n1\n3 4 0 1 3 2 4\n$EndElements\n";
  const PlacedElements placed = tetrahedra("\"file\": \"" + file.string() + "\"");
  REQUIRE(placed.elements.size() == 1);
  CHECK(placed.elements.volume[0] == Approx(1e-6 / 6));
  CHECK((placed.elements.centroid[0] - Vec3::Constant(0.0025)).norm() < 1e-15);
  REQUIRE(placed.notes.size() == 1);
  CHECK_THAT(placed.notes[0], Catch::Matchers::ContainsSubstring("1 tetrahedron (3) had negative volume"));
}

TEST_CASE("options of tetrahedra that do not go together are refused with the remedy") {
  CHECK(option_fault("") ==
        " a packing of tetrahedra needs a \"file\", or \"size\" and \"cells\"; none is given. Add one.");
  CHECK(option_fault(R"("kind": "bcc", "size": [1, 1, 1])") ==
        " a packing of tetrahedra needs a \"file\", or \"size\" and \"cells\"; \"cells\" is missing. Add \"cells\".");
  CHECK(
      option_fault(R"("file": "a.msh", "size": [1, 1, 1])") ==
      "/file a packing of tetrahedra is a \"file\" or a cuboid of \"size\" and \"cells\"; both are given. Remove one.");
  CHECK(option_fault(R"("kind": "bcc", "size": [1, 1, 1], "cells": [1000, 1000, 1000])") ==
        "/cells 1000 x 1000 x 1000 cells make about 1.2e+10 elements; at most 1e+08 are possible. Make the cells "
        "larger.");
  CHECK(option_fault(kTetrahedraBox, 2) == " tetrahedra fill space; the scene has dimension 2. Set \"dimension\": 3.");
  CHECK(option_fault(R"("file": "/nowhere/a.msh")") ==
        "/file cannot read \"/nowhere/a.msh\": no such file. Give a file name relative to the scene's folder, or an "
        "absolute one.");
  CHECK_THROWS_WITH(tetrahedra(kTetrahedraBox, R"("position": [0, 0, 0], "orientation": [0, 0, 0, 0])"),
                    Catch::Matchers::ContainsSubstring("an orientation has length 1"));
}
