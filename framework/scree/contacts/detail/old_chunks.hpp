#pragma once
/// \file The lists before, while new ones take over what their pairs keep.

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "scree/base/release.hpp"
#include "scree/contacts/detail/pipeline_parts.hpp"

namespace scree {

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

}  // namespace scree
