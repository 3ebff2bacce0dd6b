#include "implicit/shared_ends.hpp"

#include <algorithm>

namespace scree::nonsmooth {

namespace {

constexpr std::uint32_t kNone = 0xffffffff;
/// Places that are nearer to each other than this part of their distance from the link are one. Links open and bodies
/// overlap by less.
constexpr double kSamePlace = 0.01;

Vec3 point_of(const World& world, const ConeContact& c) { return world.position.read()[c.a] + c.arm_a; }

}  // namespace

SharedEnds::SharedEnds(std::size_t bodies, std::span<const Fragment> fragments) : first_(bodies + 1) {
  const auto for_each = [&](auto&& act) {
    for (const Fragment& fragment : fragments)
      for (std::size_t tree = 0; tree + 1 < fragment.trees.size(); ++tree)
        for (std::size_t k = fragment.trees[tree] + 1; k < fragment.trees[tree + 1]; ++k) act(fragment.branches[k]);
  };
  for_each([&](const Branch& b) { ++first_[b.parent + 1]; });
  for (std::size_t i = 0; i < bodies; ++i) first_[i + 1] += first_[i];
  links_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for_each([&](const Branch& b) { links_[next[b.parent]++] = {b.body, b.parents_point}; });
}

void SharedEnds::sort_by_bodies(std::span<const ConeContact> list) {
  sorted_.clear();
  for (std::uint32_t i = 0; i < list.size(); ++i)
    sorted_.push_back({std::min(list[i].a, list[i].b), std::max(list[i].a, list[i].b), i});
  std::ranges::sort(sorted_);
}

std::span<const SharedEnds::Sorted> SharedEnds::of_pair(std::uint32_t body, std::uint32_t other) const {
  const std::pair wanted(std::min(body, other), std::max(body, other));
  return std::ranges::equal_range(sorted_, wanted, {}, [](const Sorted& s) { return std::pair(s.low, s.high); });
}

/// The contact of a body beyond one of the links, at the same place.
SharedEnds::Twin SharedEnds::twin_of(const World& world, std::span<const ConeContact> list,
                                     std::uint32_t contact) const {
  const ConeContact& c = list[contact];
  for (const bool is_b : {false, true}) {
    const std::uint32_t body = is_b ? c.b : c.a, other = is_b ? c.a : c.b;
    for (const Link& link : links(body)) {
      // The end of a round body: the link lies on the normal through the contact.
      const Vec3 way = (is_b ? c.arm_b : c.arm_a) - world.orientation.read()[body] * link.point;
      const double reach = kSamePlace * way.norm();
      if ((way - way.dot(c.normal) * c.normal).norm() > reach) continue;
      for (const Sorted& at : of_pair(link.beyond, other)) {
        const ConeContact& twin = list[at.place];
        if (twin.friction != c.friction || twin.restitution != c.restitution) continue;
        if ((point_of(world, twin) - point_of(world, c)).norm() <= reach)
          return {at.place, (twin.b == other) == (c.b == other) ? 1.0 : -1.0};
      }
    }
  }
  return {kNone, 0};
}

void SharedEnds::thin(const World& world, std::span<const ConeContact> list, StepContacts& out) {
  out.solved.clear();
  out.listed.clear();
  out.list = list.size();
  sort_by_bodies(list);
  twin_.resize(list.size());
  std::vector<std::uint32_t> solved(list.size(), kNone);
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    twin_[i] = twin_of(world, list, i);
    if (twin_[i].place != kNone) continue;
    solved[i] = static_cast<std::uint32_t>(out.solved.size());
    out.solved.push_back(list[i]);
    out.listed.push_back(i);
  }
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    if (solved[i] != kNone) continue;
    double sign = 1;
    std::uint32_t last = i;
    // Each twin lies further from the root of a tree: the way ends.
    for (; solved[last] == kNone; last = twin_[last].place) sign *= twin_[last].sign;
    ConeContact& stays = out.solved[solved[last]];
    stays.impulse += sign * list[i].impulse;
    stays.gap = std::min(stays.gap, list[i].gap);
  }
}

}  // namespace scree::nonsmooth
