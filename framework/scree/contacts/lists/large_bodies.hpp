#pragma once
/// \file Bodies much larger than most, and who is near them.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/contacts/body_poses.hpp"
#include "scree/grid/periodic_pairs.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Whether forces move the body: it moves freely, or rides on a body that does.
SCREE_API bool may_move(const World& world, std::uint32_t row);

/// The large bodies of a World: those without bound, and those whose bounding radius exceeds a multiple of that of the
/// moving bodies (see large_bodies.cpp). Grids of cells are made for the others. Which bodies are near a large one
/// is found by its distance field where its shape offers ExactDistance/1, else by its bounding sphere. Most bodies
/// within the bounding sphere of a long box are far from the box.
///
/// Holds rows as they were when it was made, or last reordered.
class SCREE_API LargeBodies {
 public:
  /// (smaller, large) -> the gap [m] up to which the pair is wanted; negative: not at all. Several threads ask at once.
  using Reach = std::function<double(std::uint32_t, std::uint32_t)>;
  /// A large body for which it matters how it has turned.
  struct Turning {
    std::uint32_t row;
    double reach;  ///< how far its surface goes when it turns by one radian, at most [m]; see bound_reaches()
    bool endless;  ///< its shape alone sets no limit to that
  };

  LargeBodies() = default;
  /// \param alone  Methods::alone: those bodies count as if they were not there
  explicit LargeBodies(const World& world, std::span<const std::uint8_t> alone = {});
  /// The same bodies after World::reorder().
  void reordered(const World& world);

  /// Distances from a body that turns change by its angle times how far away one stands, at most. So what its endless
  /// surface does beyond the farthest body is of no account: that is its reach from now on.
  /// \param position  of all bodies when lists are made [m]
  void bound_reaches(const World& world, std::span<const Vec3> position);

  /// From the smallest to those without bound; equal ones by id.
  const std::vector<std::uint32_t>& rows() const { return rows_; }
  /// All other bodies that can touch one, which have a radius above 0, in the order of rows.
  const std::vector<std::uint32_t>& others() const { return others_; }
  /// The largest radius of these [m]; where there are none, that of bodies that meet nobody; else 0.
  double largest_other() const { return largest_other_; }
  /// Those that turn, freely or as prescribed.
  const std::vector<Turning>& turning() const { return turning_; }

  /// Pairs (i, j) of a body i and a large body j that come within reach: j is larger than i, its image is seen from i,
  /// and i counts as its bounding sphere. Every pair and image once; no two bodies without bound. Bodies of finite size
  /// repeat with the cell, those without bound do not. Does not depend on the number of threads.
  /// \param others    those that are not large and whose pairs are wanted, ascending
  /// \param farthest  the largest value of reach [m]
  std::vector<ImagePair> pairs(const World& world, const BodyPoses& poses, std::span<const std::uint32_t> others,
                               const Reach& reach, double farthest) const;

 private:
  class Body;   ///< one large body as it lies
  class Block;  ///< some of the others, in consecutive rows

  std::vector<std::uint8_t> alone_;  ///< by material
  std::vector<std::uint32_t> rows_, others_;
  std::vector<Turning> turning_;
  double common_radius_ = 0;  ///< bodies up to this are not large [m]
  double largest_other_ = 0;
};

}  // namespace scree
