#pragma once
/// \file From features that are near to the closest pairs of points they stand for, each once.

#include <vector>

#include "near_list.hpp"

namespace scree::spheropolyhedron {

/// A closest pair of points: within two features, not at their rims. Counts are halves of a contact.
struct ClosestPair {
  Kind kind;
  FeaturePair features;
  int halves;
};

/// Adds the terms of a pair of bodies. A term whose foot lies at the rim of a face or edge counts for the closest pair
/// of that rim, so that terms which coincide become one contact. \source README.md, eq. (4)
class Tally {
 public:
  /// \param margin  gaps up to this are wanted too [m]
  void begin(const PairView& view, double margin) {
    view_ = &view;
    margin_ = margin;
    pairs_.clear();
  }
  /// Takes a term, if it is near enough.
  void add(Kind kind, FeaturePair features);
  /// Closest pairs in the order in which they were met first; some have a count of 0.
  const std::vector<ClosestPair>& pairs() const { return pairs_; }

 private:
  bool near(double d2, int frame, double rs) const {
    const double unit = view_->pair().size[frame], reach = rs + margin_;
    return unit * unit * d2 < reach * reach;
  }
  void count(Kind kind, FeaturePair features, int halves);
  void vertex_face(int side, FeaturePair features);
  void vertex_edge(Kind kind, FeaturePair features);
  void edge_edge(FeaturePair features);
  /// A vertex of side s whose nearest point on an edge of the other is wanted.
  void count_on_edge(int side, std::uint32_t vertex, std::uint32_t edge, int halves);
  void count_vertices(int side, std::uint32_t own, std::uint32_t other, int halves);

  const PairView* view_ = nullptr;
  double margin_ = 0;
  std::vector<ClosestPair> pairs_;
};

}  // namespace scree::spheropolyhedron
