#pragma once
/// \file Contacts of the last step, for hooks that request them. Ordered by (id a, id b, image, feature).

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
  Vec3 force;      ///< force on b [N]
};

using ContactView = std::vector<ContactRecord>;

/// A contact that is over in too few steps to have the requested restitution.
struct HastyContact {
  double duration = 0;            ///< duration without dashpot [s]; 0: there is none
  double at_once = 0;             ///< number of contacts of its pair
  double body_a = 0, body_b = 0;  ///< ids
  double time = 0;                ///< [s]

  /// Keeps the shorter of both contacts; ties: lower ids, then the earlier time.
  void keep_shorter(const HastyContact& other) {
    const auto rank = [](const HastyContact& c) { return std::tie(c.duration, c.body_a, c.body_b, c.time); };
    if (other.duration > 0 && (duration == 0 || rank(other) < rank(*this))) *this = other;
  }
};

/// Totals of all contacts in one evaluation.
struct ContactTotals {
  std::size_t candidate_pairs = 0, touching_pairs = 0, contacts = 0;
  std::size_t history_hits = 0;  ///< contacts that continue one of the last committed step
  double max_overlap = 0;        ///< [m]
  double elastic_energy = 0;     ///< [J]
  HastyContact hasty;            ///< shortest contact that is over in too few steps
};

}  // namespace scree
