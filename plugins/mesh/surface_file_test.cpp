// Surfaces from files: all formats give the same bits, and what is wrong with a file is told.
#include "scree/plugin/surface_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"
#include "test_meshes.hpp"

using namespace scree;
using namespace scree::mesh::test;
using Catch::Contains;

namespace {

enum class Bytes { text, little, big };

template <class T>
void put(std::string& out, T x, Bytes order) {
  if (order == Bytes::text) {
    out += fmt::format("{} ", x);
    return;
  }
  char bytes[sizeof x];
  std::memcpy(bytes, &x, sizeof x);
  if (order == Bytes::big) std::reverse(bytes, bytes + sizeof x);
  out.append(bytes, sizeof x);
}

/// A PLY file with more than is needed: colours, quality of faces, and an element of edges.
std::string as_ply(const SurfaceMesh& s, Bytes order) {
  constexpr const char* kFormats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
  std::string out = fmt::format(
      "ply\r\nformat {} 1.0\ncomment made by hand\nelement edge 1\nproperty int vertex1\nproperty int vertex2\n"
      "element vertex {}\nproperty uchar red\nproperty double x\nproperty double y\nproperty double z\n"
      "element face {}\nproperty list uchar int vertex_indices\nproperty float quality\nend_header\n",
      kFormats[static_cast<int>(order)], s.vertices.size(), s.faces.size());
  for (const int end : {0, 1}) put<std::int32_t>(out, end, order);
  for (const Vec3& v : s.vertices) {
    put<std::uint8_t>(out, 200, order);
    for (const double x : v) put(out, x, order);
  }
  for (const auto& f : s.faces) {
    put(out, static_cast<std::uint8_t>(f.size()), order);
    for (const std::uint32_t v : f) put(out, static_cast<std::int32_t>(v), order);
    put(out, 0.5f, order);
  }
  return out;
}

/// Binary STL of a surface of triangles.
std::string as_stl(const SurfaceMesh& s) {
  std::string out(84, ' ');
  const auto count = static_cast<std::uint32_t>(s.faces.size());
  std::memcpy(out.data() + 80, &count, 4);
  for (const auto& f : s.faces) {
    for (int k = 0; k < 3; ++k) put(out, 0.0f, Bytes::little);
    for (const std::uint32_t v : f)
      for (const double x : s.vertices[v]) put(out, static_cast<float>(x), Bytes::little);
    out.append(2, '\0');
  }
  return out;
}

SurfaceMesh ply(const std::string& contents) { return parse_ply(contents, "a.ply", "/file"); }
SurfaceMesh stl(const std::string& contents) { return parse_stl(contents, "a.stl", "/file"); }
SurfaceMesh obj(const std::string& contents) { return parse_obj(contents, "a.obj", "/file"); }

std::string ply_header(const std::string& format, const std::string& vertices, const std::string& faces) {
  return "ply\nformat " + format + " 1.0\nelement vertex " + vertices +
         "\nproperty float x\nproperty float y\nproperty float z\nelement face " + faces +
         "\nproperty list uchar int vertex_index\nend_header\n";
}

}  // namespace

TEST_CASE("PLY files, text and binary of both byte orders, give the bits that were written") {
  SurfaceMesh s = box({0.1, 1.0 / 3, 3});
  s.faces[0].pop_back();
  for (const Bytes order : {Bytes::text, Bytes::little, Bytes::big}) {
    const SurfaceMesh read = ply(as_ply(s, order));
    CHECK(read.vertices == s.vertices);
    CHECK(read.faces == s.faces);
  }
}

TEST_CASE("text STL takes what programs write: capitals, plus signs, ends of lines of Windows") {
  const SurfaceMesh read = stl(
      "SOLID part\r\n  FACET NORMAL 0 0 1\r\n\tOUTER LOOP\r\nVERTEX +1.5E+00 -2e-3 0\r\nVERTEX 0 1 0\r\nVERTEX 0 0 1."
      "\r\n ENDLOOP\r\nENDFACET\r\nENDSOLID");
  REQUIRE(read.faces.size() == 1);
  CHECK(read.vertices[0] == Vec3(1.5, -2e-3, 0));
  CHECK(read.vertices[2] == Vec3(0, 0, 1));
}

TEST_CASE("files of another kind, cut off, or with numbers that are none are refused, with what to do") {
  const std::string binary = as_stl({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  CHECK_THROWS_WITH(stl(""),
                    Contains("\"a.stl\" is no STL file: it is empty.") && Contains("Export the surface as STL"));
  CHECK_THROWS_WITH(stl("ply\nformat ascii 1.0\n"), Contains("is no STL file: it begins like a PLY file."));
  CHECK_THROWS_WITH(stl("ISO-10303-21;\n"), Contains("begins like a STEP file") && Contains("OBJ or PLY"));
  CHECK_THROWS_WITH(stl(binary.substr(0, 100)),
                    Contains("has the 134 bytes of a binary file of 1 triangles, but 100."));
  CHECK_THROWS_WITH(stl("solid" + binary.substr(5, 95)), Contains("has the 134 bytes of a binary file"));
  CHECK_THROWS_WITH(stl("solid a\nendsolid a\n"), Contains("\"a.stl\" has no faces: it begins like an STL file."));
  CHECK_THROWS_WITH(stl("solid a\nvertex 0 0 0\n"),
                    Contains("line 2: the file ends without \"endsolid\": it was cut off"));
  CHECK_THROWS_WITH(stl("solid a\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"),
                    Contains("without \"endsolid\""));
  CHECK_THROWS_WITH(stl("solid a\nvertex 0 nan 0\n"),
                    Contains("line 2: \"nan\" is no finite number; expected \"vertex 0 0 1\"."));
  std::string nan = binary;
  nan.replace(84 + 12, 4, "\xff\xff\xff\x7f");
  CHECK_THROWS_WITH(stl(nan), Contains("vertex 0 is (nan, 0, 0); places are finite numbers."));
  CHECK_THROWS_WITH(obj(""), Contains("\"a.obj\" has no faces: it is empty."));
  CHECK_THROWS_WITH(obj("v 0 0 1e999\n"), Contains("\"1e999\" is no finite number"));
  CHECK_THROWS_WITH(obj("v 0 0 1\nf 1 -2 1\n"), Contains("line 2: the face names vertex -2; 1 vertices precede it."));
  CHECK_THROWS_WITH(obj("v 0 0 1\nf 1 9223372036854775807 1\n"), Contains("names vertex 9223372036854775807"));
  CHECK_THROWS_WITH(obj("v 0 0 1\nf 1 x 1\n"), Contains("\"x\" is no corner"));
  CHECK_THROWS_WITH(obj("v 0 0 1\nf 1 1\n"), Contains("face 0 has 2 corners; a face has 3 or more."));
}

TEST_CASE("damaged PLY files are refused, with what to do") {
  CHECK_THROWS_WITH(ply("solid a\n"), Contains("\"a.ply\" is no PLY file: it begins like an STL file."));
  CHECK_THROWS_WITH(ply("ply\nformat ascii 1.0\n"), Contains("the header has no line \"end_header\"."));
  CHECK_THROWS_WITH(ply("ply\nformat utf8 1.0\nend_header\n"),
                    Contains("line 3: the format is \"utf8\"; expected ascii"));
  CHECK_THROWS_WITH(ply("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n"),
                    Contains("the header has no element \"vertex\" with one property y."));
  CHECK_THROWS_WITH(ply("ply\nformat ascii 1.0\nelement vertex many\n"), Contains("line 3: expected \"element\""));
  CHECK_THROWS_WITH(ply("ply\nelement vertex 1\nproperty real x\n"), Contains("\"real\" is no type of a property"));
  CHECK_THROWS_WITH(ply(ply_header("ascii", "1", "0") + "0 0 0\n"), Contains("\"a.ply\" has no faces"));
  CHECK_THROWS_WITH(ply(ply_header("ascii", "3", "1") + "0 0 0 1 0 0 0 1 0\n3 0 1 3\n"),
                    Contains("\"a.ply\": face 0 names vertex 3; there are 3, numbered from 0."));
  CHECK_THROWS_WITH(ply(ply_header("ascii", "3", "1") + "0 0 0 1 0 0 0 1 0\n3 0 1\n"),
                    Contains("\"a.ply\", face 0: the file ends here."));
  CHECK_THROWS_WITH(ply(ply_header("ascii", "3", "1") + "0 0 0 1 0 0 0 inf 0\n3 0 1 2\n"),
                    Contains("\"inf\" is no finite number."));
  CHECK_THROWS_WITH(ply(ply_header("ascii", "3", "1") + "0 0 0 1 0 0 0 1 0\n1e9 0 1 2\n"),
                    Contains("a list of 1000000000 values;"));
}

TEST_CASE("counts of a thousand million that a header announces are refused at once") {
  const auto begin = std::chrono::steady_clock::now();
  for (const std::string format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
    CHECK_THROWS_WITH(ply(ply_header(format, "1000000000", "1") + "0 0 0\n"),
                      Contains("announces 1000000000 of \"vertex\", of ") && Contains("6 bytes follow."));
    CHECK_THROWS_WITH(ply(ply_header(format, "0", "1000000000") + "3 0 1 2\n"),
                      Contains("announces 1000000000 of \"face\""));
  }
  std::string binary(84, ' ');
  const std::uint32_t count = 1000000000;
  std::memcpy(binary.data() + 80, &count, 4);
  CHECK_THROWS_WITH(stl(binary),
                    Contains("has the 50000000084 bytes of a binary file of 1000000000 triangles, but 84."));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));
}

TEST_CASE("the ending tells the format, and others are refused") {
  const scree::test::TemporaryFolder folder;
  const SurfaceMesh s = box({1, 2, 3});
  std::ofstream(folder / "box.PLY", std::ios::binary) << as_ply(s, Bytes::big);
  CHECK(read_surface(folder / "box.PLY", "/file").vertices == s.vertices);
  std::ofstream(folder / "box.step") << "ISO-10303-21;";
  CHECK_THROWS_WITH(read_surface(folder / "box.step", "/file"),
                    Contains("ends with \".step\"; files that end with .stl, .obj or .ply can be read."));
}
