#pragma once
/// \file A meter's file: a row per call, or several.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/hooks/hook.hpp"
#include "scree/output/metrics.hpp"

namespace scree::meters {

/// Puts more columns, or values of them, behind those of a row.
template <typename T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// <name>.csv in the run's output folder. The first column is the time; a resumed run goes on where it stopped.
class Series {
 public:
  /// \throws OptionError for a name that is none of a file
  explicit Series(const std::string& name);

  std::string file() const { return file_; }
  void open(const std::string& directory) { folder_ = directory; }
  void resume() { continued_ = true; }
  /// Appends rows of this time.
  /// \param columns  after the time, the same in every call  \param values  (rows, columns)
  void add(const Frame& frame, const std::vector<std::string>& columns, std::span<const double> values);

 private:
  void begin_table(const std::vector<std::string>& columns, double time);

  std::string file_;
  std::filesystem::path folder_;
  std::optional<MetricsWriter> table_;
  std::vector<std::size_t> places_;  ///< places of time and values in a row of the file
  bool continued_ = false;
};

}  // namespace scree::meters
