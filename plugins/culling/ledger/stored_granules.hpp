#pragma once
/// \file Granules that are not in the World, in few bytes.

#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "ledger/bytes.hpp"
#include "scree/world/world.hpp"

namespace scree::culling {

/// A granule that is not in the World. Mass, moments and radius are those of its shape, material and size.
struct StoredGranule {
  Id id = 0;
  std::uint32_t shape = 0, material = 0, group = 0;
  double scale = 1;
  Pose pose;                      ///< in the aggregate's frame
  std::vector<std::byte> values;  ///< values of columns, in the order of Ledger::columns
};

/// Granules by ascending id, 36 bytes each and some for steps of ids: the number of its kind, three coordinates of 48
/// bits, an orientation of 128. Where sizes differ there are 8 bytes more, and columns take what they take.
///
/// Coordinates are multiples of a power of two: they err by 7e-15 of the largest one, at most. Components of the
/// quaternion err by 5e-13. What is packed again keeps its place to the bit, unless others lie twice as far out.
class StoredGranules {
 public:
  StoredGranules() = default;
  /// \param granules  by ascending id
  explicit StoredGranules(std::span<const StoredGranule> granules);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Returns the memory that it takes.
  std::size_t bytes() const { return packed_.size() + kinds_.size() * sizeof(Kind); }

  class Iterator {
   public:
    using value_type = StoredGranule;
    using difference_type = std::ptrdiff_t;
    const StoredGranule& operator*() const { return now_; }
    const StoredGranule* operator->() const { return &now_; }
    Iterator& operator++();
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return at_ > of_->size_; }

   private:
    friend class StoredGranules;
    explicit Iterator(const StoredGranules& of) : of_(&of), rest_(of.packed_) { ++*this; }
    const StoredGranules* of_;
    ByteReader rest_;
    std::size_t at_ = 0;  ///< number of granules read
    StoredGranule now_;
  };
  Iterator begin() const { return Iterator(*this); }
  static std::default_sentinel_t end() { return {}; }

  std::vector<StoredGranule> unpacked() const;
  /// Ascending.
  std::vector<Id> ids() const;

  void save(ByteWriter& to) const;
  /// \throws InputError for what is cut short, or ends too late
  void load(ByteReader& from);

 private:
  struct Kind {
    std::uint32_t shape, material, group;
    friend bool operator==(const Kind&, const Kind&) = default;
  };
  std::uint64_t kind_of(const StoredGranule& granule);
  void put(ByteWriter& to, const StoredGranule& granule, Id before);
  void get(ByteReader& from, StoredGranule& granule) const;

  std::size_t size_ = 0;
  double step_ = 1;              ///< step of coordinates [m]
  bool scaled_ = false;          ///< true if sizes are written
  std::size_t value_bytes_ = 0;  ///< bytes of columns, per granule
  std::vector<Kind> kinds_;
  std::vector<std::byte> packed_;
};

}  // namespace scree::culling
