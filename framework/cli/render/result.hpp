#pragma once
/// \file What a run left in its output folder, as far as pictures need it.

#include <vtkSmartPointer.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cut.hpp"

class vtkPolyData;

namespace scree::render {

/// One frame of a series.
struct FrameFile {
  std::uint64_t frame;
  double time;  ///< [s]
  std::filesystem::path file;
};

/// The frames NAME.pvd lists; none when there is no such list.
/// \throws IoError
std::vector<FrameFile> read_series(const std::filesystem::path& out, const std::string& name);

/// \throws IoError  naming the file, also when it is damaged
vtkSmartPointer<vtkPolyData> read_data(const std::filesystem::path& file);

/// Cells with their data in place: surfaces as they are; glyphs (one point per particle) are given their shape's
/// outline from OUT/shapes. Where there are no outlines, a point with a `radius` becomes a ball.
/// \param cut  where the picture is cut open, if at all
/// \param column  what is to be shown of them
/// \throws IoError; InputError where particles have no such column
vtkSmartPointer<vtkPolyData> read_particles(const std::filesystem::path& out, const FrameFile& frame,
                                            const std::optional<Cut>& cut, const std::string& column);

/// The walls without those of entries of the scene whose bodies the solid shows: parts of it that are held.
/// \param walls  may be null, and then is the result
vtkSmartPointer<vtkPolyData> without_bodies_of(vtkPolyData& solid, vtkSmartPointer<vtkPolyData> walls);

}  // namespace scree::render
