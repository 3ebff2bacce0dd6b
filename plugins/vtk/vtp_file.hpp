#pragma once
/// \file One .vtp file: inline, compressed, complete or not there.

#include <filesystem>

class vtkPolyData;

namespace scree::vtk {

/// Writes inline binary (ParaView 5.11 with Debian's expat reads no points from appended data), LZ4 level 1.
/// \throws IoError
void write_vtp(const std::filesystem::path& file, vtkPolyData& data);

}  // namespace scree::vtk
