#pragma once
/// \file Weighted contacts. A law answers for one whole contact. The contacts of some detectors are the terms of one
/// energy: corners seen by several edges, maxima and minima of a depth. The detector then says how much each counts.

#include <cstddef>

#include "scree/contacts/evaluation/kinematics.hpp"

namespace scree::detail {

/// Contacts of negative weight take back elastic force alone: there is no negative friction or damping. The law sees
/// them at rest and without a past. \param weight  force weights of the block's contacts  \param last  their history, a
/// column per stride
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
