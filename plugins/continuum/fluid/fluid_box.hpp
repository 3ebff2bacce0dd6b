#pragma once
/// \file The box of cells that a fluid fills: which of them are open, and what part of each node lies in walls.

#include <unordered_map>
#include <vector>

#include "walls.hpp"

namespace scree::continuum {

/// Cells of a lattice from `lower` on, so many along each axis.
template <int D>
struct CellRange {
  Place<D> lower{}, count{};

  bool empty() const { return count[0] == 0; }
  std::size_t cells() const;
  bool operator==(const CellRange&) const = default;
};

/// Nodes and cells of a range have dense numbers, x fastest. An open cell is one that fixed walls leave room in:
/// walls that move are in it as another phase. Where a face
/// of an open cell has no open one behind it and lies within the range, it is closed: nothing passes. At the border of
/// the range the fluid goes on, at rest and without pressure.
template <int D>
class FluidBox {
 public:
  struct Cell {
    std::uint32_t number;                         ///< dense
    std::array<std::uint32_t, kCorners<D>> node;  ///< dense
  };
  /// The part of a node's open cells, weighted by its hat function, that lies in a wall.
  struct Cover {
    std::uint32_t node, wall;
    double share;  ///< chi [-]
  };
  struct ClosedFace {
    std::uint32_t cell;  ///< place in cells()
    std::uint32_t wall;
    int axis;
    double side;  ///< -1 or 1: where the wall is
    Vec3 centre;  ///< [m]
  };

  /// Looks at walls from all cells. What fixed ones cover is kept: \see forget()
  void build(const Lattice<D>& lattice, const CellRange<D>& range, std::span<const Wall> walls);
  void forget() { built_ = false, by_fixed_.clear(); }

  const CellRange<D>& range() const { return range_; }
  const Lattice<D>& lattice() const { return lattice_; }
  std::size_t nodes() const { return volume_.size(); }
  std::span<const Cell> cells() const { return cells_; }
  /// By node, then by wall.
  std::span<const Cover> covers() const { return covers_; }
  std::span<const ClosedFace> closed_faces() const { return faces_; }
  /// Checks whether the fluid can leave somewhere.
  bool has_opening() const { return has_opening_; }
  /// Volume of each node: integral of its hat function over open cells, parts covered by walls included [m^3]. 0: no
  /// fluid.
  std::span<const double> volume() const { return volume_; }
  /// Open part of each node: 1 less the part covered by walls [-].
  std::span<const double> open() const { return open_; }
  /// Closed axes of each node: bits of the axes along which nothing passes.
  std::span<const std::uint8_t> closed() const { return closed_; }
  /// Places in cells() of each node by corner, as the cell sees the node; kNoNode if there is none.
  std::span<const std::array<std::uint32_t, kCorners<D>>> cells_of_node() const { return cells_of_node_; }

  /// \return the dense number of a node, or kNoNode outside of the range
  std::uint32_t node_at(const Place<D>& place) const;
  Place<D> place_of_node(std::size_t node) const;
  Vec3 position(std::size_t node) const { return in_space<D>(lattice_.position(place_of_node(node))); }

 private:
  /// Parts of a cell covered by walls.
  struct Inside {
    std::uint32_t wall;
    std::array<double, kCorners<D>> share;  ///< integral of N_i over what is covered, per volume of the cell [-]
  };
  struct Sample {
    double room = 1;  ///< outside of fixed walls [-]
    double free = 1;  ///< outside of all walls [-]
    std::vector<Inside> inside;
  };
  struct Near {
    std::uint32_t cell, wall;
  };

  Place<D> node_counts() const;
  Place<D> place_of_cell(std::size_t cell) const;
  std::uint32_t cell_at(Place<D> place) const;
  std::vector<Near> find_near(std::span<const Wall> walls) const;
  Sample sample(std::uint32_t cell, std::span<const Near> near, std::span<const Wall> walls) const;
  void look(std::span<const Wall> walls);
  void find_open_cells();
  void find_covers();
  void close_faces();

  bool built_ = false, has_opening_ = false;
  Lattice<D> lattice_;
  CellRange<D> range_;
  std::unordered_map<std::uint32_t, Sample> by_fixed_;  ///< samples of cells that see only fixed walls
  std::unordered_map<std::uint32_t, Sample> samples_;   ///< samples of cells that see others too
  std::vector<std::uint32_t> open_cell_;                ///< (dense cells) place in cells_, or kNoNode
  std::vector<Cell> cells_;
  std::vector<Cover> covers_;
  std::vector<ClosedFace> faces_;
  std::vector<double> volume_, open_;
  std::vector<std::uint8_t> closed_;
  std::vector<std::array<std::uint32_t, kCorners<D>>> cells_of_node_;

  const Sample* known(std::uint32_t cell) const;
};

extern template struct CellRange<2>;
extern template struct CellRange<3>;
extern template class FluidBox<2>;
extern template class FluidBox<3>;

}  // namespace scree::continuum
