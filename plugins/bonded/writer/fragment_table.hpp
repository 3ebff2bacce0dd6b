#pragma once
/// \file fragments.csv: the fragments of each frame, the heaviest first.

#include <filesystem>
#include <optional>

#include "scree/output/metrics.hpp"
#include "writer/solid_frame.hpp"

namespace scree::bonded {

class FragmentTable {
 public:
  explicit FragmentTable(std::filesystem::path file) : file_(std::move(file)) {}

  /// Keeps what an earlier run wrote of times before that of the first frame added here.
  void continue_earlier() { continues_ = true; }
  /// One row per fragment: its name (the smallest id in it), bodies, mass [kg].
  /// \throws IoError
  void add(double time, const SolidFrame& solid, const Pieces& pieces);

 private:
  std::filesystem::path file_;
  bool continues_ = false;
  std::optional<MetricsWriter> table_;
};

}  // namespace scree::bonded
