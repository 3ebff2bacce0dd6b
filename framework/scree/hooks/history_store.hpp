#pragma once
/// \file Committed contact history by id: for hooks that take bodies out and bring them back, and for checkpoints.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// History of one contact. Key: (interaction, a, b, image, feature).
struct HistoryRecord {
  std::uint32_t interaction;  ///< index into the scene's `interactions`
  Id a, b;                    ///< a < b
  std::int32_t image;
  std::uint32_t feature;
  std::uint64_t payload;       ///< payload of the detector
  std::vector<double> values;  ///< numbers of the law: history_size() of them
};

/// Reads and edits committed history between steps.
class SCREE_API HistoryStore {
 public:
  virtual ~HistoryStore();
  /// Returns all records, ordered by (interaction, a, b, image, order of contacts in the pair).
  virtual std::vector<HistoryRecord> extract() const = 0;
  /// Returns the records that involve one of these ids, in the same order as extract(). Bodies removed or attached
  /// since the last step still have theirs.
  virtual std::vector<HistoryRecord> extract(std::span<const Id> ids) const;
  /// Adds records, for example of bodies that were brought back. If the pair has contacts already, they come after
  /// those. A record waits until pairs are listed next: at the beginning of the next step if bodies were added or
  /// removed. If its pair is not listed then, it is dropped: the bodies are too far apart, have one owner, or do not
  /// both exist. To keep history for later, insert it later.
  /// \throws Error for an interaction that does not exist, another number of values than its law has, and a >= b; then
  /// none is added
  virtual void insert(std::span<const HistoryRecord> records) = 0;
};

}  // namespace scree
