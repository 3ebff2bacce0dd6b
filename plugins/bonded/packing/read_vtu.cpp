#include "packing/read_vtu.hpp"

#include <fmt/format.h>
#include <vtkCell.h>
#include <vtkCellArray.h>
#include <vtkCellTypes.h>
#include <vtkCommand.h>
#include <vtkExecutive.h>
#include <vtkGenericCell.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <cstdlib>
#include <fstream>

#include "scree/base/error.hpp"

namespace scree::bonded {

namespace {

/// Keeps what VTK has to complain about, which it would print.
class Complaints final : public vtkCommand {
 public:
  static Complaints* New() { return new Complaints; }
  void Execute(vtkObject*, unsigned long, void*) override { any = true; }
  bool any = false;
};

/// VTK allocates what a file claims to hold. The claims stand in attributes of text; a number takes a byte, or a
/// thousandth of one where the file is compressed.
bool claims_fit(const std::filesystem::path& file) {
  constexpr double kMostPacked = 1032;
  const double most = kMostPacked * static_cast<double>(std::filesystem::file_size(file));
  std::ifstream in(file, std::ios::binary);
  std::string text, part(1 << 20, '\0');
  while (in) {
    in.read(part.data(), static_cast<std::streamsize>(part.size()));
    text.append(part, 0, static_cast<std::size_t>(in.gcount()));
    for (std::size_t at = 0; (at = text.find("NumberOf", at)) != std::string::npos; ++at)
      if (const std::size_t digits = text.find_first_of("0123456789", at);
          digits < at + 32 && !(std::strtod(text.c_str() + digits, nullptr) <= most))
        return false;
    text.erase(0, text.size() - std::min<std::size_t>(text.size(), 64));  // what may go on in the next part
  }
  return true;
}

vtkSmartPointer<vtkUnstructuredGrid> read_grid(const std::filesystem::path& file) {
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  vtkNew<Complaints> complaints;
  reader->AddObserver(vtkCommand::ErrorEvent, complaints);
  reader->GetExecutive()->AddObserver(vtkCommand::ErrorEvent, complaints);
  reader->SetFileName(file.c_str());
  bool readable = false;
  try {
    readable = claims_fit(file) && reader->CanReadFile(file.c_str()) != 0;
    if (readable) {
      reader->SetReaderErrorObserver(complaints);
      reader->SetParserErrorObserver(complaints);
      reader->Update();
    }
  } catch (const std::exception&) {  // of a size that the file makes up
    readable = false;
  }
  if (!readable || complaints->any)
    throw InputError(fmt::format("{}: is no unstructured grid that VTK can read, or is not complete. Write it anew.",
                                 file.string()));
  return reader->GetOutput();
}

[[noreturn]] void fail(const std::string& file, vtkIdType cell, const std::string& what) {
  throw InputError(fmt::format("{}: cell {} {} The file is damaged; write it anew.", file, cell, what));
}

/// VTK reads what the file says and checks nothing: offsets and points of cells are looked at before a cell is.
void check_cells(const std::string& file, vtkUnstructuredGrid& grid) {
  const vtkIdType count = grid.GetNumberOfCells(), points = grid.GetNumberOfPoints();
  if (count == 0) return;
  vtkDataArray* const offsets = grid.GetCells()->GetOffsetsArray();
  vtkDataArray* const connectivity = grid.GetCells()->GetConnectivityArray();
  if (!grid.GetCellTypesArray() || grid.GetCellTypesArray()->GetNumberOfValues() < count ||
      offsets->GetNumberOfTuples() != count + 1 || offsets->GetComponent(0, 0) != 0)
    fail(file, 0, "has no kind or no place among the points of cells.");
  const auto end = [&](vtkIdType i) { return offsets->GetComponent(i + 1, 0); };
  for (vtkIdType i = 0; i < count; ++i) {
    const double size = end(i) - offsets->GetComponent(i, 0);
    if (!(size >= 0) || end(i) > static_cast<double>(connectivity->GetNumberOfTuples()))
      fail(file, i, "ends before it begins, or behind the last point of all cells.");
    const int kind = grid.GetCellType(i), least = kind == VTK_TETRA ? 4 : kind == VTK_QUADRATIC_TETRA ? 10 : 0;
    if (size < least) fail(file, i, fmt::format("has {} points; a tetrahedron of its order has {}.", size, least));
  }
  for (vtkIdType k = 0; k < connectivity->GetNumberOfTuples(); ++k)
    if (const double p = connectivity->GetComponent(k, 0); !(p >= 0 && p < static_cast<double>(points)))
      throw InputError(fmt::format("{}: connectivity {} is point {}; there are {}. The file is damaged; write it anew.",
                                   file, k, p, points));
}

/// Dimension of a kind of cell: 3 for a volume.
int dimension_of(int kind) {
  const vtkSmartPointer<vtkCell> cell = vtkSmartPointer<vtkCell>::Take(vtkGenericCell::InstantiateCell(kind));
  return cell ? cell->GetCellDimension() : 3;
}

}  // namespace

NamedMesh read_vtu(const std::filesystem::path& file) {
  const auto grid = read_grid(file);
  NamedMesh out;
  out.file = file.string();
  check_cells(out.file, *grid);
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) out.mesh.vertex.emplace_back(Vec3(grid->GetPoint(i)));
  std::size_t second_order = 0;
  vtkNew<vtkIdList> points;
  for (vtkIdType i = 0; i < grid->GetNumberOfCells(); ++i) {
    const int type = grid->GetCellType(i);
    if (type != VTK_TETRA && type != VTK_QUADRATIC_TETRA) {
      if (dimension_of(type) < 3) continue;
      const char* const name = vtkCellTypes::GetClassNameFromTypeId(type);
      throw InputError(
          fmt::format("{}: cell {} is a {}; bonded elements are made of tetrahedra of first or second order. "
                      "Mesh with tetrahedra.",
                      out.file, i, name ? name : "cell of an unknown kind"));
    }
    second_order += type == VTK_QUADRATIC_TETRA;
    grid->GetCellPoints(i, points);
    Tetrahedron& t = out.mesh.tetrahedron.emplace_back();
    for (std::size_t k = 0; k < 4; ++k) t[k] = static_cast<std::uint32_t>(points->GetId(static_cast<vtkIdType>(k)));
    out.label.push_back(static_cast<std::uint64_t>(i));
  }
  if (second_order > 0) out.notes.push_back(second_order_note(out.file, second_order));
  return out;
}

}  // namespace scree::bonded
