#pragma once
/// \file What the parts of ContactPipeline share: list_pairs.cpp, contact_pipeline.cpp, contact_history.cpp.

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "scree/base/clock.hpp"
#include "scree/base/release.hpp"
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

/// release(), where it is so much that the system hands it out again in large pages; less is cheaper kept.
template <class T>
void release_if_large(std::vector<T>& v) {
  constexpr std::size_t kLarge = std::size_t{4} << 20;  // [bytes]
  if (v.capacity() * sizeof(T) >= kLarge) release(v);
}

struct ContactPipeline::Listed {
  std::uint32_t channel, a, b;  ///< rows; a has the lower id
  std::int32_t image;
  std::uint32_t low() const { return std::min(a, b); }
  std::uint32_t high() const { return std::max(a, b); }
};

struct ContactPipeline::Origin {
  std::uint32_t chunk = kNowhere, pair = 0;  ///< of the lists before
};

/// The chunks of the lists before, while what their pairs keep is taken over. Each gives back its memory as soon as
/// nothing more is wanted from it.
class ContactPipeline::OldChunks {
 public:
  explicit OldChunks(std::vector<Chunk> chunks)
      : chunks_(std::move(chunks)), wanted_(std::make_unique<std::atomic<std::size_t>[]>(chunks_.size())) {}

  std::size_t size() const { return chunks_.size(); }
  Chunk& operator[](std::size_t c) { return chunks_[c]; }

  /// Before anything is taken: pairs of this chunk that go on. Its own list is not needed any more.
  void expect(std::size_t c, std::size_t pairs) {
    wanted_[c] = pairs;
    release(chunks_[c].pairs);
    release(chunks_[c].rows);
    if (pairs == 0) chunks_[c] = {};
  }
  /// After so many of its pairs were taken over.
  void taken(std::size_t c, std::size_t pairs) {
    if (wanted_[c].fetch_sub(pairs) == pairs) chunks_[c] = {};
  }

 private:
  std::vector<Chunk> chunks_;
  std::unique_ptr<std::atomic<std::size_t>[]> wanted_;
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
  std::vector<std::int32_t> source;        ///< of a pair's contacts: see ContactMatch
  std::vector<Stretch> stretches;          ///< of the chunk's contacts, in order
  std::size_t stretch = 0;                 ///< the one that holds the block's first contact, or an earlier one
  std::vector<std::uint32_t> old_feature;  ///< of a pair's contacts before
  std::vector<std::uint64_t> old_payload;
  HistoryColumns history;         ///< of the chunk's contacts, where they are others than before and no trial is kept
  std::vector<double> next;       ///< of a block's, where they are the same
  std::vector<double> inherited;  ///< history of a block that does not lie together
  std::vector<double> columns;    ///< of a block: see LawColumns
  std::vector<double> energy;
  std::vector<std::uint32_t> local, stamp;  ///< per row of the World: its local row in the chunk with this stamp
  std::uint32_t stamp_now = 0;
  double detect_seconds = 0, law_seconds = 0;
};

}  // namespace scree
