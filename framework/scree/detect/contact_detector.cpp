#include "scree/detect/contact_detector.hpp"

namespace scree {

ContactDetector::~ContactDetector() = default;
std::span<const std::string_view> ContactDetector::quantities() const noexcept { return {}; }

const void* ContactDetector::face(std::string_view) const noexcept { return nullptr; }

bool ContactDetector::sees_orientation() const noexcept { return true; }

bool ContactDetector::central() const noexcept { return false; }

void ContactDetector::prepare(const BodyView&, std::span<const Pair>, double, double, PairCache&) const {}

void ContactDetector::match(const ContactMatch& contacts) const {
  for (std::size_t i = 0; i < contacts.new_count; ++i) {
    contacts.source[i] = -1;
    for (std::size_t j = 0; j < contacts.old_count; ++j)
      if (contacts.old_feature[j] == contacts.new_feature[i]) contacts.source[i] = static_cast<std::int32_t>(j);
  }
}

}  // namespace scree
