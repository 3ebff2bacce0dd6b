#pragma once
/// \file Moves points apart where more of them are than fit, without giving them velocity.

#include <span>
#include <vector>

#include "grid/grid.hpp"
#include "walls.hpp"

namespace scree::continuum {

struct ShiftOptions {
  double rate = 0.2;   ///< part of an excess that is undone per step [-]
  double slop = 0.02;  ///< excess, relative to the largest fraction, that is left alone [-]
  int sweeps = 30;
};

/// Displacements delta of nodes by which no row gets fuller than full, and those that are overfull lose some:
///   0 <= q_j  perpendicular to  (G delta)_N,j + c_j >= 0,   M delta = 2 G^T q,
/// with c_j the room that is left, or minus `rate` times the excess beyond `slop`. Nodes do not go into walls:
/// delta.n + gap >= 0. Projected Gauss-Seidel by colours.
/// \source the README, equation (10)
template <int D>
class VolumeShift {
 public:
  /// \param rows    strain rows, one per node
  /// \param room    of each node: largest fraction times free volume, minus volume of points [m^3]; < 0: overfull
  /// \param full    what a node holds in the midst of grains, of which slop is a part [m^3]
  /// \return delta of nodes [m]; empty where nothing is overfull
  std::span<const Vec<D>> find(const Grid<D>& grid, std::span<const StrainRow<D>> rows,
                               std::span<const Vec<D>> inverse_mass, std::span<const double> room, double full,
                               std::span<const WallRow> walls, const ShiftOptions& options);

 private:
  struct Row {
    double pressure = 0, room = 0, mobility = 0;
  };
  bool ask(std::span<const double> room, double full, const ShiftOptions& options);
  void colour(const Grid<D>& grid);
  void visit(const StrainRow<D>& strain, Row& row, std::span<const Vec<D>> inverse_mass);
  void keep_out(std::span<const WallRow> walls);

  std::vector<Row> rows_;
  std::vector<Vec<D>> delta_;
  std::vector<double> wall_push_;
  std::vector<std::uint32_t> by_colour_, colour_start_;
};

extern template class VolumeShift<2>;
extern template class VolumeShift<3>;

}  // namespace scree::continuum
