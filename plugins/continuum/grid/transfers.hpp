#pragma once
/// \file From points to nodes and back (APIC), and the discrete strain of nodes (equations (6), (7) of the README).

#include <span>
#include <vector>

#include "grid/grid.hpp"

namespace scree::continuum {

/// Values of points for the grid, by rows. In two dimensions z is ignored.
struct Points {
  std::span<const Eigen::Vector3d> velocity;  ///< [m/s]
  std::span<const Eigen::Matrix3d> affine;    ///< C, the velocity's gradient [1/s]
  std::span<const double> mass;               ///< [kg]
  std::span<const double> volume;             ///< volume of solid matter [m^3, in 2D m^2]
  std::span<const Eigen::Vector3d> force;     ///< force of gravity and the like [N]
  std::span<const double> friction;           ///< mu [-]
  std::span<const double> expansion;          ///< e, free volume over `volume` [-]
};

/// Values of nodes from points.
template <int D>
struct NodeValues {
  double mass = 0;                   ///< m_i = sum m_p N_i [kg]
  double volume = 0;                 ///< f_i = sum V_p N_i [m^3]
  double friction = 0;               ///< sum V_p N_i mu_p [m^3]
  double expansion = 0;              ///< sum V_p N_i e_p [m^3]
  double packed = 0;                 ///< sum V_p N_i / (1 + e_p) [m^3]
  Vec<D> momentum = Vec<D>::Zero();  ///< sum m_p N_i (v_p + C_p (x_i - x_p)) [kg m/s]
  Vec<D> force = Vec<D>::Zero();     ///< sum N_i f_p [N]
};

/// Motion of a point from nodes.
template <int D>
struct PointMotion {
  Vec<D> velocity;  ///< sum N_i u_i [m/s]
  Mat<D> gradient;  ///< sum u_i grad N_i^T [1/s]
};

/// Gradients of a cell: integrals of omega_j grad N_i over solid matter, by corners j and i [m^2].
template <int D>
using CellGradients = std::array<std::array<Vec<D>, kCorners<D>>, kCorners<D>>;

/// The transfers of one grid. Each cell sums over its points by id, each node over its cells by corner: sums do not
/// depend on threads.
template <int D>
class Transfers {
 public:
  void to_nodes(const Grid<D>& grid, const Points& points, std::vector<NodeValues<D>>& out);
  /// Nodes and vectors g_ji of the strain row of each node j: sum_p V_p omega_j grad N_i, or what is known of a cell.
  /// The rest of a row is left as it is. \param known  (cells) or null where points are to be summed
  /// \param part  (cells, or empty) that much of what is known counts [-]
  void gradients(const Grid<D>& grid, std::span<const double> volume, std::span<const CellGradients<D>* const> known,
                 std::span<const double> part, std::vector<StrainRow<D>>& out);
  /// In their place -sum_p V_p N_i grad omega_j: rows then measure how counts of points change, and a pressure acts by
  /// its gradient.
  void count_gradients(const Grid<D>& grid, std::span<const double> volume, std::vector<StrainRow<D>>& out);

 private:
  void find_gradients(const Grid<D>& grid, std::span<const double> volume,
                      std::span<const CellGradients<D>* const> known, std::span<const double> part);

  std::vector<std::array<NodeValues<D>, kCorners<D>>> of_cell_;
  std::vector<CellGradients<D>> gradients_;  ///< (cells) sums over points, or what is known
};

/// At place k of the grid's order. \param u  of nodes
template <int D>
PointMotion<D> motion_of(const Grid<D>& grid, const typename Grid<D>::Cell& cell, std::size_t k,
                         std::span<const Vec<D>> u);

/// Hat functions of node values at place k of the grid's order.
template <int D>
double value_of(const Grid<D>& grid, const typename Grid<D>::Cell& cell, std::size_t k, std::span<const double> values);

extern template class Transfers<2>;
extern template class Transfers<3>;

}  // namespace scree::continuum
