#include "packing/read_vtu.hpp"

#include <fmt/format.h>
#include <vtkCell.h>
#include <vtkCommand.h>
#include <vtkExecutive.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

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

vtkSmartPointer<vtkUnstructuredGrid> read_grid(const std::filesystem::path& file) {
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  vtkNew<Complaints> complaints;
  reader->AddObserver(vtkCommand::ErrorEvent, complaints);
  reader->GetExecutive()->AddObserver(vtkCommand::ErrorEvent, complaints);
  reader->SetFileName(file.c_str());
  const bool readable = reader->CanReadFile(file.c_str()) != 0;
  if (readable) {
    reader->SetReaderErrorObserver(complaints);
    reader->SetParserErrorObserver(complaints);
    reader->Update();
  }
  if (!readable || complaints->any)
    throw InputError(fmt::format("{}: is no unstructured grid that VTK can read, or is not complete. Write it anew.",
                                 file.string()));
  return reader->GetOutput();
}

}  // namespace

NamedMesh read_vtu(const std::filesystem::path& file) {
  const auto grid = read_grid(file);
  NamedMesh out;
  out.file = file.string();
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) out.mesh.vertex.emplace_back(Vec3(grid->GetPoint(i)));
  std::size_t second_order = 0;
  vtkNew<vtkIdList> points;
  for (vtkIdType i = 0; i < grid->GetNumberOfCells(); ++i) {
    const int type = grid->GetCellType(i);
    if (type != VTK_TETRA && type != VTK_QUADRATIC_TETRA) {
      if (grid->GetCell(i)->GetCellDimension() < 3) continue;
      throw InputError(
          fmt::format("{}: cell {} is a {}; bonded elements are made of tetrahedra of first or second order. "
                      "Mesh with tetrahedra.",
                      out.file, i, grid->GetCell(i)->GetClassName()));
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
