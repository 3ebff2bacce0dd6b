#pragma once
/// \file A chunk of pairs of one group of channels: the unit of work that goes through detect -> law -> accumulate
/// while it is hot.

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "scree/base/exact_sum.hpp"
#include "scree/base/release.hpp"
#include "scree/base/types.hpp"
#include "scree/detect/pair.hpp"
#include "scree/hooks/contact_view.hpp"
#include "scree/integrate/cones.hpp"
#include "scree/integrate/potential.hpp"

namespace scree {

/// A little more than is needed now, so that a contact more next time costs nothing.
inline std::size_t with_reserve(std::size_t contacts) { return contacts + contacts / 32 + 16; }

/// Which contacts there are in one chunk, in contact order. Most of most steps they are those of the step before.
/// Bodies that touch in one point need neither feature nor payload: what all contacts share is kept once.
class ContactKeys {
 public:
  std::vector<std::uint32_t> pair;  ///< ascending

  std::size_t size() const { return pair.size(); }
  /// Whether all contacts have the same feature and the same payload. Else there are columns of them.
  bool shared() const { return features_.empty(); }
  std::uint32_t feature(std::size_t i) const { return shared() ? feature_ : features_[i]; }
  std::uint64_t payload(std::size_t i) const { return shared() ? payload_ : payloads_[i]; }
  const std::uint32_t* features() const { return features_.data(); }
  const std::uint64_t* payloads() const { return payloads_.data(); }

  /// From as many entries each.
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
  /// Where the contacts of a pair begin, if it has any.
  std::size_t first_of_pair(std::uint32_t wanted) const {
    return static_cast<std::size_t>(std::lower_bound(pair.begin(), pair.end(), wanted) - pair.begin());
  }
  /// One behind the last contact of the pair whose first contact is `begin`.
  std::size_t end_of_pair(std::size_t begin) const {
    std::size_t end = begin + 1;
    while (end < pair.size() && pair[end] == pair[begin]) ++end;
    return end;
  }

 private:
  std::uint32_t feature_ = 0;
  std::uint64_t payload_ = 0;
  std::vector<std::uint32_t> features_;  ///< empty, as payloads_, while all are the same
  std::vector<std::uint64_t> payloads_;
};

/// What a law remembers of the same contacts, as columns.
class HistoryColumns {
 public:
  double* operator[](int k) { return values_.data() + static_cast<std::size_t>(k) * stride_; }
  const double* operator[](int k) const { return values_.data() + static_cast<std::size_t>(k) * stride_; }
  /// What was there before is lost.
  void resize(std::size_t contacts, int columns) {
    if (contacts > stride_) stride_ = with_reserve(contacts);
    const std::size_t wanted = stride_ * static_cast<std::size_t>(columns);
    if (wanted > values_.capacity()) release(values_);  // else it would grow to twice as much
    values_.resize(wanted);
  }

 private:
  std::vector<double> values_;  ///< column k starts at k * stride
  std::size_t stride_ = 0;
};

/// What becomes of the contacts and the history that an evaluation finds.
enum class Keep {
  trial,      ///< they wait for commit(), beside what is committed
  committed,  ///< they take its place at once, which saves a second copy
  nothing     ///< a look: what is committed stays
};

/// Contacts and their history. A trial whose contacts are those of the committed step has no keys of its own.
struct ChunkHistory {
  ContactKeys keys, trial_keys;
  HistoryColumns committed, trial;
  bool same_keys = false;  ///< of the last evaluation: its contacts are those of `keys`

  const ContactKeys& keys_of_trial() const { return same_keys ? keys : trial_keys; }
  /// The trial becomes what is committed.
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

/// A body's share of the forces from one chunk: a cache line, force [N] and torque [N m] a group of four each.
struct alignas(64) WrenchSlot {
  double force[4] = {}, torque[4] = {};
};

/// What a chunk's last evaluation found.
struct ChunkCounts {
  std::size_t contacts = 0;        ///< overlap > 0
  std::size_t touching_pairs = 0;  ///< with at least one such contact
  std::size_t history_hits = 0;    ///< contacts, gaps included, that continue one of the last committed step
  double max_overlap = 0;          ///< [m]
  ExactSum elastic_energy;         ///< [J], when asked for
};

/// A contact that an integrator was handed, and for which it answers with a force or an impulse.
struct HandedContact {
  std::uint32_t contact;  ///< of the chunk
  std::uint32_t a, b;     ///< local rows of the bodies that take the force
  Vec3 arm_a, arm_b;      ///< [m]
};

/// A local row of a chunk that is an image of its body. Where that is depends on the cell of now.
struct ImageRow {
  std::uint32_t row;
  std::int32_t image;  ///< packed
};

struct Chunk {
  /// Consecutive pairs of one channel.
  struct Segment {
    std::uint32_t channel;
    std::uint32_t end;  ///< one behind the last pair
  };
  std::vector<Segment> segments;     ///< ascending, of all pairs
  std::vector<std::uint32_t> rows;   ///< local row -> row of the World
  std::vector<ImageRow> images;      ///< local rows that are images, ascending; all others are the bodies themselves
  std::vector<std::uint32_t> owner;  ///< local row -> local row that takes its forces (itself unless it is a member)
  std::vector<Pair> pairs;           ///< local rows
  std::vector<double> tolerated;     ///< of each pair: what is not counted as overlap [m]; empty: nothing
  std::vector<std::int32_t> image;   ///< of each pair's b, as a number (world/periodic_cell.hpp); empty: all are 0
  PairCache cache;
  ChunkHistory history;
  std::size_t first_slot = 0;  ///< wrench of local row r goes to slot first_slot + r
  ChunkCounts counts;
  std::int32_t image_of(std::size_t pair) const { return image.empty() ? 0 : image[pair]; }
  std::uint32_t channel_of(std::size_t pair) const {
    if (segments.size() == 1) return segments[0].channel;
    return std::upper_bound(segments.begin(), segments.end(), pair,
                            [](std::size_t p, const Segment& s) { return p < s.end; })
        ->channel;
  }
  std::vector<ContactRecord> records;         ///< of the last evaluation, when somebody wants them
  std::vector<HandedContact> handed;          ///< of the last evaluation, when it was one of cones or potentials
  std::vector<std::array<Vec3, 2>> own_arms;  ///< of these, about a and b themselves; empty where none is a member [m]
  std::size_t first_handed = 0;               ///< of the pipeline's
  std::vector<ConeContact> cones;             ///< as `handed`
  std::vector<PotentialContact> potentials;   ///< as `handed`
};

}  // namespace scree
