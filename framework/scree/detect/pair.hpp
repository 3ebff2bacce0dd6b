#pragma once
/// \file A candidate pair, and the cache that a detector may keep for it between steps.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "scree/detect/last_contacts.hpp"

namespace scree {

/// Two bodies close enough to touch before the next rebuild. `a` has the lower id: the orientation of a pair, and so of
/// its normal and its springs, never depends on the order of the bodies in memory.
struct Pair {
  std::uint32_t a = 0, b = 0;  ///< rows of the BodyView the pair comes with
};

/// Cache of a detector for one chunk of pairs: rows that follow their pairs through rebuilds
/// (DetectorTraits::cache_row). The core owns it and passes it to detect() on one thread at a time. A detector may
/// refresh it at any time, but its results must not depend on the age of the rows: a cache only saves time. Rows are
/// not written to checkpoints.
class PairCache {
 public:
  /// Returns the cache as `count` rows of T (trivially copyable), row i for the i-th pair given to detect(). It grows
  /// with zeroed rows, which must mean "nothing known".
  template <class T>
  T* rows(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t words = (count * sizeof(T) + sizeof(Word) - 1) / sizeof(Word);
    if (bytes_.size() < words) bytes_.resize(words);
    return reinterpret_cast<T*>(bytes_.data());
  }

  /// Contacts of the chunk's pairs at the end of the last step. Unlike the rows, they are state: results may depend on
  /// them. Valid during detect().
  const LastContacts& last() const { return last_; }
  void set_last(const LastContacts& last) { last_ = last; }

 private:
  struct alignas(64) Word {
    std::byte data[64];
  };
  std::vector<Word> bytes_;
  LastContacts last_;
};

}  // namespace scree
