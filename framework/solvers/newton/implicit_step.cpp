#include "solvers/newton/implicit_step.hpp"

#include <algorithm>
#include <stdexcept>

namespace scree::solvers {

namespace {

std::vector<const EnergyTerm*> with_inertia(const EnergyTerm* inertia, std::vector<const EnergyTerm*> terms) {
  terms.insert(terms.begin(), inertia);
  return terms;
}

}  // namespace

ImplicitStep::ImplicitStep(Scheme scheme, const BodyColumns& bodies, Unknowns unknowns,
                           std::vector<const EnergyTerm*> terms, const MinimiseOptions& options,
                           std::string_view solver)
    : scheme_(scheme),
      bodies_(bodies),
      options_(options),
      inertia_(prediction_.columns(bodies)),
      potential_(std::move(unknowns), with_inertia(&inertia_, std::move(terms))),
      hessian_(potential_.pattern()),
      choice_(choose_solver(potential_.pattern(), solver)) {
  if ((scheme == Scheme::bdf2 || scheme == Scheme::sdirk2) && !bodies.moments.empty())
    throw std::invalid_argument("ImplicitStep: BDF2 and SDIRK2 move bodies with equal moments of inertia only");
}

/// Where a step ends in which bodies accelerate as in the one before; empty where that is not known.
Prediction ImplicitStep::alike(Scheme scheme, const Motion& x, const Earlier& earlier, const Trend& trend,
                               double dt) const {
  if (trend.acceleration.empty()) return {};
  std::vector<Vec3> force(x.position.size()), torque(x.position.size());
  for (std::size_t i = 0; i < force.size(); ++i) {
    force[i] = bodies_.mass[i] * trend.acceleration[i];
    torque[i] = bodies_.times_inertia(i, x.orientation[i], trend.angular_acceleration[i]);
  }
  return predict(scheme, x, earlier, bodies_, {force, torque}, dt);
}

/// Readies the terms for the prediction, and takes the best start.
void ImplicitStep::start(const Prediction& alike, Moving x) {
  if (alike.position.empty())
    start_from_lowest(potential_, {&prediction_}, x);
  else
    start_from_lowest(potential_, {&prediction_, &alike}, x);
}

MinimiseReport ImplicitStep::advance(const Motion& x, const Earlier& earlier, const Applied& applied, double dt,
                                     const StepHooks& hooks, const Trend& trend) {
  if (scheme_ == Scheme::sdirk2) return advance_in_stages(x, applied, dt, hooks, trend);
  const std::vector<Vec3> position(x.position.begin(), x.position.end());
  const std::vector<Quat> orientation(x.orientation.begin(), x.orientation.end());
  const Prediction as_before = alike(scheme_, x, earlier, trend, dt);
  prediction_ = predict(scheme_, x, earlier, bodies_, applied, dt);
  inertia_.set(prediction_.columns(bodies_));
  if (hooks.drive) hooks.drive(scheme_ == Scheme::midpoint ? dt / 2 : dt);
  start(as_before, x.moving());
  const ResidualScale scale = step_scale(bodies_, potential_.unknowns(), acceleration_);
  MinimiseReport report = minimise(potential_, scale, options_, *choice_.solver, hessian_, x.moving());
  finish(scheme_, {position, orientation}, earlier, prediction_, bodies_, potential_.unknowns(), x, dt);
  return report;
}

namespace {

/// The report of a minimisation that replaces the result of another one, with the work of both.
MinimiseReport after(MinimiseReport&& first, MinimiseReport&& next) {
  next.iterations += first.iterations;
  next.corrections += first.corrections;
  next.linear_iterations += first.linear_iterations;
  next.halvings += first.halvings;
  next.clamped += first.clamped;
  next.energy_change += first.energy_change;
  next.history.insert(next.history.begin(), first.history.begin(), first.history.end());
  return std::move(next);
}

}  // namespace

MinimiseReport ImplicitStep::advance_in_stages(const Motion& x, const Applied& applied, double dt,
                                               const StepHooks& hooks, const Trend& trend) {
  Stage first = first_stage(x, dt);
  MinimiseReport report = solve(first, x, applied, hooks, trend);
  Stage second = second_stage(first, x.velocity, x.angular_velocity, dt);
  std::vector<Vec3> acceleration(x.velocity.size()), angular(x.velocity.size());
  for (std::size_t i = 0; i < acceleration.size(); ++i) {
    acceleration[i] = (x.velocity[i] - first.velocity[i]) / first.h;
    angular[i] = (x.angular_velocity[i] - first.angular_velocity[i]) / first.h;
  }
  const bool converged = report.converged;
  const std::string_view stopped = report.stopped;
  const double residual = report.residual;
  report = after(std::move(report), solve(second, x, applied, hooks, {acceleration, angular}));
  if (!converged) report.converged = false, report.stopped = stopped;
  report.residual = std::max(report.residual, residual);
  return report;
}

MinimiseReport ImplicitStep::solve(Stage& stage, const Motion& x, const Applied& applied, const StepHooks& hooks,
                                   const Trend& trend) {
  std::ranges::copy(stage.position, x.position.begin());
  std::ranges::copy(stage.orientation, x.orientation.begin());
  if (hooks.drive) hooks.drive(stage.reached);
  const Prediction as_before = alike(Scheme::backward_euler, stage.motion(), {}, trend, stage.h);
  prediction_ = predict(Scheme::backward_euler, stage.motion(), {}, bodies_, applied, stage.h);
  inertia_.set(prediction_.columns(bodies_));
  start(as_before, x.moving());
  const ResidualScale scale = step_scale(bodies_, potential_.unknowns(), acceleration_);
  MinimiseReport report = minimise(potential_, scale, options_, *choice_.solver, hessian_, x.moving());
  while (hooks.again && hooks.again())
    report = after(std::move(report), minimise(potential_, scale, options_, *choice_.solver, hessian_, x.moving()));
  finish(stage, potential_.unknowns(), x);
  return report;
}

}  // namespace scree::solvers
