#pragma once
/// \file Contact history of stored granules, in few bytes.

#include <span>
#include <vector>

#include "ledger/bytes.hpp"
#include "scree/hooks/history_store.hpp"

namespace scree::culling {

/// Records, some 7 bytes each and 8 for each value, which stays as it was to the bit.
class KeptHistory {
 public:
  KeptHistory() = default;
  /// \param records  in any order, which is kept
  explicit KeptHistory(std::span<const HistoryRecord> records);

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return packed_.size(); }
  std::vector<HistoryRecord> unpacked() const;

  void save(ByteWriter& to) const;
  /// \throws InputError for what is cut short, or ends too late
  void load(ByteReader& from);

 private:
  std::size_t size_ = 0;
  std::vector<std::byte> packed_;
};

}  // namespace scree::culling
