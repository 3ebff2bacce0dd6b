#pragma once
/// \file Bodies near a place, for hooks that look for free space or for bodies that something hits.

#include <cstdint>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Bodies by their bounding spheres, in a grid of their sizes, made once for any number of queries. It keeps the
/// positions that bodies had when it was made. Images in a periodic cell count. Bodies without bound are near every
/// place, bodies of World::frame_shape() near none. The caller checks whether bodies really overlap.
class SCREE_API NeighbourQuery {
 public:
  explicit NeighbourQuery(const World& world);

  /// Returns bodies whose bounding sphere meets this sphere, by ascending id. \param radius  [m], >= 0
  std::vector<Id> near_sphere(const Vec3& centre, double radius) const;
  /// Returns bodies whose bounding sphere meets the box from `lower` to `upper`, by ascending id.
  std::vector<Id> near_box(const Vec3& lower, const Vec3& upper) const;

 private:
  struct Entry {
    std::uint64_t cell;
    Id id;
    Vec3 position;  ///< position in the periodic cell [m]
    double radius;  ///< [m]
    bool operator<(const Entry& other) const { return cell != other.cell ? cell < other.cell : id < other.id; }
  };
  /// Bodies with radii between half of the largest and the largest.
  struct Level {
    double largest = 0;  ///< [m]
    std::vector<Entry> entries;
  };

  void add(Id id, const Vec3& position, double radius);
  void sort();
  /// Finds bodies that are near. \param is_near  predicate of a place and a radius
  template <class IsNear>
  std::vector<Id> find(const Vec3& lower, const Vec3& upper, const IsNear& is_near) const;
  template <class IsNear>
  void find_in(const Level& level, const Vec3& lower, const Vec3& upper, const Vec3& shift, const IsNear& is_near,
               std::vector<Id>& found) const;

  PeriodicCell cell_;
  Vec3 origin_ = Vec3::Zero();
  std::vector<Level> levels_;
  std::vector<Id> unbounded_;
};

}  // namespace scree
