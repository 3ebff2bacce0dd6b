#pragma once
/// \file A table of a page over all frames, in blocks that are read one by one.

#include <nlohmann/json.hpp>
#include <vector>

#include "page/parts.hpp"
#include "page/table_block.hpp"

namespace scree::render {

class Series {
 public:
  /// \param steps  number of steps of columns of values, see encode()
  explicit Series(double steps) : steps_(steps) {}

  /// Adds the rows of the next frame, in any order; none if the frame has nothing of this kind.
  void add(PageRows rows, Parts& parts);
  /// Returns the blocks; null if no frame has rows.
  nlohmann::json told(Parts& parts);

 private:
  void finish_block(Parts& parts);

  double steps_;
  bool any_ = false;
  std::vector<PageRows> frames_;  ///< frames of the block that is not finished
  std::size_t bytes_ = 0;
  nlohmann::json blocks_ = nlohmann::json::array();
};

}  // namespace scree::render
