#include "scree/grid/periodic_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scree {

/// Adds the body at its place in the cell's box, and every copy above it that may still touch something in the box.
/// \param axis  highest axis along which it may yet lie elsewhere: copies along y and z are displaced along x
void PeriodicPairs::copy(const PeriodicCell& cell, double reach, int axis, Copy body) {
  if (axis < 0) {
    copies_.push_back(body);
    return;
  }
  if (!cell.periodic(axis)) return copy(cell, reach, axis - 1, body);
  const double length = cell.length(axis);
  const Vec3 edge = cell.edges.col(axis);
  const auto home = static_cast<int>(std::floor((body.position[axis] - cell.lower[axis]) / length));
  body.image[axis] -= home;
  body.position -= home * edge;
  const Vec3 inside = body.position;
  const double most = (cell.lower[axis] + length + reach - inside[axis]) / length;
  const int last = std::max(0, static_cast<int>(std::ceil(most)) - 1);
  for (int above = 0; above <= last; ++above) {
    body.above[axis] = above;
    body.position = inside + above * edge;
    copy(cell, reach, axis - 1, body);
    ++body.image[axis];
  }
}

void PeriodicPairs::find(const PeriodicCell& cell, std::span<const Vec3> position, std::span<const double> radius,
                         std::span<const std::uint32_t> rows, double reach, std::vector<ImagePair>& out) {
  double largest = 0;
  for (const std::uint32_t row : rows) largest = std::max(largest, radius[row]);
  copies_.clear();
  position_.clear();
  radius_.clear();
  for (const std::uint32_t row : rows) copy(cell, radius[row] + largest + reach, 2, {row, position[row]});
  for (const Copy& copy : copies_) {
    position_.push_back(copy.position);
    radius_.push_back(radius[copy.row]);
  }
  rows_.resize(copies_.size());
  std::iota(rows_.begin(), rows_.end(), 0u);
  finder_.find(position_, radius_, rows_, reach, found_);

  out.clear();
  for (const RowPair& pair : found_) {
    const Copy &i = copies_[pair.i], &j = copies_[pair.j];
    if (i.row == j.row || i.above.cwiseMin(j.above).maxCoeff() > 0) continue;
    out.push_back({i.row, j.row, j.image - i.image});
  }
}

}  // namespace scree
