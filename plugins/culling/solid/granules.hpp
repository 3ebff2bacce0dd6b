#pragma once
/// \file The granules that stand in the World, and which of them touch.

#include <span>
#include <vector>

#include "scree/shape/facets.hpp"
#include "scree/world/world.hpp"

namespace scree::culling {

/// Granules by ascending id; a granule's number is its place here. Rows are those of the World when this was made.
struct Granules {
  std::vector<Id> id;
  std::vector<std::uint32_t> row;
  std::vector<Id> owner;  ///< owner: the aggregate's id, or the granule's own id

  std::size_t size() const { return id.size(); }
  bool free(std::size_t k) const { return owner[k] == id[k]; }
  /// The number of an id, or size() where it is no granule of the World.
  std::size_t number(Id wanted) const;
};

/// Neighbours by contact, both ways: those of granule k by ascending number.
struct Touching {
  std::vector<std::uint32_t> start;      ///< (granules + 1)
  std::vector<std::uint32_t> neighbour;  ///< numbers
  std::vector<char> wall;                ///< (granules) touches a body that is no granule

  std::span<const std::uint32_t> of(std::size_t k) const {
    return {neighbour.data() + start[k], neighbour.data() + start[k + 1]};
  }
  /// Adds pairs of numbers that are to count as touching.
  void add(std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs);
};

/// A body that is no granule, as a distance.
struct Wall {
  std::size_t row;
  const SignedDistance* distance;
};

/// The spheres that granules are made of.
struct SphereList {
  std::vector<std::uint32_t> start = {0};  ///< (granules + 1) of granule k from start[k] on
  std::vector<Vec3> centre;                ///< [m]
  std::vector<double> radius;              ///< [m]

  void add(const Shape& shape, double scale, const Pose& pose);
  /// Smallest distance between the surfaces of two granules [m].
  double gap(std::size_t a, std::size_t b) const;
};

/// Touching and near granules.
struct Neighbourhood {
  Touching touching, near;
};
/// Granules whose surfaces are nearer than `contact` or `cage` [m], and those that are as near to a wall. The surface
/// of a granule is that of its spheres. \pre contact <= cage
Neighbourhood find_neighbours(const World& world, const Granules& granules, std::span<const Wall> walls, double contact,
                              double cage);

/// Distances [m] of world points from a wall, negative inside.
void wall_distances(const World& world, const Wall& wall, std::span<const Vec3> points, std::span<double> distance);

/// Calls ball(centre [m], radius [m]) for each sphere of a shape at a pose.
template <class Ball>
void for_each_ball(const Shape& shape, double scale, const Pose& pose, const Ball& ball) {
  const SphereSet& spheres = *facet<SphereSet>(shape);
  for (std::size_t s = 0; s < spheres.radii().size(); ++s)
    ball(Vec3(pose.position + pose.orientation * (scale * spheres.centres()[s])), scale * spheres.radii()[s]);
}

}  // namespace scree::culling
