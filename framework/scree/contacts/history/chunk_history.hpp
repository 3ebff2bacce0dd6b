#pragma once
/// \file The contacts of one chunk that the committed step had, and what laws remember of them.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "scree/base/release.hpp"

namespace scree {

/// A little more than is needed now, so that a contact more next time costs nothing.
inline std::size_t with_reserve(std::size_t contacts) { return contacts + contacts / 32 + 16; }

/// Which contacts there are in one chunk, in contact order. In most steps most are those of the previous step.
/// Bodies that touch in one point need neither feature nor payload: what all contacts share is kept once.
class ContactKeys {
 public:
  std::vector<std::uint32_t> pair;  ///< ascending

  std::size_t size() const { return pair.size(); }
  /// Whether all contacts have the same feature and the same payload. Else there are columns of them.
  bool shared() const { return features_.empty(); }
  std::uint32_t feature(std::size_t i) const { return shared() ? feature_ : features_[i]; }
  std::uint64_t payload(std::size_t i) const { return shared() ? payload_ : payloads_[i]; }
  const std::uint32_t* features() const { return features_.data(); }
  const std::uint64_t* payloads() const { return payloads_.data(); }

  /// From as many entries each.
  void assign(std::size_t contacts, const std::uint32_t* pairs, const std::uint32_t* features,
              const std::uint64_t* payloads) {
    const auto copy = [contacts](auto& to, const auto* from) {
      if (contacts > to.capacity()) to.reserve(with_reserve(contacts));
      to.assign(from, from + contacts);
    };
    copy(pair, pairs);
    feature_ = contacts > 0 ? features[0] : 0;
    payload_ = contacts > 0 ? payloads[0] : 0;
    std::size_t same = 0;
    while (same < contacts && features[same] == feature_ && payloads[same] == payload_) ++same;
    if (same == contacts) {
      features_.clear();
      payloads_.clear();
      return;
    }
    copy(features_, features);
    copy(payloads_, payloads);
  }
  /// Where the contacts of a pair begin, if it has any.
  std::size_t first_of_pair(std::uint32_t wanted) const {
    return static_cast<std::size_t>(std::lower_bound(pair.begin(), pair.end(), wanted) - pair.begin());
  }
  /// One behind the last contact of the pair whose first contact is `begin`.
  std::size_t end_of_pair(std::size_t begin) const {
    std::size_t end = begin + 1;
    while (end < pair.size() && pair[end] == pair[begin]) ++end;
    return end;
  }

 private:
  std::uint32_t feature_ = 0;
  std::uint64_t payload_ = 0;
  std::vector<std::uint32_t> features_;  ///< empty, as payloads_, while all are the same
  std::vector<std::uint64_t> payloads_;
};

/// What a law remembers of the same contacts, as columns.
class HistoryColumns {
 public:
  double* operator[](int k) { return values_.data() + static_cast<std::size_t>(k) * stride_; }
  const double* operator[](int k) const { return values_.data() + static_cast<std::size_t>(k) * stride_; }
  /// What was there before is lost.
  void resize(std::size_t contacts, int columns) {
    if (contacts > stride_) stride_ = with_reserve(contacts);
    const std::size_t wanted = stride_ * static_cast<std::size_t>(columns);
    if (wanted > values_.capacity()) release(values_);  // else it would grow to twice as much
    values_.resize(wanted);
  }

 private:
  std::vector<double> values_;  ///< column k starts at k * stride
  std::size_t stride_ = 0;
};

/// What becomes of the contacts and the history that an evaluation finds.
enum class HistoryUpdate {
  trial,   ///< they wait for commit_trial(), beside what is committed
  commit,  ///< they take its place at once, which saves a second copy
  none     ///< what is committed stays
};

/// Contacts and their history. A trial whose contacts are those of the committed step has no keys of its own.
struct ChunkHistory {
  ContactKeys keys, trial_keys;
  HistoryColumns committed, trial;
  bool same_keys = false;  ///< of the last evaluation: its contacts are those of `keys`

  const ContactKeys& keys_of_trial() const { return same_keys ? keys : trial_keys; }
  /// The trial becomes what is committed.
  void commit() {
    std::swap(committed, trial);
    if (!same_keys) std::swap(keys, trial_keys);
  }
  void drop_trial() {
    trial_keys = {};
    trial = {};
    same_keys = false;
  }
};

}  // namespace scree
