#include "scree/contacts/lists/near_part.hpp"

#include <algorithm>
#include <cmath>

namespace scree {

NearPart::NearPart(std::span<const std::uint32_t> rows, const SpaceBlocks& blocks, const ListedPart& part,
                   const Search& search)
    : search_(search), region_(blocks.part(part.first_block, part.end_block)) {
  for (const std::uint32_t row : rows) {
    largest_ = std::max(largest_, search_.radius[row]);
    if (!part.holds(blocks.rank(row))) continue;
    low_ = low_.cwiseMin(search_.poses.position[row]);
    high_ = high_.cwiseMax(search_.poses.position[row]);
  }
}

bool NearPart::reaches(std::uint32_t row) const {
  const Vec3& x = search_.poses.position[row];
  const double far = search_.radius[row] + largest_ + search_.reach;
  const PeriodicCell& cell = search_.poses.cell;
  if (!cell.any()) return region_.near(x, far);
  Image first = Image::Zero(), last = Image::Zero();
  for (int k = 0; k < 3; ++k)
    if (cell.periodic(k)) {
      first[k] = static_cast<int>(std::floor((low_[k] - far - x[k]) / cell.length(k)));
      last[k] = static_cast<int>(std::ceil((high_[k] + far - x[k]) / cell.length(k)));
    }
  for (int c = first[2]; c <= last[2]; ++c)
    for (int b = first[1]; b <= last[1]; ++b)
      for (int a = first[0]; a <= last[0]; ++a)
        if (region_.near(x + cell.shift({a, b, c}), far)) return true;
  return false;
}

}  // namespace scree
