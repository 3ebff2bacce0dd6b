#pragma once
/// \file Integrator `variational`: a step is the minimum of the incremental potential of inertia, bonds and contacts.

#include <memory>
#include <optional>

#include "scree/integrate/integrator.hpp"
#include "solvers/newton/implicit_step.hpp"
#include "step/contact_term.hpp"
#include "step/energy_balance.hpp"
#include "step/parts.hpp"
#include "use_solvers.hpp"

namespace scree::bonded {

struct VariationalOptions {
  Scheme scheme = Scheme::backward_euler;
  /// The first iterate is off by what is not quadratic in the energy, however well its system is solved; those after it
  /// are solved so well that the step may end with them. Assembly costs as much as several iterations of conjugate
  /// gradients.
  MinimiseOptions minimise = [] {
    MinimiseOptions options;
    options.inexact = false;
    options.first = 1e-3;
    options.tightest = 1e-6;
    return options;
  }();
  std::string linear_solver = "auto";
  /// After a bond breaks the same step is solved again with the bonds that are left, up to so many times; each time
  /// those break that are loaded to at least `worst_part` of the worst. 0: all that are overloaded break at once.
  int resolve_breaks = 0;
  double worst_part = 0.9;
  /// Scheme::sdirk2: speed of sliding from which on friction is all that Coulomb's law allows [m/s].
  double friction_speed = 0.02;
  /// Scheme::sdirk2: bonds break at the end of parts of a step that are no longer than this [s]; 0: of a whole step.
  double fracture_dt = 0;
  /// Fraction of kinetic and elastic energy that a longer part may lose without account [-].
  double energy_tolerance = 0.02;
};

class Variational final : public Integrator {
 public:
  explicit Variational(VariationalOptions options) : options_(std::move(options)), parts_(options_.fracture_dt) {}

  IntegratorTraits traits() const override;
  void columns(World& world) override;
  void edited(World& world, const EditLog& edits) override;
  void step(Mechanics& mechanics, double dt) override;

 private:
  /// State at the beginning of a step, to come back to.
  struct Start {
    std::vector<Vec3> position, velocity, angular_velocity;
    std::vector<Quat> orientation;
  };
  /// Set-up that is valid as long as bodies, bonds and pairs are unchanged.
  struct SetUp;

  /// A step, or a part of it.
  struct Part {
    double begin, h;  ///< [s]
  };

  void set_up(World& world, EnergyProblem& potential);
  bool solve(Mechanics& mechanics, EnergyProblem& potential, const Part& part, double dt);
  bool rejects(World& world, EnergyProblem& potential, const Part& part);
  std::size_t break_bonds(World& world, EnergyProblem& potential, const Start& start, const Part& part, bool last);
  void solve_covered(Mechanics& mechanics, EnergyProblem& potential, const Start& start, const Part& part);
  StepHooks hooks(Mechanics& mechanics, EnergyProblem& potential, const Part& part);
  bool lag_friction(World& world);
  void slide_and_roll(World& world, EnergyProblem& potential, double dt);
  void restore(World& world, const Start& start, double time);
  void note_changes(World& world, const Start& start, double dt);
  void remember(World& world, const Start& start);
  Earlier earlier(World& world) const;
  void book(World& world, const MinimiseReport& report);

  VariationalOptions options_;
  Parts parts_;
  std::shared_ptr<SetUp> set_up_;
};

}  // namespace scree::bonded
