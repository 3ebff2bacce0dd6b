#pragma once
/// \file How far each body may go before lists of pairs end.
///
/// Lists that hold all pairs within a skin s end when a body has gone s/2. One fast body would end them for all, again
/// and again. So the few that are fast may go farther, and their pairs are listed up to a larger distance: a pair of i
/// and j up to h_i + h_j, where h = s/2 for most. Lists hold until a body has gone its own h.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Name of the column of h - s/2 [m]; there once a body has gone farther.
inline constexpr const char* kListReach = "list_reach";

class SCREE_API ListReach {
 public:
  /// What is chosen from.
  struct Choice {
    std::span<const std::uint32_t> rows;  ///< bodies that may go farther
    double skin;                          ///< s [m]
    double largest;                       ///< h that a body may have at most, as in a periodic cell [m]
    double dt;                            ///< of steps to come [s]; 0: nobody goes farther
  };
  /// For bodies as they move now. Fast ones get h = v T, up to 64 s/2, with the longest time T up to 64 dt for which
  /// all of them together have about 1500 more candidates. Nobody gets more where that would not double the life of
  /// lists. Bodies that need more than 64 steps for s/2 have no part in this.
  void choose(World& world, const Choice& choice);
  /// As chosen for the lists of a saved run. \param skin  of these [m]
  void restore(World& world, double skin);

  /// h - s/2 by row [m]; empty where it is 0 for all.
  std::span<const double> beyond() const { return beyond_; }
  double beyond(std::uint32_t row) const { return beyond_.empty() ? 0 : beyond_[row]; }
  /// (s/2/h)^2 by row: squared ways times that compare with (s/2)^2. Empty where it is 1 for all.
  std::span<const double> weight() const { return weight_; }
  double largest_beyond() const { return largest_; }  ///< [m]

 private:
  void note(std::span<const double> beyond, double skin);

  std::vector<double> beyond_, weight_;
  double largest_ = 0;
};

}  // namespace scree
