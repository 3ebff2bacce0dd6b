#pragma once
/// \file Bodies much larger than most, and their neighbours.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/contacts/body_poses.hpp"
#include "scree/grid/periodic_pairs.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Checks whether forces move the body: it moves freely, or is a member of a body that does.
SCREE_API bool may_move(const World& world, std::uint32_t row);

/// Large bodies of a World: those without bound, and those whose bounding radius exceeds a multiple of the radius of
/// moving bodies (see large_bodies.cpp). Grids of cells are made for the others. Neighbours of a large body are found
/// by its distance field if its shape offers ExactDistance/1, else by its bounding sphere. Most bodies within the
/// bounding sphere of a long box are far from the box.
///
/// Holds rows as of its construction, or of the last reordered().
class SCREE_API LargeBodies {
 public:
  /// Function of (smaller, large): gap [m] up to which the pair is wanted; negative: never. Called by several threads
  /// at once.
  using Reach = std::function<double(std::uint32_t, std::uint32_t)>;
  /// Large body whose rotation matters.
  struct Turning {
    std::uint32_t row;
    double reach;  ///< largest displacement of its surface per radian of rotation [m]; see bound_reaches()
    bool endless;  ///< true if its shape sets no limit to that
  };

  LargeBodies() = default;
  /// \param alone  Methods::alone: these bodies are ignored
  explicit LargeBodies(const World& world, std::span<const std::uint8_t> alone = {});
  /// Updates rows of the same bodies after World::reorder().
  void reordered(const World& world);

  /// Bounds the reach of endless bodies by the farthest body. A rotation changes distances from a body by at most its
  /// angle times the distance of the other one. So motion of an endless surface beyond the farthest body does not
  /// matter.
  /// \param position  positions of all bodies at the rebuild [m]
  void bound_reaches(const World& world, std::span<const Vec3> position);

  /// Rows of large bodies, from the smallest to those without bound; equal ones by id.
  const std::vector<std::uint32_t>& rows() const { return rows_; }
  /// Rows of all other bodies that can touch one, which have a radius above 0, ascending.
  const std::vector<std::uint32_t>& others() const { return others_; }
  /// Largest radius of others() [m]; if there are none, that of bodies that touch nothing; else 0.
  double largest_other() const { return largest_other_; }
  /// Large bodies that rotate, freely or as prescribed.
  const std::vector<Turning>& turning() const { return turning_; }

  /// Returns pairs (i, j) of a body i and a large body j that come within reach. j is larger than i, its image is seen
  /// from i, and i counts as its bounding sphere. Every pair and image comes once; two bodies without bound make no
  /// pair. Bodies of finite size repeat with the cell, those without bound do not. The result does not depend on the
  /// number of threads.
  /// \param others    rows that are not large and whose pairs are wanted, ascending
  /// \param farthest  largest value of reach [m]
  std::vector<ImagePair> pairs(const World& world, const BodyPoses& poses, std::span<const std::uint32_t> others,
                               const Reach& reach, double farthest) const;

 private:
  class Body;   ///< one large body in its pose
  class Block;  ///< some of the others, in consecutive rows

  std::vector<std::uint8_t> alone_;  ///< flags by material
  std::vector<std::uint32_t> rows_, others_;
  std::vector<Turning> turning_;
  double common_radius_ = 0;  ///< largest radius of bodies that are not large [m]
  double largest_other_ = 0;
};

}  // namespace scree
