#pragma once
/// \file The sprite of a star.

#include <vector>

#include "bench/paper/data.hpp"
#include "scree/shape/facets.hpp"

namespace scree::paper {

/// Texels along a side, when no other number is asked for. The paper does not say how many it has.
inline constexpr std::uint32_t kSpriteSide = 256;

/// Distance f / |grad f| of f = |p| - r, and its gradient's direction, as the paper's section 3.
/// \param x, y  in the star's frame [m]
Texel first_order(const RadialFunction& star, double x, double y);

/// By rows from the lower left corner. \param half  of the square's side [m]
std::vector<Texel> bake(const RadialFunction& star, std::uint32_t side, double half);

std::vector<Node> nodes_of(const RadialFunction& star);

}  // namespace scree::paper
