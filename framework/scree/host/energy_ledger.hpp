#pragma once
/// \file Energy ledger: the work of every force on the bodies, added up step by step.

#include <span>
#include <string>
#include <vector>

#include "scree/base/exact_sum.hpp"
#include "scree/contacts/contact_pipeline.hpp"
#include "scree/integrate/integrator.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Keeps metrics of the World, all in J, whose sum is the kinetic energy of the free bodies:
///
///   kinetic = start + gravity + damping + bonds + walls + sum over interactions (normal + tangential + rolling)
///             + inserted + edited + residual
///
/// Each term except the last is computed from forces and velocities. In a step of length dt, a force F does the work dt
/// F (v(t) + v(t + dt))/2 on a body. F is the force that the integrator has applied in this step (MeanForce). The
/// residual is the rest of the kinetic energy, which is computed from the velocities only. It is rounding in 2D and for
/// spheres. For other bodies in 3D it is the error of rotation.
///
/// Damping is the rest of a body's force after all others are subtracted. So if a scene damps, a force missing in the
/// ledger would appear in that term, and not in the residual.
///
/// Works of contacts count both bodies, walls too: they are negative if contacts dissipate. Part of the energy that an
/// interaction took is stored as elastic energy; the rest is dissipated:
///
///   dissipated = -(normal + tangential + rolling) - change of the elastic energy
class EnergyLedger {
 public:
  /// Makes the metrics, and columns for forces that the next step will apply.
  /// \param scheme  scheme of the integrator
  EnergyLedger(World& world, const Methods& methods, const MeanForce& scheme);

  /// Adds the energy of bodies that were added since the last step.
  void inserted(std::span<const Id> ids);
  /// Begins a step, before the integrator. \param dt  [s]
  void begin_step(double dt);
  /// Takes the forces of an evaluation of the step, or of a solver's answer. Rows are those of begin_step().
  /// \param dt        [s] as given to Mechanics::forces()
  /// \param contacts  evaluation that has kept parts and energies
  /// \param bonds     wrenches of bonds on each body, or empty
  /// \param total     total wrench on each body
  void applied(double dt, const ContactEvaluation& contacts, std::span<const Wrench> bonds, const Wrenches& total);
  /// Takes the wrenches of joints on each body, in addition to the last applied().
  void joined(const Wrenches& joints);
  /// Ends a step, when velocities are those of its end, before rows change order.
  void end_step();

 private:
  /// Forces of one origin.
  struct Source {
    std::string name;
    Column<Vec3> force, torque;      ///< wrench of the last evaluation, if the next step applies it
    std::vector<Wrench> last, mean;  ///< by row: wrench of the last evaluation, and the one applied in the step
    double work = 0;                 ///< work in this step [J]
  };
  /// Contacts of an entry of Methods::entries.
  struct Entry {
    std::string name;
    std::size_t first;   ///< index of its source of ForcePart::normal; those of the other parts follow
    double elastic = 0;  ///< elastic energy at the last evaluation [J]
  };

  double& figure(const std::string& name) { return world_.metric("ledger_" + name + "_J"); }
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
  std::size_t gravity_, external_, damping_, bonds_;  ///< indices into sources_
  std::vector<Entry> entries_;
  std::vector<Vec3> velocity_, spin_;  ///< by row: at the start of the step; at its end the means of both
  double dt_ = 0;                      ///< length of the step [s]
  double start_ = 0;                   ///< kinetic energy at its start [J]
  double inserted_ = 0;                ///< kinetic energy of bodies added before it [J]
  double walls_ = 0;                   ///< work of walls in it [J]
  std::size_t evaluations_ = 0;        ///< number of evaluations in the step
  bool complete_ = true;               ///< true if all forces of the step are known
};

}  // namespace scree
