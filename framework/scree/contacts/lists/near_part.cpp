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
  bool near = false;
  for_each_image(cell, (low_ - x).array() - far, (high_ - x).array() + far,
                 [&](const Image& image) { near = near || region_.near(x + cell.shift(image), far); });
  return near;
}

}  // namespace scree
