#pragma once
/// \file A time series of surfaces with values per triangle, for ParaView: NAME.pvd lists NAME/NAME_000000.vtp and so
/// on.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "scree/base/types.hpp"

namespace scree::mesh {

/// Values of cells: `components` numbers per triangle.
struct CellValues {
  std::string name;
  int components;
  std::vector<double> values;
};

/// Returns the text of a .vtp file: polygons of three corners with values, as inline base64.
std::string surface_text(std::span<const Vec3> points, std::span<const std::uint32_t> corners,
                         std::span<const CellValues> values);

class SurfaceSeries {
 public:
  struct Entry {
    std::uint64_t frame;
    double time;  ///< [s]
  };
  explicit SurfaceSeries(std::string name) : name_(std::move(name)) {}

  std::vector<std::string> files() const { return {name_, name_ + ".pvd"}; }
  /// Removes files that an earlier run listed there, but for those of entries(). \throws IoError
  void open(const std::string& directory);
  /// Writes a file and lists it. \throws IoError
  void add(std::uint64_t frame, double time, const std::string& text);
  /// Files that are listed, for checkpoints.
  const std::vector<Entry>& entries() const { return entries_; }
  void set_entries(std::vector<Entry> entries) { entries_ = std::move(entries); }
  /// Drops what is listed from this frame on.
  void resume(std::uint64_t first_frame);

 private:
  void write_list() const;
  void remove_frame(std::uint64_t frame) const;

  std::string name_;
  std::filesystem::path folder_;
  std::vector<Entry> entries_;
};

}  // namespace scree::mesh
