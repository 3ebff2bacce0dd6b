#pragma once
/// \file Values of nodes as an image of a regular grid, which files and pictures can show.

#include <span>
#include <string>
#include <vector>

#include "grid/grid.hpp"
#include "scree/base/grid_image.hpp"

namespace scree::continuum {

/// Image of the box around all nodes; places without node have the value 0. A periodic direction is shown whole, with
/// its first layer again as the last. If a few nodes far away make the box huge, they are left out.
template <int D>
class NodeImage {
 public:
  explicit NodeImage(const Grid<D>& grid);
  void add(const std::string& name, const std::string& unit, std::span<const double> of_nodes);
  void add(const std::string& name, const std::string& unit, std::span<const Vec<D>> of_nodes);
  GridImage take() { return std::move(image_); }

 private:
  std::vector<std::uint32_t> node_;  ///< node of each point of the image; kNoNode if none
  GridImage image_;
};

extern template class NodeImage<2>;
extern template class NodeImage<3>;

}  // namespace scree::continuum
