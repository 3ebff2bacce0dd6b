#pragma once
/// \file Cells of a grid that are full of matter, and integrals in them.

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "grid/quadrature.hpp"
#include "walls.hpp"

namespace scree::continuum {

template <int D>
class FullCells {
 public:
  /// A cell is full where each of its nodes that has room holds the part `full_from` of it at least.
  /// \param volume  (nodes) that they hold [m^3]   \param full  (nodes) that they can hold outside of walls [m^3]
  /// \param max_fraction  phi_max, of the matter in full cells [-]
  /// \return (cells) null where a cell is not full, else phi_max times the integral over its part outside of walls
  std::span<const CellGradients<D>* const> find(const Grid<D>& grid, std::span<const Wall> walls,
                                                const NodeWalls<D>& near, std::span<const double> volume,
                                                std::span<const double> full, double max_fraction, double full_from);
  /// Fixed walls are others than they were.
  void forget() { cut_by_fixed_.clear(); }

 private:
  using Cut = std::unique_ptr<CellGradients<D>>;  ///< null: no wall cuts the cell

  Cut cut(const Vec<D>& lower, double width, std::span<const Wall> walls, double max_fraction) const;

  CellGradients<D> whole_{};
  std::vector<const CellGradients<D>*> known_;
  std::vector<std::unique_ptr<CellGradients<D>>> of_moving_;  ///< cells of this step
  std::unordered_map<Key, Cut> cut_by_fixed_;                 ///< cut cells that see only fixed walls
};

extern template class FullCells<2>;
extern template class FullCells<3>;

}  // namespace scree::continuum
