#pragma once
/// \file Which pairs are looked at, and the slots of their contacts: made on the device, anew when bodies have outrun
/// the skin. What contacts remember moves along.

#include <array>
#include <cstdint>
#include <vector>

#include "engine/device.hpp"
#include "engine/plan.hpp"
#include "scree/world/periodic_cell.hpp"

namespace scree::device {

/// Bodies as they lie when pairs are listed, by rank, in the device's memory.
struct ReferencePlaces {
  const Vector3d* x;
  const Quaterniond* q;
  const double* inverse_mass;
};

class PairLists {
 public:
  PairLists(Device& device, const DevicePlan& plan, const PeriodicCell& cell, double skin);

  /// \param walls  of DevicePlan::walls, as they lie  \param wrapped  see WrapBodies; or null
  void rebuild(const ReferencePlaces& bodies, std::span<const Pose> walls, const std::uint8_t* wrapped = nullptr);

  Sites sites() const;
  ContactSlots slots() const { return now_.memory(stride_); }
  /// The columns of a step that anyone uses.
  StepContacts step_contacts() const;
  /// Of one obstacle at a time.
  SeenFaces seen_faces() const;
  /// Of channel c of DevicePlan::pairs, and of obstacle g.
  Segment pair_segment(std::size_t c) const { return pair_segments_[c]; }
  Segment wall_segment(std::size_t g) const { return wall_segments_[g]; }
  std::uint32_t first_pair(std::size_t c) const { return channel_first_[c]; }
  const std::uint32_t* pair_a() const { return now_.pair_a.data(); }
  const std::uint32_t* pair_b() const { return now_.pair_b.data(); }
  /// PairMethods::memory() of each of its pairs.
  std::byte* pair_memory(std::size_t c) { return pair_memory_[c].data(); }
  std::uint32_t* forgotten() { return forgotten_.data(); }
  const std::uint32_t* wall_sites(std::size_t g) const { return wall_sites_[g].data(); }
  const Vector3d* shifts() const { return shift_.data(); }
  Rows rows() const { return now_.rows(); }
  const WallItems* wall_items() const { return wall_items_.data(); }
  PairSlots pair_slots() const { return now_.pair_slots(); }

  /// Pairs, and sites near obstacles.
  std::size_t candidates() const { return candidates_; }
  std::size_t slot_count() const { return slots_; }
  /// Length of the columns of step_contacts().
  std::size_t place_count() const { return places_; }
  std::uint32_t pair_count() const { return pairs_; }

  /// What contacts remember, to look at and change on the host.
  struct HostMemory {
    std::uint32_t stride;  ///< as ContactSlots has it
    std::vector<double> history;
    std::vector<std::uint8_t> live;  ///< by slot: 1 where there is a contact

    /// What a slot has.
    std::span<double> of(std::size_t slot) { return std::span(history).subspan(slot * stride, stride); }
    std::span<const double> of(std::size_t slot) const { return std::span(history).subspan(slot * stride, stride); }
  };
  /// After the last evaluation.
  HostMemory download_memory() const { return {stride_, now_.history.download(), live_slots(now_.live)}; }
  /// What is committed.
  HostMemory download_committed() const {
    return saved_ ? HostMemory{stride_, saved_history_.download(), live_slots(saved_live_)} : download_memory();
  }
  /// By slot, where the last evaluation put its contacts, or kNone.
  std::vector<std::uint32_t> download_places() const;
  void upload_memory(const HostMemory& memory);
  /// Keeps aside what contacts remember, before an evaluation that is to leave no trace.
  void save_memory();
  /// Brings it back, if it was kept aside, before the next evaluation.
  void restore_memory();
  /// Brings it back where no evaluation follows: the columns, and download_places(), are still those of the last one.
  void restore_memory_after_look();

  /// Who the contacts of all slots are between, for the host.
  struct HostPairs {
    std::vector<std::uint32_t> a, b;                  ///< of pairs: slot of a's site; of b's, with its image
    std::vector<std::uint32_t> site_rank, site_body;  ///< by slot of sites
    std::vector<std::vector<std::uint32_t>> wall_sites;
  };
  HostPairs download_pairs() const;
  /// Where sites were in the last evaluation, by slot of sites [m].
  std::vector<Vector3d> download_sites() const { return site_x_.download(); }

 private:
  /// One generation of lists.
  struct Lists {
    Buffer<std::uint32_t> first_entry, entry, entry_rank, ref, slot_of_rank, pair_a, pair_b, item_of;
    Buffer<std::uint32_t> channel_slots;  ///< PairSlots::first_pair, first_slot, central
    Buffer<double> history;
    Buffer<LiveContacts> live;
    std::vector<ItemSlots> of_wall;  ///< of item 0 of each obstacle
    std::size_t slots = 0;
    std::uint32_t channels = 0;
    bool made = false;

    explicit Lists(Device& device);
    Rows rows() const { return {first_entry.data(), entry.data(), entry_rank.data(), ref.data()}; }
    ContactSlots memory(std::uint32_t stride) const { return {history.data(), stride, live.data()}; }
    PairSlots pair_slots() const {
      const std::uint32_t* const first = channel_slots.data();
      return {channels, first, first + channels + 1, first + 2 * channels + 1};
    }
  };

  /// each(segment) of pairs and obstacles.
  template <class Each>
  void for_segments(const Each& each) const {
    for (const Segment& s : pair_segments_) each(s);
    for (const Segment& s : wall_segments_) each(s);
  }
  std::vector<std::uint8_t> live_slots(const Buffer<LiveContacts>& live) const;
  std::vector<LiveContacts> by_item(const std::vector<std::uint8_t>& live) const;
  void arrange(const ReferencePlaces& bodies);
  void list_pairs(const ReferencePlaces& bodies);
  void list_walls(std::span<const Pose> walls);
  void make_slots();
  void make_segments(std::span<const std::uint32_t> first_slots);
  void make_columns();
  void forget_pairs();
  void inherit(const std::uint8_t* wrapped);
  /// Of the sums in `counts`, which it becomes the scan of.
  std::uint32_t scan(Buffer<std::uint32_t>& counts, std::uint32_t items);

  Device& device_;
  const DevicePlan& plan_;
  double skin_, per_edge_;
  bool shared_ = false;   ///< some sites have other shares than 1
  double offset_ = 0;     ///< of a site from its body, at most [m]
  std::uint32_t stride_;  ///< ContactSlots::stride
  Vector3d low_, high_;
  std::vector<std::uint32_t> images_;
  Buffer<SiteDefinition> definition_;
  Buffer<std::int32_t> channel_of_;
  Buffer<std::uint32_t> image_;
  Buffer<Vector3d> shift_;
  std::vector<Buffer<std::uint8_t>> meets_;
  Buffer<std::uint64_t> key_, sorted_key_;
  Buffer<std::uint32_t> rank_, count_, scanned_, near_;
  Buffer<std::uint32_t> site_rank_, site_body_, site_species_;
  Buffer<double> site_radius_, site_scale_, site_share_;
  Buffer<Vector3d> site_local_, site_x_, site_x0_;
  Lists now_, old_;
  Buffer<double> columns_, seen_, saved_history_;
  Buffer<LiveContacts> saved_live_;
  Buffer<LiveContacts> looked_live_;  ///< what belongs to the columns, where that is not what is remembered
  Buffer<std::uint32_t> slot_at_, active_count_, forgotten_;
  std::vector<Buffer<std::byte>> pair_memory_;
  std::vector<Buffer<std::uint32_t>> wall_sites_;
  std::vector<std::uint32_t> wall_counts_, channel_first_;
  std::vector<Segment> pair_segments_, wall_segments_;
  Buffer<WallItems> wall_items_;
  std::size_t slots_ = 0, places_ = 0, seen_count_ = 0, candidates_ = 0;
  bool saved_ = false, looked_ = false;
  std::uint32_t pairs_ = 0;
};

}  // namespace scree::device
