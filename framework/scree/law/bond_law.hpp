#pragma once
/// \file What joins two bodies that a bond holds together. A law offers faces, asked for by versioned name:
///
///   "bond-force/1"  forces and torques, for explicit integrators             BondForces, below
///   "joint/1"       a point that both bodies keep, for solvers of impulses   BondJoints, below
///   "energy/1"      energy, gradient and Hessian, for implicit integrators   EnergyTerm, energy_term.hpp
///   "bond-chain/1"  points whose distance is what stretches a bond            BondChain, below
///   "bond-needs/1"  what shapes it joins                                     BondNeeds, below
///   "bond-rates/1"  resistance to rates of deformation                       BondRates, bond_rates.hpp
///   "bond-columns/1"  numbers for files and pictures                         BondColumns, bond_columns.hpp
///   "bond-memory/1" what steps change of each bond                            BondMemory, bond_memory.hpp
///   "bond-balance/1" that bonds carry what hangs on them                      BondBalance, bond_memory.hpp
///   "bond-strength/1" how stiff and how strong a solid of them is             BondStrength, bond_strength.hpp

#include <limits>
#include <string>

#include "scree/law/energy_term.hpp"

namespace scree {

class Shape;

/// Bonds that hold, as columns. (size) each; rows of the World.
struct BondView {
  std::span<const std::uint32_t> a, b;
  std::span<const double> section;       ///< area of the cross-section [m^2]
  std::span<const Vec3> branch;          ///< from the centre of a to that of b when the bond was made, world axes [m]
  std::span<const Quat> made_a, made_b;  ///< orientations of the bodies then
  std::span<const Vec3> joint = {};      ///< from the centre of a to where the two were joined then, world axes [m]
  std::span<const Shape*const> shape_a = {}, shape_b = {};
  std::span<const double> scale_a = {}, scale_b = {};  ///< sizes relative to the shapes [-]
  std::span<const double> memory = {};                 ///< of laws with BondMemory: its numbers, bond by bond

  std::size_t size() const { return a.size(); }
  /// Those of one bond; none where the law remembers nothing, or bonds have yet to be made.
  std::span<const double> memory_of(std::size_t bond) const {
    const std::size_t numbers = a.empty() ? 0 : memory.size() / a.size();
    return memory.subspan(bond * numbers, numbers);
  }
};

/// One law serves all bonds of an entry of the scene's `bonds`. Where several processes share a run, each binds the bonds
/// of its bodies alone. So what a law says of a bond must be the same, bit for bit, whatever others are bound. What bonds
/// do to a body is summed in their order.
class SCREE_API BondLaw {
 public:
  virtual ~BondLaw();
  /// Called before the first step, and whenever bonds came or broke, or rows changed order; it replaces earlier
  /// calls. Copies what it needs. \param bodies  how many rows there are
  virtual void bind(const BondView& bonds, std::size_t bodies) = 0;
  /// \return the face, converted from a pointer to exactly the face's type, or nullptr; lives as long as the law
  virtual const void* face(std::string_view name) const noexcept = 0;

  /// Whether any load can break a bond.
  virtual bool can_break() const noexcept = 0;
  /// How hard each bond is loaded: 1 = it breaks. \param out  (bonds)
  virtual void utilisation(const Configuration& x, std::span<double> out) const = 0;
};

template <class F>
const F* face(const BondLaw& law) noexcept {
  return static_cast<const F*>(law.face(F::kName));
}

/// The compliant face.
class SCREE_API BondForces {
 public:
  static constexpr std::string_view kName = "bond-force/1";
  virtual ~BondForces();
  /// Adds what the bonds do to the bodies. \param out  (bodies) [N], [N m]
  virtual void add_wrenches(const Configuration& x, std::span<Wrench> out) const = 0;
  /// Energy stored in all bonds that are bound [J].
  virtual double energy(const Configuration& x) const = 0;
  /// A time step that explicit integration surely survives [s]. \param mass [kg], moment [kg m^2]  (bodies)
  virtual double stable_time_step(const Configuration& x, std::span<const double> mass,
                                  std::span<const double> moment) const = 0;
};

/// Two bodies and the point at which each of them holds a bond.
struct ChainLink {
  std::uint32_t a, b;
  Vec3 point_a, point_b;  ///< from the centres, in the bodies' axes [m]
};

/// For implicit integrators: bonds that are stiff against stretching and soft against all else, as the joints of rods.
/// With the vector from a's point to b's as a coordinate, in place of where a body is, large steps need few iterations.
class SCREE_API BondChain {
 public:
  static constexpr std::string_view kName = "bond-chain/1";
  virtual ~BondChain();
  /// Appends those of all bonds, in their order.
  virtual void list_links(std::vector<ChainLink>& out) const = 0;
};

/// What a law asks of the bodies it joins. Laws without this face join any.
class SCREE_API BondNeeds {
 public:
  static constexpr std::string_view kName = "bond-needs/1";
  virtual ~BondNeeds();
  /// Versioned name of a facet that at least one of the two bodies must offer.
  virtual std::string_view facet_of_either() const noexcept = 0;
  /// What is wrong with bonds that are about to be made, in whole sentences, or nothing. Rows are indices of the
  /// bodies.
  virtual std::string fault(const BondView& bonds) const = 0;
};

/// The nonsmooth face: two bodies have a point in common, about which they turn as they like.
class SCREE_API BondJoints {
 public:
  static constexpr std::string_view kName = "joint/1";
  virtual ~BondJoints();
  /// Where either body holds the point. \param arm_a, arm_b  out, (bonds): from the body's centre, world axes [m]
  virtual void arms(const Configuration& x, std::span<Vec3> arm_a, std::span<Vec3> arm_b) const = 0;
};

}  // namespace scree
