#include "scree/model/methods.hpp"

#include <algorithm>

namespace scree {

SpeciesResolver::~SpeciesResolver() = default;

double Methods::largest_margin() const {
  double largest = margin;
  for (const Channel& channel : channels) largest = std::max(largest, channel.margin);
  return largest;
}

std::vector<double> Methods::further_reach() const {
  if (largest_margin() == margin) return {};
  std::vector<double> further(species_count_, 0);
  for (std::size_t s = 0; s < species_count_; ++s)
    for (std::size_t t = 0; t < species_count_; ++t) {
      const std::int32_t channel = table_[s * species_count_ + t];
      if (channel == kNoChannel) continue;
      further[s] = std::max(further[s], 0.5 * (channels[static_cast<std::size_t>(channel)].margin - margin));
    }
  return further;
}

}  // namespace scree
