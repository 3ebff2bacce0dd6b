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
  void reserve(std::size_t records, std::size_t values);
  void append(const Key& key, std::span<const double> values);
  std::size_t size() const { return a_.size(); }

  /// All records, by (interaction, a, b, image, order of appending).
  template <class Visit>
  void visit_in_order(Visit&& visit) const {
    for (const Place& p : places_in_order()) visit(key(p), std::span(values_).subspan(p.first_value, p.values));
  }
  std::vector<HistoryRecord> records() const;

 private:
  /// Records on end of one interaction with as many values each.
  struct Run {
    std::uint32_t interaction, values;
    std::size_t records;
  };
  struct Place {
    std::uint32_t interaction, values;
    std::size_t record, first_value;
  };
  Key key(const Place& place) const;
  std::vector<Place> places_in_order() const;

  std::vector<Run> runs_;
  std::vector<Id> a_, b_;
  // Most detectors and scenes need some of these for no contact: empty while all are 0.
  std::vector<std::int32_t> image_;
  std::vector<std::uint32_t> feature_;
  std::vector<std::uint64_t> payload_;
  std::vector<double> values_;
};

}  // namespace scree
