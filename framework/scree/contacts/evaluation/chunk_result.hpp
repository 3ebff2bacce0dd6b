#pragma once
/// \file Results of the last evaluation of one chunk.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "scree/base/exact_sum.hpp"
#include "scree/base/types.hpp"
#include "scree/hooks/contact_view.hpp"
#include "scree/integrate/energy_problem.hpp"
#include "scree/integrate/impulse_problem.hpp"

namespace scree {

/// Wrench of one chunk on one body: a cache line, with force [N] and torque [N m] in groups of four.
struct alignas(64) WrenchSlot {
  double force[4], torque[4];
};

/// Counts of a chunk's last evaluation.
struct ChunkCounts {
  std::size_t contacts = 0;        ///< overlap > 0
  std::size_t touching_pairs = 0;  ///< pairs with at least one such contact
  std::size_t history_hits = 0;    ///< contacts, gaps included, that continue one of the last committed step
  double max_overlap = 0;          ///< [m]
  ExactSum elastic_energy;         ///< [J], on request
  HastyContact hasty;              ///< shortest contact, without its time

  void add(const ChunkCounts& other) {
    contacts += other.contacts;
    touching_pairs += other.touching_pairs;
    history_hits += other.history_hits;
    max_overlap = std::max(max_overlap, other.max_overlap);
    elastic_energy.add(other.elastic_energy);
    hasty.keep_shorter(other.hasty);
  }
};

/// Parts of the force of a contact: along the normal, across it, and a couple.
enum class ForcePart : std::uint32_t { normal, tangential, rolling };
inline constexpr std::size_t kForceParts = 3;

/// Contact that an integrator solves for: the answer is a force or an impulse.
struct SolverContact {
  std::uint32_t contact;  ///< index within the chunk
  std::uint32_t a, b;     ///< local rows of the bodies that take the force
  std::uint32_t entry;    ///< index into Methods::entries
  Vec3 arm_a, arm_b;      ///< arms of the contact point about the bodies that take the force [m]
};

struct ChunkResult {
  ChunkCounts counts;
  std::vector<ExactSum> elastic;              ///< energy by entry of Methods::entries, if parts are kept [J]
  std::vector<ContactRecord> records;         ///< records, on request
  std::vector<SolverContact> solved;          ///< contacts solved for, if the evaluation was one of cones or potentials
  std::vector<std::array<Vec3, 2>> own_arms;  ///< arms of these about a and b themselves [m]; empty if none is a member
  std::size_t first_solved = 0;               ///< index of the first among the solved contacts of all chunks
  std::vector<ConeContact> cones;             ///< cones of the contacts in `solved`
  std::vector<PotentialContact> potentials;   ///< potentials of the contacts in `solved`
};

}  // namespace scree
