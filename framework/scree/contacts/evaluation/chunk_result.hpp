#pragma once
/// \file What the last evaluation found in one chunk.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "scree/base/exact_sum.hpp"
#include "scree/base/types.hpp"
#include "scree/hooks/contact_view.hpp"
#include "scree/integrate/cones.hpp"
#include "scree/integrate/potential.hpp"

namespace scree {

/// A body's share of the forces from one chunk: a cache line, force [N] and torque [N m] a group of four each.
struct alignas(64) WrenchSlot {
  double force[4], torque[4];
};

/// What a chunk's last evaluation found.
struct ChunkCounts {
  std::size_t contacts = 0;        ///< overlap > 0
  std::size_t touching_pairs = 0;  ///< with at least one such contact
  std::size_t history_hits = 0;    ///< contacts, gaps included, that continue one of the last committed step
  double max_overlap = 0;          ///< [m]
  ExactSum elastic_energy;         ///< [J], when asked for
  HastyContact hasty;              ///< without its time

  void add(const ChunkCounts& other) {
    contacts += other.contacts;
    touching_pairs += other.touching_pairs;
    history_hits += other.history_hits;
    max_overlap = std::max(max_overlap, other.max_overlap);
    elastic_energy.add(other.elastic_energy);
    hasty.keep_shorter(other.hasty);
  }
};

/// What the force of a contact is the sum of: along the normal, across it, and a couple.
enum class ForcePart : std::uint32_t { normal, tangential, rolling };
inline constexpr std::size_t kForceParts = 3;

/// A contact that an integrator solves for: it answers with a force or an impulse.
struct SolverContact {
  std::uint32_t contact;  ///< of the chunk
  std::uint32_t a, b;     ///< local rows of the bodies that take the force
  std::uint32_t entry;    ///< of Methods::entries
  Vec3 arm_a, arm_b;      ///< [m]
};

struct ChunkResult {
  ChunkCounts counts;
  std::vector<ExactSum> elastic;              ///< by entry of Methods::entries, where parts are kept [J]
  std::vector<ContactRecord> records;         ///< where somebody wants them
  std::vector<SolverContact> solved;          ///< where the evaluation was one of cones or potentials
  std::vector<std::array<Vec3, 2>> own_arms;  ///< of these, about a and b themselves; empty where none is a member [m]
  std::size_t first_solved = 0;               ///< among those of all chunks
  std::vector<ConeContact> cones;             ///< as `solved`
  std::vector<PotentialContact> potentials;   ///< as `solved`
};

}  // namespace scree
