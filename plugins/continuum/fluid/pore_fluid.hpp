#pragma once
/// \file A viscous fluid between the grains of a continuum: what its pressure does to nodes, and how it flows.
///
/// The space the points take is soaked, and all around is fluid at rest. Without inertia of the fluid drag balances the
/// gradient of its excess pressure p: xi (u_f - u_g) = -(1 - phi) grad p. Grains and fluid together keep their volume:
///   div u_g = div (K grad p),   K = (1 - phi)^2 / xi.
/// The force on grains is -grad p, and they weigh less by buoyancy. One pressure per cell: on nodes it would not feel
/// velocities that alternate from node to node. No fluid passes walls, and where no grains are p is 0.
/// \source M. A. Biot, J. Appl. Phys. 12 (1941) 155, for grains that do not compress; the README, equation (12)

#include <functional>
#include <span>
#include <vector>

#include "fluid/darcy.hpp"
#include "grid/grid.hpp"

namespace scree::continuum {

template <int D>
class PoreFluid {
 public:
  /// \return whether a place lies in a wall
  using InWall = std::function<bool(const Vec<D>&)>;

  /// Rows of pressure, one per cell, in their order.
  /// \param volume   solid, of points [m^3]   \param packing  solid part of the space each point takes [-]
  /// \param target   (nodes, or empty) the node that has the mass of each: see join_nodes()
  void find_rows(const Grid<D>& grid, std::span<const double> volume, std::span<const double> packing,
                 const FluidLaw& fluid, double dt, const InWall& in_wall, std::span<const std::uint32_t> target = {});

  std::span<const PoreRow<D>> rows() const { return rows_; }

 private:
  /// What a cell holds.
  struct Content {
    double space = 0;                ///< that points take [m^3]
    double solid = 0;                ///< [m^3]
    Vec<D> middle = Vec<D>::Zero();  ///< of that space, 0 to 1 along each axis
    double permeability = 0;         ///< K [m^2/(Pa s)]
  };
  void sum_cells(const Grid<D>& grid, std::span<const double> volume, std::span<const double> packing,
                 const FluidLaw& fluid);
  void join(const Grid<D>& grid, std::size_t c, double dt, const InWall& in_wall);

  std::vector<Content> contents_;
  std::vector<PoreRow<D>> rows_;
};

extern template class PoreFluid<2>;
extern template class PoreFluid<3>;

}  // namespace scree::continuum
