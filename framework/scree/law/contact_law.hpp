#pragma once
/// \file Laws of contacts. A law offers up to three *faces*; an integrator asks for the one it works with.
///
///   "force/1"      compliant: overlap, velocity and history give a force         ForceFace, below
///   "cone/1"       nonsmooth: friction and restitution for complementarity solvers         ConeFace, cone_face.hpp
///   "potential/1"  energy, gradient and positive-semidefinite Hessian for implicit integrators
///
/// Faces are asked for by versioned name, like facets of a shape: a new face needs no change here.

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "scree/base/api.hpp"

namespace scree {

/// The elasticity of a material.
struct Moduli {
  double youngs_modulus = 0;  ///< [Pa]; infinite: rigid
  double poisson_ratio = 0;   ///< [-]
};

class SCREE_API ContactLaw {
 public:
  /// The most quantities of contacts, and the most columns of bodies, that a law may name.
  static constexpr int kMostInputs = 4;
  virtual ~ContactLaw();
  /// Names of quantities of a contact that the law reads, as in ContactDetector::quantities().
  /// ContactColumns::quantity[k] is the k-th one. A scene whose detector lacks one is refused. Default: none.
  virtual std::span<const std::string_view> contact_inputs() const noexcept;
  /// Names of columns of bodies of one double each that the law reads, made (0) where they are not there: temperature,
  /// charge, liquid. ContactColumns::of_a[k] and of_b[k] are the k-th one of the two bodies; of a member its own, not
  /// its owner's. Default: none.
  virtual std::span<const std::string_view> body_inputs() const noexcept;
  /// The moduli from which the law's stiffness follows, for the Rayleigh time of bodies: what the law takes for a body
  /// of a material with these. Default: empty, stiffness does not follow from elasticity.
  virtual std::optional<Moduli> moduli(const Moduli& of_material) const noexcept;
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
  const double* velocity[3] = {};   ///< velocity of b relative to a at the contact point [m/s]
  // Only what ForceNeeds asks for:
  /// The mass that sizes dashpots [kg]: with it and its own stiffness the contact alone would swing as fast as the pair
  /// does. Of one contact whose normal runs through both centres: reduced, m_a m_b/(m_a + m_b), or that of the moving
  /// body at a wall. Of others it is less, since bodies turn, and several contacts of a pair share it.
  const double* mass = nullptr;
  const double* radius = nullptr;  ///< radius of curvature, reduced: 1/radius = 1/R_a + 1/R_b, R < 0 where hollow [m]
  const double* spin[3] = {};      ///< angular velocity of b relative to a [rad/s]
  /// Rate at which the contact's frame turns, which carries springs along: with the normal, and about it with the mean
  /// angular velocity of a and b [rad/s].
  const double* turn[3] = {};
  // Only what contact_inputs() and body_inputs() ask for, in their order:
  const double* quantity[ContactLaw::kMostInputs] = {};  ///< quantity of the contact, in the unit its name says
  const double* of_a[ContactLaw::kMostInputs] = {};      ///< columns of a
  const double* of_b[ContactLaw::kMostInputs] = {};      ///< columns of b
};

/// Columns written by the law: what acts on b, world axes (a gets the opposite).
struct ForceColumns {
  double* force[3] = {};   ///< at the contact point [N]
  double* moment[3] = {};  ///< a couple beside it [N m]; only where ForceNeeds::moment says so
};

/// Columns that a compliant law reads beyond overlap, normal and velocity; those that no law reads are not computed.
struct ForceNeeds {
  bool mass = false, radius = false, spin = false, turn = false;  ///< these columns of ContactColumns
  bool moment = false;                                            ///< the law writes ForceColumns::moment
  /// force() reads an entry of `last` only before it writes the same one of `now`: both may then be the same memory.
  bool history_in_place = false;
};

/// Largest stiffness and damping of a contact while it does not slide. All are 0 where the law has none.
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

  /// Computes forces of contacts, and their history of this step.
  /// \param last  history_size() columns: what each contact inherits from the last committed step, 0 when it is new
  /// \param now   history_size() columns of this step, every entry of which is to be written; see
  ///              ForceNeeds::history_in_place
  virtual void force(const ContactColumns& contacts, const double* const* last, double* const* now,
                     ForceColumns out) const = 0;

  /// Elastic energy stored in each contact [J], from overlap and the history of this step.
  virtual void energy(const ContactColumns& contacts, const double* const* history, double* energy) const = 0;

  /// Compares the contacts of one pair: the elastic force along the normal, and its derivative by the overlap, both
  /// up to one common factor. Cohesion does not count. Only for laws that need `mass`; `contacts` has overlaps and
  /// radii alone. Default: a linear spring, d and 1.
  virtual void elastic(const ContactColumns& contacts, double* force, double* stiffness) const;

  /// Duration [s] of a head-on contact without dashpot, of two bodies with this reduced mass [kg] and reduced radius
  /// [m]: for the judgement of dt.
  virtual double contact_duration(double reduced_mass, double reduced_radius) const noexcept = 0;
  /// Stiffness and damping of a contact of two such bodies, for the longest stable step. Default: a linear spring that
  /// takes contact_duration(), and nothing else.
  virtual ContactRates rates(double reduced_mass, double reduced_radius) const noexcept;
};

}  // namespace scree
