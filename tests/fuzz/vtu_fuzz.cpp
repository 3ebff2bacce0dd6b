// Unstructured grids of VTK. The reader wants a file.
#include <fstream>

#include "packing/read_mesh.hpp"
#include "scree/base/error.hpp"
#include "target.hpp"
#include "temporary_folder.hpp"

std::vector<std::string> fuzz_seeds() {
  const std::string head =
      "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\"><UnstructuredGrid>\n";
  const std::string points =
      "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n0 0 0 1 0 0\n0 1 0 0 0 1\n1 1 "
      "1\n"
      "</DataArray></Points>\n";
  const auto array = [](const std::string& type, const std::string& name, const std::string& values) {
    return "<DataArray type=\"" + type + "\" Name=\"" + name + "\" format=\"ascii\">\n" + values + "\n</DataArray>\n";
  };
  return {head + "<Piece NumberOfPoints=\"5\" NumberOfCells=\"3\">" + points + "<Cells>" +
          array("Int64", "connectivity", "0 1 2 0 1 2 3\n1 2 3 4") + array("Int64", "offsets", "3 7 11") +
          array("UInt8", "types", "5 10 10") + "</Cells></Piece></UnstructuredGrid></VTKFile>\n"};
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const scree::test::TemporaryFolder folder;
  const auto file = folder / "beam.vtu";
  std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    scree::bonded::read_mesh({file, 1, {}});
  } catch (const scree::InputError&) {
  }
  return 0;
}
