#pragma once
/// \file A chunk of pairs of one channel: the unit of work that goes through detect -> law -> accumulate while it is
/// hot.

#include <cstdint>
#include <vector>

#include "scree/base/types.hpp"
#include "scree/detect/pair.hpp"
#include "scree/hooks/contact_view.hpp"

namespace scree {

/// History of the contacts of one chunk, in contact order.
struct ContactStore {
  std::size_t size = 0;
  std::vector<std::uint32_t> pair;  ///< ascending
  std::vector<std::uint32_t> feature;
  std::vector<std::uint64_t> payload;
  std::vector<double> values;  ///< column k starts at k * stride
  std::size_t stride = 0;

  double* column(int k) { return values.data() + static_cast<std::size_t>(k) * stride; }
  const double* column(int k) const { return values.data() + static_cast<std::size_t>(k) * stride; }
  /// What was there before is lost.
  void resize(std::size_t contacts, int columns) {
    size = contacts;
    if (contacts > stride) stride = contacts + contacts / 8 + 16;
    if (pair.size() == stride && values.size() == stride * static_cast<std::size_t>(columns)) return;
    pair.resize(stride);
    feature.resize(stride);
    payload.resize(stride);
    values.resize(stride * static_cast<std::size_t>(columns));
  }
  /// One behind the last contact of the pair whose first contact is `begin`.
  std::size_t end_of_pair(std::size_t begin) const {
    std::size_t end = begin + 1;
    while (end < size && pair[end] == pair[begin]) ++end;
    return end;
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
  double elastic_energy = 0;       ///< [J], when asked for
};

struct Chunk {
  std::uint32_t channel = 0;
  std::vector<std::uint32_t> rows;   ///< local row -> row of the World
  std::vector<Vec3> shift;           ///< local row -> from the body to the image meant [m]; empty: all are the bodies
  std::vector<std::uint32_t> owner;  ///< local row -> local row that takes its forces (itself unless it is a member)
  std::vector<Pair> pairs;           ///< local rows
  std::vector<std::int32_t> image;   ///< of each pair's b, as a number (world/periodic_cell.hpp); empty: all are 0
  PairCache cache;
  ContactStore committed, trial;
  std::size_t first_slot = 0;  ///< wrench of local row r goes to slot first_slot + r
  ChunkCounts counts;
  std::int32_t image_of(std::size_t pair) const { return image.empty() ? 0 : image[pair]; }
  std::vector<ContactRecord> records;  ///< of the last evaluation, when somebody wants them
};

}  // namespace scree
