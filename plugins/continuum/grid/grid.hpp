#pragma once
/// \file Part of a lattice around points: their cells, the nodes of these, and neighbours.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "grid/lattice.hpp"

namespace scree::continuum {

/// A point has left the range of places that keys can name, or is nowhere (NaN).
struct PointOffGrid : std::runtime_error {
  explicit PointOffGrid(std::size_t of_row) : std::runtime_error("a point has left the grid"), row(of_row) {}
  std::size_t row;
};

/// Cells that hold points, and their corners. Everything is a function of places and ids: neither of the order of
/// points nor of the number of threads. Made anew for every step; memory is kept.
template <int D>
class Grid {
 public:
  struct Cell {
    Key key;
    std::uint32_t first, last;                      ///< its points, in order()
    std::array<std::uint32_t, kCorners<D>> node{};  ///< rows of nodes
  };

  Grid() = default;
  /// \param position  position(row) of each point [m]
  /// \param id        id of each point: the order of sums within a cell
  /// \throws PointOffGrid
  template <class Positions>
  void build(const Lattice<D>& lattice, std::size_t points, const Positions& position,
             std::span<const std::uint64_t> id) {
    lattice_ = lattice;
    begin(points);
    std::size_t lost = points;
#pragma omp parallel for schedule(static) reduction(min : lost)
    for (std::size_t i = 0; i < points; ++i)
      if (!place(i, position(i), id[i])) lost = std::min(lost, i);
    if (lost < points) throw PointOffGrid(lost);
    finish();
  }

  const Lattice<D>& lattice() const { return lattice_; }
  /// Rows of points by cell, then by id.
  std::span<const std::uint32_t> order() const { return order_; }
  /// Place within its cell of each point of order().
  std::span<const Vec<D>> local() const { return local_; }
  std::span<const Cell> cells() const { return cells_; }
  /// Ascending.
  std::span<const Key> nodes() const { return nodes_; }
  Vec<D> position(std::size_t node) const { return lattice_.position(Lattice<D>::place(nodes_[node])); }
  /// Rows of the nodes around each, itself among them; kNoNode where there is none. \see neighbour_offset()
  std::span<const std::array<std::uint32_t, kNeighbours<D>>> neighbours() const { return neighbours_; }
  /// Rows of the cells around each node: corner c is where the cell has the node. kNoNode where there is none.
  std::span<const std::array<std::uint32_t, kCorners<D>>> cells_of_node() const { return cells_of_node_; }

 private:
  struct Entry {
    Key key;
    std::uint64_t id;
    std::uint32_t row;
    Vec<D> local;
  };
  void begin(std::size_t points) { entries_.resize(points); }
  bool place(std::size_t i, const Vec<D>& x, std::uint64_t id);
  void finish();
  void sort();
  void make_nodes();
  void join();
  std::uint32_t find(Key key) const;

  Lattice<D> lattice_;
  std::vector<Entry> entries_, spare_;
  std::vector<std::uint32_t> order_;
  std::vector<Vec<D>> local_;
  std::vector<Cell> cells_;
  std::vector<Key> nodes_;
  std::vector<std::array<std::uint32_t, kNeighbours<D>>> neighbours_;
  std::vector<std::array<std::uint32_t, kCorners<D>>> cells_of_node_;
};

extern template class Grid<2>;
extern template class Grid<3>;

}  // namespace scree::continuum
