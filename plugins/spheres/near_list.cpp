#include "near_list.hpp"

#include <algorithm>
#include <cmath>

#include "scree/detect/sphere_contact.hpp"

namespace scree::spheres {

void SpherePairColumns::reserve(std::size_t n) {
  if (pair.size() >= n) return;
  for (auto* column : {&pair, &a, &b}) column->resize(std::max(n, 2 * column->size()));
}

void add_near(const SphereTile& tile, const BodyView& bodies, const Pair& pair, std::uint32_t index, double reach_a,
              double reach_b, double reach, bool exact, SpherePairColumns& to) {
  const std::uint32_t first_a = tile.first[pair.a], last_a = tile.first[pair.a + 1];
  const std::uint32_t first_b = tile.first[pair.b], last_b = tile.first[pair.b + 1];
  const Vec3 &centre_a = bodies.row[pair.a].position, &centre_b = bodies.row[pair.b].position;
  const auto apart = [](const PlacedSphere& sphere, const Vec3& centre, double limit) {
    return (sphere.centre - centre).squaredNorm() >= squared_reach(sphere.radius, limit, 0.0);
  };
  to.reserve(to.size + std::size_t{last_a - first_a} * (last_b - first_b));
  for (std::uint32_t s = first_a; s < last_a; ++s) {
    const PlacedSphere& sphere = tile.spheres[s];
    if (apart(sphere, centre_b, reach_b + reach)) continue;
    for (std::uint32_t t = first_b; t < last_b; ++t) {
      const PlacedSphere& other = tile.spheres[t];
      if (exact ? apart(other, sphere.centre, sphere.radius + reach) : apart(other, centre_a, reach_a + reach))
        continue;
      to.pair[to.size] = index;
      to.a[to.size] = s;
      to.b[to.size++] = t;
    }
  }
}

/// The cache holds the header, the bodies' poses, and three columns.
std::size_t NearList::words(std::size_t bodies, std::size_t size) {
  return (sizeof(Header) + bodies * sizeof(Reference)) / 8 + (3 * size + 1) / 2;
}

void NearList::make(const SphereTile& tile, const BodyView& bodies, std::span<const Pair> pairs, double slack,
                    double margin, PairCache& cache) {
  SpherePairColumns near;
  for (std::uint32_t p = 0; p < pairs.size(); ++p)
    add_near(tile, bodies, pairs[p], p, bodies.row[pairs[p].a].radius, bodies.row[pairs[p].b].radius, margin + slack,
             true, near);
  auto* const header = reinterpret_cast<Header*>(cache.rows<std::uint64_t>(words(bodies.size, near.size)));
  *header = {bodies.size, near.size, slack};
  auto* const reference = reinterpret_cast<Reference*>(header + 1);
  for (std::size_t i = 0; i < bodies.size; ++i) {
    std::copy_n(bodies.row[i].position.data(), 3, reference[i].position);
    std::copy_n(bodies.row[i].orientation.coeffs().data(), 4, reference[i].orientation);
  }
  auto* column = reinterpret_cast<std::uint32_t*>(reference + bodies.size);
  for (const auto* from : {&near.pair, &near.a, &near.b}) column = std::copy_n(from->data(), near.size, column);
}

NearList::NearList(PairCache& cache, std::size_t bodies)
    : header_(reinterpret_cast<const Header*>(cache.rows<std::uint64_t>(words(bodies, 0)))),
      reference_(reinterpret_cast<const Reference*>(header_ + 1)) {
  pair = reinterpret_cast<const std::uint32_t*>(reference_ + bodies);
  a = pair + header_->size;
  b = a + header_->size;
}

double NearList::moved(const BodyRow& body, std::size_t row, double reach) const {
  const Reference& was = reference_[row];
  double way2 = 0, turn2 = 0, turn2_other = 0;  // q and -q are the same orientation
  for (int k = 0; k < 3; ++k) {
    const double d = body.position[k] - was.position[k];
    way2 += d * d;
  }
  for (int k = 0; k < 4; ++k) {
    const double d = body.orientation.coeffs()[k] - was.orientation[k],
                 sum = body.orientation.coeffs()[k] + was.orientation[k];
    turn2 += d * d;
    turn2_other += sum * sum;
  }
  return std::sqrt(way2) + 2 * reach * std::sqrt(std::min(turn2, turn2_other));
}

}  // namespace scree::spheres
