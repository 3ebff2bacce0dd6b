#include "packing/read_vtu.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

#include "catch.hpp"
#include "packing/read_mesh.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using namespace scree::bonded;
using test::message_of;

namespace {

/// Five points and the given cells, as text.
std::string grid(const std::string& corners, const std::string& offsets, const std::string& types, int cells) {
  const auto array = [](const std::string& type, const std::string& attributes, const std::string& values) {
    return "<DataArray type=\"" + type + "\" " + attributes + " format=\"ascii\">" + values + "</DataArray>\n";
  };
  return "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\"><UnstructuredGrid>\n"
         "<Piece NumberOfPoints=\"5\" NumberOfCells=\"" +
         std::to_string(cells) + "\"><Points>\n" +
         array("Float64", "NumberOfComponents=\"3\"", "0 0 0 1 0 0 0 1 0 0 0 1 1 1 1") + "</Points><Cells>\n" +
         array("Int64", "Name=\"connectivity\"", corners) + array("Int64", "Name=\"offsets\"", offsets) +
         array("UInt8", "Name=\"types\"", types) + "</Cells></Piece></UnstructuredGrid></VTKFile>\n";
}

struct File {
  test::TemporaryFolder folder;
  std::filesystem::path path = folder / "beam.vtu";
  explicit File(const std::string& text) { std::ofstream(path) << text; }
};

}  // namespace

TEST_CASE("tetrahedra of a .vtu file, named by their cells, a triangle is skipped") {
  const File file(grid("0 1 2 0 1 2 3 1 2 3 4", "3 7 11", "5 10 10", 3));
  const NamedMesh mesh = read_mesh({file.path, 0.5, {}});
  CHECK(mesh.mesh.tetrahedron == std::vector<Tetrahedron>{{0, 1, 2, 3}, {1, 2, 3, 4}});
  CHECK(mesh.label == std::vector<std::uint64_t>{1, 2});
  CHECK(mesh.mesh.vertex[4] == Vec3(0.5, 0.5, 0.5));
  CHECK(mesh.notes.empty());
}

TEST_CASE("a .vtu file that cannot be used is refused by name") {
  const File pyramid(grid("0 1 2 3 4", "5", "14", 1));
  CHECK(message_of<InputError>([&] { read_vtu(pyramid.path); }) ==
        pyramid.path.string() +
            ": cell 0 is a vtkPyramid; bonded elements are made of tetrahedra of first or second order. Mesh with "
            "tetrahedra.");
  const std::string unreadable = ": is no unstructured grid that VTK can read, or is not complete. Write it anew.";
  const File text("hello");
  CHECK(message_of<InputError>([&] { read_vtu(text.path); }) == text.path.string() + unreadable);
  const std::string whole = grid("0 1 2 3", "4", "10", 1);
  const File half(whole.substr(0, whole.size() / 2));
  CHECK(message_of<InputError>([&] { read_vtu(half.path); }) == half.path.string() + unreadable);
}

TEST_CASE("a .vtu file whose cells cannot be is refused: VTK itself would read what is not there") {
  const auto fault = [](const std::string& text) {
    const File file(text);
    const std::string message = message_of<InputError>([&] { read_vtu(file.path); });
    return message.substr(std::min(message.size(), file.path.string().size() + 2));
  };
  for (const char* far : {"100000000000", "5", "-1"})
    CHECK(fault(grid(std::string("0 1 2 ") + far, "4", "10", 1)) ==
          fmt::format("connectivity 3 is point {}; there are 5. The file is damaged; write it anew.",
                      std::strtod(far, nullptr)));
  CHECK(fault(grid("0 1 2 3", "0 4", "10 10", 2)) ==
        "cell 0 has 0 points; a tetrahedron of its order has 4. The file is damaged; write it anew.");
  CHECK(fault(grid("0 1 2 3 1 2 3 4", "4 100", "10 10", 2)) ==
        "is no unstructured grid that VTK can read, or is not complete. Write it anew.");  // VTK sees this itself
  CHECK(fault(grid("0 1 2 3", "4", "24", 1)) ==
        "cell 0 has 4 points; a tetrahedron of its order has 10. The file is damaged; write it anew.");
  std::string huge = grid("0 1 2 3", "4", "10", 1);
  huge.replace(huge.find("NumberOfPoints=\"5\""), 18, "NumberOfPoints=\"2000000000000\"");
  CHECK(fault(huge) == "is no unstructured grid that VTK can read, or is not complete. Write it anew.");
}
