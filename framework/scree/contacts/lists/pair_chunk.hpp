#pragma once
/// \file Chunk of the pair lists: pairs of one group of channels. It is the unit of work that goes through detect ->
/// law -> accumulate while it is in the cache.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scree/model/methods.hpp"
#include "scree/detect/pair.hpp"

namespace scree {

/// Local row of a chunk that is an image of its body. Its place depends on the current cell.
struct ImageRow {
  std::uint32_t row;
  std::int32_t image;  ///< packed
};

struct PairChunk {
  /// Consecutive pairs of one channel.
  struct Segment {
    std::uint32_t channel;
    std::uint32_t end;  ///< end of its pairs
  };
  std::vector<Segment> segments;     ///< segments of all pairs, ascending
  std::vector<std::uint32_t> rows;   ///< local row -> row of the World
  std::vector<ImageRow> images;      ///< local rows that are images, ascending; all others are the bodies themselves
  std::vector<std::uint32_t> owner;  ///< local row -> local row that takes its forces; empty if none is a member
  std::vector<Pair> pairs;           ///< local rows
  std::vector<double> tolerated;     ///< overlap of each pair that does not count [m]; empty: none
  std::vector<std::int32_t> image;   ///< packed image of each pair's b (world/periodic_cell.hpp); empty: all are 0
  PairCache cache;
  std::size_t first_slot = 0;  ///< the wrench on local row r goes to slot first_slot + r
  std::uint32_t place = 0;     ///< place along the curve of the home of the first pair: see SpaceBlocks

  std::int32_t image_of(std::size_t pair) const { return image.empty() ? 0 : image[pair]; }
  std::uint32_t owner_of(std::uint32_t row) const { return owner.empty() ? row : owner[row]; }
  std::uint32_t channel_of(std::size_t pair) const {
    if (segments.size() == 1) return segments[0].channel;
    return std::upper_bound(segments.begin(), segments.end(), pair,
                            [](std::size_t p, const Segment& s) { return p < s.end; })
        ->channel;
  }
};

/// Common properties of the channels of a chunk.
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
  int history;    ///< number of columns
  bool impulses;  ///< true if history consists of impulses, for solvers of cones
};

}  // namespace scree
