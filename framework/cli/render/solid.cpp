#include "solid.hpp"

#include <vtkCellData.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPolyData.h>

#include <cmath>

#include "chosen.hpp"

namespace scree::render {

std::optional<SolidParts> solid_parts(vtkPolyData& surface) {
  vtkDataArray* const crack = surface.GetCellData()->GetArray("crack");
  if (crack == nullptr) return std::nullopt;
  const auto inside = [&](vtkIdType cell) { return crack->GetTuple1(cell) != 0; };
  return SolidParts{chosen_cells(surface, [&](vtkIdType cell) { return !inside(cell); }),
                    chosen_cells(surface, inside)};
}

void add_fragment_shades(vtkPolyData& surface, const char* name) {
  vtkDataArray* const fragment = surface.GetCellData()->GetArray(kFragment.data());
  if (fragment == nullptr) return;
  constexpr double golden = 0.6180339887498949;
  vtkNew<vtkFloatArray> shades;
  shades->SetName(name);
  for (vtkIdType cell = 0; cell < surface.GetNumberOfCells(); ++cell)
    shades->InsertNextValue(static_cast<float>(std::fmod(golden * fragment->GetTuple1(cell), 1.0)));
  surface.GetCellData()->AddArray(shades);
}

}  // namespace scree::render
