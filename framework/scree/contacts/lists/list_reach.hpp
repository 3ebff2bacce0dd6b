#pragma once
/// \file Verlet skin with gaps of each body: how far bodies may move before pair lists end.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Name of the column of h - s/2 [m]; it exists once a body has been given more.
inline constexpr const char* kListReach = "list_reach";

/// Gap h of each body: the distance that it may move before the pair lists end.
///
/// Verlet's lists hold all pairs whose gap is at most the range of their law plus a skin s. They are valid until some
/// body has moved s/2, since two bodies can then have closed the skin. One fast body ends them for all, again and
/// again. Here each body i has a gap h_i of its own:
///
///   (  i  )|<-- h_i -->|<-- range of the law -->|<-- h_j -->|(  j  )
///
/// A pair is listed if its surfaces are nearer than range + h_i + h_j. Lists are valid while every body has moved at
/// most its own h. An unlisted pair then cannot have come within the range of its law. Most bodies have h = s/2, the
/// few fast ones have more.
///
/// Displacements are compared squared, with one limit for all: d^2 (s/2/h)^2 against (s/2)^2. So the check reads one
/// weight per row, and none if all are 1.
///
/// Alternatives:
/// - A wider skin for all bodies: the number of candidates of every body grows with the square or cube of its reach, on
///   account of a few.
/// - Rebuild more often: right if most bodies are fast. choose() leaves all bodies at s/2 if more would not pay.
/// - h from a body's speed without limit: a very fast body would list most of the World. choose() limits the further
///   candidates of all fast bodies together.
/// - Predicted positions instead of gaps: ExpectedPaths does this for slender bodies and integrators that look ahead.
///
/// h changes only at a rebuild. The column kListReach keeps h - s/2, so that a resumed run makes the same lists.
class SCREE_API ListReach {
 public:
  /// Input of choose().
  struct Choice {
    std::span<const std::uint32_t> rows;  ///< bodies that may go farther
    double skin;                          ///< s [m]
    double largest;                       ///< largest h of a body, as in a periodic cell [m]
    double dt;                            ///< size of the next steps [s]; 0: all bodies get s/2
  };
  /// Chooses h for bodies as they move now. Fast ones get h = v T, up to 64 s/2. T is the longest time up to 64 dt for
  /// which all of them together have about 1500 more candidates. All get s/2 if more would not double the life of
  /// lists. Bodies that need more than 64 steps for s/2 do not take part.
  void choose(World& world, const Choice& choice);
  /// Restores h of the lists of a saved run. \param skin  skin of these lists [m]
  void restore(World& world, double skin);

  /// Values of h - s/2 by row [m]; empty if 0 for all.
  std::span<const double> beyond() const { return beyond_; }
  double beyond(std::uint32_t row) const { return beyond_.empty() ? 0 : beyond_[row]; }
  /// Weights (s/2/h)^2 by row: a squared displacement times its weight compares with (s/2)^2. Empty if 1 for all.
  std::span<const double> weight() const { return weight_; }
  double largest_beyond() const { return largest_; }  ///< [m]

 private:
  void note(std::span<const double> beyond, double skin);

  std::vector<double> beyond_, weight_;
  double largest_ = 0;
};

}  // namespace scree
