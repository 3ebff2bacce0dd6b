/// \file Bodies that left the periodic cell come back into it, and the pairs of ContactPipeline name their images anew.

#include "scree/contacts/detail/pipeline_parts.hpp"

namespace scree {

/// Puts bodies back into the periodic cell; pairs, history and records follow.
void ContactPipeline::wrap() {
  const std::vector<Image> went = world_.wrap();
  if (went.empty()) return;
  const auto renamed = [&](std::int32_t image, Id a, Id b) {
    const auto row_a = world_.row(a), row_b = world_.row(b);
    return row_a && row_b ? packed(unpacked(image) + went[*row_a] - went[*row_b]) : image;
  };
  for (Chunk& chunk : chunks_) {
    chunk.image.resize(chunk.pairs.size());
    for (std::size_t k = 0; k < chunk.pairs.size(); ++k) {
      const Pair& p = chunk.pairs[k];
      chunk.image[k] = renamed(chunk.image[k], row_ids_[chunk.rows[p.a]], row_ids_[chunk.rows[p.b]]);
    }
  }
  for (HistoryRecord& r : pending_) r.image = renamed(r.image, r.a, r.b);
  if (!kept_records_) return;
  for (ContactRecord& r : *kept_records_) {
    r.image = renamed(r.image, r.a, r.b);
    if (const auto row = world_.row(r.a)) r.point += world_.cell.shift(went[*row]);
  }
  detail::sort_records(*kept_records_);
}

}  // namespace scree
