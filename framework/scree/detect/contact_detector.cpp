#include "scree/detect/contact_detector.hpp"

#include <algorithm>

namespace scree {

ContactDetector::~ContactDetector() = default;
ContactQuantities::~ContactQuantities() = default;

const void* ContactDetector::face(std::string_view) const noexcept { return nullptr; }

bool ContactDetector::sees_orientation() const noexcept { return true; }

bool ContactDetector::central() const noexcept { return false; }

void ContactDetector::prepare(const BodyView&, std::span<const Pair>, double, double, PairCache&) const {}

std::uint32_t unused_feature(const ContactMatch& m, std::size_t numbered) {
  const auto in_use = [&](std::uint32_t feature) {
    return std::find(m.old_feature, m.old_feature + m.old_count, feature) != m.old_feature + m.old_count ||
           std::find(m.new_feature, m.new_feature + numbered, feature) != m.new_feature + numbered;
  };
  std::uint32_t feature = 0;
  while (in_use(feature)) ++feature;
  return feature;
}

void ContactDetector::match(const ContactMatch& contacts) const {
  for (std::size_t i = 0; i < contacts.new_count; ++i) {
    contacts.source[i] = -1;
    for (std::size_t j = 0; j < contacts.old_count; ++j)
      if (contacts.old_feature[j] == contacts.new_feature[i]) contacts.source[i] = static_cast<std::int32_t>(j);
  }
}

}  // namespace scree
