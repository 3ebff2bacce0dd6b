#include "bench/paper/sprite.hpp"

#include <cmath>
#include <numbers>

namespace scree::paper {

Texel first_order(const RadialFunction& star, double x, double y) {
  const double rho = std::fmax(std::hypot(x, y), 1e-6 * star.max_radius()), theta = std::atan2(y, x);
  const double c = std::cos(theta), s = std::sin(theta), slope = star.slope(theta) / rho;
  const double norm = std::sqrt(1 + slope * slope);
  return {static_cast<float>((rho - star.radius(theta)) / norm), static_cast<float>((c + slope * s) / norm),
          static_cast<float>((s - slope * c) / norm)};
}

std::vector<Texel> bake(const RadialFunction& star, std::uint32_t side, double half) {
  std::vector<Texel> texels;
  texels.reserve(std::size_t{side} * side);
  const double width = 2 * half / (side - 1);
  for (std::uint32_t j = 0; j < side; ++j)
    for (std::uint32_t i = 0; i < side; ++i) texels.push_back(first_order(star, i * width - half, j * width - half));
  return texels;
}

std::vector<Node> nodes_of(const RadialFunction& star) {
  std::vector<Node> nodes;
  for (int k = 0; k < star.node_count(); ++k) {
    const double theta = 2 * std::numbers::pi * k / star.node_count(), r = star.radius(theta);
    nodes.push_back({static_cast<float>(r * std::cos(theta)), static_cast<float>(r * std::sin(theta))});
  }
  return nodes;
}

}  // namespace scree::paper
