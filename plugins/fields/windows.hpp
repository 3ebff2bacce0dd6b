#pragma once
/// \file Windows of time that moments are averaged over.

#include <cstdint>
#include <optional>

#include "scree/scene/options.hpp"

namespace scree::fields {

/// Windows that follow each other from `start`: (start, start + window], and so on; or one of all moments from `start`
/// on.
class Windows {
 public:
  /// \param options  options of the observer; averages are wanted if they have `average`
  explicit Windows(const Options& options);

  bool wanted() const { return wanted_; }
  /// Checks whether all moments belong to one window.
  bool endless() const { return window_ == 0; }
  double start() const { return start_; }
  double length() const { return window_; }
  /// Returns the number of the window of a time [s]; none before the first.
  std::optional<std::uint64_t> at(double time) const;
  /// Returns the number of windows that begin before a time [s].
  double count_until(double time) const {
    const auto last = at(time);
    return last ? static_cast<double>(*last) + 1 : 0;
  }
  /// Returns the end of a window [s]. \pre !endless()
  double end(std::uint64_t window) const { return start_ + static_cast<double>(window + 1) * window_; }
  /// Checks whether a window ends at this time [s].
  bool ends_at(std::uint64_t window, double time) const;

 private:
  bool wanted_;
  double start_ = 0, window_ = 0;  ///< [s]
  double tolerance_ = 0;           ///< times this near to the end of a window are the end [s]
};

}  // namespace scree::fields
