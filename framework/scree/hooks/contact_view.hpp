#pragma once
/// \file The contacts of the last step, for hooks that asked for them. Ordered by (id a, id b, image, feature).

#include <cstddef>
#include <cstdint>
#include <tuple>
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

/// A contact that is over in too few steps for its restitution to be as asked.
struct HastyContact {
  double duration = 0;            ///< without dashpot [s]; 0: there is none
  double at_once = 0;             ///< contacts that its pair has
  double body_a = 0, body_b = 0;  ///< ids
  double time = 0;                ///< [s]

  /// The shorter of both, of the lower ids, at the earlier time.
  void keep_shorter(const HastyContact& other) {
    const auto rank = [](const HastyContact& c) { return std::tie(c.duration, c.body_a, c.body_b, c.time); };
    if (other.duration > 0 && (duration == 0 || rank(other) < rank(*this))) *this = other;
  }
};

/// Figures of all contacts in one evaluation.
struct ContactTotals {
  std::size_t candidate_pairs = 0, touching_pairs = 0, contacts = 0;
  std::size_t history_hits = 0;  ///< contacts that continue one of the last committed step
  double max_overlap = 0;        ///< [m]
  double elastic_energy = 0;     ///< [J]
  HastyContact hasty;            ///< the shortest
};

}  // namespace scree
