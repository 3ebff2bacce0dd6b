#pragma once
/// \file The mass that sizes the dashpot of each contact of a chunk.
///
/// A dashpot c = 2 z sqrt(k m) gives the restitution that belongs to z if k/m is the square of the frequency at which
/// the contact swings. m is the reduced mass only where the normal runs through both centres, and where the pair has no
/// other contact. In general a contact with the elastic force F_i, the stiffness k_i and the row J_i that gives its
/// normal speed from the motion of both bodies belongs to a pair that swings with
///
///     W^2 = sum k_i s_i^2 / sum F_i s_i,   s_i = J_i M^-1 sum F_j J_j^T
///
/// Rayleigh's quotient along the acceleration by the pair's own springs. Then m_i = k_i/W^2. One contact has
/// m = 1/(J M^-1 J^T), whatever its force; n equal contacts of a flat landing have m/n each. The restitution is then as
/// asked for any number of contacts.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/types.hpp"
#include "scree/contacts/lists/pair_chunk.hpp"
#include "scree/detect/contact_buffer.hpp"
#include "scree/hooks/contact_view.hpp"
#include "scree/world/body_view.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// One thread's memory for one chunk after the other.
class PairMasses {
 public:
  /// \param normals_through_centres  whether all normals run through the centres of both bodies that take the force
  /// \throws NumericalError where a contact is too short for the time step
  void find(const World& world, const Methods& methods, const PairChunk& chunk, const BodyView& bodies,
            const ContactBuffer& contacts, bool normals_through_centres);

  /// Ends what find() has found.
  void clear() { mass_.clear(); }

  /// By contact of the chunk, readable up to the next multiple of eight [kg]; null where all are the reduced masses of
  /// the pairs, or no law asks.
  const double* masses() const { return mass_.empty() ? nullptr : mass_.data(); }
  /// The shortest contact that find() has found, without its time.
  const HastyContact& hasty() const { return hasty_; }

 private:
  /// Of a body: the inverse of its moment of inertia, world axes [1/(kg m^2)].
  struct Turning {
    double xx, yy, zz, xy, xz, yz;
    Vec3 operator*(const Vec3& v) const {
      return {xx * v.x() + xy * v.y() + xz * v.z(), xy * v.x() + yy * v.y() + yz * v.z(),
              xz * v.x() + yz * v.y() + zz * v.z()};
    }
  };
  /// Contacts of one pair.
  struct Run {
    std::uint32_t begin, end;
  };
  /// Both bodies of a pair that take the force.
  struct Sides {
    const BodyRow *a, *b;
    const Turning *turning_a, *turning_b;
  };

  void find_turning(const World& world, const PairChunk& chunk);
  Sides sides_of(const PairChunk& chunk, const BodyView& bodies, std::uint32_t pair) const;
  void find_alone(const Sides& sides, const ContactBuffer& contacts, Run run);
  void ask_law(const ForceFace& law, bool curvature, const ContactBuffer& contacts, Run all);
  void share(const Sides& sides, const double* weight, const ContactBuffer& contacts, Run run);
  void watch(const Interaction& law, const PairChunk& chunk, const BodyView& bodies, const ContactBuffer& contacts,
             Run all);

  std::vector<double> mass_;
  std::vector<Turning> turning_;  ///< by local row
  std::vector<Run> runs_;         ///< of pairs with several touching contacts
  std::vector<double> force_, stiffness_, radius_;
  HastyContact hasty_;
};

}  // namespace scree
