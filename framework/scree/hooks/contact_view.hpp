#pragma once
/// \file The contacts of the last step, for hooks that asked for them. Ordered by (id a, id b, image, feature).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scree/base/types.hpp"

namespace scree {

struct ContactRecord {
  Id a, b;
  std::int32_t image;
  std::uint32_t feature;
  double overlap;  ///< [m]
  Vec3 normal;     ///< unit, from a to b
  Vec3 point;      ///< world [m]
  Vec3 force;      ///< on b [N]
};

using ContactView = std::vector<ContactRecord>;

/// Figures of all contacts in one evaluation.
struct ContactTotals {
  std::size_t candidate_pairs = 0, touching_pairs = 0, contacts = 0;
  std::size_t history_hits = 0;  ///< contacts that continue one of the last committed step
  double max_overlap = 0;        ///< [m]
  double elastic_energy = 0;     ///< [J]
};

}  // namespace scree
