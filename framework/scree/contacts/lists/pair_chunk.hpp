#pragma once
/// \file A chunk of the pair lists: pairs of one group of channels. It is the unit of work that goes through detect ->
/// law -> accumulate while it is hot.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scree/contacts/methods.hpp"
#include "scree/detect/pair.hpp"

namespace scree {

/// A local row of a chunk that is an image of its body. Where that is depends on the current cell.
struct ImageRow {
  std::uint32_t row;
  std::int32_t image;  ///< packed
};

struct PairChunk {
  /// Consecutive pairs of one channel.
  struct Segment {
    std::uint32_t channel;
    std::uint32_t end;  ///< one behind the last pair
  };
  std::vector<Segment> segments;     ///< ascending, of all pairs
  std::vector<std::uint32_t> rows;   ///< local row -> row of the World
  std::vector<ImageRow> images;      ///< local rows that are images, ascending; all others are the bodies themselves
  std::vector<std::uint32_t> owner;  ///< local row -> local row that takes its forces; empty where none is a member
  std::vector<Pair> pairs;           ///< local rows
  std::vector<double> tolerated;     ///< of each pair: what is not counted as overlap [m]; empty: nothing
  std::vector<std::int32_t> image;   ///< of each pair's b, as a number (world/periodic_cell.hpp); empty: all are 0
  PairCache cache;
  std::size_t first_slot = 0;  ///< the wrench of local row r goes to slot first_slot + r
  std::uint32_t place = 0;     ///< along the curve, of the home of the first pair: see SpaceBlocks

  std::int32_t image_of(std::size_t pair) const { return image.empty() ? 0 : image[pair]; }
  std::uint32_t owner_of(std::uint32_t row) const { return owner.empty() ? row : owner[row]; }
  std::uint32_t channel_of(std::size_t pair) const {
    if (segments.size() == 1) return segments[0].channel;
    return std::upper_bound(segments.begin(), segments.end(), pair,
                            [](std::size_t p, const Segment& s) { return p < s.end; })
        ->channel;
  }
};

/// What the channels of a chunk have in common.
struct ChannelGroup {
  ChannelGroup(const Methods& methods, const PairChunk& chunk)
      : ChannelGroup(methods, methods.channels[chunk.segments[0].channel]) {}
  ChannelGroup(const Methods& methods, const Channel& channel)
      : detector(channel.detector),
        cache_row(channel.cache_row),
        curvature(channel.curvature),
        margin(channel.margin),
        history(methods.interactions[channel.interaction].history),
        impulses(methods.interactions[channel.interaction].cone != nullptr) {}

  const ContactDetector* detector;
  std::size_t cache_row;
  bool curvature;
  double margin;  ///< [m]
  int history;    ///< columns
  bool impulses;  ///< history is of impulses, for solvers of cones
};

}  // namespace scree
