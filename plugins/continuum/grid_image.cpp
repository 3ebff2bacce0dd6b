#include "grid_image.hpp"

#include <algorithm>

namespace scree::continuum {

namespace {

constexpr std::size_t kMostPoints = 50'000'000;

/// The range of nodes along an axis. \param left_out  part of them at either end
template <int D>
std::array<int, 2> range(const Grid<D>& grid, int axis, double left_out) {
  std::vector<int> places;
  for (const Key key : grid.nodes()) places.push_back(Lattice<D>::place(key)[axis]);
  const auto skipped = static_cast<std::ptrdiff_t>(left_out * static_cast<double>(places.size()));
  std::ranges::sort(places);
  return {places[static_cast<std::size_t>(skipped)], places[places.size() - 1 - static_cast<std::size_t>(skipped)]};
}

}  // namespace

template <int D>
NodeImage<D>::NodeImage(const Grid<D>& grid) {
  const Lattice<D>& lattice = grid.lattice();
  image_.name = "continuum";
  image_.spacing.setConstant(lattice.width);
  image_.counts = {0, 0, 0};
  Place<D> low{};
  for (const double left_out : {0., 1e-3, 1e-2, 0.1, 0.4}) {
    image_.counts = {1, 1, 1};
    for (int k = 0; k < D; ++k) {
      std::array<int, 2> ends = {0, lattice.period[k]};
      if (lattice.period[k] == 0) ends = range(grid, k, left_out);
      low[k] = ends[0];
      image_.counts[static_cast<std::size_t>(k)] = ends[1] - ends[0] + 1;
    }
    if (image_.points() <= kMostPoints) break;
  }
  image_.origin.template head<D>() = lattice.position(low);
  node_.assign(image_.points(), kNoNode);
  for (std::size_t at = 0; at < node_.size(); ++at) {
    Place<D> place = low;
    std::size_t rest = at;
    for (int k = 0; k < D; ++k) {
      const auto count = static_cast<std::size_t>(image_.counts[static_cast<std::size_t>(k)]);
      place[k] += static_cast<int>(rest % count);
      rest /= count;
    }
    const Key key = Lattice<D>::key(lattice.wrapped(place));
    const auto found = std::ranges::lower_bound(grid.nodes(), key);
    if (found != grid.nodes().end() && *found == key)
      node_[at] = static_cast<std::uint32_t>(found - grid.nodes().begin());
  }
}

template <int D>
void NodeImage<D>::add(const std::string& name, const std::string& unit, std::span<const double> of_nodes) {
  GridImage::Field field{name, unit, 1, std::vector<double>(node_.size(), 0)};
  for (std::size_t at = 0; at < node_.size(); ++at)
    if (node_[at] != kNoNode) field.value[at] = of_nodes[node_[at]];
  image_.fields.push_back(std::move(field));
}

template <int D>
void NodeImage<D>::add(const std::string& name, const std::string& unit, std::span<const Vec<D>> of_nodes) {
  GridImage::Field field{name, unit, 3, std::vector<double>(3 * node_.size(), 0)};
  for (std::size_t at = 0; at < node_.size(); ++at)
    for (int k = 0; k < D && node_[at] != kNoNode; ++k)
      field.value[3 * at + static_cast<std::size_t>(k)] = of_nodes[node_[at]][k];
  image_.fields.push_back(std::move(field));
}

template class NodeImage<2>;
template class NodeImage<3>;

}  // namespace scree::continuum
