#pragma once
/// \file Grains for pictures: they lie in the points of a continuum, go where these flow, and act on nothing.

#include <cstdint>
#include <span>
#include <vector>

#include "point_set.hpp"
#include "scree/world/world.hpp"
#include "walls.hpp"

namespace scree::continuum {

/// A place of a grain in a point, from -1/2 to 1/2 of its spacing along each axis. Grains 0, 1, ... of a point are
/// spread evenly: an additive recurrence with irrational steps, from a start that the point's id gives.
/// \source M. Roberts, The unreasonable effectiveness of quasirandom sequences (2018): steps by the root of
///         x^(D+1) = x + 1
Vec3 place_of_grain(std::uint64_t point, int grain, int dimension);

/// The World's table `grains`: position [m], radius [m], shade (0 to 1) and the point that carries each. A grain is
/// moved by the affine velocity of its point, v_p + C_p (x - x_p). One that has come away from it goes over to the
/// nearest point. Together the grains of a point have the volume of its solid matter.
///
/// All of it is a function of ids and places: results have the same bits for any number of threads and order of rows.
class Grains {
 public:
  /// \param per_point  grains that a new point gets; 0: there is no table
  explicit Grains(int per_point) : per_point_(per_point) {}

  bool present() const { return per_point_ > 0; }
  /// Makes the table and its columns, and grains of the points that are there.
  void begin(World& world);
  /// Points that are new get grains, those of points that are gone go.
  /// \param rows  row of each point in the World
  void match(World& world, std::span<const std::uint32_t> rows);
  /// Carries grains along; what comes into a wall goes back to its surface.
  /// \param from  previous places of points [m]   \param fraction  solid part of a point [-]
  void follow(const World& world, std::span<const Vec3> from, const PointSet& points, std::span<const Wall> walls,
              double fraction, double dt);

 private:
  void add(World& world, std::span<const std::uint32_t> rows);
  void remove_orphans(const World& world);
  void find_carriers(const World& world, std::span<const std::uint32_t> rows);
  void rebind(const PeriodicCell& cell, std::span<const std::uint32_t> strays, const PointSet& points, double width);

  int per_point_;
  Table* table_ = nullptr;
  Column<Vec3> position_;
  Column<double> radius_, shade_;
  Column<Id> point_;
  Column<std::uint32_t> sampled_;       ///< flag of bodies: the point has had its grains
  std::vector<std::uint32_t> carrier_;  ///< (grains) place of its point among points
  std::vector<double> reach_;           ///< (points) how far from it its grains may be [m]
  std::vector<std::uint8_t> strayed_;   ///< (grains)
};

}  // namespace scree::continuum
