#pragma once
/// \file Walls and rigid bodies as the grid sees them: distances at nodes, rows of contact, and the room they leave for
/// grains.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "grid/grid.hpp"
#include "scree/shape/facets.hpp"
#include "scree/world/world.hpp"

namespace scree::continuum {

/// Additional data of a wall that moves freely. World axes unless a name says body.
struct Freedom {
  double inverse_mass = 0;              ///< [1/kg]; 0: it does not move freely
  Vec3 moments = Vec3::Zero();          ///< moments about the body's axes [kg m^2]
  Vec3 inverse_moments = Vec3::Zero();  ///< [1/(kg m^2)]
  Wrench external;                      ///< gravity and the like [N], [N m]
};

/// A body that is no part of the continuum: fixed, prescribed, or free, which makes it a rigid body among grains. It is
/// made of faces, each a piece of matter.
struct Wall {
  Id body = 0;
  std::uint32_t row = 0;                     ///< row of the World
  const Faces* faces = nullptr;              ///< set if the shape offers them, else
  const SignedDistance* distance = nullptr;  ///< one face
  double scale = 1;                          ///< size of the body relative to the shape
  bool fixed = true;                         ///< never moves
  double friction = 0;                       ///< mu [-]
  Vec3 centre = Vec3::Zero();                ///< [m]
  Quat orientation = Quat::Identity();       ///< body to world
  Vec3 velocity = Vec3::Zero();              ///< velocity of the centre [m/s]
  Vec3 angular_velocity = Vec3::Zero();      ///< [rad/s]
  Vec3 surface_velocity = Vec3::Zero();      ///< velocity of a belt, tangential part [m/s]
  double radius =
      std::numeric_limits<double>::infinity();  ///< radius of a sphere around the centre that contains it [m]
  Vec3 period = Vec3::Zero();                   ///< period of space along each axis [m]; 0: it is not periodic
  Freedom freedom;

  bool free() const { return freedom.inverse_mass > 0; }
  bool bounded() const { return std::isfinite(radius); }
  /// From the centre to a point, in the nearest image of a bounded wall [m].
  Vec3 arm(const Vec3& point) const;
  /// Checks whether a point may be nearer to the surface than `reach` [m].
  bool within(const Vec3& point, double reach) const;

  int face_count() const { return faces ? faces->face_count() : 1; }
  /// \param points  world [m]   \param distance  to the face, < 0 inside [m]   \param normal  unit, outward, world
  void see(int face, std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> normal) const;
  /// Returns the velocity of the wall's matter [m/s].
  Vec3 velocity_at(const Vec3& arm, const Vec3& normal) const;
};

/// A place on a face where a line of the grid crosses it.
struct WallRow {
  std::uint32_t node, wall;
  int face;
  SecondNode second;  ///< the node at the other end of that edge of the grid
  double gap;         ///< distance that the nodes may still move [m]
  Vec3 normal;        ///< unit, outward
  Vec3 arm;           ///< from the wall's centre to the place [m]
  Vec3 velocity;      ///< velocity of the wall there [m/s]
};

/// Load on the surface of a wall by a pressure with the hat function of a node.
struct Cover {
  std::uint32_t node, wall;
  Vec3 area;    ///< -integral of omega n over the surface, n outward [m^2]
  Vec3 moment;  ///< -integral of omega (x - x_node) x n [m^3]
};

/// The part of a cube of edge `step` that lies outside of a face. \param distance  of its middle, < 0 inside [m]
inline double part_outside(double distance, double step) { return std::clamp(0.5 + distance / step, 0.0, 1.0); }

/// Walls that a node sees.
enum class Sight : std::uint8_t {
  none,   ///< no wall is near
  fixed,  ///< fixed ones alone
  moving  ///< some that moves, or may
};

template <int D>
Vec3 in_space(const Vec<D>& x) {
  Vec3 y = Vec3::Zero();
  y.template head<D>() = x;
  return y;
}

template <int D>
class NodeWalls {
 public:
  /// Looks at walls from all nodes of a grid. Memory of fixed walls is kept for as long as they and the lattice are the
  /// same: \see forget()
  void look(const Grid<D>& grid, std::span<const Wall> walls);
  void forget() { by_key_.clear(); }
  /// By node, then by wall, then by face. Of the lines of the grid that cross a face those count which are along the
  /// axis next to its normal: one place per width. The node is the one outside, where the grid has it.
  std::span<const WallRow> rows() const { return rows_; }
  void drop_rows() { rows_.clear(); }
  /// Free volume of each node, v_j - b_j: the integral of its hat function outside of walls [m^3].
  std::span<const double> free_volume() const { return free_; }
  /// By node, then by wall.
  std::span<const Cover> covers() const { return covers_; }
  std::span<const Sight> sight() const { return sight_; }
  /// Flag of each node: inside a wall.
  std::span<const std::uint8_t> inside() const { return inside_; }

 private:
  /// A node near a face.
  struct Near {
    std::uint32_t node, wall;
    int face;
    double distance;  ///< [m]
    Vec3 normal;
  };
  void find_near(const Grid<D>& grid, std::span<const Wall> walls);
  void find_rows(const Grid<D>& grid, std::span<const Wall> walls);
  void add_row(const Grid<D>& grid, const Near& near);
  void look_at_places(std::span<const Wall> walls);
  void find_room(const Grid<D>& grid, std::span<const Wall> walls);
  /// The hat function of a node and walls.
  struct Around {
    double free = 0;
    std::vector<Cover> covers;
  };
  Around look_around(std::uint32_t node, const Vec<D>& at, double width, std::span<const Wall> walls) const;

  std::vector<WallRow> rows_;
  std::vector<Vec3> places_;  ///< places of rows [m]
  std::vector<double> free_;
  std::vector<Cover> covers_;
  std::vector<Sight> sight_;
  std::vector<std::uint8_t> inside_;
  std::vector<std::vector<Near>> of_block_;
  std::vector<Near> near_;                  ///< by node, wall and face
  std::unordered_map<Key, Around> by_key_;  ///< surroundings of nodes that see only fixed walls
};

extern template class NodeWalls<2>;
extern template class NodeWalls<3>;

/// Moves points that lie in a wall out to its surface, where walls are now.
void push_out(std::span<const Wall> walls, std::span<Vec3> position);

}  // namespace scree::continuum
