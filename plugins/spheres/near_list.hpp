#pragma once
/// \file The pairs of spheres that may touch before the pair list is rebuilt, kept in a chunk's cache, and which of
/// them are still all there is.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/detect/pair.hpp"
#include "sphere_tile.hpp"

namespace scree::spheres {

/// Pairs of spheres as columns, in order of the bodies' pairs.
struct SpherePairColumns {
  std::vector<std::uint32_t> pair, a, b;  ///< index of the bodies' pair; the two spheres, as numbered in SphereTile
  std::size_t size = 0;

  void reserve(std::size_t n);
};

/// Adds the pairs of spheres of one pair of bodies whose gap is below `reach` [m]. Only spheres that reach into the
/// other body's bounding sphere are tested.
/// \param exact  true to leave out pairs beyond the reach. Otherwise some may be included, for callers that decide by a
///               test of their own
void add_near(const SphereTile& tile, const BodyView& bodies, const Pair& pair, std::uint32_t index, double reach_a,
              double reach_b, double reach, bool exact, SpherePairColumns& to);

/// A chunk's list of sphere pairs, read from its cache. It is complete for two bodies as long as no point of theirs has
/// come closer to the other body than the slack it was made with: a body's points have moved by its centre's way plus
/// its reach times twice the change of its quaternion at most (a chord is 2 sin(angle/2) = 4 sin(angle/4) cos(angle/4),
/// the change of the quaternion 2 sin(angle/4)).
class NearList {
 public:
  /// Makes the list of all pairs of the chunk, for this slack [m] beyond the margin [m].
  static void make(const SphereTile& tile, const BodyView& bodies, std::span<const Pair> pairs, double slack,
                   double margin, PairCache& cache);
  /// \return an empty list where none was made
  NearList(PairCache& cache, std::size_t bodies);

  bool made() const { return header_->bodies > 0; }
  double slack() const { return header_->slack; }
  /// Returns how far points of a body may have moved since the list was made [m].
  double moved(const BodyRow& body, std::size_t row, double reach) const;
  std::size_t size() const { return header_->size; }
  const std::uint32_t *pair = nullptr, *a = nullptr, *b = nullptr;  ///< (size)

 private:
  struct Header {
    std::uint64_t bodies, size;
    double slack;
  };
  struct Reference {
    double position[3], orientation[4];
  };
  static std::size_t words(std::size_t bodies, std::size_t size);

  const Header* header_;
  const Reference* reference_;
};

}  // namespace scree::spheres
