#pragma once
/// \file A time series on disk: NAME.pvd, which lists NAME/NAME_000000.vtp, .vtu or .vti, and so on.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vtk_files/data_file.hpp"

namespace scree::vtk {

/// The .pvd file is rewritten whole after each frame, so that it lists complete files only.
class FrameList {
 public:
  /// \param folder  the run's output folder  \param ending  of the files: vtp for polygons, vtu for cells, vti for
  /// images
  FrameList(std::filesystem::path folder, std::string name, std::string ending = "vtp");

  /// Forgets and deletes the frames that an earlier run listed in this folder; files that are not listed stay.
  void start_anew();
  /// Keeps the frames before `first_frame`, as listed; forgets and deletes the others.
  void resume(std::uint64_t first_frame);
  /// \param time [s]
  /// \throws IoError
  template <class Data>
  void add(std::uint64_t frame, double time, Data& data) {
    write_file(folder_ / frame_file(frame), data);
    list(frame, time);
  }
  bool empty() const { return entries_.empty(); }
  /// Whether an earlier run listed frames in this folder that are still there.
  bool was_there() const { return !read_list().empty(); }

 private:
  struct Entry {
    std::uint64_t frame;
    std::string time;  ///< as written, so that a resumed list keeps its digits
  };
  std::string frame_file(std::uint64_t frame) const;
  /// The frame whose file has this name within the folder; none for names that frame_file() does not give.
  std::optional<std::uint64_t> frame_of(std::string_view file) const;
  void list(std::uint64_t frame, double time);
  std::vector<Entry> read_list() const;
  void write_list() const;
  void delete_frames(const std::vector<Entry>& gone) const;

  std::filesystem::path folder_;
  std::string name_, ending_;
  std::vector<Entry> entries_;
};

}  // namespace scree::vtk
