#pragma once
/// \file What happens at a contact. A law offers up to three *faces*; an integrator asks for the one it works with.
///
///   "force/1"      compliant: overlap, velocity and history give a force         ForceFace, below
///   "cone/1"       nonsmooth: friction and restitution for complementarity solvers         ConeFace, cone_face.hpp
///   "potential/1"  energy, gradient and positive-semidefinite Hessian for implicit integrators
///   "law-inputs/1" beside one of these: what the law reads of contacts and bodies          LawInputs, law_inputs.hpp
///
/// Faces are asked for by versioned name, like facets of a shape: a new face needs no change here.

#include <cstddef>
#include <string_view>

#include "scree/base/api.hpp"
#include "scree/law/law_inputs.hpp"

namespace scree {

class SCREE_API ContactLaw {
 public:
  virtual ~ContactLaw();
  /// Largest gap [m] at which the law still acts (cohesion, long-range potentials). Default 0.
  virtual double range() const noexcept;
  /// \return the face, converted from a pointer to exactly the face's type, or nullptr
  virtual const void* face(std::string_view name) const noexcept = 0;
};

template <class F>
const F* face(const ContactLaw& law) noexcept {
  return static_cast<const F*>(law.face(F::kName));
}

/// Columns over the contacts of one chunk, read only: arrays of `size` entries. Contacts with overlap <= 0 are gaps
/// within the law's range or the integrator's margin: a law without range returns no force for them.
///
/// Many integrators know velocities of the middle of a step where positions are those of its end (Mechanics::forces).
/// Velocity and spin are then what they were in the middle, with the normal and the arms of that moment, and turned
/// with the contact since then. So their parts along and across the current normal are those along and across the
/// normal of the middle, and velocity times dt is how far the surfaces moved against each other.
struct ContactColumns {
  std::size_t size = 0;
  double dt = 0;                    ///< [s]
  const double* overlap = nullptr;  ///< [m]
  const double* normal[3] = {};     ///< unit, from a to b
  const double* velocity[3] = {};   ///< of b relative to a at the contact point [m/s]
  // Only what ForceNeeds asks for:
  /// That sizes dashpots [kg]: with this mass and its own stiffness the contact alone would swing as fast as the pair
  /// does. Of one contact whose normal runs through both centres: reduced, m_a m_b/(m_a + m_b), or that of the moving
  /// body at a wall. Of others it is less, since bodies turn, and several contacts of a pair share it.
  const double* mass = nullptr;
  const double* radius = nullptr;  ///< of curvature, reduced: 1/radius = 1/R_a + 1/R_b, negative R where hollow [m]
  const double* spin[3] = {};      ///< angular velocity of b relative to a [rad/s]
  /// How fast the contact's frame turns, which carries springs along: with the normal, and about it with the mean
  /// angular velocity of a and b [rad/s].
  const double* turn[3] = {};
  // Only what LawInputs asks for, in its order:
  const double* quantity[LawInputs::kMost] = {};  ///< of the contact, in the unit its name says
  const double* of_a[LawInputs::kMost] = {};      ///< columns of a
  const double* of_b[LawInputs::kMost] = {};      ///< columns of b
};

/// Columns written by the law: what acts on b, world axes (a gets the opposite).
struct ForceColumns {
  double* force[3] = {};   ///< at the contact point [N]
  double* moment[3] = {};  ///< a couple beside it [N m]; only where ForceNeeds::moment says so
};

/// What a compliant law works with beyond overlap, normal and velocity; columns that no law asks for are not computed.
struct ForceNeeds {
  bool mass = false, radius = false, spin = false, turn = false;  ///< these columns of ContactColumns
  bool moment = false;                                            ///< the law writes ForceColumns::moment
  /// force() reads an entry of `last` only before it writes the same one of `now`: both may then be the same memory.
  bool history_in_place = false;
};

/// How stiff a contact is and how strongly damped, at most, while it does not slide. All are 0 where the law has none.
struct ContactRates {
  double stiffness = 0, damping = 0;                        ///< along the normal [N/m], [N s/m]
  double tangential_stiffness = 0, tangential_damping = 0;  ///< across it [N/m], [N s/m]
  double rolling_stiffness = 0, rolling_damping = 0;        ///< [N m/rad], [N m s/rad]
};

/// The compliant face. Plain loops over columns; the compiler vectorises them across contacts.
class SCREE_API ForceFace {
 public:
  static constexpr std::string_view kName = "force/1";
  virtual ~ForceFace();

  virtual ForceNeeds needs() const noexcept;

  static constexpr int kMostHistory = 16;
  /// Doubles of history per contact (a tangential spring has 3), kMostHistory at most; 0 = none.
  virtual int history_size() const noexcept = 0;

  /// \param last  history_size() columns: what each contact inherits from the last committed step, 0 when it is new
  /// \param now   the same columns of this step, every entry of which is to be written; see
  ///              ForceNeeds::history_in_place
  virtual void force(const ContactColumns& contacts, const double* const* last, double* const* now,
                     ForceColumns out) const = 0;

  /// Elastic energy stored in each contact [J], from overlap and the history of this step.
  virtual void energy(const ContactColumns& contacts, const double* const* history, double* energy) const = 0;

  /// How the contacts of one pair compare: the elastic force along the normal, and its derivative by the overlap, both
  /// up to one common factor. Cohesion does not count. Only for laws that need `mass`; `contacts` has overlaps and
  /// radii alone. Default: a linear spring, d and 1.
  virtual void elastic(const ContactColumns& contacts, double* force, double* stiffness) const;

  /// Duration [s] of a head-on contact without dashpot, of two bodies with this reduced mass [kg] and reduced radius
  /// [m]: for the judgement of dt.
  virtual double contact_duration(double reduced_mass, double reduced_radius) const noexcept = 0;
  /// Of a contact of such bodies, for the longest stable step. Default: a linear spring that takes contact_duration(),
  /// and nothing else.
  virtual ContactRates rates(double reduced_mass, double reduced_radius) const noexcept;
};

}  // namespace scree
