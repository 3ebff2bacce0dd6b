#include "scree/contacts/history/contact_matching.hpp"

#include <algorithm>
#include <span>

namespace scree::detail {

namespace {

/// Comparison of current contacts with committed ones.
struct Comparison {
  const ContactKeys& old;
  const ContactBuffer& contacts;

  /// Checks whether current contact i looks like old contact j: same pair and same payload, or same feature where the
  /// payload is 0.
  bool same(std::size_t i, std::size_t j) const {
    const std::uint64_t payload = contacts.payload()[i];
    return contacts.pair()[i] == old.pair[j] && payload == old.payload(j) &&
           (payload != 0 || contacts.feature()[i] == old.feature(j));
  }

  /// Returns the number of contacts from i and j on that are the same; whole blocks at a time without branches.
  std::size_t same_range(std::size_t i, std::size_t j) const {
    const std::size_t most = std::min(contacts.size() - i, old.size() - j);
    std::size_t length = old.shared() ? same_blocks<true>(i, j, most) : same_blocks<false>(i, j, most);
    while (length < most && same(i + length, j + length)) ++length;
    return length;
  }

  /// \tparam kShared  true if all old contacts have the same feature and payload
  template <bool kShared>
  std::size_t same_blocks(std::size_t i, std::size_t j, std::size_t most) const {
    constexpr std::size_t kBlock = 16;
    const std::uint32_t *pair = contacts.pair() + i, *pair_old = old.pair.data() + j;
    const std::uint64_t *payload = contacts.payload() + i, *payload_old = kShared ? nullptr : old.payloads() + j;
    const std::uint32_t *feature = contacts.feature() + i, *feature_old = kShared ? nullptr : old.features() + j;
    const std::uint64_t one_payload = kShared ? old.payload(0) : 0;
    const std::uint32_t one_feature = kShared ? old.feature(0) : 0;
    std::size_t length = 0;
    for (; length + kBlock <= most; length += kBlock) {
      std::uint64_t different = 0;
      for (std::size_t k = length; k < length + kBlock; ++k) {
        const std::uint64_t had_payload = kShared ? one_payload : payload_old[k];
        const std::uint32_t had_feature = kShared ? one_feature : feature_old[k];
        const std::uint64_t other_feature = payload[k] == 0 ? feature[k] ^ had_feature : 0;
        different |= (pair[k] ^ pair_old[k]) | (payload[k] ^ had_payload) | other_feature;
      }
      if (different != 0) break;
    }
    return length;
  }

  /// Returns same_range() of whole pairs: a pair that has also lost or gained contacts is not the same in part.
  std::size_t same_pairs(std::size_t i, std::size_t j) const {
    std::size_t length = same_range(i, j);
    if (length == 0) return 0;
    const std::uint32_t* const pair = contacts.pair() + i;
    const std::uint32_t last = pair[length - 1];
    const bool cut = (i + length < contacts.size() && pair[length] == last) ||
                     (j + length < old.size() && old.pair[j + length] == last);
    while (cut && length > 0 && pair[length - 1] == last) --length;
    return length;
  }
};

/// Returns the end of the contacts of the pair whose first contact is `begin`.
std::size_t end_of_pair(const ContactBuffer& contacts, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < contacts.size() && contacts.pair()[end] == contacts.pair()[begin]) ++end;
  return end;
}

/// Copies features to contacts from i on, which are the same as those from j on.
void copy_features(const ContactKeys& old, std::size_t j, ContactBuffer& now, std::size_t i, std::size_t length) {
  if (old.shared() && old.payload(0) == 0) return;  // contacts compared equal by feature
  for (std::size_t k = 0; k < length; ++k) now.feature()[i + k] = old.feature(j + k);
}

}  // namespace

void ContactMatching::add(std::size_t begin, std::size_t end, std::size_t from) {
  ranges_.push_back(
      {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), static_cast<std::uint32_t>(from)});
}

std::size_t ContactMatching::match(const ContactKeys& old, ContactBuffer& now, const ContactDetector& detector,
                                   bool features, bool once) {
  const Comparison comparison{old, now};
  const std::size_t count = now.size();
  ranges_.clear();
  transfers_.clear();
  first_ = first_transfer_ = 0;
  unchanged_ = count == old.size() && comparison.same_range(0, 0) == count;
  if (unchanged_) {
    if (count > 0) add(0, count, 0);
    if (features) copy_features(old, 0, now, 0, count);
    return count;
  }

  std::size_t hits = 0;
  for (std::size_t i = 0, j = 0; i < count;) {
    while (j < old.size() && old.pair[j] < now.pair()[i]) ++j;
    const std::size_t length = comparison.same_pairs(i, j);
    if (length > 0) {
      add(i, i + length, j);
      copy_features(old, j, now, i, length);
      hits += length;
      i += length;
      j += length;
      continue;
    }
    const std::size_t end = end_of_pair(now, i);
    if (j == old.size() || old.pair[j] != now.pair()[i]) {
      add(i, end, Range::kNew);
    } else {
      const std::size_t old_end = old.end_of_pair(j);
      hits += match_pair(old, j, old_end, now, i, end, detector, once);
      j = old_end;
    }
    i = end;
  }
  return hits;
}

/// Passes each old contact on to one current contact. If match() named no successor, it is the current contact that
/// continues the old one. Sources are then reversed: each current contact continues an old one whose successor it is;
/// further ones become transfers.
/// \param from     first old contact of the pair
/// \param feature  features of its current contacts [begin, end)
void ContactMatching::pass_on_once(std::size_t from, const std::uint32_t* feature, std::size_t begin, std::size_t end) {
  const auto source = std::span(source_).first(end - begin);
  for (const bool same : {true, false})
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (source[i] < 0) continue;
      const auto j = static_cast<std::size_t>(source[i]);
      if (successor_[j] < 0 && (!same || feature[i] == old_feature_[j])) successor_[j] = static_cast<std::int32_t>(i);
    }
  for (std::size_t i = 0; i < source.size(); ++i) {
    const auto first = static_cast<std::ptrdiff_t>(transfers_.size());
    for (std::size_t j = 0; j < successor_.size(); ++j)
      if (successor_[j] == static_cast<std::int32_t>(i))
        transfers_.push_back({static_cast<std::uint32_t>(begin + i), static_cast<std::uint32_t>(from + j)});
    // Sorted by feature: sums must not depend on the order of old contacts, which differs in a resumed run.
    std::sort(transfers_.begin() + first, transfers_.end(), [&](const Transfer& p, const Transfer& q) {
      return old_feature_[p.from - from] < old_feature_[q.from - from];
    });
    source[i] = -1;
    if (transfers_.begin() + first == transfers_.end()) continue;
    source[i] = static_cast<std::int32_t>(transfers_[static_cast<std::size_t>(first)].from - from);
    transfers_.erase(transfers_.begin() + first);
  }
}

/// Lets the detector match a pair whose contacts have changed: current ones [begin, end), old ones [from, from_end).
/// \return number of contacts that continue an old one
std::size_t ContactMatching::match_pair(const ContactKeys& old, std::size_t from, std::size_t from_end,
                                        ContactBuffer& now, std::size_t begin, std::size_t end,
                                        const ContactDetector& detector, bool once) {
  old_feature_.clear();
  old_payload_.clear();
  for (std::size_t j = from; j < from_end; ++j) {
    old_feature_.push_back(old.feature(j));
    old_payload_.push_back(old.payload(j));
  }
  source_.resize(std::max(source_.size(), end - begin));
  if (once) successor_.assign(from_end - from, -1);
  detector.match({from_end - from, end - begin, old_feature_.data(), old_payload_.data(), now.feature() + begin,
                  now.payload() + begin, source_.data(), once ? successor_.data() : nullptr});
  if (once) pass_on_once(from, now.feature() + begin, begin, end);
  std::size_t hits = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const std::int32_t source = source_[i - begin];
    add(i, i + 1, source < 0 ? Range::kNew : from + static_cast<std::size_t>(source));
    hits += source >= 0;
  }
  return hits;
}

std::optional<std::size_t> ContactMatching::together(std::size_t begin, std::size_t end) {
  while (ranges_[first_].end <= begin) ++first_;
  while (first_transfer_ < transfers_.size() && transfers_[first_transfer_].to < begin) ++first_transfer_;
  if (first_transfer_ < transfers_.size() && transfers_[first_transfer_].to < end) return {};
  const Range& first = ranges_[first_];
  if (first.end < end || first.from == Range::kNew) return {};
  return first.from + (begin - first.begin);
}

void ContactMatching::copy(const double* committed, std::size_t begin, std::size_t end, double* to) const {
  for (std::size_t n = first_; n < ranges_.size() && ranges_[n].begin < end; ++n) {
    const Range& range = ranges_[n];
    const std::size_t first = std::max<std::size_t>(range.begin, begin), last = std::min<std::size_t>(range.end, end);
    if (range.from == Range::kNew)
      std::fill_n(to + (first - begin), last - first, 0.0);
    else
      std::copy_n(committed + range.from + (first - range.begin), last - first, to + (first - begin));
  }
  for (std::size_t n = first_transfer_; n < transfers_.size() && transfers_[n].to < end; ++n)
    to[transfers_[n].to - begin] += committed[transfers_[n].from];
}

}  // namespace scree::detail
