#pragma once
/// \file The reference particles of Schreck et al. 2024, for tests and the benchmark.

#include <memory>
#include <vector>

#include "shape/star_shape.hpp"

namespace scree::star {

inline std::shared_ptr<const StarShape> star(double a0, std::vector<Harmonic> harmonics, double radius, int nodes = 100,
                                             int table_size = 20000) {
  return std::make_shared<StarShape>(
      a0, std::move(harmonics),
      RadialSettings{.nodes = nodes, .table_size = table_size, .thickness = 0.003, .max_radius = radius});
}

inline auto circle(double r, int nodes = 100, int table = 20000) { return star(1, {}, r, nodes, table); }
inline auto cross(double r, int nodes = 100, int table = 20000) { return star(2, {{4, 0, 1}}, r, nodes, table); }
inline auto butterfly(double r, int nodes = 100, int table = 20000) {
  return star(3, {{2, 0, 1}, {7, 0, 1}}, r, nodes, table);
}
inline auto bat(double r, int nodes = 100, int table = 20000) {
  return star(3, {{5, 0, 1}, {8, 0, 1}}, r, nodes, table);
}
inline auto pear(double r, int nodes = 100, int table = 20000) {
  return star(5.1, {{1, 2, -1}, {2, 2, 0}}, r, nodes, table);
}

/// Shapes of many sizes and numbers of nodes.
inline std::vector<std::shared_ptr<const StarShape>> shapes_of_sizes() {
  return {circle(1), cross(1), butterfly(1), bat(0.5, 61), pear(0.3), cross(0.125), circle(0.125, 40), cross(0.8, 300)};
}

/// Returns shapes as ContactDetector::bind() takes them.
template <class Of>
std::vector<const Shape*> raw(const std::vector<std::shared_ptr<const Of>>& shapes) {
  std::vector<const Shape*> list;
  for (const auto& shape : shapes) list.push_back(shape.get());
  return list;
}

}  // namespace scree::star
