#pragma once
/// \file What the parts of ContactPipeline share: its lists (rebuild_lists.cpp), evaluation and history.

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "scree/base/clock.hpp"
#include "scree/base/release.hpp"
#include "scree/contacts/body_tile.hpp"
#include "scree/contacts/contact_pipeline.hpp"
#include "scree/contacts/detail/kinematics.hpp"
#include "scree/contacts/detail/succession.hpp"

namespace scree {

/// Fewer pairs than this are faster on one thread than shared.
inline constexpr std::size_t kParallelPairs = 1500;

inline constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

/// release(), where it is so much that the system hands it out again in large pages; less is cheaper kept.
template <class T>
void release_if_large(std::vector<T>& v) {
  constexpr std::size_t kLarge = std::size_t{4} << 20;  // [bytes]
  if (v.capacity() * sizeof(T) >= kLarge) release(v);
}

namespace detail {

/// Into the order that hooks are promised.
inline void sort_records(ContactView& view) {
  std::sort(view.begin(), view.end(), [](const ContactRecord& p, const ContactRecord& q) {
    return std::tie(p.a, p.b, p.image, p.feature) < std::tie(q.a, q.b, q.image, q.feature);
  });
}

}  // namespace detail

struct ContactPipeline::Listed {
  std::uint32_t channel : 31;
  std::uint32_t home_is_b : 1;  ///< see SpaceBlocks; known when pairs are sorted
  std::uint32_t a, b;           ///< rows; a has the lower id
  std::int32_t image;           ///< of b
  std::uint32_t home() const { return home_is_b ? b : a; }
  std::uint32_t other() const { return home_is_b ? a : b; }
};

/// What a law reads and writes.
struct ContactPipeline::LawColumns {
  static constexpr std::size_t kMost = 17;  ///< force, velocity, moment, spin, turn, mass, radius
  ContactColumns in;
  detail::VectorColumns velocity{}, spin{};  ///< the same columns as in `in`
  detail::VectorColumns force{}, moment{};
};

/// What a law reads and writes of what it remembers of a block's contacts.
struct ContactPipeline::LawHistory {
  int columns = 0;
  const double* last[ForceFace::kMostHistory] = {};
  double* now[ForceFace::kMostHistory] = {};
  bool waits = false;  ///< what is written takes the place of what is read, when all is read
};

/// One thread's working memory.
struct ContactPipeline::Scratch {
  /// Contacts that go through the law at once: so few that all their columns stay in the first-level cache.
  static constexpr std::size_t kBlock = 128;
  /// From column to column: not a power of two, else equal rows of all columns share one cache set.
  static constexpr std::size_t kStride = kBlock + 8;

  BodyTile tile;
  ContactBuffer contacts;
  detail::Succession succession;  ///< of the chunk's contacts
  HistoryColumns history;         ///< of the chunk's contacts, where they are others than before and no trial is kept
  std::vector<double> next;       ///< of a block's, where they are the same
  std::vector<double> inherited;  ///< history of a block that does not lie together
  std::vector<double> columns;    ///< of a block: see LawColumns
  std::vector<double> energy;
  std::vector<double> inputs;  ///< of a block: see LawInputs
  std::vector<std::uint32_t> local, stamp;  ///< per row of the World: its local row in the chunk with this stamp
  std::uint32_t stamp_now = 0;
  double detect_seconds = 0, law_seconds = 0;
};

}  // namespace scree
