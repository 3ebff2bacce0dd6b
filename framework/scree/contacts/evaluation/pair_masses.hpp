#pragma once
/// \file Masses that set the dashpot of each contact of a chunk.
///
/// A dashpot c = 2 z sqrt(k m) gives the restitution that belongs to z if k/m is the square of the frequency at which
/// the contact oscillates. This m is the reduced mass only if the normal runs through both centres, and if the pair has
/// no other contact. In general a contact has the elastic force F_i, the stiffness k_i and the row J_i. The row gives
/// its normal speed from the motion of both bodies. It belongs to a pair that oscillates with
///
///     W^2 = sum k_i s_i^2 / sum F_i s_i,   s_i = J_i M^-1 sum F_j J_j^T
///
/// This is Rayleigh's quotient along the acceleration by the pair's own springs. Then m_i = k_i/W^2. One contact has m
/// = 1/(J M^-1 J^T), whatever its force; n equal contacts of a flat landing have m/n each. So the restitution is as
/// requested for any number of contacts.

#include <cstdint>
#include <vector>

#include "scree/base/types.hpp"
#include "scree/contacts/lists/pair_chunk.hpp"
#include "scree/detect/contact_buffer.hpp"
#include "scree/hooks/contact_view.hpp"
#include "scree/world/body_view.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Masses of one chunk after the other: working memory of one thread.
class PairMasses {
 public:
  /// Finds the masses.
  /// \param normals_through_centres  true if all normals run through the centres of both bodies that take the force
  /// \throws NumericalError if a contact is too short for the time step
  void find(const World& world, const Methods& methods, const PairChunk& chunk, const BodyView& bodies,
            const ContactBuffer& contacts, bool normals_through_centres);
  /// Discards the results of find().
  void clear() { found_ = false; }

  /// Masses by contact of the chunk, readable up to the next multiple of eight [kg]. Null if all are the reduced masses
  /// of the pairs, or if no law needs them.
  const double* masses() const { return found_ ? mass_.data() : nullptr; }
  /// Shortest contact that find() has found, without its time.
  const HastyContact& hasty() const { return hasty_; }

 private:
  class InPlane;
  class InSpace;
  /// Contacts of one pair, or of one law.
  struct Run {
    std::uint32_t begin = 0, end = 0;
  };

  template <class Space>
  void find_in(const Methods& methods, const PairChunk& chunk, const BodyView& bodies, const ContactBuffer& contacts);
  template <class Space>
  void find_alone(const PairChunk& chunk, const BodyView& bodies, const ContactBuffer& contacts);
  void ask_law(const ForceFace& law, const Channel& channel, const ContactBuffer& contacts, Run all);
  template <class Space>
  void share(const double* a, const double* b, const ContactBuffer& contacts, Run run);
  void list_runs(const std::uint32_t* pair, Run all);
  void watch(const Interaction& law, const PairChunk& chunk, const BodyView& bodies, const ContactBuffer& contacts,
             Run all);

  bool found_ = false;
  std::vector<double> mass_;
  /// Stiffness of the stiffest contact of each contact's pair. All contacts of a pair have the same k/m, and this one
  /// is used to judge it: contacts that barely touch by Hertz's law have little of either.
  std::vector<double> stiffest_;
  std::vector<double> rows_;   ///< Space::kRow numbers per local row: inverse mass and moments of the body
  std::vector<double> lever_;  ///< r x n of both sides, Space::kNumbers columns each [m]
  std::size_t stride_ = 0;     ///< distance from column to column
  std::vector<Run> runs_;      ///< runs of pairs with several contacts
  std::vector<double> force_, stiffness_,
      weighted_;  ///< by contact: force times weight, stiffness, weight times stiffness
  std::vector<double> ones_;
  HastyContact hasty_;
};

}  // namespace scree
