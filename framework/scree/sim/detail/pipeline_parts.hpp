#pragma once
/// \file What the parts of ContactPipeline share: list_pairs.cpp, contact_pipeline.cpp, contact_history.cpp.

#include <algorithm>
#include <vector>

#include "scree/base/clock.hpp"
#include "scree/sim/body_tile.hpp"
#include "scree/sim/contact_pipeline.hpp"
#include "scree/sim/detail/kinematics.hpp"

namespace scree {

/// Pairs per chunk, about: small enough for its data to stay in the second-level cache and for threads to share the
/// work evenly, large enough for few bodies to be in several chunks. A function of the list alone: chunk borders are
/// part of the determinism contract.
inline std::size_t chunk_pairs(std::size_t listed) { return std::clamp<std::size_t>(listed / 16, 512, 4096); }

/// Fewer pairs than this are faster on one thread than shared.
inline constexpr std::size_t kParallelPairs = 1500;

inline constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

/// Gives a vector's memory back, which `v = {}` would keep.
template <class T>
void release(std::vector<T>& v) {
  std::vector<T>().swap(v);
}

struct ContactPipeline::Listed {
  std::uint32_t channel, a, b;  ///< rows; a has the lower id
  std::int32_t image;
  std::uint32_t low() const { return std::min(a, b); }
  std::uint32_t high() const { return std::max(a, b); }
};

struct ContactPipeline::Origin {
  std::uint32_t chunk = kNowhere, pair = 0;
  std::uint32_t begin = 0, end = 0;  ///< the pair's contacts
};

/// What a law reads and writes.
struct ContactPipeline::LawColumns {
  static constexpr std::size_t kMost = 17;  ///< force, velocity, moment, spin, turn, mass, radius
  ContactColumns in;
  detail::VectorColumns velocity{}, spin{};  ///< the same columns as in `in`
  detail::VectorColumns force{}, moment{};
};

/// Consecutive contacts of a chunk that go on from as many consecutive ones of the committed step, or are all new.
struct ContactPipeline::Stretch {
  static constexpr std::uint32_t kNew = ~std::uint32_t{0};
  std::uint32_t begin, end;  ///< contacts of now
  std::uint32_t from;        ///< the first one's predecessor, or kNew
};

/// World::figure() of the skin of the lists, where that varies: a resumed run needs those the saved one had.
inline constexpr const char* kSkin = "list_skin_m";

/// One thread's working memory.
struct ContactPipeline::Scratch {
  /// Contacts that go through the law at once: so few that all their columns stay in the first-level cache.
  static constexpr std::size_t kBlock = 128;
  /// From column to column: not a power of two, else equal rows of all columns share one cache set.
  static constexpr std::size_t kStride = kBlock + 8;

  BodyTile tile;
  ContactBuffer contacts;
  std::vector<std::int32_t> source;  ///< of a pair's contacts: see ContactMatch
  std::vector<Stretch> stretches;    ///< of the chunk's contacts, in order
  std::size_t stretch = 0;           ///< the one that holds the block's first contact, or an earlier one
  std::vector<double> inherited;     ///< history of a block that does not lie together
  std::vector<double> columns;       ///< of a block: see LawColumns
  std::vector<double> energy;
  std::vector<std::uint32_t> local, stamp;  ///< per row of the World: its local row in the chunk with this stamp
  std::uint32_t stamp_now = 0;
  double detect_seconds = 0, law_seconds = 0;
};

}  // namespace scree
