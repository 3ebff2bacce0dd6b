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
  std::vector<std::uint32_t> first;  ///< (pairs + 1) contacts of pair p are first[p] .. first[p+1]-1
  std::vector<std::uint32_t> feature;
  std::vector<std::uint64_t> payload;
  std::vector<double> values;  ///< column k starts at k * stride
  std::size_t stride = 0;

  std::size_t size() const { return first.empty() ? 0 : first.back(); }
  double* column(int k) { return values.data() + static_cast<std::size_t>(k) * stride; }
  const double* column(int k) const { return values.data() + static_cast<std::size_t>(k) * stride; }
  void resize(std::size_t pairs, std::size_t contacts, int columns) {
    first.resize(pairs + 1);
    if (contacts > stride) stride = contacts + contacts / 2 + 16;
    feature.resize(stride);
    payload.resize(stride);
    values.resize(stride * static_cast<std::size_t>(columns));
  }
};

/// What a chunk's last evaluation found.
struct ChunkCounts {
  std::size_t contacts = 0;        ///< overlap > 0
  std::size_t touching_pairs = 0;  ///< with at least one such contact
  double max_overlap = 0;          ///< [m]
  double elastic_energy = 0;       ///< [J], when asked for
};

struct Chunk {
  std::uint32_t channel = 0;
  std::vector<std::uint32_t> rows;   ///< local row -> row of the World
  std::vector<Vec3> shift;           ///< local row -> from the body to the image meant [m]; empty: all are the bodies
  std::vector<std::uint32_t> owner;  ///< local row -> local row that takes its forces (itself unless it is a member)
  std::vector<Pair> pairs;           ///< local rows
  PairCache cache;
  ContactStore committed, trial;
  std::size_t first_slot = 0;  ///< wrench of local row r goes to slot first_slot + r
  ChunkCounts counts;
  std::vector<ContactRecord> records;  ///< of the last evaluation, when somebody wants them
};

}  // namespace scree
