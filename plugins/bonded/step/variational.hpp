#pragma once
/// \file Integrator `variational`: a step is the minimum of the incremental potential of inertia, bonds and contacts.

#include <memory>
#include <optional>

#include "newton/implicit_step.hpp"
#include "scree/integrate/integrator.hpp"
#include "step/contact_term.hpp"

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
};

class Variational final : public Integrator {
 public:
  explicit Variational(VariationalOptions options) : options_(std::move(options)) {}

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
  /// What holds as long as bodies, bonds and pairs are the same.
  struct SetUp;

  void set_up(World& world, Potential& potential);
  void solve(Mechanics& mechanics, Potential& potential, double dt);
  void solve_covered(Mechanics& mechanics, Potential& potential, const Start& start, double dt);
  void slide_and_roll(World& world, Potential& potential, double dt);
  void remember(World& world, const Start& start);
  Earlier earlier(World& world) const;
  void book(World& world, const MinimiseReport& report);

  VariationalOptions options_;
  std::shared_ptr<SetUp> set_up_;
};

}  // namespace scree::bonded
