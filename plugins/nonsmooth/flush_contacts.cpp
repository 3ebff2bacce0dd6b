#include "flush_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "scree/world/world.hpp"

namespace scree::nonsmooth {

namespace {

/// A contact with an obstacle as the moving body sees it.
struct Support {
  std::uint32_t row;      ///< row of the moving body
  std::uint32_t contact;  ///< index of the contact
  Vec3 normal;            ///< from the obstacle to the body
  Vec3 point;             ///< point of the obstacle, from the body's centre [m]
  Vec3 velocity;          ///< velocity of the body's centre relative to the obstacle [m/s]
  double gap;             ///< [m]
  bool closing;           ///< a gap, and the body approaches
};

/// \param k     index of the contact c
/// \param is_a  the moving body is c.a
Support seen_by(const World& world, std::uint32_t k, const ConeContact& c, bool is_a) {
  const double side = is_a ? -1 : 1;
  Support s;
  s.row = is_a ? c.a : c.b;
  s.contact = k;
  s.normal = side * c.normal;
  s.point = (is_a ? c.arm_a : c.arm_b) - c.gap / 2 * s.normal;
  s.velocity = world.velocity.read()[s.row] + side * c.imposed;
  s.gap = c.gap;
  s.closing = c.gap > 0 && c.velocity.dot(c.normal) < 0;
  return s;
}

bool carries(const Support& near, const Support& far) {
  constexpr double kFlush = 0.01, kCosine = 0.1;
  return near.gap < far.gap && near.normal.dot(far.normal) > kCosine &&
         std::abs((far.point - near.point).dot(near.normal)) <= kFlush * far.gap;
}

}  // namespace

void find_flush(const World& world, std::span<const ConeContact> contacts, std::vector<double>& slant) {
  const auto inverse_mass = world.inverse_mass.read();
  slant.assign(contacts.size(), 0);
  std::vector<Support> supports;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const ConeContact& c = contacts[k];
    const bool moves_a = inverse_mass[c.a] > 0, moves_b = inverse_mass[c.b] > 0;
    if (moves_a == moves_b) continue;
    supports.push_back(seen_by(world, static_cast<std::uint32_t>(k), c, moves_a));
  }
  if (std::ranges::none_of(supports, &Support::closing)) return;
  std::stable_sort(supports.begin(), supports.end(), [](const Support& x, const Support& y) { return x.row < y.row; });
  for (auto first = supports.begin(); first != supports.end();) {
    const auto last = std::find_if(first, supports.end(), [&](const Support& s) { return s.row != first->row; });
    for (auto far = first; far != last; ++far) {
      if (!far->closing) continue;
      for (auto near = first; near != last; ++near)
        if (carries(*near, *far))
          slant[far->contact] = std::max(slant[far->contact], -far->velocity.dot(far->normal - near->normal));
    }
    first = last;
  }
}

}  // namespace scree::nonsmooth
