#pragma once
/// \file Weighted contacts: contacts that are terms of one energy, each with weights of its energy and its force.

#include <cstddef>

#include "scree/contacts/evaluation/kinematics.hpp"

namespace scree::detail {

/// Makes contacts of negative weight elastic: the law sees them at rest and without history.
///
/// A law answers for one whole contact. Contacts of some detectors are terms of one energy E = sum w_i phi(overlap_i):
///   - corners that several pairs of edge and vertex see: further terms are subtracted again (spheropolygon);
///   - maxima and minima of a depth along an outline, with weights of opposite sign (star).
///
/// The law computes each contact with weight 1, then its force and moment are multiplied by the force weight, its
/// energy by the energy weight. The two differ where |grad overlap| is not 1: dE/dq = w phi' grad overlap, but the
/// normal is a unit vector. No law needs to know about weights, and unweighted channels do not pay for them.
///
/// Friction and damping are not gradients of an energy, so a negative amount of them has no meaning: a negative dashpot
/// would create energy. Contacts of negative weight therefore have no velocity, spin or history: their law gives
/// elastic force only. Since their history is overwritten, the law of a weighted channel reads copies of it
/// (HistoryStep::of_block).
///
/// Alternatives: merging all terms into one contact before the law would change the energy of laws that are not linear
/// in the overlap. Leaving out terms of negative weight would count corners more than once.
/// \param weight  force weights of the block's contacts
/// \param last    history of the block's contacts, a column per stride
inline void make_negative_elastic(const double* weight, std::size_t count, const VectorColumns& velocity,
                                  const VectorColumns& spin, double* last, std::size_t stride, int history_columns) {
  for (std::size_t i = 0; i < count; ++i) {
    if (weight[i] >= 0) continue;
    for (int k = 0; k < 3; ++k) velocity.axis[k][i] = 0;
    if (spin.axis[0])
      for (int k = 0; k < 3; ++k) spin.axis[k][i] = 0;
    for (int k = 0; k < history_columns; ++k) last[static_cast<std::size_t>(k) * stride + i] = 0;
  }
}

inline void scale(const double* weight, std::size_t count, const VectorColumns& columns) {
  for (double* axis : columns.axis)
    for (std::size_t i = 0; i < count; ++i) axis[i] *= weight[i];
}

}  // namespace scree::detail
