#pragma once
/// \file Contacts of one chunk in the committed step, and their history.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "scree/base/release.hpp"
#include "scree/detect/last_contacts.hpp"

namespace scree {

/// Returns a capacity slightly above the number of contacts, so that one more contact costs nothing.
inline std::size_t with_reserve(std::size_t contacts) { return contacts + contacts / 32 + 16; }

/// Keys of the contacts of one chunk, in contact order. In most steps most are those of the previous step. Bodies that
/// touch in one point need neither feature nor payload: a value shared by all contacts is kept once.
class ContactKeys {
 public:
  std::vector<std::uint32_t> pair;  ///< ascending

  std::size_t size() const { return pair.size(); }
  /// Checks whether all contacts have the same feature and payload. Otherwise there are columns of both.
  bool shared() const { return features_.empty(); }
  std::uint32_t feature(std::size_t i) const { return shared() ? feature_ : features_[i]; }
  std::uint64_t payload(std::size_t i) const { return shared() ? payload_ : payloads_[i]; }
  const std::uint32_t* features() const { return features_.data(); }
  const std::uint64_t* payloads() const { return payloads_.data(); }
  LastContacts last() const { return {pair, shared() ? nullptr : payloads_.data(), payload_}; }

  /// Sets the keys from arrays of this many contacts.
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
  /// Returns the index of the first contact of a pair, if it has any.
  std::size_t first_of_pair(std::uint32_t wanted) const {
    return static_cast<std::size_t>(std::lower_bound(pair.begin(), pair.end(), wanted) - pair.begin());
  }
  /// Returns the end of the contacts of the pair whose first contact is `begin`.
  std::size_t end_of_pair(std::size_t begin) const {
    std::size_t end = begin + 1;
    while (end < pair.size() && pair[end] == pair[begin]) ++end;
    return end;
  }

 private:
  std::uint32_t feature_ = 0;
  std::uint64_t payload_ = 0;
  std::vector<std::uint32_t> features_;  ///< empty, like payloads_, while all are the same
  std::vector<std::uint64_t> payloads_;
};

/// History of the same contacts, as columns.
class HistoryColumns {
 public:
  double* operator[](int k) { return values_.data() + static_cast<std::size_t>(k) * stride_; }
  const double* operator[](int k) const { return values_.data() + static_cast<std::size_t>(k) * stride_; }
  /// Makes room for this many contacts; earlier values are lost.
  void resize(std::size_t contacts, int columns) {
    if (contacts > stride_) stride_ = with_reserve(contacts);
    const std::size_t wanted = stride_ * static_cast<std::size_t>(columns);
    if (wanted > values_.capacity()) release(values_);  // otherwise it would grow to twice the size
    values_.resize(wanted);
  }

 private:
  std::vector<double> values_;  ///< column k starts at k * stride
  std::size_t stride_ = 0;
};

/// Treatment of the contacts and the history that an evaluation finds.
enum class HistoryUpdate {
  trial,   ///< wait for commit_trial(), beside the committed ones
  commit,  ///< replace the committed ones at once, which saves a second copy
  none     ///< are discarded; the committed ones stay
};

/// Contacts of a chunk and their history. A trial with the same contacts as the committed step has no keys of its own.
struct ChunkHistory {
  ContactKeys keys, trial_keys;
  HistoryColumns committed, trial;
  bool same_keys = false;  ///< true if the last evaluation had the same contacts as `keys`

  const ContactKeys& keys_of_trial() const { return same_keys ? keys : trial_keys; }
  /// Makes the trial the committed history.
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
