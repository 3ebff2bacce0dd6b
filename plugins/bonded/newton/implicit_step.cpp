#include "newton/implicit_step.hpp"

#include <stdexcept>

namespace scree::bonded {

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
  if (scheme == Scheme::bdf2 && !bodies.moments.empty())
    throw std::invalid_argument("ImplicitStep: BDF2 moves bodies with equal moments of inertia only");
}

MinimiseReport ImplicitStep::advance(const Motion& x, const Earlier& earlier, const Applied& applied, double dt,
                                     const std::function<void()>& drive, const Trend& trend) {
  const std::vector<Vec3> position(x.position.begin(), x.position.end());
  const std::vector<Quat> orientation(x.orientation.begin(), x.orientation.end());
  Prediction alike;
  if (!trend.acceleration.empty()) {
    std::vector<Vec3> force(x.position.size()), torque(x.position.size());
    for (std::size_t i = 0; i < force.size(); ++i) {
      force[i] = bodies_.mass[i] * trend.acceleration[i];
      torque[i] = bodies_.times_inertia(i, x.orientation[i], trend.angular_acceleration[i]);
    }
    alike = predict(scheme_, x, earlier, bodies_, {force, torque}, dt);
  }
  prediction_ = predict(scheme_, x, earlier, bodies_, applied, dt);
  inertia_.set(prediction_.columns(bodies_));
  if (drive) drive();
  if (alike.position.empty())
    start_from_lowest(potential_, {&prediction_}, x.moving());
  else
    start_from_lowest(potential_, {&prediction_, &alike}, x.moving());
  const ResidualScale scale = step_scale(bodies_, potential_.unknowns(), acceleration_);
  MinimiseReport report = minimise(potential_, scale, options_, *choice_.solver, hessian_, x.moving());
  finish(scheme_, {position, orientation}, earlier, prediction_, bodies_, potential_.unknowns(), x, dt);
  return report;
}

}  // namespace scree::bonded
