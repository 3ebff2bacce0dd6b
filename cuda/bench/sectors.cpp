#include "bench/sectors.hpp"

#include <algorithm>

namespace scree::device {

namespace {

/// \param at  where numbers of 8 bytes stand
double bytes_each(std::vector<std::uint32_t> at) {
  constexpr std::uint32_t kPerSector = 32 / sizeof(double);
  const auto contacts = static_cast<double>(at.size());
  for (std::uint32_t& i : at) i /= kPerSector;
  std::ranges::sort(at);
  const auto gone = std::ranges::unique(at);
  return contacts > 0 ? 32 * (contacts - static_cast<double>(gone.size())) / contacts : 0;
}

}  // namespace

BytesPerNumber bytes_per_number(const PairLists& lists) {
  std::vector<std::uint32_t> places, slots;
  const std::vector<std::uint32_t> place_of = lists.download_places();
  for (std::uint32_t slot = 0; slot < place_of.size(); ++slot)
    if (place_of[slot] != kNone) places.push_back(place_of[slot]), slots.push_back(slot);
  return {bytes_each(places), bytes_each(slots)};
}

}  // namespace scree::device
