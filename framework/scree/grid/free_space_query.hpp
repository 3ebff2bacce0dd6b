#pragma once
/// \file Free space for spheres, for hooks that place bodies one after the other.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/grid/neighbour_query.hpp"

namespace scree {

/// Bodies of a World at the time it is made, and spheres placed since. A body whose shape offers ExactDistance/1 blocks
/// the space inside its surface; any other one blocks its bounding sphere. Images in a periodic cell count.
class SCREE_API FreeSpaceQuery {
 public:
  /// Makes a query.
  /// \param largest  radius of the largest sphere to come [m], > 0
  /// \param world  outlives the FreeSpaceQuery, and does not change
  FreeSpaceQuery(const World& world, double largest);

  /// Checks whether a sphere overlaps nothing. \param radius  [m], at most `largest`
  bool is_free(const Vec3& centre, double radius) const;
  /// Returns a body that this sphere would overlap; empty if there is none, though a placed sphere may overlap it.
  std::optional<Id> body_at(const Vec3& centre, double radius) const;
  /// Adds a sphere.
  void place(const Vec3& centre, double radius);

 private:
  struct Sphere {
    Vec3 centre;
    double radius;
  };

  bool free_of_spheres(const Vec3& centre, double radius) const;
  bool reaches(std::size_t row, const Vec3& centre, double radius) const;
  std::uint64_t cell(const Vec3& centre, int dx, int dy, int dz) const;
  std::vector<Vec3> images() const;

  const World& world_;
  NeighbourQuery bodies_;
  double width_;              ///< width of a cell [m]: two spheres that overlap are in neighbouring cells
  std::vector<Vec3> images_;  ///< shifts of the images of the cell that may be near: zero, and the neighbours
  std::unordered_map<std::uint64_t, std::vector<Sphere>> placed_;
};

}  // namespace scree
