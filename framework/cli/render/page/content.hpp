#pragma once
/// \file Content of a page, from a run's frames.

#include <vtkBoundingBox.h>
#include <vtkSmartPointer.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "page/columns.hpp"
#include "page/layers.hpp"
#include "page/parts.hpp"
#include "page/series.hpp"
#include "page/shapes.hpp"
#include "result.hpp"

namespace scree::render {

/// Surface of a frame: corners and cells change, triangles mostly stay.
class PageSurface {
 public:
  explicit PageSurface(double steps) : corners_(steps), cells_(steps) {}
  /// \param surface  may be null
  void add(vtkPolyData* surface, std::size_t frame, Parts& parts);
  nlohmann::json told(Parts& parts);

 private:
  Series corners_, cells_;
  Topology last_;
  nlohmann::json topologies_ = nlohmann::json::array();
};

/// Tells of all frames what a page draws.
class Content {
 public:
  /// \param out     output folder of the run
  /// \param steps   number of steps of values, see encode()
  Content(const std::filesystem::path& out, double steps);

  /// Reads a frame and adds it. \throws IoError
  void add(const FrameFile& frame);
  /// Returns what the page is told, without its title and curves. \throws InputError if there is no such column
  nlohmann::json told(const std::optional<std::string>& colour);
  Parts& parts() { return parts_; }

 private:
  void add_box(vtkBoundingBox& box, vtkPolyData* data, double more = 0) const;

  std::filesystem::path out_;
  std::vector<FrameFile> points_, walls_, contacts_, rods_, solids_;
  Parts parts_;
  PageShapes shapes_;
  Series bodies_, of_contacts_, of_rods_;
  PageSurface surface_, solid_, of_walls_;
  ColumnInfos columns_;
  vtkBoundingBox box_, walls_box_;
  nlohmann::json frames_ = nlohmann::json::array();
};

}  // namespace scree::render
