#pragma once
/// \file Bodies that bonds hold together, in a step of "moreau-jean": their incremental potential, and Newton's method
/// on it with the impulses of contacts as given.
///
///   Phi(x) = sum m |p - p^|^2/(2 dt^2) + the same of rotation + V,   grad Phi(x) = J^T r/dt
///
/// x^ is where bodies would go without bonds and contacts, V the energy of bonds, J at the beginning of the step. One
/// iterate d solves A d = -g + J^T r/dt, with the gradient g and the second derivatives A at x; r comes from outside.
///
/// \source D. M. Kaufman, R. Tamstorf, B. Smith, J.-M. Aubry, E. Grinspun, Adaptive nonlinearity for collisions in
///         complex rod assemblies, ACM Trans. Graph. 33 (2014) 123, for contacts on linearised rods

#include <memory>
#include <optional>

#include "implicit/fragment_factors.hpp"
#include "implicit/shared_ends.hpp"
#include "scree/integrate/impulse_problem.hpp"
#include "scree/integrate/mechanics.hpp"
#include "solvers/newton/free_bodies.hpp"
#include "solvers/newton/potential.hpp"
#include "solvers/newton/time_step.hpp"

namespace scree::nonsmooth {

/// Velocity and spin of a body.
struct PointMotion {
  Vec3 velocity, spin;
};

class ImplicitMotion {
 public:
  /// Place of the unknowns of a body.
  struct Place {
    static constexpr std::uint32_t kNone = 0xffffffff;
    std::uint32_t fragment = kNone, number = 0;
  };

  ImplicitMotion(World& world, ImpulseProblem& bonds);
  std::uint64_t version() const { return version_; }

  std::size_t fragments() const { return fragments_.size(); }
  /// Returns the place of a body; Place::kNone if no implicit bond holds it.
  const Place& place(std::uint32_t body) const { return place_[body]; }
  SharedEnds& shared_ends() { return shared_ends_; }

  /// At the World's state. Prescribed bodies are put where they are at the end of the step; the World is as before.
  /// \param loads  wrenches besides contacts and these bonds
  void begin(World& world, const Wrenches& loads, double dt);

  /// Second derivatives and factors at the present iterate. \param pushes  (bodies) forces of contacts as far
  /// as they are known, J^T r/dt   \return fragments whose second derivatives had to be made definite
  std::size_t linearise(std::span<const Wrench> pushes);
  /// Mean velocities of the step to the next iterate, if contacts did nothing.
  PointMotion without_contacts(std::uint32_t body) const;
  /// Blocks of A^-1/dt^2 [1/kg]: what an impulse and its moment do to velocities and spins.
  /// \param places  see FragmentFactors::inverse()
  void mobility(std::size_t fragment, std::span<const std::uint32_t> places, std::span<solvers::Block> out) const;

  /// Rows of the system: bodies of fragments, in no order that matters.
  std::size_t rows() const { return potential_->unknowns().rows(); }
  std::uint32_t row(std::uint32_t body) const { return potential_->unknowns().row[body]; }
  /// Diagonal blocks of mobility(), by row.
  void own_mobility(std::span<solvers::Block> out) const;
  /// x <- A^-1 x/dt^2: velocities and spins from impulses and their moments. \param x  six entries per row
  void respond(solvers::BlockVector& x) const { solve(*factors_, x); }
  /// Factors of A + `added`/dt^2, for respond_stiffened(). \param added  to the diagonal, by row [kg]
  /// \return false: not positive definite
  bool stiffen(std::span<const solvers::Block> added);
  /// x <- (dt^2 A + added)^-1 x.
  void respond_stiffened(solvers::BlockVector& x) const { solve(*stiffened_, x); }

  /// To the next iterate.
  void move(std::span<const Wrench> pushes);
  /// Mean velocities of the step to the present iterate.
  PointMotion so_far(std::uint32_t body) const;

  /// Returns the residual of forces at the present iterate: root of the mean, by mass, of the squares of the
  /// accelerations it would give the bodies of a fragment, relative to max(9.81, |v|/dt) m/s^2; the largest over
  /// fragments. Torques count as forces on a lever of the bounding radius.
  double residual(std::span<const Wrench> pushes) const;
  /// The largest gap of a link there, relative to the bounding radius of its body [-].
  double stretch() const;

  /// Returns the wrenches of bonds on all bodies there, also on those that do not move freely.
  std::vector<Wrench> bond_wrenches() const;
  /// The present iterate and its velocities into the World.
  void finish(World& world);

 private:
  void start_from_nearer();
  double acceleration_left(const Fragment& fragment, const solvers::BlockVector& gradient,
                           std::span<const Wrench> pushes) const;
  void renew_gradient() { potential_->gradient({position_, orientation_}, gradient_); }
  void add_second_derivatives(Curvature of_bonds, solvers::BlockMatrix& out);
  void solve(const FragmentFactors& factors, solvers::BlockVector& x) const;
  void take_rows(const Fragment& fragment, const solvers::BlockMatrix& from);
  solvers::Motion motion() { return {position_, orientation_, velocity_, spin_}; }

  std::uint64_t version_;
  bool planar_;
  std::vector<Fragment> fragments_;
  SharedEnds shared_ends_;
  std::vector<Place> place_;  ///< by body
  std::vector<std::uint8_t> driven_;
  solvers::FreeBodies bodies_;
  solvers::Prediction prediction_;
  solvers::InertiaTerm inertia_;
  std::span<const EnergyTerm* const> bonds_;
  std::optional<solvers::IncrementalPotential> potential_;
  std::optional<solvers::BlockMatrix> hessian_,
      instead_;  ///< `instead_`: of what is used where `hessian_` is indefinite
  std::optional<FragmentFactors> factors_;
  std::optional<FragmentFactors> stiffened_;  ///< when asked for
  solvers::BlockVector gradient_;             ///< gradient of the potential at the present iterate
  solvers::BlockVector free_step_;            ///< to the next one, if contacts did nothing

  double dt_ = 0;
  std::vector<Vec3> start_position_, position_, velocity_, spin_;  ///< by body
  std::vector<Quat> start_orientation_, orientation_;
};

}  // namespace scree::nonsmooth
