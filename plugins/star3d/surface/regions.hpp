#pragma once
/// \file The terms of the energy of one side of a pair: tops of the depth along a surface, less the saddles at which
/// their regions meet.
///
/// E = sum over tops phi(u) - sum over saddles phi(u), which is int phi'(c) n(c) dc with n(c) the number of regions of
/// the surface deeper than c. So E stays continuous, and its gradient too, while regions appear, merge and part.

#include <vector>

#include "surface/deep_nodes.hpp"
#include "surface/polish.hpp"

namespace scree::star3d {

/// One term.
struct Term {
  Stationary point;
  bool saddle;
};

/// Polishes tops and junctions of nodes. A top and the saddle that leads to a higher one go in together or not at all:
/// they are left out where the top runs into another one, or the saddle is not found below it.
/// \param terms  out: tops, then saddles, in the order of their nodes' depths
void polish_regions(const Meeting& meeting, const DeepNodes& nodes, std::vector<Term>& terms);

}  // namespace scree::star3d
