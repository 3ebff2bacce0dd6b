#pragma once
/// \file Contacts between star-shaped outlines as the terms of one energy: maxima and minima of the depth along either
/// outline in the field of the other. Forces that follow from it conserve energy through any change of contacts.

#include <memory>
#include <vector>

#include "scree/detect/contact_detector.hpp"

namespace scree::star {

struct ExtremalShapes;

/// Two shapes with RadialFunction meet by the nodes of both, each side with half the weight. A shape with a distance
/// alone (walls) is met by the nodes of the star, with the whole weight.
class ExtremalDetector final : public ContactDetector {
 public:
  ExtremalDetector();
  ~ExtremalDetector() override;

  DetectorTraits traits() const override;
  void bind(std::span<const Shape* const> shapes) override;
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override;
  void match(const ContactMatch& contacts) const override;

  /// Finds the same contacts, bit by bit, from all nodes in double precision: the oracle of the fast path.
  void detect_plain(const BodyView& bodies, std::span<const Pair> pairs, double margin, ContactBuffer& out) const;

 private:
  std::unique_ptr<ExtremalShapes> shapes_;
};

}  // namespace scree::star
