#include "scree/grid/periodic_pairs.hpp"

#include <algorithm>
#include <numeric>

namespace scree {

/// Adds the body at its place in the cell, and every copy above it that may still touch something in the cell.
void PeriodicPairs::copy(const PeriodicCell& cell, const Vec3& x, std::uint32_t row, double radius, double reach) {
  const Image home = cell.image_of(x);
  const Vec3 inside = x - cell.shift(home);
  Image most = Image::Zero();
  for (int k = 0; k < 3; ++k)
    if (cell.periodic(k)) {
      const double above = (cell.lower[k] + cell.length(k) + reach - inside[k]) / cell.length(k);
      most[k] = std::max(0, static_cast<int>(std::ceil(above)) - 1);
    }
  for (int z = 0; z <= most[2]; ++z)
    for (int y = 0; y <= most[1]; ++y)
      for (int u = 0; u <= most[0]; ++u) {
        const Image copied(u, y, z);
        copies_.push_back({row, home, copied});
        position_.push_back(inside + cell.shift(copied));
        radius_.push_back(radius);
      }
}

void PeriodicPairs::find(const PeriodicCell& cell, std::span<const Vec3> position, std::span<const double> radius,
                         std::span<const std::uint32_t> rows, double reach, std::vector<ImagePair>& out) {
  double largest = 0;
  for (const std::uint32_t row : rows) largest = std::max(largest, radius[row]);
  copies_.clear();
  position_.clear();
  radius_.clear();
  for (const std::uint32_t row : rows) copy(cell, position[row], row, radius[row], radius[row] + largest + reach);
  rows_.resize(copies_.size());
  std::iota(rows_.begin(), rows_.end(), 0u);
  finder_.find(position_, radius_, rows_, reach, found_);

  out.clear();
  for (const RowPair& pair : found_) {
    const Copy &i = copies_[pair.i], &j = copies_[pair.j];
    if (i.row == j.row || i.copied.cwiseMin(j.copied).maxCoeff() > 0) continue;
    out.push_back({i.row, j.row, (j.copied - j.home) - (i.copied - i.home)});
  }
}

}  // namespace scree
