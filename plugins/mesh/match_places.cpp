#include "match_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace scree::mesh {

namespace {

/// Places in payloads: steps per radius, and bits of each coordinate, which runs round.
constexpr double kSteps = 1024;
constexpr int kPlaceBits = 20;
constexpr std::uint64_t kPlaceMask = (1u << kPlaceBits) - 1, kSet = std::uint64_t{1} << 63;

constexpr int kKind = 3 * kPlaceBits;

/// Longest way of a contact on the mesh in a step, in radii.
constexpr double kContinues = 1.0 / 3;

/// Distance of two places in radii, squared.
double squared_way(std::uint64_t a, std::uint64_t b) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    constexpr std::int64_t kRound = std::int64_t{1} << kPlaceBits;
    auto steps = static_cast<std::int64_t>((a >> (k * kPlaceBits) & kPlaceMask) - (b >> (k * kPlaceBits) & kPlaceMask));
    steps &= kRound - 1;
    if (steps >= kRound / 2) steps -= kRound;
    sum += static_cast<double>(steps * steps) / (kSteps * kSteps);
  }
  return sum;
}

std::uint32_t part_of(std::uint32_t feature) { return feature >> kContactBits; }

Contact kind_of(std::uint64_t payload) { return static_cast<Contact>(payload >> kKind & 3); }

/// Gives contacts that continue one its feature, and others one of their part that is not in use.
void number(const ContactMatch& m) {
  const auto in_use = [&](std::uint32_t feature, std::size_t numbered) {
    if (std::find(m.old_feature, m.old_feature + m.old_count, feature) != m.old_feature + m.old_count) return true;
    for (std::size_t i = 0; i < m.new_count; ++i)
      if ((m.source[i] >= 0 || i < numbered) && m.new_feature[i] == feature) return true;
    return false;
  };
  for (std::size_t i = 0; i < m.new_count; ++i)
    if (m.source[i] >= 0) m.new_feature[i] = m.old_feature[m.source[i]];
  for (std::size_t i = 0; i < m.new_count; ++i) {
    if (m.source[i] >= 0) continue;
    std::uint32_t feature = part_of(m.new_feature[i]) << kContactBits;
    while (in_use(feature, i)) ++feature;
    m.new_feature[i] = feature;
  }
}

/// Gives contacts that begin within a patch the spring of the nearest one there: they begin without weight.
void share_springs(const ContactMatch& m) {
  for (std::size_t i = 0; i < m.new_count; ++i) {
    if (m.source[i] >= 0 || kind_of(m.new_payload[i]) != Contact::of_a_patch) continue;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < m.new_count; ++k) {
      const std::int32_t from = m.source[k];
      if (from < 0 || part_of(m.new_feature[k]) != part_of(m.new_feature[i]) || m.new_feature[k] != m.old_feature[from])
        continue;
      if (const double squared = squared_way(m.new_payload[i], m.new_payload[k]); squared < least)
        least = squared, m.source[i] = from;
    }
  }
}

/// Gives contacts without a past the nearest spring on another part of the body, within the same way.
void inherit(const ContactMatch& m) {
  for (std::size_t i = 0; i < m.new_count; ++i) {
    if (m.source[i] >= 0 || kind_of(m.new_payload[i]) == Contact::taken_back) continue;
    double least = kContinues * kContinues;
    for (std::size_t j = 0; j < m.old_count; ++j) {
      if (kind_of(m.old_payload[j]) == Contact::taken_back) continue;
      const double squared = squared_way(m.new_payload[i], m.old_payload[j]);
      const std::int32_t best = m.source[i];
      // Of equally near ones not the first: in a resumed run they may come in another order.
      if (squared < least || (squared == least && best >= 0 && m.old_feature[j] < m.old_feature[best]))
        least = squared, m.source[i] = static_cast<std::int32_t>(j);
    }
  }
}

/// Continues the nearest contacts of each part, those that are nearest to each other first.
void continue_parts(const ContactMatch& m) {
  struct Way {
    double squared;
    std::size_t from, to;
  };
  thread_local std::vector<Way> ways;
  thread_local std::vector<bool> continued;
  ways.clear();
  continued.assign(m.old_count, false);
  for (std::size_t i = 0; i < m.new_count; ++i) {
    m.source[i] = -1;
    for (std::size_t j = 0; j < m.old_count; ++j) {
      if (part_of(m.new_feature[i]) != part_of(m.old_feature[j])) continue;
      if ((kind_of(m.new_payload[i]) == Contact::taken_back) != (kind_of(m.old_payload[j]) == Contact::taken_back))
        continue;
      const double squared = squared_way(m.new_payload[i], m.old_payload[j]);
      if (squared < kContinues * kContinues) ways.push_back({squared, j, i});
    }
  }
  std::ranges::sort(ways, [&](const Way& a, const Way& b) {
    if (a.squared != b.squared) return a.squared < b.squared;
    return a.from != b.from ? m.old_feature[a.from] < m.old_feature[b.from] : a.to < b.to;
  });
  for (const Way& way : ways) {
    if (continued[way.from] || m.source[way.to] >= 0) continue;
    continued[way.from] = true;
    m.source[way.to] = static_cast<std::int32_t>(way.from);
  }
}

}  // namespace

std::uint64_t payload_at(const Vec3& place, double radius, Contact contact) {
  std::uint64_t payload = kSet | static_cast<std::uint64_t>(contact) << kKind;
  for (int k = 0; k < 3; ++k)
    payload |= (static_cast<std::uint64_t>(std::llround(place[k] / radius * kSteps)) & kPlaceMask) << (k * kPlaceBits);
  return payload;
}

void match_places(const ContactMatch& contacts) {
  continue_parts(contacts);
  number(contacts);
  share_springs(contacts);
}

void match_places_of_parts(const ContactMatch& contacts) {
  match_places(contacts);
  inherit(contacts);
}

}  // namespace scree::mesh
