#pragma once
/// \file The pairs of bodies within reach that may touch, in canonical order.

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
#include "scree/contacts/methods.hpp"
#include "scree/world/world.hpp"

namespace scree {

struct ListedPair {
  std::uint32_t channel : 31;
  std::uint32_t home_is_b : 1;  ///< see SpaceBlocks
  std::uint32_t a, b;           ///< rows; a has the lower id
  std::int32_t image;           ///< of b
  std::uint32_t home() const { return home_is_b ? b : a; }
  std::uint32_t other() const { return home_is_b ? a : b; }
};

/// What pairs are listed from.
struct ListingSource {
  const World& world;
  const Methods& methods;
  const LargeBodies& large;
  const SlenderBodies& slender;
  BodyPoses poses;             ///< the reference: the current one, or that of a saved run
  const SpaceBlocks& blocks;   ///< of these positions
  double skin;                 ///< [m] pairs are listed up to this much beyond the reach of their law
  const ListReach& beyond;     ///< and by what bodies may go beyond half of that
  const ExpectedPaths& paths;  ///< that slender bodies follow
};

/// All pairs whose homes stand in a part of the curve, by (group of channels, home, other body, image), bodies in the
/// order of the curve. Pairs of one block of space so follow each other. Lives while lists are made.
class PairListing {
 public:
  PairListing(const ListingSource& source, const ListedPart& part);

  std::size_t size() const { return pairs_.size(); }
  std::span<ListedPair> pairs() { return {pairs_.data(), pairs_.size()}; }

  /// Place along the curve of the home of a pair.
  std::uint32_t place(std::size_t pair) const { return blocks_.rank(pairs_[pair].home()); }

  static constexpr std::size_t kNone = ~std::size_t{0};
  /// Where the pair of two rows stands, or kNone if it is not listed here. \pre pairs have the order they were made in
  /// \param image  of b, whose body has the higher id
  std::size_t find(std::uint32_t channel, std::uint32_t a, std::uint32_t b, std::int32_t image) const;

  /// Whether two pairs are of one group of channels.
  bool same_group(std::size_t i, std::size_t j) const { return group_of(pairs_[i]) == group_of(pairs_[j]); }
  /// One behind the last pair of the block and group of channels that pair `first` belongs to. \param end  where to
  /// stop
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
  std::vector<std::uint32_t> bucket_start_;  ///< (groups x places + 1) by group of channels and rank of the home
};

}  // namespace scree
