#pragma once
/// \file Where energy comes from and goes to: the work of every force on the bodies, added up step by step.

#include <span>
#include <string>
#include <vector>

#include "scree/base/exact_sum.hpp"
#include "scree/contacts/contact_pipeline.hpp"
#include "scree/integrate/mean_force.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Keeps figures of the World, all in J, whose sum is the kinetic energy of the free bodies:
///
///   kinetic = start + gravity + damping + bonds + walls + sum over interactions (normal + tangential + rolling)
///             + inserted + edited + residual
///
/// Each term but the last is computed from forces and velocities. In a step of length dt, a force F does the work
/// dt F (v(t) + v(t + dt))/2 on a body. F is what the integrator has applied in this step (MeanForce). The residual
/// is what they miss of the kinetic energy, which is computed from the velocities alone. It is rounding in 2D and
/// for spheres. For other bodies in 3D it is the error of rotation.
///
/// Damping is what is left of a body's force when all others are taken away. So where a scene damps, a force that the
/// ledger forgot would be in that term, and not in the residual.
///
/// Works of contacts count both bodies, walls too: they are negative where contacts dissipate. Of what an interaction
/// took, part is stored as elastic energy; the rest is dissipated:
///
///   dissipated = -(normal + tangential + rolling) - change of the elastic energy
class EnergyLedger {
 public:
  /// Makes the figures, and columns for forces that the next step will apply.
  /// \param scheme  of the integrator
  EnergyLedger(World& world, const Methods& methods, const MeanForce& scheme);

  /// Bodies that came since the last step.
  void inserted(std::span<const Id> ids);
  /// Before the integrator's step. \param dt  [s]
  void begin_step(double dt);
  /// After an evaluation of the step, or when a solver of impulses was answered. Rows are those of begin_step().
  /// \param dt        [s] as given to Mechanics::forces()
  /// \param contacts  the evaluation, which has kept parts and energies
  /// \param bonds     what bonds give each body, or empty
  /// \param total     what acts on each body
  void applied(double dt, const ContactEvaluation& contacts, std::span<const Wrench> bonds, const Wrenches& total);
  /// Joints, in addition to the last applied(): what they give each body.
  void joined(const Wrenches& joints);
  /// When velocities are those of the end of the step, before rows change order.
  void end_step();

 private:
  /// Forces of one origin.
  struct Source {
    std::string name;
    Column<Vec3> force, torque;      ///< of the last evaluation, where the next step applies it
    std::vector<Wrench> last, mean;  ///< by row: of the last evaluation, and what the step has applied
    double work = 0;                 ///< in this step [J]
  };
  /// The contacts of an entry of Methods::entries.
  struct Entry {
    std::string name;
    std::size_t first;   ///< its source of ForcePart::normal; those of the other parts follow
    double elastic = 0;  ///< at the last evaluation [J]
  };

  double& figure(const std::string& name) { return world_.figure("ledger_" + name + "_J"); }
  double kinetic() const;
  std::size_t add_source(const std::string& name);
  void take_contacts(const ContactEvaluation& contacts);
  void take_external(std::span<const Wrench> bonds, const Wrenches& total);
  void count(double weight);
  void take_means();
  double work_of(const Source& source) const;
  void count_walls();
  void begin_anew();
  void book();

  World& world_;
  const Methods& methods_;
  MeanForce scheme_;
  std::vector<Source> sources_;
  std::size_t gravity_, damping_, bonds_;  ///< of sources_
  std::vector<Entry> entries_;
  std::vector<Vec3> velocity_, spin_;  ///< by row: at the start of the step; at its end the means of both
  double dt_ = 0;                      ///< of the step [s]
  double start_ = 0;                   ///< kinetic energy at its start [J]
  double inserted_ = 0;                ///< kinetic energy of bodies that came before it [J]
  double walls_ = 0;                   ///< work of walls in it [J]
  std::size_t evaluations_ = 0;        ///< of the step
  bool complete_ = true;               ///< whether all forces of the step are known
};

}  // namespace scree
