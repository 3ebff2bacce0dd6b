#pragma once
/// \file Results in a run's output folder, as far as pictures need them.

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

/// Returns the frames that NAME.pvd lists; none if there is no such list.
/// \throws IoError
std::vector<FrameFile> read_series(const std::filesystem::path& out, const std::string& name);

/// Reads a file. \throws IoError  naming the file, also if it is damaged
vtkSmartPointer<vtkPolyData> read_data(const std::filesystem::path& file);

/// Reads the same frame of another series; null if the series lacks it.
/// \throws IoError
vtkSmartPointer<vtkPolyData> read_same_frame(const std::vector<FrameFile>& series, std::uint64_t frame);

/// Reads cells with their data in place. Surfaces stay as they are; glyphs (one point per particle) get their shape's
/// outline from OUT/shapes. Without outlines, a point with a `radius` becomes a ball.
/// \param cut     plane of the cut, if there is one
/// \param hidden  ids of bodies that are left out
/// \throws IoError
vtkSmartPointer<vtkPolyData> read_particles(const std::filesystem::path& out, const FrameFile& frame,
                                            const std::optional<Cut>& cut, const std::set<double>& hidden = {});

/// Returns the names of columns for colours: arrays of one number per cell or point.
std::vector<std::string> columns_of(vtkDataSetAttributes& data);

/// Returns the ids of the bodies that lines of rods show.
std::set<double> bodies_of(vtkPolyData& rods);

/// Returns the bodies except some. \param bodies  points or cells with `id`; may be null, and then is the result
vtkSmartPointer<vtkPolyData> without_bodies(vtkSmartPointer<vtkPolyData> bodies, const std::set<double>& hidden);

/// Returns the walls without entries of the scene whose bodies are held parts of the solid.
/// \param walls  may be null, and then is the result
vtkSmartPointer<vtkPolyData> without_bodies_of(vtkPolyData& solid, vtkSmartPointer<vtkPolyData> walls);

}  // namespace scree::render
