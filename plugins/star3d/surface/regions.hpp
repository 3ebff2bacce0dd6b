#pragma once
/// \file The terms of the energy of one side of a pair: tops of the depth along a surface, less the saddles at which
/// their regions meet.
///
/// E = sum over tops phi(u) - sum over saddles phi(u), which is int phi'(c) n(c) dc with n(c) the number of regions of
/// the surface deeper than c. So E stays continuous, and its gradient too, while regions appear, merge and part.

#include <span>
#include <vector>

#include "surface/deep_nodes.hpp"
#include "surface/polish.hpp"

namespace scree::star3d {

/// One term.
struct Term {
  Stationary point;
  bool saddle;
  Vec3 lower_top = Vec3::Zero();  ///< saddles: place of the less deep of the two tops that meet there [m]
};

/// Polishes tops and junctions of nodes. A top and the saddle that leads to a higher one go in together or not at all:
/// they are left out where the top runs into another one, or the saddle is not found below it.
/// \param terms  out: tops, then saddles, in the order of their nodes' depths
void polish_regions(const Meeting& meeting, const DeepNodes& nodes, std::vector<Term>& terms);

/// Adds tops, with their saddles, that lie between the nodes of one side and were found by the other side.
/// \param of_other  terms of the other side, in the frame of the body that `meeting` has nodes of
/// \param own       place of that body in the frame of the meeting
/// \param terms     in and out: terms of the meeting
void add_unseen(const Meeting& meeting, std::span<const Term> of_other, const Placement& own, std::vector<Term>& terms);

}  // namespace scree::star3d
