#pragma once
/// \file Where there is room for a sphere: for whoever places bodies one after the other.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/grid/neighbour_query.hpp"

namespace scree {

/// The bodies of a World as they stand when it is made, and spheres placed since. A body whose shape offers
/// ExactDistance/1 is in the way where its surface is; any other one where its bounding sphere is. Images in a periodic
/// cell count.
class SCREE_API Room {
 public:
  /// \param largest  radius of the largest sphere to come [m], > 0. \param world  outlives the Room, and stays as it is
  Room(const World& world, double largest);

  /// Whether a sphere overlaps nothing. \param radius  [m], at most `largest`
  bool is_free(const Vec3& centre, double radius) const;
  /// A body that this sphere would overlap; empty where there is none, though a placed sphere may be in the way.
  std::optional<Id> body_at(const Vec3& centre, double radius) const;
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
  double width_;              ///< of a cell: two spheres that overlap are in neighbouring ones [m]
  std::vector<Vec3> images_;  ///< shifts of the images of the cell that may be near: none, and the neighbours
  std::unordered_map<std::uint64_t, std::vector<Sphere>> placed_;
};

}  // namespace scree
