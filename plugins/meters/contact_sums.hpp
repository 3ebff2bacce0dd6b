#pragma once
/// \file Contacts as meters see them: where they lie, and sums of dyads that do not round.

#include <algorithm>

#include "scree/base/exact_sum.hpp"
#include "scree/hooks/contact_branch.hpp"
#include "scree/hooks/stored_frames.hpp"

namespace scree::meters {

/// A symmetric part of a sum of dyads, without rounding: xx, yy, zz, xy, yz, zx.
struct ExactTensor {
  ExactSum part[6];
  void add(const Vec3& f, const Vec3& l) {
    for (int k = 0; k < 3; ++k) {
      const int next = (k + 1) % 3;
      part[k].add(f[k] * l[k]);
      part[3 + k].add(0.5 * (f[k] * l[next] + f[next] * l[k]));
    }
  }
};

/// Checks whether a contact lies in a region. Its point may be outside by half an overlap: the region's border is often
/// a wall. \param within  takes a point [m]
template <class Within>
bool lies_in(const ContactRecord& c, const Within& within) {
  const Vec3 half = 0.501 * std::max(0.0, c.overlap) * c.normal;  // reaches either surface, in spite of rounding
  return within(c.point) || within(c.point + half) || within(c.point - half);
}

}  // namespace scree::meters
