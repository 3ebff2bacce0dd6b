#pragma once
/// \file Laws of bonds, each of which joins two bodies. A law has traits and up to four faces, asked for by versioned
/// name:
///
///   "bond-force/1"    forces and torques, for explicit integrators          BondForces, below
///   "joint/1"         a point that both bodies keep, for solvers of impulses  BondJoints, below
///   "energy/1"        energy, gradient and Hessian, for implicit integrators  EnergyTerm, energy_term.hpp
///   "bond-columns/1"  numbers for files and pictures                        BondColumns, bond_columns.hpp

#include <string>

#include "scree/law/energy_term.hpp"
#include "scree/shape/shape.hpp"

namespace scree {

/// Bonds that hold, as columns. (size) each; rows of the World.
struct BondView {
  std::span<const std::uint32_t> a, b;
  std::span<const double> section;       ///< area of the cross-section [m^2]
  std::span<const Vec3> branch;          ///< from the centre of a to that of b when the bond was made, world axes [m]
  std::span<const Quat> made_a, made_b;  ///< orientations of the bodies then
  std::span<const Vec3> joint = {};      ///< from the centre of a to where the two were joined then, world axes [m]
  std::span<const Shape*const> shape_a = {}, shape_b = {};
  std::span<const double> scale_a = {}, scale_b = {};  ///< sizes relative to the shapes [-]
  std::span<const double> memory = {};                 ///< BondTraits::memory numbers, bond by bond
  std::span<const Id> id_a = {}, id_b = {};            ///< ids of the bodies, for random numbers

  std::size_t size() const { return a.size(); }
  /// Numbers that one bond remembers; none where the law remembers nothing, or bonds have yet to be made.
  std::span<const double> memory_of(std::size_t bond) const {
    const std::size_t numbers = a.empty() ? 0 : memory.size() / a.size();
    return memory.subspan(bond * numbers, numbers);
  }
};

/// Two bodies and the point at which each of them holds a bond.
struct ChainLink {
  std::uint32_t a, b;
  Vec3 point_a, point_b;  ///< from the centres, in the bodies' axes [m]
};

/// Properties of all bonds of a law. Plain data, always the same; read at set-up.
struct BondTraits {
  static constexpr int kMostMemory = 64;
  bool can_break = true;  ///< true where some load can break a bond
  std::string_view facet_of_either =
      {};                       ///< versioned name of a facet that one of the two bodies must offer; empty: none
  int memory = 0;               ///< numbers that each bond remembers, at most kMostMemory
  bool memory_changes = false;  ///< BondLaw::end_step() may change them
  /// BondLaw::balance() sets them before the first step. Bonds must then be in a tree whose root does not move: set-up
  /// refuses others, since statics does not give what those carry.
  bool balances = false;
  /// The energies of "energy/1" contain what rates of deformation cost. Such bonds cannot act by forces, which know no
  /// rates: integrators that ask for forces are refused.
  bool resists_rates = false;
  /// Branches are Configuration::branch(): such bonds may reach across the sides of a periodic cell.
  bool across_sides = false;
  double modulus = 0;   ///< Young's modulus of a solid that such bonds make up, to some 20 % [Pa]; 0: not known
  double strength = 0;  ///< stress at which that fails, the lesser of tension and shear [Pa]; 0: not known
};

/// One law serves all bonds of an entry of the scene's `bonds`. Where several processes share a run, each binds the
/// bonds of its bodies alone. So a bond must have the same bits whatever others are bound. What bonds do to a body is
/// summed in their order.
class SCREE_API BondLaw {
 public:
  virtual ~BondLaw();
  virtual BondTraits traits() const = 0;
  /// Called before the first step, and whenever bonds came or broke, or rows changed order; it replaces earlier
  /// calls. Copies what it needs. \param bodies  how many rows there are
  virtual void bind(const BondView& bonds, std::size_t bodies) = 0;
  /// \return the face, converted from a pointer to exactly the face's type, or nullptr; lives as long as the law
  virtual const void* face(std::string_view name) const noexcept = 0;
  /// Computes how hard each bond is loaded: 1 = it breaks. \param out  (bonds)
  virtual void utilisation(const Configuration& x, std::span<double> out) const = 0;

  /// Judges bonds that are about to be made; rows are indices of the bodies. \return what is wrong with them, in whole
  /// sentences; empty: nothing, the default
  virtual std::string fault(const BondView& bonds) const;
  /// Appends a link for each bond, in their order, for implicit integrators: bonds that are stiff against stretching
  /// and soft against all else, as the joints of rods. With the vector from a's point to b's as a coordinate, in place
  /// of where a body is, large steps need few iterations. Default: none.
  virtual void list_links(std::vector<ChainLink>& out) const;
  /// Tells that a step begins, before its energies are asked for. With BondTraits::resists_rates they contain what
  /// rates cost until the next call, or bind(). A rate is the change since then over the time since then.
  /// \param x     state at the beginning of the step
  /// \param time  from there to the configurations that energies will be asked of [s], > 0
  virtual void begin_step(const Configuration& x, double time);
  /// Changes what bonds remember at the end of a step, before overloaded bonds break. Energy that bonds lose by it is
  /// counted as dissipated. Pairs and links stay what they were. Asked with BondTraits::memory_changes.
  /// \param x  state then  \param memory  as last bound, to be changed
  /// \return true where memory was changed; the law is then bound again
  virtual bool end_step(const Configuration& x, std::span<double> memory);
  /// Sets what bonds remember such that they carry these loads as bodies lie. Asked with BondTraits::balances.
  /// \param bonds  bonds that are about to be made; rows are indices of bodies
  /// \param loads  (bonds) what acts on b's side at the joint, world axes: the weight of all beyond it, or, where the
  ///               root is beyond it, the negative of that of a's side [N], [N m]
  /// \return fault in whole sentences; empty: none
  virtual std::string balance(const BondView& bonds, std::span<const Wrench> loads, std::span<double> memory) const;
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

/// The nonsmooth face: two bodies have a point in common, about which they turn as they like.
class SCREE_API BondJoints {
 public:
  static constexpr std::string_view kName = "joint/1";
  virtual ~BondJoints();
  /// Computes where either body holds the point. \param arm_a, arm_b  out, (bonds): from the body's centre, world axes
  /// [m]
  virtual void arms(const Configuration& x, std::span<Vec3> arm_a, std::span<Vec3> arm_b) const = 0;
};

}  // namespace scree
