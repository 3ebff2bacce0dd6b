#pragma once
/// \file What a run left in its output folder, as far as pictures need it.

#include <vtkSmartPointer.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cut.hpp"

class vtkDataSetAttributes;
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

/// That frame of another series; null where the series lacks it.
/// \throws IoError
vtkSmartPointer<vtkPolyData> read_same_frame(const std::vector<FrameFile>& series, std::uint64_t frame);

/// Cells with their data in place: surfaces as they are; glyphs (one point per particle) are given their shape's
/// outline from OUT/shapes. Where there are no outlines, a point with a `radius` becomes a ball.
/// \param cut     where the picture is cut open, if at all
/// \param hidden  ids of bodies that are left out
/// \throws IoError
vtkSmartPointer<vtkPolyData> read_particles(const std::filesystem::path& out, const FrameFile& frame,
                                            const std::optional<Cut>& cut, const std::set<double>& hidden = {});

/// Names of what pictures may colour by: arrays of one number per cell or point.
std::vector<std::string> columns_of(vtkDataSetAttributes& data);

/// Ids of the bodies that lines of rods show.
std::set<double> bodies_of(vtkPolyData& rods);

/// \param bodies  points or cells with `id`; may be null, and then is the result
vtkSmartPointer<vtkPolyData> without_bodies(vtkSmartPointer<vtkPolyData> bodies, const std::set<double>& hidden);

/// The walls without those of entries of the scene whose bodies the solid shows: parts of it that are held.
/// \param walls  may be null, and then is the result
vtkSmartPointer<vtkPolyData> without_bodies_of(vtkPolyData& solid, vtkSmartPointer<vtkPolyData> walls);

}  // namespace scree::render
