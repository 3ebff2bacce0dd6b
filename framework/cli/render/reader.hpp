#pragma once
/// \file Frames of a run, as pictures need them.

#include <vtkSmartPointer.h>

#include <optional>
#include <string>
#include <vector>

#include "request.hpp"
#include "result.hpp"

namespace scree::render {

/// Returns the frames to draw. \throws InputError, IoError
std::vector<FrameFile> chosen_frames(const Request& request);

/// Reads frames of related series.
class Reader {
 public:
  /// \throws IoError  if a series that was asked for is missing
  explicit Reader(const Request& request);
  /// \throws InputError  if there is no such column for colours
  Subject read(const FrameFile& frame) const;
  /// Reads a frame with data that only the picture needs.
  Subject read_all(const FrameFile& frame) const;

 private:
  void check_column(const Subject& subject) const;
  std::vector<FrameFile> series_or_error(const std::string& name, const std::string& remedy) const;
  vtkSmartPointer<vtkPolyData> stored(std::uint64_t frame) const;

  std::filesystem::path out_;
  bool solid_;
  std::optional<std::string> colour_;
  std::optional<Cut> cut_;
  std::vector<FrameFile> walls_, contacts_, stored_, interface_, rods_, grains_;
};

}  // namespace scree::render
