#include "page/series.hpp"

#include <utility>

namespace scree::render {

namespace {

// A block begins anew, without differences: few are smaller. Short ones are read sooner, and need less memory.
constexpr std::size_t kMostFrames = 40, kMostBytes = 12'000'000;

}  // namespace

void Series::add(PageRows rows, Parts& parts) {
  rows.sort();
  any_ = any_ || !rows.keys.empty();
  bytes_ += rows.bytes();
  frames_.push_back(std::move(rows));
  if (frames_.size() >= kMostFrames || bytes_ > kMostBytes) finish_block(parts);
}

void Series::finish_block(Parts& parts) {
  if (frames_.empty()) return;
  TableBlock block = encode(frames_, steps_);
  block.told["part"] = parts.add(block.bytes);
  blocks_.push_back(std::move(block.told));
  frames_.clear(), bytes_ = 0;
}

nlohmann::json Series::told(Parts& parts) {
  if (!any_) return nullptr;
  finish_block(parts);
  return blocks_;
}

}  // namespace scree::render
