#pragma once
/// \file One .vtp, .vtu or .vti file: inline, compressed, complete or not there.

#include <filesystem>

class vtkImageData;
class vtkPolyData;
class vtkUnstructuredGrid;

namespace scree::vtk {

/// Writes inline binary (ParaView 5.11 with Debian's expat reads no points from appended data), compressed by zlib.
/// \throws IoError
void write_file(const std::filesystem::path& file, vtkPolyData& data);
void write_file(const std::filesystem::path& file, vtkUnstructuredGrid& data);
void write_file(const std::filesystem::path& file, vtkImageData& data);

}  // namespace scree::vtk
