#pragma once
/// \file Pairs of bodies within reach that may touch, in canonical order.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/raw_array.hpp"
#include "scree/contacts/lists/exclusions.hpp"
#include "scree/contacts/lists/large_bodies.hpp"
#include "scree/contacts/lists/list_reach.hpp"
#include "scree/contacts/lists/listed_part.hpp"
#include "scree/contacts/lists/slender_bodies.hpp"
#include "scree/contacts/lists/space_blocks.hpp"
#include "scree/model/methods.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Pair that is listed. Its two bodies have two orders, each with its own purpose; see PairListing.
struct ListedPair {
  std::uint32_t channel : 31;
  std::uint32_t home_is_b : 1;  ///< true if b is the home of the pair, see SpaceBlocks
  std::uint32_t a, b;           ///< rows; a has the lower id
  std::int32_t image;           ///< image of b
  std::uint32_t home() const { return home_is_b ? b : a; }
  std::uint32_t other() const { return home_is_b ? a : b; }
};

/// Input of a listing.
struct ListingSource {
  const World& world;
  const Methods& methods;
  const LargeBodies& large;
  const SlenderBodies& slender;
  BodyPoses poses;             ///< reference poses: the current ones, or those of a saved run
  const SpaceBlocks& blocks;   ///< blocks of the reference positions
  double skin;                 ///< pairs are listed up to this gap beyond the range of their law [m]
  const ListReach& beyond;     ///< distances that bodies may move beyond half of the skin
  const ExpectedPaths& paths;  ///< paths of slender bodies
};

/// Pairs whose homes stand in a part of the curve, in canonical order. They are sorted by group of channels, place of
/// the home, place of the other body, image. The listing lives only during a rebuild.
///
/// A pair has two orders:
///   a, b          by id     orientation: normal, springs and history depend neither on rows nor on positions
///   home, other   by place  the home is the body that comes first along the curve: its block has the pair
///
///       curve:  ... [ 4  5  6 | 7  8  9 ] ...        places; | is the limit of two blocks
///       pairs:        4-5  4-7  6-7  |  7-8  8-9     sorted by home: those of a block are consecutive
///
/// Since pairs of a block are consecutive, chunks are ranges of this list (PairLists::cut). Since a pair has one home,
/// it is listed once: by the rank that has the home's place, without any message. Pairs of one group and home
/// form a bucket: sort() fills the buckets by counting and sorts each of them, and find() scans one.
///
/// Held bodies are an exception: they are home only if the other body is held too (SpaceBlocks::home_first). Fixed,
/// prescribed, unbounded and large bodies are held. A wall touches thousands of bodies, and as home it would collect
/// all of them in one block. That would be work for one thread, on bodies from everywhere.
///
/// Alternatives:
/// - The body of lower id as home: neighbours in space would be far apart in the list, since ids say nothing about
///   places.
/// - The lower row as home: rows change order between steps, and need not follow the curve (PairLists::in_order).
/// - Both directions of each pair, one per body: twice the contacts, and history in two places.
class PairListing {
 public:
  PairListing(const ListingSource& source, const ListedPart& part);

  std::size_t size() const { return pairs_.size(); }
  std::span<ListedPair> pairs() { return {pairs_.data(), pairs_.size()}; }

  /// Returns the place along the curve of the home of a pair.
  std::uint32_t place(std::size_t pair) const { return blocks_.rank(pairs_[pair].home()); }

  static constexpr std::size_t kNone = ~std::size_t{0};
  /// Returns the index of the pair of two rows, or kNone if it is not listed here. \pre pairs are in the order in which
  /// they were made
  /// \param image  image of b, whose body has the higher id
  std::size_t find(std::uint32_t channel, std::uint32_t a, std::uint32_t b, std::int32_t image) const;

  /// Checks whether two pairs are of one group of channels.
  bool same_group(std::size_t i, std::size_t j) const { return group_of(pairs_[i]) == group_of(pairs_[j]); }
  /// Returns the end of the pairs in the block and group of channels of pair `first`. \param end  limit of the search
  std::size_t end_of_block(std::size_t first, std::size_t end) const;

 private:
  class Search;
  std::uint32_t group_of(const ListedPair& pair) const { return methods_.channels[pair.channel].group; }
  void sort();
  void sort_bucket(std::span<ListedPair> bucket) const;
  std::size_t bucket_of(std::uint32_t group, std::uint32_t home) const {
    return group * std::size_t{part_.end - part_.first} + blocks_.rank(home) - part_.first;
  }

  const Methods& methods_;
  const SpaceBlocks& blocks_;
  ListedPart part_;
  RawArray<ListedPair> pairs_;
  std::vector<std::uint32_t> bucket_start_;  ///< (groups x places + 1) by group of channels and place of the home
};

}  // namespace scree
