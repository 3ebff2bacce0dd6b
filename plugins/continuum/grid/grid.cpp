#include "grid/grid.hpp"

#include <algorithm>

namespace scree::continuum {

template <int D>
bool Grid<D>::place(std::size_t i, const Vec<D>& x, std::uint64_t id) {
  Place<D> cell;
  Entry& entry = entries_[i];
  if (!lattice_.locate(x, cell, entry.local)) return false;
  entry.key = Lattice<D>::key(lattice_.wrapped(cell));
  entry.id = id;
  entry.row = static_cast<std::uint32_t>(i);
  return true;
}

template <int D>
void Grid<D>::finish() {
  sort();
  make_nodes();
  join();
}

/// Points by cell and id; runs of equal cells.
template <int D>
void Grid<D>::sort() {
  const auto before = [](const Entry& a, const Entry& b) { return a.key != b.key ? a.key < b.key : a.id < b.id; };
  // Most points stay in their cell: the order of the step before is nearly that of now.
  if (order_.size() == entries_.size()) {
    spare_.resize(entries_.size());
    for (std::size_t k = 0; k < order_.size(); ++k) spare_[k] = entries_[order_[k]];
    entries_.swap(spare_);
  }
  if (!std::is_sorted(entries_.begin(), entries_.end(), before)) std::sort(entries_.begin(), entries_.end(), before);
  order_.resize(entries_.size());
  local_.resize(entries_.size());
  cells_.clear();
  for (std::uint32_t k = 0; k < entries_.size(); ++k) {
    order_[k] = entries_[k].row;
    local_[k] = entries_[k].local;
    if (k == 0 || entries_[k].key != entries_[k - 1].key) cells_.push_back({entries_[k].key, k, k, {}});
    ++cells_.back().last;
  }
}

template <int D>
void Grid<D>::make_nodes() {
  nodes_.clear();
  nodes_.reserve(kCorners<D> * cells_.size());
  const auto corner_of = [&](const Cell& cell, int corner) {
    Place<D> place = Lattice<D>::place(cell.key);
    for (int k = 0; k < D; ++k) place[k] += corner >> k & 1;
    return Lattice<D>::key(lattice_.wrapped(place));
  };
  for (int corner = 0; corner < kCorners<D>; ++corner)
    for (const Cell& cell : cells_) nodes_.push_back(corner_of(cell, corner));
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < cells_.size(); ++c)
    for (int corner = 0; corner < kCorners<D>; ++corner) cells_[c].node[corner] = find(corner_of(cells_[c], corner));
}

template <int D>
std::uint32_t Grid<D>::find(Key key) const {
  const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), key);
  return found != nodes_.end() && *found == key ? static_cast<std::uint32_t>(found - nodes_.begin()) : kNoNode;
}

/// Neighbours of nodes, and their cells.
template <int D>
void Grid<D>::join() {
  neighbours_.resize(nodes_.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Place<D> here = Lattice<D>::place(nodes_[i]);
    for (int n = 0; n < kNeighbours<D>; ++n) {
      Place<D> there = here;
      for (int k = 0; k < D; ++k) there[k] += neighbour_offset<D>(n, k);
      neighbours_[i][n] = find(Lattice<D>::key(lattice_.wrapped(there)));
    }
  }
  cells_of_node_.resize(nodes_.size());
  for (auto& cells : cells_of_node_) cells.fill(kNoNode);
  for (std::uint32_t c = 0; c < cells_.size(); ++c)
    for (int corner = 0; corner < kCorners<D>; ++corner) cells_of_node_[cells_[c].node[corner]][corner] = c;
}

template class Grid<2>;
template class Grid<3>;

}  // namespace scree::continuum
