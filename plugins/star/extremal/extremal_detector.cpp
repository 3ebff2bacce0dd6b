#include "extremal/extremal_detector.hpp"

#include "extremal/extremal_shapes.hpp"
#include "extremal/extremal_sweep.hpp"

namespace scree::star {

ExtremalDetector::ExtremalDetector() = default;
ExtremalDetector::~ExtremalDetector() = default;

DetectorTraits ExtremalDetector::traits() const {
  DetectorTraits traits;
  traits.facets_a = {RadialFunction::kName};
  traits.facets_b = {SignedDistance::kName};
  traits.dimension = 2;
  traits.specificity = -1;  // by name only
  traits.gradient_consistent = true;
  traits.weighted = true;
  traits.cache_row = sizeof(DepthWindows);
  return traits;
}

void ExtremalDetector::bind(std::span<const Shape* const> shapes) {
  shapes_ = std::make_unique<ExtremalShapes>(shapes);
}

void ExtremalDetector::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
                              ContactBuffer& out) const {
  static thread_local const auto sweep = std::make_unique<ExtremalSweep>();
  if (margin > 0) return detect_plain(bodies, pairs, margin, out);
  sweep->detect(*shapes_, bodies, pairs, cache.rows<DepthWindows>(pairs.size()), out);
}

void ExtremalDetector::detect_plain(const BodyView& bodies, std::span<const Pair> pairs, double margin,
                                    ContactBuffer& out) const {
  static thread_local NodeDepths scratch;
  static thread_local WallScratch wall_scratch;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const bool stars = shapes_->outline(bodies.shape[pairs[i].a]) && shapes_->outline(bodies.shape[pairs[i].b]);
    if (stars)
      plain_extrema(shapes_->pair(bodies, pairs[i], i), margin, scratch, out);
    else
      wall_extrema(*shapes_, bodies, pairs[i], i, margin, wall_scratch, out);
  }
}

void ExtremalDetector::match(const ContactMatch& contacts) const { match_extrema(contacts); }

}  // namespace scree::star
