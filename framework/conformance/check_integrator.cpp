#include <fmt/format.h>

#include <cmath>

#include "conformance/catalogue.hpp"
#include "conformance/checks.hpp"
#include "conformance/integrator_stage.hpp"
#include "scree/law/contact_law.hpp"

namespace scree::conformance {

namespace {

const Vec3 kGravity(1, -2, -9.81);  // [m/s^2]
const Vec3 kEqual(3, 3, 3), kUnequal(2, 3, 7);

Wrench weight(const World& world, std::size_t i) { return {world.mass[i] * kGravity, Vec3::Zero()}; }
Wrench nothing(const World&, std::size_t) { return {Vec3::Zero(), Vec3::Zero()}; }

/// Cases of one choice of options.
class Cases {
 public:
  Cases(const Registry& registry, const Json& options)
      : registry_(registry), options_(options), traits_(made()->traits()) {}

  bool by_forces() const { return traits_.face == ForceFace::kName; }
  std::string face() const { return std::string(traits_.face); }

  /// Checks a parabola. Bound: forces may be those of one step before or after, which moves positions by g t dt.
  Row flight() const {
    constexpr double dt = 1e-3;
    constexpr int steps = 1000;
    IntegratorStage stage(made(), kEqual, weight);
    BodySpec body;
    body.velocity = {3, 2, 1};
    stage.add(body);
    stage.run(dt, steps);
    const double t = steps * dt, g = kGravity.norm();
    const Vec3 x = t * body.velocity + 0.5 * t * t * kGravity, v = body.velocity + t * kGravity;
    const double of_place = (stage.world.position[0] - x).norm() / (g * t * dt);
    const double of_speed = (stage.world.velocity[0] - v).norm() / (g * dt);
    return judged("free flight is a parabola", of_place <= kOneStep && of_speed <= kOneStep,
                  fmt::format("after {} steps position and velocity are off by what {:.2g} and {:.2g} steps would make "
                              "of it, bound {}",
                              steps, of_place, of_speed, kOneStep));
  }

  /// Checks that a body with equal moments rotates evenly, by the product of spin and time.
  Row turning() const {
    constexpr double dt = 1e-3, spin = 2;
    constexpr int steps = 500;
    IntegratorStage stage(made(), kEqual, nothing);
    BodySpec body;
    body.angular_velocity = {0, 0, spin};
    stage.add(body);
    stage.run(dt, steps);
    const double error = std::abs(stage.angle() - spin * steps * dt) / (spin * dt);
    return judged(
        "a body turns by its angular velocity", error <= kOneStep,
        fmt::format("after {} steps the angle is off by that of {:.2g} steps, bound {}", steps, error, kOneStep));
  }

  /// Checks a free body with three different moments: angular momentum and energy stay. Bound: first order in the angle
  /// of a step, over the angle of all steps.
  Row top() const {
    const std::string check = "a free top keeps angular momentum and energy";
    if (traits_.isotropic_inertia_only) return not_applicable(check, "it moves bodies with three equal moments alone");
    constexpr double dt = 1e-3, bound = 0.01;
    constexpr int steps = 2000;
    IntegratorStage stage(made(), kUnequal, nothing);
    BodySpec body;
    body.angular_velocity = {1, 1.5, 0.3};
    stage.add(body);
    const Vec3 momentum = stage.spin_momentum(), axis = body.angular_velocity.normalized();
    const double energy = stage.spin_energy();
    stage.run(dt, steps);
    const double of_momentum = (stage.spin_momentum() - momentum).norm() / momentum.norm();
    const double of_energy = std::abs(stage.spin_energy() / energy - 1);
    const double wandered = (stage.world.angular_velocity[0].normalized() - axis).norm();
    return judged(check, of_momentum <= bound && of_energy <= bound && wandered > 0.1,
                  fmt::format("after {} steps they have changed by {:.2g} and {:.2g}, bound {}; its axis has moved by "
                              "{:.2g} rad, at least 0.1",
                              steps, of_momentum, of_energy, bound, wandered));
  }

  /// Checks springs of translation and rotation: halving dt at least halves the error, with a tolerance of a third.
  Row order() const {
    const double coarse = spring_error(2e-3), fine = spring_error(1e-3);
    const bool good = fine < 0.02 && (fine < 1e-9 || coarse / fine > 1.5);
    return judged(
        "the error of a spring goes down with dt", good,
        fmt::format("{:.2g} and {:.2g} of the amplitude with half the step, bounds 0.02, and at least 1.5 times "
                    "less",
                    coarse, fine));
  }

  /// Checks driven bodies: they follow their motion, with its velocity, also when forces are evaluated.
  Row prescribed() const {
    const std::string check = "prescribed bodies follow their motion";
    constexpr double dt = 1e-3;
    constexpr int steps = 100;
    IntegratorStage stage(made(), kEqual, nothing);
    BodySpec plate;
    plate.kind = BodyKind::prescribed;
    plate.position = {1, 2, 3};
    Motion motion;
    motion.velocity = {0.5, 0, -1};
    motion.amplitude = {0, 0.1, 0}, motion.frequency = 3;
    plate.motions = {motion};
    stage.add(plate);
    stage.run(dt, steps);
    const Pose pose = pose_at(plate.motions, {plate.position, plate.orientation}, steps * dt);
    const Twist twist = twist_at(plate.motions, {plate.position, plate.orientation}, steps * dt);
    const double off = (stage.world.position[0] - pose.position).norm();
    const double slip = (stage.world.velocity[0] - twist.velocity).norm();
    double astray = 0;
    for (const Evaluation& e : stage.field.evaluations)
      astray = std::max(
          astray,
          (e.position - pose_at(plate.motions, {plate.position, plate.orientation}, e.trial_time).position).norm());
    return judged(check, off < 1e-12 && slip < 1e-12 && astray < 1e-12,
                  fmt::format("at the end off by {:.2g} m and {:.2g} m/s, and by {:.2g} m when forces were asked for; "
                              "bound 1e-12. Call World::move_prescribed() for the time of each trial, and of the end.",
                              off, slip, astray));
  }

  /// Checks the state of the last forces against traits().
  Row last_forces() const {
    const std::string check = "last_forces is as traits() say";
    if (traits_.last_forces == LastForces::predicted)
      return not_applicable(check, "it says that they are of a predicted state");
    IntegratorStage stage(made(), kEqual, [](const World& w, std::size_t i) {
      return Wrench{-4 * w.position[i], Vec3::Zero()};
    });
    BodySpec body;
    body.velocity = {1, 0, 0};
    stage.add(body);
    stage.run(1e-2, 5);
    const Vec3 begin = stage.world.position[0];
    stage.run(1e-2, 1);
    const Vec3 seen = stage.field.evaluations.back().position;
    const Vec3 told = traits_.last_forces == LastForces::end ? Vec3(stage.world.position[0]) : begin;
    const char* const name = traits_.last_forces == LastForces::end ? "end" : "start";
    const double way = (stage.world.position[0] - begin).norm(), off = (seen - told).norm() / way;
    return judged(
        check, off < 1e-6,
        fmt::format("the last evaluation was {:.2g} of a step's way from the {} of the step, bound 1e-6", off, name));
  }

  /// Checks by how much velocities lag behind positions in forces(), by the parabola through three of the positions.
  Row lag() const {
    const std::string check = "forces() is told how old velocities are";
    if (!traits_.evaluates_once) return not_applicable(check, "it evaluates forces several times in a step");
    constexpr double dt = 1e-2;
    IntegratorStage stage(made(), kEqual, weight);
    BodySpec body;
    body.velocity = {3, 2, 1};
    stage.add(body);
    stage.run(dt, 8);
    std::vector<Evaluation> in_steps;
    for (const Evaluation& e : stage.field.evaluations)
      if (e.dt > 0) in_steps.push_back(e);
    if (in_steps.size() != 8)
      return failed(check, fmt::format("traits() say evaluates_once, but forces() was asked {} times in 8 steps.",
                                       in_steps.size()));
    const Evaluation &before = in_steps[4], &now = in_steps[5], &after = in_steps[6];
    const Vec3 speed = (after.position - before.position) / (2 * dt);
    const double age = (speed - now.velocity).dot(kGravity) / kGravity.squaredNorm();
    const double off = std::abs(age - now.lag) / dt;
    return judged(check, off < 1e-6,
                  fmt::format("velocities are {:.3g} dt older than positions, told were {:.3g} dt; bound 1e-6 dt",
                              age / dt, now.lag / dt));
  }

 private:
  static constexpr double kOneStep = 1.01;  ///< one step and rounding

  std::unique_ptr<Integrator> made() const {
    return registry_.integrator(options_["type"])(made_of(registry_, "integrator", options_));
  }

  /// Returns the largest error of place and angle after 1 s, over the amplitudes.
  double spring_error(double dt) const {
    constexpr double swing = 3, torsion = 2;  // [rad/s]
    IntegratorStage stage(made(), kEqual, [&](const World& w, std::size_t i) {
      const double angle = 2 * std::atan2(w.orientation[i].z(), w.orientation[i].w());
      return Wrench{-w.mass[i] * swing * swing * w.position[i],
                    Vec3(0, 0, -w.inertia[i].z() * torsion * torsion * angle)};
    });
    BodySpec body;
    body.velocity = {swing, 0, 0};
    body.angular_velocity = {0, 0, 0.5 * torsion};
    stage.add(body);
    stage.run(dt, static_cast<int>(std::lround(1 / dt)));
    return std::max(std::abs(stage.world.position[0].x() - std::sin(swing)),
                    std::abs(stage.angle() - 0.5 * std::sin(torsion)) / 0.5);
  }

  const Registry& registry_;
  const Json options_;
  const IntegratorTraits traits_;
};

/// Keeps the first row that has failed for some options, else the last one.
void take(Rows& rows, std::size_t k, Row row, const Json& options) {
  if (row.verdict == Verdict::failed) row.reason = options.dump() + ": " + row.reason;
  if (k == rows.size())
    rows.push_back(std::move(row));
  else if (rows[k].verdict != Verdict::failed)
    rows[k] = std::move(row);
}

}  // namespace

Rows check_integrator(const Registry& registry, const std::string& name) {
  Rows rows;
  const Json schema = schema_of(registry, "integrator", name);
  for (const Json& example : examples(registry, "integrator", name))
    for (const Json& options : all_choices(schema, with_defaults(schema, example))) {
      const Cases cases(registry, options);
      if (!cases.by_forces())
        return {not_applicable("cases with known solutions",
                               "it works with the face " + cases.face() + ", which needs contacts")};
      std::size_t k = 0;
      for (Row row : {cases.flight(), cases.turning(), cases.top(), cases.order(), cases.prescribed(),
                      cases.last_forces(), cases.lag()})
        take(rows, k++, std::move(row), options);
    }
  return rows;
}

}  // namespace scree::conformance
