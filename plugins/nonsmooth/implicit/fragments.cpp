#include "implicit/fragments.hpp"

#include <algorithm>

namespace scree::nonsmooth {

namespace {

/// A link as the body that it is listed for sees it.
struct Neighbour {
  std::uint32_t body;
  Vec3 own = Vec3::Zero(), others = Vec3::Zero();
};
using Neighbours = std::vector<std::vector<Neighbour>>;  ///< by body

class Finder {
 public:
  Finder(std::span<const Id> id, std::span<const double> inverse_mass, std::span<const BodyPair> pairs,
         std::span<const ChainLink> links)
      : id_(id),
        inverse_mass_(inverse_mass),
        bonded_(id.size()),
        linked_(id.size()),
        holder_(id.size()),
        seen_(id.size()),
        in_tree_(id.size()) {
    for (const auto& [a, b] : pairs) add(bonded_, a, {b}), add(bonded_, b, {a});
    for (const ChainLink& link : links) {
      add(linked_, link.a, {link.b, link.point_a, link.point_b});
      add(linked_, link.b, {link.a, link.point_b, link.point_a});
    }
    for (Neighbours* const all : {&bonded_, &linked_, &holder_})
      for (auto& of_one : *all) std::ranges::stable_sort(of_one, {}, [&](const Neighbour& n) { return id_[n.body]; });
  }

  std::vector<Fragment> find() {
    // Those that something holds come first: trees begin there.
    std::vector<std::uint32_t> starts;
    for (std::uint32_t i = 0; i < bonded_.size(); ++i)
      if (moves(i) && !(bonded_[i].empty() && linked_[i].empty() && holder_[i].empty())) starts.push_back(i);
    std::ranges::sort(starts, {}, [&](std::uint32_t i) { return std::pair(holder_[i].empty(), id_[i]); });
    std::vector<Fragment> all;
    for (const std::uint32_t start : starts)
      if (!seen_[start]) all.push_back(fragment_from(start));
    const auto lowest = [&](const Fragment& f) {
      return std::ranges::min(f.bodies, {}, [&](std::uint32_t i) { return id_[i]; });
    };
    std::ranges::sort(all, {}, [&](const Fragment& f) { return id_[lowest(f)]; });
    return all;
  }

 private:
  bool moves(std::uint32_t body) const { return inverse_mass_[body] != 0; }

  /// \param of  `bonded_` or `linked_`; what does not move freely holds
  void add(Neighbours& of, std::uint32_t body, const Neighbour& other) {
    if (!moves(body)) return;
    if (moves(other.body))
      of[body].push_back(other);
    else if (&of == &linked_)
      holder_[body].push_back(other);
  }

  Fragment fragment_from(std::uint32_t start) {
    Fragment f;
    f.bodies.push_back(start);
    seen_[start] = 1;
    for (std::size_t k = 0; k < f.bodies.size(); ++k)
      for (const Neighbour& next : bonded_[f.bodies[k]])
        if (!seen_[next.body]) seen_[next.body] = 1, f.bodies.push_back(next.body);
    std::vector<std::uint32_t> roots = f.bodies;
    std::ranges::sort(roots, {}, [&](std::uint32_t i) { return std::pair(holder_[i].empty(), id_[i]); });
    for (const std::uint32_t root : roots)
      if (!in_tree_[root]) grow(root, f);
    f.trees.push_back(f.branches.size());
    return f;
  }

  void grow(std::uint32_t root, Fragment& f) {
    f.trees.push_back(f.branches.size());
    if (holder_[root].empty())
      f.branches.push_back({root, Branch::kNone, Vec3::Zero(), Vec3::Zero(), 0});
    else
      f.branches.push_back({root, holder_[root][0].body, holder_[root][0].own, holder_[root][0].others, 0});
    in_tree_[root] = 1;
    for (std::size_t k = f.trees.back(); k < f.branches.size(); ++k) {
      const std::uint32_t body = f.branches[k].body;
      for (const Neighbour& next : linked_[body]) {
        if (in_tree_[next.body]) continue;
        in_tree_[next.body] = 1;
        f.branches.push_back({next.body, body, next.others, next.own, k});
      }
    }
  }

  std::span<const Id> id_;
  std::span<const double> inverse_mass_;
  Neighbours bonded_, linked_, holder_;
  std::vector<std::uint8_t> seen_, in_tree_;
};

}  // namespace

std::vector<Fragment> fragments_of(std::span<const Id> id, std::span<const double> inverse_mass,
                                   std::span<const BodyPair> pairs, std::span<const ChainLink> links) {
  return Finder(id, inverse_mass, pairs, links).find();
}

}  // namespace scree::nonsmooth
