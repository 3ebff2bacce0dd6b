#include "solvers/newton/time_step.hpp"

#include <cmath>

#include "solvers/newton/quaternion_tangent.hpp"
#include "solvers/newton/for_each.hpp"
#include "solvers/newton/unequal_moments.hpp"

namespace scree::solvers {

namespace {

bool two_steps(Scheme scheme, const Earlier& earlier) { return scheme == Scheme::bdf2 && !earlier.empty(); }

double step_of(Scheme scheme, const Earlier& earlier, double dt) {
  if (scheme == Scheme::midpoint) return dt / 2;
  return two_steps(scheme, earlier) ? 2 * dt / 3 : dt;
}

}  // namespace

Vec3 BodyColumns::times_inertia(std::size_t i, const Quat& q, const Vec3& x) const {
  if (unequal(moments, i)) return times_principal<double>(moments[i], q, x);
  return moment[i] * x;
}

// BDF2 in the rotation vector y from the orientation at step n, so that one formula serves p and q: with y_n = 0,
//   3 y_(n+1) + y_(n-1) = 2 dt w_(n+1),  3 w_(n+1) - 4 w_n + w_(n-1) = 2 dt a
// eliminate w_(n+1):  y_(n+1) - y^ = h^2 a,  y^ = (h (4 w_n - w_(n-1)) - y_(n-1))/3,  h = 2 dt/3.
Prediction predict(Scheme scheme, const Motion& x, const Earlier& earlier, const BodyColumns& bodies,
                   const Applied& applied, double dt) {
  const std::size_t n = x.position.size();
  const double h = step_of(scheme, earlier, dt);
  const bool two = two_steps(scheme, earlier);
  Prediction to{std::vector<Vec3>(n), std::vector<Quat>(n), h};
  if (!bodies.moments.empty()) to.momentum.assign(n, Vec3::Zero());
  for_each(n, [&](std::size_t i) {
    Vec3 move = h * x.velocity[i], turn = h * x.angular_velocity[i];
    if (two) {
      const Vec3 back = earlier.position[i] - x.position[i];
      const Vec3 turn_back = logarithm(earlier.orientation[i] * x.orientation[i].conjugate());
      move = (h * (4 * x.velocity[i] - earlier.velocity[i]) - back) / 3;
      turn = (h * (4 * x.angular_velocity[i] - earlier.angular_velocity[i]) - turn_back) / 3;
    }
    if (!applied.force.empty()) move += (h * h / bodies.mass[i]) * applied.force[i];
    to.position[i] = x.position[i] + move;
    if (unequal(bodies.moments, i)) {
      const Vec3 torque = applied.torque.empty() ? Vec3(Vec3::Zero()) : applied.torque[i];
      const PredictedTurn turned =
          predicted_turn({x.orientation[i], x.angular_velocity[i]}, bodies.moments[i], torque, h);
      to.orientation[i] = turned.orientation;
      to.momentum[i] = turned.momentum;
      return;
    }
    if (!applied.torque.empty()) turn += (h * h / bodies.moment[i]) * applied.torque[i];
    to.orientation[i] = exponential<double>(turn) * x.orientation[i];
  });
  return to;
}

void start_from_lowest(IncrementalPotential& potential, std::initializer_list<const Prediction*> guesses, Moving x) {
  const Unknowns& unknowns = potential.unknowns();
  std::vector<Vec3> position(x.position.begin(), x.position.end());
  std::vector<Quat> orientation(x.orientation.begin(), x.orientation.end());
  potential.set_base(x);
  double lowest = 0;
  const Prediction* best = nullptr;
  for (const Prediction* guess : guesses) {
    for (const std::uint32_t i : unknowns.body) {
      position[i] = guess->position[i];
      orientation[i] = guess->orientation[i].normalized();
    }
    const double change = potential.change({position, orientation});
    if (change < lowest) lowest = change, best = guess;
  }
  if (!best) return;
  for (const std::uint32_t i : unknowns.body) {
    x.position[i] = best->position[i];
    x.orientation[i] = best->orientation[i].normalized();
  }
}

namespace {

/// To the end of the step from its middle. What turns bodies at the middle gives the change of spin, so that angular
/// momentum is kept to the residual of the minimisation; a logarithm would keep it to O(dt^3).
void finish_midpoint(const Configuration& before, const Prediction& prediction, const Motion& x, std::size_t i,
                     bool free) {
  const double h = prediction.h;
  const Vec3 half_move = x.position[i] - before.position[i];
  const Quat half_turn = x.orientation[i] * before.orientation[i].conjugate();
  if (free) {
    x.velocity[i] = (2 / h) * half_move - x.velocity[i];
    const Ambient4<double> off = x.orientation[i].coeffs() - prediction.orientation[i].coeffs();
    // h^2 a_inner = 4 G (q - q^); what is applied has turned q^ away from exp(h w) q already.
    const Vec3 predicted = logarithm(prediction.orientation[i] * before.orientation[i].conjugate());
    const Vec3 applied = predicted - h * x.angular_velocity[i];
    x.angular_velocity[i] += (2 / h) * (4 * (tangent<double>(x.orientation[i].coeffs()) * off) + applied);
  }
  x.position[i] += half_move;
  x.orientation[i] = (half_turn * x.orientation[i]).normalized();
}

/// Velocities at the end of a step of backward Euler, or of BDF2 where there is a step before.
void finish_implicit(const Configuration& before, const Earlier* earlier, const Motion& x, std::size_t i, double dt) {
  const Vec3 move = x.position[i] - before.position[i];
  const Vec3 turn = logarithm(x.orientation[i] * before.orientation[i].conjugate());
  if (!earlier) {
    x.velocity[i] = move / dt;
    x.angular_velocity[i] = turn / dt;
    return;
  }
  const Vec3 back = earlier->position[i] - before.position[i];
  const Vec3 turn_back = logarithm(earlier->orientation[i] * before.orientation[i].conjugate());
  x.velocity[i] = (3 * move + back) / (2 * dt);
  x.angular_velocity[i] = (3 * turn + turn_back) / (2 * dt);
}

/// The rotation of a free body with unequal moments, eqs. (45), (46).
Turning finished_unequal(Scheme scheme, const Configuration& before, const Prediction& prediction, const Vec3& moments,
                         const Motion& x, std::size_t i) {
  const PredictedTurn predicted{prediction.orientation[i], prediction.momentum[i]};
  const Quat& q = x.orientation[i];
  if (scheme == Scheme::midpoint)
    return turned_to_the_end(q, predicted, {before.orientation[i], x.angular_velocity[i]}, moments, prediction.h);
  return {q, spin_after(q, predicted, moments, prediction.h)};
}

}  // namespace

void finish(Scheme scheme, const Configuration& before, const Earlier& earlier, const Prediction& prediction,
            const BodyColumns& bodies, const Unknowns& unknowns, const Motion& x, double dt) {
  const bool two = two_steps(scheme, earlier);
  for_each(x.position.size(), [&](std::size_t i) {
    const bool free = unknowns.row[i] != Unknowns::kNone, own_turn = free && unequal(bodies.moments, i);
    Turning turning{x.orientation[i], x.angular_velocity[i]};
    if (own_turn) turning = finished_unequal(scheme, before, prediction, bodies.moments[i], x, i);
    if (scheme == Scheme::midpoint)
      finish_midpoint(before, prediction, x, i, free);
    else if (free)
      finish_implicit(before, two ? &earlier : nullptr, x, i, dt);
    if (own_turn) x.orientation[i] = turning.orientation, x.angular_velocity[i] = turning.angular_velocity;
  });
}

ResidualScale step_scale(const BodyColumns& bodies, const Unknowns& unknowns, double acceleration) {
  std::vector<double> square;
  square.reserve(unknowns.rows());
  for (const std::uint32_t i : unknowns.body) square.push_back(bodies.mass[i] * bodies.mass[i]);
  return {bodies.radius, acceleration * std::sqrt(ordered_sum(square))};
}

}  // namespace scree::solvers
