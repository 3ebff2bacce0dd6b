#pragma once
/// \file Contact history of all contacts as flat arrays: what a snapshot of a run keeps.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/hooks/history_store.hpp"

namespace scree {

/// Records in the order they were appended; a HistoryRecord of its own for each would take three times the memory.
class SCREE_API HistoryTable {
 public:
  /// A record without its values.
  struct Key {
    std::uint32_t interaction;
    Id a, b;
    std::int32_t image;
    std::uint32_t feature;
    std::uint64_t payload;
  };
  /// Makes room for the records of this interaction, with so many values each, that will be appended next.
  void expect(std::uint32_t interaction, std::size_t values, std::size_t records);
  void append(const Key& key, std::span<const double> values);

  /// All records, by (interaction, a, b, image, order of appending).
  template <class Visit>
  void visit_in_order(Visit&& visit) const {
    for (const Place& p : places_in_order()) {
      const Block& block = blocks_[p.block];
      visit(key(p), std::span(block.number).subspan(p.record * block.values, block.values));
    }
  }
  std::vector<HistoryRecord> records() const;

 private:
  /// Records of one interaction with as many values each.
  struct Block {
    std::uint32_t interaction;
    std::size_t values;
    std::vector<Id> a, b;
    // Few contacts need these: empty while all are 0.
    std::vector<std::int32_t> image;
    std::vector<std::uint32_t> feature;
    std::vector<std::uint64_t> payload;
    std::vector<double> number;
  };
  struct Place {
    std::uint32_t block, record;
  };
  Key key(const Place& place) const;
  std::vector<Place> places_in_order() const;

  std::vector<Block> blocks_;
};

}  // namespace scree
