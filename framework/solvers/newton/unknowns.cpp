#include <algorithm>
#include <stdexcept>

#include "solvers/newton/configuration.hpp"

namespace scree::solvers {

Unknowns::Unknowns(std::size_t bodies, std::span<const std::uint8_t> driven, std::span<const double> order)
    : row(bodies, kNone) {
  if ((!driven.empty() && driven.size() != bodies) || (!order.empty() && order.size() != bodies))
    throw std::invalid_argument("Unknowns: driven and order have one entry per body, or none");
  for (std::uint32_t i = 0; i < bodies; ++i)
    if (driven.empty() || !driven[i]) body.push_back(i);
  if (!order.empty())
    std::stable_sort(body.begin(), body.end(), [&](std::uint32_t a, std::uint32_t b) { return order[a] < order[b]; });
  for (std::uint32_t k = 0; k < body.size(); ++k) row[body[k]] = k;
}

}  // namespace scree::solvers
