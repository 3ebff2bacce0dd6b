#pragma once
/// \file History of all contacts as flat arrays, as snapshots of a run keep it.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/hooks/history_store.hpp"

namespace scree {

class ByteReader;
class ByteWriter;

/// Records of contact history in the order of appending. A HistoryRecord for each would take three times the memory.
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
  /// Makes room for the records of this interaction, with this many values each, that will be appended next.
  void expect(std::uint32_t interaction, std::size_t values, std::size_t records);
  void append(const Key& key, std::span<const double> values);

  struct Place {
    std::uint32_t block, record;
  };
  /// Returns the places of all records, ordered by (interaction, a, b, image, order of appending).
  std::vector<Place> places_in_order() const;
  Key key(const Place& place) const;
  std::span<const double> values(const Place& place) const;
  std::vector<HistoryRecord> records() const;

  /// Writes all records, in the order of appending.
  void put_all(ByteWriter& to) const;
  /// Appends records written by put_all(). \throws InternalError if they are cut off
  void append_all(ByteReader& from);

 private:
  /// Column that is kept as one value while all of its entries are the same.
  template <class T>
  struct Shared {
    T value = 0;
    std::vector<T> column;  ///< empty: all are `value`
    T operator[](std::size_t record) const { return record < column.size() ? column[record] : value; }
    /// Appends a value. \param record  number of records before
    void append(std::size_t record, T next) {
      if (record == 0) value = next;
      if (column.empty() && next == value) return;
      column.resize(record, value);
      column.push_back(next);
    }
    void put(ByteWriter& to) const;
    void take(ByteReader& from);
  };
  /// Records of one interaction with the same number of values each.
  struct Block {
    std::uint32_t interaction;
    std::size_t values;
    std::vector<std::uint32_t> a, b;  ///< lower halves of ids
    Shared<std::uint32_t> high_a, high_b;
    Shared<std::int32_t> image;
    Shared<std::uint32_t> feature;
    Shared<std::uint64_t> payload;
    std::vector<double> number;
  };

  std::vector<Block> blocks_;
};

}  // namespace scree
