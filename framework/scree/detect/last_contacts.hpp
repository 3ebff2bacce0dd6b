#pragma once
/// \file Contacts that the pairs of a chunk had at the end of the last step.

#include <cstddef>
#include <cstdint>
#include <span>

namespace scree {

/// Contacts of the last finished step, in the order of pairs. They belong to the state of a run: checkpoints keep them,
/// and they follow their pairs through rebuilds and between ranks. So a detector may begin its search where a pair
/// touched last, and its results may depend on it.
class LastContacts {
 public:
  LastContacts() = default;
  /// \param pair      (n) index of each contact's pair, ascending
  /// \param payloads  (n) payload of each contact (ContactBuffer::push), or null if all have `shared`
  LastContacts(std::span<const std::uint32_t> pair, const std::uint64_t* payloads, std::uint64_t shared)
      : pair_(pair), payloads_(payloads), shared_(shared) {}

  /// Contacts [first, end).
  struct Range {
    std::size_t first = 0, end = 0;
  };
  /// Returns the contacts of a pair. \param from  0, or the end of the range of an earlier pair, which saves a search
  Range of_pair(std::uint32_t pair, std::size_t from = 0) const {
    const auto begin = pair_.begin() + static_cast<std::ptrdiff_t>(from);
    auto first = begin;
    while (first != pair_.end() && *first < pair) ++first;
    auto end = first;
    while (end != pair_.end() && *end == pair) ++end;
    return {static_cast<std::size_t>(first - pair_.begin()), static_cast<std::size_t>(end - pair_.begin())};
  }
  std::uint64_t payload(std::size_t contact) const { return payloads_ ? payloads_[contact] : shared_; }

 private:
  std::span<const std::uint32_t> pair_;
  const std::uint64_t* payloads_ = nullptr;
  std::uint64_t shared_ = 0;
};

}  // namespace scree
