#include "star_detector.hpp"

#include <cassert>

#include "pair_contacts.hpp"

namespace scree::star {

Scheme scheme_of(std::string_view name) {
  if (name == "s1-then-s2") return Scheme::s1_then_s2;
  if (name == "s1-only") return Scheme::s1_only;
  if (name == "all-nodes") return Scheme::all_nodes;
  assert(name == "symmetric");
  return Scheme::symmetric;
}

TaubinDetector::TaubinDetector(const TaubinOptions& options) : options_(options) {}
TaubinDetector::~TaubinDetector() = default;

DetectorTraits TaubinDetector::traits() const {
  DetectorTraits traits;
  traits.facets_a = {RadialFunction::kName};
  traits.facets_b = {RadialFunction::kName};
  traits.dimension = 2;
  traits.specificity = 10;
  return traits;
}

void TaubinDetector::bind(std::span<const Shape* const> shapes) {
  outlines_.clear();
  for (const Shape* shape : shapes) {
    const auto* function = shape == nullptr ? nullptr : facet<RadialFunction>(*shape);
    outlines_.push_back(function == nullptr ? nullptr : std::make_unique<const Outline>(*function));
  }
}

void TaubinDetector::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache&, double margin,
                            ContactBuffer& out) const {
  detect_plain(bodies, pairs, margin, out);
}

void TaubinDetector::detect_plain(const BodyView& bodies, std::span<const Pair> pairs, double margin,
                                  ContactBuffer& out) const {
  static thread_local PairHits scratch;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    StarPair pair;
    pair.index = i;
    const std::uint32_t rows[2] = {pairs[i].a, pairs[i].b};
    for (int side = 0; side < 2; ++side) {
      pair.outline[side] = outlines_[bodies.shape[rows[side]]].get();
      pair.pose[side] = planar_pose(bodies, rows[side], *pair.outline[side]);
      pair.id[side] = bodies.id[rows[side]];
    }
    const double dx = pair.pose[1].x - pair.pose[0].x, dy = pair.pose[1].y - pair.pose[0].y;
    const double reach = pair.outline[0]->r_max + pair.outline[1]->r_max;
    if (margin == 0 && dx * dx + dy * dy > reach * reach) continue;
    plain_contacts(pair, options_, margin, scratch, out);
  }
}

void TaubinDetector::match(const ContactMatch& contacts) const {
  if (options_.scheme == Scheme::all_nodes) return ContactDetector::match(contacts);
  match_runs(contacts);
}

DetectCounts TaubinDetector::last_counts() { return {}; }

}  // namespace scree::star
