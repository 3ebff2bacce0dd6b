#pragma once
/// \file Bonded tetrahedra as the solid they make up: its outside and its cracks, and its fragments.

#include <vtkSmartPointer.h>

#include <optional>
#include <string_view>

class vtkPolyData;

namespace scree::render {

/// The column with the number of the fragment that a face belongs to. Pictures give each fragment a colour of its own.
inline constexpr std::string_view kFragment = "fragment";

/// The faces of a solid in two parts, with the data of both.
struct SolidParts {
  vtkSmartPointer<vtkPolyData> outside;  ///< faces that were seen from the start
  vtkSmartPointer<vtkPolyData> cracks;   ///< faces that were inside
};

/// Parts the faces by the cell array `crack`. \return nothing where there is none
std::optional<SolidParts> solid_parts(vtkPolyData& surface);

/// Adds a cell array with a number from 0 to 1 for each fragment, the same in all frames; fragments of neighbouring
/// numbers have distant ones.
void add_fragment_shades(vtkPolyData& surface, const char* name);

}  // namespace scree::render
